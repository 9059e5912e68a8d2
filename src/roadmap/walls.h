// WallSet: the roadmap's own walls, and the exact test of a disc that moves along a segment between them.
#pragma once

#include <cstdint>

#include "roadmap/state.h"

namespace fairlead::roadmap {

using WallSide = RoadmapWallSide;

inline constexpr std::uint32_t kSidesPerItem = 8;

/// Behind it the sides, then the boxes of a BoxTree over groups of kSidesPerItem sides.
struct WallSet {
    Block block{};
    BoxTree tree{};
    std::uint32_t side_count = 0;
    std::uint32_t spare = 0;

    [[nodiscard]] WallSide* sides() { return reinterpret_cast<WallSide*>(this + 1); }
    [[nodiscard]] const WallSide* sides() const { return reinterpret_cast<const WallSide*>(this + 1); }
    [[nodiscard]] Aabb* boxes() { return reinterpret_cast<Aabb*>(sides() + side_count); }
    [[nodiscard]] const Aabb* boxes() const { return reinterpret_cast<const Aabb*>(sides() + side_count); }
    [[nodiscard]] static std::size_t bytes(std::size_t sides, std::size_t boxes) {
        return sizeof(WallSet) + sides * sizeof(WallSide) + boxes * sizeof(Aabb);
    }
};

/// How many sides the walls have.
[[nodiscard]] std::uint64_t count_sides(std::span<const RoadmapWall> walls);

/// Fills a set of the right size (side_count and tree are set) from walls that have been checked.
void build_walls(WallSet& set, std::span<const RoadmapWall> walls, std::span<const Vec2> points);

/// May a disc move from a to b? As RoadmapState::walls_clear says.
[[nodiscard]] bool walls_clear(const WallSet& set, Vec2 a, Vec2 b, double radius);

}  // namespace fairlead::roadmap
