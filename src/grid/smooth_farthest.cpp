// Farthest visible point (technique P4): from each kept point jump to the last one that can be swept to,
// looking from the end backwards. Up to n tests a kept point, n^2 / 2 in all. Running it on its own result
// changes nothing: between kept points i < k < j, i does not see j.

#include "grid/smooth.h"

namespace fairlead::grid {

void Smoother::step_farthest() {
    // The next point needs no test: it was given as sweepable.
    if (current_ > anchor_ + 1 && !shortcut(anchor_, current_)) {
        --current_;
        return;
    }
    if (current_ == anchor_ + 1) ++units_;  // so that every call counts
    keep(given_[current_]);
    anchor_ = current_;
    current_ = given_.size() - 1;
    if (anchor_ == current_) stage_ = Stage::done;
}

}  // namespace fairlead::grid
