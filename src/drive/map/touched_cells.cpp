// See touched_cells.h.
#include "drive/map/touched_cells.h"

#include <algorithm>
#include <cmath>

namespace fairlead::drive {

void TouchedCells::begin(std::int32_t width, std::int32_t height) {
    width_ = width;
    across_ = (width + 63) / 64;
    height_ = height;
    index_.reset();
    words_.clear();
    failed_ = false;
}

bool TouchedCells::mark_row(std::int32_t left, std::int32_t right, std::int32_t y) {
    for (std::int32_t word = left >> 6; word <= right >> 6; ++word) {
        bool added = false;
        const std::uint32_t at = index_.find_or_add(static_cast<std::uint32_t>(y * across_ + word), added);
        if (at == kNoNode || (added && !words_.push_back(0))) return false;
        const std::int32_t first = std::max(left - word * 64, 0), last = std::min(right - word * 64, 63);
        words_[at] |= (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (63 - last));
    }
    return true;
}

bool TouchedCells::mark(const Aabb& box, std::int32_t bottom, std::int32_t top, std::int32_t& row,
                        std::int64_t& budget) {
    const auto cell = [](double at, std::int32_t most) {
        return static_cast<std::int32_t>(std::clamp(std::floor(at), -1.0, static_cast<double>(most)));
    };
    const std::int32_t left = std::max(cell(box.low.x, width_), 0),
                       right = std::min(cell(box.high.x, width_), width_ - 1);
    const std::int32_t first = std::max({cell(box.low.y, height_), bottom, 0}),
                       last = std::min({cell(box.high.y, height_), top - 1, height_ - 1});
    if (left > right) return true;
    for (row = std::max(row, first); row <= last; ++row) {
        if (!mark_row(left, right, row)) {
            failed_ = true;
            return true;
        }
        budget -= (right >> 6) - (left >> 6) + 1;
        if (budget <= 0 && row < last) {
            ++row;
            return false;
        }
    }
    return true;
}

}  // namespace fairlead::drive
