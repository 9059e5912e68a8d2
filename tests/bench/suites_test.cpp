// The suites of measurements: each runs on worlds of our own and finds nothing wrong; what the headers state is so.

#include <gtest/gtest.h>

#include "suites/suite.h"

namespace fairlead::testing {
namespace {

std::vector<bench::Figure> quick_figures(const std::string& name) {
    bench::Report report;
    const bench::Suite* suite = bench::find_suite(name);
    if (suite != nullptr) suite->run({.data = {}, .quick = true}, report);
    return report.figures();
}

class EverySuite : public ::testing::TestWithParam<std::string> {};

TEST_P(EverySuite, RunsOnWorldsOfOurOwn) {
    const std::vector<bench::Figure> figures = quick_figures(GetParam());
    EXPECT_FALSE(figures.empty());
    for (const bench::Figure& figure : figures) {
        const std::string name = figure.world + ", " + figure.subject + ", " + figure.what;
        EXPECT_GE(figure.value, 0.0) << name;
        EXPECT_LT(figure.value, 1e9) << name;
        const bool time = figure.unit == "us" || figure.unit == "ms" || figure.unit == "ns";
        EXPECT_TRUE(!time || figure.value > 0.0) << name;
        const bool fault = figure.subject == "wrong lengths" || figure.subject == "illegal";
        EXPECT_TRUE(!fault || figure.value == 0.0) << name;
    }
}

std::vector<std::string> suite_names() {
    std::vector<std::string> names;
    for (const bench::Suite& suite : bench::suites()) names.push_back(suite.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Suites, EverySuite, ::testing::ValuesIn(suite_names()),
                         [](const auto& test) { return test.param; });

TEST(Sealed, NoSearchForASizeThatIsRegistered) {
    for (const bench::Figure& figure : quick_figures("sealed")) {
        if (figure.what != "most expansions" || figure.subject == "radius 1.4, not registered") continue;
        EXPECT_LT(figure.value, 64) << figure.world << ", " << figure.subject;
    }
}

TEST(Figures, TheFileHoldsThem) {
    const bench::Suite* suite = bench::find_suite("memory");
    ASSERT_NE(suite, nullptr);
    const std::string text =
        bench::figures_json(*suite, {{"a world", "base", "bytes a cell", "", 1.23456789}});
    EXPECT_NE(text.find("\"command\": \"./run bench memory\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"value\": 1.235"), std::string::npos) << text;
    EXPECT_EQ(bench::find_suite("no such suite"), nullptr);
}

}  // namespace
}  // namespace fairlead::testing
