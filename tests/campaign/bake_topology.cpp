// Random levels of all kinds, with random options: 50,000 bakes as one tile and as two sizes of tiles, each beside its cells. About
// 4 minutes. The published levels too, where they are.

#include <gtest/gtest.h>

#include "mesh_bake/same_topology.h"
#include "support/environment.h"
#include "support/levels.h"

namespace fairlead {
namespace {

using testing::Level;

void append(Level& to, const Level& from) {
    const auto first = static_cast<std::uint32_t>(to.vertices.size());
    to.vertices.insert(to.vertices.end(), from.vertices.begin(), from.vertices.end());
    for (const std::uint32_t i : from.triangles) to.triangles.push_back(first + i);
    to.areas.insert(to.areas.end(), from.areas.begin(), from.areas.end());
}

int draw(Rng& rng, std::uint32_t low, std::uint32_t count) {
    return static_cast<int>(low + rng.below(count));
}

Level random_level(Rng& rng) {
    switch (rng.below(5)) {
        case 0: {
            const int size = draw(rng, 12, 20);
            const std::uint32_t percent = 25 + rng.below(30);
            return testing::random_cave(rng, size, percent, draw(rng, 0, 3));
        }
        case 1: {
            const int width = draw(rng, 3, 10);
            const int height = draw(rng, 3, 10);
            return testing::random_maze(rng, width, height, rng.between(0.6, 2.5));
        }
        case 2: {
            const double size = rng.between(4.0, 20.0);
            return testing::random_blocks(rng, size, draw(rng, 5, 80));
        }
        case 3: {
            const int size = draw(rng, 4, 16);
            return testing::random_hills(rng, size, rng.between(0.3, 3.0));
        }
        default: {
            Level level = testing::spiral(draw(rng, 1, 5));
            const int count = draw(rng, 0, 20);
            append(level, testing::moved(testing::random_blocks(rng, 10, count), {-5, -5, 0}));
            return level;
        }
    }
}

bake::BakeOptions random_options(Rng& rng) {
    bake::BakeOptions options;
    if (rng.below(2) == 0) options.cell_size = 0.25;
    options.agent_radius = rng.below(2) == 0 ? 0.0 : rng.between(0.0, 0.8);
    if (rng.below(4) == 0) options.edge_error = rng.between(0.0, 10.0);
    if (rng.below(3) == 0) options.climb = rng.between(0.0, 1.5);
    if (rng.below(4) == 0) options.agent_height = rng.between(0.2, 3.0);
    return options;
}

TEST(BakeTopology, RandomLevels) {
    for (int round = 0; round < testing::trials(50000) && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        Rng rng(7100000ULL + static_cast<std::uint64_t>(round));
        const bake::BakeOptions options = random_options(rng);
        Level level = random_level(rng);
        if (rng.below(3) == 0) {
            for (std::uint8_t& area : level.areas)
                area = rng.below(10) == 0 ? static_cast<std::uint8_t>(rng.below(3)) : area;
        }
        testing::expect_same_topology(level, options);
    }
}

TEST(BakeTopology, PublishedLevels) {
    for (const char* name : {"recast/nav_test", "recast/undulating", "navcat/proto-level", "navcat/bridges",
                             "made/tower_10", "made/city_256"}) {
        SCOPED_TRACE(name);
        FAIRLEAD_REQUIRE_DATA(path, std::string("meshes/") + name + ".obj");
        const Level level = testing::read_obj(path);
        bake::BakeOptions options;
        testing::expect_same_topology(level, options);
        options.agent_radius = 0.0;
        testing::expect_same_topology(level, options);
    }
}

}  // namespace
}  // namespace fairlead
