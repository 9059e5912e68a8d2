// The middles of voxels within a range of a place where a wide body fits: one of each set that is joined over faces within the range,
// the nearest to the place, and the sets by that distance.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "volume/search/masks.h"
#include "volume/wide/key_map.h"

namespace fairlead::volume {

class RangeGroups {
  public:
    explicit RangeGroups(const Allocator& allocator)
        : index_(allocator), bricks_(allocator), todo_(allocator), groups_(allocator) {}

    /// `place`, `range`: world; range may be infinite. `without`: the set of this voxel is left out. False: out of memory.
    [[nodiscard]] bool list(Masks& masks, Vec3 place, double range, const Voxel* without);

    [[nodiscard]] std::size_t size() const { return groups_.size(); }
    [[nodiscard]] Voxel operator[](std::size_t i) const { return groups_[i].nearest; }

  private:
    struct Brick {
        Voxel at{};
        std::uint64_t bits = 0;
        std::uint64_t seen = 0;
    };
    struct Seed {
        std::uint32_t brick = 0;
        std::uint64_t bits = 0;
    };
    struct Group {
        double squared = 0.0;
        Voxel nearest{};
    };
    [[nodiscard]] static bool before(const Group& a, const Group& b);
    [[nodiscard]] bool gather();
    [[nodiscard]] std::uint64_t in_range(Voxel brick, std::uint64_t bits) const;
    [[nodiscard]] double squared_to(Voxel v) const;
    [[nodiscard]] bool add(Voxel brick, std::uint64_t bits);
    [[nodiscard]] bool flood(Seed seed, Group& group);

    Masks* masks_ = nullptr;
    Vec3 place_{};
    double range_ = 0.0;
    KeyMap index_;
    Array<Brick> bricks_;
    Array<Seed> todo_;
    Array<Group> groups_;
};

}  // namespace fairlead::volume
