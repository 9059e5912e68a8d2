// A crowd with a formation in it, watched; halls with gaps for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/crowd/formation.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>

namespace fairlead::testing::squad {

inline constexpr double kTick = 1.0 / 30.0;
inline constexpr double kRadius = 0.5;
inline constexpr double kTile = 0.5;
inline constexpr std::int32_t kColumns = 160, kRows = 60;

inline SpeedLimits marcher(double speed = 1.5) {
    SpeedLimits limits = SpeedLimits::only(speed);
    limits.accel_max = limits.brake_max = limits.lateral_accel_max = 6.0;
    return limits;
}

inline Place place_at(Vec3 p) {
    Place place;
    place.position = p;
    return place;
}

inline Route line(std::vector<Vec3> points) {
    Route route;
    route.status = PathStatus::complete;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        Leg leg;
        leg.start.position = points[i];
        const Vec3 way = points[i + 1] - points[i];
        leg.start.heading_rad = math::atan2(way.y, way.x);
        leg.length = distance(ground(points[i]), ground(points[i + 1]));
        leg.rise = points[i + 1].z - points[i].z;
        route.length += leg.length;
        EXPECT_TRUE(route.legs.push_back(leg));
    }
    route.end.position = points.back();
    return route;
}

/// A crowd with a formation in it, watched.
struct Squad {
    Crowd crowd;
    Formation formation;
    std::vector<UnitId> ids{};
    std::vector<double> radii{};
    double nearest = 1e9;  ///< gap of two bodies, over their radii

    explicit Squad(const FormationOptions& options, const CrowdOptions& crowd_options = {})
        : crowd(*Crowd::make(crowd_options)), formation(*Formation::make(options)) {}

    void add(Vec3 p, double radius = kRadius, double speed = 1.5) {
        fairlead::CrowdUnit body;
        body.radius = radius;
        body.limits = marcher(speed);
        ids.push_back(*crowd.add(body, place_at(p)));
        radii.push_back(radius);
        ASSERT_TRUE(formation.add(ids.back()));
    }
    [[nodiscard]] Vec3 at(std::size_t i) const { return crowd.unit(ids[i]).place.position; }
    void step(const CrowdWorld& world, const Jobs& jobs = {}) {
        ASSERT_TRUE(formation.update(kTick, crowd, world));
        ASSERT_TRUE(crowd.update(kTick, world, jobs));
    }
    void watch() {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (!crowd.contains(ids[i]) || !crowd.contains(ids[k])) continue;
                nearest = std::min(nearest, distance(at(i), at(k)) / (radii[i] + radii[k]));
            }
        }
    }
    /// Seconds until it has arrived; -1: it does not.
    double go(const CrowdWorld& world, double seconds_max, const Jobs& jobs = {}) {
        for (int tick = 0; tick * kTick < seconds_max; ++tick) {
            step(world, jobs);
            watch();
            if (formation.state() == FormationState::arrived) return tick * kTick;
        }
        return -1.0;
    }
    [[nodiscard]] int there() const {
        int count = 0;
        for (std::size_t i = 0; i < formation.size(); ++i) count += formation.unit(i).there ? 1 : 0;
        return count;
    }
    [[nodiscard]] double slot_error() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < formation.size(); ++i) {
            const FormationUnit unit = formation.unit(i);
            sum += distance(unit.slot, crowd.unit(unit.id).place.position);
        }
        return sum / static_cast<double>(formation.size());
    }
};

/// A hall of 80 x 30 with walls of boxes.
inline Grid hall(const std::vector<Aabb>& walls) {
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(kColumns * kRows), 1);
    const auto block = [&](double x0, double y0, double x1, double y1) {
        for (auto y = static_cast<std::int32_t>(std::lround(y0 / kTile)); y < std::lround(y1 / kTile); ++y) {
            for (auto x = static_cast<std::int32_t>(std::lround(x0 / kTile)); x < std::lround(x1 / kTile);
                 ++x)
                tiles[static_cast<std::size_t>(y * kColumns + x)] = 0;
        }
    };
    block(0, 0, 80, kTile);
    block(0, 29.5, 80, 30);
    block(0, 0, kTile, 30);
    block(79.5, 0, 80, 30);
    for (const Aabb& wall : walls) block(wall.low.x, wall.low.y, wall.high.x, wall.high.y);
    return *Grid::make({.width = kColumns, .height = kRows, .cell_size = kTile}, tiles);
}

/// A wall across the hall, with a gap.
inline std::vector<Aabb> gap_wall(double middle, double width) {
    return {{{38, 0}, {39, middle - 0.5 * width}}, {{38, middle + 0.5 * width}, {39, 30}}};
}

inline std::vector<Vec2> scattered(Rng& rng, std::size_t count, const Aabb& box) {
    std::vector<Vec2> places;
    while (places.size() < count) {
        const double x = rng.between(box.low.x, box.high.x);
        const Vec2 p{x, rng.between(box.low.y, box.high.y)};
        if (std::none_of(places.begin(), places.end(), [&](Vec2 q) { return distance(p, q) < 1.15; }))
            places.push_back(p);
    }
    return places;
}

inline Route route_on(const Grid& grid, Vec2 from, Vec2 to) {
    Scratch scratch;
    GridQuery query;
    query.start = from;
    query.goal = to;
    query.agent.radius = kRadius;
    return *find_route(grid, query, scratch);
}

}  // namespace fairlead::testing::squad
