// What must hold for a DriveTable's loader whatever the bytes: it returns; its error is one of a baked file; what it accepts can be
// searched with. The checksums are then computed anew, so that damage reaches the checks behind them. Shared by the fuzz target and
// the test with damaged files. A broken promise ends the program through FAIRLEAD_ASSERT.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fairlead/base/assert.h>
#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>

namespace fairlead::testing {

/// A map of 24 x 20 cells with some walls in it.
inline DriveGround fuzzed_ground() {
    return {.width = 24,
            .height = 20,
            .read_free = [](const void*, std::int32_t y, std::span<std::uint64_t> row) {
                constexpr std::uint64_t kAll = (std::uint64_t{1} << 24) - 1;
                constexpr std::uint64_t kGap = 0x00001c;
                row[0] = y == 9 ? kGap : y == 14 ? kAll & ~std::uint64_t{0x0f0000} : kAll;
            }};
}

/// Asks 100 queries of a table that a loader has accepted.
inline void drive_accepted_table(const DriveTable& table, Scratch& scratch) {
    const Result<DriveMap> map = DriveMap::make(fuzzed_ground(), table);
    FAIRLEAD_ASSERT(map.has_value());
    Rng rng(3);
    Route route;
    for (int i = 0; i < 100; ++i) {
        DriveQuery query{.expansions_max = 500};
        for (Spot* end : {&query.start, &query.goal.at}) {
            end->position.x = (rng.between(0, 23) + 0.5) * table.lattice_size();
            end->position.y = (rng.between(0, 19) + 0.5) * table.lattice_size();
            *end =
                end->facing(i % 2 == 0 ? heading_rad(table.headings(), rng.between(0, table.headings() - 1))
                                       : rng.between(-3.0, 3.0));
        }
        query.planner = static_cast<DrivePlanner>(i % 3);
        query.smooth = i % 4 == 0;
        const Result<void> done = find_route_into(*map, query, scratch, route);
        // With forged swept cells the engine may meet what its node store or open list does not hold: told as out of memory.
        FAIRLEAD_ASSERT(done.has_value() || done.error().code == ErrorCode::out_of_memory);
        FAIRLEAD_ASSERT(!done || route.status < PathStatus::count_);
    }
}

enum class TableFate : std::uint8_t { refused, refused_resealed, accepted };

inline TableFate drive_table(std::span<const std::uint8_t> bytes, Scratch& scratch) {
    const auto load = [&](std::span<const std::uint8_t> from) {
        const Result<DriveTable> table = DriveTable::load(from);
        if (table) {
            drive_accepted_table(*table, scratch);
        } else {
            FAIRLEAD_ASSERT(table.error().code >= ErrorCode::baked_length &&
                            table.error().code <= ErrorCode::baked_value);
        }
        return table.has_value();
    };
    if (load(bytes)) return TableFate::accepted;
    std::vector<std::uint8_t> sealed(bytes.begin(), bytes.end());
    if (!baked_reseal(sealed)) return TableFate::refused;
    return load(sealed) ? TableFate::accepted : TableFate::refused_resealed;
}

}  // namespace fairlead::testing
