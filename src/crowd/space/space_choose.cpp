// The velocity of the next step, in space: choose.cpp has the argument, which has nothing to do with the number of dimensions. A plane
// between the plans to stop of two units splits what is left between them.
//
// Every unit whose plan could come near is asked, not only the nearest ones: a pair counts if the plane cuts into what this unit can reach
// in the step. Where there are more than there is room for, the unit goes no faster than up to the first that was left out.
//
// Source: van den Berg, Guy, Lin and Manocha 2011 (ORCA); Zhou, Wang, Bandyopadhyay and Schwager 2017 (buffered Voronoi cells).
#include <fairlead/math/vec.h>

#include "crowd/avoid/half_plane.h"
#include "crowd/space/frame.h"
#include "crowd/space/nearest_lines.h"
#include "crowd/space/space_phases.h"
#include "crowd/space/space_program.h"

namespace fairlead::crowd {

namespace {

constexpr double kSameRank = 0.02;     // priorities that differ by less are equal
constexpr double kSoftFirst = 0.1;     // the share of the trouble that who has priority takes
constexpr double kHardFirst = 0.7;     // and of the gap
constexpr double kAheadTunnel = 12.0;  // radii / speed
constexpr double kAheadFirst = 3.0;
constexpr double kAheadPacking = 3.0;
constexpr double kAheadWall = 0.45;
constexpr double kGive = 1e-12;    // of a step, for rounding
constexpr double kOverlap = 1e-6;  // of both radii: more is no rounding
constexpr std::size_t kGapsMax = 12;
constexpr int kMeridians = 6;

struct SpaceRoom {
    Vec3 normal{};
    double reach = 0.0;  ///< how far the unit may go against the normal, its way to stop included
};

/// Of a pair.
struct Gap {
    SpaceRoom room{};
    std::uint32_t unit = 0;
};

struct SpaceWork {
    HalfSpace planes[kPlanesMax];
    SpaceRoom rooms[kPlanesMax];  ///< of the hard ones
    std::size_t hard = 0;
    std::size_t count = 0;
    Braking braking{};
    double speed_max = 0.0;
    double fastest = 0.0;  ///< what it can reach in this step
    Vec3 plan{};           ///< to the place where the unit would stand if it braked now
};
static_assert(4 * kMeridians + kWallPlanesMax + kGapsMax + kNeighboursMax <= kPlanesMax);

/// What the unit can change of its velocity in one step: four rings of six faces within two half ellipsoids, before and behind.
void add_change(const Unit& unit, Vec3 velocity, Vec3 wanted, double step, SpaceWork& work) {
    const double accel = unit.body.limits.accel_max * step;
    const double brake = unit.body.limits.brake_max * step;
    const double lateral = unit.body.limits.lateral_accel_max * step;
    const double far = 1e3 * unit.speed_max();
    if (!(accel < far || brake < far || lateral < far)) return;
    const double speed = length(velocity);
    const double fore = accel < far ? accel : far;
    const double side = lateral < fore ? lateral : fore;
    double back = brake < far ? brake : far;
    if (speed < back) back = speed + fore * (1.0 - speed / back);
    Vec3 along = speed > 0.0 ? velocity / speed : normalized(wanted);
    if (along == Vec3{}) along = {1.0, 0.0, 0.0};
    const Frame frame = frame_across(along);
    constexpr double kHalf = 0.70710678118654752;
    constexpr double kFace =
        0.86602540378443865;  // a face's middle is so much nearer to the axis than its corners
    constexpr double kAround[kMeridians][2] = {{1.0, 0.0},  {0.5, kFace},   {-0.5, kFace},
                                               {-1.0, 0.0}, {-0.5, -kFace}, {0.5, -kFace}};
    const double before[2] = {fore, back};
    for (int end = 0; end < 2; ++end) {
        const double ahead = before[end];
        const Vec3 axis = end == 0 ? along : -along;
        const Vec2 corners[3] = {{ahead, 0.0}, {ahead * kHalf, side * kHalf * kFace}, {0.0, side * kFace}};
        for (int ring = 0; ring < 2; ++ring) {
            const Vec2 edge = corners[ring + 1] - corners[ring];
            const Vec2 inward = normalized(Vec2{-edge.y, edge.x});
            for (const auto& turn : kAround) {
                const Vec3 out = frame.side * turn[0] + frame.other * turn[1];
                const Vec3 normal = axis * inward.x + out * inward.y;
                const Vec3 corner = axis * corners[ring].x + out * corners[ring].y;
                work.rooms[work.hard] = {{}, 0.0};  // no matter of room
                work.planes[work.hard++] = {normal, dot(normal, velocity + corner)};
            }
        }
    }
    const double most = speed + fore;
    if (most < work.speed_max) work.fastest = most;
}

void add_room(SpaceWork& work, const SpaceRoom& room, double horizon) {
    const double time = work.braking.time(work.fastest);
    work.rooms[work.hard] = room;
    work.planes[work.hard++] = {room.normal, -room.reach / (time > horizon ? time : horizon)};
}

/// `slack`: of what is left before the plan, this unit's part.
SpaceRoom room_of(const SpaceWork& work, Vec3 normal, double slack) {
    const double used = -dot(normal, work.plan);
    return {normal, (used > 0.0 ? used : 0.0) + (slack > 0.0 ? slack : 0.0)};
}

/// No faster than what goes so far.
void slow_down(SpaceWork& work, double way) {
    double most = work.fastest;
    while (most > 1e-6 * work.speed_max && work.braking.distance(most) > way) most *= 0.75;
    if (most < work.fastest) work.fastest = work.speed_max = most;
}

void add_wall_planes(const CrowdData& crowd, const Unit& unit, SpaceWork& work) {
    if (crowd.world->planes == nullptr) return;
    WallPlane walls[kWallPlanesMax];
    std::size_t count = 0;
    const double horizon = kAheadWall * unit.body.radius / unit.speed_max();
    const double r = unit.body.radius > crowd.world->margin ? unit.body.radius - crowd.world->margin : 0.0;
    const double reach = r + work.braking.distance(work.fastest) + work.fastest * horizon;
    const Vec3 p = unit.at.position;
    const double known =
        crowd.world->planes(p, p + work.plan, reach, {walls, kWallPlanesMax}, count, crowd.world->user);
    if (known < reach) slow_down(work, known > r ? known - r : 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        const double now = dot(walls[i].normal, p - walls[i].at);
        const double then = dot(walls[i].normal, p + work.plan - walls[i].at);
        add_room(work, room_of(work, walls[i].normal, (now < then ? now : then) - r), horizon);
    }
}

enum class SpaceRank : std::uint8_t { equal, first, second };

SpaceRank rank_in_space(const CrowdData& crowd, std::uint32_t i, std::uint32_t k) {
    const double more = crowd.space.wish[i].priority - crowd.space.wish[k].priority;
    return more > kSameRank ? SpaceRank::first : more < -kSameRank ? SpaceRank::second : SpaceRank::equal;
}

double share_of(SpaceRank rank, double first) {
    return rank == SpaceRank::equal ? 0.5 : rank == SpaceRank::first ? first : 1.0 - first;
}

/// A line that another one is going to be on.
struct PlanLine {
    Vec3 from{};
    Vec3 plan{};
    double off = 0.0;   ///< so far beside it, too
    double part = 1.0;  ///< of the gap, for this unit
};

/// False: they overlap, which they were put to.
bool gap_to_line(const CrowdData& crowd, std::uint32_t i, std::uint32_t k, const SpaceWork& work,
                 const PlanLine& line, SpaceRoom& room) {
    const Unit& unit = crowd.units[i];
    const Unit& other = crowd.units[k];
    const Vec3 p = unit.at.position;
    const Vec3 q = line.from;
    const Vec3 plan = line.plan;
    // the same plane for both, to the last bit: the lower number comes first
    const NearestInSpace pair =
        i < k ? nearest_lines(p, p + work.plan, q, q + plan) : nearest_lines(q, q + plan, p, p + work.plan);
    Vec3 normal = pair.on_way - pair.on_other;
    const double size = length(normal);
    if (!(size > 0.0)) return false;
    normal = i < k ? normal / size : normal / -size;
    const double mine = dot(normal, work.plan);
    const double theirs = dot(normal, plan);
    double gap = dot(normal, p - q) + (mine < 0.0 ? mine : 0.0) - (theirs > 0.0 ? theirs : 0.0) -
                 unit.body.radius - other.body.radius;
    if (gap < -kOverlap * (unit.body.radius + other.body.radius)) return false;
    if (line.off > 0.0) gap = gap > line.off ? gap - line.off : 0.0;
    room = room_of(work, normal, line.part * gap);
    return true;
}

/// Calls take(room) for each line that the other one's plan is made of.
template <class Take>
void each_gap(const CrowdData& crowd, std::uint32_t i, std::uint32_t k, const SpaceWork& work,
              const Take& take) {
    const Unit& other = crowd.units[k];
    const SpaceUnit& space = crowd.space.units[k];
    const Braking braking = braking_of(other, crowd.step);
    PlanLine line{other.at.position, braking.plan_to_stop(space.velocity), 0.0, 1.0};
    SpaceRoom room{};
    if (!other.body.driven) {
        line.part = share_of(rank_in_space(crowd, i, k), kHardFirst);
    } else if (space.way_count ==
               0) {  // it takes its next step without asking: all the rest is for this unit
        line.plan = space.velocity * braking.time(length(space.velocity));
    }
    const std::uint32_t count = other.body.driven && space.way_count > 0 ? space.way_count : 1;
    for (std::uint32_t n = 0; n < count; ++n) {
        if (space.way_count > 0) {
            line.plan = space.way[n] - line.from;
            line.off = space.off;
        }
        if (gap_to_line(crowd, i, k, work, line, room)) take(room);
        line.from = line.from + line.plan;
    }
}

/// The planes to all others that this unit could come to, the nearest ones if there are too many.
void add_gaps(const CrowdData& crowd, std::uint32_t i, SpaceWork& work) {
    if (!crowd.options.avoid) return;
    const Unit& unit = crowd.units[i];
    const double way = work.braking.distance(work.fastest);
    Gap gaps[kGapsMax];
    std::size_t count = 0;
    double left_out = way;
    // farther off even the smaller part of the gap is more than this unit can use
    const double reach =
        unit.body.radius + length(work.plan) + crowd.space.longest + way / (1.0 - kHardFirst);
    const auto put = [&](const Gap& gap) {
        std::size_t at = count;
        if (count == kGapsMax) {
            at = kGapsMax - 1;
            const bool nearer = gap.room.reach < gaps[at].room.reach ||
                                (gap.room.reach == gaps[at].room.reach && gap.unit < gaps[at].unit);
            const double out = nearer ? gaps[at].room.reach : gap.room.reach;
            if (out < left_out) left_out = out;
            if (!nearer) return;
        } else {
            ++count;
        }
        for (; at > 0 && (gap.room.reach < gaps[at - 1].room.reach ||
                          (gap.room.reach == gaps[at - 1].room.reach && gap.unit < gaps[at - 1].unit));
             --at) {
            gaps[at] = gaps[at - 1];
        }
        gaps[at] = gap;
    };
    const auto look = [&](const SpaceGrid::Member& other) {
        if (other.unit == i) return;
        const double both = reach + other.radius;
        const Vec3 to = other.p - unit.at.position;
        if (dot(to, to) > both * both) return;
        each_gap(crowd, i, other.unit, work, [&](const SpaceRoom& room) {
            if (room.reach < left_out) put(Gap{room, other.unit});
        });
    };
    crowd.space.grid.each(unit.at.position, reach + crowd.space.grid.radius_max(), look);
    if (left_out < way) slow_down(work, left_out);
    for (std::size_t k = 0; k < count; ++k) add_room(work, gaps[k].room, 0.0);
}

/// The half-space of a pair that shall not touch for `horizon` seconds. `part`: this unit's of the change.
bool avoid_in_space(const CrowdData& crowd, std::uint32_t i, std::uint32_t k, double horizon, Share part,
                    HalfSpace& plane) {
    const Unit& unit = crowd.units[i];
    const Unit& other = crowd.units[k];
    const Vec3 velocity = crowd.space.units[i].velocity;
    const Vec3 to = other.at.position - unit.at.position;
    const Vec3 relative = velocity - crowd.space.units[k].velocity;
    const double both = unit.body.radius + other.body.radius;
    const double apart2 = dot(to, to);
    double missing = 0.0;
    if (apart2 > both * both) {
        const Vec3 from_tip = relative - to / horizon;
        const double along = dot(from_tip, to);
        if (along < 0.0 && along * along > both * both * dot(from_tip, from_tip)) {  // to the round tip
            const double size = length(from_tip);
            plane.normal = from_tip / size;
            missing = both / horizon - size;
        } else {  // to the side of the cone
            const double a = apart2;
            const double b = dot(to, relative);
            const Vec3 turned = cross(to, relative);
            const double c = dot(relative, relative) - dot(turned, turned) / (apart2 - both * both);
            const double root = b * b - a * c;
            const double t = (b + std::sqrt(root > 0.0 ? root : 0.0)) / a;
            const Vec3 off = relative - to * t;
            const double size = length(off);
            // straight on to each other: each to its right
            plane.normal = size > 1e-9 * unit.speed_max() ? off / size : frame_across(normalized(to)).side;
            missing = both * t - size;
        }
    } else {  // they overlap: apart again in one step
        const Vec3 from_tip = relative - to / crowd.step;
        const double size = length(from_tip);
        if (!(size > 0.0)) return false;
        plane.normal = from_tip / size;
        missing = both / crowd.step - size;
    }
    // not on a course to meet: what is free is split the other way round, or who has priority could hardly speed up
    plane.offset = dot(velocity, plane.normal) + (missing > 0.0 ? part.needed : part.free) * missing;
    return true;
}

void add_soft(const CrowdData& crowd, std::uint32_t i, SpaceWork& work) {
    const Unit& unit = crowd.units[i];
    const Neighbours& near = crowd.near[i];
    const double second = unit.body.radius / unit.speed_max();
    work.count = work.hard;
    for (std::uint32_t k = 0; k < near.count; ++k) {
        const SpaceRank rank = rank_in_space(crowd, i, near.ids[k]);
        const Share part = share_with(crowd.units[near.ids[k]], share_of(rank, kSoftFirst));
        const double horizon = second * (unit.packing               ? kAheadPacking
                                         : rank == SpaceRank::first ? kAheadFirst
                                                                    : kAheadTunnel);
        if (avoid_in_space(crowd, i, near.ids[k], horizon, part, work.planes[work.count])) ++work.count;
    }
}

/// Does a step at this velocity and the stop behind it stay in its room?
bool stays_in_room(const SpaceWork& work, Vec3 u) {
    const double speed = length(u);
    if (!(speed > 0.0)) return true;
    if (speed > work.speed_max * (1.0 + 1e-12)) return false;
    const Vec3 way = u * work.braking.time(speed);
    for (std::size_t i = 0; i < work.hard; ++i) {
        if (-dot(work.rooms[i].normal, way) >
            work.rooms[i].reach + kGive * work.speed_max * work.braking.step)
            return false;
    }
    return true;
}

}  // namespace

void choose_in_space(CrowdData& crowd, std::uint32_t i) {
    const Unit& unit = crowd.units[i];
    if (unit.body.driven) return;
    const Vec3 velocity = crowd.space.units[i].velocity;
    SpaceWork work;
    work.braking = braking_of(unit, crowd.step);
    work.plan = work.braking.plan_to_stop(velocity);
    work.speed_max = unit.speed_max();
    work.fastest = work.speed_max;
    add_change(unit, velocity, crowd.space.wish[i].velocity, crowd.step, work);
    add_wall_planes(crowd, unit, work);
    add_gaps(crowd, i, work);
    add_soft(crowd, i, work);
    Vec3 u{};
    if (!solve({{work.planes, work.count}, work.hard, work.speed_max}, crowd.space.wish[i].velocity, u) ||
        !stays_in_room(work, u)) {
        u = work.braking.braked(velocity);
    }
    crowd.space.next[i] = u;
}

}  // namespace fairlead::crowd
