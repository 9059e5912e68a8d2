// A corridor is a union of boxes: some along each line of the way, one at each end.
#include "drive/ground/corridor.h"

#include <algorithm>
#include <cstdlib>

namespace fairlead::drive {

namespace {

// Its columns among the 64 of a word, left < right.
std::uint64_t columns_in(std::int32_t left, std::int32_t right, std::int32_t word) {
    const std::int32_t from = std::max(left - word * 64, 0);
    const std::int32_t to = std::min(right - word * 64, 64);
    return (~std::uint64_t{0} << from) & (~std::uint64_t{0} >> (64 - to));
}

}  // namespace

bool Corridor::begin(const GroundBits& map) {
    const std::size_t stride = static_cast<std::size_t>((map.width + 63) / 64) + 2;
    const std::size_t size = stride * (static_cast<std::size_t>(map.height) + 2);
    const bool same = bits_.width == map.width && bits_.height == map.height && words_.size() == size;
    if (same) {
        empty();
    } else {
        words_.clear();
        if (!words_.resize(size)) return false;
    }
    boxes_.clear();
    bits_ = {words_.data() + stride + 1, stride, map.width, map.height};
    return true;
}

void Corridor::empty() {
    std::uint64_t* const words = words_.data() + bits_.stride + 1;
    for (const Box& box : boxes_) {
        for (std::int32_t y = box.low; y < box.top; ++y) {
            std::uint64_t* const row =
                words + static_cast<std::ptrdiff_t>(y) * static_cast<std::ptrdiff_t>(bits_.stride);
            for (std::int32_t w = box.left >> 6; w <= (box.right - 1) >> 6; ++w) row[w] = 0;
        }
    }
}

// Around all of a to b, on a straight line.
bool Corridor::add_boxed(const GroundBits& from, GroundCell a, GroundCell b, std::int32_t reach) {
    const Box box{std::max(std::min(a.x, b.x) - reach, 0), std::max(std::min(a.y, b.y) - reach, 0),
                  std::min(std::max(a.x, b.x) + reach + 1, bits_.width),
                  std::min(std::max(a.y, b.y) + reach + 1, bits_.height)};
    if (box.left >= box.right || box.low >= box.top) return true;
    std::uint64_t* const words = words_.data() + bits_.stride + 1;
    for (std::int32_t y = box.low; y < box.top; ++y) {
        const auto row = static_cast<std::ptrdiff_t>(y);
        std::uint64_t* const to = words + row * static_cast<std::ptrdiff_t>(bits_.stride);
        const std::uint64_t* const cells = from.words + row * static_cast<std::ptrdiff_t>(from.stride);
        for (std::int32_t w = box.left >> 6; w <= (box.right - 1) >> 6; ++w)
            to[w] |= cells[w] & columns_in(box.left, box.right, w);
    }
    return boxes_.push_back(box);
}

bool Corridor::add_line(const GroundBits& from, GroundCell a, GroundCell b, std::int32_t reach) {
    if (a.x == b.x || a.y == b.y) return add_boxed(from, a, b, reach);
    const std::int32_t step = std::max(reach / 2, 1);
    const std::int32_t count = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y));
    const std::int32_t dx = (b.x > a.x) - (b.x < a.x);
    const std::int32_t dy = (b.y > a.y) - (b.y < a.y);
    for (std::int32_t i = 0; i < count; i += step) {
        if (!add_box(from, {a.x + dx * i, a.y + dy * i}, reach)) return false;
    }
    return add_box(from, b, reach);
}

}  // namespace fairlead::drive
