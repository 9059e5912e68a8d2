// fairlead explain: why a query has no route, and what would help, as text, JSON or a picture.

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_drive.h>
#include <fairlead/debug/draw_explain.h>
#include <fairlead/debug/svg.h>
#include <fairlead/explain/explain.h>

#include "cli/blocker_flags.h"
#include "cli/commands.h"
#include "cli/drive.h"
#include "cli/drive_solve.h"
#include "cli/ends.h"
#include "cli/explain_legs.h"
#include "cli/explain_text.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/fly_query.h"
#include "cli/mesh_drive_query.h"
#include "cli/mesh_world.h"
#include "cli/picture.h"
#include "cli/planner.h"
#include "cli/price_flags.h"
#include "cli/roadmap_world.h"
#include "cli/text.h"
#include "cli/unit.h"
#include "cli/volume_picture.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct ExplainCommand {
    WorldFlags world;
    EndFlags ends;
    UnitFlags unit;
    DriveFlags drive;
    PlannerFlags planner;
    BlockerFlags blockers;
    PriceFlags prices;
    LookFlags look;
    std::string svg;
    std::string png;
    std::string accuracy;
    std::string routes;
    int trials = ExplainOptions{}.trials_max;
    bool json = false;
    bool y_up = false;
    bool check_edges = false;

    CLI::App* app = nullptr;

    void run();
    void run_legs(WorldKind kind) const;
    void run_drive(const Agent& agent);
    void run_volume();
    template <class Query>
    void explain_in_volume(const Query& query, std::string (*error)(const Error&));
    void run_mesh();
    void run_mesh_drive(const Agent& agent);
    void show(const MeshWorld& level, const MeshFilter& filter, const Explanation& why) const;
    void run_roadmap();
    [[nodiscard]] Agent walker(const char* where) const;
    [[nodiscard]] ExplainOptions options() const;
    void show(const GridState& grid, const Explanation& why, Place start, Place goal) const;
};

Place place_of(const Spot& spot) { return {spot.position, spot.heading_rad, spot.layer}; }

void draw_unit(const Place& place, const Agent& agent, const debug::Sink& sink, double cell_size) {
    const debug::Stroke line{.color = debug::palette::kInk, .width = 1.4};
    if (agent.footprint == 0 && circumscribed_radius(agent) > 0)
        debug::draw_body(place, agent, sink, debug::kNoFill, line);
    debug::draw_circle(sink, place.position, std::min(3.0 * sink.point, cell_size),
                       {.color = debug::palette::kInk}, debug::kNoStroke);
}

std::string picture(const GridState& grid, const Explanation& why, const Place& start, const Place& goal,
                    bool y_up) {
    debug::SvgOptions options{.bounds = debug::world_bounds(grid), .y_up = y_up};
    options.width = std::clamp(16.0 + 8.0 * grid.width(), 400.0, 1200.0);
    const ExplainText title = why.text();
    options.title = title.c_str();
    debug::SvgWriter svg{options};
    const debug::Sink sink = svg.sink();
    debug::draw(grid, sink);
    for (const Place& place : {start, goal}) draw_unit(place, why.agent, sink, grid.cell_size());
    debug::draw(why, sink, {.cell_size = grid.cell_size()});
    const Result<std::span<const char>> text = svg.finish();
    if (!text) fail_at("--svg", error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

ExplainOptions ExplainCommand::options() const {
    if (trials < 0) fail(fmt::format("--trials: {} is below 0", trials));
    ExplainOptions out{.trials_max = trials};
    if (planner.budget() != UINT64_MAX) out.expansions = planner.budget();
    if (!accuracy.empty()) out.accuracy = to_number("--accuracy", accuracy);
    if (out.accuracy < 0.001 || out.accuracy > 1)
        fail(fmt::format("--accuracy: {} is not 0.001 to 1", accuracy));
    return out;
}

void ExplainCommand::show(const GridState& grid, const Explanation& why, Place start, Place goal) const {
    if (!svg.empty()) write_file(svg, picture(grid, why, start, goal, y_up));
    write_file("-", json ? explanation_json(why) : explanation_text(why));
}

void ExplainCommand::run_legs(WorldKind kind) const {
    if (kind != WorldKind::tiles) fail_at(world.path(), "--routes is for tile maps");
    for (const char* end : {"--start", "--goal"}) {
        if (app->get_option(end)->count() > 0) fail(fmt::format("{}: not with --routes", end));
    }
    explain_legs(world, routes, unit.agent(), blockers.blockers(), json);
}

void ExplainCommand::run() {
    check_svg_name(svg);
    const WorldKind kind = world_kind(world.path());
    if (!routes.empty() || kind != WorldKind::volume) prices.refuse("for queries in volumes only");
    if (!routes.empty()) return run_legs(kind);
    for (const char* end : {"--start", "--goal"}) {
        if (app->get_option(end)->count() == 0) fail(fmt::format("{} is required", end));
    }
    if (kind == WorldKind::volume) return run_volume();
    look.refuse("for volumes only");
    if (check_edges && kind != WorldKind::roadmap) fail("--check-edges: for roadmaps only");
    if (kind == WorldKind::mesh) return run_mesh();
    if (kind == WorldKind::roadmap) return run_roadmap();
    if (kind != WorldKind::tiles) fail_at(world.path(), "explain is not for cylinders");
    const Agent agent = unit.agent();
    const ExplainOptions limits = options();
    if (agent.turning_radius > 0) return run_drive(agent);
    drive.refuse();
    GridQuery query = planner.query();
    query.agent = agent;
    query.expansions_max = UINT64_MAX;
    const std::vector<Blocker> obstacles = blockers.blockers();
    query.blockers = obstacles;
    const Grid grid = load_grid(world, query.agent, query.corner, planner.hierarchy());
    GoalList goals;
    fill(query, ends.ends(), grid, goals);
    turns_in_units(query, grid);
    Scratch scratch;
    const Result<Explanation> why = explain(grid, query, scratch, limits);
    if (!why) fail_at(world.path(), query_error_text(why.error()));
    const Spot goal = query.goal.is_list() ? query.goal.list[0] : query.goal.at;
    show(grid, *why, place_of(query.start), place_of(goal.on_layer(query.goal.at.layer)));
}

void ExplainCommand::run_drive(const Agent& agent) {
    drive.refuse_heading_sets();
    const DriveJob job = drive.job(agent, unit.facings(), planner);
    if (job.hybrid || job.corners || job.facings > 0)
        fail("explain asks the lattice search, without --facings and --corners");
    if (drive.roads().given()) fail("--roads: explain does not look at roads");
    if (!drive.table().empty()) fail("--table: explain makes many tables of its own");
    const auto [start, goal] = drive_ends(ends.ends());
    const Grid grid = load_grid(world, Agent{}, CornerRule::never);
    DriveQuery query = query_between(job, start, goal, grid);
    query.expansions_max = UINT64_MAX;
    Scratch scratch;
    const std::vector<Blocker> obstacles = blockers.blockers();
    query.blockers = obstacles;
    const Result<Explanation> why = explain(grid, query, scratch, options(), drive.setup());
    if (!why) fail_at(world.path(), flag_error_text(why.error()));
    show(grid, *why, place_of(query.start), place_of(query.goal.at));
}

// Off tiles and level meshes explain is for units that turn on the spot.
Agent ExplainCommand::walker(const char* where) const {
    drive.refuse();
    refuse_blockers(blockers.blockers());
    const Agent agent = unit.agent();
    if (agent.turning_radius > 0)
        fail(fmt::format("--turning-radius: {} explain is for units that turn on the spot", where));
    return agent;
}

void ExplainCommand::run_roadmap() {
    planner.refuse_hierarchy_file();
    planner.refuse_reach("not on roadmaps, where places off the net are joined to it");
    GridQuery words = planner.query();
    words.agent = walker("on roadmaps");
    const ExplainOptions limits = options();
    const RoadmapWorld roads = load_roadmap_world(world, words.corner);
    RoadmapQuery query = roadmap_query(words, roads, check_edges);
    query.expansions_max = UINT64_MAX;
    GoalList goals;
    fill(query, ends.ends(), goals);
    Scratch scratch;
    const Result<Explanation> why = explain(roads.roadmap, query, scratch, limits);
    if (!why) fail_at(world.path(), roadmap_error_text(why.error()));
    if (!svg.empty()) {
        const debug::Trace nothing;
        write_file(svg, make_svg(roads, query, Route{}, nothing, y_up, &*why));
    }
    write_file("-", json ? explanation_json(*why) : explanation_text(*why));
}

void ExplainCommand::show(const MeshWorld& level, const MeshFilter& filter, const Explanation& why) const {
    if (!svg.empty()) {
        const debug::Trace nothing;
        const Route none;
        write_file(svg, make_svg({level, filter, why.agent, none, nothing, y_up, &why}));
    }
    write_file("-", json ? explanation_json(why) : explanation_text(why));
}

void ExplainCommand::run_mesh_drive(const Agent& agent) {
    refuse_blockers(blockers.blockers());
    MeshDriveQuery query = mesh_drive_query({world, unit, drive, planner}, agent);
    query.expansions_max = UINT64_MAX;
    fill(query, ends.ends());
    const ExplainOptions limits = options();
    const MeshWorld level = load_mesh_world(world, agent);
    Scratch scratch;
    const Result<Explanation> why = explain(level.mesh, query, scratch, limits);
    if (!why) fail_at(world.path(), mesh_drive_error_text(why.error(), query));
    show(level, query.filter, *why);
}

void ExplainCommand::run_mesh() {
    if (unit.agent().turning_radius > 0) return run_mesh_drive(unit.agent());
    MeshQuery query = mesh_query(walker("on level meshes"), planner, world);
    query.expansions_max = UINT64_MAX;
    GoalList goals;
    fill(query, ends.ends(), goals);
    const ExplainOptions limits = options();
    const MeshWorld level = load_mesh_world(world, query.agent);
    Scratch scratch;
    const Result<Explanation> why = explain(level.mesh, query, scratch, limits);
    if (!why) fail_at(world.path(), mesh_query_error_text(why.error()));
    show(level, query.filter, *why);
}

void ExplainCommand::run_volume() {
    drive.refuse();
    refuse_blockers(blockers.blockers());
    if (y_up) fail("--y-up: volumes are seen from aside; --quarter turns them");
    const Flyer flyer = unit.flyer();
    if (flyer.agent.turning_radius > 0) {
        prices.refuse("not for units with a --turning-radius");
        FlyQuery query = fly_query(flyer, planner);
        fill(query, ends.ends());
        return explain_in_volume(query, fly_error_text);
    }
    VolumeQuery query = volume_query(flyer.agent, planner);
    query.expansions_max = UINT64_MAX;
    const std::vector<VolumeArea> priced = prices.prices();
    query.areas = priced;
    fill(query, ends.ends());
    explain_in_volume(query, volume_error_text);
}

template <class Query>
void ExplainCommand::explain_in_volume(const Query& query, std::string (*error)(const Error&)) {
    const ExplainOptions limits = options();
    const Volume volume = load_volume_world(world);
    Scratch scratch;
    const Result<Explanation> why = explain(volume, query, scratch, limits);
    if (!why) fail_at(world.path(), error(why.error()));
    const Help* help = debug::first_help(*why);
    const VolumePicture picture{volume, look, help == nullptr ? nullptr : &help->route, nullptr, &*why};
    if (!svg.empty()) write_file(svg, make_svg(picture));
    if (!png.empty()) write_file(png, make_png(picture));
    write_file("-", json ? explanation_json(*why) : explanation_text(*why));
}

}  // namespace

void add_explain(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("explain", "Why is there no route, and what would help?");
    const auto command = std::make_shared<ExplainCommand>();
    command->world.add(*sub);
    command->ends.add(*sub);
    sub->add_option("--routes", command->routes,
                    "Instead of a query: why legs of these routes (ROUTES.jsonl) cannot be driven, and how "
                    "wide a disc may be there");
    for (const char* end : {"--start", "--goal"}) sub->get_option(end)->required(false);
    command->app = sub;
    sub->add_flag("--json", command->json, "One line for programs");
    sub->add_option("--svg", command->svg,
                    "Write a picture: the map, the tightest place, a route that would do");
    command->look.add(*sub, false);
    command->look.keep(sub->add_option("--png", command->png, "The same picture of a volume as pixels"));
    sub->add_flag("--y-up", command->y_up, "Turn the picture over: row 0 at the bottom");
    sub->add_option("--trials", command->trials, "Further queries at most (default 40)")
        ->check(CLI::Range(0, 1000000));
    sub->add_option(
        "--accuracy", command->accuracy,
        "Of a turning radius in tiles or as a share of it, of a body as a share, of a sphere in a volume in "
        "voxels: 0.001 to 1 (default 0.05)");
    sub->add_flag("--check-edges", command->check_edges,
                  "Roadmaps: the edges walked must be clear for the unit as well")
        ->group("Query");
    command->blockers.add(*sub);
    command->prices.add(*sub);
    command->unit.add(*sub);
    command->drive.add(*sub);
    command->planner.add(*sub, true);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
