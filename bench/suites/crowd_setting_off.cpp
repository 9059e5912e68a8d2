// A thousand units that are all sent off in one frame: when each may start, and what an update costs while they walk.

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>

#include "suites/crowd_parts.h"
#include "suites/detour_crowd.h"
#include "suites/stopwatch.h"
#include "suites/worlds.h"

namespace fairlead::bench {

namespace {

constexpr std::uint64_t kSettingOffSeed = 24;
constexpr double kFrameUs = 2000.0;
constexpr int kFramesMost = 100000;
constexpr int kFramesTimed = 600;  // 20 s
constexpr std::uint64_t kFirstLegUnits = 200;

/// The thread's own time, so that what else the machine does does not count.
SchedulerOptions own_time() {
    SchedulerOptions options;
    options.clock.now_us = [](void*) { return static_cast<double>(measure::thread_ns()) * 1e-3; };
    return options;
}

struct Errand {
    Vec3 from{};
    Vec3 to{};
};

class SettingOff {
  public:
    SettingOff(std::string world, const std::vector<Errand>& errands, bool quick, Report& report)
        : world_(std::move(world)), errands_(errands), frames_(quick ? 30 : kFramesTimed), report_(report) {}

    /// Requests alone: a short search goes before each whole one.
    template <class Search, class World, class MakeQuery>
    void by_scheduler(const World& world, const MakeQuery& query) {
        Scheduler scheduler = need(Scheduler::make(own_time()));
        const auto id = need(scheduler.add_world(world));
        std::vector<RequestId> requests;
        for (const Errand& errand : errands_) {
            requests.push_back(
                need(scheduler.submit<Search>(id, query(errand), {.first_leg_units = kFirstLegUnits})));
        }
        const auto waits = [&](RequestId request) {
            return !scheduler.info(request).has_route && scheduler.status(request) != RequestStatus::done;
        };
        const int frames = frames_until([&] { return std::none_of(requests.begin(), requests.end(), waits); },
                                        [&] { (void)scheduler.update({.time_us = kFrameUs}); });
        say_frames("first leg, Scheduler", frames);
    }

    /// Walked by a fleet: until each has had a first leg, and a whole route.
    void by_fleet(const FleetPort& port, double radius) {
        FleetOptions with;
        with.schedule = own_time();
        Fleet fleet = need(Fleet::make(port, with));
        const FleetKind kind = need(fleet.add_kind(crowd_walker(radius)));
        std::vector<FleetId> ids;
        for (const Errand& errand : errands_) {
            Place at;
            at.position = errand.from;
            ids.push_back(need(fleet.add(kind, at)));
            hold_true(fleet.send(ids.back(), errand.to));
        }
        const auto failed = [&](FleetId id) {
            const FleetState state = fleet.unit(id).state;
            return state == FleetState::unreachable || state == FleetState::invalid;
        };
        std::vector<bool> started(ids.size()), whole(ids.size());
        const auto look = [&] {
            for (std::size_t i = 0; i < ids.size(); ++i) {
                const bool ends = failed(ids[i]) || fleet.unit(ids[i]).state == FleetState::arrived;
                started[i] = started[i] || ends || fleet.unit(ids[i]).has_way;
                const bool complete = fleet.route(ids[i])->status == PathStatus::complete;
                whole[i] = whole[i] || ends || (fleet.unit(ids[i]).has_way && complete);
            }
        };
        const auto all = [](const std::vector<bool>& of) {
            return std::find(of.begin(), of.end(), false) == of.end();
        };
        const auto frame = [&] { hold_true(fleet.update(kCrowdStep, {.time_us = kFrameUs})); };
        const auto seen = [&] {
            frame();
            look();
        };
        const int legs = frames_until([&] { return all(started); }, seen);
        say_frames("first leg, Fleet", legs);
        say_frames("whole route, Fleet", legs + frames_until([&] { return all(whole); }, seen));
        say_cost("Fleet", time_of(frame));
        const auto lost = std::count_if(ids.begin(), ids.end(), failed);
        if (lost > 0) report_.note(fmt::format("{}: {} units have no route", world_, lost));
    }

    /// Held until all have their paths: so both walk all at once when they are timed.
    void by_detour(const std::string& set) {
        const int count = static_cast<int>(errands_.size());
        DetourCrowd crowd{set, count, {kLevelRadius, kCrowdSpeed, kCrowdAccel}};
        for (int i = 0; i < count; ++i) {
            crowd.add(errands_[static_cast<std::size_t>(i)].from);
            crowd.send(i, errands_[static_cast<std::size_t>(i)].to);
        }
        crowd.hold(true);
        const auto all = [&](bool (DetourCrowd::*has)(int) const) {
            for (int i = 0; i < count; ++i) {
                if (!(crowd.*has)(i)) return false;
            }
            return true;
        };
        const auto frame = [&] { crowd.update(kCrowdStep); };
        const int stubs = frames_until([&] { return all(&DetourCrowd::has_stub); }, frame);
        const int paths = stubs + frames_until([&] { return all(&DetourCrowd::has_path); }, frame);
        say_frames("stub, DetourCrowd", stubs);
        say_frames("whole path, DetourCrowd", paths);
        crowd.hold(false);
        say_cost("DetourCrowd", time_of(frame));
    }

  private:
    template <class Done, class Frame>
    static int frames_until(const Done& done, const Frame& frame) {
        int frames = 0;
        while (!done() && frames < kFramesMost) {
            frame();
            ++frames;
        }
        return frames;
    }
    /// Microseconds a unit.
    template <class Frame>
    double time_of(const Frame& frame) const {
        const std::uint64_t ns = time_ns([&] {
            for (int i = 0; i < frames_; ++i) frame();
        });
        return static_cast<double>(ns) / 1e3 / frames_ / static_cast<double>(errands_.size());
    }
    void say_frames(const std::string& subject, int frames) {
        const std::string count = std::to_string(errands_.size());
        report_.add(world_, subject, "frames until the last of " + count + " units has it", frames, "");
        report_.add(world_, subject, "game time until the last of " + count + " units has it",
                    frames * kCrowdStep, "s");
    }
    void say_cost(const std::string& subject, double us) {
        report_.add(world_, subject, "update, a unit", us, "us");
    }

    std::string world_;
    const std::vector<Errand>& errands_;
    int frames_;
    Report& report_;
};

void on_level(const SuiteOptions& options, std::size_t units, Report& report) {
    const CrowdLevel level = crowd_level(options, "city_256");
    Rng rng{kSettingOffSeed};
    const std::vector<Vec3> starts = places_apart(level.mesh.state(), units, 2.3 * kLevelRadius, rng);
    const std::vector<Vec3> goals = places_apart(level.mesh.state(), units, 2.3 * kLevelRadius, rng);
    std::vector<Errand> errands;
    for (std::size_t i = 0; i < units; ++i) errands.push_back({starts[i], goals[i]});
    SettingOff run{level.name, errands, options.quick, report};
    run.by_scheduler<MeshSearch>(level.mesh, [](const Errand& errand) {
        return MeshQuery{
            .start = errand.from, .goal = errand.to, .agent = {.radius = kLevelRadius}, .partial = true};
    });
    const MeshFleet port{level.mesh};
    run.by_fleet(port.port(), kLevelRadius);
    if (!level.detour_set.empty()) run.by_detour(level.detour_set);
}

/// Random free cells, joined by ways for the unit, no two alike.
std::vector<Errand> errands_on(const Grid& grid, std::size_t count) {
    const GridState& state = grid.state();
    const Agent agent{.radius = kTileRadius};
    Rng rng{kSettingOffSeed};
    std::set<std::pair<std::int32_t, std::int32_t>> taken[2];
    const auto draw = [&] {
        const std::int32_t x = rng.between(0, state.width() - 1);
        return Cell{x, rng.between(0, state.height() - 1)};
    };
    std::vector<Errand> errands;
    while (errands.size() < count) {
        const Cell a = draw(), b = draw();
        const Result<bool> joined = state.connected(a, b, agent);
        if (!joined.has_value() || !joined.value() || taken[0].contains({a.x, a.y}) ||
            taken[1].contains({b.x, b.y}))
            continue;
        taken[0].insert({a.x, a.y});
        taken[1].insert({b.x, b.y});
        const Vec2 from = state.cell_centre(a), to = state.cell_centre(b);
        errands.push_back({{from.x, from.y, 0.0}, {to.x, to.y, 0.0}});
    }
    return errands;
}

void on_tiles(const SuiteOptions& options, const BenchWorld& world, bool hierarchy, std::size_t units,
              Report& report) {
    const Agent size{.radius = kTileRadius};
    const Grid grid = world.grid({&size, 1}, hierarchy);
    const std::vector<Errand> errands = errands_on(grid, units);
    SettingOff run{world.name + (hierarchy ? ", hierarchy" : ""), errands, options.quick, report};
    run.by_scheduler<GridSearch>(grid, [&](const Errand& errand) {
        return GridQuery{
            .start = ground(errand.from), .goal = ground(errand.to), .agent = size, .partial = true};
    });
    const TileFleet port{grid};
    run.by_fleet(port.port(), kTileRadius);
}

}  // namespace

void measure_setting_off(const SuiteOptions& options, Report& report) {
    const std::size_t units = options.quick ? 20 : 1000;
    on_level(options, units, report);
    const BenchWorld town = town_world(options.quick ? 63 : 1024, 21);
    on_tiles(options, town, false, units, report);
    if (!options.quick) on_tiles(options, town, true, units, report);
}

}  // namespace fairlead::bench
