// Random maps of several floors with many portals and a hierarchy, asked in every way that a query can be put, each time beside a grid
// without a hierarchy. For the test and the campaign.
#pragma once

#include <cstdint>
#include <string>

namespace fairlead::testing {

struct PortalQueryTally {
    std::uint64_t maps = 0;
    std::uint64_t queries = 0;
    std::uint64_t complete = 0;       ///< of those by name
    std::uint64_t over_clusters = 0;  ///< of those
    std::uint64_t links = 0;          ///< portals that these take
    std::uint64_t judged = 0;         ///< routes handed to verify, first legs and cut ones too
    std::uint64_t refused = 0;  ///< sizes that are not registered, and what the hierarchy does not serve
    std::uint64_t partial = 0;  ///< that lead to the nearest place
    std::uint64_t cut = 0;      ///< that ran out of expansions, or were cancelled
    std::uint64_t shown = 0;    ///< first legs, and routes not yet smoothed to the end
    std::uint64_t edits = 0;
    double ratio = 0.0;  ///< sum over over_clusters: what the way costs, smoothed, by what the flat one costs
    double most = 0.0;

    void add(const PortalQueryTally& other);
    [[nodiscard]] double mean_ratio() const {
        return over_clusters == 0 ? 1.0 : ratio / static_cast<double>(over_clusters);
    }
};

/// Map number `seed`, asked `queries` times, with edits in between. Empty: all was right.
[[nodiscard]] std::string check_portal_queries(std::uint64_t seed, int queries, PortalQueryTally& tally);

}  // namespace fairlead::testing
