#include "drive/ground/ground_distance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace fairlead::drive {

namespace {

// What is farther counts as no farther.
constexpr std::uint32_t kFarthestGoal = 1U << 30;

std::uint32_t waiting(std::uint32_t distance) { return distance << 1 | 1U; }
std::uint32_t settled(std::uint32_t distance) { return distance << 1; }

// A cell and the direction of the step that reached it. Sides are at most 16384.
std::uint32_t pack(std::int32_t x, std::int32_t y, std::uint32_t direction) {
    return (static_cast<std::uint32_t>(y) << 17) | (static_cast<std::uint32_t>(x) << 3) | direction;
}

}  // namespace

GroundDistance::GroundDistance(const Allocator& allocator) : cells_(allocator), goals_(allocator) {
    for (Array<std::uint32_t>& bucket : bucket_) bucket = Array<std::uint32_t>(allocator);
}

bool GroundDistance::begin(const GroundBits& ground, GroundCorner corner, std::int32_t start_x,
                           std::int32_t start_y) {
    ground_ = ground;
    corner_ = corner;
    start_x_ = start_x;
    start_y_ = start_y;
    if (!cells_.begin(ground.width, ground.height)) return false;
    for (Array<std::uint32_t>& bucket : bucket_) bucket.clear();
    goals_.clear();
    next_goal_ = 0;
    sorted_ = false;
    links_ = {};
    waiting_ = 0;
    failed_ = slices_ = waits_ = false;
    return true;
}

bool GroundDistance::add_goal(std::int32_t x, std::int32_t y, std::uint32_t distance) {
    return goals_.push_back({distance + estimate(x, y), distance, pack(x, y, 0)});
}

std::uint32_t GroundDistance::estimate(std::int32_t x, std::int32_t y) const {
    if (!links_.empty()) return 0;
    const auto a = static_cast<std::uint32_t>(std::abs(x - start_x_));
    const auto b = static_cast<std::uint32_t>(std::abs(y - start_y_));
    const std::uint32_t low = std::min(a, b);
    return (std::max(a, b) - low) * kGroundStraight + low * kGroundDiagonal;
}

void GroundDistance::reach(std::int32_t x, std::int32_t y, std::uint32_t distance, std::uint32_t direction) {
    std::uint32_t* const cell = cells_.find(x, y);
    if (cell == nullptr) {
        failed_ = true;
        return;
    }
    if (is_settled(*cell) || *cell <= waiting(distance)) return;
    *cell = waiting(distance);
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
    std::uint32_t& cell = *cells_.find(x, y);  // it has been met
    if (is_settled(cell)) return;              // an older entry
    const std::uint32_t distance = cell >> 1;
    cell = settled(distance);
    spread(x, y, distance, ground_turns(packed & 7U, ground_.ring(x, y), corner_));
    if (!links_.empty()) go_back(x, y, distance);
}

// Over the links that end in a cell. Where they begin is a goal more, with its place in the order.
void GroundDistance::go_back(std::int32_t x, std::int32_t y, std::uint32_t distance) {
    for (const LatticeLink& link : links_at(links_, x, y)) {
        if (!ground_.free(link.to_x, link.to_y)) continue;
        const double units = std::min(distance + std::floor(link.cost * per_cell_), 1.0 * kFarthestGoal);
        const auto far = static_cast<std::uint32_t>(units);
        const Goal goal{far, far, pack(link.to_x, link.to_y, 0)};
        if (!goals_.push_back(goal)) {
            failed_ = true;
            return;
        }
        std::size_t at = goals_.size() - 1;
        for (; at > next_goal_ && goal < goals_[at - 1]; --at) goals_[at] = goals_[at - 1];
        goals_[at] = goal;
    }
}

// Goals whose key has come. All cells of smaller keys are settled, so their distances are final.
void GroundDistance::settle_goals() {
    for (; next_goal_ < goals_.size() && goals_[next_goal_].key <= key_; ++next_goal_) {
        const Goal goal = goals_[next_goal_];
        const auto x = static_cast<std::int32_t>((goal.cell >> 3) & 0x3fffU);
        const auto y = static_cast<std::int32_t>(goal.cell >> 17);
        std::uint32_t* const cell = cells_.find(x, y);
        if (cell == nullptr) {
            failed_ = true;
            return;
        }
        if (is_settled(*cell) || *cell <= waiting(goal.distance)) continue;
        *cell = settled(goal.distance);
        spread(x, y, goal.distance, ground_steps(ground_.ring(x, y), corner_));
        if (links_.empty()) continue;
        ++next_goal_;
        go_back(x, y, goal.distance);
        --next_goal_;
    }
}

// To the next key that has something waiting. False: nothing has.
bool GroundDistance::next_key() {
    if (!sorted_) {
        sorted_ = true;
        std::sort(goals_.begin(), goals_.end());  // total order
        if (goals_.empty()) return false;
        key_ = goals_[0].key;
    } else if (waiting_ > 0) {
        ++key_;
    } else if (next_goal_ < goals_.size()) {
        key_ = std::max(key_, goals_[next_goal_].key);
    } else {
        return false;
    }
    settle_goals();
    return true;
}

// The next cell of the list, or to the next key if there is none of this one. False: there is nothing left, or no memory.
bool GroundDistance::settle_next() {
    if (failed_) return false;
    Array<std::uint32_t>& bucket = bucket_[key_ % kBuckets];
    if (!sorted_ || bucket.empty()) return next_key();
    const std::uint32_t next = bucket.back();
    bucket.pop_back();
    --waiting_;
    settle(next);
    return true;
}

bool GroundDistance::grow_toward(std::int32_t x, std::int32_t y) {
    std::uint32_t left = kShare;
    while (!is_settled(cells_.at(x, y)) && left > 0 && settle_next()) --left;
    waits_ = !is_settled(cells_.at(x, y)) && left == 0;
    return !waits_;
}

std::uint32_t GroundDistance::grow(std::int32_t x, std::int32_t y) {
    if (waits_) return kGroundFar;
    while (!grow_toward(x, y)) {
        if (!slices_) continue;
        wanted_x_ = x;
        wanted_y_ = y;
        return kGroundFar;
    }
    const std::uint32_t cell = cells_.at(x, y);
    return is_settled(cell) ? cell >> 1 : kGroundFar;
}

}  // namespace fairlead::drive
