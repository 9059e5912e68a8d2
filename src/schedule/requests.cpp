// Requests come in, join a search that is there, and go out with their results.
#include "schedule/core.h"

#include <algorithm>
#include <cstring>

#include "base/no_memory.h"

namespace fairlead {

using schedule::kNever;
using schedule::kNone;
using schedule::Request;

namespace {

RequestId request_id(std::uint32_t slot, std::uint32_t generation) {
    return {std::uint64_t{generation} << 32 | slot};
}

[[nodiscard]] bool copy_route(const Route& from, Route& to) {
    to.clear();
    if (!to.legs.assign(from.legs.span()) || !to.speeds.assign(from.speeds.span())) {
        to.clear();
        return false;
    }
    to.status = from.status;
    to.length = from.length;
    to.cost = from.cost;
    to.line_cost = from.line_cost;
    to.bound = from.bound;
    to.planner = from.planner;
    to.revision = from.revision;
    to.end = from.end;
    to.too_fast = from.too_fast;
    to.level_cost = from.level_cost;
    to.stats = from.stats;
    return true;
}

/// The larger of two limits, where 0 is the largest.
std::uint64_t looser(std::uint64_t a, std::uint64_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

}  // namespace

Result<void> Scheduler::Core::check(const RequestOptions& options, std::uint64_t world) const {
    if (options.priority > RequestOptions::kPriorityMax)
        return Error{ErrorCode::out_of_range, Field::priority, options.priority};
    if (options.on_edit != OnEdit::finish && options.on_edit != OnEdit::restart)
        return Error{ErrorCode::out_of_range, Field::on_edit, static_cast<std::int64_t>(options.on_edit)};
    if (world != kNoWorld) return {};
    if (options.on_edit == OnEdit::restart) return Error{ErrorCode::unsupported, Field::on_edit};
    if (options.retry.newer_revision_only) return Error{ErrorCode::unsupported, Field::retry};
    if (options.share_key != 0) return Error{ErrorCode::unsupported, Field::share_key};
    return {};
}

const Request* Scheduler::Core::find(RequestId id) const {
    const auto slot = static_cast<std::uint32_t>(id.value);
    if (slot >= requests_.size()) return nullptr;
    const Request& request = requests_[slot];
    return request.work != kNone && request.generation == id.value >> 32 ? &request : nullptr;
}

// ---- in ----------------------------------------------------------------------------------------------------

Result<Scheduler::Place> Scheduler::Core::open(const detail::BodyOps* ops, std::uint64_t world,
                                               const RequestOptions& options, std::size_t list_words) {
    if (const Result<void> good = check(options, world); !good) return good.error();
    if (!ops->gives_route) {
        if (options.first_leg_units != 0) return Error{ErrorCode::unsupported, Field::first_leg_units};
        if (options.retry.times != 0) return Error{ErrorCode::unsupported, Field::retry};
    }
    if (world != kNoWorld && !knows_world(world))
        return Error{ErrorCode::unknown_id, Field::world, static_cast<std::int64_t>(world)};
    if (known_requests_ >= options_.requests_max)
        return Error{ErrorCode::size_limit, Field::requests_max, options_.requests_max};
    if (spare_request_ == kNone && requests_.size() == requests_.capacity() &&
        !make_room(works_.capacity(), requests_.capacity() * 2))
        return kNoMemory;

    Place place;
    Work* work = options.share_key == 0 ? nullptr : shares_.find(works_, ops, world, options.share_key);
    if (work != nullptr) {
        join(*work, options);
    } else {
        work = new_work(ops);
        if (work == nullptr) return kNoMemory;
        if (!work->lists.resize_uninitialized(list_words)) {
            free_work(*work);
            return kNoMemory;
        }
        prepare(*work, world, options);
        place.body = work->body;
        place.lists = work->lists.data();
    }
    const RequestId id = add_request(*work, options.callback);
    place.request = id.value;
    record_.submitted(id, world, !ops->gives_route, options);
    return place;
}

// A work that was nobody's.
void Scheduler::Core::prepare(Work& work, std::uint64_t world, const RequestOptions& options) {
    work.end = RequestEnd::none;
    work.has_route = work.late = work.try_begun = false;
    work.error = {};
    work.first_request = work.last_request = kNone;
    work.options = options;
    work.options.payload = {};
    work.world = world;
    work.deadline = options.deadline_frames == 0 ? kNever : frame_ + options.deadline_frames;
    work.short_search = options.first_leg_units != 0;
    work.submitted = frame_;
    work.begun = kNever;
    work.tried_revision = 0;
    work.units = work.units_before = 0;
    work.tries = work.restarts = work.restarts_before = 0;
}

// One more request for a work that is there.
void Scheduler::Core::join(Work& work, const RequestOptions& more) {
    RequestOptions& all = work.options;
    all.priority = std::max(all.priority, more.priority);
    all.units_max = looser(all.units_max, more.units_max);
    all.retry.times = std::max(all.retry.times, more.retry.times);
    all.retry.wait_frames = std::min(all.retry.wait_frames, more.retry.wait_frames);
    all.retry.newer_revision_only = all.retry.newer_revision_only && more.retry.newer_revision_only;
    all.restarts_max = std::max(all.restarts_max, more.restarts_max);
    if (more.on_edit == OnEdit::restart) all.on_edit = OnEdit::restart;
    if (work.deadline != kNever) {
        deadlines_.remove(work);
        work.deadline =
            more.deadline_frames == 0 ? kNever : std::max(work.deadline, frame_ + more.deadline_frames);
        if (work.deadline != kNever) deadlines_.push(work);
    }
    if (work.state != WorkState::waiting) return;
    const bool short_search = work.short_search;
    work.short_search = short_search && more.first_leg_units != 0;
    const std::uint64_t due = std::min(work.due, due_of(work, more, frame_));
    work.short_search = short_search;
    queue_.remove(work);
    work.due = due;
    queue_.push(work);
}

RequestId Scheduler::Core::add_request(Work& work, const RequestCallback& callback) {
    std::uint32_t slot = spare_request_;
    if (slot != kNone) {
        spare_request_ = requests_[slot].next;
    } else {
        slot = static_cast<std::uint32_t>(requests_.size());
        const bool pushed = requests_.push_back({});
        FAIRLEAD_ASSERT(pushed);  // there is room
    }
    Request& request = requests_[slot];
    request.work = work.index;
    request.next = kNone;
    request.callback = callback;
    if (work.last_request == kNone) {
        work.first_request = slot;
    } else {
        requests_[work.last_request].next = slot;
    }
    work.last_request = slot;
    ++known_requests_;
    return request_id(slot, request.generation);
}

RequestId Scheduler::Core::close(const Place& place) {
    const RequestId id{place.request};
    Work& work = *works_[find(id)->work];
    if (place.body == nullptr) return id;
    work.sequence = sequence_++;
    if (work.deadline != kNever) deadlines_.push(work);
    if (work.options.share_key != 0) shares_.add(work);
    enqueue(work);
    return id;
}

// ---- out ---------------------------------------------------------------------------------------------------

// Forgets a request; its work, too, where it was the last.
void Scheduler::Core::drop_request(RequestId id) {
    const auto slot = static_cast<std::uint32_t>(id.value);
    Request& request = requests_[slot];
    Work& work = *works_[request.work];
    std::uint32_t before = kNone;
    for (std::uint32_t at = work.first_request; at != slot; at = requests_[at].next) before = at;
    (before == kNone ? work.first_request : requests_[before].next) = request.next;
    if (work.last_request == slot) work.last_request = before;
    if (work.state == WorkState::ended) --untaken_;
    request.work = kNone;
    request.callback = {};
    ++request.generation;
    request.next = spare_request_;
    spare_request_ = slot;
    --known_requests_;
    if (work.first_request != kNone) return;
    if (work.state != WorkState::ended) {
        take_out(work);
        work.ops->destroy(work.body);
    }
    free_work(work);
}

bool Scheduler::Core::cancel(RequestId id) {
    if (find(id) == nullptr) return false;
    record_.number(RunRecordKind::cancel, id.value);
    drop_request(id);
    return true;
}

Result<void> Scheduler::Core::take(RequestId id, Route& route) {
    const Request* request = find(id);
    route.clear();
    if (request == nullptr) return Error{ErrorCode::unknown_id, static_cast<std::int64_t>(id.value)};
    Work& work = *works_[request->work];
    if (work.state != WorkState::ended) return Error{ErrorCode::nothing_to_take};
    const Result<void> done =
        work.end == RequestEnd::failed || work.end == RequestEnd::dropped ? work.error : Result<void>{};
    if (done && work.route != nullptr) {
        if (work.first_request == work.last_request) {
            std::swap(route, *work.route);
        } else if (!copy_route(*work.route, route)) {
            return kNoMemory;
        }
    }
    record_.number(RunRecordKind::take, id.value);
    drop_request(id);
    return done;
}

Result<void> Scheduler::Core::peek(RequestId id, Route& route) {
    const Request* request = find(id);
    route.clear();
    if (request == nullptr) return Error{ErrorCode::unknown_id, static_cast<std::int64_t>(id.value)};
    const Work& work = *works_[request->work];
    if (shows_best(work)) return work.ops->take(work.body, route);
    if (!work.has_route) return Error{ErrorCode::nothing_to_take};
    return copy_route(*work.route, route) ? Result<void>{} : Result<void>{kNoMemory};
}

// An anytime planner on its way has something.
bool Scheduler::Core::shows_best(const Work& work) const {
    return work.state == WorkState::running && slots_[work.slot].begun && work.ops->running(work.body) &&
           work.ops->has_route(work.body);
}

RequestInfo Scheduler::Core::info(RequestId id) const {
    RequestInfo info;
    const Request* request = find(id);
    if (request == nullptr) return info;
    const Work& work = *works_[request->work];
    switch (work.state) {
        case WorkState::waiting: info.status = RequestStatus::waiting; break;
        case WorkState::running: info.status = RequestStatus::running; break;
        case WorkState::sleeping:
        case WorkState::parked: info.status = RequestStatus::retrying; break;
        case WorkState::ended:
            info.status = work.end == RequestEnd::dropped ? RequestStatus::dropped : RequestStatus::done;
            break;
        case WorkState::spare: break;
    }
    info.end = work.end;
    info.has_route = work.has_route || shows_best(work);
    info.tries = work.tries;
    info.restarts = work.restarts_before + work.restarts;
    info.units = work.units_before + work.units;
    info.waited = (work.begun == kNever ? frame_ : work.begun) - work.submitted;
    return info;
}

}  // namespace fairlead
