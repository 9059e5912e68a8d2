// How much memory a load takes, at most and in the end, of files of every shape: FORMAT.md states the bounds.
#include <fairlead/mesh/save_mesh.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/saved_meshes.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

// save_mesh.h. With gates there are two meshes.
constexpr double kMostTimes = 16.0;
constexpr double kMostTimesGates = 32.0;
constexpr double kKeptTimes = 10.0;
constexpr double kSlack = 1 << 20;

/// Quads and triangles, as bakes make them.
PlainMesh plain_floor(std::int32_t side, std::uint32_t split_percent) {
    Rng rng(3);
    return random_mesh(rng, {.width = side,
                             .height = side,
                             .blocked_percent = 10,
                             .split_percent = split_percent,
                             .join_percent = 0});
}

/// All round one vertex: half a vertex a triangle, and boxes that lie over each other.
PlainMesh slivers_of_a_hub(std::uint32_t count) {
    constexpr double kFar = 1e6;
    PlainMesh plain;
    plain.vertices.push_back({0, 0, 0});
    for (std::uint32_t i = 0; i <= count; ++i) {
        const double x = kFar - 2.0 * kFar * i / count;
        plain.vertices.push_back({x, kFar - x * x / (4.0 * kFar), 0});
    }
    for (std::uint32_t i = 0; i < count; ++i) plain.polygons.push_back({0, i + 1, i + 2});
    return plain;
}

/// From corner to corner, each over all others, with two vertices for all of them.
PlainMesh slivers_over_each_other(std::uint32_t count) {
    PlainMesh plain;
    for (std::uint32_t i = 0; i < count; ++i) {
        const double z = i % 1000;
        plain.vertices.insert(plain.vertices.end(), {{0, 0, z}, {1000, 999, z}, {1000, 1000, z}});
        plain.polygons.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return plain;
}

/// A strip of triangles that winds up and down the square: a part of depth `count`, of two vertices a row.
PlainMesh strip(std::uint32_t count) {
    PlainMesh plain;
    for (std::uint32_t i = 0; i < count + 2; ++i) plain.vertices.push_back({i * 0.5, i % 2 * 1.0, 0});
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % 2 == 0) {
            plain.polygons.push_back({i, i + 2, i + 1});
        } else {
            plain.polygons.push_back({i, i + 1, i + 2});
        }
    }
    return plain;
}

std::vector<std::uint8_t> empty_tiles(std::int32_t side) {
    std::vector<NavMeshTile> tiles;
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) tiles.push_back({.x = x, .y = y});
    }
    const Result<NavMesh> mesh = NavMesh::make({.tile_size = 1.0, .tiles = tiles});
    EXPECT_TRUE(mesh);
    return saved_bytes(*mesh);
}

struct Case {
    std::string name;
    bool gates = false;
    std::vector<std::uint8_t> bytes;
};

std::vector<Case> cases() {
    std::vector<Case> out;
    for (const double radius_max : {0.0, 1.5}) {
        const bool gates = radius_max > 0.0;
        const std::string with = gates ? " with gates" : "";
        const auto add = [&](const char* name, const NavMesh& mesh) {
            out.push_back({name + with, gates, saved_bytes(mesh)});
        };
        for (const std::uint32_t landmarks : {0U, 4U, 16U}) {
            const std::string name = "quads, landmarks " + std::to_string(landmarks);
            add(name.c_str(), plain_floor(100, 0).make(landmarks, {}, radius_max));
        }
        add("triangles", plain_floor(100, 100).make(0, {}, radius_max));
        add("in tiles", plain_floor(100, 60).make_tiled(16.0, 0, {}, radius_max));
        add("in small tiles", plain_floor(100, 60).make_tiled(4.0, 0, {}, radius_max));
        if (gates) continue;
        add("hub", slivers_of_a_hub(30000).make(0));
        add("slivers", slivers_over_each_other(20000).make(0));
        add("strip", strip(30000).make(0));
    }
    out.push_back({"empty tiles", false, empty_tiles(100)});
    out.push_back({"ground", false, saved_bytes(small_baked(0))});
    out.push_back({"ground in tiles", true, saved_bytes(small_baked(24))});
    return out;
}

TEST(LoadMesh, MemoryIsBoundedByTheFile) {
    for (const Case& file : cases()) {
        SCOPED_TRACE(file.name);
        const auto size = static_cast<double>(file.bytes.size());
        TestAllocator memory;
        {
            const Result<NavMesh> mesh = load_mesh(file.bytes, {.allocator = memory.allocator()});
            ASSERT_TRUE(mesh);
            const auto peak = static_cast<double>(memory.peak_bytes);
            const auto kept = static_cast<double>(memory.live_bytes);
            std::printf("%-32s %8.0f bytes, at most %5.2f x, kept %5.2f x, state %5.2f x\n",
                        file.name.c_str(), size, peak / size, kept / size,
                        static_cast<double>(mesh->state().memory().total()) / size);
            EXPECT_LT(peak, (file.gates ? kMostTimesGates : kMostTimes) * size + kSlack);
            EXPECT_LT(kept, (file.gates ? 2.0 : 1.0) * kKeptTimes * size + kSlack);
        }
        EXPECT_EQ(memory.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
