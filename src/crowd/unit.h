// What the crowd keeps of a unit.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/crowd/crowd.h>

namespace fairlead::crowd {

inline constexpr std::uint32_t kNone = 0xffffffffu;
inline constexpr std::size_t kNeighboursMax = 12;
inline constexpr std::size_t kDrivenLinesMax = 4;
inline constexpr std::size_t kHardMax = 48;  // that a unit's plan to stop is kept from, where it is crowded

/// A stretch of memory for the points of a route (way_pool.h).
struct Way {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;
};

/// A stretch of a route through a narrow place, and where the unit stands with it.
struct Passage {
    std::uint32_t place = kNone;
    std::uint32_t in = kNone;   ///< mouth, counted in all; kNone: the route starts inside
    std::uint32_t out = kNone;  ///< kNone: it ends inside
    Way axis{};                 ///< from mouth to mouth
    double width = 0.0;
    double length = 0.0;
    double rest = 0.0;  ///< of the unit's way, behind it
    bool lanes = false;
};

enum class Turn : std::uint8_t {
    free,      ///< not near the next place
    waiting,   ///< for its turn there
    admitted,  ///< it may go in
    inside,
};

struct Unit {
    Place at{};
    Vec2 velocity{};
    CrowdUnit body{};
    double heading = 0.0;     ///< of a unit that faces a way (turning.h)
    std::int32_t facing = 0;  ///< of one with facings
    double turn_left = 0.0;   ///< radians that it may turn, beside what the coming step allows

    Way way{};
    std::uint32_t aim = 0;   ///< the point of the way that it goes to
    bool in_sight = true;    ///< it sees that point, or stands on the leg to it:
    bool by_leg = false;     ///< the latter alone
    Vec3 way_from{};         ///< where its first leg begins
    double straight = 0.0;   ///< seconds that it does not keep to a side, for it lost sight of its aim
    double unseen = 0.0;     ///< seconds that it has not seen it
    double astray = 0.0;     ///< the same, less half of those that it has seen it
    Vec2 seen_from{};        ///< where it last saw that point
    double after_aim = 0.0;  ///< length of the way from there on
    double remaining = 0.0;
    double alone = 0.0;
    double since = 0.0;
    double nearest_left = 0.0;    ///< the least that remained of its way,
    double no_nearer_for = 0.0;   ///< and seconds since then; not of who waits for its turn
    double jammed_for = 0.0;      ///< seconds that it has stood, with no turn to wait for
    double yields_for = 0.0;      ///< seconds that it still comes last
    double arrived_for = 0.0;     ///< seconds since it arrived
    double tie = 0.0;             ///< in [0, 1): the same for its life
    bool way_has_limits = false;  ///< of speed
    double widest_road = -1.0;    ///< half the width; below 0: not asked yet
    std::uint32_t on_leg = 0;     ///< the leg that it is on leads to this point of its way
    double speed_here =
        0.0;                ///< how fast it may go in this update: by itself, by the road, and by what comes
    double left_gap = 0.0;  ///< to the walls beside it, looked at now and then
    double right_gap = 0.0;
    bool in_street = false;  ///< between walls on both sides, when it last looked
    double entered =
        -1.0;  ///< what remained of its way when it came out of a street into a crossing; below 0: it did not
    Way passages{};             ///< a stretch of the passages of all units
    std::uint32_t passage = 0;  ///< the next one, or the one it is in
    Turn turn = Turn::free;
    bool off_axis = false;     ///< let in, but it goes along its route
    bool strays = false;       ///< the axis has not led it on for long: until it is out
    double best_left = 0.0;    ///< of who was let in: the least that remained of its way,
    double nowhere_for = 0.0;  ///< and seconds since then
    bool clears = false;       ///< it came out of a place one unit wide, and stands before its mouth still,
    double clear_at = 0.0;     ///< until less than this remains of its way
    std::uint64_t ticket = 0;  ///< update at which it began to wait; of who was admitted: number in the order
    std::uint32_t ahead =
        kNone;              ///< who was admitted before it at the same mouth, if that one is still on its way
    double best_way = 0.0;  ///< of who was admitted: the nearest to the mouth it came,
    std::uint64_t best_at = 0;  ///< and the update
    double to_mouth = 0.0;      ///< of who was admitted: along the axis; below 0 inside
    double beside = 0.0;        ///< of the axis, to its left
    Vec2 axis_along{};          ///< where the axis leads to at that place

    std::uint32_t group = 0;
    std::uint32_t group_at = kNone;  ///< its place in the list of groups, in this update
    double stood_for = 0.0;          ///< seconds that it has hardly moved
    int vain = 0;                    ///< times that it turned round while it looked for a way in
    double settled_at = 0.0;         ///< how far from the goal it settled
    int circling = 0;      ///< around its group, looking for a way in: 1 clockwise, -1 the other way, 0 not
    bool packing = false;  ///< near the goal of its group: nobody has priority there
    std::uint32_t seat = kNone;  ///< where it will stand there (seats.h),
    std::uint32_t seat_aim =
        kNone;  ///< and the one that it goes to now, a corner of the way; kNone: it follows its route
    std::uint32_t seat_look = kNone;  ///< the corner that it looks for next
    double seat_left = 0.0;           ///< to its seat
    double seat_hidden = 0.0;         ///< seconds that it has not seen what it goes to

    Vec2 driven_way
        [kDrivenLinesMax]{};  ///< of who is driven and has told it: its way to a stop, in lines from where it is,
    std::uint32_t driven_lines = 0;  ///< so many; 0: as its velocity says
    double driven_off = 0.0;         ///< and it keeps within this of them
    Vec2 asks_way{};                 ///< of who is driven and stands: where it would go on; else zero
    bool guided = false;             ///< it has no way, but a velocity that it wants
    CrowdGuide guide{};

    UnitState state = UnitState::idle;
    bool used = false;
    bool settled = false;
    bool was_settled = false;  ///< when this update began
    std::uint32_t generation = 0;
    std::uint32_t looks = 0;  ///< counts updates, from a start of its own

    [[nodiscard]] Vec2 p() const { return ground(at.position); }
    [[nodiscard]] double speed_max() const { return body.limits.speed_max; }
};

/// What a unit wants in this update, before and after others were heard.
struct Wish {
    Vec2 velocity{};
    double priority = 0.0;
};

struct Neighbours {
    std::uint32_t ids[kNeighboursMax];
    std::uint32_t count = 0;
    double known = 0.0;  ///< up to this gap between discs they are all there
};

}  // namespace fairlead::crowd
