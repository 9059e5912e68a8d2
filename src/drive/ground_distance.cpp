#include "drive/ground_distance.h"

#include <algorithm>
#include <cstdlib>

namespace fairlead::drive {

namespace {

std::uint32_t pack(std::int32_t x, std::int32_t y) {
    return (static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x);
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
    reach(goal_x, goal_y, 0);
    return !failed_;
}

std::uint32_t GroundDistance::estimate(std::int32_t x, std::int32_t y) const {
    const auto a = static_cast<std::uint32_t>(std::abs(x - start_x_));
    const auto b = static_cast<std::uint32_t>(std::abs(y - start_y_));
    const std::uint32_t low = std::min(a, b);
    return (std::max(a, b) - low) * kGroundStraight + low * kGroundDiagonal;
}

void GroundDistance::reach(std::int32_t x, std::int32_t y, std::uint32_t distance) {
    Cell& cell = cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
    if (cell.stamp == stamp_ + 1 || (cell.stamp == stamp_ && cell.distance <= distance)) return;
    cell = {distance, stamp_};
    const std::uint32_t key = distance + estimate(x, y);
    if (!bucket_[key % kBuckets].push_back(pack(x, y))) failed_ = true;
    ++waiting_;
}

void GroundDistance::settle(std::uint32_t packed) {
    const auto x = static_cast<std::int32_t>(packed & 0xffffU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    Cell& cell = cells_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
    if (cell.stamp == stamp_ + 1) return;  // an older entry
    cell.stamp = stamp_ + 1;
    ++grown_;
    const std::uint32_t distance = cell.distance;
    const bool east = ground_.free(x + 1, y);
    const bool west = ground_.free(x - 1, y);
    const bool north = ground_.free(x, y + 1);
    const bool south = ground_.free(x, y - 1);
    if (east) reach(x + 1, y, distance + kGroundStraight);
    if (west) reach(x - 1, y, distance + kGroundStraight);
    if (north) reach(x, y + 1, distance + kGroundStraight);
    if (south) reach(x, y - 1, distance + kGroundStraight);
    if ((north || east) && ground_.free(x + 1, y + 1)) reach(x + 1, y + 1, distance + kGroundDiagonal);
    if ((north || west) && ground_.free(x - 1, y + 1)) reach(x - 1, y + 1, distance + kGroundDiagonal);
    if ((south || east) && ground_.free(x + 1, y - 1)) reach(x + 1, y - 1, distance + kGroundDiagonal);
    if ((south || west) && ground_.free(x - 1, y - 1)) reach(x - 1, y - 1, distance + kGroundDiagonal);
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
