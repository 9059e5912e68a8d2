// fairlead route: one query, as text, JSON, a picture or a trace.

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <fairlead/debug/trace.h>
#include <fairlead/formats/routes.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/roadmap/smooth.h>
#include <fairlead/route/shape.h>

#include "cli/commands.h"
#include "cli/cylinder_world.h"
#include "cli/drive.h"
#include "cli/drive_solve.h"
#include "cli/extras.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/fly_query.h"
#include "cli/mesh_world.h"
#include "cli/picture.h"
#include "cli/planner.h"
#include "cli/price_flags.h"
#include "cli/roadmap_world.h"
#include "cli/solve.h"
#include "cli/speed.h"
#include "cli/text.h"
#include "cli/unit.h"
#include "cli/volume_picture.h"
#include "cli/volume_world.h"
#include "cli/ways.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

constexpr const char* kWalkersOnly = "for walkers on tiles, level meshes and roadmaps";

struct Answer {
    Route route;
    std::uint64_t ns = 0;
    debug::Trace events;
};

struct RouteCommand {
    WorldFlags world;
    EndFlags ends;
    UnitFlags unit;
    DriveFlags drive;
    SpeedFlags speed;
    PlannerFlags planner;
    BlockerFlags blockers;
    PriceFlags prices;
    AreaFlags areas;
    LookFlags look;
    WaysFlags ways;
    std::string svg;
    std::string png;
    std::string obj;
    std::string trace;
    bool json = false;
    bool y_up = false;
    bool check_edges = false;
    WorldKind kind = WorldKind::tiles;

    void run();
    void run_roadmap();
    void run_mesh();
    void run_volume();
    void run_fly(const Flyer& flyer);
    void run_cylinder();
    void refuse_flat(const char* where, bool has_tables) const;
    void run_drive(const Agent& agent);
    void run_timed(const DriveWorld& tiles, const DriveQuery& query);
    [[nodiscard]] bool is_observed() const { return !(svg + trace + png + obj).empty(); }
    template <class World, class Query>
    void ask(const World& state, const Query& query, std::string (*error_of)(const Error&),
             Answer& out) const;
    template <class MakePicture>
    void tell(Answer& answer, MakePicture picture, const NavMeshState* mesh = nullptr) const;
    void show(const Route& route, std::uint64_t ns, const NavMeshState* mesh = nullptr) const;
};

void print_leg(std::size_t i, const Leg& leg, bool in_space) {
    const Vec3 p = leg.start.position;
    fmt::print("{:5} {:6} {:>12} {:>12}", i, leg_kind_name(leg.kind), text_of(p.x), text_of(p.y));
    if (in_space) fmt::print(" {:>12}", text_of(p.z));
    if (leg.kind == LegKind::turn) fmt::print("  turn {:.6f} rad", leg.turn_rad);
    if (leg.kind == LegKind::link) fmt::print("  link {}", leg.link_id);
    if (leg.kind == LegKind::drive) fmt::print("  length {:.6f}", leg.length);
    if (in_space) fmt::print("  rise {:.6f}", leg.rise);
    if (leg.curvature != 0)
        fmt::print("  radius {:.3f} {}", 1 / std::fabs(leg.curvature), leg.curvature > 0 ? "left" : "right");
    if (leg.gear == Gear::reverse) fmt::print("  reverse");
    if (leg.speed_max >= 0) fmt::print("  speed_max {:.3f}", leg.speed_max);
    if (leg.clearance >= 0) fmt::print("  clearance {:.3f}", leg.clearance);
    fmt::print("\n");
}

// Finding it takes many searches.
bool has_reason(PathStatus status) {
    return status == PathStatus::unreachable || status == PathStatus::start_blocked ||
           status == PathStatus::goal_blocked || status == PathStatus::window;
}

void print_route(const Route& route, std::uint64_t ns, bool explains, bool in_space) {
    fmt::print("status    {}\n", status_name(route.status));
    fmt::print("planner   {}\n", route.planner);
    if (route.status == PathStatus::complete || route.status == PathStatus::partial || !route.legs.empty()) {
        fmt::print("length    {}\ncost      {}\nline cost {}\n", text_of(route.length), text_of(route.cost),
                   text_of(route.line_cost));
        fmt::print("bound     {}\n", route.bound == kNoBound ? "none" : text_of(route.bound));
        const RouteShape shape = route_shape(route);
        fmt::print("turns     {}, {:.1f} degrees in all; {:.3f} straight\n", shape.turns,
                   shape.turned_rad / kRadPerDeg, shape.straightness);
    }
    if (explains) fmt::print("why       `fairlead explain` with the same arguments tells\n");
    fmt::print("expanded  {}\ntime      {:.1f} us\n", route.stats.expanded, static_cast<double>(ns) / 1000.0);
    for (std::size_t i = 0; i < route.legs.size(); ++i) print_leg(i, route.legs[i], in_space);
}

// A second search tells its events, so that the time is that of a search unobserved.
template <class World, class Query>
void RouteCommand::ask(const World& state, const Query& query, std::string (*error_of)(const Error&),
                       Answer& out) const {
    Scratch scratch;
    const Result<std::uint64_t> ns = timed_search(state, query, scratch, out.route);
    if (!ns) fail_at(world.path(), error_of(ns.error()));
    out.ns = *ns;
    if (!is_observed()) return;
    const Result<std::uint64_t> again =
        timed_search(state, query, scratch, out.route, {.trace = out.events.hook()});
    if (!again) fail_at(world.path(), error_of(again.error()));
}

template <class MakePicture>
void RouteCommand::tell(Answer& answer, MakePicture picture, const NavMeshState* mesh) const {
    turn_to(answer.route, ends.headings());
    if (!svg.empty()) write_file(svg, picture());
    if (!trace.empty()) write_file(trace, make_trace_json(answer.events));
    show(answer.route, answer.ns, mesh);
}

void RouteCommand::run() {
    kind = world_kind(world.path());
    if (ways.given() && is_observed())
        fail("--alternatives: not with pictures or traces, which are of one way");
    if (kind != WorldKind::tiles) areas.refuse("only for scenes, which name areas");
    if (kind == WorldKind::volume) return run_volume();
    prices.refuse("for volumes only");
    look.refuse("for volumes only");
    if (kind == WorldKind::mesh) return run_mesh();
    if (kind == WorldKind::cylinder) return run_cylinder();
    Agent agent = unit.agent();
    if (agent.turning_radius > 0) {
        areas.refuse("not for units with a --turning-radius");
        agent.can_pivot = agent.can_pivot || speed.turns();
        return run_drive(agent);
    }
    drive.refuse();
    speed.refuse("only for units with a --turning-radius above 0");
    if (kind == WorldKind::roadmap) return run_roadmap();
    GridQuery query = planner.query();
    query.agent = agent;
    query.certify = true;
    const std::vector<Blocker> obstacles = blockers.blockers();
    query.blockers = obstacles;
    const std::vector<double> factors = areas.factors(world);
    query.terrain.factors = factors;
    const Grid grid = load_grid(world, query.agent, query.corner, planner.hierarchy());
    ends.fill(query, grid);
    turns_in_units(query, grid);
    if (ways.given())
        return ways.show(world.path(), grid.state(), query, planner.seed(), json, query_error_text);
    Answer answer;
    ask(grid, query, query_error_text, answer);
    if (is_observed()) debug::add_path(answer.events, answer.route);
    tell(answer, [&] { return make_svg({grid, query, answer.route, answer.events, y_up}); });
}

void RouteCommand::show(const Route& route, std::uint64_t ns, const NavMeshState* mesh) const {
    if (json) {
        std::string line;
        formats::append_route(line, 0, route, ns);
        if (mesh != nullptr) append_links(line, route, *mesh);
        write_file("-", line);
    } else {
        print_route(route, ns,
                    has_reason(route.status) && (kind == WorldKind::tiles || kind == WorldKind::volume),
                    kind == WorldKind::volume || kind == WorldKind::cylinder);
        if (mesh != nullptr) print_links(route, *mesh);
    }
}

void RouteCommand::run_drive(const Agent& agent) {
    ways.refuse(kWalkersOnly);
    if (kind == WorldKind::roadmap) fail_at(world.path(), "roadmaps take units that turn on the spot");
    if (check_edges) fail("--check-edges: for roadmaps only");
    speed.check(planner);
    if (!trace.empty() && speed.given()) fail("--trace: not with --speed, whose search tells no events");
    if (speed.given() && agent.can_pivot) fail("--pivot: with --speed it takes a --turn-rate too");
    const DriveJob job = drive.job(agent, unit.facings(), planner);
    const std::vector<Blocker> obstacles = blockers.blockers();
    check_blockers(job, obstacles);
    if (!trace.empty()) check_trace(job);
    const auto [start, goal] = ends.drive_ends();
    check_ends(job, start, goal);
    const DriveWorld tiles(world, agent, drive, obstacles, job.on_centres());
    check_floors(job, tiles.map());
    if (speed.given() && !tiles.map().state().is_plain())
        fail("--speed: not on worlds with several floors or portals");
    DriveQuery query = query_between(job, start, goal, tiles.grid());
    const HeadingSets sets{drive.start_headings(), drive.goal_headings()};
    if (!sets.start.empty() && start.heading_rad) fail("--start-headings: --start has a heading");
    if (!sets.goal.empty() && goal.heading_rad) fail("--goal-headings: --goal has a heading");
    const bool listed = !sets.start.empty() || !sets.goal.empty();
    if (listed && speed.given()) fail("--start-headings, --goal-headings: not with --speed");
    if (speed.turns()) query.pivot_penalty = speed.pivot_penalty(tiles.grid().state().cell_size());

    if (speed.given()) return run_timed(tiles, query);

    Scratch scratch;
    Route route;
    DriveNotes notes;
    const std::vector<DriveQuery> asked = each_heading(query, sets);
    std::size_t which = 0;
    const Result<std::uint64_t> ns = solve_cheapest(tiles, job, asked, scratch, route, notes, which);
    if (!ns) fail_at(world.path(), flag_error_text(ns.error()));
    query = asked[which];
    if (const std::string text = notes_text(notes, job.facings); !text.empty())
        fmt::print(stderr, "fairlead: {}\n", text);
    debug::Trace events;
    if (job.searches_poses() && (!svg.empty() || !trace.empty())) {  // once more, as for walkers
        const Result<std::uint64_t> again = solve_drive(tiles, job, query, scratch, route, notes, &events);
        if (!again) fail_at(world.path(), flag_error_text(again.error()));
    }
    if (!svg.empty()) write_file(svg, make_svg(tiles, query, route, events, y_up));
    if (!trace.empty()) write_file(trace, make_trace_json(events));
    show(route, *ns);
}

void RouteCommand::run_timed(const DriveWorld& tiles, const DriveQuery& query) {
    Route way;
    const std::uint64_t ns = solve_timed(tiles, speed, speed.query(query, planner), way);
    if (const std::string text = timed_text(way); !text.empty()) fmt::print(stderr, "fairlead: {}\n", text);
    if (!svg.empty()) write_file(svg, make_svg(tiles, query, way, debug::Trace{}, y_up));
    if (json) return write_file("-", timed_json(way, ns));
    print_route(way, ns, false, false);
}

void RouteCommand::run_roadmap() {
    planner.refuse_hierarchy_file();
    planner.refuse_reach("not on roadmaps, where places off the net are joined to it");
    GridQuery flags = planner.query();
    flags.agent = unit.agent();
    const std::vector<Blocker> obstacles = blockers.blockers();
    flags.blockers = obstacles;
    const RoadmapWorld roads = load_roadmap_world(world, flags.corner);
    RoadmapQuery query = roadmap_query(flags, roads, check_edges);
    ends.fill(query);
    if (ways.given() && planner.smoothing()) fail("--smooth: not with --alternatives on roadmaps");
    if (ways.given())
        return ways.show(world.path(), roads.roadmap.state(), query, planner.seed(), json,
                         roadmap_error_text);
    Answer answer;
    ask(roads.roadmap, query, roadmap_error_text, answer);
    if (const std::optional<Smoothing> way = planner.smoothing(); way && *way != Smoothing::none) {
        if (*way != Smoothing::best) fail("--smooth: best or none, on roadmaps");
        Scratch scratch;
        const Result<void> done = smooth_route(roads.roadmap, query, scratch, answer.route);
        if (!done) fail_at(world.path(), roadmap_error_text(done.error()));
    }
    tell(answer, [&] { return make_svg(roads, query, answer.route, answer.events, y_up); });
}

// What neither level meshes nor volumes have.
void RouteCommand::refuse_flat(const char* where, bool has_tables) const {
    drive.refuse(has_tables);
    speed.refuse(where);
    if (check_edges) fail("--check-edges: for roadmaps only");
    refuse_blockers(blockers.blockers());
}

void RouteCommand::run_mesh() {
    refuse_flat("not on level meshes", true);
    MeshQuery query = mesh_query(unit.agent(), planner, world);
    bool heights = false;
    ends.fill(query, heights);
    if (!heights) query.reach = any_height(query.reach);
    const MeshWorld level = load_mesh_world(world, query.agent, drive.table());
    if (level.table) query.table = &*level.table;
    if (ways.given())
        return ways.show(world.path(), level.mesh.state(), query, planner.seed(), json,
                         mesh_query_error_text);
    Answer answer;
    ask(level.mesh, query, mesh_query_error_text, answer);
    tell(
        answer, [&] { return make_svg(level, query, answer.route, answer.events, y_up); },
        &level.mesh.state());
}

void RouteCommand::run_volume() {
    ways.refuse(kWalkersOnly);
    refuse_flat("not in volumes", false);
    if (y_up) fail("--y-up: volumes are seen from aside; --quarter turns them");
    const Flyer flyer = unit.flyer();
    if (flyer.agent.turning_radius > 0) return run_fly(flyer);
    VolumeQuery query = volume_query(flyer.agent, planner);
    const std::vector<VolumeArea> priced = prices.prices();
    query.areas = priced;
    ends.fill(query);
    const Volume volume = load_volume_world(world);
    Answer answer;
    ask(volume, query, volume_error_text, answer);
    const VolumePicture picture{volume, look, &answer.route, &answer.events};
    if (!png.empty()) write_file(png, make_png(picture));
    if (!obj.empty()) write_file(obj, make_obj(picture));
    tell(answer, [&] { return make_svg(picture); });
}

void RouteCommand::run_fly(const Flyer& flyer) {
    prices.refuse("not for units with a --turning-radius");
    FlyQuery query = fly_query(flyer, planner);
    ends.fill(query);
    const Volume volume = load_volume_world(world);
    Answer answer;
    ask(volume, query, fly_error_text, answer);
    const VolumePicture picture{volume, look, &answer.route, &answer.events};
    if (!svg.empty()) write_file(svg, make_svg(picture));
    if (!png.empty()) write_file(png, make_png(picture));
    if (!obj.empty()) write_file(obj, make_obj(picture));
    if (!trace.empty()) write_file(trace, make_trace_json(answer.events));
    show(answer.route, answer.ns);
}

void RouteCommand::run_cylinder() {
    ways.refuse(kWalkersOnly);
    refuse_flat("not in cylinders", false);
    if (!svg.empty()) fail("--svg: not in this version: cylinders have no picture");
    if (!trace.empty()) fail("--trace: not in this version: for cylinders");
    GridQuery query = planner.query();
    query.agent = unit.agent();
    const auto [start, goal] = ends.in_space("cylinders");
    const CylinderTiles tube = load_cylinder_world(world, query.agent, query.corner);
    Answer answer;
    Scratch scratch;
    const Result<std::uint64_t> ns = tube.solve(query, start, goal, scratch, answer.route);
    if (!ns) fail_at(world.path(), query_error_text(ns.error()));
    answer.ns = *ns;
    tell(answer, [] { return std::string(); });
}

}  // namespace

void add_route(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("route", "Find one route");
    const auto command = std::make_shared<RouteCommand>();
    command->world.add(*sub);
    command->ends.add(*sub);
    sub->add_flag("--json", command->json, "One line as in ROUTES.jsonl");
    sub->add_option("--svg", command->svg, "Write a picture: map, search, unit's width, route");
    sub->add_option("--trace", command->trace, "Write the events of the search as JSON");
    sub->add_flag("--y-up", command->y_up, "Turn the picture over: row 0 at the bottom");
    sub->add_flag("--check-edges", command->check_edges,
                  "Roadmaps: the edges walked must be clear for the unit as well")
        ->group("Query");
    command->look.add(*sub, true);
    command->look.keep(sub->add_option("--png", command->png, "The same picture of a volume as pixels"));
    command->look.keep(
        sub->add_option("--obj", command->obj, "The same in space, y up, colors at the vertices"));
    command->blockers.add(*sub);
    command->prices.add(*sub);
    command->areas.add(*sub);
    command->unit.add(*sub, true);
    command->drive.add(*sub);
    command->speed.add(*sub);
    command->planner.add(*sub, true);
    command->ways.add(*sub);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
