// fairlead verify: exact legality of each route of a file.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/routes.h>
#include <fairlead/roadmap/repair.h>
#include <fairlead/verify/verify.h>

#include "cli/commands.h"
#include "cli/extras.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/roadmap_world.h"
#include "cli/unit.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct VerifyCommand {
    WorldFlags world;
    std::string routes;
    UnitFlags unit;
    BlockerFlags blockers;
    bool json = false;
    bool check_edges = false;

    int run() const;
    int run_roadmap() const;
};

nlohmann::ordered_json to_json(const formats::RouteRecord& record, const Violation& bad) {
    nlohmann::ordered_json line{{"id", record.id}, {"line", record.line}, {"legal", !bad}};
    if (bad) {
        const Vec3 p = bad.place.position;
        line["kind"] = violation_name(bad.kind);
        line["leg"] = bad.leg;
        line["distance"] = bad.distance;
        line["x"] = p.x;
        line["y"] = p.y;
        line["layer"] = bad.place.layer;
        line["depth"] = bad.depth;
        line["text"] = bad.text().c_str();
    }
    return line;
}

int VerifyCommand::run() const {
    if (is_roadmap(world.path())) return run_roadmap();
    const Agent agent = unit.agent();
    const std::vector<Blocker> obstacles = blockers.blockers();
    const Grid grid = load_grid(world, agent, CornerRule::never);
    const std::string text = read_file(routes);
    const auto records = expect(routes, text, formats::load_routes(text));

    std::size_t illegal = 0;
    {
        Progress progress{"verify", records.size()};
        for (std::size_t i = 0; i < records.size(); ++i) {
            const formats::RouteRecord& record = records[i];
            const Violation bad =
                verify(record.route, grid, agent, {.blockers = obstacles, .check_revision = false});
            illegal += bad ? 1 : 0;
            if (json) {
                fmt::print("{}\n", to_json(record, bad).dump());
            } else if (bad) {
                fmt::print("{}:{}: route {}: {}: {}\n", routes, record.line, record.id,
                           violation_name(bad.kind), bad.text().c_str());
            }
            progress.at(i + 1);
        }
    }
    fmt::print(json ? stderr : stdout, "{} routes, {} legal, {} illegal\n", records.size(),
               records.size() - illegal, illegal);
    return illegal == 0 ? kDone : kCheckFailed;
}

// ---- roadmaps ----------------------------------------------------------------------------------------------

constexpr const char* kRoadmapChecks =
    "checked: legs meet; each leg goes along an edge that is there and goes that way, or leaves the net at "
    "the start or the goal along a clear line; ";

/// The first leg that does not end where the next one starts; -1: none. `size` is that of the world.
std::int64_t first_gap(const Route& route, double size) {
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        if (leg.kind == LegKind::link) continue;
        Vec3 end = place_on_leg(leg, leg.length).position;
        end.z = leg.start.position.z + leg.rise;
        const Vec3 off = end - leg_end(route, i).position;
        if (!(off.x * off.x + off.y * off.y + off.z * off.z <= 1e-18 * size * size))
            return static_cast<std::int64_t>(i);
    }
    return -1;
}

double size_of(const RoadmapState& roads, const Route& route) {
    const Aabb box = roads.bounds();
    double size = 1.0;
    for (const double x : {box.low.x, box.low.y, box.high.x, box.high.y}) size = std::max(size, std::abs(x));
    for (const Leg& leg : route.legs) {
        const Vec3 p = leg.start.position;
        for (const double x : {p.x, p.y, p.z}) size = std::max(size, std::abs(x));
    }
    return size;
}

struct RoadmapVerdict {
    std::int64_t leg = -1;
    const char* kind = "";
    const char* text = "";
};

RoadmapVerdict judge(const RoadmapState& roads, const RoadmapQuery& query, const Route& route,
                     Scratch& scratch) {
    RoadmapVerdict verdict;
    verdict.leg = first_gap(route, size_of(roads, route));
    if (verdict.leg >= 0) return {verdict.leg, "leg_end", "does not end where the next one starts"};
    Route moving;  // without the turns on the spot
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        if (route.legs[i].kind == LegKind::turn) continue;
        (void)moving.legs.push_back(route.legs[i]);
        numbers.push_back(static_cast<std::int64_t>(i));
    }
    moving.status = route.status;
    moving.end = route.end;
    const Result<Revalidation> found = revalidate(roads, query, scratch, moving);
    if (!found) fail(roadmap_error_text(found.error()));
    if (found->legal) return verdict;
    return {numbers[static_cast<std::size_t>(found->first_bad)], "edge",
            "no open edge goes there, and it is not a clear line between the net and an end of the route"};
}

int VerifyCommand::run_roadmap() const {
    GridQuery flags;
    flags.agent = unit.agent();
    const std::vector<Blocker> obstacles = blockers.blockers();
    flags.blockers = obstacles;
    const RoadmapWorld roads = load_roadmap_world(world, CornerRule::never);
    const RoadmapQuery query = roadmap_query(flags, roads, check_edges);
    const std::string text = read_file(routes);
    const auto records = expect(routes, text, formats::load_routes(text));
    Scratch scratch;
    std::size_t illegal = 0;
    for (const formats::RouteRecord& record : records) {
        const RoadmapVerdict bad = judge(roads.roadmap, query, record.route, scratch);
        illegal += bad.leg >= 0 ? 1 : 0;
        if (json) {
            nlohmann::ordered_json line{{"id", record.id}, {"line", record.line}, {"legal", bad.leg < 0}};
            if (bad.leg >= 0) {
                line["kind"] = bad.kind;
                line["leg"] = bad.leg;
                line["text"] = bad.text;
            }
            fmt::print("{}\n", line.dump());
        } else if (bad.leg >= 0) {
            fmt::print("{}:{}: route {}: {}: leg {} {}\n", routes, record.line, record.id, bad.kind, bad.leg,
                       bad.text);
        }
    }
    std::FILE* out = json ? stderr : stdout;
    fmt::print(out, "{} routes, {} legal, {} illegal\n", records.size(), records.size() - illegal, illegal);
    fmt::print(out, "{}{}\n", kRoadmapChecks,
               check_edges ? "edges are clear of walls" : "not checked: edges against walls (--check-edges)");
    return illegal == 0 ? kDone : kCheckFailed;
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
    command->blockers.add(*sub);
    command->unit.add(*sub);
    sub->callback([command, &status] { status = command->run(); });
}

}  // namespace fairlead::cli
