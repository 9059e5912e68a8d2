// A group of polygons, triangulated with footprints and gates, and joined to polygons again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/edit/carve.h"
#include "mesh/edit/carve_kit.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

std::uint32_t Carver::point_of(std::uint32_t vertex) {
    while (point_of_.size() < vertices_.size()) {
        if (!point_of_.push_back(kNone)) {
            failed_ = true;
            return 0;
        }
    }
    std::uint32_t& point = point_of_[vertex];
    if (point != kNone) return point;
    point = static_cast<std::uint32_t>(points_.size());
    if (!points_.push_back(ground(vertices_[vertex])) || !point_vertex_.push_back(vertex)) failed_ = true;
    return point;
}

// A segment through the points where it crosses sides of the group: there it must not be crossed anywhere else, or the
// neighbours of those sides would not know.
bool Carver::add_broken(std::uint32_t segment, std::uint32_t from, std::uint32_t to, std::uint32_t label) {
    const auto before = [](const Crossing& crossing, std::uint32_t wanted) {
        return crossing.segment < wanted;
    };
    const Crossing* at = std::lower_bound(crossings_.begin(), crossings_.end(), segment, before);
    for (; at != crossings_.end() && at->segment == segment; ++at) {
        if (at->vertex >= point_of_.size() || point_of_[at->vertex] == kNone) continue;
        const std::uint32_t through = point_of_[at->vertex];
        if (points_[through] == points_[from] || points_[through] == points_[to]) continue;
        if (!add_segment(from, through, label, {})) return false;
        from = through;
    }
    return add_segment(from, to, label, {});
}

bool Carver::add_segment(std::uint32_t from, std::uint32_t to, std::uint32_t label,
                         const SegmentSides& sides) {
    return segments_.push_back({from, to, label}) && sides_.push_back(sides);
}

// The outer sides of the group, and those inside that tell areas, layers or what is met from what is not. Region numbers:
// area and layer, and whether obstacles count there.
bool Carver::list_sides(std::span<const std::uint32_t> group) {
    const auto region = [this](std::uint32_t polygon) {
        const bool met = states_[polygon] == static_cast<std::uint8_t>(State::met);
        return kind_of(polygon) * 2 + (met ? 1U : 0U);
    };
    for (const std::uint32_t polygon : group) {
        for (std::uint32_t e = view_.polygons[polygon].first; e < view_.polygons[polygon + 1].first; ++e) {
            const bool inner = view_.edges[e].twin != kNone && !on_border(e);
            const std::uint32_t other =
                inner ? view_.edges[view_.edges[e].twin & rules_.mask].polygon : kNone;
            const bool ours = other != kNone && std::find(group.begin(), group.end(), other) != group.end();
            if (ours && (region(other) == region(polygon) || other < polygon)) continue;
            const SegmentSides sides{region(polygon), ours ? region(other) : kNoRegion};
            const std::span<const SplitPoint> splits = splits_of(canonical(e));
            const bool forward = lesser(view_.edges[e].from, tile_->to(e));
            std::uint32_t from = point_of(tile_->vertices()[e]);
            for (std::size_t i = 0; i < splits.size(); ++i) {
                const std::uint32_t to = point_of(splits[forward ? i : splits.size() - 1 - i].vertex);
                if (failed_ || !add_segment(from, to, kSideLabel, sides)) return false;
                from = to;
            }
            const std::uint32_t to = point_of(tile_->vertices()[tile_->next(e)]);
            if (failed_ || !add_segment(from, to, kSideLabel, sides)) return false;
        }
    }
    return true;
}

bool Carver::list_footprints(std::span<const std::uint32_t> group) {
    const auto in_group = [&](std::uint32_t polygon) {
        return std::find(group.begin(), group.end(), polygon) != group.end();
    };
    for (std::uint32_t f = 0; f < footprints_.size(); ++f) {
        bool wanted = false;
        for (const Hit& hit : hits_) wanted = wanted || (hit.footprint == f && in_group(hit.polygon));
        if (!wanted) continue;
        const auto first = static_cast<std::uint32_t>(points_.size());
        const Footprint& footprint = footprints_[f];
        for (std::uint32_t i = 0; i < footprint.count; ++i) {
            if (!points_.push_back(footprint.points[i]) || !point_vertex_.push_back(kNone)) return false;
        }
        for (std::uint32_t i = 0; i < footprint.count; ++i) {
            const std::uint32_t next = i + 1 < footprint.count ? i + 1 : 0;
            if (!add_broken(f * kFootprintPointsMax + i, first + i, first + next, kFootprintLabel))
                return false;
        }
    }
    return true;
}

bool Carver::list_gates(std::span<const std::uint32_t> group) {
    gate_of_segment_.clear();
    if (!gate_of_segment_.resize(segments_.size())) return false;
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
        const auto here = [&](const Hit& hit) {
            return hit.footprint == g && std::find(group.begin(), group.end(), hit.polygon) != group.end();
        };
        if (std::none_of(gate_hits_.begin(), gate_hits_.end(), here)) continue;
        const auto first = static_cast<std::uint32_t>(points_.size());
        for (const Vec2 p : {gates_[g].a, gates_[g].b}) {
            if (!points_.push_back(p) || !point_vertex_.push_back(kNone)) return false;
        }
        if (!add_broken(kGateBit | g, first, first + 1, kGateLabel)) return false;
        while (gate_of_segment_.size() < segments_.size()) {
            if (!gate_of_segment_.push_back(g)) return false;
        }
    }
    return true;
}

// The gap of the narrowest gate over an edge of the triangulation.
float Carver::gap_of(std::uint32_t half) const {
    double least = std::numeric_limits<double>::infinity();
    triangles_.sources(half, [&](ConstraintSource source) {
        if (segments_[source.segment].label == kGateLabel)
            least = std::min(least, gates_[gate_of_segment_[source.segment]].gap);
    });
    // Rounded down: what is said to fit, fits.
    const auto out = static_cast<float>(least);
    return double{out} > least ? std::nextafterf(out, 0.0F) : out;
}

// The polygon of the group that holds a point, or nearly.
std::uint32_t Carver::polygon_at(std::span<const std::uint32_t> group, Vec2 p) const {
    std::uint32_t best = group[0];
    double least = -kMeshSpan * kMeshSpan * 4.0;
    for (const std::uint32_t polygon : group) {
        double worst = kMeshSpan * kMeshSpan * 4.0;
        for (std::uint32_t e = view_.polygons[polygon].first; e < view_.polygons[polygon + 1].first; ++e) {
            worst = std::min(worst, side_of(view_.edges[e].from, tile_->to(e), p));
        }
        if (worst <= least) continue;
        least = worst;
        best = polygon;
    }
    return best;
}

Result<void> Carver::cut_group(std::span<const std::uint32_t> group) {
    for (std::uint32_t& point : point_of_) point = kNone;
    points_.clear();
    point_vertex_.clear();
    segments_.clear();
    sides_.clear();
    if (!list_sides(group) || !list_footprints(group) || !list_gates(group)) return kNoMemory;
    const Result<void> made =
        triangulate_into(points_.span(), segments_.span(),
                         {.quantum = rules_.quantum, .measure_deviation = false}, scratch_, triangles_);
    if (!made) return made;
    const Result<RegionConflicts> regions =
        find_regions_into(triangles_, sides_.span(), scratch_, region_, LookForConflicts::no);
    if (!regions) return regions.error();
    const Result<RegionConflicts> windings = find_winding_into(triangles_, segments_.span(), kFootprintLabel,
                                                               scratch_, winding_, LookForConflicts::no);
    if (!windings) return windings.error();
    for (std::uint32_t t = 0; t < region_.size(); ++t) {
        if (region_[t] == kNoRegion) continue;
        const bool blocked = (region_[t] & 1U) != 0 && winding_[t] != 0;
        region_[t] = blocked ? kNoRegion : region_[t] >> 1;
    }
    const Result<void> merged =
        merge_convex_into(triangles_, region_.span(), {.keep_labels = kGateLabel}, scratch_, pieces_);
    if (!merged) return merged;
    return collect(group);
}

// Where polygons of the group only touch, one point is several vertices: the one of the baked polygon that the triangle
// lies in.
std::uint32_t Carver::vertex_in_fan(std::span<const std::uint32_t> group, std::uint32_t half) const {
    const auto corner_at = [&](std::uint32_t h) { return triangles_.vertices[triangles_.corners[h]]; };
    const Vec2 at = corner_at(half);
    const Vec2 middle =
        (at + corner_at(Triangulation::next(half)) + corner_at(Triangulation::previous(half))) * (1.0 / 3.0);
    std::uint32_t vertex = kNone;
    double deepest = -kMeshSpan * kMeshSpan * 4.0;
    for (const std::uint32_t polygon : group) {
        double depth = kMeshSpan * kMeshSpan * 4.0;
        std::uint32_t here = kNone;
        for (std::uint32_t e = view_.polygons[polygon].first; e < view_.polygons[polygon + 1].first; ++e) {
            depth = std::min(depth, side_of(view_.edges[e].from, tile_->to(e), middle));
            if (view_.edges[e].from == at) here = tile_->vertices()[e];
        }
        if (here == kNone || depth <= deepest) continue;
        deepest = depth;
        vertex = here;
    }
    return vertex;
}

// The pieces, with the tile's numbers for vertices.
Result<void> Carver::collect(std::span<const std::uint32_t> group) {
    const std::size_t known = triangles_.vertices.size();
    // point_of_ is free now: by vertex of the triangulation, the tile's.
    point_of_.clear();
    if (!point_of_.resize_uninitialized(std::max(known, vertices_.size()))) return kNoMemory;
    for (std::uint32_t& vertex : point_of_) vertex = kNone;
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (point_vertex_[i] == kNone) continue;
        std::uint32_t& vertex = point_of_[triangles_.vertex_of_point[i]];
        vertex = vertex == kNone || vertex == point_vertex_[i] ? point_vertex_[i] : kSeveral;
    }
    for (std::size_t i = 0; i < pieces_.corners.size(); ++i) {
        const std::uint32_t corner = pieces_.corners[i];
        const float gap = (pieces_.labels[i] & kGateLabel) != 0 ? gap_of(pieces_.halves[i]) : kNoGap;
        if (!gaps_.push_back(gap)) return kNoMemory;
        if (point_of_[corner] == kNone) {
            const Vec2 at = triangles_.vertices[corner];
            const std::uint32_t vertex = add_vertex(at, polygon_at(group, at));
            if (failed_) return kNoMemory;
            point_of_[corner] = vertex;
        }
        const std::uint32_t vertex =
            point_of_[corner] != kSeveral ? point_of_[corner] : vertex_in_fan(group, pieces_.halves[i]);
        if (!corners_.push_back(vertex)) return kNoMemory;
    }
    for (std::size_t i = 0; i < pieces_.sizes.size(); ++i) {
        if (!sizes_.push_back(pieces_.sizes[i]) || !add_kind(pieces_.regions[i])) return kNoMemory;
    }
    return {};
}

}  // namespace fairlead::mesh
