#include <fairlead/debug/draw_roadmap.h>

#include <cmath>

#include "roadmap/state.h"
#include "roadmap/walls.h"

namespace fairlead::debug {

namespace {

using roadmap::WallSet;
using roadmap::WallSide;

constexpr std::uint32_t kPolygonMax = 512;

// One wall: sides [first, last).
void draw_wall(const WallSet& set, std::uint32_t first, std::uint32_t last, const Sink& sink) {
    const WallSide* sides = set.sides();
    const std::uint32_t count = last - first;
    if (sides[first].closed != 0 && count <= kPolygonMax) {
        Vec3 points[kPolygonMax];
        for (std::uint32_t i = 0; i < count; ++i) points[i] = at_height(sides[first + i].a);
        draw_polygon(sink, std::span{points, count}, Fill{palette::kWall});
        return;
    }
    for (std::uint32_t i = first; i < last; ++i)
        draw_line(sink, at_height(sides[i].a), at_height(sides[i].b), Stroke{palette::kWall, 2.5});
}

void draw_walls(const RoadmapState& state, const Sink& sink) {
    const WallSet* set = state.data().walls;
    if (set == nullptr) return;
    const Group group{sink, "walls"};
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < set->side_count; ++i) {
        const bool ends = i + 1 == set->side_count || set->sides()[i + 1].wall != set->sides()[i].wall;
        if (!ends) continue;
        draw_wall(*set, first, i + 1, sink);
        first = i + 1;
    }
}

// Is the same edge there in the other direction?
bool both_ways(const RoadmapState& state, WaypointSlot from, const RoadmapArc& arc) {
    for (const RoadmapArc& back : state.arcs(arc.to)) {
        if (back.to == from && back.label == arc.label && back.link == arc.link) return true;
    }
    return false;
}

void draw_head(Vec3 a, Vec3 b, const Stroke& stroke, const Sink& sink) {
    const Vec2 along = ground(b) - ground(a);
    const double size = std::sqrt(along.x * along.x + along.y * along.y);
    if (!(size > 0.0)) return;
    const Vec2 unit = along * (1.0 / size);
    const Vec2 across{-unit.y, unit.x};
    const double tip = 5.0 * sink.point;
    const Vec2 middle = (ground(a) + ground(b)) * 0.5;
    const Vec3 points[] = {at_height(middle + unit * tip, a.z),
                           at_height(middle - unit * tip + across * tip, a.z),
                           at_height(middle - unit * tip - across * tip, a.z)};
    draw_polygon(sink, points, Fill{stroke.color});
}

template <class Draw>
void each_edge(const RoadmapState& state, Draw draw) {
    for (std::uint32_t slot = 0; slot < state.slots(); ++slot) {
        const Waypoint from = state.node({slot});
        if (!from.id.valid()) continue;
        for (const RoadmapArc& arc : state.arcs({slot})) {
            const bool both = both_ways(state, {slot}, arc);
            const Waypoint to = state.node(arc.to);
            if (!both || from.id.value < to.id.value) draw(from.position, to.position, arc, both);
        }
    }
}

}  // namespace

void draw(const RoadmapState& roadmap, const Sink& sink, const RoadmapDraw& options) {
    const Group group{sink, "roadmap"};
    if (options.walls) draw_walls(roadmap, sink);
    if (options.edges) {
        const Group edges{sink, "edges"};
        const auto stroke = [&](const RoadmapArc& arc) {
            return arc.link ? Stroke{palette::kPortal, options.width, 4.0}
                            : Stroke{options.color, options.width};
        };
        each_edge(roadmap,
                  [&](Vec3 a, Vec3 b, const RoadmapArc& arc, bool) { draw_line(sink, a, b, stroke(arc)); });
        each_edge(roadmap, [&](Vec3 a, Vec3 b, const RoadmapArc& arc, bool both) {
            if (!both) draw_head(a, b, stroke(arc), sink);
        });
    }
    if (!options.nodes) return;
    const Group nodes{sink, "nodes"};
    for (std::uint32_t slot = 0; slot < roadmap.slots(); ++slot) {
        const Waypoint node = roadmap.node({slot});
        if (node.id.valid())
            draw_circle(sink, node.position, 3.5 * sink.point, Fill{palette::kPaper},
                        Stroke{options.color, 1.5});
    }
}

Aabb world_bounds(const RoadmapState& roadmap) {
    Aabb box = roadmap::kNoBox;
    if (roadmap.nodes() > 0) box = roadmap.bounds();
    if (const WallSet* set = roadmap.data().walls; set != nullptr) {
        for (std::uint32_t i = 0; i < set->side_count; ++i) {
            roadmap::include(box, set->sides()[i].a);
            roadmap::include(box, set->sides()[i].b);
        }
    }
    if (!(box.low.x <= box.high.x)) return {{0, 0}, {1, 1}};
    const Vec2 size = box.high - box.low;
    const double larger = size.x < size.y ? size.y : size.x;
    const double rim = larger / 30.0 < 0.5 ? 0.5 : larger / 30.0;
    return {box.low - Vec2{rim, rim}, box.high + Vec2{rim, rim}};
}

}  // namespace fairlead::debug
