// A day: 50 units on city_256, sent about at random, tick after tick. No allocation in steady state, resident memory flat, the same digest
// on replay, with 1, 2, 3, 8 and 16 threads, and with searches in slices of 1 or of a million. Status 1 if not.
//
//     day [--ticks 5184000] [--replays 200000] [--units 50] [--seed 1] [--roof 0] [--town FILE] [--tell 0]
//
// They go in its streets. --roof 1: on its largest roof instead, a square of 30 x 28 on which 50 of them are a dense crowd.
// --ticks of the first run, which is the one that memory is looked at in: after a tenth of it (at most 200,000 ticks) it is warm.
// --replays: ticks of each of the others, compared with the first one's digest after so many ticks; 0: none.
// --tell: of the first so many trips that end stuck in the first run, where the unit and those near it are, where they go, in which narrow
// places, and their last 20 seconds.
// The town is a level baked from an OBJ file, or, without the shared data, a small town of tiles of our own.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "campaign/flags.h"
#include "campaign/stuck_teller.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/levels.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr double kStep = 1.0 / 60.0;

struct Options {
    std::uint64_t ticks = 5184000;
    std::uint64_t replays = 200000;
    std::uint64_t units = 50;
    std::uint64_t seed = 1;
    bool roof = false;
    std::uint64_t tell = 0;
    std::string town;
};

/// Resident memory of this process, KiB.
long resident_kib() {
    long pages = 0, resident = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

struct Way {
    const char* name;
    std::uint32_t threads = 0;
    std::uint64_t slice = 256;
    std::uint64_t budget = 4000;  ///< units a tick
};

class Day {
  public:
    Day(const NavMesh& town, const Options& options, const Way& way, std::uint64_t tell = 0)
        : port_(town),
          way_(way),
          rng_(options.seed),
          teller_(port_.port(), town.state().agent_radius(), tell),
          goals_(options.units) {
        FleetOptions asked;
        asked.schedule.threads = way.threads;
        asked.schedule.slice_units = static_cast<std::uint32_t>(way.slice);
        fleet_.emplace(std::move(*Fleet::make(port_.port(), asked)));
        FleetUnit unit;
        unit.agent.radius = town.state().agent_radius();
        unit.limits = SpeedLimits::only(1.5);
        unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 6.0;
        const FleetKind kind = *fleet_->add_kind(unit);
        town_ = &town;
        ground_ = options.roof ? smaller_ground() : largest_ground();
        for (std::uint64_t i = 0; i < options.units; ++i) {
            Place at;
            at.position = place();
            ids_.push_back(*fleet_->add(kind, at));
        }
    }
    /// Who has come, or cannot, is sent elsewhere.
    void tick() {
        teller_.note(tick_, *fleet_, ids_);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const FleetView view = fleet_->unit(ids_[i]);
            const bool goes = view.state == FleetState::waiting || view.state == FleetState::moving ||
                              view.state == FleetState::link;
            arrived_ += view.state == FleetState::arrived ? 1 : 0;
            stuck_ += view.state == FleetState::stuck ? 1 : 0;
            if (view.state == FleetState::stuck) teller_.tell(tick_, *fleet_, ids_, goals_, i);
            if (goes) continue;
            goals_[i] = place();
            if (!fleet_->send(ids_[i], goals_[i])) std::abort();
            ++sent_;
        }
        ++tick_;
        if (!fleet_->update(kStep, {.units = way_.budget})) std::abort();
    }
    [[nodiscard]] std::uint64_t digest() const { return fleet_->digest(); }
    [[nodiscard]] std::uint64_t sent() const { return sent_; }
    [[nodiscard]] std::uint64_t arrived() const { return arrived_; }
    [[nodiscard]] std::uint64_t stuck() const { return stuck_; }

  private:
    /// Of random places: how many lie on each piece of ground that hangs together.
    [[nodiscard]] std::map<std::uint32_t, int> grounds() const {
        Rng rng(1);
        std::map<std::uint32_t, int> found;
        for (int i = 0; i < 2000; ++i)
            ++found[town_->state().component(random_point(town_->state(), rng).polygon)];
        return found;
    }
    /// The streets: from the roofs there is no way down.
    [[nodiscard]] std::uint32_t largest_ground() const {
        std::uint32_t best = 0;
        int most = 0;
        for (const auto& [component, count] : grounds()) {
            if (count <= most) continue;
            most = count;
            best = component;
        }
        return best;
    }
    /// A roof, the largest one: a square without walls where everyone is in everyone's way.
    [[nodiscard]] std::uint32_t smaller_ground() const {
        const std::uint32_t streets = largest_ground();
        std::uint32_t best = streets;
        int most = 0;
        for (const auto& [component, count] : grounds()) {
            if (count <= most || component == streets) continue;
            most = count;
            best = component;
        }
        return best;
    }
    [[nodiscard]] Vec3 place() {
        for (;;) {
            const MeshPoint at = random_point(town_->state(), rng_);
            if (town_->state().component(at.polygon) == ground_) return at.position;
        }
    }

    MeshFleet port_;
    Way way_;
    Rng rng_;
    std::optional<Fleet> fleet_;
    std::vector<FleetId> ids_;
    StuckTeller teller_;
    std::vector<Vec3> goals_;
    std::uint64_t tick_ = 0;
    const NavMesh* town_ = nullptr;
    std::uint32_t ground_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t arrived_ = 0;
    std::uint64_t stuck_ = 0;
};

struct First {
    std::uint64_t digest = 0;  ///< after `replays` ticks
    bool good = true;
};

First run_day(const NavMesh& town, const Options& options, const Way& way) {
    First first;
    Day day(town, options, way, options.tell);
    const std::uint64_t warm = std::min<std::uint64_t>(options.ticks / 10, 200000);
    std::uint64_t calls = 0, ticks_with = 0, late = 0;
    long resident = 0;
    for (std::uint64_t tick = 0; tick < options.ticks; ++tick) {
        const std::uint64_t before = heap_calls();
        day.tick();
        if (tick == warm) resident = resident_kib();
        if (tick > warm && heap_calls() != before) {
            calls += heap_calls() - before;
            ++ticks_with;
            late = tick;
        }
        if (tick + 1 == options.replays) first.digest = day.digest();
        if ((tick + 1) % 500000 == 0) {
            std::printf("  %" PRIu64 " ticks, %" PRIu64 " sent, %ld KiB\n", tick + 1, day.sent(),
                        resident_kib());
            std::fflush(stdout);
        }
    }
    const long grown = resident_kib() - resident;
    std::printf("day: %" PRIu64 " ticks, %" PRIu64 " sent, %" PRIu64 " arrived, %" PRIu64
                " stuck; after tick %" PRIu64 ": %" PRIu64 " allocations in %" PRIu64
                " ticks (the last at %" PRIu64 "), resident memory %ld KiB %+ld\n",
                options.ticks, day.sent(), day.arrived(), day.stuck(), warm, calls, ticks_with, late,
                resident, grown);
    std::fflush(stdout);
    // a route longer than any before it may still need room
    first.good = ticks_with * 10000 <= options.ticks && grown <= 1024;
    return first;
}

std::uint64_t digest_of(const NavMesh& town, const Options& options, const Way& way) {
    Day day(town, options, way);
    for (std::uint64_t tick = 0; tick < options.replays; ++tick) day.tick();
    std::printf("  %-28s %016" PRIx64 " after %" PRIu64 " ticks\n", way.name, day.digest(), options.replays);
    std::fflush(stdout);
    return day.digest();
}

}  // namespace

int main(int count, char** words) {
    Options options;
    options.town = data_path("meshes/made/city_256.obj");
    const bool known = read_flags(count, words, [&](const std::string& flag, const char* value) {
        if (flag == "--ticks") return options.ticks = std::strtoull(value, nullptr, 10), true;
        if (flag == "--replays") return options.replays = std::strtoull(value, nullptr, 10), true;
        if (flag == "--units") return options.units = std::strtoull(value, nullptr, 10), true;
        if (flag == "--seed") return options.seed = std::strtoull(value, nullptr, 10), true;
        if (flag == "--roof") return options.roof = std::strtoull(value, nullptr, 10) != 0, true;
        if (flag == "--tell") return options.tell = std::strtoull(value, nullptr, 10), true;
        if (flag == "--town") return options.town = value, true;
        return false;
    });
    if (!known) {
        std::fprintf(stderr, "day: see the head of tests/campaign/day.cpp\n");
        return 2;
    }
    Rng rng(1);
    const Level level = options.town.empty() ? random_blocks(rng, 64.0, 40) : read_obj(options.town);
    const Result<NavMesh> town = bake::navmesh(level.soup());
    if (!town) return EXIT_FAILURE;
    options.replays = std::min(options.replays, options.ticks);
    First first = run_day(*town, options, {"one thread"});
    if (options.replays == 0) return first.good ? EXIT_SUCCESS : EXIT_FAILURE;
    for (const Way& way : {Way{"again"}, Way{"1 thread", 1}, Way{"2 threads", 2}, Way{"3 threads", 3},
                           Way{"8 threads", 8}, Way{"16 threads", 16}}) {
        first.good = digest_of(*town, options, way) == first.digest && first.good;
    }
    // a budget that no frame's requests pass: how they are sliced must not be seen
    const std::uint64_t one = digest_of(*town, options, {"slices of 1", 0, 1, 1000000000});
    const std::uint64_t all = digest_of(*town, options, {"slices of a million", 0, 1000000, 1000000000});
    first.good = one == all && first.good;
    std::printf("day: %s\n", first.good ? "all is the same" : "WRONG");
    return first.good ? EXIT_SUCCESS : EXIT_FAILURE;
}
