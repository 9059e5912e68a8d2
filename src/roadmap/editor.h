// EditorData: the owner's side of a roadmap: its revisions, and what is known of the one that is being made.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>

#include "base/revisions.h"
#include "roadmap/reach.h"
#include "roadmap/state.h"
#include "roadmap/walls.h"

namespace fairlead::roadmap {

/// The far ends of an edge's direction that is gone.
struct LostArc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

struct EditorData : Revisions<StateData> {
    explicit EditorData(const Allocator& a)
        : Revisions(a), touched(a), lost(a), arcs(a), ins(a), queue(a), met(a) {}

    // What is known about the draft.
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
    [[nodiscard]] bool begin() {
        changed = reach_changed = false;
        touched.clear();
        lost.clear();
        return Revisions::begin();
    }
    /// make_block as a T, which starts with its Block.
    template <class T>
    [[nodiscard]] T* make_as(std::size_t bytes = sizeof(T)) {
        void* memory = make_block(bytes);
        if (memory == nullptr) return nullptr;
        T* made = new (memory) T;
        made->block = {draft->revision, bytes};
        return made;
    }
};

/// Builds the first revision as the draft, from checked or unchecked input.
[[nodiscard]] Result<void> build(EditorData& editor, const RoadmapOptions& options);

/// Brings the summaries, boxes and the reach index of the draft up to date. False: out of memory.
[[nodiscard]] bool settle(EditorData& editor);

/// Makes one edit on the draft.
[[nodiscard]] Result<void> edit(EditorData& editor, const RoadmapEdit& change);

/// Checks of input, shared by making and editing. Error::index is -1.
[[nodiscard]] Result<void> check_node(const Waypoint& node);
/// Not whether its ends exist. `roads`: may be null.
[[nodiscard]] Result<void> check_edge(const WaypointEdge& edge, const RoadSet* roads);
[[nodiscard]] Result<void> check_road(const RoadKind& road);
/// The cost of an edge that runs from a to b.
[[nodiscard]] Result<double> edge_cost(const WaypointEdge& edge, Vec3 a, Vec3 b);

template <class Visit>
void StateData::each_block(Visit visit) const {
    for (NodeChunk* chunk : chunks) visit(&chunk->block);
    for (IdChunk* chunk : ids) visit(&chunk->block);
    if (boxes != nullptr) visit(&boxes->block);
    if (reach != nullptr) visit(&reach->block);
    if (walls != nullptr) visit(&walls->block);
    if (roads != nullptr) visit(&roads->block);
}

}  // namespace fairlead::roadmap
