// Pocket: what of a volume's free voxels is closed in, where two places are not joined.
//
// Both sides are flooded in turn, brick by brick, until one of them ends: the smaller one, in so far as bricks tell.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "explain/spending.h"
#include "volume/wide/key_map.h"

namespace fairlead::explaining {

class Pocket {
  public:
    explicit Pocket(const Allocator& allocator) : sides_{Side(allocator), Side(allocator)} {}

    void begin(const volume::StateData& state);
    /// A free voxel of the start's side, of the goal's. False: out of memory.
    [[nodiscard]] bool add(bool goal_side, Voxel at);
    /// `budget` falls by the bricks looked at. yes: one side has ended; unknown: the budget has.
    [[nodiscard]] Answer flood(std::uint64_t& budget);

    // After flood said yes.
    [[nodiscard]] bool goal_side() const { return ended_ == 1; }
    [[nodiscard]] std::int64_t voxels() const { return sides_[ended_].voxels; }
    /// Solid voxels that share a face with it; what is outside the bounds is not counted.
    [[nodiscard]] std::int64_t walls() const { return sides_[ended_].walls; }
    [[nodiscard]] const VoxelBox& box() const { return sides_[ended_].box; }

  private:
    struct Brick {
        Voxel at{};
        std::uint64_t seen = 0;
        std::uint64_t walls = 0;
    };
    struct Seed {
        std::uint32_t brick;
        std::uint64_t bits;
    };
    struct Side {
        explicit Side(const Allocator& a) : index(a), bricks(a), todo(a) {}
        volume::KeyMap index;
        Array<Brick> bricks;
        Array<Seed> todo;
        std::int64_t voxels = 0;
        std::int64_t walls = 0;
        VoxelBox box{};
    };
    [[nodiscard]] std::uint32_t brick(Side& side, Voxel at) const;
    [[nodiscard]] bool spread(Side& side, Seed seed) const;
    [[nodiscard]] bool reach(Side& side, Voxel at, std::uint64_t bits) const;

    const volume::StateData* state_ = nullptr;
    Side sides_[2];
    int ended_ = 0;
};

}  // namespace fairlead::explaining
