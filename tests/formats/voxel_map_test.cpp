// Voxel maps and their scenarios: what is gathered in bricks is what the lines say, by a set of voxels; errors say
// where; the published files load and mean what they say. Damaged files: fixtures_test.cpp, damage_test.cpp.
#include <fairlead/formats/voxel_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/scenario.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

using Place = std::array<int, 3>;  // z, y, x: so a set of them is sorted as bricks are

// The voxels that bricks say, each asked by its bit's place as the header of volumes has it.
std::set<Place> voxels_of(const VoxelMap& map) {
    std::set<Place> out;
    for (const VoxelBrick& brick : map.bricks) {
        for (int z = 0; z < 4; ++z) {
            for (int y = 0; y < 4; ++y) {
                for (int x = 0; x < 4; ++x) {
                    if ((brick.solid >> (x + 4 * y + 16 * z) & 1) != 0)
                        out.insert({4 * brick.z + z, 4 * brick.y + y, 4 * brick.x + x});
                }
            }
        }
    }
    return out;
}

std::string line_of(const Place& v) {
    return std::to_string(v[2]) + ' ' + std::to_string(v[1]) + ' ' + std::to_string(v[0]) + '\n';
}

std::string head_of(Voxel size) {
    return "voxel " + std::to_string(size.x) + ' ' + std::to_string(size.y) + ' ' + std::to_string(size.z) +
           '\n';
}

TEST(VoxelMap, GathersWhatTheLinesSay) {
    const Result<VoxelMap> map = load_voxel_map("voxel 9 5 6\n8 4 5\n0 0 0\n3 3 3\n4 3 3\n0 1 0\n");
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->size, (Voxel{9, 5, 6}));
    ASSERT_EQ(map->bricks.size(), 3U);
    EXPECT_EQ(map->bricks[0].solid,
              (std::uint64_t{1} << 0) | (std::uint64_t{1} << 4) | (std::uint64_t{1} << 63));
    EXPECT_EQ(map->bricks[1].x, 1);
    EXPECT_EQ(map->bricks[1].solid, std::uint64_t{1} << 60);
    EXPECT_EQ(map->bricks[2].x, 2);
    EXPECT_EQ(map->bricks[2].y, 1);
    EXPECT_EQ(map->bricks[2].z, 1);
    EXPECT_EQ(map->bricks[2].solid, std::uint64_t{1} << 16);
    EXPECT_EQ(map->solid_voxels(), 5);
    const VolumeOptions options = map->volume_options();
    EXPECT_EQ(options.size, map->size);
    EXPECT_EQ(options.bricks.data(), map->bricks.data());
    EXPECT_EQ(options.bricks.size(), 3U);
    EXPECT_EQ(save_voxel_map(*map), "voxel 9 5 6\n0 0 0\n0 1 0\n3 3 3\n4 3 3\n8 4 5\n");
}

TEST(VoxelMap, TheFarthestVoxelsOfTheLargestMaps) {
    for (const Voxel size :
         {Voxel{1 << 17, 1 << 17, 16}, Voxel{16, 1 << 17, 1 << 17}, Voxel{1 << 13, 1 << 13, 1 << 12}}) {
        const Place corner{size.z - 1, size.y - 1, size.x - 1};
        const Result<VoxelMap> map = load_voxel_map(head_of(size) + line_of(corner) + "0 0 0\n");
        ASSERT_TRUE(map.has_value());
        EXPECT_EQ(voxels_of(*map), (std::set<Place>{corner, {0, 0, 0}}));
    }
    EXPECT_EQ(load_voxel_map("voxel 131072 131072 17\n").error(), (Error{ErrorCode::text_value, 1, 21}));
    EXPECT_EQ(load_voxel_map("voxel 8192 8192 4097\n").error(), (Error{ErrorCode::text_value, 1, 17}));
}

// Random voxels in any order, some twice, against a set; bricks sorted and none empty; the text again gives the same.
TEST(VoxelMap, AnyOrderGivesTheSameMap) {
    Rng rng(11);
    for (int trial = 0; trial < testing::trials(300); ++trial) {
        const Voxel size{rng.between(1, 70), rng.between(1, 70), rng.between(1, 70)};
        const int count = rng.below(4) == 0 ? rng.between(0, 5) : rng.between(0, 4000);
        std::set<Place> solid;
        std::string text = head_of(size);
        for (int i = 0; i < count; ++i) {
            const Place v{rng.between(0, size.z - 1), rng.between(0, size.y - 1), rng.between(0, size.x - 1)};
            solid.insert(v);
            text += line_of(v);
            if (rng.below(20) == 0) text += line_of(*solid.begin());
        }
        const Result<VoxelMap> map = load_voxel_map(text);
        ASSERT_TRUE(map.has_value());
        ASSERT_EQ(voxels_of(*map), solid);
        EXPECT_EQ(map->solid_voxels(), static_cast<std::int64_t>(solid.size()));
        Place last{-1, -1, -1};
        for (const VoxelBrick& brick : map->bricks) {
            ASSERT_NE(brick.solid, 0U);
            ASSERT_LT(last, (Place{brick.z, brick.y, brick.x}));
            last = {brick.z, brick.y, brick.x};
        }
        const std::string saved = save_voxel_map(*map);
        EXPECT_EQ(static_cast<std::size_t>(std::count(saved.begin(), saved.end(), '\n')), solid.size() + 1);
        const Result<VoxelMap> again = load_voxel_map(saved);
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(again->size, size);
        ASSERT_EQ(voxels_of(*again), solid);
    }
}

// Two voxels of each brick, far from each other in the text: more lines than room, so bricks are joined on the way.
TEST(VoxelMap, NeedsRoomForItsBricksAlone) {
    constexpr int kSide = 64;
    std::string text = head_of({4 * kSide, 4 * kSide, 4});
    std::set<Place> solid;
    for (int round = 0; round < 12; ++round) {
        for (int i = 0; i < kSide * kSide; ++i) {
            const Place v{round % 4, 4 * (i / kSide) + round / 4, 4 * (i % kSide)};
            solid.insert(v);
            text += line_of(v);
        }
    }
    const auto bricks = static_cast<std::uint64_t>(kSide) * kSide;
    const Result<VoxelMap> map = load_voxel_map(text, {.memory_bytes = 144 * bricks + (72 << 10)});
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->bricks.size(), bricks);
    EXPECT_EQ(voxels_of(*map), solid);
    const std::uint64_t little = 24 * bricks;
    EXPECT_EQ(load_voxel_map(text, {.memory_bytes = little}).error(),
              (Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(little)}));
    EXPECT_EQ(load_voxel_map(text, {.text_bytes = text.size() - 1}).error().code, ErrorCode::size_limit);
}

// Every line that the quick way takes must be one that the slow way takes too: a letter put, lost or changed anywhere.
TEST(VoxelMap, ALineIsThreeNumbersOrAnError) {
    const std::string good = "12 3 45";
    const auto expected = [](std::string_view line,
                             Place& v) {  // the grammar, by hand; 0: good, 1: error, 2: no voxel
        std::vector<std::string> words(1);
        std::string_view left = line;
        while (!left.empty() && (left.back() == ' ' || left.back() == '\t' || left.back() == '\0'))
            left.remove_suffix(1);
        if (left.empty()) return 2;
        const bool tabs = left.find('\t') != std::string_view::npos;
        for (const char c : left) {
            const bool parts = c == '\t' || (!tabs && c == ' ');
            if (parts && !words.back().empty()) words.emplace_back();
            if (!parts && !(words.back().empty() && c == ' ')) words.back() += c;
        }
        if (words.size() != 3) return 1;
        for (std::size_t i = 0; i < 3; ++i) {
            std::string& word = words[i];
            while (!word.empty() && word.back() == ' ') word.pop_back();
            if (word.empty() || word.size() > 9) return 1;
            if (word[0] == '-' && word.find_first_not_of("0", 1) == std::string::npos && word.size() > 1)
                word = "0";
            if (word.find_first_not_of("0123456789") != std::string::npos) return 1;
            v[2 - i] = std::stoi(word);
            if (v[2 - i] >= 50) return 1;
        }
        return 0;
    };
    int seen[3] = {};
    Rng rng(5);
    for (int trial = 0; trial < testing::trials(20000); ++trial) {
        std::string line = good;
        for (int n = rng.between(1, 3); n > 0; --n) {
            const char letter = " \t-0149x.+"[rng.below(10)];
            const std::size_t at = rng.below(static_cast<std::uint32_t>(line.size()));
            if (rng.below(3) == 0) {
                line.insert(at, 1, letter);
            } else if (rng.below(2) == 0 && line.size() > 1) {
                line.erase(at, 1);
            } else {
                line[at] = letter;
            }
        }
        Place v{};
        const int fate = expected(line, v);
        ++seen[fate];
        const Result<VoxelMap> map = load_voxel_map("voxel 50 50 50\n" + line + "\n");
        ASSERT_EQ(map.has_value(), fate != 1) << line;
        if (fate == 1) {
            EXPECT_EQ(map.error().index, 2) << line;
        } else {
            EXPECT_EQ(voxels_of(*map), fate == 0 ? std::set<Place>{v} : std::set<Place>{}) << line;
        }
    }
    if (testing::all_trials()) {
        EXPECT_GT(seen[0], 2000);
        EXPECT_GT(seen[1], 2000);
    }
}

TEST(VoxelMap, APackedFileThatIsCutIsRefused) {
    FAIRLEAD_REQUIRE_DATA(path, "voxels/Simple.3dmap.gz");
    const Result<std::string> packed = [&]() -> Result<std::string> {  // the bytes as they lie there
        std::string bytes;
        std::FILE* file = std::fopen(path.c_str(), "rb");
        if (file == nullptr) return Error{ErrorCode::file_open};
        for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) bytes += static_cast<char>(c);
        std::fclose(file);
        return bytes;
    }();
    ASSERT_TRUE(packed.has_value());
    ASSERT_TRUE(load_voxel_map(*unpack_gzip(*packed)).has_value());
    for (std::size_t size = 2; size < packed->size(); size += 7) {
        const Result<std::string> cut = unpack_gzip(std::string_view(*packed).substr(0, size));
        ASSERT_FALSE(cut.has_value()) << size;
        EXPECT_EQ(cut.error().code, ErrorCode::file_packed) << size;
    }
    EXPECT_EQ(unpack_gzip(*packed, {.text_bytes = 1000}).error().code, ErrorCode::size_limit);
}

TEST(VoxelMap, PublishedFilesHoldWhatIsKnownOfThem) {
    struct Known {
        const char* name;
        Voxel size;
        std::int64_t voxels;
        std::size_t bricks;
        std::size_t queries;
    };
    // Counted by a script that has nothing of this library.
    const Known known[] = {{"Simple", {105, 132, 105}, 512, 36, 10000},
                           {"Complex", {246, 154, 205}, 46298, 2152, 10000},
                           {"DA1", {389, 313, 511}, 140501, 6574, 10000},
                           {"A1", {896, 390, 255}, 123236, 6078, 10000},
                           {"Full1", {659, 549, 624}, 310049, 14223, 10000},
                           {"BA1", {745, 527, 615}, 344486, 15846, 10000},
                           {"guardian-256", {256, 256, 256}, 461359, 21425, 50},
                           {"tunnels-256", {256, 256, 256}, 181051, 11408, 50}};
    FAIRLEAD_REQUIRE_DATA(folder, "voxels");
    for (const Known& file : known) {
        SCOPED_TRACE(file.name);
        if (file.voxels > 200000 && !testing::all_trials()) continue;
        const std::string path = folder + "/" + file.name + ".3dmap";
        const Result<std::string> text = load_file(path + ".gz");
        ASSERT_TRUE(text.has_value());
        const Result<VoxelMap> map = load_voxel_map(*text);
        ASSERT_TRUE(map.has_value()) << error_line(path, map.error(), *text);
        EXPECT_EQ(map->size, file.size);
        EXPECT_EQ(map->solid_voxels(), file.voxels);
        EXPECT_EQ(map->bricks.size(), file.bricks);
        const Result<VoxelMap> again = load_voxel_map(save_voxel_map(*map));
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(voxels_of(*again), voxels_of(*map));

        const Result<std::string> rows = load_file(path + ".3dscen.gz");
        ASSERT_TRUE(rows.has_value());
        const Result<VoxelScenario> scenario = load_voxel_scenario(*rows);
        ASSERT_TRUE(scenario.has_value()) << error_line(path, scenario.error(), *rows);
        EXPECT_EQ(scenario->queries.size(), file.queries);
        EXPECT_TRUE(check_queries(*scenario, map->size).has_value());
        EXPECT_EQ(save_voxel_scenario(*scenario), *rows);
        const std::set<Place> solid = voxels_of(*map);
        for (const VoxelQuery& query : scenario->queries) {
            ASSERT_EQ(solid.count({query.start.z, query.start.y, query.start.x}), 0U) << query.line;
            ASSERT_EQ(solid.count({query.goal.z, query.goal.y, query.goal.x}), 0U) << query.line;
            double d[] = {std::fabs(double(query.start.x) - query.goal.x),
                          std::fabs(double(query.start.y) - query.goal.y),
                          std::fabs(double(query.start.z) - query.goal.z)};
            std::sort(d, d + 3);
            const double open =
                d[2] + (std::sqrt(2.0) - 1.0) * d[1] + (std::sqrt(3.0) - std::sqrt(2.0)) * d[0];
            ASSERT_GE(query.optimal, open - printed_tolerance(query)) << query.line;
            ASSERT_NEAR(query.ratio, query.optimal / open, 0.00051) << query.line;
        }
    }
}

TEST(VoxelScenario, HoldsWhatItsRowsSay) {
    const std::string text =
        "version 1\nA 1.3dmap\n1 2 3 400 5 6 562.04094761 1.005\n0 0 0 1 1 1 -1 0\n7 7 7 7 7 7 0.00000 "
        "1.000\n";
    const Result<VoxelScenario> scenario = load_voxel_scenario(text);
    ASSERT_TRUE(scenario.has_value());
    EXPECT_EQ(scenario->map, "A 1.3dmap");
    ASSERT_EQ(scenario->queries.size(), 3U);
    const VoxelQuery& first = scenario->queries[0];
    EXPECT_EQ(first.start, (Voxel{1, 2, 3}));
    EXPECT_EQ(first.goal, (Voxel{400, 5, 6}));
    EXPECT_EQ(first.optimal, 562.04094761);
    EXPECT_EQ(first.ratio, 1.005);
    EXPECT_EQ(first.decimals, 8);
    EXPECT_EQ(first.ratio_decimals, 3);
    EXPECT_EQ(first.line, 3);
    EXPECT_EQ(scenario->queries[1].optimal, kNoRoute);
    EXPECT_EQ(save_voxel_scenario(*scenario), text);
    EXPECT_NEAR(printed_tolerance(first), 0.5e-8 + 562.0 * 0x1.0p-28, 1e-9);
    EXPECT_NEAR(printed_tolerance(scenario->queries[2]), 0.5e-5, 1e-12);
}

TEST(VoxelScenario, QueriesMustLieInTheMap) {
    const VoxelScenario scenario =
        *load_voxel_scenario("version 1\na.3dmap\n\n1 2 3 4 5 6 9 1\n0 0 0 7 1 1 9 1\n");
    EXPECT_TRUE(check_queries(scenario, {8, 6, 7}).has_value());
    EXPECT_EQ(check_queries(scenario, {7, 6, 7}).error(), (Error{ErrorCode::text_value, 5, 1}));
    EXPECT_EQ(check_queries(scenario, {8, 5, 7}).error(), (Error{ErrorCode::text_value, 4, 1}));
    EXPECT_EQ(check_queries(scenario, {8, 6, 6}).error(), (Error{ErrorCode::text_value, 4, 1}));
}

}  // namespace
}  // namespace fairlead::formats
