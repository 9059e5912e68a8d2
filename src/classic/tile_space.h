// Tiles with 4, 8, 24 or 48 neighbours (technique S6), as the article's search sees them: a step is free if the tiles are that its middle
// line passes, or with `body` if the disc can be swept along it.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/bridge/tile_sight.h>
#include <fairlead/classic/offsets.h>
#include <fairlead/grid/grid.h>

#include "classic/window.h"

namespace fairlead::classic {

inline constexpr std::uint32_t kStraightCost = 64;
inline constexpr std::uint32_t kDiagonalCost = 90;

/// What a step to a neighbour costs, and the tiles between that its middle line passes: at most four.
struct TileStepTable {
    std::uint32_t cost[kTileOffsetCount] = {};
    TileOffset passed[kTileOffsetCount][4] = {};
    std::int32_t count[kTileOffsetCount] = {};
    double least = 1.0;  ///< of cost / (64 x length), at most 1

    TileStepTable() {
        for (std::int32_t i = 0; i < kTileOffsetCount; ++i) fill(i);
    }

  private:
    void fill(std::int32_t i) {
        const std::int32_t dx = kTileOffsets[i].dx;
        const std::int32_t dy = kTileOffsets[i].dy;
        const std::int32_t ax = dx < 0 ? -dx : dx;
        const std::int32_t ay = dy < 0 ? -dy : dy;
        const double size = std::sqrt(static_cast<double>(dx * dx + dy * dy));
        if (ax == 0 || ay == 0) {
            cost[i] = kStraightCost * static_cast<std::uint32_t>(ax + ay);
        } else if (ax == ay) {
            cost[i] = kDiagonalCost * static_cast<std::uint32_t>(ax);
        } else {
            cost[i] = static_cast<std::uint32_t>(std::floor(kStraightCost * size + 0.5));
        }
        const double share = static_cast<double>(cost[i]) / (kStraightCost * size);
        if (share < least) least = share;
        // Tiles whose inside the line from middle to middle meets: |x dy - y dx| < (|dx| + |dy|) / 2, between the ends.
        for (std::int32_t y = -3; y <= 3; ++y) {
            for (std::int32_t x = -3; x <= 3; ++x) {
                const bool end = (x == 0 && y == 0) || (x == dx && y == dy);
                const bool between =
                    x * dx >= 0 && y * dy >= 0 && (x < 0 ? -x : x) <= ax && (y < 0 ? -y : y) <= ay;
                const std::int32_t off = x * dy - y * dx;
                if (end || !between || 2 * (off < 0 ? -off : off) >= ax + ay) continue;
                passed[i][count[i]++] = {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y)};
            }
        }
    }
};

/// Where the window lies.
struct WindowFrame {
    std::int32_t low_x = 0;
    std::int32_t low_y = 0;
    std::int32_t side = 60;

    static WindowFrame around(const Cell& a, const Cell& b, std::int32_t side) {
        return {(a.x + b.x) / 2 - side / 2, (a.y + b.y) / 2 - side / 2, side};
    }
    [[nodiscard]] bool holds(std::int32_t x, std::int32_t y) const {
        return x >= low_x && y >= low_y && x < low_x + side && y < low_y + side;
    }
    [[nodiscard]] bool holds_map(const GridState& grid) const {
        return low_x <= 0 && low_y <= 0 && low_x + side >= grid.width() && low_y + side >= grid.height();
    }
    [[nodiscard]] std::uint32_t number(std::int32_t x, std::int32_t y) const {
        return static_cast<std::uint32_t>((y - low_y) * side + (x - low_x));
    }
    [[nodiscard]] Cell cell(std::uint32_t number) const {
        const auto n = static_cast<std::int32_t>(number);
        return {low_x + n % side, low_y + n / side};
    }
};

struct TileSpace {
    const GridState* grid = nullptr;
    const TileSight* sight = nullptr;
    const TileStepTable* steps = nullptr;
    WindowFrame frame{};
    Cell from{};
    Cell to{};
    std::int32_t neighbours = 8;
    bool article = true;  ///< its heuristic
    double body = -1.0;   ///< radius to sweep, world units; below 0: tiles alone

    template <class Sink>
    void start(Sink& sink) const {
        sink.add(frame.number(from.x, from.y), 0, kFromStart);
    }
    [[nodiscard]] bool is_goal(std::uint32_t place) const { return place == frame.number(to.x, to.y); }

    [[nodiscard]] std::uint32_t estimate(std::uint32_t place) const {
        const Cell at = frame.cell(place);
        const std::int32_t dx = at.x < to.x ? to.x - at.x : at.x - to.x;
        const std::int32_t dy = at.y < to.y ? to.y - at.y : at.y - to.y;
        if (!article && neighbours == 4) return kStraightCost * static_cast<std::uint32_t>(dx + dy);
        if (!article && neighbours == 8) {
            const std::int32_t low = dx < dy ? dx : dy;
            return kStraightCost * static_cast<std::uint32_t>(dx + dy - 2 * low) +
                   kDiagonalCost * static_cast<std::uint32_t>(low);
        }
        const double size =
            kStraightCost * std::sqrt(static_cast<double>(dx) * dx + static_cast<double>(dy) * dy);
        return static_cast<std::uint32_t>(std::floor(article ? size : size * steps->least * (1.0 - 1e-12)));
    }

    template <class Sink>
    void expand(std::uint32_t place, Sink& sink) const {
        const Cell at = frame.cell(place);
        const std::int32_t step = neighbours == 4 ? 2 : 1;
        for (std::int32_t i = 0; i < (neighbours == 4 ? 8 : neighbours); i += step) {
            const Cell next{at.x + kTileOffsets[i].dx, at.y + kTileOffsets[i].dy};
            if (!frame.holds(next.x, next.y) || !passes(at, next, i)) continue;
            sink.add(frame.number(next.x, next.y), steps->cost[i], static_cast<std::uint32_t>(i));
        }
    }

  private:
    [[nodiscard]] bool passes(const Cell& at, const Cell& next, std::int32_t i) const {
        if (grid->blocked(next)) return false;
        for (std::int32_t k = 0; k < steps->count[i]; ++k) {
            const TileOffset off = steps->passed[i][k];
            if (grid->blocked({at.x + off.dx, at.y + off.dy})) return false;
        }
        return body < 0.0 || sight->clear(grid->cell_centre(at), grid->cell_centre(next), body);
    }
};

}  // namespace fairlead::classic
