// Umbrella: what a game uses, the worlds and their searches, with verify, explain and debug drawing (targets of
// their own: fairlead::verify, fairlead::explain, fairlead::debug). Parts of the machine, for worlds of one's own, are
// public by their own headers (tests/tidy lists them). Written by `./run format`.
#pragma once

#include <fairlead/version.h>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/error.h>
#include <fairlead/base/field.h>
#include <fairlead/base/id.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/platform.h>
#include <fairlead/base/result.h>
#include <fairlead/base/rng.h>
#include <fairlead/base/snapshot.h>

#include <fairlead/math/aabb.h>
#include <fairlead/math/contact.h>
#include <fairlead/math/convert.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/predicates.h>
#include <fairlead/math/swept.h>
#include <fairlead/math/trig.h>
#include <fairlead/math/vec.h>

#include <fairlead/route/agent.h>
#include <fairlead/route/blocker.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/heuristic.h>
#include <fairlead/route/kind_filter.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>
#include <fairlead/route/route_cursor.h>
#include <fairlead/route/route_index.h>
#include <fairlead/route/shape.h>
#include <fairlead/route/sight.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/route/speed_profile.h>

#include <fairlead/search/cost.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>
#include <fairlead/search/trace.h>

#include <fairlead/polygon/outline.h>
#include <fairlead/polygon/triangulate.h>

#include <fairlead/curve/airplane.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/curve/facings.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/curve/relaxed.h>
#include <fairlead/curve/word.h>

#include <fairlead/grid/check_heuristic.h>
#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/flow_field.h>
#include <fairlead/grid/goal_fields.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/midpoints.h>
#include <fairlead/grid/nearest_free.h>
#include <fairlead/grid/query.h>
#include <fairlead/grid/repair.h>
#include <fairlead/grid/road_cones.h>
#include <fairlead/grid/road_layer.h>
#include <fairlead/grid/save_hierarchy.h>
#include <fairlead/grid/would_cut.h>

#include <fairlead/roadmap/coverage.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/leg_names.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/repair.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/roadmap/smooth.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/height_field.h>
#include <fairlead/mesh/link.h>
#include <fairlead/mesh/mesh_field.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/obstacle.h>
#include <fairlead/mesh/query.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh/surface.h>

#include <fairlead/volume/area.h>
#include <fairlead/volume/blocker.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/query.h>
#include <fairlead/volume/repair.h>
#include <fairlead/volume/save_volume.h>
#include <fairlead/volume/sight.h>
#include <fairlead/volume/stream.h>
#include <fairlead/volume/volume.h>

#include <fairlead/cylinder/cylinder.h>
#include <fairlead/cylinder/lift.h>
#include <fairlead/cylinder/save_cylinder.h>

#include <fairlead/drive/check_heuristic.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/drive/repair.h>
#include <fairlead/drive/road_rules.h>
#include <fairlead/drive/round_corners.h>
#include <fairlead/drive/speed_table.h>

#include <fairlead/fly/curve_sight.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/fly/query.h>
#include <fairlead/fly/repair.h>

#include <fairlead/motion/follower.h>
#include <fairlead/motion/route_driver.h>
#include <fairlead/motion/steering.h>
#include <fairlead/motion/unicycle.h>

#include <fairlead/convoy/convoy.h>

#include <fairlead/bridge/alternatives.h>
#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/drive_repair.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/local_grid.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/bridge/roadmap_crowd.h>
#include <fairlead/bridge/rolling_drive.h>
#include <fairlead/bridge/tile_sight.h>

#include <fairlead/verify/each_leg.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>
#include <fairlead/verify/verify_roadmap.h>
#include <fairlead/verify/verify_roads.h>
#include <fairlead/verify/verify_speed.h>
#include <fairlead/verify/verify_volume.h>

#include <fairlead/explain/explain.h>

#include <fairlead/crowd/crowd.h>
#include <fairlead/crowd/crowd_world.h>
#include <fairlead/crowd/formation.h>
#include <fairlead/crowd/narrow_places.h>
#include <fairlead/crowd/place_sheets.h>

#include <fairlead/schedule/request.h>
#include <fairlead/schedule/run_record.h>
#include <fairlead/schedule/scheduler.h>
#include <fairlead/schedule/sliced.h>

#include <fairlead/fleet/fleet.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/roadmap_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/fleet/volume_fleet.h>
#include <fairlead/fleet/world_fleet.h>

#include <fairlead/debug/block_view.h>
#include <fairlead/debug/blocks.h>
#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_drive.h>
#include <fairlead/debug/draw_explain.h>
#include <fairlead/debug/draw_mesh.h>
#include <fairlead/debug/draw_places.h>
#include <fairlead/debug/draw_roadmap.h>
#include <fairlead/debug/json.h>
#include <fairlead/debug/obj.h>
#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/debug/svg.h>
#include <fairlead/debug/trace.h>
#include <fairlead/debug/view.h>
