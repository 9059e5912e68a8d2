// The best over all pairs: dynamic programming over the points where the route turns.

#include "grid/smooth.h"

namespace fairlead::grid {

void Smoother::step_table() {
    const std::size_t to = current_;
    if (anchor_ == 0) {
        const double edge = along_[to] - along_[to - 1];
        const bool good =
            best_.push_back(best_[to - 1] + edge) && from_.push_back(static_cast<std::uint32_t>(to - 1));
        if (!good) {
            out_of_memory_ = true;
            return;
        }
    }
    const std::size_t from = anchor_;
    const Vec2 a = given_[from];
    const Vec2 b = given_[to];
    const double least = best_[from] + sight_.cost_min() * distance(a, b);
    if (least < best_[to] - 1e-9) {
        ++tests_;
        if (sight_.can_sweep(a, b)) {
            const double cost = best_[from] + (sight_.uniform() ? least - best_[from] : sight_.cost(a, b));
            if (cost < best_[to] - 1e-9) {
                best_[to] = cost;
                from_[to] = static_cast<std::uint32_t>(from);
            }
        }
    }
    ++anchor_;
    if (anchor_ + 1 < to) return;
    anchor_ = 0;
    ++current_;
    if (current_ == given_.size()) finish_table();
}

void Smoother::finish_table() {
    stage_ = Stage::done;
    for (std::size_t i = given_.size() - 1;; i = from_[i]) {
        keep(given_[i]);
        if (i == 0 || out_of_memory_) break;
    }
    for (std::size_t i = 0, k = kept_.size(); i + 1 < k--; ++i) {
        const Vec2 p = kept_[i];
        kept_[i] = kept_[k];
        kept_[k] = p;
    }
}

}  // namespace fairlead::grid
