// The velocity of the next step: the one nearest to the wish that keeps out of the others' way for some seconds (soft), and that
// leaves a plan to
// stop which touches no wall and no plan to stop of another unit (hard).
//
// The hard part. A unit's plan to stop is to brake straight on. Let its way of it, and that of a neighbour, be two lines; they are
// apart by at
// least both radii (that is the invariant). A plane between them, across their nearest points, splits what is left between the two. A unit
// that keeps its new step and the plan to stop behind it on its own side needs to know nothing of what the other chooses. Its old plan
// always does, so there always is a velocity. Without a limit on braking the plan is to stand still, and this is the buffered
// Voronoi cell.
//
// Source: shares and half-planes: van den Berg, Guy, Lin and Manocha 2011 (ORCA); Zhou, Wang, Bandyopadhyay and Schwager 2017 (buffered
// Voronoi cells).
#include <fairlead/math/vec.h>

#include "crowd/avoid/facing.h"
#include "crowd/avoid/nearest.h"
#include "crowd/avoid/velocity_program.h"
#include "crowd/avoid/wall_sides.h"
#include "crowd/crowd_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kEqual = 0.02;       // priorities that differ by less are equal
constexpr double kSoftStrong = 0.02;  // the share of the trouble that who has priority takes
constexpr double kHardStrong = 0.7;   // and of the gap
constexpr double kHorizon = 12.0;     // radii / speed
constexpr double kHorizonStrong = 1.5;
constexpr double kHorizonPacking = 3.0;  // near the goal of a group
constexpr double kWallHorizon = 0.45;
constexpr double kStandsBelow = 0.1;  // of the speed: slower than that it stands
constexpr double kJammed = 60.0;      // radii / speed
constexpr double kYields = 12.0;
constexpr double kRoundOff = 1e-12;  // of the speed

constexpr double kSoftOrdered = 0.2;  // at narrow places
constexpr double kHardOrdered = 0.5;

struct Room {
    Vec2 normal{};
    double reach = 0.0;  ///< how far the unit may go against the normal, its way to stop included
};

/// The planes of one unit and update.
struct Work {
    HalfPlane planes[kPlanesMax];
    Room rooms[kPlanesMax];  ///< of the hard ones
    std::size_t reach = 0;   ///< so many of them, the first ones, tell what it can change in this step
    std::size_t hard = 0;
    std::size_t count = 0;
    Braking braking{};
    double speed_max = 0.0;
    double fastest = 0.0;  ///< what it can reach in this step
    Vec2 plan{};           ///< to the place where the unit would stand if it braked now
};

enum class Rank : std::uint8_t { equal, first, second };

Rank rank(const CrowdData& crowd, std::uint32_t i, std::uint32_t k) {
    const Unit& unit = crowd.units[i];
    const Unit& other = crowd.units[k];
    if (same_lane(crowd, unit, other) && unit.to_mouth != other.to_mouth) {
        return unit.to_mouth < other.to_mouth ? Rank::first : Rank::second;
    }
    const double more = crowd.wish[i].priority - crowd.wish[k].priority;
    return more > kEqual ? Rank::first : more < -kEqual ? Rank::second : Rank::equal;
}

double share(Rank rank, double strong) {
    return rank == Rank::equal ? 0.5 : rank == Rank::first ? strong : 1.0 - strong;
}

/// `slack`: of the gap between the plans, this unit's part.
void add_hard(Work& work, Vec2 normal, double slack, double horizon) {
    const double used = -dot(normal, work.plan);
    const double reach = (used > 0.0 ? used : 0.0) + (slack > 0.0 ? slack : 0.0);
    const double time = work.braking.time(work.fastest);
    work.rooms[work.hard] = {normal, reach};
    work.planes[work.hard++] = {normal, -reach / (time > horizon ? time : horizon)};
}

/// What the unit can change of its velocity in one step: an octagon within two half ellipses, before and behind.
void add_reach(const Unit& unit, Vec2 wanted, double step, Work& work) {
    const double accel = unit.body.limits.accel_max * step;
    const double brake = unit.body.limits.brake_max * step;
    const double speed = length(unit.velocity);
    const double far = 1e3 * unit.speed_max();
    if (!(accel < far || brake < far || unit.body.limits.lateral_accel_max * step < far)) return;
    const double fore = accel < far ? accel : far;
    const double lateral = unit.body.limits.lateral_accel_max * step;
    const double side = lateral < fore ? lateral : fore;
    double back = brake < far ? brake : far;
    if (speed < back) back = speed + fore * (1.0 - speed / back);
    Vec2 along = speed > 0.0 ? unit.velocity / speed : normalized(wanted);
    if (along == Vec2{}) along = {1.0, 0.0};
    const Vec2 left{-along.y, along.x};
    constexpr double kHalf = 0.70710678118654752;
    const Vec2 corners[8] = {along * fore,  along * (fore * kHalf) + left * (side * kHalf),
                             left * side,   left * (side * kHalf) - along * (back * kHalf),
                             along * -back, along * (-back * kHalf) - left * (side * kHalf),
                             left * -side,  along * (fore * kHalf) - left * (side * kHalf)};
    for (int i = 0; i < 8; ++i) {
        const Vec2 a = corners[i];
        const Vec2 edge = corners[(i + 1) % 8] - a;
        const Vec2 normal = normalized(Vec2{-edge.y, edge.x});
        work.rooms[work.hard] = {{}, 0.0};  // no matter of room
        work.planes[work.hard++] = {normal, dot(normal, unit.velocity + a)};
    }
    const double most = speed + fore;
    if (most < work.speed_max) work.fastest = most;
}

/// And of where it faces. A unit with facings looks at each of them.
void add_turn(const Unit& unit, double step, Work& work) {
    if (!faces(unit) || unit.body.facings != 0) return;
    HalfPlane wedge[2];
    add_wedge(unit.heading, turn_of(unit, step), wedge);
    for (const HalfPlane& plane : wedge) {
        work.rooms[work.hard] = {{}, 0.0};
        work.planes[work.hard++] = plane;
    }
}

void add_walls(const CrowdData& crowd, const Unit& unit, Vec2 wanted, Work& work) {
    if (crowd.world->walls == nullptr) return;
    WallPiece pieces[kWallPiecesMax];
    std::size_t count = 0;
    const double horizon = kWallHorizon * unit.body.radius / unit.speed_max();
    const double radius =
        unit.body.radius > crowd.world->margin ? unit.body.radius - crowd.world->margin : 0.0;
    const double reach = radius + work.braking.distance(work.speed_max) + work.speed_max * horizon;
    const double known =
        crowd.world->walls(unit.at, reach, {pieces, kWallPiecesMax}, count, crowd.world->user);
    // what lies further off than is known may be a wall
    if (known < reach) {
        double most = work.speed_max;
        while (most > 1e-6 && radius + work.braking.distance(most) > known) most *= 0.75;
        work.speed_max = most;
    }
    WallAsk ask;
    ask.from = unit.p();
    ask.to = unit.p() + work.plan;
    ask.radius = radius;
    ask.size = unit.body.radius;
    ask.reach = reach;
    ask.wanted = wanted * horizon;
    WallSide sides[kWallPiecesMax];
    const std::size_t kept = find_wall_sides(ask, {pieces, count}, sides);
    for (std::size_t i = 0; i < kept; ++i) add_hard(work, sides[i].normal, sides[i].gap, horizon);
}

/// One line of another one's plan to stop; the plan keeps within `off` of it.
void add_line(const Unit& unit, const Unit& other, Vec2 from, Vec2 to, double off, double part, double steps,
              Work& work) {
    const NearestPoints pair = nearest_points(unit.p(), unit.p() + work.plan, from, to);
    const Vec2 between = pair.on_way - pair.on_other;
    const double apart = length(between);
    const double gap = apart - unit.body.radius - other.body.radius;
    // a pair that overlaps was put so: the soft planes push it apart. By more than a line may be off, and than rounding of sizes and steps,
    // or a point beside a large unit would seem to
    const double seems = off + 1e-9 * (unit.body.radius + other.body.radius + steps);
    if (!(apart > 0.0) || gap < -seems) return;
    if (work.hard + kNeighboursMax >= kPlanesMax) return;
    add_hard(work, between / apart, part * (gap > off ? gap - off : 0.0), 0.0);
}

void add_gap(const CrowdData& crowd, const Unit& unit, const Unit& other, double part, Work& work) {
    const double steps = (unit.speed_max() + other.speed_max()) * crowd.step;
    const Braking braking = braking_of(other, crowd.step);
    if (!other.body.driven) {
        const Vec2 plan = braking.plan_to_stop(other.velocity);
        add_line(unit, other, other.p(), other.p() + plan, 0.0, part, steps, work);
        return;
    }
    // it takes its next step without asking: all the rest is for this unit
    const Vec2 plan = other.velocity * braking.time(length(other.velocity));
    if (other.driven_lines == 0) add_line(unit, other, other.p(), other.p() + plan, 0.0, 1.0, steps, work);
    Vec2 from = other.p();
    for (std::uint32_t k = 0; k < other.driven_lines; ++k) {
        add_line(unit, other, from, other.driven_way[k], other.driven_off, 1.0, steps, work);
        from = other.driven_way[k];
    }
}

/// Those that lie farther off than its neighbours: their plans, if they could meet this unit's. Where it is very crowded it cannot know
/// of all of them; then it goes no farther than the least share of the gap to one that it does not know.
void add_far_gaps(const CrowdData& crowd, std::uint32_t i, Work& work) {
    const Neighbours& near = crowd.near[i];
    const Unit& unit = crowd.units[i];
    if (!(near.known < work.braking.distance(work.fastest) + crowd.way_max)) return;
    const double stops = length(work.plan) + crowd.stop_max;
    const auto room = [&](double known) { return (1.0 - kHardStrong) * (known - stops); };
    double known = near.known;
    if (work.braking.distance(work.fastest) > room(known)) {
        std::uint32_t ids[kHardMax];
        std::uint32_t count = 0;
        const double reach = work.braking.distance(work.fastest) / (1.0 - kHardStrong) + stops;
        known = crowd.grid.find(crowd.units.span(), i, reach, crowd.options.height, ids, count);
        for (std::uint32_t k = near.count; k < count; ++k) {
            const Unit& other = crowd.units[ids[k]];
            const bool ordered = unit.turn != Turn::free || other.turn != Turn::free;
            add_gap(crowd, unit, other, share(rank(crowd, i, ids[k]), ordered ? kHardOrdered : kHardStrong),
                    work);
        }
    }
    double most = work.speed_max;
    while (most > 1e-6 * unit.speed_max() && work.braking.distance(most) > room(known)) most *= 0.75;
    work.speed_max = most;
}

/// The half-plane of a pair that shall not touch for `horizon` seconds.
bool avoid(const Unit& unit, const Unit& other, double horizon, double step, Share part, HalfPlane& plane) {
    const Vec2 to = other.p() - unit.p();
    const Vec2 relative = unit.velocity - other.velocity;
    const double both = unit.body.radius + other.body.radius;
    const double apart2 = dot(to, to);
    Vec2 change{};
    if (apart2 > both * both) {
        const Vec2 from_tip = relative - to / horizon;
        const double size2 = dot(from_tip, from_tip);
        const double along = dot(from_tip, to);
        if (along < 0.0 && along * along > both * both * size2) {  // to the round tip of the cone
            const double size = std::sqrt(size2);
            plane.normal = from_tip / size;
            change = plane.normal * (both / horizon - size);
        } else {  // to one of its legs
            const double leg = std::sqrt(apart2 - both * both);
            Vec2 side;
            if (cross(to, from_tip) > 0.0) {
                side = Vec2{to.x * leg - to.y * both, to.x * both + to.y * leg} / apart2;
                plane.normal = {-side.y, side.x};
            } else {
                side = Vec2{to.x * leg + to.y * both, -to.x * both + to.y * leg} / apart2;
                plane.normal = {side.y, -side.x};
            }
            change = side * dot(relative, side) - relative;
        }
    } else {  // they overlap: apart again in one step
        const Vec2 from_tip = relative - to / step;
        const double size = length(from_tip);
        if (!(size > 0.0)) return false;
        plane.normal = from_tip / size;
        change = plane.normal * (both / step - size);
    }
    const double missing = dot(change, plane.normal);
    // not on a course to meet: what is free is split the other way round, or who has priority could hardly speed up
    plane.offset = dot(unit.velocity, plane.normal) + (missing > 0.0 ? part.needed : part.free) * missing;
    return true;
}

void add_neighbours(const CrowdData& crowd, std::uint32_t i, Work& work) {
    const Unit& unit = crowd.units[i];
    const Neighbours& near = crowd.near[i];
    Rank ranks[kNeighboursMax];
    bool ordered[kNeighboursMax];
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const Unit& other = crowd.units[near.ids[k]];
        ranks[k] = rank(crowd, i, near.ids[k]);
        ordered[k] = unit.turn != Turn::free || other.turn != Turn::free;
        add_gap(crowd, unit, other, share(ranks[k], ordered[k] ? kHardOrdered : kHardStrong), work);
    }
    if (crowd.options.avoid) add_far_gaps(crowd, i, work);
    work.count = work.hard;
    const double second = unit.body.radius / unit.speed_max();
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const double needed = share(ranks[k], ordered[k] ? kSoftOrdered : kSoftStrong);
        const Share part = share_with(crowd.units[near.ids[k]], needed);
        const double horizon = second * (unit.packing              ? kHorizonPacking
                                         : ranks[k] == Rank::first ? kHorizonStrong
                                                                   : kHorizon);
        if (avoid(unit, crowd.units[near.ids[k]], horizon, crowd.step, part, work.planes[work.count])) {
            ++work.count;
        }
    }
}

/// Does a step at this velocity and the stop behind it stay in its room?
bool keeps_room(const Work& work, Vec2 u) {
    const double speed = length(u);
    if (!(speed > 0.0)) return true;
    const Vec2 way = u * work.braking.time(speed);
    for (std::size_t i = 0; i < work.hard; ++i) {
        if (-dot(work.rooms[i].normal, way) >
            work.rooms[i].reach + kRoundOff * work.speed_max * work.braking.step)
            return false;
    }
    return true;
}

}  // namespace

namespace {

bool choose_any(const Unit& unit, const Work& work, Vec2 wanted, NextStep& next) {
    const std::span<const HalfPlane> planes{work.planes, work.count};
    if (!solve({planes, work.hard, work.speed_max}, wanted, next.velocity)) return false;
    if (!faces(unit)) return true;
    return turn_into(unit, turn_of(unit, work.braking.step), wanted, planes.first(work.hard), next);
}

bool choose_facing_of(const Unit& unit, const Work& work, Vec2 wanted, double& credit, NextStep& next) {
    const std::span<const HalfPlane> planes{work.planes, work.count};
    FacingProgram program;
    program.reach = planes.first(work.reach);
    program.planes = planes.subspan(work.reach);
    program.hard = work.hard - work.reach;
    program.speed_max = work.speed_max;
    program.facings = unit.body.facings;
    program.facing = unit.facing;
    program.turns = facings_to_turn(unit, work.braking.step, credit);
    FacingChoice choice;
    if (!choose_facing(program, wanted, choice)) return false;
    next.facing = choice.facing;
    next.velocity = direction_of(unit.body.facings, choice.facing) * choice.speed;
    return true;
}

}  // namespace

void choose(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    if (unit.body.driven) return;
    const Vec2 wanted = crowd.wish[i].velocity;
    Work work;
    work.braking = braking_of(unit, crowd.step);
    work.plan = work.braking.plan_to_stop(unit.velocity);
    work.speed_max = unit.speed_here;
    work.fastest = work.speed_max;
    add_reach(unit, wanted, crowd.step, work);
    add_turn(unit, crowd.step, work);
    work.reach = work.hard;
    add_walls(crowd, unit, wanted, work);
    add_neighbours(crowd, i, work);
    const bool has_facings = unit.body.facings != 0;
    double credit = 0.0;
    NextStep next = keep_facing(unit);
    const bool chosen = has_facings ? choose_facing_of(unit, work, wanted, credit, next)
                                    : choose_any(unit, work, wanted, next);
    const Vec2 braked = work.braking.braked(unit.velocity);
    // Borders that are nearly parallel (hardly any acceleration sideways) meet where rounding says.
    const double speed = length(next.velocity), round = kRoundOff * unit.speed_max();
    const double most = length(unit.velocity) + unit.body.limits.accel_max * crowd.step;
    const bool off = speed < length(braked) - round || speed > most + round;
    if (!chosen || !keeps_room(work, next.velocity) || off) {
        next = keep_facing(unit);
        next.velocity = braked;
    }
    if (has_facings) spend_turn(unit, credit, next);
    crowd.next[i] = next;
}

namespace {

/// The last resort: who has stood for long, with no turn to wait for, backs off and comes last for a while.
void look_for_jam(const CrowdData& crowd, Unit& unit) {
    const double second = pace_of(unit, crowd.step);
    unit.yields_for = unit.yields_for > crowd.step ? unit.yields_for - crowd.step : 0.0;
    const bool stands = length(unit.velocity) < kStandsBelow * unit.speed_max();
    const bool in_order = unit.turn != Turn::free && !unit.off_axis;
    if (!stands || in_order || unit.group != 0) {
        unit.jammed_for = 0.0;
        return;
    }
    unit.jammed_for += crowd.step;
    if (unit.jammed_for < kJammed * second) return;
    unit.jammed_for = 0.0;
    unit.yields_for = kYields * second;
}

}  // namespace

void move(CrowdData& crowd, std::uint32_t i) {
    Unit& unit = crowd.units[i];
    if (unit.body.driven) return;
    const NextStep& next = crowd.next[i];
    unit.velocity = next.velocity;
    unit.heading = next.heading;
    unit.facing = next.facing;
    unit.turn_left = next.turn_left;
    const Vec2 to = unit.p() + unit.velocity * crowd.step;
    if (crowd.world->settle != nullptr) {
        unit.at = crowd.world->settle(unit.at, {to.x, to.y, unit.at.position.z}, crowd.world->user);
    } else {
        unit.at.position.x = to.x;
        unit.at.position.y = to.y;
    }
    if (unit.way.count == 0) return;
    if (unit.state == UnitState::arrived) {
        unit.arrived_for += crowd.step;
        if (unit.seat != kNone) settle_in_group(crowd, i);  // it may have been asked to move on
        return;
    }
    unit.since += crowd.step;
    look_for_jam(crowd, unit);
    if (unit.group != 0) {
        settle_in_group(crowd, i);
        return;
    }
    const std::span<const WayPoint> way = crowd.ways.points(unit.way);
    if (distance(unit.p(), ground(way[way.size() - 1].at)) <= unit.body.radius)
        unit.state = UnitState::arrived;
}

}  // namespace fairlead::crowd
