// The memory of a timed search, kept in the caller's Scratch beside that of a DriveSearch, whose ends, ground distance and smoother
// it uses.
#pragma once

#include <utility>

#include <fairlead/drive/find_timed.h>

#include "drive/lattice/drive_work.h"
#include "drive/lattice/lattice_trace.h"
#include "drive/timed/timed_lattice.h"

namespace fairlead::drive {

using TimedSpace = PoseSpace<TimedLattice, HashedNodes>;
using TimedEngine = BestFirst<TimedSpace, WeightedOnceKey, BucketOpen, HashedNodes, LatticeTrace>;

struct TimedWork {
    explicit TimedWork(const Allocator& allocator)
        : nodes(allocator), open(allocator), line(allocator), starts(allocator), path(allocator) {
        for (Route* out : {&best, &trial}) {
            out->legs = Array<Leg>(allocator);
            out->speeds = Array<SpeedKnot>(allocator);
        }
    }

    HashedNodes nodes;
    BucketOpen open;
    SpeedLine line;
    Array<TimedStart> starts;
    Array<std::uint32_t> path;  // nodes, the start first
    Route best;
    Route trial;
    TimedLattice lattice;
    TimedSpace space;
    TimedEngine engine{space, open, nodes};
    LatticeTracer tracer;  // of a search that is watched
    std::int32_t start_level = 0;
    std::int32_t goal_level = 0;  // or kAnyLevel
    SearchStats stats{};
};

}  // namespace fairlead::drive
