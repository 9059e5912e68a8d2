// Clusters: how the hierarchy of a registered size is stored, a chunk a cluster.
//
// Level 0 has clusters of 64 x 64 cells, level 1 of 4 x 4 of those, level 2 of 4 x 4 of these. Two neighbours are joined by
// *entrances*, nodes on the border between them, each half a cell away from a free cell of either. A cluster knows the entrances on its
// four sides and what it costs to cross it from each to each. Entrances of a higher level are some of those of the level below. A cell
// that portals leave or arrive at is an entrance too, of its cluster on every level (PortalTables::places).
//
// A node's number does not depend on how many others there are: (cluster, east or north side of it, place in that side's list).
// So an edit renumbers nothing but the borders that it changes. Costs are in 1/24 of a cell.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>

#include "grid/state.h"

namespace fairlead::grid {

inline constexpr std::int32_t kClusterShift = 6;
inline constexpr std::int32_t kClusterSide = 1 << kClusterShift;
inline constexpr std::int32_t kClusterFanShift = 2;  ///< 4 x 4 clusters make one of the next level
inline constexpr std::int32_t kClusterFan = 1 << kClusterFanShift;
inline constexpr std::int32_t kBorderNodesMax = 32;  ///< of a border of level 0: runs of 64 cells
inline constexpr std::uint32_t kStepCost = 24;       ///< a cell, straight
inline constexpr std::uint32_t kHalfStep = kStepCost / 2;
inline constexpr std::uint32_t kNoCost = UINT32_MAX;
inline constexpr std::int32_t kClusterPlacesMax = 96;    ///< of portals in a cluster of level 0
inline constexpr std::uint32_t kPlaceBit = 0x80000000U;  ///< in the number of such a node

/// Sides of a cluster, in the order in which its entrances are listed; places of portals come after them.
enum ClusterSide : std::int32_t { kWestSide, kSouthSide, kEastSide, kNorthSide, kPlaceSide };

[[nodiscard]] constexpr bool is_place(std::uint32_t id) { return (id & kPlaceBit) != 0; }

[[nodiscard]] constexpr std::int32_t opposite_side(std::int32_t side) { return (side + 2) & 3; }
[[nodiscard]] constexpr std::int32_t side_dx(std::int32_t side) {
    return side == kEastSide ? 1 : side == kWestSide ? -1 : 0;
}
[[nodiscard]] constexpr std::int32_t side_dy(std::int32_t side) {
    return side == kNorthSide ? 1 : side == kSouthSide ? -1 : 0;
}

/// The side that a node is listed on; `first` as in the clusters' headers.
template <class Count>
[[nodiscard]] constexpr std::int32_t side_of_node(const Count* first, std::int32_t node) {
    std::int32_t side = 0;
    while (side < kPlaceSide && node >= first[side + 1]) ++side;
    return side;
}

/// An entrance: its number (with kPlaceBit that of a place of portals), and where it is, in half cells.
struct ClusterNode {
    std::uint32_t id = 0;
    std::uint16_t x2 = 0;
    std::uint16_t y2 = 0;
};

/// The clusters of one level of one layer.
struct ClusterGrid {
    std::int32_t across = 0;
    std::int32_t down = 0;
    std::int32_t shift = kClusterShift;  ///< a side is 2^shift cells
    std::uint32_t at = 0;                ///< the layer's first chunk

    /// Without the chunks.
    [[nodiscard]] static ClusterGrid sized(const StateData& state, std::int32_t level) {
        ClusterGrid grid;
        grid.shift = kClusterShift + level * kClusterFanShift;
        grid.across = (state.width + (1 << grid.shift) - 1) >> grid.shift;
        grid.down = (state.height + (1 << grid.shift) - 1) >> grid.shift;
        return grid;
    }
    [[nodiscard]] static ClusterGrid of(const StateData& state, const Body& body, std::int32_t level,
                                        std::int32_t layer) {
        ClusterGrid grid = sized(state, level);
        std::uint32_t at = body.clusters_at;
        for (std::int32_t below = 0; below < level; ++below) {
            const ClusterGrid lower = sized(state, below);
            at += static_cast<std::uint32_t>(lower.across * lower.down * state.layers);
        }
        grid.at = at + static_cast<std::uint32_t>(layer * grid.across * grid.down);
        return grid;
    }
    [[nodiscard]] bool inside(std::int32_t x, std::int32_t y) const {
        return static_cast<std::uint32_t>(x) < static_cast<std::uint32_t>(across) &&
               static_cast<std::uint32_t>(y) < static_cast<std::uint32_t>(down);
    }
    [[nodiscard]] std::uint32_t index(std::int32_t x, std::int32_t y) const {
        return static_cast<std::uint32_t>(y * across + x);
    }
    [[nodiscard]] std::uint32_t chunk(std::int32_t x, std::int32_t y) const { return at + index(x, y); }
};

/// Chunks that all levels take, all layers.
[[nodiscard]] inline std::uint32_t cluster_chunks(const StateData& state, std::int32_t levels) {
    std::uint32_t count = 0;
    for (std::int32_t level = 0; level < levels; ++level) {
        const ClusterGrid grid = ClusterGrid::sized(state, level);
        count += static_cast<std::uint32_t>(grid.across * grid.down * state.layers);
    }
    return count;
}

/// A cluster of level 0. Its points are the entrances' cells, in the order of the sides and then of the position, and after them the
/// *corners*: free cells at the corner of a wall, where a shortest way may bend.
struct Cluster {
    struct Header {
        std::uint16_t points = 0;
        std::uint8_t entrances = 0;
        std::uint8_t crowded = 0;    ///< too many points: costs from entrance to entrance alone are kept
        std::uint8_t first[5] = {};  ///< of each side, and of the places
        std::uint8_t spare[3] = {};
        std::uint32_t bytes = 0;  ///< of all of it
    };
    struct Point {
        std::uint8_t x = 0;  ///< in the cluster
        std::uint8_t y = 0;
    };
    static constexpr std::uint16_t kNone = UINT16_MAX;

    const Header* header = nullptr;
    const ClusterNode* nodes = nullptr;  ///< the entrances
    const std::uint16_t* costs =
        nullptr;  ///< by entrance, then by point: along the shortest way inside the cluster
    const Point* points = nullptr;
    const std::uint8_t* corners = nullptr;  ///< which diagonal neighbours are walls (corner_way)
    const std::uint8_t* next =
        nullptr;  ///< by entrance, then by point: the next point of that way to the entrance

    [[nodiscard]] static Cluster at(const std::uint64_t* chunk) {
        Cluster c;
        c.header = reinterpret_cast<const Header*>(chunk);
        const std::size_t points = c.header->points, rows = c.header->entrances;
        c.nodes = reinterpret_cast<const ClusterNode*>(c.header + 1);
        c.costs = reinterpret_cast<const std::uint16_t*>(c.nodes + rows);
        c.points = reinterpret_cast<const Point*>(c.costs + rows * points);
        c.corners = reinterpret_cast<const std::uint8_t*>(c.points + points);
        c.next = c.corners + points;
        return c;
    }
    [[nodiscard]] static std::size_t bytes_of(std::size_t entrances, std::size_t points, bool crowded) {
        const std::size_t rows = entrances * points;
        return sizeof(Header) + entrances * sizeof(ClusterNode) + rows * 2 + points * 3 +
               (crowded ? 0 : rows);
    }
    [[nodiscard]] std::int32_t count() const { return header->entrances; }
    [[nodiscard]] std::int32_t first(std::int32_t side) const { return header->first[side]; }
    /// From an entrance to its cell: half a step, but none where that is the place itself.
    [[nodiscard]] std::uint32_t half(std::int32_t node) const {
        return node < header->first[kPlaceSide] ? kHalfStep : 0;
    }
    /// What crossing costs, from border to border. kNoCost: there is no way inside.
    [[nodiscard]] std::uint32_t cost(std::int32_t from, std::int32_t to) const {
        const std::uint16_t c = costs[from * header->points + to];
        return c == kNone ? kNoCost : c + half(from) + half(to);
    }
    [[nodiscard]] std::int32_t side_of(std::int32_t node) const { return side_of_node(header->first, node); }
};

/// A cluster of a higher level: costs between its entrances, and how they come about from those of the level below.
/// `parts` are nodes of the level below, the entrances first; way(i, j) is the part over which the way from part i to part j leads, or
/// kDirect. Parts of a way's halves are found in the same table (upper_cluster.cpp).
struct UpperCluster {
    struct Header {
        std::uint16_t nodes = 0;
        std::uint16_t parts = 0;  ///< 0: too many; then the level below is used here
        std::uint16_t first[5] = {};
        std::uint16_t spare = 0;
        std::uint32_t bytes = 0;
    };
    /// A node of the level below: which of the 16 clusters, and which of its nodes. A node between two of them has the first name.
    struct Part {
        std::uint8_t cluster = 0;
        std::uint8_t node = 0;
    };
    static constexpr std::uint8_t kDirect = UINT8_MAX;

    const Header* header = nullptr;
    const ClusterNode* nodes = nullptr;
    const std::uint32_t* costs = nullptr;
    const Part* parts = nullptr;
    const std::uint8_t* via = nullptr;

    [[nodiscard]] static UpperCluster at(const std::uint64_t* chunk) {
        UpperCluster c;
        c.header = reinterpret_cast<const Header*>(chunk);
        const std::size_t nodes = c.header->nodes, parts = c.header->parts;
        c.nodes = reinterpret_cast<const ClusterNode*>(c.header + 1);
        c.costs = reinterpret_cast<const std::uint32_t*>(c.nodes + nodes);
        c.parts = reinterpret_cast<const Part*>(c.costs + nodes * nodes);
        c.via = reinterpret_cast<const std::uint8_t*>(c.parts + parts);
        return c;
    }
    [[nodiscard]] static std::size_t bytes_of(std::size_t nodes, std::size_t parts) {
        return sizeof(Header) + nodes * sizeof(ClusterNode) + nodes * nodes * 4 + parts * 2 +
               (parts == 0 ? 0 : parts * (parts - 1) / 2);
    }
    [[nodiscard]] std::int32_t count() const { return header->nodes; }
    [[nodiscard]] std::int32_t first(std::int32_t side) const { return header->first[side]; }
    [[nodiscard]] std::uint32_t cost(std::int32_t from, std::int32_t to) const {
        return costs[from * header->nodes + to];
    }
    /// Ways lead there and back alike, so half of the table is kept.
    [[nodiscard]] std::uint8_t way(std::size_t from, std::size_t to) const {
        return from > to ? via[from * (from - 1) / 2 + to] : via[to * (to - 1) / 2 + from];
    }
    [[nodiscard]] bool absent() const { return header->parts == 0 && header->nodes == 0; }
};

/// Directions by their signs: bit 0 (+,+), 1 (-,+), 2 (-,-), 3 (+,-).
[[nodiscard]] FAIRLEAD_INLINE constexpr bool bends_at(std::uint32_t corners, std::int32_t dx,
                                                      std::int32_t dy) {
    if (dx == 0 || dy == 0) return true;
    return (corners & ((dx > 0) == (dy > 0) ? 0b1010U : 0b0101U)) != 0;
}

}  // namespace fairlead::grid
