// Fields and their flags: one table for all commands.

#include "cli/flags.h"

#include <fmt/format.h>

namespace fairlead::cli {

namespace {

struct Row {
    Field field;
    const char* flag;
};

constexpr Row kRows[] = {
    {Field::start, "--start"},
    {Field::goal, "--goal"},
    {Field::goal_range, "--goal-range"},
    {Field::goal_list, "--goal"},
    {Field::start_heading, "--start"},
    {Field::goal_heading, "--goal"},
    {Field::agent_radius, "--radius"},
    {Field::agent_footprint, "--footprint"},
    {Field::agent_shape, "--length"},
    {Field::agent_length, "--length"},
    {Field::agent_width, "--width"},
    {Field::agent_axle_offset, "--axle-offset"},
    {Field::agent_turning_radius, "--turning-radius"},
    {Field::agent_height, "--height"},
    {Field::planner, "--planner"},
    {Field::smoothing, "--smooth"},
    {Field::corner, "--corner"},
    {Field::neighbours, "--neighbours"},
    {Field::heuristic, "--heuristic"},
    {Field::epsilon, "--epsilon"},
    {Field::turn_penalty, "--turn-penalty"},
    {Field::turn_penalty_each, "--turn-penalty-each"},
    {Field::reverse_penalty, "--reverse-penalty"},
    {Field::cusp_penalty, "--cusp-penalty"},
    {Field::pivot_penalty, "--pivot-penalty"},
    {Field::terrain, "--terrain"},
    {Field::areas, "--closed-areas"},
    {Field::links, "--closed-links"},
    {Field::blockers, "--blocker"},
    {Field::reach, "--reach"},
    {Field::start_speed, "--start-speed"},
    {Field::goal_speed, "--goal-speed"},
    {Field::table, "--table"},
    {Field::cell_size, "--cell-size"},
    {Field::cell_height, "--cell-height"},
    {Field::origin, "--origin"},
    {Field::sizes, "--radius or --footprint"},
    {Field::headings, "--headings"},
    {Field::rings, "--rings"},
    {Field::every_word, "--every-word"},
    {Field::roads, "--roads"},
    {Field::road_rules, "--off-road, --against"},
    {Field::cones, "--cones"},
    {Field::speed_max, "--speed"},
    {Field::reverse_speed_max, "--reverse-speed"},
    {Field::accel_max, "--accel"},
    {Field::brake_max, "--brake"},
    {Field::lateral_accel_max, "--lateral-accel"},
    {Field::cusp_seconds, "--cusp-seconds"},
    {Field::levels, "--levels"},
    {Field::facings, "--facings"},
    {Field::accuracy, "--accuracy"},
    {Field::climb, "--climb"},
    {Field::slope_max, "--slope"},
    {Field::edge_error, "--edge-error"},
    {Field::tile_cells, "--tile-size"},
    {Field::drop_min, "--jump-drop-min"},
    {Field::drop_max, "--jump-drop-max"},
    {Field::drop_reach, "--jump-drop-reach"},
    {Field::gap_max, "--jump-gap-max"},
    {Field::rise_max, "--jump-rise-max"},
    {Field::apex, "--jump-apex"},
    {Field::gravity, "--jump-gravity"},
    {Field::speed, "--jump-speed"},
    {Field::sample_step, "--jump-step"},
    {Field::kind_down, "--jump-kind-down"},
    {Field::kind_across, "--jump-kind-across"},
    {Field::landmarks, "--landmarks"},
    {Field::radius_max, "--radius-max"},
};

}  // namespace

const char* flag_of(Field field) {
    for (const Row& row : kRows) {
        if (row.field == field) return row.flag;
    }
    return "";
}

std::string flag_error_text(const Error& error) {
    std::string text = flag_of(error.field);
    if (text.empty()) return error_text(error).c_str();
    const bool repeated = error.field == Field::goal_list || error.field == Field::blockers;
    if (repeated && error.index >= 0) text += fmt::format(", number {}", error.index + 1);
    text += fmt::format(": {}", error_text(error.code));
    if (error.code == ErrorCode::size_limit) text += fmt::format(": {}", error.detail);
    return text;
}

}  // namespace fairlead::cli
