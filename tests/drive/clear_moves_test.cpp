// The moves past blockers against each looked at by itself: bodies from a point to one that covers more cells of a row than a word has,
// all 64 places at once, and in parts.
#include "drive/map/clear_moves.h"

#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>

#include "drive/map/map_data.h"
#include "support/bodies.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

struct MovesTally {
    int looked_at = 0;
    int closed = 0;
};

// Of one place and heading: the map's own words without what a blocker is in the way of.
void expect_each(const drive::MapData& map, const drive::BlockerSweep& blockers, const std::uint64_t* words,
                 Cell at, std::int32_t heading, MovesTally& tally) {
    const DriveTable& table = map.table();
    const PrimitiveSet& set = table.primitives();
    const Pose pose = table.node(at.x, at.y, heading);
    const std::uint64_t* own = map.edges().column(at.x, at.y);
    const auto bit = [&](const std::uint64_t* of, std::size_t i) {
        return ((of[i] >> (at.x & 63)) & 1U) != 0;
    };
    const std::size_t room = map.edges().room(heading);
    const bool stands = bit(own, room) && blockers.stands(table.body(), pose);
    ASSERT_EQ(bit(words, room), stands) << at.x << " " << at.y << " " << heading;
    for (std::size_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        const bool before = bit(own, i);
        const bool free = before && stands &&
                          blockers.is_clear(table.body(), pose, table.turning_radius(), set.all()[i].word);
        ASSERT_EQ(bit(words, i), free) << at.x << " " << at.y << " " << heading << " move " << i;
        ++tally.looked_at;
        tally.closed += before && !free ? 1 : 0;
    }
}

void compare_moves(const Agent& agent, int words, Rng& rng, MovesTally& tally) {
    const Grid grid =
        Grid::make({.width = 230, .height = 100}, std::vector<std::uint8_t>(230 * 100, 1)).value();
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.2});
    ASSERT_TRUE(table);
    const Result<DriveMap> made = make_drive_map(grid.state(), *table);
    ASSERT_TRUE(made);
    const drive::MapData& map = made->state().data();
    std::vector<Blocker> others(30);
    for (Blocker& other : others) {
        other.centre = {rng.between(0.0, 230.0), rng.between(0.0, 100.0)};
        other.radius = rng.between(0.0, 0.7);
        if (rng.below(3) != 0) continue;
        const Vec2 half{rng.between(0.0, 3.0), rng.between(0.0, 1.0)};
        other.box = {other.centre - half, other.centre + half};
    }
    drive::BlockerSweep blockers{Allocator{}};
    ASSERT_TRUE(blockers.make(map, others));
    drive::ClearMoves whole{Allocator{}}, parts{Allocator{}};
    whole.begin(map.edges(), blockers);
    parts.begin(map.edges(), blockers);
    for (int n = 0; n < words; ++n) {
        const auto x = static_cast<std::int32_t>(rng.below(3) * 64);
        const auto y = static_cast<std::int32_t>(rng.below(100));
        const auto heading = static_cast<std::int32_t>(rng.below(8));
        const std::uint64_t* all = whole.column(x, y, heading, ~std::uint64_t{0});
        const std::uint64_t* same = nullptr;
        while (same == nullptr) same = parts.column_in_parts(x, y, heading, ~std::uint64_t{0});
        for (std::int32_t i = 0; i < 64; i += 7) {
            expect_each(map, blockers, all, {x + i, y, 0}, heading, tally);
            expect_each(map, blockers, same, {x + i, y, 0}, heading, tally);
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
}

TEST(ClearMoves, AreThoseThatRunIntoNothing) {
    Rng rng(77);
    // The last one covers 70 cells of a row.
    const Agent bodies[] = {{.radius = 0.4, .turning_radius = 2.0},
                            {.radius = 1.7, .turning_radius = 3.0, .can_reverse = true},
                            box_body(5.0, 2.0, 1.0),
                            box_body(70.0, 1.5)};
    for (Agent body : bodies) {
        if (body.turning_radius == 0.0) body.turning_radius = 4.0;
        MovesTally tally;
        compare_moves(body, trials(60), rng, tally);
        if (HasFatalFailure()) return;
        if (all_trials()) {
            EXPECT_GT(tally.closed, 100) << body.length;
            EXPECT_GT(tally.looked_at - tally.closed, 100) << body.length;
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
