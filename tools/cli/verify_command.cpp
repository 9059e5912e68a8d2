// fairlead verify: exact legality of each route of a file.

#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/routes.h>
#include <fairlead/verify/verify.h>

#include "cli/commands.h"
#include "cli/extras.h"
#include "cli/failure.h"
#include "cli/progress.h"
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

    int run() const;
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

}  // namespace

void add_verify(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("verify", "Check routes by exact geometry; status 1 if one is illegal");
    const auto command = std::make_shared<VerifyCommand>();
    command->world.add(*sub);
    sub->add_option("ROUTES", command->routes, "A file as `fairlead batch` writes it (ROUTES.jsonl)")
        ->required();
    sub->add_flag("--json", command->json, "One JSON object a route, the summary on standard error");
    command->blockers.add(*sub);
    command->unit.add(*sub);
    sub->callback([command, &status] { status = command->run(); });
}

}  // namespace fairlead::cli
