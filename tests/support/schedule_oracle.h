// What a scheduler must do, as plain lists: no heaps, no pools, no threads. Every rule stands here as it is said in the public header.
#pragma once

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fairlead/schedule/scheduler.h>

#include "support/count_search.h"

namespace fairlead::testing {

inline constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();

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
class ScheduleOracle {
  public:
    explicit ScheduleOracle(const SchedulerOptions& given) : o(given), slots(given.searches_max, -1) {}

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

}  // namespace fairlead::testing
