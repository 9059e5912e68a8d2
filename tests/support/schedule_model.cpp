// A driver that does random things to a scheduler and to its oracle, and compares what both say.
#include "support/schedule_model.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fairlead/base/rng.h>

#include "support/count_search.h"
#include "support/schedule_oracle.h"

namespace fairlead::testing {

namespace {

class Driver {
  public:
    Driver(std::uint64_t seed, ScheduleTally& tally, std::uint32_t threads, const Jobs& jobs)
        : rng_(seed), tally_(tally), options_(random_options(threads, jobs)), model_(options_) {}

    std::string run() {
        Result<Scheduler> made = Scheduler::make(options_);
        if (!made) return "make";
        scheduler_.emplace(std::move(*made));
        const int steps = 20 + static_cast<int>(rng_.below(60));
        for (int n = 0; n < steps && wrong_.empty(); ++n) {
            const std::uint32_t deeds = rng_.below(8);
            for (std::uint32_t d = 0; d < deeds && wrong_.empty(); ++d) act();
            if (wrong_.empty()) update();
        }
        scheduler_.reset();
        if (wrong_.empty() && copies_ != held_) wrong_ = "snapshots left";
        return wrong_.empty() ? wrong_ : wrong_ + ", frame " + std::to_string(model_.frame);
    }

  private:
    SchedulerOptions random_options(std::uint32_t threads, const Jobs& jobs) {
        SchedulerOptions o;
        o.threads = threads;
        o.jobs = jobs;
        o.searches_max = 1 + rng_.below(6);
        o.slice_units = 1 + rng_.below(40);
        o.units_max = 20 + rng_.below(300);
        o.patience_frames = rng_.below(12);
        o.priority_frames = rng_.below(4);
        return o;
    }
    static void on_event(void* user, RequestId id, RequestEvent event) {
        static_cast<Driver*>(user)->events_.push_back({id.value, event});
    }

    void act() {
        const std::uint32_t die = rng_.below(100);
        if (die < 55) return submit();
        if (die < 63) return cancel();
        if (die < 70) return add_world();
        if (die < 82) return publish();
        if (die < 84) return forget();
        take();
    }
    void add_world() {
        if (worlds_.size() > 4) return;
        const auto id = scheduler_->add_world(Ground(copies_, 0));
        if (!id) return fail("add_world");
        worlds_.push_back(*id);
        model_.world_revision.push_back(0);
        model_.world_publishes.push_back(1);
        model_.world_known.push_back(true);
    }
    int known_world() {
        std::vector<int> known;
        for (std::size_t i = 0; i < worlds_.size(); ++i) {
            if (model_.world_known[i]) known.push_back(static_cast<int>(i));
        }
        return known.empty() ? -1 : known[rng_.below(static_cast<std::uint32_t>(known.size()))];
    }
    void publish() {
        const int world = known_world();
        if (world < 0) return;
        model_.publish(world);
        const auto n = static_cast<std::size_t>(world);
        if (!scheduler_->publish(worlds_[n], Ground(copies_, model_.world_revision[n]))) fail("publish");
    }
    void forget() {
        const int world = known_world();
        if (world < 0) return;
        const auto n = static_cast<std::size_t>(world);
        model_.forget(world);
        if (!scheduler_->forget(worlds_[n])) fail("forget");
        if (scheduler_->forget(worlds_[n]).has_value()) fail("forgotten twice");
        if (scheduler_->publish(worlds_[n], Ground(copies_, 0)).has_value())
            fail("published after it was forgotten");
    }
    void submit() {
        const int world = rng_.below(3) == 0 ? -1 : known_world();
        int numbers[3] = {1, 2, static_cast<int>(rng_.below(9))};
        CountQuery query;
        query.units = rng_.below(8) == 0 ? rng_.below(600) : rng_.below(60);
        if (rng_.below(6) == 0) query.extra = rng_.below(9);
        if (rng_.below(5) == 0) query.route_at = rng_.below(40);
        if (rng_.below(5) == 0) query.open_from = static_cast<int>(rng_.below(4));
        query.partial = rng_.below(2) == 0;
        query.malformed = rng_.below(20) == 0;
        query.tag = static_cast<int>(tally_.requests % 1000);
        query.numbers = numbers;
        RequestOptions q;
        q.priority = rng_.below(3) == 0 ? rng_.below(16) : 0;
        if (rng_.below(4) == 0) q.deadline_frames = 1 + rng_.below(9);
        if (rng_.below(4) == 0) q.units_max = 1 + rng_.below(80);
        if (rng_.below(3) == 0) q.first_leg_units = 1 + rng_.below(20);
        if (rng_.below(3) == 0) {
            const std::uint32_t times = rng_.below(4);
            q.retry = {.times = times, .wait_frames = rng_.below(5)};
        }
        if (world >= 0) {
            q.retry.newer_revision_only = rng_.below(2) == 0;
            if (rng_.below(2) == 0) q.on_edit = OnEdit::restart;
            q.restarts_max = rng_.below(3);
            if (rng_.below(3) == 0) q.share_key = 1 + rng_.below(4);
        }
        q.callback = {&Driver::on_event, this};
        const int revision = static_cast<int>(rng_.below(3));
        const int shared = model_.sharing(world, q.share_key);
        const Result<RequestId> id =
            world >= 0 ? scheduler_->submit<CountSearch>(worlds_[static_cast<std::size_t>(world)], query, q)
                       : scheduler_->submit<CountSearch>(Ground(copies_, revision), query, q);
        if (!id) return fail("submit");
        if (model_.work_of.contains(id->value) || !used_.insert({id->value, true}).second)
            return fail("an id twice");
        // What a shared one gives is the first one's.
        const int sum = numbers[0] + numbers[1] + numbers[2] + query.tag;
        expected_[id->value] = sum;
        query.numbers = {};
        model_.submit(id->value, world, revision, query, q);
        if (shared >= 0)
            expected_[id->value] = expected_[model_.works[static_cast<std::size_t>(shared)].requests.front()];
        ++tally_.requests;
        tally_.shared += shared >= 0 ? 1 : 0;
        numbers[0] = numbers[1] = numbers[2] = 777;  // the scheduler has its own
    }
    std::uint64_t any_request() {
        if (model_.work_of.empty()) return kForever;
        auto at = model_.work_of.begin();
        std::advance(at, rng_.below(static_cast<std::uint32_t>(model_.work_of.size())));
        return at->first;
    }
    void cancel() {
        const std::uint64_t id = any_request();
        if (id == kForever) return;
        // The tag of a shared search is that of its first request, which may go.
        model_.cancel(id);
        if (!scheduler_->cancel({id})) return fail("cancel");
        if (scheduler_->cancel({id})) return fail("cancelled twice");
        if (scheduler_->status({id}) != RequestStatus::unknown) return fail("status of a cancelled one");
        ++tally_.cancelled;
    }
    void take() {
        const std::uint64_t id = any_request();
        if (id == kForever) return;
        const ModelWork& w = model_.works[static_cast<std::size_t>(model_.work_of.at(id))];
        const Result<void> done = scheduler_->take({id}, route_);
        if (w.at != At::ended) {
            if (done || done.error().code != ErrorCode::nothing_to_take) fail("taken too early");
            return;
        }
        if (w.end == RequestEnd::failed && (done || done.error().code != ErrorCode::not_finite))
            return fail("no error");
        if (w.end == RequestEnd::dropped && (done || done.error().code != ErrorCode::world_forgotten))
            return fail("not dropped");
        if (w.end == RequestEnd::searched || w.end == RequestEnd::capped) {
            if (!done) return fail("no result");
            const bool same = route_.status == w.result && route_.stats.expanded == w.result_units &&
                              route_.revision == static_cast<std::uint64_t>(w.result_revision) &&
                              route_.cost == expected_.at(id) && route_.legs.empty() != w.has_route;
            if (!same) return fail("another result");
        }
        tally_.complete += w.end == RequestEnd::searched && w.result == PathStatus::complete ? 1 : 0;
        tally_.capped += w.end == RequestEnd::capped ? 1 : 0;
        tally_.late += w.end == RequestEnd::late ? 1 : 0;
        tally_.failed += w.end == RequestEnd::failed ? 1 : 0;
        tally_.dropped += w.end == RequestEnd::dropped ? 1 : 0;
        model_.cancel(id);
        if (scheduler_->status({id}) != RequestStatus::unknown) fail("status of a taken one");
    }

    void update() {
        const std::uint64_t budgets[] = {0, 1, 2, 5, rng_.below(40), rng_.below(400), 100000};
        const std::uint64_t budget = budgets[rng_.below(7)];
        const std::uint32_t restarted = model_.restarted;
        model_.update(budget);
        events_.clear();
        const UpdateReport report = scheduler_->update({.units = budget});
        ++tally_.frames;
        tally_.restarted += report.restarted;
        tally_.retried += report.retried;
        tally_.first_legs += report.first_legs;
        tally_.over += report.units_over > 0 ? 1 : 0;
        if (report.frame != model_.frame) return fail("frame");
        if (report.units != model_.units) return fail("units");
        if (report.units_over != model_.over) return fail("units over");
        if (report.restarted != restarted) return fail("restarted");
        if (events_ != model_.events) return fail("callbacks");
        compare_all(report);
    }
    void compare_all(const UpdateReport& report) {
        std::uint32_t waiting = 0, running = 0, retrying = 0, untaken = 0;
        for (const ModelWork& w : model_.works) {
            if (w.requests.empty()) continue;
            waiting += w.at == At::queue ? 1 : 0;
            running += w.at == At::slot ? 1 : 0;
            retrying += w.at == At::asleep || w.at == At::parked ? 1 : 0;
            untaken += w.at == At::ended ? static_cast<std::uint32_t>(w.requests.size()) : 0;
        }
        if (report.waiting != waiting || report.running != running || report.retrying != retrying ||
            report.untaken != untaken)
            return fail("counts");
        for (const auto& [id, i] : model_.work_of) {
            const ModelWork& w = model_.works[static_cast<std::size_t>(i)];
            const RequestInfo info = scheduler_->info({id});
            const RequestStatus status = w.at == At::queue              ? RequestStatus::waiting
                                         : w.at == At::slot             ? RequestStatus::running
                                         : w.at != At::ended            ? RequestStatus::retrying
                                         : w.end == RequestEnd::dropped ? RequestStatus::dropped
                                                                        : RequestStatus::done;
            if (info.status != status) return fail("status");
            if (info.end != w.end) return fail("end");
            if (info.tries != w.tries) return fail("tries");
            if (info.restarts != w.restarts_all + w.restarts) return fail("restarts");
            if (info.units != w.units_all + w.units) return fail("units of one");
            if (info.waited != (w.begun == kForever ? model_.frame : w.begun) - w.submitted)
                return fail("waited");
            const bool best = w.at == At::slot && w.search && !w.query.malformed && w.done < w.query.units &&
                              w.done >= w.query.route_at;
            if (info.has_route != (w.has_route || best)) return fail("has_route");
            if (scheduler_->peek({id}, route_).has_value() != info.has_route) return fail("peek");
        }
    }
    void fail(const char* what) {
        if (wrong_.empty()) wrong_ = what;
    }

    Rng rng_;
    ScheduleTally& tally_;
    std::atomic<int> copies_{0};
    int held_ = 0;
    SchedulerOptions options_;
    ScheduleOracle model_;
    std::optional<Scheduler> scheduler_;
    std::vector<WorldId<Ground>> worlds_;
    std::map<std::uint64_t, bool> used_;
    std::map<std::uint64_t, double> expected_;
    std::vector<ModelEvent> events_;
    Route route_;
    std::string wrong_;
};

}  // namespace

std::string check_schedule(std::uint64_t seed, ScheduleTally& tally, std::uint32_t threads,
                           const Jobs& jobs) {
    return Driver(seed, tally, threads, jobs).run();
}

}  // namespace fairlead::testing
