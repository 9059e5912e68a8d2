// Units with a turning circle on level meshes.

#include "cli/mesh_drive_query.h"

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/mesh_world.h"

namespace fairlead::cli {

namespace {

void refuse_tile_ways(const MeshDriveFlags& flags, const DriveJob& job, const GridDriveSetup& setup) {
    const std::string& planner = flags.planner.name();
    const auto is = [&](const char* name) { return planner == name; };
    if (!is("auto") && !is("weighted_lattice") && !is("lattice") && !is("anytime_lattice"))
        fail(fmt::format(
            "--planner: {} is not auto, weighted_lattice, lattice or anytime_lattice, as units with a "
            "--turning-radius have on level meshes",
            planner));
    const auto refuse = [](bool given, const char* flag) {
        if (given) fail(fmt::format("{}: not on level meshes", flag));
    };
    refuse(flags.drive.roads().given(), "--roads");
    refuse(job.corners.has_value(), "--corners");
    refuse(job.facings > 0, "--facings");
    refuse(job.query.heuristic != DriveHeuristic::bounds, "--drive-heuristic");
    refuse(setup.rings > 0, "--rings");
    if (!flags.drive.table().empty())
        fail("--table: of a mesh it is for walkers; units with a --turning-radius have none there");
    refuse(!flags.drive.start_headings().empty(), "--start-headings");
    refuse(!flags.drive.goal_headings().empty(), "--goal-headings");
}

}  // namespace

MeshDriveQuery mesh_drive_query(const MeshDriveFlags& flags, const Agent& agent) {
    const DriveJob job = flags.drive.job(agent, flags.unit.facings(), flags.planner);
    const GridDriveSetup setup = flags.drive.setup();
    refuse_tile_ways(flags, job, setup);
    MeshDriveQuery query{.agent = agent};
    query.filter.areas.closed = KindSet::of_mask(flags.world.closed_areas());
    query.filter.links.closed = KindSet::of_mask(flags.world.closed_links());
    query.planner = job.query.planner;
    query.epsilon = job.query.epsilon;
    query.reverse_penalty = job.query.reverse_penalty;
    query.cusp_penalty = job.query.cusp_penalty;
    query.pivot_penalty = job.query.pivot_penalty;
    query.expansions_max = job.query.expansions_max;
    query.smooth = job.query.smooth;
    query.partial = job.query.partial;
    query.lattice.headings = setup.headings;
    query.goal = job.query.goal;
    return query;
}

void fill(MeshDriveQuery& query, const AskedEnds& ends) {
    const auto [start, goal] = drive_ends(ends);
    const auto in_heading = [](const Spot& at, const std::optional<double>& heading_rad) {
        return heading_rad ? at.facing(*heading_rad) : at;
    };
    query.start = in_heading(ends.start.in_space(), start.heading_rad);
    query.goal.at = in_heading(ends.goal().in_space(), goal.heading_rad);
    if (!ends.start.z || !ends.goal().z) query.reach = any_height(query.reach);
}

std::string mesh_drive_error_text(const Error& error, const MeshDriveQuery& query) {
    return error.code == ErrorCode::incompatible ? table_error_text(error, query.agent)
                                                 : flag_error_text(error);
}

}  // namespace fairlead::cli
