// Roads painted along lines: each stretch is a box around its part of the line, drawn out at bends so that the boxes of two
// stretches meet in the outer corner (a mitre).
#include <fairlead/grid/road_layer.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

constexpr std::int32_t kSideMax = 16384;
constexpr double kMost = 1e6;
constexpr double kTouch = 1e-9;  // cells

// The compass direction nearest to a vector.
std::uint32_t direction_of(Vec2 way) {
    const double eighths = math::wrap_two_pi(math::atan2(way.y, way.x)) * (4.0 / kPi);
    return static_cast<std::uint32_t>(std::floor(eighths + 0.5)) % 8;
}

struct Stretch {
    Vec2 from{};
    Vec2 ahead{};  // unit vector
    double length = 0.0;
    double before = 0.0;  // drawn out by so much
    double after = 0.0;
};

Stretch stretch_between(Vec2 from, Vec2 to) {
    const Vec2 way = to - from;
    const double length = std::sqrt(dot(way, way));
    return {from, length > 0.0 ? way * (1.0 / length) : Vec2{}, length};
}

// How far a bend's outer corner lies beyond the point where the lines meet: half the width x tan(turn / 2).
double mitre(Vec2 a, Vec2 b, double half_width) {
    const double cosine = dot(a, b);
    if (cosine <= 0.0) return half_width;
    return half_width * std::sqrt(std::max(0.0, 1.0 - cosine) / (1.0 + cosine));
}

// What a cell at `side` of the line (positive: left) allows.
std::uint8_t allowed_at(double side, std::uint32_t direction, RoadLanes lanes) {
    const auto along = static_cast<std::uint8_t>(1U << direction);
    const auto back = static_cast<std::uint8_t>(1U << ((direction + 4) % 8));
    if (lanes == RoadLanes::any_way) return kRoadAnyWay;
    if (lanes == RoadLanes::one_way) return along;
    if (std::abs(side) <= kTouch) return static_cast<std::uint8_t>(along | back);
    return (side < 0.0) == (lanes == RoadLanes::keep_right) ? along : back;
}

Result<void> check(std::span<const Vec2> line, double width) {
    if (line.size() < 2) return Error{ErrorCode::size_zero, Field::line};
    bool moves = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const auto which = static_cast<std::int64_t>(i);
        if (!std::isfinite(line[i].x) || !std::isfinite(line[i].y))
            return Error{ErrorCode::not_finite, Field::line, which, 0};
        if (std::abs(line[i].x) > kMost || std::abs(line[i].y) > kMost)
            return Error{ErrorCode::out_of_range, Field::line, which, 0};
        moves = moves || line[i] != line[0];
    }
    if (!moves) return Error{ErrorCode::size_zero, Field::line};
    if (!std::isfinite(width)) return Error{ErrorCode::not_finite, Field::width};
    if (width <= 0.0 || width > kMost) return Error{ErrorCode::out_of_range, Field::width};
    return {};
}

}  // namespace

Result<RoadLayer> RoadLayer::make(std::int32_t width, std::int32_t height, const Allocator& allocator) {
    if (width <= 0 || height <= 0)
        return Error{ErrorCode::size_zero, width <= 0 ? Field::width : Field::height};
    if (width > kSideMax || height > kSideMax)
        return Error{ErrorCode::size_limit, width > kSideMax ? Field::width : Field::height, kSideMax};
    RoadLayer layer;
    layer.width_ = width;
    layer.height_ = height;
    layer.cells_ = Array<std::uint8_t>(allocator);
    const std::size_t cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (!layer.cells_.resize(cells))
        return Error{ErrorCode::out_of_memory, -1, static_cast<std::int64_t>(cells)};
    return layer;
}

Result<void> RoadLayer::paint(std::span<const Vec2> line, double width, RoadLanes lanes) {
    if (const Result<void> good = check(line, width); !good) return good;
    const double half = width * 0.5;
    const auto paint_one = [&](const Stretch& stretch) {
        const std::uint32_t direction = direction_of(stretch.ahead);
        const double reach = stretch.length + stretch.after;
        const Vec2 a = stretch.from - stretch.ahead * stretch.before;
        const Vec2 b = stretch.from + stretch.ahead * reach;
        const auto clamped = [](double v, std::int32_t most) {
            return static_cast<std::int32_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(most)));
        };
        const std::int32_t left = clamped(std::min(a.x, b.x) - half - 1.0, width_);
        const std::int32_t right = clamped(std::max(a.x, b.x) + half + 1.0, width_ - 1);
        const std::int32_t low = clamped(std::min(a.y, b.y) - half - 1.0, height_);
        const std::int32_t top = clamped(std::max(a.y, b.y) + half + 1.0, height_ - 1);
        for (std::int32_t y = low; y <= top; ++y) {
            for (std::int32_t x = left; x <= right; ++x) {
                const Vec2 gap{x + 0.5 - stretch.from.x, y + 0.5 - stretch.from.y};
                const double along = dot(gap, stretch.ahead);
                const double side = stretch.ahead.x * gap.y - stretch.ahead.y * gap.x;
                const bool inside = std::abs(side) <= half + kTouch && along >= -stretch.before - kTouch &&
                                    along <= reach + kTouch;
                if (inside) cells_[index(x, y)] |= allowed_at(side, direction, lanes);
            }
        }
    };
    Stretch last;
    for (std::size_t i = 1; i < line.size(); ++i) {
        Stretch next = stretch_between(line[i - 1], line[i]);
        if (next.length == 0.0) continue;
        if (last.length > 0.0) {
            last.after = next.before = mitre(last.ahead, next.ahead, half);
            paint_one(last);
        }
        last = next;
    }
    paint_one(last);
    return {};
}

}  // namespace fairlead
