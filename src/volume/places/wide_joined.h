// Which middles of voxels a sphere wider than half a voxel can get to from one place.
//
// One search (wide/wide_way.h) for each set of middles that are joined over faces: its answer is kept for all of the set, brick by
// brick, as bits.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "volume/wide/key_map.h"
#include "volume/wide/wide_way.h"

namespace fairlead::volume {

class WideJoined {
  public:
    explicit WideJoined(const Allocator& allocator)
        : way_(allocator), index_(allocator), bricks_(allocator), todo_(allocator) {}

    /// The masks' body stands at `from`, voxels. Both outlive it.
    void begin(Masks& masks, Vec3 from);
    /// Of a middle where the body fits. False also: failed().
    [[nodiscard]] bool reaches(Voxel v);
    /// Of any place where it stands.
    [[nodiscard]] bool reaches_place(Vec3 at);
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    struct Brick {
        Voxel at{};
        std::uint64_t yes = 0;
        std::uint64_t no = 0;
    };
    struct Seed {
        std::uint32_t brick = 0;
        std::uint64_t bits = 0;
    };
    [[nodiscard]] std::uint32_t brick(Voxel at);
    void keep(Voxel v, bool joined);
    [[nodiscard]] bool add(Voxel at, std::uint64_t bits);

    Masks* masks_ = nullptr;
    Vec3 from_{};
    WideWay way_;
    KeyMap index_;
    Array<Brick> bricks_;
    Array<Seed> todo_;
    bool failed_ = false;
};

}  // namespace fairlead::volume
