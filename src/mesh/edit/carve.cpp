#include "mesh/edit/carve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/edit/carve_kit.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

Carver::Carver(const Allocator& a)
    : vertices_(a),
      sizes_(a),
      corners_(a),
      areas_(a),
      layers_(a),
      baked_vertex_(a),
      baked_polygon_(a),
      hits_(a),
      gate_hits_(a),
      gaps_(a),
      gate_of_segment_(a),
      states_(a),
      seen_(a),
      splits_(a),
      split_done_(a),
      crossings_(a),
      group_of_(a),
      members_(a),
      group_ends_(a),
      point_of_(a),
      point_vertex_(a),
      points_(a),
      segments_(a),
      sides_(a),
      region_(a),
      winding_(a),
      scratch_(a),
      triangles_(a),
      pieces_(a) {}

NavMeshTile Carver::result() const {
    return {.x = tile_->x,
            .y = tile_->y,
            .vertices = vertices_.span(),
            .polygon_sizes = sizes_.span(),
            .polygon_corners = corners_.span(),
            .areas = areas_.span(),
            .heights = {.polygon_layers = layers_.span()},
            .key = tile_->key};
}

Result<void> Carver::carve(const Tile& baked, std::span<const Footprint> footprints,
                           std::span<const Gate> gates, const CarveRules& rules) {
    footprints_ = footprints;
    gates_ = gates;
    rules_ = rules;
    gaps_.clear();
    failed_ = false;
    too_large_ = false;
    sizes_.clear();
    corners_.clear();
    areas_.clear();
    layers_.clear();
    read(baked);
    splits_.clear();
    crossings_.clear();
    if (failed_ || !find_hits() || !find_gate_hits() || !find_splits() || !find_groups() ||
        !copy_untouched()) {
        return too_large_ ? Error{ErrorCode::size_limit, -1, rules_.mask} : kNoMemory;
    }
    std::uint32_t first = 0;
    for (const std::uint32_t end : group_ends_) {
        const std::span<const std::uint32_t> group = members_.span().subspan(first, end - first);
        first = end;
        Result<void> cut;
        const bool over = group_overlaps(group);
        if (watch != nullptr && watch->stopped) return kNoMemory;  // whoever said stop knows why
        if (!over) {
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

// Do the insides meet, seen from above?
bool Carver::meets_on_ground(std::uint32_t polygon, const Footprint& footprint) const {
    const std::uint32_t first = view_.polygons[polygon].first, end = view_.polygons[polygon + 1].first;
    for (std::uint32_t e = first; e < end; ++e) {
        const Vec2 a = view_.edges[e].from, b = tile_->to(e);
        std::uint32_t outside = 0;
        for (std::uint32_t i = 0; i < footprint.count; ++i)
            outside += side_of(a, b, footprint.points[i]) <= 0.0 ? 1U : 0U;
        if (outside == footprint.count) return false;
    }
    for (std::uint32_t i = 0; i < footprint.count; ++i) {
        const Vec2 a = footprint.points[i], b = footprint.points[i + 1 < footprint.count ? i + 1 : 0];
        bool apart = true;
        for (std::uint32_t e = first; e < end && apart; ++e)
            apart = side_of(a, b, view_.edges[e].from) <= 0.0;
        if (apart) return false;
    }
    return true;
}

// Do the insides meet, and is the surface there at the obstacle's height?
bool Carver::meets(std::uint32_t polygon, const Footprint& footprint) const {
    const std::uint32_t first = view_.polygons[polygon].first, end = view_.polygons[polygon + 1].first;
    double lowest = kMeshSpan, highest = -kMeshSpan;
    for (std::uint32_t e = first; e < end; ++e) {
        lowest = std::min(lowest, tile_->height(e));
        highest = std::max(highest, tile_->height(e));
    }
    if (highest < footprint.low || lowest > footprint.high || !meets_on_ground(polygon, footprint))
        return false;
    if (lowest >= footprint.low && highest <= footprint.high) return true;
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
            inside = side_of(footprint.points[i], footprint.points[i + 1 < footprint.count ? i + 1 : 0],
                             view_.edges[e].from) >= 0.0;
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
        if (tile_->count.polygons == 0 || !overlaps(footprint.box, tile_->box)) continue;
        const Aabb part{{std::max(footprint.box.low.x, tile_->box.low.x),
                         std::max(footprint.box.low.y, tile_->box.low.y)},
                        {std::min(footprint.box.high.x, tile_->box.high.x),
                         std::min(footprint.box.high.y, tile_->box.high.y)}};
        const BucketRange range = buckets_of(part, tile_->box.low, tile_->bucket_size);
        for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
            for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
                const std::size_t bucket = std::size_t{y} * tile_->count.buckets_x + x;
                for (std::uint32_t i = tile_->bucket_firsts()[bucket]; i < tile_->bucket_firsts()[bucket + 1];
                     ++i) {
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

// Gates alone make a tile a few times as large; thousands that all cross thousands of sides are made up. With obstacles, as many
// as references can name. (A crossing is two sides more at least.)
bool Carver::within_limits() {
    constexpr std::size_t kFew = 4096;
    const std::size_t named = std::size_t{rules_.mask} / 2;
    const std::size_t by_gates = std::max(kFew, std::size_t{8} * tile_->count.edges);
    const std::size_t most = footprints_.empty() ? std::min(by_gates, named) : named;
    too_large_ = splits_.size() > most || gate_hits_.size() > most || crossings_.size() > 4 * most;
    return !too_large_;
}

bool Carver::find_gate_hits() {
    gate_hits_.clear();
    for (std::uint32_t g = 0; g < gates_.size(); ++g) {
        const Aabb box = box_of(gates_[g].a, gates_[g].b);
        if (!overlaps(box, tile_->box)) continue;
        if (watch != nullptr && g % 64 == 0 && !watch->goes_on()) return false;
        for (std::uint32_t polygon = 0; polygon < tile_->count.polygons; ++polygon) {
            if (!gate_meets(polygon, gates_[g])) continue;
            if (states_[polygon] == static_cast<std::uint8_t>(State::untouched)) {
                states_[polygon] = static_cast<std::uint8_t>(State::cut);
            }
            if (!gate_hits_.push_back({polygon, g}) || !within_limits()) return false;
        }
    }
    return true;
}

bool Carver::on_border(std::uint32_t edge) const {
    if (rules_.tile_size <= 0.0) return false;
    const Vec2 a = view_.edges[edge].from, b = tile_->to(edge);
    const Aabb square = tile_square(tile_->x, tile_->y, rules_.tile_size);
    return (a.x == b.x && (a.x == square.low.x || a.x == square.high.x)) ||
           (a.y == b.y && (a.y == square.low.y || a.y == square.high.y));
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
    if (!vertices_.push_back({at.x, at.y, z}) || !baked_vertex_.push_back(kNone) ||
        !baked_polygon_.push_back(polygon)) {
        failed_ = true;
        return 0;
    }
    return number;
}

bool Carver::find_groups() {
    members_.clear();
    group_ends_.clear();
    if (!group_of_.resize_uninitialized(tile_->count.polygons)) return false;
    for (std::uint32_t& group : group_of_) group = kNone;
    for (std::uint32_t seed = 0; seed < tile_->count.polygons; ++seed) {
        if (states_[seed] == static_cast<std::uint8_t>(State::untouched) || group_of_[seed] != kNone)
            continue;
        const auto number = static_cast<std::uint32_t>(group_ends_.size());
        std::size_t at = members_.size();
        group_of_[seed] = number;
        if (!members_.push_back(seed)) return false;
        for (; at < members_.size(); ++at) {
            const std::uint32_t polygon = members_[at];
            for (std::uint32_t e = view_.polygons[polygon].first; e < view_.polygons[polygon + 1].first;
                 ++e) {
                if (view_.edges[e].twin == kNone || on_border(e)) continue;
                const std::uint32_t other = view_.edges[view_.edges[e].twin & rules_.mask].polygon;
                if (states_[other] == static_cast<std::uint8_t>(State::untouched) ||
                    group_of_[other] != kNone)
                    continue;
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
        if (watch != nullptr && i % 64 == 0 && !watch->goes_on()) return false;  // the carve ends soon
        for (std::size_t k = 0; k < i; ++k) {
            if (!separated(group[i], group[k]) && !separated(group[k], group[i])) return true;
        }
    }
    return false;
}

bool Carver::copy_untouched() {
    for (std::uint32_t polygon = 0; polygon < tile_->count.polygons; ++polygon) {
        if (states_[polygon] != static_cast<std::uint8_t>(State::untouched)) continue;
        const std::uint32_t first = view_.polygons[polygon].first, end = view_.polygons[polygon + 1].first;
        if (!sizes_.push_back(end - first) || !add_kind(kind_of(polygon))) return false;
        for (std::uint32_t e = first; e < end; ++e) {
            if (!corners_.push_back(tile_->vertices()[e]) || !gaps_.push_back(kNoGap)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::mesh
