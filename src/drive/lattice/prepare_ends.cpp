#include "drive/lattice/prepare_ends.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/math/trig.h>

#include "drive/body/curve_check.h"
#include "drive/ground/ground_goals.h"
#include "drive/ground/way_joined.h"
#include "drive/lattice/end_curves.h"

namespace fairlead::drive {

namespace {

constexpr double kSame = 1e-9;  // cells and radians within which a pose is the lattice's

LatticePose nearest_pose(const Pose& pose, const DriveTable& table) {
    constexpr double kFar = 1e6;  // a field's goal may lie anywhere
    const Vec2 p = pose.position + Vec2{1.0, 1.0} * (0.5 - table.node_offset());
    return {static_cast<std::int32_t>(std::clamp(std::floor(p.x), -kFar, kFar)),
            static_cast<std::int32_t>(std::clamp(std::floor(p.y), -kFar, kFar)),
            nearest_heading(table.headings(), pose.heading_rad), Gear::forward};
}

bool is_node(Vec2 p, const LatticePose& at, const DriveTable& table) {
    const Vec2 node = table.node(at.x, at.y, 0).position;
    return std::abs(p.x - node.x) <= kSame && std::abs(p.y - node.y) <= kSame;
}

bool is_lattice_pose(const Pose& pose, const LatticePose& at, const DriveTable& table) {
    const double turn = math::wrap_pi(pose.heading_rad - heading_rad(table.headings(), at.heading));
    return is_node(pose.position, at, table) && std::abs(turn) <= kSame;
}

std::uint32_t all_headings(std::int32_t count) {
    return count == 32 ? UINT32_MAX : (std::uint32_t{1} << count) - 1;
}

CurveWorld curves_for(const DriveMap& map, const DriveQuery& query) {
    const DriveTable& table = map.table();
    return {.free = map.free_cells(),
            .body = table.body(),
            .radius = table.turning_radius(),
            .can_reverse = table.options().agent.can_reverse,
            .reverse_penalty = query.reverse_penalty,
            .cusp_penalty = query.cusp_penalty * table.pitch(),
            .can_pivot = table.options().agent.can_pivot,
            .pivot_penalty = query.pivot_penalty * table.pitch(),
            .terrain = map.terrain()};
}

// Cells of the lattice within which units that pivot join it by turn, line, turn.
constexpr double kTurningReach = 1.5;

// Fills DriveWork::starts: poses of the lattice that the search may begin in, with the curves to them.
class Starts {
  public:
    Starts(const DriveMap& map, const DriveQuery& query, DriveWork& work)
        : map_(map), table_(map.table()), query_(query), work_(work), free_(map.free_cells()) {}

    /// False: out of memory.
    [[nodiscard]] bool fill() {
        work_.starts.clear();
        return !any_start_pose(map_, query_, [&](const Pose& pose) { return !fill_from(pose); });
    }

  private:
    [[nodiscard]] bool fill_from(const Pose& pose) {
        const LatticePose at = nearest_pose(pose, table_);
        if (!is_lattice_pose(pose, at, table_)) {
            const std::size_t before = work_.starts.size();
            return list_curves(pose) && (!table_.options().agent.can_pivot || list_turning(pose)) &&
                   (work_.starts.size() - before >= kFewEnds || list_all_words(pose));
        }
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

    // Turn, line, turn: to the places of the lattice around.
    [[nodiscard]] bool list_turning(const Pose& pose) {
        const CurveWorld curves = curves_for(map_, query_);
        bool good = true;
        any_node_near(free_, pose.position, kTurningReach, table_.node_offset(),
                      [&](std::int32_t x, std::int32_t y) {
                          for (std::int32_t h = 0; h < table_.headings() && good; ++h) {
                              if (map_.edges().stands(x, y, h))
                                  good = add_turning(curves, pose, {x, y, h, Gear::forward});
                          }
                          return !good;
                      });
        return good;
    }

    [[nodiscard]] bool add_turning(const CurveWorld& curves, const Pose& pose, const LatticePose& at) {
        FreeCurve curve;
        for (const Gear gear : {Gear::forward, Gear::reverse}) {
            const bool other = gear == Gear::reverse;
            if (other && (!curves.can_reverse || curve.word.count == 0 || curve.last == gear)) continue;
            if (!curves.find_turning(pose, gear, table_.node(at.x, at.y, at.heading), 1e300,
                                     curves.can_reverse, curve))
                continue;
            const auto cost = static_cast<Cost>(curve.plain * static_cast<double>(work_.scale.straight));
            if (!work_.starts.push_back({{at.x, at.y, at.heading, curve.last}, pose, curve.word, cost}))
                return false;
        }
        return true;
    }

    // Where few short curves are free, all words to poses a little farther away.
    [[nodiscard]] bool list_all_words(const Pose& pose) {
        const CurveWorld curves = curves_for(map_, query_);
        const std::size_t room = work_.starts.size() + kStartsMax;
        bool good = true;
        any_node_near(free_, pose.position, all_words_reach(table_), table_.node_offset(),
                      [&](std::int32_t x, std::int32_t y) {
                          for (std::int32_t h = 0;
                               h < table_.headings() && good && work_.starts.size() < room; ++h) {
                              FreeCurve curve;
                              if (!map_.edges().stands(x, y, h) ||
                                  !curves.find(pose, Gear::forward, table_.node(x, y, h), 1e300,
                                               kReedsSheppWords, curve))
                                  continue;
                              const auto cost =
                                  static_cast<Cost>(curve.plain * static_cast<double>(work_.scale.straight));
                              good = work_.starts.push_back({{x, y, h, curve.last}, pose, curve.word, cost});
                          }
                          return !good;
                      });
        return good;
    }

    [[nodiscard]] bool add_both(const Pose& pose, LatticePose at) {
        const EndPose from{pose, ahead_};
        const EndPose to{table_.node(at.x, at.y, at.heading),
                         heading_direction(table_.headings(), at.heading)};
        return !any_short_curve(map_, from, to, [&](const CurveWord& word, Gear gear) {
            at.gear = gear;
            return !add(pose, at, word);
        });
    }

    [[nodiscard]] bool add(const Pose& pose, const LatticePose& at, const CurveWord& word) {
        const double cost =
            map_.terrain().cost_of(word, pose, table_.turning_radius(), query_.reverse_penalty) *
            static_cast<double>(work_.scale.straight);
        if (!std::isfinite(cost)) return true;
        return work_.starts.push_back({at, pose, word, static_cast<Cost>(cost)});
    }

    const DriveMap& map_;
    const DriveTable& table_;
    const DriveQuery& query_;
    DriveWork& work_;
    GroundBits free_;
    Vec2 ahead_{};  // at the start
};

// One curve all the way, if one is free.
void find_direct(const DriveMap& map, const DriveQuery& query, DriveWork& work) {
    work.direct = {};
    if (!query.goal_curves) return;
    double least = 1e300;
    (void)any_start_pose(map, query, [&](const Pose& from) {
        for (int i = 0; i < work.goal.targets; ++i) {
            FreeCurve curve;
            if (!work.goal.curves.find(from, Gear::forward, work.goal.target[i], least, kReedsSheppWords,
                                       curve))
                continue;
            curve.cost = curve.plain;  // which gear it starts in is free
            least = curve.cost;
            work.direct = {from, curve, i};
        }
        return false;
    });
}

// Are all places of the goal in other parts of the ground than the start?
bool is_divided(const DriveMap& map, const DriveQuery& query, const LatticeGoal& goal) {
    const Vec2 start = MapFrame(map).in_cells(query.start, query.start_layer).position;
    if (goal.targets > 0) return map.divided(start, goal.centre);
    return !any_node_near(map.free_cells(), goal.centre, goal.range, goal.node_offset,
                          [&](std::int32_t x, std::int32_t y) {
                              return !map.divided(start, map.table().node(x, y, 0).position);
                          });
}

bool begin_ground(const DriveMap& map, DriveWork& work) {
    const DriveTable& table = map.table();
    const LatticePose& start = work.starts[0].pose;
    if (!work.ground.begin(map.free_cells(), table.ground_corner(), start.x, start.y)) return false;
    if (map.has_links())
        work.ground.take_links(map.links_back(), kGroundStraight / (table.ground_factor() * map.cheapest()));
    return add_ground_goals(map.free_cells(), table, work.goal, work.ground);
}

}  // namespace

PathStatus start_status(const DriveMap& map, const DriveQuery& query) {
    if (!MapFrame(map).on_map(query.start.position, query.start_layer)) return PathStatus::off_world;
    const bool stands = any_start_pose(map, query, [](const Pose&) { return true; });
    return stands ? PathStatus::complete : PathStatus::start_blocked;
}

bool fill_starts(const DriveMap& map, const DriveQuery& query, DriveWork& work) {
    return Starts(map, query, work).fill();
}

bool fill_goal(const DriveMap& map, const DriveQuery& query, LatticeGoal& goal) {
    const DriveTable& table = map.table();
    const GroundBits free = map.free_cells();
    const std::int32_t headings = table.headings();
    const MapFrame frame(map);
    const Pose pose = frame.in_cells(query.goal, query.goal_layer);
    goal = {};
    if (map.floors() > 1) {
        const double low = frame.row(frame.floor_of(query.goal_layer));
        goal.low = static_cast<std::int32_t>(low);
        goal.top = static_cast<std::int32_t>(low + frame.height);
    }
    goal.centre = pose.position;
    goal.node_offset = table.node_offset();
    goal.nearest = nearest_pose(pose, table);
    goal.range = std::max(query.goal_range / table.lattice_size(), kSame * 2);
    goal.reach = std::max(4.0, 3.0 * table.turning_radius());
    goal.curves = curves_for(map, query);
    const bool exact = query.goal_headings == 0;
    const bool heading_fits =
        exact &&
        std::abs(math::wrap_pi(pose.heading_rad - heading_rad(headings, goal.nearest.heading))) <= kSame;
    goal.headings = query.goal_headings & all_headings(headings);
    if (heading_fits || (exact && query.goal_range > 0.0)) goal.headings = 1U << goal.nearest.heading;
    goal.on_lattice = heading_fits && is_node(pose.position, goal.nearest, table) && query.goal_range <= 0.0;
    if (query.goal_range <= 0.0) {
        // At a place and in a heading of the lattice no curve is needed.
        const bool reached = goal.headings != 0 && is_node(pose.position, goal.nearest, table);
        (void)any_heading_asked(pose.heading_rad, query.goal_headings, headings, [&](double heading) {
            const Pose target{pose.position, heading};
            if (stands_free(free, table.body(), target)) goal.target[goal.targets++] = target;
            return false;
        });
        const bool stands = goal.targets > 0;
        if (reached && !query.goal_curves) goal.reach = 0.0;
        return stands;
    }
    return any_node_near(free, goal.centre, goal.range, goal.node_offset,
                         [&](std::int32_t x, std::int32_t y) {
                             for (std::int32_t h = 0; h < headings && goal.on_floor(y); ++h) {
                                 if (((goal.headings >> h) & 1U) != 0 && map.edges().stands(x, y, h))
                                     return true;
                             }
                             return false;
                         });
}

bool cost_to_goal(const DriveMap& map, const LatticeGoal& goal, const LatticePose& at, double& cost) {
    cost = 0.0;
    if (goal.accepts(at)) return true;
    const Pose from = map.table().node(at.x, at.y, at.heading);
    FreeCurve curve;
    int which = 0;
    if (!goal.in_reach(at) || !goal.curve_from(from, at.gear, curve, which)) return false;
    cost = curve.cost;
    return true;
}

Result<void> check_query(const DriveQuery& query) {
    const double numbers[] = {query.start.position.x, query.start.position.y, query.start.heading_rad,
                              query.goal.position.x,  query.goal.position.y,  query.goal.heading_rad,
                              query.goal_range,       query.epsilon,          query.reverse_penalty,
                              query.cusp_penalty,     query.pivot_penalty};
    constexpr std::int64_t kField[] = {0, 0, 0, 1, 1, 1, 4, 6, 7, 8, 9};
    for (std::size_t i = 0; i < std::size(numbers); ++i) {
        if (!std::isfinite(numbers[i])) return Error{ErrorCode::not_finite, kField[i], 0};
    }
    if (query.goal_range < 0.0) return Error{ErrorCode::out_of_range, 4, 0};
    if (query.epsilon < 1.0 || query.epsilon > 100.0) return Error{ErrorCode::out_of_range, 6, 0};
    if (query.reverse_penalty < 1.0 || query.reverse_penalty > 1000.0)
        return Error{ErrorCode::out_of_range, 7, 0};
    if (query.cusp_penalty < 0.0 || query.cusp_penalty > 1000.0) return Error{ErrorCode::out_of_range, 8, 0};
    if (query.pivot_penalty < 0.05 || query.pivot_penalty > 1000.0)
        return Error{ErrorCode::out_of_range, 9, 0};
    return {};
}

bool prepare_ends(const DriveMap& map, const DriveQuery& query, DriveWork& work, PathStatus& status) {
    work.divided = false;
    status = PathStatus::off_world;
    if (!MapFrame(map).on_map(query.goal.position, query.goal_layer)) return true;
    status = start_status(map, query);
    if (status != PathStatus::complete) return true;
    status = PathStatus::goal_blocked;
    if (!fill_goal(map, query, work.goal)) return true;
    status = PathStatus::unreachable;
    work.divided = !map.has_links() && is_divided(map, query, work.goal);
    if (work.divided) return true;
    if (!fill_starts(map, query, work)) return false;
    find_direct(map, query, work);
    if (work.starts.empty()) {
        if (work.direct.which >= 0) status = PathStatus::complete;
        return true;
    }
    if (work.direct.which < 0) {
        bool found = false;
        if (!find_way_joined(map, work, found)) return false;
        if (!found) return true;
    }
    status = PathStatus::complete;
    return map.table().ground_factor() == 0.0 || begin_ground(map, work);
}

}  // namespace fairlead::drive
