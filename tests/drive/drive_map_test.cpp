// Maps that are edited: what an update leaves is what making the map anew gives.

#include <fairlead/drive/drive_map.h>

#include <gtest/gtest.h>

#include <vector>

#include "drive/lattice/grid_lattice.h"
#include "drive/map/map_data.h"
#include "support/drive_worlds.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using drive::LatticePose;

LatticePose random_lattice_pose(Rng& rng, const Tiles& tiles) {
    LatticePose pose;
    pose.x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.width)));
    pose.y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.height)));
    pose.heading = static_cast<std::int32_t>(rng.below(8));
    return pose;
}

bool same_edges(const EdgeMap& a, const EdgeMap& b) {
    const std::size_t planes = a.table().primitives().all().size() + 8;
    for (std::int32_t y = 0; y < a.height(); ++y) {
        for (std::int32_t x = 0; x < a.width(); x += 64) {
            if (!std::equal(a.column(x, y), a.column(x, y) + planes, b.column(x, y))) return false;
        }
    }
    return true;
}

// A plain search over all poses.
std::vector<bool> reached_from(const EdgeMap& edges, const LatticePose& start) {
    const auto index = [&](std::int32_t x, std::int32_t y, std::int32_t h) {
        return static_cast<std::size_t>((h * edges.height() + y) * edges.width() + x);
    };
    std::vector<bool> seen(static_cast<std::size_t>(8 * edges.width() * edges.height()));
    std::vector<LatticePose> todo{start};
    seen[index(start.x, start.y, start.heading)] = true;
    const PrimitiveSet& set = edges.table().primitives();
    while (!todo.empty()) {
        const LatticePose at = todo.back();
        todo.pop_back();
        for (std::uint32_t i = set.first(at.heading); i < set.first(at.heading + 1); ++i) {
            if (!edges.may_drive(at.x, at.y, i)) continue;
            const Primitive& p = set.all()[i];
            const LatticePose to{at.x + p.dx, at.y + p.dy, p.to, Gear::forward};
            if (seen[index(to.x, to.y, to.heading)]) continue;
            seen[index(to.x, to.y, to.heading)] = true;
            todo.push_back(to);
        }
    }
    return seen;
}

void expect_true_answers(Rng& rng, const Tiles& tiles, const DriveMap& map, int& told) {
    for (int k = 0; k < 6; ++k) {
        const LatticePose from = random_lattice_pose(rng, tiles);
        if (!map.state().data().edges().stands(from.x, from.y, from.heading)) continue;
        const std::vector<bool> seen = reached_from(map.state().data().edges(), from);
        for (int i = 0; i < 40; ++i) {
            const LatticePose to = random_lattice_pose(rng, tiles);
            const std::int32_t index = (to.heading * tiles.height + to.y) * tiles.width + to.x;
            const drive::MapData::Joined joined = map.state().data().joined(from, to);
            if (!map.state().data().edges().stands(to.x, to.y, to.heading) ||
                joined == drive::MapData::Joined::unknown)
                continue;
            ++told;
            ASSERT_EQ(joined == drive::MapData::Joined::yes, seen[static_cast<std::size_t>(index)]);
        }
    }
}

TEST(DriveMapSlow, EditsLeaveWhatMakingAnewGives) {
    Rng rng(5);
    int told = 0;
    int told_anew = 0;
    for (int round = 0; round < trials(60); ++round) {
        Tiles tiles = random_tiles(rng);
        const Agent agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
        ASSERT_TRUE(map.has_value());
        for (int edit = 0; edit < 8; ++edit) {
            const auto x = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.width)));
            const auto y = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(tiles.height)));
            const auto w = static_cast<std::int32_t>(1 + rng.below(8));
            const auto h = static_cast<std::int32_t>(1 + rng.below(8));
            fill(tiles, x, y, w, h, static_cast<std::uint8_t>(rng.below(2)));
            ASSERT_TRUE(map->update(ground_of(tiles), static_cast<std::uint64_t>(edit) + 1).has_value());
            const Result<DriveMap> anew = DriveMap::make(ground_of(tiles), *table);
            ASSERT_TRUE(anew.has_value());
            ASSERT_TRUE(same_edges(map->state().data().edges(), anew->state().data().edges()))
                << round << " " << edit;
            expect_true_answers(rng, tiles, *map, told);
            expect_true_answers(rng, tiles, *anew, told_anew);
        }
    }
    // Repairing loses little of what is known.
    EXPECT_GT(told, told_anew * 0.9);
    EXPECT_GT(told_anew, trials(60) * 8 * 60);
}

TEST(DriveMap, UpdatesOfOtherSizesAreRefused) {
    Rng rng(5);
    const Tiles tiles = random_tiles(rng);
    const Result<DriveTable> table =
        DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}, .headings = 8});
    Result<DriveMap> map = DriveMap::make(ground_of(tiles), *table);
    ASSERT_TRUE(map.has_value());
    DriveGround other = ground_of(tiles);
    --other.width;
    EXPECT_EQ(map->update(other, 1).error().code, ErrorCode::size_mismatch);
    ASSERT_TRUE(map->update(ground_of(tiles), 7).has_value());
    EXPECT_EQ(map->state().options().revision, 7U);
}

}  // namespace
}  // namespace fairlead::testing
