// docs/performance.md shows the figures files, and says so where it does not.

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "suites/suite.h"
#include "suites/tables.h"
#include "support/environment.h"
#include "support/run_program.h"

namespace fairlead::testing {
namespace {

TEST(Performance, TheDocumentShowsTheFiguresFiles) {
    const std::string text = read_text(source_path("docs/performance.md"));
    EXPECT_TRUE(bench::with_tables(text, source_path("figures")) == text)
        << "docs/performance.md and figures/*.json differ: ./run bench, or "
           "build/release/bin/fairlead bench --doc docs/performance.md SUITE --figures figures";
}

TEST(Performance, EverySuiteHasItsFileAndTable) {
    const std::string text = read_text(source_path("docs/performance.md"));
    for (const bench::Suite& suite : bench::suites()) {
        EXPECT_TRUE(std::filesystem::exists(source_path("figures/" + std::string(suite.name) + ".json")));
        EXPECT_NE(text.find("<!-- figures " + std::string(suite.name) + ": "), std::string::npos)
            << suite.name;
    }
}

class Tables : public ::testing::Test {
  protected:
    Tables() : folder_(temp_path("figures")) {
        std::filesystem::create_directories(folder_);
        write_text(folder_ + "/memory.json",
                   bench::figures_json(*bench::find_suite("memory"), {{"a", "x", "time", "us", 1.5},
                                                                      {"b", "y", "time", "us", 1234},
                                                                      {"a", "x", "count", "", 7}}));
    }
    std::string made(const std::string& text) { return bench::with_tables(text, folder_); }
    std::string folder_;
};

TEST_F(Tables, RowsAreWorldsAndColumnsSubjects) {
    const std::string text = made("one\n<!-- figures memory: time -->\nold\n<!-- end -->\ntwo\n");
    EXPECT_EQ(text.find("old"), std::string::npos);
    EXPECT_NE(text.find("| time, us | x | y |\n|---|--:|--:|\n| a | 1.50 |  |\n| b |  | 1234 |\n\n`./run "
                        "bench memory`: "),
              std::string::npos)
        << text;
    EXPECT_EQ(text.substr(0, 4), "one\n");
    EXPECT_EQ(text.substr(text.size() - 18), "\n<!-- end -->\ntwo\n") << text;
    EXPECT_EQ(made(text), text);
    EXPECT_NE(made("<!-- figures memory: count -->\n<!-- end -->\n").find("| a | 7 |"), std::string::npos);
}

TEST_F(Tables, WhatIsWrongIsNamed) {
    EXPECT_THROW((void)made("<!-- figures memory: time -->\n"), std::runtime_error);
    EXPECT_THROW((void)made("<!-- figures memory -->\n<!-- end -->\n"), std::runtime_error);
    EXPECT_THROW((void)made("<!-- figures memory: speed -->\n<!-- end -->\n"), std::runtime_error);
    EXPECT_THROW((void)made("<!-- figures edits: time -->\n<!-- end -->\n"), std::runtime_error);
    EXPECT_EQ(made("no tables\n"), "no tables\n");
}

}  // namespace
}  // namespace fairlead::testing
