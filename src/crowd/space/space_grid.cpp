// A hashed grid: as many slots as a power of two above the number of units; two cells may share a slot, so members remember their cell.
#include "crowd/space/space_grid.h"

#include <bit>
#include <cmath>

namespace fairlead::crowd {

void SpaceGrid::place(Vec3 at, std::int64_t* cell) const {
    constexpr double kFar = 1e15;
    const double on[3] = {at.x, at.y, at.z};
    for (int k = 0; k < 3; ++k) {
        const double number = std::floor(on[k] / cell_);
        cell[k] = static_cast<std::int64_t>(number < -kFar ? -kFar : number > kFar ? kFar : number);
    }
}

std::size_t SpaceGrid::slot(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^
                                static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu ^
                                static_cast<std::uint64_t>(z) * 0x165667B19E3779F9u;
    return static_cast<std::size_t>(mixed >> 32 ^ mixed) & mask_;
}

bool SpaceGrid::fill(std::span<const Unit> units, double cell) {
    cell_ = cell;
    radius_max_ = 0.0;
    std::size_t used = 0;
    for (const Unit& unit : units) {
        if (!unit.used) continue;
        ++used;
        if (unit.body.radius > radius_max_) radius_max_ = unit.body.radius;
    }
    mask_ = std::bit_ceil(used * 2 + 1) - 1;
    if (!starts_.resize_uninitialized(mask_ + 2) || !members_.resize_uninitialized(used)) return false;
    for (std::uint32_t& start : starts_) start = 0;
    std::int64_t at[3];
    for (const Unit& unit : units) {
        if (!unit.used) continue;
        place(unit.at.position, at);
        ++starts_[slot(at[0], at[1], at[2])];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    // backward, so that each slot's end moves to its start and members ascend
    for (std::size_t i = units.size(); i-- > 0;) {
        const Unit& unit = units[i];
        if (!unit.used) continue;
        place(unit.at.position, at);
        Member& member = members_[--starts_[slot(at[0], at[1], at[2])]];
        member.p = unit.at.position;
        member.radius = unit.body.radius;
        for (int k = 0; k < 3; ++k) member.cell[k] = at[k];
        member.unit = static_cast<std::uint32_t>(i);
    }
    return true;
}

}  // namespace fairlead::crowd
