// fairlead verify: exact legality of each route of a file.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/routes.h>
#include <fairlead/verify/each_leg.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_roadmap.h>
#include <fairlead/verify/verify_volume.h>

#include "cli/blocker_flags.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/mesh_world.h"
#include "cli/price_flags.h"
#include "cli/progress.h"
#include "cli/roadmap_world.h"
#include "cli/roads.h"
#include "cli/unit.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct VerifyCommand {
    WorldFlags world;
    std::string routes;
    UnitFlags unit;
    BlockerFlags blockers;
    PriceFlags prices;
    RoadFlags lanes;
    bool json = false;
    bool check_edges = false;
    bool each_leg = false;

    int run() const;
    int run_roadmap() const;
    int run_mesh() const;
    int run_volume() const;
    void refuse_flat() const;
    template <class Judge>
    int report(Judge judge) const;
    template <class Judge>
    void add_legs(const formats::RouteRecord& record, const Judge& judge, nlohmann::ordered_json& line) const;
};

std::string leg_text(const Violation& bad) {
    return fmt::format("{}: {}", violation_name(bad.kind), bad.text().c_str());
}

bool is_of_leg(const Violation& bad) { return bad.leg >= 0; }

nlohmann::ordered_json to_json(const formats::RouteRecord& record, const Violation& bad) {
    nlohmann::ordered_json line{{"id", record.id}, {"line", record.line}, {"legal", !bad}};
    if (bad) {
        const Vec3 p = bad.place.position;
        line["kind"] = violation_name(bad.kind);
        line["leg"] = bad.leg;
        line["distance"] = bad.distance;
        line["x"] = p.x;
        line["y"] = p.y;
        line["z"] = p.z;
        line["layer"] = bad.place.layer;
        line["depth"] = bad.depth;
        line["text"] = bad.text().c_str();
    }
    return line;
}

// All legs that are not legal, as text or into the line.
template <class Judge>
void VerifyCommand::add_legs(const formats::RouteRecord& record, const Judge& judge,
                             nlohmann::ordered_json& line) const {
    Array<LegVerdict> legs;
    if (!verify_legs_by(record.route, judge, legs)) fail("out of memory");
    auto list = nlohmann::ordered_json::array();
    for (const LegVerdict& leg : legs) {
        if (!leg.bad) continue;
        const auto kind = violation_name(leg.bad.kind);
        list.push_back({{"leg", leg.bad.leg},
                        {"kind", kind},
                        {"depth", leg.bad.depth},
                        {"text", leg.bad.text().c_str()}});
        if (!json) fmt::print("{}:{}: route {}: {}\n", routes, record.line, record.id, leg_text(leg.bad));
    }
    if (json) line["legs"] = list;
}

// Judges all routes of the file by judge(route), prints what is wrong, and counts.
template <class Judge>
int VerifyCommand::report(Judge judge) const {
    const std::string text = read_file(routes);
    const auto records = expect(routes, text, formats::load_routes(text, file_limits()));
    std::size_t illegal = 0;
    {
        Progress progress{"verify", records.size()};
        for (std::size_t i = 0; i < records.size(); ++i) {
            const formats::RouteRecord& record = records[i];
            const auto judge_one = [&](const Route& route) { return judge(record, route); };
            const Violation bad = judge_one(record.route);
            illegal += bad ? 1 : 0;
            nlohmann::ordered_json line = json ? to_json(record, bad) : nlohmann::ordered_json{};
            if (each_leg) add_legs(record, judge_one, line);
            if (json) {
                fmt::print("{}\n", line.dump());
            } else if (bad && (!each_leg || !is_of_leg(bad))) {
                fmt::print("{}:{}: route {}: {}\n", routes, record.line, record.id, leg_text(bad));
            }
            progress.at(i + 1);
        }
    }
    fmt::print(json ? stderr : stdout, "{} routes, {} legal, {} illegal\n", records.size(),
               records.size() - illegal, illegal);
    return illegal == 0 ? kDone : kCheckFailed;
}

int VerifyCommand::run() const {
    const WorldKind kind = world_kind(world.path());
    if (kind != WorldKind::volume) prices.refuse("for volumes only");
    switch (kind) {
        case WorldKind::mesh: return run_mesh();
        case WorldKind::roadmap: return run_roadmap();
        case WorldKind::volume: return run_volume();
        case WorldKind::cylinder:
            fail_at(world.path(), "not in this version: routes in cylinders are not verified from files");
        case WorldKind::tiles: break;
    }
    const Agent agent = unit.agent();
    const std::vector<Blocker> obstacles = blockers.blockers();
    // The grid is only read: it needs no tables for bodies that turn.
    const bool turns = agent.footprint == 0 && agent.shape != BodyShape::disc;
    const Grid grid = load_grid(world, turns ? Agent{} : agent, CornerRule::never);
    const std::unique_ptr<RoadLayer> layer = lanes.roads(grid.state());
    const RoadVerifyOptions rules = lanes.given() ? lanes.judged(grid.state()) : RoadVerifyOptions{};
    return report([&](const formats::RouteRecord&, const Route& route) {
        const Violation bad = verify(
            route, grid, agent, {.blockers = obstacles, .check_revision = false, .facings = unit.facings()});
        return bad || layer == nullptr ? bad : verify_roads(route, *layer, rules);
    });
}

int VerifyCommand::run_roadmap() const {
    const Agent agent = unit.agent();
    if (lanes.given()) fail("--roads: for tile maps only");
    const bool is_disc = agent.footprint == 0 && agent.shape == BodyShape::disc;
    if (!is_disc) fail(roadmap_rule_text(RoadmapRule::footprint));
    if (agent.turning_radius > 0 || unit.facings() > 0)
        fail("roadmaps take units that turn on the spot and face any way");
    refuse_blockers(blockers.blockers());
    const RoadmapWorld roads = load_roadmap_world(world, CornerRule::never);
    const RoadmapVerifyOptions options{.check_edges = check_edges,
                                       .tiles = roads.tiles ? &roads.tiles->state() : nullptr,
                                       .check_revision = false};
    const int status = report([&](const formats::RouteRecord&, const Route& route) {
        return verify(route, roads.roadmap, agent, options);
    });
    if (!check_edges)
        fmt::print(json ? stderr : stdout, "not checked: edges against walls (--check-edges)\n");
    return status;
}

// What neither level meshes nor volumes have.
void VerifyCommand::refuse_flat() const {
    if (lanes.given()) fail("--roads: for tile maps only");
    if (check_edges) fail("--check-edges: for roadmaps only");
    refuse_blockers(blockers.blockers());
}

int VerifyCommand::run_mesh() const {
    const Agent agent = unit.agent();
    refuse_flat();
    const MeshWorld level = load_mesh_world(world, agent);
    return report(
        [&](const formats::RouteRecord&, const Route& route) { return verify_on_mesh(route, level, agent); });
}

int VerifyCommand::run_volume() const {
    const Agent agent = unit.agent_in_volume();
    refuse_flat();
    const bool box = agent.shape == BodyShape::box && agent.height > 0 && agent.turning_radius > 0;
    if (agent.footprint != 0 || (agent.shape != BodyShape::disc && !box))
        fail("volumes take spheres, upright capsules, and boxes with --width, --height and --turning-radius");
    if (unit.facings() > 0) fail("--facings: not in volumes");
    const Volume volume = load_volume_world(world);
    const std::vector<VolumeArea> priced = prices.prices();
    return report([&](const formats::RouteRecord& record, const Route& route) {
        const bool whole = &route == &record.route;  // a leg alone has no cost of its own
        return verify(
            route, volume, agent,
            {.areas = priced, .check_revision = false, .check_line_cost = whole && record.line_cost_told});
    });
}

}  // namespace

void add_verify(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("verify", "Check routes by exact geometry; status 1 if one is illegal");
    const auto command = std::make_shared<VerifyCommand>();
    command->world.add(*sub);
    sub->add_option("ROUTES", command->routes, "A file as `fairlead batch` writes it (ROUTES.jsonl)")
        ->required();
    sub->add_flag("--json", command->json, "One JSON object a route, the summary on standard error");
    sub->add_flag("--check-edges", command->check_edges,
                  "Roadmaps: the edges walked must be clear for the unit as well");
    sub->add_flag("--each-leg", command->each_leg,
                  "All legs that are not legal, each judged as a route of its own, not the first alone");
    command->blockers.add(*sub);
    command->prices.add(*sub);
    command->lanes.add(*sub, false);
    command->unit.add_to_judge(*sub);
    sub->callback([command, &status] { status = command->run(); });
}

}  // namespace fairlead::cli
