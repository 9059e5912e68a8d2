// What revalidate and repair of all units in a volume share: the query's blockers, made ready, and lengths in space.
#pragma once

#include <span>

#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

#include "base/no_memory.h"
#include "search/run_search.h"
#include "volume/sight/walk.h"

namespace fairlead::volume {

struct BlockersInScratch {
    explicit BlockersInScratch(const Allocator& a) : tree(a) {}
    BlockerTree tree;
};

/// For a unit of that Body::half. Null where there are none. Errors: scratch_in_use, out_of_memory.
[[nodiscard]] inline Result<const BlockerTree*> tree_of(const VolumeState& volume,
                                                        std::span<const VolumeBlocker> blockers, double half,
                                                        Scratch& scratch) {
    if (blockers.empty()) return static_cast<const BlockerTree*>(nullptr);
    if (scratch.in_use()) return kScratchInUse;
    auto* work = scratch.get<BlockersInScratch>();
    if (work == nullptr || !work->tree.begin(volume.data(), blockers, half)) return kNoMemory;
    return static_cast<const BlockerTree*>(&work->tree);
}

}  // namespace fairlead::volume

namespace fairlead {

[[nodiscard]] inline double length_in_space(const Route& route) {
    double sum = 0.0;
    for (const Leg& leg : route.legs) sum += length(Vec2{leg.length, leg.rise});
    return sum;
}

}  // namespace fairlead
