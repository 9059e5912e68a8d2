// fairlead bake hierarchy, and routes over it.
#include <filesystem>
#include <string>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

class HierarchyCommand : public ::testing::Test {
  protected:
    std::string map_ = temp_path("blocks.map");
    std::string file_ = temp_path("blocks.fl");

    // 700 x 80 tiles, a wall with one gap every 20.
    void SetUp() override {
        std::string text = "type octile\nheight 80\nwidth 700\nmap\n";
        for (int y = 0; y < 80; ++y) {
            for (int x = 0; x < 700; ++x)
                text += x % 20 == 10 && y != (x * 7) % 80 && y != (x * 7) % 80 + 1 ? '@' : '.';
            text += '\n';
        }
        write_text(map_, text);
    }
    [[nodiscard]] json bake(const std::vector<std::string>& more = {}) const {
        const RunResult run = run_cli(with({"bake", "hierarchy", map_, "-o", file_, "--json"}, more));
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? json::parse(run.out) : json{};
    }
};

TEST_F(HierarchyCommand, RoutesGoOverIt) {
    const json report = bake({"--threads", "3"});
    EXPECT_EQ(report["cells"], 56000);
    EXPECT_EQ(report["bytes"], std::filesystem::file_size(file_));
    const json flat = route_json(map_, "2.5,2.5", {"--goal", "697.5,70.5"});
    const json over = route_json(map_, "2.5,2.5", {"--goal", "697.5,70.5", "--hierarchy", file_});
    EXPECT_EQ(over["planner"], "hierarchy");
    EXPECT_EQ(over["status"], "complete");
    EXPECT_LT(over["length"].get<double>(), 1.03 * flat["length"].get<double>());
    EXPECT_EQ(route_json(map_, "2.5,2.5", {"--goal", "60.5,70.5", "--hierarchy", file_})["planner"],
              flat["planner"]);
    const std::string queries = temp_path("blocks.csv"), routes = temp_path("blocks.jsonl");
    write_text(queries, "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,2.5,2.5,,,697.5,70.5,,\n");
    ASSERT_EQ(run_cli({"batch", map_, queries, "--hierarchy", file_, "-o", routes}).status, 0);
    EXPECT_EQ(run_cli({"verify", map_, routes}).status, 0);
}

TEST_F(HierarchyCommand, InspectCheckReseal) {
    (void)bake();
    const RunResult run = run_cli({"inspect", file_, "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json all = json::parse(run.out);
    EXPECT_EQ(all["kind"], "HIER");
    EXPECT_EQ(all["hierarchy"]["width"], 700);
    EXPECT_EQ(run_cli({"check", file_, "--map", map_}).status, 0);
    expect_refused({"check", file_}, {"blocks.fl", "--map"});
    std::string text = read_text(file_);
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
    write_text(file_, text);
    EXPECT_EQ(run_cli({"check", file_, "--map", map_}).status, 1);
    expect_refused({"route", map_, "--start", "2.5,2.5", "--goal", "697.5,70.5", "--hierarchy", file_},
                   {"blocks.fl", "checksum"});
    ASSERT_EQ(run_cli({"reseal", file_}).status, 0);
    EXPECT_EQ(run_cli({"check", file_, "--map", map_}).status, 1);
}

TEST_F(HierarchyCommand, OfAnotherMapOrUnit) {
    (void)bake();
    expect_refused({"route", kRoom, "--start", "1.5,1.5", "--goal", "2.5,1.5", "--hierarchy", file_},
                   {"blocks.fl", "another unit, or of a map of another size"});
    expect_refused(
        {"route", map_, "--start", "2.5,2.5", "--goal", "9.5,2.5", "--radius", "1.2", "--hierarchy", file_},
        {"blocks.fl", "another unit"});
    std::string text = read_text(map_);
    text[text.size() - 5] = '@';
    write_text(map_, text);
    expect_refused({"route", map_, "--start", "2.5,2.5", "--goal", "9.5,2.5", "--hierarchy", file_},
                   {"blocks.fl", "bake it anew"});
    const RunResult told = run_cli({"check", file_, "--map", map_});
    EXPECT_EQ(told.status, 1);
    EXPECT_NE(told.out.find("bake it anew"), std::string::npos) << told.out;
}

TEST_F(HierarchyCommand, Refusals) {
    expect_refused({"bake", "hierarchy", "tests/fixtures/cli/rooms.mesh", "-o", file_},
                   {"rooms.mesh", "tile map"});
    expect_refused({"bake", "hierarchy", map_, "-o", file_, "--turning-radius", "3"}, {"bake index"});
    expect_refused(
        {"route", "tests/fixtures/cli/rooms.mesh", "--start", "1,3", "--goal", "8,1", "--hierarchy", file_},
        {"--hierarchy"});
    expect_refused({"route", map_, "--start", "2.5,2.5", "--goal", "9.5,2.5", "--turning-radius", "2",
                    "--hierarchy", file_},
                   {"--hierarchy"});
    expect_refused({"route", map_, "--start", "2.5,2.5", "--goal", "9.5,2.5", "--hierarchy", map_},
                   {"blocks.map"});
}

}  // namespace
}  // namespace fairlead::testing
