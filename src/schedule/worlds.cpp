// The worlds that a scheduler was told of: their newest revisions, and what becomes of their requests when they change or go.
#include "schedule/core.h"

#include "base/no_memory.h"

namespace fairlead {

using schedule::WorldSlot;

namespace {

std::uint64_t world_id(std::size_t slot, std::uint32_t generation) {
    return std::uint64_t{generation} << 32 | slot;
}

}  // namespace

schedule::WorldSlot* Scheduler::Core::find_world(std::uint64_t id) {
    const auto slot = static_cast<std::uint32_t>(id);
    if (slot >= worlds_.size()) return nullptr;
    WorldSlot& world = worlds_[slot];
    return world.known && world.generation == id >> 32 ? &world : nullptr;
}

bool Scheduler::Core::knows_world(std::uint64_t id) { return find_world(id) != nullptr; }

const void* Scheduler::Core::world_of(std::uint64_t id) { return find_world(id)->world; }

std::uint64_t Scheduler::Core::publishes_of(std::uint64_t id) {
    const WorldSlot* world = find_world(id);
    return world != nullptr ? world->publishes : 0;
}

// Memory for a world, which the caller makes there. Null: out of memory.
void* Scheduler::Core::open_world(const detail::WorldOps* ops, std::uint64_t& id) {
    std::size_t slot = 0;
    while (slot < worlds_.size() &&
           (worlds_[slot].known || (worlds_[slot].ops != nullptr && worlds_[slot].ops != ops)))
        ++slot;
    if (slot == worlds_.size() && !worlds_.push_back({})) return nullptr;
    WorldSlot& world = worlds_[slot];
    if (world.world == nullptr) {
        const Allocator& a = options_.allocator;
        world.world = a.allocate(ops->size, ops->align, a.user);
        if (world.world == nullptr) return nullptr;
        world.ops = ops;
    }
    world.known = true;
    world.publishes = 1;
    id = world_id(slot, world.generation);
    record_.number(RunRecordKind::add_world, id);
    return world.world;
}

// Null: there is no such world, or it is of another type.
void* Scheduler::Core::world(std::uint64_t id, const detail::WorldOps* ops) {
    WorldSlot* slot = find_world(id);
    return slot != nullptr && slot->ops == ops ? slot->world : nullptr;
}

// Searches on their way begin again where they are asked to; those that waited for an edit queue up.
void Scheduler::Core::published(std::uint64_t id, std::uint64_t digest) {
    WorldSlot& world = *find_world(id);
    ++world.publishes;
    record_.published(id, digest);
    for (std::size_t i = 0; i < slots_.size() && running_ > 0; ++i) {
        Slot& slot = slots_[i];
        Work* work = slot.work;
        if (work == nullptr || work->world != id || work->options.on_edit != OnEdit::restart) continue;
        if (work->restarts >= work->options.restarts_max) continue;
        if (slot.begun) {
            work->ops->end(work->body);
            slot.begun = false;
            ++work->restarts;
            ++restarted_;
        }
        work->ops->hold(work->body, world.world);
        work->tried_revision = world.publishes;
    }
    for (std::size_t i = 0; i < works_.size() && parked_ > 0; ++i) {
        Work& work = *works_[i];
        if (work.state != WorkState::parked || work.world != id) continue;
        --parked_;
        enqueue(work);
    }
}

Result<void> Scheduler::Core::forget(std::uint64_t id) {
    WorldSlot* world = find_world(id);
    if (world == nullptr) return unknown_world(id);
    record_.number(RunRecordKind::forget, id);
    for (Work* work : works_) {
        if (work->state == WorkState::spare || work->state == WorkState::ended || work->world != id) continue;
        work->error = Error{ErrorCode::world_forgotten, Field::world, static_cast<std::int64_t>(id)};
        finish(*work, RequestEnd::dropped, nullptr);
    }
    world->ops->destroy(world->world);
    world->known = false;
    ++world->generation;
    return {};
}

}  // namespace fairlead
