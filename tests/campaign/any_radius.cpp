// Discs of any radius through find_route, against closed chains of tiles:
//
//   all maps of 4 x 4 tiles by symmetry, alone and in the open, at the radii sqrt(a^2 + b^2) / 2 (a, b <= 6), exactly and 1e-6 less and
//   more; random maps at radii 0.05 to 3 in steps of 0.05, with the lengths beside a flood's; published maps.
//
//     any_radius [--thin 1] [--maps 500] [--queries 20] [--lengths 1] [--seed 1] [--part all|small|random|published]
//
// --thin n: every n-th of the small maps. --lengths n: of every n-th random map.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fairlead/formats/file.h>
#include <fairlead/formats/tile_map.h>

#include "campaign/flags.h"
#include "support/environment.h"
#include "support/radius_check.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

int failures = 0;

void expect_none(const std::string& problem) {
    if (problem.empty()) return;
    ++failures;
    std::printf("WRONG: %s\n", problem.c_str());
    if (failures >= 20) std::exit(1);
}

void small_maps(std::uint32_t thin, Scratch& scratch, Rng& rng) {
    RadiusTally tally[2];
    std::uint32_t count = 0;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        if (!least_image(bits) || count++ % thin != 0) continue;
        for (int a = 1; a <= 6; ++a) {
            for (int b = 0; b <= a; ++b) {
                for (const double more : {-1e-6, 0.0, 1e-6}) {
                    const double radius = std::sqrt(static_cast<double>(a * a + b * b)) / 2.0 + more;
                    for (int open = 0; open < 2; ++open) {
                        RadiusWays ways{.registered = rng.below(2) == 0, .edited = rng.below(4) == 0};
                        ways.layered = rng.below(8) == 0;
                        ways.sliced = rng.below(8) == 0;
                        const RadiusMap map = small_radius_map(bits, open == 0 ? 0 : 7);
                        expect_none(
                            check_radius(map, radius, open == 0 ? 4 : 3, ways, rng, scratch, tally[open]));
                    }
                }
            }
        }
    }
    std::printf("4 x 4, alone:       %s\n4 x 4, in the open: %s\n", tally[0].text().c_str(),
                tally[1].text().c_str());
    std::fflush(stdout);
}

void random_maps(int maps, int queries, int lengths, std::uint64_t seed, Scratch& scratch) {
    RadiusTally tally;
    RadiusTally measured;
    for (int n = 0; n < maps; ++n) {
        Rng rng(seed * 1000003 + static_cast<std::uint64_t>(n));
        const RadiusMap map = random_radius_map(rng, 6, 32);
        for (int step = 1; step <= 60; ++step) {
            RadiusWays ways{.registered = rng.below(2) == 0, .edited = rng.below(4) == 0};
            ways.layered = rng.below(8) == 0;
            ways.sliced = rng.below(8) == 0;
            // A few queries of some radii are measured: a flood takes longer than all the rest.
            ways.lengths = lengths > 0 && n % lengths == 0 && step % 6 == n / lengths % 6;
            expect_none(
                check_radius(map, 0.05 * step, queries, ways, rng, scratch, ways.lengths ? measured : tally));
        }
    }
    std::printf("random maps:        %s\n", tally.text().c_str());
    std::printf("measured:           %s\n", measured.text().c_str());
    if (measured.measured > 0 && measured.ratios > 1.03 * static_cast<double>(measured.measured))
        expect_none("lengths are more than 3 % above the flood's in the mean");
    std::fflush(stdout);
}

void published_maps(int queries, Scratch& scratch, Rng& rng) {
    const char* const names[] = {"dao/arena2",          "dao/den520d",           "dao/brc202d",
                                 "dao/orz900d",         "dao/hrt201n",           "sc1/Aurora",
                                 "sc1/BigGameHunters",  "mazes/maze512-8-0",     "rooms/32room_000",
                                 "rooms/8room_000",     "random/random512-25-0", "cities/Berlin_0_256",
                                 "cities/NewYork_0_512"};
    for (const char* name : names) {
        const std::string path = data_path(std::string("maps/") + name + ".map");
        if (path.empty()) {
            std::printf("%s: not there\n", name);
            continue;
        }
        const std::string text = *formats::load_file(path);
        const formats::TileMap read = *formats::load_tile_map(text);
        RadiusMap map{read.width, read.height, {}};
        const std::vector<std::uint8_t> tiles = *formats::make_tiles(read, formats::TileTable::movingai());
        for (const std::uint8_t tile : tiles) map.blocked.push_back(tile == 0);
        RadiusTally tally;
        for (const double radius : {0.4, 0.6, 0.7071, 0.8, 0.99, 1.3, 1.55, 1.8, 2.1, 2.6}) {
            RadiusWays ways{.registered = true};
            expect_none(check_radius(map, radius, queries, ways, rng, scratch, tally));
            ways.registered = false;
            expect_none(check_radius(map, radius, queries / 4 + 1, ways, rng, scratch, tally));
        }
        std::printf("%-20s %s\n", name, tally.text().c_str());
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** words) {
    int thin = 1, maps = 500, queries = 20, lengths = 1;
    std::uint64_t seed = 1;
    std::string part = "all";
    const bool good = read_flags(count, words, [&](const std::string& flag, const char* value) {
        if (flag == "--thin") thin = std::max(1, std::atoi(value));
        if (flag == "--maps") maps = std::atoi(value);
        if (flag == "--queries") queries = std::atoi(value);
        if (flag == "--lengths") lengths = std::atoi(value);
        if (flag == "--seed") seed = std::strtoull(value, nullptr, 10);
        if (flag == "--part") part = value;
        return flag.rfind("--", 0) == 0;
    });
    if (!good) return 2;
    Scratch scratch;
    Rng rng(seed);
    if (part == "all" || part == "small") small_maps(static_cast<std::uint32_t>(thin), scratch, rng);
    if (part == "all" || part == "random") random_maps(maps, queries, lengths, seed, scratch);
    if (part == "all" || part == "published") published_maps(queries, scratch, rng);
    std::printf("any_radius: %d wrong\n", failures);
    return failures == 0 ? 0 : 1;
}
