// Hub labels: for each node of a graph a short list of hubs with its distance to them, such that on a shortest path between any
// two nodes there is a hub that both of them list. So a distance is a walk along two lists, and since each entry names the
// next node on the way to its hub, so is the path: first moves, compressed to those that are needed.
//
// Ittai Abraham, Daniel Delling, Andrew V. Goldberg & Renato F. Werneck (2011), "A hub-based labeling algorithm for
// shortest paths in road networks". Labels are made by searches from one node after the other that stop where the labels there
// are tell the distance already (Takuya Akiba, Yoichi Iwata & Yuichi Yoshida 2013, "Fast exact shortest-path distance
// queries on large networks by pruned landmark labeling"); the order is that of mesh_table/hub_order.h.
//
// Cost on level meshes: 10 to 40 entries a node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "mesh/data/tile.h"

namespace fairlead::mesh {

/// 16 bytes.
struct HubEntry {
    double far = 0.0;
    std::uint32_t hub = 0;   ///< by its place in the order: the most important one is 0
    std::uint32_t next = 0;  ///< the node after this one on the way to the hub; at the hub itself that node
};

struct HubLabels {
    explicit HubLabels(const Allocator& allocator) : first(allocator), entries(allocator) {}
    Array<std::uint32_t> first;  ///< by node, and the end
    Array<HubEntry> entries;     ///< of each node, by hub

    [[nodiscard]] std::span<const HubEntry> of(std::uint32_t node) const {
        return entries.span().subspan(first[node], first[node + 1] - first[node]);
    }
    /// The node after `node` on the way to a hub that it lists.
    [[nodiscard]] std::uint32_t next(std::uint32_t node, std::uint32_t hub) const {
        const HubEntry* const end = entries.data() + first[node + 1];
        const auto before = [](const HubEntry& entry, std::uint32_t wanted) { return entry.hub < wanted; };
        const HubEntry* const at = std::lower_bound(entries.data() + first[node], end, hub, before);
        return at != end && at->hub == hub ? at->next : kNone;
    }
};

}  // namespace fairlead::mesh
