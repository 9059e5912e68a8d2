#include <fairlead/formats/tile_map.h>

#include <optional>

#include <fairlead/formats/number.h>

#include "formats/tile_rows.h"

namespace fairlead::formats {

namespace {

// The sizes, up to and with the line `map`.
Result<void> read_size(LineReader& lines, TileMap& map) {
    while (true) {
        if (!lines.next()) return lines.error(ErrorCode::text_end);
        WordReader words(lines);
        const std::string_view key = words.word();
        if (key == "map") {
            if (map.width == 0 || map.height == 0) words.fail(ErrorCode::text_missing);
            words.end();
            return words.ok() ? Result<void>{} : Result<void>{words.error()};
        }
        if (key == "width" || key == "height") {
            std::int32_t& side = key == "width" ? map.width : map.height;
            if (side != 0) words.fail(ErrorCode::text_duplicate);
            side = words.integer32(1, kMapSideMax);
        } else {
            words.fail(ErrorCode::text_keyword);
        }
        words.end();
        if (!words.ok()) return words.error();
    }
}

// One row, checked; blanks behind it are no part of it.
Result<void> check_row(const LineReader& lines, const TileTable& table, std::size_t width) {
    const std::string_view row = without_tail(lines.line());
    for (std::size_t x = 0; x < row.size() && x < width; ++x) {
        if (!table.knows(row[x])) return lines.error(ErrorCode::text_character, x);
    }
    if (row.size() < width) return lines.error(ErrorCode::text_end, row.size());
    if (row.size() > width) return lines.error(ErrorCode::text_extra, width);
    return {};
}

}  // namespace

Result<TileMap> read_size_and_rows(LineReader& lines, const TileTable& table, Budget& budget) {
    TileMap map;
    if (Result<void> size = read_size(lines, map); !size) return size.error();
    const auto width = static_cast<std::uint64_t>(map.width);
    const auto height = static_cast<std::uint64_t>(map.height);
    // A row needs its letters in the text, so the room to reserve is never more than the text is long.
    const std::uint64_t cells = width * height;
    const std::uint64_t room = cells < lines.left() ? cells : lines.left();
    if (!budget.take(room + 32)) return budget.spent();
    map.letters.reserve(static_cast<std::size_t>(room));
    map.first_row_line = lines.number() + 1;
    for (std::uint64_t y = 0; y < height; ++y) {
        if (!lines.next()) return lines.error(ErrorCode::text_end);
        if (Result<void> row = check_row(lines, table, static_cast<std::size_t>(width)); !row)
            return row.error();
        map.letters.append(lines.line().substr(0, static_cast<std::size_t>(width)));
    }
    return map;
}

Result<void> expect_end(LineReader& lines) {
    if (lines.next_filled()) return lines.error(ErrorCode::text_extra);
    return {};
}

TileTable TileTable::movingai() {
    TileTable table;
    for (const char c : {'.', 'G', 'S'}) table.set(c, 1);
    for (const char c : {'@', 'O', 'T', 'W'}) table.set(c, 0);
    return table;
}

TileTable& TileTable::set(char letter, std::uint8_t tile) {
    if (is_letter(letter)) tiles_[static_cast<unsigned char>(letter)] = tile;
    return *this;
}

char TileTable::letter(std::uint8_t wanted) const {
    const char usual = wanted == 0 ? '@' : '.';
    if (knows(usual) && tile(usual) == wanted) return usual;
    for (int c = 0; c < 256; ++c) {
        if (tiles_[static_cast<std::size_t>(c)] == wanted) return static_cast<char>(c);
    }
    return '\0';
}

Result<TileTable> load_tile_table(std::string_view text, const TileTable& start) {
    TileTable table = start;
    TileTable given;
    const auto error = [](ErrorCode code, std::size_t at) {
        return Error{code, 1, static_cast<std::int64_t>(at) + 1};
    };
    std::size_t at = 0;
    while (true) {
        if (at >= text.size()) return error(ErrorCode::text_end, text.size());
        const char letter = text[at];
        if (!is_letter(letter)) return error(ErrorCode::text_character, at);
        if (given.knows(letter)) return error(ErrorCode::text_duplicate, at);
        if (at + 1 >= text.size()) return error(ErrorCode::text_end, text.size());
        if (text[at + 1] != '=') return error(ErrorCode::text_character, at + 1);
        const std::size_t from = at + 2;
        const std::size_t comma = text.find(',', from);
        const std::size_t end = comma == std::string_view::npos ? text.size() : comma;
        const std::optional<std::int64_t> tile = parse_integer(text.substr(from, end - from));
        if (!tile) return error(ErrorCode::text_number, from);
        if (*tile < 0 || *tile > 255) return error(ErrorCode::text_value, from);
        table.set(letter, static_cast<std::uint8_t>(*tile));
        given.set(letter, 0);
        if (comma == std::string_view::npos) return table;
        at = comma + 1;
    }
}

Result<TileMap> load_tile_map(std::string_view text, const Limits& limits, const TileTable& table) {
    return guarded(text, limits, [&]() -> Result<TileMap> {
        Budget budget(limits);
        LineReader lines(text);
        if (!lines.next()) return lines.error(ErrorCode::text_end);
        WordReader words(lines);
        words.keyword("type");
        words.keyword("octile");
        words.end();
        if (!words.ok()) return words.error();
        Result<TileMap> map = read_size_and_rows(lines, table, budget);
        if (!map) return map;
        if (Result<void> end = expect_end(lines); !end) return end.error();
        return map;
    });
}

Result<std::vector<std::uint8_t>> make_tiles(const TileMap& map, const TileTable& table) {
    return guarded({}, {}, [&]() -> Result<std::vector<std::uint8_t>> {
        std::vector<std::uint8_t> tiles(map.letters.size());
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            if (!table.knows(map.letters[i])) {
                const auto width = static_cast<std::size_t>(map.width);
                return Error{ErrorCode::text_character,
                             map.first_row_line + static_cast<std::int64_t>(i / width),
                             static_cast<std::int64_t>(i % width) + 1};
            }
            tiles[i] = table.tile(map.letters[i]);
        }
        return tiles;
    });
}

Result<TileMap> make_tile_map(std::int32_t width, std::int32_t height, std::span<const std::uint8_t> tiles,
                              const TileTable& table) {
    const std::int32_t sides[] = {width, height};
    for (int i = 0; i < 2; ++i) {
        if (sides[i] < 1) return Error{ErrorCode::size_zero, i, 0};
        if (sides[i] > kMapSideMax) return Error{ErrorCode::size_limit, i, kMapSideMax};
    }
    const std::int64_t cells = std::int64_t{width} * height;
    if (static_cast<std::uint64_t>(cells) != tiles.size()) return Error{ErrorCode::size_mismatch, -1, cells};
    return guarded({}, {}, [&]() -> Result<TileMap> {
        TileMap map{.width = width, .height = height, .letters = std::string(tiles.size(), '.')};
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            map.letters[i] = table.letter(tiles[i]);
            if (map.letters[i] == '\0')
                return Error{ErrorCode::out_of_range, static_cast<std::int64_t>(i), tiles[i]};
        }
        return map;
    });
}

std::string save_tile_map(const TileMap& map) {
    std::string out = "type octile\nheight ";
    append_number(out, std::int64_t{map.height});
    out += "\nwidth ";
    append_number(out, std::int64_t{map.width});
    out += "\nmap\n";
    const auto width = static_cast<std::size_t>(map.width);
    out.reserve(out.size() + map.letters.size() + static_cast<std::size_t>(map.height));
    for (std::size_t at = 0; at + width <= map.letters.size() && width > 0; at += width) {
        out.append(map.letters, at, width);
        out += '\n';
    }
    return out;
}

}  // namespace fairlead::formats
