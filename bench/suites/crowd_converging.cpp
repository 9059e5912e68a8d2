// Many units that go to one place: how soon they are there, and how far they push into each other.
//
// There, for both libraries: no farther to walk to the goal than from anywhere in the smallest piece around it that has free ground for
// all of them if they fill three fifths of it. It counts who is there at the same moment.

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include <fmt/format.h>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>

#include "suites/crowd_parts.h"
#include "suites/detour_crowd.h"
#include "suites/stopwatch.h"

namespace fairlead::bench {

namespace {

constexpr std::uint64_t kSeed = 24;
constexpr double kFilled = 0.6;
constexpr int kSamples = 4000;
constexpr int kGoals = 10;
constexpr int kFramesASample = 5;
constexpr double kFloor = 1.5;  // what is farther apart in height stands on another floor

double ground_area(const NavMeshState& mesh) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < mesh.polygons(); ++i) {
        const PolygonId polygon = mesh.polygon(i);
        const Vec2 first = ground(mesh.corner(polygon, 0));
        for (std::uint32_t k = 2; k < mesh.corners(polygon); ++k) {
            const Vec2 a = ground(mesh.corner(polygon, k - 1)) - first;
            const Vec2 b = ground(mesh.corner(polygon, k)) - first;
            sum += 0.5 * std::fabs(a.x * b.y - a.y * b.x);
        }
    }
    return sum;
}

/// How far it is to walk; huge where there is no way.
class Walks {
  public:
    explicit Walks(const NavMeshState& mesh) : mesh_(mesh) {}
    double operator()(const Vec3& from, const Vec3& to) {
        const Result<void> done =
            find_route_into(mesh_, MeshQuery{.start = from, .goal = to}, scratch_, route_);
        return done && route_.status == PathStatus::complete ? route_.length : 1e9;
    }

  private:
    const NavMeshState& mesh_;
    Scratch scratch_{};
    Route route_{};
};

struct Gathering {
    Vec3 goal{};
    double reach = 0.0;
};

/// The most open place of some random ones.
Gathering gathering_of(const NavMeshState& mesh, std::size_t units, double radius, Rng& rng) {
    std::vector<Vec3> ground_points;
    for (int i = 0; i < kSamples; ++i) ground_points.push_back(random_point(mesh, rng).position);
    const double room = static_cast<double>(units) * 3.14159265358979 * radius * radius / kFilled;
    const double share = room / ground_area(mesh);
    const auto needed = static_cast<std::size_t>(share * kSamples);
    if (needed >= ground_points.size()) throw std::runtime_error("crowd: the level is too small");
    Gathering best;
    Walks walk{mesh};
    for (const Vec3& goal : places_apart(mesh, kGoals, 0.0, rng)) {
        std::vector<double> away;
        for (const Vec3& p : ground_points) away.push_back(walk(p, goal));
        std::nth_element(away.begin(), away.begin() + static_cast<std::ptrdiff_t>(needed), away.end());
        if (best.reach == 0.0 || away[needed] < best.reach) best = {goal, away[needed]};
    }
    best.reach += radius;
    return best;
}

/// What a run is judged by, the same for both.
class Judge {
  public:
    Judge(const NavMeshState& mesh, const Gathering& where, std::size_t units, double radius)
        : walk_(mesh), where_(where), units_(units), radius_(radius) {}

    void see(const std::vector<Vec3>& at, double seconds) {
        std::size_t inside = 0;
        for (const Vec3& p : at) inside += walk_(p, where_.goal) <= where_.reach ? 1 : 0;
        most_ = std::max(most_, inside);
        if (t95_ == 0.0 && 100 * inside >= 95 * units_) t95_ = seconds;
        if (t100_ == 0.0 && inside == units_) t100_ = seconds;
        ++samples_;
        for (std::size_t i = 0; i < at.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (std::fabs(at[i].z - at[k].z) > kFloor) continue;
                const double apart = distance(ground(at[i]), ground(at[k])) / radius_;
                nearest_ = std::min(nearest_, apart);
                below_19_ += apart < 1.9 ? 1.0 : 0.0;
                below_11_ += apart < 1.1 ? 1.0 : 0.0;
            }
        }
    }
    void say(const std::string& subject, double us, Report& report) const {
        const auto add = [&](const char* row, double value) {
            report.add(row, subject, fmt::format("{} units of radius {} to one place", units_, radius_),
                       value, "");
        };
        add("95 % are there after, s (0: never)", t95_);
        add("all are there after, s (0: never)", t100_);
        add("most there at a time", static_cast<double>(most_));
        add("pairs closer than 1.9 radii, a sample", below_19_ / samples_);
        add("pairs closer than 1.1 radii, a sample", below_11_ / samples_);
        add("nearest two centres ever, radii", nearest_);
        add("update, a unit, us", us);
    }

  private:
    Walks walk_;
    Gathering where_;
    std::size_t units_;
    double radius_;
    std::size_t most_ = 0;
    double t95_ = 0.0, t100_ = 0.0, nearest_ = 1e9, below_19_ = 0.0, below_11_ = 0.0, samples_ = 0.0;
};

struct Scene {
    const CrowdLevel& level;
    double radius = 0.0;
    std::vector<Vec3> starts;
    Gathering where;
    int frames = 0;
    Report& report;

    /// Plays all frames whether or not they are there: a pile shows when it stands.
    void play(const std::string& subject, const std::function<void()>& frame,
              const std::function<Vec3(std::size_t)>& place) const {
        Judge judge{level.mesh.state(), where, starts.size(), radius};
        std::vector<Vec3> at(starts.size());
        double ns = 0.0;
        for (int i = 1; i <= frames; ++i) {
            ns += static_cast<double>(time_ns(frame));
            for (std::size_t k = 0; k < at.size(); ++k) at[k] = place(k);
            if (i % kFramesASample == 0) judge.see(at, i * kCrowdStep);
        }
        judge.say(subject, ns / 1e3 / frames / static_cast<double>(at.size()), report);
    }
};

void by_fleet(const Scene& scene) {
    const MeshFleet port{scene.level.mesh};
    Fleet fleet = need(Fleet::make(port.port()));
    const FleetKind kind = need(fleet.add_kind(crowd_walker(scene.radius)));
    std::vector<FleetId> ids;
    for (const Vec3& start : scene.starts) {
        Place at;
        at.position = start;
        ids.push_back(need(fleet.add(kind, at)));
        if (!fleet.send(ids.back(), scene.where.goal, {.group = 1}))
            throw std::runtime_error("crowd: a unit is not sent");
    }
    scene.play(
        "Fleet",
        [&] {
            if (!fleet.update(kCrowdStep, {.time_us = 2000.0})) throw std::runtime_error("crowd: update");
        },
        [&](std::size_t i) { return fleet.unit(ids[i]).place.position; });
}

void by_detour(const Scene& scene) {
    const int count = static_cast<int>(scene.starts.size());
    DetourCrowd crowd{scene.level.detour_set, count, {scene.radius, kCrowdSpeed, kCrowdAccel}};
    for (int i = 0; i < count; ++i) {
        crowd.add(scene.starts[static_cast<std::size_t>(i)]);
        crowd.send(i, scene.where.goal);
    }
    scene.play(
        "DetourCrowd", [&] { crowd.update(kCrowdStep); },
        [&](std::size_t i) { return crowd.position(static_cast<int>(i)); });
}

}  // namespace

void measure_converging(const SuiteOptions& options, Report& report) {
    const std::size_t units = options.quick ? 15 : 500;
    const CrowdLevel level = crowd_level(options, "nav_test");
    for (const double radius :
         {0.3, 0.6}) {  // the mesh is made for 0.6: the smaller ones keep as far from walls
        Rng rng{kSeed};
        const Scene scene{.level = level,
                          .radius = radius,
                          .starts = places_apart(level.mesh.state(), units, 2.2 * radius, rng),
                          .where = gathering_of(level.mesh.state(), units, radius, rng),
                          .frames = options.quick ? 60 : 1800,
                          .report = report};
        by_fleet(scene);
        if (!level.detour_set.empty()) by_detour(scene);
    }
}

}  // namespace fairlead::bench
