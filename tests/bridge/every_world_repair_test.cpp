// What comes after an edit, in every world and for every unit: revalidate(world, route, query, scratch, changed) and
// repair(world, route, query, scratch). The oracle is verify, which is written apart.
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include <fairlead/bridge/drive_repair.h>
#include <fairlead/drive/repair.h>
#include <fairlead/fly/repair.h>
#include <fairlead/grid/repair.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/roadmap/repair.h>
#include <fairlead/volume/repair.h>

#include "bridge/every_world.h"
#include "route/take_over.h"
#include "support/environment.h"
#include "support/route_compare.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

struct Told {
    int legal = 0;
    int broken = 0;
    int refused = 0;  ///< though verify has nothing against it
    int mended = 0;   ///< piece by piece: no bound is claimed
    int lost = 0;     ///< no way any more
};

Route copy_of(const Route& route) {
    Route copy;
    FAIRLEAD_ASSERT(take_over(route, copy));
    return copy;
}

bool has_way(const Route& route) {
    return route.status == PathStatus::complete || route.status == PathStatus::partial || !route.legs.empty();
}

Vec3 first_place(const Route& route) {
    return route.legs.empty() ? route.end.position : route.legs[0].start.position;
}

// How far a blocked start may be moved.
template <class Query>
double reach_of(const Query& query) {
    if constexpr (std::is_same_v<Query, VolumeQuery>) return query.reach;
    if constexpr (std::is_same_v<Query, MeshQuery>) return query.reach.across;
    return 0.0;
}

template <class Kind, class World, class Query>
void edit_and_mend(World& world, const Query& query, Scratch& scratch, Rng& rng, Route& route, Told& told) {
    const Place aim = place_on_route(route, route.length * rng.between(0.1, 0.9));
    const bool aimed = rng.below(3) == 0;
    const typename Kind::Region region = Kind::edit(world, rng, aimed ? &aim : nullptr);
    const std::uint64_t revision = world.state().revision();
    Route near = copy_of(route), all = copy_of(route);
    const Result<Revalidation> boxed = revalidate(world, near, query, scratch, &region);
    const Result<Revalidation> whole = revalidate(world, all, query, scratch);
    ASSERT_TRUE(boxed && whole);
    EXPECT_EQ(*boxed, *whole);
    EXPECT_EQ(route_difference(near, all), "");
    if (whole->legal) {
        ++told.legal;
        EXPECT_EQ(all.revision, revision);
        EXPECT_FALSE(Kind::illegal(world, all, world.state(), query));
    } else {
        ++told.broken;
        EXPECT_EQ(route_difference(all, route), "");
        Route now = copy_of(route);
        now.revision = revision;
        told.refused += Kind::illegal(world, now, world.state(), query) ? 0 : 1;
    }

    Route mended = copy_of(route), again = copy_of(route);
    ASSERT_TRUE(repair(world, mended, query, scratch));
    ASSERT_TRUE(repair(world, again, query, scratch));
    EXPECT_EQ(route_difference(mended, again), "");
    EXPECT_EQ(mended.revision, revision);
    EXPECT_FALSE(Kind::illegal(world, mended, world.state(), query));
    EXPECT_TRUE(revalidate(world, again, query, scratch).value().legal);
    if (whole->legal) {
        EXPECT_EQ(route_difference(mended, all), "");
    } else if (has_way(mended)) {
        EXPECT_LE(distance(first_place(mended), first_place(route)), reach_of(query));
        EXPECT_LT(mended.cost, kNoBound);
        told.mended += mended.bound == kNoBound ? 1 : 0;
    } else {
        ++told.lost;
        EXPECT_TRUE(mended.legs.empty());
    }
    route = std::move(mended);
}

template <class Kind>
void mend_one_world(std::uint64_t seed, Told& told) {
    Rng rng(seed);
    typename Kind::World world = Kind::make(rng);
    Scratch scratch;
    for (int ask = 0; ask < 4; ++ask) {
        const auto query = Kind::query(world, rng);
        Result<Route> route = find_route(world, query, scratch);
        ASSERT_TRUE(route.has_value()) << error_text(route.error()).c_str();
        for (int edit = 0; edit < 6 && has_way(*route); ++edit) {
            edit_and_mend<Kind>(world, query, scratch, rng, *route, told);
            if (::testing::Test::HasFailure()) {
                ADD_FAILURE() << "seed " << seed << " query " << ask << " edit " << edit;
                return;
            }
        }
    }
}

// A warm call takes no memory, and the world's errors leave the route as it is.
template <class Kind>
void mend_warm(std::uint64_t seed) {
    Rng rng(seed);
    typename Kind::World world = Kind::make(rng);
    const auto query = Kind::query(world, rng);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    Route route;
    route.legs = Array<Leg>(memory.allocator());
    route.speeds = Array<SpeedKnot>(memory.allocator());
    ASSERT_TRUE(find_route_into(world, query, scratch, route));
    for (int edit = 0; edit < 8 && has_way(route); ++edit) {
        const Place aim = place_on_route(route, 0.5 * route.length);
        Kind::edit(world, rng, &aim);
        Route cold = copy_of(route), warm = copy_of(route), again = copy_of(route);
        warm.legs = Array<Leg>(memory.allocator());
        warm.speeds = Array<SpeedKnot>(memory.allocator());
        ASSERT_TRUE(warm.legs.reserve(4096) && warm.speeds.reserve(65536) &&
                    warm.legs.assign(route.legs.span()));
        ASSERT_TRUE(repair(world, again, query, scratch));  // buffers that change places are warm after two
        ASSERT_TRUE(repair(world, cold, query, scratch));
        const auto before = memory.calls;
        ASSERT_TRUE(revalidate(world, warm, query, scratch));
        ASSERT_TRUE(repair(world, warm, query, scratch));
        EXPECT_EQ(memory.calls, before);
        route = std::move(cold);
    }
}

template <class Kind>
class EveryWorldMends : public ::testing::Test {};
using MendedWorlds =
    ::testing::Types<Tiles, Mesh, Net, Space, Tube, Drive, DriveStoreys, Timed, TownDrive, MeshDrive, Fly>;
TYPED_TEST_SUITE(EveryWorldMends, MendedWorlds);

TYPED_TEST(EveryWorldMends, WhatAnEditBreaksIsFoundAndMended) {
    Told told;
    constexpr bool kWalks = std::is_same_v<TypeParam, Tiles> || std::is_same_v<TypeParam, Net> ||
                            std::is_same_v<TypeParam, Space> || std::is_same_v<TypeParam, Tube>;
    const int rounds = trials(kWalks ? 60 : 10);
    for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i)
        mend_one_world<TypeParam>(9700 + static_cast<std::uint64_t>(i), told);
    if (!all_trials() || ::testing::Test::HasFailure()) return;
    this->RecordProperty("told", std::to_string(told.legal) + " legal, " + std::to_string(told.broken) +
                                     " broken, " + std::to_string(told.refused) + " refused, " +
                                     std::to_string(told.mended) + " mended, " + std::to_string(told.lost) +
                                     " lost");
    EXPECT_GT(told.legal, 10);
    EXPECT_GT(told.broken, 4);
    EXPECT_LE(told.refused, told.broken / 20);  // tiles: points between two walls (grid/repair.h)
}

TYPED_TEST(EveryWorldMends, AWarmRepairTakesNoMemory) {
    // A table for each unit, each time: on meshes 13 s of processor time a world.
    const int rounds = std::is_same_v<TypeParam, MeshDrive> ? 1 : trials(4);
    for (int i = 0; i < rounds && !::testing::Test::HasFailure(); ++i)
        mend_warm<TypeParam>(9900 + static_cast<std::uint64_t>(i));
}

}  // namespace
}  // namespace fairlead::testing
