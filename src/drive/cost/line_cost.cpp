// The integral of the terrain's cost along legs as they are stored: each as a curve of one segment, over the cells that it
// passes (cells_along.h). Long arcs are cut, so that however many borders one crosses all are found.

#include "drive/cost/line_cost.h"

#include <algorithm>
#include <cmath>

#include "drive/cost/terrain.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

namespace {

constexpr double kPieceMax = 64.0;              // cells
constexpr double kRadiusMax = 1024.0 * 1024.0;  // cells; what bends less is straight, over one piece

// Lengths in cells; `leg` is in world units.
double cost_in_cells(const Terrain& terrain, const MapFrame& frame, const Leg& leg) {
    const double length = leg.length / frame.size;
    if (terrain.uniform()) return length;
    const double bend = std::abs(leg.curvature) * frame.size;
    const bool straight = bend * kRadiusMax < 1.0;
    const bool back = leg.gear == Gear::reverse;
    const bool left = (leg.curvature > 0.0) != back;
    const double radius = straight ? 1.0 : 1.0 / bend;
    CurveWord word;
    word.count = 1;
    word.segments[0].steer = straight ? Steer::straight : left ? Steer::left : Steer::right;
    const double pieces = leg.curvature == 0.0 ? 1.0 : std::ceil(length / kPieceMax);
    double sum = 0.0;
    for (double i = 0.0; i < pieces; i += 1.0) {
        const Place place = place_on_leg(leg, leg.length * (i / pieces));
        const Pose from = frame.in_cells({ground(place.position), place.heading_rad}, place.layer);
        const double amount = length / pieces / radius;
        word.segments[0].amount = back ? -amount : amount;
        word.length = word.cost = amount;
        sum += terrain.cost_of(word, from, radius, 1.0);
    }
    return sum;
}

}  // namespace

const LatticeLink* link_of(const MapData& map, const Leg& leg) {
    const MapFrame frame(map);
    const Vec2 at = frame.in_cells({ground(leg.start.position), 0.0}, leg.start.layer).position;
    const double beside = 0.5 - map.table().node_offset();  // the nearest pose's cell, whatever is rounded
    if (!frame.on_map(ground(leg.start.position), leg.start.layer)) return nullptr;
    const auto x = static_cast<std::int32_t>(std::floor(at.x + beside));
    const auto y = static_cast<std::int32_t>(std::floor(at.y + beside));
    for (const LatticeLink& link : map.links_from(x, y)) {
        if (link.id == leg.link_id) return &link;
    }
    return nullptr;
}

double line_cost(const MapData& map, std::span<const Leg> legs) {
    const Terrain terrain = map.terrain();
    const MapFrame frame(map);
    double sum = 0.0;
    for (const Leg& leg : legs) {
        if (leg.kind == LegKind::drive) sum += cost_in_cells(terrain, frame, leg);
        const LatticeLink* const link = leg.kind == LegKind::link ? link_of(map, leg) : nullptr;
        if (link != nullptr) sum += link->cost;
    }
    return sum * frame.size;
}

}  // namespace fairlead::drive
