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

constexpr std::int32_t kSquareShift = 6;

PortalPlace place_of(std::uint32_t state, const CellCode& code, std::int32_t width) {
    constexpr std::int32_t kSide = 1 << kSquareShift;
    const Cell c = code.cell(state);
    const std::int32_t across = (width + kSide - 1) >> kSquareShift;
    const std::int32_t down = (code.height + kSide - 1) >> kSquareShift;
    const std::int32_t row = c.layer * down + (c.y >> kSquareShift);
    PortalPlace place;
    place.square = static_cast<std::uint32_t>(row * across + (c.x >> kSquareShift));
    place.cell = static_cast<std::uint16_t>((c.y & (kSide - 1)) * kSide + (c.x & (kSide - 1)));
    place.state = state;
    return place;
}

bool place_before(const PortalPlace& a, const PortalPlace& b) {
    return a.square != b.square ? a.square < b.square : a.cell < b.cell;
}

}  // namespace

std::span<const PortalPlace> PortalTables::places_in(std::uint32_t square, std::uint32_t& first) const {
    const auto low = std::lower_bound(places.begin(), places.end(), square,
                                      [](const PortalPlace& p, std::uint32_t s) { return p.square < s; });
    auto high = low;
    while (high != places.end() && high->square == square) ++high;
    first = static_cast<std::uint32_t>(low - places.begin());
    return {low, high};
}

bool PortalTables::list_places(const CellCode& code, std::int32_t width) {
    for (const PortalStep& step : steps) {
        if (!places.push_back(place_of(step.from, code, width))) return false;
        if (!places.push_back(place_of(step.to, code, width))) return false;
    }
    std::sort(places.begin(), places.end(), place_before);  // total order
    const auto* const end = std::unique(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.square == b.square && a.cell == b.cell;
    });
    if (!places.resize(static_cast<std::size_t>(end - places.begin()))) return false;
    std::uint32_t run = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        run = i > 0 && places[i].square == places[i - 1].square ? run + 1 : 1;
        crowd = std::max(crowd, run);
        const std::span<const PortalStep> leaving = portals_from(steps.span(), places[i].state);
        places[i].first_step = static_cast<std::uint32_t>(leaving.data() - steps.data());
        places[i].end_step = places[i].first_step + static_cast<std::uint32_t>(leaving.size());
    }
    for (const PortalStep& step : steps) {
        const PortalPlace to = place_of(step.to, code, width);
        const auto* const at = std::lower_bound(places.begin(), places.end(), to, place_before);
        if (!arrivals.push_back(static_cast<std::uint32_t>(at - places.begin()))) return false;
    }
    return true;
}

bool PortalTables::fill(std::span<const Portal> portals, const CellCode& code, std::int32_t width) {
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
            return walk == 0.0 || shortcuts.push_back({p.cost / walk, p.cost, walk, leave, dx + dy});
        };
        if (!add(from, to)) return false;
        cost_sum += static_cast<std::uint64_t>(p.cost) + 1;
        two_way = two_way && p.two_way;
        if (p.two_way && !add(to, from)) return false;
    }
    std::sort(steps.begin(), steps.end(), before);           // total order
    std::sort(backs.begin(), backs.end(), before);           // total order
    std::sort(shortcuts.begin(), shortcuts.end(), cheaper);  // total order
    return list_places(code, width);
}

std::span<const PortalStep> portals_from(std::span<const PortalStep> steps, std::uint32_t state) {
    const auto low = std::lower_bound(steps.begin(), steps.end(), state,
                                      [](const PortalStep& a, std::uint32_t s) { return a.from < s; });
    auto high = low;
    while (high != steps.end() && high->from == state) ++high;
    return {low, high};
}

}  // namespace fairlead::grid
