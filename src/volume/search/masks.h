// Where the middle of a body may be, brick by brick: what the search walks on.
//
// For a point and for spheres up to half a voxel it is every free voxel: a unit in one slides straight to its middle. For wider spheres
// it is every voxel whose middle keeps the radius from all that is solid and from the bounds: the solid voxels are grown, row by row, by
// how far the sphere reaches in each row beside it. Grown bricks are made when they are met and kept for the query.
//
// With blockers it is every such voxel from whose middle the body can move half a voxel each way: then so is every step between two of
// them that share a face, and what is not such a place is only a little nearer to a blocker.
//
// Between neighbouring middles the gap to every voxel is monotone on each axis: the step between two of them that share a face is legal
// where both are, and so is all of the hull of eight that are (spec: volumes-radius, section 1).
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "volume/data/state.h"
#include "volume/search/key_table.h"
#include "volume/search/solid_rows.h"
#include "volume/sight/walk.h"

namespace fairlead::volume {

class Masks {
  public:
    explicit Masks(const Allocator& allocator)
        : bricks_(allocator), table_(allocator), arms_(allocator), rows_(allocator), near_(allocator) {}

    /// State and body outlive it. False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, const Body& body);

    [[nodiscard]] const StateData& state() const { return *state_; }
    [[nodiscard]] const Body& body() const { return *body_; }
    /// Is the middle of every free voxel a place?
    [[nodiscard]] bool is_narrow() const { return narrow_ && blockers_ == nullptr; }
    [[nodiscard]] bool has_blockers() const { return blockers_ != nullptr; }
    /// Voxels that the body reaches beside the one that holds its middle, on an axis.
    [[nodiscard]] const std::int32_t* reach() const { return reach_; }
    /// Was memory missing? What free() said then is worth nothing.
    [[nodiscard]] bool failed() const { return failed_; }
    /// Do words hold the rows that it reaches? Else bricks are grown voxel by voxel.
    [[nodiscard]] bool by_rows() const { return by_rows_; }
    /// Is nothing solid so near that the body touches it in this brick or `more` voxels beside it? May say no. Bounds do not count.
    [[nodiscard]] bool is_far(Voxel brick, std::int32_t more) const;
    /// The brick lies so far inside the bounds that the body stands there, and `more` voxels beside it.
    [[nodiscard]] bool is_inside(Voxel brick, std::int32_t more) const;
    /// Of a brick, in bounds or not.
    [[nodiscard]] std::uint64_t free(std::int32_t x, std::int32_t y, std::int32_t z) {
        if ((x | y | z) < 0) return 0;
        if (FAIRLEAD_UNLIKELY(blockers_ != nullptr)) return bits_past_blockers(x, y, z);
        return narrow_ ? state_->free_bits(x, y, z) : grown_bits(x, y, z);
    }
    [[nodiscard]] bool is_free(Voxel v) {
        return state_->in_bounds(v) &&
               (free(v.x >> 2, v.y >> 2, v.z >> 2) >> place64(v.x, v.y, v.z) & 1) != 0;
    }
    /// Is all of a part free, in so far as it is in bounds? The part is in bounds. May say no of a free one.
    [[nodiscard]] bool is_open(std::int32_t x, std::int32_t y, std::int32_t z) {
        if (FAIRLEAD_UNLIKELY(blockers_ != nullptr)) return is_open_past_blockers(x, y, z);
        return is_open_without(x, y, z);
    }
    [[nodiscard]] bool part_in_bounds(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return (x | y | z) >= 0 && state_->in_bounds({x * 8, y * 8, z * 8});
    }

  private:
    [[nodiscard]] bool is_open_without(std::int32_t x, std::int32_t y, std::int32_t z) const {
        const Chunk* chunk = state_->chunks[state_->chunk_index(x >> 3, y >> 3, z >> 3)];
        if (narrow_)
            return chunk == nullptr ||
                   chunk->cells[place64(x >> 1, y >> 1, z >> 1)].distance(place8(x, y, z)) != 0;
        return is_wide_open(x, y, z);
    }

    /// How far the body reaches along x in the row that is (dy, dz) voxels beside its own.
    struct Arm {
        std::int32_t dy = 0;
        std::int32_t dz = 0;
        std::int32_t width = 0;
    };
    struct Kept {
        std::uint64_t key = 0;
        std::uint64_t bits = 0;
    };

    [[nodiscard]] std::uint64_t grown_bits(std::int32_t x, std::int32_t y, std::int32_t z);
    [[nodiscard]] bool grow(Voxel brick, std::uint64_t& open);
    [[nodiscard]] std::uint64_t grow_one_by_one(Voxel brick, std::uint64_t open) const;
    [[nodiscard]] std::uint64_t inside_bits(Voxel brick) const;
    [[nodiscard]] bool is_wide_open(std::int32_t x, std::int32_t y, std::int32_t z) const;
    [[nodiscard]] std::uint64_t bits_past_blockers(std::int32_t x, std::int32_t y, std::int32_t z);
    [[nodiscard]] bool is_open_past_blockers(std::int32_t x, std::int32_t y, std::int32_t z);
    [[nodiscard]] bool moves_past(Voxel v) const;

    const StateData* state_ = nullptr;
    const Body* body_ = nullptr;
    bool narrow_ = true;
    bool by_rows_ = true;
    bool failed_ = false;
    std::int32_t reach_[3] = {};  ///< at the bounds too: so many voxels are too near
    std::int32_t most_ = 0;       ///< of them
    double clear_ = 0.0;          ///< voxels that an open part needs around it
    Array<Kept> bricks_;
    KeyTable table_;
    Array<Arm> arms_;
    SolidRows rows_;
    const BlockerTree* blockers_ = nullptr;
    Array<Obstacle> near_;  ///< to the brick at hand
};

}  // namespace fairlead::volume
