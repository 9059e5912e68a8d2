// Two fleets that are told the same. They differ in threads and in the order of the crowd's jobs, or, with budgets that no request passes,
// in how their searches are sliced: their digests must not. The first has counted memory.
#pragma once

#include <optional>
#include <string>

#include <fairlead/fleet/fleet.h>

#include "simulate/driver.h"
#include "simulate/moved_map.h"
#include "support/test_allocator.h"

namespace fairlead::simulate {

struct FleetPair {
    std::optional<Fleet> one;
    std::optional<Fleet> other;
    bool slices = false;

    void clear() {
        one.reset();
        other.reset();
    }

    /// Of the first one (0) or the other (1). port: over a world, with that memory.
    [[nodiscard]] std::string make(int which, const FleetPort& port, FleetOptions asked,
                                   const Allocator& memory) {
        asked.schedule.slice_units = slices ? (which == 0 ? 1 : 1000000) : 256;
        asked.schedule.threads = slices || which == 0 ? 1 : 3;
        if (which == 1) asked.jobs = {&run_backwards, nullptr};
        if (which == 0) asked.allocator = asked.crowd.allocator = asked.schedule.allocator = memory;
        Result<Fleet> made = Fleet::make(port, asked);
        if (!made) return std::string("refused: a fleet, ") + error_name(made.error().code);
        (which == 0 ? one : other).emplace(std::move(*made));
        return "";
    }

    /// moved: both went on, by good seconds.
    [[nodiscard]] std::string update(double seconds, std::uint64_t budget, Tally& tally, bool& moved) {
        constexpr std::uint64_t kPlenty = 1000000000;
        moved = false;
        if (slices) budget = kPlenty;
        const std::uint64_t before = one->digest();
        const Result<void> first = one->update(seconds, {.units = budget});
        const Result<void> second = other->update(seconds, {.units = budget});
        const bool good = seconds >= kSecondsMin && seconds <= 1.0;
        if (first.has_value() != good || second.has_value() != good) {
            if (!good) return "taken: bad seconds";
            const Error error = (first ? second : first).error();
            return std::string("refused: an update, ") + error_name(error.code) + " field " +
                   field_name(error.field);
        }
        if (!good) {
            ++tally.refused;
            return one->digest() == before ? "" : "refused: a bad update has changed something";
        }
        ++tally.repeated;
        if (one->digest() != other->digest()) return "differs: the digests of two fleets";
        if (one->report().units > budget) return "budget: more units than given";
        moved = true;
        return "";
    }
};

}  // namespace fairlead::simulate
