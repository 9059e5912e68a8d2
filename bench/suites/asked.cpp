#include "suites/asked.h"

#include <algorithm>

#include "suites/stopwatch.h"

namespace fairlead::bench {

namespace {

constexpr std::size_t kTogether = 16;

double empty_timing_us() {
    Times times{1};
    for (int i = 0; i < 1000; ++i) times.add(0, time_ns([] {}));
    return times.mean_us();
}

}  // namespace

void ask_in_turn(std::span<Asked> contestants, std::span<const MeshPair> pairs, int rounds) {
    const std::size_t slots = (pairs.size() + kTogether - 1) / kTogether;
    std::vector<Times> together(contestants.size(), Times{slots});
    std::vector<Times> alone(contestants.size(), Times{pairs.size()});
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t slot = 0; slot < slots; ++slot) {
            const std::size_t first = slot * kTogether;
            const auto part = pairs.subspan(first, std::min(kTogether, pairs.size() - first));
            for (std::size_t c = 0; c < contestants.size(); ++c) {
                const auto& ask = contestants[c].ask;
                if (round == 0) ask(part.front());  // warm
                together[c].add(slot, time_ns([&] {
                                    for (const MeshPair& pair : part) ask(pair);
                                }));
                for (std::size_t i = 0; i < part.size(); ++i)
                    alone[c].add(first + i, time_ns([&] { ask(part[i]); }));
            }
        }
    }
    const double empty_us = empty_timing_us();
    for (std::size_t c = 0; c < contestants.size(); ++c) {
        contestants[c].mean_us =
            together[c].mean_us() * static_cast<double>(slots) / static_cast<double>(pairs.size());
        contestants[c].p99_us = std::max(0.001, alone[c].quantile_us(0.99) - empty_us);
    }
}

}  // namespace fairlead::bench
