// A search whose route nobody wants.
#include "grid/joined.h"

#include <fairlead/grid/find_route.h>

namespace fairlead::grid {

namespace {

struct JoinedWork {
    explicit JoinedWork(const Allocator& a) { route.legs = Array<Leg>(a); }
    Route route;
};

}  // namespace

Result<bool> joined_by_search(const GridState& grid, Cell a, Cell b, const Agent& agent, Scratch& scratch) {
    auto* work = scratch.get<JoinedWork>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    // Where a body stands in a cell: a footprint of an even side on its low corner.
    const double shift = agent.footprint > 0 && agent.footprint % 2 == 0 ? -0.5 * grid.cell_size() : 0.0;
    const Vec2 off{shift, shift};
    GridQuery query{.start = Spot(grid.cell_centre(a) + off).on_layer(a.layer),
                    .goal = Spot(grid.cell_centre(b) + off).on_layer(b.layer),
                    .agent = agent,
                    .smoothing = Smoothing::none,
                    .corner = grid.corner()};
    const Result<void> done = find_route_into(grid, query, scratch, work->route);
    if (!done) return done.error();
    return work->route.status == PathStatus::complete;
}

Result<bool> joined_by_search(const GridState& grid, Cell a, Cell b, const Agent& agent) {
    Scratch scratch;
    return joined_by_search(grid, a, b, agent, scratch);
}

}  // namespace fairlead::grid
