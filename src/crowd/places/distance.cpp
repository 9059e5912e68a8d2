// Two passes. Columns: the distance to the nearest mark above or below. Rows: the lower envelope of the parabolas that stand on them.
//
// Source: A. Meijster, J. Roerdink, W. Hesselink, "A general algorithm for computing distance transforms in linear time", 2000. Columns
// whose nearest mark is at or beyond the cap have no parabola here.
#include "crowd/places/distance.h"

#include <algorithm>

namespace fairlead::crowd {

namespace {

std::int32_t floor_div(std::int32_t a, std::int32_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

bool DistanceRows::begin(const std::uint8_t* marked, std::int32_t width, std::int32_t height,
                         std::int32_t cap) {
    width_ = width;
    cap_ = cap;
    const auto columns = static_cast<std::size_t>(width);
    const auto rows = static_cast<std::size_t>(height);
    if (!down_.resize_uninitialized(columns * rows) || !row_.resize_uninitialized(columns) ||
        !stack_.resize_uninitialized(columns) || !from_.resize_uninitialized(columns)) {
        return false;
    }
    const auto top = static_cast<std::uint8_t>(cap);
    for (std::size_t y = 0; y < rows; ++y) {
        const std::uint8_t* mark = marked + y * columns;
        std::uint8_t* to = down_.data() + y * columns;
        if (y == 0) {
            for (std::size_t x = 0; x < columns; ++x) to[x] = mark[x] != 0 ? std::uint8_t{0} : top;
            continue;
        }
        const std::uint8_t* before = to - columns;
        for (std::size_t x = 0; x < columns; ++x) {
            const std::uint8_t next = before[x] < top ? static_cast<std::uint8_t>(before[x] + 1) : top;
            to[x] = mark[x] != 0 ? std::uint8_t{0} : next;
        }
    }
    for (std::size_t y = rows - 1; y-- > 0;) {
        std::uint8_t* to = down_.data() + y * columns;
        const std::uint8_t* after = to + columns;
        for (std::size_t x = 0; x < columns; ++x) {
            const std::uint8_t next = after[x] < top ? static_cast<std::uint8_t>(after[x] + 1) : top;
            to[x] = std::min(to[x], next);
        }
    }
    return true;
}

const std::uint16_t* DistanceRows::row(std::int32_t y) {
    const std::uint8_t* down = down_.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    std::int32_t* stack = stack_.data();
    std::int32_t* from = from_.data();
    std::int32_t top = -1;
    const auto at = [down](std::int32_t x, std::int32_t i) {
        return (x - i) * (x - i) + std::int32_t{down[i]} * down[i];
    };
    for (std::int32_t u = 0; u < width_; ++u) {
        if (down[u] >= cap_) continue;
        while (top >= 0 && at(from[top], stack[top]) > at(from[top], u)) --top;
        std::int32_t begins = 0;
        if (top >= 0) {
            const std::int32_t i = stack[top];
            const std::int32_t rise =
                (u - i) * (u + i) + std::int32_t{down[u]} * down[u] - std::int32_t{down[i]} * down[i];
            begins = 1 + floor_div(rise, 2 * (u - i));
        }
        if (begins >= width_) continue;
        ++top;
        stack[top] = u;
        from[top] = begins;
    }
    const std::int32_t most = cap_ * cap_;
    if (top < 0) {
        std::fill_n(row_.data(), width_, static_cast<std::uint16_t>(most));
        return row_.data();
    }
    for (std::int32_t x = width_ - 1; x >= 0; --x) {
        row_[static_cast<std::size_t>(x)] = static_cast<std::uint16_t>(std::min(at(x, stack[top]), most));
        if (x == from[top]) --top;
    }
    return row_.data();
}

}  // namespace fairlead::crowd
