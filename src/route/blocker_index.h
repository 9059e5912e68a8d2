// BlockerIndex: which of a query's blockers may be near a place.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/blocker.h>

namespace fairlead::route {

/// Around a disc; a box itself.
[[nodiscard]] Aabb box_of(const Blocker& blocker);

/// Buckets of several sizes, each blocker in the smallest that are at least as long as it is; see blocker_index.cpp.
class BlockerIndex {
  public:
    /// Of the ground, in cells.
    struct Axis {
        double size = 0.0;
        bool wraps = false;
    };

    explicit BlockerIndex(const Allocator& a) : places_(a), heads_(a), entries_(a), far_(a) {}

    /// Forgets the blockers of the last query and makes room for `count`, for bodies of this reach (in cells). False: out of
    /// memory.
    [[nodiscard]] bool begin(const Axis& across, const Axis& along, std::size_t count, double reach);
    /// Sorts in the next blocker, in cells. False: out of memory.
    [[nodiscard]] bool add(const Blocker& blocker);

    /// use(number of a blocker) for every blocker of the layer that has a lap in which its box meets the box from `low` to
    /// `high`, and for some others; each once, in an order that depends on nothing else. Ends when `use` returns false;
    /// returns that. At most as much work as looking at each blocker.
    template <class Use>
    bool near(std::int32_t layer, Vec2 low, Vec2 high, Use use) const;
    /// The same for the boxes within `reach` of the way from a to b; on wrapped axes some perhaps more than once.
    template <class Use>
    bool along(std::int32_t layer, Vec2 a, Vec2 b, double reach, Use use) const;
    /// The same for the boxes within `reach` of a triangle.
    template <class Use>
    bool within(std::int32_t layer, const Vec2 (&corners)[3], double reach, Use use) const;

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::uint32_t kLevelsMax = 24;

    struct Range {
        std::int32_t low = 0;
        std::int32_t high = -1;
    };
    /// What an interval of one axis covers: two ranges where it runs over a seam.
    struct Buckets {
        Range part[2]{};
        [[nodiscard]] std::int64_t count() const {
            return std::int64_t{part[0].high} - part[0].low + 1 + part[1].high - part[1].low + 1;
        }
    };
    struct Place {
        Buckets x{};
        Buckets y{};
        std::int32_t layer = 0;
        std::uint32_t level = 0;
    };
    struct Head {
        std::uint32_t stamp = 0;
        std::uint32_t first = kNone;
    };
    struct Entry {
        std::uint32_t place = 0;
        std::uint32_t next = kNone;
        std::int32_t x = 0;
        std::int32_t y = 0;
    };

    [[nodiscard]] double side(std::uint32_t level) const {
        return side_ * static_cast<double>(1ULL << level);
    }
    [[nodiscard]] Buckets buckets(const Axis& axis, std::uint32_t level, double low, double high) const;
    [[nodiscard]] std::uint32_t slot(std::uint32_t level, std::int32_t layer, std::int32_t x,
                                     std::int32_t y) const;
    /// The first bucket of `asked`, in the order in which they are looked through, that is one of `covered`.
    [[nodiscard]] static std::int32_t first_common(const Buckets& asked, const Buckets& covered);
    /// Which columns of buckets of row y come within `reach` of the outline of some corners.
    [[nodiscard]] Range columns_of(std::span<const Vec2> corners, double reach, std::uint32_t level,
                                   std::int32_t y) const;
    [[nodiscard]] Range rows_of(std::span<const Vec2> corners, double reach, std::uint32_t level) const;
    [[nodiscard]] bool wraps() const { return across_.wraps || along_.wraps; }
    template <class Use>
    bool all_of(std::int32_t layer, Use use) const;
    template <class Use>
    bool in_outline(std::int32_t layer, std::span<const Vec2> corners, double reach, Use use) const;
    template <class Use>
    bool in_bucket(std::uint32_t level, std::int32_t layer, const Buckets& columns, const Buckets& rows,
                   std::int32_t x, std::int32_t y, Use use) const;
    template <class Use>
    bool in_level(std::uint32_t level, std::int32_t layer, const Buckets& columns, const Buckets& rows,
                  Use use) const;

    Axis across_{};
    Axis along_{};
    double side_ = 4.0;         ///< of the smallest buckets, in cells
    std::uint32_t levels_ = 0;  ///< bit i: level i holds something
    std::uint32_t mask_ = 0;    ///< of the table of buckets
    std::uint32_t stamp_ = 0;   ///< heads of other stamps are empty
    Array<Place> places_;
    Array<Head> heads_;
    Array<Entry> entries_;
    Array<std::uint32_t>
        far_;  ///< so far out on a wrapped axis that their lap is not known: looked at each time
};

// ---- details -------------------------------------------------------------------------------------------------

template <class Use>
bool BlockerIndex::all_of(std::int32_t layer, Use use) const {
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
        if (places_[i].layer == layer && !use(i)) return false;
    }
    return true;
}

template <class Use>
bool BlockerIndex::in_bucket(std::uint32_t level, std::int32_t layer, const Buckets& columns,
                             const Buckets& rows, std::int32_t x, std::int32_t y, Use use) const {
    const Head& head = heads_[slot(level, layer, x, y)];
    if (head.stamp != stamp_) return true;
    for (std::uint32_t at = head.first; at != kNone; at = entries_[at].next) {
        const Entry& entry = entries_[at];
        const Place& place = places_[entry.place];
        if (entry.x != x || entry.y != y || place.level != level || place.layer != layer) continue;
        if (first_common(columns, place.x) != x || first_common(rows, place.y) != y) continue;
        if (!use(entry.place)) return false;
    }
    return true;
}

template <class Use>
bool BlockerIndex::in_level(std::uint32_t level, std::int32_t layer, const Buckets& columns,
                            const Buckets& rows, Use use) const {
    for (const Range& row : rows.part) {
        for (std::int32_t y = row.low; y <= row.high; ++y) {
            for (const Range& column : columns.part) {
                for (std::int32_t x = column.low; x <= column.high; ++x) {
                    if (!in_bucket(level, layer, columns, rows, x, y, use)) return false;
                }
            }
        }
    }
    return true;
}

template <class Use>
bool BlockerIndex::near(std::int32_t layer, Vec2 low, Vec2 high, Use use) const {
    Buckets columns[kLevelsMax];
    Buckets rows[kLevelsMax];
    std::int64_t count = 0;
    for (std::uint32_t level = 0; level < kLevelsMax; ++level) {
        if ((levels_ >> level & 1U) == 0) continue;
        columns[level] = buckets(across_, level, low.x, high.x);
        rows[level] = buckets(along_, level, low.y, high.y);
        count += columns[level].count() * rows[level].count();
    }
    if (count >= static_cast<std::int64_t>(places_.size())) return all_of(layer, use);
    for (std::uint32_t level = 0; level < kLevelsMax; ++level) {
        if ((levels_ >> level & 1U) == 0) continue;
        if (!in_level(level, layer, columns[level], rows[level], use)) return false;
    }
    for (const std::uint32_t i : far_) {
        if (places_[i].layer == layer && !use(i)) return false;
    }
    return true;
}

// Row by row, so that only buckets are looked at that the outline comes near. A blocker covers two rows at most, and is told in
// the first bucket of the first of them.
template <class Use>
bool BlockerIndex::in_outline(std::int32_t layer, std::span<const Vec2> corners, double reach,
                              Use use) const {
    for (std::uint32_t level = 0; level < kLevelsMax; ++level) {
        if ((levels_ >> level & 1U) == 0) continue;
        const Range rows = rows_of(corners, reach, level);
        Range before;
        for (std::int32_t y = rows.low; y <= rows.high; ++y) {
            const Range columns = columns_of(corners, reach, level, y);
            for (std::int32_t x = columns.low; x <= columns.high; ++x) {
                const Head& head = heads_[slot(level, layer, x, y)];
                if (head.stamp != stamp_) continue;
                for (std::uint32_t at = head.first; at != kNone; at = entries_[at].next) {
                    const Entry& entry = entries_[at];
                    if (entry.x != x || entry.y != y) continue;
                    const Place& place = places_[entry.place];
                    if (place.level != level || place.layer != layer) continue;
                    const Range wide = place.x.part[0];
                    if (x > columns.low && x > wide.low) continue;
                    const bool told = place.y.part[0].low < y && before.low <= before.high &&
                                      before.low <= wide.high && before.high >= wide.low;
                    if (!told && !use(entry.place)) return false;
                }
            }
            before = columns;
        }
    }
    return true;
}

template <class Use>
bool BlockerIndex::within(std::int32_t layer, const Vec2 (&corners)[3], double reach, Use use) const {
    if (!wraps()) return in_outline(layer, corners, reach, use);
    Vec2 low = corners[0];
    Vec2 high = corners[0];
    for (const Vec2 p : corners) {
        low = {p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y};
        high = {p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y};
    }
    return near(layer, low - Vec2{reach, reach}, high + Vec2{reach, reach}, use);
}

template <class Use>
bool BlockerIndex::along(std::int32_t layer, Vec2 a, Vec2 b, double reach, Use use) const {
    if (!wraps()) {
        const Vec2 ends[] = {a, b};
        return in_outline(layer, ends, reach, use);
    }
    constexpr double kSidesAPiece = 2.0;
    constexpr double kLooksAPiece = 16.0;
    const double dx = b.x < a.x ? a.x - b.x : b.x - a.x;
    const double dy = b.y < a.y ? a.y - b.y : b.y - a.y;
    const double pieces = (dx < dy ? dy : dx) / (kSidesAPiece * side_);
    if (!(pieces * kLooksAPiece < static_cast<double>(places_.size()))) return all_of(layer, use);
    const auto count = static_cast<std::int32_t>(pieces) + 1;
    Vec2 from = a;
    for (std::int32_t i = 1; i <= count; ++i) {
        const Vec2 to = i == count ? b : a + (b - a) * (static_cast<double>(i) / count);
        const Vec2 low{(from.x < to.x ? from.x : to.x) - reach, (from.y < to.y ? from.y : to.y) - reach};
        const Vec2 high{(from.x < to.x ? to.x : from.x) + reach, (from.y < to.y ? to.y : from.y) + reach};
        if (!near(layer, low, high, use)) return false;
        from = to;
    }
    return true;
}

}  // namespace fairlead::route
