// Walls near a place of a tile world: runs of blocked cells, row by row, joined where rows have the same run.
#include <cmath>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/tile_sight.h>

#include "bridge/nearest_pieces.h"
#include "grid/state.h"

namespace fairlead {

namespace {

constexpr std::int32_t kRowsMax = 61;  // a window of so many cells is looked at

/// Bit i: cell (x + i, y) is blocked, or outside.
std::uint64_t blocked_bits(const grid::StateData& state, std::int32_t layer, std::int32_t x, std::int32_t y) {
    if (!state.wrap_x && !state.wrap_y) {
        if (y < 0 || y >= state.height) return ~std::uint64_t{0};
        const std::uint64_t* line = state.row_lines(state.bodies[0], layer).line(y);
        // from 64 cells before the map to its end; outside it is wall
        if (x <= -64 || x >= state.width) return ~std::uint64_t{0};
        return ~grid::window(line, x);
    }
    if (state.wrap_y) y = grid::wrapped(y, state.height);
    if (y < 0 || y >= state.height) return ~std::uint64_t{0};
    std::uint64_t bits = 0;
    const grid::Lines lines = state.row_lines(state.bodies[0], layer);
    for (std::int32_t i = 0; i < 64; ++i) {
        const std::int32_t at = state.wrap_x ? grid::wrapped(x + i, state.width) : x + i;
        const bool free = at >= 0 && at < state.width && lines.get(at, y);
        bits |= static_cast<std::uint64_t>(free ? 0 : 1) << i;
    }
    return bits;
}

double to_box(Vec2 p, Vec2 low, Vec2 high) {
    const double x = p.x < low.x ? low.x - p.x : p.x > high.x ? p.x - high.x : 0.0;
    const double y = p.y < low.y ? low.y - p.y : p.y > high.y ? p.y - high.y : 0.0;
    return std::sqrt(x * x + y * y);
}

/// A run of blocked cells x0 <= x < x1 that goes on from row y0 down to the one looked at.
struct Run {
    std::int32_t x0 = 0;
    std::int32_t x1 = 0;
    std::int32_t y0 = 0;
};

struct TileWindow {
    const GridState* grid = nullptr;
    Vec2 p{};
    std::int32_t y = 0;
    bridge::NearestPieces* found = nullptr;

    void close(const Run& run) const {
        const double size = grid->cell_size();
        const Vec2 low =
            grid->origin() + Vec2{static_cast<double>(run.x0), static_cast<double>(run.y0)} * size;
        const Vec2 high = grid->origin() + Vec2{static_cast<double>(run.x1), static_cast<double>(y)} * size;
        found->add({{low.x, low.y, 0.0}, {high.x, high.y, 0.0}, true}, to_box(p, low, high));
    }
};

/// Cells have 32-bit indices. Farther out all is wall, and a box around the place says it.
bool has_cell(Vec2 cell) {
    constexpr double kCellsMax = 1e9;
    return std::abs(cell.x) < kCellsMax && std::abs(cell.y) < kCellsMax;
}

double tile_walls(const Place& at, double reach, std::span<WallPiece> out, std::size_t& count, void* user) {
    const GridState& grid = *static_cast<const GridState*>(user);
    const double size = grid.cell_size();
    const double most = 0.5 * (kRowsMax - 3) * size;
    if (reach > most) reach = most;
    const Vec2 p = ground(at.position);
    const Vec2 cell = (p - grid.origin()) / size;
    bridge::NearestPieces found(out, reach);
    if (!has_cell(cell)) {
        found.add({{p.x - reach, p.y - reach, 0.0}, {p.x + reach, p.y + reach, 0.0}, true}, 0.0);
        count = found.count();
        return found.known();
    }
    const auto x0 = static_cast<std::int32_t>(std::floor(cell.x - reach / size));
    const auto y0 = static_cast<std::int32_t>(std::floor(cell.y - reach / size));
    const auto x1 = static_cast<std::int32_t>(std::floor(cell.x + reach / size)) + 1;
    const auto y1 = static_cast<std::int32_t>(std::floor(cell.y + reach / size)) + 1;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (x1 - x0));
    TileWindow window{&grid, p, y0, &found};
    Run runs[32];
    int open = 0;
    for (std::int32_t y = y0; y <= y1; ++y) {
        window.y = y;
        std::uint64_t bits = y < y1 ? blocked_bits(grid.data(), at.layer, x0, y) & mask : 0;
        Run next[32];
        int going = 0;
        int old = 0;
        while (bits != 0) {
            const int from = std::countr_zero(bits);
            const int to = from + std::countr_one(bits >> from);
            bits = to < 64 ? bits >> to << to : 0;
            Run run{x0 + from, x0 + to, y};
            for (; old < open && runs[old].x0 < run.x0; ++old) window.close(runs[old]);
            if (old < open && runs[old].x0 == run.x0) {
                if (runs[old].x1 == run.x1) {
                    run.y0 = runs[old].y0;
                } else {
                    window.close(runs[old]);
                }
                ++old;
            }
            next[going++] = run;
        }
        for (; old < open; ++old) window.close(runs[old]);
        open = going;
        for (int i = 0; i < going; ++i) runs[i] = next[i];
    }
    count = found.count();
    return found.known();
}

bool tile_clear(const Place& from, Vec3 to, double radius, void* user) {
    const GridState& grid = *static_cast<const GridState*>(user);
    return TileSight(grid, from.layer).clear(ground(from.position), ground(to), radius);
}

/// From cell side to cell side, as Amanatides and Woo 1987.
double tile_ray(const Place& from, Vec3 direction, double reach, void* user) {
    const GridState& grid = *static_cast<const GridState*>(user);
    const double size = grid.cell_size();
    const Vec2 p = (ground(from.position) - grid.origin()) / size;
    if (!has_cell(p)) return 0.0;
    const Vec2 d{direction.x, direction.y};
    const auto blocked = [&](std::int32_t x, std::int32_t y) {
        return (blocked_bits(grid.data(), from.layer, x, y) & 1U) != 0;
    };
    auto x = static_cast<std::int32_t>(std::floor(p.x));
    auto y = static_cast<std::int32_t>(std::floor(p.y));
    const std::int32_t step_x = d.x > 0.0 ? 1 : -1;
    const std::int32_t step_y = d.y > 0.0 ? 1 : -1;
    const double last = reach / size;
    const double never = last + 1.0;
    double next_x = d.x != 0.0 ? ((d.x > 0.0 ? x + 1 : x) - p.x) / d.x : never;
    double next_y = d.y != 0.0 ? ((d.y > 0.0 ? y + 1 : y) - p.y) / d.y : never;
    const double each_x = d.x != 0.0 ? step_x / d.x : never;
    const double each_y = d.y != 0.0 ? step_y / d.y : never;
    if (blocked(x, y)) return 0.0;
    while (true) {
        const bool along_x = next_x < next_y;
        const double at = along_x ? next_x : next_y;
        if (!(at < last)) return reach;
        if (along_x) {
            x += step_x;
            next_x += each_x;
        } else {
            y += step_y;
            next_y += each_y;
        }
        if (blocked(x, y)) return at * size;
    }
}

}  // namespace

CrowdWorld TileCrowd::world() const {
    CrowdWorld world;
    world.walls = tile_walls;
    world.clear = tile_clear;
    world.ray = tile_ray;
    world.user = const_cast<GridState*>(grid_);  // only ever read
    return world;
}

}  // namespace fairlead
