// Which middles of voxels are places for a unit, and which of them are connected to where it is.
#pragma once

#include <fairlead/volume/nearest_free.h>

#include "volume/places/wide_joined.h"
#include "volume/search/masks.h"

namespace fairlead::volume {

class FreePlaces {
  public:
    explicit FreePlaces(const Allocator& allocator) : masks_(allocator), wide_(allocator) {}

    /// `from`: only places connected to it count; null: all.
    [[nodiscard]] Result<void> begin(const VolumeState& volume, const Agent& agent, const Spot* from);
    /// May there be any? Not where the unit does not fit at `from`.
    [[nodiscard]] bool any() const { return any_; }

    [[nodiscard]] const StateData& state() const { return *state_; }
    /// Voxels of a brick that accepts() may take.
    [[nodiscard]] std::uint64_t bits(std::int32_t x, std::int32_t y, std::int32_t z) {
        return masks_.free(x, y, z);
    }
    /// Of one of those bits.
    [[nodiscard]] bool accepts(Voxel v) { return is_joined(v) && (!wide_joined_ || wide_.reaches(v)); }
    /// Was memory missing? Then what was said is worth nothing.
    [[nodiscard]] bool failed() const { return masks_.failed() || (wide_joined_ && wide_.failed()); }
    /// Is any place, in voxels, one?
    [[nodiscard]] bool fits(Vec3 at) {
        Voxel v;
        if (!stands(*state_, body_, at) || !free_voxel_at(*state_, at, v) || !is_joined(v)) return false;
        return !wide_joined_ || wide_.reaches_place(at);
    }

  private:
    [[nodiscard]] bool is_joined(Voxel v) const { return !joined_ || label_of(*state_, v) == label_; }

    const StateData* state_ = nullptr;
    Body body_{};
    Masks masks_;
    WideJoined wide_;
    bool joined_ = false;
    bool wide_joined_ = false;  ///< components do not tell it: the body is wider than half a voxel
    bool any_ = true;
    std::uint32_t label_ = 0;
};

}  // namespace fairlead::volume
