// Points are the corners of cells: the nearest point of a wall's square is then a corner too, so distances between points are
// exact distances to walls. Whether a disc passes is the opening of the free space by it: distances to where its middle can be.
#include "crowd/places/field.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fairlead::crowd {

namespace {

/// Exact sizes are meant: 1.2 / 2 / 0.05 is 12 whatever the last bits say.
constexpr double kRelative = 1e-9;

std::int32_t least_square(double length) {
    return static_cast<std::int32_t>(std::ceil(length * length * (1.0 - kRelative)));
}
std::int32_t most_square(double length) {
    return static_cast<std::int32_t>(std::floor(length * length * (1.0 + kRelative)));
}

}  // namespace

PlaceLimits PlaceLimits::of(double radius, double margin) {
    // The middle of a disc is seldom a point of the lattice: up to sqrt 2 steps farther off there is one. Without that, walls that
    // do not lie on the lattice would be lined with points that no disc reaches.
    const double slack = std::sqrt(2.0);
    PlaceLimits limits;
    limits.stand = least_square(radius);
    for (int level = 0; level < 2; ++level) {
        const double disc = (level == 0 ? 2.0 : 4.0) * radius * margin;
        const double reach = disc - radius + slack;
        limits.seed[level] = least_square(disc);
        limits.reach[level] = most_square(reach);
        limits.reach_cap[level] = static_cast<std::int32_t>(reach) + 1;
        limits.cap = static_cast<std::int32_t>(std::ceil(disc));
    }
    return limits;
}

PointRect PlaceField::grown(const PointRect& rect, std::int32_t by) const {
    return {std::max(rect.x0 - by, 0), std::max(rect.y0 - by, 0), std::min(rect.x1 + by, width),
            std::min(rect.y1 + by, height)};
}

/// Which points are corners of walls.
bool PlaceField::read(const PointRect& at, const WallRows& walls) {
    const auto columns = static_cast<std::size_t>(at.width()) + 1;
    if (!cells.resize(2 * columns)) return false;
    std::uint8_t* below = cells.data();
    std::uint8_t* above = cells.data() + columns;
    // Cell i of a row is the one to the left of point x0 + i; those outside are walls.
    const auto read_row = [&](std::int32_t y, std::uint8_t* to) {
        std::memset(to, 1, columns);
        if (y < 0 || y >= height - 1) return;
        const std::int32_t x0 = std::max(at.x0 - 1, 0);
        const std::int32_t x1 = std::min(at.x1, width - 1);
        walls.row(y, x0, {to + (x0 - (at.x0 - 1)), static_cast<std::size_t>(x1 - x0)}, walls.user);
    };
    read_row(at.y0 - 1, below);
    for (std::int32_t y = at.y0; y < at.y1; ++y) {
        read_row(y, above);
        std::uint8_t* to = solid.data() + index(at.x0, y);
        for (std::size_t i = 0; i + 1 < columns; ++i) {
            to[i] = static_cast<std::uint8_t>((below[i] | below[i + 1] | above[i] | above[i + 1]) != 0);
        }
        std::swap(below, above);
    }
    return true;
}

bool PlaceField::measure(const PointRect& at) {
    const PointRect seen = grown(at, limits.cap);
    const auto columns = static_cast<std::size_t>(seen.width());
    if (!marked.resize_uninitialized(columns * static_cast<std::size_t>(seen.height()))) return false;
    for (std::int32_t y = seen.y0; y < seen.y1; ++y) {
        std::memcpy(marked.data() + static_cast<std::size_t>(y - seen.y0) * columns,
                    solid.data() + index(seen.x0, y), columns);
    }
    if (!rows.begin(marked.data(), seen.width(), seen.height(), limits.cap)) return false;
    for (std::int32_t y = at.y0; y < at.y1; ++y) {
        const std::uint16_t* row = rows.row(y - seen.y0) + (at.x0 - seen.x0);
        std::uint16_t* to = distance.data() + index(at.x0, y);
        std::uint8_t* flag = flags.data() + index(at.x0, y);
        for (std::int32_t x = 0; x < at.width(); ++x) {
            to[x] = row[x];
            flag[x] = row[x] >= limits.stand ? std::uint8_t{kStands} : std::uint8_t{0};
        }
    }
    return true;
}

bool PlaceField::open(const PointRect& at, int level) {
    const PointRect seen = grown(at, limits.reach_cap[level]);
    const auto columns = static_cast<std::size_t>(seen.width());
    const auto bit = static_cast<std::uint8_t>(level == 0 ? kPairPasses : kFourPass);
    if (!marked.resize_uninitialized(columns * static_cast<std::size_t>(seen.height()))) return false;
    for (std::int32_t y = seen.y0; y < seen.y1; ++y) {
        const std::uint16_t* from = distance.data() + index(seen.x0, y);
        std::uint8_t* to = marked.data() + static_cast<std::size_t>(y - seen.y0) * columns;
        for (std::size_t i = 0; i < columns; ++i) {
            to[i] = from[i] >= limits.seed[level] ? std::uint8_t{1} : std::uint8_t{0};
        }
    }
    if (!rows.begin(marked.data(), seen.width(), seen.height(), limits.reach_cap[level])) return false;
    for (std::int32_t y = at.y0; y < at.y1; ++y) {
        const std::uint16_t* row = rows.row(y - seen.y0) + (at.x0 - seen.x0);
        std::uint8_t* flag = flags.data() + index(at.x0, y);
        for (std::int32_t x = 0; x < at.width(); ++x) {
            const bool passes = (flag[x] & kStands) != 0 && row[x] <= limits.reach[level];
            flag[x] = static_cast<std::uint8_t>(passes ? flag[x] | bit : flag[x] & ~bit);
        }
    }
    return true;
}

bool PlaceField::make(std::int32_t cells_x, std::int32_t cells_y, const PlaceLimits& with,
                      const WallRows& walls) {
    width = cells_x + 1;
    height = cells_y + 1;
    limits = with;
    const std::size_t points = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (!solid.resize_uninitialized(points) || !distance.resize_uninitialized(points) ||
        !flags.resize_uninitialized(points)) {
        return false;
    }
    return read(all(), walls) && measure(all()) && open(all(), 0) && open(all(), 1);
}

bool PlaceField::change(const RasterRect& changed, const WallRows& walls) {
    const PointRect touched{changed.low.x, changed.low.y, changed.high.x + 1, changed.high.y + 1};
    const PointRect measured = grown(touched, limits.cap);
    // Measuring clears the flags of what it touches, so both openings are made on all that either can change.
    const PointRect opened = grown(measured, std::max(limits.reach_cap[0], limits.reach_cap[1]));
    return read(touched, walls) && measure(measured) && open(opened, 0) && open(opened, 1);
}

}  // namespace fairlead::crowd
