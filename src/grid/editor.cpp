#include "grid/editor.h"

#include <cstring>
#include <new>

namespace fairlead::grid {

namespace {

constexpr std::size_t kAlignment = 16;

/// It was allocated, so it fits.
std::size_t payload_bytes(const ChunkHeader& header) {
    return static_cast<std::size_t>(header.words) * sizeof(std::uint64_t);
}

bool is_held(const StateData* state) { return state->held.load(std::memory_order_acquire) != 0; }

}  // namespace

void EditorData::sweep() {
    std::size_t kept = 0;
    for (StateData* old : held) {
        if (is_held(old)) {
            held[kept++] = old;
            continue;
        }
        old->~StateData();
        allocator.release(old, sizeof(StateData), alignof(StateData), allocator.user);
    }
    if (!held.resize(kept)) return;  // never grows

    std::size_t waiting = 0;
    for (const RetiredChunk& chunk : retired) {
        bool needed = false;
        for (const StateData* old : held) needed |= old->stamp >= chunk.birth && old->stamp < chunk.death;
        if (needed) {
            retired[waiting++] = chunk;
        } else {
            free_chunk(chunk.payload);
        }
    }
    if (!retired.resize(waiting)) return;
}

bool EditorData::begin_edit() {
    sweep();
    held_limit = is_held(state) ? state->stamp + 1 : 0;
    for (const StateData* old : held) {
        if (old->stamp + 1 > held_limit) held_limit = old->stamp + 1;
    }
    if (!is_held(state)) {
        ++state->stamp;
        return true;
    }
    // Room for every chunk that this edit could retire is made as they come; here only the new state.
    if (!held.reserve(held.size() + 1)) return false;
    void* memory = allocator.allocate(sizeof(StateData), alignof(StateData), allocator.user);
    if (memory == nullptr) return false;
    auto* next = new (memory) StateData;
    next->chunks = Array<std::uint64_t*>(allocator);
    if (!next->chunks.assign(state->chunks.span())) {
        next->~StateData();
        allocator.release(memory, sizeof(StateData), alignof(StateData), allocator.user);
        return false;
    }
    next->width = state->width;
    next->height = state->height;
    next->layers = state->layers;
    next->origin = state->origin;
    next->cell_size = state->cell_size;
    next->wrap_x = state->wrap_x;
    next->wrap_y = state->wrap_y;
    next->corner = state->corner;
    next->rows = state->rows;
    next->cols = state->cols;
    next->revision = state->revision;
    next->stamp = state->stamp + 1;
    next->rough_cells = state->rough_cells;
    std::memcpy(next->costs, state->costs, sizeof next->costs);
    for (std::int32_t i = 0; i < kBodiesMax; ++i) next->bodies[i] = state->bodies[i];
    next->body_count = state->body_count;
    for (std::int32_t i = 0; i < kBodiesMax; ++i) next->half_bodies[i] = state->half_bodies[i];
    next->half_count = state->half_count;
    next->half_rows = state->half_rows;
    next->half_cols = state->half_cols;
    next->clearance_at = state->clearance_at;
    next->tiles_at = state->tiles_at;
    next->top_at = state->top_at;
    next->portals = state->portals;
    next->portal_count = state->portal_count;
    next->portal_tables = state->portal_tables;
    if (!held.push_back(state)) return false;  // reserved above
    state = next;
    return true;
}

std::uint64_t* EditorData::make_chunk(std::size_t words) {
    std::uint64_t* const payload = make_raw_chunk(words);
    if (payload != nullptr) std::memset(payload, 0, words * sizeof(std::uint64_t));
    return payload;
}

std::uint64_t* EditorData::make_raw_chunk(std::size_t words) {
    const std::size_t bytes = sizeof(ChunkHeader) + words * sizeof(std::uint64_t);
    void* memory = allocator.allocate(bytes, kAlignment, allocator.user);
    if (memory == nullptr) return nullptr;
    auto* header = new (memory) ChunkHeader{state->stamp, words, 0, 0};
    return reinterpret_cast<std::uint64_t*>(header + 1);
}

void EditorData::free_chunk(std::uint64_t* payload) {
    if (payload == nullptr) return;
    ChunkHeader* header = &header_of(payload);
    allocator.release(header, sizeof(ChunkHeader) + payload_bytes(*header), kAlignment, allocator.user);
}

void EditorData::retire(std::uint64_t* payload) {
    if (payload == nullptr) return;
    // The slot was reserved by own() or put().
    const bool pushed = retired.push_back({payload, header_of(payload).birth, state->stamp});
    FAIRLEAD_ASSERT(pushed);
}

bool EditorData::own(std::uint32_t index) {
    std::uint64_t* chunk = state->chunks[index];
    if (chunk == nullptr || header_of(chunk).birth >= held_limit) return true;
    if (!retired.reserve(retired.size() + 1)) return false;
    std::uint64_t* copy = make_raw_chunk(static_cast<std::size_t>(header_of(chunk).words));
    if (copy == nullptr) return false;
    std::memcpy(copy, chunk, payload_bytes(header_of(chunk)));
    retire(chunk);
    state->chunks[index] = copy;
    return true;
}

bool EditorData::put(std::uint32_t index, std::span<const std::uint64_t> words) {
    std::uint64_t* chunk = state->chunks[index];
    if (chunk != nullptr && header_of(chunk).birth >= held_limit && header_of(chunk).words >= words.size()) {
        std::memcpy(chunk, words.data(), words.size_bytes());
        return true;
    }
    if (!retired.reserve(retired.size() + 1)) return false;
    // What is edited gets a little room to grow, so that most later edits stay in place; and never less than before, so
    // that an edit that fails half way can put the old words back.
    std::size_t room = words.size();
    if (chunk != nullptr) {
        const auto before = static_cast<std::size_t>(header_of(chunk).words);
        room = room + room / 8 > before ? room + room / 8 : before;
    }
    std::uint64_t* made = make_chunk(room);
    if (made == nullptr) return false;
    std::memcpy(made, words.data(), words.size_bytes());
    if (chunk != nullptr && header_of(chunk).birth >= held_limit) {
        free_chunk(chunk);
    } else {
        retire(chunk);
    }
    state->chunks[index] = made;
    return true;
}

void EditorData::destroy() {
    if (state != nullptr) {
        FAIRLEAD_ASSERT(!is_held(state));
        sweep();
        FAIRLEAD_ASSERT(held.empty() && retired.empty());
        for (std::uint64_t* chunk : state->chunks) {
            if (chunk != guard && chunk != half_guard) free_chunk(chunk);
        }
        state->~StateData();
        allocator.release(state, sizeof(StateData), alignof(StateData), allocator.user);
        state = nullptr;
    }
    free_chunk(guard);
    free_chunk(half_guard);
    guard = half_guard = nullptr;
}

}  // namespace fairlead::grid
