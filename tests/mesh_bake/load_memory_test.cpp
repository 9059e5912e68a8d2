// How much memory a load takes, at most and in the end, of files of every shape: FORMAT.md states the bounds.
#include <fairlead/mesh/save_mesh.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/base/digest.h>
#include <fairlead/mesh/mesh_table.h>

#include "support/environment.h"
#include "support/saved_meshes.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

// save_mesh.h. With gates there are two meshes.
constexpr double kMostTimes = 12.0;
constexpr double kMostTimesGates = 64.0;
constexpr double kKeptTimes = 6.0;
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
    const std::int32_t side = all_trials() ? 100 : 35;
    const std::uint32_t count = all_trials() ? 30000 : 5000;
    for (const double radius_max : {0.0, 1.5}) {
        const bool gates = radius_max > 0.0;
        const std::string with = gates ? " with gates" : "";
        const auto add = [&](const char* name, const NavMesh& mesh) {
            out.push_back({name + with, gates, saved_bytes(mesh)});
        };
        for (const std::uint32_t landmarks : {0U, 4U, 16U}) {
            const std::string name = "quads, landmarks " + std::to_string(landmarks);
            add(name.c_str(), plain_floor(side, 0).make(landmarks, {}, radius_max));
        }
        add("triangles", plain_floor(side, 100).make(0, {}, radius_max));
        add("in tiles", plain_floor(side, 60).make_tiled(16.0, 0, {}, radius_max));
        add("in small tiles", plain_floor(side, 60).make_tiled(4.0, 0, {}, radius_max));
        if (gates) continue;
        add("hub", slivers_of_a_hub(count).make(0));
        add("slivers", slivers_over_each_other(count * 2 / 3).make(0));
        add("strip", strip(count).make(0));
    }
    out.push_back({"empty tiles", false, empty_tiles(100)});
    out.push_back({"ground", false, saved_bytes(small_baked(0))});
    out.push_back({"ground in tiles", true, saved_bytes(small_baked(24))});
    return out;
}

// ---- gates that somebody made up -----------------------------------------------------------------------------

/// A corridor with teeth on one side: every corner has every wall within reach.
PlainMesh comb(std::uint32_t teeth) {
    PlainMesh plain;
    for (std::uint32_t i = 0; i <= 2 * teeth; ++i) {
        plain.vertices.push_back({i * 1.0, 0, 0});
        plain.vertices.push_back({i * 1.0, 1, 0});
    }
    for (std::uint32_t i = 0; i < 2 * teeth; ++i) {
        const std::uint32_t low = 2 * i;
        plain.polygons.push_back({low, low + 2, low + 3, low + 1});
        if (i % 2 != 0) continue;
        const auto top = static_cast<std::uint32_t>(plain.vertices.size());
        plain.vertices.push_back({i * 1.0, 5, 0});
        plain.vertices.push_back({i + 1.0, 5, 0});
        plain.polygons.push_back({low + 1, low + 3, top + 1, top});
    }
    return plain;
}

/// A room of thin slices of two areas with teeth on both sides: each gate from side to side crosses every slice.
PlainMesh slices(std::uint32_t count) {
    PlainMesh plain;
    const auto add = [&](double x, double y) {
        plain.vertices.push_back({x, y, 0});
        return static_cast<std::uint32_t>(plain.vertices.size() - 1);
    };
    const double height = 1.0;
    std::vector<std::uint32_t> below, above, left, right;
    for (std::uint32_t i = 0; i <= 2 * count; ++i) {
        below.push_back(add(i, 0));
        above.push_back(add(i, height));
    }
    for (std::uint32_t i = 0; i <= count; ++i) {
        const bool end = i == 0 || i == count;
        left.push_back(end ? (i == 0 ? below : above).front() : add(0, height * i / count));
        right.push_back(end ? (i == 0 ? below : above).back() : add(2.0 * count, height * i / count));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        std::vector<std::uint32_t> ring{left[i], right[i]};
        if (i == 0) ring = below;
        std::vector<std::uint32_t> back{right[i + 1], left[i + 1]};
        if (i + 1 == count) back.assign(above.rbegin(), above.rend());
        ring.insert(ring.end(), back.begin(), back.end());
        plain.polygons.push_back(ring);
        plain.areas.push_back(static_cast<std::uint8_t>(i % 2));
    }
    for (std::uint32_t i = 0; i < 2 * count; i += 2) {
        const std::uint32_t high_a = add(i, height + 5), high_b = add(i + 1.0, height + 5);
        plain.polygons.push_back({above[i], above[i + 1], high_b, high_a});
        const std::uint32_t low_a = add(i, -5), low_b = add(i + 1.0, -5);
        plain.polygons.push_back({low_a, low_b, below[i + 1], below[i]});
        plain.areas.insert(plain.areas.end(), {0, 0});
    }
    return plain;
}

/// The file of a mesh without gates, with another radius_max written into it.
std::vector<std::uint8_t> with_gates(PlainMesh plain, double radius_max) {
    std::vector<std::uint8_t> bytes = saved_bytes(plain.make(0));
    const Result<BakedFile> file = BakedFile::open(bytes, {});
    EXPECT_TRUE(file);

    std::size_t place = 0;
    for (std::uint32_t i = 0; i < file->sections(); ++i) {
        if (file->section_at(i).id == four_letters("OPTS")) place = file->section_at(i).offset + 56;
    }
    std::uint64_t word = 0;
    std::memcpy(&word, &radius_max, sizeof word);
    for (std::size_t i = 0; i < 8; ++i) bytes[place + i] = static_cast<std::uint8_t>(word >> (8 * i));
    // The hash of the options: the bytes before, as FORMAT.md says.
    Digest digest;
    ByteReader in(std::span<const std::uint8_t>(bytes).subspan(place - 56, 72));
    for (int i = 0; i < 8; ++i) digest.add(in.get<double>());
    digest.add(in.get<std::int32_t>());
    digest.add(in.get<std::uint32_t>());
    const std::uint64_t hash = digest.value();
    for (std::size_t i = 0; i < 8; ++i) bytes[32 + i] = static_cast<std::uint8_t>(hash >> (8 * i));
    EXPECT_TRUE(baked_reseal(bytes));
    return bytes;
}

TEST(LoadMesh, WorkForGatesIsBounded) {
    const std::vector<std::uint8_t> teeth = with_gates(comb(200), 1e9);
    ASSERT_TRUE(load_mesh(with_gates(comb(20), 1e9)));
    const Result<NavMesh> stopped = load_mesh(teeth, {.gate_work_max = 1 << 20});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error(), (Error{ErrorCode::size_limit, -1, 1 << 20}));
    EXPECT_TRUE(load_mesh(teeth));
    // What levels need is far less.
    for (const std::uint32_t tile_cells : {24U, 48U}) {
        const std::vector<std::uint8_t> level = saved_bytes(small_baked(tile_cells));
        EXPECT_TRUE(load_mesh(level, {.gate_work_max = 1 << 22}));
    }
}

// As many gates as slices, and each crosses all: refused before there is memory for all crossings.
TEST(LoadMesh, CrossingsOfGatesAreBounded) {
    for (const std::uint32_t count : {100U, 200U, 300U}) {
        if (count > 100 && !all_trials()) break;
        const std::vector<std::uint8_t> bytes = with_gates(slices(count), 1e9);
        TestAllocator memory;
        const Result<NavMesh> made = load_mesh(bytes, {.allocator = memory.allocator()});
        ASSERT_FALSE(made) << count;
        EXPECT_EQ(made.error().code, ErrorCode::size_limit);
        std::printf("%u slices: %zu bytes, at most %5.2f x\n", count, bytes.size(),
                    static_cast<double>(memory.peak_bytes) / static_cast<double>(bytes.size()));
        EXPECT_LT(static_cast<double>(memory.peak_bytes),
                  kMostTimesGates * static_cast<double>(bytes.size()) + kSlack);
        EXPECT_EQ(memory.live_blocks, 0);
    }
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

TEST(LoadMesh, MemoryOfTilesAndTables) {
    const NavMesh tiled = plain_floor(60, 60).make_tiled(64.0, 0);
    Array<std::uint8_t> bytes;
    ASSERT_TRUE(save_tile(tiled, 1, 1, bytes));
    TestAllocator memory;
    {
        ASSERT_TRUE(MeshTileFile::load(bytes.span(), {.allocator = memory.allocator()}));
        EXPECT_LT(static_cast<double>(memory.peak_bytes),
                  kMostTimes * static_cast<double>(bytes.size()) + kSlack);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    // Rooms with corners, and a floor without any: its table is small, and the mesh is not.
    for (const std::uint32_t blocked : {30U, 0U}) {
        Rng rng(5);
        PlainMesh plain =
            random_mesh(rng, {.width = 90, .height = 90, .blocked_percent = blocked, .join_percent = 0});
        const NavMesh mesh = plain.make(0);
        const Result<MeshTable> table = MeshTable::make(mesh.acquire(), {});
        ASSERT_TRUE(table);
        Array<std::uint8_t> file;
        ASSERT_TRUE(table->save(file));
        TestAllocator other;
        {
            ASSERT_TRUE(MeshTable::load(file.span(), mesh.acquire(), other.allocator()));
            const double sides = static_cast<double>(plain.corners.size());
            std::printf("table of %.0f sides: %zu bytes, at most %lld\n", sides, file.size(),
                        static_cast<long long>(other.peak_bytes));
            EXPECT_LT(static_cast<double>(other.peak_bytes),
                      2.0 * static_cast<double>(file.size()) + 24.0 * sides + kSlack / 16);
        }
        EXPECT_EQ(other.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::testing
