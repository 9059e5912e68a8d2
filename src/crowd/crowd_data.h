// A crowd's units and the work of one update. Each phase reads what the phase before has finished and writes its own unit's alone, so the
// bits do not depend on threads.
#pragma once

#include <fairlead/base/array.h>

#include "crowd/avoid/braking.h"
#include "crowd/neighbour_grid.h"
#include "crowd/places/place_set.h"
#include "crowd/seats.h"
#include "crowd/space/space_data.h"
#include "crowd/turning.h"
#include "crowd/unit.h"
#include "crowd/way_pool.h"

namespace fairlead::crowd {

/// Who may go through a narrow place.
struct PlaceOrder {
    std::uint32_t side = kNone;  ///< of a token place: the mouth that may go in
    std::uint32_t batch = 0;     ///< how many it has let in
    std::uint32_t on_way = 0;    ///< admitted and not out yet
    double widest = 0.0;         ///< of those who are in it and came by no mouth
    bool mixed = false;          ///< units of another size than its own are there
};

struct MouthOrder {
    std::uint64_t oldest = 0;
    double best_key = 0.0;
    std::uint32_t best = kNone;  ///< of those who wait
    std::uint32_t last = kNone;  ///< whom it let in last
    std::uint64_t number = 0;    ///< how many it has let in
    double widest = 0.0;         ///< of those who wait, or came in by it and are not out yet
    bool waited = false;
    bool held = false;     ///< one of those let in is still far from the mouth,
    double held_at = 0.0;  ///< so far: the nearest of them
    double best_at = 0.0;  ///< the best of those who wait: if that is nearer it need not wait for it
};

/// Units that go to one place.
struct Group {
    std::uint32_t id = 0;
    double square = 0.0;  ///< of the radii of all of them
    double cube = 0.0;
    double widest = 0.0;
    std::uint32_t units = 0;
    Place goal{};  ///< of the first of them
    SeatList seats{};
    /// Of the disc, or in space the ball, that they fill.
    [[nodiscard]] double radius(bool space) const {
        if (!space) return std::sqrt(square / 0.6) + widest;
        const double volume = cube / 0.5;
        double root = widest + (volume / (widest * widest) - widest) / 3.0;  // Newton's cube root, from above
        for (int i = 0; i < 64; ++i) {
            const double next = root + (volume / (root * root) - root) / 3.0;
            if (!(next < root)) break;
            root = next;
        }
        return root + widest;
    }
};

struct CrowdData {
    explicit CrowdData(const CrowdOptions& given)
        : options(given),
          units(given.allocator),
          free(given.allocator),
          ways(given.allocator),
          passages(given.allocator),
          places(given.allocator),
          order(given.allocator),
          mouth_order(given.allocator),
          groups(given.allocator),
          axis(given.allocator),
          crossings(given.allocator),
          near(given.allocator),
          own(given.allocator),
          wish(given.allocator),
          heard(given.allocator),
          next(given.allocator),
          grid(given.allocator),
          seats(given.allocator),
          space(given.allocator) {}

    CrowdOptions options;
    Array<Unit> units;
    Array<std::uint32_t> free;
    WayPool ways;
    PassagePool passages;
    PlaceSet places;
    Array<PlaceOrder> order;        ///< one a place
    Array<MouthOrder> mouth_order;  ///< one a mouth
    std::uint64_t updates = 0;
    Array<Group> groups;    ///< sorted by id
    Array<PlaceNode> axis;  ///< of send(), as what follows
    Array<SetCrossing> crossings;
    std::size_t used = 0;
    std::uint64_t added = 0;

    // of one update
    double step = 0.0;
    double stop_max = 0.0;  ///< the longest way to a stop of them all,
    double way_max = 0.0;   ///< and the longest that one can have after this step, the step included
    const CrowdWorld* world = nullptr;
    Array<Neighbours> near;
    Array<Wish> own;  ///< what each wants by itself
    Array<Wish>
        wish;  ///< with priorities inherited and steps aside; kept for the next update, which hears it
    Array<Wish> heard;  ///< that of the update before
    Array<NextStep> next;
    NeighbourGrid grid;

    Seats seats;      ///< of groups
    SpaceData space;  ///< of a crowd in space

    /// How far apart two places are, and the speed of a unit: on the ground, or in space.
    [[nodiscard]] double apart(Vec3 a, Vec3 b) const {
        return options.space ? distance(a, b) : distance(ground(a), ground(b));
    }
    [[nodiscard]] double speed(std::uint32_t i) const {
        return options.space ? length(space.units[i].velocity) : length(units[i].velocity);
    }
};

/// Null: it is gone, or never was.
[[nodiscard]] inline Unit* find_unit(CrowdData& data, UnitId id) {
    const auto slot = static_cast<std::uint32_t>(id.value);
    if (slot >= data.units.size()) return nullptr;
    Unit& unit = data.units[slot];
    return unit.used && unit.generation == id.value >> 32 ? &unit : nullptr;
}

[[nodiscard]] inline std::uint32_t slot_of(const CrowdData& d, const Unit& unit) {
    return static_cast<std::uint32_t>(&unit - d.units.data());
}

/// Of a unit that is sent: the narrow places on what it has before it of its route (find_passages.cpp). False: no memory.
[[nodiscard]] bool find_passages(CrowdData& crowd, Unit& unit);
/// Gives them back; in space the tunnel.
void drop_passages(CrowdData& crowd, Unit& unit);

/// Before all: what groups there are. False: no memory.
[[nodiscard]] bool gather_groups(CrowdData& crowd);
/// Then their seats: looks for more of them (seat_flood.cpp), and gives them to units on their way (seat_plan.cpp). False: no memory.
[[nodiscard]] bool flood_seats(CrowdData& crowd, Group& group);
[[nodiscard]] bool plan_seats(CrowdData& crowd);
void drop_seats(CrowdData& crowd, Group& group);
/// The seat nearest to a place, if there is one about a pitch from it; else kNone.
[[nodiscard]] std::uint32_t seat_at(const CrowdData& crowd, const Group& group, Vec2 p);
/// Does a unit go to its seat already? It looks for it once at most.
[[nodiscard]] bool look_for_seat(const CrowdData& crowd, Unit& unit);
/// After a move: has a unit of a group found its place?
void settle_in_group(CrowdData& crowd, std::uint32_t i);
/// Phase 0, for all units in order: who may go into narrow places.
void keep_order(CrowdData& crowd);
/// What a unit wants that waits at a narrow place, or goes through one. False: it does neither.
[[nodiscard]] bool want_in_order(const CrowdData& crowd, const Unit& unit, Vec2& velocity);
/// Radii of half the width of a place for lanes at its narrowest: two pass each other there. It may be less, for discs that are wide
/// enough pass before a neck and behind it.
inline constexpr double kLaneEach = 2.0;

/// The seconds that it needs for its radius; a step at least, for who is small or fast makes many of its radii in a step.
[[nodiscard]] inline double pace_of(const Unit& unit, double step) {
    const double pace = unit.body.radius / unit.speed_max();
    return pace > step ? pace : step;
}

/// The passage that a unit waits for or is in; null: none.
[[nodiscard]] inline const Passage* passage_of(const CrowdData& crowd, const Unit& unit) {
    return unit.turn == Turn::free ? nullptr : &crowd.passages.points(unit.passages)[unit.passage];
}

/// In a lane: is it in its own half, so that others can come along the other one?
[[nodiscard]] inline bool in_own_half(const Unit& unit) { return unit.beside <= -0.6 * unit.body.radius; }

/// Both go the same way through the same lane: who is ahead comes first, whatever else (the zipper). By the same mouths it is the same way
/// also round a bend.
[[nodiscard]] inline bool same_lane(const CrowdData& crowd, const Unit& a, const Unit& b) {
    const Passage* mine = passage_of(crowd, a);
    const Passage* other = passage_of(crowd, b);
    if (mine == nullptr || other == nullptr || !mine->lanes || mine->place != other->place) return false;
    if (a.turn == Turn::waiting || b.turn == Turn::waiting) return false;
    const bool same = mine->in != kNone && mine->in == other->in && mine->out == other->out;
    return same || dot(a.axis_along, b.axis_along) > 0.0;
}

/// It has come no nearer to its goal for a while, though it may: somebody, or a wall, is in its way.
[[nodiscard]] inline bool is_held_up(const Unit& unit, double step) {
    constexpr double kHeldUpFor = 7.5;  // radii / speed
    return unit.no_nearer_for > kHeldUpFor * pace_of(unit, step);
}

/// How fast a unit may go: its own limit, that of where it is, and slower before roads with lower ones (roads.cpp).
[[nodiscard]] double speed_here(CrowdData& crowd, Unit& unit);
/// Along its route: which point it goes to (along_way.cpp),
void advance(CrowdData& crowd, Unit& unit);
/// and where it heads to.
[[nodiscard]] Vec2 next_on_way(const CrowdData& crowd, const Unit& unit);
/// Phase 1: what a unit wants along its route, and how much that counts.
void want(CrowdData& crowd, std::uint32_t i);
/// Phase 2: takes over the priority of whom it stands in the way of, and steps aside.
void make_way(CrowdData& crowd, std::uint32_t i);
/// Phase 3: the velocity.
void choose(CrowdData& crowd, std::uint32_t i);
/// Phase 4: moves.
void move(CrowdData& crowd, std::uint32_t i);

[[nodiscard]] inline Braking braking_of(const Unit& unit, double step) {
    return {step, unit.body.limits.brake_max * step};
}

/// How far a unit can come in a step and the stop behind it.
[[nodiscard]] inline double way_of(const Unit& unit, double step) {
    const double speed = length(unit.velocity);
    double most = speed + unit.body.limits.accel_max * step;
    if (!(most < unit.speed_max())) most = unit.speed_max();
    if (unit.driven_lines > 0) {
        double way = 0.0;
        for (std::uint32_t k = 0; k < unit.driven_lines; ++k) {
            const double far = distance(unit.p(), unit.driven_way[k]) + unit.driven_off;
            if (far > way) way = far;
        }
        return way;
    }
    return braking_of(unit, step).distance(unit.body.driven ? speed : most);
}

/// A unit's part of the change of velocities that a pair needs, and of what is free.
struct Share {
    double needed = 0.5;
    double free = 0.5;
};

/// Of what is free the part is the other way round, or who has priority could hardly speed up. Who is driven does nothing, and takes
/// nothing of what is free.
[[nodiscard]] inline Share share_with(const Unit& other, double needed) {
    return other.body.driven ? Share{1.0, 1.0} : Share{needed, 1.0 - needed};
}

}  // namespace fairlead::crowd
