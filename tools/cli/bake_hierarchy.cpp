// fairlead bake hierarchy: the hierarchy of a large tile map for one size of units.

#include "cli/bake_hierarchy.h"

#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/grid/save_hierarchy.h>

#include "cli/bake_work.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/text.h"
#include "cli/unit.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct BakeHierarchy {
    WorldFlags world;
    UnitFlags unit;
    ThreadFlag threads;
    std::string out;
    bool json = false;

    void run() const;
};

void BakeHierarchy::run() const {
    if (world_kind(world.path()) != WorldKind::tiles) fail_at(world.path(), "a tile map is needed here");
    const Agent agent = unit.agent();
    if (agent.turning_radius > 0.0)
        fail("bake hierarchy: for units that turn on the spot; for others see bake index");
    Grid grid = load_grid(world, agent, CornerRule::never);
    Stages stages;
    if (const Result<void> made = grid.make_hierarchy(threads.jobs()); !made)
        fail_at(world.path(), error_text(made.error()).c_str());
    const double make_ms = stages.lap();
    if (grid.state().memory().hierarchy == 0)
        fail_at(world.path(),
                "a map with a seam less than 128 round, or with many portals in one place, has no hierarchy");
    Array<std::uint8_t> bytes;
    if (const Result<void> done = save_hierarchy(grid, bytes); !done)
        fail_at(out, error_text(done.error()).c_str());
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const std::size_t memory = grid.state().memory().hierarchy;
    if (json) {
        const nlohmann::ordered_json report{
            {"file", out},
            {"cells", std::int64_t{grid.state().width()} * grid.state().height()},
            {"bytes", bytes.size()},
            {"bytes_in_memory", memory},
            {"make_ms", make_ms}};
        fmt::print("{}\n", report.dump(2));
        return;
    }
    fmt::print("{}: {} x {} tiles, {} bytes; {:.1f} ms\n", out, grid.state().width(), grid.state().height(),
               bytes.size(), make_ms);
}

}  // namespace

void add_bake_hierarchy(CLI::App& bake, int& status) {
    CLI::App* sub = bake.add_subcommand(
        "hierarchy", "The hierarchy of a large tile map for one size of units, to be used with --hierarchy");
    const auto command = std::make_shared<BakeHierarchy>();
    command->world.add(*sub);
    command->unit.add(*sub);
    sub->add_option("-o,--out", command->out, "The file to write, .fl")->required();
    command->threads.add(*sub);
    sub->add_flag("--json", command->json, "The report for machines");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
