// Level meshes drawn with characters, for named scenes: a square of one unit for each character but '#', rows from the top down.
// '.' is area 0, a digit its area. The low corner of the last row's first cell is (0, 0).
#pragma once

#include <string>
#include <vector>

#include "support/plain_mesh.h"

namespace fairlead::testing {

inline PlainMesh cell_mesh(const std::vector<std::string>& rows) {
    PlainMesh out;
    const std::size_t width = rows[0].size(), height = rows.size();
    for (std::size_t y = 0; y <= height; ++y) {
        for (std::size_t x = 0; x <= width; ++x)
            out.vertices.push_back({static_cast<double>(x), static_cast<double>(y), 0.0});
    }
    const auto vertex = [&](std::size_t x, std::size_t y) {
        return static_cast<std::uint32_t>(y * (width + 1) + x);
    };
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const char c = rows[height - 1 - y][x];
            if (c == '#') continue;
            out.polygons.push_back({vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)});
            out.areas.push_back(c == '.' ? std::uint8_t{0} : static_cast<std::uint8_t>(c - '0'));
        }
    }
    return out;
}

}  // namespace fairlead::testing
