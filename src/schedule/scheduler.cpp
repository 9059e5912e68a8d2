// The public face: options are checked, calls are handed on to the core.
#include <fairlead/schedule/scheduler.h>

#include <new>

#include "base/no_memory.h"
#include "schedule/core.h"

namespace fairlead {

namespace {

Result<void> check_range(std::uint64_t value, std::uint64_t least, std::uint64_t most, Field field) {
    if (value >= least && value <= most) return {};
    return Error{ErrorCode::out_of_range, field, static_cast<std::int64_t>(value)};
}

Result<void> check_scheduler(const SchedulerOptions& o) {
    struct Limit {
        std::uint64_t value, least, most;
        Field field;
    };
    constexpr std::uint32_t kFramesMax = 1U << 20;
    const Limit limits[] = {
        {o.threads, 0, SchedulerOptions::kThreadsMax, Field::threads},
        {o.searches_max, 1, SchedulerOptions::kSearchesMax, Field::searches_max},
        {o.requests_max, 1, SchedulerOptions::kRequestsMax, Field::requests_max},
        {o.slice_units, 1, std::uint64_t{1} << 31, Field::slice_units},
        {o.units_max, 1, std::uint64_t{1} << 48, Field::units_max},
        {o.patience_frames, 0, kFramesMax, Field::patience_frames},
        {o.priority_frames, 0, kFramesMax, Field::priority_frames},
    };
    for (const Limit& limit : limits) {
        if (const Result<void> good = check_range(limit.value, limit.least, limit.most, limit.field); !good)
            return good;
    }
    if (!(o.slice_us >= 1.0 && o.slice_us <= 1e6)) return Error{ErrorCode::out_of_range, Field::slice_us};
    return {};
}

void free_core(Scheduler::Core* core, const Allocator& a) {
    core->~Core();
    a.release(core, sizeof(Scheduler::Core), alignof(Scheduler::Core), a.user);
}

}  // namespace

Result<Scheduler> Scheduler::make(const SchedulerOptions& options) {
    if (const Result<void> good = check_scheduler(options); !good) return good.error();
    const Allocator& a = options.allocator;
    void* memory = a.allocate(sizeof(Core), alignof(Core), a.user);
    if (memory == nullptr) return kNoMemory;
    Scheduler scheduler(new (memory) Core(options));
    if (const Result<void> started = scheduler.core_->start(); !started) return started.error();
    return scheduler;
}

Scheduler::Scheduler(Scheduler&& other) noexcept : core_(std::exchange(other.core_, nullptr)) {}

Scheduler& Scheduler::operator=(Scheduler&& other) noexcept {
    if (this != &other) std::swap(core_, other.core_);
    return *this;
}

Scheduler::~Scheduler() {
    if (core_ == nullptr) return;
    const Allocator a = core_->options().allocator;
    free_core(core_, a);
}

RequestStatus Scheduler::status(RequestId id) const { return core_->info(id).status; }
RequestInfo Scheduler::info(RequestId id) const { return core_->info(id); }
Result<void> Scheduler::take(RequestId id, Route& route) { return core_->take(id, route); }
Result<void> Scheduler::peek(RequestId id, Route& route) { return core_->peek(id, route); }
bool Scheduler::cancel(RequestId id) { return core_->cancel(id); }
UpdateReport Scheduler::update(const FrameBudget& budget) { return core_->update(budget); }
std::uint64_t Scheduler::digest() const { return core_->digest(); }
std::uint64_t Scheduler::frame() const { return core_->frame(); }
std::size_t Scheduler::bytes() const { return core_->bytes(); }
std::uint32_t Scheduler::threads() const { return core_->threads(); }

void* Scheduler::open_world(const detail::WorldOps* ops, std::uint64_t& id) {
    return core_->open_world(ops, id);
}
void* Scheduler::begin_publish(std::uint64_t world, const detail::WorldOps* ops) {
    return core_->world(world, ops);
}
void Scheduler::end_publish(std::uint64_t world, std::uint64_t digest) { core_->published(world, digest); }
Error Scheduler::unknown_world(std::uint64_t world) {
    return {ErrorCode::unknown_id, Field::world, static_cast<std::int64_t>(world)};
}
Result<void> Scheduler::forget_world(std::uint64_t world) { return core_->forget(world); }
Result<Scheduler::Place> Scheduler::open(const detail::BodyOps* ops, std::uint64_t world,
                                         const RequestOptions& options, std::size_t list_words) {
    return core_->open(ops, world, options, list_words);
}
RequestId Scheduler::close(const Place& place) { return core_->close(place); }

}  // namespace fairlead
