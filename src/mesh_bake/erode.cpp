// Erosion by the agent's radius, exact on the cells: a floor goes if the square of its column is nearer than the radius to the
// square of a column where the surface cannot be walked on. Distances are Euclidean, measured along the surface first
// in y, then in x, which on one level is the plane's own distance (the separable transform of Saito and Toriwaki 1994,
// turned round: only floors near a wall spread it, so the inside of a field costs nothing).

#include <algorithm>

#include "base/no_memory.h"
#include "mesh_bake/floors.h"

namespace fairlead::bake {

namespace {

struct Eroder {
    Floors& f;
    double radius_squared;
    std::int32_t reach;         ///< columns that a wall takes away at most
    Array<std::int32_t> left;   ///< by floor: free columns in -x up to a wall, at most reach
    Array<std::int32_t> right;  ///< and in +x
    Array<std::uint8_t> gone;

    [[nodiscard]] bool near_wall(std::int32_t gap_x, std::int32_t gap_y) const {
        const double x = gap_x;
        const double y = gap_y;
        return x * x + y * y < radius_squared;
    }

    // A wall beside `floor` at gap_x columns in x; its rows above and below see it at a slant.
    void spread(std::uint32_t floor, std::int32_t gap_x, std::uint32_t direction) {
        std::uint32_t at = floor;
        for (std::int32_t rows = 1;; ++rows) {
            at = f.link[4 * std::size_t{at} + direction];
            if (at == kNone || !near_wall(gap_x, rows - 1)) return;
            gone[at] = 1;
        }
    }

    // A wall at the end of a column of floors.
    void spread_end(std::uint32_t floor, std::uint32_t direction) {
        std::uint32_t at = floor;
        for (std::int32_t rows = 0; at != kNone && near_wall(0, rows); ++rows) {
            gone[at] = 1;
            at = f.link[4 * std::size_t{at} + direction];
        }
    }

    Result<void> run_all() {
        const auto count = static_cast<std::uint32_t>(f.size());
        if (!left.resize_uninitialized(count) || !right.resize_uninitialized(count) || !gone.resize(count))
            return kNoMemory;
        // Neighbours in +x have higher numbers, those in -x lower ones.
        for (std::uint32_t floor = count; floor-- > 0;) {
            const std::uint32_t next = f.link[4 * std::size_t{floor}];
            right[floor] = next == kNone ? 0 : std::min(right[next] + 1, reach);
        }
        for (std::uint32_t floor = 0; floor < count; ++floor) {
            const std::uint32_t* links = &f.link[4 * std::size_t{floor}];
            left[floor] = links[2] == kNone ? 0 : std::min(left[links[2]] + 1, reach);
            const std::int32_t gap = std::min(left[floor], right[floor]);
            if (gap < reach && near_wall(gap, 0)) {
                gone[floor] = 1;
                spread(floor, gap, 1);
                spread(floor, gap, 3);
            }
            if (links[1] == kNone) spread_end(floor, 3);
            if (links[3] == kNone) spread_end(floor, 1);
        }
        return {};
    }
};

}  // namespace

Result<void> erode_floors(const Settings& settings, Floors& f) {
    const auto count = static_cast<std::uint32_t>(f.size());
    // Floors that a mark has forbidden are walls.
    const bool marked = !settings.marks.empty();
    const auto cut = [&f, count] {
        for (std::uint32_t floor = 0; floor < count; ++floor) {
            std::uint32_t* links = &f.link[4 * std::size_t{floor}];
            for (std::uint32_t d = 0; d < 4; ++d) {
                if (f.area[floor] == 0 || (links[d] != kNone && f.area[links[d]] == 0)) links[d] = kNone;
            }
        }
    };
    if (marked) cut();
    if (settings.radius <= 0.0) return {};
    std::int32_t reach = static_cast<std::int32_t>(settings.radius);
    if (reach < settings.radius) ++reach;
    Eroder eroder{f,
                  settings.radius * settings.radius,
                  reach,
                  Array<std::int32_t>(settings.allocator),
                  Array<std::int32_t>(settings.allocator),
                  Array<std::uint8_t>(settings.allocator)};
    const Result<void> done = eroder.run_all();
    if (!done) return done;
    for (std::uint32_t floor = 0; floor < count; ++floor) {
        if (eroder.gone[floor] != 0) f.area[floor] = 0;
    }
    cut();
    return {};
}

}  // namespace fairlead::bake
