// The headings of a lattice: 8, 16 or 32 directions that lead from cell to cell.
//
// They are directions of small whole-number steps, not equal parts of a circle: of 16, heading 1 is that of the step
// (2, 1), 26.57 degrees. So a straight way in any heading comes back to a cell's centre after a step or two, where equal
// parts would need a curve for it. All 45-degree headings are among them. Sprites with equal facings are served
// apart (fixed-angle following).
//
// Numbered counter-clockwise from +x; a quarter turn is count / 4 further.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>

namespace fairlead {

inline constexpr std::int32_t kHeadingsMax = 32;

/// Is this a number of headings that a lattice can have? 8, 16, 32.
[[nodiscard]] constexpr bool good_heading_count(std::int32_t count) {
    return count == 8 || count == 16 || count == 32;
}

struct HeadingStep {
    std::int8_t dx = 1;
    std::int8_t dy = 0;

    friend constexpr bool operator==(const HeadingStep&, const HeadingStep&) = default;
};

/// The smallest step in a heading's direction. 0 <= heading < count.
[[nodiscard]] HeadingStep heading_step(std::int32_t count, std::int32_t heading);

/// Unit vector, to within rounding.
[[nodiscard]] Vec2 heading_direction(std::int32_t count, std::int32_t heading);

[[nodiscard]] double heading_rad(std::int32_t count, std::int32_t heading);

/// The heading nearest to an angle; of two equally near the lower number.
[[nodiscard]] std::int32_t nearest_heading(std::int32_t count, double angle_rad);

}  // namespace fairlead
