// fairlead batch: many queries, on several threads, the routes in the order of the queries.

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <fairlead/formats/queries.h>
#include <fairlead/formats/routes.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>

#include "cli/commands.h"
#include "cli/cylinder_world.h"
#include "cli/drive.h"
#include "cli/drive_solve.h"
#include "cli/extras.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/fly_query.h"
#include "cli/limits.h"
#include "cli/mesh_world.h"
#include "cli/planner.h"
#include "cli/price_flags.h"
#include "cli/progress.h"
#include "cli/roadmap_world.h"
#include "cli/solve.h"
#include "cli/speed.h"
#include "cli/thread_group.h"
#include "cli/unit.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

constexpr int kThreadsMax = 256;

struct BatchWork;

struct BatchCommand {
    WorldFlags world;
    std::string queries;
    std::string out;
    UnitFlags unit;
    DriveFlags drive;
    PlannerFlags planner;
    BlockerFlags blockers;
    PriceFlags prices;
    int threads = 1;
    bool no_certify = false;
    bool no_times = false;
    bool check_edges = false;

    void run() const;
    void run_grid(const GridQuery& plain, const std::vector<formats::QueryRow>& rows) const;
    void run_roadmap(const GridQuery& flags, const std::vector<formats::QueryRow>& rows) const;
    void run_mesh(const std::vector<formats::QueryRow>& rows) const;
    void run_volume(const std::vector<formats::QueryRow>& rows) const;
    void run_fly(const Flyer& flyer, const std::vector<formats::QueryRow>& rows) const;
    void run_cylinder(const std::vector<formats::QueryRow>& rows) const;
    void refuse_heightless(const std::vector<formats::QueryRow>& rows) const;
    void refuse_flat(bool has_tables) const;
    void run_drive(const Agent& agent, const std::vector<formats::QueryRow>& rows) const;
    void finish(BatchWork& work) const;
};

std::optional<double> to_rad(const std::optional<double>& deg) {
    if (!deg) return std::nullopt;
    return math::wrap_pi(*deg * kRadPerDeg);
}

/// Fails where the world has no such floors.
void check_floors(const std::string& path, const formats::QueryRow& row, const GridState& grid) {
    (void)to_floor(fmt::format("{}:{}: sz", path, row.line), row.start.z, grid);
    (void)to_floor(fmt::format("{}:{}: gz", path, row.line), row.goal.z, grid);
}

/// What the threads share. Each takes the next few queries; lines[i] belongs to query i whoever solved it.
struct BatchWork {
    /// Answers one row; on any thread.
    std::function<Result<std::uint64_t>(const formats::QueryRow&, Scratch&, Route&)> find;
    std::string (*error_text)(const Error& error);
    const std::vector<formats::QueryRow>& rows;
    bool no_times;
    bool turns_on_spot;
    std::vector<std::string> lines;
    std::vector<PathStatus> statuses;
    std::vector<std::optional<Error>> errors;
    const NavMeshState* mesh = nullptr;  ///< whose links the lines tell
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};

    void solve(std::size_t i, Scratch& scratch, Route& route) {
        const formats::QueryRow& row = rows[i];
        const Result<std::uint64_t> ns = find(row, scratch, route);
        if (!ns) {
            errors[i] = ns.error();
            return;
        }
        if (turns_on_spot) turn_to(route, {to_rad(row.start.heading_deg), to_rad(row.goal.heading_deg)});
        statuses[i] = route.status;
        formats::append_route(lines[i], row.id, route, no_times ? 0 : *ns);
        if (mesh != nullptr) append_links(lines[i], route, *mesh);
    }

    void run(Progress* progress) {
        constexpr std::size_t kShare = 16;
        Scratch scratch;
        Route route;
        for (;;) {
            const std::size_t first = next.fetch_add(kShare);
            if (first >= rows.size()) return;
            const std::size_t last = std::min(first + kShare, rows.size());
            for (std::size_t i = first; i < last; ++i) solve(i, scratch, route);
            const std::size_t so_far = done.fetch_add(last - first) + (last - first);
            if (progress != nullptr) progress->at(so_far);
        }
    }
};

std::string summary(const BatchWork& work) {
    std::array<std::size_t, static_cast<std::size_t>(PathStatus::count_)> counts{};
    for (const PathStatus status : work.statuses) ++counts[static_cast<std::size_t>(status)];
    std::string text = fmt::format("{} routes", work.rows.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) text += fmt::format(", {} {}", counts[i], status_name(static_cast<PathStatus>(i)));
    }
    return text;
}

void BatchCommand::run() const {
    if (threads < 1 || threads > kThreadsMax)
        fail(fmt::format("--threads: {} is not 1 to {}", threads, kThreadsMax));
    const std::string text = read_file(queries);
    const std::vector<formats::QueryRow> rows =
        expect(queries, text, formats::load_queries(text, file_limits()));
    const WorldKind kind = world_kind(world.path());
    if (kind == WorldKind::volume) return run_volume(rows);
    prices.refuse("for volumes only");
    if (kind == WorldKind::mesh) return run_mesh(rows);
    if (kind == WorldKind::cylinder) return run_cylinder(rows);
    const Agent agent = unit.agent();
    if (agent.turning_radius > 0) {
        if (kind == WorldKind::roadmap) fail_at(world.path(), "roadmaps take units that turn on the spot");
        return run_drive(agent, rows);
    }
    drive.refuse();
    GridQuery plain = planner.query();
    plain.agent = agent;
    plain.certify = !no_certify;
    const std::vector<Blocker> obstacles = blockers.blockers();
    plain.blockers = obstacles;
    kind == WorldKind::roadmap ? run_roadmap(plain, rows) : run_grid(plain, rows);
}

void BatchCommand::run_grid(const GridQuery& plain, const std::vector<formats::QueryRow>& rows) const {
    const Grid grid = load_grid(world, plain.agent, plain.corner, planner.hierarchy());
    for (const formats::QueryRow& row : rows) check_floors(queries, row, grid);
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        GridQuery query = plain;
        query.start = Spot(row.start.position).on_layer(static_cast<std::int32_t>(row.start.z.value_or(0.0)));
        query.goal = Spot(row.goal.position).on_layer(static_cast<std::int32_t>(row.goal.z.value_or(0.0)));
        turns_in_units(query, grid);
        return timed_search(grid, query, scratch, route);
    };
    BatchWork work{find, query_error_text, rows, no_times, true, {}, {}, {}};
    finish(work);
}

Vec3 in_space(const formats::QueryPlace& place) {
    return {place.position.x, place.position.y, place.z.value_or(0.0)};
}

void BatchCommand::run_roadmap(const GridQuery& flags, const std::vector<formats::QueryRow>& rows) const {
    planner.refuse_hierarchy_file();
    planner.refuse_reach("not on roadmaps, where places off the net are joined to it");
    const RoadmapWorld roads = load_roadmap_world(world, flags.corner);
    const RoadmapQuery plain = roadmap_query(flags, roads, check_edges);
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        RoadmapQuery query = plain;
        query.start = in_space(row.start);
        query.goal = Goal(in_space(row.goal));
        return timed_search(roads.roadmap, query, scratch, route);
    };
    BatchWork work{find, roadmap_error_text, rows, no_times, true, {}, {}, {}};
    finish(work);
}

// What neither level meshes nor volumes have.
void BatchCommand::refuse_flat(bool has_tables) const {
    drive.refuse(has_tables);
    if (check_edges) fail("--check-edges: for roadmaps only");
    refuse_blockers(blockers.blockers());
}

void BatchCommand::run_mesh(const std::vector<formats::QueryRow>& rows) const {
    refuse_flat(true);
    const MeshQuery plain = mesh_query(unit.agent(), planner, world);
    const MeshWorld level = load_mesh_world(world, plain.agent, drive.table());
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        MeshQuery query = plain;
        query.start = in_space(row.start);
        query.goal = Goal(in_space(row.goal));
        if (!row.start.z || !row.goal.z) query.reach = any_height(query.reach);
        if (level.table) query.table = &*level.table;
        return timed_search(level.mesh, query, scratch, route);
    };
    BatchWork work{find, mesh_query_error_text, rows, no_times, true, {}, {}, {}};
    work.mesh = &level.mesh.state();
    finish(work);
}

void BatchCommand::refuse_heightless(const std::vector<formats::QueryRow>& rows) const {
    for (const formats::QueryRow& row : rows) {
        (void)to_space(fmt::format("{}:{}: sz", queries, row.line), row.start.position, row.start.z);
        (void)to_space(fmt::format("{}:{}: gz", queries, row.line), row.goal.position, row.goal.z);
    }
}

void BatchCommand::run_volume(const std::vector<formats::QueryRow>& rows) const {
    refuse_flat(false);
    refuse_heightless(rows);
    const Flyer flyer = unit.flyer();
    if (flyer.agent.turning_radius > 0) return run_fly(flyer, rows);
    VolumeQuery plain = volume_query(flyer.agent, planner);
    const std::vector<VolumeArea> priced = prices.prices();
    plain.areas = priced;
    const Volume volume = load_volume_world(world);
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        VolumeQuery query = plain;
        query.start = in_space(row.start);
        query.goal = Goal(in_space(row.goal));
        return timed_search(volume, query, scratch, route);
    };
    BatchWork work{find, volume_error_text, rows, no_times, true, {}, {}, {}};
    finish(work);
}

void BatchCommand::run_fly(const Flyer& flyer, const std::vector<formats::QueryRow>& rows) const {
    prices.refuse("not for units with a --turning-radius");
    const FlyQuery plain = fly_query(flyer, planner);
    const auto spot = [&](const formats::QueryRow& row, const formats::QueryPlace& place,
                          const char* column) {
        const std::string where = fmt::format("{}:{}: {}", queries, row.line, column);
        return fly_spot(where, in_space(place), to_rad(place.heading_deg));
    };
    const auto query_of = [&](const formats::QueryRow& row) {
        FlyQuery query = plain;
        query.start = spot(row, row.start, "sh");
        query.goal = spot(row, row.goal, "gh");
        return query;
    };
    // What is wrong with the ends is told before any search.
    for (const formats::QueryRow& row : rows) (void)query_of(row);
    const Volume volume = load_volume_world(world);
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        return timed_search(volume, query_of(row), scratch, route);
    };
    BatchWork work{find, fly_error_text, rows, no_times, false, {}, {}, {}};
    finish(work);
}

void BatchCommand::run_cylinder(const std::vector<formats::QueryRow>& rows) const {
    refuse_flat(false);
    refuse_heightless(rows);
    GridQuery plain = planner.query();
    plain.agent = unit.agent();
    const CylinderTiles tube = load_cylinder_world(world, plain.agent, plain.corner);
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        return tube.solve(plain, in_space(row.start), in_space(row.goal), scratch, route);
    };
    BatchWork work{find, query_error_text, rows, no_times, true, {}, {}, {}};
    finish(work);
}

using DriveEnds = std::pair<DriveEnd, DriveEnd>;

// The ends of all rows, before any search: what is wrong with them is told at once.
std::vector<DriveEnds> read_ends(const std::string& path, const std::vector<formats::QueryRow>& rows,
                                 const DriveJob& job) {
    std::vector<DriveEnds> ends;
    for (const formats::QueryRow& row : rows) {
        const auto end = [&](const formats::QueryPlace& place, const char* column) {
            return DriveEnd{fmt::format("{}:{}: {}", path, row.line, column), place.position,
                            to_rad(place.heading_deg), place.z};
        };
        ends.emplace_back(end(row.start, "sh"), end(row.goal, "gh"));
        check_ends(job, ends.back().first, ends.back().second);
    }
    return ends;
}

void BatchCommand::run_drive(const Agent& agent, const std::vector<formats::QueryRow>& rows) const {
    if (check_edges) fail("--check-edges: for roadmaps only");
    if (is_timed_planner(planner.name())) fail(fmt::format("--planner: {} is for `route`", planner.name()));
    drive.refuse_heading_sets();
    const DriveJob job = drive.job(agent, unit.facings(), planner);
    const std::vector<Blocker> obstacles = blockers.blockers();
    check_blockers(job, obstacles);
    const std::vector<DriveEnds> ends = read_ends(queries, rows, job);
    const DriveWorld tiles(world, agent, drive, obstacles, job.on_centres());
    cli::check_floors(job, tiles.map());
    for (const formats::QueryRow& row : rows) check_floors(queries, row, tiles.grid());
    std::vector<DriveNotes> notes(rows.size());
    const auto find = [&](const formats::QueryRow& row, Scratch& scratch, Route& route) {
        const auto i = static_cast<std::size_t>(&row - rows.data());
        const DriveQuery query = query_between(job, ends[i].first, ends[i].second, tiles.grid());
        return solve_drive(tiles, job, query, scratch, route, notes[i]);
    };
    BatchWork work{find, flag_error_text, rows, no_times, false, {}, {}, {}};
    finish(work);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (const std::string text = notes_text(notes[i], job.facings); !text.empty())
            fmt::print(stderr, "fairlead: {}:{}: {}\n", queries, rows[i].line, text);
    }
}

void BatchCommand::finish(BatchWork& work) const {
    const std::vector<formats::QueryRow>& rows = work.rows;
    work.lines.resize(rows.size());
    work.statuses.resize(rows.size());
    work.errors.resize(rows.size());
    {
        Progress progress{"batch", rows.size()};
        ThreadGroup others(static_cast<std::size_t>(threads) - 1, [&work] { work.run(nullptr); });
        work.run(&progress);
        others.join();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (work.errors[i])
            fail(fmt::format("{}:{}: {}", queries, rows[i].line, work.error_text(*work.errors[i])));
    }
    std::string all;
    for (const std::string& line : work.lines) all += line;
    write_file(out, all);
    if (out != "-") fmt::print("{}\n", summary(work));
}

}  // namespace

void add_batch(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("batch", "Find the routes of a list of queries");
    const auto command = std::make_shared<BatchCommand>();
    command->world.add(*sub);
    sub->add_option("QUERIES", command->queries, "CSV with the header id,sx,sy,sz,sh,gx,gy,gz,gh")
        ->required();
    sub->add_option("-o", command->out, "Where the routes go, one JSON object a line; - is standard output")
        ->required();
    sub->add_option("--threads", command->threads,
                    "How many threads; the routes do not depend on it (default 1)");
    sub->add_flag("--no-certify", command->no_certify,
                  "Leave the clearance of the legs out: a little faster");
    sub->add_flag("--no-times", command->no_times, "Write ns as 0, so that equal runs give equal files");
    sub->add_flag("--check-edges", command->check_edges,
                  "Roadmaps: the edges walked must be clear for the unit as well");
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
