// TurnSpace: steps on (cell, heading), with a price on every change of heading (technique S7). The price depends on
// how the cell was entered, so the heading must be part of the state; on cells alone the search is not optimal (E4).
#pragma once

#include <algorithm>

#include "grid/general_space.h"

namespace fairlead::grid {

/// A price on turns in cells; one above 1e6 cells counts as that.
inline double turn_cells(const StateData& grid, double penalty) {
    return std::min(penalty / grid.cell_size, 1e6);
}

/// state = cell state x 8 + heading, so the cell states must be below 2^29. The start may leave in any direction for free.
class TurnSpace {
  public:
    TurnSpace() = default;
    TurnSpace(const CellQuery& query, Cost per_45_degrees, Cost each)
        : query_(&query), price_(per_45_degrees), each_(each) {}

    template <class Sink>
    void start(Sink& sink) {
        for (const std::uint32_t cell : query_->starts()) {
            for (std::uint32_t heading = 0; heading < 8; ++heading) sink.add(cell * 8 + heading, 0, heading);
        }
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const { return query_->estimate(state >> 3); }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return query_->reaches_goal(state >> 3); }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const std::uint32_t heading = state & 7U;
        if (nearest_ != nullptr) query_->note(*nearest_, state, query_->code.cell(state >> 3));
        Turned turned{this, heading};
        TurnSink<Sink> steps{&sink, turned};
        GeneralSpace(*query_).expand(state >> 3, 0, kNoMove, steps);
    }

    /// Where to note what is expanded, for partial routes; null: nowhere.
    void track(NearestPlace* nearest) { nearest_ = nearest; }

  private:
    struct Turned {
        const TurnSpace* space;
        std::uint32_t heading;
        [[nodiscard]] Cost price(std::uint32_t move) const {
            const std::uint32_t turn = (move - heading) & 7U;
            return turn == 0 ? 0 : space->each_ + space->price_ * (turn > 4 ? 8 - turn : turn);
        }
    };
    template <class Sink>
    struct TurnSink {
        Sink* sink;
        Turned turned;
        void add(std::uint32_t cell, Cost cost, std::uint32_t move) {
            if (move == kNoMove) {  // a portal keeps the heading
                sink->add(cell * 8 + turned.heading, cost, kNoMove);
            } else {
                sink->add(cell * 8 + move, cost + turned.price(move), move);
            }
        }
    };

    const CellQuery* query_ = nullptr;
    Cost price_ = 0;
    Cost each_ = 0;
    NearestPlace* nearest_ = nullptr;
};

}  // namespace fairlead::grid
