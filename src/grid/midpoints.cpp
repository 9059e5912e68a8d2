// Midpoints, halved, snapped or dropped.
#include <fairlead/grid/midpoints.h>

#include <cmath>

#include <fairlead/grid/nearest_free.h>

#include "base/no_memory.h"
#include "grid/prepare.h"

namespace fairlead {

namespace {

constexpr std::uint32_t kPiecesMost = 1024;

Result<void> check_midpoints(const MidpointQuery& q) {
    if (!std::isfinite(q.piece)) return Error{ErrorCode::not_finite, Field::distance};
    if (!(q.piece > 0.0)) return Error{ErrorCode::out_of_range, Field::distance};
    if (std::isnan(q.reach)) return Error{ErrorCode::not_finite, Field::range};
    if (q.reach < 0.0) return Error{ErrorCode::out_of_range, Field::range};
    if (q.start.kind == Spot::Kind::waypoint) return Error{ErrorCode::unsupported, Field::start};
    if (q.goal.kind == Spot::Kind::waypoint || q.goal.layer != q.start.layer)
        return Error{ErrorCode::unsupported, Field::goal};
    if (!is_finite(q.start.ground())) return Error{ErrorCode::not_finite, Field::start};
    if (!is_finite(q.goal.ground())) return Error{ErrorCode::not_finite, Field::goal};
    return {};
}

}  // namespace

Result<void> find_midpoints(const GridState& grid, const MidpointQuery& query, Scratch& scratch,
                            Array<Vec2>& stops) {
    stops.clear();
    if (const Result<void> good = check_midpoints(query); !good) return good;
    const Vec2 from = grid::position_of_spot(query.start, grid.data());
    const Vec2 to = grid::position_of_spot(query.goal, grid.data());
    std::uint32_t pieces = 1;
    while (pieces < kPiecesMost && distance(from, to) > query.piece * pieces) pieces *= 2;
    for (std::uint32_t i = 1; i < pieces; ++i) {
        NearestFreeQuery ask;
        ask.place = Spot(from + (to - from) * (static_cast<double>(i) / pieces)).on_layer(query.start.layer);
        ask.agent = query.agent;
        ask.reach = query.reach;
        ask.connected = true;
        ask.from = query.start;
        const Result<NearestFree> spot = nearest_free(grid, ask, scratch);
        if (!spot) return spot.error();
        if (!spot->found || (!stops.empty() && stops.back() == spot->position)) continue;
        if (!stops.push_back(spot->position)) return kNoMemory;
    }
    return {};
}

}  // namespace fairlead
