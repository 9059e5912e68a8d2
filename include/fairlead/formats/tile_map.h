// TileMap: a MovingAI `.map` file, and what its letters mean.
//
//     Result<TileMap> map = formats::load_tile_map(text);
//     Result<std::vector<std::uint8_t>> tiles = formats::make_tiles(*map, TileTable::movingai());
//     Result<Grid> town = Grid::make({.width = map->width, .height = map->height}, *tiles);
//
// The file (N. Sturtevant, Benchmarks for Grid-Based Pathfinding, IEEE TCIAIG 4(2), 2012):
//
//     type octile
//     height 3            `height` and `width` in either order, 1 to 16384
//     width 5
//     map
//     ..@@.               `height` rows of `width` letters; row 0 is y = 0
//     ..T..
//     .....
//
// Blanks and NULs at the end of a line, lines without text at the end of the file, a missing last newline and
// CR LF are accepted: published files have them.
//
// Errors of load_tile_map: text_keyword (another word in the header), text_number, text_value (size not 1 to
// 16384), text_duplicate (a size given twice), text_end (a row, or the file, is too short; the place is where
// it stops), text_extra (a row is too long, or rows follow the last one), text_character (a letter that the
// table does not know), size_limit, out_of_memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>

namespace fairlead::formats {

inline constexpr std::int32_t kMapSideMax = 16384;

/// What letters mean: a tile byte of Grid::make each (0 is a wall, 1 to 255 a kind of terrain, which costs
/// its own number unless the grid says otherwise), or nothing for letters that a map must not hold.
class TileTable {
  public:
    /// Knows no letter.
    TileTable() { tiles_.fill(kUnknown); }

    /// The benchmarks' meaning: `.` `G` `S` are passable (1); `@` `O` `T` `W` are blocked (0).
    [[nodiscard]] static TileTable movingai();

    /// Letters are the printable ASCII characters without the space; others are ignored.
    TileTable& set(char letter, std::uint8_t tile);

    [[nodiscard]] bool knows(char letter) const {
        return tiles_[static_cast<unsigned char>(letter)] != kUnknown;
    }
    /// 0 for unknown letters.
    [[nodiscard]] std::uint8_t tile(char letter) const {
        return knows(letter) ? static_cast<std::uint8_t>(tiles_[static_cast<unsigned char>(letter)])
                             : std::uint8_t{0};
    }
    /// The letter to write for a tile: `.` for 1, `@` for 0 where the table maps them so, otherwise the first
    /// letter in ASCII order; '\0' if no letter means it.
    [[nodiscard]] char letter(std::uint8_t tile) const;

  private:
    static constexpr std::int16_t kUnknown = -1;
    std::array<std::int16_t, 256> tiles_;
};

/// Reads changes to a table from a text like `S=3,T=0,W=5` (a command line's --terrain). Errors as for a text
/// of one line: text_character, text_number, text_value, text_end, text_duplicate.
[[nodiscard]] Result<TileTable> load_tile_table(std::string_view text,
                                                const TileTable& start = TileTable::movingai());

struct TileMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::string letters;              ///< width x height, row by row from y = 0
    std::int64_t first_row_line = 5;  ///< line of row 0 in the file, for messages

    [[nodiscard]] char at(std::int32_t x, std::int32_t y) const {
        return letters[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x)];
    }
    friend bool operator==(const TileMap&, const TileMap&) = default;
};

/// Reads a map whose letters the table knows. Keeps one byte a cell.
[[nodiscard]] Result<TileMap> load_tile_map(std::string_view text, const Limits& limits = {},
                                            const TileTable& table = TileTable::movingai());

/// The map's tiles for Grid::make. Errors: text_character with the place in the file, out_of_memory.
[[nodiscard]] Result<std::vector<std::uint8_t>> make_tiles(const TileMap& map, const TileTable& table);

/// A map from tiles, width x height of them. Errors: size_zero and size_limit (index 0 width, 1 height),
/// size_mismatch, out_of_range (index = the first cell whose tile has no letter), out_of_memory.
[[nodiscard]] Result<TileMap> make_tile_map(std::int32_t width, std::int32_t height,
                                            std::span<const std::uint8_t> tiles,
                                            const TileTable& table = TileTable::movingai());

/// The text of a file; load_tile_map of it gives the same map. `map` must be well formed (letters.size() is
/// width x height).
[[nodiscard]] std::string save_tile_map(const TileMap& map);

}  // namespace fairlead::formats
