// Narrow places of the scenes that crowds are judged by, in every pose; junctions, routes through places, and what is refused.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <fairlead/crowd/narrow_places.h>

#include "support/raster_walls.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

NarrowPlaces places_of(RasterWalls& walls, const PlacesOptions& options) {
    PlaceFinder finder;
    Result<NarrowPlaces> places = finder.find(options, walls.rows());
    EXPECT_TRUE(places.has_value());
    return std::move(*places);
}

/// What is wanted of a scene's plain pose, in metres.
struct Wanted {
    CrowdPlace scene;
    std::size_t tokens;
    std::size_t lanes;
    double width;
    double length;  ///< of the walls on both sides; the axis may be up to 2 x 0.35 longer
    std::uint32_t pockets;
    double mouth;  ///< where the first place's mouths are: at +-mouth on the x axis; 0: not asked
    std::size_t rooms;
};

constexpr Wanted kWanted[] = {
    {CrowdPlace::doorway, 1, 0, 1.2, 0.5, 0, 0.25, 2},
    {CrowdPlace::corridor_a, 0, 1, 2.4, 24.0, 0, 12.0, 0},
    {CrowdPlace::corridor_b, 0, 1, 2.4, 60.0, 0, 30.0, 0},
    {CrowdPlace::crossing, 0, 0, 0.0, 0.0, 0, 0.0, 0},
    {CrowdPlace::crossing_open, 0, 0, 0.0, 0.0, 0, 0.0, 0},
    {CrowdPlace::four_way, 0, 0, 0.0, 0.0, 0, 0.0, 0},
    {CrowdPlace::four_way_44, 0, 0, 0.0, 0.0, 0, 0.0, 0},
    {CrowdPlace::vestibule, 1, 0, 1.2, 5.0, 1, 2.5, 2},
    {CrowdPlace::tunnel, 1, 0, 1.2, 11.0, 0, 5.5, 2},
    {CrowdPlace::rooms, 12, 0, 1.2, 0.5, 0, 0.0, 9},
    {CrowdPlace::chain, 1, 0, 1.2, 14.0, 3, 7.0, 2},
    {CrowdPlace::chain_wide, 4, 0, 1.2, 0.5, 0, 0.0, 5},
};

void expect_scene(const Wanted& wanted, const CrowdPose& pose) {
    const CrowdScene scene = make_crowd_scene(wanted.scene, pose);
    SCOPED_TRACE(scene.name);
    RasterWalls walls = walls_of_scene(scene, 5.0);
    const PlacesOptions options = options_of_scene(scene, walls);
    const NarrowPlaces places = places_of(walls, options);
    const double s = pose.scale;
    std::size_t tokens = 0;
    std::size_t lanes = 0;
    for (std::uint32_t i = 0; i < places.places().size(); ++i) {
        const NarrowPlace& place = places.places()[i];
        (place.kind == PlaceKind::token ? tokens : lanes) += 1;
        EXPECT_NEAR(place.width, s * wanted.width, 1e-9);
        EXPECT_GE(place.length, s * wanted.length - options.cell);
        EXPECT_LE(place.length, s * (wanted.length + 0.7));
        EXPECT_EQ(place.pockets, wanted.pockets);
        ASSERT_EQ(place.mouths, 2U);
        const auto mouths = places.mouths(i);
        // Both mouths lie on one line and look away from each other along it.
        const Vec2 along = normalized(mouths[1].middle - mouths[0].middle);
        EXPECT_NEAR(dot(mouths[1].outward, along), 1.0, 1e-9);
        EXPECT_NEAR(dot(mouths[0].outward, along), -1.0, 1e-9);
        EXPECT_TRUE(std::fabs(along.x) < 1e-9 || std::fabs(along.y) < 1e-9);
        for (const PlaceMouth& mouth : mouths) {
            EXPECT_GE(mouth.half_width, s * 0.5 * wanted.width - 1e-9);
            EXPECT_LE(mouth.half_width, s * (0.5 * wanted.width + 0.1));
            EXPECT_EQ(places.place_at(mouth.middle), i);
            EXPECT_EQ(places.place_at(mouth.middle + mouth.outward * (0.5 * s)), kNoPlace);
            if (wanted.mouth == 0.0) continue;
            EXPECT_GE(length(mouth.middle), s * wanted.mouth - options.cell);
            EXPECT_LE(length(mouth.middle), s * (wanted.mouth + 0.35));
        }
    }
    EXPECT_EQ(tokens, wanted.tokens);
    EXPECT_EQ(lanes, wanted.lanes);
    EXPECT_EQ(places.rooms().size(), wanted.rooms);
}

TEST(NarrowPlaces, ScenesInEveryPose) {
    for (const Wanted& wanted : kWanted) {
        expect_scene(wanted, {});
        expect_scene(wanted, {.scale = 0.3, .quarters = 1, .mirrored = true});
        if (wanted.tokens + wanted.lanes != 1) continue;
        expect_scene(wanted, {.quarters = 2});
        expect_scene(wanted, {.scale = 0.3, .mirrored = true});
        expect_scene(wanted, {.quarters = 3, .mirrored = true});
    }
}

TEST(NarrowPlaces, RoomsSayHowManyTheyHold) {
    const CrowdScene scene = make_crowd_scene(CrowdPlace::chain_wide);
    RasterWalls walls = walls_of_scene(scene, 5.0);
    const NarrowPlaces places = places_of(walls, options_of_scene(scene, walls));
    int small = 0;
    for (const PlaceRoom& room : places.rooms()) {
        if (room.mouths != 2) continue;
        ++small;
        EXPECT_NEAR(room.centre_space, 25.0, 1.5);  // 6 x 6 less a radius on each side
        EXPECT_EQ(room.capacity, 6U);
    }
    EXPECT_EQ(small, 3);
}

/// Corridors one unit wide (6 cells, r = 2.5) from the four sides of halls meet in the middle. Without one: a T.
RasterWalls junction(bool north) {
    RasterWalls walls{std::vector<std::uint8_t>(120 * 120, 1), 120, 120};
    walls.fill({{2, 2}, {28, 118}}, 0);
    walls.fill({{92, 2}, {118, 118}}, 0);
    walls.fill({{2, 2}, {118, 28}}, 0);
    walls.fill({{2, 92}, {118, 118}}, 0);
    walls.fill({{28, 57}, {92, 63}}, 0);
    walls.fill({{57, 28}, {63, north ? 92 : 63}}, 0);
    return walls;
}

TEST(NarrowPlaces, JunctionsHaveMoreThanTwoMouths) {
    for (const bool north : {false, true}) {
        RasterWalls walls = junction(north);
        const NarrowPlaces places = places_of(walls, {.width = 120, .height = 120, .radius = 2.5});
        ASSERT_EQ(places.places().size(), 1U);
        const NarrowPlace& place = places.places()[0];
        EXPECT_EQ(place.kind, PlaceKind::token);
        EXPECT_EQ(place.width, 6.0);
        ASSERT_EQ(place.mouths, north ? 4U : 3U);
        ASSERT_EQ(places.rooms().size(), 1U);
        EXPECT_EQ(places.rooms()[0].mouths, place.mouths);
        Array<PlaceNode> axis;
        for (std::uint32_t a = 0; a < place.mouths; ++a) {
            const PlaceMouth& from = places.mouths(0)[a];
            EXPECT_GT(dot(from.outward, normalized(from.middle - Vec2{60, 60})), 0.999);
            for (std::uint32_t b = 0; b < place.mouths; ++b) {
                ASSERT_TRUE(places.axis(0, a, b, axis));
                double length = 0.0;
                for (std::size_t i = 1; i < axis.size(); ++i) length += distance(axis[i - 1].at, axis[i].at);
                // Through the middle: half way each, a little less where it cuts the corner.
                if (a != b) {
                    EXPECT_NEAR(length, 64.0, 4.0);
                }
            }
        }
    }
}

TEST(NarrowPlaces, RoutesCrossPlacesByTheirMouths) {
    const CrowdScene scene = make_crowd_scene(CrowdPlace::chain_wide);
    RasterWalls walls = walls_of_scene(scene, 5.0);
    const NarrowPlaces places = places_of(walls, options_of_scene(scene, walls));
    ASSERT_EQ(places.places().size(), 4U);
    Array<PlaceCrossing> found;
    // Along the jambs, as taut routes go: within a radius of them, exactly.
    const Vec2 through[] = {{-20, 6},      {-10.0, 0.1}, {-9.5, 0.1}, {-6, 2},
                            {-3.25, -0.1}, {3.25, -0.1}, {20, 3}};
    ASSERT_TRUE(places.crossings(through, found));
    ASSERT_EQ(found.size(), 3U);  // the last leg passes the fourth wall above its door
    double done = 0.0;
    for (const PlaceCrossing& crossing : found) {
        ASSERT_NE(crossing.in, kNoMouth);
        ASSERT_NE(crossing.out, kNoMouth);
        const auto mouths = places.mouths(crossing.place);
        EXPECT_LT(mouths[crossing.in].middle.x, mouths[crossing.out].middle.x);
        EXPECT_LT(done, crossing.from);
        EXPECT_LT(crossing.from, crossing.to);
        done = crossing.to;
    }
    const Vec2 back[] = {{20, 0}, {-20, 0}};
    ASSERT_TRUE(places.crossings(back, found));
    ASSERT_EQ(found.size(), 4U);
    for (const PlaceCrossing& crossing : found) {
        const auto mouths = places.mouths(crossing.place);
        EXPECT_GT(mouths[crossing.in].middle.x, mouths[crossing.out].middle.x);
        EXPECT_NEAR(crossing.to - crossing.from, 1.0, 0.2);
    }
}

TEST(NarrowPlaces, RoutesMayStartAndEndInside) {
    const CrowdScene scene = make_crowd_scene(CrowdPlace::tunnel);
    RasterWalls walls = walls_of_scene(scene, 5.0);
    const NarrowPlaces places = places_of(walls, options_of_scene(scene, walls));
    const std::uint32_t west = places.mouths(0)[0].middle.x < 0.0 ? 0 : 1;
    Array<PlaceCrossing> found;
    const Vec2 out[] = {{1, 0}, {-6.5, 0}, {-12, 2}};
    ASSERT_TRUE(places.crossings(out, found));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].in, kNoMouth);
    EXPECT_EQ(found[0].out, west);
    EXPECT_EQ(found[0].from, 0.0);
    const Vec2 in[] = {{12, 2}, {6.5, 0}, {3, 0.05}};
    ASSERT_TRUE(places.crossings(in, found));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].in, 1 - west);
    EXPECT_EQ(found[0].out, kNoMouth);
    const Vec2 within[] = {{-3, 0}, {3, 0}};
    ASSERT_TRUE(places.crossings(within, found));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].in, kNoMouth);
    EXPECT_EQ(found[0].out, kNoMouth);
    // a smaller unit's way may leave where larger ones have no room: by no mouth, and it does not end inside
    const Vec2 over[] = {{12, 0}, {0, 0}, {0, 6}};
    ASSERT_TRUE(places.crossings(over, found));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].in, 1 - west);
    EXPECT_EQ(found[0].out, kOverSide);
    const Vec2 back_in[] = {{0, 6}, {0, 0}, {12, 0}};
    ASSERT_TRUE(places.crossings(back_in, found));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].in, kOverSide);
    EXPECT_EQ(found[0].out, 1 - west);
    EXPECT_EQ(places.place_at({0.0, 0.5}), kNoPlace);  // there no unit of this size has room
    EXPECT_EQ(places.place_near({0.0, 0.5}, 0.3), 0U);
    const Vec2 turns[] = {{12, 0}, {3, 0}, {12, 1}};
    ASSERT_TRUE(places.crossings(turns, found));
    EXPECT_TRUE(found.empty());
    const Vec2 outside[] = {{1e9, 1e9}, {1e9, -1e9}, {std::numeric_limits<double>::quiet_NaN(), 0}};
    ASSERT_TRUE(places.crossings(outside, found));
    EXPECT_TRUE(found.empty());
    ASSERT_TRUE(places.crossings({}, found));
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(places.place_at({std::numeric_limits<double>::quiet_NaN(), 0}), kNoPlace);
    EXPECT_EQ(places.place_at({1e300, -1e300}), kNoPlace);
}

TEST(NarrowPlaces, RastersWithoutPlaces) {
    for (const std::uint8_t wall : {std::uint8_t{0}, std::uint8_t{1}}) {
        RasterWalls walls{std::vector<std::uint8_t>(40 * 30, wall), 40, 30};
        const NarrowPlaces places = places_of(walls, {.width = 40, .height = 30, .radius = 2.0});
        EXPECT_TRUE(places.places().empty());
        EXPECT_TRUE(places.rooms().empty());
        EXPECT_EQ(places.place_at({20, 15}), kNoPlace);
    }
    RasterWalls one{{0}, 1, 1};
    EXPECT_TRUE(places_of(one, {.width = 1, .height = 1, .radius = 2.0}).places().empty());
    EXPECT_EQ(NarrowPlaces().place_at({0, 0}), kNoPlace);
}

TEST(NarrowPlaces, WhatIsRefused) {
    RasterWalls walls{std::vector<std::uint8_t>(100, 0), 10, 10};
    const PlacesOptions good{.width = 10, .height = 10, .radius = 2.0};
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [&](const PlacesOptions& options) {
        PlaceFinder finder;
        const Result<NarrowPlaces> places = finder.find(options, walls.rows());
        EXPECT_FALSE(places.has_value());
        return places.has_value() ? Error() : places.error();
    };
    PlacesOptions bad = good;
    bad.width = 0;
    EXPECT_EQ(refused(bad), Error(ErrorCode::size_zero, Field::width));
    bad = good;
    bad.height = kPlaceSideMax + 1;
    EXPECT_EQ(refused(bad), Error(ErrorCode::size_limit, Field::height, kPlaceSideMax));
    bad = good;
    bad.width = bad.height = 32000;
    EXPECT_EQ(refused(bad), Error(ErrorCode::size_limit, Field::cells, kPlaceCellsMax));
    bad = good;
    bad.radius = 1.9;
    EXPECT_EQ(refused(bad), Error(ErrorCode::out_of_range, Field::agent_radius));
    bad.radius = nan;
    EXPECT_EQ(refused(bad), Error(ErrorCode::not_finite, Field::agent_radius));
    bad = good;
    bad.cell = -1.0;
    EXPECT_EQ(refused(bad), Error(ErrorCode::out_of_range, Field::cell_size));
    bad = good;
    bad.origin.x = nan;
    EXPECT_EQ(refused(bad), Error(ErrorCode::not_finite, Field::origin));
    bad = good;
    bad.margin = 0.9;
    EXPECT_EQ(refused(bad), Error(ErrorCode::out_of_range, Field::gap));
    bad = good;
    bad.pocket = -1.0;
    EXPECT_EQ(refused(bad), Error(ErrorCode::out_of_range, Field::range));

    PlaceFinder finder;
    EXPECT_EQ(finder.find(good, {}).error(), Error(ErrorCode::incompatible));
    EXPECT_EQ(finder.repair({}, walls.rows()).error(), Error(ErrorCode::nothing_to_take));
    ASSERT_TRUE(finder.find(good, walls.rows()).has_value());
    EXPECT_EQ(finder.repair({{5, 5}, {11, 6}}, walls.rows()).error(),
              Error(ErrorCode::out_of_range, Field::rect));
    EXPECT_TRUE(finder.repair({{5, 5}, {5, 5}}, walls.rows()).has_value());
    EXPECT_FALSE(finder.find(bad, walls.rows()).has_value());
    EXPECT_EQ(finder.repair({}, walls.rows()).error(), Error(ErrorCode::nothing_to_take));
}

TEST(NarrowPlaces, WithoutMemoryNothingLeaksAndTheNextCallWorks) {
    RasterWalls walls = junction(true);
    PlacesOptions options{.width = 120, .height = 120, .radius = 2.5};
    const NarrowPlaces wanted = places_of(walls, options);
    for (const bool once : kOnceAndForEver) {
        TestAllocator memory;
        options.allocator = memory.allocator();
        {
            PlaceFinder finder(memory.allocator());
            const auto work = [&] { return finder.find(options, walls.rows()); };
            const std::int64_t allocations = starve(
                memory, once, work,
                [&](const Result<NarrowPlaces>& done) { EXPECT_TRUE(!done.has_value() || *done == wanted); });
            EXPECT_GT(allocations, 10);
            EXPECT_TRUE(*finder.find(options, walls.rows()) == wanted);
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
}

TEST(NarrowPlaces, AWarmRepairAllocatesOnlyWhatItReturns) {
    RasterWalls walls = junction(true);
    TestAllocator memory;
    PlaceFinder finder(memory.allocator());
    const PlacesOptions options{.width = 120, .height = 120, .radius = 2.5};
    ASSERT_TRUE(finder.find(options, walls.rows()).has_value());
    ASSERT_TRUE(finder.repair({{40, 40}, {50, 50}}, walls.rows()).has_value());
    const std::int64_t before = memory.calls;
    ASSERT_TRUE(finder.repair({{40, 40}, {50, 50}}, walls.rows()).has_value());
    EXPECT_EQ(memory.calls, before);
    EXPECT_GE(finder.memory(), static_cast<std::size_t>(memory.live_bytes));
}

}  // namespace
}  // namespace fairlead::testing
