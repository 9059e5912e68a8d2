// Floods over triangles. Each starts at the outside or at a side, walks over the edges with a stack, and looks at
// every edge once more at the end for contradictions.
#include <fairlead/polygon/regions.h>

#include <algorithm>

#include "polygon/work.h"

namespace fairlead {
namespace polygon {
namespace {

struct Parity {
    using Value = std::uint32_t;
    std::span<const ConstraintSegment> segments;

    [[nodiscard]] Value delta(const Triangulation& mesh, std::uint32_t half) const {
        Value bits = 0;
        mesh.sources(half, [&](ConstraintSource s) { bits ^= segments[s.segment].label; });
        return bits;
    }
    static Value inwards(Value value, Value delta) { return value ^ delta; }
    static Value outwards(Value value, Value delta) { return value ^ delta; }
};

struct Winding {
    using Value = std::int32_t;
    std::span<const ConstraintSegment> segments;
    std::uint32_t mask;

    [[nodiscard]] Value delta(const Triangulation& mesh, std::uint32_t half) const {
        Value turns = 0;
        mesh.sources(half, [&](ConstraintSource s) {
            if ((segments[s.segment].label & mask) != 0) turns += s.reversed ? -1 : 1;
        });
        return turns;
    }
    static Value inwards(Value value, Value delta) { return value + delta; }
    static Value outwards(Value value, Value delta) { return value - delta; }
};

void add_conflict(RegionConflicts& conflicts, std::uint32_t half) {
    if (conflicts.edges++ == 0) conflicts.half = half;
}

Error no_memory() { return {ErrorCode::out_of_memory}; }

/// The number of segments that the links speak of.
std::uint32_t segments_needed(const Triangulation& mesh) {
    std::uint32_t most = 0;
    for (const ConstraintLink& link : mesh.links) most = std::max(most, (link.source >> 1) + 1);
    return most;
}

/// The flood from outside, whose value is zero.
template <class Rule>
Result<RegionConflicts> flood_from_outside(const Triangulation& mesh, const Rule& rule,
                                           PolygonScratch& scratch, Array<typename Rule::Value>& values,
                                           LookForConflicts look) {
    using Value = typename Rule::Value;
    if (segments_needed(mesh) > rule.segments.size()) {
        return Error{ErrorCode::size_mismatch, -1, segments_needed(mesh)};
    }
    Work* work = scratch.work();
    const std::uint32_t triangles = mesh.triangles(), halves = 3 * triangles;
    if (work == nullptr || !values.resize_uninitialized(triangles) ||
        !work->marks.resize_uninitialized(triangles) || !work->stack.resize_uninitialized(triangles)) {
        return no_memory();
    }
    std::fill(work->marks.begin(), work->marks.end(), 0U);
    std::size_t top = 0;
    const auto reach = [&](std::uint32_t triangle, Value value) {
        if (work->marks[triangle] != 0) return;
        work->marks[triangle] = 1;
        values[triangle] = value;
        work->stack[top++] = triangle;
    };
    for (std::uint32_t h = 0; h < halves && top == 0; ++h) {
        if (mesh.twins[h] == kNoHalfEdge) reach(h / 3, Rule::inwards(0, rule.delta(mesh, h)));
    }
    while (top > 0) {
        const std::uint32_t triangle = work->stack[--top];
        for (std::uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
            const std::uint32_t g = mesh.twins[h];
            if (g == kNoHalfEdge || work->marks[g / 3] != 0) continue;
            const Value delta = mesh.constrained(h) ? rule.delta(mesh, h) : 0;
            reach(g / 3, Rule::outwards(values[triangle], delta));
        }
    }
    RegionConflicts conflicts;
    if (look == LookForConflicts::no) return conflicts;
    for (std::uint32_t h = 0; h < halves; ++h) {
        const std::uint32_t g = mesh.twins[h];
        if (g != kNoHalfEdge && g < h) continue;
        const Value delta = mesh.constrained(h) ? rule.delta(mesh, h) : 0;
        const Value beyond = g == kNoHalfEdge ? 0 : values[g / 3];
        if (Rule::outwards(values[h / 3], delta) != beyond) add_conflict(conflicts, h);
    }
    return conflicts;
}

enum class Bound : std::uint8_t { open, known, contradictory };

struct EdgeSides {
    Bound bound = Bound::open;
    SegmentSides sides{};
};

/// What the segments over an edge say together; false without memory. Each says +1 for what it has to its left and
/// -1 for what it has to its right; the sums tell.
bool read_sides(const Triangulation& mesh, std::uint32_t half, std::span<const SegmentSides> sides,
                Work& work, EdgeSides& out) {
    out = {};
    std::uint32_t count = 0;
    bool ok = true;
    work.keys.clear();
    mesh.sources(half, [&](ConstraintSource s) {
        SegmentSides at = sides[s.segment];
        if (at.left == at.right) return;
        if (s.reversed) std::swap(at.left, at.right);
        if (count++ == 0) out.sides = at;
        ok = ok && work.keys.push_back((std::uint64_t{at.left} << 1) | 1U) &&
             work.keys.push_back(std::uint64_t{at.right} << 1);
    });
    if (!ok) return false;
    if (count == 0) return true;
    out.bound = Bound::known;
    if (count == 1) return true;
    std::sort(work.keys.begin(), work.keys.end());  // total order: equal keys are the same
    int lefts = 0, rights = 0;
    for (std::size_t i = 0; i < work.keys.size();) {
        const std::uint64_t id = work.keys[i] >> 1;
        std::int64_t sum = 0;
        for (; i < work.keys.size() && (work.keys[i] >> 1) == id; ++i)
            sum += (work.keys[i] & 1U) != 0 ? 1 : -1;
        if (sum > 0) {
            ++lefts;
            out.sides.left = static_cast<std::uint32_t>(id);
        } else if (sum < 0) {
            ++rights;
            out.sides.right = static_cast<std::uint32_t>(id);
        }
    }
    if (lefts == 0) out.bound = Bound::open;
    if (lefts > 1 || rights > 1) out.bound = Bound::contradictory;
    return true;
}

/// Fills the triangles around `seed`, which is one of them, up to the edges that bound.
bool flood_region(const Triangulation& mesh, std::uint32_t seed, std::span<const SegmentSides> sides,
                  Work& work, Array<std::uint32_t>& region) {
    std::size_t top = 0;
    work.marks[seed] = 1;
    work.stack[top++] = seed;
    while (top > 0) {
        const std::uint32_t triangle = work.stack[--top];
        for (std::uint32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
            const std::uint32_t g = mesh.twins[h];
            if (g == kNoHalfEdge || work.marks[g / 3] != 0) continue;
            if (mesh.constrained(h)) {
                EdgeSides edge;
                if (!read_sides(mesh, h, sides, work, edge)) return false;
                if (edge.bound != Bound::open) continue;
            }
            work.marks[g / 3] = 1;
            region[g / 3] = region[seed];
            work.stack[top++] = g / 3;
        }
    }
    return true;
}

}  // namespace
}  // namespace polygon

Result<RegionConflicts> find_parity_into(const Triangulation& mesh,
                                         std::span<const ConstraintSegment> segments, PolygonScratch& scratch,
                                         Array<std::uint32_t>& parity, LookForConflicts look) {
    return polygon::flood_from_outside(mesh, polygon::Parity{segments}, scratch, parity, look);
}

Result<RegionConflicts> find_winding_into(const Triangulation& mesh,
                                          std::span<const ConstraintSegment> segments, std::uint32_t mask,
                                          PolygonScratch& scratch, Array<std::int32_t>& winding,
                                          LookForConflicts look) {
    return polygon::flood_from_outside(mesh, polygon::Winding{segments, mask}, scratch, winding, look);
}

Result<RegionConflicts> find_regions_into(const Triangulation& mesh, std::span<const SegmentSides> sides,
                                          PolygonScratch& scratch, Array<std::uint32_t>& region,
                                          LookForConflicts look) {
    using namespace polygon;
    if (segments_needed(mesh) > sides.size())
        return Error{ErrorCode::size_mismatch, -1, segments_needed(mesh)};
    Work* work = scratch.work();
    const std::uint32_t triangles = mesh.triangles(), halves = 3 * triangles;
    if (work == nullptr || !region.resize_uninitialized(triangles) ||
        !work->marks.resize_uninitialized(triangles) || !work->stack.resize_uninitialized(triangles)) {
        return no_memory();
    }
    std::fill(region.begin(), region.end(), kNoRegion);
    std::fill(work->marks.begin(), work->marks.end(), 0U);
    EdgeSides edge;
    for (std::uint32_t h = 0; h < halves; ++h) {
        if (!mesh.constrained(h) || work->marks[h / 3] != 0) continue;
        if (!read_sides(mesh, h, sides, *work, edge)) return no_memory();
        if (edge.bound != Bound::known) continue;
        region[h / 3] = edge.sides.left;
        if (!flood_region(mesh, h / 3, sides, *work, region)) return no_memory();
    }
    RegionConflicts conflicts;
    if (look == LookForConflicts::no) return conflicts;
    for (std::uint32_t h = 0; h < halves; ++h) {
        const std::uint32_t g = mesh.twins[h];
        if (!mesh.constrained(h) || (g != kNoHalfEdge && g < h)) continue;
        if (!read_sides(mesh, h, sides, *work, edge)) return no_memory();
        if (edge.bound == Bound::open) continue;
        const bool right = g == kNoHalfEdge || region[g / 3] == edge.sides.right;
        if (edge.bound == Bound::contradictory || region[h / 3] != edge.sides.left || !right) {
            add_conflict(conflicts, h);
        }
    }
    return conflicts;
}

}  // namespace fairlead
