// Tiles of a bake by their keys.

#include "cli/bake_tiles.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/baked.h"
#include "cli/failure.h"
#include "cli/mesh_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

std::string key_text(std::uint64_t key) { return fmt::format("{:016x}", key); }

}  // namespace

void TileFlags::add(CLI::App& app) {
    app.add_flag("--tile-keys", lists_,
                 "With --tile-size: tell the key of each tile, a hash of all that it depends on; without -o "
                 "nothing "
                 "is baked")
        ->group("Tiles");
    app.add_option("--reuse", reuse_,
                   "With --tile-size: a mesh baked before; its tiles with the same keys are not baked again")
        ->group("Tiles");
}

void TileFlags::refuse(const char* why) const {
    if (lists_) fail(fmt::format("--tile-keys: {}", why));
    if (!reuse_.empty()) fail(fmt::format("--reuse: {}", why));
}

nlohmann::ordered_json TileFlags::to_json(std::span<const bake::TileKey> keys) {
    auto out = nlohmann::ordered_json::array();
    for (const bake::TileKey& tile : keys)
        out.push_back({{"x", tile.x}, {"y", tile.y}, {"key", key_text(tile.key)}});
    return out;
}

void TileFlags::print(std::span<const bake::TileKey> keys) const {
    for (const bake::TileKey& tile : keys) fmt::print("{} {} {}\n", tile.x, tile.y, key_text(tile.key));
}

TileFlags::Kept TileFlags::kept(std::span<const bake::TileKey> keys) const {
    Kept out;
    if (reuse_.empty()) return out;
    const std::string text = read_file(reuse_);
    if (!is_baked_mesh(text)) fail_at(reuse_, "a baked mesh is needed here");
    const NavMesh old = load_baked_mesh(reuse_, text);
    Array<std::uint8_t> bytes;
    for (const bake::TileKey& tile : keys) {
        const Result<void> saved = save_tile(old, tile.x, tile.y, bytes);
        if (!saved && saved.error().code == ErrorCode::unknown_id) continue;
        if (!saved) fail_at(reuse_, error_text(saved.error()).c_str());
        Result<MeshTileFile> file = MeshTileFile::load(bytes.span());
        if (!file) fail_at(reuse_, baked_error_text(file.error()));
        if (file->tile().key != tile.key) continue;
        out.files_.push_back(std::move(*file));
    }
    for (const MeshTileFile& file : out.files_) out.tiles_.push_back(file.tile());
    return out;
}

bake::TileFilter TileFlags::Kept::others() {
    if (tiles_.empty()) return {};
    return {[](std::int32_t x, std::int32_t y, void* user) {
                const auto& tiles = static_cast<const Kept*>(user)->tiles_;
                const auto before = [](const NavMeshTile& tile,
                                       const std::pair<std::int32_t, std::int32_t>& at) {
                    return tile.y != at.first ? tile.y < at.first : tile.x < at.second;
                };
                const auto found = std::lower_bound(tiles.begin(), tiles.end(), std::pair{y, x}, before);
                return found == tiles.end() || found->x != x || found->y != y;
            },
            this};
}

}  // namespace fairlead::cli
