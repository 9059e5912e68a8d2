// PlainSpace: single steps on one layer of uniform cost, for a body with a bitmap, one goal cell, no seams, portals
// or blockers: the common case, and the measure of the engine's core. Three words tell the 3 x 3 around a cell, one
// table look-up the moves that are needed.
#pragma once

#include <bit>
#include <cstdint>

#include <fairlead/search/cost.h>

#include "grid/cell_code.h"
#include "grid/moves.h"
#include "grid/state.h"

namespace fairlead::grid {

class PlainSpace {
  public:
    PlainSpace() = default;
    PlainSpace(const Lines& rows, const CellCode& code, const CostScale& scale, const MoveTables& moves)
        : rows_(rows), code_(code), scale_(scale), moves_(&moves) {
        for (std::uint32_t m = 0; m < 8; ++m) {
            step_[m] = is_diagonal(m) ? scale.diagonal : scale.straight;
            offset_[m] = static_cast<std::uint32_t>(kMoveDy[m] * (1 << code.x_bits) + kMoveDx[m]);
        }
    }

    void set_query(std::int32_t start_x, std::int32_t start_y, std::int32_t goal_x, std::int32_t goal_y) {
        start_ = code_.state(start_x, start_y, 0);
        goal_ = code_.state(goal_x, goal_y, 0);
        goal_x_ = goal_x;
        goal_y_ = goal_y;
    }

    template <class Sink>
    void start(Sink& sink) {
        sink.add(start_, 0, kNoMove);
    }
    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t state) const {
        return scale_.octile(code_.x(state) - goal_x_, code_.row(state) - goal_y_);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == goal_; }

    template <class Sink>
    FAIRLEAD_INLINE void expand(std::uint32_t state, Cost, std::uint32_t tag, Sink& sink) {
        const std::int32_t x = code_.x(state);
        const std::int32_t y = code_.row(state);
        const auto low = static_cast<std::uint32_t>(window(rows_.line(y - 1), x - 1) & 7U);
        const auto middle = static_cast<std::uint32_t>(window(rows_.line(y), x - 1) & 7U);
        const auto high = static_cast<std::uint32_t>(window(rows_.line(y + 1), x - 1) & 7U);
        std::uint32_t needed = moves_->canonical[tag][low | (middle << 3) | (high << 6)];
        while (needed != 0) {
            const auto m = static_cast<std::uint32_t>(std::countr_zero(needed));
            needed &= needed - 1;
            sink.add(state + offset_[m], step_[m], m);
        }
    }

  private:
    Lines rows_{};
    CellCode code_{};
    CostScale scale_{};
    const MoveTables* moves_ = nullptr;
    Cost step_[8] = {};
    std::uint32_t offset_[8] = {};
    std::uint32_t start_ = 0;
    std::uint32_t goal_ = 0;
    std::int32_t goal_x_ = 0;
    std::int32_t goal_y_ = 0;
};

}  // namespace fairlead::grid
