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
    double walk = 0.0;  ///< the octile distance of its ends, or a little more
    std::uint32_t from = 0;
    double blocks = 0.0;  ///< their distance with four neighbours
};

/// A cell that portals leave or arrive at.
struct PortalPlace {
    std::uint32_t square = 0;      ///< of 64 x 64 cells, layer after layer, row by row
    std::uint16_t cell = 0;        ///< y * 64 + x in it
    std::uint32_t state = 0;       ///< the same as a state
    std::uint32_t first_step = 0;  ///< of `steps`
    std::uint32_t end_step = 0;
};

struct PortalTables {
    explicit PortalTables(const Allocator& a) : steps(a), backs(a), shortcuts(a), places(a), arrivals(a) {}

    Array<PortalStep> steps;          ///< sorted by `from`
    Array<PortalStep> backs;          ///< the same steps reversed, for searching backward
    Array<PortalShortcut> shortcuts;  ///< sorted by factor; those that lead nowhere but up or down are none
    Array<PortalPlace> places;        ///< each once; sorted by square, then cell
    Array<std::uint32_t> arrivals;    ///< by step: which place it leads to
    std::uint32_t crowd = 0;          ///< the most places in one square
    std::uint64_t cost_sum = 0;       ///< whole tiles, rounded up
    bool two_way = true;              ///< all of them
    /// The least that a change of floor costs, in tiles, where every portal leads straight up or down by one floor; else 0.
    double floor_cost = 0.0;

    [[nodiscard]] std::size_t bytes() const {
        return steps.bytes() + backs.bytes() + shortcuts.bytes() + places.bytes() + arrivals.bytes();
    }
    /// `width`: of the map. False: out of memory.
    [[nodiscard]] bool fill(std::span<const Portal> portals, const CellCode& code, std::int32_t width);
    /// The places in a square, and the number of the first.
    [[nodiscard]] std::span<const PortalPlace> places_in(std::uint32_t square, std::uint32_t& first) const;

  private:
    [[nodiscard]] bool list_places(const CellCode& code, std::int32_t width);
};

/// Those that leave a state.
[[nodiscard]] std::span<const PortalStep> portals_from(std::span<const PortalStep> steps,
                                                       std::uint32_t state);

}  // namespace fairlead::grid
