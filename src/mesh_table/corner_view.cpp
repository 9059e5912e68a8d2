#include "mesh_table/corner_view.h"

#include <algorithm>

namespace fairlead::mesh {

namespace {

// The vertex before the one where a side starts, around its polygon.
Vec2 before(const StateData& state, EdgeRef side) { return state.edge(state.previous(side)).from; }

}  // namespace

// The sides that leave a corner, counter-clockwise, and what they make of its directions.
bool CornerView::find_fan(const TableData& table, const StateData& state, std::uint32_t corner,
                          CornerFan& fan, Array<EdgeRef>& sides) {
    sides.clear();
    EdgeRef side = table.corner_wall[corner];
    const Vec2 at = table.corner_at[corner];
    for (; side != kNone; side = state.edge(state.previous(side)).twin) {
        if (!sides.push_back(side)) return false;
    }
    fan.first = state.to(sides[0]);
    fan.last = before(state, sides.back());
    // The polygons that hold the rays opposite to the two walls: if that of the last wall comes later, or lies further round in
    // the same one, every direction is beyond half a turn from one of them.
    std::size_t from_first = 0, from_last = sides.size() - 1;
    while (from_first + 1 < sides.size() && side_of(at, fan.first, before(state, sides[from_first])) > 0.0)
        ++from_first;
    while (from_last > 0 && side_of(at, fan.last, state.to(sides[from_last])) < 0.0) --from_last;
    fan.round =
        from_last > from_first || (from_last == from_first && side_of(at, fan.first, fan.last) >= 0.0);
    return true;
}

bool CornerView::look(const TableData& table, const StateData& state, std::span<const CornerFan> fans,
                      std::uint32_t corner) {
    table_ = &table;
    state_ = &state;
    fans_ = fans;
    corner_ = corner;
    at_ = table.corner_at[corner];
    parts.clear();
    corners.clear();
    open_.clear();
    if (!open_fan()) return false;
    while (!open_.empty()) {
        const Pane pane = open_.back();
        open_.pop_back();
        if (!add_part(pane) || !look_through(pane)) return false;
    }
    const auto by_polygon = [](const SeenPart& a, const SeenPart& b) {
        if (a.polygon != b.polygon) return a.polygon < b.polygon;
        return a.left != b.left ? a.left < b.left : a.right < b.right;
    };
    std::sort(parts.begin(), parts.end(), by_polygon);  // total order: all members
    join_parts();
    drop_limits();
    return list_corners();
}

// The polygons around the corner, but for what lies in no good direction.
bool CornerView::open_fan() {
    CornerFan fan;
    if (!find_fan(*table_, *state_, corner_, fan, fan_)) return false;
    const EdgeRef first = fan_[0], last = fan_.back();
    const std::uint32_t first_end = point(first >> state_->bits, state_->local(state_->next(first)));
    const std::uint32_t last_end = point(last >> state_->bits, state_->local(state_->previous(last)));
    for (std::size_t i = 0; i < fan_.size(); ++i) {
        const Pane whole{state_->polygon_ref(fan_[i]), kNone, kNone};
        const Vec2 from = state_->to(fan_[i]), to = before(*state_, fan_[i]);
        // Where the sides of its angle are, from the ray opposite to each wall.
        const bool starts_after = side_of(at_, fan.first, from) <= 0.0 && i > 0;
        const bool ends_after = side_of(at_, fan.first, to) <= 0.0;
        const bool starts_before = side_of(at_, fan.last, from) >= 0.0;
        const bool ends_before = side_of(at_, fan.last, to) >= 0.0 && i + 1 < fan_.size();
        if (fan.round || starts_after || ends_before) {
            if (!open_.push_back(whole)) return false;
            continue;
        }
        Pane part = whole;
        part.right = first_end | kTailFlag;
        if (ends_after && !open_.push_back(part)) return false;
        part = whole;
        part.left = last_end | kTailFlag;
        if (starts_before && !open_.push_back(part)) return false;
    }
    return true;
}

bool CornerView::add_part(const Pane& pane) {
    return parts.push_back({table_->polygon_number(*state_, pane.polygon), pane.left, pane.right});
}

// What is seen through the sides ahead, each as far as it lies between the rays.
bool CornerView::look_through(const Pane& pane) {
    const std::uint32_t slot = pane.polygon >> state_->bits;
    const TileView& view = state_->tiles[slot];
    const std::uint32_t polygon = state_->local(pane.polygon);
    const std::uint32_t first = view.polygons[polygon].first, end = view.polygons[polygon + 1].first;
    for (std::uint32_t e = first; e < end; ++e) {
        const MeshEdge& side = view.edges[e];
        if (side.twin == kNone) continue;
        const std::uint32_t after = e + 1 < end ? e + 1 : first;
        const Vec2 a = side.from, b = view.edges[after].from;
        if (side_of(at_, a, b) <= 0.0) continue;
        Pane next{state_->polygon_ref(side.twin), point(slot, after), point(slot, e)};
        if (pane.right != kNone) {
            if (left_of_limit(*table_, at_, pane.right, b) <= 0.0) continue;
            if (left_of_limit(*table_, at_, pane.right, a) <= 0.0) next.right = pane.right;
        }
        if (pane.left != kNone) {
            if (left_of_limit(*table_, at_, pane.left, a) >= 0.0) continue;
            if (left_of_limit(*table_, at_, pane.left, b) >= 0.0) next.left = pane.left;
        }
        if (!open_.push_back(next)) return false;
    }
    return true;
}

bool CornerView::same_ray(std::uint32_t a, std::uint32_t b) const {
    if (a == kNone || b == kNone) return false;
    return (a & kTailFlag) == (b & kTailFlag) &&
           table_->points[a & ~kTailFlag] == table_->points[b & ~kTailFlag];
}

// Parts of one polygon that were seen through sides next to each other become one.
void CornerView::join_parts() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parts.size();) {
        std::size_t end = i;
        while (end < parts.size() && parts[end].polygon == parts[i].polygon) ++end;
        for (std::size_t a = i; a < end; ++a) {
            for (std::size_t b = i; b < end;) {
                if (b == a || !same_ray(parts[a].left, parts[b].right)) {
                    ++b;
                    continue;
                }
                parts[a].left = parts[b].left;
                parts[b] = parts[--end];
                if (a == end) a = b;
                b = i;
            }
        }
        const std::uint32_t polygon = parts[i].polygon;
        std::size_t next = end;
        for (std::size_t k = i; k < end; ++k) parts[kept++] = parts[k];
        while (next < parts.size() && parts[next].polygon == polygon) ++next;
        i = next;
    }
    while (parts.size() > kept) parts.pop_back();
}

// The polygon of a part, in the tile `tile` of the order or a later one.
CornerView::PolygonPlace CornerView::polygon_of(const SeenPart& part, std::size_t& tile) const {
    while (part.polygon >= table_->polygon_first[state_->order[tile]] +
                               state_->tiles[state_->order[tile]].tile->count.polygons)
        ++tile;
    const std::uint32_t slot = state_->order[tile];
    const TileView& view = state_->tiles[slot];
    return {view, view.polygons + (part.polygon - table_->polygon_first[slot])};
}

// A limit that no point of the polygon is beyond is none.
void CornerView::drop_limits() {
    std::size_t tile = 0;
    for (SeenPart& part : parts) {
        const auto [view, polygon] = polygon_of(part, tile);
        bool left = false, right = false;
        for (std::uint32_t e = polygon[0].first; e < polygon[1].first; ++e) {
            const Vec2 p = view.edges[e].from;
            left = left || (part.left != kNone && left_of_limit(*table_, at_, part.left, p) > 0.0);
            right = right || (part.right != kNone && left_of_limit(*table_, at_, part.right, p) < 0.0);
        }
        if (!left) part.left = kNone;
        if (!right) part.right = kNone;
    }
}

bool CornerView::list_corners() {
    std::size_t tile = 0;
    for (const SeenPart& part : parts) {
        const auto [view, polygon] = polygon_of(part, tile);
        for (std::uint32_t e = polygon[0].first; e < polygon[1].first; ++e) {
            const std::uint32_t other = table_->corner_at_start(*state_, view.edges[e]);
            if (other == kNone || other == corner_) continue;
            const Vec2 p = view.edges[e].from;
            if (part.left != kNone && left_of_limit(*table_, at_, part.left, p) > 0.0) continue;
            if (part.right != kNone && left_of_limit(*table_, at_, part.right, p) < 0.0) continue;
            if (!fans_[other].is_good(p, at_)) continue;
            if (!corners.push_back(other)) return false;
        }
    }
    std::sort(corners.begin(), corners.end());  // total order: numbers
    const std::uint32_t* const unique_end = std::unique(corners.begin(), corners.end());
    while (corners.end() != unique_end) corners.pop_back();
    return true;
}

}  // namespace fairlead::mesh
