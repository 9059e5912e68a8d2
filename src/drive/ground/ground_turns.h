// Which steps a shortest way on the ground needs to go on with, given the step that it came by and the walls around.
//
// Of two shortest ways to the same cell one suffices. A step from cell x to n is left out if the cell before x reaches n
// within the 3 x 3 cells around x, not through x, at no more cost (after a straight step) or at less (after a diagonal one):
// so of equal ways the one with its diagonal steps first is kept (Harabor and Grastien 2011; as an order of a whole search:
// Sturtevant and Rabin 2016). Most cells are then reached once, not eight times.
#pragma once

#include <array>
#include <cstdint>

namespace fairlead::drive {

inline constexpr std::uint32_t kGroundStraight = 5;
inline constexpr std::uint32_t kGroundDiagonal = 7;

/// Directions counter-clockwise from +x; even ones are straight.
inline constexpr std::int32_t kGroundX[8] = {1, 1, 0, -1, -1, -1, 0, 1};
inline constexpr std::int32_t kGroundY[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/// May a diagonal step pass between two blocked cells that meet at a corner? Only a point can.
enum class GroundCorner : std::uint8_t { closed, open };

/// The steps allowed by the walls alone: `ring` bit d, the neighbour in direction d is free. Where corners are closed, a
/// diagonal step needs one of the two cells beside it.
[[nodiscard]] constexpr std::uint32_t ground_steps(std::uint32_t ring, GroundCorner corner) {
    if (corner == GroundCorner::open) return ring;
    const std::uint32_t straight = ring & 0x55U;
    const std::uint32_t beside = ((straight << 1) | (straight >> 1) | (straight << 7)) & 0xaaU;
    return straight | (ring & beside);
}

namespace ground_turns_detail {

// The 3 x 3 cells around x; before: the cell that the step came from.
struct Around {
    bool free[9] = {};
    GroundCorner corner;

    static constexpr int at(int x, int y) { return (y + 1) * 3 + x + 1; }
    constexpr Around(std::uint32_t ring, GroundCorner rule) : corner(rule) {
        for (int d = 0; d < 8; ++d) free[at(kGroundX[d], kGroundY[d])] = ((ring >> d) & 1U) != 0;
    }
    [[nodiscard]] constexpr bool joined(int ax, int ay, int bx, int by) const {
        if (!free[at(bx, by)]) return false;
        return corner == GroundCorner::open || ax == bx || ay == by || free[at(ax, by)] || free[at(bx, ay)];
    }
};

// Least costs from `before` to the cells around x, not through x. x itself is free but not entered.
constexpr std::array<std::uint32_t, 9> costs_round(const Around& around, int before) {
    std::array<std::uint32_t, 9> cost{};
    for (std::uint32_t& c : cost) c = 1000;
    cost[static_cast<std::size_t>(before)] = 0;
    for (int pass = 0; pass < 4; ++pass) {
        for (int a = 0; a < 9; ++a) {
            if (a == 4 || cost[static_cast<std::size_t>(a)] >= 1000) continue;
            for (int b = 0; b < 9; ++b) {
                const int dx = b % 3 - a % 3;
                const int dy = b / 3 - a / 3;
                if (b == 4 || b == a || dx * dx > 1 || dy * dy > 1) continue;
                if (!around.joined(a % 3 - 1, a / 3 - 1, b % 3 - 1, b / 3 - 1)) continue;
                const std::uint32_t step = dx != 0 && dy != 0 ? kGroundDiagonal : kGroundStraight;
                const std::uint32_t sum = cost[static_cast<std::size_t>(a)] + step;
                if (sum < cost[static_cast<std::size_t>(b)]) cost[static_cast<std::size_t>(b)] = sum;
            }
        }
    }
    return cost;
}

// Steps to go on with after a step in direction d (0 or 1).
constexpr std::uint8_t turns_after(int d, std::uint32_t ring, GroundCorner corner) {
    Around around(ring, corner);
    around.free[4] = true;
    const int before = Around::at(-kGroundX[d], -kGroundY[d]);
    around.free[before] = true;
    const std::array<std::uint32_t, 9> round = costs_round(around, before);
    const std::uint32_t came = d == 0 ? kGroundStraight : kGroundDiagonal;
    std::uint32_t out = 0;
    for (int n = 0; n < 8; ++n) {
        const int cell = Around::at(kGroundX[n], kGroundY[n]);
        if (cell == before || ((ground_steps(ring, corner) >> n) & 1U) == 0) continue;
        const std::uint32_t through = came + ((n & 1) != 0 ? kGroundDiagonal : kGroundStraight);
        const std::uint32_t other = round[static_cast<std::size_t>(cell)];
        const bool needless = d == 0 ? other <= through : other < through;
        if (!needless) out |= 1U << n;
    }
    return static_cast<std::uint8_t>(out);
}

using Table = std::array<std::array<std::uint8_t, 256>, 2>;

constexpr Table all_turns(GroundCorner corner) {
    Table table{};
    for (int d = 0; d < 2; ++d) {
        for (std::uint32_t ring = 0; ring < 256; ++ring)
            table[static_cast<std::size_t>(d)][ring] = turns_after(d, ring, corner);
    }
    return table;
}

inline constexpr Table kClosed = all_turns(GroundCorner::closed);
inline constexpr Table kOpen = all_turns(GroundCorner::open);

}  // namespace ground_turns_detail

/// Steps to go on with after a step in direction d, as bits.
[[nodiscard]] inline std::uint32_t ground_turns(std::uint32_t d, std::uint32_t ring, GroundCorner corner) {
    const auto& table =
        corner == GroundCorner::open ? ground_turns_detail::kOpen : ground_turns_detail::kClosed;
    const std::uint32_t quarter = d & 6U;  // turned back by it, looked up, turned forward again
    const std::uint32_t turned = ((ring >> quarter) | (ring << (8U - quarter))) & 255U;
    const std::uint32_t found = table[d & 1U][turned];
    return ((found << quarter) | (found >> (8U - quarter))) & 255U;
}

}  // namespace fairlead::drive
