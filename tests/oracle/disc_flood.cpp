#include "oracle/disc_flood.h"

#include <algorithm>
#include <cmath>

#include "oracle/tile_room.h"

namespace fairlead::oracle {

namespace {

// A straight step of 1/16 between points with this much more than the radius is legal all along, a diagonal one as well.
constexpr double kMore = 0.5 * 1.41422 / 16.0;
// Every place has a point no farther than this.
constexpr double kLess = 0.5 * 1.41422 / 16.0;

}  // namespace

DiscFlood::DiscFlood(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked, double radius)
    : width_(width),
      height_(height),
      blocked_(blocked),
      radius_(radius),
      across_(width * kFine + 1),
      down_(height * kFine + 1) {
    room_.reserve(static_cast<std::size_t>(across_ * down_));
    for (std::int32_t j = 0; j < down_; ++j) {
        for (std::int32_t i = 0; i < across_; ++i)
            room_.push_back(
                room_at_place(width_, height_, blocked_, {1.0 * i / kFine, 1.0 * j / kFine}, radius_ + 0.2));
    }
    label(sure_, radius + kMore);
    label(perhaps_, radius - kLess);
}

void DiscFlood::label(std::vector<std::int32_t>& labels, double least) const {
    labels.assign(room_.size(), -1);
    std::int32_t next = 0;
    std::vector<std::int32_t> open;
    for (std::int32_t first = 0; first < static_cast<std::int32_t>(room_.size()); ++first) {
        if (labels[static_cast<std::size_t>(first)] >= 0 || room_[static_cast<std::size_t>(first)] < least)
            continue;
        open.assign(1, first);
        labels[static_cast<std::size_t>(first)] = next;
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            for (std::int32_t n = 0; n < 9; ++n) {
                const std::int32_t i = at % across_ + n % 3 - 1;
                const std::int32_t j = at / across_ + n / 3 - 1;
                if (i < 0 || j < 0 || i >= across_ || j >= down_) continue;
                const auto to = static_cast<std::size_t>(j * across_ + i);
                if (labels[to] >= 0 || room_[to] < least) continue;
                labels[to] = next;
                open.push_back(static_cast<std::int32_t>(to));
            }
        }
        ++next;
    }
}

// The label of a point that the place is joined to straight for sure, or that stands for it; -1: none.
std::int32_t DiscFlood::label_at(const std::vector<std::int32_t>& labels, Vec2 p, double least) const {
    const auto i = static_cast<std::int32_t>(std::floor(p.x * kFine + 0.5));
    const auto j = static_cast<std::int32_t>(std::floor(p.y * kFine + 0.5));
    const auto at =
        static_cast<std::size_t>(std::clamp(j, 0, down_ - 1) * across_ + std::clamp(i, 0, across_ - 1));
    return room_[at] >= least ? labels[at] : -1;
}

FloodAnswer DiscFlood::answer(Vec2 a, Vec2 b) const {
    const std::int32_t from = label_at(sure_, a, radius_ + kMore);
    const std::int32_t to = label_at(sure_, b, radius_ + kMore);
    if (from >= 0 && from == to) return FloodAnswer::joined;
    const std::int32_t p = label_at(perhaps_, a, radius_ - kLess);
    const std::int32_t q = label_at(perhaps_, b, radius_ - kLess);
    return p != q ? FloodAnswer::apart : FloodAnswer::unknown;
}

}  // namespace fairlead::oracle
