// UNITS.csv as units of a fleet.

#include "cli/sim_units.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <fairlead/math/trig.h>

#include "cli/ends.h"
#include "cli/failure.h"

namespace fairlead::cli {

namespace {

constexpr double kFloorHeight = 2.0;   // CrowdOptions::height: what differs by more is on another floor
constexpr double kTouch = 1.0 - 1e-9;  // rows of units that touch are typed with rounded numbers

bool is_box(const formats::UnitRow& row) { return row.length > 0.0 && row.width > 0.0; }

/// A rectangle or a disc on the ground.
struct Outline {
    Vec2 centre{};
    Vec2 along{1.0, 0.0};
    double half_length = 0.0;
    double half_width = 0.0;
    double radius = 0.0;  ///< more to every side
};

/// What surely stands there: of a box that may face anywhere, the disc within it.
Outline outline_of(const formats::UnitRow& row) {
    Outline out;
    out.centre = row.start.position;
    out.radius = row.radius;
    if (!is_box(row)) return out;
    out.radius = 0.0;
    if (!row.start.heading_deg) {
        out.radius = 0.5 * std::min(row.length, row.width);
        return out;
    }
    const double heading = math::wrap_pi(*row.start.heading_deg * kRadPerDeg);
    out.along = {math::cos(heading), math::sin(heading)};
    out.half_length = 0.5 * row.length;
    out.half_width = 0.5 * row.width;
    return out;
}

double reach_along(const Outline& one, Vec2 axis) {
    const Vec2 across{-one.along.y, one.along.x};
    return one.half_length * std::fabs(dot(one.along, axis)) + one.half_width * std::fabs(dot(across, axis)) +
           one.radius;
}

Vec2 nearest_point(const Outline& one, Vec2 to) {
    const Vec2 across{-one.along.y, one.along.x};
    const Vec2 away = to - one.centre;
    return one.centre + one.along * std::clamp(dot(away, one.along), -one.half_length, one.half_length) +
           across * std::clamp(dot(away, across), -one.half_width, one.half_width);
}

/// Is there a line between them? The sides' directions, and for round ones the one to the nearest point, are enough.
bool apart(const Outline& a, const Outline& b) {
    const auto split = [&](Vec2 axis) {
        const double both = reach_along(a, axis) + reach_along(b, axis);
        return std::fabs(dot(b.centre - a.centre, axis)) >= both * kTouch;
    };
    for (const Outline* one : {&a, &b}) {
        if (split(one->along) || split({-one->along.y, one->along.x})) return true;
    }
    const bool round = a.half_length == 0.0 || b.half_length == 0.0;
    if (!round) return false;
    const Outline& disc = a.half_length == 0.0 ? a : b;
    const Outline& other = a.half_length == 0.0 ? b : a;
    return distance(nearest_point(other, disc.centre), disc.centre) >= (disc.radius + other.radius) * kTouch;
}

bool same_floor(const formats::UnitPlace& a, const formats::UnitPlace& b) {
    return a.layer == b.layer && std::fabs(a.z.value_or(0.0) - b.z.value_or(0.0)) <= kFloorHeight;
}

Vec3 in_space(const formats::UnitPlace& place) {
    return {place.position.x, place.position.y, place.z.value_or(0.0)};
}

/// Spheres.
bool apart_in_space(const formats::UnitRow& a, const formats::UnitRow& b) {
    const Vec3 from = in_space(a.start);
    const Vec3 to = in_space(b.start);
    return from != to && distance(from, to) >= (a.radius + b.radius) * kTouch;
}

void refuse_body(const formats::UnitRow& row, const std::string& where) {
    if (row.length == 0.0 && row.width == 0.0) return;
    if (row.width == 0.0) fail_at(where, "length: a rectangle has a width too");
    if (row.length == 0.0) fail_at(where, "width: a rectangle has a length too");
    if (row.radius > 0.0) fail_at(where, "radius: a rectangle has none");
    if (row.turning_radius == 0.0)
        fail_at(where, "length: rectangles need a turning_radius; what turns on the spot is a disc");
}

/// What units in volumes do not have, or must.
void refuse_in_space(const formats::UnitRow& row, const std::string& where) {
    if (row.length > 0.0 || row.width > 0.0) fail_at(where, "length, width: units in volumes are spheres");
    if (row.reverse) fail_at(where, "reverse: what flies goes forward only");
    if (row.facings != 0) fail_at(where, "facings: units in volumes face any way");
    if (row.start.layer != 0 || row.goal.layer != 0) fail_at(where, "layer: places of volumes have a z");
    if (!row.start.z) fail_at(where, "z: places of volumes have one");
    if (!row.goal.z) fail_at(where, "gz: places of volumes have one");
    if (row.climb_deg && *row.climb_deg * kRadPerDeg > kClimbMax)
        fail_at(where, fmt::format("climb: above {:.0f} degrees", kClimbMax / kRadPerDeg));
}

void refuse_rest(const formats::UnitRow& row, WorldKind world, const std::string& where) {
    const bool turns = row.turning_radius > 0.0;
    if (row.reverse && !turns) fail_at(where, "reverse: only with a turning_radius");
    if (row.climb_deg && world == WorldKind::volume && !turns)
        fail_at(where, "climb: only with a turning_radius");
    if (row.climb_deg && world != WorldKind::tiles && world != WorldKind::volume)
        fail_at(where, "climb: of units in volumes; the ground of a level mesh is climbed everywhere");
    if (row.facings != 0 && turns && world != WorldKind::tiles)
        fail_at(where, "facings: with a turning_radius only on tile maps");
    if (world == WorldKind::mesh && (row.start.layer != 0 || row.goal.layer != 0))
        fail_at(where, "layer: level meshes tell floors apart by z");
    if (world != WorldKind::roadmap) return;
    if (turns) fail_at(where, "turning_radius: units on roadmaps turn on the spot");
    if (row.start.layer != 0 || row.goal.layer != 0) fail_at(where, "layer: places of roadmaps have a z");
}

}  // namespace

FleetUnit fleet_unit(const std::string& path, const formats::UnitRow& row, WorldKind world) {
    const std::string where = fmt::format("{}:{}", path, row.line);
    if (world == WorldKind::volume) refuse_in_space(row, where);
    refuse_body(row, where);
    refuse_rest(row, world, where);
    FleetUnit unit;
    unit.agent.radius = row.radius;
    if (is_box(row)) {
        unit.agent.shape = BodyShape::box;
        unit.agent.length = row.length;
        unit.agent.width = row.width;
    }
    unit.agent.turning_radius = row.turning_radius;
    unit.agent.can_reverse = row.reverse;
    if (world == WorldKind::volume && row.climb_deg) {
        unit.climb.up_rad = unit.climb.down_rad = *row.climb_deg * kRadPerDeg;
    }
    unit.facings = row.facings;
    unit.limits = SpeedLimits::only(row.speed);
    if (row.accel) unit.limits.accel_max = unit.limits.brake_max = *row.accel;
    if (row.brake) unit.limits.brake_max = *row.brake;
    if (row.lateral_accel) unit.limits.lateral_accel_max = *row.lateral_accel;
    if (row.turn_rate_deg) unit.limits.turn_rate_max = *row.turn_rate_deg * kRadPerDeg;
    return unit;
}

std::string unit_error_text(const Error& error) {
    std::string text = query_error_text(error);  // columns are called as flags are
    if (!text.starts_with("--")) return text;
    text.erase(0, 2);
    std::replace(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(':')), '-', '_');
    return text;
}

Place start_of(const formats::UnitRow& row) {
    Place place;
    place.position = {row.start.position.x, row.start.position.y, row.start.z.value_or(0.0)};
    place.layer = row.start.layer;
    if (row.start.heading_deg) place.heading_rad = math::wrap_pi(*row.start.heading_deg * kRadPerDeg);
    return place;
}

Spot goal_of(const formats::UnitRow& row) {
    Place place;
    place.position = {row.goal.position.x, row.goal.position.y, row.goal.z.value_or(0.0)};
    place.layer = row.goal.layer;
    if (row.goal.heading_deg) place.heading_rad = math::wrap_pi(*row.goal.heading_deg * kRadPerDeg);
    Spot spot(place);
    spot.has_heading = row.goal.heading_deg.has_value();
    return spot;
}

Agent widest_walker(const std::vector<formats::UnitRow>& rows) {
    Agent widest;
    for (const formats::UnitRow& row : rows) {
        if (row.turning_radius == 0.0) widest.radius = std::max(widest.radius, row.radius);
    }
    return widest;
}

std::vector<bool> begin_on_others(const std::vector<formats::UnitRow>& rows, bool space) {
    std::vector<Outline> outlines;
    std::vector<std::size_t> by_x(rows.size());
    double widest = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        outlines.push_back(outline_of(rows[i]));
        const Outline& one = outlines.back();
        widest = std::max(widest, one.half_length + one.half_width + one.radius);
        by_x[i] = i;
    }
    std::sort(by_x.begin(), by_x.end(), [&](std::size_t a, std::size_t b) {  // total order
        const double ax = outlines[a].centre.x;
        const double bx = outlines[b].centre.x;
        return ax < bx || (ax == bx && a < b);
    });
    // pairs, then in the file's order: who overlaps one that stays does not stay
    std::vector<std::vector<std::size_t>> earlier(rows.size());
    for (std::size_t i = 0; i < by_x.size(); ++i) {
        for (std::size_t k = i + 1; k < by_x.size(); ++k) {
            const std::size_t a = by_x[i];
            const std::size_t b = by_x[k];
            if (outlines[b].centre.x - outlines[a].centre.x > 2.0 * widest) break;
            const bool same_spot = outlines[a].centre == outlines[b].centre;
            if (space ? apart_in_space(rows[a], rows[b]) : !same_floor(rows[a].start, rows[b].start))
                continue;
            if (!space && !same_spot && apart(outlines[a], outlines[b])) continue;
            earlier[std::max(a, b)].push_back(std::min(a, b));
        }
    }
    std::vector<bool> out(rows.size(), false);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const std::size_t k : earlier[i]) out[i] = out[i] || !out[k];
    }
    return out;
}

}  // namespace fairlead::cli
