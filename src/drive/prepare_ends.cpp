#include "drive/prepare_ends.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/math/trig.h>

#include "drive/curve_check.h"

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

bool is_lattice_pose(const Pose& pose, const LatticePose& at, std::int32_t headings) {
    const double x = pose.position.x - (at.x + 0.5);
    const double y = pose.position.y - (at.y + 0.5);
    const double turn = math::wrap_pi(pose.heading_rad - heading_rad(headings, at.heading));
    return std::abs(x) <= kSame && std::abs(y) <= kSame && std::abs(turn) <= kSame;
}

// Curves from an exact start to the lattice poses around it, forward and, if the unit can, in reverse.
class StartCurves {
  public:
    StartCurves(const DriveMap& map, const DriveQuery& query, const Pose& start, DriveWork& work)
        : map_(map), query_(query), start_(start), work_(work), free_(map.free_cells()) {}

    [[nodiscard]] bool list() {
        const DriveTable& table = map_.table();
        const std::int32_t reach = table.primitives().reach();
        const auto x = static_cast<std::int32_t>(std::floor(start_.position.x));
        const auto y = static_cast<std::int32_t>(std::floor(start_.position.y));
        for (std::int32_t ty = std::max(0, y - reach); ty <= std::min(free_.height - 1, y + reach); ++ty) {
            for (std::int32_t tx = std::max(0, x - reach); tx <= std::min(free_.width - 1, x + reach); ++tx) {
                for (std::int32_t h = 0; h < table.headings(); ++h) {
                    if (!map_.edges().stands(tx, ty, h)) continue;
                    const Pose to{{tx + 0.5, ty + 0.5}, heading_rad(table.headings(), h)};
                    if (!add({tx, ty, h, Gear::forward}, shortest_dubins(start_, to, table.turning_radius())))
                        return false;
                    if (!table.options().agent.can_reverse) continue;
                    const CurveWord back = driven_back(shortest_dubins(to, start_, table.turning_radius()));
                    if (!add({tx, ty, h, Gear::reverse}, back)) return false;
                }
            }
        }
        return true;
    }

  private:
    [[nodiscard]] bool add(const LatticePose& pose, const CurveWord& word) {
        const double radius = map_.table().turning_radius();
        if (turning_of(word) > kHalfPi + 0.1 || work_.starts.size() >= kStartsMax) return true;
        if (!curve_is_free(free_, map_.table().body(), start_, radius, word)) return true;
        const double factor = pose.gear == Gear::reverse ? query_.reverse_penalty : 1.0;
        const double cost = word.length * radius * factor * static_cast<double>(work_.scale.straight);
        return work_.starts.push_back({pose, word, static_cast<Cost>(cost)});
    }

    const DriveMap& map_;
    const DriveQuery& query_;
    Pose start_;
    DriveWork& work_;
    GroundBits free_;
};

// Calls visit(pose) for the poses around the goal that the body stands in, until it returns true.
template <class Visit>
bool any_near_goal(const DriveMap& map, const LatticeGoal& goal, const Visit& visit) {
    const GroundBits free = map.free_cells();
    const auto reach = static_cast<std::int32_t>(std::ceil(goal.reach));
    const LatticePose& middle = goal.nearest;
    for (std::int32_t y = std::max(0, middle.y - reach); y <= std::min(free.height - 1, middle.y + reach);
         ++y) {
        for (std::int32_t x = std::max(0, middle.x - reach); x <= std::min(free.width - 1, middle.x + reach);
             ++x) {
            const Vec2 gap{goal.pose.position.x - x - 0.5, goal.pose.position.y - y - 0.5};
            if (dot(gap, gap) > goal.reach * goal.reach) continue;
            for (std::int32_t h = 0; h < map.table().headings(); ++h) {
                if (map.edges().stands(x, y, h) && visit(LatticePose{x, y, h, Gear::forward})) return true;
            }
        }
    }
    return false;
}

bool goal_curve_is_free(const DriveMap& map, const LatticeGoal& goal, const LatticePose& at) {
    const Pose from{{at.x + 0.5, at.y + 0.5}, heading_rad(map.table().headings(), at.heading)};
    FreeCurve curve;
    return goal.curve_from(from, Gear::forward, curve);
}

bool any_start_joined(const DriveMap& map, const DriveWork& work, const LatticePose& to) {
    return std::any_of(work.starts.begin(), work.starts.end(), [&](const LatticeStart& start) {
        return map.joined(start.pose, to) == DriveMap::Joined::yes;
    });
}

// The core knows of a way: to the goal's own pose, or to one near it from which its curve is free.
bool surely_joined(const DriveMap& map, const DriveWork& work) {
    if (work.goal.on_lattice && any_start_joined(map, work, work.goal.nearest)) return true;
    return any_near_goal(map, work.goal, [&](const LatticePose& at) {
        return any_start_joined(map, work, at) && goal_curve_is_free(map, work.goal, at);
    });
}

// The poses around the goal from which its curve is free. False: out of memory.
bool list_entries(const DriveMap& map, DriveWork& work) {
    work.entries.clear();
    return !any_near_goal(map, work.goal, [&](const LatticePose& at) {
        return goal_curve_is_free(map, work.goal, at) && !work.entries.push_back(at);
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

}  // namespace

Pose in_cells(const DriveMap& map, const Pose& world) {
    const Vec2 p = (world.position - map.options().origin) * (1.0 / map.table().options().cell_size);
    return {p, world.heading_rad};
}

bool prepare_ends(const DriveMap& map, const DriveQuery& query, DriveWork& work, PathStatus& status) {
    const DriveTable& table = map.table();
    const GroundBits free = map.free_cells();
    const Pose start = in_cells(map, query.start);
    const Pose goal = in_cells(map, query.goal);
    work.starts.clear();
    status = PathStatus::off_world;
    if (!on_map(free, start.position) || !on_map(free, goal.position)) return true;
    status = PathStatus::start_blocked;
    if (!stands_free(free, table.body(), start)) return true;
    status = PathStatus::goal_blocked;
    if (!stands_free(free, table.body(), goal)) return true;

    const LatticePose first = nearest_pose(start, table.headings());
    if (is_lattice_pose(start, first, table.headings())) {
        // Which gear it starts in is free.
        LatticePose back = first;
        back.gear = Gear::reverse;
        if (!work.starts.push_back(LatticeStart{.pose = first})) return false;
        if (table.options().agent.can_reverse && !work.starts.push_back(LatticeStart{.pose = back})) return false;
    } else if (!StartCurves(map, query, start, work).list()) {
        return false;
    }
    work.goal.pose = goal;
    work.goal.nearest = nearest_pose(goal, table.headings());
    work.goal.on_lattice = is_lattice_pose(goal, work.goal.nearest, table.headings());
    work.goal.reach = std::max(4.0, 3.0 * table.turning_radius());
    work.goal.curves = {.free = free,
                        .body = table.body(),
                        .radius = table.turning_radius(),
                        .can_reverse = table.options().agent.can_reverse,
                        .reverse_penalty = query.reverse_penalty,
                        .cusp_penalty = query.cusp_penalty};

    status = PathStatus::unreachable;
    if (work.starts.empty()) return true;
    if (!surely_joined(map, work)) {
        bool found = false;
        if (!list_entries(map, work) || !find_out(map, work, found)) return false;
        if (!found) return true;
    }
    if (!work.ground.begin(free, work.goal.nearest.x, work.goal.nearest.y, first.x, first.y)) return false;
    if (work.ground.at(first.x, first.y) == kGroundFar) return true;
    status = PathStatus::complete;
    return true;
}

}  // namespace fairlead::drive
