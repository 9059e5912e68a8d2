// What the turns of a round came to, put together in the order of the slots.
#include "schedule/core.h"

#include <utility>

namespace fairlead {

using schedule::TurnEnd;

namespace {

bool failed_to_find(PathStatus status) {
    return status != PathStatus::complete && status != PathStatus::partial;
}

bool leads_somewhere(const Route& route) {
    return !route.legs.empty() || route.status == PathStatus::complete || route.status == PathStatus::partial;
}

/// The largest, forgotten bit by bit.
double most_lately(double most, double now) { return now > most ? now : most + (now - most) * 0.02; }

}  // namespace

// The units that the round used.
std::uint64_t Scheduler::Core::merge(UpdateReport& report) {
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        if (slot.work == nullptr || slot.asked == 0) continue;
        used += slot.used;
        schedule::Kind& kind = kinds_[slot.work->kind];
        if (slot.timed == schedule::Timed::begin) kind.begin_us = most_lately(kind.begin_us, slot.took_us);
        if (slot.timed == schedule::Timed::end) kind.end_us = most_lately(kind.end_us, slot.took_us);
        if (slot.timed == schedule::Timed::units) kind.unit_us = slot.unit_us;
        merge_turn(slot, report);
    }
    return used;
}

void Scheduler::Core::merge_turn(Slot& slot, UpdateReport& report) {
    switch (slot.turn) {
        case TurnEnd::goes_on: return;
        case TurnEnd::first_leg: return merge_first_leg(slot, report);
        case TurnEnd::gave_up: {
            merge_first_leg(slot, report);
            Work& work = *slot.work;
            if (work.state != WorkState::running) return;  // ended without memory
            leave_slot(work);
            enqueue(work);
            return;
        }
        case TurnEnd::ended: return merge_result(slot, report);
    }
}

// The route of the slot becomes the work's best. False, and the work has ended: out of memory.
bool Scheduler::Core::keep_route(Slot& slot) {
    Work& work = *slot.work;
    if (!work.ops->gives_route) return true;
    if (work.route == nullptr) work.route = spare_route();
    if (work.route == nullptr) return false;
    std::swap(*work.route, slot.route);
    work.has_route = leads_somewhere(*work.route);
    return true;
}

// The short search is over; the whole one has its units before it.
void Scheduler::Core::merge_first_leg(Slot& slot, UpdateReport& report) {
    Work& work = *slot.work;
    if (!keep_route(slot)) {
        work.error = Error{ErrorCode::out_of_memory};
        return finish(work, RequestEnd::failed, &report);
    }
    work.short_search = false;
    work.units_before += work.units;
    work.units = 0;
    if (!work.has_route) return;
    ++report.first_legs;
    tell(work, RequestEvent::first_leg);
}

void Scheduler::Core::merge_result(Slot& slot, UpdateReport& report) {
    Work& work = *slot.work;
    RequestEnd why = slot.why;
    if (why == RequestEnd::failed) {
        work.error = slot.error;
    } else if (!keep_route(slot)) {
        work.error = Error{ErrorCode::out_of_memory};
        why = RequestEnd::failed;
    }
    const bool again = why != RequestEnd::failed && why != RequestEnd::late && work.ops->gives_route &&
                       failed_to_find(work.route->status) && work.tries <= work.options.retry.times;
    if (!again) return finish(work, why, &report);
    ++report.retried;
    work.short_search = work.try_begun = false;
    work.units_before += work.units;
    work.restarts_before += work.restarts;
    work.units = work.restarts = 0;
    leave_slot(work);
    sleep(work);
}

}  // namespace fairlead
