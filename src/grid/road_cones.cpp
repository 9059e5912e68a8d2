#include <fairlead/grid/road_cones.h>

#include <algorithm>
#include <bit>

namespace fairlead {

namespace {

constexpr std::int32_t kTurnTilesMax = 64;

// Directions on more than one axis, but not all: that is a road without lanes.
bool is_bend(std::uint8_t directions) {
    const std::uint32_t axes = (directions | (directions >> 4)) & 0xfU;
    return directions != kRoadAnyWay && (axes & (axes - 1)) != 0;
}

// Calls visit(x, y) for the cells of a layer up to `reach` columns and rows away.
template <class Visit>
void for_cells_around(const RoadLayer& roads, std::int32_t x, std::int32_t y, std::int32_t reach,
                      const Visit& visit) {
    for (std::int32_t ty = std::max(y - reach, 0); ty <= std::min(y + reach, roads.height() - 1); ++ty) {
        for (std::int32_t tx = std::max(x - reach, 0); tx <= std::min(x + reach, roads.width() - 1); ++tx)
            visit(tx, ty);
    }
}

}  // namespace

Result<RoadCones> RoadCones::make(const RoadLayer& roads, std::int32_t turn_tiles,
                                  const Allocator& allocator) {
    if (turn_tiles < 0 || turn_tiles > kTurnTilesMax) return Error{ErrorCode::out_of_range, 1, turn_tiles};
    RoadCones cones;
    cones.width_ = roads.width();
    cones.height_ = roads.height();
    cones.words_ = (static_cast<std::size_t>(roads.width()) + 63) / 64;
    cones.bits_ = Array<std::uint64_t>(allocator);
    const std::size_t size = cones.words_ * static_cast<std::size_t>(roads.height());
    if (!cones.bits_.resize(size))
        return Error{ErrorCode::out_of_memory, -1, static_cast<std::int64_t>(size * sizeof(std::uint64_t))};
    const auto word = [&](std::int32_t x, std::int32_t y) -> std::uint64_t& {
        return cones.bits_[static_cast<std::size_t>(y) * cones.words_ + static_cast<std::size_t>(x >> 6)];
    };
    const auto bit = [](std::int32_t x) { return std::uint64_t{1} << (x & 63); };
    for (std::int32_t y = 0; y < roads.height(); ++y) {
        for (std::int32_t x = 0; x < roads.width(); ++x) {
            if (roads.at(x, y) == 0) continue;
            for_cells_around(roads, x, y, 1, [&](std::int32_t tx, std::int32_t ty) {
                if (roads.at(tx, ty) == 0) word(tx, ty) |= bit(tx);
            });
        }
    }
    for (std::int32_t y = 0; y < roads.height() && turn_tiles > 0; ++y) {
        for (std::int32_t x = 0; x < roads.width(); ++x) {
            if (!is_bend(roads.at(x, y))) continue;
            for_cells_around(roads, x, y, turn_tiles,
                             [&](std::int32_t tx, std::int32_t ty) { word(tx, ty) &= ~bit(tx); });
        }
    }
    return cones;
}

std::int64_t RoadCones::count() const {
    std::int64_t sum = 0;
    for (const std::uint64_t word : bits_) sum += std::popcount(word);
    return sum;
}

}  // namespace fairlead
