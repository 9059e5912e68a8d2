// LegTest: the query's unit on the legs of a route, and what is in its way, in cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <fairlead/grid/query.h>
#include <fairlead/route/route.h>

#include "grid/sight.h"
#include "grid/state.h"

namespace fairlead::grid {

class LegTest {
  public:
    LegTest(const GridState& grid, const GridQuery& query);

    [[nodiscard]] Vec2 cells(Vec3 p) const { return (ground(p) - state_.origin) * (1.0 / state_.cell_size); }
    [[nodiscard]] const StateData& state() const { return state_; }
    [[nodiscard]] SightWorld world(std::int32_t layer) const;

    /// Does the way come near the changed cells, or is it at most `more` cells away? Positions may lie laps away on wrapped
    /// axes: then always. So do those that are nowhere.
    [[nodiscard]] bool near(const Leg& leg, Vec2 a, Vec2 b, const CellRect& changed, double more = 0.0) const;
    [[nodiscard]] bool near(const Place& place, const CellRect& changed) const;

    /// May the unit stand there?
    [[nodiscard]] bool stands(const Place& place) const;
    /// A route of another world may name floors and portals that this one lacks.
    [[nodiscard]] bool legal(const Leg& leg, Vec2 a, Vec2 b, const Place& end) const;
    /// Do the legs `i` - 1 and `i` lead a point through the corner where two walls meet? Each may end there (grid/sight.h), but
    /// not lead on from the other side.
    [[nodiscard]] bool squeezes(std::span<const Leg> legs, const Place& end, std::size_t i) const;
    /// The clearance of a straight leg, as find_route writes it.
    [[nodiscard]] double clearance(Vec2 a, Vec2 b, std::int32_t layer) const;

  private:
    [[nodiscard]] bool has_layer(std::int32_t layer) const { return layer >= 0 && layer < state_.layers; }
    [[nodiscard]] bool is_corner(Vec2 p) const;
    [[nodiscard]] bool sweeps(Vec2 a, Vec2 b, std::int32_t layer) const;
    template <class Look>
    bool each_some_blockers(SightWorld& here, Look look) const;

    const StateData& state_;
    const GridQuery& query_;
    std::uint16_t costs_[256];
    bool filtered_ = false;
    double slack_ = kSightSlack;
};

}  // namespace fairlead::grid
