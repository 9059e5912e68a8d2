// EdgeMap: which motion primitives may be driven from which cell of a map, one bit each.
//
// Made from the map's free cells and a DriveTable: bit (cell, primitive) is set if no cell that the body sweeps is
// blocked. All of it is worked out 64 cells at a time: a primitive's swept cells are runs along rows, and one AND of
// the plane "so many free cells from here on" answers a run for 64 starts at once.
//
// An edit of the map remakes the rows within DriveTable::margin() of it (update).
//
// Cost: make is linear in rows x words x runs: 8 to 25 ms for 512 x 512, 16 headings. Memory: primitives / 8 bytes a
// cell (16 headings, radius 3: 60 to 90). No allocation in queries.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_ground.h>
#include <fairlead/drive/drive_table.h>

namespace fairlead {

class EdgeMap {
  public:
    /// The table must outlive the map. Errors: size_zero, size_limit (16384 a side), out_of_memory.
    [[nodiscard]] static Result<EdgeMap> make(const DriveGround& rows, const DriveTable& table,
                                              const Allocator& allocator = {});

    /// After cells of rows low to high - 1 have changed. False: out of memory, the map as it was.
    [[nodiscard]] bool update(const DriveGround& rows, std::int32_t low, std::int32_t high);

    [[nodiscard]] const DriveTable& table() const { return *table_; }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }

    /// Words of the primitives and then of the headings' standing room, for 64 cells of a row: bit x % 64 of word i tells
    /// of primitive i.
    [[nodiscard]] FAIRLEAD_INLINE const std::uint64_t* column(std::int32_t x, std::int32_t y) const {
        return words_.data() +
               (static_cast<std::size_t>(y) * across_ + static_cast<std::size_t>(x >> 6)) * planes_;
    }
    [[nodiscard]] FAIRLEAD_INLINE bool may_drive(std::int32_t x, std::int32_t y,
                                                 std::size_t primitive) const {
        return ((column(x, y)[primitive] >> (x & 63)) & 1U) != 0;
    }
    [[nodiscard]] bool stands(std::int32_t x, std::int32_t y, std::int32_t heading) const {
        return may_drive(x, y, table_->primitives().all().size() + static_cast<std::size_t>(heading));
    }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }

  private:
    EdgeMap() = default;
    [[nodiscard]] bool fill(const DriveGround& rows, std::int32_t low, std::int32_t high);
    template <class Planes>
    void fill_row(const DriveGround& rows, std::int32_t y, Planes& planes, std::span<std::uint64_t> sum);

    const DriveTable* table_ = nullptr;
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::size_t across_ = 0;  // words of a row
    std::size_t planes_ = 0;
    Array<std::uint64_t> words_;
};

}  // namespace fairlead
