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

namespace fairlead::testing {

namespace {

constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

enum class At { queue, slot, asleep, parked, ended };

struct ModelWork {
    RequestOptions options;  // of all who share it
    CountQuery query;
    int world = -1;  // -1: of its own
    int revision = 0;
    int own_revision = 0;
    std::uint64_t deadline = kForever, due = 0, queued = 0, wakes = 0, submitted = 0, begun = kForever;
    std::uint64_t done = 0;  // units of the search on its way
    std::uint64_t units = 0, units_all = 0, published_at = 0;
    bool short_search = false, try_begun = false, late = false, search = false, has_route = false;
    std::uint32_t tries = 0, restarts = 0, restarts_all = 0;
    At at = At::queue;
    RequestEnd end = RequestEnd::none;
    PathStatus result = PathStatus::unreachable;
    std::uint64_t result_units = 0;
    int result_revision = 0;
    std::vector<std::uint64_t> requests;
};

struct ModelEvent {
    std::uint64_t id;
    RequestEvent event;
    friend bool operator==(const ModelEvent&, const ModelEvent&) = default;
};

/// Works in the order of their submit; the list only grows.
class Model {
  public:
    Model(const SchedulerOptions& given) : o(given), slots(given.searches_max, -1) {}

    SchedulerOptions o;
    std::deque<ModelWork> works;
    std::map<std::uint64_t, int> work_of;  // by request
    std::vector<int> slots;
    std::vector<int> world_revision;
    std::vector<std::uint64_t> world_publishes;
    std::vector<bool> world_known;
    std::vector<ModelEvent> events;
    std::uint64_t frame = 0, debt = 0, units = 0, over = 0, granted = 0;
    std::uint32_t cursor = 0, restarted = 0;

    [[nodiscard]] std::uint64_t due(const RequestOptions& q, bool short_search) const {
        std::uint64_t wait = short_search ? 0 : o.patience_frames;
        if (!short_search && q.deadline_frames != 0) wait = std::min<std::uint64_t>(wait, q.deadline_frames);
        return (std::uint64_t{1} << 50) + frame + wait - std::uint64_t{q.priority} * o.priority_frames;
    }
    [[nodiscard]] int sharing(int world, std::uint64_t key) const {
        for (std::size_t i = 0; i < works.size(); ++i) {
            if (key != 0 && works[i].world == world && works[i].options.share_key == key &&
                works[i].at != At::ended && !works[i].requests.empty())
                return static_cast<int>(i);
        }
        return -1;
    }
    void submit(std::uint64_t id, int world, int revision, const CountQuery& query, const RequestOptions& q) {
        int i = sharing(world, q.share_key);
        if (i < 0) {
            i = static_cast<int>(works.size());
            ModelWork w;
            w.options = q;
            w.query = query;
            w.world = world;
            w.own_revision = revision;
            w.deadline = q.deadline_frames != 0 ? frame + q.deadline_frames : kForever;
            w.submitted = frame;
            w.short_search = q.first_leg_units != 0;
            works.push_back(w);
            queue_up(works.back());
        } else {
            join(works[static_cast<std::size_t>(i)], q);
        }
        works[static_cast<std::size_t>(i)].requests.push_back(id);
        work_of[id] = i;
    }
    void join(ModelWork& w, const RequestOptions& q) const {
        RequestOptions& all = w.options;
        if (w.at == At::queue) w.due = std::min(w.due, due(q, w.short_search && q.first_leg_units != 0));
        all.priority = std::max(all.priority, q.priority);
        all.units_max = all.units_max == 0 || q.units_max == 0 ? 0 : std::max(all.units_max, q.units_max);
        all.retry.times = std::max(all.retry.times, q.retry.times);
        all.retry.wait_frames = std::min(all.retry.wait_frames, q.retry.wait_frames);
        all.retry.newer_revision_only &= q.retry.newer_revision_only;
        all.restarts_max = std::max(all.restarts_max, q.restarts_max);
        if (q.on_edit == OnEdit::restart) all.on_edit = OnEdit::restart;
        if (w.deadline != kForever)
            w.deadline = q.deadline_frames == 0 ? kForever : std::max(w.deadline, frame + q.deadline_frames);
    }
    void queue_up(ModelWork& w) {
        w.at = At::queue;
        w.queued = frame;
        w.due = due(w.options, w.short_search);
    }
    void cancel(std::uint64_t id) {
        const int i = work_of.at(id);
        ModelWork& w = works[static_cast<std::size_t>(i)];
        std::erase(w.requests, id);
        work_of.erase(id);
        if (!w.requests.empty() || w.at == At::ended) return;
        leave(i);
        w.at = At::ended;
    }
    void leave(int i) {
        for (int& slot : slots) slot = slot == i ? -1 : slot;
        works[static_cast<std::size_t>(i)].search = false;
    }
    void publish(int world) {
        const auto n = static_cast<std::size_t>(world);
        ++world_revision[n];
        ++world_publishes[n];
        for (const int i : slots) {
            if (i < 0) continue;
            ModelWork& w = works[static_cast<std::size_t>(i)];
            if (w.world != world || w.options.on_edit != OnEdit::restart ||
                w.restarts >= w.options.restarts_max)
                continue;
            if (w.search) {
                ++w.restarts;
                ++restarted;
            }
            w.search = false;
            w.revision = world_revision[n];
            w.published_at = world_publishes[n];
        }
        // In the order of their places in the scheduler's memory, which for parked ones decides nothing: the queue is by due and submit.
        for (ModelWork& w : works) {
            if (w.at == At::parked && w.world == world && !w.requests.empty()) queue_up(w);
        }
    }
    void forget(int world) {
        world_known[static_cast<std::size_t>(world)] = false;
        for (std::size_t i = 0; i < works.size(); ++i) {
            ModelWork& w = works[i];
            if (w.world != world || w.at == At::ended || w.requests.empty()) continue;
            leave(static_cast<int>(i));
            w.at = At::ended;
            w.end = RequestEnd::dropped;
            w.has_route = false;
        }
    }
    void tell(const ModelWork& w, RequestEvent event) {
        for (const std::uint64_t id : w.requests) events.push_back({id, event});
    }
    void finish(int i, RequestEnd end) {
        ModelWork& w = works[static_cast<std::size_t>(i)];
        leave(i);
        w.at = At::ended;
        w.end = end;
        if (end == RequestEnd::failed) w.has_route = false;
        tell(w, RequestEvent::done);
    }

    void update(std::uint64_t budget) {
        ++frame;
        events.clear();
        restarted = 0;
        wake();
        end_late();
        granted = budget - std::min(budget, debt);
        debt -= budget - granted;
        units = 0;
        std::uint64_t left = granted;
        while (left > 0) {
            admit();
            std::vector<std::uint32_t> order;
            for (std::uint32_t n = 0; n < slots.size(); ++n) {
                const auto s = static_cast<std::uint32_t>((cursor + n) % slots.size());
                if (slots[s] >= 0) order.push_back(s);
            }
            if (order.empty()) break;
            const std::uint64_t share =
                std::min(o.slice_units, std::max<std::uint64_t>(1, left / order.size()));
            std::vector<std::uint64_t> asked(slots.size(), 0), used(slots.size(), 0);
            std::uint64_t pot = left;
            bool moved = false;
            for (const std::uint32_t s : order) {
                asked[s] = std::min(share, pot);
                pot -= asked[s];
                if (asked[s] == 0 && !moved) {
                    moved = true;
                    cursor = s;
                }
            }
            std::uint64_t sum = 0;
            std::vector<std::pair<int, int>> outcomes;  // slot, what
            for (std::uint32_t s = 0; s < slots.size(); ++s) {
                if (slots[s] >= 0 && asked[s] > 0) {
                    outcomes.push_back({static_cast<int>(s), turn(slots[s], asked[s], used[s])});
                    sum += used[s];
                }
            }
            for (const auto& [s, what] : outcomes) settle(slots[static_cast<std::size_t>(s)], what);
            units += sum;
            left -= std::min(left, sum);
        }
        over = units > granted ? units - granted : 0;
        debt += over;
    }

  private:
    enum Outcome { kGoesOn, kFirstLeg, kGaveUp, kSearched, kCapped, kLate };

    void wake() {
        for (;;) {
            int best = -1;
            for (std::size_t i = 0; i < works.size(); ++i) {
                const ModelWork& w = works[i];
                if (w.at != At::asleep || w.requests.empty() || w.wakes > frame) continue;
                if (best < 0 || w.wakes < works[static_cast<std::size_t>(best)].wakes)
                    best = static_cast<int>(i);
            }
            if (best < 0) return;
            ModelWork& w = works[static_cast<std::size_t>(best)];
            const bool same =
                w.world >= 0 && world_publishes[static_cast<std::size_t>(w.world)] == w.published_at;
            if (w.options.retry.newer_revision_only && same) {
                w.at = At::parked;
            } else {
                queue_up(w);
            }
        }
    }
    void end_late() {
        std::vector<int> order;
        for (std::size_t i = 0; i < works.size(); ++i) {
            if (works[i].at != At::ended && works[i].deadline < frame && !works[i].late)
                order.push_back(static_cast<int>(i));
        }
        std::sort(order.begin(), order.end(), [&](int a, int b) {  // total order
            const auto first = works[static_cast<std::size_t>(a)].deadline;
            const auto second = works[static_cast<std::size_t>(b)].deadline;
            return first != second ? first < second : a < b;
        });
        for (const int i : order) {
            ModelWork& w = works[static_cast<std::size_t>(i)];
            if (w.at == At::slot) {
                w.late = true;
            } else {
                finish(i, RequestEnd::late);
            }
        }
    }
    void admit() {
        for (int& slot : slots) {
            if (slot >= 0) continue;
            int best = -1;
            for (std::size_t i = 0; i < works.size(); ++i) {
                if (works[i].at != At::queue || works[i].requests.empty()) continue;
                if (best < 0 || works[i].due < works[static_cast<std::size_t>(best)].due)
                    best = static_cast<int>(i);
            }
            if (best < 0) return;
            slot = best;
            ModelWork& w = works[static_cast<std::size_t>(best)];
            w.at = At::slot;
            w.search = false;
            w.revision = w.own_revision;
            if (w.world >= 0) {
                w.revision = world_revision[static_cast<std::size_t>(w.world)];
                w.published_at = world_publishes[static_cast<std::size_t>(w.world)];
            }
            if (!w.try_begun) ++w.tries;
            w.try_begun = true;
            if (w.begun == kForever) w.begun = frame;
        }
    }
    [[nodiscard]] std::uint64_t cap(const ModelWork& w) const {
        if (w.short_search) return w.options.first_leg_units;
        return w.options.units_max == 0 ? o.units_max : std::min(o.units_max, w.options.units_max);
    }
    int turn(int i, std::uint64_t asked, std::uint64_t& used) {
        ModelWork& w = works[static_cast<std::size_t>(i)];
        std::uint64_t left = asked;
        if (!w.search) {
            w.search = true;
            w.done = 0;
            ++used;
            --left;
        }
        const auto running = [&] { return !w.query.malformed && w.done < w.query.units; };
        if (!w.late && w.units < cap(w) && left > 0 && running()) {
            const std::uint64_t ask = std::min(left, cap(w) - w.units);
            const std::uint64_t did = std::min(ask + w.query.extra, w.query.units - w.done);
            w.done += did;
            w.units += did;
            used += did;
            left -= std::min(left, did);
        }
        if (left == 0) return kGoesOn;
        const bool early = w.done >= w.query.route_at;
        int what = kGoesOn;
        if (!running()) {
            what = kSearched;
        } else if (w.late) {
            what = kLate;
        } else if (w.units >= cap(w)) {
            what = !w.short_search ? kCapped : early && w.query.partial ? kFirstLeg : kGaveUp;
        }
        if (what == kGoesOn) return what;
        ++used;
        if (w.query.malformed) return what;
        const bool whole = w.done >= w.query.units;
        w.result = !whole                           ? PathStatus::budget_spent
                   : w.revision < w.query.open_from ? PathStatus::unreachable
                                                    : PathStatus::complete;
        w.result_units = w.done;
        w.result_revision = w.revision;
        const bool best = w.query.partial || w.short_search;
        w.has_route = early || (whole ? w.result == PathStatus::complete : best);
        return what;
    }
    void settle(int i, int what) {
        ModelWork& w = works[static_cast<std::size_t>(i)];
        if (what == kGoesOn) return;
        if (what == kFirstLeg || what == kGaveUp) {
            w.short_search = false;
            w.units_all += w.units;
            w.units = 0;
            if (w.has_route) tell(w, RequestEvent::first_leg);
            if (what == kFirstLeg) return;
            leave(i);
            queue_up(w);
            return;
        }
        if (w.query.malformed && what == kSearched) return finish(i, RequestEnd::failed);
        const bool again =
            what != kLate && w.result != PathStatus::complete && w.tries <= w.options.retry.times;
        if (!again)
            return finish(i, what == kSearched ? RequestEnd::searched
                             : what == kCapped ? RequestEnd::capped
                                               : RequestEnd::late);
        w.short_search = w.try_begun = false;
        w.units_all += w.units;
        w.restarts_all += w.restarts;
        w.units = w.restarts = 0;
        leave(i);
        w.at = At::asleep;
        w.wakes = frame + std::max<std::uint64_t>(1, w.options.retry.wait_frames);
    }
};

// ---- the driver ------------------------------------------------------------------------------------------------

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
    Model model_;
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
