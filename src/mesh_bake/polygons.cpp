// Convex polygons for the layers of a tile, and what lies over each of their edges.

#include <algorithm>

#include <fairlead/polygon/merge_convex.h>

#include "base/no_memory.h"
#include "mesh_bake/tile.h"

namespace fairlead::bake {

namespace {

/// The corners of the output to the left and to the right of a segment.
struct SegmentCorners {
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;
};

struct SplitVertex {
    std::uint32_t vertex = 0;
    std::uint32_t id = 0;
    double z = 0.0;
};

struct PolygonMaker {
    PolygonMaker(const Settings& s, const CellBox& box, const Floors& fl, const Borders& b,
                 const Array<Segment>& all, BakedMesh& o)
        : settings(s),
          interior(box),
          f(fl),
          borders(b),
          segments(all),
          out(o),
          scratch(s.allocator),
          town(s.allocator),
          by_layer(s.allocator),
          layer_first(s.allocator),
          points(s.allocator),
          point_vertex(s.allocator),
          constraints(s.allocator),
          constraint_segment(s.allocator),
          point_of(s.allocator),
          vertex_out(s.allocator),
          region(s.allocator),
          sides(s.allocator),
          pieces(s.allocator),
          polygon_of(s.allocator),
          edge_corners(s.allocator),
          split(s.allocator) {}

    const Settings& settings;
    const CellBox& interior;
    const Floors& f;
    const Borders& borders;
    const Array<Segment>& segments;
    BakedMesh& out;
    PolygonScratch scratch;
    Triangulation town;
    Array<std::uint32_t> by_layer;  ///< segments, those of layer i from layer_first[i] on
    Array<std::uint32_t> layer_first;
    Array<Vec2> points;
    Array<std::uint32_t> point_vertex;
    Array<ConstraintSegment> constraints;
    Array<std::uint32_t> constraint_segment;
    Array<std::uint32_t> point_of;    ///< by vertex of the borders
    Array<std::uint32_t> vertex_out;  ///< by vertex of the borders: that of the tile
    Array<std::uint32_t> region;      ///< by triangle: a label, or kNoRegion
    Array<SegmentSides> sides;
    ConvexPolygons pieces;
    Array<std::uint32_t> polygon_of;  ///< by corner of the tile
    Array<SegmentCorners> edge_corners;
    Array<SplitVertex> split;
    std::uint64_t vertex_base = 0;
    std::uint64_t polygon_base = 0;
    std::uint64_t corner_base = 0;
    std::uint32_t layer_base = 0;  ///< polygon of the tile where the layer starts

    [[nodiscard]] bool sort_segments() {
        std::uint32_t layers = 0;
        const auto both = [](const Segment& s) {
            return is_label(s.right) && layer_of(s.right) != layer_of(s.left);
        };
        for (const Segment& s : segments) {
            layers = std::max(layers, layer_of(s.left) + 1);
            if (both(s)) layers = std::max(layers, layer_of(s.right) + 1);
        }
        if (!layer_first.resize(std::size_t{layers} + 2)) return false;
        for (const Segment& s : segments) {
            ++layer_first[layer_of(s.left) + 2];
            if (both(s)) ++layer_first[layer_of(s.right) + 2];
        }
        for (std::uint32_t i = 2; i < layers + 2; ++i) layer_first[i] += layer_first[i - 1];
        if (!by_layer.resize_uninitialized(layer_first[layers + 1])) return false;
        for (std::uint32_t i = 0; i < segments.size(); ++i) {
            const Segment& s = segments[i];
            by_layer[layer_first[layer_of(s.left) + 1]++] = i;
            if (both(s)) by_layer[layer_first[layer_of(s.right) + 1]++] = i;
        }
        return layer_first.resize(std::size_t{layers} + 1);
    }

    [[nodiscard]] bool add_point(std::uint32_t vertex) {
        if (point_of[vertex] != kNone) return true;
        point_of[vertex] = static_cast<std::uint32_t>(points.size());
        const BorderVertex& v = borders.vertices[vertex];
        return points.push_back({static_cast<double>(v.x), static_cast<double>(v.y)}) &&
               point_vertex.push_back(vertex);
    }

    Result<void> triangulate_layer(std::uint32_t layer) {
        for (const std::uint32_t vertex : point_vertex) point_of[vertex] = kNone;
        points.clear();
        point_vertex.clear();
        constraints.clear();
        constraint_segment.clear();
        for (std::uint32_t i = layer_first[layer]; i < layer_first[layer + 1]; ++i) {
            const Segment& s = segments[by_layer[i]];
            if (!add_point(s.from) || !add_point(s.to)) return kNoMemory;
            if (!constraints.push_back({point_of[s.from], point_of[s.to], 1})) return kNoMemory;
            if (!constraint_segment.push_back(by_layer[i])) return kNoMemory;
        }
        TriangulateOptions options;
        options.quantum = 1.0;
        options.allocator = settings.allocator;
        return triangulate_into(points.span(), constraints.span(), options, scratch, town);
    }

    // The segment over a half-edge; kNone for none.
    [[nodiscard]] std::uint32_t segment_over(std::uint32_t half, bool& reversed) const {
        std::uint32_t found = kNone;
        town.sources(half, [&](ConstraintSource source) {
            found = constraint_segment[source.segment];
            reversed = source.reversed;
        });
        return found;
    }

    [[nodiscard]] std::uint32_t add_vertex(const BorderVertex& v, double z) {
        const auto id = static_cast<std::uint32_t>(out.vertices.size() - vertex_base);
        const Vec3 at{(static_cast<double>(interior.x0) + v.x) * settings.frame.cell_size,
                      (static_cast<double>(interior.y0) + v.y) * settings.frame.cell_size,
                      z * settings.frame.cell_height};
        return out.vertices.push_back(at) ? id : kNone;
    }

    // The tile's vertex for a corner of a polygon; `half` is the half-edge that leaves it.
    [[nodiscard]] std::uint32_t out_vertex(std::uint32_t vertex, std::uint32_t half) {
        const BorderVertex& v = borders.vertices[vertex];
        if (v.split) return split_vertex(vertex, half);
        std::uint32_t& id = vertex_out[vertex];
        if (id == kNone) id = add_vertex(v, v.z);
        return id;
    }

    // The floor in the corner of a polygon: turning clockwise from its side, that on the left of the first segment.
    [[nodiscard]] std::uint32_t floor_in_corner(const BorderVertex& v, std::uint32_t half) const {
        while (!town.constrained(half)) half = Triangulation::next(town.twins[half]);
        bool reversed = false;
        const Segment& s = segments[segment_over(half, reversed)];
        for (std::uint32_t i = v.first; i < v.first + v.count; ++i) {
            const UnitEdge& e = borders.edges[borders.ends[i] >> 1];
            if (e.chain == s.chain && ((borders.ends[i] & 1U) != 0) == reversed)
                return reversed ? e.other : e.floor;
        }
        return borders.edges[borders.ends[v.first] >> 1].floor;
    }

    // One vertex for each height.
    [[nodiscard]] std::uint32_t split_vertex(std::uint32_t vertex, std::uint32_t half) {
        const BorderVertex& v = borders.vertices[vertex];
        const double z = CornerFloors(f, interior, v, floor_in_corner(v, half)).height(f);
        for (const SplitVertex& known : split) {
            if (known.vertex == vertex && known.z == z) return known.id;
        }
        const std::uint32_t id = add_vertex(v, z);
        return id != kNone && split.push_back({vertex, id, z}) ? id : kNone;
    }

    [[nodiscard]] bool emit_corner(std::uint32_t i) {
        // Points and vertices of the triangulation are the same: no point repeats and nothing crosses.
        const std::uint32_t vertex = out_vertex(point_vertex[pieces.corners[i]], pieces.halves[i]);
        const auto corner = static_cast<std::uint32_t>(out.corners.size() - corner_base);
        std::uint32_t across = kAcrossWall;
        if (!town.constrained(pieces.halves[i])) {
            across = layer_base + pieces.across[i];
        } else {
            bool reversed = false;
            const std::uint32_t segment = segment_over(pieces.halves[i], reversed);
            const Segment& s = segments[segment];
            if (s.open && is_border(s.right)) across = kAcrossTile + (s.right - kBorder);
            (reversed ? edge_corners[segment].right : edge_corners[segment].left) = corner;
        }
        return vertex != kNone && out.corners.push_back(vertex) && out.across.push_back(across);
    }

    Result<void> make_pieces(std::uint32_t layer) {
        sides.clear();
        const auto of_layer = [layer](std::uint32_t label) {
            return is_label(label) && layer_of(label) == layer ? label : kNoRegion;
        };
        for (const std::uint32_t segment : constraint_segment) {
            const Segment& s = segments[segment];
            if (!sides.push_back({of_layer(s.left), of_layer(s.right)})) return kNoMemory;
        }
        // The sides of the segments cannot contradict each other: they are borders of one label map.
        const Result<RegionConflicts> flood =
            find_regions_into(town, sides.span(), scratch, region, LookForConflicts::no);
        if (!flood) return flood.error();
        return merge_convex_into(town, region.span(), {.keep_labels = 1}, scratch, pieces);
    }

    [[nodiscard]] bool emit_layer(std::uint32_t layer) {
        layer_base = static_cast<std::uint32_t>(out.polygons.size() - polygon_base);
        std::uint32_t corner = 0;
        for (std::uint32_t p = 0; p < pieces.sizes.size(); ++p) {
            const auto first = static_cast<std::uint32_t>(out.corners.size() - corner_base);
            if (!out.polygons.push_back({first, pieces.sizes[p], layer, area_of(pieces.regions[p])}))
                return false;
            for (const std::uint32_t end = corner + pieces.sizes[p]; corner < end; ++corner) {
                if (!emit_corner(corner)) return false;
            }
        }
        return true;
    }

    // Polygons on the two sides of an open segment are neighbours, whatever their layers.
    [[nodiscard]] bool join_layers() {
        if (!polygon_of.resize_uninitialized(out.corners.size() - static_cast<std::size_t>(corner_base)))
            return false;
        for (std::uint64_t p = polygon_base; p < out.polygons.size(); ++p) {
            const BakedPolygon& polygon = out.polygons[static_cast<std::size_t>(p)];
            for (std::uint32_t i = 0; i < polygon.count; ++i)
                polygon_of[polygon.first + i] = static_cast<std::uint32_t>(p - polygon_base);
        }
        for (std::uint32_t i = 0; i < segments.size(); ++i) {
            const SegmentCorners& c = edge_corners[i];
            if (!segments[i].open || !is_label(segments[i].right) || c.left == kNone || c.right == kNone)
                continue;
            out.across[static_cast<std::size_t>(corner_base + c.left)] = polygon_of[c.right];
            out.across[static_cast<std::size_t>(corner_base + c.right)] = polygon_of[c.left];
        }
        return true;
    }

    Result<void> run() {
        vertex_base = out.vertices.size();
        polygon_base = out.polygons.size();
        corner_base = out.corners.size();
        if (!sort_segments()) return kNoMemory;
        const std::size_t vertices = borders.vertices.size();
        if (!point_of.resize_uninitialized(vertices) || !vertex_out.resize_uninitialized(vertices))
            return kNoMemory;
        std::fill(point_of.begin(), point_of.end(), kNone);
        std::fill(vertex_out.begin(), vertex_out.end(), kNone);
        if (!edge_corners.resize_uninitialized(segments.size())) return kNoMemory;
        std::fill(edge_corners.begin(), edge_corners.end(), SegmentCorners{});
        for (std::uint32_t layer = 0; layer + 1 < layer_first.size(); ++layer) {
            if (layer_first[layer] == layer_first[layer + 1]) continue;
            const Result<void> done = triangulate_layer(layer);
            if (!done) return done;
            FAIRLEAD_ASSERT(town.crossings == 0 && town.vertices.size() == points.size());
            const Result<void> made = make_pieces(layer);
            if (!made) return made;
            if (!emit_layer(layer)) return kNoMemory;
        }
        return join_layers() ? Result<void>{} : kNoMemory;
    }
};

}  // namespace

Result<void> make_polygons(const Settings& settings, const CellBox& interior, const Floors& floors,
                           const Borders& borders, const Array<Segment>& segments, BakedMesh& out) {
    if (segments.empty()) return {};
    PolygonMaker maker(settings, interior, floors, borders, segments, out);
    return maker.run();
}

}  // namespace fairlead::bake
