#include "drive/ground_distance.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace fairlead::drive {

namespace {

// A cell and the direction of the step that reached it. Sides are at most 16384.
std::uint32_t pack(std::int32_t x, std::int32_t y, std::uint32_t direction) {
    return (static_cast<std::uint32_t>(y) << 17) | (static_cast<std::uint32_t>(x) << 3) | direction;
}

}  // namespace

GroundDistance::GroundDistance(const Allocator& allocator) : cells_(allocator) {
    for (Array<std::uint32_t>& bucket : bucket_) bucket = Array<std::uint32_t>(allocator);
}

bool GroundDistance::begin(const GroundBits& ground, std::int32_t goal_x, std::int32_t goal_y,
                           std::int32_t start_x, std::int32_t start_y) {
    ground_ = ground;
    width_ = static_cast<std::size_t>(ground.width);
    start_x_ = start_x;
    start_y_ = start_y;
    const std::size_t count = width_ * static_cast<std::size_t>(ground.height);
    if (cells_.size() < count && !cells_.resize(count)) return false;
    stamp_ += 2;
    if (stamp_ >= UINT32_MAX - 2) {
        for (Cell& cell : cells_) cell.stamp = 0;
        stamp_ = 2;
    }
    for (Array<std::uint32_t>& bucket : bucket_) bucket.clear();
    waiting_ = 0;
    grown_ = 0;
    failed_ = false;
    key_ = estimate(goal_x, goal_y);
    Cell& goal = cells_[static_cast<std::size_t>(goal_y) * width_ + static_cast<std::size_t>(goal_x)];
    goal = {0, stamp_ + 1};
    spread(goal_x, goal_y, 0, ground_steps(ground_.ring(goal_x, goal_y)));
    return !failed_;
}

std::uint32_t GroundDistance::estimate(std::int32_t x, std::int32_t y) const {
    const auto a = static_cast<std::uint32_t>(std::abs(x - start_x_));
    const auto b = static_cast<std::uint32_t>(std::abs(y - start_y_));
    const std::uint32_t low = std::min(a, b);
    return (std::max(a, b) - low) * kGroundStraight + low * kGroundDiagonal;
}

void GroundDistance::reach(std::int32_t x, std::int32_t y, std::uint32_t distance, std::uint32_t direction) {
    Cell& cell = cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
    if (cell.stamp == stamp_ + 1 || (cell.stamp == stamp_ && cell.distance <= distance)) return;
    cell = {distance, stamp_};
    const std::uint32_t key = distance + estimate(x, y);
    if (!bucket_[key % kBuckets].push_back(pack(x, y, direction))) failed_ = true;
    ++waiting_;
}

void GroundDistance::spread(std::int32_t x, std::int32_t y, std::uint32_t distance, std::uint32_t steps) {
    for (; steps != 0; steps &= steps - 1) {
        const auto d = static_cast<std::uint32_t>(std::countr_zero(steps));
        reach(x + kGroundX[d], y + kGroundY[d], distance + kGroundStraight + (d & 1U) * 2, d);
    }
}

void GroundDistance::settle(std::uint32_t packed) {
    const auto x = static_cast<std::int32_t>((packed >> 3) & 0x3fffU);
    const auto y = static_cast<std::int32_t>(packed >> 17);
    Cell& cell = cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
    if (cell.stamp == stamp_ + 1) return;  // an older entry
    cell.stamp = stamp_ + 1;
    ++grown_;
    spread(x, y, cell.distance, ground_turns(packed & 7U, ground_.ring(x, y)));
}

std::uint32_t GroundDistance::grow(std::int32_t x, std::int32_t y) {
    const Cell& wanted = cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
    while (waiting_ > 0 && !failed_) {
        Array<std::uint32_t>& bucket = bucket_[key_ % kBuckets];
        if (bucket.empty()) {
            ++key_;
            continue;
        }
        const std::uint32_t next = bucket.back();
        bucket.pop_back();
        --waiting_;
        settle(next);
        if (wanted.stamp == stamp_ + 1) return wanted.distance;
    }
    return kGroundFar;
}

}  // namespace fairlead::drive
