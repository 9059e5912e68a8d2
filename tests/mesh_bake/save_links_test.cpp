// Off-mesh links in baked meshes: the same links, the same routes over them, every error, damage, memory.
#include <fairlead/mesh/save_mesh.h>

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/verify/verify_mesh.h>

#include "support/forged_mesh.h"
#include "support/saved_meshes.h"
#include "support/test_allocator.h"

namespace fairlead::testing {
namespace {

void expect_same_links(const NavMeshState& a, const NavMeshState& b) {
    ASSERT_EQ(a.links(), b.links());
    for (std::uint32_t i = 0; i < a.links(); ++i) {
        const MeshLinkState p = a.link_at(i), q = b.link_at(i);
        EXPECT_EQ(p.link, q.link);
        EXPECT_EQ(p.awake, q.awake) << i;
        EXPECT_EQ(p.from, q.from) << i;
        EXPECT_EQ(p.to, q.to) << i;
        EXPECT_EQ(p.heading_rad, q.heading_rad);
        EXPECT_EQ(p.cost, q.cost);
    }
}

// Routes, and how they were searched for, to the last bit; with kinds closed and dearer.
void expect_same_routes(const NavMeshState& before, const NavMeshState& after, int count, int& over_links) {
    Rng rng(21);
    Scratch scratch;
    Route a, b;
    std::vector<double> costs(kLinkKindsMax, 1.0);
    for (int i = 0; i < count; ++i) {
        MeshQuery query{.start = place_in(rng, before.bounds()), .reach = {.above = 9.0, .below = 9.0}};
        query.goal = place_in(rng, before.bounds());
        query.filter.links.closed = KindSet::of_mask(i % 3 == 0 ? rng.below(16) : 0);
        costs[1] = rng.between(0.2, 3.0);
        if (i % 4 == 1) query.filter.links.factors = costs;
        if (i % 5 == 0) query.agent.radius = rng.between(0.0, frame_of(before).radius_max);
        query.partial = i % 2 == 0;
        ASSERT_TRUE(find_route_into(before, query, scratch, a).has_value());
        ASSERT_TRUE(find_route_into(after, query, scratch, b).has_value());
        a.revision = b.revision;  // the one was edited to get there
        Digest of_a, of_b;
        add_route(of_a, a);
        add_route(of_b, b);
        ASSERT_EQ(of_a.value(), of_b.value()) << i;
        ASSERT_EQ(a.stats, b.stats) << i;
        for (const Leg& leg : b.legs) over_links += leg.kind == LegKind::link ? 1 : 0;
        if (b.legs.empty()) continue;
        const Violation bad =
            verify(b, after, query.agent, {.filter = query.filter, .check_revision = false});
        EXPECT_FALSE(bad) << bad.text().c_str();
    }
}

TEST(SaveLinks, TheSameLinksAndTheSameRoutes) {
    for (const std::uint32_t tile_cells : {0U, 24U}) {
        for (const std::uint32_t landmarks : {0U, 4U}) {
            const NavMesh mesh = small_linked(tile_cells, landmarks);
            const Bytes bytes = saved_bytes(mesh);
            const Result<NavMesh> again = load_mesh(bytes);
            ASSERT_TRUE(again.has_value()) << error_name(again.error().code) << " " << again.error().index;
            EXPECT_EQ(saved_bytes(*again), bytes);
            expect_same_links(mesh, *again);
            int over_links = 0;
            expect_same_routes(mesh, *again, trials(1000), over_links);
            EXPECT_GT(over_links, 0);
        }
    }
}

TEST(SaveLinks, RandomMeshes) {
    Rng rng(43);
    for (int i = 0; i < trials(200); ++i) {
        NavMesh mesh = random_saved_mesh(rng);
        put_random_links(rng, mesh, rng.below(3) == 0 ? 0 : rng.below(kLandmarksMax + 1));
        const Bytes bytes = saved_bytes(mesh);
        const Result<NavMesh> again = load_mesh(bytes);
        ASSERT_TRUE(again.has_value()) << i << " " << error_name(again.error().code) << " "
                                       << again.error().index << " " << again.error().detail;
        EXPECT_EQ(saved_bytes(*again), bytes) << i;
        expect_same_links(mesh, *again);
        // Measured here, they are those of the file: with the links that were there when they were measured.
        const Result<NavMesh> measured = load_mesh(bytes, {.measure_landmarks = true});
        ASSERT_TRUE(measured.has_value());
        EXPECT_EQ(saved_bytes(*measured), bytes) << i;
        EXPECT_EQ(answers(*again, 10), answers(*measured, 10));
    }
}

// What sleeps because of an obstacle is awake in the file; ends are where they were without it.
TEST(SaveLinks, ObstaclesAreNotSaved) {
    NavMesh mesh = small_linked(24);
    const Bytes bytes = saved_bytes(mesh);
    Rng rng(8);
    for (int i = 0; i < 20; ++i) {
        const double x = rng.between(1.0, 14.0), y = rng.between(1.0, 14.0);
        const MeshEdit edit = MeshEdit::add(i, MeshObstacle::box({x, y}, {1.5, 1.0}, 0.4, -5.0, 9.0));
        ASSERT_TRUE(mesh.apply({&edit, 1}).has_value());
        EXPECT_EQ(saved_bytes(mesh), bytes);
    }
}

/// Without heights, so without what needs a later version.
NavMesh small_floor() {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {4, 0, 0}, {4, 8, 0}, {0, 8, 0}, {5, 0, 0}, {8, 0, 0}, {8, 8, 0}, {5, 8, 0}};
    plain.polygons = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    return plain.make();
}

TEST(SaveLinks, OnlyMeshesWithLinksAreOfTheNewVersion) {
    NavMesh mesh = small_floor();
    const Bytes before = saved_bytes(mesh);
    EXPECT_EQ(before[18], 0);
    const MeshEdit put = MeshEdit::add_link({.id = 9, .from = {1, 1, 0}, .to = {7, 7, 0}});
    ASSERT_TRUE(mesh.apply({&put, 1}).has_value());
    EXPECT_EQ(saved_bytes(mesh)[18], 1);
    const MeshEdit take = MeshEdit::remove_link(9);
    ASSERT_TRUE(mesh.apply({&take, 1}).has_value());
    EXPECT_EQ(saved_bytes(mesh), before);
}

// FORMAT.md, by hand from the bytes.
TEST(SaveLinks, BytesAreWhatFormatSays) {
    NavMesh mesh = small_baked(0);
    const MeshLink link{.id = 0x01020304,
                        .from = {1, 1, 0.5},
                        .to = {7, 7, 0.25},
                        .extent = 2.0,
                        .one_way = true,
                        .kind = 63,
                        .cost = 3.0,
                        .heading_rad = 0.5,
                        .tag = 77,
                        .radius_max = 0.75,
                        .reach = 4.0};
    const MeshEdit put = MeshEdit::add_link(link);
    ASSERT_TRUE(mesh.apply({&put, 1}).has_value());
    ASSERT_TRUE(mesh.measure_landmarks(4).has_value());
    const Forged file{saved_bytes(mesh)};
    std::int64_t index = 0;
    const BakedSection section = file.section("LINK", index);
    EXPECT_EQ(index, 10);
    EXPECT_EQ(section.stride, 104U);
    ASSERT_EQ(section.count, 1U);
    ByteReader in({file.bytes.data() + section.offset, 104});
    EXPECT_EQ(in.get<std::uint32_t>(), link.id);
    EXPECT_EQ(in.get<std::uint32_t>(), 77U);
    for (const double value : {1.0, 1.0, 0.5, 7.0, 7.0, 0.25, 2.0, 3.0, 0.5, 0.75, 4.0})
        EXPECT_EQ(in.get<double>(), value);
    EXPECT_EQ(in.get<std::uint8_t>(), 63);
    EXPECT_EQ(in.get<std::uint8_t>(), 1);
    EXPECT_EQ(in.get<std::uint8_t>(), 1);
}

// ---- errors -------------------------------------------------------------------------------------------------

TEST(LoadLinks, EveryFieldIsChecked) {
    const Forged good{saved_bytes(small_linked(24))};
    ASSERT_EQ(error_of(good.bytes).code, ErrorCode::count_);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    for (std::size_t at = 8; at < 96; at += 8) {
        for (const double value : {kNan, kInf, -kInf}) expect_bad(good, "LINK", at, value, "LINK", 0);
    }
    for (std::size_t at = 8; at < 56; at += 8) expect_bad(good, "LINK", at, 3e9, "LINK", 0);
    expect_bad(good, "LINK", 56, -1.0, "LINK", 0);  // extent
    expect_bad(good, "LINK", 64, -0.5, "LINK", 0);  // cost
    expect_bad(good, "LINK", 64, 2e6, "LINK", 0);
    expect_bad(good, "LINK", 72, 2e4, "LINK", 0);   // heading
    expect_bad(good, "LINK", 80, -1.0, "LINK", 0);  // radius
    expect_bad(good, "LINK", 88, -1.0, "LINK", 0);  // reach
    expect_bad(good, "LINK", 96, std::uint8_t{64}, "LINK", 0);
    for (std::size_t at = 97; at < 104; ++at) expect_bad(good, "LINK", at, std::uint8_t{2}, "LINK", 0);
    expect_bad(good, "LINK", 104, std::uint32_t{0}, "LINK", 1);  // ids rise
    expect_bad(good, "LINK", 0, 0xffffffffU, "LINK", 1);
}

// The landmarks can only know a link that is there, and that is not shorter than they say.
TEST(LoadLinks, WhatTheLandmarksKnowMustBePossible) {
    NavMesh mesh = small_baked(0);
    MeshLink far{.id = 1, .from = {1.5, 1.5, 0}, .to = {13, 7, 0}, .reach = 3.0};
    const MeshEdit put[] = {MeshEdit::add_link(far),
                            MeshEdit::add_link({.id = 2, .from = {500, 0, 0}, .to = {501, 0, 0}})};
    ASSERT_TRUE(mesh.apply(put).has_value());
    ASSERT_TRUE(mesh.state().link(1)->awake);
    ASSERT_FALSE(mesh.state().link(2)->awake);
    const Forged good{saved_bytes(mesh)};
    ASSERT_EQ(error_of(good.bytes).code, ErrorCode::count_);
    expect_bad(good, "LINK", 104 + 98, std::uint8_t{1}, "LINK", 1);  // on no surface
    Forged known = good;
    known.put("LINK", 98, std::uint8_t{1});
    known.put("LINK", 64, 1000.0);
    EXPECT_EQ(error_of(known.bytes).code, ErrorCode::count_);  // no shorter than the ground
    known.put("LINK", 64, 0.0);
    EXPECT_EQ(error_of(known.bytes).code, ErrorCode::baked_value);
    // Without landmarks nothing is known.
    const NavMesh plain = small_linked(0, 0);
    expect_bad(Forged{saved_bytes(plain)}, "LINK", 98, std::uint8_t{1}, "LINK", 0);
}

TEST(LoadLinks, TheSectionGoesWithTheVersion) {
    NavMesh linked = small_floor();
    const MeshEdit put = MeshEdit::add_link({.id = 9, .from = {1, 1, 0}, .to = {7, 7, 0}});
    ASSERT_TRUE(linked.apply({&put, 1}).has_value());
    const Bytes good = saved_bytes(linked);
    Forged old{good};
    old.bytes[18] = 0;
    old.seal();
    EXPECT_EQ(error_of(old.bytes).code, ErrorCode::baked_section);
    Forged without{saved_bytes(small_floor())};
    without.bytes[18] = 1;
    without.seal();
    const Error error = error_of(without.bytes);
    EXPECT_EQ(error.code, ErrorCode::baked_section);
    EXPECT_EQ(error.index, -1);
    EXPECT_EQ(error.detail, four_letters("LINK"));
    Forged renamed{good};
    renamed.bytes[64 + 32 * 9] = 'x';
    renamed.seal();
    EXPECT_EQ(error_of(renamed.bytes).code, ErrorCode::baked_section);
    // Tiles have none.
    Array<std::uint8_t> tile;
    ASSERT_TRUE(save_tile(small_linked(24), 1, 1, tile).has_value());
    EXPECT_TRUE(MeshTileFile::load(tile.span()).has_value());
    Forged other{Bytes(tile.begin(), tile.end())};
    EXPECT_EQ(other.bytes[18], 2);  // its heights have digits
    other.bytes[18] = 1;
    other.seal();
    EXPECT_EQ(MeshTileFile::load(other.bytes).error().code, ErrorCode::baked_version);
}

// A load that fails leaves other meshes alone.
TEST(LoadLinks, AFailedLoadTouchesNothing) {
    Result<NavMesh> level = load_mesh(saved_bytes(small_linked(24)));
    ASSERT_TRUE(level.has_value());
    const Bytes before = saved_bytes(*level);
    Forged bad{before};
    bad.put("LINK", 96, std::uint8_t{200});
    Result<NavMesh> next = load_mesh(bad.bytes);
    EXPECT_FALSE(next.has_value());
    if (next) level = std::move(next);
    EXPECT_EQ(saved_bytes(*level), before);
}

// Links over all of a row of strips have as many parts as there are strips: the file is small, what it stands for is not.
TEST(LoadLinks, MemoryIsBoundedByTheFile) {
    PlainMesh plain;
    constexpr std::uint32_t kStrips = 400;
    for (std::uint32_t i = 0; i <= kStrips; ++i) {
        plain.vertices.push_back({0.25 * i, 0, 0});
        plain.vertices.push_back({0.25 * i, 9, 0});
    }
    for (std::uint32_t i = 0; i < kStrips; ++i)
        plain.polygons.push_back({2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
    for (const std::uint32_t count : {3U, 200U}) {
        NavMesh mesh = plain.make(0);
        std::vector<MeshEdit> put;
        for (std::uint32_t id = 0; id < count; ++id)
            put.push_back(MeshEdit::add_link(
                {.id = id, .from = {50, 2, 0}, .to = {50, 7, 0}, .extent = 99.0, .reach = 1.0}));
        ASSERT_TRUE(mesh.apply(put).has_value());
        const Bytes bytes = saved_bytes(mesh);
        TestAllocator memory;
        {
            const Result<NavMesh> again = load_mesh(bytes, {.allocator = memory.allocator()});
            EXPECT_EQ(again.has_value(), count == 3);
            if (!again) {
                EXPECT_EQ(again.error().code, ErrorCode::baked_value);
                EXPECT_EQ(again.error().index, 9);
            }
        }
        EXPECT_EQ(memory.live_bytes, 0);
        EXPECT_LT(memory.peak_bytes, 16 * static_cast<std::int64_t>(bytes.size()) + (2 << 20))
            << bytes.size();
    }
}

TEST(LoadLinks, OutOfMemory) {
    const Bytes bytes = saved_bytes(small_linked(0));
    int failed = 0;
    for (std::int64_t call = 0;; call += call < 60 ? 1 : 11) {
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
    EXPECT_GT(failed, 20);
}

// The first version with links keeps loading; the one before it is in save_mesh_test.
TEST(SaveLinks, VersionOneOneIsWrittenAndRead) {
    const Bytes file = golden("tests/golden/mesh_1_1.fl");
    const Result<NavMesh> loaded = load_mesh(file);
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(saved_bytes(*loaded), file);
    EXPECT_GT(loaded->state().links(), 5U);
}

}  // namespace
}  // namespace fairlead::testing
