// fairlead explore: a unit that does not know the map walks to its goal, as text, JSON or a picture of what it has seen.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/svg.h>
#include <fairlead/formats/routes.h>
#include <fairlead/grid/explore.h>

#include "cli/commands.h"
#include "cli/ends.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/text.h"
#include "cli/unit.h"
#include "cli/world.h"
#include "measure/clock.h"

namespace fairlead::cli {

namespace {

struct ExploreCommand {
    WorldFlags world;
    EndFlags ends;
    UnitFlags unit;
    std::string mode = "free_space";
    std::string sight, stride, detour, regions, svg;
    std::int32_t region_cells = ExploreOptions{}.region_cells;
    std::uint32_t steps = ExploreOptions{}.steps_max;
    bool json = false;
    bool y_up = false;

    void run();
    [[nodiscard]] ExploreOptions options(const Agent& agent) const;
    [[nodiscard]] std::vector<std::uint16_t> read_regions(const GridState& grid) const;
    void show(const Explorer& scout, std::uint64_t ns) const;
    [[nodiscard]] std::string picture(const GridState& grid, const Explorer& scout,
                                      const GridQuery& query) const;
};

std::optional<ExploreMode> mode_of(std::string_view name) {
    if (name == "free_space") return ExploreMode::free_space;
    if (name == "compass") return ExploreMode::compass;
    if (name == "horizon") return ExploreMode::horizon;
    return std::nullopt;
}

std::string explore_error_text(const Error& error) {
    switch (error.field) {
        case Field::range: return "--sight: above 0, at most 256 tiles";
        case Field::distance: return "--stride: 0 to 256 tiles";
        case Field::factor_min: return "--detour-max: 1 to 1e9";
        case Field::tile_cells: return "--region-cells: 2 to 1024";
        case Field::agent_turning_radius: return "--turning-radius: units that explore turn on the spot";
        case Field::world: return "units that explore take no worlds that wrap";
        default: return flag_error_text(error);
    }
}

ExploreOptions ExploreCommand::options(const Agent& agent) const {
    ExploreOptions o;
    o.mode = to_word("--mode", mode, mode_of, "free_space, compass, horizon");
    o.agent = agent;
    if (!sight.empty()) o.sight = to_number("--sight", sight);
    if (!stride.empty()) o.stride = to_number("--stride", stride);
    if (!detour.empty()) o.detour_max = to_number("--detour-max", detour);
    o.region_cells = region_cells;
    o.steps_max = steps;
    const bool given = !detour.empty() || !regions.empty() || region_cells != ExploreOptions{}.region_cells;
    if (given && o.mode != ExploreMode::compass)
        fail("--regions, --region-cells, --detour-max: only with --mode compass");
    return o;
}

// A character a cell: cells with the same one are one region.
std::vector<std::uint16_t> ExploreCommand::read_regions(const GridState& grid) const {
    std::vector<std::uint16_t> out;
    if (regions.empty()) return out;
    const std::string text = read_file(regions);
    std::string_view rest = text;
    std::int32_t y = 0;
    for (; !rest.empty(); ++y) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (y >= grid.height())
            fail(fmt::format("{}:{}: the map has {} rows", regions, y + 1, grid.height()));
        if (line.size() != static_cast<std::size_t>(grid.width()))
            fail(fmt::format("{}:{}: {} characters; the map has {} columns", regions, y + 1, line.size(),
                             grid.width()));
        for (const char letter : line) out.push_back(static_cast<unsigned char>(letter));
    }
    if (y != grid.height()) fail(fmt::format("{}: {} rows; the map has {}", regions, y, grid.height()));
    return out;
}

void ExploreCommand::run() {
    if (world_kind(world.path()) != WorldKind::tiles)
        fail_at(world.path(), "units that explore take tile maps");
    world.refuse_closed_parts();
    GridQuery query;
    query.agent = unit.agent();
    const Grid grid = load_grid(world, query.agent, query.corner);
    GoalList goals;
    fill(query, ends.ends(), grid, goals);
    if (query.goal.kind != Goal::Kind::point) fail("--goal: one point");
    if (query.start.layer != query.goal.at.layer) fail("--goal: on the start's floor");
    ExploreOptions asked = options(query.agent);
    asked.layer = query.start.layer;
    const std::vector<std::uint16_t> areas = read_regions(grid.state());
    asked.regions = areas;
    Result<Explorer> scout = Explorer::make(grid, asked);
    if (!scout) fail_at(world.path(), explore_error_text(scout.error()));
    if (const Result<void> begun = scout->begin(query.start, query.goal.at); !begun)
        fail_at(world.path(), explore_error_text(begun.error()));
    Scratch scratch;
    const std::uint64_t before = measure::thread_ns();
    while (scout->status() == ExploreStatus::going) {
        if (const Result<void> done = scout->step(grid, scratch); !done)
            fail_at(world.path(), explore_error_text(done.error()));
    }
    const std::uint64_t ns = measure::thread_ns() - before;
    if (!svg.empty()) write_file(svg, picture(grid.state(), *scout, query));
    show(*scout, ns);
}

void ExploreCommand::show(const Explorer& scout, std::uint64_t ns) const {
    const ExploreStats& stats = scout.stats();
    const char* status = explore_status_name(scout.status());
    if (!json) {
        fmt::print("status    {}\nmode      {}\nwalked    {}\n", status, mode,
                   text_of(scout.walked().length));
        fmt::print("steps     {}\nplans     {}\nbumps     {}\nseen      {}\ntime      {:.1f} us\n",
                   stats.steps, stats.plans, stats.bumps, stats.seen, static_cast<double>(ns) / 1000.0);
        return;
    }
    std::string line;
    formats::append_route(line, 0, scout.walked(), ns);
    line.resize(line.rfind('}'));
    line += fmt::format(
        ",\"explore\":{{\"status\":\"{}\",\"mode\":\"{}\",\"steps\":{},\"plans\":{},\"bumps\":{},\"seen\":{}}"
        "}}}\n",
        status, mode, stats.steps, stats.plans, stats.bumps, stats.seen);
    write_file("-", line);
}

std::string ExploreCommand::picture(const GridState& grid, const Explorer& scout,
                                    const GridQuery& query) const {
    const std::string title =
        fmt::format("{}, {}: walked {:.2f} in {} steps", explore_status_name(scout.status()), mode,
                    scout.walked().length, scout.stats().steps);
    debug::SvgOptions options{.bounds = debug::world_bounds(grid), .y_up = y_up};
    options.width = std::clamp(16.0 + 8.0 * grid.width(), 400.0, 1200.0);
    options.title = title.c_str();
    debug::SvgWriter svg_writer{options};
    const debug::Sink sink = svg_writer.sink();
    const std::int32_t floor = query.start.layer;
    debug::draw(grid, sink, {.region = {.layer = floor}});
    const Explorer* who = &scout;
    const debug::Fill veil[] = {{debug::palette::kFaint, 0.45}};
    debug::draw_cells(
        grid, {.layer = floor},
        [](Cell cell, void* user) {
            return (*static_cast<const Explorer**>(user))->seen(cell) ? debug::kNoClass : std::uint8_t{0};
        },
        &who, veil, sink);
    debug::draw(query.goal, sink, grid.cell_size());
    debug::draw(scout.walked(), query.agent, sink, {.cell_size = grid.cell_size()});
    const Result<std::span<const char>> text = svg_writer.finish();
    if (!text) fail_at("--svg", error_text(text.error()).c_str());
    return {text->data(), text->size()};
}

}  // namespace

void add_explore(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("explore", "A unit that does not know the map walks to its goal");
    const auto command = std::make_shared<ExploreCommand>();
    command->world.add(*sub);
    command->ends.add(*sub);
    sub->add_option(
        "--mode", command->mode,
        "free_space (the best way as far as is known; the default), compass (from region to region) "
        "or horizon (to the edge of sight)");
    sub->add_option("--sight", command->sight, "How far it sees (default 8)");
    sub->add_option("--stride", command->stride,
                    "How far it walks at most before it looks again (default: half of --sight)");
    sub->add_option(
        "--regions", command->regions,
        "compass: a text of the map's size, a character a cell; cells with the same are one region");
    sub->add_option("--region-cells", command->region_cells, "compass: else squares of so many cells (16)");
    sub->add_option("--detour-max", command->detour,
                    "compass: a way into a region at most so many times as long as straight on (4)");
    sub->add_option("--steps", command->steps, "Give up after so many steps (1048576)");
    sub->add_flag("--json", command->json, "One line as in ROUTES.jsonl, and what was done");
    sub->add_option("--svg", command->svg, "Write a picture: the map, what was not seen, the way walked");
    sub->add_flag("--y-up", command->y_up, "Turn the picture over: row 0 at the bottom");
    command->unit.add(*sub);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
