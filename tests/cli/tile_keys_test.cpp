// Keys of tiles, and bakes that take up tiles of earlier ones.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/hall.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

class TileKeysCommand : public HallTest {
  protected:
    using Keys = std::map<std::pair<int, int>, std::string>;

    const std::vector<std::string> tiles_ = {"--tile-size", "5", "--origin", "-1,-1,-1"};

    [[nodiscard]] static Keys keys_of(const json& list) {
        Keys out;
        for (const json& tile : list) out[{tile["x"], tile["y"]}] = tile["key"];
        EXPECT_EQ(out.size(), list.size());
        return out;
    }
};

TEST_F(TileKeysCommand, AreToldWithAndWithoutABake) {
    const std::vector<std::string> ask = with(with(options(), tiles_), {"--tile-keys"});
    const RunResult text = run_cli(with({"bake", "navmesh", obj_}, ask));
    ASSERT_EQ(text.status, 0) << text.err;
    const RunResult run = run_cli(with({"bake", "navmesh", obj_, "--json"}, ask));
    ASSERT_EQ(run.status, 0) << run.err;
    const Keys keys = keys_of(json::parse(run.out)["tile_keys"]);
    EXPECT_EQ(text.out_lines().size(), keys.size());
    EXPECT_EQ(keys.size(), 15U);  // 5 x 3 of 5 x 5 hold the hall of 20 x 12
    for (const auto& [place, key] : keys) {
        EXPECT_EQ(key.size(), 16U);
        const std::string line = std::to_string(place.first) + " " + std::to_string(place.second) + " " + key;
        EXPECT_NE(text.out.find(line + "\n"), std::string::npos) << line;
    }
    EXPECT_EQ(keys_of(bake(with(tiles_, {"--tile-keys"}))["tile_keys"]), keys);
    // What changes in one place changes the keys round it.
    write_text(obj_, hall(12.5));
    int same = 0, other = 0;
    for (const auto& [place, key] : keys_of(bake(with(tiles_, {"--tile-keys"}))["tile_keys"]))
        ++(key == keys.at(place) ? same : other);
    EXPECT_GT(same, 5);
    EXPECT_GT(other, 2);
    // So does an option.
    const json slope = bake(with(tiles_, {"--tile-keys", "--slope", "30"}));
    for (const auto& [place, key] : keys_of(slope["tile_keys"])) EXPECT_NE(key, keys.at(place));
}

TEST_F(TileKeysCommand, ReusedTilesGiveTheBytesOfAWholeBake) {
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, {"--radius-max", "1", "--threads", "2", "--jumps"}}) {
        const std::vector<std::string> flags = with(tiles_, more);
        write_text(obj_, hall());
        EXPECT_EQ(bake(flags)["tiles_reused"], 0);
        const std::string old = temp_path("old.fl"), part = temp_path("part.fl");
        write_text(old, read_text(file_));
        // Nothing has changed.
        const json all = bake_to(part, with(flags, {"--reuse", old}));
        EXPECT_EQ(all["tiles_reused"], all["tiles"]);
        EXPECT_EQ(read_text(part), read_text(old));
        // The pool has moved; then the file may be its own model.
        write_text(obj_, hall(12.5));
        (void)bake(flags);
        EXPECT_NE(read_text(file_), read_text(old));
        const json some = bake_to(part, with(flags, {"--reuse", old}));
        EXPECT_GT(some["tiles_reused"], 0);
        EXPECT_LT(some["tiles_reused"], some["tiles"]);
        EXPECT_EQ(read_text(part), read_text(file_));
        EXPECT_EQ(run_cli({"check", part}).status, 0);
        write_text(obj_, hall());
        EXPECT_GT(bake_to(part, with(flags, {"--reuse", part}))["tiles_reused"], 0);
        EXPECT_EQ(read_text(part), read_text(old));
    }
    // Tiles of other options are not taken.
    const std::string old = temp_path("old.fl");
    EXPECT_EQ(bake(with(tiles_, {"--climb", "0.5", "--reuse", old}))["tiles_reused"], 0);
}

TEST_F(TileKeysCommand, Refusals) {
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with({"bake", "navmesh", obj_, "-o", file_}, more), words);
    };
    refused({"--tile-keys"}, {"--tile-keys", "--tile-size"});
    refused({"--reuse", obj_}, {"--reuse", "--tile-size"});
    refused({"--tile-size", "10", "--reuse", obj_}, {"hall.obj", "baked mesh"});
    refused({"--tile-size", "10", "--reuse", "no_such.fl"}, {"no_such.fl"});
    expect_refused({"bake", "navmesh", obj_}, {"--out is required"});
}

}  // namespace
}  // namespace fairlead::testing
