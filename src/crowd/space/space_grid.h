// Which units are near in space: cells of three dimensions, hashed, filled by a counting sort, so that within a cell numbers ascend.
#pragma once

#include <cmath>

#include <fairlead/base/array.h>

#include "crowd/unit.h"

namespace fairlead::crowd {

class SpaceGrid {
  public:
    struct Member {
        Vec3 p{};
        double radius = 0.0;
        std::int64_t cell[3] = {};
        std::uint32_t unit = 0;
    };

    explicit SpaceGrid(const Allocator& allocator) : starts_(allocator), members_(allocator) {}

    /// False: no memory.
    [[nodiscard]] bool fill(std::span<const Unit> units, double cell);
    [[nodiscard]] double radius_max() const { return radius_max_; }

    /// Calls visit(member) for all whose middle may be within `reach` of a place, in an order that depends on the places alone.
    template <class Visit>
    void each(Vec3 at, double reach, Visit&& visit) const {
        const Vec3 by{reach, reach, reach};
        std::int64_t low[3];
        std::int64_t high[3];
        place(at - by, low);
        place(at + by, high);
        const double cells = static_cast<double>(high[0] - low[0] + 1) *
                             static_cast<double>(high[1] - low[1] + 1) *
                             static_cast<double>(high[2] - low[2] + 1);
        if (!(cells < static_cast<double>(members_.size()))) {
            for (const Member& member : members_) visit(member);
            return;
        }
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
            for (std::int64_t y = low[1]; y <= high[1]; ++y) {
                for (std::int64_t x = low[0]; x <= high[0]; ++x) {
                    const std::size_t s = slot(x, y, z);
                    for (std::uint32_t i = starts_[s]; i < starts_[s + 1]; ++i) {
                        const Member& m = members_[i];
                        if (m.cell[0] == x && m.cell[1] == y && m.cell[2] == z) visit(m);
                    }
                }
            }
        }
    }

  private:
    void place(Vec3 at, std::int64_t* cell) const;
    [[nodiscard]] std::size_t slot(std::int64_t x, std::int64_t y, std::int64_t z) const;

    Array<std::uint32_t> starts_;
    Array<Member> members_;
    double cell_ = 1.0;
    double radius_max_ = 0.0;
    std::size_t mask_ = 0;
};

}  // namespace fairlead::crowd
