// What areas of a mesh cost to one unit, relative to the cheapest: a length is nowhere cheaper than itself, so lengths are lower
// bounds of costs as they are.
#pragma once

#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/mesh/query.h>

namespace fairlead::bridge {

struct MeshPrices {
    std::uint64_t closed = 0;  ///< areas
    bool even = true;          ///< all open ones cost the same
    double unit = 1.0;         ///< the cheapest open area's cost
    double ratio = 1.0;        ///< the dearest one's, in these units
    double of[kAreasMax]{};    ///< of open ones, if not even; >= 1

    /// Of a filter that check_prices() accepts.
    [[nodiscard]] static MeshPrices of_filter(const MeshFilter& filter);
};

/// Errors as mesh_drive.h says; `field`: their index.
[[nodiscard]] Result<void> check_prices(const MeshFilter& filter);

}  // namespace fairlead::bridge
