// Which poses a prepared map takes for its core: the answers are right whatever it takes, but slow where it takes a pocket.

#include <gtest/gtest.h>

#include <fairlead/drive/drive_map.h>

#include "drive/lattice/grid_lattice.h"
#include "drive/map/map_data.h"
#include "support/drive_worlds.h"

namespace fairlead::testing {
namespace {

using oracle::PoseMap;

// A closed room of 12 x 12 cells at the left, in the middle rows where the search for a core begins, and much open ground.
PoseMap closed_room() {
    PoseMap map{64, 64, {}};
    map.tile.assign(64 * 64, 1);
    for (std::size_t i = 0; i <= 12; ++i) {
        map.tile[(26 + i) * 64 + 12] = 0;
        map.tile[26 * 64 + i] = 0;
        map.tile[(26 + 12) * 64 + i] = 0;
    }
    return map;
}

// As on arena2 with disc 0.45 and turning radius 2: the core was a pocket, and each query between two poses of the open ground
// took five times as long, for the closure.
TEST(DriveCore, AClosedRoomIsNotTheCore) {
    const PoseMap map = closed_room();
    const Agent agent{.radius = 0.45, .turning_radius = 2.0, .can_reverse = true};
    const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
    const Result<DriveMap> ready = DriveMap::make(ground_of(map), *table);
    ASSERT_TRUE(ready.has_value());
    EXPECT_TRUE(ready->state().data().joined({40, 10, 0, Gear::forward}, {40, 10, 0, Gear::forward}) ==
                drive::MapData::Joined::yes);
    EXPECT_FALSE(ready->state().data().joined({5, 32, 0, Gear::forward}, {40, 10, 0, Gear::forward}) ==
                 drive::MapData::Joined::yes);
}

}  // namespace
}  // namespace fairlead::testing
