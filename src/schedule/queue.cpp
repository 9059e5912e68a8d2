// Who is next: the queue by due frames, those that sleep until another try, those that run out of time, and the end of a work.
#include "schedule/core.h"

#include <algorithm>

namespace fairlead {

using schedule::kNever;
using schedule::kNone;

namespace {

/// So that no priority makes a due frame negative.
constexpr std::uint64_t kDueBase = std::uint64_t{1} << 40;

}  // namespace

// The due frame of a work that begins to wait now, or of one more request for it.
std::uint64_t Scheduler::Core::due_of(const Work& work, const RequestOptions& options,
                                      std::uint64_t now) const {
    std::uint64_t wait = options_.patience_frames;
    if (options.deadline_frames != 0) wait = std::min<std::uint64_t>(wait, options.deadline_frames);
    if (work.short_search) wait = 0;
    return kDueBase + now + wait - std::uint64_t{options.priority} * options_.priority_frames;
}

void Scheduler::Core::enqueue(Work& work) {
    work.state = WorkState::waiting;
    work.queued = frame_;
    work.due = due_of(work, work.options, frame_);
    queue_.push(work);
    work.older = newest_;
    work.newer = nullptr;
    (newest_ == nullptr ? oldest_ : newest_->newer) = &work;
    newest_ = &work;
}

void Scheduler::Core::unqueue(Work& work) {
    queue_.remove(work);
    (work.older == nullptr ? oldest_ : work.older->newer) = work.newer;
    (work.newer == nullptr ? newest_ : work.newer->older) = work.older;
    work.older = work.newer = nullptr;
}

// Another try follows, later.
void Scheduler::Core::sleep(Work& work) {
    work.state = WorkState::sleeping;
    work.wakes = frame_ + std::max<std::uint64_t>(1, work.options.retry.wait_frames);
    sleepers_.push(work);
}

void Scheduler::Core::wake_sleepers() {
    while (!sleepers_.empty() && sleepers_.least().wakes <= frame_) {
        Work& work = sleepers_.least();
        sleepers_.remove(work);
        if (work.options.retry.newer_revision_only && publishes_of(work.world) == work.tried_revision) {
            work.state = WorkState::parked;
            ++parked_;
        } else {
            enqueue(work);
        }
    }
}

// Takes a work out of wherever it is, with its search, so that it may end.
void Scheduler::Core::take_out(Work& work) {
    switch (work.state) {
        case WorkState::waiting: unqueue(work); break;
        case WorkState::running: leave_slot(work); break;
        case WorkState::sleeping: sleepers_.remove(work); break;
        case WorkState::parked: --parked_; break;
        case WorkState::ended:
        case WorkState::spare: return;
    }
    deadlines_.remove(work);
    if (work.options.share_key != 0) shares_.remove(works_, work);
}

void Scheduler::Core::leave_slot(Work& work) {
    Slot& slot = slots_[work.slot];
    if (slot.begun) work.ops->end(work.body);
    slot.work = nullptr;
    slot.begun = false;
    work.slot = kNone;
    --running_;
}

// The deadlines of the frame before have passed. What is on its way ends with its next turn.
void Scheduler::Core::end_late(UpdateReport& report) {
    while (!deadlines_.empty() && deadlines_.least().deadline < frame_) {
        Work& work = deadlines_.least();
        if (work.state == WorkState::running) {
            deadlines_.remove(work);
            work.late = true;
        } else {
            finish(work, RequestEnd::late, &report);
        }
    }
}

// The result is there, whatever it is: body, world and place are let go of.
void Scheduler::Core::finish(Work& work, RequestEnd end, UpdateReport* report) {
    take_out(work);
    work.ops->destroy(work.body);
    work.state = WorkState::ended;
    work.end = end;
    std::uint64_t route = 0;
    if (end == RequestEnd::failed || end == RequestEnd::dropped) {
        route = static_cast<std::uint64_t>(work.error.code);
        work.has_route = false;
        give_back(work.route);
    } else if (work.route != nullptr) {
        route = work.route->stats.digest;
    }
    for (std::uint32_t at = work.first_request; at != kNone; at = requests_[at].next) {
        ++untaken_;
        digest_.add(std::uint64_t{requests_[at].generation} << 32 | at);
        digest_.add(frame_);
        digest_.add(static_cast<std::uint64_t>(end));
        digest_.add(route);
        if (report != nullptr) ++report->done;
    }
    if (report == nullptr) return;
    report->capped += end == RequestEnd::capped ? 1 : 0;
    report->late += end == RequestEnd::late ? 1 : 0;
    report->failed += end == RequestEnd::failed ? 1 : 0;
    tell(work, RequestEvent::done);
}

void Scheduler::Core::tell(const Work& work, RequestEvent event) {
    for (std::uint32_t at = work.first_request; at != kNone; at = requests_[at].next) {
        if (requests_[at].callback.call == nullptr) continue;
        const bool pushed = told_.push_back({{std::uint64_t{requests_[at].generation} << 32 | at}, event});
        FAIRLEAD_ASSERT(pushed);  // there is room for two a request
    }
}

}  // namespace fairlead
