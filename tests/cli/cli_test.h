// What the tests of the commands share: worlds, and how a refusal looks.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.h"

namespace fairlead::testing {

inline const std::string kRoom = "tests/fixtures/cli/room.map";
inline const std::string kSealed = "tests/fixtures/cli/sealed.map";
inline const std::string kYard = "tests/fixtures/cli/yard.map";

[[nodiscard]] inline std::vector<std::string> with(std::vector<std::string> all,
                                                   const std::vector<std::string>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// The route that the program finds; status 0, one line.
[[nodiscard]] inline nlohmann::json route_json(const std::string& world, const std::string& start,
                                               const std::vector<std::string>& more) {
    const RunResult run = run_cli(with({"route", world, "--json", "--start", start}, more));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out_lines().size(), 1u);
    return nlohmann::json::parse(run.out);
}

/// Status 2, nothing on standard output, one line that holds each of the words.
inline void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    const RunResult run = run_cli(arguments);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err_lines().size(), 1u) << run.err;
    for (const std::string& word : words)
        EXPECT_NE(run.err.find(word), std::string::npos) << word << "\n" << run.err;
}

}  // namespace fairlead::testing
