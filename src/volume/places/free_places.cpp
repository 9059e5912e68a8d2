// See free_places.h.
#include "volume/places/free_places.h"

#include "base/no_memory.h"
#include "volume/sight/check_unit.h"

namespace fairlead::volume {

Result<void> FreePlaces::begin(const VolumeState& volume, const Agent& agent, const Spot* from) {
    state_ = &volume.data();
    if (const Result<void> good = check_upright(*state_, agent); !good) return good;
    if (from != nullptr) {
        if (const Result<void> good = check_place(*from, Field::from); !good) return good;
    }
    body_ = Body(*state_, agent);
    if (!masks_.begin(*state_, body_)) return kNoMemory;
    any_ = true;
    joined_ = from != nullptr;
    wide_joined_ = joined_ && !masks_.is_narrow();
    if (!joined_) return {};
    const Vec3 at = state_->in_voxels(from->position);
    Voxel v;
    any_ = stands(*state_, body_, at) && free_voxel_at(*state_, at, v);
    if (any_) label_ = label_of(*state_, v);
    if (any_ && wide_joined_) wide_.begin(masks_, at);
    return {};
}

}  // namespace fairlead::volume
