// The scheduler for as long as wanted: random runs against plain lists, seed after seed; frames with a budget in units, none of
// which may be passed; frames with a budget of time, and by how much the processor time of the thread passes it.  schedule [--seeds
// 100000] [--frames 1000000] [--timed 100000] [--budget_us 1000] schedule --seed N               one run

#include <sys/resource.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/scheduler.h>

#include "campaign/flags.h"
#include "measure/clock.h"
#include "support/schedule_model.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

bool run_seeds(std::uint64_t first, std::uint64_t count) {
    ScheduleTally tally;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string wrong = check_schedule(seed, tally, seed % 64 == 0 ? 3 : 0);
        if (wrong.empty()) continue;
        std::printf("seed %" PRIu64 ": %s (schedule --seed %" PRIu64 ")\n", seed, wrong.c_str(), seed);
        return false;
    }
    std::printf(
        "%" PRIu64 " seeds: %" PRIu64 " frames, %" PRIu64 " requests; %" PRIu64 " shared, %" PRIu64
        " complete, %" PRIu64 " capped, %" PRIu64 " late, %" PRIu64 " failed, %" PRIu64 " dropped, %" PRIu64
        " cancelled, %" PRIu64 " first legs, %" PRIu64 " retried, %" PRIu64 " restarted; none differs\n",
        count, tally.frames, tally.requests, tally.shared, tally.complete, tally.capped, tally.late,
        tally.failed, tally.dropped, tally.cancelled, tally.first_legs, tally.retried, tally.restarted);
    return true;
}

constexpr std::int32_t kTown = 200;

/// A town that is edited, and units that ask, change their minds and are told.
class Town {
  public:
    explicit Town(std::uint64_t seed) : rng_(seed), id_(*scheduler_.add_world(grid_)) {}

    void act() {
        while (ids_.size() < 60) {
            GridQuery query{.start = place(), .goal = place(), .partial = rng_.below(2) == 0};
            if (rng_.below(4) == 0) query.agent.radius = 0.4 + rng_.below(3) * 0.5;
            if (rng_.below(8) == 0) query.planner = GridPlanner::bucket_astar;
            RequestOptions options{.priority = rng_.below(16), .first_leg_units = rng_.below(2) * 100};
            if (rng_.below(3) == 0) options.on_edit = OnEdit::restart;
            ids_.push_back(*scheduler_.submit<GridSearch>(id_, query, options));
        }
        if (rng_.below(20) == 0) {
            const std::int32_t x = rng_.between(0, kTown - 12), y = rng_.between(0, kTown - 12);
            const auto tile = static_cast<std::uint8_t>(rng_.below(2));
            (void)grid_.fill({{x, y}, {x + 10, y + 4}}, tile);
            (void)scheduler_.publish(id_, grid_);
        }
        if (rng_.below(10) == 0) {
            const std::uint32_t which = rng_.below(static_cast<std::uint32_t>(ids_.size()));
            scheduler_.cancel(ids_[which]);
            ids_[which] = ids_.back();
            ids_.pop_back();
        }
    }
    UpdateReport update(const FrameBudget& budget) { return scheduler_.update(budget); }
    void take() {
        std::erase_if(ids_, [&](RequestId id) {
            const bool done = scheduler_.take(id, route_).has_value();
            taken_ += done ? 1 : 0;
            return done;
        });
    }
    [[nodiscard]] std::uint64_t taken() const { return taken_; }

  private:
    Spot place() {
        const std::int32_t x = rng_.between(0, kTown - 1);
        return cell_centre(x, rng_.between(0, kTown - 1));
    }

    Rng rng_;
    Grid grid_ = std::move(*Grid::make({.width = kTown, .height = kTown}));
    Scheduler scheduler_ = std::move(*Scheduler::make());
    WorldId<GridSnapshot> id_;
    std::vector<RequestId> ids_;
    Route route_;
    std::uint64_t taken_ = 0;
};

bool run_units(std::uint64_t frames) {
    Town town(1);
    Rng rng(2);
    std::uint64_t over = 0, units = 0;
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
        town.act();
        const std::uint64_t budget = rng.below(400);
        const UpdateReport report = town.update({.units = budget});
        over += report.units > budget || report.units_over > 0 ? 1 : 0;
        units += report.units;
        town.take();
    }
    std::printf("%" PRIu64 " frames in units: %" PRIu64 " units, %" PRIu64 " routes, %" PRIu64
                " frames over their budget\n",
                frames, units, town.taken(), over);
    return over == 0;
}

struct Counted {
    std::int64_t faults = 0, switches = 0;
};
Counted counted() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {usage.ru_minflt + usage.ru_majflt, usage.ru_nvcsw + usage.ru_nivcsw};
}

bool run_timed(std::uint64_t frames, double budget_us) {
    struct Frame {
        double over = 0.0;
        Counted with{};
        std::uint64_t units = 0;
    };
    Town town(3);
    std::vector<Frame> all;
    for (std::uint64_t frame = 0; frame < frames + 200; ++frame) {
        town.act();
        const Counted before = counted();
        const std::uint64_t start = measure::thread_ns();
        const UpdateReport report = town.update({.time_us = budget_us});
        const std::uint64_t end = measure::thread_ns();
        const Counted after = counted();
        town.take();
        if (frame < 200) continue;  // memory is still growing
        all.push_back({static_cast<double>(end - start) * 1e-3 - budget_us,
                       {after.faults - before.faults, after.switches - before.switches},
                       report.units});
    }
    std::sort(all.begin(), all.end(), [](const Frame& a, const Frame& b) { return a.over < b.over; });
    const auto at = [&](double q) {
        return all[static_cast<std::size_t>(q * static_cast<double>(all.size() - 1))].over;
    };
    std::printf(
        "%zu frames of %.0f us, %" PRIu64
        " routes: processor time over it p50 %.1f, p99 %.1f, p99.9 %.1f, p99.99 %.1f us; the largest:\n",
        all.size(), budget_us, town.taken(), at(0.5), at(0.99), at(0.999), at(0.9999));
    for (std::size_t i = 0; i < std::min<std::size_t>(5, all.size()); ++i) {
        const Frame& frame = all[all.size() - 1 - i];
        std::printf("  %.1f us, %" PRId64 " page faults, %" PRId64 " context switches, %" PRIu64 " units\n",
                    frame.over, frame.with.faults, frame.with.switches, frame.units);
    }
    return at(0.999) <= 50.0 && at(0.9999) <= 100.0;
}

}  // namespace

int main(int count, char** words) {
    std::uint64_t seeds = 100000, frames = 1000000, timed = 100000, first = 0;
    double budget_us = 1000.0;
    const bool known = read_flags(count, words, [&](const std::string& flag, const char* value) {
        const std::uint64_t number = std::strtoull(value, nullptr, 10);
        if (flag == "--seeds") return seeds = number, true;
        if (flag == "--frames") return frames = number, true;
        if (flag == "--timed") return timed = number, true;
        if (flag == "--budget_us") return budget_us = static_cast<double>(number), true;
        if (flag == "--seed") return first = number, seeds = 1, frames = timed = 0, true;
        return false;
    });
    if (!known) {
        std::fprintf(stderr, "schedule: see the head of tests/campaign/schedule.cpp\n");
        return 2;
    }
    bool good = run_seeds(first, seeds);
    if (good && frames > 0) good = run_units(frames);
    if (timed > 0) good = run_timed(timed, budget_us) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
