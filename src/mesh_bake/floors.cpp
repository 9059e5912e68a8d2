// Floors from solid columns. What a floor is follows Recast (Mikko Mononen 2009): the slope of the triangles, low obstacles
// that a step takes, ledges, head room. A ledge is left out because the column at the end of a floor is only partly covered by it.

#include "mesh_bake/floors.h"

#include <algorithm>

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

// Whether a walker on a floor under the sky finds a drop over the column beside him, whose lowest span is `at`: what is far
// enough below his feet is passed, and between that and the next span there is room for him.
FAIRLEAD_INLINE bool drops_under_sky(const Span* at, const Span* upper, std::int32_t floor,
                                     const Settings& settings) {
    if (at->high <= at->low) return true;
    while (at->high < floor - settings.climb) {
        if (at->above == 0) return true;
        at = &upper[at->above];
    }
    return at->low - floor >= settings.height;
}

/// Walks up a column beside the one in hand, as that one's floors rise.
struct Beside {
    const Span* at = nullptr;  ///< the lowest span that is not passed yet; null: none is left
    const Span* upper = nullptr;

    Beside(const Span* column, const Span* others)
        : at(column->high > column->low ? column : nullptr), upper(others) {}

    // The same, under a ceiling with head room.
    [[nodiscard]] FAIRLEAD_INLINE bool drops(std::int32_t floor, std::int32_t ceiling,
                                             const Settings& settings) {
        while (at != nullptr && at->high < floor - settings.climb)
            at = at->above == 0 ? nullptr : &upper[at->above];
        return std::min(ceiling, at != nullptr ? at->low : kSky) - floor >= settings.height;
    }
};

struct FloorFinder {
    const SolidRows& solid;
    const CellBox& window;
    const Settings& settings;
    Floors& out;
    [[nodiscard]] SolidRow row(std::int32_t y) const {
        if (y < solid.box.y0 || y >= solid.box.y1) return {};
        return solid.rows[static_cast<std::size_t>(y - solid.box.y0)];
    }

    std::size_t count = 0;
    std::size_t room = 0;

    [[nodiscard]] FAIRLEAD_NOINLINE bool make_room() {
        const std::size_t wanted = std::max<std::size_t>(2 * room, 1024);
        if (!resize(wanted)) return false;
        room = wanted;
        return true;
    }
    [[nodiscard]] bool resize(std::size_t size) {
        return out.cell.resize_uninitialized(size) && out.z.resize_uninitialized(size) &&
               out.ceiling.resize_uninitialized(size) && out.area.resize_uninitialized(size) &&
               out.drop.resize_uninitialized(size);
    }

    [[nodiscard]] FAIRLEAD_INLINE bool add(std::uint32_t cell, std::int32_t z, std::int32_t ceiling,
                                           std::uint32_t area, std::uint16_t drop) {
        if (FAIRLEAD_UNLIKELY(count == room) && !make_room()) return false;
        out.cell[count] = cell;
        out.z[count] = z;
        out.ceiling[count] = ceiling;
        out.area[count] = static_cast<std::uint8_t>(area);
        out.drop[count] = drop;
        ++count;
        return true;
    }

    /// A row and the two beside it.
    struct Rows {
        SolidRow here, north, south;
    };

    // A column with one span, under the sky.
    [[nodiscard]] FAIRLEAD_INLINE bool single(const Rows& rows, std::size_t i, std::uint32_t cell) {
        const Span& span = rows.here.columns[i];
        if (span.area == 0) return true;
        const std::int32_t z = span.high;
        if (drops_under_sky(&rows.here.columns[i + 1], rows.here.upper, z, settings) ||
            drops_under_sky(&rows.north.columns[i], rows.north.upper, z, settings) ||
            drops_under_sky(&rows.here.columns[i - 1], rows.here.upper, z, settings) ||
            drops_under_sky(&rows.south.columns[i], rows.south.upper, z, settings))
            return true;
        return add(cell, z, kSky, span.area, span.drop);
    }

    [[nodiscard]] FAIRLEAD_INLINE bool column(const Rows& rows, std::size_t i, std::uint32_t cell) {
        const Span* upper = rows.here.upper;
        Beside beside[4] = {{&rows.here.columns[i + 1], upper},
                            {&rows.north.columns[i], rows.north.upper},
                            {&rows.here.columns[i - 1], upper},
                            {&rows.south.columns[i], rows.south.upper}};
        const auto is_ledge = [&](std::int32_t z, std::int32_t ceiling) {
            for (Beside& b : beside) {
                if (b.drops(z, ceiling, settings)) return true;
            }
            return false;
        };
        bool walkable_below = false;
        std::uint32_t area_below = 0;
        std::int32_t z_below = 0;
        for (const Span* at = &rows.here.columns[i];;) {
            const Span* above = at->above == 0 ? nullptr : &upper[at->above];
            std::uint32_t area = at->area;
            const bool walkable = area != 0;
            if (!walkable && walkable_below && at->high - z_below <= settings.climb) area = area_below;
            walkable_below = walkable;
            area_below = area;
            z_below = at->high;
            const std::int32_t ceiling = above == nullptr ? kSky : above->low;
            if (area != 0 && ceiling - at->high >= settings.height && !is_ledge(at->high, ceiling)) {
                if (!add(cell, at->high, ceiling, area, at->drop)) return false;
            }
            if (above == nullptr) return true;
            at = above;
        }
    }

    Result<void> run() {
        const auto width = static_cast<std::size_t>(window.width());
        const auto cells = width * static_cast<std::size_t>(window.height());
        out.box = window;
        room = cells + cells / 4;
        if (!out.first.resize_uninitialized(cells + 1) || !resize(room)) return kNoMemory;
        // Beside the columns at the edge of the level there is nothing, and at its side every floor is a ledge.
        const std::int32_t from = std::clamp(solid.box.x0 + 1, window.x0, window.x1);
        const std::int32_t to = std::clamp(solid.box.x1 - 1, from, window.x1);
        std::uint32_t cell = 0;
        const auto skip = [&](std::int32_t columns) {
            std::fill_n(out.first.begin() + cell, columns, static_cast<std::uint32_t>(count));
            cell += static_cast<std::uint32_t>(columns);
        };
        for (std::int32_t y = window.y0; y < window.y1; ++y) {
            const Rows rows{row(y), row(y + 1), row(y - 1)};
            if (rows.here.columns == nullptr || rows.north.columns == nullptr ||
                rows.south.columns == nullptr) {
                skip(window.x1 - window.x0);
                continue;
            }
            skip(from - window.x0);
            auto i = static_cast<std::size_t>(from - solid.box.x0);
            for (const std::size_t end = i + static_cast<std::size_t>(to - from); i < end; ++i, ++cell) {
                out.first[cell] = static_cast<std::uint32_t>(count);
                const Span& lowest = rows.here.columns[i];
                if (lowest.high <= lowest.low) continue;
                const bool done = lowest.above == 0 ? single(rows, i, cell) : column(rows, i, cell);
                if (!done) return kNoMemory;
            }
            skip(window.x1 - to);
        }
        out.first[cell] = static_cast<std::uint32_t>(count);
        return resize(count) ? Result<void>{} : kNoMemory;
    }
};

}  // namespace

Result<void> find_floors(const SolidRows& solid, const CellBox& window, const Settings& settings,
                         Floors& out) {
    if (window.width() > 0x3fffffff / window.height())
        return Error{ErrorCode::size_limit, Field::cell_size, 0x3fffffff};
    FloorFinder finder{solid, window, settings, out};
    return finder.run();
}

Result<void> link_floors(const Settings& settings, Floors& f) {
    const std::size_t count = f.size();
    if (!f.link.resize_uninitialized(4 * count)) return kNoMemory;
    if (count == 0) return {};
    std::fill(f.link.begin(), f.link.end(), kNone);
    const auto width = static_cast<std::uint32_t>(f.box.width());
    const auto height = static_cast<std::uint32_t>(f.box.height());
    const auto fits = [&f, &settings](std::uint32_t a, std::uint32_t b) {
        const std::int32_t step = f.z[a] - f.z[b];
        return step <= settings.climb && -step <= settings.climb &&
               std::min(f.ceiling[a], f.ceiling[b]) - std::max(f.z[a], f.z[b]) >= settings.height;
    };
    // Both columns are sorted; from below, each floor is matched with the first that is still free.
    const auto match = [&](std::uint32_t a, std::uint32_t a_end, std::uint32_t other,
                           std::uint32_t direction) {
        std::uint32_t b = f.first[other];
        const std::uint32_t b_end = f.first[other + 1];
        while (a < a_end && b < b_end) {
            if (fits(a, b)) {
                f.link[4 * std::size_t{a} + direction] = b;
                f.link[4 * std::size_t{b} + (direction ^ 2U)] = a;
                ++a;
                ++b;
            } else if (f.z[a] < f.z[b]) {
                ++a;
            } else {
                ++b;
            }
        }
    };
    for (std::uint32_t y = 0; y < height; ++y) {
        const std::uint32_t row_end = (y + 1) * width;
        for (std::uint32_t a = f.first[row_end - width]; a < f.first[row_end];) {
            const std::uint32_t cell = f.cell[a];
            const std::uint32_t a_end = f.first[cell + 1];
            if (cell + 1 < row_end) match(a, a_end, cell + 1, 0);
            if (y + 1 < height) match(a, a_end, cell + width, 1);
            a = a_end;
        }
    }
    return {};
}

}  // namespace fairlead::bake
