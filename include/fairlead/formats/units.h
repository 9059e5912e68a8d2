// UNITS.csv: units for a simulation: where each begins, where it wants to be, what it is.
//
//     id,x,y,gx,gy,radius,speed,accel,start_s
//     1,3.5,4.5,40.5,8.5,0.4,1.5,4,0
//
// The first line names the columns, in any order, each once: id, x, y, z, layer, h, gx, gy, gz, glayer, gh, radius, length,
// width, speed, accel, brake, lateral_accel, turn_rate, turning_radius, reverse, climb, facings, start_s. id, x, y, gx and gy
// must be there. A column that is not, or an empty field, is the default: flat (z), layer 0, any heading, a point (radius), no
// limit (accel to turn_rate; speed: 1.5), turning radius 0, reverse 0, start 0. Angles in degrees, counter-clockwise from +x;
// rates in degrees a second; reverse is 0 or 1. Lines without text are passed over.
//
// Errors: text_end (no header, too few fields), text_keyword (an unknown column), text_duplicate (a column or an id twice),
// text_missing (a column that must be there), text_number, text_value (beyond kNumberMax, or out of the ranges stated below), text_extra,
// size_limit, out_of_memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/math/vec.h>

namespace fairlead::formats {

struct UnitPlace {
    Vec2 position{};
    std::optional<double> z{};
    std::int32_t layer = 0;  ///< 0 to 63
    std::optional<double> heading_deg{};

    friend bool operator==(const UnitPlace&, const UnitPlace&) = default;
};

struct UnitRow {
    std::int64_t id = 0;
    UnitPlace start{};
    UnitPlace goal{};
    double radius = 0.0;  ///< this and the next two: 0 or more
    double length = 0.0;  ///< with width: a box
    double width = 0.0;
    double speed = 1.5;             ///< above 0
    std::optional<double> accel{};  ///< this and the next three: above 0
    std::optional<double> brake{};  ///< not there: as accel
    std::optional<double> lateral_accel{};
    std::optional<double> turn_rate_deg{};
    double turning_radius = 0.0;  ///< 0 or more
    bool reverse = false;
    std::optional<double> climb_deg{};  ///< above 0, below 90
    std::int32_t facings = 0;           ///< 0, 8, 16 or 32
    double start_s = 0.0;               ///< 0 or more
    std::int64_t line = 0;              ///< in the file

    friend bool operator==(const UnitRow&, const UnitRow&) = default;
};

[[nodiscard]] Result<std::vector<UnitRow>> load_units(std::string_view text, const Limits& limits = {});

}  // namespace fairlead::formats
