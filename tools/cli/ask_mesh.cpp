// Walkers on level meshes, and units with a turning circle there.

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/find_route.h>

#include "cli/any_world.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/mesh_drive_query.h"
#include "cli/mesh_world.h"
#include "cli/roadmap_world.h"

namespace fairlead::cli {

namespace {

/// What both share: the level, and the links that a route takes.
class OnMesh : public AnyWorld {
  public:
    explicit OnMesh(MeshWorld&& level) : level_(std::move(level)) {}

    void append_line(std::string& out, std::int64_t id, const Answer& answer,
                     std::uint64_t ns) const override {
        AnyWorld::append_line(out, id, answer, ns);
        append_links(out, answer.route, level_.mesh.state());
    }
    void print_more(const Route& route) const override { print_links(route, level_.mesh.state()); }

  protected:
    [[nodiscard]] const MeshWorld& level() const { return level_; }

  private:
    MeshWorld level_;
};

class MeshWalkers final : public OnMesh {
  public:
    MeshWalkers(const QueryFlags& flags, const MeshQuery& plain)
        : OnMesh(load_mesh_world(flags.world, plain.agent, flags.drive.table())),
          path_(flags.world.path()),
          seed_(flags.planner.seed()),
          plain_(plain) {
        if (level().table) plain_.table = &*level().table;
    }

    void check(const AskedEnds& ends) const override {
        GoalList list;
        (void)query(ends, list);
    }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        GoalList list;
        return search_into(level().mesh, query(ends, list), scratch, out, watched);
    }
    std::string error(const Error& error) const override { return mesh_query_error_text(error); }
    bool is_explained() const override { return true; }
    std::string svg(const AskedEnds&, const Answer& answer, bool y_up) const override {
        return make_svg({level(), plain_.filter, plain_.agent, answer.route, answer.events, y_up});
    }
    bool has_ways() const override { return true; }
    void show_ways(const AskedEnds& ends, const WaysFlags& ways, bool json) const override {
        GoalList list;
        ways.show(path_, level().mesh.state(), query(ends, list), seed_, json, mesh_query_error_text);
    }

  private:
    [[nodiscard]] MeshQuery query(const AskedEnds& ends, GoalList& list) const {
        MeshQuery query = plain_;
        fill(query, ends, list);
        return query;
    }

    std::string path_;
    std::uint64_t seed_;
    MeshQuery plain_;
};

class TurningOnMesh final : public OnMesh {
  public:
    TurningOnMesh(const QueryFlags& flags, const MeshDriveQuery& plain)
        : OnMesh(load_mesh_world(flags.world, plain.agent)), plain_(plain) {}

    void check(const AskedEnds& ends) const override { (void)query(ends); }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        return search_into(level().mesh, query(ends), scratch, out, watched);
    }
    std::string error(const Error& error) const override { return mesh_drive_error_text(error, plain_); }
    bool turns_on_spot() const override { return false; }
    std::string svg(const AskedEnds&, const Answer& answer, bool y_up) const override {
        return make_svg({level(), plain_.filter, plain_.agent, answer.route, answer.events, y_up});
    }

  private:
    [[nodiscard]] MeshDriveQuery query(const AskedEnds& ends) const {
        MeshDriveQuery query = plain_;
        fill(query, ends);
        return query;
    }

    MeshDriveQuery plain_;
};

}  // namespace

std::unique_ptr<AnyWorld> ask_mesh(const QueryFlags& flags) {
    refuse_flat(flags, "not on level meshes", true);
    return std::make_unique<MeshWalkers>(flags, mesh_query(flags.unit.agent(), flags.planner, flags.world));
}

std::unique_ptr<AnyWorld> ask_mesh_drive(const QueryFlags& flags, const Agent& agent) {
    flags.speed.refuse("not on level meshes");
    if (flags.check_edges) fail("--check-edges: for roadmaps only");
    refuse_blockers(flags.blockers.blockers());
    return std::make_unique<TurningOnMesh>(
        flags, mesh_drive_query({flags.world, flags.unit, flags.drive, flags.planner}, agent));
}

}  // namespace fairlead::cli
