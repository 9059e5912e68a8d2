#include "drive/prepare_ends.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/math/trig.h>

#include "drive/curve_check.h"
#include "drive/ground_goals.h"

namespace fairlead::drive {

namespace {

constexpr double kSame = 1e-9;  // cells and radians within which a pose is the lattice's

bool on_map(const GroundBits& free, Vec2 p) {
    return p.x >= 0.0 && p.y >= 0.0 && p.x < free.width && p.y < free.height;
}

LatticePose nearest_pose(const Pose& pose, std::int32_t headings) {
    return {static_cast<std::int32_t>(std::floor(pose.position.x)),
            static_cast<std::int32_t>(std::floor(pose.position.y)),
            nearest_heading(headings, pose.heading_rad), Gear::forward};
}

bool is_middle_of_cell(Vec2 p, const LatticePose& at) {
    return std::abs(p.x - (at.x + 0.5)) <= kSame && std::abs(p.y - (at.y + 0.5)) <= kSame;
}

bool is_lattice_pose(const Pose& pose, const LatticePose& at, std::int32_t headings) {
    const double turn = math::wrap_pi(pose.heading_rad - heading_rad(headings, at.heading));
    return is_middle_of_cell(pose.position, at) && std::abs(turn) <= kSame;
}

std::uint32_t all_headings(std::int32_t count) {
    return count == 32 ? UINT32_MAX : (std::uint32_t{1} << count) - 1;
}

// Calls visit(x, y) for the cells of the map with their middle within `range` of p, until it returns true.
template <class Visit>
bool any_cell_near(const GroundBits& free, Vec2 p, double range, const Visit& visit) {
    const auto low = [](double v) { return std::max(0, static_cast<std::int32_t>(std::floor(v))); };
    const std::int32_t right = std::min(free.width - 1, low(std::min(p.x + range, 1e6)));
    const std::int32_t top = std::min(free.height - 1, low(std::min(p.y + range, 1e6)));
    for (std::int32_t y = low(p.y - range); y <= top; ++y) {
        for (std::int32_t x = low(p.x - range); x <= right; ++x) {
            const Vec2 gap{p.x - x - 0.5, p.y - y - 0.5};
            if (dot(gap, gap) <= range * range && visit(x, y)) return true;
        }
    }
    return false;
}

// May a curve between the two poses turn by no more than kEndTurnMax? Then all of it leads at most so far away from the
// directions at both its ends, so that it gains less than cos(kEndTurnMax) x 1.5 = 0.15 of the gap against them.
bool may_turn_little(Vec2 gap, Vec2 ahead, Vec2 ahead_there) {
    const double least = -0.15 * std::sqrt(dot(gap, gap));
    return dot(ahead, ahead_there) > -0.15 && dot(gap, ahead) >= least && dot(gap, ahead_there) >= least;
}

// Fills DriveWork::starts: poses of the lattice that the search may begin in, with the curves to them.
class Starts {
  public:
    Starts(const DriveMap& map, const DriveQuery& query, DriveWork& work)
        : map_(map), table_(map.table()), query_(query), work_(work), free_(map.free_cells()) {}

    /// False: out of memory. `stands`: is there a heading that the body stands in?
    [[nodiscard]] bool fill(bool& stands) {
        stands = false;
        work_.starts.clear();
        Pose pose = in_cells(map_, query_.start);
        if (query_.start_headings == 0) return fill_from(pose, stands);
        for (std::int32_t h = 0; h < table_.headings(); ++h) {
            if (((query_.start_headings >> h) & 1U) == 0) continue;
            pose.heading_rad = heading_rad(table_.headings(), h);
            if (!fill_from(pose, stands)) return false;
        }
        return true;
    }

  private:
    [[nodiscard]] bool fill_from(const Pose& pose, bool& stands) {
        if (!stands_free(free_, table_.body(), pose)) return true;
        stands = true;
        const LatticePose at = nearest_pose(pose, table_.headings());
        if (!is_lattice_pose(pose, at, table_.headings())) return list_curves(pose);
        if (!work_.starts.push_back({.pose = at, .from = pose})) return false;
        // Which gear it starts in is free.
        LatticePose back = at;
        back.gear = Gear::reverse;
        return !table_.options().agent.can_reverse || work_.starts.push_back({.pose = back, .from = pose});
    }

    // Curves to the poses of the lattice around, forward and, if the unit can, in reverse.
    [[nodiscard]] bool list_curves(const Pose& pose) {
        ahead_ = math::direction(pose.heading_rad);
        const std::size_t room = work_.starts.size() + kStartsMax;
        const std::int32_t reach = table_.primitives().reach();
        const auto x = static_cast<std::int32_t>(std::floor(pose.position.x));
        const auto y = static_cast<std::int32_t>(std::floor(pose.position.y));
        for (std::int32_t ty = std::max(0, y - reach); ty <= std::min(free_.height - 1, y + reach); ++ty) {
            for (std::int32_t tx = std::max(0, x - reach); tx <= std::min(free_.width - 1, x + reach); ++tx) {
                for (std::int32_t h = 0; h < table_.headings(); ++h) {
                    if (map_.edges().stands(tx, ty, h) && work_.starts.size() < room &&
                        !add_both(pose, {tx, ty, h, Gear::forward})) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    [[nodiscard]] bool add_both(const Pose& pose, LatticePose at) {
        const Pose to{{at.x + 0.5, at.y + 0.5}, heading_rad(table_.headings(), at.heading)};
        const Vec2 gap = to.position - pose.position;
        const Vec2 ahead = heading_direction(table_.headings(), at.heading);
        if (may_turn_little(gap, ahead_, ahead) &&
            !add(pose, at, shortest_dubins(pose, to, table_.turning_radius())))
            return false;
        if (!table_.options().agent.can_reverse || !may_turn_little(gap * -1.0, ahead_, ahead)) return true;
        at.gear = Gear::reverse;
        return add(pose, at, driven_back(shortest_dubins(to, pose, table_.turning_radius())));
    }

    [[nodiscard]] bool add(const Pose& pose, const LatticePose& at, const CurveWord& word) {
        const double radius = table_.turning_radius();
        if (turning_of(word) > kEndTurnMax || !curve_is_free(free_, table_.body(), pose, radius, word))
            return true;
        const double factor = at.gear == Gear::reverse ? query_.reverse_penalty : 1.0;
        const double cost = word.length * radius * factor * static_cast<double>(work_.scale.straight);
        return work_.starts.push_back({at, pose, word, static_cast<Cost>(cost)});
    }

    const DriveMap& map_;
    const DriveTable& table_;
    const DriveQuery& query_;
    DriveWork& work_;
    GroundBits free_;
    Vec2 ahead_{};  // at the start
};

// Fills DriveWork::goal. Returns whether there is a place that the body stands in.
bool fill_goal(const DriveMap& map, const DriveQuery& query, LatticeGoal& goal) {
    const DriveTable& table = map.table();
    const GroundBits free = map.free_cells();
    const std::int32_t headings = table.headings();
    const Pose pose = in_cells(map, query.goal);
    goal = {};
    goal.centre = pose.position;
    goal.nearest = nearest_pose(pose, headings);
    goal.range = std::max(query.goal_range / table.options().cell_size, kSame * 2);
    goal.reach = std::max(4.0, 3.0 * table.turning_radius());
    goal.curves = {.free = free,
                   .body = table.body(),
                   .radius = table.turning_radius(),
                   .can_reverse = table.options().agent.can_reverse,
                   .reverse_penalty = query.reverse_penalty,
                   .cusp_penalty = query.cusp_penalty};
    const bool exact = query.goal_headings == 0;
    const bool heading_fits =
        exact &&
        std::abs(math::wrap_pi(pose.heading_rad - heading_rad(headings, goal.nearest.heading))) <= kSame;
    goal.headings = query.goal_headings & all_headings(headings);
    if (heading_fits || (exact && query.goal_range > 0.0)) goal.headings = 1U << goal.nearest.heading;
    goal.on_lattice =
        heading_fits && is_middle_of_cell(pose.position, goal.nearest) && query.goal_range <= 0.0;
    const auto add_target = [&](double heading) {
        const Pose target{pose.position, heading};
        if (stands_free(free, table.body(), target)) goal.target[goal.targets++] = target;
    };
    if (query.goal_range <= 0.0) {
        if (exact) add_target(pose.heading_rad);
        for (std::int32_t h = 0; h < headings && !exact; ++h) {
            if (((goal.headings >> h) & 1U) != 0) add_target(heading_rad(headings, h));
        }
        return goal.targets > 0;
    }
    return any_cell_near(free, goal.centre, goal.range, [&](std::int32_t x, std::int32_t y) {
        for (std::int32_t h = 0; h < headings; ++h) {
            if (((goal.headings >> h) & 1U) != 0 && map.edges().stands(x, y, h)) return true;
        }
        return false;
    });
}

// Calls visit(pose) for the poses of the lattice that may be the last one, until it returns true. Whether the curve
// from there to the goal is free is another question (leads_to_goal).
template <class Visit>
bool any_last_pose(const DriveMap& map, const LatticeGoal& goal, const Visit& visit) {
    const double range = goal.targets > 0 ? std::max(goal.reach, goal.range) : goal.range;
    return any_cell_near(map.free_cells(), goal.centre, range, [&](std::int32_t x, std::int32_t y) {
        for (std::int32_t h = 0; h < map.table().headings(); ++h) {
            const LatticePose at{x, y, h, Gear::forward};
            if ((goal.targets > 0 || goal.accepts(at)) && map.edges().stands(x, y, h) && visit(at))
                return true;
        }
        return false;
    });
}

bool leads_to_goal(const DriveMap& map, const LatticeGoal& goal, const LatticePose& at) {
    if (goal.accepts(at)) return true;
    const Pose from{{at.x + 0.5, at.y + 0.5}, heading_rad(map.table().headings(), at.heading)};
    FreeCurve curve;
    int which = 0;
    return goal.curve_from(from, Gear::forward, curve, which);
}

bool any_start_joined(const DriveMap& map, const DriveWork& work, const LatticePose& to) {
    return std::any_of(work.starts.begin(), work.starts.end(), [&](const LatticeStart& start) {
        return map.joined(start.pose, to) == DriveMap::Joined::yes;
    });
}

// The core knows of a way: to the goal's own pose, or to one from which its curve is free.
bool surely_joined(const DriveMap& map, const DriveWork& work) {
    if (work.goal.accepts(work.goal.nearest) && any_start_joined(map, work, work.goal.nearest)) return true;
    return any_last_pose(map, work.goal, [&](const LatticePose& at) {
        return any_start_joined(map, work, at) && leads_to_goal(map, work.goal, at);
    });
}

// The poses from which the goal is reached. False: out of memory.
bool list_entries(const DriveMap& map, DriveWork& work) {
    work.entries.clear();
    return !any_last_pose(map, work.goal, [&](const LatticePose& at) {
        return leads_to_goal(map, work.goal, at) && !work.entries.push_back(at);
    });
}

// Does some start reach some entry? First by the core; where that does not tell, by the closure of the side that does not
// hold the core, which is small.
bool find_out(const DriveMap& map, DriveWork& work, bool& joined) {
    joined = false;
    bool known = true;
    bool from_core = false;
    for (const LatticeStart& start : work.starts) {
        from_core = from_core || map.reaches_core(start.pose);
        for (const LatticePose& entry : work.entries) {
            const DriveMap::Joined answer = map.joined(start.pose, entry);
            if (answer == DriveMap::Joined::yes) {
                joined = true;
                return true;
            }
            known = known && answer == DriveMap::Joined::no;
        }
    }
    if (known) return true;
    if (!work.closure.begin(map.edges(), from_core ? Direction::backward : Direction::forward)) return false;
    if (from_core) {
        for (const LatticePose& entry : work.entries) work.closure.add(entry);
    } else {
        for (const LatticeStart& start : work.starts) work.closure.add(start.pose);
    }
    while (work.closure.step(UINT64_MAX)) {
    }
    const PoseSet& set = work.closure.set();
    joined = from_core ? std::any_of(work.starts.begin(), work.starts.end(),
                                     [&](const LatticeStart& start) { return set.has(start.pose); })
                       : std::any_of(work.entries.begin(), work.entries.end(),
                                     [&](const LatticePose& entry) { return set.has(entry); });
    return true;
}

bool begin_ground(const DriveMap& map, DriveWork& work) {
    const DriveTable& table = map.table();
    const LatticePose& start = work.starts[0].pose;
    return work.ground.begin(map.free_cells(), table.ground_corner(), start.x, start.y) &&
           add_ground_goals(map.free_cells(), table, work.goal, work.ground);
}

}  // namespace

Pose in_cells(const DriveMap& map, const Pose& world) {
    const Vec2 p = (world.position - map.options().origin) * (1.0 / map.table().options().cell_size);
    return {p, world.heading_rad};
}

bool prepare_ends(const DriveMap& map, const DriveQuery& query, DriveWork& work, PathStatus& status) {
    const GroundBits free = map.free_cells();
    work.starts.clear();
    status = PathStatus::off_world;
    if (!on_map(free, in_cells(map, query.start).position) ||
        !on_map(free, in_cells(map, query.goal).position)) {
        return true;
    }
    bool stands = false;
    if (!Starts(map, query, work).fill(stands)) return false;
    status = PathStatus::start_blocked;
    if (!stands) return true;
    status = PathStatus::goal_blocked;
    if (!fill_goal(map, query, work.goal)) return true;
    status = PathStatus::unreachable;
    if (work.starts.empty()) return true;
    if (!surely_joined(map, work)) {
        bool found = false;
        if (!list_entries(map, work) || !find_out(map, work, found)) return false;
        if (!found) return true;
    }
    status = PathStatus::complete;
    return map.table().ground_factor() == 0.0 || begin_ground(map, work);
}

}  // namespace fairlead::drive
