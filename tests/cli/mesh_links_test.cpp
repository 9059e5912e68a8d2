// Off-mesh links on the command line: from a file, found, on routes, in files, in pictures.
#include <string>
#include <vector>

#include "cli/hall.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

class MeshLinksCommand : public HallTest {
  protected:
    std::string links_ = temp_path("links.json");

    // With the top of the wall.
    [[nodiscard]] static std::vector<std::string> options() {
        return with(HallTest::options(), {"--min-island", "4"});
    }
    [[nodiscard]] json bake(const std::vector<std::string>& more) const {
        return HallTest::bake(with(more, {"--min-island", "4"}));
    }

    // A ladder onto the wall, and a link in the middle of nowhere.
    void SetUp() override {
        HallTest::SetUp();
        write_text(links_, R"({"links": [
            {"id": 5, "from": [4.5, 2, 0], "to": [6.5, 2, 3], "kind": 3, "tag": 9, "one_way": true, "cost": 4},
            {"id": 8, "from": [100, 100, 0], "to": [101, 100, 0], "_why": "nobody knows"}]})");
    }
};

TEST_F(MeshLinksCommand, OfAFile) {
    for (const std::vector<std::string>& tiles :
         {std::vector<std::string>{}, {"--tile-size", "5", "--radius-max", "0.5"}}) {
        const json report = bake(with({"--links", links_}, tiles));
        EXPECT_EQ(report["links"], 2);
        EXPECT_EQ(report["links_found"], 0);
        EXPECT_EQ(report["links_asleep"], 1);
        const json route = route_json(file_, "2,2,0", {"--goal", "6.5,5,3"});
        ASSERT_EQ(route["status"], "complete");
        ASSERT_EQ(route["links"].size(), 1U);
        const json& link = route["links"][0];
        EXPECT_EQ(link["id"], 5);
        EXPECT_EQ(link["kind"], 3);
        EXPECT_EQ(link["tag"], 9);
        EXPECT_NEAR(link["from"][0].get<double>(), 4.5, 0.01);
        EXPECT_NEAR(link["to"][0].get<double>(), 6.5, 0.3);
        EXPECT_NEAR(link["to"][2].get<double>(), 3.0, 0.3);
        EXPECT_NEAR(link["at"].get<double>(), 2.5, 0.01);
        const json& leg = route["legs"][link["leg"].get<std::size_t>()];
        EXPECT_EQ(leg["kind"], "link");
        EXPECT_EQ(leg["link"], 5);
        EXPECT_NEAR(route["cost"].get<double>(), route["length"].get<double>() + 4.0, 1e-9);
        const json shut = route_json(file_, "2,2,0", {"--goal", "6.5,5,3", "--closed-links", "1,3"});
        EXPECT_EQ(shut["status"], "unreachable");
        EXPECT_EQ(route_json(file_, "6.5,5,3", {"--goal", "2,2,0"})["status"], "unreachable");  // one way
    }
    const RunResult text = run_cli({"route", file_, "--start", "2,2,0", "--goal", "6.5,5,3"});
    EXPECT_NE(text.out.find("link      5 of kind 3, tag 9, after 2.5"), std::string::npos) << text.out;
}

TEST_F(MeshLinksCommand, ThoseOnNoSurfaceAreTold) {
    const RunResult run = run_cli(with({"bake", "navmesh", obj_, "-o", file_, "--links", links_}, options()));
    EXPECT_EQ(run.status, 0);
    ASSERT_EQ(run.err_lines().size(), 1U) << run.err;
    EXPECT_NE(run.err.find("links.json: on no surface, so not in use: 8"), std::string::npos) << run.err;
    EXPECT_NE(run.out.find("2 links (0 found)"), std::string::npos) << run.out;
}

TEST_F(MeshLinksCommand, JumpsAreFound) {
    const json report =
        bake({"--links", links_, "--jumps", "--jump-kind-down", "7", "--jump-tag-down", "11"});
    EXPECT_GT(report["links_found"], 2);
    EXPECT_EQ(report["links"], report["links_found"].get<int>() + 2);
    const json down = route_json(file_, "6.5,5,3", {"--goal", "2,2,0"});
    ASSERT_EQ(down["status"], "complete");
    ASSERT_EQ(down["links"].size(), 1U);
    EXPECT_EQ(down["links"][0]["kind"], 7);
    EXPECT_EQ(down["links"][0]["tag"], 11);
    EXPECT_GT(down["links"][0]["id"], 8);  // behind those of the file
    const json shut = route_json(file_, "6.5,5,3", {"--goal", "2,2,0", "--closed-links", "7"});
    EXPECT_EQ(shut["status"], "unreachable");
    // A wall of 3 is too high for those who jump down 2.
    EXPECT_EQ(bake({"--jumps", "--jump-drop-max", "2"})["links_found"], 0);
    EXPECT_EQ(route_json(file_, "6.5,5,3", {"--goal", "2,2,0"})["status"], "unreachable");
}

TEST_F(MeshLinksCommand, BatchAndVerify) {
    (void)bake({"--links", links_, "--jumps"});
    const std::string queries = temp_path("links.csv"), out = temp_path("links.jsonl");
    write_text(queries,
               "id,sx,sy,sz,sh,gx,gy,gz,gh\n1,2,2,0,,6.5,5,3,\n2,6.5,5,3,,18,2,0,\n3,2,2,0,,4,2,0,\n");
    const RunResult run = run_cli({"batch", file_, queries, "-o", out});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("3 routes, 3 complete"), std::string::npos) << run.out;
    std::istringstream lines(read_text(out));
    std::string line;
    for (const bool linked : {true, true, false}) {
        ASSERT_TRUE(std::getline(lines, line));
        EXPECT_EQ(json::parse(line).contains("links"), linked) << line;
    }
    const RunResult good = run_cli({"verify", file_, out});
    EXPECT_EQ(good.status, 0) << good.out;
    const RunResult bad = run_cli({"verify", file_, out, "--closed-links", "3"});
    EXPECT_EQ(bad.status, 1);
    EXPECT_NE(bad.out.find("3 routes, 2 legal, 1 illegal"), std::string::npos) << bad.out;
}

TEST_F(MeshLinksCommand, FilesAndPictures) {
    const json report = bake({"--links", links_, "--jumps"});
    const RunResult run = run_cli({"inspect", file_, "--json"});
    const json all = json::parse(run.out);
    EXPECT_EQ(all["version"], "1.2");
    EXPECT_EQ(all["mesh"]["links"], report["links"]);
    EXPECT_EQ(all["mesh"]["links_asleep"], 1);
    EXPECT_EQ(run_cli({"check", file_}).status, 0);
    // Out, and in again: the same file.
    const std::string obj = temp_path("hall_out.obj"), picture = temp_path("hall.svg"),
                      links = temp_path("links_out.json");
    ASSERT_EQ(run_cli({"export", file_, "-o", obj, "--links-out", links}).status, 0);
    const std::string before = read_text(file_);
    EXPECT_EQ(bake({"--links", links})["links"], report["links"]);
    EXPECT_EQ(read_text(file_), before);
    ASSERT_EQ(run_cli({"export", file_, "-o", picture}).status, 0);
    const std::string svg = read_text(picture);
    EXPECT_EQ(XmlCheck::run(svg), "");
    EXPECT_NE(svg.find("class=\"links\""), std::string::npos);
    (void)route_json(file_, "2,2,0", {"--goal", "6.5,5,3", "--svg", picture});
    EXPECT_NE(read_text(picture).find("class=\"links\""), std::string::npos);
    (void)bake({});
    ASSERT_EQ(run_cli({"export", file_, "-o", picture}).status, 0);
    EXPECT_EQ(read_text(picture).find("class=\"links\""), std::string::npos);
}

TEST_F(MeshLinksCommand, Refusals) {
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with(with({"bake", "navmesh", obj_, "-o", file_}, options()), more), words);
    };
    refused({"--jump-gap-max", "4"}, {"--jump-gap-max", "only with --jumps"});
    refused({"--jumps", "--jump-gap-max", "-1"}, {"--jump-gap-max", "range"});
    refused({"--jumps", "--jump-kind-down", "64"}, {"--jump-kind-down", "0 to 63"});
    refused({"--jumps", "--jump-tag-across", "1.5"}, {"--jump-tag-across"});
    refused({"--jumps", "--links", links_, "--jump-first-id", "5"}, {"--jump-first-id", "link 5"});
    refused({"--links", "no_such.json"}, {"no_such.json"});
    const std::string bad = temp_path("bad.json");
    write_text(bad, "{\"links\": [\n{\"id\": 1, \"from\": [0, 0, 0], \"to\": [1, 0]}]}");
    refused({"--links", bad}, {"bad.json:2:36"});
    write_text(bad, "{\"links\": [\n{\"id\": 1, \"from\": [0,0,0], \"to\": [1,0,0], \"kind\": 64}]}");
    refused({"--links", bad}, {"bad.json:2:"});
    expect_refused({"route", kRoom, "--start", "1,1", "--goal", "2,2", "--closed-links", "1"},
                   {"--closed-links: for level meshes only"});
    (void)bake({});
    expect_refused({"route", file_, "--start", "1,1", "--goal", "2,2", "--closed-links", "64"}, {"0 to 63"});
}

}  // namespace
}  // namespace fairlead::testing
