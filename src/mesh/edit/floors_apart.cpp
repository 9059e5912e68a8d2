#include "mesh/edit/floors_apart.h"

#include <cmath>

#include <fairlead/math/contact.h>

#include "mesh/surface/surface.h"

namespace fairlead::mesh {

namespace {

constexpr double kInside = 1e-6;  // of a side's length: what only touches is no overlap

// Sides looked at for each side of the tile: ten are usual. Heaps of slivers, or polygons of thousands of sides, would take the square.
constexpr std::uint64_t kLooks = 64;

std::uint32_t first_of(const TileView& view, std::uint32_t polygon) { return view.polygons[polygon].first; }

// Deeper than rounding in a convex polygon.
bool is_inside(const TileView& view, std::uint32_t polygon, Vec2 p, std::uint64_t& looks) {
    const std::uint32_t end = first_of(view, polygon + 1);
    Vec2 from = view.edges[end - 1].from;
    for (std::uint32_t e = first_of(view, polygon); e < end; ++e) {
        if (looks == 0) return false;
        --looks;
        const Vec2 to = view.edges[e].from;
        const Vec2 side = to - from;
        if (cross(side, p - from) <= kInside * dot(side, side)) return false;
        from = to;
    }
    return true;
}

bool has_floor_near(const TileView& view, std::uint32_t polygon, Vec2 p, std::uint64_t& looks) {
    const Tile& tile = *view.tile;
    const BucketRange range = buckets_of({p, p}, tile.box.low, tile.bucket_size);
    const std::size_t bucket = std::size_t{range.low_y} * tile.count.buckets_x + range.low_x;
    for (std::uint32_t i = tile.bucket_firsts()[bucket]; looks > 0 && i < tile.bucket_firsts()[bucket + 1];
         ++i) {
        const std::uint32_t other = tile.bucket_items()[i];
        if (other == polygon || !is_inside(view, other, p, looks)) continue;
        const double apart = height_in_polygon(view, other, p) - height_in_polygon(view, polygon, p);
        if (std::fabs(apart) <= 2.0 * kHeightSlack) return true;
    }
    return false;
}

}  // namespace

std::uint32_t coinciding_polygon(const TileView& view) {
    std::uint64_t looks = kLooks * view.tile->count.edges;
    for (std::uint32_t polygon = 0; polygon < view.tile->count.polygons && looks > 0; ++polygon) {
        const std::uint32_t first = first_of(view, polygon);
        const std::uint32_t end = first_of(view, polygon + 1);
        Vec2 middle{};
        for (std::uint32_t e = first; e < end; ++e) middle = middle + view.edges[e].from;
        middle = middle * (1.0 / (end - first));
        if (has_floor_near(view, polygon, middle, looks)) return polygon;
        for (std::uint32_t e = first; e < end; ++e) {
            if (has_floor_near(view, polygon, (middle + view.edges[e].from) * 0.5, looks)) return polygon;
        }
    }
    return kNone;
}

}  // namespace fairlead::mesh
