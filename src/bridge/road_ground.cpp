// The roads of a roadmap, each edge once, whatever its directions; and the order of boxes in space.
#include "bridge/road_ground.h"

#include <algorithm>
#include <cmath>

namespace fairlead::bridge {

Stretch near_line(Vec2 p, Vec2 d, Vec2 a, Vec2 b, double half, Stretch range) {
    Stretch all{range.to, range.from};
    const auto join = [&](double from, double to) {
        from = from < range.from ? range.from : from;
        to = to > range.to ? range.to : to;
        if (!(from <= to)) return;
        if (from < all.from) all.from = from;
        if (to > all.to) all.to = to;
    };
    const double size = dot(d, d);
    for (const Vec2 end : {a, b}) {  // the round ends
        const Vec2 from = p - end;
        const double apart = dot(from, from) - half * half;
        if (!(size > 0.0)) {
            if (apart <= 0.0) join(range.from, range.to);
            continue;
        }
        const double middle = -dot(from, d) / size;
        const double root = middle * middle - apart / size;
        if (root >= 0.0) join(middle - std::sqrt(root), middle + std::sqrt(root));
    }
    const Vec2 along = b - a;
    const double reach = length(along);
    if (!(reach > 0.0)) return all.empty() ? Stretch{} : all;
    // between two pairs of parallel lines
    const Vec2 unit = along / reach;
    Stretch inside = range;
    const auto cut = [&](double at, double change, double low, double high) {
        if (change == 0.0) {
            if (at < low || at > high) inside = {1.0, 0.0};
            return;
        }
        const double one = (low - at) / change;
        const double other = (high - at) / change;
        const double first = one < other ? one : other;
        const double last = one < other ? other : one;
        if (first > inside.from) inside.from = first;
        if (last < inside.to) inside.to = last;
    };
    cut(dot(p - a, unit), dot(d, unit), 0.0, reach);
    if (!inside.empty()) cut(cross(unit, p - a), cross(unit, d), -half, half);
    if (!inside.empty()) join(inside.from, inside.to);
    return all.empty() ? Stretch{} : all;
}

bool order_boxes(std::span<const Aabb> boxes, Array<std::uint32_t>& order) {
    constexpr std::size_t kBoxesInNode = 8;
    if (!order.resize(boxes.size())) return false;
    for (std::size_t i = 0; i < boxes.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    const auto x = [&](std::uint32_t i) { return boxes[i].low.x + boxes[i].high.x; };
    const auto y = [&](std::uint32_t i) { return boxes[i].low.y + boxes[i].high.y; };
    const auto by_y = [&](std::uint32_t a, std::uint32_t b) { return y(a) != y(b) ? y(a) < y(b) : a < b; };
    const auto by_x = [&](std::uint32_t a, std::uint32_t b) { return x(a) != x(b) ? x(a) < x(b) : a < b; };
    std::sort(order.begin(), order.end(), by_y);  // total order
    const double nodes = static_cast<double>(boxes.size()) / static_cast<double>(kBoxesInNode);
    const std::size_t strip = kBoxesInNode * (static_cast<std::size_t>(std::sqrt(nodes)) + 1);
    for (std::size_t from = 0; from < boxes.size(); from += strip) {
        const std::size_t to = from + strip < boxes.size() ? from + strip : boxes.size();
        std::sort(order.begin() + from, order.begin() + to, by_x);  // total order
    }
    return true;
}

namespace {

/// The items in another order, and their boxes as a tree.
template <class T>
bool put_in_order(Array<T>& items, const Array<Aabb>& boxes, const Array<std::uint32_t>& order, BoxRow& row) {
    Array<T> moved(items.allocator());
    if (!moved.resize(items.size())) return false;
    row.tree = roadmap::BoxTree::over(static_cast<std::uint32_t>(items.size()));
    if (!row.boxes.resize(row.tree.size)) return false;
    for (std::size_t i = 0; i < order.size(); ++i) {
        moved[i] = items[order[i]];
        row.boxes[i] = boxes[order[i]];
    }
    row.tree.build(row.boxes.data());
    items = std::move(moved);
    return true;
}

struct Numbered {
    std::int64_t id = 0;
    std::uint32_t slot = 0;
};

bool has_arc(const RoadmapState& state, WaypointSlot from, WaypointSlot to) {
    for (const RoadmapArc& arc : state.arcs(from)) {
        if (arc.to == to && !arc.link) return true;
    }
    return false;
}

/// The widest and the fastest of the edges from one waypoint to another.
void widen(const RoadmapState& state, WaypointSlot from, WaypointSlot to, Road& road) {
    for (const RoadmapArc& arc : state.arcs(from)) {
        if (!(arc.to == to) || arc.link) continue;
        const RoadKind kind = state.road(arc.kind);
        if (0.5 * kind.width > road.half) road.half = 0.5 * kind.width;
        if (kind.speed_max > road.speed_max) road.speed_max = kind.speed_max;
    }
}

}  // namespace

bool RoadGround::gather() {
    Array<Numbered> nodes(allocator);
    for (std::uint32_t i = 0; i < state->slots(); ++i) {
        const WaypointId id = state->node({i}).id;
        if (id.valid() && !nodes.push_back({id.value, i})) return false;
    }
    const auto before = [](const Numbered& a, const Numbered& b) { return a.id < b.id; };
    std::sort(nodes.begin(), nodes.end(), before);  // total order
    for (const Numbered& node : nodes) {
        const WaypointSlot from{node.slot};
        const Vec3 a = state->node(from).position;
        WaypointSlot last{};
        for (const RoadmapArc& arc : state->arcs(from)) {  // by the number of the other end
            if (arc.link || (last.valid() && arc.to == last)) continue;
            last = arc.to;
            const Waypoint other = state->node(arc.to);
            if (other.id.value < node.id && has_arc(*state, arc.to, from)) continue;
            Road road{a, other.position};
            widen(*state, from, arc.to, road);
            widen(*state, arc.to, from, road);
            flat = flat && a.z == road.b.z && (roads.empty() || a.z == roads[0].a.z);
            if (!roads.push_back(road)) return false;
        }
    }
    return true;
}

bool RoadGround::order_roads() {
    Array<Aabb> boxes(allocator);
    for (const Road& road : roads) {
        if (!boxes.push_back(box_around(ground(road.a), ground(road.b), road.half))) return false;
    }
    Array<std::uint32_t> order(allocator);
    return order_boxes(boxes.span(), order) && put_in_order(roads, boxes, order, road_boxes);
}

bool RoadGround::order_sides() {
    Array<Aabb> boxes(allocator);
    for (const WallPiece& side : sides) {
        if (!boxes.push_back(box_around(ground(side.a), ground(side.b), 0.0))) return false;
    }
    Array<std::uint32_t> order(allocator);
    return order_boxes(boxes.span(), order) && put_in_order(sides, boxes, order, side_boxes);
}

bool RoadGround::build() {
    widths = state->has_widths();
    if (!gather() || !order_roads()) return false;
    if (!widths) return true;
    return find_sides(*this, sides) && order_sides();
}

}  // namespace fairlead::bridge
