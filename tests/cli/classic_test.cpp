// fairlead classic: the articles' program by its flags; what verify and explain say of its legs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kSqueeze = "tests/fixtures/cli/squeeze.map";
const std::vector<std::string> kThrough{"--start", "12.5,1.5", "--goal", "2.5,7.5", "--radius", "0.45"};

json classic_json(const std::string& world, const std::vector<std::string>& more) {
    const RunResult run = run_cli(with({"classic", world, "--json"}, more));
    EXPECT_EQ(run.status, 0) << run.err;
    return run.status == 0 ? json::parse(run.out) : json{};
}

TEST(ClassicCommand, FlagsTheImpossibleLegAndVerifyAndExplainAgree) {  // P5, the article's figure 4
    const json way = classic_json(kSqueeze, kThrough);
    EXPECT_EQ(way["status"], "complete");
    EXPECT_EQ(way["planner"], "classic");
    EXPECT_EQ(way["classic"]["legal"], false);
    ASSERT_EQ(way["classic"]["impossible"].size(), 1U);
    const std::string file = temp_path("squeeze.jsonl");
    write_text(file, way.dump() + "\n");
    const RunResult judged = run_cli({"verify", kSqueeze, file, "--radius", "0.45", "--each-leg", "--json"});
    EXPECT_EQ(judged.status, 1);
    const json line = json::parse(judged.out_lines().at(0));
    ASSERT_EQ(line["legs"].size(), 1U);
    EXPECT_EQ(line["legs"][0]["leg"], way["classic"]["impossible"][0]);
    EXPECT_EQ(line["legs"][0]["kind"], "wall");
    const RunResult why = run_cli({"explain", kSqueeze, "--routes", file, "--radius", "0.45", "--json"});
    EXPECT_EQ(why.status, 0) << why.err;
    const json reason = json::parse(why.out);
    ASSERT_EQ(reason["impossible"].size(), 1U);
    EXPECT_EQ(reason["impossible"][0]["leg"], way["classic"]["impossible"][0]);
    EXPECT_LT(reason["impossible"][0]["fits"].get<double>(), 1e-5);  // through the corner only a point passes
    const RunResult text = run_cli({"explain", kSqueeze, "--routes", file, "--radius", "0.45"});
    EXPECT_NE(text.out.find("would need radius <="), std::string::npos) << text.out;
    // A point may.
    EXPECT_EQ(run_cli({"verify", kSqueeze, file, "--each-leg"}).status, 0);
    EXPECT_EQ(classic_json(kSqueeze, with(kThrough, {"--body"}))["status"], "unreachable");
}

TEST(ClassicCommand, EverySwitchIsAFlag) {  // G4
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
             {"--neighbours", "4"},
             {"--neighbours", "24", "--body"},
             {"--neighbours", "48", "--open", "tree", "--heuristic", "lower_bound"},
             {"--open", "heap", "--smooth", "none", "--grow"},
             {"--probe", "square", "--granularity", "0.05"},
             {"--probe", "exact", "--budget", "100000"},
             {"--turning-radius", "0.5", "--curves"},
             {"--turning-radius", "0.5", "--smooth", "ahead"},
             {"--turning-radius", "0.5", "--search", "directional", "--neighbours", "24"},
             {"--turning-radius", "0.5", "--search", "directional", "--facings", "16"},
             {"--turning-radius", "0.5", "--search", "hybrid"}}) {
        const RunResult run = run_cli(with(with({"classic", kSqueeze}, {"--start", "10.5,0.5,,0", "--goal",
                                                                        "14.5,3.5,,90", "--radius", "0.2"}),
                                           more));
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("status    "), std::string::npos);
    }
}

TEST(ClassicCommand, RefusesWhatExcludesEachOtherAndWhatMeansNothing) {
    const std::vector<std::string> ask{"classic", kSqueeze, "--start", "10.5,0.5", "--goal", "14.5,3.5"};
    expect_refused(with(ask, {"--curves"}), {"turning radius"});
    expect_refused(with(ask, {"--search", "directional"}), {"turning radius"});
    expect_refused(with(ask, {"--turning-radius", "1", "--search", "directional", "--neighbours", "4"}),
                   {"8, 24 or 48"});
    expect_refused(with(ask, {"--turning-radius", "1", "--search", "hybrid", "--probe", "diamond"}),
                   {"exact"});
    expect_refused(with(ask, {"--search", "sideways"}), {"--search", "tiles, directional, hybrid"});
    expect_refused(with(ask, {"--neighbours", "6"}), {"--neighbours"});
    expect_refused(with(ask, {"--granularity", "0"}), {"--granularity"});
    expect_refused(with(ask, {"--ignore-bounds"}), {"--ignore-bounds"});
    expect_refused({"explain", kSqueeze, "--routes", "x", "--start", "1,1"}, {"--start", "--routes"});
    expect_refused({"explain", kSqueeze, "--goal", "1,1"}, {"--start is required"});
}

TEST(ClassicCommand, RoutesSayHowOftenTheyTurn) {  // P1
    const json zigzag = classic_json("tests/fixtures/cli/squeeze.map",
                                     {"--start", "9.5,0.5", "--goal", "15.5,3.5", "--smooth", "none"});
    EXPECT_GE(zigzag["shape"]["turns"].get<int>(), 1);
    EXPECT_LT(zigzag["shape"]["straightness"].get<double>(), 0.95);
    const json taut = route_json(kSqueeze, "9.5,0.5", {"--goal", "15.5,3.5", "--radius", "0.4"});
    EXPECT_EQ(taut["shape"]["turns"], 0);
    EXPECT_EQ(taut["shape"]["straightness"], 1.0);
}

}  // namespace
}  // namespace fairlead::testing
