// Random maps with a hierarchy and questions for it, each asked of the flat search too. For the test and the campaign.
#pragma once

#include <cstdint>
#include <string>

#include <fairlead/grid/find_route.h>

#include "support/cluster_maps.h"

namespace fairlead::testing {

struct ClusterQueryTally {
    std::uint64_t queries = 0;
    std::uint64_t complete = 0;
    std::uint64_t far = 0;            ///< complete, and too far apart for the flat search to be taken instead
    std::uint64_t over_clusters = 0;  ///< of those, answered by the hierarchy
    double ratio = 0.0;               ///< sum of the smoothed lengths, by the flat ones'
    double most = 0.0;
    std::uint64_t with_portals = 0;  ///< of over_clusters
    double portal_ratio = 0.0;       ///< of ratio
    void add(const ClusterQueryTally& o) {
        queries += o.queries;
        complete += o.complete;
        far += o.far;
        over_clusters += o.over_clusters;
        ratio += o.ratio;
        most = most < o.most ? o.most : most;
    }
    [[nodiscard]] double mean_ratio() const {
        return over_clusters == 0 ? 1.0 : ratio / static_cast<double>(over_clusters);
    }
};

/// Two places of the map, mostly ones where the unit can stand, mostly far apart.
[[nodiscard]] GridQuery draw_cluster_query(Rng& rng, const GridState& grid, const Agent& agent);

/// Map number `seed` of any kind, with sides from 65 to `side_max` + 200, for units of all sizes. Empty: status, ends, legality and
/// length were right of all.
[[nodiscard]] std::string check_cluster_queries(std::uint64_t seed, std::int32_t side_max, int queries,
                                                ClusterQueryTally& tally);
/// The same on a map of three levels, wide and low.
[[nodiscard]] std::string check_long_queries(std::uint64_t seed, int queries, ClusterQueryTally& tally);
/// The same on a map of the published benchmark.
[[nodiscard]] std::string check_map_queries(const std::string& path, const Agent& agent, int queries,
                                            ClusterQueryTally& tally);

}  // namespace fairlead::testing
