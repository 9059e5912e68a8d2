// Polygons: 500 bundles of points and segments on small lattices, most of them degenerate, and a few large ones;
// every number of the triangulations, regions and convex polygons.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/polygon/polygon.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

struct Bundle {
    Array<Vec2> points;
    Array<ConstraintSegment> segments;
    Array<SegmentSides> sides;
    Array<std::uint32_t> sizes;
};

// One draw a statement: their order is part of the scene.

bool random_bundle(Rng& rng, std::uint32_t rings, std::uint32_t most, Bundle& bundle) {
    bundle.points.clear();
    bundle.segments.clear();
    bundle.sides.clear();
    bundle.sizes.clear();
    const std::int32_t side = rng.between(2, 40);
    const bool off_lattice = rng.below(4) == 0;
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
        const auto first = static_cast<std::uint32_t>(bundle.points.size());
        const std::uint32_t size = 1 + rng.below(most);
        for (std::uint32_t i = 0; i < size; ++i) {
            Vec2 p;
            p.x = rng.between(0, side);
            p.y = rng.between(0, side);
            if (off_lattice) {
                p.x += rng.unit();
                p.y += rng.unit();
            }
            const ConstraintSegment segment{first + i, first + (i + 1) % size, 1U << (ring % 8)};
            if (!bundle.points.push_back(p) || !bundle.segments.push_back(segment)) return false;
            if (!bundle.sides.push_back({ring, kNoRegion})) return false;
        }
        if (!bundle.sizes.push_back(size)) return false;
    }
    return true;
}

template <class Number>
void add_all(Digest& digest, const Array<Number>& list) {
    digest.add(std::uint64_t{list.size()});
    for (const Number number : list) digest.add(number);
}

void add_points(Digest& digest, const Array<Vec2>& points) {
    for (const Vec2 p : points) {
        digest.add(p.x);
        digest.add(p.y);
    }
}

void add_conflicts(Digest& digest, const Result<RegionConflicts>& conflicts) {
    digest.add(conflicts ? conflicts->edges : 77U);
    digest.add(conflicts ? conflicts->half : 77U);
}

void run_bundle(Digest& digest, Rng& rng, const Bundle& bundle, PolygonScratch& scratch) {
    const double quanta[] = {0.0, 1.0, 0.25, 0x1p-20};
    const double quantum = quanta[rng.below(4)];
    Triangulation mesh;
    Array<std::uint32_t> parity, region;
    Array<std::int32_t> winding;
    ConvexPolygons polygons;
    if (!triangulate_into(bundle.points.span(), bundle.segments.span(), {.quantum = quantum}, scratch, mesh))
        return;
    add_points(digest, mesh.vertices);
    add_all(digest, mesh.vertex_of_point);
    add_all(digest, mesh.corners);
    add_all(digest, mesh.twins);
    add_all(digest, mesh.labels);
    digest.add(mesh.deviation);
    digest.add(mesh.crossings);
    add_conflicts(digest, find_parity_into(mesh, bundle.segments.span(), scratch, parity));
    add_conflicts(digest, find_winding_into(mesh, bundle.segments.span(), 0xffU, scratch, winding));
    add_conflicts(digest, find_regions_into(mesh, bundle.sides.span(), scratch, region));
    add_all(digest, parity);
    add_all(digest, winding);
    add_all(digest, region);
    MergeOptions merge;
    merge.keep_labels = rng.below(4);
    merge.corners_max = rng.below(2) == 0 ? 0 : 6;
    merge.drop_straight = rng.below(2) == 0;
    if (!merge_convex_into(mesh, parity.span(), merge, scratch, polygons)) return;
    add_all(digest, polygons.sizes);
    add_all(digest, polygons.corners);
    add_all(digest, polygons.across);
    add_all(digest, polygons.areas);
    OutlineQuery query{.points = bundle.points.span(), .sizes = bundle.sizes.span(), .quantum = quantum};
    query.rule = static_cast<OutlineRule>(rng.below(3));
    OutlineMesh outline;
    if (!outline_to_convex_into(query, scratch, outline)) return;
    add_points(digest, outline.vertices);
    add_all(digest, outline.corners);
    digest.add(outline.area);
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(polygon_bundles) {
    Rng rng(20241122);
    PolygonScratch scratch;
    Bundle bundle;
    for (int i = 0; i < 500; ++i) {
        const std::uint32_t rings = i % 300 == 299 ? 60 : 1 + rng.below(6);
        const std::uint32_t most = i % 300 == 299 ? 40 : 9;
        if (!random_bundle(rng, rings, most, bundle)) return digest.add(std::uint64_t{1});
        run_bundle(digest, rng, bundle, scratch);
    }
}
