#include "simulate/tile_ways.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairlead::simulate {

namespace {

/// Does the segment have a point inside the open box?
bool enters(Vec2 a, Vec2 b, const Box& box) {
    double first = 0.0;
    double last = 1.0;
    const auto clip = [&](double at, double along, double low, double high) {
        if (along == 0.0) {
            if (at <= low || at >= high) last = -1.0;
            return;
        }
        const double s = (low - at) / along;
        const double t = (high - at) / along;
        first = std::max(first, std::min(s, t));
        last = std::min(last, std::max(s, t));
    };
    clip(a.x, b.x - a.x, box.low.x, box.high.x);
    clip(a.y, b.y - a.y, box.low.y, box.high.y);
    return last - first > 1e-12;
}

}  // namespace

TileWays::TileWays(const oracle::GridOracle& tiles, std::int32_t layer, std::vector<Box> boxes)
    : tiles_(&tiles), layer_(layer), boxes_(std::move(boxes)) {
    const oracle::World& world = tiles.world();
    for (std::int32_t y = 0; y <= world.height; ++y) {
        for (std::int32_t x = 0; x <= world.width; ++x) {
            const int walls = wall(x, y) + wall(x - 1, y) + wall(x, y - 1) + wall(x - 1, y - 1);
            const bool across = wall(x, y) == wall(x - 1, y - 1) && wall(x - 1, y) == wall(x, y - 1);
            if (walls == 2 && across) pinches_.push_back({static_cast<double>(x), static_cast<double>(y)});
            if (walls == 1) corners_.push_back({static_cast<double>(x), static_cast<double>(y)});
        }
    }
    for (const Box& box : boxes_) {
        corners_.insert(corners_.end(),
                        {box.low, box.high, {box.low.x, box.high.y}, {box.high.x, box.low.y}});
    }
}

bool TileWays::wall(std::int32_t x, std::int32_t y) const {
    const oracle::World& world = tiles_->world();
    if (x < 0 || y < 0 || x >= world.width || y >= world.height) return true;
    return world.tiles[static_cast<std::size_t>(world.index({x, y, layer_}))] == 0;
}

bool TileWays::clear_of_all(Vec2 p, double room) const {
    const Vec2 cell{std::floor(p.x), std::floor(p.y)};
    if (!(std::abs(cell.x) < 1e6 && std::abs(cell.y) < 1e6)) return false;  // off every map here
    if (wall(static_cast<std::int32_t>(cell.x), static_cast<std::int32_t>(cell.y))) return false;
    const Vec2 in = p - cell;
    if (std::min({in.x, in.y, 1 - in.x, 1 - in.y}) < room) return false;
    return std::none_of(boxes_.begin(), boxes_.end(), [&](const Box& box) {
        return p.x > box.low.x - room && p.x < box.high.x + room && p.y > box.low.y - room &&
               p.y < box.high.y + room;
    });
}

bool TileWays::sees(Vec2 a, Vec2 b) const {
    for (const Box& box : boxes_) {
        if (enters(a, b, box)) return false;
    }
    // Nor between two walls that meet at a corner, also not along their sides.
    for (const Vec2 pinch : pinches_) {
        const Vec2 along = b - a;
        const double t = dot(pinch - a, along) / dot(along, along);
        if (t > 0 && t < 1 && distance(a + along * t, pinch) < 1e-9) return false;
    }
    return tiles_->clear_line(a, b, layer_);
}

double TileWays::shortest(Vec2 from, Vec2 to) const {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<Vec2> nodes{from, to};
    nodes.insert(nodes.end(), corners_.begin(), corners_.end());
    std::vector<double> best(nodes.size(), kFar);
    std::vector<char> done(nodes.size());
    best[0] = 0.0;
    for (;;) {
        std::size_t at = nodes.size();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (done[i] == 0 && best[i] < kFar && (at == nodes.size() || best[i] < best[at])) at = i;
        }
        if (at == nodes.size() || at == 1) return best[1];
        done[at] = 1;
        for (std::size_t i = 1; i < nodes.size(); ++i) {
            const double length = best[at] + distance(nodes[at], nodes[i]);
            if (done[i] == 0 && length < best[i] && sees(nodes[at], nodes[i])) best[i] = length;
        }
    }
}

}  // namespace fairlead::simulate
