// Keys of all tiles at once, and bakes of those that have changed.
#include <fairlead/mesh_bake/bake.h>

#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "support/environment.h"
#include "support/levels.h"
#include "support/saved_meshes.h"

namespace fairlead::testing {
namespace {

Level random_level(Rng& rng, int boxes) {
    Level level = random_hills(rng, 16, 0.6);
    for (int i = 0; i < boxes; ++i) {
        const double x = rng.between(0.0, 14.0), y = rng.between(0.0, 14.0);
        level.box({x, y, -2}, {x + rng.between(0.2, 3.0), y + rng.between(0.2, 3.0), rng.between(0.0, 4.0)});
    }
    return level;
}

std::vector<bake::TileKey> keys_of(const Level& level, const bake::BakeOptions& options) {
    Array<bake::TileKey> keys;
    EXPECT_TRUE(bake::tile_keys(level.soup(), options, keys).has_value());
    return {keys.begin(), keys.end()};
}

// One by one they are the same, and every tile that a bake has is among them.
TEST(TileKeys, AreThoseOfSingleTiles) {
    Rng rng(61);
    for (int round = 0; round < trials(20); ++round) {
        const Level level = random_level(rng, 1 + static_cast<int>(rng.below(6)));
        bake::BakeOptions options = small_bake(16 + rng.below(40));
        options.agent_radius = rng.between(0.0, 1.0);
        const std::vector<bake::TileKey> keys = keys_of(level, options);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const Result<std::uint64_t> alone = bake::tile_key(level.soup(), options, keys[i].x, keys[i].y);
            ASSERT_TRUE(alone.has_value());
            EXPECT_EQ(*alone, keys[i].key);
            if (i == 0) continue;
            EXPECT_TRUE(keys[i - 1].y < keys[i].y ||
                        (keys[i - 1].y == keys[i].y && keys[i - 1].x < keys[i].x));
        }
        const Result<bake::BakedMesh> baked = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(baked.has_value());
        for (const bake::BakedTile& tile : baked->tiles) {
            bool known = false;
            for (const bake::TileKey& key : keys) known = known || (key.x == tile.x && key.y == tile.y);
            EXPECT_TRUE(known) << tile.x << " " << tile.y;
        }
    }
}

TEST(TileKeys, ErrorsAndNothing) {
    const Level level = small_level();
    Array<bake::TileKey> keys;
    const Result<void> whole = bake::tile_keys(level.soup(), small_bake(0), keys);
    EXPECT_EQ(whole.error().code, ErrorCode::incompatible);
    EXPECT_EQ(whole.error().field, Field::tile_cells);
    EXPECT_EQ(bake::tile_keys(level.soup(), {.cell_size = -1.0, .tile_cells = 32}, keys).error().code,
              ErrorCode::out_of_range);
    EXPECT_TRUE(bake::tile_keys({}, small_bake(24), keys).has_value());
    EXPECT_TRUE(keys.empty());
    // Without an origin it is the low corner, as of a bake.
    bake::BakeOptions free = small_bake(24), given = free;
    free.give_origin = false;
    given.origin = soup_low_corner(level.soup());
    EXPECT_EQ(keys_of(level, free), keys_of(level, given));
}

/// What of an earlier mesh has the keys of a level.
struct Kept {
    std::vector<MeshTileFile> files;
    std::vector<NavMeshTile> tiles;
    std::size_t asked = 0;

    Kept(const NavMeshState& old, const std::vector<bake::TileKey>& keys) {
        Array<std::uint8_t> bytes;
        for (const bake::TileKey& tile : keys) {
            if (!save_tile(old, tile.x, tile.y, bytes)) continue;
            Result<MeshTileFile> file = MeshTileFile::load(bytes.span());
            EXPECT_TRUE(file.has_value());
            if (file->tile().key == tile.key) files.push_back(std::move(*file));
        }
        for (const MeshTileFile& file : files) tiles.push_back(file.tile());
    }
    bake::TileFilter others() {
        return {[](std::int32_t x, std::int32_t y, void* user) {
                    auto& self = *static_cast<Kept*>(user);
                    ++self.asked;
                    for (const NavMeshTile& tile : self.tiles) {
                        if (tile.x == x && tile.y == y) return false;
                    }
                    return true;
                },
                this};
    }
};

// A box comes, and only the tiles that it touches are baked: the same bytes as of a whole bake.
TEST(TileKeys, BakingWhatHasChangedIsBakingAll) {
    Rng rng(62);
    std::size_t reused = 0, baked_anew = 0;
    for (int round = 0; round < trials(20); ++round) {
        Level level = random_level(rng, 3);
        bake::BakeOptions options = small_bake(16 + rng.below(16));
        const double radius_max = round % 2 == 0 ? 0.0 : 0.8;
        const auto whole = [&](const std::vector<bake::TileKey>& keys) {
            const Result<bake::BakedMesh> baked = bake::bake_mesh(level.soup(), options);
            Result<NavMesh> mesh =
                bake::navmesh_of(*baked, options, {.radius_max = radius_max, .landmarks = 4, .keys = keys});
            EXPECT_TRUE(mesh.has_value());
            return std::move(*mesh);
        };
        const NavMesh old = whole(keys_of(level, options));
        const double x = rng.between(1.0, 12.0), y = rng.between(1.0, 12.0);
        level.box({x, y, -1}, {x + 1.0, y + 1.5, 3.0});
        const std::vector<bake::TileKey> keys = keys_of(level, options);
        Kept kept(old, keys);
        bake::BakeOptions some = options;
        some.only = kept.others();
        const Result<bake::BakedMesh> part = bake::bake_mesh(level.soup(), some);
        ASSERT_TRUE(part.has_value());
        const Result<NavMesh> mesh = bake::navmesh_of(
            *part, options, {.radius_max = radius_max, .landmarks = 4, .keys = keys, .kept = kept.tiles});
        ASSERT_TRUE(mesh.has_value());
        EXPECT_EQ(saved_bytes(*mesh), saved_bytes(whole(keys))) << round;
        EXPECT_GE(kept.asked, keys.size());
        reused += kept.tiles.size();
        baked_anew += part->tiles.size();
    }
    EXPECT_GT(reused, 2 * baked_anew);
    EXPECT_GT(baked_anew, 0U);
}

}  // namespace
}  // namespace fairlead::testing
