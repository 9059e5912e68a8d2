// The program where the system gives it little memory: it ends with 0, or with 2 and the reason, and never by a signal.

#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "cli/cli_test.h"
#include "support/environment.h"
#include "support/sanitized.h"

namespace fairlead::testing {
namespace {

// Single walls on open ground, one tile in ten.
std::string map_of_dots(int side) {
    Rng rng(3);
    std::string text =
        "type octile\nheight " + std::to_string(side) + "\nwidth " + std::to_string(side) + "\nmap\n";
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x)
            text += x + y > 0 && x + y < 2 * side - 2 && rng.below(10) == 0 ? '@' : '.';
        text += '\n';
    }
    return text;
}

std::string space_of_dots(std::int32_t side) {
    Rng rng(4);
    std::string text =
        "voxel " + std::to_string(side) + " " + std::to_string(side) + " " + std::to_string(side) + "\n";
    for (int i = 0; i < 50000; ++i) {
        for (int k = 0; k < 3; ++k) text += std::to_string(rng.between(1, side - 2)) + (k < 2 ? " " : "\n");
    }
    return text;
}

void write_packed(const std::string& path, const std::string& text) {
    const gzFile file = gzopen(path.c_str(), "wb1");
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    ASSERT_EQ(gzclose(file), Z_OK);
}

constexpr std::int64_t kMiB = 1024;  // KiB

TEST(AddressSpace, EveryCommandEndsWithAReason) {
    if (FAIRLEAD_SANITIZED) GTEST_SKIP() << "skipped: a sanitizer takes all the address space there is";
    // The least in which the program starts at all: its libraries are larger on one system than on another.
    std::int64_t least = 16 * kMiB;
    while (least < 256 * kMiB && run_cli_within(least, {"--version"}).status != 0) least += kMiB;
    if (least >= 256 * kMiB) GTEST_SKIP() << "skipped: limits on the address space are not kept here";

    const std::string map = temp_path("large.map.gz");
    write_packed(map, map_of_dots(900));
    const std::string field = temp_path("field.map");
    write_text(field, map_of_dots(160));
    const std::string space = temp_path("space.3dmap");
    write_text(space, space_of_dots(100));
    const std::string queries = temp_path("queries.csv");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,0.5,0.5,,,899.5,899.5,,\n2,899.5,899.5,,,0.5,0.5,,\n");
    const std::string out = temp_path("out");

    const std::vector<std::vector<std::string>> commands = {
        {"route", map, "--start", "0.5,0.5", "--goal", "899.5,899.5", "--radius", "0.4", "--json"},
        {"explain", map, "--start", "0.5,0.5", "--goal", "899.5,899.5", "--radius", "0.9"},
        {"batch", map, queries, "-o", "-", "--threads", "2"},
        {"bake", "index", map, "--radius", "0.3", "--turning-radius", "2", "-o", out},
        {"bake", "hierarchy", map, "-o", out},
        {"bake", "navmesh", field, "-o", out},
        {"route", space, "--start", "0.5,0.5,0.5", "--goal", "99.5,99.5,99.5"},
        {"inspect", space},
        {"demo", "-o", out, "--only", "article_12_curve", "--scale", "1", "--quiet"}};
    int done = 0;
    int refused = 0;
    for (const std::vector<std::string>& command : commands) {
        for (const std::int64_t more : {1, 4, 8, 14, 32, 90}) {
            const RunResult run = run_cli_within(least + more * kMiB, command);
            SCOPED_TRACE(command[0] + " in " + std::to_string(least / kMiB + more) + " MiB: " + run.err);
            EXPECT_TRUE(run.status == 0 || run.status == 2) << run.status;
            (run.status == 0 ? done : refused) += 1;
            if (run.status == 2) {
                const std::vector<std::string> lines = run.err_lines();
                ASSERT_FALSE(lines.empty());  // one, or two where fewer threads run than were asked for
                EXPECT_LE(lines.size(), 2u);
                EXPECT_NE(lines.back().find("memory"), std::string::npos);
            }
            // Where there is plenty nothing is refused.
            if (more == 90) {
                EXPECT_EQ(run.status, 0);
            }
            std::filesystem::remove_all(out);
        }
    }
    EXPECT_GE(done, static_cast<int>(commands.size()));
    EXPECT_GE(refused, static_cast<int>(commands.size()));
    for (const std::string& file : {map, field, space, queries}) std::filesystem::remove(file);
}

}  // namespace
}  // namespace fairlead::testing
