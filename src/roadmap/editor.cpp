#include "roadmap/editor.h"

#include <cstring>
#include <new>

#include "roadmap/walls.h"

namespace fairlead::roadmap {

namespace {

constexpr std::size_t kAlignment = 16;

bool is_held(const StateData* state) { return state->held.load(std::memory_order_acquire) != 0; }

// Every block that a state consists of.
template <class Visit>
void each_block(const StateData& state, Visit visit) {
    for (NodeChunk* chunk : state.chunks) visit(&chunk->block);
    for (IdChunk* chunk : state.ids) visit(&chunk->block);
    if (state.boxes != nullptr) visit(&state.boxes->block);
    if (state.reach != nullptr) visit(&state.reach->block);
    if (state.walls != nullptr) visit(&state.walls->block);
}

}  // namespace

void* EditorData::make_block(std::size_t bytes) {
    void* memory = allocator.allocate(bytes, kAlignment, allocator.user);
    if (memory == nullptr) return nullptr;
    std::memset(memory, 0, bytes);
    return new (memory) Block{draft->revision, bytes};
}

void EditorData::free_block(Block* block) {
    allocator.release(block, block->bytes, kAlignment, allocator.user);
}

bool EditorData::give_up(Block* block) {
    if (block == nullptr) return true;
    if (block->birth == draft->revision) {
        free_block(block);
        return true;
    }
    return replaced.push_back(block);
}

void EditorData::free_state(StateData* old) {
    old->~StateData();
    allocator.release(old, sizeof(StateData), alignof(StateData), allocator.user);
}

bool EditorData::needed(std::uint64_t birth, std::uint64_t death) const {
    for (const StateData* old : held) {
        if (old->revision >= birth && old->revision < death) return true;
    }
    return false;
}

void EditorData::sweep() {
    std::size_t kept = 0;
    for (StateData* old : held) {
        if (is_held(old)) {
            held[kept++] = old;
        } else {
            free_state(old);
        }
    }
    while (held.size() > kept) held.pop_back();

    kept = 0;
    for (const RetiredBlock& waiting : retired) {
        if (needed(waiting.block->birth, waiting.death)) {
            retired[kept++] = waiting;
        } else {
            free_block(waiting.block);
        }
    }
    while (retired.size() > kept) retired.pop_back();
}

bool EditorData::begin() {
    sweep();
    changed = reach_changed = false;
    replaced.clear();
    touched.clear();
    lost.clear();
    if (!held.reserve(held.size() + 1)) return false;
    void* memory = allocator.allocate(sizeof(StateData), alignof(StateData), allocator.user);
    if (memory == nullptr) return false;
    draft = new (memory) StateData(allocator);
    if (state == nullptr) return true;
    draft->revision = state->revision + 1;
    draft->tree = state->tree;
    draft->boxes = state->boxes;
    draft->reach = state->reach;
    draft->walls = state->walls;
    draft->summary = state->summary;
    if (!draft->chunks.assign(state->chunks.span()) || !draft->ids.assign(state->ids.span())) {
        free_state(draft);
        draft = nullptr;
        return false;
    }
    return true;
}

void EditorData::commit() {
    StateData* old = state;
    state = draft;
    draft = nullptr;
    if (old == nullptr) return;
    if (is_held(old)) {
        const bool pushed = held.push_back(old);
        FAIRLEAD_ASSERT(pushed);  // reserved by begin()
    } else {
        free_state(old);
    }
    for (Block* block : replaced) {
        // settle() has reserved the room.
        if (!needed(block->birth, state->revision)) {
            free_block(block);
        } else {
            const bool pushed = retired.push_back({block, state->revision});
            FAIRLEAD_ASSERT(pushed);
        }
    }
    replaced.clear();
}

void EditorData::drop() {
    if (draft == nullptr) return;
    // Revision 0 owns all its blocks.
    each_block(*draft, [this](Block* block) {
        if (block->birth == draft->revision) free_block(block);
    });
    free_state(draft);
    draft = nullptr;
    replaced.clear();
}

void EditorData::destroy() {
    if (state == nullptr) return;
    FAIRLEAD_ASSERT(!is_held(state));
    sweep();
    FAIRLEAD_ASSERT(held.empty() && retired.empty());
    each_block(*state, [this](Block* block) { free_block(block); });
    free_state(state);
    state = nullptr;
}

}  // namespace fairlead::roadmap
