// A volume for the tests of the commands: 12 x 8 x 6 voxels with a wall of one voxel (x = 5) that leaves the top layer open, and a voxel at
// (10, 1, 1) that is shut in.
#pragma once

#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/run_program.h"

namespace fairlead::testing {

inline constexpr int kSpaceSolid = 8 * 5 + 6;

inline std::string space_map() {
    std::ostringstream out;
    out << "voxel 12 8 6\n";
    for (int y = 0; y < 8; ++y) {
        for (int z = 0; z < 5; ++z) out << 5 << ' ' << y << ' ' << z << '\n';
    }
    out << "9 1 1\n11 1 1\n10 0 1\n10 2 1\n10 1 0\n10 1 2\n";
    return out.str();
}

class SpaceTest : public ::testing::Test {
  protected:
    std::string map_ = temp_path("space.3dmap");

    void SetUp() override { write_text(map_, space_map()); }

    [[nodiscard]] nlohmann::json route(const std::string& start, const std::string& goal,
                                       const std::vector<std::string>& more = {}) const {
        return route_json(map_, start, with({"--goal", goal}, more));
    }
};

/// Of the legs of a route in JSON.
inline double length_in_space(const nlohmann::json& route) {
    double sum = 0.0;
    for (const nlohmann::json& leg : route["legs"])
        sum += std::hypot(leg["length"].get<double>(), leg["rise"].get<double>());
    return sum;
}

}  // namespace fairlead::testing
