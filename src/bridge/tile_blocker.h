// Blockers as the tiles that they close to turning units.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/math/vec.h>

namespace fairlead::bridge {

/// A blocker in tiles. It closes those whose inside it meets; a point or a line those that it touches.
class TileBlocker {
  public:
    TileBlocker(const Blocker& blocker, Vec2 origin, double cell_size)
        : is_box_(!blocker.box.empty()),
          centre_((blocker.centre - origin) * (1.0 / cell_size)),
          radius_(blocker.radius / cell_size) {
        const Vec2 reach{radius_, radius_};
        low_ = is_box_ ? (blocker.box.low - origin) * (1.0 / cell_size) : centre_ - reach;
        high_ = is_box_ ? (blocker.box.high - origin) * (1.0 / cell_size) : centre_ + reach;
    }

    /// The tiles of a row that it closes: from `first` to before `end`, none if they are equal.
    struct Run {
        std::int32_t first = 0;
        std::int32_t end = 0;
        friend bool operator==(const Run&, const Run&) = default;
    };
    [[nodiscard]] Run run(std::int32_t y, std::int32_t width) const {
        if (!meets(low_.y, high_.y, y)) return {};
        Run out{clamped(low_.x - 1.0, width), clamped(high_.x + 2.0, width)};
        while (out.first < out.end && !closes(out.first, y)) ++out.first;
        while (out.first < out.end && !closes(out.end - 1, y)) --out.end;
        return out;
    }
    /// Clears its tiles of a row of bits.
    void close(std::int32_t y, std::int32_t width, std::span<std::uint64_t> row) const {
        const Run closed = run(y, width);
        for (std::int32_t x = closed.first; x < closed.end; ++x)
            row[static_cast<std::size_t>(x >> 6)] &= ~(std::uint64_t{1} << (x & 63));
    }
    /// Rows from `first` to before `end` are the only ones that may have closed tiles.
    [[nodiscard]] Run rows(std::int32_t height) const {
        return {clamped(low_.y - 1.0, height), clamped(high_.y + 2.0, height)};
    }

  private:
    [[nodiscard]] static std::int32_t clamped(double v, std::int32_t size) {
        if (!(v > 0.0)) return 0;
        return v < size ? static_cast<std::int32_t>(v) : size;
    }
    [[nodiscard]] static bool meets(double low, double high, std::int32_t cell) {
        if (low == high) return low <= cell + 1.0 && high >= cell;
        return low < cell + 1.0 && high > cell;
    }
    [[nodiscard]] bool closes(std::int32_t x, std::int32_t y) const {
        if (is_box_) return meets(low_.x, high_.x, x) && meets(low_.y, high_.y, y);
        const double dx = std::max({x - centre_.x, centre_.x - x - 1.0, 0.0});
        const double dy = std::max({y - centre_.y, centre_.y - y - 1.0, 0.0});
        const double gap = dx * dx + dy * dy;
        return gap < radius_ * radius_ || gap == 0.0;
    }

    bool is_box_;
    Vec2 centre_;
    double radius_;
    Vec2 low_{}, high_{};
};

/// The tiles that they close, as boxes of whole tiles in world units. False: out of memory.
[[nodiscard]] bool list_closed_tiles(std::span<const Blocker> blockers, const GridState& grid,
                                     Array<Blocker>& out);

}  // namespace fairlead::bridge
