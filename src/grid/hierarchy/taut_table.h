// Taut table: the shortest ways inside a cluster of 64 x 64 cells from each of its entrances, over the corners of walls.
//
// A way that is pulled tight bends at corners alone. So the graph has the entrances and the corners as its points, and an edge where two
// of them see each other and a way along it may be tight at both ends: a subgoal graph (Uras, Koenig & Hernandez 2013) with straight
// edges in place of octile ones and the tests for tightness of Oh & Leong 2017. One Dijkstra from each entrance fills a row of the
// table: what the way costs, and the next point towards the entrance.
//
// Costs are 24 x the length, rounded; of two ways with equal costs the one whose next point has the smaller number counts. All is
// exact in integers, so the bytes depend on the cells alone.
#pragma once

#include "grid/hierarchy/cluster_scratch.h"
#include "grid/hierarchy/entrances.h"
#include "grid/sight.h"

namespace fairlead::grid {

inline constexpr std::size_t kClusterPointsMax = 250;  ///< a cluster with more is crowded

/// Of a straight way over so many cells.
[[nodiscard]] std::uint32_t taut_cost(std::int32_t dx, std::int32_t dy);

/// Is a straight way between two cells of a cluster one that the body can take? For a point the cells tell; others are swept, with the
/// largest radius that covers the same cells.
class ClusterSight {
  public:
    ClusterSight() = default;
    ClusterSight(const StateData& state, const Body& body, std::int32_t layer);

    [[nodiscard]] bool sees(const ClusterCells& cells, Cluster::Point a, Cluster::Point b) const;

  private:
    Sight sweep_{};
    bool point_ = true;
    double offset_ = 0.5;
};

/// Which diagonal neighbours of a row's cells are walls at whose corner a way may bend: one word for each of the four directions of
/// bends_at.
struct CornerWords {
    std::uint64_t way[4] = {};
};
[[nodiscard]] CornerWords corner_words(const ClusterCells& cells, std::int32_t y);

class StoredClusters;

/// Builds the chunk of a cluster into scratch.words, its ways out of `stored` if that is given (stored_clusters.h). False: out of memory,
/// or what is stored is wrong.
[[nodiscard]] bool build_cluster(const StateData& state, const Body& body, std::int32_t layer, std::int32_t x,
                                 std::int32_t y, ClusterScratch& scratch, StoredClusters* stored = nullptr);

}  // namespace fairlead::grid
