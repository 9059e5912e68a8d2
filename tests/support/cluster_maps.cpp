#include "support/cluster_maps.h"

#include <algorithm>

namespace fairlead::testing {

namespace {

struct Tiles {
    std::int32_t width;
    std::int32_t height;
    std::vector<std::uint8_t> tiles;

    Tiles(std::int32_t w, std::int32_t h, std::uint8_t with)
        : width(w), height(h), tiles(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), with) {}

    [[nodiscard]] bool inside(std::int32_t x, std::int32_t y) const {
        return x >= 0 && y >= 0 && x < width && y < height;
    }
    [[nodiscard]] std::uint8_t& at(std::int32_t x, std::int32_t y) {
        return tiles[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    }
    void fill(std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h, std::uint8_t with) {
        for (std::int32_t j = std::max(y, 0); j < std::min(y + h, height); ++j) {
            for (std::int32_t i = std::max(x, 0); i < std::min(x + w, width); ++i) at(i, j) = with;
        }
    }
};

void scatter(Rng& rng, Tiles& map, std::uint32_t percent) {
    for (std::uint8_t& tile : map.tiles) tile = rng.below(100) < percent ? 0 : 1;
}

void make_open(Rng& rng, Tiles& map) {
    const std::int32_t count = map.width * map.height / 900;
    for (std::int32_t i = 0; i < count; ++i) {
        const std::int32_t x = rng.between(0, map.width - 1);
        const std::int32_t y = rng.between(0, map.height - 1);
        const std::int32_t w = rng.between(1, 14);
        map.fill(x, y, w, rng.between(1, 14), 0);
    }
}

void make_rooms(Rng& rng, Tiles& map) {
    const std::int32_t side = rng.between(8, 31);
    for (std::int32_t x = side; x < map.width; x += side) map.fill(x, 0, 1, map.height, 0);
    for (std::int32_t y = side; y < map.height; y += side) map.fill(0, y, map.width, 1, 0);
    for (std::int32_t y = 0; y < map.height; y += side) {
        for (std::int32_t x = 0; x < map.width; x += side) {
            const std::int32_t at_y = y + 1 + rng.between(0, side - 6),
                               at_x = x + 1 + rng.between(0, side - 6);
            if (rng.below(10) < 8) map.fill(x + side, at_y, 1, rng.between(1, 5), 1);
            if (rng.below(10) < 8) map.fill(at_x, y + side, rng.between(1, 5), 1, 1);
        }
    }
}

// Depth first, with a stack; walls between ways are one tile, and a few are open.
void make_maze(Rng& rng, Tiles& map) {
    std::fill(map.tiles.begin(), map.tiles.end(), std::uint8_t{0});
    const std::int32_t way = rng.between(1, 4), step = way + 1;
    const std::int32_t across = std::max(map.width / step, 1), down = std::max(map.height / step, 1);
    std::vector<char> seen(static_cast<std::size_t>(across * down));
    std::vector<std::int32_t> stack{0};
    seen[0] = 1;
    map.fill(0, 0, way, way, 1);
    while (!stack.empty()) {
        const std::int32_t x = stack.back() % across, y = stack.back() / across;
        constexpr std::int32_t kDx[] = {1, 0, -1, 0}, kDy[] = {0, 1, 0, -1};
        const std::uint32_t turn = rng.below(4);
        bool went = false;
        for (std::uint32_t k = 0; k < 4 && !went; ++k) {
            const std::int32_t dx = kDx[(turn + k) % 4], dy = kDy[(turn + k) % 4];
            const std::int32_t to_x = x + dx, to_y = y + dy;
            if (to_x < 0 || to_y < 0 || to_x >= across || to_y >= down) continue;
            const std::int32_t to = to_y * across + to_x;
            if (seen[static_cast<std::size_t>(to)] != 0) continue;
            seen[static_cast<std::size_t>(to)] = 1;
            map.fill(std::min(x, to_x) * step, std::min(y, to_y) * step, way + (dx != 0 ? step : 0),
                     way + (dy != 0 ? step : 0), 1);
            stack.push_back(to);
            went = true;
        }
        if (!went) stack.pop_back();
    }
    for (std::int32_t i = across * down / 12; i > 0; --i) {
        const std::int32_t x = rng.between(0, across - 1) * step;
        map.fill(x, rng.between(0, down - 1) * step, way, step + way, 1);
    }
}

void make_caves(Rng& rng, Tiles& map) {
    scatter(rng, map, 40 + rng.below(7));
    for (int pass = 0; pass < 3; ++pass) {
        const Tiles before = map;
        for (std::int32_t y = 0; y < map.height; ++y) {
            for (std::int32_t x = 0; x < map.width; ++x) {
                int walls = 0;
                for (std::int32_t j = -1; j <= 1; ++j) {
                    for (std::int32_t i = -1; i <= 1; ++i) {
                        if (!map.inside(x + i, y + j)) continue;
                        const auto at =
                            static_cast<std::size_t>(y + j) * static_cast<std::size_t>(map.width) +
                            static_cast<std::size_t>(x + i);
                        walls += before.tiles[at] == 0 ? 1 : 0;
                    }
                }
                map.at(x, y) = walls >= 5 ? 0 : 1;
            }
        }
    }
}

void make_town(Rng& rng, Tiles& map) {
    std::int32_t y = rng.between(0, 5);
    while (y < map.height) {
        const std::int32_t deep = rng.between(5, 18);
        std::int32_t x = rng.between(-6, 5);
        while (x < map.width) {
            const std::int32_t wide = rng.between(5, 22);
            if (rng.below(6) != 0) map.fill(x, y, wide, deep, 0);
            if (rng.below(4) == 0) map.fill(x + 1, y + 1, wide - 2, deep - 2, 1);           // a yard
            if (rng.below(3) == 0) map.fill(x + wide / 2, y, 1 + rng.between(0, 1), 2, 1);  // a gate
            x += wide + (rng.below(5) == 0 ? 0 : rng.between(2, 6));
        }
        y += deep + rng.between(2, 6);
    }
}

}  // namespace

const char* cluster_map_name(ClusterMap kind) {
    constexpr const char* kNames[] = {"open", "rooms", "maze", "caves", "scattered", "town"};
    return kind < ClusterMap::count_ ? kNames[static_cast<std::size_t>(kind)] : "";
}

std::vector<std::uint8_t> cluster_map(Rng& rng, ClusterMap kind, std::int32_t width, std::int32_t height) {
    Tiles map(width, height, 1);
    switch (kind) {
        case ClusterMap::rooms: make_rooms(rng, map); break;
        case ClusterMap::maze: make_maze(rng, map); break;
        case ClusterMap::caves: make_caves(rng, map); break;
        case ClusterMap::scattered: scatter(rng, map, 10 + rng.below(36)); break;
        case ClusterMap::town: make_town(rng, map); break;
        default: make_open(rng, map); break;
    }
    return std::move(map.tiles);
}

std::vector<Portal> draw_portals(Rng& rng, const GridOptions& options, const std::vector<std::uint8_t>& tiles,
                                 int count) {
    const auto draw = [&] {
        Cell cell;
        for (int i = 0; i < 20; ++i) {
            const std::int32_t x = rng.between(0, options.width - 1);
            cell = {x, rng.between(0, options.height - 1), rng.between(0, options.layers - 1)};
            const std::int32_t row = cell.layer * options.height + cell.y;
            if (tiles[static_cast<std::size_t>(row * options.width + cell.x)] != 0) break;
        }
        return cell;
    };
    std::vector<Portal> portals;
    std::vector<Cell> ends;
    const std::uint32_t kind = rng.below(4);
    for (int i = 0; i < count; ++i) {
        Portal portal;
        // Some begin where another one ends.
        portal.from = !ends.empty() && rng.below(5) == 0 ? ends.back() : draw();
        do {
            portal.to = draw();
        } while (portal.to == portal.from);
        const double walk =
            distance(Vec2{static_cast<double>(portal.from.x), static_cast<double>(portal.from.y)},
                     Vec2{static_cast<double>(portal.to.x), static_cast<double>(portal.to.y)});
        constexpr std::uint32_t kPercents[] = {0, 30, 80, 150};
        const std::uint32_t of_walk = kPercents[kind == 3 ? rng.below(4) : kind];
        portal.cost = 0.01 + walk * of_walk / 100.0;
        portal.two_way = rng.below(3) != 0;
        ends.push_back(portal.to);
        portals.push_back(portal);
    }
    return portals;
}

CellRect draw_rect(Rng& rng, const GridState& grid, std::int32_t side_max) {
    const std::int32_t x = rng.between(0, grid.width() - 1);
    const std::int32_t y = rng.between(0, grid.height() - 1);
    const std::int32_t wide = rng.between(1, side_max);
    const std::int32_t high = rng.between(1, side_max);
    return {{x, y},
            {std::min(x + wide, grid.width()), std::min(y + high, grid.height())},
            rng.between(0, grid.layers() - 1)};
}

}  // namespace fairlead::testing
