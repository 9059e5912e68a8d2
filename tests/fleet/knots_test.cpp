// Knots: vehicles that meet in lanes, crossings and yards, judged by plain geometry at every tick; who is parked, edits, new goals,
// walkers, threads.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>

#include "support/convoy_run.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

constexpr double kTick = 1.0 / 30.0;

FleetUnit truck(double radius = 1.0, double turning = 3.0) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.agent.turning_radius = turning;
    unit.agent.can_reverse = true;
    unit.limits = {
        .speed_max = 3.0, .accel_max = 4.0, .brake_max = 4.0, .lateral_accel_max = 4.0, .cusp_seconds = 0.2};
    return unit;
}

FleetUnit lorry() {
    FleetUnit unit = truck();
    unit.agent.shape = BodyShape::box;
    unit.agent.radius = 0.0;
    unit.agent.length = 3.0;
    unit.agent.width = 1.6;
    unit.agent.axle_offset = 0.5;
    return unit;
}

FleetUnit person() {
    FleetUnit unit;
    unit.agent.radius = 0.4;
    unit.limits.speed_max = 1.5;
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    return unit;
}

Place place_of(Vec2 at, double heading = 0.0) {
    Place place;
    place.position = {at.x, at.y, 0.0};
    place.heading_rad = heading;
    return place;
}

JudgedBody judged(const Agent& agent, const Place& at) {
    JudgedBody body{ground(at.position), {std::cos(at.heading_rad), std::sin(at.heading_rad)}};
    if (agent.shape == BodyShape::box) {
        body.half_length = 0.5 * agent.length;
        body.half_width = 0.5 * agent.width;
        body.at = body.at + body.ahead * agent.axle_offset;
    } else {
        body.radius = agent.radius;
    }
    return body;
}

/// A fleet on a grid, played and judged: bodies against each other and against blocked tiles, speeds, turning, steps.
struct Scene {
    explicit Scene(Grid&& ground_tiles, const FleetOptions& options = {})
        : grid(std::move(ground_tiles)), tiles(grid), fleet(Fleet::make(tiles.port(), options)) {}

    struct One {
        FleetId id{};
        FleetUnit unit{};
        FleetView before{};
    };
    Grid grid;
    TileFleet tiles;
    Result<Fleet> fleet;
    std::vector<One> ones;
    std::uint64_t units = 20000;
    double overlap = -1e300;
    double speed = 0.0;  // of a limit: 1 is all of it
    double accel = 0.0;
    double curvature = 0.0;
    double jump = 0.0;

    FleetId add(FleetKind kind, const FleetUnit& unit, const Place& at, bool has_heading = true) {
        const Result<FleetId> id = fleet->add(kind, at, has_heading);
        EXPECT_TRUE(id.has_value());
        ones.push_back({*id, unit, fleet->unit(*id)});
        return *id;
    }
    [[nodiscard]] FleetState state(FleetId id) const { return fleet->unit(id).state; }

    void judge_motion(One& one, const FleetView& now) {
        const SpeedLimits& limits = one.unit.limits;
        const FleetView& was = one.before;
        if (one.unit.agent.turning_radius == 0.0) return;
        speed = std::max(speed, now.speed / limits.speed_max);
        const double gained = (now.speed - was.speed) / kTick;
        accel = std::max(accel, gained > 0.0 ? gained / limits.accel_max : -gained / limits.brake_max);
        const double way = length(now.place.position - was.place.position);
        const double most = std::max(now.speed, was.speed) * kTick +
                            0.5 * std::max(limits.accel_max, limits.brake_max) * kTick * kTick;
        jump = std::max(jump, way - most);
        const double turn = std::abs(std::remainder(now.place.heading_rad - was.place.heading_rad, kTwoPi));
        const double bend = 2.0 * std::sin(0.5 * turn) * one.unit.agent.turning_radius;
        if (way > 1e-4) curvature = std::max(curvature, bend / way);
        if (way == 0.0) {
            EXPECT_LE(turn, 1e-6);
        }
    }
    void judge_walls(const JudgedBody& body) {
        const double reach = std::max({body.radius, body.half_length + body.half_width}) + 1.0;
        const Vec2 p = body.at - grid.state().origin();
        for (int y = static_cast<int>(p.y - reach) - 1; y <= static_cast<int>(p.y + reach) + 1; ++y) {
            for (int x = static_cast<int>(p.x - reach) - 1; x <= static_cast<int>(p.x + reach) + 1; ++x) {
                if (!grid.state().blocked({x, y})) continue;
                const Vec2 middle = grid.state().origin() + Vec2{x + 0.5, y + 0.5};
                overlap = std::max(overlap, overlap_of(body, {middle, {1.0, 0.0}, 0.5, 0.5, 0.0}));
            }
        }
    }
    void tick() {
        ASSERT_TRUE(fleet->update(kTick, {.units = units}).has_value());
        std::vector<JudgedBody> bodies;
        for (One& one : ones) {
            const FleetView now = fleet->unit(one.id);
            if (!now.exists) continue;
            judge_motion(one, now);
            one.before = now;
            bodies.push_back(judged(one.unit.agent, now.place));
            judge_walls(bodies.back());
            for (std::size_t k = 0; k + 1 < bodies.size(); ++k)
                overlap = std::max(overlap, overlap_of(bodies[k], bodies.back()));
        }
    }
    [[nodiscard]] std::size_t arrived() const {
        std::size_t count = 0;
        for (const One& one : ones) count += state(one.id) == FleetState::arrived ? 1 : 0;
        return count;
    }
    /// Until all have arrived.
    void play(double seconds) {
        for (double t = 0.0; t < seconds && arrived() < ones.size(); t += kTick) tick();
    }
    void expect_legal() const {
        EXPECT_LE(overlap, 1e-6);
        EXPECT_LE(speed, 1.0 + 1e-9);
        EXPECT_LE(accel, 1.0 + 1e-6);
        EXPECT_LE(curvature, 1.0 + 1e-3);
        EXPECT_LE(jump, 1e-6);
    }
    void expect_all_came() const {
        EXPECT_EQ(arrived(), ones.size());
        expect_legal();
    }
};

/// A lane 3 wide with a bay of 12 x 3 in its middle.
Grid lane() {
    Grid grid = *Grid::make({.width = 60, .height = 12});
    EXPECT_TRUE(grid.fill({{10, 0}, {50, 5}}, 0));
    EXPECT_TRUE(grid.fill({{10, 8}, {24, 12}}, 0));
    EXPECT_TRUE(grid.fill({{36, 8}, {50, 12}}, 0));
    EXPECT_TRUE(grid.fill({{24, 11}, {36, 12}}, 0));
    return grid;
}

/// Streets 6 wide.
Grid crossing() {
    Grid grid = *Grid::make({.width = 60, .height = 60});
    for (const std::int32_t x : {0, 33}) {
        for (const std::int32_t y : {0, 33}) EXPECT_TRUE(grid.fill({{x, y}, {x + 27, y + 27}}, 0));
    }
    return grid;
}

struct Pair {
    FleetId east{}, west{};
};

Pair meet_in_the_lane(Scene& scene, const FleetUnit& unit) {
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const Pair pair{scene.add(kind, unit, place_of({4.5, 6.5})),
                    scene.add(kind, unit, place_of({55.5, 6.5}, kPi))};
    EXPECT_TRUE(scene.fleet->send(pair.east, Vec2{55.5, 6.5}));
    EXPECT_TRUE(scene.fleet->send(pair.west, Vec2{4.5, 6.5}));
    return pair;
}

TEST(Knots, HeadOnInALaneTheyUseTheBay) {
    Scene scene(lane());
    meet_in_the_lane(scene, truck(0.9));
    scene.play(90.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().untied, 1U);
    EXPECT_GT(scene.fleet->knots().units, 0U);
}

TEST(Knots, WithoutThemTheyWait) {
    FleetOptions options;
    options.knots = false;
    Scene scene(lane(), options);
    meet_in_the_lane(scene, truck(0.9));
    scene.play(60.0);
    EXPECT_EQ(scene.arrived(), 0U);
    EXPECT_EQ(scene.fleet->knots().begun, 0U);
    scene.expect_legal();
}

TEST(Knots, FourInACrossing) {
    for (const FleetUnit& unit : {truck(), lorry()}) {
        Scene scene(crossing());
        const FleetKind kind = *scene.fleet->add_kind(unit);
        const Vec2 ends[] = {{4.5, 30.5}, {55.5, 30.5}, {30.5, 4.5}, {30.5, 55.5}};
        const double headings[] = {0.0, kPi, kHalfPi, -kHalfPi};
        for (std::size_t i = 0; i < 4; ++i) {
            const FleetId id = scene.add(kind, unit, place_of(ends[i], headings[i]));
            EXPECT_TRUE(scene.fleet->send(id, ends[i ^ 1]));
        }
        scene.play(120.0);
        scene.expect_all_came();
        EXPECT_GE(scene.fleet->knots().begun, 1U);
    }
}

/// The yard of the convoys (support/convoy_run.h), its vehicles on routes.
void play_fleet_yard(double side, std::uint64_t seed, const FleetUnit& unit) {
    const double half = 0.5 * side;
    const auto cells = static_cast<std::int32_t>(side + 0.5);
    Grid grid = *Grid::make({.width = cells, .height = cells, .origin = {-half, -half}});
    for (const double x : {-5.5, 5.5}) {
        const auto low = static_cast<std::int32_t>(std::floor(x - 1.5 + half + 0.5));
        const auto row = static_cast<std::int32_t>(std::floor(half - 2.0 + 0.5));
        EXPECT_TRUE(grid.fill({{low, row}, {low + 3, row + 4}}, 0));
    }
    Scene scene(std::move(grid));
    const FleetKind kind = *scene.fleet->add_kind(unit);
    std::vector<Place> places;
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (const double along : {-0.45, 0.0, 0.45}) {
            Vec2 at{half - 4.0, along * half};
            Vec2 in{-1.0, 0.0};
            for (int i = 0; i < quarter; ++i) {
                at = {-at.y, at.x};
                in = {-in.y, in.x};
            }
            places.push_back(place_of(at, std::atan2(in.y, in.x)));
        }
    }
    std::vector<std::size_t> to(places.size());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = i;
    Rng dice(seed);
    for (std::size_t i = to.size() - 1; i > 0; --i) {
        const std::uint32_t j = dice.below(static_cast<std::uint32_t>(i + 1));
        std::swap(to[i], to[j]);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        const FleetId id = scene.add(kind, unit, places[i]);
        EXPECT_TRUE(scene.fleet->send(id, Spot(places[to[i]])));
    }
    scene.play(180.0);
    scene.expect_all_came();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place at = scene.fleet->unit(scene.ones[i].id).place;
        EXPECT_LE(length(at.position - places[to[i]].position), 1e-6) << "side " << side << " seed " << seed;
    }
}

TEST(Knots, YardsOfTwelve) {
    for (int seed = 0; seed < trials(10) / 5 + 1; ++seed) {
        play_fleet_yard(seed % 2 == 0 ? 44.0 : 32.0, static_cast<std::uint64_t>(seed), truck());
    }
    play_fleet_yard(44.0, 3, lorry());
}

// One has arrived in the lane: it moves aside, and is at its goal again.
TEST(Knots, WhoHasArrivedMakesRoom) {
    Scene scene(lane());
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const FleetId parked = scene.add(kind, unit, place_of({16.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(parked, Vec2{22.5, 6.5}));
    for (int i = 0; i < 240; ++i) scene.tick();
    ASSERT_EQ(scene.state(parked), FleetState::arrived);
    const Place home = scene.fleet->unit(parked).place;
    const FleetId comes = scene.add(kind, unit, place_of({4.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(comes, Vec2{55.5, 6.5}));
    double farthest = 0.0;
    for (int i = 0; i < 30 * 90; ++i) {
        scene.tick();
        farthest = std::max(farthest, length(scene.fleet->unit(parked).place.position - home.position));
    }
    scene.expect_all_came();
    EXPECT_GT(farthest, 1.0);
    EXPECT_LE(length(scene.fleet->unit(parked).place.position - home.position), 1e-6);
}

// Who was never sent stands.
TEST(Knots, WhoWasNeverSentStands) {
    Scene scene(lane());
    const FleetUnit unit = truck(0.9);
    const FleetKind kind = *scene.fleet->add_kind(unit);
    const FleetId idle = scene.add(kind, unit, place_of({42.5, 6.5}));
    const FleetId comes = scene.add(kind, unit, place_of({4.5, 6.5}));
    ASSERT_TRUE(scene.fleet->send(comes, Vec2{55.5, 6.5}));
    for (int i = 0; i < 30 * 60; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->unit(idle).place.position, (Vec3{42.5, 6.5, 0.0}));
    EXPECT_NE(scene.state(comes), FleetState::arrived);
    EXPECT_LT(scene.fleet->unit(comes).place.position.x, 42.5 - 1.8);
    scene.expect_legal();
}

/// Plays until both are in a knot and one moves.
void play_into_knot(Scene& scene, const Pair& pair) {
    for (int i = 0; i < 30 * 60; ++i) {
        scene.tick();
        const FleetView east = scene.fleet->unit(pair.east);
        if (east.in_knot && scene.fleet->unit(pair.west).in_knot && east.speed > 0.5) return;
    }
    FAIL() << "no knot";
}

TEST(Knots, EditsAndNewGoalsBreakThem) {
    Scene scene(lane());
    const Pair pair = meet_in_the_lane(scene, truck(0.9));
    play_into_knot(scene, pair);
    ASSERT_TRUE(scene.grid.fill({{58, 0}, {59, 1}}, 0));
    ASSERT_TRUE(scene.fleet->world_changed());
    for (int i = 0; i < 150; ++i) scene.tick();
    EXPECT_EQ(scene.fleet->knots().broken, 1U);
    scene.play(120.0);
    scene.expect_all_came();
    Scene other(lane());
    const Pair two = meet_in_the_lane(other, truck(0.9));
    play_into_knot(other, two);
    ASSERT_TRUE(other.fleet->send(two.east, Vec2{4.5, 4.5}));
    other.play(120.0);
    EXPECT_GE(other.fleet->knots().broken, 1U);
    other.expect_all_came();
    EXPECT_LE(length(other.fleet->unit(two.east).place.position - Vec3{4.5, 4.5, 0.0}), 1e-6);
}

TEST(Knots, StoppedAndRemoved) {
    Scene scene(lane());
    const Pair pair = meet_in_the_lane(scene, truck(0.9));
    play_into_knot(scene, pair);
    ASSERT_TRUE(scene.fleet->stop(pair.east));
    for (int i = 0; i < 150; ++i) scene.tick();
    EXPECT_EQ(scene.state(pair.east), FleetState::idle);
    EXPECT_EQ(scene.fleet->unit(pair.east).speed, 0.0);
    EXPECT_FALSE(scene.fleet->unit(pair.east).in_knot);
    Scene other(lane());
    const Pair two = meet_in_the_lane(other, truck(0.9));
    play_into_knot(other, two);
    ASSERT_TRUE(other.fleet->remove(two.east));
    for (int i = 0; i < 30 * 60; ++i) other.tick();
    EXPECT_EQ(other.state(two.west), FleetState::arrived);
    other.expect_legal();
}

// People go up and down both streets while two trucks pass each other.
TEST(Knots, WalkersAroundThem) {
    Scene scene(crossing());
    const FleetUnit unit = truck();
    const FleetKind trucks = *scene.fleet->add_kind(unit);
    const FleetKind people = *scene.fleet->add_kind(person());
    const FleetId a = scene.add(trucks, unit, place_of({4.5, 30.5}));
    const FleetId b = scene.add(trucks, unit, place_of({55.5, 30.5}, kPi));
    ASSERT_TRUE(scene.fleet->send(a, Vec2{55.5, 30.5}));
    ASSERT_TRUE(scene.fleet->send(b, Vec2{4.5, 30.5}));
    for (int i = 0; i < 12; ++i) {
        const bool up = i % 2 == 0;
        const double along = 14.5 + 2.0 * i;
        const Vec2 from = up ? Vec2{28.5 + 0.9 * (i % 5), along} : Vec2{along, 28.5 + 0.9 * (i % 5)};
        const FleetId id = scene.add(people, person(), place_of(from), false);
        const double to = along < 27.0 ? 46.5 : 12.5;
        ASSERT_TRUE(scene.fleet->send(id, up ? Vec2{from.x, to} : Vec2{to, from.y}));
    }
    scene.play(120.0);
    scene.expect_all_came();
    EXPECT_GE(scene.fleet->knots().begun, 1U);
}

TEST(Knots, ThreadsChangeNothing) {
    std::uint64_t digests[2] = {};
    for (const std::uint32_t threads : {1U, 3U}) {
        FleetOptions options;
        options.schedule.threads = threads;
        Scene scene(lane(), options);
        meet_in_the_lane(scene, truck(0.9));
        scene.play(60.0);
        EXPECT_GE(scene.fleet->knots().begun, 1U);
        digests[threads == 1U ? 0 : 1] = scene.fleet->digest();
    }
    EXPECT_EQ(digests[0], digests[1]);
}

TEST(Knots, LittleWorkAFrameIsEnough) {
    Scene scene(lane());
    scene.units = 400;
    meet_in_the_lane(scene, truck(0.9));
    scene.play(120.0);
    scene.expect_all_came();
    EXPECT_LE(scene.fleet->report().units, 400U + 50U);
}

TEST(Knots, NoMemoryOnceTheyAreOver) {
    Scene scene(lane());
    meet_in_the_lane(scene, truck(0.9));
    scene.play(90.0);
    ASSERT_EQ(scene.arrived(), 2U);
    for (int i = 0; i < 30; ++i) scene.tick();
    const std::uint64_t before = heap_calls();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(scene.fleet->update(kTick, {.units = 1000}).has_value());
    EXPECT_EQ(heap_calls(), before);
}

}  // namespace
}  // namespace fairlead::testing
