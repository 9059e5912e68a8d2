#include "oracle/fine_ground.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

namespace fairlead::oracle {

namespace {

constexpr double kNodes = 4.0;            // a cell
constexpr double kOff = 0.7072 / kNodes;  // from a point to its node at most
constexpr double kAway = 2e-4;            // kept from walls
constexpr double kLook = 0.4;

}  // namespace

Pose after(const Pose& from, const FineMove& move) {
    Pose to = from;
    const double h = from.heading_rad;
    if (move.curvature == 0.0) {
        to.position = from.position + Vec2{std::cos(h), std::sin(h)} * move.amount;
        return to;
    }
    to.heading_rad = h + move.amount * move.curvature;
    to.position =
        from.position + Vec2{std::sin(to.heading_rad) - std::sin(h), std::cos(h) - std::cos(to.heading_rad)} *
                            (1.0 / move.curvature);
    return to;
}

FineGround::FineGround(const PoseMap& map, const PoseBody& body, double step)
    : map_(map), body_(body), step_(step) {
    wide_ = map.width * static_cast<std::int32_t>(kNodes) + 1;
    high_ = map.height * static_cast<std::int32_t>(kNodes) + 1;
    const PoseBody point{};
    const double look = body.reach + 1.0;
    for (std::int32_t y = 0; y < high_; ++y) {
        for (std::int32_t x = 0; x < wide_; ++x) {
            // A point has no depth where it is not inside; the distance is that of a disc of the largest size.
            PoseBody disc = point;
            disc.radius = look;
            disc.reach = look;
            clear_.push_back(look - depth_on_map(disc, map, {{x / kNodes, y / kNodes}, 0.0}, 0.0));
        }
    }
}

std::size_t FineGround::node(Vec2 p) const {
    const auto x = std::clamp(static_cast<std::int32_t>(std::lround(p.x * kNodes)), 0, wide_ - 1);
    const auto y = std::clamp(static_cast<std::int32_t>(std::lround(p.y * kNodes)), 0, high_ - 1);
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(wide_) + static_cast<std::size_t>(x);
}

double FineGround::gap(const Pose& pose) const {
    const Vec2 p = pose.position;
    if (!(p.x >= 0.0 && p.y >= 0.0 && p.x <= map_.width && p.y <= map_.height)) return -1.0;
    const double clear = clear_[node(p)];
    const double surely = clear - kOff - body_.reach;
    if (surely > kAway) return surely - kAway;
    if (clear + kOff < body_.inside) return -1.0;
    return -depth_on_map(body_, map_, pose, kLook) - kAway;
}

bool FineGround::free(const Pose& from, const FineMove& move) const {
    const double length = std::fabs(move.amount);
    const double swing = 1.0 + body_.reach * std::fabs(move.curvature);
    const double way = move.amount < 0.0 ? -1.0 : 1.0;
    for (double s = 0.0;;) {
        const double room = gap(after(from, {way * s, move.curvature}));
        if (room < 0.0) return false;
        if (s >= length) return true;
        s = std::min(length, s + std::max(step_, room) / swing);
    }
}

// From the last segment to the first: what is wrong is mostly wrong near the goal.
bool FineGround::free(const Pose& from, const CurveWord& word, double radius) const {
    Pose starts[kCurveSegmentsMax];
    FineMove moves[kCurveSegmentsMax];
    Pose at = from;
    for (std::int32_t i = 0; i < word.count; ++i) {
        const CurveSegment& segment = word.segments[i];
        starts[i] = at;
        moves[i] = {segment.amount * radius, static_cast<double>(segment.steer) / radius};
        at = after(at, moves[i]);
    }
    for (std::int32_t i = word.count - 1; i >= 0; --i) {
        if (!free(starts[i], moves[i])) return false;
    }
    return true;
}

void FineGround::flood(Vec2 goal) {
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    flood_.assign(clear_.size(), std::numeric_limits<double>::infinity());
    flood_[node(goal)] = 0.0;
    open.push({0.0, node(goal)});
    while (!open.empty()) {
        const auto [far, at] = open.top();
        open.pop();
        if (far > flood_[at]) continue;
        const auto x = static_cast<std::int32_t>(at) % wide_;
        const auto y = static_cast<std::int32_t>(at) / wide_;
        for (std::int32_t i = 0; i < 9; ++i) {
            const std::int32_t tx = x + i % 3 - 1;
            const std::int32_t ty = y + i / 3 - 1;
            if (i == 4 || tx < 0 || ty < 0 || tx >= wide_ || ty >= high_) continue;
            const auto to = static_cast<std::size_t>(ty * wide_ + tx);
            if (clear_[to] + kOff < body_.inside) continue;
            const double next = far + (i % 2 == 0 ? std::sqrt(2.0) : 1.0) / kNodes;
            if (next >= flood_[to]) continue;
            flood_[to] = next;
            open.push({next, to});
        }
    }
}

double FineGround::at_least(Vec2 p) const {
    // Steps in eight directions are up to 8.24 % longer than the way; its ends are off their nodes.
    return std::max(0.0, flood_[node(p)] / 1.0824 - 4 * kOff);
}

}  // namespace fairlead::oracle
