#include <fairlead/formats/names.h>

#include <cstddef>
#include <span>

namespace fairlead::formats {

namespace {

template <class Enum>
struct NameRow {
    std::string_view name;
    Enum value;
};

template <class Enum, std::size_t kCount>
std::optional<Enum> find(const NameRow<Enum> (&rows)[kCount], std::string_view name) {
    for (const NameRow<Enum>& row : rows) {
        if (row.name == name) return row.value;
    }
    return std::nullopt;
}

constexpr NameRow<GridPlanner> kPlanners[] = {
    {"auto", GridPlanner::automatic},
    {"automatic", GridPlanner::automatic},
    {"jump_point", GridPlanner::jump_point},
    {"bucket_astar", GridPlanner::bucket_astar},
    {"astar", GridPlanner::astar},
    {"dijkstra", GridPlanner::dijkstra},
    {"bidirectional", GridPlanner::bidirectional},
    {"weighted_astar", GridPlanner::weighted_astar},
    {"anytime", GridPlanner::anytime},
    {"greedy_best_first", GridPlanner::greedy_best_first},
    {"turn_penalty", GridPlanner::turn_penalty},
    {"fixed_window", GridPlanner::fixed_window},
    {"hierarchy", GridPlanner::hierarchy},
};
static_assert(std::size(kPlanners) == static_cast<std::size_t>(GridPlanner::count_) + 1,
              "a planner has no name here");

constexpr NameRow<GridHeuristic> kHeuristics[] = {
    {"octile", GridHeuristic::octile},
    {"manhattan", GridHeuristic::manhattan},
    {"euclidean", GridHeuristic::euclidean},
    {"zero", GridHeuristic::zero},
};

constexpr NameRow<Smoothing> kSmoothings[] = {
    {"none", Smoothing::none},
    {"best", Smoothing::best},
    {"greedy_shortcut", Smoothing::greedy_shortcut},
    {"farthest_visible", Smoothing::farthest_visible},
};

constexpr NameRow<CornerRule> kCorners[] = {
    {"never", CornerRule::never},
    {"one_free", CornerRule::one_free},
    {"always", CornerRule::always},
};

// Of worlds whose default planner is any_angle.
template <class Planner>
std::optional<Planner> find_any_angle(std::string_view name) {
    if (name == "auto" || name == "automatic") return Planner::any_angle;
    for (int i = 0; i < static_cast<int>(Planner::count_); ++i) {
        if (name == planner_name(static_cast<Planner>(i))) return static_cast<Planner>(i);
    }
    return std::nullopt;
}

}  // namespace

std::optional<PathStatus> status_from_name(std::string_view name) {
    for (int i = 0; i < static_cast<int>(PathStatus::count_); ++i) {
        if (name == status_name(static_cast<PathStatus>(i))) return static_cast<PathStatus>(i);
    }
    return std::nullopt;
}

std::optional<LegKind> leg_kind_from_name(std::string_view name) {
    for (const LegKind kind : {LegKind::drive, LegKind::turn, LegKind::link}) {
        if (name == leg_kind_name(kind)) return kind;
    }
    return std::nullopt;
}

std::optional<Gear> gear_from_name(std::string_view name) {
    for (const Gear gear : {Gear::forward, Gear::reverse}) {
        if (name == gear_name(gear)) return gear;
    }
    return std::nullopt;
}

std::optional<GridPlanner> planner_from_name(std::string_view name) { return find(kPlanners, name); }
std::optional<MeshPlanner> mesh_planner_from_name(std::string_view name) {
    return find_any_angle<MeshPlanner>(name);
}
std::optional<VolumePlanner> volume_planner_from_name(std::string_view name) {
    return find_any_angle<VolumePlanner>(name);
}
std::optional<GridHeuristic> heuristic_from_name(std::string_view name) { return find(kHeuristics, name); }
std::optional<Smoothing> smoothing_from_name(std::string_view name) { return find(kSmoothings, name); }
std::optional<CornerRule> corner_from_name(std::string_view name) { return find(kCorners, name); }

}  // namespace fairlead::formats
