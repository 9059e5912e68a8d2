// Cells along a way on the ground: those of a plane that are near it, and free ones around its ends. A search that keeps to them
// meets few poses of a large map.
//
// Cost: linear in the way's length; a bit a cell of the map. It is emptied by what it holds.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "drive/ground/ground_way.h"

namespace fairlead::drive {

class Corridor {
  public:
    explicit Corridor(const Allocator& allocator) : words_(allocator), boxes_(allocator) {}

    /// Empty, of a map's size. False: out of memory.
    [[nodiscard]] bool begin(const GroundBits& map);
    /// The cells of `from` no farther from a place than `reach` on both axes. False: out of memory.
    [[nodiscard]] bool add_box(const GroundBits& from, GroundCell middle, std::int32_t reach) {
        return add_boxed(from, middle, middle, reach);
    }
    /// Those no farther from a line, straight or aslant, than `reach`.
    [[nodiscard]] bool add_line(const GroundBits& from, GroundCell a, GroundCell b, std::int32_t reach);
    [[nodiscard]] const GroundBits& cells() const { return bits_; }

  private:
    struct Box {
        std::int32_t left, low, right, top;  // half open
    };
    void empty();
    [[nodiscard]] bool add_boxed(const GroundBits& from, GroundCell a, GroundCell b, std::int32_t reach);

    Array<std::uint64_t> words_;  // with a border of blocked words
    Array<Box> boxes_;            // that have been added
    GroundBits bits_{};
};

}  // namespace fairlead::drive
