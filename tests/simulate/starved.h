// Questions and edits whose memory runs out: an allocation fails, alone or with all that follow it. What is asked so gives
// out_of_memory and no legs, or the answer that it gives with memory; asked once more with the same scratch it gives that
// answer, and nothing stays allocated. An edit that fails leaves the world as it was.
//
//     query ... starve=N [once=1]     # allocation N (from 0, modulo their count) fails, in slices where N is odd
#pragma once

#include <string>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/search/scratch.h>

#include "simulate/dice.h"
#include "simulate/driver.h"
#include "simulate/routes.h"
#include "support/test_allocator.h"

namespace fairlead::simulate {

using testing::TestAllocator;

/// Sometimes adds these fields.
inline void draw_starve(Dice& dice, std::uint32_t percent, Step& step) {
    if (!dice.chance(percent)) return;
    step.with("starve", dice.below(dice.chance(50) ? 8 : 200));
    if (dice.chance(50)) step.with("once", 1);
}

[[nodiscard]] inline bool out_of_memory(const Result<void>& done, const Route& route) {
    return !done && done.error().code == ErrorCode::out_of_memory && route.legs.empty();
}

/// ask(scratch, memory) asks with fresh memory, calls memory.feed() and says what is wrong with the answer.
template <class Ask>
[[nodiscard]] std::string starve(const Step& step, Tally& tally, Ask ask) {
    if (!step.has("starve")) return "";
    ++tally.starved;
    TestAllocator counted;
    std::string problem;
    {
        Scratch scratch(counted.allocator());
        problem = ask(scratch, counted);
    }
    if (!problem.empty()) return "starved: not yet, " + problem;
    if (counted.live_blocks != 0 || counted.live_bytes != 0) return "starved: not yet, it leaks";
    if (counted.calls == 0) return "";
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        const std::uint64_t fails = step.count("starve") % static_cast<std::uint64_t>(counted.calls);
        memory.fail_after(static_cast<std::int64_t>(fails), step.has("once"));
        problem = ask(scratch, memory);
        if (!problem.empty()) return "starved: " + problem;
        problem = ask(scratch, memory);
        if (!problem.empty()) return "starved: asked again, " + problem;
    }
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "starved: it leaks";
}

/// One route whose answer with memory is known; work(slices, scratch, route) asks for it.
template <class Work>
[[nodiscard]] std::string starve_route(const Step& step, Tally& tally, const Result<void>& wanted,
                                       const Route& route, Work work) {
    return starve(step, tally, [&](Scratch& scratch, TestAllocator& memory) -> std::string {
        Route got;
        got.legs = Array<Leg>(memory.allocator());
        const Result<void> done = work(step.count("starve") % 2 == 1, scratch, got);
        if (memory.feed() && out_of_memory(done, got)) return "";
        if (!done) {
            const bool same = !wanted && done.error() == wanted.error();
            return same ? "" : std::string("refused, ") + error_name(done.error().code);
        }
        return wanted ? route_difference(got, route) : "an answer where an error is due";
    });
}

/// Routes to several goals; work(scratch, routes) asks for them.
template <class Work>
[[nodiscard]] std::string starve_routes(const Step& step, Tally& tally, const Result<void>& wanted,
                                        const std::vector<Route>& routes, Work work) {
    return starve(step, tally, [&](Scratch& scratch, TestAllocator& memory) -> std::string {
        std::vector<Route> got(routes.size());
        for (Route& one : got) one.legs = Array<Leg>(memory.allocator());
        const Result<void> done = work(scratch, got);
        const bool none = memory.feed() && !done && done.error().code == ErrorCode::out_of_memory;
        if (!none && done.has_value() != wanted.has_value()) return "only one of two is an error";
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (!done && !got[i].legs.empty()) return "legs with an error";
            const std::string differs = done ? route_difference(got[i], routes[i]) : "";
            if (!differs.empty()) return "goal " + std::to_string(i) + ", " + differs;
        }
        return "";
    });
}

/// A route that is mended, known before and after; work(scratch, route) mends it. Without memory it stays what it was.
template <class Work>
[[nodiscard]] std::string starve_repair(const Step& step, Tally& tally, const Route& before,
                                        const Route& after, Work work) {
    return starve(step, tally, [&](Scratch& scratch, TestAllocator& memory) -> std::string {
        Route got = copy_route(before);
        const Result<void> done = work(scratch, got);
        const bool none = memory.feed() && !done && done.error().code == ErrorCode::out_of_memory;
        if (!none && !done) return std::string("refused, ") + error_name(done.error().code);
        const std::string differs = route_difference(got, done ? after : before);
        return differs.empty() ? "" : (done ? "repair, " : "a failed repair, ") + differs;
    });
}

/// Anything else; work(scratch) gives a Result, and judge(result) says in what it is another.
template <class Work, class Judge>
[[nodiscard]] std::string starve_answer(const Step& step, Tally& tally, Work work, Judge judge) {
    return starve(step, tally, [&](Scratch& scratch, TestAllocator& memory) -> std::string {
        const auto done = work(scratch);
        const bool none = memory.feed() && !done && done.error().code == ErrorCode::out_of_memory;
        return none ? "" : judge(done);
    });
}

/// A search in flight, with this memory.
inline void starve_flight(const Step& step, Tally& tally, TestAllocator& memory) {
    if (!step.has("starve")) return;
    ++tally.starved;
    memory.fail_after(static_cast<std::int64_t>(step.count("starve")), step.has("once"));
}

/// An edit of a world that has this memory; where it fails it is made again. same(): is the world what it was?
template <class Edit, class Same>
[[nodiscard]] std::string starve_edit(const Step& step, Tally& tally, TestAllocator& memory, Edit edit,
                                      Same same, Result<void>& done) {
    if (!step.has("starve")) {
        done = edit();
        return "";
    }
    ++tally.starved;
    memory.fail_after(static_cast<std::int64_t>(step.count("starve")), step.has("once"));
    done = edit();
    if (!memory.feed() || done || done.error().code != ErrorCode::out_of_memory) return "";
    if (!same()) return "starved: an edit that failed leaves its trace";
    done = edit();
    return done || done.error().code != ErrorCode::out_of_memory ? "" : "starved: an edit fails with memory";
}

}  // namespace fairlead::simulate
