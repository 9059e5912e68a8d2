// Where the tables of a hierarchy lie, worked out anew: sides, neighbours over seams, chunks. For cluster_check.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <fairlead/grid/grid.h>

#include "grid/hierarchy/clusters.h"
#include "support/cluster_check.h"

namespace fairlead::testing {

inline constexpr std::int32_t kClusterCells = 64;  ///< a side of level 0

/// Where the tables of a layer lie.
struct ClusterWhere {
    const GridState* state = nullptr;
    const grid::Body* body = nullptr;
    std::int32_t layer = 0;

    [[nodiscard]] std::int32_t side(std::int32_t level) const { return kClusterCells << (2 * level); }
    [[nodiscard]] std::int32_t across(std::int32_t level) const {
        return (state->width() + side(level) - 1) / side(level);
    }
    [[nodiscard]] std::int32_t down(std::int32_t level) const {
        return (state->height() + side(level) - 1) / side(level);
    }
    [[nodiscard]] bool inside(std::int32_t level, std::int32_t x, std::int32_t y) const {
        return x >= 0 && y >= 0 && x < across(level) && y < down(level);
    }
    /// The cluster beyond a side (west, south, east, north), over seams too. False: there is none.
    [[nodiscard]] bool beyond(std::int32_t level, std::int32_t to, std::int32_t& x, std::int32_t& y) const {
        x += to == 2 ? 1 : to == 0 ? -1 : 0;
        y += to == 3 ? 1 : to == 1 ? -1 : 0;
        const grid::StateData& data = state->data();
        if (data.wrap_x) x = (x + across(level)) % across(level);
        if (data.wrap_y) y = (y + down(level)) % down(level);
        return inside(level, x, y);
    }
    /// Where a cluster's side lies, in half cells.
    [[nodiscard]] std::int32_t rim(std::int32_t level, std::int32_t of, std::int32_t x,
                                   std::int32_t y) const {
        if (of == 0) return 2 * side(level) * x;
        if (of == 1) return 2 * side(level) * y;
        return of == 2 ? 2 * std::min(side(level) * (x + 1), state->width())
                       : 2 * std::min(side(level) * (y + 1), state->height());
    }
    [[nodiscard]] const std::uint64_t* chunk(std::int32_t level, std::int32_t x, std::int32_t y) const {
        const grid::ClusterGrid grid = grid::ClusterGrid::of(state->data(), *body, level, layer);
        return state->data().chunks[grid.chunk(x, y)];
    }
    [[nodiscard]] std::string name(std::int32_t level, std::int32_t x, std::int32_t y) const {
        return "cluster " + std::to_string(x) + ", " + std::to_string(y) + " of level " +
               std::to_string(level) + ", layer " + std::to_string(layer) + ": ";
    }
};

/// One cluster of a level above 0, by what is stored below it. Empty: it is as it must be.
[[nodiscard]] std::string upper_cluster_problem(const ClusterWhere& where, std::int32_t level, std::int32_t x,
                                                std::int32_t y, ClusterTally& tally);

}  // namespace fairlead::testing
