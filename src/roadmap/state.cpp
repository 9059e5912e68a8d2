#include "roadmap/state.h"

namespace fairlead::roadmap {

void Summary::include(const Summary& other) {
    if (other.cost_min < cost_min) cost_min = other.cost_min;
    if (other.cost_max > cost_max) cost_max = other.cost_max;
    if (other.ratio_min < ratio_min) ratio_min = other.ratio_min;
    for (std::uint32_t i = 0; i < 4; ++i) kinds[i] |= other.kinds[i];
    if (!other.box.empty()) {
        box.include(other.box.low);
        box.include(other.box.high);
    }
    nodes += other.nodes;
    arcs += other.arcs;
}

bool StateData::share(const StateData& other) {
    tree = other.tree;
    boxes = other.boxes;
    reach = other.reach;
    walls = other.walls;
    roads = other.roads;
    summary = other.summary;
    return chunks.assign(other.chunks.span()) && ids.assign(other.ids.span());
}

std::uint32_t StateData::find(std::int64_t id) const {
    // The last stretch that does not start after the id, then the entry in it.
    std::size_t low = 0;
    std::size_t high = ids.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (ids[middle]->entries[0].id <= id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) return kNoSlot;
    const IdChunk& chunk = *ids[low - 1];
    std::size_t first = 0;
    auto count = static_cast<std::size_t>(chunk.count);
    while (count > 1) {
        const std::size_t half = count / 2;
        if (chunk.entries[first + half].id <= id) first += half;
        count -= half;
    }
    return chunk.entries[first].id == id ? chunk.entries[first].slot : kNoSlot;
}

bool arc_before(const RoadmapArc& a, std::int64_t a_id, const RoadmapArc& b, std::int64_t b_id) {
    if (a_id != b_id) return a_id < b_id;
    if (a.cost != b.cost) return a.cost < b.cost;
    if (a.label != b.label) return a.label < b.label;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.flags != b.flags) return a.flags < b.flags;
    if (a.link != b.link) return b.link;
    return !a.straight && b.straight;
}

void summarise(const StateData& state, NodeChunk& chunk, Aabb& box) {
    Summary sum;
    box = kNoBox;
    double largest = 0.0;
    const RoadmapArc* arcs = chunk.arcs();
    for (const NodeRecord& record : chunk.nodes) {
        if (record.id == WaypointId::kNone) continue;
        ++sum.nodes;
        sum.box.include(record.position);
        include(box, ground(record.position));
        largest = larger(largest, magnitude(record.position));
        for (std::uint32_t i = record.arc_first; i < record.arc_first + record.arc_count; ++i) {
            const RoadmapArc& arc = arcs[i];
            const Vec3 to = state.node(arc.to.value).position;
            const double length = distance(record.position, to);
            if (arc.cost < sum.cost_min) sum.cost_min = arc.cost;
            if (arc.cost > sum.cost_max) sum.cost_max = arc.cost;
            if (length > 0.0 && arc.cost / length < sum.ratio_min) sum.ratio_min = arc.cost / length;
            sum.kinds[arc.kind >> 6] |= 1ULL << (arc.kind & 63);
            if (!arc.link) {
                include(box, ground(to));
                largest = larger(largest, magnitude(to));
            }
            ++sum.arcs;
        }
    }
    chunk.summary = sum;
    // A point computed on an edge is within a few units in the last place of its coordinates.
    const double margin = largest * 0x1p-48;
    box.low = box.low - Vec2{margin, margin};
    box.high = box.high + Vec2{margin, margin};
}

double net_slack(const StateData& state, Vec3 p) {
    const Box3& box = state.summary.box;
    if (box.empty()) return 0.5 * contact_slack(0.0, magnitude(p));
    const Vec3 sides = box.high - box.low;
    const double size = larger(magnitude(p), larger(magnitude(box.low), magnitude(box.high)));
    return 0.5 * contact_slack(larger(sides.x, sides.y), size);
}

}  // namespace fairlead::roadmap
