// fairlead classic: the articles' own program on a tile map, each of its switches a flag.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <fairlead/classic/find_classic.h>
#include <fairlead/formats/routes.h>

#include "cli/commands.h"
#include "cli/ends.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/picture.h"
#include "cli/text.h"
#include "cli/world.h"
#include "measure/clock.h"

namespace fairlead::cli {

namespace {

template <class Value>
struct Word {
    const char* name;
    Value value;
};

constexpr Word<ClassicSearch> kSearches[] = {{"tiles", ClassicSearch::tiles},
                                             {"directional", ClassicSearch::directional},
                                             {"hybrid", ClassicSearch::hybrid}};
constexpr Word<ClassicOpen> kOpens[] = {
    {"list", ClassicOpen::list}, {"tree", ClassicOpen::tree}, {"heap", ClassicOpen::heap}};
constexpr Word<ClassicHeuristic> kHeuristics[] = {{"article", ClassicHeuristic::article},
                                                  {"lower_bound", ClassicHeuristic::lower_bound}};
constexpr Word<ClassicProbe> kProbes[] = {
    {"diamond", ClassicProbe::diamond}, {"square", ClassicProbe::square}, {"exact", ClassicProbe::exact}};
constexpr Word<ClassicSmoothing> kSmoothings[] = {{"none", ClassicSmoothing::none},
                                                  {"simple", ClassicSmoothing::simple},
                                                  {"ahead", ClassicSmoothing::ahead}};

template <class Value, std::size_t count>
Value word_value(const char* flag, const std::string& text, const Word<Value> (&words)[count]) {
    std::string all;
    for (const Word<Value>& word : words) {
        if (text == word.name) return word.value;
        all += fmt::format("{}{}", all.empty() ? "" : ", ", word.name);
    }
    fail_word(flag, text, all);
}

struct ClassicCommand {
    WorldFlags world;
    EndFlags ends;
    std::string radius = "0.4", turning_radius = "0", granularity = "0.2";
    std::string search = "tiles", open = "list", heuristic = "article", probe, smooth = "simple";
    int neighbours = 8;
    int facings = 0;
    std::uint64_t budget = UINT64_MAX;
    bool body = false, curves = false, grow = false, json = false, y_up = false, ignore_bounds = false;
    std::string svg;

    [[nodiscard]] ClassicQuery query();
    void run();
    void show(const ClassicRoute& way, std::uint64_t ns) const;
};

std::string classic_error_text(const Error& error) {
    if (error.code == ErrorCode::incompatible)
        return classic_rule_text(static_cast<ClassicRule>(error.detail));
    if (error.code == ErrorCode::unsupported && error.field == Field::world)
        return "the articles' program knows maps of one floor, without terrain costs, portals or wrapped "
               "axes";
    if (error.field == Field::sample_step) return "--granularity: " + std::string(error_text(error.code));
    return flag_error_text(error);
}

ClassicQuery ClassicCommand::query() {
    if (ignore_bounds)
        fail("--ignore-bounds: not offered: what lies outside the map is not known, and no way leads there");
    ClassicQuery out;
    const auto [start, goal] = drive_ends(ends.ends());
    if (start.floor.value_or(0) != 0 || goal.floor.value_or(0) != 0)
        fail("--start, --goal: the map has one floor");
    const auto pose = [](const DriveEnd& end) { return Pose{end.position, end.heading_rad.value_or(0.0)}; };
    out.start = pose(start);
    out.goal = pose(goal);
    out.any_goal_heading = !goal.heading_rad;
    out.agent = {.radius = to_number("--radius", radius),
                 .turning_radius = to_number("--turning-radius", turning_radius)};
    out.search = word_value("--search", search, kSearches);
    out.open = word_value("--open", open, kOpens);
    out.heuristic = word_value("--heuristic", heuristic, kHeuristics);
    out.smoothing = word_value("--smooth", smooth, kSmoothings);
    const bool searched = out.search != ClassicSearch::tiles || out.smoothing == ClassicSmoothing::ahead;
    out.probe = probe.empty() ? searched ? ClassicProbe::exact : ClassicProbe::diamond
                              : word_value("--probe", probe, kProbes);
    out.granularity = to_number("--granularity", granularity);
    out.neighbours = neighbours;
    out.body_in_search = body;
    out.curves = curves;
    out.facings = facings;
    out.window_grows = grow;
    out.expansions_max = budget;
    return out;
}

std::string flags_text(const ClassicRoute& way) {
    std::string text;
    for (std::size_t i = 0; i < way.free.size(); ++i) {
        if (way.free[i] == 0) text += fmt::format("{}{}", text.empty() ? "" : ",", i);
    }
    return text;
}

std::string report_json(const ClassicRoute& way) {
    const WalkableCount& seen = way.sampled;
    return fmt::format(
        ",\"classic\":{{\"legal\":{},\"impossible\":[{}],\"waypoints\":{},\"dropped\":{},\"window\":{},"
        "\"node_bytes\":{},\"bit_bytes\":{},\"sampled\":{{\"moves\":{},\"blocked\":{},\"false_free\":{},"
        "\"false_blocked\":{}}},\"goal_moved\":{},\"goal_turned\":{},\"drawn\":{}}}",
        way.legal, flags_text(way), way.waypoints, way.dropped, way.window, way.node_bytes, way.bit_bytes,
        seen.moves, seen.blocked, seen.false_free, seen.false_blocked, text_of(way.goal_moved),
        text_of(way.goal_turned_rad), way.drawn);
}

void ClassicCommand::show(const ClassicRoute& way, std::uint64_t ns) const {
    if (json) {
        std::string line;
        formats::append_route(line, 0, way.route, ns);
        line.resize(line.rfind('}'));
        write_file("-", line + report_json(way) + "}\n");
        return;
    }
    fmt::print("status    {}\nlength    {}\n", status_name(way.route.status), text_of(way.route.length));
    fmt::print("legal     {}\n", way.legal ? "yes" : "no");
    fmt::print("waypoints {}, {} dropped\n", way.waypoints, way.dropped);
    if (way.window > 0)
        fmt::print("window    {} x {}, {} bytes and {} cleared\n", way.window, way.window, way.node_bytes,
                   way.bit_bytes);
    if (way.sampled.moves > 0)
        fmt::print("samples   {} moves, {} blocked, {} of them called free\n", way.sampled.moves,
                   way.sampled.blocked, way.sampled.false_free);
    fmt::print("expanded  {}\ntime      {:.1f} us\n", way.route.stats.expanded,
               static_cast<double>(ns) / 1000.0);
    for (std::size_t i = 0; i < way.route.legs.size(); ++i) {
        const Leg& leg = way.route.legs[i];
        fmt::print("{:5} {:>12} {:>12}  length {:.6f}{}{}\n", i, text_of(leg.start.position.x),
                   text_of(leg.start.position.y), leg.length,
                   leg.curvature == 0 ? "" : fmt::format("  radius {:.3f}", 1.0 / leg.curvature),
                   way.free[i] != 0 ? "" : "  impossible");
    }
}

void ClassicCommand::run() {
    if (world_kind(world.path()) != WorldKind::tiles) fail_at(world.path(), "classic is for tile maps");
    const ClassicQuery asked = query();
    const Grid grid = load_grid(world, {}, CornerRule::always);
    Scratch scratch;
    ClassicRoute way;
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_classic_into(grid, asked, scratch, way);
    const std::uint64_t ns = measure::thread_ns() - before;
    if (!done) fail(classic_error_text(done.error()));
    if (!svg.empty()) {
        const GridQuery shown{.start = asked.start.position,
                              .goal = asked.goal.position,
                              .agent = {.radius = asked.agent.radius}};
        const debug::Trace none;
        write_file(svg, make_svg({grid, shown, way.route, none, y_up}));
    }
    show(way, ns);
}

}  // namespace

void add_classic(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand(
        "classic", "The articles' own program on a tile map, with its switches and its errors");
    const auto command = std::make_shared<ClassicCommand>();
    ClassicCommand& c = *command;
    c.world.add(*sub);
    c.ends.add(*sub);
    sub->add_option("--radius", c.radius, "Half the unit's width (default 0.4)");
    sub->add_option("--turning-radius", c.turning_radius, "For curves (default 0)");
    sub->add_option("--search", c.search, "tiles, directional or hybrid (default tiles)");
    sub->add_option("--neighbours", c.neighbours, "4, 8, 24 or 48 (default 8)");
    sub->add_flag("--body", c.body, "Tiles: sweep the body along each step, exactly");
    sub->add_option("--open", c.open, "The open list: list, tree or heap (default list)");
    sub->add_option("--heuristic", c.heuristic, "article or lower_bound (default article)");
    sub->add_option("--smooth", c.smooth, "none, simple or ahead (default simple)");
    sub->add_option("--probe", c.probe,
                    "What smoothing asks: diamond, square or exact (default diamond; with headings exact)");
    sub->add_option("--granularity", c.granularity,
                    "Sampled probes: a sample every so many tiles (default 0.2)");
    sub->add_flag("--curves", c.curves, "Round the turns off, walls ignored");
    sub->add_option("--facings", c.facings, "Redraw curves for sprites of 8, 16 or 32 facings");
    sub->add_flag("--grow", c.grow, "Try a larger window before giving up");
    sub->add_flag("--ignore-bounds", c.ignore_bounds, "Refused: outside the map nothing is known");
    sub->add_option("--budget", c.budget, "Give up after so many expansions");
    sub->add_flag("--json", c.json, "One line as in ROUTES.jsonl, with a report");
    sub->add_option("--svg", c.svg, "Write a picture: map, unit's width, route");
    sub->add_flag("--y-up", c.y_up, "Turn the picture over: row 0 at the bottom");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
