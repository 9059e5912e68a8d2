// Units with a turning circle on tile worlds.

#include "cli/drive.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_drive.h>
#include <fairlead/debug/svg.h>
#include <fairlead/math/trig.h>

#include "cli/baked.h"
#include "cli/drive_solve.h"
#include "cli/ends.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/speed.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

// A length in tiles.
double tiles_between(const char* flag, const std::string& text, double low, double high) {
    const double value = to_number(flag, text);
    if (!(value >= low && value <= high))
        fail(fmt::format("{}: {}", flag, error_text(ErrorCode::out_of_range)));
    return value;
}

constexpr const char* kOnlyTurning[] = {"--headings",      "--rings",          "--reverse-penalty",
                                        "--cusp-penalty",  "--goal-range",     "--corners",
                                        "--pivot-penalty", "--table",          "--drive-heuristic",
                                        "--every-word",    "--start-headings", "--goal-headings"};

DrivePlanner drive_planner(const std::string& name) {
    for (const DrivePlanner planner : {DrivePlanner::lattice, DrivePlanner::anytime}) {
        if (name == planner_name(planner)) return planner;
    }
    return DrivePlanner::weighted;
}

std::optional<CornerMethod> corner_method(std::string_view name) {
    for (const CornerMethod method : {CornerMethod::ignore_walls, CornerMethod::search_again,
                                      CornerMethod::tighter, CornerMethod::back_up}) {
        if (name == corner_method_name(method)) return method;
    }
    return std::nullopt;
}

// Of make_drive_map.
std::string map_error_text(const Error& error) {
    if (error.code == ErrorCode::unsupported && error.field == Field::roads)
        return "--roads: not on worlds with several floors";
    if (error.code == ErrorCode::incompatible && error.field == Field::floors)
        return "--table, --length: portals need poses in the middle of tiles (--nodes centres or halves), "
               "and several "
               "floors an axle inside the body";
    if (error.code == ErrorCode::size_limit && error.field == Field::height)
        return "all floors together have too many rows for units with a --turning-radius";
    return flag_error_text(error);
}

constexpr const char* kCornerWords = "ignore_walls, search_again, tighter, back_up";

}  // namespace

std::string table_error_text(const Error& error, const Agent& agent) {
    if (error.field == Field::rings && error.code == ErrorCode::size_limit)
        return "--rings: the moves sweep tiles farther than 60 from their start";
    if (error.field == Field::rings && error.code == ErrorCode::out_of_range)
        return fmt::format("--rings: for a --turning-radius of up to {} tiles", kRingsRadiusMax);
    if (error.field == Field::agent_turning_radius && error.code == ErrorCode::out_of_range)
        return fmt::format("--turning-radius: {} is not in 0.25 to 32 tiles", text_of(agent.turning_radius));
    if (error.field == Field::agent && error.code == ErrorCode::size_limit)
        return "the body reaches 40 tiles or more from its axle";
    if (error.field == Field::agent_footprint)
        return "--footprint: a square of tiles has no heading; use --radius, or --length and --width";
    return flag_error_text(error);
}

bool is_drive_planner(const std::string& name) {
    return name == "weighted_lattice" || name == "lattice" || name == "anytime_lattice" || name == "hybrid" ||
           is_timed_planner(name);
}

void DriveFlags::add(CLI::App& app) {
    app_ = &app;
    app.add_option("--reverse-penalty", reverse_penalty_,
                   "With --reverse: a length in reverse counts this many times, 1 to 1000 (default 1.5)")
        ->group("Unit");
    app.add_option("--cusp-penalty", cusp_penalty_,
                   "With --reverse: a change of gear costs so many tiles, 0 to 1000 (default 1)")
        ->group("Unit");
    app.add_option(
           "--pivot-penalty", pivot_penalty_,
           "With --pivot: a turn on the spot by one radian costs so many tiles, 0.05 to 1000 (default 2)")
        ->group("Unit");
    app.add_option("--headings", headings_,
                   "With --turning-radius: headings of the lattice, 8, 16 or 32 (default 8)")
        ->group("Planner");
    app.add_option(
           "--rings", rings_,
           "With --turning-radius: moves to 1, 2, 3 or 4 rings of tiles (Directional-8, -24, -48, -80), in "
           "whole tiles and "
           "no other search after it; without it they are chosen for the radius")
        ->group("Planner");
    app.add_flag("--every-word", every_word_,
                 "With --rings: all six curves to a tile and heading are moves, not the shortest of arc, "
                 "line, arc alone")
        ->group("Planner");
    app.add_option("--goal-range", goal_range_,
                   "With --turning-radius: any place of the lattice no farther than this from the goal")
        ->group("Query");
    app.add_option(
           "--corners", corners_,
           "With --turning-radius: no search, the smoothed tile route's corners rounded: "
           "ignore_walls, search_again, tighter or back_up; --smooth says how it is smoothed (greedy, as the "
           "article does)")
        ->group("Planner");
    app.add_option(
           "--table", table_,
           "With --turning-radius: the unit's table from `fairlead bake index`, instead of making it; on a "
           "level mesh: the mesh's table from `fairlead bake table`, to look routes up")
        ->group("Planner");
    app.add_option("--drive-heuristic", heuristic_,
                   "With --turning-radius: bounds (the default), or article: the article's table, which "
                   "knows no walls "
                   "and gives no bound; straight: the straight line, zero: nothing; both for comparison")
        ->group("Planner");
    app.add_option("--start-headings", start_headings_,
                   "With --turning-radius, in `route`: any of these headings will do at the start: 0,180")
        ->group("Query");
    app.add_option("--goal-headings", goal_headings_,
                   "With --turning-radius, in `route`: any of these headings will do at the goal: 0,90,270")
        ->group("Query");
    roads_.add(app, true);
}

namespace {

// At most so many: each is a search.
constexpr std::size_t kHeadingsListed = 64;

std::vector<double> headings_listed(const char* flag, const std::string& text) {
    std::vector<double> out;
    if (text.empty()) return out;
    for (const std::optional<double> deg : to_numbers(flag, text)) {
        if (!deg) fail(fmt::format("{}: \"{}\" has an empty place", flag, text));
        out.push_back(math::wrap_pi(*deg * kRadPerDeg));
    }
    if (out.size() > kHeadingsListed) fail(fmt::format("{}: at most {}", flag, kHeadingsListed));
    return out;
}

}  // namespace

std::vector<double> DriveFlags::start_headings() const {
    return headings_listed("--start-headings", start_headings_);
}

void DriveFlags::refuse_heading_sets() const {
    if (!start_headings_.empty()) fail("--start-headings: in `route` only");
    if (!goal_headings_.empty()) fail("--goal-headings: in `route` only");
}

std::vector<double> DriveFlags::goal_headings() const {
    return headings_listed("--goal-headings", goal_headings_);
}

void DriveFlags::refuse(bool on_mesh) const {
    if (roads_.given()) fail("--roads: only for units with a --turning-radius above 0");
    for (const char* flag : kOnlyTurning) {
        if (on_mesh && std::string_view(flag) == "--table") continue;  // meshes have tables of their own
        if (app_->get_option(flag)->count() > 0)
            fail(fmt::format("{}: only for units with a --turning-radius above 0", flag));
    }
}

DriveHeuristic DriveFlags::heuristic() const {
    if (heuristic_.empty() || heuristic_ == "bounds") return DriveHeuristic::bounds;
    if (heuristic_ == "article") return DriveHeuristic::article;
    if (heuristic_ == "straight") return DriveHeuristic::straight;
    if (heuristic_ == "zero") return DriveHeuristic::zero;
    fail(fmt::format("--drive-heuristic: {} is not bounds, article, straight or zero", heuristic_));
}

DriveQuery DriveFlags::query(const Agent& agent, const PlannerFlags& planner) const {
    planner.refuse_tile_flags(!corners_.empty());
    if (planner.name() != "auto" && !is_drive_planner(planner.name())) {
        fail(fmt::format("--planner: {} is not for units with a --turning-radius; they have auto, {}",
                         planner.name(), kDrivePlanners));
    }
    if (agent.footprint > 0)
        fail(
            "--footprint: a square of tiles has no heading; with --turning-radius use --radius, or --length");
    DriveQuery query;
    query.agent = agent;
    query.planner = drive_planner(planner.name());
    query.smooth = planner.smooths();
    query.expansions_max = planner.budget();
    query.partial = planner.partial();
    if (const std::optional<double> epsilon = planner.epsilon()) {
        if (query.planner == DrivePlanner::lattice)
            fail("--epsilon: lattice gives the best of its routes; weighted_lattice takes an epsilon");
        query.epsilon = *epsilon;
    }
    if (!goal_range_.empty()) {
        query.goal = Goal::within({}, to_number("--goal-range", goal_range_));
        if (!(query.goal.range > 0)) fail(fmt::format("--goal-range: {} is not above 0", goal_range_));
    }
    query.heuristic = heuristic();
    read_penalties(query);
    return query;
}

void DriveFlags::read_penalties(DriveQuery& query) const {
    const bool reverses = query.agent.can_reverse;
    if (!reverses && !reverse_penalty_.empty()) fail("--reverse-penalty: only with --reverse");
    if (!reverses && !cusp_penalty_.empty()) fail("--cusp-penalty: only with --reverse");
    if (!reverse_penalty_.empty()) query.reverse_penalty = to_number("--reverse-penalty", reverse_penalty_);
    if (!cusp_penalty_.empty())
        query.cusp_penalty = tiles_between("--cusp-penalty", cusp_penalty_, 0.0, 1000.0);
    if (pivot_penalty_.empty()) return;
    if (!query.agent.can_pivot) fail("--pivot-penalty: only with --pivot");
    query.pivot_penalty = tiles_between("--pivot-penalty", pivot_penalty_, 0.05, 1000.0);
}

// Ways that are no lattice search take nothing that tunes one.
void DriveFlags::refuse_search_flags(const PlannerFlags& planner, bool pivots, const char* why) const {
    if (roads_.given() && !rounds_corners())
        fail(fmt::format("--roads: not with {}, which knows no roads", why));
    if (pivots) fail(fmt::format("--pivot: not with {}, which knows no turns on the spot", why));
    if (planner.epsilon()) fail(fmt::format("--epsilon: not with {}", why));
    if (planner.partial()) fail(fmt::format("--partial: not with {}", why));
    for (const char* flag :
         {"--goal-range", "--reverse-penalty", "--cusp-penalty", "--pivot-penalty", "--drive-heuristic"}) {
        if (app_->get_option(flag)->count() > 0) fail(fmt::format("{}: not with {}", flag, why));
    }
}

DriveJob DriveFlags::job(const Agent& agent, std::int32_t facings, const PlannerFlags& planner) const {
    DriveJob job{.query = query(agent, planner), .facings = facings};
    job.hybrid = planner.name() == "hybrid";
    if (job.hybrid) {
        refuse_search_flags(planner, agent.can_pivot, "--planner hybrid");
        if (planner.budget() != UINT64_MAX) job.join_expansions = planner.budget();
    }
    if (corners_.empty()) return job;
    job.corners = to_word("--corners", corners_, corner_method, kCornerWords);
    if (const std::optional<Smoothing> given = planner.smoothing()) job.corner_smoothing = *given;
    if (planner.name() != "auto") fail("--corners: no search is made, so no --planner");
    if (!planner.smooths()) fail("--no-smooth: not with --corners, whose routes are not smoothed");
    refuse_search_flags(planner, agent.can_pivot, "--corners");
    if (planner.budget() != UINT64_MAX) fail("--budget: not with --corners");
    if (headings_) fail("--headings: not with --corners, which searches no lattice");
    if (rings_) fail("--rings: not with --corners, which searches no lattice");
    if (every_word_) fail("--every-word: not with --corners, which searches no lattice");
    if (*job.corners == CornerMethod::back_up && !agent.can_reverse)
        fail("--corners: back_up is for units that --reverse");
    return job;
}

GridDriveSetup DriveFlags::setup() const {
    GridDriveSetup setup;
    if (headings_) setup.headings = *headings_;
    if (!good_heading_count(setup.headings))
        fail(fmt::format("--headings: {} is not 8, 16 or 32", setup.headings));
    if (rings_ && (*rings_ < 1 || *rings_ > 4)) fail(fmt::format("--rings: {} is not 1, 2, 3 or 4", *rings_));
    setup.rings = rings_.value_or(0);
    setup.every_word = every_word_;
    if (every_word_ && !rings_) fail("--every-word: only with --rings");
    setup.map.road_rules = roads_.rules();
    if (!table_.empty() && (headings_ || rings_)) fail("--table: it has its own --headings and --rings");
    return setup;
}

DriveWorld::DriveWorld(const WorldFlags& world, const Agent& agent, const DriveFlags& flags,
                       std::vector<Blocker> blockers, const DriveJob& job)
    : path_(world.path()),
      agent_(agent),
      grid_(load_grid(world, Agent{}, CornerRule::never)),
      blockers_(std::move(blockers)),
      setup_(flags.setup()) {
    roads_ = flags.roads().roads(grid_.state());
    if (roads_ && flags.rounds_corners()) {
        road_tiles_.emplace(flags.roads().tiles(grid_.state(), *roads_));
        roads_.reset();  // the corners themselves know no roads
    }
    cones_ = flags.roads().cones(roads_.get());
    setup_.map.roads = roads_.get();
    setup_.map.cones = cones_.get();
    // What is drawn over the map, and the hybrid, know its walls alone.
    if (job.hybrid || job.facings > 0) setup_.map.blockers = blockers_;
    const bool centres = job.on_centres();
    if (!flags.table().empty()) {
        first_ = prepare(baked_table(flags.table(), centres));
        return;
    }
    const DriveNodes nodes = centres ? DriveNodes::centres : drive_nodes_for(grid_.state(), agent, setup_);
    may_refine_ = !centres && may_refine(grid_.state(), agent, nodes);
    first_ = prepare(nodes);
}

DriveWorld::Prepared DriveWorld::prepare(DriveNodes nodes) const {
    Result<DriveTable> table = DriveTable::make({.agent = agent_,
                                                 .cell_size = grid_.state().cell_size(),
                                                 .headings = setup_.headings,
                                                 .rings = setup_.rings,
                                                 .stretch = setup_.stretch,
                                                 .nodes = nodes,
                                                 .every_word = setup_.every_word});
    if (!table) fail(table_error_text(table.error(), agent_));
    return prepare(std::move(*table));
}

DriveTable DriveWorld::baked_table(const std::string& path, bool centres) const {
    DriveTable table = load_table(path);
    if (table.options().agent != agent_)
        fail_at(path, "the table is of another unit than the flags describe");
    if (table.options().cell_size != grid_.state().cell_size())
        fail_at(path, "the table is for tiles of another size");
    if (centres && table.nodes() != DriveNodes::centres)
        fail_at(path, "this way of planning needs a table made with --nodes centres");
    return table;
}

DriveWorld::Prepared DriveWorld::prepare(DriveTable&& table) const {
    Prepared out{std::make_unique<DriveTable>(std::move(table)), nullptr};
    Result<DriveMap> map = make_drive_map(grid_, *out.table, setup_.map);
    if (!map) fail_at(path_, map_error_text(map.error()));
    out.map = std::make_unique<DriveMap>(std::move(*map));
    return out;
}

const DriveMap& DriveWorld::fine() const {
    std::call_once(fine_made_, [&]() { fine_ = prepare(DriveNodes::halves); });
    return *fine_.map;
}

std::string make_svg(const DriveWorld& world, const DriveQuery& query, const Route& route,
                     const debug::Trace& trace, bool y_up) {
    const GridState& grid = world.grid().state();
    const std::string title =
        fmt::format("{}, {}: length {:.2f}", status_name(route.status), route.planner, route.length);
    debug::SvgOptions options{.bounds = debug::world_bounds(grid), .y_up = y_up};
    options.width = std::clamp(16.0 + 8.0 * grid.width(), 400.0, 1200.0);
    options.title = title.c_str();
    debug::SvgWriter svg{options};
    const debug::Sink sink = svg.sink();
    const bool floors = grid.layers() > 1;  // the picture is of the start's
    debug::draw(grid, sink, {.region = {.layer = query.start.layer}});
    if (!floors) debug::draw(trace.events(), sink, {.cell_size = world.map().state().table().lattice_size()});
    debug::draw(world.blockers(), sink, floors ? query.start.layer : -1);
    if (route.legs.empty()) {
        for (const Spot& spot : {query.start, query.goal.at}) {
            debug::draw_body({spot.position, spot.heading_rad, 0}, query.agent, sink, debug::kNoFill,
                             {.color = debug::palette::kWarning, .width = 1.8});
        }
    }
    debug::draw_drive(route, query.agent, sink, {.layer = floors ? query.start.layer : -1});
    const Result<std::span<const char>> text = svg.finish();
    if (!text) fail_at("--svg", error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

}  // namespace fairlead::cli
