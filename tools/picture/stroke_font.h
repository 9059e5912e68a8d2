// A plain sans-serif typeface made of strokes, drawn for this project, so that pictures carry their labels on
// machines without any font and look the same everywhere. Covers ASCII and the few signs that captions need.
#pragma once

#include <string_view>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::picture {

/// The strokes of a line of text: x to the right from 0, y up from the baseline.
struct TextStrokes {
    std::vector<std::vector<Vec2>> lines;  ///< to be drawn with round ends; one point is a dot
    double width = 0.0;                    ///< how far the pen moved
};

/// `size` is that of the em; capitals are 0.714 of it high. Characters that it lacks show as a box.
[[nodiscard]] TextStrokes text_strokes(std::string_view utf8, double size, bool bold = false);
[[nodiscard]] double text_width(std::string_view utf8, double size, bool bold = false);

/// Width of the pen for an em of 1.
[[nodiscard]] constexpr double pen_width(bool bold) { return bold ? 0.118 : 0.078; }

}  // namespace fairlead::picture
