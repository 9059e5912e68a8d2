// fairlead route: one query, as text, JSON, a picture or a trace.

#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <fairlead/route/shape.h>

#include "cli/any_world.h"
#include "cli/commands.h"
#include "cli/ends.h"
#include "cli/failure.h"
#include "cli/picture.h"
#include "cli/query_flags.h"
#include "cli/text.h"
#include "cli/volume_picture.h"
#include "cli/ways.h"

namespace fairlead::cli {

namespace {

struct RouteCommand {
    QueryFlags flags;
    EndFlags ends;
    LookFlags look;
    WaysFlags ways;
    std::string svg;
    std::string png;
    std::string obj;
    std::string trace;
    bool json = false;
    bool y_up = false;

    void run() const;
    [[nodiscard]] bool is_observed() const { return !(svg + trace + png + obj).empty(); }
    void ask(const AnyWorld& world, const AskedEnds& asked, Answer& answer) const;
    void draw(const AnyWorld& world, const AskedEnds& asked, const Answer& answer) const;
    void show(const AnyWorld& world, const Answer& answer) const;
};

void print_leg(std::size_t i, const Leg& leg, bool in_space) {
    const Vec3 p = leg.start.position;
    fmt::print("{:5} {:6} {:>19} {:>19}", i, leg_kind_name(leg.kind), text_of(p.x), text_of(p.y));
    if (in_space) fmt::print(" {:>19}", text_of(p.z));
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
void RouteCommand::ask(const AnyWorld& world, const AskedEnds& asked, Answer& answer) const {
    Scratch scratch;
    const auto find = [&](bool watched) {
        const Result<void> done = world.find(asked, scratch, answer, watched);
        if (!done) fail_at(flags.world.path(), world.error(done.error()));
    };
    find(false);
    if (!is_observed()) return;
    const std::uint64_t ns = answer.ns;
    find(true);
    answer.ns = ns;
}

void RouteCommand::draw(const AnyWorld& world, const AskedEnds& asked, const Answer& answer) const {
    if (!svg.empty()) write_file(svg, world.svg(asked, answer, y_up));
    if (!png.empty()) write_file(png, world.png(answer));
    if (!obj.empty()) write_file(obj, world.obj(answer));
    if (!trace.empty()) write_file(trace, make_trace_json(answer.events));
}

void RouteCommand::show(const AnyWorld& world, const Answer& answer) const {
    if (json) {
        std::string line;
        world.append_line(line, 0, answer, answer.ns);
        write_file("-", line);
        return;
    }
    const bool explains = has_reason(answer.route.status) && world.is_explained();
    print_route(answer.route, answer.ns, explains, world.in_space());
    world.print_more(answer.route);
}

void RouteCommand::run() const {
    if (ways.given() && is_observed())
        fail("--alternatives: not with pictures or traces, which are of one way");
    check_svg_name(svg);
    const AskedEnds asked = ends.ends();
    const std::unique_ptr<AnyWorld> world = load_any_world(flags, &look);
    if (!svg.empty()) world->check_svg();
    if (!trace.empty()) world->check_trace();
    if (y_up) world->check_y_up();
    if (!world->has_ways()) ways.refuse("for walkers on tiles, level meshes and roadmaps");
    world->check(asked);
    if (ways.given()) return world->show_ways(asked, ways, json);
    Answer answer;
    ask(*world, asked, answer);
    if (world->turns_on_spot()) turn_to(answer.route, asked.headings());
    if (!answer.note.empty()) fmt::print(stderr, "fairlead: {}\n", answer.note);
    draw(*world, asked, answer);
    show(*world, answer);
}

}  // namespace

void add_route(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("route", "Find one route");
    const auto command = std::make_shared<RouteCommand>();
    command->flags.add_world(*sub);
    command->ends.add(*sub);
    sub->add_flag("--json", command->json, "One line as in ROUTES.jsonl");
    sub->add_option("--svg", command->svg, "Write a picture: map, search, unit's width, route");
    sub->add_option("--trace", command->trace, "Write the events of the search as JSON");
    sub->add_flag("--y-up", command->y_up, "Turn the picture over: row 0 at the bottom");
    command->look.add(*sub, true);
    command->look.keep(sub->add_option("--png", command->png, "The same picture of a volume as pixels"));
    command->look.keep(
        sub->add_option("--obj", command->obj, "The same in space, y up, colors at the vertices"));
    command->flags.add(*sub, true);
    command->ways.add(*sub);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
