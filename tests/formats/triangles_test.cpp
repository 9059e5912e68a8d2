#include <fairlead/formats/triangles.h>

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

std::string seed(const std::string& name) {
    std::ifstream file(testing::source_path("tests/fuzz/corpus/" + name), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

TEST(Obj, Loads) {
    const Result<TriangleFile> soup = load_obj(seed("obj/seed.obj"), {.area_names = {"water", "road"}});
    ASSERT_TRUE(soup.has_value());
    ASSERT_EQ(soup->vertices.size(), 5U);
    EXPECT_EQ(soup->vertices[2], (Vec3{4, -4, 0.5}));
    EXPECT_EQ(soup->triangles, (std::vector<std::uint32_t>{3, 2, 1, 3, 1, 0, 4, 3, 2, 0, 1, 2}));
    EXPECT_EQ(soup->areas, (std::vector<std::uint8_t>{2, 2, 1, 1}));  // group before material
    const Result<TriangleFile> as_it_is = load_obj(seed("obj/seed.obj"), {.up = UpAxis::z});
    ASSERT_TRUE(as_it_is.has_value());
    EXPECT_EQ(as_it_is->vertices[2], (Vec3{4, 0.5, 4}));
    EXPECT_EQ(as_it_is->areas, (std::vector<std::uint8_t>{0, 0, 0, 0}));
}

TEST(Obj, DegenerateTrianglesAreCounted) {
    const Result<TriangleFile> soup = load_obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 2 3\n");
    ASSERT_TRUE(soup.has_value());
    EXPECT_EQ(soup->degenerate, 1U);
    EXPECT_EQ(soup->triangles, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(Obj, PublishedLevels) {
    FAIRLEAD_REQUIRE_DATA(path, "meshes/recast/undulating.obj");
    const Result<std::string> text = load_file(path);
    ASSERT_TRUE(text.has_value());
    EXPECT_EQ(sniff_kind(*text), FileKind::obj);
    const Result<TriangleFile> soup = load_obj(*text);
    ASSERT_TRUE(soup.has_value()) << error_line(path, soup.error(), *text);
    EXPECT_GT(soup->triangles.size(), 1000U);
    // Floors face up once z is up.
    double area = 0;
    for (std::size_t t = 0; t < soup->triangles.size(); t += 3) {
        const Vec2 a = ground(soup->vertices[soup->triangles[t]]),
                   b = ground(soup->vertices[soup->triangles[t + 1]]),
                   c = ground(soup->vertices[soup->triangles[t + 2]]);
        area += cross(b - a, c - a) / 2;
    }
    EXPECT_GT(area, 0.0);
    EXPECT_EQ(*load_obj(save_obj(*soup)), *soup);
}

TEST(Gltf, Loads) {
    const Result<TriangleFile> soup = load_gltf(seed("gltf/seed.glb"), {.area_names = {"water"}});
    ASSERT_TRUE(soup.has_value());
    EXPECT_EQ(*soup, *load_gltf(seed("gltf/seed.gltf"), {.area_names = {"water"}}));
    // Node 0, mirrored: moved by (1, 2, 3), scaled by (2, 1, -1).
    ASSERT_EQ(soup->vertices.size(), 16U);
    EXPECT_EQ(soup->vertices[0], (Vec3{1, -3, 2}));
    EXPECT_EQ(soup->vertices[2], (Vec3{9, -7, 2}));
    EXPECT_EQ(soup->vertices[3], (Vec3{1, -7, 2.5}));
    const std::vector<std::uint32_t> first(soup->triangles.begin(), soup->triangles.begin() + 6);
    EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 2, 1, 0, 3, 2}));
    // Its child, turned by a quarter round the upright: a fan, then a strip over vertices of their own.
    EXPECT_NEAR(soup->vertices[5].x, 1, 1e-12);
    EXPECT_NEAR(soup->vertices[5].y, -7, 1e-12);
    const std::vector<std::uint32_t> fans(soup->triangles.begin() + 6, soup->triangles.begin() + 18);
    EXPECT_EQ(fans, (std::vector<std::uint32_t>{4, 6, 5, 4, 7, 6, 8, 10, 9, 10, 11, 9}));
    // Node 1, moved by a matrix.
    EXPECT_EQ(soup->vertices[12], (Vec3{5, -7, 6}));
    EXPECT_EQ(soup->areas, (std::vector<std::uint8_t>{1, 1, 0, 0, 0, 0, 1, 1}));
}

TEST(Gltf, FilesBeside) {
    const std::string text = R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"room.bin"}]})";
    EXPECT_EQ(load_gltf(text).error().code, ErrorCode::text_reference);
    TriangleFileOptions options;
    std::string asked;
    options.user = &asked;
    options.load_beside = [](std::string_view uri, void* user) -> Result<std::string> {
        *static_cast<std::string*>(user) = uri;
        return std::string(36, '\0');
    };
    const Result<TriangleFile> soup = load_gltf(text, options);
    ASSERT_TRUE(soup.has_value());
    EXPECT_EQ(asked, "room.bin");
    EXPECT_EQ(soup->vertices.size(), 3U);
    EXPECT_EQ(sniff_kind(text), FileKind::gltf);
}

TEST(Soup, CapsHold) {
    EXPECT_EQ(load_obj(seed("obj/seed.obj"), {}, {.memory_bytes = 100}).error().code, ErrorCode::size_limit);
    EXPECT_EQ(load_gltf(seed("gltf/seed.glb"), {}, {.memory_bytes = 1000}).error().code,
              ErrorCode::size_limit);
}

}  // namespace
}  // namespace fairlead::formats
