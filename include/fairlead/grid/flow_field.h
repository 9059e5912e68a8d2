// FlowField: from every tile of a floor the way to one goal. Made once, asked by as many units as like: each gets its next corner in sight
// in some 0.2 us, without a search of its own.
//
//     FlowFill fill;
//     fill.begin(*town, {.goal = Vec2{40.5, 8.5}, .agent = {.radius = 0.4}});
//     while (fill.running()) fill.step(2000);              // or scheduler->submit_job(fill)
//     FlowField field;
//     fill.take(field);
//     FlowHold hold;                                       // one a unit
//     FlowStep next = field.sample(unit, hold);            // every frame: go straight to next.to
//     field.route(unit, route);                            // or the whole way, as find_route would give it
//
// What it holds. For each tile's middle (half tiles for discs wider than a tile) the corner, or the goal, that it goes to in one straight
// line; for each corner the next one. Lines are swept exactly, as in find_route. The way from a middle is never dearer than the
// best way over middles (from tile to tile, eight neighbours, no cutting of corners), and mostly the shortest of all: on game maps
// 0.01 to 0.1 % longer than the true shortest way for a point, on average (docs/crowds.md).
//
// Promises. The straight line from a place to FlowStep::to is legal for the disc, at the place's own coordinates, as is the whole
// route(); neither ever enters a wall. A unit that goes to `to` in steps of any size and keeps its hold gets closer all the time:
// `remaining` falls by at least what it walked. So there is no local minimum, and no unit can be held up by anything but others. A unit
// that is pushed aside gets a new way from where it is; only its hold is forgotten. Same on every platform; for any slicing.
//
// Not seen: portals (one floor at a time), influence, blockers. For discs wider than a tile the few ways that have to follow an arc
// between two corners (find_route.h) are missing: where sample() says unreachable for such a unit, find_route() has the last word.
//
// Revisions. A field is of the revision that it was filled on and holds it, as a snapshot does. After an edit compare revision()
// and fill anew, in slices, while the units go on along the old field (it may lead through what was built: motion
// and crowd stop them there).
//
// Cost: filling takes some 0.5 us a tile on game maps (lines of sight), three times that with half tiles. Memory of a field: 4 bytes a
// tile (16 with half tiles) and 32 a corner; while it is filled, 20 a tile more (80), which the FlowFill keeps for the next one. Sampling
// allocates nothing and may be done on any thread.
//
// Source: fields of distances for many units, "flow fields": Pentheny 2013 after Treuille, Cooper & Popovic 2006. Here corners in
// sight take the place of gradients: Theta*, Nash et al. 2007, from the goal outward and with nodes opened again when a shorter
// way to them is found; and with the corners of walls as nodes, where taut ways bend.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/kind_filter.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct FlowQuery {
    Goal goal{};    ///< a point, or any_of: whichever costs least. Its layer is the field's
    Agent agent{};  ///< a disc that turns on the spot
    CornerRule corner = CornerRule::never;
    KindFilter terrain{};  ///< as in a GridQuery
};

/// Its lists, for who keeps a query longer than the call that it was made for.
template <class Visit>
void each_list(FlowQuery& query, Visit&& visit) {
    visit(query.goal.list);
    visit(query.terrain.factors);
}

/// What a unit keeps from one sample to the next. Of one field; a new one for another.
struct FlowHold {
    std::uint32_t node = UINT32_MAX;  ///< where it goes to; that: nowhere yet
};

struct FlowStep {
    /// complete, or unreachable (no way from here is known), start_blocked (the disc does not fit here), off_world, goal_blocked
    /// (nothing leads to the goal).
    PathStatus status = PathStatus::unreachable;
    bool last = false;       ///< `to` is the goal
    Vec2 to{};               ///< go straight there
    double remaining = 0.0;  ///< cost of the whole way, in world units: its length where terrain costs 1
};

namespace grid {
struct FlowData;   // src/grid/flow_data.h
class FlowFiller;  // src/grid/flow_filler.h
}  // namespace grid

/// Move only. One that was not filled answers unreachable.
class FlowField {
  public:
    FlowField() = default;
    FlowField(FlowField&& other) noexcept;
    FlowField& operator=(FlowField&& other) noexcept;
    FlowField(const FlowField&) = delete;
    FlowField& operator=(const FlowField&) = delete;
    ~FlowField();

    /// Where to go from a place. NaN: off_world. Cost: one to three sights, 0.1 to 0.5 us.
    [[nodiscard]] FlowStep sample(Vec2 from, FlowHold& hold) const;
    /// The whole way from a place, straight legs as find_route writes them: status as sample()'s, legal, planner "flow_field". `bound` is
    /// 1, of the best tile route, for discs of up to a tile's width; else kNoBound. A warm one allocates nothing. Error:
    /// out_of_memory.
    [[nodiscard]] Result<void> route(Vec2 from, Route& out) const;

    [[nodiscard]] bool filled() const { return data_ != nullptr; }
    /// complete; goal_blocked, off_world: nothing leads to the goal.
    [[nodiscard]] PathStatus status() const;
    [[nodiscard]] std::uint64_t revision() const;
    [[nodiscard]] std::int32_t layer() const;
    [[nodiscard]] double radius() const;
    [[nodiscard]] std::size_t corners() const;
    [[nodiscard]] std::size_t memory() const;
    /// Of all that it holds.
    [[nodiscard]] std::uint64_t digest() const;

  private:
    friend class FlowFill;
    explicit FlowField(grid::FlowData* data) : data_(data) {}
    grid::FlowData* data_ = nullptr;
};

/// Fills fields, in slices. A SlicedJob of the scheduler's. Move only.
class FlowFill {
  public:
    explicit FlowFill(const Allocator& allocator = {});
    FlowFill(FlowFill&& other) noexcept;
    FlowFill& operator=(FlowFill&& other) noexcept;
    FlowFill(const FlowFill&) = delete;
    FlowFill& operator=(const FlowFill&) = delete;
    ~FlowFill();

    /// Takes a query on; it and its lists are not needed any more after the call. What was on its way is dropped. Errors: those of a
    /// malformed query, as find_route's; unsupported: a goal that is a region or a waypoint, a body that is no disc, a turning
    /// radius, `world`: an axis that wraps; out_of_range: layer, goal_list; size_limit: goal_list, cells (more than 2^30 nodes).
    [[nodiscard]] Result<void> begin(const GridSnapshot& world, const FlowQuery& query);
    /// Works for so many units (a node opened, a line of sight, 64 tiles looked at); the units used, at least 1 while running. What a
    /// node or
    /// a row costs more than is left, some 30 at most and a row's, comes off the next steps.
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const;
    /// The field; what `field` was before lends its memory to the next one. Errors: nothing_to_take: nothing was begun, it is
    /// still running, or it was taken; out_of_memory.
    [[nodiscard]] Result<void> take(FlowField& field);

  private:
    Allocator allocator_;
    grid::FlowFiller* filler_ = nullptr;
};

}  // namespace fairlead
