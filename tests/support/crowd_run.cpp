#include "support/crowd_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/crowd/narrow_places.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>

namespace fairlead::testing {

namespace {

constexpr double kStep = 1.0 / 30.0;
constexpr double kLate = 3.0;     // x the time alone
constexpr double kMissing = 5.0;  // in the mean

double to_wall(Vec2 p, const Aabb& box) {
    const double x = std::max({box.low.x - p.x, 0.0, p.x - box.high.x});
    const double y = std::max({box.low.y - p.y, 0.0, p.y - box.high.y});
    return std::sqrt(x * x + y * y);
}

/// How a unit that faces a way moved and turned in a step.
void judge_heading(const CrowdTrial& trial, Vec2 moved, double before, double now, CrowdVerdict& verdict) {
    const Vec2 ahead{std::cos(now), std::sin(now)};
    const double back = std::max(0.0, -dot(moved, ahead));
    const double radius = 0.5 * trial.pose.scale;
    verdict.aside = std::max({verdict.aside, std::fabs(cross(moved, ahead)) / radius, back / radius});
    const double turn = std::fabs(std::remainder(now - before, 2.0 * kPi));
    verdict.turned = std::max(verdict.turned, turn / kStep);
    if (trial.facings == 0) return;
    const double part = now / (2.0 * kPi / trial.facings);
    if (std::fabs(part - std::nearbyint(part)) > 1e-9) verdict.off_facing = true;
}

/// Rows of a scene's tiles, as the finder of narrow places asks for them.
struct SceneRows {
    std::vector<std::uint8_t> tiles{};
    std::int32_t width = 0;

    static void row(std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
        const SceneRows& self = *static_cast<SceneRows*>(user);
        for (std::size_t i = 0; i < blocked.size(); ++i) {
            const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(self.width) +
                            static_cast<std::size_t>(x) + i;
            blocked[i] = self.tiles[at] == 0 ? 1 : 0;
        }
    }
};

NarrowPlaces places_of(const CrowdScene& scene) {
    SceneRows rows{crowd_tiles(scene), scene.width};
    PlaceFinder finder;
    PlacesOptions options;
    options.origin = scene.origin;
    options.cell = scene.cell;
    options.width = scene.width;
    options.height = scene.height;
    options.radius = scene.radius;
    Result<NarrowPlaces> found = finder.find(options, {SceneRows::row, &rows});
    EXPECT_TRUE(found);
    return found ? std::move(*found) : NarrowPlaces{};
}

SpeedLimits scaled(SpeedLimits limits, double scale) {
    limits.speed_max *= scale;
    limits.accel_max *= scale;
    limits.brake_max *= scale;
    limits.lateral_accel_max *= scale;
    return limits;
}

}  // namespace

CrowdVerdict play_crowd(const CrowdTrial& trial) {
    const CrowdScene scene = make_crowd_scene(trial.place, trial.pose);
    const std::vector<CrowdUnit> asked = crowd_units(scene, trial.seed);
    const Grid grid = crowd_grid(scene, {Agent{.radius = scene.radius}});
    std::optional<NavMesh> mesh;
    if (trial.mesh) mesh.emplace(crowd_mesh(scene));
    const TileCrowd tiles(grid.state());
    std::optional<MeshCrowd> level;
    if (mesh) level.emplace(mesh->state());
    const CrowdWorld world = level ? level->world() : tiles.world();

    const NarrowPlaces places = places_of(scene);
    Result<Crowd> crowd = Crowd::make({.seed = trial.seed});
    EXPECT_TRUE(crowd->set_places(&places));
    Scratch scratch;
    const Agent agent{.radius = scene.radius};
    const auto find = [&](Vec2 from, Vec2 to) {
        return mesh ? find_route(*mesh, MeshQuery{.start = from, .goal = to, .agent = agent}, scratch)
                    : find_route(grid, GridQuery{.start = from, .goal = to, .agent = agent}, scratch);
    };
    std::vector<UnitId> ids;
    std::vector<double> alone;
    double longest = 0.0;
    for (const CrowdUnit& unit : asked) {
        fairlead::CrowdUnit body;
        body.radius = scene.radius;
        body.limits = scaled(trial.limits, trial.pose.scale);
        body.facings = trial.facings;
        Place at;
        at.position = {unit.start.x, unit.start.y, 0.0};
        const Result<UnitId> id = crowd->add(body, at);
        EXPECT_TRUE(id);
        const Result<Route> route = find(unit.start, unit.goal);
        EXPECT_TRUE(route && route->status == PathStatus::complete);
        if (!route) return {};
        EXPECT_TRUE(crowd->send(*id, *route));
        ids.push_back(*id);
        alone.push_back(route->length / body.limits.speed_max);
        longest = std::max(longest, alone.back());
    }

    CrowdVerdict verdict;
    verdict.units = static_cast<int>(ids.size());
    verdict.nearest = verdict.nearest_wall = 1e9;
    std::vector<double> arrived(ids.size(), -1.0);
    std::vector<Vec2> at(ids.size());
    std::vector<Vec3> velocity(ids.size());
    std::vector<double> heading(ids.size());
    const bool faces = trial.facings != 0 || trial.limits.turn_rate_max < kNoLimit;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        at[i] = asked[i].start;
        heading[i] = crowd->unit(ids[i]).place.heading_rad;
    }
    int left = verdict.units;
    const double end =
        trial.seconds_max > 0.0 ? trial.seconds_max : std::max(trial.times_alone_max * longest, 60.0);
    for (int tick = 1; verdict.seconds < end && left > 0; ++tick) {
        EXPECT_TRUE(crowd->update(kStep, world, trial.jobs));
        verdict.seconds = tick * kStep;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const UnitView view = crowd->unit(ids[i]);
            const Vec2 moved = ground(view.place.position) - at[i];
            if (faces) judge_heading(trial, moved, heading[i], view.place.heading_rad, verdict);
            heading[i] = view.place.heading_rad;
            at[i] = ground(view.place.position);
            verdict.speed = std::max(verdict.speed, length(view.velocity));
            verdict.accel = std::max(verdict.accel, distance(view.velocity, velocity[i]) / kStep);
            velocity[i] = view.velocity;
            verdict.waited += view.state == UnitState::waiting ? 1 : 0;
            if (view.lost) {
                const Result<Route> route = find(at[i], asked[i].goal);
                if (route && route->status == PathStatus::complete) {
                    EXPECT_TRUE(crowd->reroute(ids[i], *route));
                }
            }
            if (arrived[i] < 0.0 && distance(at[i], asked[i].goal) <= scene.radius) {
                arrived[i] = verdict.seconds;
                const double ratio = verdict.seconds / alone[i];
                verdict.worst = std::max(verdict.worst, ratio);
                verdict.mean += ratio;
                if (ratio > kLate) ++verdict.late;
                --left;
            }
            for (const Aabb& box : scene.walls) {
                verdict.nearest_wall = std::min(verdict.nearest_wall, to_wall(at[i], box) / scene.radius);
            }
            for (std::size_t k = 0; k < i; ++k) {
                const Vec2 apart = at[i] - at[k];
                const double square = dot(apart, apart) / (scene.radius * scene.radius);
                if (square < verdict.nearest * verdict.nearest) verdict.nearest = std::sqrt(square);
            }
        }
    }
    verdict.missing = left;
    verdict.mean = (verdict.mean + kMissing * left) / static_cast<double>(ids.size());
    verdict.accel /= trial.pose.scale;
    verdict.speed /= trial.pose.scale;
    verdict.digest = crowd->digest();
    return verdict;
}

}  // namespace fairlead::testing
