// Tables are the same for any number of threads and after saving and loading; stops, lack of memory and damage are noticed.
#include <fairlead/mesh/mesh_table.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/mesh/save_mesh.h>

#include "fuzz/mesh_table_drive.h"
#include "support/environment.h"
#include "support/mesh_obstacles.h"
#include "support/mesh_tables.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"
#include "support/starve.h"
#include "support/threads.h"

namespace fairlead {
namespace {

using testing::expect_same;
using testing::from_table;
using testing::make_table;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::TestAllocator;
using testing::Threads;
using testing::trials;

TEST(MeshTableMaking, TheNumberOfThreadsDoesNotCount) {
    Rng rng(616);
    const int side = testing::all_trials() ? 60 : 30;
    PlainMesh plain = random_mesh(rng, {.width = side, .height = side, .blocked_percent = 30});
    const NavMesh mesh = plain.make(0);
    const std::uint64_t wanted = make_table(mesh).digest();
    for (const std::size_t count : {1U, 2U, 3U, 8U}) {
        Threads threads{count};
        EXPECT_EQ(make_table(mesh, {.jobs = {&Threads::run, &threads}}).digest(), wanted) << count;
    }
}

TEST(MeshTableMaking, ProgressAndStop) {
    struct Watch {
        std::size_t calls = 0;
        std::size_t last = 0;
        std::size_t all = 0;
        std::size_t stop_at = SIZE_MAX;
    };
    Rng rng(617);
    const int side = testing::all_trials() ? 60 : 30;
    PlainMesh plain = random_mesh(rng, {.width = side, .height = side, .blocked_percent = 30});
    const NavMesh mesh = plain.make(0);
    const auto told = [](void* user, std::size_t done, std::size_t all) {
        Watch& watch = *static_cast<Watch*>(user);
        EXPECT_GE(done, watch.last);
        EXPECT_LE(done, all);
        watch.last = done;
        watch.all = all;
        return ++watch.calls < watch.stop_at;
    };
    Watch watch;
    const MeshTable table = make_table(mesh, {.progress = {told, &watch}});
    EXPECT_EQ(watch.all, 2U * table.size().corners);
    EXPECT_GT(watch.calls, 5U);
    const std::size_t calls = watch.calls;
    for (const std::size_t stop : {std::size_t{1}, std::size_t{3}, calls / 2, calls}) {
        TestAllocator memory;
        Watch stopped{.stop_at = stop};
        const Result<MeshTable> none =
            MeshTable::make(mesh.acquire(), {.progress = {told, &stopped}, .allocator = memory.allocator()});
        ASSERT_FALSE(none);
        EXPECT_EQ(none.error(), (Error{ErrorCode::incompatible, -1, 0}));
        EXPECT_EQ(memory.live_blocks, 0);
    }
    const Result<MeshTable> large = MeshTable::make(mesh.acquire(), {.bytes_max = 1000});
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error(), (Error{ErrorCode::size_limit, -1, 1000}));
}

TEST(MeshTableMaking, NoMemory) {
    Rng rng(618);
    PlainMesh plain = random_mesh(rng, {.width = 12, .height = 12, .blocked_percent = 30});
    const NavMesh mesh = plain.make();
    TestAllocator memory;
    const auto make = [&] { return MeshTable::make(mesh.acquire(), {.allocator = memory.allocator()}); };
    const auto nothing_left = [&](const Result<MeshTable>& made) {
        ASSERT_FALSE(made);
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    };
    for (const bool once : testing::kOnceAndForEver)
        EXPECT_GT(testing::starve(memory, once, make, nothing_left), 20);
    EXPECT_EQ(memory.live_blocks, 0);
}

TEST(MeshTableMaking, WarmQueriesAllocateNothing) {
    Rng rng(619);
    PlainMesh plain = random_mesh(rng, {.width = 20, .height = 20, .blocked_percent = 30});
    const OracleMesh shape = oracle_mesh(plain);
    const NavMesh mesh = plain.make();
    const MeshTable table = make_table(mesh);
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        Route route;
        route.legs = Array<Leg>(memory.allocator());
        std::vector<MeshQuery> queries(200);
        for (MeshQuery& query : queries) {
            query.start = on_floor(random_mesh_point(rng, shape).at);
            query.goal = on_floor(random_mesh_point(rng, shape).at);
        }
        // Every allocation of the first round fails.
        Scratch cold(memory.allocator());
        const auto ask = [&] {
            cold.free_memory();
            route.legs.free_memory();
            return find_route_into(mesh, looked_up_in(table, queries[0]), cold, route);
        };
        const auto ask_again = [&](const Result<void>& done) {
            EXPECT_TRUE(done || route.legs.empty());
            EXPECT_TRUE(find_route_into(mesh, looked_up_in(table, queries[0]), cold, route));
        };
        for (const bool once : testing::kOnceAndForEver)
            EXPECT_GT(testing::starve(memory, once, ask, ask_again), 2);
        for (int round = 0; round < 2; ++round) {
            const std::int64_t before = memory.calls;
            for (const MeshQuery& query : queries)
                ASSERT_TRUE(find_route_into(mesh, looked_up_in(table, query), scratch, route));
            if (round == 1) {
                EXPECT_EQ(memory.calls, before);
            }
        }
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

std::vector<std::uint8_t> saved(const MeshTable& table) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(table.save(out));
    return {out.begin(), out.end()};
}

// The same tiles in another order lie in other slots.
TEST(MeshTableMaking, SavedAndLoaded) {
    Rng rng(620);
    Scratch scratch;
    PlainMesh plain = random_mesh(rng, {.width = 16, .height = 16, .blocked_percent = 30, .join_percent = 0});
    const OracleMesh shape = oracle_mesh(plain);
    NavMesh mesh = plain.make_tiled(16.0, 0);
    const MeshTable table = make_table(mesh);
    const std::vector<std::uint8_t> bytes = saved(table);

    NavMesh other = plain.make_tiled(16.0, 4);
    ASSERT_TRUE(other.remove_tile(1, 1));
    const Result<MeshTable> less = MeshTable::load(bytes, other.acquire());
    ASSERT_FALSE(less);
    EXPECT_EQ(less.error(), (Error{ErrorCode::incompatible, -1, 0}));
    PlainMesh part;
    for (std::size_t i = 0; i < plain.polygons.size(); ++i) {
        const Vec2 at = testing::middle_of(plain, i);
        if (at.x > 16.0 && at.x < 32.0 && at.y > 16.0 && at.y < 32.0)
            part.polygons.push_back(plain.polygons[i]);
    }
    part.vertices = plain.vertices;
    for (Vec3& v : part.vertices) {
        v.x = std::fmin(std::fmax(v.x, 16.0), 32.0);
        v.y = std::fmin(std::fmax(v.y, 16.0), 32.0);
    }
    part.flatten();
    ASSERT_FALSE(part.polygons.empty());
    NavMeshTile back = part.tile();
    back.x = back.y = 1;
    ASSERT_TRUE(other.set_tile(back));

    Result<MeshTable> loaded = MeshTable::load(bytes, other.acquire());
    ASSERT_TRUE(loaded) << error_name(loaded.error().code);
    EXPECT_EQ(loaded->digest(), table.digest());
    EXPECT_EQ(loaded->size().legs, table.size().legs);
    EXPECT_EQ(saved(*loaded), bytes);
    EXPECT_TRUE(*loaded->is_as_made());
    for (int i = 0; i < trials(500); ++i) {
        const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                              .goal = on_floor(random_mesh_point(rng, shape).at)};
        expect_same(other, *loaded, query, scratch);
        ASSERT_FALSE(HasFailure()) << i;
    }
    ASSERT_TRUE(loaded->attach(mesh.acquire()));
    EXPECT_TRUE(loaded->serves(mesh));
    expect_same(mesh, *loaded, {.start = {2, 2, 0}, .goal = Vec3{60, 60, 0}}, scratch);
}

// Both from files.
TEST(MeshTableMaking, FitsAMeshThatWasLoaded) {
    Rng rng(622);
    Scratch scratch;
    for (int world = 0; world < trials(20); ++world) {
        PlainMesh plain =
            random_mesh(rng, {.width = 16, .height = 16, .blocked_percent = 30, .join_percent = 0});
        const OracleMesh shape = oracle_mesh(plain);
        const NavMesh mesh = plain.make_tiled(16.0, rng.below(3), {}, rng.below(2) * 1.5);
        const std::vector<std::uint8_t> bytes = saved(make_table(mesh));
        Array<std::uint8_t> file;
        ASSERT_TRUE(save_mesh(mesh, file));
        const Result<NavMesh> again = load_mesh(file);
        ASSERT_TRUE(again);
        const Result<MeshTable> table = MeshTable::load(bytes, again->acquire());
        ASSERT_TRUE(table) << error_name(table.error().code);
        EXPECT_TRUE(*table->is_as_made());
        const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                              .goal = on_floor(random_mesh_point(rng, shape).at)};
        expect_same(*again, *table, query, scratch);
    }
}

void damage(Rng& rng, std::vector<std::uint8_t>& bytes) {
    for (std::uint32_t i = 0; i <= rng.below(3); ++i) {
        const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
        const std::uint32_t flipped = bytes[at] ^ 1U << rng.below(8);
        bytes[at] = static_cast<std::uint8_t>(rng.below(4) == 0 ? rng.below(256) : flipped);
    }
    if (rng.below(10) == 0) bytes.resize(rng.below(static_cast<std::uint32_t>(bytes.size())));
}

// Other corners and limits in what is seen, all of them numbers that the mesh has; checksums made good.
void forge(Rng& rng, std::uint32_t corners, std::vector<std::uint8_t>& bytes) {
    const BakedSection seen =
        *BakedFile::open(bytes, {.kind = kBakedMeshTable})->section(four_letters("SEEN"), 12);
    for (std::uint32_t i = 0; i <= rng.below(20); ++i) {
        const std::size_t at = seen.offset + 12 * rng.below(static_cast<std::uint32_t>(seen.count));
        const std::uint32_t field = rng.below(3);
        const std::uint32_t value = field == 0 ? rng.below(corners) : rng.below(corners) | rng.below(2) << 31;
        for (std::uint32_t k = 0; k < 4; ++k)
            bytes[at + 4 * field + k] = static_cast<std::uint8_t>(value >> 8 * k);
    }
    ASSERT_TRUE(baked_reseal(bytes));
}

TEST(MeshTableMaking, DamagedFiles) {
    Rng rng(621);
    PlainMesh plain = random_mesh(rng, {.width = 8, .height = 8, .blocked_percent = 30});
    const OracleMesh shape = oracle_mesh(plain);
    const NavMesh mesh = plain.make(0);
    const MeshTable table = make_table(mesh);
    const std::vector<std::uint8_t> good = saved(table);
    TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        int wrong = 0;
        for (int round = 0; round < trials(4000); ++round) {
            std::vector<std::uint8_t> bytes = good;
            const std::uint32_t kind = rng.below(3);
            kind == 0 ? forge(rng, table.size().corners, bytes) : damage(rng, bytes);
            const bool sealed = kind == 0 || (kind == 1 && baked_reseal(bytes).has_value());
            const Result<MeshTable> loaded = MeshTable::load(bytes, mesh.acquire(), memory.allocator());
            if (kind == 0) {
                ASSERT_TRUE(loaded);
            }
            if (!loaded) continue;
            ASSERT_TRUE(sealed || bytes == good) << round;
            // Forged: routes may be too long, but there are answers, legal ones, and it can be found out.
            wrong += *loaded->is_as_made() ? 0 : 1;
            for (int i = 0; i < 10; ++i) {
                const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                                      .goal = on_floor(random_mesh_point(rng, shape).at)};
                const Result<Route> route = find_route(mesh, looked_up_in(*loaded, query), scratch);
                ASSERT_TRUE(route);
                const Violation bad = verify(*route, mesh, {});
                ASSERT_FALSE(bad) << round << ": " << bad.text().c_str();
            }
        }
        EXPECT_GE(wrong, trials(4000) / 5);
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

// FAULT-4: a table that says a corner is seen from all of a polygon, where it is seen from a part of it. Where the way leads along a
// line that is not one, the search finds the way; the status is that of a query without a table.
TEST(MeshTableMaking, ForgedSightsMakeNoIllegalRoutes) {
    Rng rng(623);
    Scratch scratch;
    int searched = 0, looked_up = 0;
    for (int world = 0; world < trials(40); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 10, .height = 10, .blocked_percent = 30});
        const OracleMesh shape = oracle_mesh(plain);
        const NavMesh mesh = plain.make(0);
        std::vector<std::uint8_t> bytes = saved(make_table(mesh));
        const BakedSection seen =
            *BakedFile::open(bytes, {.kind = kBakedMeshTable})->section(four_letters("SEEN"), 12);
        for (std::uint64_t i = 0; i < seen.count; ++i)
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(seen.offset + 12 * i + 4), 8, 0xff);
        ASSERT_TRUE(baked_reseal(bytes));
        const Result<MeshTable> forged = MeshTable::load(bytes, mesh.acquire());
        ASSERT_TRUE(forged);
        for (int i = 0; i < 50; ++i) {
            std::vector<Vec3> goals(1 + rng.below(3));
            for (Vec3& goal : goals) goal = on_floor(random_mesh_point(rng, shape).at);
            const MeshQuery query{.start = on_floor(random_mesh_point(rng, shape).at),
                                  .goal = Goal::any_of(goals)};
            const Result<Route> route = find_route(mesh, looked_up_in(*forged, query), scratch);
            const Result<Route> plain_route = find_route(mesh, query, scratch);
            ASSERT_TRUE(route && plain_route);
            const Violation bad = verify(*route, mesh, {});
            ASSERT_FALSE(bad) << world << ", " << i << ": " << bad.text().c_str();
            ASSERT_EQ(route->status, plain_route->status);
            ASSERT_GE(route->length, plain_route->length * (1.0 - 1e-12));
            if (!from_table(*route)) {
                ASSERT_EQ(route->length, plain_route->length);
            }
            (from_table(*route) ? looked_up : searched) += 1;
        }
    }
    EXPECT_GT(searched, trials(100));
    EXPECT_GT(looked_up, trials(100));
}

// Files of older versions keep loading.
TEST(MeshTableMaking, TheFirstVersionLoads) {
    std::ifstream in(testing::source_path("tests/golden/mesh_table_1_0.fl"), std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    ASSERT_FALSE(text.empty());
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    const NavMesh level = testing::fuzzed_level();
    const Result<MeshTable> table = MeshTable::load(bytes, level.acquire());
    ASSERT_TRUE(table) << error_name(table.error().code);
    EXPECT_TRUE(*table->is_as_made());
    Scratch scratch;
    EXPECT_TRUE(testing::drive_mesh_table(bytes, level, scratch));
}

}  // namespace
}  // namespace fairlead
