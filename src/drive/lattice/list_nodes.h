// The nodes of a search on the way that it found.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

namespace fairlead::drive {

/// From the start to `last`. False: out of memory.
template <class Nodes>
[[nodiscard]] bool list_nodes(const Nodes& nodes, std::uint32_t last, Array<std::uint32_t>& path) {
    path.clear();
    for (std::uint32_t node = last; node != kNoNode; node = nodes[node].parent) {
        if (!path.push_back(node)) return false;
    }
    std::reverse(path.begin(), path.end());
    return true;
}

}  // namespace fairlead::drive
