// Which world and unit the flags describe.

#include "cli/any_world.h"

#include <fairlead/formats/routes.h>

#include "cli/failure.h"
#include "cli/roadmap_world.h"

namespace fairlead::cli {

void QueryFlags::add(CLI::App& app, bool speeds) {
    app.add_flag("--check-edges", check_edges,
                 "Roadmaps: the edges walked must be clear for the unit as well")
        ->group("Query");
    blockers.add(app);
    prices.add(app);
    areas.add(app);
    unit.add(app, speeds);
    drive.add(app);
    if (speeds) speed.add(app);
    planner.add(app, true);
}

void AnyWorld::append_line(std::string& out, std::int64_t id, const Answer& answer, std::uint64_t ns) const {
    formats::append_route(out, id, answer.route, ns);
}

void refuse_flat(const QueryFlags& flags, const char* where, bool has_tables) {
    flags.drive.refuse(has_tables);
    flags.speed.refuse(where);
    if (flags.check_edges) fail("--check-edges: for roadmaps only");
    refuse_blockers(flags.blockers.blockers());
}

std::unique_ptr<AnyWorld> load_any_world(const QueryFlags& flags, const LookFlags* look) {
    const WorldKind kind = world_kind(flags.world.path());
    if (kind != WorldKind::tiles) flags.areas.refuse("only for scenes, which name areas");
    if (kind == WorldKind::volume) return ask_volume(flags, look);
    flags.prices.refuse("for volumes only");
    if (look != nullptr) look->refuse("for volumes only");
    if (kind == WorldKind::cylinder) return ask_cylinder(flags);
    Agent agent = flags.unit.agent();
    if (!(agent.turning_radius > 0)) {
        if (kind == WorldKind::mesh) return ask_mesh(flags);
        flags.drive.refuse();
        flags.speed.refuse("only for units with a --turning-radius above 0");
        return kind == WorldKind::roadmap ? ask_roadmap(flags) : ask_tiles(flags);
    }
    if (kind == WorldKind::roadmap) fail_at(flags.world.path(), "roadmaps take units that turn on the spot");
    flags.areas.refuse("not for units with a --turning-radius");
    agent.can_pivot = agent.can_pivot || flags.speed.turns();
    return kind == WorldKind::mesh ? ask_mesh_drive(flags, agent) : ask_drive(flags, agent);
}

}  // namespace fairlead::cli
