// What the tests of driving share: ways across the yard.
#pragma once

#include <string>
#include <vector>

#include "cli/cli_test.h"

namespace fairlead::testing {

[[nodiscard]] inline std::vector<std::string> yard_route(const std::vector<std::string>& more) {
    return with({"route", kYard, "--start", "2.5,2.5,,0", "--goal", "20.3,13.7,,200"}, more);
}

/// What verify says of one route, and how the program ended.
[[nodiscard]] inline RunResult judged(const std::string& line, const std::vector<std::string>& unit) {
    const std::string file = temp_path("judged.jsonl");
    write_text(file, line);
    return run_cli(with({"verify", kYard, file}, unit));
}

}  // namespace fairlead::testing
