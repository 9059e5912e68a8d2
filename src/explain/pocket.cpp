// See pocket.h. A brick's voxels are flooded as bits (volume/components/flood.h); what lies over its sides is handed on.
#include "explain/pocket.h"

#include <algorithm>

#include "volume/components/flood.h"
#include "volume/search/nodes.h"
#include "volume/search/tell.h"
#include "volume/wide/lattice.h"

namespace fairlead::explaining {

void Pocket::begin(const volume::StateData& state) {
    state_ = &state;
    for (Side& side : sides_) {
        side.index.begin();
        side.bricks.clear();
        side.todo.clear();
        side.voxels = side.walls = 0;
        side.box = {state.size, {0, 0, 0}};
    }
}

bool Pocket::add(bool goal_side, Voxel at) {
    const std::uint64_t bit = std::uint64_t{1} << volume::place64(at.x, at.y, at.z);
    return reach(sides_[goal_side ? 1 : 0], {at.x >> 2, at.y >> 2, at.z >> 2}, bit);
}

std::uint32_t Pocket::brick(Side& side, Voxel at) const {
    std::uint32_t i = side.index.find(at);
    if (i != volume::kNone) return i;
    i = static_cast<std::uint32_t>(side.bricks.size());
    return side.bricks.push_back({at}) && side.index.insert(at, i) ? i : volume::kNone;
}

// Voxels of a brick that share a face with the side: it goes on in those that are free, the others are walls.
bool Pocket::reach(Side& side, Voxel at, std::uint64_t bits) const {
    if (bits == 0 || !state_->brick_in_bounds(at.x, at.y, at.z) || at.x < 0 || at.y < 0 || at.z < 0)
        return true;
    const std::uint32_t i = brick(side, at);
    if (i == volume::kNone) return false;
    Brick& to = side.bricks[i];
    const std::uint64_t free = state_->free_bits(at.x, at.y, at.z);
    const std::uint64_t walls = bits & ~free & state_->inside_bits(at.x, at.y, at.z) & ~to.walls;
    to.walls |= walls;
    side.walls += volume::count_bits(walls);
    const std::uint64_t fresh = bits & free & ~to.seen;
    return fresh == 0 || side.todo.push_back({i, fresh});
}

bool Pocket::spread(Side& side, Seed seed) const {
    Brick& from = side.bricks[seed.brick];
    seed.bits &= ~from.seen;
    if (seed.bits == 0) return true;
    const Voxel at = from.at;
    const std::uint64_t now = volume::flood_brick(seed.bits, state_->free_bits(at.x, at.y, at.z));
    from.seen |= now;
    side.voxels += volume::count_bits(now);
    const volume::NodeBox box = volume::box_of_bits(
        now, {{at.x * 4, at.y * 4, at.z * 4}, {at.x * 4 + 4, at.y * 4 + 4, at.z * 4 + 4}});
    side.box.low = {std::min(side.box.low.x, box.low[0]), std::min(side.box.low.y, box.low[1]),
                    std::min(side.box.low.z, box.low[2])};
    side.box.high = {std::max(side.box.high.x, box.high[0]), std::max(side.box.high.y, box.high[1]),
                     std::max(side.box.high.z, box.high[2])};
    return reach(side, at, volume::grown_over_faces(now) & ~now) &&
           reach(side, {at.x + 1, at.y, at.z}, now >> 3 & volume::kLowX) &&
           reach(side, {at.x - 1, at.y, at.z}, (now & volume::kLowX) << 3) &&
           reach(side, {at.x, at.y + 1, at.z}, now >> 12 & volume::kLowY) &&
           reach(side, {at.x, at.y - 1, at.z}, (now & volume::kLowY) << 12) &&
           reach(side, {at.x, at.y, at.z + 1}, now >> 48) && reach(side, {at.x, at.y, at.z - 1}, now << 48);
}

Answer Pocket::flood(std::uint64_t& budget) {
    for (int turn = 0;; turn = 1 - turn) {
        Side& side = sides_[turn];
        if (side.todo.empty()) {
            ended_ = turn;
            return Answer::yes;
        }
        if (budget == 0) return Answer::unknown;
        --budget;
        const Seed seed = side.todo.back();
        side.todo.pop_back();
        if (!spread(side, seed)) return Answer::no_memory;
    }
}

}  // namespace fairlead::explaining
