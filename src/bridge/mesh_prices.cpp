#include "bridge/mesh_prices.h"

#include <algorithm>

#include "route/check_filter.h"

namespace fairlead::bridge {

namespace {

constexpr double kRatioMax = 1e6;  // so that a way's cost is told to 1/1000 of a cell and still fits

}  // namespace

MeshPrices MeshPrices::of_filter(const MeshFilter& filter) {
    MeshPrices prices{.closed = filter.areas.closed_mask()};
    if (filter.areas.factors.empty()) return prices;
    double most = 0.0, least = KindFilter::kFactorMax;
    for (std::uint32_t area = 0; area < kAreasMax; ++area) {
        const double cost = filter.areas.factor(area);
        if (cost == 0.0) {
            prices.closed |= std::uint64_t{1} << area;
            continue;
        }
        most = std::max(most, cost);
        least = std::min(least, cost);
    }
    if (most == 0.0) return prices;
    prices.unit = least;
    prices.ratio = most / least;
    prices.even = most == least;
    for (std::uint32_t area = 0; area < kAreasMax && !prices.even; ++area)
        prices.of[area] = std::max(1.0, filter.areas.factor(area) / least);
    return prices;
}

Result<void> check_prices(const MeshFilter& filter) {
    const Result<void> checked = check_filter(filter.areas, kAreasMax, Field::areas);
    if (!checked) return checked;
    if (MeshPrices::of_filter(filter).ratio > kRatioMax)
        return Error{ErrorCode::out_of_range, Field::areas, 1};
    return {};
}

}  // namespace fairlead::bridge
