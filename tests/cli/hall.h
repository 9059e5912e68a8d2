// A level to bake, for the tests of the commands that bake and use meshes.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_test.h"
#include "support/environment.h"
#include "support/run_program.h"

namespace fairlead::testing {

/// A hall of 20 x 12 with a wall that has a way round its end, and a pool (material "water") across the other half, which begins
/// at x = `pool`. z up.
inline std::string hall(double pool = 12.0) {
    std::ostringstream out;
    int vertices = 0;
    const auto quad = [&](double x0, double y0, double x1, double y1, double z) {
        for (const auto& [x, y] : {std::pair{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
            out << "v " << x << ' ' << y << ' ' << z << '\n';
        out << "f " << vertices + 1 << ' ' << vertices + 2 << ' ' << vertices + 3 << ' ' << vertices + 4
            << '\n';
        vertices += 4;
    };
    out << "usemtl stone\n";
    quad(0, 0, 20, 12, 0);
    quad(6, 0, 7, 9, 3);  // the top of a wall: too high to step on, and no head room below it
    out << "usemtl water\n";
    quad(pool, 0, pool + 3, 12, 0.05);
    return out.str();
}

/// Files of a hall, baked by the program.
class HallTest : public ::testing::Test {
  protected:
    std::string obj_ = temp_path("hall.obj"), file_ = temp_path("hall.fl");

    void SetUp() override { write_text(obj_, hall()); }

    [[nodiscard]] static std::vector<std::string> options() {
        return {"--up", "z", "--cell-size", "0.25", "--radius", "0.25", "--height", "3.5", "--area", "water"};
    }
    [[nodiscard]] nlohmann::json bake(const std::vector<std::string>& more) const {
        return bake_to(file_, more);
    }
    [[nodiscard]] nlohmann::json bake_to(const std::string& out, const std::vector<std::string>& more) const {
        const RunResult run =
            run_cli(with(with({"bake", "navmesh", obj_, "-o", out, "--json"}, options()), more));
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? nlohmann::json::parse(run.out) : nlohmann::json{};
    }
    void alter(std::size_t at) const {
        std::string text = read_text(file_);
        text[at] = static_cast<char>(text[at] ^ 1);
        write_text(file_, text);
    }
};

}  // namespace fairlead::testing
