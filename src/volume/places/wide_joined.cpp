// See wide_joined.h.
#include "volume/places/wide_joined.h"

#include "volume/components/flood.h"

namespace fairlead::volume {

void WideJoined::begin(Masks& masks, Vec3 from) {
    masks_ = &masks;
    from_ = from;
    index_.begin();
    bricks_.clear();
    failed_ = false;
}

bool WideJoined::reaches_place(Vec3 at) {
    if (at == from_) return true;
    way_.begin(*masks_, from_, at);
    const SearchProgress end = way_.step(UINT64_MAX);
    failed_ = failed_ || end == SearchProgress::no_memory || masks_->failed();
    return end == SearchProgress::found && !failed_;
}

bool WideJoined::reaches(Voxel v) {
    const std::uint32_t i = brick({v.x >> 2, v.y >> 2, v.z >> 2});
    if (i == kNone) return false;
    const std::uint32_t place = place64(v.x, v.y, v.z);
    if ((bricks_[i].yes >> place & 1) != 0) return true;
    if ((bricks_[i].no >> place & 1) != 0) return false;
    const bool joined = reaches_place(middle_of(v));
    if (!failed_) keep(v, joined);
    return joined && !failed_;
}

std::uint32_t WideJoined::brick(Voxel at) {
    std::uint32_t i = index_.find(at);
    if (i != kNone) return i;
    i = static_cast<std::uint32_t>(bricks_.size());
    if (bricks_.push_back({at}) && index_.insert(at, i)) return i;
    failed_ = true;
    return kNone;
}

bool WideJoined::add(Voxel at, std::uint64_t bits) {
    if (bits == 0) return true;
    bits &= masks_->free(at.x, at.y, at.z);
    if (bits == 0) return !masks_->failed();
    const std::uint32_t i = brick(at);
    if (i == kNone) return false;
    bits &= ~(bricks_[i].yes | bricks_[i].no);
    return bits == 0 || todo_.push_back({i, bits});
}

// For all that is joined to v over faces.
void WideJoined::keep(Voxel v, bool joined) {
    todo_.clear();
    bool good = add({v.x >> 2, v.y >> 2, v.z >> 2}, std::uint64_t{1} << place64(v.x, v.y, v.z));
    while (good && !todo_.empty()) {
        const Seed seed = todo_.back();
        todo_.pop_back();
        Brick& kept = bricks_[seed.brick];
        const std::uint64_t fresh = seed.bits & ~(kept.yes | kept.no);
        if (fresh == 0) continue;
        const Voxel at = kept.at;
        const std::uint64_t now = flood_brick(fresh, masks_->free(at.x, at.y, at.z));
        (joined ? kept.yes : kept.no) |= now;
        good = add({at.x + 1, at.y, at.z}, now >> 3 & kLowX) &&
               add({at.x - 1, at.y, at.z}, (now & kLowX) << 3) &&
               add({at.x, at.y + 1, at.z}, now >> 12 & kLowY) &&
               add({at.x, at.y - 1, at.z}, (now & kLowY) << 12) && add({at.x, at.y, at.z + 1}, now >> 48) &&
               add({at.x, at.y, at.z - 1}, now << 48);
    }
    failed_ = failed_ || !good || masks_->failed();
}

}  // namespace fairlead::volume
