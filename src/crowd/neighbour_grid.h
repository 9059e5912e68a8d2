// Which units are near: a grid of cells over the ground, hashed, filled by a counting sort, so that within a cell numbers ascend.
#pragma once

#include <fairlead/base/array.h>

#include "crowd/unit.h"

namespace fairlead::crowd {

class NeighbourGrid {
  public:
    explicit NeighbourGrid(const Allocator& allocator) : starts_(allocator), members_(allocator) {}

    /// False: no memory.
    [[nodiscard]] bool fill(std::span<const Unit> units, double cell);
    /// Those nearest to a unit, by distance and then by number, whose discs are nearer than `reach`: as many as `ids` has room for, at most
    /// kHardMax. Returns how near they are all there: `reach`, or less where room ran out.
    double find(std::span<const Unit> units, std::uint32_t self, double reach, double height,
                std::span<std::uint32_t> ids, std::uint32_t& count) const;

  private:
    struct Member {
        Vec2 p{};
        double radius = 0.0;
        std::int64_t x = 0;
        std::int64_t y = 0;
        std::uint32_t unit = 0;
    };
    [[nodiscard]] std::size_t slot(std::int64_t x, std::int64_t y) const;
    [[nodiscard]] std::int64_t column(double x) const;

    Array<std::uint32_t> starts_;
    Array<Member> members_;
    double cell_ = 1.0;
    double radius_max_ = 0.0;
    std::size_t mask_ = 0;
};

}  // namespace fairlead::crowd
