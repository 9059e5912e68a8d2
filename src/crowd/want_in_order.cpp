// How a unit moves at a narrow place: it waits beside the mouth, out of the way of who comes out; let in, it goes to the axis first, then
// through, in single file.
#include <fairlead/math/vec.h>

#include "crowd/crowd_data.h"
#include "crowd/sight.h"

namespace fairlead::crowd {

namespace {

// all in radii
constexpr double kFile = 2.24;      // between two in single file
constexpr double kWaitOut = 2.8;    // where the queue stands: before the mouth
constexpr double kWaitRight = 2.6;  // and to the right of who enters
constexpr double kStripLeft = 4.0;  // what is kept clear before a mouth
constexpr double kStripRight = 1.9;
constexpr double kStripDeep = 7.0;
constexpr double kAhead = 3.0;  // on the axis it aims so far ahead
constexpr double kAligned = 0.3;
constexpr double kEntry = 1.6;
constexpr double kInMouth = 0.2;
constexpr double kRoomFor = 0.75;  // of the radius
constexpr double kBody = 0.999;
constexpr double kTurn = 1.0;      // of the lateral acceleration
constexpr double kArch = 1.25;     // of both radii
constexpr double kArchDeep = 1.5;  // radii along the axis
constexpr double kArchBack = 0.5;  // of the speed

Vec2 right_of(Vec2 along) { return {along.y, -along.x}; }

Vec2 wait(const CrowdData& crowd, const Unit& unit, const Passage& passage) {
    const PlaceMouth& mouth = crowd.places.mouths()[passage.in];
    // who comes out may be larger
    const double largest = crowd.places.radius(passage.place);
    const double r = unit.body.radius < largest ? largest : unit.body.radius;
    const Vec2 into = -mouth.outward;
    const Vec2 right = right_of(into);
    const Vec2 from = unit.p() - mouth.middle;
    const double out = dot(from, mouth.outward);
    const double beside = dot(from, right);
    if (out < 0.0 && crowd.places.holds(passage.place, unit.p(), unit.body.radius))
        return mouth.outward * unit.speed_max();
    if (out < kStripDeep * r && beside > -kStripLeft * r && beside < kStripRight * r) {
        const Vec2 away = out < 2.0 * r ? right * 0.7 + mouth.outward * 0.7 : right;
        return away * unit.speed_max();
    }
    const Vec2 place = mouth.middle + mouth.outward * (kWaitOut * r) + right * (kWaitRight * r);
    const Vec2 to = place - unit.p();
    const double left = length(to);
    // who waits nearer to that place stands before it
    std::uint32_t self = static_cast<std::uint32_t>(&unit - crowd.units.data());
    const Neighbours& near = crowd.near[self];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        if (other.turn != Turn::waiting) continue;
        const Vec2 between = other.p() - unit.p();
        if (length(between) > kFile * 0.5 * (unit.body.radius + other.body.radius)) continue;
        if (dot(between, to) > 0.0 && distance(other.p(), place) < left) return {};
    }
    double speed = unit.speed_max();
    if (left < speed * crowd.step) speed = left / crowd.step;
    return normalized(to) * (left < 0.2 * r ? 0.0 : speed);
}

struct AxisPlace {
    Vec2 at{};
    Vec2 along{};
    double clearance = 0.0;  ///< distance to the walls
};

/// The point of the axis that is `at` behind its start.
AxisPlace point_on(std::span<const WayPoint> axis, double at, Vec2 along) {
    AxisPlace place{ground(axis[0].at), along, axis[0].at.z};
    for (std::size_t i = 1; i < axis.size(); ++i) {
        const Vec2 to = ground(axis[i].at) - place.at;
        const double size = length(to);
        if (size > 0.0) place.along = to / size;
        if (at <= size || i + 1 == axis.size()) {
            const double part = size > 0.0 ? at / size : 0.0;
            const double within = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
            place.clearance += (axis[i].at.z - place.clearance) * within;
            place.at = place.at + place.along * at;
            return place;
        }
        at -= size;
        place.at = ground(axis[i].at);
        place.clearance = axis[i].at.z;
    }
    return place;
}

/// How far to the right of the axis its lane is: less where the place is narrower than elsewhere, or it would go against the wall there.
double lane_shift(const Unit& unit, const Passage& passage, double clearance) {
    if (!passage.lanes) return 0.0;
    const double room = clearance - unit.body.radius;
    const double shift = 0.25 * passage.width;
    return shift < room ? shift : room > 0.0 ? room : 0.0;
}

double file_speed(const CrowdData& crowd, const Unit& unit) {
    if (unit.ahead == kNone) return 1.0;
    const Unit& other = crowd.units[unit.ahead];
    const Passage* mine = passage_of(crowd, unit);
    const Passage* theirs = passage_of(crowd, other);
    // it may have come to another place since, and have the same number there
    if (!other.used || theirs == nullptr || theirs->in != mine->in || other.ticket + 1 != unit.ticket ||
        other.turn == Turn::waiting)
        return 1.0;
    const double r = unit.body.radius;
    const double gap = unit.to_mouth - other.to_mouth - kFile * 0.5 * (r + other.body.radius);
    // one that fell behind is not waited for
    if (gap > 0.5 * r || unit.to_mouth < other.to_mouth) return 1.0;
    return gap > 0.0 ? gap / (0.5 * r) * 0.7 + 0.3 : 0.0;
}

/// Two side by side before the way out of a room hold each other up, as stones of an arch do: the one behind steps back.
bool in_arch(const CrowdData& crowd, const Unit& unit, const Passage& passage) {
    if (unit.turn != Turn::inside || passage.lanes) return false;
    const auto self = static_cast<std::uint32_t>(&unit - crowd.units.data());
    const Neighbours& near = crowd.near[self];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        const Passage* theirs = passage_of(crowd, other);
        if (other.turn != Turn::inside || theirs == nullptr || theirs->place != passage.place) continue;
        const double behind = unit.to_mouth - other.to_mouth;
        const bool first = behind < 0.0 || (behind == 0.0 && self < near.ids[k]);
        if (first || behind > kArchDeep * unit.body.radius) continue;
        if (distance(unit.p(), other.p()) < kArch * (unit.body.radius + other.body.radius)) return true;
    }
    return false;
}

/// False: it does not see where the axis leads to. Its route knows the way.
bool go_through(const CrowdData& crowd, const Unit& unit, const Passage& passage, Vec2& velocity) {
    const double r = unit.body.radius;
    const std::span<const WayPoint> axis = crowd.ways.points(passage.axis);
    double speed = unit.speed_max() * file_speed(crowd, unit);
    if (in_arch(crowd, unit, passage)) {
        velocity = unit.axis_along * (-kArchBack * unit.speed_max());
        return true;
    }
    const auto sees_with = [&](Vec2 there, double part) {
        const Vec3 to{there.x, there.y, unit.at.position.z};
        return sees(crowd, unit, to, part);
    };
    const auto sees_wide = [&](Vec2 there) { return sees_with(there, kRoomFor); };
    const auto aim_at = [&](double at) {
        const AxisPlace on_axis = point_on(axis, at, unit.axis_along);
        return on_axis.at + right_of(on_axis.along) * lane_shift(unit, passage, on_axis.clearance);
    };
    const Vec2 aim = aim_at(-unit.to_mouth + kAhead * r);
    const double off = unit.beside + lane_shift(unit, passage, axis[0].at.z);
    if (unit.to_mouth > 0.0 && (off > kAligned * r || off < -kAligned * r)) {
        // to the axis first, if there is room: the further beside it, the further before the mouth
        const double short_of = off < 0.0 ? -off : off;
        const double before = unit.to_mouth < kEntry * r ? kEntry * r : unit.to_mouth - short_of;
        const Vec2 first = aim_at(-(before < kEntry * r ? kEntry * r : before));
        // who stands so near to the mouth that it lies behind it goes straight in, where it can, or to the mouth: it would press against
        // those who follow
        if (!(dot(first - unit.p(), unit.axis_along) > 0.0)) {
            for (const double at : {-unit.to_mouth + kAhead * r, kInMouth * r}) {
                if (!sees_with(aim_at(at), kBody)) continue;
                velocity = normalized(aim_at(at) - unit.p()) * speed;
                return true;
            }
        }
        if (sees_wide(first)) {
            // it must turn there: not past the axis and back again
            const double turn = std::sqrt(kTurn * unit.body.limits.lateral_accel_max * short_of);
            if (turn < speed) speed = turn;
            velocity = normalized(first - unit.p()) * speed;
            return true;
        }
    }
    if (!sees_wide(aim)) return false;
    velocity = normalized(aim - unit.p()) * speed;
    return true;
}

}  // namespace

bool want_in_order(const CrowdData& crowd, const Unit& unit, Vec2& velocity) {
    const Passage* passage = passage_of(crowd, unit);
    if (passage == nullptr) return false;
    if (unit.turn == Turn::waiting) {
        velocity = wait(crowd, unit, *passage);
        return true;
    }
    // it began inside, and not on the axis: along its route, out of there
    if (passage->in == kNone && unit.to_mouth >= 0.0) return false;
    if (passage->out == kNone && unit.in_sight && unit.aim + 1 == unit.way.count) return false;
    const bool alone = crowd.near[static_cast<std::size_t>(&unit - crowd.units.data())].count == 0;
    if (unit.strays || alone) return false;  // an axis may wind where a straight way is free
    return go_through(crowd, unit, *passage, velocity);
}

}  // namespace fairlead::crowd
