// nearest_free: where can the unit be, as near as may be to a place where it cannot?
//
//     NearestFreeQuery ask{.place = click, .agent = tank, .reach = 8.0};
//     Result<NearestFree> spot = nearest_free(*town, ask, scratch);
//     if (spot && spot->found) order(unit, spot->position);
//
// To spawn a unit, to set one down beside a factory, to send one to a rock that the player clicked on. A query may do the same by
// itself: GridQuery::reach moves its start and goal so.
//
// Places. Where the unit can be at `place` itself, that is the answer. Else those looked at are the cells' centres (for an even
// footprint: corners), and for discs wider than a tile the corners of half tiles too, on the same floor: the nearest of them where
// the unit touches nothing, as the crow flies, over seams where an axis wraps. Of equals the one of the lowest y, then x.
//
// Connected. With `connected` only places count from which find_route has a way to `from` for this unit, corner rule, terrain
// filter and blockers. Where it takes a search to know (see below), nothing is found around a `place` that lies off the map.
//
// Cost: the points looked at, about 8 d^2 cells for an answer d cells away (32 d^2 for discs wider than a tile), at 5 to 60 ns each: it
// grows with the distance to the answer, not with the map: 0.6, 4.3 and 52 us for answers 2, 10 and 40 cells away (4, 20 and 230 for wide
// discs). Connected: the same for registered
// sizes without a filter, blockers and one-way portals, from the index; else it is a search over all that can be reached from `from`.
// A warm scratch allocates nothing. Deterministic.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/kind_filter.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

struct NearestFreeQuery {
    Spot place{};  ///< may lie off the map
    Agent agent{};
    double reach =
        std::numeric_limits<double>::infinity();  ///< world units, >= 0: no place farther away counts

    bool connected = false;  ///< only places with a way to `from`, where the unit must be able to be
    Spot from{};

    CornerRule corner = CornerRule::never;
    KindFilter terrain{};
    Borrowed<Blocker> blockers{};
};

struct NearestFree {
    bool found = false;
    Vec2 position{};  ///< world; `place` itself where the unit can be there
    std::int32_t layer = 0;
    double distance = 0.0;  ///< from `place`, world units
};

/// Errors: those of a malformed unit, filter, blocker or place in find_route; scratch_in_use; out_of_memory.
[[nodiscard]] Result<NearestFree> nearest_free(const GridState& grid, const NearestFreeQuery& query,
                                               Scratch& scratch);

}  // namespace fairlead
