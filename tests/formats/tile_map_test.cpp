#include <fairlead/formats/tile_map.h>

#include <string>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

namespace fairlead::formats {
namespace {

const std::string kSmall = "type octile\nheight 2\nwidth 3\nmap\n.@T\nG.S\n";

TEST(TileMap, Loads) {
    const Result<TileMap> map = load_tile_map(kSmall);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(map->width, 3);
    EXPECT_EQ(map->height, 2);
    EXPECT_EQ(map->letters, ".@TG.S");
    EXPECT_EQ(map->at(0, 1), 'G');
    EXPECT_EQ(map->first_row_line, 5);
}

TEST(TileMap, MeaningOfTheBenchmarksLetters) {
    const TileTable table = TileTable::movingai();
    for (const char c : std::string(".GS")) EXPECT_EQ(table.tile(c), 1) << c;
    for (const char c : std::string("@OTW")) {
        EXPECT_TRUE(table.knows(c)) << c;
        EXPECT_EQ(table.tile(c), 0) << c;
    }
    for (int c = 0; c < 256; ++c) {
        const bool known = std::string(".GS@OTW").find(static_cast<char>(c)) != std::string::npos && c != 0;
        EXPECT_EQ(table.knows(static_cast<char>(c)), known) << c;
    }
    const std::vector<std::uint8_t> tiles = *make_tiles(*load_tile_map(kSmall), table);
    EXPECT_EQ(tiles, (std::vector<std::uint8_t>{1, 0, 0, 1, 1, 1}));
}

TEST(TileMap, ACallersTableMakesTerrain) {
    const Result<TileTable> table = load_tile_table("S=3,T=7,W=0");
    ASSERT_TRUE(table.has_value());
    const std::vector<std::uint8_t> tiles = *make_tiles(*load_tile_map(kSmall, {}, *table), *table);
    EXPECT_EQ(tiles, (std::vector<std::uint8_t>{1, 0, 7, 1, 1, 3}));
}

TEST(TileMap, LettersOfATableOnly) {
    TileTable table;
    table.set('.', 1).set('~', 9).set(' ', 1).set('\n', 1).set('\0', 1);
    EXPECT_FALSE(table.knows(' '));
    EXPECT_FALSE(table.knows('\n'));
    EXPECT_FALSE(table.knows('\0'));
    EXPECT_TRUE(load_tile_map("type octile\nheight 1\nwidth 2\nmap\n.~\n", {}, table).has_value());
    const Result<TileMap> other = load_tile_map("type octile\nheight 1\nwidth 2\nmap\n.@\n", {}, table);
    EXPECT_EQ(other.error(), (Error{ErrorCode::text_character, 5, 2}));
    // The place is known after loading too.
    const Result<TileMap> map = load_tile_map("type octile\nheight 2\nwidth 2\nmap\n..\n.~\n", {}, table);
    EXPECT_EQ(make_tiles(*map, TileTable::movingai()).error(), (Error{ErrorCode::text_character, 6, 2}));
}

TEST(TileMap, SavesWhatItLoaded) {
    EXPECT_EQ(save_tile_map(*load_tile_map(kSmall)), kSmall);
    Rng rng(5);
    for (int i = 0; i < 200; ++i) {
        const std::int32_t width = rng.between(1, 40);
        const std::int32_t height = rng.between(1, 40);
        std::vector<std::uint8_t> tiles(static_cast<std::size_t>(width * height));
        for (std::uint8_t& tile : tiles) tile = static_cast<std::uint8_t>(rng.below(2));
        const Result<TileMap> map = make_tile_map(width, height, tiles);
        ASSERT_TRUE(map.has_value());
        const Result<TileMap> again = load_tile_map(save_tile_map(*map));
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(*again, *map);
        EXPECT_EQ(*make_tiles(*again, TileTable::movingai()), tiles);
    }
}

TEST(TileMap, MadeFromTiles) {
    const std::uint8_t tiles[] = {0, 1, 5, 1};
    TileTable table = TileTable::movingai();
    EXPECT_EQ(make_tile_map(2, 2, tiles, table).error(), (Error{ErrorCode::out_of_range, 2, 5}));
    table.set('s', 5);
    EXPECT_EQ(make_tile_map(2, 2, tiles, table).value().letters, "@.s.");
    EXPECT_EQ(make_tile_map(0, 2, {}, table).error(), (Error{ErrorCode::size_zero, 0, 0}));
    EXPECT_EQ(make_tile_map(2, -1, {}, table).error(), (Error{ErrorCode::size_zero, 1, 0}));
    EXPECT_EQ(make_tile_map(2, 16385, {}, table).error(), (Error{ErrorCode::size_limit, 1, 16384}));
    EXPECT_EQ(make_tile_map(2, 3, tiles, table).error(), (Error{ErrorCode::size_mismatch, -1, 6}));
}

TEST(TileMap, TheSmallestAndTheWidest) {
    EXPECT_TRUE(load_tile_map("type octile\nheight 1\nwidth 1\nmap\n@").has_value());
    std::string wide = "type octile\nheight 1\nwidth 16384\nmap\n" + std::string(16384, '.');
    EXPECT_EQ(load_tile_map(wide).value().letters.size(), 16384U);
    wide += '.';
    EXPECT_EQ(load_tile_map(wide).error(), (Error{ErrorCode::text_extra, 5, 16385}));
}

}  // namespace
}  // namespace fairlead::formats
