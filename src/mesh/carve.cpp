#include "mesh/carve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/no_memory.h"
#include "mesh/orient.h"
#include "mesh/surface.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint32_t kSideLabel = 1;
constexpr std::uint32_t kFootprintLabel = 2;
constexpr std::uint32_t kGateLabel = 4;
constexpr std::uint32_t kSeveral = kNone - 1;
constexpr float kNoGap = std::numeric_limits<float>::infinity();

bool lesser(Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

Aabb box_of(Vec2 a, Vec2 b) { return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}}; }

}  // namespace

Carver::Carver(const Allocator& a)
    : vertices_(a), sizes_(a), corners_(a), areas_(a), baked_vertex_(a), baked_polygon_(a), hits_(a), gate_hits_(a), gaps_(a), gate_of_segment_(a), states_(a),
      seen_(a), splits_(a), split_done_(a), crossings_(a), on_segment_(a), group_of_(a), members_(a), group_ends_(a), point_of_(a), point_vertex_(a),
      points_(a), segments_(a), sides_(a), region_(a), winding_(a), scratch_(a), triangles_(a), pieces_(a) {}

NavMeshTile Carver::result() const {
    return {tile_->x, tile_->y, vertices_.span(), sizes_.span(), corners_.span(), areas_.span()};
}

Result<void> Carver::carve(const Tile& baked, std::span<const Footprint> footprints, std::span<const Gate> gates,
                           const CarveRules& rules) {
    footprints_ = footprints;
    gates_ = gates;
    rules_ = rules;
    gaps_.clear();
    failed_ = false;
    sizes_.clear();
    corners_.clear();
    areas_.clear();
    read(baked);
    if (failed_ || !find_hits() || !find_gate_hits() || !find_splits() || !find_groups() || !copy_untouched()) return kNoMemory;
    std::uint32_t first = 0;
    for (const std::uint32_t end : group_ends_) {
        const std::span<const std::uint32_t> group = members_.span().subspan(first, end - first);
        first = end;
        Result<void> cut;
        if (!group_overlaps(group)) {
            cut = cut_group(group);
        } else {
            for (std::size_t i = 0; i < group.size() && cut; ++i) cut = cut_group(group.subspan(i, 1));
        }
        if (!cut) return cut;
    }
    return {};
}

void Carver::read(const Tile& baked) {
    tile_ = &baked;
    view_ = {.edges = baked.edges(), .polygons = baked.polygons(), .tile = const_cast<Tile*>(&baked)};
    const TileCounts& n = baked.count;
    if (!vertices_.resize_uninitialized(n.vertices) || !baked_vertex_.resize_uninitialized(n.vertices) ||
        !baked_polygon_.resize_uninitialized(n.vertices)) {
        failed_ = true;
        return;
    }
    for (std::uint32_t e = 0; e < n.edges; ++e) {
        const std::uint32_t vertex = baked.vertices()[e];
        const Vec2 at = baked.edges()[e].from;
        vertices_[vertex] = {at.x, at.y, baked.height(e)};
        baked_vertex_[vertex] = vertex;
        baked_polygon_[vertex] = baked.edges()[e].polygon;
    }
}

// Do the insides meet, seen from above, and is the surface there at the obstacle's height?
bool Carver::meets(std::uint32_t polygon, const Footprint& footprint) const {
    const std::uint32_t first = view_.polygons[polygon].first, end = view_.polygons[polygon + 1].first;
    for (std::uint32_t e = first; e < end; ++e) {
        const Vec2 a = view_.edges[e].from, b = tile_->to(e);
        std::uint32_t outside = 0;
        for (std::uint32_t i = 0; i < footprint.count; ++i) outside += side_of(a, b, footprint.points[i]) <= 0.0 ? 1U : 0U;
        if (outside == footprint.count) return false;
    }
    for (std::uint32_t i = 0; i < footprint.count; ++i) {
        const Vec2 a = footprint.points[i], b = footprint.points[i + 1 < footprint.count ? i + 1 : 0];
        bool apart = true;
        for (std::uint32_t e = first; e < end && apart; ++e) apart = side_of(a, b, view_.edges[e].from) <= 0.0;
        if (apart) return false;
    }
    // Heights over what they have in common: the corners of one inside the other, and where sides cross.
    double low = kMeshSpan, high = -kMeshSpan;
    const auto note = [&](double z) {
        low = std::min(low, z);
        high = std::max(high, z);
    };
    for (std::uint32_t i = 0; i < footprint.count; ++i) {
        const Vec2 p = footprint.points[i], q = footprint.points[i + 1 < footprint.count ? i + 1 : 0];
        bool inside = true;
        for (std::uint32_t e = first; e < end; ++e) {
            const Vec2 a = view_.edges[e].from, b = tile_->to(e);
            const double at_p = side_of(a, b, p), at_q = side_of(a, b, q);
            inside = inside && at_p >= 0.0;
            if ((at_p < 0.0) == (at_q < 0.0)) continue;
            const double t = std::clamp(cross(p - a, q - p) / cross(b - a, q - p), 0.0, 1.0);
            const double za = tile_->height(e), zb = tile_->height(tile_->next(e));
            note(za + (zb - za) * t);
        }
        if (inside) note(height_in_polygon(view_, polygon, p));
    }
    for (std::uint32_t e = first; e < end; ++e) {
        bool inside = true;
        for (std::uint32_t i = 0; i < footprint.count && inside; ++i) {
            inside = side_of(footprint.points[i], footprint.points[i + 1 < footprint.count ? i + 1 : 0], view_.edges[e].from) >= 0.0;
        }
        if (inside) note(tile_->height(e));
    }
    return low <= footprint.high && high >= footprint.low;
}

bool Carver::find_hits() {
    hits_.clear();
    states_.clear();
    seen_.clear();
    if (!states_.resize(tile_->count.polygons) || !seen_.resize(tile_->count.polygons)) return false;
    for (std::uint32_t f = 0; f < footprints_.size(); ++f) {
        const Footprint& footprint = footprints_[f];
        if (!overlaps(footprint.box, tile_->box)) continue;
        const Aabb part{{std::max(footprint.box.low.x, tile_->box.low.x), std::max(footprint.box.low.y, tile_->box.low.y)},
                        {std::min(footprint.box.high.x, tile_->box.high.x), std::min(footprint.box.high.y, tile_->box.high.y)}};
        const BucketRange range = buckets_of(part, tile_->box.low, tile_->bucket_size);
        for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
            for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
                const std::size_t bucket = std::size_t{y} * tile_->count.buckets_x + x;
                for (std::uint32_t i = tile_->bucket_firsts()[bucket]; i < tile_->bucket_firsts()[bucket + 1]; ++i) {
                    const std::uint32_t polygon = tile_->bucket_items()[i];
                    if (seen_[polygon] == f + 1) continue;
                    seen_[polygon] = f + 1;
                    if (!meets(polygon, footprint)) continue;
                    states_[polygon] = static_cast<std::uint8_t>(State::met);
                    if (!hits_.push_back({polygon, f})) return false;
                }
            }
        }
    }
    return true;
}

// Does the gate run through the inside of the polygon, or along a side of it, on the same floor?
bool Carver::gate_meets(std::uint32_t polygon, const Gate& gate) const {
    const std::uint32_t first = view_.polygons[polygon].first, end = view_.polygons[polygon + 1].first;
    double low = 0.0, high = 1.0;  // the part of the gate inside
    for (std::uint32_t e = first; e < end; ++e) {
        const Vec2 a = view_.edges[e].from, b = tile_->to(e);
        const double at_a = side_of(a, b, gate.a), at_b = side_of(a, b, gate.b);
        if (at_a <= 0.0 && at_b <= 0.0 && (at_a < 0.0 || at_b < 0.0)) return false;
        if (at_a < 0.0) low = std::max(low, at_a / (at_a - at_b));
        if (at_b < 0.0) high = std::min(high, at_a / (at_a - at_b));
    }
    if (low > high) return false;
    const double t = (low + high) / 2.0;
    const double z = height_in_polygon(view_, polygon, gate.a + (gate.b - gate.a) * t);
    return std::fabs(z - (gate.za + (gate.zb - gate.za) * t)) <= rules_.floor_height;
}

bool Carver::find_gate_hits() {
    gate_hits_.clear();
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
        const Aabb box = box_of(gates_[g].a, gates_[g].b);
        if (!overlaps(box, tile_->box)) continue;
        for (std::uint32_t polygon = 0; polygon < tile_->count.polygons; ++polygon) {
            if (!gate_meets(polygon, gates_[g])) continue;
            if (states_[polygon] == static_cast<std::uint8_t>(State::untouched)) {
                states_[polygon] = static_cast<std::uint8_t>(State::cut);
            }
            if (!gate_hits_.push_back({polygon, g})) return false;
        }
    }
    return true;
}

bool Carver::on_border(std::uint32_t edge) const {
    if (rules_.tile_size <= 0.0) return false;
    const Vec2 a = view_.edges[edge].from, b = tile_->to(edge);
    const double x0 = tile_->x * rules_.tile_size, x1 = (tile_->x + 1.0) * rules_.tile_size;
    const double y0 = tile_->y * rules_.tile_size, y1 = (tile_->y + 1.0) * rules_.tile_size;
    return (a.x == b.x && (a.x == x0 || a.x == x1)) || (a.y == b.y && (a.y == y0 || a.y == y1));
}

bool Carver::side_in_height(std::uint32_t edge, const Footprint& footprint) const {
    const double a = tile_->height(edge), b = tile_->height(tile_->next(edge));
    return std::min(a, b) <= footprint.high && std::max(a, b) >= footprint.low;
}

// The half-edge by which both polygons of a side know it.
std::uint32_t Carver::canonical(std::uint32_t edge) const {
    const EdgeRef twin = view_.edges[edge].twin;
    if (twin == kNone || on_border(edge)) return edge;
    const std::uint32_t other = twin & rules_.mask;
    return edge < other ? edge : other;
}

std::uint32_t Carver::add_vertex(Vec2 at, std::uint32_t polygon) {
    const auto number = static_cast<std::uint32_t>(vertices_.size());
    const double z = height_in_polygon(view_, polygon, at);
    if (!vertices_.push_back({at.x, at.y, z}) || !baked_vertex_.push_back(kNone) || !baked_polygon_.push_back(polygon)) {
        failed_ = true;
        return 0;
    }
    return number;
}

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
        return !failed_ && splits_.push_back({edge, along, vertex}) && crossings_.push_back({segment, vertex, place});
    };
    const auto rounded_crossing = [this](Vec2 p, Vec2 q, double t) {
        const double quantum = rules_.quantum;
        const Vec2 x = p + (q - p) * t;
        return Vec2{p.x == q.x ? p.x : std::round(x.x / quantum) * quantum, p.y == q.y ? p.y : std::round(x.y / quantum) * quantum};
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
        if (!add_here(rounded_crossing(a, b, at_a / (at_a - at_b)))) return false;
    }
    // total order: places along the side differ
    std::sort(splits_.begin() + static_cast<std::ptrdiff_t>(first), splits_.end(),
              [](const SplitPoint& p, const SplitPoint& q) { return p.along != q.along ? p.along < q.along : p.vertex < q.vertex; });
    return true;
}

// Sides of polygons that are met, and all sides on the border. Who only has a cut side is cut as well.
bool Carver::find_splits() {
    splits_.clear();
    crossings_.clear();
    split_done_.clear();
    if (!split_done_.resize(tile_->count.edges)) return false;
    for (const Hit& hit : hits_) {
        for (std::uint32_t e = view_.polygons[hit.polygon].first; e < view_.polygons[hit.polygon + 1].first; ++e) {
            if (!split_side(canonical(e))) return false;
        }
    }
    for (const Hit& hit : gate_hits_) {
        for (std::uint32_t e = view_.polygons[hit.polygon].first; e < view_.polygons[hit.polygon + 1].first; ++e) {
            if (!split_side(canonical(e))) return false;
        }
    }
    for (std::uint32_t i = 0; i < tile_->count.borders(); ++i) {
        if (!split_side(tile_->borders()[i])) return false;
    }
    // total order: by edge, then along it
    std::sort(splits_.begin(), splits_.end(), [](const SplitPoint& p, const SplitPoint& q) {
        if (p.edge != q.edge) return p.edge < q.edge;
        return p.along != q.along ? p.along < q.along : p.vertex < q.vertex;
    });
    // total order: by segment, then along it
    std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& p, const Crossing& q) {
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

bool Carver::find_groups() {
    members_.clear();
    group_ends_.clear();
    if (!group_of_.resize_uninitialized(tile_->count.polygons)) return false;
    for (std::uint32_t& group : group_of_) group = kNone;
    for (std::uint32_t seed = 0; seed < tile_->count.polygons; ++seed) {
        if (states_[seed] == static_cast<std::uint8_t>(State::untouched) || group_of_[seed] != kNone) continue;
        const auto number = static_cast<std::uint32_t>(group_ends_.size());
        std::size_t at = members_.size();
        group_of_[seed] = number;
        if (!members_.push_back(seed)) return false;
        for (; at < members_.size(); ++at) {
            const std::uint32_t polygon = members_[at];
            for (std::uint32_t e = view_.polygons[polygon].first; e < view_.polygons[polygon + 1].first; ++e) {
                if (view_.edges[e].twin == kNone || on_border(e)) continue;
                const std::uint32_t other = view_.edges[view_.edges[e].twin & rules_.mask].polygon;
                if (states_[other] == static_cast<std::uint8_t>(State::untouched) || group_of_[other] != kNone) continue;
                group_of_[other] = number;
                if (!members_.push_back(other)) return false;
            }
        }
        if (!group_ends_.push_back(static_cast<std::uint32_t>(members_.size()))) return false;
    }
    return true;
}

// Does the surface of the group lie above itself somewhere (a ramp that winds round)?
bool Carver::group_overlaps(std::span<const std::uint32_t> group) const {
    const auto separated = [this](std::uint32_t p, std::uint32_t q) {
        for (std::uint32_t e = view_.polygons[p].first; e < view_.polygons[p + 1].first; ++e) {
            const Vec2 a = view_.edges[e].from, b = tile_->to(e);
            bool apart = true;
            for (std::uint32_t k = view_.polygons[q].first; k < view_.polygons[q + 1].first && apart; ++k) {
                apart = side_of(a, b, view_.edges[k].from) <= 0.0;
            }
            if (apart) return true;
        }
        return false;
    };
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            if (!separated(group[i], group[k]) && !separated(group[k], group[i])) return true;
        }
    }
    return false;
}

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
    const auto before = [](const Crossing& crossing, std::uint32_t wanted) { return crossing.segment < wanted; };
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

bool Carver::add_segment(std::uint32_t from, std::uint32_t to, std::uint32_t label, const SegmentSides& sides) {
    return segments_.push_back({from, to, label}) && sides_.push_back(sides);
}

// The outer sides of the group, and those inside that tell areas or what is met from what is not. Region numbers:
// area, and whether obstacles count there.
bool Carver::list_sides(std::span<const std::uint32_t> group) {
    const auto region = [this](std::uint32_t polygon) {
        const bool met = states_[polygon] == static_cast<std::uint8_t>(State::met);
        return std::uint32_t{view_.polygons[polygon].area()} * 2 + (met ? 1U : 0U);
    };
    for (const std::uint32_t polygon : group) {
        for (std::uint32_t e = view_.polygons[polygon].first; e < view_.polygons[polygon + 1].first; ++e) {
            const bool inner = view_.edges[e].twin != kNone && !on_border(e);
            const std::uint32_t other = inner ? view_.edges[view_.edges[e].twin & rules_.mask].polygon : kNone;
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
    const auto in_group = [&](std::uint32_t polygon) { return std::find(group.begin(), group.end(), polygon) != group.end(); };
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
            if (!add_broken(f * kFootprintPointsMax + i, first + i, first + next, kFootprintLabel)) return false;
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
        if (segments_[source.segment].label == kGateLabel) least = std::min(least, gates_[gate_of_segment_[source.segment]].gap);
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
    const Result<void> made = triangulate_into(points_.span(), segments_.span(), {.quantum = rules_.quantum}, scratch_, triangles_);
    if (!made) return made;
    const Result<RegionConflicts> regions = find_regions_into(triangles_, sides_.span(), scratch_, region_);
    if (!regions) return regions.error();
    const Result<RegionConflicts> windings = find_winding_into(triangles_, segments_.span(), kFootprintLabel, scratch_, winding_);
    if (!windings) return windings.error();
    for (std::uint32_t t = 0; t < region_.size(); ++t) {
        if (region_[t] == kNoRegion) continue;
        const bool blocked = (region_[t] & 1U) != 0 && winding_[t] != 0;
        region_[t] = blocked ? kNoRegion : region_[t] >> 1;
    }
    const Result<void> merged = merge_convex_into(triangles_, region_.span(), {.keep_labels = kGateLabel}, scratch_, pieces_);
    if (!merged) return merged;
    return collect(group);
}

// Where polygons of the group only touch, one point is several vertices: the one of the baked polygon that the triangle
// lies in.
std::uint32_t Carver::vertex_in_fan(std::span<const std::uint32_t> group, std::uint32_t half) const {
    const auto corner_at = [&](std::uint32_t h) { return triangles_.vertices[triangles_.corners[h]]; };
    const Vec2 at = corner_at(half);
    const Vec2 middle = (at + corner_at(Triangulation::next(half)) + corner_at(Triangulation::previous(half))) * (1.0 / 3.0);
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
        const std::uint32_t vertex = point_of_[corner] != kSeveral ? point_of_[corner] : vertex_in_fan(group, pieces_.halves[i]);
        if (!corners_.push_back(vertex)) return kNoMemory;
    }
    for (std::size_t i = 0; i < pieces_.sizes.size(); ++i) {
        if (!sizes_.push_back(pieces_.sizes[i]) || !areas_.push_back(static_cast<std::uint8_t>(pieces_.regions[i]))) {
            return kNoMemory;
        }
    }
    return {};
}

bool Carver::copy_untouched() {
    for (std::uint32_t polygon = 0; polygon < tile_->count.polygons; ++polygon) {
        if (states_[polygon] != static_cast<std::uint8_t>(State::untouched)) continue;
        const std::uint32_t first = view_.polygons[polygon].first, end = view_.polygons[polygon + 1].first;
        if (!sizes_.push_back(end - first) || !areas_.push_back(view_.polygons[polygon].area())) return false;
        for (std::uint32_t e = first; e < end; ++e) {
            if (!corners_.push_back(tile_->vertices()[e]) || !gaps_.push_back(kNoGap)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::mesh
