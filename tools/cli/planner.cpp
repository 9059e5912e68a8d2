// The flags that choose and tune the planner.

#include "cli/planner.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <fairlead/formats/names.h>

#include "cli/drive.h"
#include "cli/failure.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

std::optional<Smoothing> smoothing_of(std::string_view name) {
    if (name == "greedy") return Smoothing::greedy_shortcut;
    if (name == "farthest") return Smoothing::farthest_visible;
    return formats::smoothing_from_name(name);
}

}  // namespace

std::string planner_words() {
    std::string words;
    for (std::size_t i = 0; i < static_cast<std::size_t>(GridPlanner::count_); ++i) {
        if (i > 0) words += ", ";
        words += planner_name(static_cast<GridPlanner>(i));
    }
    return words;
}

void PlannerFlags::add(CLI::App& app, bool routes) {
    app_ = &app;
    const auto in_group = [](CLI::Option* option) { option->group("Planner"); };
    in_group(app.add_option("--planner", planner_,
                            "Which planner; `fairlead planners` lists them (default auto)"));
    in_group(app.add_option(
        "--epsilon", epsilon_,
        "weighted_astar (default 1.5), weighted_lattice (1.4): at most this times the optimum; anytime "
        "(1.5), anytime_lattice (1.4): the first weight"));
    in_group(app.add_option("--budget", budget_, "Give up with budget_spent after so many expansions"));
    in_group(app.add_option("--corner", corner_,
                            "Diagonal steps past corners: never, one_free or always (default never)"));
    in_group(app.add_option("--seed", seed_, "Of what is drawn by chance: the ways of --alternatives"));
    in_group(app.add_option("--neighbours", neighbours_,
                            "4 or 8 (default 8); in volumes 6, 18 or 26 (default 26)"));
    in_group(app.add_option(
        "--heuristic", heuristic_,
        "octile, manhattan, euclidean or zero, for the planners that read it; in volumes manhattan or "
        "euclidean"));
    in_group(
        app.add_option("--turn-penalty", turn_penalty_, "turn_penalty: cells per 45 degrees (default 0.5)"));
    in_group(app.add_option("--turn-penalty-each", turn_penalty_each_,
                            "turn_penalty: cells a turn, whatever its angle, as the article has it; then "
                            "--turn-penalty is 0 unless it is given"));
    in_group(
        app.add_flag("--no-grow", no_grow_, "fixed_window: one window of 60 x 60 cells, never a larger one"));
    in_group(app.add_option(
        "--hierarchy", hierarchy_file_,
        "The hierarchy of this map and unit, from `fairlead bake hierarchy`; auto takes it for "
        "goals far away"));
    in_group(app.add_flag(
        "--partial", partial_,
        "Unreachable, or a blocked goal: the route to the nearest reachable place instead. A --budget that "
        "is spent: that to the best place so far (with --speed or in the air: this alone)"));
    in_group(
        app.add_option("--reach", reach_,
                       "A start or goal where the unit cannot be is moved to the nearest place where it can, "
                       "this far at most (tiles, level meshes (2), volumes, cylinders; default 0)"));
    if (routes) {
        smooth_option_ = app.add_option("--smooth", smooth_, "best, greedy, farthest or none (default best)");
        in_group(smooth_option_);
        in_group(app.add_flag("--no-smooth", no_smooth_, "Keep the route as the search found it"));
    } else {
        later_.add(app, "--headings", "units turn on the spot");
        later_.add(app, "--rings", "units turn on the spot");
    }
}

CornerRule PlannerFlags::corner() const {
    return to_word("--corner", corner_, formats::corner_from_name, "never, one_free, always");
}

void PlannerFlags::refuse_tile_flags(bool smooths) const {
    for (const char* flag : {"--corner", "--neighbours", "--heuristic", "--turn-penalty",
                             "--turn-penalty-each", "--no-grow", "--smooth", "--hierarchy", "--reach"}) {
        if (smooths && std::string_view(flag) == "--smooth") continue;
        if (app_->get_option(flag)->count() > 0)
            fail(fmt::format("{}: not for units with a --turning-radius", flag));
    }
}

std::optional<Smoothing> PlannerFlags::smoothing() const {
    if (smooth_option_ == nullptr || smooth_option_->count() == 0) return std::nullopt;
    return to_word("--smooth", smooth_, smoothing_of, "best, greedy, farthest, none");
}

void PlannerFlags::refuse_off_tiles(const char* where, std::initializer_list<std::string_view> but) const {
    later_.refuse();
    for (const char* flag :
         {"--corner", "--neighbours", "--heuristic", "--turn-penalty", "--turn-penalty-each", "--no-grow",
          "--smooth", "--no-smooth", "--epsilon", "--hierarchy", "--reach"}) {
        if (std::find(but.begin(), but.end(), flag) != but.end()) continue;
        const CLI::Option* option = app_->get_option_no_throw(flag);
        if (option != nullptr && option->count() > 0) fail(fmt::format("{}: not {}", flag, where));
    }
}

HierarchyChoice PlannerFlags::hierarchy() const {
    return {planner_ == "hierarchy" || !hierarchy_file_.empty(), hierarchy_file_};
}

void PlannerFlags::refuse_hierarchy_file() const {
    if (!hierarchy_file_.empty()) fail("--hierarchy: for tile maps only");
}

std::optional<int> PlannerFlags::neighbours() const {
    if (app_->get_option("--neighbours")->count() == 0) return std::nullopt;
    return neighbours_;
}

std::optional<std::string> PlannerFlags::heuristic() const {
    if (app_->get_option("--heuristic")->count() == 0) return std::nullopt;
    return heuristic_;
}

std::optional<double> PlannerFlags::reach() const {
    if (reach_.empty()) return std::nullopt;
    return to_number("--reach", reach_);
}

void PlannerFlags::refuse_reach(const char* where) const {
    if (!reach_.empty()) fail(fmt::format("--reach: {}", where));
}

std::optional<double> PlannerFlags::epsilon() const {
    if (epsilon_.empty()) return std::nullopt;
    return to_number("--epsilon", epsilon_);
}

GridQuery PlannerFlags::query() const {
    later_.refuse();
    if (is_drive_planner(planner_))
        fail(fmt::format("--planner: {} is for units with a --turning-radius above 0", planner_));
    GridQuery query;
    query.planner = to_word("--planner", planner_, formats::planner_from_name, planner_words());
    query.corner = corner();
    query.heuristic = to_word("--heuristic", heuristic_, formats::heuristic_from_name,
                              "octile, manhattan, euclidean, zero");
    query.smoothing = to_word("--smooth", smooth_, smoothing_of, "best, greedy, farthest, none");
    if (smooth_option_ == nullptr || no_smooth_) query.smoothing = Smoothing::none;
    if (no_smooth_ && smooth_option_->count() > 0) fail("--smooth and --no-smooth exclude each other");
    if (neighbours_ != 4 && neighbours_ != 8)
        fail(fmt::format("--neighbours: {} is not 4 or 8", neighbours_));
    query.neighbours = neighbours_ == 4 ? Neighbourhood::four : Neighbourhood::eight;
    if (const auto given = epsilon()) query.epsilon = *given;
    if (!turn_penalty_.empty()) query.turn_penalty = to_number("--turn-penalty", turn_penalty_);
    if (!turn_penalty_each_.empty()) {
        query.turn_penalty_each = to_number("--turn-penalty-each", turn_penalty_each_);
        if (turn_penalty_.empty()) query.turn_penalty = 0.0;
    }
    query.window_grows = !no_grow_;
    query.partial = partial_;
    query.reach = reach().value_or(0.0);
    query.expansions_max = budget_;
    return query;
}

void turns_in_units(GridQuery& query, const GridState& grid) {
    query.turn_penalty *= grid.cell_size();
    query.turn_penalty_each *= grid.cell_size();
}

}  // namespace fairlead::cli
