// Fleets in volumes: units arrive, nothing touches, edits, who cannot go says why; equal for any number of threads.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/volume_fleet.h>
#include <fairlead/volume/sight.h>

#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

constexpr double kFlightFrame = 1.0 / 30.0;
constexpr FrameBudget kFlightWork{.units = 5000};

FleetUnit drone(double radius = 0.4) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.limits.speed_max = 2.0;
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 6.0;
    return unit;
}

Place in_space(Vec3 position) {
    Place place;
    place.position = position;
    return place;
}

/// Rooms on two floors, joined by holes of two voxels.
Volume building() {
    VolumeOptions options;
    options.size = {24, 24, 13};
    Volume volume = *Volume::make(options);
    const VolumeEdit edits[] = {
        VolumeEdit::fill({{12, 0, 0}, {13, 24, 13}}), VolumeEdit::fill({{0, 12, 0}, {24, 13, 13}}),
        VolumeEdit::fill({{0, 0, 6}, {24, 24, 7}}),   VolumeEdit::clear({{12, 5, 2}, {13, 7, 4}}),
        VolumeEdit::clear({{12, 5, 9}, {13, 7, 11}}), VolumeEdit::clear({{12, 17, 9}, {13, 19, 11}}),
        VolumeEdit::clear({{5, 12, 2}, {7, 13, 4}}),  VolumeEdit::clear({{17, 12, 9}, {19, 13, 11}}),
        VolumeEdit::clear({{4, 4, 6}, {6, 6, 7}}),    VolumeEdit::clear({{18, 18, 6}, {20, 20, 7}})};
    EXPECT_TRUE(volume.apply(edits));
    return volume;
}

std::vector<Vec3> spots(const Volume& volume, Rng& rng, std::size_t count) {
    std::vector<Vec3> found;
    while (found.size() < count) {
        const double x = rng.between(0.5, 23.5);
        const double y = rng.between(0.5, 23.5);
        const double z = rng.between(0.5, 12.5);
        const Vec3 p{x, y, z};
        if (!fits(volume.state(), p, 0.45)) continue;
        const auto near = [&](Vec3 other) { return distance(p, other) < 1.0; };
        if (std::none_of(found.begin(), found.end(), near)) found.push_back(p);
    }
    return found;
}

struct Seen {
    std::size_t arrived = 0;
    double apart = 1e9;
    int in_walls = 0;
    std::uint64_t digest = 0;
};

/// Every frame: places fit, ways between them are free, pairs are apart.
void look(const Fleet& fleet, const Volume& volume, const std::vector<FleetId>& ids,
          std::vector<Vec3>& places, double radius, Seen& seen) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Vec3 now = fleet.unit(ids[i]).place.position;
        if (!in_sight(volume.state(), places[i], now, radius * (1.0 - 1e-9))) ++seen.in_walls;
        places[i] = now;
        for (std::size_t k = 0; k < i; ++k) seen.apart = std::min(seen.apart, distance(now, places[k]));
    }
}

Seen play(std::uint64_t seed, std::size_t count, std::uint32_t threads) {
    const Volume volume = building();
    const VolumeFleet port(volume);
    FleetOptions options;
    options.schedule.threads = threads;
    Fleet fleet = *Fleet::make(port.port(), options);
    const FleetKind kind = *fleet.add_kind(drone());
    Rng rng(seed);
    std::vector<Vec3> places = spots(volume, rng, count);
    const std::vector<Vec3> goals = spots(volume, rng, count);
    std::vector<FleetId> ids;
    for (std::size_t i = 0; i < count; ++i) {
        ids.push_back(*fleet.add(kind, in_space(places[i])));
        EXPECT_TRUE(fleet.send(ids[i], goals[i]));
    }
    Seen seen;
    for (int frame = 0; frame < 30 * 120 && seen.arrived < count; ++frame) {
        EXPECT_TRUE(fleet.update(kFlightFrame, kFlightWork));
        look(fleet, volume, ids, places, 0.4, seen);
        seen.arrived = 0;
        for (const FleetId id : ids) seen.arrived += fleet.unit(id).state == FleetState::arrived ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) EXPECT_LE(distance(places[i], goals[i]), 0.9) << i;
    seen.digest = fleet.digest();
    return seen;
}

TEST(VolumeFleet, UnitsArriveAndNothingTouches) {
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        const Seen seen = play(seed, 30, 0);
        EXPECT_EQ(seen.arrived, 30U) << seed;
        EXPECT_GE(seen.apart, 0.8 * (1.0 - 1e-9)) << seed;
        EXPECT_EQ(seen.in_walls, 0) << seed;
    }
}

TEST(VolumeFleet, ThreadsChangeNothing) {
    const std::uint64_t alone = play(5, 20, 0).digest;
    EXPECT_EQ(play(5, 20, 2).digest, alone);
    EXPECT_EQ(play(5, 20, 3).digest, alone);
}

TEST(VolumeFleet, EditsOfTheVolume) {
    Volume volume = building();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(drone());
    const FleetId id = *fleet.add(kind, in_space({3, 6, 3}));
    ASSERT_TRUE(fleet.send(id, Vec3{20, 6, 3}));
    std::vector<Vec3> places = {{3, 6, 3}};
    Seen seen;
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_TRUE(fleet.update(kFlightFrame, kFlightWork));
        look(fleet, volume, {id}, places, 0.4, seen);
    }
    ASSERT_EQ(fleet.unit(id).state, FleetState::moving);
    // the hole ahead is shut: up, over the other floor and down again
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{12, 5, 2}, {13, 7, 4}})));
    ASSERT_TRUE(fleet.world_changed());
    for (int frame = 0; frame < 30 * 60 && fleet.unit(id).state != FleetState::unreachable; ++frame) {
        ASSERT_TRUE(fleet.update(kFlightFrame, kFlightWork));
        look(fleet, volume, {id}, places, 0.4, seen);
    }
    EXPECT_EQ(fleet.unit(id).state, FleetState::unreachable);  // that room has no other hole
    ASSERT_TRUE(volume.apply(VolumeEdit::clear({{20, 12, 2}, {22, 13, 4}})));
    ASSERT_TRUE(fleet.world_changed());
    for (int frame = 0; frame < 30 * 90 && fleet.unit(id).state != FleetState::arrived; ++frame) {
        ASSERT_TRUE(fleet.update(kFlightFrame, kFlightWork));
        look(fleet, volume, {id}, places, 0.4, seen);
    }
    EXPECT_EQ(fleet.unit(id).state, FleetState::arrived);
    EXPECT_EQ(seen.in_walls, 0);
}

TEST(VolumeFleet, WhoCannotGoSaysWhy) {
    Volume volume = building();
    ASSERT_TRUE(volume.apply(VolumeEdit::fill({{1, 20, 1}, {4, 23, 4}})));
    ASSERT_TRUE(volume.apply(VolumeEdit::clear({{2, 21, 2}, {3, 22, 3}})));
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(drone());
    const FleetId shut_in = *fleet.add(kind, in_space({2.5, 21.5, 2.5}));
    const FleetId in_wall = *fleet.add(kind, in_space({12.5, 1, 1}));
    const FleetId fine = *fleet.add(kind, in_space({3, 3, 3}));
    ASSERT_TRUE(fleet.send(shut_in, Vec3{3, 3, 3}));
    ASSERT_TRUE(fleet.send(in_wall, Vec3{3, 3, 3}));
    ASSERT_TRUE(fleet.send(fine, Vec3{12.5, 1, 1}));
    for (int frame = 0; frame < 300; ++frame) ASSERT_TRUE(fleet.update(kFlightFrame, kFlightWork));
    EXPECT_EQ(fleet.unit(shut_in).state, FleetState::unreachable);
    EXPECT_EQ(fleet.unit(in_wall).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(in_wall).why, PathStatus::start_blocked);
    EXPECT_EQ(fleet.unit(fine).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(fine).why, PathStatus::goal_blocked);
    EXPECT_EQ(*fleet.add_kind(drone(0.3)), FleetKind{1});
}

TEST(VolumeFleet, AWarmFrameAllocatesNothing) {
    const Volume volume = building();
    const VolumeFleet port(volume);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(drone());
    Rng rng(9);
    const std::vector<Vec3> starts = spots(volume, rng, 20);
    const std::vector<Vec3> goals = spots(volume, rng, 20);
    std::vector<FleetId> ids;
    for (const Vec3& start : starts) ids.push_back(*fleet.add(kind, in_space(start)));
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_TRUE(fleet.send(ids[i], goals[i]));
    for (int frame = 0; frame < 60; ++frame) ASSERT_TRUE(fleet.update(kFlightFrame, kFlightWork));
    const std::uint64_t before = heap_calls();
    double moved = 0.0;
    for (int frame = 0; frame < 300; ++frame) {
        ASSERT_TRUE(fleet.update(kFlightFrame, kFlightWork));
        for (const FleetId id : ids) moved += fleet.unit(id).speed * kFlightFrame;
    }
    EXPECT_EQ(heap_calls(), before);
    EXPECT_GT(moved, 50.0);
}

}  // namespace
}  // namespace fairlead::testing
