// What the bake promises: no corridor lost or made, tiles that fit, the same bytes whatever the order, the threads and the place.

#include <fairlead/mesh_bake/bake.h>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "mesh_bake/same_topology.h"
#include "support/environment.h"
#include "support/levels.h"
#include "support/test_allocator.h"
#include "support/threads.h"

namespace fairlead {
namespace {

using testing::expect_same_topology;
using testing::floors_of;
using testing::Glued;
using testing::Level;

bake::BakeOptions plain(double radius = 0.0) {
    bake::BakeOptions options;
    options.cell_size = 0.25;
    options.agent_radius = radius;
    return options;
}

TEST(Bake, CavesKeepTheirCorridors) {
    Rng rng(21);
    for (int round = 0; round < testing::trials(30); ++round) {
        SCOPED_TRACE(round);
        bake::BakeOptions options = plain(round % 3 == 0 ? 0.3 : 0.0);
        if (round % 4 == 1) options.edge_error = 4.0;
        if (round % 4 == 2) options.edge_error = 0.0;
        expect_same_topology(testing::random_cave(rng, 24, 30 + rng.below(20), round % 3), options);
    }
}

TEST(Bake, MazesKeepTheirCorridors) {
    Rng rng(22);
    for (int round = 0; round < testing::trials(20); ++round) {
        SCOPED_TRACE(round);
        bake::BakeOptions options = plain(round % 2 == 0 ? 0.0 : 0.25);
        options.edge_error = round % 3 == 0 ? 8.0 : 1.3;
        expect_same_topology(testing::random_maze(rng, 12, 9, rng.between(0.8, 2.2)), options);
    }
}

TEST(Bake, BlocksAndSlabsKeepTheirCorridors) {
    Rng rng(23);
    for (int round = 0; round < testing::trials(40); ++round) {
        SCOPED_TRACE(round);
        bake::BakeOptions options = plain(round % 2 == 0 ? 0.0 : 0.4);
        if (round % 5 == 0) options.edge_error = 5.0;
        expect_same_topology(testing::random_blocks(rng, 16, 40), options);
    }
}

TEST(Bake, HillsKeepTheirCorridors) {
    Rng rng(24);
    for (int round = 0; round < testing::trials(12); ++round) {
        SCOPED_TRACE(round);
        expect_same_topology(testing::random_hills(rng, 16, 0.6 + 0.2 * round), plain());
    }
}

TEST(Bake, ASpiralIsOnePart) {
    for (const std::uint32_t tile : {0U, 16U, 23U, 64U}) {
        bake::BakeOptions options = plain(0.3);
        options.tile_cells = tile;
        const Level level = testing::spiral(5);
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(mesh);
        int faults = 0;
        const Glued glued = testing::glue(*mesh, faults);
        EXPECT_EQ(faults, 0);
        EXPECT_EQ(glued.characters().size(), 1U);
        double top = 0;
        for (const Vec3& v : mesh->vertices) top = std::max(top, v.z);
        EXPECT_GT(top, 19.0);
        expect_same_topology(level, options);
    }
}

TEST(Bake, ARampRoundTheRimOfATileFitsItsNeighbours) {
    for (const int turns : {1, 2, 4}) {
        const Level level = testing::spiral(turns);
        bake::BakeOptions options = plain();
        options.island_cells_min = 0;
        options.give_origin = true;
        for (const Vec3 origin : {Vec3{-5, -5, 0}, Vec3{-4, -4.5, 0}, Vec3{-5.25, -4, 0}}) {
            options.origin = origin;
            options.tile_cells = 0;
            const std::vector<long> wanted = testing::glue(floors_of(level, options)).characters();
            options.tile_cells = 36 + static_cast<std::uint32_t>(turns);
            const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
            ASSERT_TRUE(mesh);
            int faults = 0;
            EXPECT_EQ(testing::glue(*mesh, faults).characters(), wanted);
            EXPECT_EQ(faults, 0);
        }
    }
}

TEST(Bake, TheOrderOfTrianglesDoesNotCount) {
    Rng rng(25);
    for (int round = 0; round < testing::trials(10); ++round) {
        const Level level = testing::random_blocks(rng, 16, 40);
        bake::BakeOptions options = plain(0.3);
        options.tile_cells = round % 2 == 0 ? 0 : 24;
        const Result<bake::BakedMesh> a = bake::bake_mesh(level.soup(), options);
        const Level other = testing::shuffled(level, rng);
        const Result<bake::BakedMesh> b = bake::bake_mesh(other.soup(), options);
        EXPECT_EQ(bake::digest(*a), bake::digest(*b));
    }
}

TEST(Bake, TheNumberOfThreadsDoesNotCount) {
    Rng rng(26);
    const Level level = testing::random_blocks(rng, 40, 200);
    bake::BakeOptions options = plain(0.3);
    options.tile_cells = 16;
    const std::uint64_t wanted = bake::digest(*bake::bake_mesh(level.soup(), options));
    for (const std::size_t count : {1U, 2U, 3U, 8U}) {
        testing::Threads threads{count};
        options.jobs = {&testing::Threads::run, &threads};
        EXPECT_EQ(bake::digest(*bake::bake_mesh(level.soup(), options)), wanted) << count;
    }
}

TEST(Bake, ATileAloneIsTheTileOfTheWorld) {
    Rng rng(27);
    for (int round = 0; round < testing::trials(6); ++round) {
        const Level level = testing::moved(testing::random_blocks(rng, 20, 60), {-7.3, 4.1, 0});
        bake::BakeOptions options = plain(round % 2 == 0 ? 0.0 : 0.45);
        options.tile_cells = 16 + rng.below(20);
        options.give_origin = true;
        options.origin = {1.0, -2.0, 0.5};
        const Result<bake::BakedMesh> world = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(world);
        ASSERT_GT(world->tiles.size(), 4U);
        for (const bake::BakedTile& tile : world->tiles) {
            const Result<bake::BakedMesh> alone = bake::bake_tile(level.soup(), options, tile.x, tile.y);
            ASSERT_TRUE(alone);
            ASSERT_EQ(alone->tiles.size(), 1U);
            ASSERT_EQ(alone->vertices.size(), tile.vertex_count);
            ASSERT_EQ(alone->polygons.size(), tile.polygon_count);
            ASSERT_EQ(alone->corners.size(), tile.corner_count);
            for (std::size_t i = 0; i < tile.vertex_count; ++i)
                ASSERT_EQ(alone->vertices[i], world->vertices[tile.first_vertex + i]);
            for (std::size_t i = 0; i < tile.corner_count; ++i) {
                ASSERT_EQ(alone->corners[i], world->corners[tile.first_corner + i]);
                ASSERT_EQ(alone->across[i], world->across[tile.first_corner + i]);
            }
        }
        EXPECT_EQ(bake::bake_tile(level.soup(), options, 1000, 1000).value().tiles.size(), 0U);
    }
}

TEST(Bake, ATilesKeyIsAboutItsTrianglesOnly) {
    Rng rng(28);
    const Level level = testing::random_blocks(rng, 20, 60);
    bake::BakeOptions options = plain(0.3);
    options.tile_cells = 20;
    options.give_origin = true;
    const std::uint64_t key = *bake::tile_key(level.soup(), options, 0, 0);
    const Level other = testing::shuffled(level, rng);
    EXPECT_EQ(*bake::tile_key(other.soup(), options, 0, 0), key);
    Level far = level;
    far.box({15, 15, 0}, {16, 16, 1});
    EXPECT_EQ(*bake::tile_key(far.soup(), options, 0, 0), key);
    EXPECT_NE(*bake::tile_key(far.soup(), options, 3, 3), *bake::tile_key(level.soup(), options, 3, 3));
    Level near = level;
    near.box({2, 2, 0}, {3, 3, 1});
    EXPECT_NE(*bake::tile_key(near.soup(), options, 0, 0), key);
    bake::BakeOptions taller = options;
    taller.agent_height = 2.5;
    EXPECT_NE(*bake::tile_key(level.soup(), taller, 0, 0), key);
    EXPECT_NE(*bake::tile_key(level.soup(), options, 0, 1), key);
}

TEST(Bake, FarFromTheOriginIsTheSameMesh) {
    Rng rng(29);
    for (int round = 0; round < testing::trials(8); ++round) {
        const Level level = testing::random_blocks(rng, 16, 40);
        bake::BakeOptions options = plain(0.3);
        options.tile_cells = round % 2 == 0 ? 0 : 24;
        const Result<bake::BakedMesh> here = bake::bake_mesh(level.soup(), options);
        for (const Vec3 by :
             {Vec3{5000, -5000, 0}, Vec3{500000, 500000, 300}, Vec3{-499999.7, 123456.1, 12.3}}) {
            const Level other = testing::moved(level, by);
            const Result<bake::BakedMesh> there = bake::bake_mesh(other.soup(), options);
            ASSERT_EQ(there->vertices.size(), here->vertices.size());
            for (std::size_t i = 0; i < here->vertices.size(); ++i)
                EXPECT_EQ(here->vertices[i], there->vertices[i]);
            EXPECT_NEAR(there->origin.x, here->origin.x + by.x, 1e-9);
        }
    }
}

TEST(Bake, MarksMakeAreasAndHoles) {
    Level level;
    level.floor(0, 0, 20, 20, 0);
    const std::vector<Vec2> water = {{4, 4}, {10, 4}, {10, 10}, {4, 10}};
    const std::vector<Vec2> hole = {{12, 12}, {18, 12}, {15, 18}};
    const std::vector<bake::AreaMark> marks = {{water, -1, 1, 7}, {hole, -1, 1, 0}, {water, 5, 9, 3}};
    bake::BakeOptions options = plain();
    options.marks = marks;
    const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
    ASSERT_TRUE(mesh);
    double by_area[256] = {};
    for (const bake::BakedPolygon& p : mesh->polygons) {
        const auto at = [&](std::uint32_t i) {
            return ground(mesh->vertices[mesh->corners[p.first + i % p.count]]);
        };
        for (std::uint32_t i = 0; i < p.count; ++i) by_area[p.area] += 0.5 * cross(at(i), at(i + 1));
    }
    EXPECT_NEAR(by_area[7], 36.0, 1.0);
    EXPECT_NEAR(by_area[1], 19.75 * 19.75 - 36.0 - 18.0, 2.0);
    EXPECT_EQ(by_area[3], 0.0);
    int faults = 0;
    EXPECT_EQ(testing::glue(*mesh, faults).characters(), std::vector<long>{0});  // one part with one hole
    expect_same_topology(level, options);
}

TEST(Bake, SmallIslandsAreLeftOut) {
    Level level;
    level.floor(0, 0, 10, 10, 0);
    level.box({4, 4, 0}, {6, 6, 1.5});
    bake::BakeOptions options = plain();
    for (const std::uint32_t least : {0U, 20U, 60U, 2000U}) {
        options.island_cells_min = least;
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        int faults = 0;
        EXPECT_EQ(testing::glue(*mesh, faults).characters().size(),
                  least == 2000 ? 0U : (least == 60 ? 1U : 2U))
            << least;
    }
}

TEST(Bake, DiscsOnTheMeshStayOnWalkableCells) {
    Rng rng(30);
    const double slack = 1.3 * 0.25 + 1e-6;
    for (int round = 0; round < testing::trials(8); ++round) {
        const double radius = 0.3 + 0.2 * (round % 4);
        const Level level = testing::random_cave(rng, 20, 35, 2);
        const bake::Floors free = floors_of(level, plain(0.0));
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), plain(radius));
        std::vector<Vec2> blocked;  // low corners of cells without a floor at the bottom
        const auto width = static_cast<std::size_t>(free.box.width());
        std::vector<char> walkable(width * static_cast<std::size_t>(free.box.height()), 0);
        for (std::uint32_t i = 0; i < free.size(); ++i) {
            if (free.area[i] != 0 && free.z[i] == free.z[0]) walkable[free.cell[i]] = 1;
        }
        for (std::size_t i = 0; i < walkable.size(); ++i) {
            if (walkable[i] == 0)
                blocked.push_back(
                    {0.25 * static_cast<double>(i % width), 0.25 * static_cast<double>(i / width)});
        }
        for (const bake::BakedPolygon& p : mesh->polygons) {
            // A corner, the middle of an edge and the middle of the polygon.
            std::vector<Vec2> points;
            Vec2 middle{};
            for (std::uint32_t i = 0; i < p.count; ++i) {
                const Vec3 a = mesh->vertices[mesh->corners[p.first + i]];
                const Vec3 b = mesh->vertices[mesh->corners[p.first + (i + 1) % p.count]];
                if (a.z > 1.0) goto next;  // on a block
                points.push_back(ground(a));
                points.push_back((ground(a) + ground(b)) * 0.5);
                middle = middle + ground(a) * (1.0 / p.count);
            }
            points.push_back(middle);
            for (const Vec2 q : points) {
                for (const Vec2 cell : blocked) {
                    const double dx = std::max({cell.x - q.x, q.x - cell.x - 0.25, 0.0});
                    const double dy = std::max({cell.y - q.y, q.y - cell.y - 0.25, 0.0});
                    ASSERT_GE(std::sqrt(dx * dx + dy * dy), radius - slack);
                }
            }
        next:;
        }
    }
}

TEST(Bake, OptionsAreChecked) {
    Level level;
    level.floor(0, 0, 10, 10, 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto code = [&](auto change) {
        bake::BakeOptions options;
        change(options);
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        return mesh ? Error{ErrorCode::count_} : mesh.error();
    };
    using O = bake::BakeOptions;
    for (const double bad : {nan, -1.0, 1e30}) {
        EXPECT_EQ(code([&](O& o) { o.cell_size = bad; }).field, Field::cell_size);
        EXPECT_EQ(code([&](O& o) { o.cell_height = bad; }).field, Field::cell_height);
        EXPECT_EQ(code([&](O& o) { o.agent_height = bad; }).field, Field::agent_height);
        EXPECT_EQ(code([&](O& o) { o.agent_radius = bad; }).field, Field::agent_radius);
        EXPECT_EQ(code([&](O& o) { o.climb = bad; }).field, Field::climb);
        EXPECT_EQ(code([&](O& o) { o.slope_max_rad = bad; }).field, Field::slope_max);
        EXPECT_EQ(code([&](O& o) { o.edge_error = bad; }).field, Field::edge_error);
    }
    EXPECT_EQ(code([](O& o) { o.tile_cells = 5; }).field, Field::tile_cells);
    EXPECT_EQ(code([](O& o) { o.tile_cells = 16, o.agent_radius = 20; }).code, ErrorCode::incompatible);
    EXPECT_EQ(code([&](O& o) { o.give_origin = true, o.origin.x = nan; }).field, Field::origin);
    EXPECT_EQ(code([](O& o) { o.cell_size = 1e-6, o.agent_radius = 0; }).code, ErrorCode::size_limit);
    const std::vector<bake::AreaMark> marks(1);
    EXPECT_EQ(code([&](O& o) { o.marks = marks; }).code, ErrorCode::not_finite);
    EXPECT_EQ(bake::bake_tile(level.soup(), {}, 0, 0).error(),
              (Error{ErrorCode::incompatible, Field::tile_cells}));
    O tiles;
    tiles.tile_cells = 64;
    tiles.give_origin = true;
    EXPECT_EQ(bake::bake_tile(level.soup(), tiles, 2147483647, 0).error().code, ErrorCode::size_limit);
    EXPECT_EQ(bake::bake_tile(level.soup(), tiles, 0, -2147483647 - 1).error().code, ErrorCode::size_limit);
}

TEST(Bake, AStrangeSoupIsNoHarm) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(bake::bake_mesh({}, {}).value().tiles.size(), 0U);
    Level level;
    level.floor(0, 0, 10, 10, 0);
    level.vertices.push_back({nan, 0, 0});
    level.vertices.push_back({1e300, 0, 0});
    for (const std::uint32_t bad : {4U, 5U, 77U}) {
        for (const std::uint32_t i : {0U, 1U, bad}) level.triangles.push_back(i);
        level.areas.push_back(1);
    }
    bake::BakeOptions options = plain();
    const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
    ASSERT_TRUE(mesh);
    EXPECT_EQ(mesh->tiles.size(), 1U);
    options.refuse_bad = true;
    EXPECT_EQ(bake::bake_mesh(level.soup(), options).error(), (Error{ErrorCode::not_finite, 2, 1}));
    // Only walls, only ceilings, one point.
    Level wall;
    wall.quad({0, 0, 0}, {10, 0, 0}, {10, 0, 9}, {0, 0, 9});
    EXPECT_EQ(bake::bake_mesh(wall.soup(), plain()).value().tiles.size(), 0U);
    Level ceiling;
    ceiling.quad({0, 0, 0}, {0, 10, 0}, {10, 10, 0}, {10, 0, 0});
    EXPECT_EQ(bake::bake_mesh(ceiling.soup(), plain()).value().tiles.size(), 0U);
    Level point;
    point.quad({1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(bake::bake_mesh(point.soup(), plain()).value().tiles.size(), 0U);
}

// NaN, infinities, far corners, wrong indices, triangles through one another: no crash, and what comes out is whole.
TEST(Bake, RandomSoupsAreNoHarm) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double strange[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -1e300, 1e9, -0.0, 5e-324};
    for (int round = 0; round < testing::trials(150); ++round) {
        Rng rng(3300 + static_cast<std::uint64_t>(round));
        const auto number = [&] {
            const std::uint32_t kind = rng.below(40);
            if (kind < std::size(strange)) return strange[kind];
            const double value = rng.between(0.0, 12.0);
            return kind % 2 == 0 ? value : std::floor(value) * 0.3;
        };
        Level level;
        const std::uint32_t vertices = 3 + rng.below(30);
        for (std::uint32_t i = 0; i < vertices; ++i) {
            const double x = number();
            const double y = number();
            level.vertices.push_back({x, y, number() * 0.3});
        }
        const std::uint32_t triangles = rng.below(60);
        for (std::uint32_t i = 0; i < 3 * triangles; ++i)
            level.triangles.push_back(rng.below(60) == 0 ? rng.below(1000) : rng.below(vertices));
        for (std::uint32_t i = 0; i < triangles; ++i)
            level.areas.push_back(static_cast<std::uint8_t>(rng.below(4)));
        bake::BakeOptions options;
        options.agent_radius = rng.between(0.0, 1.0);
        options.climb = rng.between(0.0, 2.0);
        options.agent_height = rng.between(0.0, 3.0);
        options.edge_error = rng.between(0.0, 16.0);
        options.tile_cells = rng.below(2) == 0 ? 0 : 16 + rng.below(60);
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(mesh);
        testing::expect_convex(*mesh);
        int faults = 0;
        EXPECT_GE(testing::glue(*mesh, faults).characters().size(), mesh->tiles.empty() ? 0U : 1U);
        EXPECT_EQ(faults, 0);
        for (std::size_t i = 0; i < mesh->tiles.size(); ++i) EXPECT_TRUE(check_heights(mesh->heights(i)));
    }
}

TEST(Bake, ATriangleFarAwayIsAnErrorOrCostsItsTiles) {
    for (const bool along_y : {false, true}) {
        Level level;
        level.floor(0, 0, 10, 10, 0);
        const double far = 4e6;
        level.floor(along_y ? 0 : far, along_y ? far : 0, (along_y ? 0 : far) + 10, (along_y ? far : 0) + 10,
                    0);
        bake::BakeOptions options = plain();
        EXPECT_EQ(bake::bake_mesh(level.soup(), options).error().code, ErrorCode::size_limit);
        options.tile_cells = 64;
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        if (along_y) {
            ASSERT_TRUE(mesh);
            EXPECT_EQ(mesh->polygons.size(), 2U);
        } else {
            EXPECT_EQ(mesh.error().code, ErrorCode::size_limit);
        }
    }
    Level level;
    level.floor(0, 0, 10, 10, 0);
    level.floor(3e6, 3e6, 3e6 + 1, 3e6 + 1, 0);
    bake::BakeOptions options = plain();
    EXPECT_EQ(bake::bake_mesh(level.soup(), options).error().code, ErrorCode::size_limit);
    options.tile_cells = 16;
    EXPECT_EQ(bake::bake_mesh(level.soup(), options).error().code, ErrorCode::size_limit);
    level.floor(1e7, 1e7, 1e7 + 1, 1e7 + 1, 0);  // past the grid: left out
    EXPECT_EQ(bake::bake_mesh(level.soup(), options).error().code, ErrorCode::size_limit);
}

TEST(Bake, ProgressStopsIt) {
    Level level;
    level.floor(0, 0, 100, 10, 0);
    level.floor(0, 0, 10, 100, 0);
    bake::BakeOptions options = plain();
    options.tile_cells = 16;
    int calls = 0;
    options.progress = {[](void* user, std::size_t done, std::size_t all) {
                            EXPECT_LE(done, all);
                            return ++*static_cast<int*>(user) < 2;
                        },
                        &calls};
    EXPECT_EQ(bake::bake_mesh(level.soup(), options).error(), Error{ErrorCode::cancelled});
    EXPECT_EQ(calls, 2);
}

TEST(Bake, AFailingAllocatorIsAnError) {
    Rng rng(31);
    const Level level = testing::random_blocks(rng, 8, 12);
    for (const std::uint32_t tile : {0U, 16U}) {
        bake::BakeOptions options = plain(0.3);
        options.tile_cells = tile;
        std::int64_t fail = 0;
        for (bool good = false; !good; fail += 1 + fail / 50) {
            testing::TestAllocator memory;
            memory.fail_from_call = fail;
            {
                options.allocator = memory.allocator();
                const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
                good = mesh.has_value();
                EXPECT_TRUE(good || mesh.error().code == ErrorCode::out_of_memory);
            }
            EXPECT_EQ(memory.live_blocks, 0);
            EXPECT_EQ(memory.live_bytes, 0);
            ASSERT_LT(fail, 1000000);
        }
    }
}

TEST(Bake, RealLevelsKeepTheirCorridors) {
    FAIRLEAD_REQUIRE_DATA(path, "meshes/recast/nav_test.obj");
    bake::BakeOptions options;
    options.agent_radius = 0.6;
    {
        SCOPED_TRACE("0.6");
        expect_same_topology(testing::read_obj(path), options);
    }
    options.agent_radius = 0.0;
    expect_same_topology(testing::read_obj(path), options);
}

}  // namespace
}  // namespace fairlead
