// Places in the arguments: X,Y[,Z][,HEADING_DEG].
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fairlead/math/vec.h>

namespace fairlead::cli {

struct PlaceArgument {
    Vec2 position{};
    std::optional<double> z;
    std::optional<double> heading_deg;
};

/// `3.5,4.5`; `3.5,4.5,0`; `3.5,4.5,0,90`; `3.5,4.5,,90` (no height, a heading).
[[nodiscard]] PlaceArgument to_place(std::string_view flag, std::string_view text);

}  // namespace fairlead::cli
