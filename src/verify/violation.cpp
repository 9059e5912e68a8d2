#include <fairlead/verify/verify.h>

#include "verify/line.h"

namespace fairlead {

namespace {

const char* sentence(ViolationKind kind) {
    switch (kind) {
        case ViolationKind::none: return "legal";
        case ViolationKind::bad_argument: return "the agent or an option cannot be judged";
        case ViolationKind::revision: return "the route was made for another revision of the world";
        case ViolationKind::bad_status: return "the status does not exist, or allows no legs";
        case ViolationKind::not_finite: return "a number is not finite";
        case ViolationKind::bad_number: return "a number is out of its range";
        case ViolationKind::bad_layer: return "the world has no such layer";
        case ViolationKind::too_far: return "too long or too far away to be judged";
        case ViolationKind::off_world: return "the body reaches beyond the edge of the map";
        case ViolationKind::wall: return "the body overlaps a wall";
        case ViolationKind::blocker: return "the body overlaps a blocker";
        case ViolationKind::leg_end: return "does not lead to the start of the next leg";
        case ViolationKind::link: return "no such link here";
        case ViolationKind::edge: return "no open edge goes there, and the net may not be left here";
        case ViolationKind::curvature: return "bends tighter than the unit can";
        case ViolationKind::heading: return "the next leg starts with another heading";
        case ViolationKind::gear: return "the unit cannot reverse";
        case ViolationKind::turn: return "the unit cannot turn on the spot";
        case ViolationKind::facing: return "the heading is none of the unit's facings";
        case ViolationKind::clearance: return "claims more clearance than there is";
        case ViolationKind::off_road: return "leaves the road";
        case ViolationKind::against_lane: return "travels against the lane";
        case ViolationKind::surface: return "not on the surface, or not at its height";
        case ViolationKind::length_sum: return "the length is not the sum of the legs' lengths";
        case ViolationKind::line_cost: return "the line cost is not the length of the legs in space";
        case ViolationKind::count_: break;
    }
    return "unknown violation";
}

}  // namespace

const char* violation_name(ViolationKind kind) {
    switch (kind) {
        case ViolationKind::none: return "none";
        case ViolationKind::bad_argument: return "bad_argument";
        case ViolationKind::revision: return "revision";
        case ViolationKind::bad_status: return "bad_status";
        case ViolationKind::not_finite: return "not_finite";
        case ViolationKind::bad_number: return "bad_number";
        case ViolationKind::bad_layer: return "bad_layer";
        case ViolationKind::too_far: return "too_far";
        case ViolationKind::off_world: return "off_world";
        case ViolationKind::wall: return "wall";
        case ViolationKind::blocker: return "blocker";
        case ViolationKind::leg_end: return "leg_end";
        case ViolationKind::link: return "link";
        case ViolationKind::edge: return "edge";
        case ViolationKind::curvature: return "curvature";
        case ViolationKind::heading: return "heading";
        case ViolationKind::gear: return "gear";
        case ViolationKind::turn: return "turn";
        case ViolationKind::facing: return "facing";
        case ViolationKind::clearance: return "clearance";
        case ViolationKind::off_road: return "off_road";
        case ViolationKind::against_lane: return "against_lane";
        case ViolationKind::surface: return "surface";
        case ViolationKind::length_sum: return "length_sum";
        case ViolationKind::line_cost: return "line_cost";
        case ViolationKind::count_: break;
    }
    return "unknown";
}

ViolationText Violation::text() const {
    ViolationText text;
    witness::Line line(text.characters);
    if (leg >= 0) line.add("leg ").add(leg).add(" at ").add(distance).add(": ");
    line.add(sentence(kind));
    if (cell.x >= 0) {
        line.add(in_space ? ", voxel (" : ", tile (");
        line.add(std::int64_t{cell.x}).add(", ").add(std::int64_t{cell.y});
        if (in_space) line.add(", ").add(std::int64_t{cell.layer});
        line.add(")");
    }
    if (index >= 0) line.add(", number ").add(index);
    if (depth > 0.0) line.add(", by ").add(depth);
    if (leg < 0 && depth <= 0.0) return text;
    line.add(", centre at (").add(place.position.x).add(", ").add(place.position.y);
    if (in_space) {
        line.add(", ").add(place.position.z).add(")");
        return text;
    }
    line.add("), layer ").add(std::int64_t{place.layer});
    return text;
}

}  // namespace fairlead
