// Moves: the eight neighbours of a cell, and tables that turn the 3 x 3 cells around it into the moves allowed.
#pragma once

#include <cstdint>

#include <fairlead/grid/grid.h>

namespace fairlead::grid {

/// Compass order: straight moves are even.
inline constexpr std::int32_t kMoveDx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
inline constexpr std::int32_t kMoveDy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
inline constexpr std::uint32_t kNoMove = 8;  ///< the tag of a start: no direction yet
inline constexpr std::uint32_t kStraightMoves = 0b01010101;

[[nodiscard]] inline constexpr bool is_diagonal(std::uint32_t move) { return (move & 1U) != 0; }

/// The move of a step by (dx, dy), each in -1..1 and not both 0.
[[nodiscard]] inline constexpr std::uint32_t move_of(std::int32_t dx, std::int32_t dy) {
    constexpr std::uint8_t table[9] = {5, 6, 7, 4, 8, 0, 3, 2, 1};
    return table[(dy + 1) * 3 + dx + 1];
}

/// Free cells of the 3 x 3 around a cell as nine bits: bit 3 (dy + 1) + dx + 1.
inline constexpr std::uint32_t kAroundSize = 512;

/// For one corner rule and one neighbourhood: which moves may be made, by the nine bits around the cell, and
/// which of them a search needs to make, given the move that it came by.
///
/// A successor n of x, reached from p, is not needed if p reaches n without x at no greater cost (at less cost if
/// x was entered diagonally, so that of equal paths the one with its diagonals first remains; with four neighbours
/// the one with its vertical moves first). This is the
/// pruning rule of jump-point search (Harabor & Grastien 2011) used on single steps: the canonical ordering of
/// Sturtevant & Rabin (2016). It holds for uniform cost only.
struct MoveTables {
    std::uint8_t allowed[kAroundSize];
    std::uint8_t canonical[9][kAroundSize];  ///< by the move made to get here, kNoMove for a start

    void fill(CornerRule rule, Neighbourhood neighbours);
};

}  // namespace fairlead::grid
