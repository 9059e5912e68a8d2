// The names of fields, in the order of the enumerators.
#include <fairlead/base/field.h>

#include <cstddef>
#include <iterator>

namespace fairlead {

namespace {

struct Row {
    Field field;
    const char* name;
};

constexpr Row kFieldRows[] = {
    {Field::none, ""},
    {Field::start, "start"},
    {Field::goal, "goal"},
    {Field::goal_range, "goal.range"},
    {Field::goal_list, "goal.list"},
    {Field::start_heading, "start.heading"},
    {Field::goal_heading, "goal.heading"},
    {Field::layer, "layer"},
    {Field::agent, "agent"},
    {Field::agent_radius, "agent.radius"},
    {Field::agent_footprint, "agent.footprint"},
    {Field::agent_shape, "agent.shape"},
    {Field::agent_length, "agent.length"},
    {Field::agent_width, "agent.width"},
    {Field::agent_axle_offset, "agent.axle_offset"},
    {Field::agent_turning_radius, "agent.turning_radius"},
    {Field::agent_height, "agent_height"},
    {Field::planner, "planner"},
    {Field::smoothing, "smoothing"},
    {Field::corner, "corner"},
    {Field::neighbours, "neighbours"},
    {Field::heuristic, "heuristic"},
    {Field::epsilon, "epsilon"},
    {Field::turn_penalty, "turn_penalty"},
    {Field::turn_penalty_each, "turn_penalty_each"},
    {Field::reverse_penalty, "reverse_penalty"},
    {Field::cusp_penalty, "cusp_penalty"},
    {Field::pivot_penalty, "pivot_penalty"},
    {Field::terrain, "terrain"},
    {Field::areas, "areas"},
    {Field::links, "links"},
    {Field::edges, "edges"},
    {Field::factor_min, "edges.factor_min"},
    {Field::blockers, "blockers"},
    {Field::influence, "influence"},
    {Field::reach, "reach"},
    {Field::range, "range"},
    {Field::off_net_cost, "off_net_cost"},
    {Field::attach_range, "attach_range"},
    {Field::attach_max, "attach_max"},
    {Field::attach_tests, "attach_tests"},
    {Field::start_speed, "start_speed"},
    {Field::goal_speed, "goal_speed"},
    {Field::table, "table"},
    {Field::times, "times"},
    {Field::width, "width"},
    {Field::height, "height"},
    {Field::layers, "layers"},
    {Field::layer_height, "layer_height"},
    {Field::origin, "origin"},
    {Field::cell_size, "cell_size"},
    {Field::cell_height, "cell_height"},
    {Field::cells, "cells"},
    {Field::sizes, "sizes"},
    {Field::portals, "portals"},
    {Field::terrain_costs, "terrain_costs"},
    {Field::tiles, "tiles"},
    {Field::rect, "rect"},
    {Field::from, "from"},
    {Field::to, "to"},
    {Field::distance, "distance"},
    {Field::headings, "headings"},
    {Field::rings, "rings"},
    {Field::stretch, "stretch"},
    {Field::move_reach, "reach of the moves"},
    {Field::every_word, "every_word"},
    {Field::floors, "floors"},
    {Field::roads, "roads"},
    {Field::road_rules, "road_rules"},
    {Field::cones, "cones"},
    {Field::line, "line"},
    {Field::speed_max, "speed_max"},
    {Field::reverse_speed_max, "reverse_speed_max"},
    {Field::accel_max, "accel_max"},
    {Field::brake_max, "brake_max"},
    {Field::lateral_accel_max, "lateral_accel_max"},
    {Field::cusp_seconds, "cusp_seconds"},
    {Field::levels, "levels"},
    {Field::waypoints, "waypoints"},
    {Field::radius_min, "radius_min"},
    {Field::searches_max, "searches_max"},
    {Field::ahead, "ahead"},
    {Field::gap, "gap"},
    {Field::facings, "facings"},
    {Field::parts_max, "parts_max"},
    {Field::accuracy, "accuracy"},
    {Field::climb, "climb"},
    {Field::slope_max, "slope_max"},
    {Field::edge_error, "edge_error"},
    {Field::tile_cells, "tile_cells"},
    {Field::unit_height, "unit_height"},
    {Field::drop_min, "drop_min"},
    {Field::drop_max, "drop_max"},
    {Field::drop_reach, "drop_reach"},
    {Field::gap_max, "gap_max"},
    {Field::rise_max, "rise_max"},
    {Field::apex, "apex"},
    {Field::gravity, "gravity"},
    {Field::speed, "speed"},
    {Field::sample_step, "sample_step"},
    {Field::kind_down, "kind_down"},
    {Field::kind_across, "kind_across"},
    {Field::landmarks, "landmarks"},
    {Field::places, "places"},
    {Field::obstacles, "obstacles"},
    {Field::route, "route"},
    {Field::triangles, "triangles"},
    {Field::tile_size, "tile_size"},
    {Field::step_height, "step_height"},
    {Field::radius_max, "radius_max"},
};
static_assert(std::size(kFieldRows) == static_cast<std::size_t>(Field::count_));

}  // namespace

const char* field_name(Field field) {
    const auto i = static_cast<std::size_t>(field);
    return i < std::size(kFieldRows) && kFieldRows[i].field == field ? kFieldRows[i].name : "unknown";
}

}  // namespace fairlead
