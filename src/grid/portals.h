// Portals as a search reads them: made once with the map, so that no query looks at all of them.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/grid/grid.h>

namespace fairlead::grid {

struct CellCode;

/// One way through a portal: leaving `from`, arriving at `to` (states, cell_code.h).
struct PortalStep {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t portal = 0;
};

/// A way through a portal that is cheaper than walking its distance where a tile costs `factor` or more.
struct PortalShortcut {
    double factor = 0.0;
    double cost = 0.0;
    double walk = 0.0;  ///< at most the octile distance of its ends
    std::uint32_t from = 0;
};

struct PortalTables {
    explicit PortalTables(const Allocator& a) : steps(a), backs(a), shortcuts(a) {}

    Array<PortalStep> steps;          ///< sorted by `from`
    Array<PortalStep> backs;          ///< the same steps reversed, for searching backward
    Array<PortalShortcut> shortcuts;  ///< sorted by factor; those that lead nowhere but up or down are none
    std::uint64_t cost_sum = 0;       ///< whole tiles, rounded up
    bool two_way = true;              ///< all of them
    /// The least that a change of floor costs, in tiles, where every portal leads straight up or down by one floor; else 0.
    double floor_cost = 0.0;

    [[nodiscard]] std::size_t bytes() const { return steps.bytes() + backs.bytes() + shortcuts.bytes(); }
    /// False: out of memory.
    [[nodiscard]] bool fill(std::span<const Portal> portals, const CellCode& code);
};

/// Those that leave a state.
[[nodiscard]] std::span<const PortalStep> portals_from(std::span<const PortalStep> steps,
                                                       std::uint32_t state);

}  // namespace fairlead::grid
