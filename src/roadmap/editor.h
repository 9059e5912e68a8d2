// EditorData: the owner's side of a roadmap: which revisions and which pieces of memory are still needed.
//
// A new revision is built beside the current one and shares all blocks that it does not change. While it is
// built it is the *draft*; committing makes it the current state, dropping it leaves no trace. So nothing is
// ever undone, and an error or a lack of memory half way is no special case.
//
// A block that a new revision does without is freed at once if no snapshot needs it, otherwise it waits
// (retired) until every snapshot between its birth and its replacement is released. Only the editing thread
// allocates, retires and frees; releasing a snapshot is one atomic decrement, and its memory is swept up by a
// later edit.
#pragma once

#include <cstdint>
#include <new>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>

#include "roadmap/reach.h"
#include "roadmap/state.h"

namespace fairlead::roadmap {

struct RetiredBlock {
    Block* block = nullptr;
    std::uint64_t death = 0;  ///< needed by held revisions in [birth, death)
};

/// The far ends of an edge's direction that is gone.
struct LostArc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

struct EditorData {
    explicit EditorData(const Allocator& a)
        : allocator(a),
          held(a),
          retired(a),
          replaced(a),
          touched(a),
          lost(a),
          arcs(a),
          ins(a),
          queue(a),
          met(a) {}

    Allocator allocator;
    StateData* state = nullptr;  ///< the current revision
    Array<StateData*> held;      ///< older revisions that snapshots hold, or held until the last sweep
    Array<RetiredBlock> retired;

    // The draft and what is known about it.
    StateData* draft = nullptr;
    Array<Block*> replaced;        ///< blocks of older revisions that the draft does without
    Array<std::uint32_t> touched;  ///< chunks whose summary and box are out of date
    Array<LostArc> lost;
    bool reach_changed = false;  ///< the reach index no longer holds
    bool changed = false;        ///< it differs from the current state
    std::uint32_t room_at = 0;   ///< chunk to look at first for an empty slot

    // Buffers.
    Array<RoadmapArc> arcs;
    Array<WaypointSlot> ins;
    Array<std::uint32_t> queue;
    Array<std::uint32_t> met;

    /// A draft that equals the current state. False: out of memory.
    [[nodiscard]] bool begin();
    /// The draft becomes the current state.
    void commit();
    /// Forgets the draft and what was made for it.
    void drop();

    /// A zeroed block, born in the draft's revision; null when memory runs out.
    [[nodiscard]] void* make_block(std::size_t bytes);
    /// The same as a T, which starts with its Block.
    template <class T>
    [[nodiscard]] T* make_as(std::size_t bytes = sizeof(T)) {
        void* memory = make_block(bytes);
        if (memory == nullptr) return nullptr;
        T* made = new (memory) T;
        made->block = {draft->revision, bytes};
        return made;
    }
    /// The draft does without this block from now on. False: out of memory.
    [[nodiscard]] bool give_up(Block* block);
    void free_block(Block* block);

    /// Frees what no snapshot needs any more.
    void sweep();
    /// Ends the life of everything. All snapshots must have been released.
    void destroy();

  private:
    void free_state(StateData* old);
    [[nodiscard]] bool needed(std::uint64_t birth, std::uint64_t death) const;
};

/// Builds the first revision as the draft, from checked or unchecked input.
[[nodiscard]] Result<void> build(EditorData& editor, const RoadmapOptions& options);

/// Brings the summaries, boxes and the reach index of the draft up to date. False: out of memory.
[[nodiscard]] bool settle(EditorData& editor);

/// Makes one edit on the draft.
[[nodiscard]] Result<void> edit(EditorData& editor, const RoadmapEdit& change);

/// Checks of input, shared by making and editing. Error::index is -1.
[[nodiscard]] Result<void> check_node(const Waypoint& node);
/// Not whether its ends exist.
[[nodiscard]] Result<void> check_edge(const WaypointEdge& edge);
/// The cost of an edge that runs from a to b.
[[nodiscard]] Result<double> edge_cost(const WaypointEdge& edge, Vec3 a, Vec3 b);

}  // namespace fairlead::roadmap
