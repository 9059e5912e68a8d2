// Leaves out edges between convex polygons while what remains is convex. Stefan Hertel, Kurt Mehlhorn (1983), "Fast
// triangulation of simple polygons". Departure: the longest edge first. One pass over the edges is nearly enough:
// merging makes the angles beside an edge only wider, so an edge that cannot go cannot go later either; unless the end
// that was in its way becomes a mere point of a straight line between two polygons. Such lines are tried again.
#include <fairlead/polygon/merge_convex.h>

#include <algorithm>

#include "polygon/delaunay.h"
#include "polygon/work.h"

namespace fairlead {
namespace polygon {
namespace {

/// The polygons while they grow: the half-edges of their borders, linked. A half-edge that was left out has no next.
struct Merger {
    const Triangulation& mesh;
    std::span<const std::uint32_t> region;
    const MergeOptions& options;
    Work& work;

    [[nodiscard]] Index next(Index h) const { return work.borders[h].next; }
    [[nodiscard]] Index previous(Index h) const { return work.borders[h].previous; }
    [[nodiscard]] Index twin(Index h) const { return mesh.twins[h]; }
    [[nodiscard]] bool stays(Index h) const {
        const Index g = twin(h);
        return g == kNoHalfEdge || (mesh.labels[h] & options.keep_labels) != 0 ||
               region[g / 3] != region[h / 3] || region[h / 3] == kNoRegion;
    }
    [[nodiscard]] double turn_at(Index into, Index out_of) const {
        const Vec2 a = mesh.vertices[mesh.from(into)], b = mesh.vertices[mesh.from(out_of)];
        return math::detail::orient2d_inline(a, b, mesh.vertices[mesh.to(out_of)]);
    }

    /// The triangle that stands for the polygon of triangle t (union-find, halving paths).
    [[nodiscard]] Index owner(Index t) const {
        while (work.owners[t] != t) t = work.owners[t] = work.owners[work.owners[t]];
        return t;
    }
};

bool set_up(Merger& merger) {
    Work& work = merger.work;
    const std::uint32_t halves = 3 * merger.mesh.triangles();
    if (!work.borders.resize_uninitialized(halves)) return false;
    work.diagonals.clear();
    for (Index h = 0; h < halves; ++h) {
        work.borders[h] = {Triangulation::next(h), Triangulation::previous(h)};
        if (merger.stays(h) || merger.twin(h) < h) continue;
        const Vec2 along =
            merger.mesh.vertices[merger.mesh.to(h)] - merger.mesh.vertices[merger.mesh.from(h)];
        if (!work.diagonals.push_back({dot(along, along), h})) return false;
    }
    const auto first = [](const Diagonal& a, const Diagonal& b) {
        return a.length > b.length || (a.length == b.length && a.half < b.half);
    };
    std::sort(work.diagonals.begin(), work.diagonals.end(), first);  // total order: half-edges differ
    if (merger.options.corners_max == 0) return true;
    const std::uint32_t triangles = merger.mesh.triangles();
    if (!work.owners.resize_uninitialized(triangles) || !work.numbers.resize_uninitialized(triangles))
        return false;
    for (Index t = 0; t < triangles; ++t) {
        work.owners[t] = t;
        work.numbers[t] = 3;
    }
    return true;
}

/// False if the polygons on both sides of h, which share `shared` edges, have too many corners together; else they
/// are booked as one.
bool book_corners(Merger& merger, Index h, std::uint32_t shared) {
    Work& work = merger.work;
    if (merger.options.corners_max == 0) return true;
    const Index one = merger.owner(h / 3), two = merger.owner(merger.twin(h) / 3);
    const std::uint32_t corners = work.numbers[one] + work.numbers[two] - 2 * shared;
    if (corners > merger.options.corners_max) return false;
    const Index low = one < two ? one : two, high = one < two ? two : one;
    work.owners[high] = low;
    work.numbers[low] = corners;
    return true;
}

/// Was the vertex between these two edges of a polygon left with no others? Then the edge of `into` is to be tried
/// again.
bool try_again(Merger& merger, Index into, Index out_of) {
    const Index back = merger.twin(out_of);
    if (back == kNoHalfEdge || merger.stays(into) || merger.next(back) != merger.twin(into)) return true;
    return merger.work.stack.push_back(into);
}

/// Leaves out the edge of h if the polygons beside it make a convex one. Two convex polygons share one straight line,
/// which may be of several edges: all of them go, or none. False without memory.
bool try_merge(Merger& merger, Index h) {
    Work& work = merger.work;
    if (merger.next(h) == kNone) return true;
    Index first = h, last = h;
    std::uint32_t shared = 1;
    for (;;) {
        const Index before_first = merger.previous(first);
        if (merger.twin(before_first) != merger.next(merger.twin(first))) break;
        if (merger.stays(before_first)) return true;
        first = before_first;
        ++shared;
    }
    for (;;) {
        const Index after_last = merger.next(last);
        if (merger.twin(after_last) != merger.previous(merger.twin(last))) break;
        if (merger.stays(after_last)) return true;
        last = after_last;
        ++shared;
    }
    const Index into_start = merger.previous(first), out_of_start = merger.next(merger.twin(first));
    const Index into_end = merger.previous(merger.twin(last)), out_of_end = merger.next(last);
    if (merger.turn_at(into_start, out_of_start) < 0.0 || merger.turn_at(into_end, out_of_end) < 0.0)
        return true;
    if (!book_corners(merger, h, shared)) return true;
    for (Index edge = first;;) {
        const Index following = merger.next(edge);
        work.borders[merger.twin(edge)].next = kNone;
        work.borders[edge].next = kNone;
        if (edge == last) break;
        edge = following;
    }
    work.borders[into_start].next = out_of_start;
    work.borders[out_of_start].previous = into_start;
    work.borders[into_end].next = out_of_end;
    work.borders[out_of_end].previous = into_end;
    return try_again(merger, into_start, out_of_start) && try_again(merger, into_end, out_of_end);
}

bool merge_all(Merger& merger) {
    Work& work = merger.work;
    work.stack.clear();
    bool ok = true;
    for (std::size_t i = 0; ok && i < work.diagonals.size(); ++i) {
        ok = try_merge(merger, work.diagonals[i].half);
        while (ok && !work.stack.empty()) {
            const Index again = work.stack.back();
            work.stack.pop_back();
            ok = try_merge(merger, again);
        }
    }
    return ok;
}

/// Marks the vertices that nobody needs: work.marks[v] = 1.
bool mark_straight(Merger& merger) {
    constexpr Index kNeeded = 3;  // 0 to 2: how many straight corners are there
    const Triangulation& mesh = merger.mesh;
    Array<Index>& marks = merger.work.marks;
    if (!marks.resize_uninitialized(mesh.vertices.size())) return false;
    std::fill(marks.begin(), marks.end(), merger.options.drop_straight ? 0U : kNeeded);
    for (Index h = 0; merger.options.drop_straight && h < mesh.corners.size(); ++h) {
        if (merger.region[h / 3] == kNoRegion || merger.next(h) == kNone) continue;
        Index& mark = marks[mesh.from(h)];
        const Index into = merger.previous(h);
        const bool same =
            mesh.labels[into] == mesh.labels[h] && mesh.constrained(into) == mesh.constrained(h);
        const bool straight = same && merger.turn_at(into, h) == 0.0;
        mark = straight && mark < 2 ? mark + 1 : kNeeded;
    }
    for (Index& mark : marks) mark = mark == 1 || mark == 2 ? 1 : 0;
    return true;
}

/// Writes the polygon whose border holds half-edge `start`, and numbers its half-edges.
bool write_polygon(Merger& merger, Index start, ConvexPolygons& out) {
    const Triangulation& mesh = merger.mesh;
    const auto number = static_cast<std::uint32_t>(out.sizes.size());
    std::uint32_t size = 0;
    double area = 0.0;
    Vec2 origin{}, last{};
    Index h = start;
    do {
        merger.work.numbers[h] = number;
        const Index vertex = mesh.from(h);
        if (merger.work.marks[vertex] == 0) {
            const Vec2 at = mesh.vertices[vertex];
            if (size == 0) origin = at;
            if (size > 1) area += cross(last - origin, at - origin);
            last = at;
            ++size;
            if (!out.corners.push_back(vertex) || !out.halves.push_back(h) ||
                !out.labels.push_back(mesh.labels[h])) {
                return false;
            }
        }
        h = merger.next(h);
    } while (h != start);
    return out.sizes.push_back(size) && out.regions.push_back(merger.region[start / 3]) &&
           out.areas.push_back(0.5 * area);
}

bool write_polygons(Merger& merger, ConvexPolygons& out) {
    const Triangulation& mesh = merger.mesh;
    const auto halves = static_cast<std::uint32_t>(mesh.corners.size());
    Array<Index>& numbers = merger.work.numbers;
    if (!numbers.resize_uninitialized(halves)) return false;
    std::fill(numbers.begin(), numbers.end(), kNoPolygon);
    for (Index h = 0; h < halves; ++h) {
        if (merger.region[h / 3] == kNoRegion || merger.next(h) == kNone || numbers[h] != kNoPolygon)
            continue;
        if (!write_polygon(merger, h, out)) return false;
    }
    if (!out.across.resize_uninitialized(out.corners.size())) return false;
    for (std::size_t i = 0; i < out.corners.size(); ++i) {
        const Index g = merger.twin(out.halves[i]);
        out.across[i] = g == kNoHalfEdge ? kNoPolygon : numbers[g];
    }
    return true;
}

}  // namespace
}  // namespace polygon

void ConvexPolygons::clear() {
    for (Array<std::uint32_t>* list : {&sizes, &regions, &corners, &across, &labels, &halves}) list->clear();
    areas.clear();
}

Result<void> merge_convex_into(const Triangulation& mesh, std::span<const std::uint32_t> region,
                               const MergeOptions& options, PolygonScratch& scratch, ConvexPolygons& out) {
    using namespace polygon;
    out.clear();
    if (region.size() != mesh.triangles()) return Error{ErrorCode::size_mismatch, -1, mesh.triangles()};
    if (options.corners_max == 1 || options.corners_max == 2) {
        return Error{ErrorCode::out_of_range, -1, options.corners_max};
    }
    Work* work = scratch.work();
    bool ok = work != nullptr;
    if (ok) {
        Merger merger{mesh, region, options, *work};
        ok = set_up(merger) && merge_all(merger) && mark_straight(merger) && write_polygons(merger, out);
    }
    if (ok) return {};
    out.clear();
    return Error{ErrorCode::out_of_memory};
}

}  // namespace fairlead
