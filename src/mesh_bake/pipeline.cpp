#include "mesh_bake/pipeline.h"

#include <algorithm>

namespace fairlead::bake {

bool Pipeline::prepare() {
    const auto rows = static_cast<std::size_t>(tiles_y_);
    if (!filled_.resize(rows) || !left_.resize_uninitialized(rows)) return false;
    std::fill(left_.begin(), left_.end(), tiles_x_);
    return true;
}

std::size_t Pipeline::begin_batch(std::int32_t end) {
    end_row_ = end;
    end_strip_ = std::min(end + reach_, tiles_y_);
    left_over_ = 0;
    return static_cast<std::size_t>(end_row_ - next_row_) * static_cast<std::size_t>(tiles_x_) +
           static_cast<std::size_t>(end_strip_ - next_strip_);
}

// A few instructions at a time are done under it.
void Pipeline::lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) {
        while (locked_.load(std::memory_order_relaxed)) {
        }
    }
}

// The rows that read the strip whose place it takes are its own and those beside it.
bool Pipeline::may_fill() const {
    return next_strip_ < end_strip_ && (next_strip_ < kept_ || done_to_ > next_strip_ - kept_ + reach_);
}

bool Pipeline::tile_ready() const {
    return next_row_ < end_row_ && filled_to_ >= std::min(next_row_ + reach_ + 1, tiles_y_);
}

// One strip more than the tiles in hand need: the next row's tiles will not have to wait.
bool Pipeline::strips_wanted() const { return next_strip_ <= next_row_ + reach_ + 1; }

bool Pipeline::take(Work& work) {
    const bool tile = tile_ready();
    if (may_fill() && (!tile || strips_wanted())) {
        work = {next_strip_++, 0, 0, failed_};
        return true;
    }
    if (!tile) return false;
    work = {-1, next_row_, next_x_, failed_};
    if (++next_x_ == tiles_x_) {
        next_x_ = 0;
        ++next_row_;
    }
    return true;
}

void Pipeline::note(const Work& work) {
    if (work.strip >= 0) {
        filled_[static_cast<std::size_t>(work.strip)] = 1;
        while (filled_to_ < tiles_y_ && filled_[static_cast<std::size_t>(filled_to_)] != 0) ++filled_to_;
        return;
    }
    --left_[static_cast<std::size_t>(work.row)];
    while (done_to_ < tiles_y_ && left_[static_cast<std::size_t>(done_to_)] == 0) ++done_to_;
}

bool Pipeline::start(Work& work) {
    lock();
    const bool any = take(work);
    if (!any) ++left_over_;
    unlock();
    return any;
}

bool Pipeline::finish(Work& work, bool good) {
    lock();
    failed_ = failed_ || !good;
    note(work);
    const bool more = left_over_ > 0 && take(work);
    if (more) --left_over_;
    unlock();
    return more;
}

}  // namespace fairlead::bake
