// fairlead bake table, and routes looked up with it.
#include <sstream>
#include <string>
#include <vector>

#include "cli/hall.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

class MeshTableCommand : public HallTest {
  protected:
    std::string table_ = temp_path("table.fl");

    [[nodiscard]] json bake_table() const {
        const RunResult run = run_cli({"bake", "table", file_, "-o", table_, "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? json::parse(run.out) : json{};
    }
};

TEST_F(MeshTableCommand, RoutesAreLookedUp) {
    (void)bake({"--tile-size", "5"});
    const json report = bake_table();
    EXPECT_GT(report["corners"], 1);
    EXPECT_EQ(report["bytes"], std::filesystem::file_size(table_));
    const json search = route_json(file_, "2,2", {"--goal", "18,2"});
    const json looked_up = route_json(file_, "2,2", {"--goal", "18,2", "--table", table_});
    EXPECT_EQ(looked_up["planner"], "mesh_table");
    EXPECT_EQ(looked_up["status"], "complete");
    EXPECT_NEAR(looked_up["length"].get<double>(), search["length"].get<double>(), 1e-9);
    // What a table does not answer is searched.
    const json shut = route_json(file_, "2,2", {"--goal", "18,2", "--table", table_, "--closed-areas", "2"});
    EXPECT_EQ(shut["status"], "unreachable");
    EXPECT_EQ(shut["planner"], "any_angle");
    const std::string svg = temp_path("table.svg");
    EXPECT_EQ(route_json(file_, "2,2", {"--goal", "18,2", "--table", table_, "--svg", svg})["status"],
              "complete");
}

TEST_F(MeshTableCommand, Batch) {
    (void)bake({});
    (void)bake_table();
    std::string csv = "id,sx,sy,sz,sh,gx,gy,gz,gh\n";
    for (int i = 0; i < 40; ++i)
        csv += std::to_string(i) + ',' + std::to_string(1 + i % 5) + ',' + std::to_string(1 + i % 7) + ",,," +
               std::to_string(16 + i % 4) + ',' + std::to_string(1 + i % 9) + ",,\n";
    const std::string queries = temp_path("hall.csv"), plain = temp_path("plain.jsonl"),
                      fast = temp_path("fast.jsonl");
    write_text(queries, csv);
    ASSERT_EQ(run_cli({"batch", file_, queries, "-o", plain}).status, 0);
    const RunResult run = run_cli({"batch", file_, queries, "--table", table_, "--threads", "3", "-o", fast});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run_cli({"verify", file_, fast}).status, 0);
    std::istringstream a(read_text(plain)), b(read_text(fast));
    std::string p, q;
    int rows = 0;
    while (std::getline(a, p) && std::getline(b, q)) {
        const json before = json::parse(p), after = json::parse(q);
        EXPECT_EQ(before["id"], after["id"]);
        EXPECT_NEAR(before["length"].get<double>(), after["length"].get<double>(), 1e-9);
        EXPECT_EQ(after["planner"], "mesh_table");
        ++rows;
    }
    EXPECT_EQ(rows, 40);
}

TEST_F(MeshTableCommand, InspectCheckReseal) {
    (void)bake({"--tile-size", "5"});
    const json report = bake_table();
    const RunResult run = run_cli({"inspect", table_, "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json all = json::parse(run.out);
    EXPECT_EQ(all["kind"], "MTAB");
    EXPECT_EQ(all["mesh_table"]["corners"], report["corners"]);
    EXPECT_EQ(all["mesh_table"]["labels"], report["labels"]);
    EXPECT_EQ(run_cli({"check", table_, "--mesh", file_}).status, 0);
    expect_refused({"check", table_}, {"table.fl", "--mesh"});
    expect_refused({"check", file_, "--mesh", file_}, {"--mesh", "tables"});
    // A line too many among the counts: only making it anew tells.
    std::size_t at = 0;
    for (const json& section : all["sections"]) {
        if (section["id"] == "CNTS") at = section["offset"].get<std::size_t>();
    }
    std::string text = read_text(table_);
    text[at] = static_cast<char>(text[at] ^ 1);
    write_text(table_, text);
    EXPECT_EQ(run_cli({"check", table_, "--mesh", file_}).status, 1);
    expect_refused({"route", file_, "--start", "2,2", "--goal", "18,2", "--table", table_},
                   {"table.fl", "checksum"});
    ASSERT_EQ(run_cli({"reseal", table_}).status, 0);
    const RunResult told = run_cli({"check", table_, "--mesh", file_});
    EXPECT_EQ(told.status, 1);
    EXPECT_NE(told.out.find("not what its mesh makes"), std::string::npos) << told.out;
}

TEST_F(MeshTableCommand, OfAnotherMesh) {
    (void)bake({});
    (void)bake_table();
    (void)bake({"--tile-size", "5"});
    expect_refused({"route", file_, "--start", "2,2", "--goal", "18,2", "--table", table_},
                   {"table.fl", "another mesh"});
    const RunResult told = run_cli({"check", table_, "--mesh", file_});
    EXPECT_EQ(told.status, 1);
    EXPECT_NE(told.out.find("another mesh"), std::string::npos) << told.out;
}

TEST_F(MeshTableCommand, OtherMeshesAndRefusals) {
    const std::string rooms = "tests/fixtures/cli/rooms.mesh";
    ASSERT_EQ(run_cli({"bake", "table", rooms, "-o", table_}).status, 0);
    EXPECT_EQ(route_json(rooms, "1,3", {"--goal", "8,1", "--table", table_})["planner"], "mesh_table");
    expect_refused({"bake", "table", kRoom, "-o", table_}, {"room.map", "level mesh"});
    expect_refused({"bake", "table", rooms, "-o", table_, "--bytes-max", "10"},
                   {"rooms.mesh", "--bytes-max"});
    expect_refused({"bake", "table", rooms, "-o", table_, "--threads", "0"}, {"--threads"});
    expect_refused({"route", rooms, "--start", "1,3", "--goal", "8,1", "--table", kRoom}, {"room.map"});
    // The tables of units are another kind, either way round.
    (void)bake({});
    expect_refused({"route", rooms, "--start", "1,3", "--goal", "8,1", "--table", file_},
                   {"hall.fl", "MESH"});
    expect_refused(
        {"route", kYard, "--start", "2,2", "--goal", "5,5", "--turning-radius", "1", "--table", table_},
        {"table.fl", "MTAB"});
    expect_refused({"route", kRoom, "--start", "1,1", "--goal", "2,2", "--table", table_}, {"--table"});
}

}  // namespace
}  // namespace fairlead::testing
