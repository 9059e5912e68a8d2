#include "simulate/grid_world.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/contact.h>
#include <fairlead/verify/verify.h>

#include "oracle/line_walk.h"
#include "simulate/routes.h"
#include "simulate/squeeze.h"
#include "support/planner_check.h"

namespace fairlead::simulate {

using oracle::World;
using testing::Ask;

namespace {

std::vector<std::string> split(const std::string& text, char mark) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == mark)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::vector<std::uint16_t> table_of(const std::vector<double>& costs) {
    std::vector<std::uint16_t> table;
    if (costs.empty()) return table;
    table.assign(256, 1);
    for (std::size_t i = 0; i < costs.size() && i < 255; ++i) {
        table[i + 1] = static_cast<std::uint16_t>(std::clamp(to_whole(costs[i]), 0, 65535));
    }
    return table;
}

bool near(const World& world, Vec2 p) {
    const Vec2 cells = (p - world.origin) * (1.0 / world.cell_size);
    return std::abs(cells.x) < 1e4 && std::abs(cells.y) < 1e4;
}

/// Does any way lead from a cell to that floor?
bool reaches_floor(const oracle::GridOracle& oracle, std::int32_t from, std::int32_t layer) {
    const std::vector<char> reach = oracle.reachable(from);
    for (std::int32_t i = 0; i < oracle.world().cells(); ++i) {
        if (reach[static_cast<std::size_t>(i)] != 0 && oracle.world().cell(i).layer == layer) return true;
    }
    return false;
}

bool centred(const World& world, const GridQuery& query, Vec2 p) {
    const Vec2 cells = (p - world.origin) * (1.0 / world.cell_size);
    const Cell cell{to_whole(std::floor(cells.x)), to_whole(std::floor(cells.y)), 0};
    return length(standing_point(world, query.agent, cell) - p) <= 1e-6 * world.cell_size;
}

bool centred_ends(const World& world, const GridQuery& query) {
    bool all = centred(world, query, query.start.ground());
    if (query.goal.kind == Goal::Kind::point) all = all && centred(world, query, query.goal.at.ground());
    for (const Spot point : query.goal.list) all = all && centred(world, query, point.ground());
    return all;
}

/// For discs wider than a tile the oracle's ways, over the middles of tiles, are some of the legal ones: where it has a
/// way there is one.
std::string judge_wide(const testing::Expected& expected, const Route& route) {
    const bool reaches = route.status == PathStatus::complete;
    const bool window = route.status == PathStatus::window;
    if (expected.status == PathStatus::complete && !reaches && !window) {
        return std::string("wrong: status ") + status_name(route.status) + " where there is a way";
    }
    return "";
}

}  // namespace

std::uint8_t tile_of(char c) {
    if (c == '@') return 0;
    return c >= '1' && c <= '9' ? static_cast<std::uint8_t>(c - '0') : std::uint8_t{1};
}

World world_of(const Step& step) {
    World world;
    const std::vector<std::string> layers =
        split(step.has("rows") ? step.word("rows") : "..../..../..../....", '|');
    const std::vector<std::string> first = split(layers[0], '/');
    world.width = static_cast<std::int32_t>(std::max<std::size_t>(first[0].size(), 1));
    world.height = static_cast<std::int32_t>(first.size());
    world.layers = static_cast<std::int32_t>(layers.size());
    world.tiles.assign(static_cast<std::size_t>(world.cells()), 1);
    for (std::int32_t layer = 0; layer < world.layers; ++layer) {
        const std::vector<std::string> rows = split(layers[static_cast<std::size_t>(layer)], '/');
        for (std::int32_t y = 0; y < world.height && y < static_cast<std::int32_t>(rows.size()); ++y) {
            const std::string& row = rows[static_cast<std::size_t>(y)];
            for (std::int32_t x = 0; x < world.width && x < static_cast<std::int32_t>(row.size()); ++x) {
                world.tiles[static_cast<std::size_t>(world.index({x, y, layer}))] =
                    tile_of(row[static_cast<std::size_t>(x)]);
            }
        }
    }
    world.cell_size = step.number("cell", 1.0);
    const std::vector<double> origin = step.numbers("origin");
    world.origin = {item(origin, 0), item(origin, 1)};
    world.wrap_x = (step.whole("wrap") & 1) != 0;
    world.wrap_y = (step.whole("wrap") & 2) != 0;
    world.terrain_costs = table_of(step.numbers("costs"));
    const std::vector<double> ends = step.numbers("portals");
    for (std::size_t i = 0; i + 8 <= ends.size(); i += 8) {
        const auto cell = [&](std::size_t at) {
            return Cell{to_whole(ends[at]), to_whole(ends[at + 1]), to_whole(ends[at + 2])};
        };
        world.portals.push_back({cell(i), cell(i + 3), ends[i + 6], ends[i + 7] != 0});
    }
    return world;
}

std::vector<Agent> sizes_of(const Step& step) {
    std::vector<Agent> sizes;
    for (const double size : step.numbers("sizes")) {
        if (size < 0)
            sizes.push_back({.footprint = to_whole(-size)});
        else
            sizes.push_back({.radius = size});
    }
    return sizes;
}

Agent walker_of(const Step& step) {
    return {.radius = step.number("radius"), .footprint = step.whole("footprint")};
}

std::vector<Blocker> blockers_of(const Step& step) {
    std::vector<Blocker> out;
    const std::vector<double> blockers = step.numbers("blockers");
    for (std::size_t i = 0; i + 5 <= blockers.size(); i += 5) {
        const double* b = &blockers[i];
        Blocker blocker{.centre = {b[0], b[1]}, .radius = b[2], .layer = to_whole(b[3])};
        if (b[4] >= 0) blocker.box = {{b[0] - b[4], b[1] - b[4]}, {b[0] + b[4], b[1] + b[4] / 2}};
        out.push_back(blocker);
    }
    return out;
}

Ask ask_of(const Step& step, const World& world) {
    Ask ask;
    GridQuery& query = ask.query;
    const std::vector<double> start = step.numbers("start");
    const std::vector<double> goal = step.numbers("goal");
    const auto place = [](const std::vector<double>& p) { return Vec2{item(p, 0), item(p, 1)}; };
    query.start = Spot(place(start)).on_layer(to_whole(item(start, 2)));
    query.goal = Spot(place(goal)).on_layer(to_whole(item(goal, 2)));
    query.goal.kind = static_cast<Goal::Kind>(step.whole("kind"));
    query.goal.range = step.number("range");
    query.agent = walker_of(step);
    query.planner = static_cast<GridPlanner>(step.whole("planner"));
    query.smoothing = static_cast<Smoothing>(step.whole("smoothing"));
    query.corner = static_cast<CornerRule>(step.whole("corner"));
    query.neighbours = step.has("four") ? Neighbourhood::four : Neighbourhood::eight;
    query.heuristic = static_cast<GridHeuristic>(step.whole("heuristic"));
    query.epsilon = step.number("epsilon", 1.5);
    query.turn_penalty = step.number("turn", 0.5);
    query.window_grows = !step.has("fixed");
    query.certify = step.has("certify");
    query.partial = step.has("partial");
    query.expansions_max = step.count("budget", UINT64_MAX);
    const std::vector<double> points = step.numbers("points");
    for (std::size_t i = 0; i + 2 <= points.size(); i += 2)
        ask.goal_points.push_back({points[i], points[i + 1]});
    ask.blockers = blockers_of(step);
    const std::vector<std::uint16_t> costs = table_of(step.numbers("terrain"));
    for (std::size_t tile = 0; tile < costs.size(); ++tile) {
        const double own = world.own_cost(static_cast<std::uint8_t>(tile));
        ask.terrain.push_back(own > 0.0 ? costs[tile] / own : 1.0);
    }
    const std::vector<double> influence = step.numbers("influence");
    query.influence.weight = to_whole(item(influence, 0, 1));
    for (std::size_t i = 0; influence.size() > 1 && i < world.tiles.size(); ++i) {
        const double cost = influence[1 + i % (influence.size() - 1)];
        ask.influence.push_back(static_cast<std::uint8_t>(std::clamp(to_whole(cost), 0, 255)));
    }
    return ask;
}

bool good_query(const World& world, const GridQuery& query) {
    const auto finite = [](Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); };
    const Goal& goal = query.goal;
    bool good = finite(query.start.ground()) && finite(goal.at.ground()) && goal.kind <= Goal::Kind::any_of;
    const bool infinite = goal.kind == Goal::Kind::in_sight && goal.range > 0;
    good = good && goal.range >= 0 && (std::isfinite(goal.range) || infinite);
    good = good && (goal.kind != Goal::Kind::any_of || !goal.list.empty());
    for (const Spot point : goal.list) good = good && finite(point.ground());
    good = good && std::isfinite(query.agent.radius) && query.agent.radius >= 0;
    good = good && query.agent.footprint >= 0 && query.agent.footprint <= 64;
    good = good && query.planner < GridPlanner::count_ && query.smoothing <= Smoothing::farthest_visible;
    good = good && query.corner <= CornerRule::always && query.heuristic <= GridHeuristic::zero;
    good = good && query.epsilon >= 1 && query.epsilon <= 100;
    good = good && query.turn_penalty >= 0 && query.turn_penalty <= 1e6;
    for (const double factor : query.terrain.factors)
        good =
            good && (factor == 0.0 || (factor >= KindFilter::kFactorMin && factor <= KindFilter::kFactorMax));
    for (const Blocker& b : query.blockers) {
        good = good && finite(b.centre) && std::isfinite(b.radius) && b.radius >= 0;
        // On maps of one or two cells less than 1e4 is refused.
        const double most = std::min(
            1e4, contact_reach(tile_contact_slack(world.origin, world.cell_size, world.width, world.height)));
        const Vec2 at = (b.centre - world.origin) * (1.0 / world.cell_size);
        good = good && near(world, b.centre) && b.radius / world.cell_size < most;
        good = good && std::abs(at.x) < most && std::abs(at.y) < most;
        good = good && b.layer >= 0 && b.layer < world.layers;
    }
    good = good && query.influence.weight >= 0 && query.influence.weight <= 1023;
    return good;
}

/// As deep in a wall or as far from one as the slack itself? Then rounding decides, and on wrapped axes by the lap.
bool on_the_slack(const World& world, Vec2 p) {
    const Vec2 cells = (p - world.origin) * (1.0 / world.cell_size);
    for (const double v : {cells.x, cells.y}) {
        const double off = std::abs(v - std::round(v));
        if (off > 1e-10 && off < 1e-8) return true;
    }
    return false;
}

bool judgeable(const World& world, const GridQuery& query) {
    const Goal& goal = query.goal;
    if (on_the_slack(world, query.start.ground()) || on_the_slack(world, goal.at.ground())) return false;
    for (const Spot point : goal.list) {
        if (on_the_slack(world, point.ground())) return false;
    }
    bool small = world.cells() <= 1500 && near(world, query.start.ground()) && near(world, goal.at.ground());
    for (const Spot point : goal.list) small = small && near(world, point.ground());
    small = small && query.agent.radius <= 8 * world.cell_size && query.agent.footprint <= 8;
    const auto judged = [&](double radius) {  // what is no wider than the slack is not the oracle's to judge
        return radius == 0 || radius >= 1e-6 * world.cell_size;
    };
    small = small && judged(query.agent.radius);
    for (const Blocker& blocker : query.blockers) small = small && judged(blocker.radius);
    small = small && near(world, {0, 0}) && query.expansions_max == UINT64_MAX;
    const bool wraps = world.wrap_x || world.wrap_y;
    const double lap = world.cell_size *
                       std::min(world.wrap_x ? world.width : 1 << 20, world.wrap_y ? world.height : 1 << 20);
    if (goal.kind == Goal::Kind::in_sight && wraps) small = small && goal.range <= 0.49 * lap;
    if (goal.kind == Goal::Kind::within || goal.kind == Goal::Kind::in_sight) {
        small = small && (goal.range <= 1e4 * world.cell_size || std::isinf(goal.range));
        small = small && goal.range >= 1e-6 * world.cell_size;  // less is a matter of rounding
    }
    return small;
}

bool by_rule(const World& world, const GridQuery& query, bool registered, const Error& error) {
    const bool rule = error.code == ErrorCode::unsupported || error.code == ErrorCode::incompatible;
    return rule && testing::may_refuse(world, query, registered, error.detail);
}

std::string judge_walk(const GridState& grid, const World& world, const GridQuery& query, bool registered,
                       const Result<void>& done, const Route& route, Tally& tally) {
    const bool good = good_query(world, query);
    if (!done) {
        ++tally.refused;
        const Error error = done.error();
        if (!good) return "";
        if (by_rule(world, query, registered, error)) return "";
        return std::string("refused: ") + error_name(error.code) + " index " + std::to_string(error.index) +
               " detail " + std::to_string(error.detail);
    }
    ++tally.answers;
    if (!good) return "";
    if (route.status == PathStatus::budget_spent && query.expansions_max == UINT64_MAX) {
        return "status: budget_spent without a budget";
    }
    if (route.status == PathStatus::budget_spent && !query.partial && !route.legs.empty()) {
        return "status: budget_spent with legs that nobody asked for";
    }
    if (has_way(route)) {
        ++tally.routes;
        ++tally.verified;
        const Violation bad =
            verify(route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
        if (bad) return std::string("illegal: ") + bad.text().c_str();
        if (squeezes(world, query, route)) return "illegal: it squeezes between two walls";
        const std::string dear = near(world, {0, 0}) ? oracle::line_cost_problem(world, query, route) : "";
        if (!dear.empty()) return "wrong: " + dear;
    }
    if (!judgeable(world, query)) return "";
    ++tally.judged;
    const oracle::GridOracle oracle(world, query);
    testing::Expected expected = testing::expect_of(oracle, query);
    if (expected.status == PathStatus::partial &&
        !reaches_floor(oracle, expected.start, query.goal.at.layer) &&
        (expected.other < 0 || !reaches_floor(oracle, expected.other, query.goal.at.layer))) {
        expected.status = PathStatus::unreachable;  // no place there is nearer than another
    }
    const bool wide = query.agent.footprint == 0 && query.agent.radius > 0.5 * world.cell_size;
    if (wide) return judge_wide(expected, route);
    // What is nearest to a region is the planner's own measure.
    if (route.status == PathStatus::partial && query.goal.kind != Goal::Kind::point) return "";
    // An end that is not at a cell's centre may lie on the line of the next step, and the two are one leg: not to be followed
    // tile by tile.
    GridQuery as_judged = query;
    if (!centred_ends(world, query)) as_judged.smoothing = Smoothing::best;
    const std::string problem = testing::check_route(grid, oracle, as_judged, expected, route);
    return problem.empty() ? "" : "wrong: " + problem;
}

}  // namespace fairlead::simulate
