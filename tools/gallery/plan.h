// Asking the planners, for figures.
#pragma once

#include <string>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "gallery/figure.h"

namespace fairlead::gallery {

/// A query, its answer, what the search looked at, and what the exact checker says.
struct Plan {
    GridQuery query{};
    Route route{};
    debug::Trace trace{};
    Violation violation{};
};

/// Asks one query of a world. Throws DemoError when it is refused as malformed.
[[nodiscard]] Plan make_plan(const World& world, const GridQuery& query);
/// The world's query of that name.
[[nodiscard]] Plan make_plan(const World& world, const std::string& query);

/// "complete, length 41.3, 12 legs, 1 284 expanded".
[[nodiscard]] std::string plan_text(const Plan& plan, bool with_search = true);
[[nodiscard]] Row plan_row(std::string label, const Plan& plan);

struct PlanDraw {
    bool map = true;
    bool search = true;  ///< the trace as heat
    debug::Color color = debug::palette::kRoute;
    double dash = 0.0;
    std::int32_t layer = -1;
};

/// The map, the search, blockers, the goal region and the route. On a wrapped axis the route is drawn once in each
/// lap that it touches.
void draw_plan(const World& world, const Plan& plan, const debug::Sink& sink, const PlanDraw& options = {});

/// One panel a query, each with its title, its picture and its numbers, and a row of the table each. Titles are the
/// queries' names if none are given.
void draw_queries(Canvas& canvas, const World& world, const std::vector<std::string>& queries, int columns,
                  const PlanDraw& options = {}, const std::vector<std::string>& titles = {},
                  const std::vector<LegendItem>& more_legend = {});

}  // namespace fairlead::gallery
