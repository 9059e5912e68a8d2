// The tile planners' witness: plain Dijkstra on the explicit graph of cells, with exact lengths.
//
// Written apart from the library: it knows the tiles as a vector of bytes and has its own geometry of bodies, corners,
// blockers, sight and seams. It reads GridQuery as the question, and shares no code with what answers it. Clean and
// slow: building is linear in cells x size of the body, a search is O(cells log cells).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>

#include "oracle/length.h"

namespace fairlead::oracle {

/// A tile world as plain data.
struct World {
    std::int32_t width = 1;
    std::int32_t height = 1;
    std::int32_t layers = 1;
    bool wrap_x = false;
    bool wrap_y = false;
    Vec2 origin{};
    double cell_size = 1.0;
    std::vector<std::uint8_t> tiles;           ///< layer by layer, row by row; 0 is a wall
    std::vector<std::uint16_t> terrain_costs;  ///< empty, or 256
    /// What entering a tile costs a unit without a filter.
    [[nodiscard]] double own_cost(std::uint8_t tile) const {
        return terrain_costs.empty() ? tile : terrain_costs[tile];
    }
    /// With one: to the nearest whole number from 1 to 1023; 0: closed.
    [[nodiscard]] double cost_for(const GridQuery& query, std::uint8_t tile) const {
        if (query.terrain.closed.contains(tile)) return 0.0;
        if (tile >= query.terrain.factors.size()) return own_cost(tile);
        const double factor = query.terrain.factors[tile];
        return factor == 0.0 ? 0.0 : std::clamp(std::round(own_cost(tile) * factor), 1.0, 1023.0);
    }
    std::vector<Portal> portals;  ///< costs are multiples of 1/1024

    [[nodiscard]] std::int32_t cells() const { return width * height * layers; }
    [[nodiscard]] std::int32_t index(Cell c) const { return (c.layer * height + c.y) * width + c.x; }
    [[nodiscard]] Cell cell(std::int32_t i) const {
        return {i % width, i / width % height, i / width / height};
    }
    /// Brings a cell of a wrapped axis back into the map. False when it is outside.
    [[nodiscard]] bool wrap(Cell& c) const;
    /// Options for Grid::make with this world's size, axes, costs and portals.
    [[nodiscard]] GridOptions options() const;
};

/// Where the unit's centre is when it stands in a cell, in cells: the centre, or the low corner for an even footprint.
[[nodiscard]] Vec2 standing_point(const World& world, const Agent& agent, Cell cell);

/// What one query makes of a world: where the unit fits, where it can step and what that costs, which cells are the
/// goal. Planner, smoothing, budget and exact start of the query do not matter.
class GridOracle {
  public:
    /// The spans of the query must outlive the oracle.
    GridOracle(const World& world, const GridQuery& query);

    [[nodiscard]] const World& world() const { return *world_; }
    [[nodiscard]] bool fits(std::int32_t cell) const { return fits_[static_cast<std::size_t>(cell)] != 0; }

    struct Move {
        std::int32_t to;
        std::int32_t heading;  ///< 0 to 7 counter-clockwise from +x in steps of 45 degrees, 8 for a portal
        Length length;
    };
    /// All legal steps and portals out of a cell, self loops included.
    [[nodiscard]] const Move* begin(std::int32_t cell) const { return moves_.data() + first_[at(cell)]; }
    [[nodiscard]] const Move* end(std::int32_t cell) const { return moves_.data() + first_[at(cell) + 1]; }

    /// Length from a cell to every cell, nothing where there is no route.
    [[nodiscard]] std::vector<std::optional<Length>> lengths_from(std::int32_t start) const;

    /// Shortest length to any cell of a set.
    [[nodiscard]] std::optional<Length> shortest(std::int32_t start,
                                                 const std::vector<std::int32_t>& goals) const;

    /// The same with `penalty` (in 1/1024 cell) for each 45 degrees between one step's heading and the next one's. The
    /// first step is free. A portal keeps the heading.
    [[nodiscard]] std::optional<Length> shortest_with_turns(std::int32_t start,
                                                            const std::vector<std::int32_t>& goals,
                                                            std::int64_t penalty,
                                                            std::int64_t each = 0) const;

    /// Cells that a route from `start` can reach, flood filled.
    [[nodiscard]] std::vector<char> reachable(std::int32_t start) const;

    /// Cells of the goal region in which the unit can stand. The region is in world units, as in GridQuery.
    [[nodiscard]] std::vector<std::int32_t> goal_cells(const Goal& goal) const;

    /// Does the straight segment between two points (in cells) keep clear of the open interior of all walls (tile 0, not
    /// forbidden terrain)? Two walls side by side or corner to corner leave no way between them.
    [[nodiscard]] bool clear_line(Vec2 a, Vec2 b, std::int32_t layer) const;

    /// The cell that a point (in cells) is joined to: of the nine around it the one whose standing point is nearest
    /// among those to which the body can move straight. Nothing if there is none, or the body overlaps something at the
    /// point itself.
    [[nodiscard]] std::optional<std::int32_t> attach(Vec2 point, std::int32_t layer) const {
        const std::optional<Attached> to = attach_to(point, layer);
        return to ? std::optional<std::int32_t>(to->cell) : std::nullopt;
    }
    /// A point in the corner between two walls is joined to the free cells on both its sides: the one that is not `first`.
    [[nodiscard]] std::optional<std::int32_t> other_side(Vec2 point, std::int32_t layer,
                                                         std::int32_t first) const;
    /// The same, and how far that standing point is: around an axis of one or two cells the image that is nearest may not be the
    /// one that can be moved to.
    struct Attached {
        std::int32_t cell;
        double gap;
    };
    [[nodiscard]] std::optional<Attached> attach_to(Vec2 point, std::int32_t layer) const;

    /// May the body move straight from a to b (in cells)?
    [[nodiscard]] bool can_sweep(Vec2 a, Vec2 b, std::int32_t layer) const;

    /// Distance of two points in cells, over the seams of wrapped axes.
    [[nodiscard]] double distance(Vec2 a, Vec2 b) const;

  private:
    struct Offset {
        std::int32_t x;
        std::int32_t y;
    };
    [[nodiscard]] static std::size_t at(std::int32_t cell) { return static_cast<std::size_t>(cell); }
    [[nodiscard]] bool wall(Cell cell) const;        ///< or forbidden terrain
    [[nodiscard]] bool solid_wall(Cell cell) const;  ///< tile 0
    [[nodiscard]] std::vector<Offset> swept_offsets(Offset step) const;
    [[nodiscard]] bool offsets_are_free(Cell from, const std::vector<Offset>& offsets) const;
    [[nodiscard]] bool sweep_is_free(Cell from, Offset step, const std::vector<Offset>& offsets) const;
    [[nodiscard]] bool blocker_in_way(Vec2 a, Vec2 b, std::int32_t layer) const;
    [[nodiscard]] std::int64_t entering(std::int32_t cell) const;
    void add_steps(Cell from);
    void add_portals(std::int32_t from);

    const World* world_;
    GridQuery query_;
    double radius_ = 0.0;  ///< in cells
    std::vector<std::uint8_t> walls_;
    std::vector<std::int64_t> entering_;
    std::vector<char> fits_;       ///< blockers count
    std::vector<char> wall_fits_;  ///< they do not: the corner rule is about tiles
    std::vector<Offset> offsets_[8];
    std::vector<std::size_t> first_;
    std::vector<Move> moves_;
};

}  // namespace fairlead::oracle
