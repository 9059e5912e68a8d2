// The article's pre-smoother and its hybrid search: legal curves along a way of tiles (techniques B2 and B3).
//
//     Result<TileDrive> drive = drive_along_tiles(*map, {.start = here, .goal = there, .tiles = tiles}, scratch);   // B2
//     Result<HybridDrive> way = find_hybrid(*map, {.start = here, .goal = there}, scratch);                         // B3
//
// B2, the Linear Directional-48 pre-smoother. Given a way of tiles, as any grid search finds it, the shortest drive whose
// lattice poses all lie on those tiles: the map's own primitives, forward gear, each from one tile to another at most
// `ahead` further on. The article does it best-first with a bounded lag; since every move leads on along the way,
// this is done tile by tile (dynamic programming over tile x heading) and is exact for the corridor.
//
// B3, the hybrid search:
//   1. tiles     the shortest way with 4 neighbours over the free cells. None: unreachable
//   2. forward   B2 along it. It reaches the goal: done
//   3.           else the best heading at the furthest tile reached ends piece A
//   4. backward  B2 from the goal; the nearest tile to the start from which the goal is reached begins piece B
//   5.           A and B farther apart than `gap` tiles on an axis: given up. Else both are shortened, turn by turn, as long as they
//                stay within the gap: room for
//   6. join      the lattice search (find_drive.h) from A's end to B's beginning, whose heading is masked to B's
//   7.           A, join and B, one after the other
//   8. smooth    the article's simple smoothing with curves, over the poses between the legs: from an anchor the next pose but one is tried
//                by the shortest curve; if that is free, and no longer, the pose between is dropped, else it is the next
//                anchor. Legs in reverse stay
// The result tells how far it came and what each stage cost. It is not complete: where the tiles lead through a place
// too tight for the unit, it gives up although another way may exist. find_drive.h is complete on its lattice; the hybrid is here
// as the classic that it is, and for ways that must follow given tiles.
//
// Promises: routes start and end at the exact poses; complete routes are legal (verify). The tile search asks for room for the
// largest disc about the axle within the body, except at the two ends. Deterministic.
//
// Statuses: complete; partial (drive_along_tiles: the tiles cannot be driven to the end; the route ends at tile `furthest`);
// unreachable (drive_along_tiles: not one tile was reached; find_hybrid: no way of tiles); budget_spent (find_hybrid gave up: `stage`
// tells where; no proof that there is no way); start_blocked, goal_blocked, off_world.
//
// Errors: unsupported: a lattice whose poses are not in the middle of cells (detail 0), a map with
// roads (1), with several floors or links (2); not_finite (start, goal); size_zero,
// size_limit (1 to 1,000,000 tiles); out_of_range (tile `index` is off the map; ahead; gap);
// out_of_memory.
// Cost: linear in tiles x headings x primitives. On random maps of 60 x 50 cells with discs of turning radius 1 to 3 the hybrid takes
// 0.15 ms where find_route takes 0.39 ms weighted and 1.1 ms optimal. With discs, boxes and capsules it solves 502 of 585 pairs of poses
// that find_route does, 12 % dearer than the optimal planner (17 % without step 8). On published maps, where ways are longer, it gives
// up far more often. Of 40 pairs of poses each
// (disc 0.4, turning radius 3, the chosen moves) it solves, with 8, 16 and 32 headings: dao/arena2 5, 27, 28; dao/den520d 8, 16,
// 22; cities/Berlin_0_256 24, 31, 34. Use 16 headings or more. No allocation when warm.
//
// Source: M. Pinter, Toward More Realistic Pathfinding, 2001, and its sample program.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// A cell of the map.
struct TileCell {
    std::int32_t x = 0;
    std::int32_t y = 0;

    friend bool operator==(const TileCell&, const TileCell&) = default;
};

struct TileDriveQuery {
    Pose start{};  ///< world units
    Pose goal{};
    Borrowed<TileCell> tiles{};  ///< from the start's to the goal's, in any steps; must outlive it
    std::int32_t ahead = 0;      ///< tiles, 1 to 64; the article's is 3. 0: twice the reach of the primitives
};

struct TileDrive {
    Route route;                 ///< planner: "tile_drive"
    std::int64_t furthest = -1;  ///< the last of the tiles that was reached; -1: none
    std::uint64_t expanded = 0;  ///< poses
};

[[nodiscard]] Result<TileDrive> drive_along_tiles(const DriveMapState& map, const TileDriveQuery& query,
                                                  Scratch& scratch);
[[nodiscard]] Result<void> drive_along_tiles_into(const DriveMapState& map, const TileDriveQuery& query,
                                                  Scratch& scratch, TileDrive& out);

struct HybridQuery {
    Pose start{};
    Pose goal{};
    std::int32_t ahead = 0;  ///< as above
    std::int32_t gap = 12;   ///< tiles, 1 to 100
    std::uint64_t join_expansions_max = 20000;
    bool smooth = true;  ///< step 8
};

/// Where the search ended.
enum class HybridStage : std::uint8_t {
    ends,      ///< start or goal is blocked or off the map
    tiles,     ///< there is no way of tiles
    forward,   ///< complete: the tiles could be driven from start to goal
    gap,       ///< given up: the two pieces are too far apart
    join,      ///< given up: the two pieces cannot be joined
    complete,  ///< complete: A, join and B
};

/// "ends", ... Never null.
[[nodiscard]] const char* hybrid_stage_name(HybridStage stage);

struct HybridDrive {
    Route route;  ///< planner: "hybrid"
    HybridStage stage = HybridStage::ends;
    std::int64_t tiles = 0;      ///< of the way
    std::int64_t furthest = -1;  ///< tile that piece A reached
    std::int64_t nearest =
        -1;  ///< tile that piece B begins at, before it was shortened; -1: it has not been looked for
    std::uint64_t expanded_tiles = 0;
    std::uint64_t expanded_forward = 0;
    std::uint64_t expanded_backward = 0;
    std::uint64_t expanded_join = 0;
};

[[nodiscard]] Result<HybridDrive> find_hybrid(const DriveMapState& map, const HybridQuery& query,
                                              Scratch& scratch);
[[nodiscard]] Result<void> find_hybrid_into(const DriveMapState& map, const HybridQuery& query,
                                            Scratch& scratch, HybridDrive& out);

}  // namespace fairlead
