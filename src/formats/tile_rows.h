// What maps and patches share: a size and rows of letters.
#pragma once

#include <fairlead/formats/tile_map.h>

#include "formats/budget.h"
#include "formats/text.h"

namespace fairlead::formats {

/// Reads the lines `height H`, `width W` (either order), `map` and the rows, from the next line on.
[[nodiscard]] Result<TileMap> read_size_and_rows(LineReader& lines, const TileTable& table, Budget& budget);

/// Nothing but lines without text may follow; text_extra.
[[nodiscard]] Result<void> expect_end(LineReader& lines);

}  // namespace fairlead::formats
