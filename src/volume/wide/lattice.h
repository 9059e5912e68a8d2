// The middles of voxels where a sphere fits (search/masks.h), brick by brick as they are asked for, and their components inside each
// brick.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "volume/data/state.h"
#include "volume/search/masks.h"
#include "volume/wide/key_map.h"
#include "volume/wide/sets.h"

namespace fairlead::volume {

/// Fitting middles of a brick that are joined within it.
struct LatticePart {
    std::uint64_t mask;
    std::uint32_t brick;
    std::uint32_t node;
    std::uint32_t contacts;  ///< kNone: not known yet
    std::uint32_t contact_count;
    std::uint32_t more;  ///< further contacts: the first of a chain
};

struct LatticeBrick {
    Voxel at;  ///< in bricks
    std::uint64_t fit;
    std::uint64_t shown;  ///< solid, with a neighbour over a face that is not
    std::uint32_t parts;
    std::uint32_t part_count;
    std::uint32_t octants;  ///< kNone: not known yet
    bool has_fit;
    bool has_shown;
};

class Lattice {
  public:
    explicit Lattice(const Allocator& allocator)
        : index_(allocator),
          bricks_(allocator),
          parts_(allocator),
          steps_(allocator),
          octants_(allocator),
          rows_(allocator) {}

    /// All of it outlives the lattice. False: out of memory.
    [[nodiscard]] bool begin(Masks& masks, Sets& sets);

    /// Of the brick (x, y, z) in bricks, anywhere. kNone: out of memory.
    [[nodiscard]] std::uint32_t brick(Voxel at);  ///< its fitting middles and parts are known
    [[nodiscard]] bool shown(Voxel at,
                             std::uint64_t& bits);  ///< solid voxels on the surface. False: out of memory
    /// Is the cube from the middle of a voxel on plainly blocked: is one solid voxel too near to all of each of its
    /// octants? False: out of memory.
    [[nodiscard]] bool shut(Voxel low, bool& is);
    [[nodiscard]] const LatticeBrick& operator[](std::uint32_t brick) const { return bricks_[brick]; }
    [[nodiscard]] LatticePart& part(std::uint32_t i) { return parts_[i]; }
    [[nodiscard]] const LatticePart& part(std::uint32_t i) const { return parts_[i]; }
    /// The node that holds the middle of a voxel; kNone: it does not fit, or out of memory (failed() tells).
    [[nodiscard]] std::uint32_t node_at(Voxel v);
    /// The same of the eight voxels from one on. False: out of memory.
    [[nodiscard]] bool nodes_around(Voxel low, std::uint32_t nodes[8]);
    [[nodiscard]] bool failed() const { return failed_; }

    /// Is it plain that all middles in it and around it fit?
    [[nodiscard]] bool all_fit_around(std::uint32_t brick) const;
    /// Which of the 5^3 cubes between middles, from that whose low corner is one voxel before the brick on, have
    /// not all corners fitting: `rough[z * 5 + y]` bit x; and the middles around, `fit[z * 6 + y]` bit x. False:
    /// out of memory.
    [[nodiscard]] bool around(std::uint32_t brick, std::uint8_t fit[36], std::uint8_t rough[25]);

  private:
    [[nodiscard]] std::uint32_t record(Voxel at);
    [[nodiscard]] std::uint32_t node_in(std::uint32_t brick, std::uint32_t place) const;
    [[nodiscard]] std::uint64_t solid(Voxel at) const { return ~state_->free_bits(at.x, at.y, at.z); }
    [[nodiscard]] bool shut_octants(std::uint32_t brick);
    [[nodiscard]] bool make_steps();
    /// Solid voxels from `back` before to `ahead` after it are too near.
    struct Steps {
        std::int8_t ahead;
        std::int8_t back;
    };
    struct Octants {
        std::uint64_t shut[8];  ///< by half of the voxel on each axis, voxels of the brick
    };
    [[nodiscard]] bool add_parts(std::uint32_t brick);

    Masks* masks_ = nullptr;
    const StateData* state_ = nullptr;
    Sets* sets_ = nullptr;
    KeyMap index_;
    Array<LatticeBrick> bricks_;
    Array<LatticePart> parts_;
    Array<Steps> steps_;  ///< of the low half of a voxel along x, by half voxels along z and y
    Array<Octants> octants_;
    SolidRows rows_;
    bool failed_ = false;
    Voxel last_at_{};
    std::uint32_t last_ = kNone;
};

/// Voxels of a brick's bits and those beside them over faces.
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t grown_over_faces(std::uint64_t b) {
    constexpr std::uint64_t x = 0x1111111111111111ULL, y = 0x000f000f000f000fULL;
    return b | (b << 1 & ~x) | (b >> 1 & ~(x << 3)) | (b << 4 & ~y) | (b >> 4 & ~(y << 12)) | b << 16 |
           b >> 16;
}

}  // namespace fairlead::volume
