// Tables as files: what is loaded is what was saved, and what is damaged does no harm.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <fairlead/base/baked.h>
#include <fairlead/base/rng.h>
#include <fairlead/drive/find_drive.h>

#include "support/bodies.h"
#include "support/drive_worlds.h"
#include "support/environment.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

DriveTableOptions small_options() {
    DriveTableOptions options{.headings = 8, .rings = 1};
    options.agent = box_body(2.0, 1.0, 0.3);
    options.agent.turning_radius = 1.0;
    options.agent.can_reverse = true;
    return options;
}

Array<std::uint8_t> saved(const DriveTable& table) {
    Array<std::uint8_t> bytes;
    EXPECT_TRUE(table.save(bytes).has_value());
    return bytes;
}

TEST(TableFile, WhatIsLoadedIsWhatWasSaved) {
    DriveTableOptions fine{.headings = 16, .nodes = DriveNodes::halves};
    fine.agent = {.radius = 0.7, .turning_radius = 2.5};
    for (const DriveTableOptions& options : {small_options(), fine}) {
        const Result<DriveTable> table = DriveTable::make(options);
        ASSERT_TRUE(table.has_value());
        const Array<std::uint8_t> bytes = saved(*table);
        const Result<DriveTable> again = DriveTable::load(bytes.span());
        ASSERT_TRUE(again.has_value()) << error_name(again.error().code);
        EXPECT_LE(again->bytes(), table->bytes());
        EXPECT_EQ(again->margin(), table->margin());
        EXPECT_EQ(again->nodes(), table->nodes());
        EXPECT_EQ(again->ground_factor(), table->ground_factor());
        ASSERT_EQ(again->primitives().all().size(), table->primitives().all().size());
        for (std::size_t i = 0; i < table->primitives().all().size(); ++i) {
            EXPECT_EQ(again->primitives().all()[i], table->primitives().all()[i]);
            EXPECT_TRUE(std::equal(again->swept(i).begin(), again->swept(i).end(), table->swept(i).begin()));
        }
        const Array<std::uint8_t> twice = saved(*again);
        ASSERT_EQ(twice.size(), bytes.size());
        EXPECT_TRUE(std::equal(twice.begin(), twice.end(), bytes.begin()));
        EXPECT_TRUE(*again->is_as_made());
    }
}

TEST(TableFile, RoutesAreTheSame) {
    Rng rng(4);
    const Result<DriveTable> table = DriveTable::make(small_options());
    const Result<DriveTable> loaded = DriveTable::load(saved(*table).span());
    ASSERT_TRUE(loaded.has_value());
    const oracle::PoseMap map = random_drive_map(rng, MapStyle::blocks, 30, 30);
    const Result<DriveMap> here = DriveMap::make(ground_of(map), *table);
    const Result<DriveMap> there = DriveMap::make(ground_of(map), *loaded);
    Scratch scratch;
    for (int i = 0; i < 20; ++i) {
        DriveQuery query;
        if (!random_free_pose(rng, map, table->options().agent, false, query.start) ||
            !random_free_pose(rng, map, table->options().agent, false, query.goal.at))
            continue;
        const Result<Route> a = find_route(*here, query, scratch);
        const Result<Route> b = find_route(*there, query, scratch);
        EXPECT_EQ(a->status, b->status);
        EXPECT_EQ(a->stats.digest, b->stats.digest);
        EXPECT_EQ(a->cost, b->cost);
    }
}

TEST(TableFileSlow, NoAlteredByteIsAccepted) {
    const Array<std::uint8_t> good = saved(*DriveTable::make(small_options()));
    Array<std::uint8_t> bytes;
    ASSERT_TRUE(bytes.assign(good.span()));
    Rng rng(6);
    for (int i = 0; i < trials(2000); ++i) {
        const auto at = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(bytes.size())));
        const auto flip = static_cast<std::uint8_t>(1 + rng.below(255));
        bytes[at] ^= flip;
        EXPECT_FALSE(DriveTable::load(bytes.span()).has_value()) << at;
        bytes[at] ^= flip;
    }
    for (int i = 0; i < trials(200); ++i)
        EXPECT_FALSE(DriveTable::load(good.span().first(rng.below(static_cast<std::uint32_t>(good.size()))))
                         .has_value());
}

// Checksums hide missing checks: with checksums that fit, a table is refused, or it can be searched with.
TEST(TableFileSlow, ResealedTablesDoNoHarm) {
    const Array<std::uint8_t> good = saved(*DriveTable::make(small_options()));
    Rng rng(7);
    const oracle::PoseMap map = random_drive_map(rng, MapStyle::scattered, 20, 20);
    const Result<BakedFile> file = BakedFile::open(good.span(), {});
    Scratch scratch;
    int accepted = 0;
    int refused = 0;
    for (int i = 0; i < trials(3000); ++i) {
        Array<std::uint8_t> bytes;
        ASSERT_TRUE(bytes.assign(good.span()));
        // Every section gets its share: the largest one would take nearly all.
        const BakedSection section = file->section_at(rng.below(file->sections()));
        for (int k = rng.between(1, 3); k > 0; --k) {
            const std::uint64_t at = section.offset + rng.below(static_cast<std::uint32_t>(section.size));
            bytes[static_cast<std::size_t>(at)] =
                static_cast<std::uint8_t>(rng.below(3) == 0 ? 255 : rng.below(256));
        }
        ASSERT_TRUE(baked_reseal(bytes.span()).has_value());
        const Result<DriveTable> table = DriveTable::load(bytes.span());
        if (!table) {
            ++refused;
            EXPECT_EQ(table.error().code, ErrorCode::baked_value) << error_name(table.error().code);
            continue;
        }
        ++accepted;
        const Result<DriveMap> ready = DriveMap::make(ground_of(map), *table);
        ASSERT_TRUE(ready.has_value());
        DriveQuery query{.start = {{3.5, 3.5}, 0.0}, .goal = {{16.5, 16.5}, 0.0}, .expansions_max = 2000};
        (void)find_route(*ready, query, scratch);
    }
    EXPECT_GT(accepted, 0);
    EXPECT_GT(refused, trials(3000) / 2);
}

TEST(TableFile, ASweptCellTakenOutIsSeenByIsAsMade) {
    const DriveTable table = *DriveTable::make(small_options());
    Array<std::uint8_t> bytes = saved(table);
    const Result<BakedFile> file = BakedFile::open(bytes.span(), {});
    const Result<BakedSection> runs = file->section(four_letters("RUNS"), 6);
    bytes[static_cast<std::size_t>(runs->offset) + 4] += 1;  // the first run is a cell longer
    ASSERT_TRUE(baked_reseal(bytes.span()).has_value());
    const Result<DriveTable> forged = DriveTable::load(bytes.span());
    ASSERT_TRUE(forged.has_value());
    EXPECT_FALSE(*forged->is_as_made());
}

TEST(TableFile, OutOfMemory) {
    const Array<std::uint8_t> bytes = saved(*DriveTable::make(small_options()));
    TestAllocator memory;
    for (const bool once : kOnceAndForEver) {
        const std::int64_t failed = starve(
            memory, once, [&] { return DriveTable::load(bytes.span(), memory.allocator()); },
            [&](const Result<DriveTable>& table) {
                ASSERT_FALSE(table);
                ASSERT_EQ(memory.live_blocks, 0);
            });
        EXPECT_GT(failed, 5);
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

Result<DriveTable> load_golden(const char* path) {
    std::ifstream in(source_path(path), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    EXPECT_FALSE(text.empty());
    return DriveTable::load({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// Files of older versions keep loading. Rings had no wide turns in them: 56 moves of 1,024, and make gives others now.
void expect_old_ring(const DriveTable& table) {
    EXPECT_EQ(table.options().rings, 1);
    EXPECT_FALSE(table.options().every_word);
    EXPECT_FALSE(*table.is_as_made());
    for (const Primitive& move : table.primitives().all())
        EXPECT_LE(move.word.length, move.is_turn() ? 0.0 : 4.0);
    // It is saved as it is.
    const Result<DriveTable> again = DriveTable::load(saved(table).span());
    ASSERT_TRUE(again.has_value());
    ASSERT_EQ(again->primitives().all().size(), table.primitives().all().size());
    const oracle::PoseMap map{20, 20, std::vector<std::uint8_t>(400, 1)};
    const Result<DriveMap> ready = DriveMap::make(ground_of(map), table);
    ASSERT_TRUE(ready.has_value());
    Scratch scratch;
    const DriveQuery query{
        .start = {{3.5, 3.5}, 0.0}, .goal = {{16.5, 3.5}, 0.0}, .agent = table.options().agent};
    const Result<Route> route = find_route(*ready, query, scratch);
    ASSERT_TRUE(route.has_value());
    EXPECT_EQ(route->status, PathStatus::complete);
}

TEST(TableFile, TheFirstVersionLoads) {
    const Result<DriveTable> table = load_golden("tests/golden/drive_table_1_0.fl");
    ASSERT_TRUE(table.has_value()) << error_name(table.error().code);
    expect_old_ring(*table);
}

DriveTableOptions turning_options() {
    DriveTableOptions options = small_options();
    options.agent.can_pivot = true;
    return options;
}

TEST(TableFile, VersionOneOneLoads) {
    const Result<DriveTable> table = load_golden("tests/golden/drive_table_1_1.fl");
    ASSERT_TRUE(table.has_value()) << error_name(table.error().code);
    EXPECT_EQ(table->options().agent, turning_options().agent);
    expect_old_ring(*table);
}

TEST(TableFile, VersionOneTwoLoads) {
    const Result<DriveTable> table = load_golden("tests/golden/drive_table_1_2.fl");
    ASSERT_TRUE(table.has_value()) << error_name(table.error().code);
    EXPECT_EQ(table->options().rings, 1);
    EXPECT_FALSE(table->options().every_word);
    EXPECT_TRUE(*table->is_as_made());
}

// A version is raised only by what it is needed for.
TEST(TableFile, VersionsAreTheLeastThatHoldTheTable) {
    for (const std::int32_t rings : {0, 1}) {
        for (const bool pivots : {false, true}) {
            DriveTableOptions options = pivots ? turning_options() : small_options();
            options.rings = rings;
            const Array<std::uint8_t> bytes = saved(*DriveTable::make(options));
            EXPECT_EQ(bytes[16], 1);
            EXPECT_EQ(bytes[18], rings > 0 ? 2 : (pivots ? 1 : 0));
            EXPECT_TRUE(*DriveTable::load(bytes.span()).value().is_as_made());
        }
    }
}

// FORMAT.md, DTAB 1.2: the second bit beside that of turns on the spot.
TEST(TableFile, EveryWordIsWrittenAsFormatSays) {
    for (const bool every : {false, true}) {
        DriveTableOptions options = turning_options();
        options.every_word = every;
        const Array<std::uint8_t> bytes = saved(*DriveTable::make(options));
        const Result<BakedFile> file = BakedFile::open(bytes.span(), {});
        const Result<BakedSection> section = file->section(four_letters("OPTS"), 88);
        EXPECT_EQ(bytes[static_cast<std::size_t>(section->offset) + 76], every ? 3 : 1);
        const Result<DriveTable> again = DriveTable::load(bytes.span());
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->options().every_word, every);
        EXPECT_TRUE(*again->is_as_made());
    }
}

// FORMAT.md: where 1.1 differs, by hand from the bytes.
TEST(TableFile, TurnsAreWrittenAsFormatSays) {
    for (const bool pivots : {false, true}) {
        DriveTableOptions of_no_ring = pivots ? turning_options() : small_options();
        of_no_ring.rings = 0;
        const Array<std::uint8_t> bytes = saved(*DriveTable::make(of_no_ring));
        EXPECT_EQ(bytes[16], 1);
        EXPECT_EQ(bytes[18], pivots ? 1 : 0);
        const Result<BakedFile> file = BakedFile::open(bytes.span(), {});
        const Result<BakedSection> options = file->section(four_letters("OPTS"), 88);
        EXPECT_EQ(bytes[static_cast<std::size_t>(options->offset) + 76], pivots ? 1 : 0);
        const Result<BakedSection> moves = file->section(four_letters("PRIM"), 60);
        int turns = 0;
        for (std::uint64_t at = moves->offset; at < moves->offset + moves->size; at += 60) {
            const auto byte = [&](std::uint64_t i) { return bytes[static_cast<std::size_t>(at + i)]; };
            if (byte(48) != 2) continue;
            ++turns;
            EXPECT_EQ(byte(51), 1);  // segments
            EXPECT_EQ(byte(52), 0);  // dx, dy
            EXPECT_EQ(byte(53), 0);
            EXPECT_EQ((byte(54) + 8 - byte(55)) % 8 % 6, 1);                // to a neighbouring heading
            for (std::uint64_t i = 40; i < 48; ++i) EXPECT_EQ(byte(i), 0);  // length
        }
        EXPECT_EQ(turns, pivots ? 32 : 0);  // 8 headings, 2 ways, 2 gears
    }
}

// Every table here may say that it turns; only one whose unit does may hold turns.
TEST(TableFile, TurnsOfAUnitThatDoesNotTurnAreRefused) {
    Array<std::uint8_t> bytes = saved(*DriveTable::make(turning_options()));
    const Result<BakedFile> file = BakedFile::open(bytes.span(), {});
    const Result<BakedSection> options = file->section(four_letters("OPTS"), 88);
    bytes[static_cast<std::size_t>(options->offset) + 76] = 0;
    // The hash of the options of the same unit without turns.
    const Array<std::uint8_t> other = saved(*DriveTable::make(small_options()));
    for (std::size_t i = 32; i < 40; ++i) bytes[i] = other[i];
    ASSERT_TRUE(baked_reseal(bytes.span()).has_value());
    const Result<DriveTable> table = DriveTable::load(bytes.span());
    ASSERT_FALSE(table.has_value());
    EXPECT_EQ(table.error().code, ErrorCode::baked_value);
}

}  // namespace
}  // namespace fairlead::testing
