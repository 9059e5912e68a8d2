// An update: rounds of turns until the budget is spent. What each search may use is settled before a round and what it did is
// merged after it,
// so that nothing depends on the threads that run it.
#include "schedule/core.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/run_jobs.h"

namespace fairlead {

using schedule::kNever;

void Scheduler::Core::begin_update(UpdateReport& report) {
    FAIRLEAD_ASSERT(!updating_ && "update() from one of its own callbacks");
    updating_ = true;
    report.frame = ++frame_;
    report.restarted = std::exchange(restarted_, 0U);
    asked_.clear();
    wake_sleepers();
    end_late(report);
}

void Scheduler::Core::end_update(UpdateReport& report) {
    report.waiting = static_cast<std::uint32_t>(queue_.size());
    report.running = running_;
    report.retrying = static_cast<std::uint32_t>(sleepers_.size()) + parked_;
    report.untaken = untaken_;
    if (oldest_ != nullptr) report.longest_wait = std::max(report.longest_wait, frame_ - oldest_->queued);
    report.record_failed = record_.failed();
    call_back();
    updating_ = false;
}

// The soonest due come into the slots that are free.
void Scheduler::Core::admit(UpdateReport& report) {
    for (std::uint32_t i = 0; i < slots_.size() && !queue_.empty(); ++i) {
        Slot& slot = slots_[i];
        if (slot.work != nullptr) continue;
        Work& work = queue_.least();
        unqueue(work);
        work.state = WorkState::running;
        work.slot = i;
        slot.work = &work;
        slot.begun = false;
        slot.unit_us = kinds_[work.kind].unit_us;
        if (work.world != kNoWorld) {
            work.ops->hold(work.body, world_of(work.world));
            work.tried_revision = publishes_of(work.world);
        }
        work.tries += work.try_begun ? 0 : 1;  // the whole search after a short one is the same try
        work.try_begun = true;
        if (work.begun == kNever) work.begun = frame_;
        ++running_;
        ++report.begun;
        report.longest_wait = std::max(report.longest_wait, frame_ - work.queued);
    }
}

// The slots of the next round in the order of their turns; how many.
std::uint32_t Scheduler::Core::line_up() {
    turns_.clear();
    const auto count = static_cast<std::uint32_t>(slots_.size());
    for (std::uint32_t n = 0; n < count; ++n) {
        const std::uint32_t i = (cursor_ + n) % count;
        Slot& slot = slots_[i];
        slot.asked = slot.used = slot.over = 0;
        slot.turn = schedule::TurnEnd::goes_on;
        slot.timed = schedule::Timed::no;
        if (slot.work == nullptr) continue;
        const bool pushed = turns_.push_back(i);
        FAIRLEAD_ASSERT(pushed);  // reserved
    }
    return static_cast<std::uint32_t>(turns_.size());
}

// Equal shares, at most a slice; where there are fewer units than searches, one each for the first of them.
void Scheduler::Core::share_out(std::uint64_t units) {
    const std::uint64_t share =
        std::min(options_.slice_units, std::max<std::uint64_t>(1, units / turns_.size()));
    for (const std::uint32_t i : turns_) {
        slots_[i].asked = std::min(share, units);
        units -= slots_[i].asked;
    }
}

void Scheduler::Core::run_turns() {
    const auto job = [](void* context, std::size_t i) {
        auto& core = *static_cast<Core*>(context);
        Slot& slot = core.slots_[core.turns_[i]];
        if (slot.asked == 0) return;
        core.by_time_ ? core.timed_turn(slot) : core.turn(slot);
    };
    // Those with nothing to do are the last.
    std::size_t count = turns_.size();
    while (count > 0 && slots_[turns_[count - 1]].asked == 0) --count;
    if (options_.jobs.run == nullptr && count > 1 && pool_.workers() > 0) return pool_.run(count, job, this);
    run_jobs(count > 1 ? options_.jobs : Jobs{}, count, job, this);
}

// The first that had no turn is the first of the next round.
void Scheduler::Core::next_cursor() {
    for (const std::uint32_t i : turns_) {
        if (slots_[i].asked != 0) continue;
        cursor_ = i;
        return;
    }
}

void Scheduler::Core::work_by_units(std::uint64_t units, UpdateReport& report) {
    by_time_ = false;
    while (units > 0) {
        admit(report);
        if (line_up() == 0) return;
        share_out(units);
        run_turns();
        next_cursor();
        const std::uint64_t used = merge(report);
        report.units += used;
        units -= std::min(units, used);
    }
}

// Rounds as above, but how much each search is given depends on the clock; written down, so that it can be done again.
void Scheduler::Core::work_by_time(std::uint64_t units, UpdateReport& report) {
    by_time_ = true;
    turned_.store(false, std::memory_order_relaxed);
    while (units > 0 && now_us() < until_us_) {
        admit(report);
        if (line_up() == 0) return;
        share_out(units);
        run_turns();
        next_cursor();
        bool any = false;
        for (const std::uint32_t i : turns_) {
            any = any || slots_[i].asked != 0;
            if (record_.on() && !asked_.push_back(static_cast<std::uint32_t>(slots_[i].asked)))
                record_.fail();
        }
        const std::uint64_t used = merge(report);
        report.units += used;
        units -= std::min(units, used);
        if (!any) return;
    }
}

UpdateReport Scheduler::Core::update(const FrameBudget& budget) {
    const bool by_time = !(budget.time_us == std::numeric_limits<double>::infinity());
    if (by_time) until_us_ = now_us() + (budget.time_us > 0.0 ? budget.time_us : 0.0);
    UpdateReport report;
    begin_update(report);
    const std::uint64_t had = budget.units - std::min(budget.units, debt_);
    debt_ -= budget.units - had;
    by_time ? work_by_time(had, report) : work_by_units(had, report);
    report.units_over = report.units > had ? report.units - had : 0;
    debt_ += report.units_over;
    record_.updated(budget.units, by_time, report, digest_.value(), asked_.span());
    end_update(report);
    return report;
}

UpdateReport Scheduler::Core::update_again(std::uint64_t units, std::span<const std::uint32_t> turns) {
    UpdateReport report;
    begin_update(report);
    const std::uint64_t had = units - std::min(units, debt_);
    debt_ -= units - had;
    by_time_ = false;
    while (!turns.empty()) {
        admit(report);
        const std::uint32_t active = line_up();
        if (active == 0 || active > turns.size()) break;
        for (std::uint32_t i = 0; i < active; ++i) slots_[turns_[i]].asked = turns[i];
        turns = turns.subspan(active);
        run_turns();
        next_cursor();
        report.units += merge(report);
    }
    report.units_over = report.units > had ? report.units - had : 0;
    debt_ += report.units_over;
    end_update(report);
    return report;
}

// By number: a callback may submit, and so make the list longer.
void Scheduler::Core::call_back() {
    for (std::size_t i = 0; i < told_.size(); ++i) {
        const schedule::Told told = told_[i];
        const schedule::Request* request = find(told.id);
        if (request == nullptr) continue;  // taken or cancelled by an earlier one
        const RequestCallback callback = request->callback;
        callback.call(callback.user, told.id, told.event);
    }
    told_.clear();
}

}  // namespace fairlead
