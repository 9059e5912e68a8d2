// Rings to segments, triangles, inside or not, convex polygons.
#include <fairlead/polygon/outline.h>

#include <utility>

#include "polygon/work.h"

namespace fairlead {
namespace polygon {
namespace {

Result<void> set_segments(const OutlineQuery& query, Work& work) {
    std::uint64_t sum = 0;
    for (const std::uint32_t size : query.sizes) sum += size;
    if (sum != query.points.size()) {
        return Error{ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(query.points.size())};
    }
    if (sum > kTriangulatePointsMax) return Error{ErrorCode::size_limit, -1, kTriangulatePointsMax};
    work.segments.clear();
    std::uint32_t first = 0;
    for (const std::uint32_t size : query.sizes) {
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t to = first + (i + 1 < size ? i + 1 : 0);
            if (!work.segments.push_back({first + i, to, 1})) return Error{ErrorCode::out_of_memory};
        }
        first += size;
    }
    return {};
}

bool is_inside(OutlineRule rule, std::int32_t winding) {
    switch (rule) {
        case OutlineRule::non_zero: return winding != 0;
        case OutlineRule::positive: return winding > 0;
        case OutlineRule::even_odd: break;
    }
    return (winding & 1) != 0;
}

/// Copies what the polygons use.
bool write_mesh(Work& work, OutlineMesh& out) {
    const ConvexPolygons& merged = work.merged;
    if (!work.marks.resize_uninitialized(work.triangulation.vertices.size())) return false;
    for (Index& mark : work.marks) mark = kNone;
    for (const std::uint32_t corner : merged.corners) work.marks[corner] = 0;
    for (std::size_t v = 0; v < work.marks.size(); ++v) {
        if (work.marks[v] == kNone) continue;
        work.marks[v] = static_cast<Index>(out.vertices.size());
        if (!out.vertices.push_back(work.triangulation.vertices[v])) return false;
    }
    if (!out.sizes.assign(merged.sizes.span()) || !out.across.assign(merged.across.span()) ||
        !out.corners.resize_uninitialized(merged.corners.size())) {
        return false;
    }
    for (std::size_t i = 0; i < merged.corners.size(); ++i) out.corners[i] = work.marks[merged.corners[i]];
    for (const double area : merged.areas) out.area += area;
    out.deviation = work.triangulation.deviation;
    return true;
}

Result<void> make_outline(const OutlineQuery& query, PolygonScratch& scratch, OutlineMesh& out) {
    Work* work = scratch.work();
    if (work == nullptr) return Error{ErrorCode::out_of_memory};
    if (Result<void> ok = set_segments(query, *work); !ok) return ok;
    const TriangulateOptions options{.quantum = query.quantum};
    Result<void> done =
        triangulate_into(query.points, work->segments.span(), options, scratch, work->triangulation);
    if (!done) return done;
    const Result<RegionConflicts> flood =
        find_winding_into(work->triangulation, work->segments.span(), 1, scratch, work->winding);
    if (!flood) return flood.error();
    if (!work->inside.resize_uninitialized(work->winding.size())) return Error{ErrorCode::out_of_memory};
    for (std::size_t t = 0; t < work->winding.size(); ++t) {
        work->inside[t] = is_inside(query.rule, work->winding[t]) ? 0 : kNoRegion;
    }
    const MergeOptions merge{.corners_max = query.corners_max, .drop_straight = query.drop_straight};
    done = merge_convex_into(work->triangulation, work->inside.span(), merge, scratch, work->merged);
    if (!done) return done;
    if (!write_mesh(*work, out)) return Error{ErrorCode::out_of_memory};
    return {};
}

}  // namespace
}  // namespace polygon

void OutlineMesh::clear() {
    vertices.clear();
    for (Array<std::uint32_t>* list : {&sizes, &corners, &across}) list->clear();
    area = deviation = 0.0;
}

Result<void> outline_to_convex_into(const OutlineQuery& query, PolygonScratch& scratch, OutlineMesh& out) {
    out.clear();
    Result<void> done = polygon::make_outline(query, scratch, out);
    if (!done) out.clear();
    return done;
}

Result<OutlineMesh> outline_to_convex(const OutlineQuery& query, const Allocator& allocator) {
    PolygonScratch scratch(allocator);
    OutlineMesh out(allocator);
    const Result<void> done = outline_to_convex_into(query, scratch, out);
    if (!done) return done.error();
    return Result<OutlineMesh>(std::move(out));
}

}  // namespace fairlead
