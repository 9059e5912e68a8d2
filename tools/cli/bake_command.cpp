// fairlead bake: what is worked out once and kept in a file.

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <fairlead/bridge/grid_drive.h>

#include "cli/bake_cylinder.h"
#include "cli/bake_hierarchy.h"
#include "cli/bake_navmesh.h"
#include "cli/bake_table.h"
#include "cli/bake_volume.h"
#include "cli/commands.h"
#include "cli/drive.h"
#include "cli/failure.h"
#include "cli/unit.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct BakeIndex {
    WorldFlags world;
    UnitFlags unit;
    std::string out;
    std::optional<int> headings, rings;
    std::string nodes = "fitting";
    bool every_word = false;

    void run() const;
};

DriveNodes to_nodes(const std::string& word) {
    constexpr const char* kWords[] = {"centres", "corners", "halves", "fitting"};
    for (int i = 0; i < 4; ++i) {
        if (word == kWords[i]) return static_cast<DriveNodes>(i);
    }
    fail(fmt::format("--nodes: {} is not centres, corners, halves or fitting", word));
}

void BakeIndex::run() const {
    const Agent agent = unit.agent();
    if (agent.turning_radius <= 0.0)
        fail(
            "bake index: needs a unit with a --turning-radius; for walkers there is nothing to bake in this "
            "version");
    const Grid grid = load_grid(world, Agent{}, CornerRule::never);
    GridDriveSetup setup{.headings = headings.value_or(8),
                         .rings = rings.value_or(0),
                         .every_word = every_word,
                         .nodes = to_nodes(nodes)};
    if (every_word && setup.rings == 0) fail("--every-word: only with --rings");
    const Result<DriveTable> table = DriveTable::make({.agent = agent,
                                                       .cell_size = grid.state().cell_size(),
                                                       .headings = setup.headings,
                                                       .rings = setup.rings,
                                                       .stretch = setup.stretch,
                                                       .nodes = drive_nodes_for(grid.state(), agent, setup),
                                                       .every_word = setup.every_word});
    if (!table) fail(table_error_text(table.error(), agent));
    Array<std::uint8_t> bytes;
    if (const Result<void> done = table->save(bytes); !done) fail_at(out, error_text(done.error()).c_str());
    write_file(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    fmt::print("{}: {} motion primitives, {} bytes\n", out, table->primitives().all().size(), bytes.size());
}

}  // namespace

void add_bake(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("bake", "Work something out once and keep it in a file");
    sub->require_subcommand(1);
    add_bake_navmesh(*sub, status);
    add_bake_table(*sub, status);
    add_bake_volume(*sub, status);
    add_bake_hierarchy(*sub, status);
    add_bake_cylinder(*sub, status);
    CLI::App* index =
        sub->add_subcommand("index", "The table of motion primitives of a unit on a tile map, for --table");
    const auto command = std::make_shared<BakeIndex>();
    command->world.add(*index);
    index->add_option("-o,--out", command->out, "The file to write")->required();
    command->unit.add(*index);
    index->add_option("--headings", command->headings, "Headings of the lattice: 8 (the default), 16 or 32");
    index->add_option("--rings", command->rings,
                      "Directional-8, -24, -48, -80 of the article: 1, 2, 3, 4; else a set of its own");
    index->add_flag("--every-word", command->every_word, "With --rings: all six curves are moves");
    index
        ->add_option("--nodes", command->nodes,
                     "Where poses lie: centres, corners, halves, or fitting the unit")
        ->capture_default_str();
    index->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
