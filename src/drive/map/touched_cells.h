// TouchedCells: which cells boxes touch, as words of 64 cells of a row. Only words that something touches are kept.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/aabb.h>
#include <fairlead/search/node_store.h>

namespace fairlead::drive {

class TouchedCells {
  public:
    explicit TouchedCells(const Allocator& allocator) : index_(allocator), words_(allocator) {}

    /// Of a map of this size; nothing is touched.
    void begin(std::int32_t width, std::int32_t height);
    /// The cells of the closed box in the rows from `bottom` to before `top`, a part at a time: `row`, first INT32_MIN, is where to go
    /// on. Looks at no more than `budget` words, which falls, but at one row. True: all is marked, or memory was missing.
    [[nodiscard]] bool mark(const Aabb& box, std::int32_t bottom, std::int32_t top, std::int32_t& row,
                            std::int64_t& budget);
    [[nodiscard]] bool failed() const { return failed_; }

    /// Bit i: the cell 64 word + i of the row. Nothing outside the map.
    [[nodiscard]] std::uint64_t word(std::int32_t word, std::int32_t y) const {
        if (word < 0 || word >= across_ || y < 0 || y >= height_) return 0;
        const std::uint32_t at = index_.find(static_cast<std::uint32_t>(y * across_ + word));
        return at == kNoNode ? 0 : words_[at];
    }

  private:
    [[nodiscard]] bool mark_row(std::int32_t left, std::int32_t right, std::int32_t y);

    std::int32_t width_ = 0;
    std::int32_t across_ = 0;  ///< words of a row
    std::int32_t height_ = 0;
    HashedNodes index_;
    Array<std::uint64_t> words_;
    bool failed_ = false;
};

}  // namespace fairlead::drive
