// Grid: a tile world. Any map size up to 16384 x 16384 cells a layer, one bit per cell and direction for
// walls, so that a scan reads 64 cells at once.
//
//     Result<Grid> town = Grid::make({.width = 512, .height = 512}, tiles);
//     town->fill({{10, 10}, {26, 26}}, 0);                  // put up a 16 x 16 building
//     GridSnapshot frozen = town->acquire();                // a search on it never sees later edits
//
// Tiles. One byte a cell: 0 is a wall; 1 to 255 is a kind of terrain, whose cost of ENTERING is its own
// number unless GridOptions::terrain_costs says otherwise. A step to a neighbour costs the cost of the cell
// that it enters, times 1 (straight) or sqrt 2 (diagonal), in cells.
//
// Coordinates. Cell (x, y) spans [x, x+1) x [y, y+1) times cell_size from origin. Layers are floors of the
// same size; portals (stairs) join cells of any two layers. An axis may wrap.
//
// Sizes of units. The radius is an argument of the query, on one grid for all. A size that is *registered*
// has its own bitmap of the cells where such a unit may stand, and a connectivity index; both are kept
// exact by every edit; for discs above half a tile the same is kept of half tiles (find_route.h), past seams and
// portals too. Radii up to the clearance cap (4 tiles by default) need no registering to be fast;
// larger ones are tested cell by cell unless registered.
//
// Edits and snapshots. An edit is a rectangle; it makes a new revision. A snapshot is the state at one
// revision and never changes: edits copy only the chunks that a held snapshot still needs. One thread edits
// and acquires; a snapshot may be read and released on any thread.
//
// Memory, in bytes a cell (GridState::memory() says the exact bytes):
//     walls by rows and by columns, each with the jump points for the scans     0.80
//     clearance                                                                 0.54
//     connectivity     0.1 to 0.2 on game maps, up to 0.6 on random ones; on a chessboard, where every cell is
//                      a component, 1.6
//     terrain, if it is not uniform                                             1.01
//     each registered size                                     0.80 and its connectivity
//     a registered disc with a radius above half a tile        half tiles: 3.4 to 4.0 more, above 1.5 tiles 5.4 to 6.0
// So a game map takes 1.5 for a point unit, and no map but of the chessboard's kind more than 2. These hold for
// 1024 x 1024. Each row and column is padded by up to two words of 64 cells and the tables of chunks take a few
// KiB, so small maps take more a cell: 1.8 in all at 256 x 256, 3.6 at 64 x 64.
//
// Cost: make is linear in cells (10 to 30 ms for 1024 x 1024 with one registered size). An edit is linear in the
// edited rectangle grown by the largest registered radius; connectivity relabels the 64 x 64 cells around it and, only
// where their border changed, joins them anew with their 63 neighbours, level by level.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/base/snapshot.h>
#include <fairlead/math/aabb.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>

namespace fairlead {

struct Cell {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t layer = 0;

    /// Its middle, as a place of a query.
    constexpr operator Spot() const { return Spot::cell(x, y, layer); }
    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Half open: low <= cell < high on both axes, on one layer.
struct CellRect {
    struct Corner {
        std::int32_t x = 0;
        std::int32_t y = 0;
        friend bool operator==(const Corner&, const Corner&) = default;
    };
    Corner low{};
    Corner high{};
    std::int32_t layer = 0;

    [[nodiscard]] bool empty() const { return low.x >= high.x || low.y >= high.y; }
    friend bool operator==(const CellRect&, const CellRect&) = default;
};

/// The centre of a cell of a grid at the origin with cell size 1. For others use GridState::cell_centre.
[[nodiscard]] constexpr Vec2 cell_centre(std::int32_t x, std::int32_t y) {
    return {static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5};
}

/// May a diagonal step pass the two cells that it squeezes between? "Free" means that this unit can stand
/// there. Whatever the rule, a step must be legal by exact geometry: only a point unit (radius 0) may pass
/// through a wall's corner. So `always` means "what geometry allows".
enum class CornerRule : std::uint8_t {
    never,     ///< both must be free (the rule of the MovingAI benchmarks)
    one_free,  ///< at least one
    always,    ///< neither
};

enum class Neighbourhood : std::uint8_t { four, eight };

/// Joins two cells that are not neighbours: stairs, a ladder, a teleporter. Both ends must be inside the map;
/// a portal whose end is blocked for the unit is closed for it.
struct Portal {
    Cell from{};
    Cell to{};
    double cost = 1.0;  ///< in cells, > 0, at most 1e6
    bool two_way = true;
};

struct GridOptions {
    std::int32_t width = 0;   ///< 1 to 16384
    std::int32_t height = 0;  ///< 1 to 16384
    std::int32_t layers = 1;  ///< 1 to 64; width x height x layers at most 2^31
    /// Refused (out_of_range) where the contact slack (math/contact.h) would be more than 1e-3 cells: about 1.7e10 cells away.
    Vec2 origin{};
    double cell_size = 1.0;  ///< 1e-100 to 1e100
    bool wrap_x = false;     ///< x = width - 1 and x = 0 are neighbours
    bool wrap_y = false;
    CornerRule corner = CornerRule::never;  ///< what the connectivity indices answer for
    Borrowed<Agent> sizes{};                ///< sizes to register; a point unit always is. At most 15
    Borrowed<Portal> portals{};             ///< at most 2^22
    Borrowed<std::uint16_t>
        terrain_costs{};  ///< by terrain 1 to 255 (entry 0 is ignored), each 1 to 1023; empty: the number itself
    /// Keeps a hierarchy of each registered size, for maps above 1024 x 1024 (GridPlanner::hierarchy). Made on one thread; see
    /// Grid::make_hierarchy.
    bool hierarchy = false;
    Allocator allocator{};
};

struct GridMemory {
    std::size_t occupancy = 0;
    std::size_t clearance = 0;
    std::size_t terrain = 0;
    std::size_t sizes = 0;         ///< all registered sizes' bitmaps
    std::size_t connectivity = 0;  ///< all registered sizes' indices
    std::size_t half_lattice = 0;  ///< half tiles of registered discs wider than a tile: bitmaps and indices
    std::size_t hierarchy = 0;     ///< all registered sizes' clusters
    std::size_t other = 0;         ///< tables of chunks, portals
    [[nodiscard]] std::size_t total() const {
        return occupancy + clearance + terrain + sizes + connectivity + half_lattice + hierarchy + other;
    }
};

namespace grid {
struct StateData;   // src/grid/state.h
struct EditorData;  // src/grid/editor.h
class Draft;        // src/grid/draft.h
}  // namespace grid

/// One revision of a grid, read only. Reading is safe from any thread while a snapshot of it is held (or, for
/// the current one, while nobody edits).
class GridState {
  public:
    [[nodiscard]] std::int32_t width() const;
    [[nodiscard]] std::int32_t height() const;
    [[nodiscard]] std::int32_t layers() const;
    [[nodiscard]] Vec2 origin() const;
    [[nodiscard]] double cell_size() const;
    [[nodiscard]] bool wrap_x() const;
    [[nodiscard]] bool wrap_y() const;
    [[nodiscard]] CornerRule corner() const;
    [[nodiscard]] std::uint64_t revision() const;
    [[nodiscard]] std::span<const Portal> portals() const;

    [[nodiscard]] bool inside(Cell cell) const;
    /// The terrain byte; 0 for a wall and for every cell outside the map.
    [[nodiscard]] std::uint8_t tile(Cell cell) const;
    /// tile(cell) == 0.
    [[nodiscard]] bool blocked(Cell cell) const;
    /// Cost of entering; 0 where blocked.
    [[nodiscard]] std::int32_t cost(Cell cell) const;
    /// True when every free cell costs 1: no terrain is stored.
    [[nodiscard]] bool uniform() const;
    /// Number of free cells, all layers. O(1).
    [[nodiscard]] std::int64_t free_cells() const;

    /// Exact distance from the cell's centre to the nearest wall (or the edge of the map, unless it wraps), in
    /// world units; never more than `limit`. 0 for a blocked cell. O(1) up to the cap of 4 tiles, beyond it the
    /// rows within reach are scanned, 64 cells at a time.
    [[nodiscard]] double clearance(Cell cell, double limit) const;

    /// May the agent's centre be at the centre of the cell (for an even footprint: at its low corner)?
    [[nodiscard]] bool can_stand(Cell cell, const Agent& agent) const;

    /// Does a route lead from cell a to cell b for this size under the grid's corner rule? Empty (has_value false) when the
    /// size is not registered. O(1); but it is a search, which allocates, for a disc wider than a tile that the index does
    /// not join from tile to tile while a point is joined (of 1.5 tiles and less: no search; above: where the index of half tiles
    /// joins them), and where portals are one-way.
    [[nodiscard]] Result<bool> connected(Cell a, Cell b, const Agent& agent) const;

    /// The cell that holds the point; outside the map the cell is not inside() (no wrap is applied).
    [[nodiscard]] Cell cell_at(Vec2 point, std::int32_t layer = 0) const;
    [[nodiscard]] Vec2 cell_centre(Cell cell) const;

    [[nodiscard]] GridMemory memory() const;

    /// For the library's own modules.
    [[nodiscard]] const grid::StateData& data() const { return *data_; }

  private:
    friend class Grid;
    friend class grid::Draft;
    friend class Snapshot<GridState>;
    [[nodiscard]] bool has_data() const { return data_ != nullptr; }
    void hold() const;
    void let_go() const;

    const grid::StateData* data_ = nullptr;
};

/// Keeps one revision alive (base/snapshot.h). Released before its Grid is destroyed.
using GridSnapshot = Snapshot<GridState>;

/// The owner and editor of a tile world. Move only.
class Grid {
  public:
    /// `tiles` holds width x height x layers bytes: layer by layer, row by row from y = 0. Empty: all tiles are 1.
    /// Errors: size_zero, size_limit, size_mismatch, not_finite, out_of_range, out_of_memory; Error::field says which
    /// option, Error::index which element of a list.
    [[nodiscard]] static Result<Grid> make(const GridOptions& options,
                                           std::span<const std::uint8_t> tiles = {});

    Grid(Grid&& other) noexcept;
    Grid& operator=(Grid&& other) noexcept;
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;
    ~Grid();

    /// The current revision. The reference follows the edits; it is valid while the Grid lives.
    [[nodiscard]] const GridState& state() const {
        FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has no state");
        return state_;
    }
    operator const GridState&() const { return state(); }

    /// Freezes the current revision. O(1).
    [[nodiscard]] GridSnapshot acquire() const;

    /// Replaces the tiles of a rectangle by `tiles`, row by row. Nothing changes on an error: out_of_range (not
    /// inside the map), size_mismatch, out_of_memory. An edit that changes nothing makes no revision.
    Result<void> set(const CellRect& rect, std::span<const std::uint8_t> tiles);
    /// All tiles of a rectangle at once.
    Result<void> fill(const CellRect& rect, std::uint8_t tile);
    Result<void> set(Cell cell, std::uint8_t tile);

    /// Registers one more size. Linear in the map. No error if it is there already.
    Result<void> register_size(const Agent& agent);

    /// What GridOptions::hierarchy does, later and with the caller's threads. 10 to 25 ns a cell and registered size. A new revision with
    /// the same tiles; no error if there is one already. Errors: out_of_memory; then nothing has changed.
    Result<void> make_hierarchy(const Jobs& jobs = {});
    /// The same out of a file of save_hierarchy (grid/save_hierarchy.h), in a quarter of the time. Nothing changes on an error: those of
    /// BakedFile::open; incompatible (it is of other tiles, sizes or options: stale, to be made anew); baked_section, baked_value (index:
    /// the section); out_of_memory.
    Result<void> load_hierarchy(std::span<const std::uint8_t> bytes);

  private:
    template <class Fill>
    Result<void> add_hierarchy(const Fill& fill);

    Grid() = default;
    GridState state_;
    grid::EditorData* editor_ = nullptr;
};

}  // namespace fairlead
