// Detour meshes: every rule of the format by a forged file, and, where librecast-dev is there, levels that Recast bakes
// here against what Detour itself says about them.
#include <fairlead/formats/detour.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/triangles.h>
#include <fairlead/mesh/find_route.h>

#include "support/environment.h"

#if defined(FAIRLEAD_HAVE_DETOUR)
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>
#endif

namespace fairlead::formats {
namespace {

std::string detour_seed(const std::string& name) {
    std::ifstream file(testing::source_path("tests/fuzz/corpus/detour/" + name), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

NavMesh level_of(const MeshFile& file) {
    const NavMeshTile tile = file.tile();
    Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

// Two tiles side by side; the border of the first is cut at z = 3, that of the second at z = 5 and 0.1 higher.
TEST(Detour, Loads) {
    for (const char* name : {"seed.bin", "seed_wide.bin"}) {
        const std::string bytes = detour_seed(name);
        EXPECT_EQ(sniff_kind(bytes), FileKind::detour_mesh);
        const Result<DetourMesh> set = load_detour(bytes);
        ASSERT_TRUE(set.has_value()) << name;
        EXPECT_EQ(set->tiles, 2U);
        EXPECT_EQ(set->joints, 3U);
        EXPECT_TRUE(set->repairs.dropped.empty() && set->repairs.cut.empty());
        EXPECT_EQ(set->mesh.polygon_sizes, (std::vector<std::uint32_t>{6, 4, 4}));
        EXPECT_EQ(set->mesh.areas, (std::vector<std::uint8_t>{1, 0, 3}));
        EXPECT_EQ(set->flags, (std::vector<std::uint16_t>{1, 1, 2}));
        EXPECT_EQ(set->agent_radius, 0.5);
        ASSERT_EQ(set->links.size(), 1U);
        EXPECT_EQ(set->links[0], (DetourLink{{1, -1, 0}, {3, -7, 0}, 0.5, true, 5, 8, 77}));
        const NavMesh mesh = level_of(set->mesh);
        Scratch scratch;
        for (const double z : {1.0, 4.0, 7.0}) {
            const Result<Route> route =
                find_route(mesh, MeshQuery{.start = {1, -z, 0}, .goal = Vec3{7, -z, 0}}, scratch);
            ASSERT_TRUE(route.has_value());
            EXPECT_NEAR(route->length, 6.0, 1e-9);
        }
    }
}

template <class T>
std::string patched(std::string bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);  // tests run on little-endian machines
    return bytes;
}

TEST(Detour, EveryRuleHasItsFile) {
    const std::string set = detour_seed("seed.bin"), one = detour_seed("seed_tile.bin");
    const auto rule = [](const std::string& bytes) {
        const Result<DetourMesh> mesh = load_detour(bytes);
        if (mesh) return DetourRule::count_;
        EXPECT_EQ(mesh.error().code, ErrorCode::incompatible);
        return static_cast<DetourRule>(mesh.error().detail);
    };
    constexpr std::size_t kVertices = 100, kPolygons = kVertices + 7 * 12, kLinks = kPolygons + 2 * 32,
                          kConnections = kLinks + 2 * 12;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(rule(one), DetourRule::count_);
    EXPECT_EQ(rule(""), DetourRule::magic);
    EXPECT_EQ(rule("what is this"), DetourRule::magic);
    EXPECT_EQ(rule("TEST" + set.substr(4)), DetourRule::tile_cache);
    EXPECT_EQ(rule(patched(set, 4, 2)), DetourRule::set_version);
    EXPECT_EQ(rule(patched(set, 8, 1 << 20)), DetourRule::set_count);
    EXPECT_EQ(rule(patched(set, 8, -1)), DetourRule::set_count);
    EXPECT_EQ(rule(set.substr(0, 30)), DetourRule::cut_short);
    EXPECT_EQ(rule(set.substr(0, set.size() - 1)), DetourRule::cut_short);
    EXPECT_EQ(rule(one.substr(0, 99)), DetourRule::cut_short);
    EXPECT_EQ(rule(patched(set, 8, 1)), DetourRule::extra_bytes);
    EXPECT_EQ(rule(set + "x"), DetourRule::extra_bytes);
    EXPECT_EQ(rule(patched(set, 48, 1)), DetourRule::tile_magic);
    EXPECT_EQ(rule(patched(one, 4, 6)), DetourRule::tile_version);
    for (std::size_t count = 24; count < 60; count += 4)
        EXPECT_EQ(rule(patched(one, count, -1)), DetourRule::tile_count) << count;
    EXPECT_EQ(rule(patched(one, 24, 65536)), DetourRule::tile_count);
    for (std::size_t count = 24; count < 56; count += 4)
        EXPECT_EQ(rule(patched(one, count, 60000)), DetourRule::tile_size) << count;
    EXPECT_EQ(rule(one + "x"), DetourRule::tile_size);
    EXPECT_EQ(rule(patched(one, 64, nan)), DetourRule::header_number);
    EXPECT_EQ(rule(patched(one, 68, -1.0F)), DetourRule::header_number);
    EXPECT_EQ(rule(patched(one, 72, nan)), DetourRule::header_number);
    EXPECT_EQ(rule(patched(one, kVertices + 8, nan)), DetourRule::vertex);
    EXPECT_EQ(rule(patched(one, kVertices + 8, 1e20F)), DetourRule::vertex);
    EXPECT_EQ(rule(patched(one, kPolygons + 30, std::uint8_t{2})), DetourRule::polygon_corners);
    EXPECT_EQ(rule(patched(one, kPolygons + 30, std::uint8_t{7})), DetourRule::polygon_corners);
    EXPECT_EQ(rule(patched(one, kPolygons + 32 + 30, std::uint8_t{3})), DetourRule::polygon_corners);
    EXPECT_EQ(rule(patched(one, kPolygons + 6, std::uint16_t{7})), DetourRule::polygon_vertex);
    EXPECT_EQ(rule(patched(one, kPolygons + 16, std::uint16_t{3})), DetourRule::polygon_neighbour);
    EXPECT_EQ(rule(patched(one, kPolygons + 16, std::uint16_t{0x8008})), DetourRule::polygon_neighbour);
    EXPECT_EQ(rule(patched(one, kPolygons + 31, std::uint8_t{0x41})), DetourRule::polygon_type);
    EXPECT_EQ(rule(patched(one, kPolygons + 31, std::uint8_t{0x81})), DetourRule::polygon_type);
    EXPECT_EQ(rule(patched(one, 56, 0)), DetourRule::polygon_type);
    EXPECT_EQ(rule(patched(one, kConnections, nan)), DetourRule::off_mesh);
    EXPECT_EQ(rule(patched(one, kConnections + 24, -1.0F)), DetourRule::off_mesh);
    EXPECT_EQ(rule(patched(one, kConnections + 28, std::uint16_t{2})), DetourRule::off_mesh);
    // One link fewer makes room for a detail mesh.
    const std::string detail = patched(patched(one, 32, 1), 36, 1);
    EXPECT_EQ(rule(detail), DetourRule::count_);
    EXPECT_EQ(rule(patched(detail, kLinks + 12 + 8, std::uint8_t{1})), DetourRule::detail);
    EXPECT_EQ(rule(patched(detail, kLinks + 12, UINT32_MAX)), DetourRule::detail);
    for (int i = 0; i < static_cast<int>(DetourRule::count_); ++i)
        EXPECT_STRNE(detour_rule_text(static_cast<DetourRule>(i)), "unknown");
}

TEST(Detour, CapsHold) {
    EXPECT_EQ(load_detour(detour_seed("seed.bin"), {.memory_bytes = 1000}).error().code,
              ErrorCode::size_limit);
    EXPECT_EQ(load_detour(detour_seed("seed.bin"), {.text_bytes = 100}).error().code, ErrorCode::size_limit);
}

#if defined(FAIRLEAD_HAVE_DETOUR)

struct Bake {
    float cell = 0.3F, climb = 0.9F;
    int tile_cells = 48;
};

struct TileData {
    int x, y;
    unsigned char* data;
    int size;
};

// One tile, as RecastDemo's sample makes it; triangles are y up.
bool bake_tile(rcContext& context, const std::vector<float>& vertices, const std::vector<int>& triangles,
               const float* low, const float* high, const Bake& bake, int x, int y, TileData& out) {
    const int border = 5;
    const float side = static_cast<float>(bake.tile_cells) * bake.cell,
                rim = static_cast<float>(border) * bake.cell;
    const float tile_low[3] = {low[0] + static_cast<float>(x) * side, low[1],
                               low[2] + static_cast<float>(y) * side};
    const float tile_high[3] = {tile_low[0] + side, high[1], tile_low[2] + side};
    const float from[3] = {tile_low[0] - rim, low[1], tile_low[2] - rim};
    const float to[3] = {tile_high[0] + rim, high[1], tile_high[2] + rim};
    const int cells = bake.tile_cells + 2 * border, count = static_cast<int>(triangles.size() / 3);
    const float height = 0.2F;
    const int climb = static_cast<int>(bake.climb / height);
    rcHeightfield* solid = rcAllocHeightfield();
    rcCompactHeightfield* open = rcAllocCompactHeightfield();
    rcContourSet* contours = rcAllocContourSet();
    rcPolyMesh* mesh = rcAllocPolyMesh();
    rcPolyMeshDetail* detail = rcAllocPolyMeshDetail();
    std::vector<unsigned char> areas(triangles.size() / 3, 0);
    rcMarkWalkableTriangles(&context, 45.0F, vertices.data(), static_cast<int>(vertices.size() / 3),
                            triangles.data(), count, areas.data());
    bool good = rcCreateHeightfield(&context, *solid, cells, cells, from, to, bake.cell, height) &&
                rcRasterizeTriangles(&context, vertices.data(), static_cast<int>(vertices.size() / 3),
                                     triangles.data(), areas.data(), count, *solid, climb);
    rcFilterLowHangingWalkableObstacles(&context, climb, *solid);
    rcFilterLedgeSpans(&context, 10, climb, *solid);
    rcFilterWalkableLowHeightSpans(&context, 10, *solid);
    good = good && rcBuildCompactHeightfield(&context, 10, climb, *solid, *open) &&
           rcErodeWalkableArea(&context, 2, *open) && rcBuildDistanceField(&context, *open) &&
           rcBuildRegions(&context, *open, border, 8, 20) &&
           rcBuildContours(&context, *open, 1.3F, 12, *contours) &&
           rcBuildPolyMesh(&context, *contours, 6, *mesh) &&
           rcBuildPolyMeshDetail(&context, *mesh, *open, 6, 1, *detail);
    for (int i = 0; good && i < mesh->npolys; ++i) {
        mesh->flags[i] = 1;
        mesh->areas[i] = 0;
    }
    dtNavMeshCreateParams params{};
    params.verts = mesh->verts;
    params.vertCount = mesh->nverts;
    params.polys = mesh->polys;
    params.polyAreas = mesh->areas;
    params.polyFlags = mesh->flags;
    params.polyCount = mesh->npolys;
    params.nvp = mesh->nvp;
    params.detailMeshes = detail->meshes;
    params.detailVerts = detail->verts;
    params.detailVertsCount = detail->nverts;
    params.detailTris = detail->tris;
    params.detailTriCount = detail->ntris;
    params.walkableHeight = 2.0F;
    params.walkableRadius = 0.6F;
    params.walkableClimb = bake.climb;
    params.tileX = x;
    params.tileY = y;
    rcVcopy(params.bmin, mesh->bmin);
    rcVcopy(params.bmax, mesh->bmax);
    params.cs = bake.cell;
    params.ch = height;
    params.buildBvTree = true;
    out = {x, y, nullptr, 0};
    good = good && mesh->npolys > 0 && dtCreateNavMeshData(&params, &out.data, &out.size);
    rcFreeHeightField(solid);
    rcFreeCompactHeightfield(open);
    rcFreeContourSet(contours);
    rcFreePolyMesh(mesh);
    rcFreePolyMeshDetail(detail);
    return good;
}

template <class T>
void put(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Bakes, loads, and asks both the same.
void compare_with_detour(const TriangleFile& soup, const Bake& bake, int pairs) {
    std::vector<float> vertices;
    float low[3] = {1e9F, 1e9F, 1e9F}, high[3] = {-1e9F, -1e9F, -1e9F};
    for (const Vec3& p : soup.vertices) {
        const float place[3] = {static_cast<float>(p.x), static_cast<float>(p.z), static_cast<float>(-p.y)};
        for (int i = 0; i < 3; ++i) {
            vertices.push_back(place[i]);
            low[i] = std::min(low[i], place[i]);
            high[i] = std::max(high[i], place[i]);
        }
    }
    const std::vector<int> triangles(soup.triangles.begin(), soup.triangles.end());
    rcContext context(false);
    dtNavMeshParams params{};
    rcVcopy(params.orig, low);
    params.tileWidth = params.tileHeight = static_cast<float>(bake.tile_cells) * bake.cell;
    params.maxTiles = 1024;
    params.maxPolys = 1024;
    dtNavMesh* theirs = dtAllocNavMesh();
    ASSERT_TRUE(dtStatusSucceed(theirs->init(&params)));
    std::string set, tiles;
    int count = 0;
    for (int y = 0; low[2] + static_cast<float>(y) * params.tileHeight < high[2]; ++y) {
        for (int x = 0; low[0] + static_cast<float>(x) * params.tileWidth < high[0]; ++x) {
            TileData tile{};
            if (!bake_tile(context, vertices, triangles, low, high, bake, x, y, tile)) continue;
            ++count;
            put(tiles, std::uint32_t{1});
            put(tiles, tile.size);
            tiles.append(reinterpret_cast<const char*>(tile.data), static_cast<std::size_t>(tile.size));
            ASSERT_TRUE(
                dtStatusSucceed(theirs->addTile(tile.data, tile.size, DT_TILE_FREE_DATA, 0, nullptr)));
        }
    }
    put(set, std::uint32_t{'M' << 24 | 'S' << 16 | 'E' << 8 | 'T'});
    put(set, 1);
    put(set, count);
    put(set, params);
    const Result<DetourMesh> ours = load_detour(set + tiles);
    ASSERT_TRUE(ours.has_value()) << detour_rule_text(static_cast<DetourRule>(ours.error().detail));
    EXPECT_EQ(ours->tiles, static_cast<std::uint32_t>(count));
    EXPECT_TRUE(ours->repairs.dropped.empty());
    const NavMesh level = level_of(ours->mesh);

    // Bytes changed at random: refused, or good enough to be a level.
    Rng damage(7);
    for (int i = testing::trials(200); i > 0; --i) {
        std::string bytes = set + tiles;
        for (std::uint32_t n = 1 + damage.below(4); n > 0; --n)
            bytes[damage.below(static_cast<std::uint32_t>(bytes.size()))] =
                static_cast<char>(damage.below(256));
        const Result<DetourMesh> damaged = load_detour(bytes);
        if (damaged) (void)level_of(damaged->mesh);
    }

    dtNavMeshQuery query;
    ASSERT_TRUE(dtStatusSucceed(query.init(theirs, 65535)));
    const dtQueryFilter filter;
    Rng rng(11);
    Scratch scratch;
    int reached = 0;
    const auto random_polygon = [&] { return level.state().polygon(rng.below(level.state().polygons())); };
    const auto middle = [&](PolygonId polygon) {
        Vec3 sum{};
        for (std::uint32_t i = 0; i < level.state().corners(polygon); ++i)
            sum = sum + level.state().corner(polygon, i);
        return sum * (1.0 / level.state().corners(polygon));
    };
    for (int i = 0; i < pairs; ++i) {
        const Vec3 start = middle(random_polygon()), goal = middle(random_polygon());
        const float a[3] = {static_cast<float>(start.x), static_cast<float>(start.z),
                            static_cast<float>(-start.y)};
        const float b[3] = {static_cast<float>(goal.x), static_cast<float>(goal.z),
                            static_cast<float>(-goal.y)};
        const float reach[3] = {0.1F, 1.0F, 0.1F};
        dtPolyRef from = 0, to = 0;
        float near_a[3], near_b[3];
        query.findNearestPoly(a, reach, &filter, &from, near_a);
        query.findNearestPoly(b, reach, &filter, &to, near_b);
        ASSERT_TRUE(from != 0 && to != 0);
        dtPolyRef path[2048];
        int steps = 0;
        query.findPath(from, to, near_a, near_b, &filter, path, &steps, 2048);
        const bool arrives = steps > 0 && path[steps - 1] == to;
        const Result<Route> route = find_route(level, MeshQuery{.start = start, .goal = goal}, scratch);
        ASSERT_TRUE(route.has_value());
        EXPECT_EQ(route->status == PathStatus::complete, arrives) << i;
        if (!arrives || route->status != PathStatus::complete) continue;
        ++reached;
        float straight[3 * 2048];
        int corners = 0;
        query.findStraightPath(near_a, near_b, path, steps, straight, nullptr, nullptr, &corners, 2048);
        double length = 0;
        for (int c = 1; c < corners; ++c)
            length +=
                std::hypot(straight[3 * c] - straight[3 * c - 3], straight[3 * c + 2] - straight[3 * c - 1]);
        EXPECT_LE(route->length, length * (1 + 1e-5) + 1e-3) << i;
    }
    EXPECT_GT(reached, pairs / 8);
    dtFreeNavMesh(theirs);
}

// Blocks at odd places on a floor, and a ramp to a second floor above.
TriangleFile yard() {
    TriangleFile soup;
    const auto quad = [&](Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        const auto first = static_cast<std::uint32_t>(soup.vertices.size());
        for (const Vec3& p : {a, b, c, d}) soup.vertices.push_back(p);
        for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) soup.triangles.push_back(first + i);
    };
    quad({0, 0, 0}, {61, 0, 0}, {61, 47, 0}, {0, 47, 0});
    quad({40, 10, 4}, {58, 10, 4}, {58, 40, 4}, {40, 40, 4});
    quad({28, 20, 0}, {40.2, 20, 4}, {40.2, 24, 4}, {28, 24, 0});
    Rng rng(5);
    for (int i = 0; i < 60; ++i) {
        const double x = rng.between(2.0, 36.0), y = rng.between(2.0, 44.0), w = rng.between(0.5, 3.0),
                     d = rng.between(0.5, 3.0);
        if (x + w > 26 && y + d > 18 && y < 26) continue;
        quad({x, y, 3}, {x + w, y, 3}, {x + w, y + d, 3}, {x, y + d, 3});
        quad({x, y, 0}, {x + w, y, 0}, {x + w, y, 3}, {x, y, 3});
        quad({x, y + d, 0}, {x, y + d, 3}, {x + w, y + d, 3}, {x + w, y + d, 0});
        quad({x, y, 0}, {x, y, 3}, {x, y + d, 3}, {x, y + d, 0});
        quad({x + w, y, 0}, {x + w, y + d, 0}, {x + w, y + d, 3}, {x + w, y, 3});
    }
    return soup;
}

TEST(Detour, SameAnswersAsDetour) {
    for (const int cells : {24, 37, 48}) compare_with_detour(yard(), {.tile_cells = cells}, 400);
}

TEST(Detour, SameAnswersAsDetourOnALevel) {
    FAIRLEAD_REQUIRE_DATA(path, "meshes/recast/nav_test.obj");
    const Result<TriangleFile> soup = load_obj(*load_file(path));
    ASSERT_TRUE(soup.has_value());
    compare_with_detour(*soup, {.tile_cells = 32}, 1000);
}

#else

TEST(Detour, SameAnswersAsDetour) { GTEST_SKIP() << "skipped: built without librecast-dev"; }

#endif

}  // namespace
}  // namespace fairlead::formats
