// The moves past blockers, where they are asked for.
#include "drive/map/clear_moves.h"

#include <algorithm>
#include <bit>

namespace fairlead::drive {

namespace {

constexpr std::size_t kNoWords = SIZE_MAX;  // no blocker is near

}  // namespace

void ClearMoves::begin(const EdgeMap& edges, const BlockerSweep& blockers) {
    edges_ = &edges;
    blockers_ = &blockers;
    across_ = static_cast<std::uint32_t>((edges.width() + 63) / 64);
    moves_ = edges.table().primitives().all().size() + static_cast<std::size_t>(edges.table().headings());
    blocks_.reset();
    first_.clear();
    words_.clear();
    failed_ = false;
}

std::size_t ClearMoves::block_at(std::int32_t x, std::int32_t y) {
    bool added = false;
    const auto word = static_cast<std::uint32_t>(x >> 6);
    const std::uint32_t block = blocks_.find_or_add(static_cast<std::uint32_t>(y) * across_ + word, added);
    if (block != kNoNode && !added) return first_[block];
    const Vec2 low{static_cast<double>(x & ~63), static_cast<double>(y)};
    const bool near = blockers_->any_near({low, low + Vec2{64.0, 1.0}}, edges_->margin() + 1.0);
    const std::size_t size = moves_ + static_cast<std::size_t>(edges_->table().headings());
    const std::size_t first = words_.size();
    failed_ = failed_ || block == kNoNode || !first_.push_back(near ? first : kNoWords) ||
              (near && !words_.resize(first + size));
    if (failed_ || !near) return kNoWords;
    std::copy_n(edges_->column(x, y), moves_, words_.data() + first);
    return first;
}

const std::uint64_t* ClearMoves::column(std::int32_t x, std::int32_t y, std::int32_t heading,
                                        std::uint64_t places) {
    const std::size_t first = failed_ ? kNoWords : block_at(x, y);
    if (first == kNoWords) return edges_->column(x, y);
    std::uint64_t* const words = words_.data() + first;
    std::uint64_t& looked_at = words[moves_ + static_cast<std::size_t>(heading)];
    for (std::uint64_t fresh = places & ~looked_at; fresh != 0; fresh &= fresh - 1)
        look_at(words, (x & ~63) + std::countr_zero(fresh), y, heading);
    looked_at |= places;
    return words;
}

void ClearMoves::look_at(std::uint64_t* words, std::int32_t x, std::int32_t y, std::int32_t heading) const {
    const DriveTable& table = edges_->table();
    const PrimitiveSet& set = table.primitives();
    const Pose at = table.node(x, y, heading);
    const std::uint64_t bit = std::uint64_t{1} << (x & 63);
    std::uint64_t& stands = words[edges_->room(heading)];
    if ((stands & bit) != 0 && !blockers_->stands(table.body(), at)) stands &= ~bit;
    for (std::size_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        if ((words[i] & bit) == 0) continue;
        const bool clear = (stands & bit) != 0 &&
                           blockers_->is_clear(table.body(), at, table.turning_radius(), set.all()[i].word);
        if (!clear) words[i] &= ~bit;
    }
}

}  // namespace fairlead::drive
