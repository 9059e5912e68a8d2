// A heuristic against the truth: Dijkstra's algorithm from the goals backward, then every cell and every step out of it.
#include <fairlead/grid/check_heuristic.h>

#include <fairlead/search/engine.h>

#include "base/no_memory.h"
#include "grid/prepare.h"
#include "route/heuristic_tally.h"

namespace fairlead {

namespace {

using grid::CellQuery;
using grid::GeneralSpace;

/// From the goals backward through all that leads to them, without an end.
struct TruthSpace {
    GeneralSpace backward;

    template <class Sink>
    void start(Sink& sink) {
        backward.start(sink);
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t tag, Sink& sink) {
        backward.expand(state, g, tag, sink);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t) const { return 0; }
    [[nodiscard]] bool is_goal(std::uint32_t) const { return false; }
};

using TruthSearch = BestFirst<TruthSpace, DijkstraKey, HeapOpen, PagedNodes>;

/// In the Scratch.
struct HeuristicWork {
    explicit HeuristicWork(const Allocator& allocator)
        : query(allocator), open(allocator), nodes(allocator) {}

    grid::PreparedQuery query;
    HeapOpen open;
    PagedNodes nodes;
};

Place place_of_cell(const CellQuery& cells, std::uint32_t state) {
    const Cell cell = cells.code.cell(state);
    const Vec2 at = cells.state->origin + cells.stand_point(cell) * cells.state->cell_size;
    return {{at.x, at.y, 0.0}, 0.0, cell.layer};
}

/// The steps out of a cell, looked at.
struct StepSink {
    const CellQuery& cells;
    HeuristicTally& tally;
    std::uint32_t from;
    double unit;  ///< world units a unit of cost

    void add(std::uint32_t to, Cost cost, std::uint32_t) {
        const auto world = [&](Cost c) { return static_cast<double>(c) * unit; };
        tally.step(place_of_cell(cells, from), place_of_cell(cells, to), world(cells.estimate(from)),
                   world(cost), world(cells.estimate(to)));
    }
};

// A goal is a start as good as any.
GridQuery from_goal(const GridQuery& query) {
    GridQuery own = query;
    own.start = query.goal.kind == Goal::Kind::any_of && !query.goal.list.empty() ? query.goal.list[0]
                                                                                  : query.goal.at;
    own.partial = false;
    return own;
}

void compare(const CellQuery& cells, const PagedNodes& nodes, HeuristicReport& report) {
    HeuristicTally tally(report);
    GeneralSpace forward(cells);
    const double unit = cells.state->cell_size / static_cast<double>(cells.scale.straight);
    for (std::int32_t layer = 0; layer < cells.state->layers; ++layer) {
        for (std::int32_t y = 0; y < cells.state->height; ++y) {
            for (std::int32_t x = 0; x < cells.state->width; ++x) {
                const std::uint32_t state = cells.code.state(x, y, layer);
                if (nodes.find(state) == kNoNode || nodes[state].closed == 0) continue;
                tally.place(place_of_cell(cells, state), static_cast<double>(cells.estimate(state)) * unit,
                            static_cast<double>(nodes[state].g) * unit);
                StepSink sink{cells, tally, state, unit};
                forward.expand(state, 0, grid::kNoMove, sink);
            }
        }
    }
}

}  // namespace

Result<HeuristicReport> check_heuristic(const GridState& grid, const GridQuery& query, Scratch& scratch) {
    if (query.goal.kind == Goal::Kind::within || query.goal.kind == Goal::Kind::in_sight)
        return Error{ErrorCode::unsupported, Field::goal};
    const ScratchLease lease(scratch);
    if (!lease) return Error{ErrorCode::scratch_in_use, -1, 0};
    auto* work = scratch.get<HeuristicWork>();
    if (work == nullptr) return kNoMemory;
    GridQuery asked = from_goal(query);
    if (const Result<void> good = grid::prepare_query(grid, asked, work->query); !good) return good.error();
    HeuristicReport report;
    const CellQuery& cells = work->query.cells;
    if (work->query.goals.empty()) return report;
    if (!work->nodes.resize(cells.code.count(grid.layers()))) return kNoMemory;
    TruthSpace truth{GeneralSpace(cells, true)};
    TruthSearch search(truth, work->open, work->nodes);
    search.begin();
    if (search.step(UINT64_MAX) == SearchProgress::no_memory) return kNoMemory;
    compare(cells, work->nodes, report);
    return report;
}

}  // namespace fairlead
