// Level meshes and tiles as files: the same bytes again, the same answers, every error, damage, memory.
#include <fairlead/mesh/save_mesh.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>

#include "fuzz/baked_mesh_drive.h"
#include "support/environment.h"
#include "support/forged_mesh.h"
#include "support/saved_meshes.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

TEST(SaveMesh, SavedLoadedAndSavedAgainGivesTheSameBytesAndAnswers) {
    Rng rng(41);
    for (int i = 0; i < trials(300); ++i) {
        const NavMesh mesh = random_saved_mesh(rng);
        const Bytes bytes = saved_bytes(mesh);
        const Result<NavMesh> again = load_mesh(bytes);
        ASSERT_TRUE(again.has_value()) << i << " " << error_name(again.error().code) << " "
                                       << again.error().index << " " << again.error().detail;
        EXPECT_EQ(saved_bytes(*again), bytes) << i;
        EXPECT_EQ(frame_of(*again), frame_of(mesh));
        ASSERT_EQ(again->state().polygons(), mesh.state().polygons());
        // Measured here, they are those of the file.
        const Result<NavMesh> measured = load_mesh(bytes, {.measure_landmarks = true});
        ASSERT_TRUE(measured.has_value());
        EXPECT_EQ(saved_bytes(*measured), bytes) << i;
        EXPECT_EQ(answers(*again, 10), answers(*measured, 10));
    }
}

TEST(SaveMesh, ABakedLevelKeepsItsGroundAndItsAnswers) {
    for (const std::uint32_t tile_cells : {0U, 24U}) {
        const NavMesh mesh = small_baked(tile_cells);
        ASSERT_TRUE(mesh.state().has_heights());
        const Bytes bytes = saved_bytes(mesh);
        const Result<NavMesh> again = load_mesh(bytes);
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(saved_bytes(*again), bytes);
        EXPECT_EQ(answers(*again, 100), answers(mesh, 100));
        EXPECT_EQ(again->state().memory().heights, mesh.state().memory().heights);
        EXPECT_GT(mesh.state().memory().heights, 0U);
        Rng rng(6);
        for (int i = 0; i < 500; ++i) {
            const Vec3 at = place_in(rng, mesh.state().bounds());
            EXPECT_EQ(again->state().nearest(at), mesh.state().nearest(at));
        }
    }
}

MeshEdit random_edit(Rng& rng, int id) {
    const double x = rng.between(1.0, 14.0), y = rng.between(1.0, 14.0);
    return MeshEdit::add(id, MeshObstacle::box({x, y}, {1.0, 0.5}, 0.4, -5.0, 9.0));
}

TEST(SaveMesh, ObstaclesAreNotSaved) {
    for (const std::uint32_t tile_cells : {0U, 24U}) {
        NavMesh mesh = small_baked(tile_cells);
        const Bytes bytes = saved_bytes(mesh);
        Rng rng(8);
        for (int i = 0; i < 10; ++i) {
            const MeshEdit edit = random_edit(rng, i);
            ASSERT_TRUE(mesh.apply({&edit, 1}).has_value());
            EXPECT_EQ(saved_bytes(mesh), bytes);
        }
        ASSERT_TRUE(mesh.measure_landmarks(4).has_value());
        EXPECT_EQ(saved_bytes(mesh), bytes);
    }
}

// A snapshot is saved as it was when it was taken.
TEST(SaveMesh, Snapshots) {
    NavMesh mesh = small_baked(24);
    const Bytes bytes = saved_bytes(mesh);
    NavMeshSnapshot frozen = mesh.acquire();
    ASSERT_TRUE(mesh.remove_tile(1, 1).has_value());
    EXPECT_NE(saved_bytes(mesh), bytes);
    EXPECT_EQ(saved_bytes(*frozen), bytes);
    frozen.release();
}

Bytes tile_bytes(const NavMeshState& mesh, std::int32_t x, std::int32_t y) {
    Array<std::uint8_t> out;
    EXPECT_TRUE(save_tile(mesh, x, y, out).has_value());
    return {out.begin(), out.end()};
}

TEST(SaveTile, ATileTakenOutComesBackFromAFile) {
    NavMesh mesh = small_baked(24);
    const Bytes bytes = saved_bytes(mesh), part = tile_bytes(mesh, 1, 1);
    Array<std::uint8_t> out;
    EXPECT_EQ(save_tile(mesh, 7, 7, out).error().code, ErrorCode::unknown_id);
    ASSERT_TRUE(mesh.remove_tile(1, 1).has_value());
    Result<MeshTileFile> tile = MeshTileFile::load(part);
    ASSERT_TRUE(tile.has_value());
    const MeshTileFile moved = std::move(*tile);
    EXPECT_EQ(moved.frame(), frame_of(mesh));
    ASSERT_TRUE(mesh.set_tile(moved.tile()).has_value());
    ASSERT_TRUE(mesh.measure_landmarks(4).has_value());
    EXPECT_EQ(saved_bytes(mesh), bytes);
    // Without a mesh: the same bytes.
    ASSERT_TRUE(save_tile(moved.tile(), moved.frame(), out).has_value());
    EXPECT_EQ(Bytes(out.begin(), out.end()), part);
}

TEST(SaveTile, OfABakeCarriesItsKey) {
    const Level level = small_level();
    const bake::BakeOptions options = small_bake(24);
    NavMesh mesh = small_baked(24);
    const Result<bake::BakedMesh> baked = bake::bake_tile(level.soup(), options, 1, 1);
    const Result<std::uint64_t> key = bake::tile_key(level.soup(), options, 1, 1);
    ASSERT_TRUE(baked && key);
    const Result<bake::TileForm> form = bake::tile_of(*baked, 0, {}, *key);
    ASSERT_TRUE(form.has_value());
    Array<std::uint8_t> out;
    ASSERT_TRUE(save_tile(form->tile, frame_of(mesh), out).has_value());
    const Result<MeshTileFile> tile = MeshTileFile::load(out.span());
    ASSERT_TRUE(tile.has_value());
    EXPECT_EQ(tile->tile().key, *key);
    ASSERT_TRUE(mesh.set_tile(tile->tile()).has_value());
    std::uint32_t with_key = 0;
    for (std::uint32_t i = 0; i < mesh.state().tiles(); ++i)
        with_key += mesh.state().tile_key(i) == *key ? 1U : 0U;
    EXPECT_EQ(with_key, 1U);
    const MeshEdit edit = MeshEdit::add(1, MeshObstacle::pillar({8, 8}, 1.0, -9.0, 9.0));
    ASSERT_TRUE(mesh.apply({&edit, 1}).has_value());
    EXPECT_EQ(tile_bytes(mesh, 1, 1), Bytes(out.begin(), out.end()));
}

// ---- errors -------------------------------------------------------------------------------------------------

TEST(LoadMesh, ErrorsOfTheContainer) {
    const Bytes good = saved_bytes(small_baked(24));
    EXPECT_EQ(error_of({good.begin(), good.begin() + 40}).code, ErrorCode::baked_length);
    EXPECT_EQ(error_of({good.begin(), good.end() - 8}).code, ErrorCode::baked_size);
    Bytes bad = good;
    bad[0] = 'G';
    EXPECT_EQ(error_of(bad).code, ErrorCode::baked_magic);
    bad = good;
    bad[8] = 9;
    EXPECT_EQ(error_of(bad).code, ErrorCode::baked_version);
    for (const std::size_t version : {16U, 18U}) {
        Forged other{good};
        other.bytes[version] = 3;
        other.seal();
        EXPECT_EQ(error_of(other.bytes).code, ErrorCode::baked_version);
    }
    const Result<NavMesh> capped = load_mesh(good, {.bytes_max = good.size() - 1});
    EXPECT_EQ(capped.error().code, ErrorCode::size_limit);
    bad = good;
    bad[bad.size() - 9] ^= 1;
    EXPECT_EQ(error_of(bad).code, ErrorCode::baked_checksum);
    const Bytes tile = tile_bytes(small_baked(24), 1, 1);
    EXPECT_EQ(error_of(tile).code, ErrorCode::baked_kind);
    EXPECT_EQ(MeshTileFile::load(good).error().code, ErrorCode::baked_kind);
}

// Sections whose ids are changed: one is missing, or one that nobody knows.
TEST(LoadMesh, ErrorsOfSections) {
    const Bytes good = saved_bytes(small_baked(24));
    const Result<BakedFile> file = BakedFile::open(good, {});
    ASSERT_EQ(file->sections(), 10U);
    for (std::uint32_t i = 0; i < 10; ++i) {
        Forged other{good};
        other.bytes[64 + 32 * i] = 'x';
        other.seal();
        const Error error = error_of(other.bytes);
        EXPECT_EQ(error.code, ErrorCode::baked_section);
        EXPECT_EQ(error.index, i);
    }
    for (std::uint32_t i = 1; i < 10; ++i) {  // records of another size
        Forged other{good};
        other.bytes[64 + 32 * i + 4] = 1;
        other.seal();
        EXPECT_EQ(error_of(other.bytes).code, ErrorCode::baked_section) << i;
    }
}

TEST(LoadMesh, EveryKindOfRecordIsChecked) {
    const Forged good{saved_bytes(small_baked(24))};
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const std::int32_t far = 0x7f000000;
    // The frame: the hash of the options tells of any other number; not finite ones are told before.
    for (std::size_t at = 0; at < 64; at += 8) {
        expect_bad(good, "OPTS", at, kNan, "OPTS", 0);
        expect_bad(good, "OPTS", at, 2e9, "OPTS", 0);
        expect_bad(good, "OPTS", at, 0.015, "OPTS", 0);
    }
    expect_bad(good, "OPTS", 64, std::int32_t{5}, "OPTS", 0);
    expect_bad(good, "OPTS", 68, std::uint32_t{17}, "OPTS", 0);
    // Tiles: place, counts, what is spare, the ground's cells.
    expect_bad(good, "TILE", 0, far, "TILE", 1);  // by y, then x
    for (std::size_t at = 8; at < 36; at += 4) {
        expect_bad(good, "TILE", at, 0xffffffffU, "TILE", 0);
        expect_bad(good, "TILE", 72 + at, 0x7fffffffU, "TILE", 1);
    }
    expect_bad(good, "TILE", 44, 1U, "TILE", 0);
    for (const double value : {kNan, -1.0, 0.0, kInf, 2e9}) {
        expect_bad(good, "TILE", 48, value, "TILE", 0);
        expect_bad(good, "TILE", 56, value, "TILE", 0);
    }
    // A key is anything, but the hash of all keys is in the header.
    std::int64_t index = 0;
    const std::uint64_t tiles = good.section("TILE", index).count;
    Forged keys = good;
    for (std::uint64_t i = 0; i < tiles; ++i) keys.put("TILE", i * 72 + 64, std::uint64_t{7} + i);
    EXPECT_EQ(error_of(keys.bytes).code, ErrorCode::baked_value);
    // Vertices: numbers, and where they lie.
    expect_bad(good, "VERT", 0, kNan, "VERT", 0);
    expect_bad(good, "VERT", 28, kInf, "VERT", 1);
    expect_bad(good, "VERT", 16, 0x7fc00000U, "VERT", 0);
    expect_bad(good, "VERT", 0, 1e6, "TILE", 0);  // outside its tile
    // Polygons: size, layer, area.
    expect_bad(good, "POLY", 0, 2U, "TILE", 0);
    expect_bad(good, "POLY", 0, 0xffffffffU, "TILE", 0);
    expect_bad(good, "POLY", 4, 99U, "TILE", 0);
    expect_bad(good, "POLY", 8, 64U, "POLY", 0);
    // Corners: no such vertex, or not in order.
    expect_bad(good, "CORN", 0, 0xffffffffU, "TILE", 0);
    expect_bad(good, "CORN", 0, 1U, "TILE", 0);
    // Heights that point beyond the arrays.
    expect_bad(good, "HLAY", 4, 0x10000000U, "TILE", 0);
    expect_bad(good, "HROW", 4, 0x10000000U, "TILE", 0);
    expect_bad(good, "HBLK", 10, std::uint8_t{33}, "TILE", 0);
    expect_bad(good, "HBLK", 11, std::uint8_t{9}, "TILE", 0);
    // Landmarks: finite, not below 0, no longer than a way can be, steady along sides.
    for (const std::uint32_t value : {0x7f800000U, 0x7fc00000U, 0xbf800000U, 0x7e000000U})
        expect_bad(good, "LAND", 4, value, "LAND", 1);
    Forged steep = good;
    steep.put("LAND", 0, 0x42c80000U);  // 100
    EXPECT_EQ(error_of(steep.bytes).code, ErrorCode::baked_value);
}

// Geometry that NavMesh::make refuses is refused here.
TEST(LoadMesh, PolygonsMustBeConvex) {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    plain.polygons = {{0, 1, 2, 3}};
    const Forged good{saved_bytes(plain.make(0))};
    ASSERT_EQ(error_of(good.bytes).code, ErrorCode::count_);
    Forged dented = good;
    dented.put("VERT", 40, 1.0);
    dented.put("VERT", 48, 1.0);
    EXPECT_EQ(error_of(dented.bytes).code, ErrorCode::baked_value);
}

// ---- damage, memory, old files -------------------------------------------------------------------------------

TEST(LoadMeshSlow, WhatIsAcceptedCanBeAsked) {
    const Bytes seeds[] = {saved_bytes(small_baked(24)), saved_bytes(small_baked(0)),
                           tile_bytes(small_baked(24), 1, 1), saved_bytes(small_linked(24))};
    MeshDriveWork work;
    Rng rng(12);
    int fates[4] = {};
    for (int i = 0; i < trials(10000); ++i) {
        const Bytes& good = seeds[i % 4];
        const Result<BakedFile> file = BakedFile::open(good, {});
        Bytes bytes = good;
        for (int k = rng.between(1, 3); k > 0 && bytes.size() == good.size(); --k)
            damage_baked(rng, *file, bytes);
        const MeshFate fate = baked_mesh(bytes, work, 4);
        ++fates[static_cast<int>(fate)];
        if (fate == MeshFate::accepted) {
            EXPECT_EQ(bytes, good) << i;  // as it was, by chance
        }
    }
    EXPECT_GT(fates[static_cast<int>(MeshFate::refused)], trials(10000) / 50);
    EXPECT_GT(fates[static_cast<int>(MeshFate::refused_resealed)], trials(10000) / 20);
    EXPECT_GT(fates[static_cast<int>(MeshFate::accepted_resealed)], trials(10000) / 20);
}

TEST(LoadMesh, CorpusReplays) {
    MeshDriveWork work;
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(source_path("tests/fuzz/corpus/baked_mesh"))) {
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        const MeshFate fate = baked_mesh(Bytes(text.begin(), text.end()), work);
        const bool seed = entry.path().filename().string().rfind("seed", 0) == 0;
        EXPECT_TRUE(!seed || fate == MeshFate::accepted) << entry.path();
        ++files;
    }
    EXPECT_GE(files, 4);
}

TEST(LoadMesh, OutOfMemory) {
    const Bytes bytes = saved_bytes(small_baked(24));
    int failed = 0;
    for (std::int64_t call = 0;; call += call < 40 ? 1 : 17) {
        TestAllocator memory;
        memory.fail_from_call = call;
        {
            const Result<NavMesh> mesh = load_mesh(bytes, {.allocator = memory.allocator()});
            if (mesh) break;
            ASSERT_EQ(mesh.error().code, ErrorCode::out_of_memory);
        }
        EXPECT_EQ(memory.live_blocks, 0);
        ++failed;
    }
    EXPECT_GT(failed, 30);
}

TEST(SaveMesh, OutOfMemory) {
    TestAllocator memory;
    const Bytes bytes = saved_bytes(small_baked(24));
    const Result<NavMesh> mesh = load_mesh(bytes, {.allocator = memory.allocator()});
    ASSERT_TRUE(mesh.has_value());
    memory.fail_from_call = memory.calls;
    Array<std::uint8_t> out;
    EXPECT_EQ(save_mesh(*mesh, out).error().code, ErrorCode::out_of_memory);
    EXPECT_EQ(save_tile(*mesh, 1, 1, out).error().code, ErrorCode::out_of_memory);
    memory.fail_from_call = -1;
    EXPECT_TRUE(save_mesh(*mesh, out).has_value());
}

// Files of older versions keep loading.
TEST(SaveMesh, VersionOneIsWrittenAndRead) {
    const Bytes mesh = golden("tests/golden/mesh_1_0.fl");
    const Result<NavMesh> loaded = load_mesh(mesh);
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(saved_bytes(*loaded), mesh);
    EXPECT_TRUE(loaded->state().has_heights());
    EXPECT_GT(loaded->state().polygons(), 20U);
    const Bytes tile = golden("tests/golden/mesh_tile_1_0.fl");
    EXPECT_EQ(tile_bytes(*loaded, 1, 1), tile);
    EXPECT_TRUE(MeshTileFile::load(tile).has_value());
}

// FORMAT.md, by hand from the bytes: one triangle, one landmark or none.
TEST(SaveMesh, BytesAreWhatFormatSays) {
    PlainMesh plain;
    plain.vertices = {{1, 2, 0.5}, {4, 2, 0.5}, {4, 8, 0.5}};
    plain.polygons = {{0, 1, 2}};
    plain.areas = {7};
    const Forged file{saved_bytes(plain.make(1))};
    const Bytes& b = file.bytes;
    EXPECT_EQ(std::string(b.begin() + 12, b.begin() + 16), "MESH");
    const auto u32 = [&](const char(&id)[5], std::size_t at) {
        std::int64_t index = 0;
        const BakedSection section = file.section(id, index);
        ByteReader in({b.data() + section.offset + at, 4});
        return in.get<std::uint32_t>();
    };
    const auto f64 = [&](const char(&id)[5], std::size_t at) {
        std::int64_t index = 0;
        const BakedSection section = file.section(id, index);
        ByteReader in({b.data() + section.offset + at, 8});
        return in.get<double>();
    };
    EXPECT_EQ(f64("OPTS", 32), 0.5);
    EXPECT_EQ(f64("OPTS", 48), 2.0);
    EXPECT_EQ(static_cast<std::int32_t>(u32("OPTS", 64)), 4 - 40);  // 8 is below 2^4
    EXPECT_EQ(u32("OPTS", 68), 1U);
    EXPECT_EQ(u32("TILE", 8), 3U);
    EXPECT_EQ(u32("TILE", 12), 1U);
    EXPECT_EQ(u32("TILE", 16), 3U);
    EXPECT_EQ(f64("VERT", 20), 4.0);
    EXPECT_EQ(f64("VERT", 48), 8.0);
    EXPECT_EQ(u32("VERT", 56), 0x3f000000U);
    EXPECT_EQ(u32("POLY", 0), 3U);
    EXPECT_EQ(u32("POLY", 8), 7U);
    EXPECT_EQ(u32("CORN", 8), 2U);
    std::int64_t index = 0;
    EXPECT_EQ(file.section("HLAY", index).size, 0U);
    EXPECT_EQ(file.section("LAND", index).count, 3U);
}

}  // namespace
}  // namespace fairlead::testing
