// Units with a turning circle in volumes.

#include "cli/fly_query.h"

#include <cstdint>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/text.h"

namespace fairlead::cli {

FlyQuery fly_query(const Flyer& unit, const PlannerFlags& planner) {
    planner.refuse_off_tiles("for units with a --turning-radius in volumes", {"--no-smooth"});
    if (planner.name() != "auto" && planner.name() != "fly")
        fail(fmt::format("--planner: {} is not auto or fly, as units with a --turning-radius in volumes have",
                         planner.name()));
    FlyQuery query{.agent = unit.agent, .climb = unit.climb};
    query.smooth = planner.smooths();
    query.partial = planner.partial();
    if (planner.budget() != UINT64_MAX) query.expansions_max = planner.budget();
    return query;
}

Spot fly_spot(const std::string& where, Vec3 position, std::optional<double> heading_rad) {
    if (!heading_rad) fail(fmt::format("{}: a unit with a --turning-radius has a heading there", where));
    return Spot(Position3(position), *heading_rad);
}

std::string fly_error_text(const Error& error) {
    if (error.field == Field::agent_shape)
        return "--length: units with a --turning-radius in volumes are spheres, upright capsules or boxes: "
               "--width too";
    if (error.field == Field::agent_height && error.code == ErrorCode::out_of_range)
        return "--height: a box in a volume has one, above 0";
    if (error.field == Field::agent_axle_offset && error.code == ErrorCode::out_of_range)
        return "--axle-offset: in volumes at most half of --length";
    if (error.field == Field::agent_radius && error.code == ErrorCode::out_of_range)
        return "--radius: of a unit with a --height at least 1/1024 of a voxel's shortest side";
    if (error.field == Field::agent) return "--reverse, --pivot: in volumes such units go forward only";
    if (error.code == ErrorCode::incompatible)
        return "volumes take spheres, upright capsules and boxes: no --footprint";
    return flag_error_text(error);
}

}  // namespace fairlead::cli
