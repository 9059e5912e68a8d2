#include "simulate/moved_map.h"

#include <algorithm>
#include <cmath>

namespace fairlead::simulate {

namespace {

using Far = long double;

Far clamp01(Far t) { return std::clamp(t, Far{0}, Far{1}); }

Far to_point(Vec2 a, Vec2 b, Far x, Far y) {
    const Far ux = static_cast<Far>(b.x) - a.x, uy = static_cast<Far>(b.y) - a.y;
    const Far square = ux * ux + uy * uy;
    const Far t = square > 0 ? clamp01(((x - a.x) * ux + (y - a.y) * uy) / square) : 0;
    return std::hypot(a.x + t * ux - x, a.y + t * uy - y);
}

Far point_to_box(Vec2 p, Far x, Far y) {
    const Far dx = std::max({x - p.x, Far{0}, p.x - x - 1});
    const Far dy = std::max({y - p.y, Far{0}, p.y - y - 1});
    return std::hypot(dx, dy);
}

/// Does the line pass through the tile?
bool meets(Vec2 a, Vec2 b, Far x, Far y) {
    Far first = 0, last = 1;
    const Far from[2] = {a.x, a.y}, way[2] = {static_cast<Far>(b.x) - a.x, static_cast<Far>(b.y) - a.y};
    const Far low[2] = {x, y};
    for (int i = 0; i < 2; ++i) {
        if (way[i] == 0) {
            if (from[i] < low[i] || from[i] > low[i] + 1) return false;
            continue;
        }
        const Far s = (low[i] - from[i]) / way[i], t = (low[i] + 1 - from[i]) / way[i];
        first = std::max(first, std::min(s, t));
        last = std::min(last, std::max(s, t));
    }
    return first <= last;
}

Far to_tile(Vec2 a, Vec2 b, Far x, Far y) {
    if (meets(a, b, x, y)) return 0;
    Far least = std::min(point_to_box(a, x, y), point_to_box(b, x, y));
    for (int corner = 0; corner < 4; ++corner)
        least = std::min(least, to_point(a, b, x + corner % 2, y + corner / 2));
    return least;
}

}  // namespace

bool MovedMap::wall(std::int32_t x, std::int32_t y) const {
    if (x < 0 || y < 0 || x >= width || y >= height) return true;
    return tiles[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x)] == 0;
}

void MovedMap::fill(std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::uint8_t tile) {
    for (std::int32_t row = std::max(y, 0); row < std::min(y + h, height); ++row) {
        for (std::int32_t column = std::max(x, 0); column < std::min(x + w, width); ++column) {
            tiles[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)] = tile;
        }
    }
}

double MovedMap::to_walls(Vec2 a, Vec2 b, double reach) const {
    const double w = width, h = height;
    const double out = std::min({a.x, a.y, b.x, b.y, w - a.x, w - b.x, h - a.y, h - b.y});
    Far least = std::min(reach, std::max(out, 0.0));
    const auto low = [&](double p, double q) {
        return static_cast<std::int32_t>(std::clamp(std::floor(std::min(p, q) - reach) - 1, -1.0, 1e6));
    };
    const auto high = [&](double p, double q, std::int32_t most) {
        return static_cast<std::int32_t>(
            std::clamp(std::floor(std::max(p, q) + reach) + 1, -1.0, static_cast<double>(most)));
    };
    for (std::int32_t y = low(a.y, b.y); y <= high(a.y, b.y, height); ++y) {
        for (std::int32_t x = low(a.x, b.x); x <= high(a.x, b.x, width); ++x) {
            if (wall(x, y)) least = std::min(least, to_tile(a, b, x, y));
        }
    }
    return static_cast<double>(least);
}

double lines_apart(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const auto to_line = [](Vec2 p, Vec2 q, Vec2 r) {
        const Vec2 way = r - q;
        const double square = dot(way, way);
        const double t = square > 0.0 ? std::clamp(dot(p - q, way) / square, 0.0, 1.0) : 0.0;
        return distance(p, q + way * t);
    };
    const double s = cross(b - a, c - a), t = cross(b - a, d - a);
    const double u = cross(d - c, a - c), v = cross(d - c, b - c);
    if (s * t < 0.0 && u * v < 0.0) return 0.0;
    return std::min({to_line(a, c, d), to_line(b, c, d), to_line(c, a, b), to_line(d, a, b)});
}

MovedMap moved_map_of(const Step& step) {
    const std::string rows = step.word("rows");
    MovedMap map;
    map.height = static_cast<std::int32_t>(std::count(rows.begin(), rows.end(), '/')) + 1;
    map.width = std::max(
        static_cast<std::int32_t>(rows.find('/') == std::string::npos ? rows.size() : rows.find('/')), 1);
    map.tiles.assign(static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height), 1);
    std::int32_t x = 0, y = 0;
    for (const char c : rows) {
        if (c == '/') {
            ++y;
            x = 0;
            continue;
        }
        if (c == '@') map.fill(x, y, 1, 1, 0);
        ++x;
    }
    return map;
}

std::string draw_moved_rows(Dice& dice, std::int32_t width, std::int32_t height) {
    MovedMap map{width, height, {}};
    map.tiles.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 1);
    for (std::uint32_t walls = dice.below(4); walls > 0; --walls) {  // walls right across, with a door
        const bool upright = dice.chance(50);
        const std::int32_t most = upright ? width : height, along = upright ? height : width;
        const std::int32_t at = dice.between(0, most - 1), door = dice.between(0, along - 1);
        const std::int32_t thick = dice.between(1, 4), wide = dice.between(1, 3);
        upright ? map.fill(at, 0, thick, height, 0) : map.fill(0, at, width, thick, 0);
        upright ? map.fill(at, door, thick, wide, 1) : map.fill(door, at, wide, thick, 1);
    }
    for (std::uint32_t pillars = dice.below(8); pillars > 0; --pillars) {
        const std::int32_t x = dice.between(0, width - 1), y = dice.between(0, height - 1);
        const std::int32_t w = dice.between(1, 2), h = dice.between(1, 2);
        map.fill(x, y, w, h, 0);
    }
    std::string rows;
    for (std::int32_t y = 0; y < height; ++y) {
        if (y > 0) rows += '/';
        for (std::int32_t x = 0; x < width; ++x) rows += map.wall(x, y) ? '@' : '.';
    }
    return rows;
}

std::vector<double> draw_moved_place(Dice& dice, const MovedMap& map) {
    if (dice.chance(2)) {
        const double x = dice.absurd();
        return {x, dice.within(0, map.height)};
    }
    double x = 0, y = 0;
    for (int i = 0; i < 8; ++i) {
        x = dice.below(static_cast<std::uint32_t>(map.width));
        y = dice.below(static_cast<std::uint32_t>(map.height));
        if (!map.wall(static_cast<std::int32_t>(x), static_cast<std::int32_t>(y))) break;
    }
    if (dice.chance(70)) return {x + 0.5, y + 0.5};
    x += dice.unit();
    y += dice.unit();
    return {x, y};
}

}  // namespace fairlead::simulate
