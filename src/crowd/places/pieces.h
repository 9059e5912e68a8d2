// Pieces: connected points of one kind of a lattice, by runs. Points are joined with their eight neighbours.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

namespace fairlead::crowd {

/// Kinds of points. Those of no kind belong to no piece.
enum PointKind : std::uint8_t {
    kNoKind = 0,
    kNarrow = 1,
    kWide = 2,
    kToken = 3,  ///< when lanes are looked for: in a token place
};

inline constexpr std::uint32_t kNoPiece = UINT32_MAX;

struct PieceRun {
    std::int32_t y = 0;
    std::int32_t x0 = 0;  ///< up to before x1
    std::int32_t x1 = 0;
    std::uint32_t piece = 0;
};

struct Piece {
    std::uint8_t kind = kNoKind;
    std::uint64_t points = 0;
};

/// Sets joined by their smallest members.
class Joined {
  public:
    explicit Joined(const Allocator& allocator) : parent_(allocator) {}
    [[nodiscard]] bool begin(std::size_t count) {
        if (!parent_.resize_uninitialized(count)) return false;
        for (std::size_t i = 0; i < count; ++i) parent_[i] = static_cast<std::uint32_t>(i);
        return true;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a != b) parent_[a < b ? b : a] = a < b ? a : b;
    }
    [[nodiscard]] std::size_t memory() const { return parent_.bytes(); }

  private:
    Array<std::uint32_t> parent_;
};

struct Pieces {
    explicit Pieces(const Allocator& allocator)
        : runs(allocator), rows(allocator), pieces(allocator), joined(allocator) {}

    /// `kinds`: width x height. Pieces are numbered by their first point, row by row. False: no memory.
    [[nodiscard]] bool find(const std::uint8_t* kinds, std::int32_t width, std::int32_t height);
    /// The piece of a point, or kNoPiece. O(log runs of the row).
    [[nodiscard]] std::uint32_t at(std::int32_t x, std::int32_t y) const;
    [[nodiscard]] std::size_t memory() const {
        return runs.bytes() + rows.bytes() + pieces.bytes() + joined.memory();
    }

    Array<PieceRun> runs;       ///< row by row
    Array<std::uint32_t> rows;  ///< the first run of each row, and one more
    Array<Piece> pieces;
    Joined joined;  ///< work

  private:
    [[nodiscard]] bool list_runs(const std::uint8_t* kinds, std::int32_t width, std::int32_t height);
    void join_rows();
    [[nodiscard]] bool number();
};

}  // namespace fairlead::crowd
