// Assets by path: what is saved is what is loaded; what cannot be written says why and leaves the old file.

#include <cerrno>
#include <cstdio>
#include <string>

#include <fairlead/drive/drive_table.h>
#include <fairlead/formats/assets.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/roadmap_file.h>
#include <fairlead/formats/routes.h>
#include <fairlead/formats/voxel_map.h>
#include <fairlead/roadmap/find_route.h>
#include <gtest/gtest.h>

#include "support/grids.h"

namespace fairlead::formats {
namespace {

std::string temporary(const std::string& name) { return ::testing::TempDir() + "fairlead_assets_" + name; }

TEST(Assets, Bytes) {
    const std::string path = temporary("bytes");
    const std::uint8_t bytes[] = {0, 255, 10, 13, 0, 7};
    ASSERT_TRUE(save_bytes(path, bytes));
    const Result<Array<std::uint8_t>> again = load_bytes(path);
    ASSERT_TRUE(again);
    EXPECT_TRUE(std::equal(again->begin(), again->end(), std::begin(bytes), std::end(bytes)));
    EXPECT_EQ(std::remove(path.c_str()), 0);
    EXPECT_EQ(load_bytes(path).error(), (Error{ErrorCode::file_open, -1, ENOENT}));
    EXPECT_EQ(save_bytes("/no such folder/x", bytes).error(), (Error{ErrorCode::file_open, -1, ENOENT}));
    // A full disk.
    if (std::FILE* full = std::fopen("/dev/full", "wb")) {
        std::fclose(full);
        EXPECT_EQ(save_bytes("/dev/full", bytes).error(), (Error{ErrorCode::file_read, -1, ENOSPC}));
    }
}

TEST(Assets, Grid) {
    const std::string path = temporary("grid.map");
    const Grid grid = fairlead::testing::grid_of({"..@..", "@...@", "....."});
    ASSERT_TRUE(save_asset(path, grid));
    const Agent wide{.radius = 0.4};
    const Result<Grid> again = load_grid_asset(path, {.cell_size = 2.0, .sizes = {&wide, 1}});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->state().cell_size(), 2.0);
    for (std::int32_t y = 0; y < 3; ++y) {
        for (std::int32_t x = 0; x < 5; ++x)
            EXPECT_EQ(again->state().tile({x, y, 0}), grid.state().tile({x, y, 0}));
    }
    const Grid layered = *Grid::make({.width = 2, .height = 2, .layers = 2});
    EXPECT_EQ(save_asset(path, layered).error().code, ErrorCode::unsupported);
    EXPECT_TRUE(load_grid_asset(path));  // the old one is whole
    ASSERT_TRUE(save_file(path, "type octile\nheight 1\nwidth 2\nmap\n.x\n"));
    EXPECT_EQ(load_grid_asset(path).error().code, ErrorCode::text_character);
    std::remove(path.c_str());
}

TEST(Assets, DriveTableAndMesh) {
    const std::string path = temporary("table.fl");
    const Result<DriveTable> table = DriveTable::make({.agent = {.radius = 0.4, .turning_radius = 2.0}});
    ASSERT_TRUE(table);
    ASSERT_TRUE(save_asset(path, *table));
    const Result<DriveTable> again = load_asset<DriveTable>(path);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->headings(), table->headings());
    EXPECT_EQ(load_mesh_asset(path).error().code, ErrorCode::baked_kind);
    std::remove(path.c_str());
}

TEST(Assets, RoadmapWithAllThatEdgesSay) {
    const std::string path = temporary("roadmap.json");
    const Waypoint nodes[] = {{{4}, {0, 0, 0}}, {{9}, {3, 4, 0}}, {{2}, {3, 4, 5}}};
    const WaypointEdge edges[] = {
        {.from = {4}, .to = {9}, .kind = 200, .flags = 0xffffffffU, .label = 7},
        {.from = {9}, .to = {2}, .cost = 2.5, .one_way = true, .link = true, .label = 0xfffffffeU}};
    const Roadmap roadmap = *Roadmap::make({.nodes = nodes, .edges = edges});
    ASSERT_TRUE(save_asset(path, roadmap));
    const Result<Roadmap> again = load_roadmap_asset(path);
    ASSERT_TRUE(again) << error_line(path, again.error());
    for (const Waypoint& node : nodes) {
        const RoadmapState& a = roadmap.state();
        const RoadmapState& b = again->state();
        const auto arcs_a = a.arcs(a.find(node.id));
        const auto arcs_b = b.arcs(b.find(node.id));
        ASSERT_EQ(arcs_a.size(), arcs_b.size());
        for (std::size_t i = 0; i < arcs_a.size(); ++i) {
            EXPECT_EQ(a.node(arcs_a[i].to).id, b.node(arcs_b[i].to).id);
            EXPECT_EQ(arcs_a[i].cost, arcs_b[i].cost);
            EXPECT_EQ(arcs_a[i].flags, arcs_b[i].flags);
            EXPECT_EQ(arcs_a[i].label, arcs_b[i].label);
            EXPECT_EQ(arcs_a[i].kind, arcs_b[i].kind);
            EXPECT_EQ(arcs_a[i].link, arcs_b[i].link);
        }
    }
    // Out of range, twice, of another type.
    for (const char* bad : {R"("kind": 256)", R"("kind": -1)", R"("label": 4294967296)", R"("flags": 1.5)",
                            R"("link": 1)", R"("label": 1, "label": 1)"}) {
        const std::string text =
            std::string(
                R"({"nodes": [{"id": 1, "x": 0, "y": 0}, {"id": 2, "x": 1, "y": 0}], "edges": [{"from": 1, "to": 2, )") +
            bad + "}]}";
        EXPECT_FALSE(load_roadmap(text)) << bad;
    }
    // The route's JSON names them, and reads back as the route.
    Scratch scratch;
    const RoadmapQuery query{.start = WaypointId{4}, .goal = WaypointId{2}};
    const Result<Route> route = find_route(roadmap, query, scratch);
    Array<RoadmapLeg> names;
    ASSERT_TRUE(name_legs(roadmap, query, scratch, *route, names));
    std::string text;
    append_route(text, 1, *route, 0, {}, names.span());
    EXPECT_NE(text.find(R"("from":4,"to":9,"edge":{"cost":5,"kind":200,"flags":4294967295,"label":7})"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find(R"("from":9,"to":2,"edge":{"cost":2.5,"link":true,"label":4294967294})"),
              std::string::npos)
        << text;
    const Result<std::vector<RouteRecord>> read = load_routes(text);
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)[0].route.legs.size(), route->legs.size());
    std::remove(path.c_str());
}

TEST(Assets, Volume) {
    const std::string path = temporary("volume.fl");
    const VoxelBrick bricks[] = {{0, 1, 0, 0x8001}, {2, 0, 1, 1}};
    const Result<Volume> volume =
        Volume::make({.voxel_size = {0.5, 0.5, 0.5}, .size = {9, 8, 7}, .bricks = bricks});
    ASSERT_TRUE(volume);
    ASSERT_TRUE(save_asset(path, *volume));
    const Result<Volume> again = load_volume_asset(path);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->state().voxel_size(), (Vec3{0.5, 0.5, 0.5}));
    const Result<VoxelMap> map = make_voxel_map(*again);
    ASSERT_TRUE(map);
    EXPECT_EQ(save_voxel_map(*map), "voxel 9 8 7\n0 4 0\n3 7 0\n8 0 4\n");
    ASSERT_TRUE(save_file(path, save_voxel_map(*map)));
    const Result<Volume> plain = load_volume_asset(path);
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->state().voxel_size(), (Vec3{1, 1, 1}));
    EXPECT_EQ(save_voxel_map(*make_voxel_map(*plain)), save_voxel_map(*map));
    EXPECT_EQ(load_volume_asset(path, {.voxels_max = 503}).error(), (Error{ErrorCode::size_limit, -1, 503}));
    EXPECT_TRUE(load_volume_asset(path, {.voxels_max = 504}));
    ASSERT_TRUE(save_file(path, "voxel 9 8 7\n9 0 0\n"));
    EXPECT_EQ(load_volume_asset(path).error(), (Error{ErrorCode::text_value, 2, 1}));
    ASSERT_TRUE(save_file(path, "FAIRLEAD"));
    EXPECT_EQ(load_volume_asset(path).error().code, ErrorCode::baked_length);
    std::remove(path.c_str());
}

}  // namespace
}  // namespace fairlead::formats
