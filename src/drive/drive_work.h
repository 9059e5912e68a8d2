// The memory of a DriveSearch, kept in the caller's Scratch.
#pragma once

#include <fairlead/search/engine.h>
#include <fairlead/search/node_store.h>
#include <fairlead/search/open_list.h>

#include "drive/ground_distance.h"
#include "drive/lattice_space.h"
#include "drive/pose_set.h"
#include "drive/smooth_curves.h"

namespace fairlead::drive {

/// f = g + w h, and a pose is opened once. With a consistent bound h the first goal taken costs at most w times the
/// least (Likhachev, Gordon and Thrun 2003).
struct WeightedOnceKey {
    std::uint32_t weight_256 = 256;
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return g + (h >> 8) * weight_256; }
    [[nodiscard]] bool reopens() const { return weight_256 == 256; }
};

using LatticeEngine = BestFirst<LatticeSpace, WeightedOnceKey, BucketOpen, PagedNodes>;

struct DriveWork {
    explicit DriveWork(const Allocator& allocator)
        : nodes(allocator),
          open(allocator),
          ground(allocator),
          steps(allocator),
          starts(allocator),
          path(allocator),
          chain(allocator),
          smoother(allocator),
          entries(allocator),
          closure(allocator) {}

    PagedNodes nodes;
    BucketOpen open;
    GroundDistance ground;
    Array<LatticeStep> steps;
    Array<LatticeStart> starts;
    Array<std::uint32_t> path;  // nodes, the start first
    Array<ChainPose> chain;     // the way found, in cells
    CurveSmoother smoother;
    Array<LatticePose> entries;  // poses with a free curve to the goal, where they are needed
    PoseClosure closure;
    LatticeGoal goal;
    LatticeSpace space;
    LatticeEngine engine{space, open, nodes};
    PathStatus status = PathStatus::unreachable;
    CostScale scale{};
};

}  // namespace fairlead::drive
