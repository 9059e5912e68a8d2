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
    const Settings& settings;
    Floors& f;
    double radius_squared;
    std::int32_t reach;               ///< columns that a wall takes away at most
    Array<std::int32_t> side;         ///< free columns in x up to the nearer wall, at most reach
    Array<std::uint8_t> gone;

    // How many free columns there are in a direction; `order` makes the neighbour come first.
    void count_free(int direction) {
        const auto count = static_cast<std::uint32_t>(f.size());
        const auto d = static_cast<std::uint32_t>(direction);
        // -x neighbours have lower numbers, +x neighbours higher ones.
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t floor = direction == 2 ? i : count - 1 - i;
            const std::uint32_t next = f.link[4 * std::size_t{floor} + d];
            const std::int32_t free = next == kNone ? 0 : run[next] + 1;
            run[floor] = std::min(free, reach);
        }
    }

    Array<std::int32_t> run;

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
        const std::size_t count = f.size();
        if (!run.resize_uninitialized(count) || !side.resize_uninitialized(count) || !gone.resize(count))
            return kNoMemory;
        count_free(2);
        if (count != 0) std::copy(run.begin(), run.end(), side.begin());
        count_free(0);
        for (std::uint32_t floor = 0; floor < count; ++floor) {
            const std::int32_t gap = std::min(side[floor], run[floor]);
            const std::uint32_t* links = &f.link[4 * std::size_t{floor}];
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
    Eroder eroder{settings, f, settings.radius * settings.radius, reach, Array<std::int32_t>(settings.allocator),
                  Array<std::uint8_t>(settings.allocator), Array<std::int32_t>(settings.allocator)};
    const Result<void> done = eroder.run_all();
    if (!done) return done;
    for (std::uint32_t floor = 0; floor < count; ++floor) {
        if (eroder.gone[floor] != 0) f.area[floor] = 0;
    }
    cut();
    return {};
}

}  // namespace fairlead::bake
