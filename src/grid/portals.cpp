// What queries ask of portals, in the orders in which they ask: by the cell that they leave, and by how cheap they are for
// their distance. The second tells in a few looks whether any portal breaks the octile bound of a query's costs.

#include "grid/portals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grid/cell_code.h"

namespace fairlead::grid {

namespace {

bool before(const PortalStep& a, const PortalStep& b) {
    return a.from != b.from ? a.from < b.from : (a.portal != b.portal ? a.portal < b.portal : a.to < b.to);
}

bool cheaper(const PortalShortcut& a, const PortalShortcut& b) {
    return a.factor != b.factor ? a.factor < b.factor
                                : (a.from != b.from ? a.from < b.from : a.cost < b.cost);
}

// What every portal costs at least, if all are stairs from a tile to the one over it; else 0.
double stairs_cost(std::span<const Portal> portals) {
    double least = std::numeric_limits<double>::infinity();
    for (const Portal& p : portals) {
        const bool stairs =
            p.from.x == p.to.x && p.from.y == p.to.y && std::abs(p.from.layer - p.to.layer) == 1;
        if (!stairs) return 0.0;
        least = std::min(least, p.cost);
    }
    return portals.empty() ? 0.0 : least;
}

}  // namespace

bool PortalTables::fill(std::span<const Portal> portals, const CellCode& code) {
    floor_cost = stairs_cost(portals);
    for (std::size_t i = 0; i < portals.size(); ++i) {
        const Portal& p = portals[i];
        const std::uint32_t from = code.state(p.from.x, p.from.y, p.from.layer);
        const std::uint32_t to = code.state(p.to.x, p.to.y, p.to.layer);
        const auto index = static_cast<std::uint32_t>(i);
        const double dx = std::abs(p.from.x - p.to.x);
        const double dy = std::abs(p.from.y - p.to.y);
        const double walk = std::max(dx, dy) + 0.4143 * std::min(dx, dy);
        const auto add = [&](std::uint32_t leave, std::uint32_t arrive) {
            if (!steps.push_back({leave, arrive, index}) || !backs.push_back({arrive, leave, index}))
                return false;
            return walk == 0.0 || shortcuts.push_back({p.cost / walk, p.cost, walk, leave});
        };
        if (!add(from, to)) return false;
        cost_sum += static_cast<std::uint64_t>(p.cost) + 1;
        two_way = two_way && p.two_way;
        if (p.two_way && !add(to, from)) return false;
    }
    std::sort(steps.begin(), steps.end(), before);           // total order
    std::sort(backs.begin(), backs.end(), before);           // total order
    std::sort(shortcuts.begin(), shortcuts.end(), cheaper);  // total order
    return true;
}

std::span<const PortalStep> portals_from(std::span<const PortalStep> steps, std::uint32_t state) {
    const auto low = std::lower_bound(steps.begin(), steps.end(), state,
                                      [](const PortalStep& a, std::uint32_t s) { return a.from < s; });
    auto high = low;
    while (high != steps.end() && high->from == state) ++high;
    return {low, high};
}

}  // namespace fairlead::grid
