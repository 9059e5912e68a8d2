// fairlead bake, inspect, check, reseal, and routes with a baked table.

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

const std::vector<std::string> kTruck{"--turning-radius", "2", "--length", "2", "--width", "1"};

class BakedCommand : public ::testing::Test {
  protected:
    std::string file_ = temp_path("table.fl");

    void SetUp() override {
        const RunResult run = run_cli(with({"bake", "index", kYard, "-o", file_}, kTruck));
        ASSERT_EQ(run.status, 0) << run.err;
    }
    void TearDown() override { std::filesystem::remove(file_); }

    [[nodiscard]] RunResult route(const std::vector<std::string>& more) const {
        std::vector<std::string> all{"route",          kYard,   "--start", "2.5,2.5,,0", "--goal",
                                     "20.3,13.7,,200", "--json"};
        all.insert(all.end(), more.begin(), more.end());
        return run_cli(all);
    }
    [[nodiscard]] RunResult route_with_table(std::vector<std::string> unit) const {
        unit.insert(unit.end(), {"--table", file_});
        return route(unit);
    }
    void alter(std::size_t at) const {
        std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(static_cast<std::streamoff>(at));
        const int byte = file.get();
        file.seekp(static_cast<std::streamoff>(at));
        file.put(static_cast<char>(byte ^ 1));
    }
};

TEST_F(BakedCommand, TheRouteIsTheSameAsWithoutATable) {
    const RunResult plain = route(kTruck);
    const RunResult baked = route_with_table(kTruck);
    ASSERT_EQ(plain.status, 0) << plain.err;
    ASSERT_EQ(baked.status, 0) << baked.err;
    const json a = json::parse(plain.out);
    const json b = json::parse(baked.out);
    EXPECT_EQ(a["status"], "complete");
    EXPECT_EQ(a["legs"], b["legs"]);
    EXPECT_EQ(a["stats"]["digest"], b["stats"]["digest"]);
}

TEST_F(BakedCommand, InspectTellsWhatItIs) {
    const RunResult run = run_cli({"inspect", file_, "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const json all = json::parse(run.out);
    EXPECT_EQ(all["kind"], "DTAB");
    EXPECT_EQ(all["bytes"], std::filesystem::file_size(file_));
    EXPECT_EQ(all["table"]["body"], "box");
    EXPECT_EQ(all["table"]["turning_radius"], 2.0);
    EXPECT_EQ(all["sections"].size(), 7U);
    EXPECT_NE(run_cli({"inspect", file_}).out.find("primitives"), std::string::npos);
}

TEST_F(BakedCommand, CheckSeesDamageAndWhatResealHides) {
    EXPECT_EQ(run_cli({"check", file_}).status, 0);
    const json all = json::parse(run_cli({"inspect", file_, "--json"}).out);
    // The last byte of the first run: one cell more or less.
    std::size_t at = 0;
    for (const json& section : all["sections"]) {
        if (section["id"] == "RUNS") at = section["offset"].get<std::size_t>() + 4;
    }
    alter(at);
    const RunResult damaged = run_cli({"check", file_});
    EXPECT_EQ(damaged.status, 1);
    EXPECT_NE(damaged.out.find("checksum"), std::string::npos);
    EXPECT_EQ(route_with_table(kTruck).status, 2);
    ASSERT_EQ(run_cli({"reseal", file_}).status, 0);
    const RunResult forged = run_cli({"check", file_});
    EXPECT_EQ(forged.status, 1);
    EXPECT_NE(forged.out.find("not what its unit and options make"), std::string::npos) << forged.out;
}

TEST_F(BakedCommand, RefusedWithAReason) {
    const auto refused = [](const RunResult& run, const std::string& word) {
        EXPECT_EQ(run.status, 2);
        EXPECT_EQ(run.err_lines().size(), 1U) << run.err;
        EXPECT_NE(run.err.find(word), std::string::npos) << run.err;
    };
    refused(route_with_table({"--turning-radius", "3", "--length", "2", "--width", "1"}), "another unit");
    std::vector<std::string> more = kTruck;
    more.insert(more.end(), {"--headings", "16"});
    refused(route_with_table(more), "--table");
    refused(route_with_table({"--radius", "0.4"}), "--turning-radius");
    refused(run_cli({"bake", "index", kYard, "-o", file_, "--radius", "0.4"}), "--turning-radius");
    refused(run_cli({"inspect", kYard}), "not a baked file");
    refused(run_cli({"reseal", kYard}), "not a baked file");
    refused(run_cli({"check", "no_such.fl"}), "no_such.fl");
    EXPECT_EQ(run_cli({"check", kYard}).status, 1);
}

}  // namespace
}  // namespace fairlead::testing
