// Upper clusters: 4 x 4 clusters of the level below as one.
//
// Entrances. Its sides are cut into segments, 32 cells long on level 1 and 128 on level 2. Of all nodes of the level below in a segment
// that join the same component inside this cluster with the same one inside the neighbour, the one nearest to the segment's middle is kept
// (of two, the lower). So what the level below joins, this one joins. Places of portals are all kept.
//
// Costs. The nodes of the level below inside, the kept ones first, are one square matrix of what it costs to go from each to each inside
// one of the 16 clusters. Eliminating its nodes from the back (Floyd 1962, Warshall 1962, each row only as far as it is needed) leaves
// the costs between those that are kept. Costs are whole numbers below 2^24, so that floats are exact and the order of the work does not
// matter. Over which node a cost came about is noted: a way is unpacked by looking it up.
#pragma once

#include "grid/hierarchy/taut_table.h"

namespace fairlead::grid {

inline constexpr std::int32_t kClusterLevels = 3;
inline constexpr std::size_t kPartsMax = 250;
inline constexpr float kNoWayCost = 1e30F;  ///< in the matrix of costs

/// What levels see of a cluster below.
struct LowerCluster {
    const ClusterNode* nodes = nullptr;
    std::int32_t count = 0;
    std::int32_t first[5] = {};
    bool absent = false;  ///< it has too many nodes to be used
    const std::uint64_t* chunk = nullptr;
    bool ground = true;  ///< of level 0

    [[nodiscard]] static LowerCluster at(const StateData& state, const Body& body, std::int32_t level,
                                         std::int32_t layer, std::int32_t x, std::int32_t y);
    [[nodiscard]] std::uint32_t cost(std::int32_t from, std::int32_t to) const {
        return ground ? Cluster::at(chunk).cost(from, to) : UpperCluster::at(chunk).cost(from, to);
    }
    [[nodiscard]] std::int32_t side_of(std::int32_t node) const { return side_of_node(first, node); }
};

/// The 16 clusters below one, and its parts: their nodes, each once.
class LowerParts {
  public:
    /// False: one of them is absent, or they have more than kPartsMax nodes. `level` is the upper cluster's.
    [[nodiscard]] bool gather(const StateData& state, const Body& body, std::int32_t level,
                              std::int32_t layer, std::int32_t x, std::int32_t y);

    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] const LowerCluster& cluster(std::int32_t c) const { return lower_[c]; }
    [[nodiscard]] bool inside(std::int32_t c) const { return inside_[c]; }
    /// The part that is node `node` of the c-th cluster.
    [[nodiscard]] std::int32_t part(std::int32_t c, std::int32_t node) const {
        return part_of_[first_[c] + node];
    }
    /// Which component of what is joined inside each part is in.
    void label(Array<std::uint16_t>& labels) const;

  private:
    LowerCluster lower_[16];
    bool inside_[16] = {};
    std::int32_t first_[17] = {};
    std::uint8_t part_of_[2 * kPartsMax + 2] = {};
    std::int32_t count_ = 0;
};

/// Builds the chunk of a cluster of level 1 or 2 into scratch.words, its costs out of `stored` if that is given (stored_clusters.h). False:
/// out of memory, or what is stored is wrong.
[[nodiscard]] bool build_upper_cluster(const StateData& state, const Body& body, std::int32_t level,
                                       std::int32_t layer, std::int32_t x, std::int32_t y,
                                       ClusterScratch& scratch, StoredClusters* stored = nullptr);

/// Does the side of a cluster of level 1 or 2 still have the entrances that it is to have? False where it is to be built anew.
[[nodiscard]] bool upper_side_holds(const StateData& state, const Body& body, std::int32_t level,
                                    std::int32_t layer, std::int32_t x, std::int32_t y, std::int32_t side,
                                    ClusterScratch& scratch);

}  // namespace fairlead::grid
