// One turn of one search: it begins, works for the units that it is given, and hands its result over. Turns of a round run at the
// same time, on
// any threads; each touches its slot and its work alone.
#include "schedule/core.h"

#include <algorithm>

#include "schedule/clock.h"

namespace fairlead {

using schedule::TurnEnd;

double Scheduler::Core::now_us() const {
    const SchedulerClock& clock = options_.clock;
    return clock.now_us != nullptr ? clock.now_us(clock.user) : schedule::steady_us();
}

std::uint64_t Scheduler::Core::units_max(const Work& work) const {
    const std::uint64_t own = work.options.units_max;
    return own == 0 ? options_.units_max : std::min(own, options_.units_max);
}

namespace {

// Works for at most `left` units and takes what it used off it.
void work_on(schedule::Slot& slot, std::uint64_t units, std::uint64_t& left) {
    schedule::Work& work = *slot.work;
    std::uint64_t used = work.ops->step(work.body, units);
    if (work.ops->running(work.body)) used = std::max<std::uint64_t>(used, 1);
    work.units += used;
    slot.used += used;
    slot.over += used > left ? used - left : 0;
    left -= std::min(left, used);
}

// A short search is asked for its best way so far, whatever the query says. Where it came to its end with a way to the nearest place only,
// and nobody asked for that, it says nothing: the whole search has the word.
void settle_short(schedule::Slot& slot) {
    const schedule::Work& work = *slot.work;
    if (!work.short_search || slot.turn != TurnEnd::ended || slot.route.status != PathStatus::partial) return;
    if (work.ops->partial(work.body)) return;
    slot.turn = TurnEnd::gave_up;
    slot.route.clear();
    slot.route.status = PathStatus::budget_spent;
}

// The result, or the best so far of a search that still runs.
void hand_over(schedule::Slot& slot, TurnEnd turn, RequestEnd why) {
    schedule::Work& work = *slot.work;
    ++slot.used;
    slot.turn = turn;
    slot.why = why;
    const Result<void> done = work.ops->take(work.body, slot.route);
    if (done) {
        // A search of the user's own may not have one.
        if (work.ops->gives_route && slot.route.stats.digest == 0)
            slot.route.stats.digest = route_digest(slot.route, 0);
        settle_short(slot);
        return;
    }
    slot.turn = TurnEnd::ended;
    slot.why = RequestEnd::failed;
    slot.error = done.error();
}

}  // namespace

void Scheduler::Core::turn(Slot& slot) const {
    Work& work = *slot.work;
    std::uint64_t left = slot.asked;
    if (left == 0) return;
    if (!slot.begun) {
        work.ops->begin(work.body, slot.scratch, work.short_search);
        slot.begun = true;
        ++slot.used;
        --left;
    }
    const std::uint64_t most = work.short_search ? work.options.first_leg_units : units_max(work);
    const auto goes_on = [&] {
        return !work.late && work.units < most && left > 0 && work.ops->running(work.body);
    };
    if (goes_on()) work_on(slot, std::min(left, most - work.units), left);
    // A search that comes back early may have something to set off on; its rest can follow later.
    const bool pauses = goes_on() && work.ops->has_route(work.body);
    if (pauses && !work.short_search) work_on(slot, std::min(left, most - work.units), left);
    if (left == 0) return;  // what it came to is handed over in its next turn

    if (!work.ops->running(work.body)) return hand_over(slot, TurnEnd::ended, RequestEnd::searched);
    if (work.late) {
        work.ops->stop(work.body);
        return hand_over(slot, TurnEnd::ended, RequestEnd::late);
    }
    if (work.units < most && !(pauses && work.short_search)) return;
    if (work.short_search && work.ops->has_route(work.body)) {
        // It may go on as the whole search if that one asks for the same.
        const bool same = work.ops->partial(work.body);
        return hand_over(slot, same ? TurnEnd::first_leg : TurnEnd::gave_up, RequestEnd::none);
    }
    work.ops->stop(work.body);
    hand_over(slot, work.short_search ? TurnEnd::gave_up : TurnEnd::ended, RequestEnd::capped);
}

// As many units as fit into a slice by what a unit took lately, and that still fit into what is left if they are 50 times as dear: so much
// dearer are the dearest ones of a search (docs/performance.md, suite budget). Beginning and handing over are turns of their own, since
// they cost otherwise. None where what is due does not fit if it is as dear as ever.
void Scheduler::Core::timed_turn(Slot& slot) {
    constexpr double kDearer = 50.0;
    const Work& work = *slot.work;
    const schedule::Kind& kind = kinds_[work.kind];
    const double before = now_us();
    const double left = until_us_ - before;
    const bool hands_over = slot.begun && !work.ops->running(work.body);
    const double least = !slot.begun ? kind.begin_us : hands_over ? kind.end_us : slot.unit_us;
    // The first turn of an update takes place whatever is expected of it: what it costs is then known better.
    const bool first = !turned_.exchange(true, std::memory_order_relaxed);
    if (left < least && !first) {
        slot.asked = 0;
        return;
    }
    std::uint64_t units = 1;
    if (slot.begun && !hands_over) {
        const double fits = std::min(options_.slice_us, left / kDearer) / slot.unit_us;
        if (fits > 1.0) units = static_cast<std::uint64_t>(std::min(fits, 1e9));
    }
    slot.timed = !slot.begun  ? schedule::Timed::begin
                 : hands_over ? schedule::Timed::end
                              : schedule::Timed::units;
    slot.asked = std::min(units, slot.asked);
    turn(slot);
    slot.took_us = now_us() - before;
    if (slot.timed != schedule::Timed::units) return;
    const double each =
        std::max(slot.took_us / static_cast<double>(std::max<std::uint64_t>(slot.used, 1)), 1e-3);
    // Quick to believe in dearer units, slow to believe in cheaper ones.
    slot.unit_us += (each - slot.unit_us) * (each > slot.unit_us ? 0.5 : 0.125);
}

}  // namespace fairlead
