#include "support/planner_check.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fairlead/verify/verify.h>

namespace fairlead::testing {

namespace {

using oracle::GridOracle;
using oracle::Length;
using oracle::World;

bool on_map(const World& world, Vec2 cells, std::int32_t layer) {
    return layer >= 0 && layer < world.layers && cells.x >= 0.0 && cells.y >= 0.0 && cells.x <= world.width &&
           cells.y <= world.height;
}

// How far a point is from where the unit stands in the cell that it is joined to; 0 if to none.
double attachment(const GridOracle& oracle, Vec2 point, std::int32_t layer) {
    const auto to = oracle.attach_to(to_cells(oracle.world(), point), layer);
    return to ? to->gap : 0.0;
}

bool is_region(const Goal& goal) { return goal.kind != Goal::Kind::point && goal.kind != Goal::Kind::any_of; }

double farthest_goal(const GridOracle& oracle, const GridQuery& query) {
    const Goal& goal = query.goal;
    if (goal.kind == Goal::Kind::point) return attachment(oracle, goal.at.ground(), goal.at.layer);
    double farthest = 0.0;
    if (goal.kind != Goal::Kind::any_of) return farthest;
    for (const Spot spot : goal.list) {
        farthest = std::max(farthest, attachment(oracle, spot.ground(), goal.at.layer));
    }
    return farthest;
}

bool is_weighted(const World& world, const GridQuery& query) {
    return !query.terrain.empty() || !query.influence.cells.empty() || !world.portals.empty() ||
           !world.terrain_costs.empty() ||
           std::any_of(world.tiles.begin(), world.tiles.end(), [](std::uint8_t t) { return t > 1; });
}

std::string number(double value) {
    std::ostringstream out;
    out.precision(17);
    out << value;
    return out.str();
}

std::string text(const Length& length) {
    std::ostringstream out;
    out << length;
    return out.str();
}

/// What is reached from the start's cells.
std::vector<char> reach_of(const GridOracle& oracle, const Expected& expected) {
    std::vector<char> reach = oracle.reachable(expected.start);
    if (expected.other < 0) return reach;
    const std::vector<char> more = oracle.reachable(expected.other);
    for (std::size_t i = 0; i < reach.size(); ++i) reach[i] = static_cast<char>(reach[i] | more[i]);
    return reach;
}

/// The shortest way from the nearer of the start's cells, for turn_penalty with its turns.
std::optional<Length> shortest_of(const GridOracle& oracle, const GridQuery& query, const Expected& expected,
                                  const std::vector<std::int32_t>& goals) {
    const auto from = [&](std::int32_t start) {
        return query.planner == GridPlanner::turn_penalty
                   ? oracle.shortest_with_turns(start, goals, turn_units(oracle, query.turn_penalty),
                                                turn_units(oracle, query.turn_penalty_each))
                   : oracle.shortest(start, goals);
    };
    const std::optional<Length> first = from(expected.start);
    if (expected.other < 0) return first;
    const std::optional<Length> second = from(expected.other);
    return !first || (second && *second < *first) ? second : first;
}

/// The route's tiles from the one of the start's cells that it leaves by.
TileRoute tiles_of(const GridOracle& oracle, const GridQuery& query, const Expected& expected,
                   const Route& route) {
    TileRoute tiles = follow_tiles(oracle, query, route, expected.start);
    if (!tiles.problem.empty() && expected.other >= 0) {
        TileRoute others = follow_tiles(oracle, query, route, expected.other);
        if (others.problem.empty()) return others;
    }
    return tiles;
}

/// What the oracle rounds off a turn of 180 degrees, in cells.
double turn_blur(const GridOracle& oracle, const GridQuery& query) {
    const auto off = [&](double penalty) {
        const double exact = std::min(penalty / oracle.world().cell_size, 1e6);
        return std::abs(exact - static_cast<double>(turn_units(oracle, penalty)) / 1024.0);
    };
    return 4.0 * off(query.turn_penalty) + off(query.turn_penalty_each);
}

/// The route's end against the goal. Empty: right.
std::string check_end(const GridOracle& oracle, const GridQuery& query, const Expected& expected,
                      const Route& route) {
    const World& world = oracle.world();
    const Vec2 end = to_cells(world, ground(route.end.position));
    if (route.status == PathStatus::partial) return "";
    if (route.end.layer != query.goal.at.layer) return "ends on the wrong floor";
    if (is_region(query.goal)) {
        const std::int32_t cell = standing_cell(world, query, end, route.end.layer);
        // The start itself may lie in the region, anywhere in its cell.
        const bool inside =
            std::find(expected.goals.begin(), expected.goals.end(), cell) != expected.goals.end();
        return inside ? "" : "ends outside the goal region";
    }
    const auto reached = [&](Vec2 point) { return oracle.distance(to_cells(world, point), end) < 1e-9; };
    if (query.goal.kind == Goal::Kind::point)
        return reached(query.goal.at.ground()) ? "" : "does not end at the goal";
    for (const Spot p : query.goal.list) {
        if (reached(p.ground())) return "";
    }
    return "ends at none of the goals";
}

std::string check_tiles(const GridOracle& oracle, const GridQuery& query, const Expected& expected,
                        const Route& route) {
    const World& world = oracle.world();
    const TileRoute tiles = tiles_of(oracle, query, expected, route);
    if (!tiles.problem.empty()) return tiles.problem;
    const bool turns = query.planner == GridPlanner::turn_penalty;
    const Length length = turns ? tiles.turned : tiles.length;
    double blur = blur_of(world, query);
    if (turns)
        blur += turn_blur(oracle, query) * static_cast<double>(tiles.cells.size()) /
                std::max(1.0, length.cells());
    if (route.status == PathStatus::complete) {
        const double bound = promised_bound(query);
        const double optimum = expected.length->cells();
        if (bound == 1.0 && !lengths_agree(length, *expected.length, blur)) {
            return "length " + text(length) + ", the oracle has " + text(*expected.length);
        }
        if (length < *expected.length && !lengths_agree(length, *expected.length, blur)) {
            return "length " + text(length) + " is below the optimum " + text(*expected.length);
        }
        if (length.cells() > bound * optimum * (1 + 1e-9 + blur)) return "longer than the planner's bound";
        if (length.cells() > route.bound * optimum * (1 + 1e-9 + blur)) {
            return "longer than the route's own bound " + number(route.bound);
        }
    }
    // The cost is the length in the planner's measure, with the ends that lead to and from the cells' points.
    const Vec2 first = standing_cells(world, query.agent, tiles.cells.front());
    const Vec2 last = standing_cells(world, query.agent, tiles.cells.back());
    const bool off_cells = oracle.distance(first, to_cells(world, query.start.ground())) > 1e-6 ||
                           oracle.distance(last, to_cells(world, ground(route.end.position))) > 1e-6;
    const double cost = length.cells() * world.cell_size;
    const double cost_blur = std::max(1e-9, blur);
    const bool unturned = turns && route.status == PathStatus::partial &&
                          route.bound != 1.0;  // found by a search without turns
    if (!off_cells && !unturned && std::abs(route.cost - cost) > cost_blur * (cost + world.cell_size)) {
        return "cost " + number(route.cost) + " where the tiles cost " + number(cost);
    }
    return "";
}

std::string check_partial(const GridOracle& oracle, const GridQuery& query, const Expected& expected,
                          const Route& route) {
    const World& world = oracle.world();
    const Vec2 goal = to_cells(world, query.goal.at.ground());
    const std::vector<char> reach = reach_of(oracle, expected);
    const auto gap_of = [&](std::int32_t cell) {
        return oracle.distance(standing_cells(world, query.agent, cell), goal);
    };
    double best = 1e300;
    for (std::int32_t i = 0; i < world.cells(); ++i) {
        if (reach[static_cast<std::size_t>(i)] != 0 && world.cell(i).layer == query.goal.at.layer) {
            best = std::min(best, gap_of(i));
        }
    }
    const Vec2 end = to_cells(world, ground(route.end.position));
    const std::int32_t cell = standing_cell(world, query, end, route.end.layer);
    if (cell < 0) return "a partial route ends between cells";
    if (reach[static_cast<std::size_t>(cell)] == 0) return "a partial route ends where there is no way";
    if (gap_of(cell) > best + 1e-9) {
        return "a partial route ends " + number(gap_of(cell)) + " from the goal, there is a place at " +
               number(best);
    }
    if (route.bound != 1.0 || query.smoothing != Smoothing::none) return "";
    const TileRoute tiles = tiles_of(oracle, query, expected, route);
    const bool turns = query.planner == GridPlanner::turn_penalty;
    const std::optional<Length> shortest = shortest_of(oracle, query, expected, {cell});
    if (!lengths_agree(turns ? tiles.turned : tiles.length, *shortest, blur_of(world, query))) {
        return "a partial route is not the shortest to its end";
    }
    return "";
}

// What the half lattice says where cells have no way. That its "no" is the truth is tested against other oracles
// (grid/any_radius_test.cpp): cells can only tell that it is not asked in vain, and how near the goal one gets at least.
std::string check_half(const GridState& grid, const GridOracle& oracle, const GridQuery& query,
                       const Expected& expected, const Route& route) {
    const World& world = oracle.world();
    const PathStatus cells = expected.status;
    if (query.agent.footprint > 0 || query.agent.radius <= 0.5 * world.cell_size)
        return "made by half_lattice";
    if (cells == PathStatus::off_world) return "cells know better";
    if (cells == PathStatus::complete) {
        // Taken first where it is faster: it finds a way too, and none that is dearer but for the ends.
        if (query.planner != GridPlanner::automatic) return "cells know better";
        if (route.status != PathStatus::complete) return "no way where cells have one";
        if (route.cost > (expected.length->cells() + 1.5) * world.cell_size) return "dearer than over cells";
    }
    const bool had_start = cells != PathStatus::start_blocked;
    const bool had_goal = had_start && cells != PathStatus::goal_blocked;
    if (route.status == PathStatus::start_blocked && had_start) return "start_blocked where a cell is near";
    if (route.status == PathStatus::goal_blocked && had_goal) return "goal_blocked where a cell is near";
    if (route.revision != grid.revision()) return "wrong revision";
    if (route.status == PathStatus::unreachable && had_goal && query.partial)
        return "no partial route where cells have one";
    if (route.status != PathStatus::complete && route.status != PathStatus::partial)
        return route.legs.empty() && route.length == 0.0 ? "" : "legs without a route";
    const Violation bad =
        verify(route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
    if (bad) return std::string("illegal: ") + bad.text().c_str();
    const Place first = route.legs.empty() ? route.end : route.legs[0].start;
    if (oracle.distance(to_cells(world, ground(first.position)), to_cells(world, query.start.ground())) >
        1e-9)
        return "does not start at the start";
    if (first.layer != query.start.layer) return "starts on the wrong floor";
    const Vec2 end = to_cells(world, ground(route.end.position));
    const Vec2 goal = to_cells(world, query.goal.at.ground());
    if (route.end.layer != query.goal.at.layer) return "ends on the wrong floor";
    if (route.status == PathStatus::partial) {
        if (!had_start || is_region(query.goal) || query.goal.kind == Goal::Kind::any_of) return "";
        const std::vector<char> reach = reach_of(oracle, expected);
        for (std::int32_t i = 0; i < world.cells(); ++i) {
            if (reach[static_cast<std::size_t>(i)] == 0 || world.cell(i).layer != query.goal.at.layer)
                continue;
            const double gap = oracle.distance(standing_cells(world, query.agent, i), goal);
            if (gap < oracle.distance(end, goal) - 1e-9) return "a cell is nearer to the goal";
        }
        return "";
    }
    const double range = query.goal.range / world.cell_size;
    const double gap = oracle.distance(end, goal);
    switch (query.goal.kind) {
        case Goal::Kind::point: return gap < 1e-9 ? "" : "does not end at the goal";
        case Goal::Kind::any_of: return check_end(oracle, query, expected, route);
        case Goal::Kind::adjacent: return gap < 2.9 ? "" : "ends outside the goal region";
        case Goal::Kind::within:
        case Goal::Kind::in_sight: return gap <= range + 1e-9 ? "" : "ends outside the goal region";
    }
    return "";
}

// A region that holds no cell's middle that can be reached may hold other places; the oracle knows middles alone. That it is said where no
// place can be reached is tested against another one (grid/any_radius_ends_test.cpp).
std::string check_rim(const GridState& grid, const GridOracle& oracle, const GridQuery& query,
                      const Route& route) {
    const World& world = oracle.world();
    if (query.agent.footprint > 0) return "footprints stay on their cells";
    if (route.revision != grid.revision()) return "wrong revision";
    const Violation bad =
        verify(route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
    if (bad) return std::string("illegal: ") + bad.text().c_str();
    const Place first = route.legs.empty() ? route.end : route.legs[0].start;
    if (oracle.distance(to_cells(world, ground(first.position)), to_cells(world, query.start.ground())) >
        1e-9)
        return "does not start at the start";
    if (first.layer != query.start.layer || route.end.layer != query.goal.at.layer) return "wrong floor";
    const double gap =
        oracle.distance(to_cells(world, ground(route.end.position)), to_cells(world, query.goal.at.ground()));
    return gap <= query.goal.range / world.cell_size + 1e-9 ? "" : "ends outside the goal region";
}

}  // namespace

bool lengths_agree(const Length& a, const Length& b, double blur) {
    return same(a, b) || std::abs(a.cells() - b.cells()) <= blur * std::max(a.cells(), b.cells());
}

double blur_of(const World& world, const GridQuery& query) {
    const bool weights =
        query.planner == GridPlanner::weighted_astar || query.planner == GridPlanner::anytime;
    const bool turns = query.planner == GridPlanner::turn_penalty;
    if (!is_weighted(world, query) && !turns) return 0.0;
    return weights ? 1e-7 : 1e-10;
}

double promised_bound(const GridQuery& query) {
    const bool chooses = query.planner == GridPlanner::astar ||
                         query.planner == GridPlanner::weighted_astar ||
                         query.planner == GridPlanner::anytime;
    const bool manhattan =
        chooses && query.heuristic == GridHeuristic::manhattan && query.neighbours == Neighbourhood::eight;
    const double excess = manhattan ? std::sqrt(2.0) : 1.0;
    switch (query.planner) {
        case GridPlanner::greedy_best_first: return kNoBound;
        case GridPlanner::weighted_astar: return query.epsilon * excess;
        case GridPlanner::fixed_window:  // only inside the window
        case GridPlanner::hierarchy: return kNoBound;
        default: return excess;
    }
}

namespace {

bool reaches_layer(const GridOracle& oracle, const Expected& expected, std::int32_t layer) {
    const std::vector<char> reach = reach_of(oracle, expected);
    for (std::int32_t i = 0; i < oracle.world().cells(); ++i) {
        if (reach[static_cast<std::size_t>(i)] != 0 && oracle.world().cell(i).layer == layer) return true;
    }
    return false;
}

}  // namespace

Expected expect_of(const GridOracle& oracle, const GridQuery& query) {
    const World& world = oracle.world();
    Expected expected;
    const Vec2 start = to_cells(world, query.start.ground());
    if (!on_map(world, start, query.start.layer)) {
        expected.status = PathStatus::off_world;
        return expected;
    }
    const std::optional<std::int32_t> first = oracle.attach(start, query.start.layer);
    if (!first) {
        expected.status = PathStatus::start_blocked;
        return expected;
    }
    expected.start = *first;
    expected.other = oracle.other_side(start, query.start.layer, *first).value_or(-1);
    bool any_on_map = false;
    const auto add_point = [&](Vec2 point) {
        const Vec2 p = to_cells(world, point);
        if (!on_map(world, p, query.goal.at.layer)) return;
        any_on_map = true;
        const auto cell = oracle.attach(p, query.goal.at.layer);
        if (!cell) return;
        expected.goals.push_back(*cell);
        if (const auto other = oracle.other_side(p, query.goal.at.layer, *cell))
            expected.goals.push_back(*other);
    };
    if (query.goal.kind == Goal::Kind::point) {
        add_point(query.goal.at.ground());
    } else if (query.goal.kind == Goal::Kind::any_of) {
        for (const Spot p : query.goal.list) add_point(p.ground());
    } else {
        any_on_map = on_map(world, to_cells(world, query.goal.at.ground()), query.goal.at.layer);
        if (any_on_map) expected.goals = oracle.goal_cells(query.goal);
    }
    if (expected.goals.empty()) {
        expected.status = any_on_map ? PathStatus::goal_blocked : PathStatus::off_world;
        if (any_on_map && query.partial && reaches_layer(oracle, expected, query.goal.at.layer))
            expected.status = PathStatus::partial;
        return expected;
    }
    expected.length = shortest_of(oracle, query, expected, expected.goals);
    if (!expected.length) expected.status = query.partial ? PathStatus::partial : PathStatus::unreachable;
    return expected;
}

std::string check_route(const GridState& grid, const GridOracle& oracle, const GridQuery& query,
                        const Expected& expected, const Route& route) {
    const World& world = oracle.world();
    if (std::string(route.planner) == "half_lattice") return check_half(grid, oracle, query, expected, route);
    const bool ranged = query.goal.kind == Goal::Kind::within || query.goal.kind == Goal::Kind::in_sight;
    const bool no_middle = expected.status == PathStatus::unreachable ||
                           expected.status == PathStatus::partial ||
                           expected.status == PathStatus::goal_blocked;
    if (ranged && no_middle && route.status == PathStatus::complete)
        return check_rim(grid, oracle, query, route);
    // What no index tells of is not searched for past the window.
    const bool near_goal = expected.status == PathStatus::partial && expected.goals.empty();
    const bool window =
        query.planner == GridPlanner::fixed_window && !query.window_grows &&
        (route.status == PathStatus::window || (near_goal && route.status == PathStatus::goal_blocked));
    // Whether a region holds any cell for the unit is known only from the search.
    const bool region = (query.goal.kind == Goal::Kind::within || query.goal.kind == Goal::Kind::in_sight) &&
                        route.status == PathStatus::unreachable &&
                        expected.status == PathStatus::goal_blocked;
    if (route.status != expected.status && !window && !region) {
        return std::string("status ") + status_name(route.status) + ", expected " +
               status_name(expected.status);
    }
    if (route.revision != grid.revision()) return "wrong revision";
    if (query.planner != GridPlanner::automatic &&
        std::string(route.planner) != planner_name(query.planner)) {
        return std::string("made by ") + route.planner;
    }
    const bool has_route = route.status == PathStatus::complete || route.status == PathStatus::partial;
    if (!has_route) return route.legs.empty() && route.length == 0.0 ? "" : "legs without a route";
    const Violation bad =
        verify(route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
    if (bad) return std::string("illegal: ") + bad.text().c_str();
    const Place first = route.legs.empty() ? route.end : route.legs[0].start;
    if (oracle.distance(to_cells(world, ground(first.position)), to_cells(world, query.start.ground())) >
        1e-9) {
        return "does not start at the start";
    }
    if (first.layer != query.start.layer) return "starts on the wrong floor";
    if (const std::string problem = check_end(oracle, query, expected, route); !problem.empty())
        return problem;
    if (query.smoothing == Smoothing::none && query.planner != GridPlanner::hierarchy) {
        if (const std::string problem = check_tiles(oracle, query, expected, route); !problem.empty())
            return problem;
    } else if (route.status == PathStatus::complete && promised_bound(query) == 1.0 &&
               !is_weighted(world, query) && query.planner != GridPlanner::turn_penalty) {
        // Never longer than the tile route with its two ends.
        const double ends =
            attachment(oracle, query.start.ground(), query.start.layer) + farthest_goal(oracle, query);
        const double longest = (expected.length->cells() + ends) * world.cell_size;
        if (route.length > longest * (1 + 1e-9) + 1e-12 * world.cell_size) {
            return "smoothing made it longer: " + number(route.length);
        }
    }
    if (route.status == PathStatus::partial) return check_partial(oracle, query, expected, route);
    return "";
}

bool may_refuse(const World& world, const GridQuery& query, bool registered, std::int64_t rule) {
    const bool cuts = query.corner != CornerRule::never && query.agent.footprint == 0;
    const bool plain = !world.wrap_x && !world.wrap_y && world.portals.empty() && query.blockers.empty();
    switch (static_cast<GridRule>(rule)) {
        case GridRule::jump_point_needs_uniform_cost:
            return query.planner == GridPlanner::jump_point && is_weighted(world, query);
        case GridRule::jump_point_needs_eight:
            return query.planner == GridPlanner::jump_point && query.neighbours == Neighbourhood::four;
        case GridRule::jump_point_needs_plain_map: return query.planner == GridPlanner::jump_point && !plain;
        case GridRule::jump_point_needs_registered_size:
            return query.planner == GridPlanner::jump_point && !registered;
        case GridRule::jump_point_needs_no_cutting: return query.planner == GridPlanner::jump_point && cuts;
        case GridRule::jump_point_needs_one_goal:
            return query.planner == GridPlanner::jump_point && query.goal.kind != Goal::Kind::point;
        case GridRule::fixed_window_needs_plain_query:
            return query.planner == GridPlanner::fixed_window &&
                   (is_weighted(world, query) || !plain || query.goal.kind != Goal::Kind::point);
        case GridRule::bidirectional_needs_one_goal:
            return query.planner == GridPlanner::bidirectional && query.goal.kind != Goal::Kind::point;
        case GridRule::turn_penalty_needs_smaller_map: return false;
        case GridRule::hierarchy_needs_hierarchy: return query.planner == GridPlanner::hierarchy;
        case GridRule::own_heuristic_needs_astar: return query.heuristic == GridHeuristic::own;
    }
    return false;
}

std::string describe(const GridQuery& query) {
    constexpr const char* kGoals[] = {"point", "within", "adjacent", "in_sight", "any_of"};
    std::ostringstream out;
    out.precision(17);
    out << planner_name(query.planner) << " from (" << query.start.position.x << ", "
        << query.start.position.y << ", " << query.start.layer << ") to "
        << kGoals[static_cast<std::size_t>(query.goal.kind)] << " (" << query.goal.at.ground().x << ", "
        << query.goal.at.ground().y << ", " << query.goal.at.layer << ") range " << query.goal.range
        << ", radius " << query.agent.radius << ", footprint " << query.agent.footprint << ", corner "
        << static_cast<int>(query.corner) << ", neighbours "
        << (query.neighbours == Neighbourhood::eight ? 8 : 4) << ", heuristic "
        << static_cast<int>(query.heuristic) << ", smoothing " << static_cast<int>(query.smoothing)
        << ", blockers " << query.blockers.size() << (query.partial ? ", partial" : "")
        << (query.window_grows ? "" : ", window fixed");
    return out.str();
}

}  // namespace fairlead::testing
