// Field: which field of a query or of options an Error is about, so that a program, a file reader or a binding can name it
// without counting.
//
//     if (route.error().field == Field::agent_radius) ...
//     puts(error_text(route.error()).c_str());        // "agent.radius: a number is outside its documented range"
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead {

/// One name, one meaning, in every world. New ones are added at the end.
enum class Field : std::uint16_t {
    none,  ///< not about one field
    start,
    goal,
    goal_range,
    goal_list,  ///< `index`: which of the goals
    start_heading,
    goal_heading,
    layer,
    agent,
    agent_radius,
    agent_footprint,
    agent_shape,
    agent_length,
    agent_width,
    agent_axle_offset,
    agent_turning_radius,
    agent_height,
    planner,
    smoothing,
    corner,
    neighbours,
    heuristic,
    epsilon,
    turn_penalty,
    turn_penalty_each,
    reverse_penalty,
    cusp_penalty,
    pivot_penalty,
    terrain,
    areas,
    links,
    edges,
    factor_min,
    blockers,  ///< `index`: which
    influence,
    reach,
    range,
    off_net_cost,
    attach_range,
    attach_max,
    attach_tests,
    start_speed,
    goal_speed,
    table,
    times,
    width,
    height,
    layers,
    layer_height,
    origin,
    cell_size,
    cell_height,
    cells,
    sizes,
    portals,  ///< `index`: which
    terrain_costs,
    tiles,
    rect,
    from,
    to,
    distance,
    headings,
    rings,
    stretch,
    move_reach,
    every_word,
    floors,
    roads,
    road_rules,
    cones,
    line,
    speed_max,
    reverse_speed_max,
    accel_max,
    brake_max,
    lateral_accel_max,
    cusp_seconds,
    levels,
    waypoints,
    radius_min,
    searches_max,
    ahead,
    gap,
    facings,
    parts_max,
    accuracy,
    climb,
    slope_max,
    edge_error,
    tile_cells,
    unit_height,
    drop_min,
    drop_max,
    drop_reach,
    gap_max,
    rise_max,
    apex,
    gravity,
    speed,
    sample_step,
    kind_down,
    kind_across,
    landmarks,
    places,     ///< `index`: which
    obstacles,  ///< `index`: which
    route,
    triangles,
    tile_size,
    step_height,
    radius_max,
    bucket,
    lap,
    box,
    chunks,
    turn_rate_max,
    link_seconds,
    slowdown,
    corridor,
    unit,
    seconds,
    world,
    priority,
    on_edit,
    retry,
    share_key,
    requests_max,
    slice_units,
    slice_us,
    units_max,
    first_leg_units,
    patience_frames,
    priority_frames,
    threads,
    shape,    ///< of a formation
    spacing,  ///< of a formation
    slots,    ///< of a formation; `index`: which
    window,   ///< of routes found while a unit moves
    count_,   ///< not a field: the number of them
};

/// As in a query: "agent.radius". Empty for none. Never null.
[[nodiscard]] const char* field_name(Field field);

}  // namespace fairlead
