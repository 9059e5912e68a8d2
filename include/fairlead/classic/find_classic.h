// The article's own program as one call: its search, its smoothing, its turns, each behind a switch (techniques F, P2, P3, P5, S6, D, G4).
//
//     Result<ClassicRoute> way = find_classic(*town, {.start = {{3.5, 3.5}, 0}, .goal = {{40.5, 12.5}, 0}}, scratch);
//     if (way && !way->legal) ...   // way->impossible legs of way->route cannot be driven; way->free says which
//
// For study, for pictures and for who has to port a game that used it. It is honest about what it does wrong; find_route does it right.
// The stages, each of which the program has, and what may be chosen in each:
//   search     tiles        A* over tiles with 4, 8, 24 or 48 neighbours. As in the article it looks at tiles and not at the unit, so a
//                           way may squeeze past corners where the unit does not fit. `body_in_search` sweeps the body along each step,
//                           exactly: then all legs are legal, and 24 and 48 neighbours give 16 and 32 directions
//              directional  Directional-8, -24 or -48: A* over tiles and eight headings, moves along shortest curves (drive/primitives.h),
//                           each judged by the table of the tiles that it sweeps. From the exact start pose; ends in a tile's middle
//                           and in one of eight headings, as the article's does: goal_moved and goal_turned_rad tell by how much
//              hybrid       the program's hybrid search (drive/hybrid.h)
//   smoothing  none, simple (listing 1; P3), and over tiles `ahead`, the pre-smoother that makes curves of them (drive/hybrid.h, B2)
//   probe      what simple smoothing asks: sampled points of the body (classic/walkable.h) or the exact sweep. Where it is not free the way
//              stays as the search found it: what can be smoothed is, what is impossible is kept and flagged (P5, the article's figure 4)
//   curves     turns become arcs, walls ignored (drive/round_corners.h, L1); each stretch is measured
//   facings    the way redrawn for sprites of 8, 16 or 32 facings (drive/fixed_angles.h)
//
// The window. The search runs in a matrix of 60 x 60 tiles around the middle between start and goal, as the article's does: ends more than
// 40 tiles apart, or a way that leaves it, are status `window` unless window_grows, which doubles it up to 360 x 360 tiles, with headings
// 120 x 120. A larger map may still end in `window`. `open` says what the open list is; all three give ways of the same cost.
//
// Costs are the article's: 64 a straight step, 90 a diagonal one, 1/64 tile for others, to the nearest. `article`: floor(64 times the
// straight distance), with headings the table of turns and lines. Both may be too high (errata E12, D9), so a way may be longer than
// the best; `lower_bound` never is. Ways have no bound: route.bound is infinite.
//
// Flags. free[i] tells whether leg i can be driven, judged by the exact sweep; `impossible` counts those that cannot; `legal`: there is
// none and the way is complete. `verify` agrees with them. sampled counts what the samples said of the moves that smoothing tried.
//
// Statuses: complete; unreachable (in the whole map); window; start_blocked, goal_blocked (the tile; directional or body_in_search:
// the body); off_world; budget_spent; directional and hybrid: those of find_hybrid.
// Errors, with the field: not_finite, out_of_range; unsupported: maps with terrain costs, floors, portals, wrapped axes, bodies that
// are no disc (agent.shape), and of the map as find_route says; incompatible, with a ClassicRule as detail: switches that exclude each
// other; out_of_memory.
// Cost: 16 to 51 us for 20 to 60 tiles with 8 neighbours, 2.5 to 4.5 ms on Directional-24 (docs/performance.md, suite window). The
// table of a turning unit is made when it is first asked for (5 to 50 ms) and kept in the scratch.
//
// Source: M. Pinter, Toward More Realistic Pathfinding, 2001, and its program. The switch "ignore bounds" is not offered: outside the
// map nothing is known, and a route through it is none.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/classic/walkable.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

enum class ClassicSearch : std::uint8_t { tiles, directional, hybrid };
enum class ClassicOpen : std::uint8_t { list, tree, heap };
enum class ClassicHeuristic : std::uint8_t { article, lower_bound };
enum class ClassicProbe : std::uint8_t { diamond, square, exact };
enum class ClassicSmoothing : std::uint8_t { none, simple, ahead };

/// Switches that exclude each other: Error::detail of `incompatible`.
enum class ClassicRule : std::int64_t {
    curves_need_radius,       ///< curves, directional, hybrid, ahead, facings with turning_radius 0
    curves_are_searched,      ///< curves with directional, hybrid or ahead, which have them already
    ahead_needs_tiles,        ///< smoothing ahead with directional or hybrid
    sampled_curves,           ///< a sampled probe with directional, hybrid or ahead: their smoothing is exact
    directional_needs_rings,  ///< directional with 4 neighbours
    body_is_in_headings,      ///< body_in_search with directional or hybrid, which always sweep the body
    heap_of_hybrid,           ///< open or heuristic of the hybrid, which has searches of its own
    facings_need_curves,      ///< facings without curves, directional, hybrid or ahead
};
/// One plain English sentence. Never null.
[[nodiscard]] const char* classic_rule_text(ClassicRule rule);

struct ClassicQuery {
    Pose start{};
    Pose goal{};                    ///< its heading is read where the search has headings
    bool any_goal_heading = false;  ///< directional: it is not
    Agent agent{.radius = 0.4};     ///< a disc; turning_radius where curves are asked for
    ClassicSearch search = ClassicSearch::tiles;
    std::int32_t neighbours = 8;  ///< 4, 8, 24, 48
    bool body_in_search = false;
    ClassicOpen open = ClassicOpen::list;
    ClassicHeuristic heuristic = ClassicHeuristic::article;
    ClassicSmoothing smoothing = ClassicSmoothing::simple;
    ClassicProbe probe = ClassicProbe::diamond;
    double granularity = 0.2;  ///< sampled probes: tiles, 0.001 to 10
    bool curves = false;
    std::int32_t facings = 0;  ///< 0, 8, 16, 32
    bool window_grows = false;
    std::uint64_t expansions_max = UINT64_MAX;
};

struct ClassicRoute {
    Route route;               ///< planner "classic"
    bool legal = false;        ///< complete, and every leg can be driven
    Array<std::uint8_t> free;  ///< one a leg: 1 can be driven
    std::int64_t impossible = 0;
    WalkableCount sampled;  ///< the moves that smoothing tried: what the samples said, and the exact sweep
    std::int64_t waypoints = 0;  ///< of the search, start and goal included
    std::int64_t dropped = 0;    ///< of those, by smoothing
    std::int32_t window = 0;     ///< tiles a side; 0: none was needed
    std::size_t node_bytes = 0;  ///< of the matrix
    std::size_t bit_bytes = 0;   ///< of what is cleared for a query, in whole words
    double goal_moved = 0.0;     ///< directional: world units between the goal asked for and the route's end
    double goal_turned_rad = 0.0;
    bool drawn = false;  ///< facings: the whole way could be redrawn
};

[[nodiscard]] Result<ClassicRoute> find_classic(const GridState& grid, const ClassicQuery& query,
                                                Scratch& scratch);
/// `out` keeps its memory. A warm call allocates nothing, but where `facings`, a hybrid or curves write routes of their own.
[[nodiscard]] Result<void> find_classic_into(const GridState& grid, const ClassicQuery& query,
                                             Scratch& scratch, ClassicRoute& out);

}  // namespace fairlead
