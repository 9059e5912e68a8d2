// A minute of the simulator: the same seeds every time, bounded by operations. Longer: ./run campaign simulate.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <fairlead/base/assert.h>

#include "simulate/run.h"
#include "support/environment.h"

namespace fairlead::simulate {
namespace {

void expect_no_finding(const char* world, int operations) {
    const Driver* driver = find_driver(world);
    ASSERT_NE(driver, nullptr);
    Tally tally;
    const Finding finding =
        run_seeds(*driver, 1, static_cast<std::uint64_t>(testing::trials(operations)), tally);
    EXPECT_EQ(finding.what, "") << finding.text(*driver);
    EXPECT_GT(tally.verified, 0U);
    EXPECT_GT(tally.judged, 0U);
    EXPECT_GT(tally.repeated, 0U);
    EXPECT_EQ(tally.starved > 0, std::string(world) != "across" && std::string(world) != "gaps" &&
                                     std::string(world) != "fleet" && std::string(world) != "traffic" &&
                                     std::string(world) != "flight");
}

TEST(Simulate, Grid) { expect_no_finding("grid", 40000); }
TEST(Simulate, Mesh) { expect_no_finding("mesh", 60000); }
TEST(Simulate, Roadmap) { expect_no_finding("roadmap", 100000); }
TEST(Simulate, Drive) { expect_no_finding("drive", 2000); }
TEST(Simulate, Gaps) { expect_no_finding("gaps", 3000); }
TEST(Simulate, Across) { expect_no_finding("across", 6000); }
TEST(Simulate, Volume) { expect_no_finding("volume", 40000); }
TEST(Simulate, Crowd) { expect_no_finding("crowd", 8000); }
TEST(Simulate, Fleet) { expect_no_finding("fleet", 4000); }
TEST(Simulate, Flight) { expect_no_finding("flight", 4000); }
TEST(Simulate, Traffic) { expect_no_finding("traffic", 800); }

/// Plays the scripts of these worlds among those found before; how many they are.
int play_found(const std::function<bool(const std::string& world)>& plays) {
    int played = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(testing::source_path("tests/fixtures/simulate"))) {
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        const std::optional<Script> script = parse_script(text.str());
        EXPECT_TRUE(script) << entry.path();
        if (!script || !plays(script->world)) continue;
        const Driver* driver = find_driver(script->world);
        EXPECT_NE(driver, nullptr) << entry.path();
        if (driver == nullptr) continue;
        EXPECT_EQ(play_apart(*driver, *script), "") << entry.path();
        ++played;
    }
    return played;
}

/// Of these a script takes seconds.
bool is_of_vehicles(const std::string& world) { return world == "fleet" || world == "traffic"; }

// What the simulator has found, each in the smallest script; all of it is mended.
TEST(Simulate, FoundBefore) {
    EXPECT_GT(play_found([](const std::string& world) { return !is_of_vehicles(world); }), 0);
}
TEST(SimulateSlow, FoundBeforeInFleets) { EXPECT_GT(play_found(is_of_vehicles), 0); }

// What a script says survives its text.
TEST(Simulate, ScriptsAreText) {
    for (const Driver& driver : drivers()) {
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const std::string text = to_text(draw_script(driver, seed));
            const std::optional<Script> script = parse_script(text);
            ASSERT_TRUE(script);
            EXPECT_EQ(to_text(*script), text);
        }
    }
    EXPECT_FALSE(parse_script("world grid\nmake rows"));
    EXPECT_FALSE(parse_script("make rows=..."));
}

// A crash, a failed assertion, an endless loop and a wrong answer are all seen, and cut down to the steps that matter.
TEST(Simulate, SeesEveryKindOfFailure) {
    const Driver broken{"broken", nullptr, [](const Script& script, Tally&) -> std::string {
                            for (const Step& step : script.steps) {
                                if (step.verb == "crash") __builtin_trap();
                                if (step.verb == "assert") FAIRLEAD_ASSERT(step.has("never"));
                                volatile bool endless = step.verb == "endless";
                                while (endless) {
                                }
                                if (step.verb == "wrong" && step.number("by") > 3)
                                    return "step 0: wrong: by much";
                            }
                            return "";
                        }};
    const auto play = [&](const std::string& text) {
        return play_apart(broken, *parse_script("world broken\n" + text), 1);
    };
    EXPECT_EQ(play("calm"), "");
    EXPECT_EQ(play("crash").substr(0, 6), "crash:");
    EXPECT_EQ(play("assert").substr(0, 10), "assertion:");
    EXPECT_EQ(play("endless").substr(0, 8), "endless:");
    const Script script = *parse_script("world broken\na x=1\nb\nwrong why=0 by=7.25 rows=@@/@@\nc\nd\n");
    const Script least = shrink(script, [&](const Script& some) { return play_apart(broken, some, 1); });
    EXPECT_EQ(to_text(least), "world broken\nwrong by=7\n");
}

}  // namespace
}  // namespace fairlead::simulate
