#include <fairlead/grid/road_cones.h>

#include <algorithm>
#include <bit>

#include <fairlead/base/array.h>
#include <fairlead/grid/grid.h>

namespace fairlead {

namespace {

constexpr std::int32_t kTurnTilesMax = 64;

// A bit for each of the four axes that a cell has directions on.
std::uint32_t axes_of(std::uint8_t directions) { return (directions | (directions >> 4)) & 0xfU; }

bool several(std::uint32_t axes) { return (axes & (axes - 1)) != 0; }

// Calls visit(x, y) for the cells of a layer up to `reach` columns and rows away.
template <class Visit>
void for_cells_around(const RoadLayer& roads, std::int32_t x, std::int32_t y, std::int32_t reach,
                      const Visit& visit) {
    for (std::int32_t ty = std::max(y - reach, 0); ty <= std::min(y + reach, roads.height() - 1); ++ty) {
        for (std::int32_t tx = std::max(x - reach, 0); tx <= std::min(x + reach, roads.width() - 1); ++tx)
            visit(tx, ty);
    }
}

// Which cells are bends or junctions. Cells with directions on more than one axis are. Cells for any way are a road without
// lanes, or what a junction is painted with: a patch of them is a junction where roads of more than one axis meet it.
class Bends {
  public:
    Bends(const RoadLayer& roads, const Allocator& allocator)
        : roads_(roads), kinds_(allocator), patch_(allocator) {}

    [[nodiscard]] bool find() {
        const auto cells =
            static_cast<std::size_t>(roads_.width()) * static_cast<std::size_t>(roads_.height());
        if (!kinds_.resize(cells)) return false;
        for (std::int32_t y = 0; y < roads_.height(); ++y) {
            for (std::int32_t x = 0; x < roads_.width(); ++x) {
                const std::uint8_t directions = roads_.at(x, y);
                if (directions != kRoadAnyWay) {
                    kind(x, y) = several(axes_of(directions)) ? kBend : kNone;
                } else if (kind(x, y) == kNew && !look_at_patch(x, y)) {
                    return false;
                }
            }
        }
        return true;
    }
    [[nodiscard]] bool at(std::int32_t x, std::int32_t y) { return kind(x, y) == kBend; }

  private:
    enum : std::uint8_t { kNew, kNone, kBend };

    [[nodiscard]] std::uint8_t& kind(std::int32_t x, std::int32_t y) {
        return kinds_[static_cast<std::size_t>(y) * static_cast<std::size_t>(roads_.width()) +
                      static_cast<std::size_t>(x)];
    }
    // Goes over a patch of cells for any way that hang together by their sides.
    [[nodiscard]] bool look_at_patch(std::int32_t x, std::int32_t y) {
        std::uint32_t axes = 0;
        patch_.clear();
        kind(x, y) = kNone;
        if (!patch_.push_back({x, y, 0})) return false;
        bool good = true;
        for (std::size_t i = 0; i < patch_.size() && good; ++i) {
            const Cell at = patch_[i];
            const Cell beside[] = {
                {at.x + 1, at.y, 0}, {at.x, at.y + 1, 0}, {at.x - 1, at.y, 0}, {at.x, at.y - 1, 0}};
            for (const Cell& next : beside) {
                if (next.x < 0 || next.y < 0 || next.x >= roads_.width() || next.y >= roads_.height())
                    continue;
                const std::uint8_t directions = roads_.at(next.x, next.y);
                if (directions != kRoadAnyWay) {
                    axes |= axes_of(directions);
                } else if (kind(next.x, next.y) == kNew) {
                    kind(next.x, next.y) = kNone;
                    good = good && patch_.push_back(next);
                }
            }
        }
        for (std::size_t i = 0; i < patch_.size() && several(axes); ++i)
            kind(patch_[i].x, patch_[i].y) = kBend;
        return good;
    }

    const RoadLayer& roads_;
    Array<std::uint8_t> kinds_;
    Array<Cell> patch_;
};

}  // namespace

Result<RoadCones> RoadCones::make(const RoadLayer& roads, std::int32_t turn_tiles,
                                  const Allocator& allocator) {
    if (turn_tiles < 0 || turn_tiles > kTurnTilesMax)
        return Error{ErrorCode::out_of_range, Field::tiles, turn_tiles};
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
    if (turn_tiles == 0) return cones;
    Bends bends(roads, allocator);
    if (!bends.find()) return Error{ErrorCode::out_of_memory, -1, 0};
    for (std::int32_t y = 0; y < roads.height(); ++y) {
        for (std::int32_t x = 0; x < roads.width(); ++x) {
            if (!bends.at(x, y)) continue;
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
