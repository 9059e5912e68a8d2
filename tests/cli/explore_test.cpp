// fairlead explore: what a unit without a map walks is legal, and what it says of it holds.

#include "cli/cli_test.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::string kExploreScene = "scenes/explore.json";

std::vector<std::string> explore_arguments(const std::vector<std::string>& more) {
    return with({"explore", kExploreScene, "--start", "3.5,13.5", "--goal", "53.5,15.5", "--radius", "0.4"},
                more);
}

json explored(const std::vector<std::string>& more) {
    const RunResult run = run_cli(with(explore_arguments(more), {"--json"}));
    EXPECT_EQ(run.status, 0) << run.err;
    return json::parse(run.out);
}

TEST(ExploreCommand, EveryModeArrivesLegally) {
    for (const char* mode : {"free_space", "compass", "horizon"}) {
        const json line = explored({"--mode", mode, "--sight", "7"});
        EXPECT_EQ(line["explore"]["mode"], mode);
        EXPECT_EQ(line["explore"]["status"], "arrived") << mode;
        EXPECT_EQ(line["status"], "complete");
        EXPECT_GT(line["explore"]["seen"].get<int>(), 300);
        EXPECT_NEAR(line["end"]["x"].get<double>(), 53.5, 1e-9);
        const std::string path = temp_path("walked.jsonl");
        write_text(path, line.dump() + "\n");
        const RunResult judged = run_cli({"verify", kExploreScene, path, "--radius", "0.4"});
        EXPECT_EQ(judged.status, 0) << judged.out << judged.err;
    }
}

TEST(ExploreCommand, WhoSeesAllWalksTheBestWay) {
    const json far = explored({"--sight", "200", "--stride", "200"});
    const RunResult run = run_cli(
        {"route", kExploreScene, "--start", "3.5,13.5", "--goal", "53.5,15.5", "--radius", "0.4", "--json"});
    const double best = json::parse(run.out)["length"].get<double>();
    const json blind = explored({"--sight", "2"});
    EXPECT_GE(far["length"].get<double>(), best - 1e-9);
    EXPECT_GT(blind["length"].get<double>(), best);
}

TEST(ExploreCommand, TextPictureAndRegions) {
    const std::string svg = temp_path("explore.svg"), areas = temp_path("areas.txt");
    std::string text;
    for (int y = 0; y < 27; ++y) text += std::string(28, y < 13 ? 'n' : 's') + std::string(28, 'e') + "\n";
    write_text(areas, text);
    const RunResult run = run_cli(explore_arguments({"--mode", "compass", "--regions", areas, "--svg", svg}));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out_lines()[0].substr(0, 10), "status    ");
    EXPECT_EQ(XmlCheck::run(read_text(svg)), "");
    write_text(areas, text + "extra\n");
    expect_refused(explore_arguments({"--mode", "compass", "--regions", areas}), {areas, ":28", "27 rows"});
    write_text(areas, "short\n");
    expect_refused(explore_arguments({"--mode", "compass", "--regions", areas}), {areas, ":1", "56 columns"});
}

TEST(ExploreCommand, RefusesWhatItCannotDo) {
    expect_refused(explore_arguments({"--mode", "map"}), {"--mode", "map", "horizon"});
    expect_refused(explore_arguments({"--sight", "0"}), {"--sight"});
    expect_refused(explore_arguments({"--stride", "-1"}), {"--stride"});
    expect_refused(explore_arguments({"--mode", "compass", "--region-cells", "1"}), {"--region-cells"});
    expect_refused(explore_arguments({"--detour-max", "2"}), {"--detour-max", "compass"});
    expect_refused(explore_arguments({"--turning-radius", "2"}), {"--turning-radius"});
    expect_refused({"explore", "scenes/wrap_seam.json", "--start", "1.5,1.5", "--goal", "3.5,1.5"}, {"wrap"});
    expect_refused({"explore", "scenes/roadmaps/harbour.json", "--start", "1,1", "--goal", "3,1"},
                   {"tile maps"});
}

}  // namespace
}  // namespace fairlead::testing
