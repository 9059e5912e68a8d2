// The axis of a place: ways from each of its mouths to the first one that keep to the middle, as a tree of few corners.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "base/least_heap.h"
#include "crowd/places/field.h"
#include "crowd/places/pieces.h"

namespace fairlead::crowd {

/// A point of the lattice on the axis.
struct AxisPoint {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::uint32_t parent = 0;  ///< below its own number; of the first: itself
    std::uint32_t mark = 0;    ///< work: children, then the number in the result
    bool corner = false;       ///< stays when the axis is simplified
};

class AxisTree {
  public:
    explicit AxisTree(const Allocator& allocator)
        : points_(allocator),
          cost_(allocator),
          heap_(allocator),
          raw(allocator),
          nodes(allocator),
          of_mouth(allocator),
          chain_(allocator),
          stack_(allocator) {}

    /// Begins a place that lies within `box`.
    [[nodiscard]] bool begin(const PointRect& box);
    void allow(const PieceRun& run);
    /// Around a mouth that opens to a token place: how narrow it becomes there is that place's affair.
    void ease(const PlaceField& field, const PieceRun& mouth);
    /// `mouths`: points of the place; `piece` is not 0 where one opens to a token place. False: no memory.
    [[nodiscard]] bool make(const PlaceField& field, std::span<const PieceRun> mouths);
    /// Squared: as far from walls as one can keep, but where it was eased, from each mouth that opens to wide to each other; from every
    /// mouth to every other if less than two do.
    [[nodiscard]] std::uint32_t clearance() const { return width_; }

    [[nodiscard]] std::size_t memory() const {
        return points_.bytes() + cost_.bytes() + heap_.bytes() + raw.bytes() + nodes.bytes() +
               of_mouth.bytes() + chain_.bytes() + stack_.bytes();
    }

  private:
    struct Point {
        std::uint32_t node = 0;  ///< of raw, and one more
        std::uint8_t from = 0;   ///< the step that led here: one of eight, and one more
        std::uint8_t state = 0;  ///< kOutside, kOpen or kClosed
        std::uint8_t eased = 0;
    };
    struct Entry {
        std::uint64_t cost;
        std::uint32_t point;
    };
    struct Span {
        std::uint32_t low;
        std::uint32_t high;
    };

    [[nodiscard]] std::size_t at(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y - box_.y0) * static_cast<std::size_t>(box_.width()) +
               static_cast<std::size_t>(x - box_.x0);
    }
    [[nodiscard]] static bool before(const Entry& a, const Entry& b);
    [[nodiscard]] bool spread(const PlaceField& field, std::span<const PieceRun> mouths, bool widest);
    void reopen();
    [[nodiscard]] bool add_way(const PieceRun& mouth);
    void mark_corners(std::span<const PieceRun> mouths);
    [[nodiscard]] bool simplify();
    [[nodiscard]] bool keep_bends();

    PointRect box_{};
    std::size_t root_ = 0;         ///< of mouths
    std::uint32_t clearance_ = 0;  ///< squared, between all mouths
    std::uint32_t width_ = 0;      ///< squared, between those that open to wide
    Array<Point> points_;
    Array<std::uint64_t> cost_;
    LeastHeap<Entry, before> heap_;

  public:
    Array<AxisPoint> raw;           ///< every point of the axis
    Array<AxisPoint> nodes;         ///< its corners
    Array<std::uint32_t> of_mouth;  ///< of each mouth its node, kNoPiece where none leads to the first

  private:
    Array<std::uint32_t> chain_;
    Array<Span> stack_;
};

}  // namespace fairlead::crowd
