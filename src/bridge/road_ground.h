// RoadGround: the ground of a roadmap's roads: a rectangle along each edge, a polygon within a circle round each waypoint; the
// sides of their union are the walls. All in an order that the places and numbers of waypoints alone decide.
#pragma once

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/crowd/crowd_world.h>
#include <fairlead/roadmap/roadmap.h>

#include "math/segment.h"
#include "roadmap/box_tree.h"

namespace fairlead::bridge {

/// Boxes of a row of items.
struct BoxRow {
    explicit BoxRow(const Allocator& allocator) : boxes(allocator) {}
    roadmap::BoxTree tree{};
    Array<Aabb> boxes;

    template <class Want, class Item>
    bool visit(Want want, Item item) const {
        return tree.visit(boxes.data(), want, item);
    }
};

/// An edge on the ground.
struct Road {
    Vec3 a{};
    Vec3 b{};
    double half = 0.0;  ///< of its width
    double speed_max = 0.0;
};

/// Where a straight way is near an edge.
struct Stretch {
    double from = 1.0;
    double to = 0.0;
    [[nodiscard]] bool empty() const { return !(from <= to); }
};

/// The part of the line from p to p + d, as shares of it within `range`, that lies within `half` of the line from a to b.
[[nodiscard]] Stretch near_line(Vec2 p, Vec2 d, Vec2 a, Vec2 b, double half, Stretch range);

/// The place on a line over the ground that is nearest to p, at its height there.
[[nodiscard]] inline Vec3 foot_on(Vec3 a, Vec3 b, Vec2 p) {
    const Vec2 along = ground(b) - ground(a);
    const double t = math::share_along(ground(a), along, p);
    const Vec2 foot = ground(a) + along * t;
    return {foot.x, foot.y, a.z + (b.z - a.z) * t};
}

[[nodiscard]] inline Aabb box_around(Vec2 a, Vec2 b, double reach) {
    const Vec2 more{reach, reach};
    const Vec2 low{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y};
    const Vec2 high{a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y};
    return {low - more, high + more};
}

class RoadGround {
  public:
    RoadGround(const RoadmapState& given, double height_of_floors, const Allocator& given_allocator)
        : state(&given),
          height(height_of_floors),
          allocator(given_allocator),
          roads(allocator),
          road_boxes(allocator),
          sides(allocator),
          side_boxes(allocator) {}

    /// False: no memory.
    [[nodiscard]] bool build();
    /// The roads alone, as they come. False: no memory.
    [[nodiscard]] bool gather();

    const RoadmapState* state;
    double height;
    double beside = 1.0;  ///< RoadmapCrowdOptions
    Allocator allocator;
    bool flat = true;  ///< all at one height
    bool widths = false;
    Array<Road> roads;
    BoxRow road_boxes;  ///< of the edges; with widths, of their ground
    Array<WallPiece> sides;
    BoxRow side_boxes;

    [[nodiscard]] bool one_floor(double dz) const { return flat || (dz <= height && dz >= -height); }

  private:
    [[nodiscard]] bool order_roads();
    [[nodiscard]] bool order_sides();
};

/// Puts boxes into an order in which near ones are near each other: `order[i]` is who comes i-th.
[[nodiscard]] bool order_boxes(std::span<const Aabb> boxes, Array<std::uint32_t>& order);

/// The sides of the union of all roads, as they come. False: no memory.
[[nodiscard]] bool find_sides(const RoadGround& ground, Array<WallPiece>& sides);

}  // namespace fairlead::bridge
