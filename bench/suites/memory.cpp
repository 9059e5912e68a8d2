// Bytes a cell: of a map whose free cells all cost 1, of terrain, and of each registered size, as GridState::memory()
// counts them. include/fairlead/grid/grid.h states upper bounds; tests/bench compares.

#include "suites/worlds.h"

namespace fairlead::bench {

void run_memory(const SuiteOptions& options, Report& report) {
    for (const BenchWorld& world : build_worlds(options)) {
        const auto cells = static_cast<double>(world.tiles.size());
        const auto bytes = [&](const BenchWorld& of, std::span<const Agent> sizes) {
            return static_cast<double>(of.grid(sizes).state().memory().total());
        };
        const double base = bytes(world, {});
        BenchWorld terrain = world;
        for (std::size_t i = 0; i < terrain.tiles.size(); i += 2) {
            if (terrain.tiles[i] != 0) terrain.tiles[i] = 3;
        }
        const Agent sizes[] = {{.radius = 0.4}, {.radius = 1.4}};
        const double one = bytes(world, std::span{sizes}.first(1));
        const double two = bytes(world, sizes);
        report.add(world.name, "base", "bytes a cell", base / cells, "");
        report.add(world.name, "terrain costs", "bytes a cell", (bytes(terrain, {}) - base) / cells, "");
        report.add(world.name, "size of radius 0.4", "bytes a cell", (one - base) / cells, "");
        report.add(world.name, "size of radius 1.4", "bytes a cell", (two - one) / cells, "");
    }
}

}  // namespace fairlead::bench
