#include "roadmap/nearest.h"

namespace fairlead::roadmap {

bool foot_on_arc(const StateData& state, std::uint32_t slot, const RoadmapArc& arc, Vec3 p, Vec3& foot,
                 double& t) {
    const NodeRecord& from = state.node(slot);
    const NodeRecord& to = state.node(arc.to.value);
    // From the lower id to the higher, whichever way the arc runs.
    const bool turned = from.id > to.id;
    const Vec3 a = turned ? to.position : from.position;
    const Vec3 along = (turned ? from.position : to.position) - a;
    const double size = length_squared(along);
    if (!(size > 0.0)) return false;
    const double s = dot(p - a, along) / size;
    if (!(s > 0.0 && s < 1.0)) return false;
    foot = a + along * s;
    t = turned ? 1.0 - s : s;
    return t > 0.0 && t < 1.0;
}

bool NearestWalk::before(const Entry& a, const Entry& b) {
    if (a.distance_squared != b.distance_squared) return a.distance_squared < b.distance_squared;
    if (a.low_id != b.low_id) return a.low_id < b.low_id;
    if (a.high_id != b.high_id) return a.high_id < b.high_id;
    if (a.turned != b.turned) return a.turned < b.turned;
    // Parallel arcs of one waypoint are stored in the order of what they are; boxes in any.
    return a.slot != b.slot ? a.slot < b.slot : a.arc < b.arc;
}

bool NearestWalk::begin(const StateData& state, Vec3 from, const Limits& limits) {
    state_ = &state;
    from_ = from;
    limits_ = limits;
    range_squared_ = limits.range * limits.range;
    heap_.clear();
    return state.tree.levels == 0 || open_box(state.tree.levels, 0);
}

// Level `levels` stands for a box around the root.
bool NearestWalk::open_box(std::uint32_t level, std::uint32_t index) {
    if (level == 0) return open_chunk(index);
    const BoxTree& tree = state_->tree;
    const std::uint32_t below = level - 1;
    const std::uint32_t first = level == tree.levels ? 0 : index * 8;
    const std::uint32_t wanted = level == tree.levels ? 1 : first + 8;
    const std::uint32_t last = wanted < tree.count[below] ? wanted : tree.count[below];
    for (std::uint32_t i = first; i < last; ++i) {
        const Aabb& box = state_->boxes->boxes()[tree.first[below] + i];
        if (box.empty()) continue;
        // Never more than the distance of anything in the box, rounding included.
        const double least = distance_squared(box, ground(from_)) * (1.0 - 0x1p-48);
        if (least > range_squared_) continue;
        if (!heap_.push({least, -1, -1, below, i, 0, 0})) return false;
    }
    return true;
}

bool NearestWalk::open_chunk(std::uint32_t place) {
    const NodeChunk& chunk = *state_->chunks[place];
    for (std::uint32_t i = 0; i < kChunkNodes; ++i) {
        const NodeRecord& record = chunk.nodes[i];
        if (record.id == WaypointId::kNone) continue;
        const std::uint32_t slot = (place << kChunkShift) + i;
        const double away = length_squared(record.position - from_);
        if (away <= range_squared_ && !heap_.push({away, record.id, -1, slot, kNoSlot, 0, 0})) return false;
        if (!limits_.arcs) continue;
        for (std::uint32_t k = 0; k < record.arc_count; ++k) {
            const RoadmapArc& arc = chunk.arcs()[record.arc_first + k];
            Vec3 foot;
            double t = 0.0;
            if (arc.link || !foot_on_arc(*state_, slot, arc, from_, foot, t)) continue;
            const double off = length_squared(foot - from_);
            if (off > range_squared_) continue;
            const std::int64_t to = state_->node(arc.to.value).id;
            const bool turned = to < record.id;
            if (!heap_.push(
                    {off, turned ? to : record.id, turned ? record.id : to, slot, k, turned ? 1U : 0U, 0})) {
                return false;
            }
        }
    }
    return true;
}

NearestWalk::Step NearestWalk::step(NearPlace& place) {
    if (heap_.empty()) return Step::end;
    const Entry top = heap_.least();
    heap_.pop();
    if (top.low_id < 0) return open_box(top.slot, top.arc) ? Step::opened : Step::no_memory;
    place = {top.slot, top.arc, 0.0, state_->node(top.slot).position, top.distance_squared};
    if (place.on_arc()) {
        (void)foot_on_arc(*state_, top.slot, state_->arcs(top.slot)[top.arc], from_, place.position, place.t);
    }
    return Step::place;
}

NearestWalk::Step NearestWalk::next(NearPlace& place) {
    Step at = Step::opened;
    while (at == Step::opened) at = step(place);
    return at;
}

}  // namespace fairlead::roadmap
