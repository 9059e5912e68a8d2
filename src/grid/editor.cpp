#include "grid/editor.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "grid/connectivity.h"

namespace fairlead::grid {

namespace {

constexpr std::size_t kAlignment = 16;

/// It was allocated, so it fits.
std::size_t payload_bytes(const ChunkHeader& header) {
    return static_cast<std::size_t>(header.words) * sizeof(std::uint64_t);
}

// The leaf of an index over width x height places that a place lies in.
PortalEnd portal_end(Cell place, std::int32_t width, std::int32_t height) {
    const std::int32_t across = blocks_across(width, 0);
    const std::int32_t down = blocks_across(height, 0);
    const std::int32_t leaf =
        (place.layer * down + (place.y >> kLeafShift)) * across + (place.x >> kLeafShift);
    const std::int32_t cell = (place.y & (kLeafSide - 1)) * kLeafSide + (place.x & (kLeafSide - 1));
    return {static_cast<std::uint32_t>(leaf), static_cast<std::uint16_t>(cell)};
}

void sort_ends(Array<PortalEnd>& ends) {
    std::sort(ends.begin(), ends.end(),  // total order
              [](const PortalEnd& a, const PortalEnd& b) {
                  return a.leaf != b.leaf ? a.leaf < b.leaf : a.cell < b.cell;
              });
}

bool is_held(const StateData* state) { return state->held.load(std::memory_order_acquire) != 0; }

}  // namespace

bool copy_state(StateData& to, const StateData& from) {
    if (!to.chunks.assign(from.chunks.span())) return false;
    to.width = from.width;
    to.height = from.height;
    to.layers = from.layers;
    to.origin = from.origin;
    to.cell_size = from.cell_size;
    to.wrap_x = from.wrap_x;
    to.wrap_y = from.wrap_y;
    to.hierarchy = from.hierarchy;
    to.corner = from.corner;
    to.rows = from.rows;
    to.cols = from.cols;
    to.revision = from.revision;
    to.stamp = from.stamp;
    to.rough_cells = from.rough_cells;
    std::memcpy(to.costs, from.costs, sizeof to.costs);
    for (std::int32_t i = 0; i < kBodiesMax; ++i) to.bodies[i] = from.bodies[i];
    to.body_count = from.body_count;
    for (std::int32_t i = 0; i < kBodiesMax; ++i) to.half_bodies[i] = from.half_bodies[i];
    to.half_count = from.half_count;
    to.half_rows = from.half_rows;
    to.half_cols = from.half_cols;
    to.clearance_at = from.clearance_at;
    to.tiles_at = from.tiles_at;
    to.top_at = from.top_at;
    to.portals = from.portals;
    to.portal_count = from.portal_count;
    to.portal_tables = from.portal_tables;
    return true;
}

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
    if (draft) return true;
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
    if (!copy_state(*next, *state)) {
        next->~StateData();
        allocator.release(memory, sizeof(StateData), alignof(StateData), allocator.user);
        return false;
    }
    next->stamp = state->stamp + 1;
    if (!held.push_back(state)) return false;  // reserved above
    state = next;
    return true;
}

bool EditorData::list_portal_ends() {
    portal_ends.clear();
    half_portal_ends.clear();
    for (std::size_t i = 0; i < state->portal_count; ++i) {
        for (const Cell& c : {state->portals[i].from, state->portals[i].to}) {
            const Cell point{2 * c.x + 1, 2 * c.y + 1, c.layer};
            if (!portal_ends.push_back(portal_end(c, state->width, state->height)) ||
                !half_portal_ends.push_back(
                    portal_end(point, state->half_rows.length, state->half_rows.lines)))
                return false;
        }
    }
    sort_ends(portal_ends);
    sort_ends(half_portal_ends);
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
