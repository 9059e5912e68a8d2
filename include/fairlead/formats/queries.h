// QUERIES.csv: pairs of places to route between.
//
//     id,sx,sy,sz,sh,gx,gy,gz,gh
//     0,157.5,225.5,,45.000000,90.5,144.5,,270.000000
//
// The first line is exactly that. `id` is a whole number of the author's choice (it may repeat); x and y are
// continuous coordinates (the centre of a MovingAI cell (cx, cy) is cx + 0.5, cy + 0.5); an empty z means a
// flat world; an empty heading (degrees, counter-clockwise from +x) means that any will do. Lines without
// text are passed over.
//
// Errors: text_keyword (the first line), text_number, text_value (beyond kNumberMax), text_end (too few
// fields), text_extra (too many), size_limit, out_of_memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/math/vec.h>

namespace fairlead::formats {

struct QueryPlace {
    Vec2 position{};
    std::optional<double> z;
    std::optional<double> heading_deg;

    friend bool operator==(const QueryPlace&, const QueryPlace&) = default;
};

struct QueryRow {
    std::int64_t id = 0;
    QueryPlace start{};
    QueryPlace goal{};
    std::int64_t line = 0;  ///< in the file; 0 for rows made in memory

    friend bool operator==(const QueryRow&, const QueryRow&) = default;
};

[[nodiscard]] Result<std::vector<QueryRow>> load_queries(std::string_view text, const Limits& limits = {});

/// Reads back as the same rows, line numbers aside.
[[nodiscard]] std::string save_queries(std::span<const QueryRow> rows);

}  // namespace fairlead::formats
