// Cells that a unit may be driven over, as bits by row and once more by column, so that both are scanned a word at a time.
//
// A map has one plane for its free cells and one for each of its larger cores: the cells in which some pose is in the core, that is,
// reaches it and is reached by it. A core is a strong component: every pose of every way between two of its poses is in it. So a way on
// the ground of a core is never farther than one over free cells, and leads into no gap that this unit cannot drive through.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "drive/ground/ground_bits.h"

namespace fairlead::drive {

class MapData;

struct GroundPlane {
    GroundBits rows{};
    GroundBits columns{};  ///< cell (x, y) is bit y of row x
};

/// The planes of a map, all but the rows of its free cells, which it has anyway.
class GroundPlanes {
  public:
    static constexpr std::int32_t kMost = 4;  ///< cores with a plane: the larger ones
    explicit GroundPlanes(const Allocator& allocator = {}) : words_(allocator) {}

    /// After the cores or the free cells have changed: what differs is remade. False: out of memory, there are no planes.
    [[nodiscard]] bool update(const MapData& map);
    [[nodiscard]] bool copy_from(const GroundPlanes& other);
    void clear();

    [[nodiscard]] bool empty() const { return words_.empty(); }
    /// Over all free cells; `rows` the map's.
    [[nodiscard]] GroundPlane free(const GroundBits& rows) const { return {rows, columns(0)}; }
    [[nodiscard]] std::int32_t cores() const { return cores_; }
    /// Of the i-th core that has a plane, and which one it is.
    [[nodiscard]] GroundPlane of(std::int32_t i) const { return {rows(i + 1), columns(i + 1)}; }
    [[nodiscard]] std::int32_t core(std::int32_t i) const { return core_[i]; }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }

  private:
    [[nodiscard]] std::size_t row_stride() const { return static_cast<std::size_t>((width_ + 63) / 64) + 2; }
    [[nodiscard]] std::size_t column_stride() const {
        return static_cast<std::size_t>((height_ + 63) / 64) + 2;
    }
    [[nodiscard]] std::size_t row_words() const {
        return row_stride() * (static_cast<std::size_t>(height_) + 2);
    }
    [[nodiscard]] std::size_t column_words() const {
        return column_stride() * (static_cast<std::size_t>(width_) + 2);
    }
    [[nodiscard]] std::size_t at(std::int32_t plane) const {
        return static_cast<std::size_t>(plane) * (row_words() + column_words());
    }
    [[nodiscard]] GroundBits rows(std::int32_t plane) const;
    [[nodiscard]] GroundBits columns(std::int32_t plane) const;
    [[nodiscard]] bool choose_cores(const MapData& map);
    void fill(std::int32_t plane, const MapData& map);
    void turn_block(std::int32_t plane, const GroundBits& from, std::int32_t word, std::int32_t band);

    Array<std::uint64_t> words_;  // by plane: rows, columns; each with a border of blocked words
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::int32_t cores_ = 0;
    std::int32_t core_[kMost] = {};
};

}  // namespace fairlead::drive
