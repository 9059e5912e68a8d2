// fairlead bench: suites, formats, the check of a document.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.h"

namespace fairlead::testing {
namespace {

TEST(Bench, SuitesAreListed) {
    const RunResult run = run_cli({"bench", "--list"});
    EXPECT_EQ(run.status, 0);
    for (const char* suite : {"tiles", "edits", "dynamic", "memory", "build", "smooth", "planners", "sealed"})
        EXPECT_NE(run.out.find(suite), std::string::npos) << suite;
}

TEST(Bench, CsvAndJson) {
    const RunResult csv = run_cli({"bench", "memory", "--quick", "--csv"});
    EXPECT_EQ(csv.status, 0) << csv.err;
    ASSERT_GT(csv.out_lines().size(), 4u);
    EXPECT_EQ(csv.out_lines()[0], "suite,world,subject,what,value,unit");
    EXPECT_EQ(split(csv.out_lines()[1], ',').size(), 6u);
    const RunResult text = run_cli({"bench", "memory", "--quick", "--json"});
    EXPECT_EQ(text.status, 0) << text.err;
    const nlohmann::json file = nlohmann::json::parse(text.out);
    EXPECT_EQ(file.at("suite"), "memory");
    EXPECT_EQ(file.at("figures").size(), csv.out_lines().size() - 1);
}

TEST(Bench, TheCheckFindsAChangedNumber) {
    const std::string doc = read_text("docs/performance.md");
    const std::string changed = temp_path("performance.md");
    const std::size_t table = doc.find("--:|\n");
    ASSERT_NE(table, std::string::npos);
    const std::size_t digit = doc.find_first_of("0123456789", doc.find("| ", doc.find("| ", table) + 3));
    std::string other = doc;
    other[digit] = other[digit] == '9' ? '8' : '9';
    write_text(changed, other);
    const RunResult same = run_cli({"bench", "--doc", "docs/performance.md", "--check"});
    EXPECT_EQ(same.status, 0) << same.out << same.err;
    const RunResult differs = run_cli({"bench", "--doc", changed, "--check"});
    EXPECT_EQ(differs.status, 1) << differs.err;
    EXPECT_EQ(differs.out_lines().size(), 1u);
    EXPECT_EQ(read_text(changed), other);
}

TEST(Bench, BadUsageIsTwo) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"bench", "speed"},
          {"bench", "memory", "--data", "no/such/folder"},
          {"bench", "--check"},
          {"bench", "--doc", "no/such/file.md", "--check"},
          {"bench", "memory", "--quick", "--figures", temp_path("figures")}}) {
        const RunResult run = run_cli(arguments);
        EXPECT_EQ(run.status, 2) << arguments.back();
        EXPECT_EQ(run.err_lines().size(), 1u) << run.err;
    }
}

}  // namespace
}  // namespace fairlead::testing
