// From lists to the triangulation and back: checks, numbering, output.
#include <fairlead/polygon/triangulate.h>

#include <cmath>
#include <utility>

#include "math/segment.h"
#include "polygon/chains.h"
#include "polygon/constrain.h"
#include "polygon/delaunay.h"
#include "polygon/spatial_order.h"

namespace fairlead {
namespace polygon {
namespace {

constexpr double kTiny = 0x1p-200;  ///< smaller coordinates would underflow in the predicates

double larger(double a, double b) { return a > b ? a : b; }

Result<void> check_points(std::span<const Vec2> points, double& size) {
    size = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec2 p = points[i];
        if (!is_finite(p)) return Error{ErrorCode::not_finite, static_cast<std::int64_t>(i)};
        size = larger(size, larger(std::fabs(p.x), std::fabs(p.y)));
        if (size > kTriangulateSpan) return Error{ErrorCode::out_of_range, static_cast<std::int64_t>(i)};
    }
    return {};
}

Result<void> check_segments(std::span<const ConstraintSegment> segments, std::size_t points) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        for (const std::uint32_t point : {segments[i].from, segments[i].to}) {
            if (point >= points) return Error{ErrorCode::unknown_id, static_cast<std::int64_t>(i), point};
        }
    }
    return {};
}

/// The lattice of crossings. Halving and doubling are exact.
Result<double> lattice(double wanted, double size) {
    if (!(size > 0.0)) size = 1.0;
    int exponent = 0;
    if (wanted == 0.0) {
        (void)std::frexp(size, &exponent);
        const double quantum = std::ldexp(1.0, exponent - 41);
        return quantum < kTiny ? kTiny : quantum;
    }
    const bool power = std::isfinite(wanted) && wanted > 0.0 && std::frexp(wanted, &exponent) == 0.5;
    if (!power || wanted < kTiny || wanted < size * 0x1p-46) return Error{ErrorCode::out_of_range};
    return wanted;
}

double settled(double x) { return std::fabs(x) < kTiny ? 0.0 : x; }

/// The vertices in the order of insertion; 0 is the one at infinity.
bool set_vertices(Work& work, std::span<const Vec2> points) {
    if (!order_points(work, points)) return false;
    const std::size_t count = points.size();
    if (!work.mesh.points.resize_uninitialized(count + 1)) return false;
    if (!work.point_vertex.resize_uninitialized(count)) return false;
    work.mesh.points[kInfinity] = {};
    for (std::size_t i = 0; i < count; ++i) {
        const auto point = static_cast<std::uint32_t>(work.keys[i]);
        work.mesh.points[i + 1] = {settled(points[point].x), settled(points[point].y)};
        work.point_vertex[point] = static_cast<Index>(i + 1);
    }
    return true;
}

bool insert_segments(Work& work, std::span<const ConstraintSegment> segments) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Index from = work.alias[work.point_vertex[segments[i].from]];
        const Index to = work.alias[work.point_vertex[segments[i].to]];
        if (from == to) continue;
        const Index chain = make_chain(work, static_cast<std::uint32_t>(i));
        if (chain == kNone || !work.pieces.push_back({from, to, chain, true})) return false;
        if (!insert_pieces(work)) return false;
    }
    return true;
}

/// Vertices by the first point that has their value, then the crossings.
bool write_vertices(Work& work, std::size_t points, Triangulation& out) {
    const Mesh& mesh = work.mesh;
    const std::size_t count = mesh.points.size();
    if (!work.renamed.resize_uninitialized(count) || !out.vertex_of_point.resize_uninitialized(points) ||
        !out.vertices.resize_uninitialized(work.vertices_real)) {
        return false;
    }
    Index next = 0;
    for (Index& name : work.renamed) name = kNone;
    const auto name_vertex = [&](Index vertex) {
        Index& name = work.renamed[vertex];
        if (name == kNone) {
            name = next++;
            out.vertices[name] = mesh.point(vertex);
        }
        return name;
    };
    for (std::size_t i = 0; i < points; ++i) {
        out.vertex_of_point[i] = name_vertex(work.alias[work.point_vertex[i]]);
    }
    for (std::size_t v = points + 1; v < count; ++v) name_vertex(static_cast<Index>(v));
    return true;
}

/// The finite triangles, in the order of their slots.
bool write_triangles(Work& work, Triangulation& out) {
    const Mesh& mesh = work.mesh;
    const std::size_t slots = mesh.halves.size() / 4;
    if (!work.marks.resize_uninitialized(slots)) return false;
    Index count = 0;
    for (std::size_t t = 0; t < slots; ++t) {
        const Half* half = &mesh.halves[4 * t];
        const bool finite =
            half[0].origin != kInfinity && half[1].origin != kInfinity && half[2].origin != kInfinity;
        work.marks[t] = finite ? 3 * count++ : kNone;
    }
    const std::size_t halves = std::size_t{3} * count;
    if (!out.corners.resize_uninitialized(halves) || !out.twins.resize_uninitialized(halves) ||
        !out.chains.resize_uninitialized(halves)) {
        return false;
    }
    for (std::size_t t = 0; t < slots; ++t) {
        const Index first = work.marks[t];
        if (first == kNone) continue;
        for (Index i = 0; i < 3; ++i) {
            const Half half = mesh.halves[4 * t + i];
            const Index beyond = work.marks[half.twin >> 2];
            out.corners[first + i] = work.renamed[half.origin];
            out.twins[first + i] = beyond == kNone ? kNoHalfEdge : beyond + (half.twin & 3U);
            out.chains[first + i] = mesh.chains[4 * t + i];
        }
    }
    return true;
}

bool between(double x, double a, double b) { return a < b ? a <= x && x <= b : b <= x && x <= a; }

/// How far p is from the segment a-b: 0 exactly if it is on it. An edge is as far from its segment as its ends.
double deviation_of(Vec2 p, Vec2 a, Vec2 b) {
    const double side = math::detail::orient2d_inline(a, b, p);
    if (side == 0.0 && between(p.x, a.x, b.x) && between(p.y, a.y, b.y)) return 0.0;
    return larger(std::fabs(side) / distance(a, b), math::segment_distance(a, b, p));
}

bool write_labels(Work& work, std::span<const ConstraintSegment> segments, Triangulation& out) {
    if (!out.labels.resize_uninitialized(out.corners.size()) || !out.links.assign(work.links.span()))
        return false;
    for (std::uint32_t h = 0; h < out.corners.size(); ++h) {
        std::uint32_t label = 0;
        for (Index at = out.chains[h]; at != kNone; at = out.links[at >> 1].next) {
            label |= segments[out.links[at >> 1].source >> 1].label;
        }
        out.labels[h] = label;
    }
    return true;
}

void measure_deviation(std::span<const Vec2> points, std::span<const ConstraintSegment> segments,
                       Triangulation& out) {
    if (out.crossings == 0) return;
    for (std::uint32_t h = 0; h < out.corners.size(); ++h) {
        const Vec2 at = out.vertices[out.corners[h]];
        for (Index link = out.chains[h]; link != kNone; link = out.links[link >> 1].next) {
            const ConstraintSegment& segment = segments[out.links[link >> 1].source >> 1];
            out.deviation = larger(out.deviation, deviation_of(at, points[segment.from], points[segment.to]));
        }
    }
}

Result<void> run(std::span<const Vec2> points, std::span<const ConstraintSegment> segments,
                 const TriangulateOptions& options, Work& work, Triangulation& out) {
    const std::uint32_t vertices_max =
        options.vertices_max < kTriangulatePointsMax ? options.vertices_max : kTriangulatePointsMax;
    if (points.size() > kTriangulatePointsMax || segments.size() > kTriangulatePointsMax) {
        return Error{ErrorCode::size_limit, -1, kTriangulatePointsMax};
    }
    double size = 0.0;
    if (Result<void> ok = check_points(points, size); !ok) return ok;
    if (Result<void> ok = check_segments(segments, points.size()); !ok) return ok;
    const Result<double> quantum = lattice(options.quantum, size);
    if (!quantum) return quantum.error();

    work.links.clear();
    work.pieces.clear();
    work.dirty.clear();
    work.quantum = *quantum;
    work.vertices_max = vertices_max;
    work.crossings = 0;
    work.failure = ErrorCode::out_of_memory;
    bool flat = false;
    bool ok = set_vertices(work, points) && make_delaunay(work, flat);
    if (ok && work.vertices_real > vertices_max) {
        ok = false;
        work.failure = ErrorCode::size_limit;
    }
    if (ok && !flat) ok = insert_segments(work, segments);
    ok = ok && write_vertices(work, points.size(), out) && write_triangles(work, out) &&
         write_labels(work, segments, out);
    if (!ok) return Error{work.failure, -1, work.failure == ErrorCode::size_limit ? vertices_max : 0};
    out.quantum = work.quantum;
    out.crossings = work.crossings;
    if (options.measure_deviation) measure_deviation(points, segments, out);
    return {};
}

}  // namespace
}  // namespace polygon

void Triangulation::clear() {
    vertices.clear();
    vertex_of_point.clear();
    for (Array<std::uint32_t>* list : {&corners, &twins, &labels, &chains}) list->clear();
    links.clear();
    quantum = deviation = 0.0;
    crossings = 0;
}

Result<void> triangulate_into(std::span<const Vec2> points, std::span<const ConstraintSegment> segments,
                              const TriangulateOptions& options, PolygonScratch& scratch,
                              Triangulation& out) {
    out.clear();
    polygon::Work* work = scratch.work();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, sizeof(polygon::Work)};
    Result<void> done = polygon::run(points, segments, options, *work, out);
    if (!done) out.clear();
    return done;
}

Result<Triangulation> triangulate(std::span<const Vec2> points, std::span<const ConstraintSegment> segments,
                                  const TriangulateOptions& options) {
    PolygonScratch scratch(options.allocator);
    Triangulation out(options.allocator);
    const Result<void> done = triangulate_into(points, segments, options, scratch, out);
    if (!done) return done.error();
    return Result<Triangulation>(std::move(out));
}

}  // namespace fairlead
