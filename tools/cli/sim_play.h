// A simulation as `sim` and `replay` play it: what it needs, and what comes out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/world.h"

namespace fairlead::cli {

/// What decides how it goes; threads do not.
struct SimPlan {
    static constexpr double kSecondsMax = 1e6;
    static constexpr double kRateMax = 1000.0;

    WorldFlags world;
    std::string units;
    std::string edits;  ///< empty: none
    double seconds = 60.0;
    double rate = 60.0;
    std::uint64_t budget = 20000;
    bool no_avoid = false;

    /// Fails, naming the flag.
    void check() const;
    [[nodiscard]] std::uint64_t ticks() const;
};

/// The states of all units after the last tick; the others are under way.
struct SimEnd {
    std::uint64_t ticks = 0;
    std::uint64_t digest = 0;
    std::size_t units = 0;
    std::size_t arrived = 0;
    std::size_t stuck = 0;
    std::size_t unreachable = 0;
    std::size_t invalid = 0;
    double route_ms_max = 0.0;
};

struct SimWatch {
    FileOut* track = nullptr;  ///< null: none
    std::uint64_t every = 1;   ///< ticks from one of its lines to the next
    int threads = 1;
    /// Told of each tick's digest; false: that is enough.
    std::function<bool(std::uint64_t tick, std::uint64_t digest)> ticked{};
};

/// Fails for bad input, with file, line and column. Ctrl-C ends it: a failure.
[[nodiscard]] SimEnd play_sim(const SimPlan& plan, const SimWatch& watch);

/// As the track's last line.
[[nodiscard]] std::string end_json(const SimEnd& end);

}  // namespace fairlead::cli
