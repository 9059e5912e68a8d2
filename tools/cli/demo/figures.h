// The tables of figures, one a file.
#pragma once

#include <span>

#include "cli/demo/figure.h"

namespace fairlead::demo {

[[nodiscard]] std::span<const Figure> map_figures();      // figures_map.cpp
[[nodiscard]] std::span<const Figure> drawing_figures();  // figures_drawing.cpp

}  // namespace fairlead::demo
