// FAULT-9: what a drive does before and after its search is cut into units: it looks at its ends, grows the ground and writes its way a
// little at a time, a cancel is seen in between, and a search may be moved meanwhile.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include <fairlead/drive/find_drive.h>

#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

const Agent kCar{.radius = 0.4, .turning_radius = 2.0, .can_reverse = true};

DriveQuery far_query() { return {.start = {{3.3, 20.4}, 0.3}, .goal = {{196.2, 180.7}, 1.0}}; }

TEST(DriveUnits, TheFirstExpansionComesAfterManyUnits) {
    Tiles tiles = open_tiles(200, 200);
    for (std::int32_t x = 20; x < 200; x += 40) fill(tiles, x, x % 80 == 20 ? 0 : 20, 3, 180, 0);
    const DrivenWorld world(tiles, kCar);
    ASSERT_TRUE(world.map.has_value());
    Scratch scratch;
    struct Seen {
        int expanded = 0;
    } seen;
    const SearchTrace hook{[](const SearchEvent& event, void* user) {
                               static_cast<Seen*>(user)->expanded +=
                                   event.kind == TraceEventKind::expanded ? 1 : 0;
                           },
                           &seen};
    DriveSearch search(*world.map, far_query(), scratch, {.trace = hook});
    int units = 0;
    int most = 0;
    while (search.running()) {
        const int before = seen.expanded;
        search.step(1);
        if (seen.expanded == 0) ++units;
        most = std::max(most, seen.expanded - before);
    }
    // 36,000 free cells of ground, and the cells around the start.
    EXPECT_GT(units, 300);
    EXPECT_EQ(most, 1);
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.status, PathStatus::complete);
}

TEST(DriveUnits, CancelledBetweenThem) {
    const DrivenWorld world(open_tiles(200, 200), kCar);
    ASSERT_TRUE(world.map.has_value());
    Scratch scratch;
    for (const int units : {1, 5, 40, 100}) {
        std::atomic<bool> stop{false};
        DriveQuery query = far_query();
        query.partial = units == 40;
        DriveSearch search(*world.map, query, scratch, {.cancel = &stop});
        for (int i = 0; i < units; ++i) search.step(1);
        ASSERT_TRUE(search.running());
        stop = true;
        search.step(1000);
        EXPECT_FALSE(search.running());
        Route route;
        ASSERT_TRUE(search.take(route));
        EXPECT_EQ(route.status, PathStatus::budget_spent);
    }
}

TEST(DriveUnits, ASearchMayBeMovedBetweenThem) {
    const DrivenWorld world(open_tiles(120, 120), kCar);
    ASSERT_TRUE(world.map.has_value());
    Scratch scratch;
    DriveQuery query = far_query();
    query.goal = {{110.2, 80.7}, 1.0};
    const Result<Route> whole = find_route(*world.map, query, scratch);
    ASSERT_TRUE(whole.has_value());
    for (int units = 1; units < 200; units += 7) {
        auto first = std::make_unique<DriveSearch>(*world.map, query, scratch);
        for (int i = 0; i < units; ++i) (void)first->step(1);
        DriveSearch second(std::move(*first));
        first.reset();
        while (second.step(3)) {
        }
        Route route;
        ASSERT_TRUE(second.take(route));
        EXPECT_EQ(route_difference(route, *whole), "") << units;
    }
}

}  // namespace
}  // namespace fairlead::testing
