// What a grid cannot be made of.
#include "grid/check_grid.h"

#include <cmath>

#include <fairlead/math/contact.h>

#include "grid/body.h"
#include "grid/state.h"

namespace fairlead::grid {

namespace {

constexpr double kCellSizeMin = 1e-100;
constexpr double kCellSizeMax = 1e100;

Result<void> check_sizes(const GridOptions& o) {
    const std::int32_t sides[] = {o.width, o.height, o.layers};
    const std::int32_t limits[] = {kSideMax, kSideMax, kLayersMax};
    constexpr Field kFields[] = {Field::width, Field::height, Field::layers};
    for (std::size_t i = 0; i < 3; ++i) {
        if (sides[i] == 0) return Error{ErrorCode::size_zero, kFields[i]};
        if (sides[i] < 0) return Error{ErrorCode::out_of_range, kFields[i], sides[i]};
        if (sides[i] > limits[i]) return Error{ErrorCode::size_limit, kFields[i], limits[i]};
    }
    if (std::int64_t{o.width} * o.height * o.layers > kCellsMax) {
        return Error{ErrorCode::size_limit, Field::layers, kCellsMax};
    }
    if (!is_finite(o.origin)) return Error{ErrorCode::not_finite, Field::origin, 0};
    if (!std::isfinite(o.cell_size)) return Error{ErrorCode::not_finite, Field::cell_size, 0};
    // Squares of lengths must be numbers too.
    if (o.cell_size < kCellSizeMin || o.cell_size > kCellSizeMax)
        return Error{ErrorCode::out_of_range, Field::cell_size, truncated(o.cell_size)};
    if (!contact_serves(tile_contact_slack(o.origin, o.cell_size, o.width, o.height), 1.0))
        return Error{ErrorCode::out_of_range, Field::origin, 0};
    if (o.corner > CornerRule::always) {
        return Error{ErrorCode::out_of_range, Field::corner, static_cast<std::int64_t>(o.corner)};
    }
    return {};
}

Result<void> check_portals(const GridOptions& o) {
    constexpr std::size_t kPortalsMax = std::size_t{1} << 22;
    if (o.portals.size() > kPortalsMax) {
        return Error{ErrorCode::size_limit, Field::portals, static_cast<std::int64_t>(kPortalsMax)};
    }
    for (std::size_t i = 0; i < o.portals.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const Portal& p = o.portals[i];
        if (!std::isfinite(p.cost)) return Error{ErrorCode::not_finite, Field::portals, index, 0};
        if (!(p.cost > 0.0) || p.cost > 1e6) return Error{ErrorCode::out_of_range, Field::portals, index, 0};
        for (const Cell& c : {p.from, p.to}) {
            if (c.x < 0 || c.y < 0 || c.layer < 0 || c.x >= o.width || c.y >= o.height ||
                c.layer >= o.layers) {
                return Error{ErrorCode::out_of_range, Field::portals, index, 0};
            }
        }
    }
    return {};
}

}  // namespace

Result<void> check_options(const GridOptions& o, std::span<const std::uint8_t> tiles) {
    if (const Result<void> sizes = check_sizes(o); !sizes) return sizes.error();
    const std::int64_t cells = std::int64_t{o.width} * o.height * o.layers;
    if (!tiles.empty() && tiles.size() != static_cast<std::size_t>(cells)) {
        return Error{ErrorCode::size_mismatch, Field::tiles, cells};
    }
    if (o.sizes.size() > kBodiesMax - 1) return Error{ErrorCode::size_limit, Field::sizes, kBodiesMax - 1};
    for (std::size_t i = 0; i < o.sizes.size(); ++i) {
        const Result<void> good = check_agent(o.sizes[i]);
        if (!good) return Error{good.error().code, Field::sizes, static_cast<std::int64_t>(i), 0};
    }
    if (const Result<void> portals = check_portals(o); !portals) return portals.error();
    if (o.terrain_costs.empty()) return {};
    if (o.terrain_costs.size() != 256) return Error{ErrorCode::size_mismatch, Field::terrain_costs, 256};
    for (std::size_t i = 1; i < 256; ++i) {
        if (o.terrain_costs[i] == 0 || o.terrain_costs[i] > kTerrainCostMax) {
            return Error{ErrorCode::out_of_range, Field::terrain_costs, static_cast<std::int64_t>(i),
                         o.terrain_costs[i]};
        }
    }
    return {};
}

}  // namespace fairlead::grid
