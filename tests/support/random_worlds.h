// Random tile worlds and questions about them, for the tests of the tile planners. All from one seeded stream.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>

#include "oracle/grid_oracle.h"

namespace fairlead::testing {

/// What a random question is about.
enum class Topic : std::uint8_t {
    plain,       ///< walls and corner rules, nothing else
    bodies,      ///< discs and footprints of all sizes, registered and not
    terrain,     ///< costs 1 to 9, or a table of costs
    filtered,    ///< the unit's own costs, some terrain closed to it, with bodies
    influence,   ///< threat maps
    wrapped,     ///< axes that wrap
    layered,     ///< floors and portals, one-way ones too
    blocked,     ///< temporary blockers
    regions,     ///< goal regions
    scaled,      ///< origin, cell size, points off the cells' centres
    everything,  ///< all of it at once
    count_,
};

[[nodiscard]] const char* topic_name(Topic topic);

/// A question with the memory behind its spans.
struct Ask {
    GridQuery query;
    std::vector<double> terrain;  ///< factors
    std::vector<std::uint8_t> influence;
    std::vector<Blocker> blockers;
    std::vector<Vec2> goal_points;

    Ask() = default;
    Ask(const Ask&) = delete;
    Ask& operator=(const Ask&) = delete;
    Ask(Ask&&) = default;
    Ask& operator=(Ask&&) = default;

    /// The query with its spans set.
    [[nodiscard]] const GridQuery& bind();
};

/// A world, the sizes to register with its grid, and everything of a query but start, goal and planner.
struct RandomCase {
    oracle::World world;
    std::vector<Agent> sizes;
    CornerRule grid_corner = CornerRule::never;
    Ask ask;

    [[nodiscard]] Grid make_grid() const;
};

/// side_max: of the map; most maps are much smaller.
[[nodiscard]] RandomCase random_case(Rng& rng, Topic topic, std::int32_t side_max);

/// Draws start and goal for the case; mostly cells where the unit fits.
void draw_ends(Rng& rng, Topic topic, const oracle::GridOracle& oracle, RandomCase& drawn);

/// One layer of tiles: scattered walls, rooms with doors, or a maze.
[[nodiscard]] std::vector<std::uint8_t> random_map(Rng& rng, std::int32_t width, std::int32_t height);

}  // namespace fairlead::testing
