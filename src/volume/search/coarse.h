// The coarse search: over the components of cells of 16^3, from the goal, to guide a search that is lost (volume.h, components/joins.h).
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/open_list.h>

#include "volume/data/state.h"
#include "volume/search/key_table.h"

namespace fairlead::volume {

class CoarseSearch {
  public:
    explicit CoarseSearch(const Allocator& allocator)
        : nodes_(allocator), table_(allocator), open_(allocator) {}

    /// From the cell of the goal to that of the start; both are free voxels of one component.
    [[nodiscard]] bool begin(const StateData& state, Voxel goal, Voxel start, double weight,
                             const SearchTrace& trace);
    [[nodiscard]] SearchProgress step(std::uint64_t budget);
    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }

    /// How far a place is from the goal by the cells, if its own was met: to the next cell on the way, and the rest. False: not met.
    [[nodiscard]] bool rest(Voxel voxel, Vec3 at, Vec3 goal, double& length) const;

  private:
    struct Node {
        std::uint64_t key = 0;   ///< the cell's number x 4096 + component
        double g = 0.0;          ///< from the goal, sides
        std::uint32_t next = 0;  ///< towards the goal
        bool closed = false;
    };
    [[nodiscard]] std::uint64_t key_of(Voxel v) const;
    [[nodiscard]] std::uint64_t key_of(std::int32_t x, std::int32_t y, std::int32_t z,
                                       std::uint32_t component) const;
    [[nodiscard]] Vec3 middle(std::uint64_t key) const;
    [[nodiscard]] std::uint32_t find_or_add(std::uint64_t key);
    [[nodiscard]] bool relax(std::uint32_t from, std::uint64_t key);
    [[nodiscard]] bool expand(std::uint32_t node);
    void tell_opened(std::uint32_t node) const;
    [[nodiscard]] double away(Vec3 a, Vec3 b) const;

    const StateData* state_ = nullptr;
    SearchTrace trace_{};
    Vec3 metric_{1, 1, 1};
    Array<Node> nodes_;
    KeyTable table_;
    HeapOpen open_;
    double weight_ = 2.0;
    std::uint64_t start_key_ = 0;
    Vec3 start_{};
    std::uint64_t expanded_ = 0;
};

}  // namespace fairlead::volume
