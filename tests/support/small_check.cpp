#include "support/small_check.h"

#include <cmath>

#include "oracle/small_map.h"

namespace fairlead::testing {

namespace {

using oracle::kSmallCells;
using oracle::kSmallSide;
using oracle::SmallMap;

constexpr GridPlanner kOptimal[] = {GridPlanner::automatic,     GridPlanner::bucket_astar,
                                    GridPlanner::astar,         GridPlanner::dijkstra,
                                    GridPlanner::bidirectional, GridPlanner::jump_point};

Vec2 centre(std::int32_t cell) { return cell_centre(cell % kSmallSide, cell / kSmallSide); }
std::int32_t cell_at(Vec3 p) {
    const auto x = static_cast<std::int32_t>(std::floor(p.x));
    const auto y = static_cast<std::int32_t>(std::floor(p.y));
    return p.x - x == 0.5 && p.y - y == 0.5 && x >= 0 && y >= 0 && x < kSmallSide && y < kSmallSide
               ? y * kSmallSide + x
               : -1;
}

struct Asked {
    const SmallMap& map;
    const Grid& grid;
    GridQuery query;
    Scratch& scratch;
    SmallTally& tally;
    Route route{};

    std::string answer(GridPlanner planner, std::int32_t from, std::int32_t to);
    std::string judge(std::int32_t from, std::int32_t to) const;
    std::string judge_steps(std::int32_t from, std::int32_t to, const SmallMap::Steps& wanted) const;
};

std::string Asked::answer(GridPlanner planner, std::int32_t from, std::int32_t to) {
    query.planner = planner;
    query.start = centre(from);
    query.goal = centre(to);
    ++tally.asked[static_cast<std::size_t>(planner)];
    const Result<void> done = find_route_into(grid, query, scratch, route);
    std::string problem = done ? judge(from, to) : std::string("refused: ") + error_name(done.error().code);
    if (problem.empty()) return problem;
    return std::string(planner_name(planner)) + " from " + std::to_string(from) + " to " +
           std::to_string(to) + ": " + problem;
}

std::string Asked::judge(std::int32_t from, std::int32_t to) const {
    PathStatus wanted = PathStatus::complete;
    SmallMap::Steps steps{};
    if (!map.free(from)) {
        wanted = PathStatus::start_blocked;
    } else if (!map.free(to)) {
        wanted = PathStatus::goal_blocked;
    } else {
        steps = map.shortest(from, to);
        if (steps.straight < 0) wanted = PathStatus::unreachable;
    }
    if (route.status != wanted) {
        return std::string("status ") + status_name(route.status) + " instead of " + status_name(wanted);
    }
    if (wanted == PathStatus::complete) return judge_steps(from, to, steps);
    if (route.stats.expanded != 0) return "searched for what the index knows";
    return route.legs.empty() ? "" : "legs without a route";
}

std::string Asked::judge_steps(std::int32_t from, std::int32_t to, const SmallMap::Steps& wanted) const {
    SmallMap::Steps steps{0, 0};
    std::int32_t at = from;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const std::int32_t first = cell_at(route.legs[i].start.position);
        const std::int32_t last = cell_at(leg_end(route, i).position);
        if (first != at || last < 0 || first == last) return "legs that do not follow each other";
        const std::int32_t dx = last % kSmallSide - first % kSmallSide;
        const std::int32_t dy = last / kSmallSide - first / kSmallSide;
        const std::int32_t count = std::max(std::abs(dx), std::abs(dy));
        if (dx != 0 && dy != 0 && std::abs(dx) != std::abs(dy))
            return "a leg in none of the eight directions";
        (dx != 0 && dy != 0 ? steps.diagonal : steps.straight) += count;
        for (std::int32_t k = 0; k < count; ++k) {
            const std::int32_t next = at + dy / count * kSmallSide + dx / count;
            if (!map.joined(at, next)) return "an illegal step at " + std::to_string(at);
            at = next;
        }
    }
    if (at != to) return "ends elsewhere";
    if (!(steps == wanted)) {
        return std::to_string(steps.straight) + " + " + std::to_string(steps.diagonal) +
               " sqrt 2 instead of " + std::to_string(wanted.straight) + " + " +
               std::to_string(wanted.diagonal) + " sqrt 2";
    }
    const double cost = wanted.straight + wanted.diagonal * std::sqrt(2.0);
    if (std::abs(route.cost - cost) > 1e-9) return "cost " + std::to_string(route.cost);
    return route.bound == 1.0 ? "" : "claims no optimum";
}

std::string check_pair(Asked& asked, std::span<const GridPlanner> planners, std::int32_t from,
                       std::int32_t to) {
    const bool walls = !asked.map.free(from) || !asked.map.free(to);
    const bool way = !walls && asked.map.shortest(from, to).straight >= 0;
    ++(walls ? asked.tally.blocked : (way ? asked.tally.routes : asked.tally.sealed));
    for (const GridPlanner planner : planners) {
        std::string problem = asked.answer(planner, from, to);
        if (!problem.empty()) return problem;
    }
    return "";
}

// The witness against itself: a way exists just where the flood comes, and is as long backward.
std::string check_witness(const SmallMap& map) {
    for (std::int32_t from = 0; from < kSmallCells; ++from) {
        if (!map.free(from)) continue;
        std::uint32_t ways = 0;
        for (std::int32_t to = 0; to < kSmallCells; ++to) {
            if (!map.free(to)) continue;
            if (map.shortest(from, to).straight >= 0) ways |= 1U << to;
            if (!(map.shortest(from, to) == map.shortest(to, from))) return "longer one way round";
        }
        if (ways != map.flood(from)) return "the flood and the shortest ways disagree";
    }
    return "";
}

}  // namespace

std::span<const GridPlanner> optimal_planners(CornerRule rule, Neighbourhood neighbours) {
    const bool jumps = rule == CornerRule::never && neighbours == Neighbourhood::eight;
    return std::span(kOptimal).first(std::size(kOptimal) - (jumps ? 0 : 1));
}

std::string check_small_map(std::uint32_t free, CornerRule rule, Neighbourhood neighbours, SmallPart part,
                            Scratch& scratch, SmallTally& tally) {
    std::uint8_t tiles[kSmallCells];
    for (std::int32_t i = 0; i < kSmallCells; ++i) tiles[i] = static_cast<std::uint8_t>((free >> i) & 1U);
    const Result<Grid> grid = Grid::make({.width = kSmallSide, .height = kSmallSide, .corner = rule}, tiles);
    if (!grid) return "no grid";
    const SmallMap map(free, rule, neighbours);
    const std::span<const GridPlanner> planners = optimal_planners(rule, neighbours);
    Asked asked{map, *grid, {}, scratch, tally};
    asked.query.smoothing = Smoothing::none;
    asked.query.corner = rule;
    asked.query.neighbours = neighbours;
    std::string problem = check_witness(map);
    std::uint32_t turn = free;  // which way round is next
    for (std::int32_t a = 0; a < kSmallCells && problem.empty(); ++a) {
        for (std::int32_t b = a; b < kSmallCells && problem.empty(); ++b) {
            const bool forward = turn++ % 2 == 0;
            if (part == SmallPart::all) {
                problem = check_pair(asked, planners, a, b);
                if (problem.empty() && a != b) problem = check_pair(asked, planners, b, a);
            } else if (map.free(a) && map.free(b)) {
                problem = check_pair(asked, planners, forward ? a : b, forward ? b : a);
            }
        }
    }
    return problem.empty() ? "" : "map " + std::to_string(free) + ", " + problem;
}

}  // namespace fairlead::testing
