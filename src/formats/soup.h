// What the readers of triangles share.
#pragma once

#include <cstdint>
#include <string_view>

#include <fairlead/formats/triangles.h>

#include "formats/budget.h"

namespace fairlead::formats {

[[nodiscard]] inline Vec3 to_z_up(Vec3 p, UpAxis up) {
    return up == UpAxis::y ? Vec3{p.x, 0.0 - p.z, p.y} : p;
}

/// 0 if the name is not listed.
[[nodiscard]] inline std::uint8_t area_of_name(const TriangleFileOptions& options, std::string_view name) {
    for (std::size_t i = 0; i < options.area_names.size() && i < 63; ++i) {
        if (options.area_names[i] == name) return static_cast<std::uint8_t>(i + 1);
    }
    return 0;
}

/// False if the budget does not allow it.
[[nodiscard]] inline bool add_triangle(TriangleFile& soup, Budget& budget, std::uint32_t a, std::uint32_t b,
                                       std::uint32_t c, std::uint8_t area) {
    if (a == b || b == c || c == a) {
        ++soup.degenerate;
        return true;
    }
    return budget.append(soup.triangles, a) && budget.append(soup.triangles, b) &&
           budget.append(soup.triangles, c) && budget.append(soup.areas, area);
}

}  // namespace fairlead::formats
