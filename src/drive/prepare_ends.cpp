#include "drive/prepare_ends.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/math/trig.h>

#include "drive/curve_check.h"
#include "drive/ground_goals.h"

namespace fairlead::drive {

namespace {

constexpr double kSame = 1e-9;  // cells and radians within which a pose is the lattice's

bool on_map(const GroundBits& free, Vec2 p) {
    return p.x >= 0.0 && p.y >= 0.0 && p.x < free.width && p.y < free.height;
}

LatticePose nearest_pose(const Pose& pose, const DriveTable& table) {
    const double shift = 0.5 - table.node_offset();
    return {static_cast<std::int32_t>(std::floor(pose.position.x + shift)),
            static_cast<std::int32_t>(std::floor(pose.position.y + shift)),
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

// May a curve between the two poses turn by no more than kEndTurnMax? Then all of it leads at most so far away from the
// directions at both its ends, so that it gains less than cos(kEndTurnMax) x 1.5 = 0.15 of the gap against them.
bool may_turn_little(Vec2 gap, Vec2 ahead, Vec2 ahead_there) {
    const double least = -0.15 * std::sqrt(dot(gap, gap));
    return dot(ahead, ahead_there) > -0.15 && dot(gap, ahead) >= least && dot(gap, ahead_there) >= least;
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

// Fewer short curves than this at an end: then all words.
constexpr std::size_t kFewEnds = 4;
// Cells of the lattice within which units that pivot join it by turn, line, turn.
constexpr double kTurningReach = 1.5;
double all_words_reach(const DriveTable& table) {
    return std::max(3.0 * table.pitch(), 1.5 * table.turning_radius());
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
        const Pose to = table_.node(at.x, at.y, at.heading);
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
        const double cost = map_.terrain().cost_of(word, pose, radius, query_.reverse_penalty) *
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

// The different answers of the cores about several poses: a handful.
class Answers {
  public:
    explicit Answers(const DriveMap& map) : map_(map) {}
    void add(const LatticePose& pose) {
        const CoreLinks links = map_.links(pose);
        if (std::find(answer_, answer_ + count_, links) != answer_ + count_) return;
        if (count_ == kMost) {
            too_many_ = true;
        } else {
            answer_[count_++] = links;
        }
    }
    /// Is there a way from one of them?
    [[nodiscard]] DriveMap::Joined joined_to(const LatticePose& pose) const {
        const CoreLinks to = map_.links(pose);
        DriveMap::Joined out = too_many_ ? DriveMap::Joined::unknown : DriveMap::Joined::no;
        for (int i = 0; i < count_; ++i) {
            const DriveMap::Joined answer = DriveMap::joined(answer_[i], to);
            if (answer == DriveMap::Joined::yes) return answer;
            if (answer == DriveMap::Joined::unknown) out = answer;
        }
        return out;
    }

  private:
    static constexpr int kMost = 16;
    const DriveMap& map_;
    CoreLinks answer_[kMost];
    int count_ = 0;
    bool too_many_ = false;
};

// Looks for a pose of the lattice that the start is joined to by the cores and from which the goal is reached at once: it will
// do itself, or it has a short curve to an exact goal. They are what decides whether there is a way; the longer free
// curves that the search tries can only make it shorter. Poses of which the cores do not know are listed.
class Entries {
  public:
    Entries(const DriveMap& map, const DriveQuery& query, DriveWork& work)
        : map_(map),
          table_(map.table()),
          goal_(work.goal),
          entries_(work.entries),
          free_(map.free_cells()),
          curves_(curves_for(map, query)),
          starts_(map) {
        for (const LatticeStart& start : work.starts) starts_.add(start.pose);
        for (std::int32_t h = 0; h < table_.headings(); ++h)
            ahead_[h] = heading_direction(table_.headings(), h);
        entries_.clear();
    }

    [[nodiscard]] bool find() {
        return accepted() || any_curve(false) ||
               ((listed_ < kFewEnds || curves_.can_pivot) && any_curve(true));
    }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    // Poses that will do.
    [[nodiscard]] bool accepted() {
        return any_node_near(
            free_, goal_.centre, goal_.range, goal_.node_offset, [&](std::int32_t x, std::int32_t y) {
                return any_heading(x, y, [&](const LatticePose& at) { return goal_.accepts(at); });
            });
    }
    // `all_words`: where few short curves are free, all words from poses a little farther away.
    [[nodiscard]] bool any_curve(bool all_words) {
        for (int i = 0; i < goal_.targets; ++i) {
            const Pose& to = goal_.target[i];
            const Vec2 ahead = math::direction(to.heading_rad);
            const double reach = all_words ? all_words_reach(table_) : table_.primitives().reach() * 1.4143;
            const bool found = any_node_near(
                free_, to.position, reach, table_.node_offset(), [&](std::int32_t x, std::int32_t y) {
                    return any_heading(x, y, [&](const LatticePose& at) {
                        const bool free = all_words ? any_word(at, to) : short_curve(at, to, ahead);
                        listed_ += free ? 1 : 0;
                        return free;
                    });
                });
            if (found) return true;
        }
        return false;
    }
    template <class Reaches>
    [[nodiscard]] bool any_heading(std::int32_t x, std::int32_t y, const Reaches& reaches_goal) {
        for (std::int32_t h = 0; h < table_.headings(); ++h) {
            const LatticePose at{x, y, h, Gear::forward};
            if (!map_.edges().stands(x, y, h)) continue;
            const DriveMap::Joined answer = starts_.joined_to(at);
            if (answer == DriveMap::Joined::no || !reaches_goal(at)) continue;
            if (answer == DriveMap::Joined::yes) return true;
            failed_ = failed_ || !entries_.push_back(at);
        }
        return false;
    }
    [[nodiscard]] bool any_word(const LatticePose& at, const Pose& to) const {
        FreeCurve curve;
        return curves_.find(table_.node(at.x, at.y, at.heading), Gear::forward, to, 1e300,
                            LatticeGoal::kCurveTries, curve);
    }
    [[nodiscard]] bool short_curve(const LatticePose& at, const Pose& to, Vec2 ahead_there) const {
        const Pose from = table_.node(at.x, at.y, at.heading);
        const Vec2 gap = to.position - from.position;
        const Vec2 ahead = ahead_[at.heading];
        const double radius = table_.turning_radius();
        const auto free = [&](const CurveWord& word) {
            return turning_of(word) <= kEndTurnMax && curve_is_free(free_, table_.body(), from, radius, word);
        };
        if (may_turn_little(gap, ahead, ahead_there) && free(shortest_dubins(from, to, radius))) return true;
        FreeCurve turning;
        if (curves_.can_pivot &&
            curves_.find_turning(from, Gear::forward, to, 1e300, curves_.can_reverse, turning))
            return true;
        return curves_.can_reverse && may_turn_little(gap * -1.0, ahead, ahead_there) &&
               free(driven_back(shortest_dubins(to, from, radius)));
    }

    static constexpr int kFewEnds = 4;

    const DriveMap& map_;
    const DriveTable& table_;
    const LatticeGoal& goal_;
    Array<LatticePose>& entries_;
    GroundBits free_;
    CurveWorld curves_;
    Answers starts_;
    Vec2 ahead_[kHeadingsMax];
    int listed_ = 0;
    bool failed_ = false;
};

// Does some start reach some entry? First by the cores; where they do not tell, by what the starts reach and what reaches
// the entries, in turn, until one of the two ends: the smaller one. False: out of memory.
bool find_out(const DriveMap& map, const DriveQuery& query, DriveWork& work, bool& joined) {
    Entries entries(map, query, work);
    joined = entries.find();
    if (entries.failed()) return false;
    if (joined || work.entries.empty()) return true;
    PoseClosure& ahead = work.ahead;
    PoseClosure& behind = work.behind;
    if (!ahead.begin(map.edges(), Direction::forward) || !behind.begin(map.edges(), Direction::backward))
        return false;
    for (const LatticeStart& start : work.starts) ahead.add(start.pose);
    for (const LatticePose& entry : work.entries) behind.add(entry);
    constexpr std::uint64_t kTurn = 64;  // words
    while (ahead.step(kTurn) && behind.step(kTurn)) {
    }
    // Whichever still has something to do is not the one that ended.
    joined = ahead.done()
                 ? std::any_of(work.entries.begin(), work.entries.end(),
                               [&](const LatticePose& entry) { return ahead.set().has(entry); })
                 : std::any_of(work.starts.begin(), work.starts.end(),
                               [&](const LatticeStart& start) { return behind.set().has(start.pose); });
    return true;
}

// One curve all the way, if one is free.
void find_direct(const DriveMap& map, const DriveQuery& query, DriveWork& work) {
    work.direct = {};
    if (!query.goal_curves) return;
    double least = 1e300;
    Pose from = in_cells(map, query.start);
    const auto try_from = [&]() {
        if (!stands_free(map.free_cells(), map.table().body(), from)) return;
        for (int i = 0; i < work.goal.targets; ++i) {
            FreeCurve curve;
            if (!work.goal.curves.find(from, Gear::forward, work.goal.target[i], least, kReedsSheppWords,
                                       curve))
                continue;
            curve.cost = curve.plain;  // which gear it starts in is free
            least = curve.cost;
            work.direct = {from, curve, i};
        }
    };
    if (query.start_headings == 0) return try_from();
    for (std::int32_t h = 0; h < map.table().headings(); ++h) {
        from.heading_rad = heading_rad(map.table().headings(), h);
        if (((query.start_headings >> h) & 1U) != 0) try_from();
    }
}

bool begin_ground(const DriveMap& map, DriveWork& work) {
    const DriveTable& table = map.table();
    const LatticePose& start = work.starts[0].pose;
    return work.ground.begin(map.free_cells(), table.ground_corner(), start.x, start.y) &&
           add_ground_goals(map.free_cells(), table, work.goal, work.ground);
}

}  // namespace

bool fill_starts(const DriveMap& map, const DriveQuery& query, DriveWork& work, PathStatus& status) {
    work.starts.clear();
    status = PathStatus::off_world;
    if (!on_map(map.free_cells(), in_cells(map, query.start).position)) return true;
    bool stands = false;
    if (!Starts(map, query, work).fill(stands)) return false;
    status = stands ? PathStatus::complete : PathStatus::start_blocked;
    return true;
}

bool fill_goal(const DriveMap& map, const DriveQuery& query, LatticeGoal& goal) {
    const DriveTable& table = map.table();
    const GroundBits free = map.free_cells();
    const std::int32_t headings = table.headings();
    const Pose pose = in_cells(map, query.goal);
    goal = {};
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
    const auto add_target = [&](double heading) {
        const Pose target{pose.position, heading};
        if (stands_free(free, table.body(), target)) goal.target[goal.targets++] = target;
    };
    if (query.goal_range <= 0.0) {
        // At a place and in a heading of the lattice no curve is needed.
        const bool reached = goal.headings != 0 && is_node(pose.position, goal.nearest, table);
        if (exact) add_target(pose.heading_rad);
        for (std::int32_t h = 0; h < headings && !exact; ++h) {
            if (((goal.headings >> h) & 1U) != 0) add_target(heading_rad(headings, h));
        }
        const bool stands = goal.targets > 0;
        if (reached && !query.goal_curves) goal.reach = 0.0;
        return stands;
    }
    return any_node_near(free, goal.centre, goal.range, goal.node_offset,
                         [&](std::int32_t x, std::int32_t y) {
                             for (std::int32_t h = 0; h < headings; ++h) {
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

Pose in_cells(const DriveMap& map, const Pose& world) {
    const Vec2 p = (world.position - map.options().origin) * (1.0 / map.table().lattice_size());
    return {p, world.heading_rad};
}

bool prepare_ends(const DriveMap& map, const DriveQuery& query, DriveWork& work, PathStatus& status) {
    status = PathStatus::off_world;
    if (!on_map(map.free_cells(), in_cells(map, query.goal).position)) return true;
    if (!fill_starts(map, query, work, status)) return false;
    if (status != PathStatus::complete) return true;
    status = PathStatus::goal_blocked;
    if (!fill_goal(map, query, work.goal)) return true;
    status = PathStatus::unreachable;
    find_direct(map, query, work);
    if (work.starts.empty()) {
        if (work.direct.which >= 0) status = PathStatus::complete;
        return true;
    }
    if (work.direct.which < 0) {
        bool found = false;
        if (!find_out(map, query, work, found)) return false;
        if (!found) return true;
    }
    status = PathStatus::complete;
    return map.table().ground_factor() == 0.0 || begin_ground(map, work);
}

}  // namespace fairlead::drive
