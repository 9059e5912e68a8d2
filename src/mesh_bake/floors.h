// The floors of a window of the span field: where a walker fits, and from which floor to which it can step.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh_bake/settings.h"

namespace fairlead::bake {

/// Directions: +x, +y, -x, -y.
inline constexpr int kStepX[4] = {1, 0, -1, 0};
inline constexpr int kStepY[4] = {0, 1, 0, -1};
inline constexpr int opposite(int direction) { return direction ^ 2; }

/// The solid columns that a window reads: rows of one or several span fields. Outside of them there is nothing.
struct SolidRow {
    const Span* columns = nullptr;  ///< from x0 on; null: no row
    const Span* upper = nullptr;
};

struct SolidRows {
    explicit SolidRows(const Allocator& allocator) : rows(allocator) {}

    CellBox box{};         ///< every row has these columns
    Array<SolidRow> rows;  ///< by y - box.y0
};

/// Floors by column, lowest first, columns by row. A floor that was taken away has area 0 and no links.
struct Floors {
    explicit Floors(const Allocator& a) : first(a), cell(a), z(a), ceiling(a), area(a), drop(a), link(a) {}

    CellBox box{};
    Array<std::uint32_t> first;  ///< floors of column i: first[i] .. first[i + 1]
    Array<std::uint32_t> cell;   ///< the column of a floor
    Array<std::int32_t> z;
    Array<std::int32_t> ceiling;
    Array<std::uint8_t> area;
    Array<std::uint16_t> drop;  ///< Span::drop
    Array<std::uint32_t> link;  ///< by 4 x floor + direction: the floor that a step leads to, or kNone

    [[nodiscard]] std::size_t size() const { return z.size(); }
    [[nodiscard]] std::int32_t x_of(std::uint32_t floor) const {
        return box.x0 + static_cast<std::int32_t>(cell[floor] % static_cast<std::uint32_t>(box.width()));
    }
    [[nodiscard]] std::int32_t y_of(std::uint32_t floor) const {
        return box.y0 + static_cast<std::int32_t>(cell[floor] / static_cast<std::uint32_t>(box.width()));
    }
};

/// The floors of `window`. Low obstacles on a floor are part of it; a floor at whose side there is a drop is none, and neither is one
/// without head room.
[[nodiscard]] Result<void> find_floors(const SolidRows& solid, const CellBox& window,
                                       const Settings& settings, Floors& out);

/// Gives the floors in the marks their areas.
[[nodiscard]] Result<void> mark_areas(const Settings& settings, Floors& floors);

/// Links floors of neighbouring columns: a step of at most the climb, with head room on the way. Links are mutual.
[[nodiscard]] Result<void> link_floors(const Settings& settings, Floors& floors);

/// Takes away the floors from which something that cannot be walked on is nearer than the radius.
[[nodiscard]] Result<void> erode_floors(const Settings& settings, Floors& floors);

}  // namespace fairlead::bake
