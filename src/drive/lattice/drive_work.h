// The memory of a DriveSearch, kept in the caller's Scratch.
#pragma once

#include <fairlead/route/route.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/open_list.h>

#include "drive/ground/corridor.h"
#include "drive/ground/ground_distance.h"
#include "drive/ground/ground_way.h"
#include "drive/ground/near_ground.h"
#include "drive/lattice/article_bound.h"
#include "drive/lattice/bin_search.h"
#include "drive/lattice/block_nodes.h"
#include "drive/lattice/end_work.h"
#include "drive/lattice/grid_lattice.h"
#include "drive/lattice/lattice_path.h"
#include "drive/lattice/lattice_trace.h"
#include "drive/lattice/nearest_pose.h"
#include "drive/lattice/other_estimate.h"
#include "drive/lattice/pose_run.h"
#include "drive/map/pose_set.h"

namespace fairlead::drive {

/// f = g + w h, and a pose is opened once. With a consistent bound h the first goal taken costs at most w times the
/// least (Likhachev, Gordon and Thrun 2003).
struct WeightedOnceKey {
    std::uint32_t weight_256 = 256;
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return g + (h >> 8) * weight_256; }
    [[nodiscard]] bool reopens() const { return weight_256 == 256; }
};

using GridSpace = PoseSpace<GridLattice, BlockNodes>;
using LatticeEngine = BestFirst<GridSpace, WeightedOnceKey, BucketOpen, BlockNodes, LatticeTrace>;

/// A curve from an exact start to target `which` of the goal; -1: there is none.
struct DirectCurve {
    Pose from{};
    FreeCurve curve{};
    int which = -1;
};

struct DriveWork : PathWork {
    explicit DriveWork(const Allocator& allocator)
        : PathWork(allocator),
          nodes(allocator),
          open(allocator),
          ground(allocator),
          way(allocator),
          corridor(allocator),
          steps(allocator),
          visits(allocator),
          first_visit(allocator),
          starts(allocator),
          path(allocator),
          entries(allocator),
          ahead(allocator),
          behind(allocator),
          bins(allocator),
          blockers(allocator),
          clear_moves(allocator) {}

    BlockNodes nodes;
    BucketOpen open;
    GroundDistance ground;
    GroundWay way;             // on the ground, from the goal to the start
    Corridor corridor;         // along it
    NearGround near;           // around the start, while the corridor is made
    bool in_corridor = false;  // the search keeps to it
    double least = 0.0;        // cells: no way of the lattice costs less
    Array<LatticeStep> steps;
    Array<LatticeVisit> visits;  // of the steps, on terrain
    Array<std::uint32_t> first_visit;
    Array<LatticeStart> starts;
    Array<std::uint32_t> path;   // nodes, the start first
    Array<LatticePose> entries;  // poses with a free curve to the goal, where they are needed
    PoseClosure ahead;           // what the starts reach, and
    PoseClosure behind;          // what reaches the goal, where the cores do not tell
    BinSearch bins;              // where the lattice has no way
    bool off_lattice = false;    // the best way is one of those
    BlockerSweep blockers;       // of the query
    ClearMoves clear_moves;      // past them
    ArticleBound article;
    OtherEstimate other;
    DirectCurve direct;
    LatticeGoal goal;
    NearestPose near_goal;  // where there is no way to it
    EndWork ends;           // fills starts, direct, goal and ground
    ChainWork chain_work;   // fills chain
    GridLattice lattice;
    GridSpace space;
    LatticeTracer tracer;  // of a search that is watched
    LatticeEngine engine{space, open, nodes};
    PathStatus status = PathStatus::unreachable;
    bool divided = false;  // start and goal are in parts of the ground that are not joined
    CostScale scale{};
};

}  // namespace fairlead::drive
