// What follows from a draft's edits: summaries, boxes, connectivity.

#include "roadmap/editor.h"

namespace fairlead::roadmap {

namespace {

// How many waypoints a search for a way round a lost edge may meet before the index is rather made anew.
constexpr std::size_t kDetourMax = 256;

[[nodiscard]] bool settle_boxes(EditorData& editor) {
    StateData& draft = *editor.draft;
    const auto chunks = static_cast<std::uint32_t>(draft.chunks.size());
    const bool grown = draft.tree.items != chunks;
    bool ours = draft.boxes != nullptr && draft.boxes->block.birth == draft.revision;
    if (grown && !ours) {
        const BoxTree tree = BoxTree::over(chunks);
        auto* made = editor.make_as<ChunkBoxes>(sizeof(ChunkBoxes) + tree.size * sizeof(Aabb));
        if (made == nullptr) return false;
        for (std::uint32_t i = 0; i < draft.tree.items; ++i) made->boxes()[i] = draft.boxes->boxes()[i];
        for (std::uint32_t i = draft.tree.items; i < chunks; ++i) made->boxes()[i] = kNoBox;
        if (draft.boxes != nullptr && !editor.give_up(&draft.boxes->block)) {
            editor.discard(&made->block);
            return false;
        }
        tree.build(made->boxes());
        draft.tree = tree;
        draft.boxes = made;
        ours = true;
    }
    for (const std::uint32_t place : editor.touched) {
        Aabb box;
        summarise(draft, *draft.chunks[place], box);
        draft.chunks[place]->touched = 0;
        if (draft.boxes->boxes()[place] == box) continue;
        if (!ours) {
            auto* made = editor.make_as<ChunkBoxes>(draft.boxes->block.bytes);
            if (made == nullptr) return false;
            for (std::uint32_t i = 0; i < draft.tree.size; ++i) made->boxes()[i] = draft.boxes->boxes()[i];
            if (!editor.give_up(&draft.boxes->block)) {
                editor.discard(&made->block);
                return false;
            }
            draft.boxes = made;
            ours = true;
        }
        draft.boxes->boxes()[place] = box;
        draft.tree.update(draft.boxes->boxes(), place);
    }
    editor.touched.clear();
    draft.summary = {};
    for (const NodeChunk* chunk : draft.chunks) draft.summary.include(chunk->summary);
    return true;
}

// Is there still a way where an edge has gone? Breadth first, as far as kDetourMax waypoints.
enum class Detour : std::uint8_t { found, none_near, no_memory };

[[nodiscard]] Detour find_detour(EditorData& editor, LostArc lost) {
    const StateData& draft = *editor.draft;
    Array<std::uint32_t>& met = editor.met;
    met.clear();
    if (!met.push_back(lost.from)) return Detour::no_memory;
    for (std::size_t next = 0; next < met.size() && met.size() < kDetourMax; ++next) {
        for (const RoadmapArc& arc : draft.arcs(met[next])) {
            if (arc.to.value == lost.to) return Detour::found;
            bool known = false;
            for (const std::uint32_t other : met) known = known || other == arc.to.value;
            if (!known && !met.push_back(arc.to.value)) return Detour::no_memory;
        }
    }
    return Detour::none_near;
}

[[nodiscard]] bool settle_reach(EditorData& editor) {
    StateData& draft = *editor.draft;
    for (std::size_t i = 0; i < editor.lost.size() && !editor.reach_changed; ++i) {
        const Detour detour = find_detour(editor, editor.lost[i]);
        if (detour == Detour::no_memory) return false;
        editor.reach_changed = detour == Detour::none_near;
    }
    if (!editor.reach_changed) return true;
    const auto make = [](std::size_t bytes, void* user) -> void* {
        return static_cast<EditorData*>(user)->make_as<ReachIndex>(bytes);
    };
    ReachIndex* made = build_reach(draft, editor.allocator, {make, &editor});
    if (made == nullptr) return false;
    if (draft.reach != nullptr && !editor.give_up(&draft.reach->block)) {
        editor.discard(&made->block);
        return false;
    }
    draft.reach = made;
    return true;
}

}  // namespace

bool settle(EditorData& editor) {
    if (!settle_boxes(editor) || !settle_reach(editor)) return false;
    // So that commit() cannot fail.
    return editor.ready();
}

}  // namespace fairlead::roadmap
