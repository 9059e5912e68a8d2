// The same question in every world: one generic function that asks, steps in slices, moves, cancels, stops, takes, judges and asks
// again, on a world that is edited meanwhile, instantiated over every world and unit. After an edit: every_world_repair_test.cpp.
#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <fairlead/debug/trace.h>

#include "bridge/every_world.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

// ---- what all of them do alike -----------------------------------------------------------------------------

template <class Kind>
void ask_one_world(std::uint64_t seed, int& complete) {
    using Search = typename Kind::Search;
    static_assert(SlicedSearch<Search>);
    static_assert(!std::is_copy_constructible_v<Search>);
    Rng rng(seed);
    typename Kind::World world = Kind::make(rng);
    const auto query = Kind::query(world, rng);
    Scratch scratch, alone;
    const Result<Route> whole = find_route(world, query, alone);
    ASSERT_TRUE(whole.has_value()) << error_text(whole.error()).c_str();
    complete += whole->status == PathStatus::complete ? 1 : 0;
    const auto frozen = world.acquire();

    // In slices, on a world that is edited meanwhile, and moved on the way.
    Search search(world, query, scratch);
    std::uint64_t units = 0;
    for (int slices = 0; search.running(); ++slices) {
        const std::uint64_t asked = 1 + rng.below(40);
        const std::uint64_t used = search.step(asked);
        ASSERT_GE(used, 1U);
        ASSERT_LE(used, asked + 16);
        units += used;
        if (slices % 3 == 0) Kind::edit(world, rng);
        if (slices % 5 == 0) {
            Search moved(std::move(search));
            EXPECT_FALSE(search.running());
            search = std::move(moved);
        }
    }
    EXPECT_EQ(search.step(1), 0U);
    EXPECT_EQ(search.has_route(), !whole->legs.empty() || whole->status == PathStatus::complete ||
                                      whole->status == PathStatus::partial);
    Route route;
    ASSERT_TRUE(search.take(route).has_value());
    EXPECT_EQ(route_difference(route, *whole), "");
    EXPECT_EQ(route.revision, frozen->revision());
    EXPECT_FALSE(Kind::illegal(world, route, *frozen, query));

    // Taken once. Then the scratch serves another search, and this one may be asked again: on the snapshot that it holds.
    EXPECT_EQ(search.take(route).error().code, ErrorCode::nothing_to_take);
    EXPECT_TRUE(find_route_into(world, query, scratch, route).has_value());
    search.restart(query);
    while (search.running()) search.step(UINT64_MAX);
    ASSERT_TRUE(search.take(route).has_value());
    EXPECT_EQ(route_difference(route, *whole), "");

    // Of the newest revision.
    Kind::edit(world, rng);
    search.restart(world, query);
    while (search.running()) search.step(7);
    ASSERT_TRUE(search.take(route).has_value());
    const Result<Route> newest = find_route(world, query, alone);
    ASSERT_TRUE(newest.has_value());
    EXPECT_EQ(route_difference(route, *newest), "");
    EXPECT_FALSE(Kind::illegal(world, route, world.state(), query));

    // A budget of nothing, stop(), a cancel and progress that says stop: all of them end with what there is, never illegal.
    auto hopeless = query;
    hopeless.expansions_max = 0;
    Search spent(frozen, hopeless, scratch);
    while (spent.running()) spent.step(3);
    ASSERT_TRUE(spent.take(route).has_value());
    EXPECT_LE(route.stats.expanded, whole->stats.expanded);
    EXPECT_FALSE(Kind::illegal(world, route, *frozen, query));

    Search stopped(frozen, query, scratch);
    stopped.step(units / 2);
    stopped.stop();
    EXPECT_FALSE(stopped.running());
    ASSERT_TRUE(stopped.take(route).has_value());
    EXPECT_FALSE(Kind::illegal(world, route, *frozen, query));

    const std::atomic<bool> cancel{true};
    ASSERT_TRUE(find_route_into(*frozen, query, scratch, route, {.cancel = &cancel}).has_value());
    EXPECT_EQ(route.stats.expanded, 0U);

    std::size_t told = 0;
    const Progress progress{[](void* user, std::size_t, std::size_t) {
                                ++*static_cast<std::size_t*>(user);
                                return false;
                            },
                            &told};
    ASSERT_TRUE(find_route_into(*frozen, query, scratch, route, {.progress = progress}).has_value());
    EXPECT_TRUE(told == 0 || !(route.stats == whole->stats));

    // Watched: the same route, and as many events as the stats count.
    debug::Trace trace;
    ASSERT_TRUE(find_route_into(*frozen, query, scratch, route, {.trace = trace.hook()}).has_value());
    EXPECT_EQ(route_difference(route, *whole), "");
    EXPECT_EQ(trace.count(debug::TraceKind::expand), route.stats.expanded);
}

// The route's memory comes from the scratch's allocator, and a warm call takes none.
template <class Kind>
void count_memory(std::uint64_t seed) {
    Rng rng(seed);
    const typename Kind::World world = Kind::make(rng);
    const auto query = Kind::query(world, rng);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    {
        const Result<Route> route = find_route(world, query, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->legs.allocator().user, scratch.allocator().user);
    }
    Route reused;
    reused.legs = Array<Leg>(memory.allocator());
    reused.speeds = Array<SpeedKnot>(memory.allocator());
    ASSERT_TRUE(find_route_into(world, query, scratch, reused).has_value());
    const auto before = memory.calls;
    ASSERT_TRUE(find_route_into(world, query, scratch, reused).has_value());
    typename Kind::Search search(world, query, scratch);
    while (search.running()) search.step(5);
    ASSERT_TRUE(search.take(reused).has_value());
    EXPECT_EQ(memory.calls, before);
}

template <class Kind>
class OneShape : public ::testing::Test {};
using Worlds = ::testing::Types<Tiles, Mesh, Net, Space, Tube, Drive, DriveStoreys, Timed, MeshDrive, Fly>;
TYPED_TEST_SUITE(OneShape, Worlds);

// Each world makes a table: a second of processor time.
template <class World>
constexpr bool kTables = std::is_same_v<World, MeshDrive>;

TYPED_TEST(OneShape, IsAskedSlicedEditedCancelledAndTakenAlike) {
    int complete = 0;
    constexpr bool kDrives = !std::is_same_v<TypeParam, Tiles> && !std::is_same_v<TypeParam, Mesh> &&
                             !std::is_same_v<TypeParam, Net> && !std::is_same_v<TypeParam, Space> &&
                             !std::is_same_v<TypeParam, Tube>;
    const int rounds = trials(kDrives ? 20 : 200);
    for (int i = 0; i < rounds; ++i) {
        ask_one_world<TypeParam>(9000 + static_cast<std::uint64_t>(i), complete);
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << 9000 + i;
    }
    if (all_trials()) {
        EXPECT_GT(complete, rounds / 4);
    }
}

TYPED_TEST(OneShape, TakesMemoryFromTheScratch) {
    for (int i = 0; i < trials(kTables<TypeParam> ? 8 : 20); ++i) {
        count_memory<TypeParam>(9500 + static_cast<std::uint64_t>(i));
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << 9500 + i;
    }
}

}  // namespace
}  // namespace fairlead::testing
