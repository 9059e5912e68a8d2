// A fleet on tiles or on a level mesh, played and judged at every tick: pairs and walls by plain geometry, places on a mesh by verify.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/convoy_run.h"

namespace fairlead::testing {

inline constexpr double kFleetTick = 1.0 / 30.0;
inline constexpr double kFloorsApart = 1.5;  // a half of a floor's height

inline FleetUnit truck(double radius = 1.0, double turning = 3.0) {
    FleetUnit unit;
    unit.agent.radius = radius;
    unit.agent.turning_radius = turning;
    unit.agent.can_reverse = true;
    unit.limits = {
        .speed_max = 3.0, .accel_max = 4.0, .brake_max = 4.0, .lateral_accel_max = 4.0, .cusp_seconds = 0.2};
    return unit;
}

inline FleetUnit lorry() {
    FleetUnit unit = truck();
    unit.agent.shape = BodyShape::box;
    unit.agent.radius = 0.0;
    unit.agent.length = 3.0;
    unit.agent.width = 1.6;
    unit.agent.axle_offset = 0.5;
    return unit;
}

inline FleetUnit person() {
    FleetUnit unit;
    unit.agent.radius = 0.4;
    unit.limits.speed_max = 1.5;
    unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 8.0;
    return unit;
}

inline Place place_of(Vec2 at, double heading = 0.0) {
    Place place;
    place.position = {at.x, at.y, 0.0};
    place.heading_rad = heading;
    return place;
}

inline JudgedBody judged(const Agent& agent, const Place& at) {
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

/// Tiles: bodies against blocked ones.
struct TileGround {
    explicit TileGround(Grid&& ground_tiles) : grid(std::move(ground_tiles)), tiles(grid) {}

    Grid grid;
    TileFleet tiles;
    [[nodiscard]] FleetPort port() const { return tiles.port(); }
    [[nodiscard]] double wall_overlap(const Agent& agent, const Place& at) const {
        const JudgedBody body = judged(agent, at);
        const double reach = std::max({body.radius, body.half_length + body.half_width}) + 1.0;
        const Vec2 p = body.at - grid.state().origin();
        double overlap = -1e300;
        for (int y = static_cast<int>(p.y - reach) - 1; y <= static_cast<int>(p.y + reach) + 1; ++y) {
            for (int x = static_cast<int>(p.x - reach) - 1; x <= static_cast<int>(p.x + reach) + 1; ++x) {
                if (!grid.state().blocked({x, y})) continue;
                const Vec2 middle = grid.state().origin() + Vec2{x + 0.5, y + 0.5};
                overlap = std::max(overlap, overlap_of(body, {middle, {1.0, 0.0}, 0.5, 0.5, 0.0}));
            }
        }
        return overlap;
    }
};

/// A level mesh: would it be legal to stand there, and is that the height of the surface?
struct MeshGround {
    explicit MeshGround(NavMesh&& surface) : mesh(std::move(surface)), level(mesh) {}

    NavMesh mesh;
    MeshFleet level;
    [[nodiscard]] FleetPort port() const { return level.port(); }
    [[nodiscard]] double wall_overlap(const Agent& agent, const Place& at) const {
        Route route;
        route.status = PathStatus::complete;
        route.revision = mesh.state().revision();
        route.end = at;
        const Violation bad = verify(route, mesh.state(), agent);
        return bad ? 1.0 : -1e300;
    }
};

/// Bodies against each other and against walls, speeds, turning, steps.
template <class Ground>
struct PlayedFleet : Ground {
    template <class World>
    explicit PlayedFleet(World&& world, const FleetOptions& options = {})
        : Ground(std::forward<World>(world)), fleet(Fleet::make(Ground::port(), options)) {}

    struct One {
        FleetId id{};
        FleetUnit unit{};
        FleetView before{};
    };
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

    void judge_motion(One& one, const FleetView& now, double seconds) {
        const SpeedLimits& limits = one.unit.limits;
        const FleetView& was = one.before;
        if (one.unit.agent.turning_radius == 0.0) return;
        speed = std::max(speed, now.speed / limits.speed_max);
        const double gained = (now.speed - was.speed) / seconds;
        accel = std::max(accel, gained > 0.0 ? gained / limits.accel_max : -gained / limits.brake_max);
        const double way = length(ground(now.place.position - was.place.position));
        const double most = std::max(now.speed, was.speed) * seconds +
                            0.5 * std::max(limits.accel_max, limits.brake_max) * seconds * seconds;
        jump = std::max(jump, way - most);
        const double turn = std::abs(std::remainder(now.place.heading_rad - was.place.heading_rad, kTwoPi));
        const double bend = 2.0 * std::sin(0.5 * turn) * one.unit.agent.turning_radius;
        if (way > 1e-4) curvature = std::max(curvature, bend / way);
        if (way == 0.0) {
            EXPECT_LE(turn, 1e-6);
        }
    }
    void tick(double seconds = kFleetTick) {
        ASSERT_TRUE(fleet->update(seconds, {.units = units}).has_value());
        std::vector<JudgedBody> bodies;
        std::vector<double> heights;
        for (One& one : ones) {
            const FleetView now = fleet->unit(one.id);
            if (!now.exists) continue;
            judge_motion(one, now, seconds);
            one.before = now;
            bodies.push_back(judged(one.unit.agent, now.place));
            heights.push_back(now.place.position.z);
            overlap = std::max(overlap, Ground::wall_overlap(one.unit.agent, now.place));
            for (std::size_t k = 0; k + 1 < bodies.size(); ++k) {
                if (std::abs(heights[k] - heights.back()) > kFloorsApart) continue;
                overlap = std::max(overlap, overlap_of(bodies[k], bodies.back()));
            }
        }
    }
    [[nodiscard]] std::size_t arrived() const {
        std::size_t count = 0;
        for (const One& one : ones) count += state(one.id) == FleetState::arrived ? 1 : 0;
        return count;
    }
    /// Until all have arrived.
    void play(double seconds) {
        for (double t = 0.0; t < seconds && arrived() < ones.size(); t += kFleetTick) tick();
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

using FleetScene = PlayedFleet<TileGround>;
using MeshScene = PlayedFleet<MeshGround>;

}  // namespace fairlead::testing
