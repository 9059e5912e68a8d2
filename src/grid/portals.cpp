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

}  // namespace

bool PortalTables::fill(std::span<const Portal> portals, const CellCode& code) {
    for (std::size_t i = 0; i < portals.size(); ++i) {
        const Portal& p = portals[i];
        const std::uint32_t from = code.state(p.from.x, p.from.y, p.from.layer);
        const std::uint32_t to = code.state(p.to.x, p.to.y, p.to.layer);
        const auto index = static_cast<std::uint32_t>(i);
        const double dx = std::abs(p.from.x - p.to.x);
        const double dy = std::abs(p.from.y - p.to.y);
        const double walk = std::max(dx, dy) + 0.4143 * std::min(dx, dy);
        const double factor = walk > 0.0 ? p.cost / walk : std::numeric_limits<double>::infinity();
        if (!steps.push_back({from, to, index}) || !backs.push_back({to, from, index})) return false;
        if (!shortcuts.push_back({factor, p.cost, walk, from})) return false;
        cost_sum += static_cast<std::uint64_t>(p.cost) + 1;
        two_way = two_way && p.two_way;
        if (!p.two_way) continue;
        if (!steps.push_back({to, from, index}) || !backs.push_back({from, to, index})) return false;
        if (!shortcuts.push_back({factor, p.cost, walk, to})) return false;
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
