// Greedy shortcutting (technique P3; Pinter, "Toward more realistic pathfinding", 2001, listing 1): keep an
// anchor, drop the next point while the way from the anchor to the one after it is free, otherwise make it
// the anchor. The printed listing lost its `else`, without which the anchor moves on even after a drop. One
// test a point. It stops at the first point out of sight and so misses what comes into sight again (C8); and
// since the anchor is only moved when it must be, a second run may drop more.

#include "grid/smooth.h"

namespace fairlead::grid {

void Smoother::step_greedy() {
    if (shortcut(anchor_, current_ + 1)) {
        ++current_;
    } else {
        keep(given_[current_]);
        anchor_ = current_;
        ++current_;
    }
    if (current_ + 1 < given_.size()) return;
    keep(given_[current_]);
    stage_ = Stage::done;
    if (method_ == Smoothing::best) begin_pull();
}

}  // namespace fairlead::grid
