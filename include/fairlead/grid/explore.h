// Explorer: a unit that does not know the map. It sees the walls around it, remembers them, and finds its way to the goal, or that there
// is none.
//
//     Result<Explorer> scout = Explorer::make(*town, {.agent = {.radius = 0.4}, .sight = 8.0});   // learns the size, not the walls
//     scout->begin(Vec2{3.5, 3.5}, Vec2{90.5, 40.5});
//     while (scout->status() == ExploreStatus::going) scout->step(*town, scratch);                // each step: look, think, walk a little
//     draw(scout->walked(), scout->known());
//
// Modes.
//   free_space  what was never seen counts as free: the best way over the map as it is known, thought over only when a wall is seen
//               in it (the free-space assumption, Koenig & Smirnov 1996). Always ends: arrived, or unreachable, which is proven then.
//   compass     from region to region, each time into the one beside that lies best in the goal's direction and has not
//               disappointed yet; how far each is from the goal is learned (LRTA*, Korf 1990). Into a region leads the way over the
//               known map, if it is no more than `detour_max` times as long as straight on. What an unknowing man would do; it can fail
//               where a way exists: gave_up. Then set_mode(free_space) and step on: what is known is kept. (Techniques H3 and H4 of the
//               articles.)
//   horizon     look, and go to the place at the edge of sight from which the goal seems nearest; how far it is is learned as well
//               (real-time adaptive A*, Koenig & Likhachev 2006, all that is in sight as the local search). When no such place is left it
//               goes on as free_space does. Always ends. (H5.)
//
// Promises. Every leg walked is legal in the world as it was at that step. Walls may change meanwhile: seen again, they are remembered
// anew. The same steps on every platform. The unit never reads a wall that it has not seen or touched: where it runs into an
// unseen one it stops before it and feels what is around.
//
// Cost: 15 us a step in the mean with a sight of 6 cells: a look at the cells in sight, and, about every second step, a new plan over the
// known map from scratch. On 1,043 random maps of up to 110 x 110: walked 1.15 times the best way in the mean with free_space, 1.44 with
// compass (9 of 943 gave up), 1.61 with horizon. Memory: a grid of its own, a bit a cell, and 4 bytes a cell in horizon mode.
#pragma once

#include <cstdint>

#include <fairlead/base/allocator.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

enum class ExploreMode : std::uint8_t { free_space, compass, horizon };

enum class ExploreStatus : std::uint8_t {
    going,
    arrived,
    unreachable,    ///< proven: also if all that was never seen were free
    start_blocked,  ///< seen from the start
    goal_blocked,   ///< seen at the goal
    off_world,
    gave_up,  ///< compass: a dead end of its rule; any mode: steps_max
    count_,
};

/// "going", "arrived", ... Never null.
[[nodiscard]] const char* explore_status_name(ExploreStatus status);

struct ExploreOptions {
    ExploreMode mode = ExploreMode::free_space;
    Agent agent{};        ///< a disc or a footprint, as GridQuery::agent
    double sight = 8.0;   ///< world units, > 0, at most 256 cells: how far it sees
    double stride = 0.0;  ///< world units, >= 0: a step walks so far at most; 0: half of `sight`
    /// compass: which region each cell is in, 0 to 65535, one for each cell of a layer; empty: squares of region_cells.
    Borrowed<std::uint16_t> regions{};
    std::int32_t region_cells = 16;  ///< 2 to 1024; doubled where there would be more than 65536
    double detour_max = 4.0;         ///< compass: >= 1
    std::uint32_t steps_max = 1U << 20;
    std::int32_t layer = 0;  ///< the floor that it is on and stays on
    Allocator allocator{};
};

struct ExploreStats {
    std::uint32_t steps = 0;
    std::uint32_t plans = 0;  ///< times that it asked for a way
    std::uint32_t bumps = 0;  ///< walls that it ran into unseen
    std::int64_t seen = 0;    ///< cells
};

namespace grid {
struct ExploreData;  // src/grid/explore/explore_data.h
}

class Explorer {
  public:
    /// Of `world` the sizes count, no wall is read. Errors, Error::field: not_finite and out_of_range (range: sight; distance: stride;
    /// tile_cells, factor_min: detour_max, layer, agent), size_mismatch (areas: regions), unsupported (agent: one with a turning
    /// radius; a world that wraps), out_of_memory.
    [[nodiscard]] static Result<Explorer> make(const GridState& world, const ExploreOptions& options = {});
    Explorer(Explorer&& other) noexcept;
    Explorer& operator=(Explorer&& other) noexcept;
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;
    ~Explorer();

    /// A new walk; what is known is kept. Errors: not_finite, unsupported (start, goal: no position or cell).
    Result<void> begin(const Spot& start, const Spot& goal);
    /// Looks round in `world`, whose sizes must be those of make() (size_mismatch), and walks on. Errors: out_of_memory.
    Result<void> step(const GridState& world, Scratch& scratch);
    /// From the next step on.
    void set_mode(ExploreMode mode);
    /// Forgets the walls.
    [[nodiscard]] Result<void> forget();

    [[nodiscard]] ExploreStatus status() const;
    [[nodiscard]] Vec2 position() const;
    /// All legs so far. Its status is complete once arrived, else partial.
    [[nodiscard]] const Route& walked() const;
    /// The way over the known map that it looked for last, from where it was then: it walks along it until a wall is seen in it. No legs
    /// before the first, and none in horizon mode.
    [[nodiscard]] const Route& plan() const;
    /// What it knows: walls that it has seen; all else is free. One layer.
    [[nodiscard]] const GridState& known() const;
    [[nodiscard]] bool seen(Cell cell) const;
    [[nodiscard]] const ExploreStats& stats() const;

  private:
    explicit Explorer(grid::ExploreData* data) : data_(data) {}
    grid::ExploreData* data_ = nullptr;
};

}  // namespace fairlead
