// One edit of a draft: which chunks it rewrites, and what it may do to connectivity.

#include <utility>

#include "base/no_memory.h"
#include "roadmap/editor.h"
#include "roadmap/id_list.h"

namespace fairlead::roadmap {

namespace {

Error unknown(WaypointId id) { return {ErrorCode::unknown_id, -1, id.value}; }

// Rewrites the chunk of a slot with another record and other lists for that slot; the lists are not the
// chunk's own.
[[nodiscard]] bool put_node(EditorData& editor, std::uint32_t slot, std::int64_t id, Vec3 position,
                            std::span<const RoadmapArc> arcs, std::span<const WaypointSlot> ins) {
    const std::uint32_t place = slot >> kChunkShift;
    NodeChunk* const old = editor.draft->chunks[place];
    const NodeRecord& before = old->nodes[slot & (kChunkNodes - 1)];
    const std::size_t arc_total = old->arc_total - before.arc_count + arcs.size();
    const std::size_t in_total = old->in_total - before.in_count + ins.size();
    const bool first_touch = old->touched == 0;
    if (!editor.touched.reserve(editor.touched.size() + 1)) return false;
    auto* made = editor.make_as<NodeChunk>(NodeChunk::bytes(arc_total, in_total));
    if (made == nullptr) return false;
    made->arc_total = static_cast<std::uint32_t>(arc_total);
    made->in_total = static_cast<std::uint32_t>(in_total);
    made->summary = old->summary;
    made->touched = 1;
    std::uint32_t arc_at = 0;
    std::uint32_t in_at = 0;
    for (std::uint32_t i = 0; i < kChunkNodes; ++i) {
        const bool ours = i == (slot & (kChunkNodes - 1));
        const NodeRecord& from = old->nodes[i];
        const RoadmapArc* arc_from = ours ? arcs.data() : old->arcs() + from.arc_first;
        const WaypointSlot* in_from = ours ? ins.data() : old->ins() + from.in_first;
        const auto arc_count = ours ? static_cast<std::uint32_t>(arcs.size()) : from.arc_count;
        const auto in_count = ours ? static_cast<std::uint32_t>(ins.size()) : from.in_count;
        made->nodes[i] = {
            ours ? position : from.position, ours ? id : from.id, arc_at, arc_count, in_at, in_count};
        for (std::uint32_t k = 0; k < arc_count; ++k) made->arcs()[arc_at++] = arc_from[k];
        for (std::uint32_t k = 0; k < in_count; ++k) made->ins()[in_at++] = in_from[k];
    }
    if (!editor.give_up(&old->block)) {
        editor.discard(&made->block);
        return false;
    }
    editor.draft->chunks[place] = made;
    editor.changed = true;
    return !first_touch || editor.touched.push_back(place);
}

// With other arcs only. `arcs` may be the editor's buffer.
[[nodiscard]] bool put_arcs(EditorData& editor, std::uint32_t slot, std::span<const RoadmapArc> arcs) {
    const NodeRecord& record = editor.draft->node(slot);
    if (!editor.ins.assign(editor.draft->ins(slot))) return false;
    return put_node(editor, slot, record.id, record.position, arcs, editor.ins.span());
}

[[nodiscard]] bool put_ins(EditorData& editor, std::uint32_t slot, std::span<const WaypointSlot> ins) {
    const NodeRecord& record = editor.draft->node(slot);
    if (!editor.arcs.assign(editor.draft->arcs(slot))) return false;
    return put_node(editor, slot, record.id, record.position, editor.arcs.span(), ins);
}

// ---- waypoints
// ---------------------------------------------------------------------------------------------

[[nodiscard]] std::uint32_t empty_in(const NodeChunk& chunk) {
    if (chunk.touched == 0 && chunk.summary.nodes == kChunkNodes) return kNoSlot;
    for (std::uint32_t i = 0; i < kChunkNodes; ++i) {
        if (chunk.nodes[i].id == WaypointId::kNone) return i;
    }
    return kNoSlot;
}

// A slot with nothing in it; kNoSlot: out of memory.
[[nodiscard]] std::uint32_t empty_slot(EditorData& editor) {
    StateData& draft = *editor.draft;
    const auto chunks = static_cast<std::uint32_t>(draft.chunks.size());
    for (std::uint32_t k = 0; k < chunks; ++k) {
        const std::uint32_t place = (editor.room_at + k) % chunks;
        const std::uint32_t i = empty_in(*draft.chunks[place]);
        if (i == kNoSlot) continue;
        editor.room_at = place;
        return (place << kChunkShift) + i;
    }
    if (!draft.chunks.reserve(chunks + 1)) return kNoSlot;
    auto* made = editor.make_as<NodeChunk>(NodeChunk::bytes(0, 0));
    if (made == nullptr || !draft.chunks.push_back(made)) return kNoSlot;
    editor.room_at = chunks;
    return chunks << kChunkShift;
}

Result<void> add_node(EditorData& editor, const Waypoint& node) {
    const Result<void> checked = check_node(node);
    if (!checked) return checked;
    if (editor.draft->find(node.id.value) != kNoSlot)
        return Error{ErrorCode::duplicate_id, -1, node.id.value};
    if (editor.draft->summary.nodes >= kWaypointsMax) return Error{ErrorCode::size_limit, -1, kWaypointsMax};
    const std::uint32_t slot = empty_slot(editor);
    if (slot == kNoSlot || !insert_id(editor, node.id.value, slot) ||
        !put_node(editor, slot, node.id.value, node.position, {}, {})) {
        return kNoMemory;
    }
    ++editor.draft->summary.nodes;
    return {};
}

// Prices the straight arcs of one waypoint anew after it or `moved` has moved, and has its chunk summed up
// again.
Result<void> reprice(EditorData& editor, std::uint32_t slot, std::uint32_t moved) {
    StateData& draft = *editor.draft;
    if (!editor.arcs.assign(draft.arcs(slot))) return kNoMemory;
    for (RoadmapArc& arc : editor.arcs) {
        if (!arc.straight || (slot != moved && arc.to.value != moved)) continue;
        const Result<double> cost =
            edge_cost({}, draft.node(slot).position, draft.node(arc.to.value).position);
        if (!cost) return cost.error();
        arc.cost = *cost;
    }
    // The order among parallel arcs may have changed: insertion sort, they are few and nearly in order.
    RoadmapArc* arcs = editor.arcs.data();
    const auto id = [&draft](const RoadmapArc& arc) { return draft.node(arc.to.value).id; };
    for (std::size_t i = 1; i < editor.arcs.size(); ++i) {
        for (std::size_t k = i; k > 0 && arc_before(arcs[k], id(arcs[k]), arcs[k - 1], id(arcs[k - 1]));
             --k) {
            std::swap(arcs[k], arcs[k - 1]);
        }
    }
    if (!put_arcs(editor, slot, editor.arcs.span())) return kNoMemory;
    return {};
}

Result<void> move_node(EditorData& editor, const Waypoint& node) {
    StateData& draft = *editor.draft;
    const Result<void> checked = check_node(node);
    if (!checked) return checked;
    const std::uint32_t slot = draft.find(node.id.value);
    if (slot == kNoSlot) return unknown(node.id);
    if (draft.node(slot).position == node.position) return {};
    if (!editor.arcs.assign(draft.arcs(slot)) || !editor.ins.assign(draft.ins(slot)) ||
        !put_node(editor, slot, node.id.value, node.position, editor.arcs.span(), editor.ins.span())) {
        return kNoMemory;
    }
    Result<void> done = reprice(editor, slot, slot);
    for (std::uint32_t i = 0; done && i < draft.node(slot).in_count; ++i) {
        done = reprice(editor, draft.ins(slot)[i].value, slot);
    }
    return done;
}

// ---- edges
// -------------------------------------------------------------------------------------------------

[[nodiscard]] bool add_arrival(EditorData& editor, std::uint32_t from, std::uint32_t to) {
    StateData& draft = *editor.draft;
    editor.ins.clear();
    bool placed = false;
    for (const WaypointSlot in : draft.ins(to)) {
        if (in.value == from) return true;
        if (!placed && draft.node(in.value).id > draft.node(from).id) {
            if (!editor.ins.push_back({from})) return false;
            placed = true;
        }
        if (!editor.ins.push_back(in)) return false;
    }
    if (!placed && !editor.ins.push_back({from})) return false;
    return put_ins(editor, to, editor.ins.span());
}

[[nodiscard]] bool remove_arrival(EditorData& editor, std::uint32_t from, std::uint32_t to) {
    editor.ins.clear();
    for (const WaypointSlot in : editor.draft->ins(to)) {
        if (in.value != from && !editor.ins.push_back(in)) return false;
    }
    return put_ins(editor, to, editor.ins.span());
}

// Puts an arc where it belongs among those in the editor's buffer.
[[nodiscard]] bool place_arc(EditorData& editor, const RoadmapArc& arc) {
    const StateData& draft = *editor.draft;
    const auto id = [&draft](const RoadmapArc& a) { return draft.node(a.to.value).id; };
    if (!editor.arcs.push_back(arc)) return false;
    RoadmapArc* arcs = editor.arcs.data();
    for (std::size_t k = editor.arcs.size() - 1;
         k > 0 && arc_before(arc, id(arc), arcs[k - 1], id(arcs[k - 1])); --k) {
        arcs[k] = arcs[k - 1];
        arcs[k - 1] = arc;
    }
    return true;
}

RoadmapArc arc_of(const WaypointEdge& edge, std::uint32_t to, double cost) {
    return {cost, {to}, edge.label, edge.flags, edge.kind, edge.link, edge.cost == kStraightCost};
}

[[nodiscard]] bool add_arc(EditorData& editor, std::uint32_t from, const RoadmapArc& arc) {
    StateData& draft = *editor.draft;
    // The index stays true if it says that the new arc leads nowhere new.
    if (quick_reach(draft.reach, from, arc.to.value) != Reach::yes) editor.reach_changed = true;
    if (!editor.arcs.assign(draft.arcs(from)) || !place_arc(editor, arc) ||
        !put_arcs(editor, from, editor.arcs.span())) {
        return false;
    }
    ++draft.summary.arcs;
    return add_arrival(editor, from, arc.to.value);
}

struct Ends {
    std::uint32_t from = kNoSlot;
    std::uint32_t to = kNoSlot;
};

Result<Ends> find_ends(const StateData& state, const WaypointEdge& edge) {
    const Ends ends{state.find(edge.from.value), state.find(edge.to.value)};
    if (ends.from == kNoSlot) return unknown(edge.from);
    if (ends.to == kNoSlot) return unknown(edge.to);
    return ends;
}

Result<void> add_edge(EditorData& editor, const WaypointEdge& edge) {
    StateData& draft = *editor.draft;
    const Result<void> checked = check_edge(edge, editor.draft->roads);
    if (!checked) return checked;
    const Result<Ends> ends = find_ends(draft, edge);
    if (!ends) return ends.error();
    const Result<double> cost =
        edge_cost(edge, draft.node(ends->from).position, draft.node(ends->to).position);
    if (!cost) return cost.error();
    if (draft.summary.arcs + 2 > kArcsMax) return Error{ErrorCode::size_limit, -1, kArcsMax};
    if (!add_arc(editor, ends->from, arc_of(edge, ends->to, *cost))) return kNoMemory;
    if (!edge.one_way && !add_arc(editor, ends->to, arc_of(edge, ends->from, *cost))) return kNoMemory;
    return {};
}

// Removes the arcs of one direction with this label; says how many.
Result<std::uint32_t> remove_arcs(EditorData& editor, std::uint32_t from, std::uint32_t to,
                                  std::uint32_t label) {
    StateData& draft = *editor.draft;
    std::uint32_t removed = 0;
    bool others = false;
    editor.arcs.clear();
    for (const RoadmapArc& arc : draft.arcs(from)) {
        if (arc.to.value == to && arc.label == label) {
            ++removed;
            continue;
        }
        others = others || arc.to.value == to;
        if (!editor.arcs.push_back(arc)) return kNoMemory;
    }
    if (removed == 0) return removed;
    if (!put_arcs(editor, from, editor.arcs.span())) return kNoMemory;
    draft.summary.arcs -= removed;
    if (!others && (!editor.lost.push_back({from, to}) || !remove_arrival(editor, from, to)))
        return kNoMemory;
    return removed;
}

Result<void> remove_edge(EditorData& editor, const WaypointEdge& edge) {
    const Result<Ends> ends = find_ends(*editor.draft, edge);
    if (!ends) return ends.error();
    const Result<std::uint32_t> there = remove_arcs(editor, ends->from, ends->to, edge.label);
    if (!there) return there.error();
    std::uint32_t count = *there;
    if (!edge.one_way && ends->from != ends->to) {
        const Result<std::uint32_t> back = remove_arcs(editor, ends->to, ends->from, edge.label);
        if (!back) return back.error();
        count += *back;
    }
    if (count == 0) return unknown(edge.to);
    return {};
}

// Gives the arcs of one direction with this label other properties; says how many there are.
Result<std::uint32_t> change_arcs(EditorData& editor, std::uint32_t from, std::uint32_t to,
                                  const WaypointEdge& edge) {
    StateData& draft = *editor.draft;
    const Result<double> cost = edge_cost(edge, draft.node(from).position, draft.node(to).position);
    if (!cost) return cost.error();
    const RoadmapArc changed = arc_of(edge, to, *cost);
    std::uint32_t count = 0;
    bool same = true;
    editor.arcs.clear();
    for (const RoadmapArc& arc : draft.arcs(from)) {
        const bool meant = arc.to.value == to && arc.label == edge.label;
        if (meant) ++count;
        same = same && (!meant || arc == changed);
        if (!place_arc(editor, meant ? changed : arc)) return kNoMemory;
    }
    if (!same && !put_arcs(editor, from, editor.arcs.span())) return kNoMemory;
    return count;
}

Result<void> change_edge(EditorData& editor, const WaypointEdge& edge) {
    const Result<void> checked = check_edge(edge, editor.draft->roads);
    if (!checked) return checked;
    const Result<Ends> ends = find_ends(*editor.draft, edge);
    if (!ends) return ends.error();
    const Result<std::uint32_t> there = change_arcs(editor, ends->from, ends->to, edge);
    if (!there) return there.error();
    std::uint32_t count = *there;
    if (!edge.one_way) {
        const Result<std::uint32_t> back = change_arcs(editor, ends->to, ends->from, edge);
        if (!back) return back.error();
        count += *back;
    }
    if (count == 0) return unknown(edge.to);
    return {};
}

Result<void> remove_node(EditorData& editor, WaypointId id) {
    StateData& draft = *editor.draft;
    const std::uint32_t slot = draft.find(id.value);
    if (slot == kNoSlot) return unknown(id);
    const NodeRecord record = draft.node(slot);
    if (record.arc_count != 0 || record.in_count != 0) editor.reach_changed = true;
    std::uint32_t arcs_gone = record.arc_count;
    editor.queue.clear();
    for (const WaypointSlot in : draft.ins(slot)) {
        if (!editor.queue.push_back(in.value)) return kNoMemory;
    }
    for (const std::uint32_t from : editor.queue) {
        editor.arcs.clear();
        for (const RoadmapArc& arc : draft.arcs(from)) {
            if (arc.to.value != slot && !editor.arcs.push_back(arc)) return kNoMemory;
        }
        arcs_gone += draft.node(from).arc_count - static_cast<std::uint32_t>(editor.arcs.size());
        if (!put_arcs(editor, from, editor.arcs.span())) return kNoMemory;
    }
    for (std::uint32_t i = 0; i < record.arc_count; ++i) {
        if (!remove_arrival(editor, slot, draft.arcs(slot)[i].to.value)) return kNoMemory;
    }
    if (!remove_id(editor, id.value) || !put_node(editor, slot, WaypointId::kNone, {}, {}, {}))
        return kNoMemory;
    --draft.summary.nodes;
    draft.summary.arcs -= arcs_gone;
    return {};
}

}  // namespace

Result<void> edit(EditorData& editor, const RoadmapEdit& change) {
    switch (change.kind) {
        case RoadmapEdit::Kind::add_node: return add_node(editor, change.node);
        case RoadmapEdit::Kind::move_node: return move_node(editor, change.node);
        case RoadmapEdit::Kind::remove_node: return remove_node(editor, change.node.id);
        case RoadmapEdit::Kind::add_edge: return add_edge(editor, change.edge);
        case RoadmapEdit::Kind::change_edge: return change_edge(editor, change.edge);
        case RoadmapEdit::Kind::remove_edge: return remove_edge(editor, change.edge);
    }
    return Error{ErrorCode::out_of_range, -1, static_cast<std::int64_t>(change.kind)};
}

}  // namespace fairlead::roadmap
