#include "oracle/flood_length.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "oracle/tile_room.h"

namespace fairlead::oracle {

FloodLength::FloodLength(std::int32_t width, std::int32_t height, const std::vector<bool>& blocked,
                         double radius)
    : width_(width),
      height_(height),
      blocked_(blocked),
      radius_(radius),
      across_(width * kFine + 1),
      down_(height * kFine + 1) {
    for (std::int32_t j = 0; j < down_; ++j) {
        for (std::int32_t i = 0; i < across_; ++i)
            room_.push_back(
                room_at_place(width_, height_, blocked_, {1.0 * i / kFine, 1.0 * j / kFine}, radius_ + 0.2));
    }
}

// The end fits, and the points along the step nearly.
bool FloodLength::legal(std::int32_t i, std::int32_t j, std::int32_t di, std::int32_t dj) const {
    if (room_at(i + di, j + dj) < radius_ * (1.0 - 1e-9)) return false;
    const std::int32_t parts = std::max(std::abs(di), std::abs(dj));
    for (std::int32_t n = 1; n < parts; ++n) {
        const double x = static_cast<double>(di * n) / parts;
        const double y = static_cast<double>(dj * n) / parts;
        const double at = room_at(i + static_cast<std::int32_t>(std::lround(x)),
                                  j + static_cast<std::int32_t>(std::lround(y)));
        if (at < radius_ - 1.0 / 32.0) return false;
    }
    return true;
}

double FloodLength::shortest(Vec2 from, Vec2 to) const {
    constexpr std::int32_t kReach = 3;
    std::vector<double> best(room_.size(), 1e300);
    using Entry = std::pair<double, std::int32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    // Places are joined to the points around them.
    const auto around = [&](Vec2 p, const auto& each) {
        const auto i = static_cast<std::int32_t>(std::floor(p.x * kFine));
        const auto j = static_cast<std::int32_t>(std::floor(p.y * kFine));
        for (std::int32_t n = 0; n < 4; ++n) {
            const std::int32_t a = i + (n & 1), b = j + (n >> 1);
            if (room_at(a, b) >= radius_ * (1.0 - 1e-9))
                each(b * across_ + a, distance(p, Vec2{1.0 * a / kFine, 1.0 * b / kFine}));
        }
    };
    around(from, [&](std::int32_t at, double length) {
        best[static_cast<std::size_t>(at)] = length;
        open.emplace(length, at);
    });
    while (!open.empty()) {
        const auto [g, at] = open.top();
        open.pop();
        if (g > best[static_cast<std::size_t>(at)]) continue;
        const std::int32_t i = at % across_, j = at / across_;
        for (std::int32_t dj = -kReach; dj <= kReach; ++dj) {
            for (std::int32_t di = -kReach; di <= kReach; ++di) {
                const bool prime = di == 0   ? std::abs(dj) == 1
                                   : dj == 0 ? std::abs(di) == 1
                                             : std::abs(di) != std::abs(dj) || std::abs(di) == 1;
                if (!prime || !legal(i, j, di, dj)) continue;
                const std::int32_t to_point = (j + dj) * across_ + i + di;
                const double length = g + std::sqrt(1.0 * (di * di + dj * dj)) / kFine;
                double& there = best[static_cast<std::size_t>(to_point)];
                if (length >= there) continue;
                there = length;
                open.emplace(length, to_point);
            }
        }
    }
    double least = 1e300;
    around(to, [&](std::int32_t at, double length) {
        least = std::min(least, best[static_cast<std::size_t>(at)] + length);
    });
    if (distance(from, to) < 0.1) least = std::min(least, distance(from, to));
    return least < 1e299 ? least : -1.0;
}

}  // namespace fairlead::oracle
