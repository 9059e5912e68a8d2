// Which dead ends a search may enter: those that start and goal lie in (blocks.h).
#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

// The blocks on the way from the start's polygon to the goal's in the tree of blocks, tile by tile.
bool AnyAngleSpace::mark_blocks() {
    slot_[0] = start_.polygon >> state_->bits;
    slot_[1] = goals_[0].polygon >> state_->bits;
    all_blocks_ = false;
    for (int i = 0; i < 2; ++i) {
        const std::uint32_t blocks = state_->tiles[slot_[i]].tile->count.blocks;
        if (stamps_[i].size() < blocks && !stamps_[i].resize(blocks)) return false;
    }
    const auto depth = [](const Tile& tile, std::uint32_t polygon) {
        if (polygon == kNone || tile.top_blocks()[polygon] == kNone) return std::uint32_t{0};
        return tile.block_depths()[tile.top_blocks()[polygon]] + 1;
    };
    const auto climb = [&](int i, std::uint32_t& polygon) {
        const Tile& tile = *state_->tiles[slot_[i]].tile;
        const std::uint32_t block = tile.top_blocks()[polygon];
        stamps_[i][block] = stamp_;
        polygon = tile.block_tops()[block];
    };
    std::uint32_t a = state_->local(start_.polygon), b = state_->local(goals_[0].polygon);
    const Tile& tile_a = *state_->tiles[slot_[0]].tile;
    const Tile& tile_b = *state_->tiles[slot_[1]].tile;
    // With links a way may lead out of any dead end that it led into: the blocks between are in the table of links.
    if (slot_[0] != slot_[1] || links_ != nullptr) {
        while (depth(tile_a, a) > 0) climb(0, a);
        while (depth(tile_b, b) > 0) climb(slot_[0] != slot_[1] ? 1 : 0, b);
        return true;
    }
    while (a != b) {
        const std::uint32_t depth_a = depth(tile_a, a), depth_b = depth(tile_b, b);
        if (depth_a == 0 && depth_b == 0) break;
        climb(0, depth_a >= depth_b ? a : b);
    }
    through_ = a != b || a == kNone;
    return true;
}

}  // namespace fairlead::mesh
