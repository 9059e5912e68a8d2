#include <fairlead/formats/mesh_file.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/mesh_repair.h>
#include <fairlead/mesh/find_route.h>

#include "support/environment.h"
#include "support/plain_mesh.h"

namespace fairlead::formats {
namespace {

// Two rooms: a corridor of 1 leads from the first to the second.
constexpr const char* kRooms = R"(mesh
2
10 3
0 0 2 0 -1
4 0 2 0 -1
4 1 3 0 -1 1
4 2 3 0 1 -1
4 4 2 0 -1
0 4 2 0 -1
6 1 3 1 -1 2
6 2 3 2 -1 1
6 4 1 2
9 0 2 2 -1
6 0 1 2 3 4 5 -1 -1 -1 1 -1 -1
4 2 6 7 3 0 -1 2 -1
4 6 9 8 7 1 -1 -1 -1
)";

NavMesh made(const MeshFile& file) {
    const NavMeshTile tile = file.tile();
    Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}});
    EXPECT_TRUE(mesh.has_value());
    return std::move(*mesh);
}

TEST(MeshFile, Loads) {
    const Result<MeshFile> file = load_polyanya_mesh(kRooms);
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->vertices.size(), 10U);
    EXPECT_EQ(file->polygon_sizes, (std::vector<std::uint32_t>{6, 4, 4}));
    EXPECT_EQ(file->polygon_corners[6], 2U);
    const NavMesh mesh = made(*file);
    Scratch scratch;
    const Result<Route> route =
        find_route(mesh, MeshQuery{.start = {1, 1, 0}, .goal = Vec3{8, 1, 0}}, scratch);
    ASSERT_TRUE(route.has_value());
    EXPECT_EQ(route->status, PathStatus::complete);
    EXPECT_DOUBLE_EQ(route->length, 7.0);
}

TEST(MeshFile, Heights) {
    Result<MeshFile> file = load_polyanya_mesh(kRooms);
    ASSERT_TRUE(file.has_value());
    std::string lines = "# offset\n";
    for (const Vec3& v : file->vertices)
        lines += std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.x / 2) + "\n";
    ASSERT_TRUE(load_heights(lines, *file).has_value());
    EXPECT_EQ(file->vertices[6], (Vec3{6, 1, 3}));
    MeshFile other = *file;
    ASSERT_TRUE(load_heights(save_heights(*file), other).has_value());
    EXPECT_EQ(other, *file);

    const auto error = [&](const std::string& text) {
        const MeshFile before = *file;
        const Result<void> done = load_heights(text, *file);
        EXPECT_FALSE(done.has_value());
        EXPECT_EQ(*file, before);
        return done ? Error{} : done.error();
    };
    EXPECT_EQ(error("0,0,1\n"), (Error{ErrorCode::text_end, 2, 1}));
    EXPECT_EQ(error("0,0.5,1\n"), (Error{ErrorCode::text_value, 1, 3}));
    EXPECT_EQ(error("0,0,1e10\n"), (Error{ErrorCode::text_value, 1, 5}));
    EXPECT_EQ(error("0,0\n"), (Error{ErrorCode::text_end, 1, 4}));
    EXPECT_EQ(error("0,0,1,1\n"), (Error{ErrorCode::text_extra, 1, 6}));
    EXPECT_EQ(error(lines + "0,0,0\n"), (Error{ErrorCode::text_extra, 12, 1}));
}

TEST(MeshFile, SavesWhatItLoaded) {
    Rng rng(4);
    for (int i = 0; i < 60; ++i) {
        testing::PlainMesh plain = testing::random_mesh(rng, {.slanted = i % 2 == 0});
        plain.flatten();
        MeshFile file{plain.vertices, plain.sizes, plain.corners, {}};
        const Result<MeshFile> again = load_polyanya_mesh(save_polyanya_mesh(file));
        ASSERT_TRUE(again.has_value()) << error_line("mesh", again.error(), save_polyanya_mesh(file));
        for (Vec3& vertex : file.vertices) vertex.z = 0;
        EXPECT_EQ(*again, file);
    }
}

TEST(MeshFile, WritesObj) {
    MeshFile file{{{0, 0, 1}, {2, 0, 1}, {0, 3, 2}}, {3}, {0, 1, 2}, {}};
    EXPECT_EQ(save_mesh_obj(file), "v 0 1 0\nv 2 1 0\nv 0 2 -3\nf 1 2 3\n");
    file.areas = {2};
    EXPECT_EQ(save_mesh_obj(file), "v 0 1 0\nv 2 1 0\nv 0 2 -3\ng area_2\nf 1 2 3\n");
}

TEST(MeshFile, CapsHold) {
    EXPECT_EQ(load_polyanya_mesh(kRooms, {.memory_bytes = 200}).error().code, ErrorCode::size_limit);
    EXPECT_EQ(load_polyanya_mesh(kRooms, {.text_bytes = 20}).error().code, ErrorCode::size_limit);
    EXPECT_EQ(load_polyanya_mesh("mesh\n2\n2147483647 2147483647\n").error().code, ErrorCode::text_end);
}

MeshRepairs mended(MeshFile& file) {
    MeshRepairs repairs;
    EXPECT_TRUE(repair_mesh(file, repairs).has_value());
    EXPECT_EQ(made(file).state().polygons(), file.polygon_sizes.size());
    return repairs;
}

TEST(MeshRepair, LeavesGoodMeshesAlone) {
    Result<MeshFile> file = load_polyanya_mesh(kRooms);
    ASSERT_TRUE(file.has_value());
    const MeshFile before = *file;
    const MeshRepairs repairs = mended(*file);
    EXPECT_TRUE(repairs.none());
    EXPECT_EQ(repairs.from, (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(*file, before);
}

TEST(MeshRepair, TurnsRound) {
    MeshFile file{{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, {4}, {0, 1, 2, 3}, {}};
    EXPECT_TRUE(mended(file).turned_round);
    EXPECT_EQ(file.polygon_corners, (std::vector<std::uint32_t>{3, 2, 1, 0}));
}

TEST(MeshRepair, CutsWhatIsNotConvex) {
    MeshFile file{
        {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {3, 4, 0}, {3, 1, 0}, {0, 1, 0}}, {6}, {0, 1, 2, 3, 4, 5}, {7}};
    const MeshRepairs repairs = mended(file);
    EXPECT_EQ(repairs.cut, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(repairs.from, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(file.areas, (std::vector<std::uint8_t>{7, 7}));
    const NavMesh mesh = made(file);
    EXPECT_EQ(mesh.state().component(mesh.state().polygon(0)),
              mesh.state().component(mesh.state().polygon(1)));
}

// A sliver between two polygons that rounding has turned over: its corner goes to the neighbour, and they stay joined.
TEST(MeshRepair, FlatPolygonsAreHandedOver) {
    for (const double dip : {0.0, 1e-12, -1e-12}) {
        // Below: 0 1 2 3 with the side 3 2 on top; above two squares that meet at 4, in the middle of that side.
        MeshFile file{
            {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {0, 1, 0}, {2, 1 + dip, 0}, {4, 3, 0}, {2, 3, 0}, {0, 3, 0}},
            {4, 3, 4, 4},
            {0, 1, 2, 3, 3, 2, 4, 3, 4, 6, 7, 4, 2, 5, 6},
            {}};
        const MeshRepairs repairs = mended(file);
        EXPECT_EQ(repairs.dropped.empty(), dip > 0) << dip;
        const NavMesh mesh = made(file);
        Scratch scratch;
        for (const double x : {1.0, 3.0}) {
            const Result<Route> route =
                find_route(mesh, MeshQuery{.start = {x, 0.5, 0}, .goal = Vec3{x, 2, 0}}, scratch);
            ASSERT_TRUE(route.has_value());
            EXPECT_NEAR(route->length, 1.5, 1e-9) << dip;
        }
    }
}

TEST(MeshRepair, SidesTwice) {
    MeshFile file{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {3, 3}, {0, 1, 2, 0, 1, 3}, {1, 2}};
    EXPECT_EQ(mended(file).dropped, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(file.areas, (std::vector<std::uint8_t>{1}));
}

// A dart, which can be cut in one way only, and a triangle over it that has the cut as a side: the first of them stays.
TEST(MeshRepair, ADiagonalOnASide) {
    const std::vector<Vec3> vertices{{0, 4, 0}, {-3, -3, 0}, {0, -1, 0}, {3, -3, 0}, {-5, 2, 0}};
    MeshFile dart_first{vertices, {4, 3}, {0, 1, 2, 3, 2, 0, 4}, {1, 2}};
    const MeshRepairs first = mended(dart_first);
    EXPECT_EQ(first.dropped, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(first.cut, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(first.from, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(dart_first.areas, (std::vector<std::uint8_t>{1, 1}));
    MeshFile dart_last{vertices, {3, 4}, {2, 0, 4, 0, 1, 2, 3}, {2, 1}};
    const MeshRepairs last = mended(dart_last);
    EXPECT_EQ(last.dropped, (std::vector<std::uint32_t>{1}));
    EXPECT_TRUE(last.cut.empty());
    EXPECT_EQ(dart_last.areas, (std::vector<std::uint8_t>{2}));
}

TEST(MeshRepair, RefusesWhatIsNoMesh) {
    MeshRepairs repairs;
    MeshFile none{{{0, 0, 0}}, {3}, {0, 1, 2}, {}};
    EXPECT_EQ(repair_mesh(none, repairs).error(), (Error{ErrorCode::unknown_id, 0, 1}));
    MeshFile sizes{{{0, 0, 0}}, {3}, {0}, {}};
    EXPECT_EQ(repair_mesh(sizes, repairs).error().code, ErrorCode::size_mismatch);
    MeshFile nan{{{0, NAN, 0}}, {}, {}, {}};
    EXPECT_EQ(repair_mesh(nan, repairs).error(), (Error{ErrorCode::not_finite, 0, 0}));
}

TEST(MeshFile, PublishedMeshesReadBack) {
    for (const char* name : {"nav_test_solo", "proto-level_tiled"}) {
        FAIRLEAD_REQUIRE_DATA(path, std::string("meshes/reference/") + name + ".mesh");
        const Result<std::string> text = load_file(path);
        ASSERT_TRUE(text.has_value());
        EXPECT_EQ(sniff_kind(*text), FileKind::polyanya_mesh);
        Result<MeshFile> file = load_polyanya_mesh(*text);
        ASSERT_TRUE(file.has_value()) << error_line(path, file.error(), *text);
        EXPECT_EQ(*load_polyanya_mesh(save_polyanya_mesh(*file)), *file);
        EXPECT_TRUE(mended(*file).none());
    }
}

}  // namespace
}  // namespace fairlead::formats
