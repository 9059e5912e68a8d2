// fairlead bake navmesh with --radius-max (FAULT-8): tiles where nobody asked for them, a file that can be read or none, and an interrupt
// that leaves what was there.
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <fairlead/base/rng.h>

#include "cli/hall.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

// A tenth of the cells are walls, at random: as many narrow places as there may be.
std::string dotted_map(std::int32_t side) {
    Rng rng(81);
    std::string text =
        "type octile\nheight " + std::to_string(side) + "\nwidth " + std::to_string(side) + "\nmap\n";
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) text += rng.below(10) == 0 ? '@' : '.';
        text += '\n';
    }
    return text;
}

TEST(BakeGates, WhatIsWrittenCanBeRead) {
    const std::string map = temp_path("dots.map"), file = temp_path("dots.fl");
    write_text(map, dotted_map(160));
    const RunResult run = run_cli({"bake", "navmesh", map, "-o", file, "--radius-max", "2.7", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["tiles"], 25);
    EXPECT_EQ(run_cli({"check", file}).status, 0);
    // The widest unit's way is that over tiles, or better.
    const json mesh = route_json(file, "1.5,1.5", {"--goal", "150.5,150.5", "--radius", "0.5"});
    EXPECT_EQ(mesh["status"],
              route_json(map, "1.5,1.5", {"--goal", "150.5,150.5", "--radius", "0.5"})["status"]);
    // One tile, if asked for; small maps and bakes without gates are one anyhow.
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--radius-max", "0.5", "--tile-size", "0"}, {"--radius-max", "0"}, {}}) {
        const RunResult one = run_cli(with({"bake", "navmesh", map, "-o", file, "--json"}, more));
        ASSERT_EQ(one.status, 0) << one.err;
        EXPECT_EQ(json::parse(one.out)["tiles"], 1);
    }
}

TEST(BakeGates, WhatCannotBeReadIsNotWritten) {
    const std::string map = temp_path("dots.map"), file = temp_path("dots.fl");
    write_text(map, dotted_map(96));
    write_text(file, "as it was");
    const std::vector<std::string> bake{"bake", "navmesh", map, "-o", file, "--radius-max", "2.7"};
    expect_refused(with(bake, {"--tile-size", "0", "--gate-work-max", "4M"}),
                   {"--radius-max", "--gate-work-max", "--tile-size"});
    EXPECT_EQ(read_text(file), "as it was");
    expect_refused(with(bake, {"--gate-work-max", "none"}), {"--gate-work-max", "none"});
    // In tiles that is enough, and for the reader too; less is not.
    EXPECT_EQ(run_cli(with(bake, {"--gate-work-max", "64M"})).status, 0);
    EXPECT_EQ(run_cli({"check", file, "--gate-work-max", "64M"}).status, 0);
    const RunResult less =
        run_cli({"route", file, "--start", "1.5,1.5", "--goal", "9.5,9.5", "--gate-work-max", "1k"});
    EXPECT_NE(less.status, 0);
    EXPECT_NE(less.err.find("--gate-work-max"), std::string::npos) << less.err;
}

// An interrupt in the middle of the work.
TEST(BakeGates, AnInterruptLeavesWhatWasThere) {
    const std::string map = temp_path("large.map"), file = temp_path("large.fl"),
                      words = temp_path("large.txt");
    write_text(map, dotted_map(768));
    for (const char* tile : {"32", "0"}) {
        write_text(file, "as it was");
        const std::string program = cli_path();
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            if (std::freopen(words.c_str(), "w", stderr) == nullptr) _exit(9);
            execl(program.c_str(), program.c_str(), "bake", "navmesh", map.c_str(), "-o", file.c_str(),
                  "--radius-max", "2.7", "--tile-size", tile, static_cast<char*>(nullptr));
            _exit(9);
        }
        usleep(1500 * 1000);
        ASSERT_EQ(kill(child, SIGINT), 0);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_NE(WEXITSTATUS(status), 0);
        EXPECT_NE(read_text(words).find("stopped"), std::string::npos) << read_text(words);
        EXPECT_EQ(read_text(file), "as it was");
    }
}

}  // namespace
}  // namespace fairlead::testing
