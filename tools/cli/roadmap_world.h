// A roadmap file as WORLD: the net, its walls and the tile map beside it, and the queries on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <fairlead/bridge/tile_sight.h>
#include <fairlead/debug/trace.h>
#include <fairlead/explain/explain.h>
#include <fairlead/grid/query.h>
#include <fairlead/roadmap/find_route.h>

#include "cli/world.h"

namespace fairlead::cli {

struct RoadmapWorld {
    Roadmap roadmap;
    std::unique_ptr<Grid> tiles;  ///< null: none
    std::unique_ptr<TileSight> over;

    [[nodiscard]] SightQuery sight() const { return over ? over->sight() : SightQuery{}; }
};

/// With the map that the file names, which lies beside it.
[[nodiscard]] RoadmapWorld load_roadmap_world(const WorldFlags& world, CornerRule corner);

/// Fails if there are any: they are for tile worlds.
void refuse_blockers(std::span<const Blocker> blockers);

/// What the planner flags mean on a roadmap; fails for planners that are for tile worlds.
[[nodiscard]] RoadmapQuery roadmap_query(const GridQuery& flags, const RoadmapWorld& world, bool check_edges);

[[nodiscard]] std::string roadmap_error_text(const Error& error);

/// Map, net, expanded waypoints, route. `trace` has the events of the search. `why`: its place is marked, its text is the title, and the
/// first help's route is drawn.
[[nodiscard]] std::string make_svg(const RoadmapWorld& world, const RoadmapQuery& query, const Route& route,
                                   const debug::Trace& trace, bool y_up, const Explanation* why = nullptr);

}  // namespace fairlead::cli
