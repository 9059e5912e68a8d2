// The memory of a scheduler: works with their bodies and routes are made once and used again, so that a warm one allocates nothing.
#include "schedule/core.h"

#include <new>

#include "base/no_memory.h"

namespace fairlead {

using schedule::kNone;
using schedule::kNotInHeap;

Scheduler::Core::Core(const SchedulerOptions& options)
    : options_(options),
      record_(options.recorder, options.allocator),
      pool_(options.allocator),
      requests_(options.allocator),
      works_(options.allocator),
      kinds_(options.allocator),
      worlds_(options.allocator),
      spare_routes_(options.allocator),
      queue_(options.allocator),
      sleepers_(options.allocator),
      deadlines_(options.allocator),
      slots_(options.allocator),
      turns_(options.allocator),
      asked_(options.allocator),
      told_(options.allocator) {}

Scheduler::Core::~Core() {
    FAIRLEAD_ASSERT(!updating_ && "not from a callback of its own");
    const Allocator& a = options_.allocator;
    for (Work* work : works_) {
        if (work->state != WorkState::spare && work->state != WorkState::ended)
            work->ops->destroy(work->body);
        give_back(work->route);
        a.release(work->body, work->ops->size, work->ops->align, a.user);
        work->~Work();
        a.release(work, sizeof(Work), alignof(Work), a.user);
    }
    for (Route* route : spare_routes_) {
        route->~Route();
        a.release(route, sizeof(Route), alignof(Route), a.user);
    }
    for (const schedule::WorldSlot& slot : worlds_) {
        if (slot.known) slot.ops->destroy(slot.world);
        if (slot.world != nullptr) a.release(slot.world, slot.ops->size, slot.ops->align, a.user);
    }
}

Result<void> Scheduler::Core::start() {
    if (!slots_.reserve(options_.searches_max) || !turns_.reserve(options_.searches_max)) return kNoMemory;
    for (std::uint32_t i = 0; i < options_.searches_max; ++i) slots_.add(Slot(options_.allocator));
    if (options_.jobs.run == nullptr && options_.threads > 1 && !pool_.start(options_.threads - 1))
        return kNoMemory;
    if (!make_room(16, 16)) return kNoMemory;
    record_.begin_run(options_);
    return {};
}

std::uint32_t Scheduler::Core::threads() const { return pool_.workers() + 1; }

std::size_t Scheduler::Core::bytes() const {
    std::size_t sum = sizeof(Core) + requests_.bytes() + works_.bytes() + kinds_.bytes() + worlds_.bytes() +
                      spare_routes_.bytes() + queue_.bytes() + sleepers_.bytes() + deadlines_.bytes() +
                      slots_.size() * sizeof(Slot) + turns_.bytes() + asked_.bytes() + told_.bytes() +
                      body_bytes_ + routes_ * sizeof(Route);
    for (const Work* work : works_) {
        sum += sizeof(Work) + work->lists.bytes();
        if (work->route != nullptr) sum += work->route->legs.bytes() + work->route->speeds.bytes();
    }
    for (const Route* route : spare_routes_) sum += route->legs.bytes() + route->speeds.bytes();
    return sum;
}

// So that whatever comes later finds its place.
bool Scheduler::Core::make_room(std::size_t works, std::size_t requests) {
    return works_.reserve(works) && queue_.reserve(works) && sleepers_.reserve(works) &&
           deadlines_.reserve(works) && requests_.reserve(requests) && told_.reserve(2 * requests) &&
           spare_routes_.reserve(works);
}

schedule::Kind* Scheduler::Core::kind_of(const detail::BodyOps* ops) {
    for (schedule::Kind& kind : kinds_) {
        if (kind.ops == ops) return &kind;
    }
    return kinds_.push_back({ops}) ? &kinds_.back() : nullptr;
}

schedule::Work* Scheduler::Core::new_work(const detail::BodyOps* ops) {
    schedule::Kind* kind = kind_of(ops);
    if (kind == nullptr) return nullptr;
    if (kind->spare != kNone) {
        Work* work = works_[kind->spare];
        kind->spare = work->next_spare;
        return work;
    }
    const Allocator& a = options_.allocator;
    const std::size_t count = works_.size() + 1;
    if (count > works_.capacity() && !make_room(count * 2, requests_.capacity())) return nullptr;
    void* body = a.allocate(ops->size, ops->align, a.user);
    void* memory = body == nullptr ? nullptr : a.allocate(sizeof(Work), alignof(Work), a.user);
    if (memory == nullptr) {
        if (body != nullptr) a.release(body, ops->size, ops->align, a.user);
        return nullptr;
    }
    Work* work = new (memory) Work(a);
    work->ops = ops;
    work->body = body;
    work->index = static_cast<std::uint32_t>(works_.size());
    work->kind = static_cast<std::uint32_t>(kind - kinds_.data());
    const bool pushed = works_.push_back(work);
    FAIRLEAD_ASSERT(pushed);  // there is room
    body_bytes_ += ops->size;
    return work;
}

// Null: out of memory.
Route* Scheduler::Core::spare_route() {
    if (!spare_routes_.empty()) {
        Route* route = spare_routes_.back();
        spare_routes_.pop_back();
        return route;
    }
    const Allocator& a = options_.allocator;
    void* memory = a.allocate(sizeof(Route), alignof(Route), a.user);
    if (memory == nullptr) return nullptr;
    Route* route = new (memory) Route;
    route->legs = Array<Leg>(a);
    route->speeds = Array<SpeedKnot>(a);
    ++routes_;
    return route;
}

void Scheduler::Core::give_back(Route*& route) {
    if (route == nullptr) return;
    route->clear();
    const bool pushed = spare_routes_.push_back(route);
    FAIRLEAD_ASSERT(pushed);  // there are no more of them than works
    route = nullptr;
}

void Scheduler::Core::free_work(Work& work) {
    give_back(work.route);
    work.state = WorkState::spare;
    work.next_spare = kinds_[work.kind].spare;
    kinds_[work.kind].spare = work.index;
}

}  // namespace fairlead
