// Where the sides of polygons are cut, so that neighbours fit.
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

// Where footprints cross a side, or touch it from inside. Computed from the lesser end, whichever polygon asks.
bool Carver::split_side(std::uint32_t edge) {
    if (split_done_[edge] != 0) return true;
    split_done_[edge] = 1;
    Vec2 a = view_.edges[edge].from, b = tile_->to(edge);
    if (lesser(b, a)) std::swap(a, b);
    const Aabb box = box_of(a, b);
    const std::size_t first = splits_.size();
    const auto add = [&](Vec2 p, std::uint32_t segment, Vec2 from, Vec2 to) {
        const double along = dot(p - a, b - a);
        if (p == a || p == b || !(along > 0.0) || !(along < dot(b - a, b - a))) return true;
        const double place = dot(p - from, to - from);
        for (std::size_t i = first; i < splits_.size(); ++i) {
            const std::uint32_t known = splits_[i].vertex;
            if (ground(vertices_[known]) == p) return crossings_.push_back({segment, known, place});
        }
        const std::uint32_t vertex = add_vertex(p, view_.edges[edge].polygon);
        return !failed_ && splits_.push_back({edge, along, vertex}) &&
               crossings_.push_back({segment, vertex, place});
    };
    const auto rounded_crossing = [this](Vec2 p, Vec2 q, double t) {
        const double quantum = rules_.quantum;
        const Vec2 x = p + (q - p) * t;
        return Vec2{p.x == q.x ? p.x : std::round(x.x / quantum) * quantum,
                    p.y == q.y ? p.y : std::round(x.y / quantum) * quantum};
    };
    for (std::uint32_t f = 0; f < footprints_.size(); ++f) {
        const Footprint& footprint = footprints_[f];
        if (!overlaps(footprint.box, box) || !side_in_height(edge, footprint)) continue;
        for (std::uint32_t i = 0; i < footprint.count; ++i) {
            const Vec2 p = footprint.points[i], q = footprint.points[i + 1 < footprint.count ? i + 1 : 0];
            const double at_p = side_of(a, b, p), at_q = side_of(a, b, q);
            const std::uint32_t segment = f * kFootprintPointsMax + i;
            if (at_p == 0.0 && !add(p, segment, p, q)) return false;
            if (!((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0))) continue;
            const double at_a = side_of(p, q, a), at_b = side_of(p, q, b);
            if (!((at_a > 0.0 && at_b < 0.0) || (at_a < 0.0 && at_b > 0.0))) continue;
            if (!add(rounded_crossing(a, b, at_a / (at_a - at_b)), segment, p, q)) return false;
        }
    }
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
        const Gate& gate = gates_[g];
        if (!overlaps(box_of(gate.a, gate.b), box)) continue;
        const double at_p = side_of(a, b, gate.a), at_q = side_of(a, b, gate.b);
        const auto add_here = [&](Vec2 p) { return add(p, kGateBit | g, gate.a, gate.b); };
        if ((at_p == 0.0 && !add_here(gate.a)) || (at_q == 0.0 && !add_here(gate.b))) return false;
        if (!((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0))) continue;
        const double at_a = side_of(gate.a, gate.b, a), at_b = side_of(gate.a, gate.b, b);
        if (!((at_a > 0.0 && at_b < 0.0) || (at_a < 0.0 && at_b > 0.0))) continue;
        if (!add_here(rounded_crossing(a, b, at_a / (at_a - at_b))) || !within_limits()) return false;
    }
    // total order: places along the side differ
    std::sort(splits_.begin() + static_cast<std::ptrdiff_t>(first), splits_.end(),  // total order
              [](const SplitPoint& p, const SplitPoint& q) {
                  return p.along != q.along ? p.along < q.along : p.vertex < q.vertex;
              });
    return true;
}

// Sides of polygons that are met, and all sides on the border. Who only has a cut side is cut as well.
bool Carver::find_splits() {
    split_done_.clear();
    if (!split_done_.resize(tile_->count.edges)) return false;
    for (const Hit& hit : hits_) {
        for (std::uint32_t e = view_.polygons[hit.polygon].first; e < view_.polygons[hit.polygon + 1].first;
             ++e) {
            if (!split_side(canonical(e))) return false;
        }
    }
    for (const Hit& hit : gate_hits_) {
        for (std::uint32_t e = view_.polygons[hit.polygon].first; e < view_.polygons[hit.polygon + 1].first;
             ++e) {
            if (!split_side(canonical(e))) return false;
        }
    }
    for (std::uint32_t i = 0; i < tile_->count.borders(); ++i) {
        if (!split_side(tile_->borders()[i])) return false;
    }
    // total order: by edge, then along it
    std::sort(splits_.begin(), splits_.end(), [](const SplitPoint& p, const SplitPoint& q) {  // total order
        if (p.edge != q.edge) return p.edge < q.edge;
        return p.along != q.along ? p.along < q.along : p.vertex < q.vertex;
    });
    // total order: by segment, then along it
    std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& p, const Crossing& q) {  // total order
        if (p.segment != q.segment) return p.segment < q.segment;
        return p.along != q.along ? p.along < q.along : p.vertex < q.vertex;
    });
    for (const SplitPoint& split : splits_) {
        const MeshEdge& edge = view_.edges[split.edge];
        const auto touch = [this](std::uint32_t polygon) {
            if (states_[polygon] == static_cast<std::uint8_t>(State::untouched)) {
                states_[polygon] = static_cast<std::uint8_t>(State::cut);
            }
        };
        touch(edge.polygon);
        if (edge.twin != kNone && !on_border(split.edge)) touch(view_.edges[edge.twin & rules_.mask].polygon);
    }
    return true;
}

std::span<const Carver::SplitPoint> Carver::splits_of(std::uint32_t edge) const {
    const auto before = [](const SplitPoint& p, std::uint32_t wanted) { return p.edge < wanted; };
    const SplitPoint* first = std::lower_bound(splits_.begin(), splits_.end(), edge, before);
    const SplitPoint* end = first;
    while (end != splits_.end() && end->edge == edge) ++end;
    return {first, end};
}

}  // namespace fairlead::mesh
