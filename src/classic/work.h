// What find_classic keeps in the Scratch, and the stages that share it.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/classic/find_classic.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/round_corners.h>

#include "classic/tile_space.h"
#include "classic/window.h"
#include "drive/lattice/article_bound.h"

namespace fairlead::classic {

struct ClassicWork {
    explicit ClassicWork(const Allocator& allocator)
        : window(allocator), chain(allocator), tiles(allocator), points(allocator), legs(allocator) {}

    Window window;
    TileStepTable steps;
    drive::ArticleBound bound;
    Array<std::uint32_t> chain;  ///< places, from the start to the goal
    Array<TileCell> tiles;
    Array<Vec2> points;
    Array<Leg> legs;
    RoundedCorners corners;
    TileDrive along;
    HybridDrive joined;
    FixedAngles drawn;
};

/// One query under way.
struct ClassicJob {
    const GridState& grid;
    const ClassicQuery& query;
    Scratch& scratch;
    ClassicWork& work;
    ClassicRoute& out;
    const DriveMap* map = nullptr;  ///< of units with a turning radius
};

/// Is it well formed? check_query.cpp.
[[nodiscard]] Result<void> check_classic(const GridState& grid, const ClassicQuery& query);
/// Start and goal: complete if a search may begin.
[[nodiscard]] PathStatus look_at_ends(const ClassicJob& job);
/// Search over tiles: work.chain and out.route.status. tile_stage.cpp.
[[nodiscard]] Result<void> search_tiles(ClassicJob& job);
/// work.points from work.chain, smoothed as asked.
[[nodiscard]] bool smooth_tiles(ClassicJob& job);
/// Straight legs along work.points.
[[nodiscard]] bool write_straight(ClassicJob& job);
/// Search over tiles and headings: the route, smoothed as asked. heading_stage.cpp.
[[nodiscard]] Result<void> search_headings(ClassicJob& job);
/// Stages that make curves of tiles, and the hybrid. curve_stage.cpp.
[[nodiscard]] Result<void> drive_ahead(ClassicJob& job);
[[nodiscard]] Result<void> round_off(ClassicJob& job);
[[nodiscard]] Result<void> search_hybrid(ClassicJob& job);
[[nodiscard]] Result<void> draw_facings(ClassicJob& job);
/// Which legs can be driven.
[[nodiscard]] bool flag_legs(ClassicJob& job);

/// Sums up out.route.legs: length, costs, the end.
void close_route(ClassicJob& job, const Place& end);
/// From the place where it ended back to the start. False: out of memory.
[[nodiscard]] bool take_chain(ClassicWork& work, std::uint32_t goal);

inline constexpr std::int32_t kSideLeast = 60;
inline constexpr std::int32_t kSideMost = 360;
inline constexpr std::int32_t kHeadingSideMost = 120;
/// The window's sides: 60, 120, 240, 360, and past `most` when it was the last.
[[nodiscard]] constexpr std::int32_t next_side(std::int32_t side, std::int32_t most) {
    return side >= most || side * 2 <= most ? side * 2 : most;
}

}  // namespace fairlead::classic
