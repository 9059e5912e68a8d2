// Compass: from region to region, into the one beside from which the goal seems nearest (techniques H3 and H4; LRTA*, Korf 1990). At first
// that is the one in the goal's compass direction; a region that was left again for want of a way seems farther from then on. An edge
// into which the known map has no way, or only a long one, is shut, and stays so: that is where this rule fails.
#include "grid/explore/explore_data.h"

#include <algorithm>
#include <cmath>

namespace fairlead::grid {

namespace {

constexpr std::uint32_t kVainMax = 4;  // so often in the goal's region, and far from it all the same

std::size_t cell_index(const ExploreData& d, std::int32_t x, std::int32_t y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(d.width()) + static_cast<std::size_t>(x);
}

std::uint32_t region_of(const ExploreData& d, Cell cell) { return d.regions[cell_index(d, cell.x, cell.y)]; }

bool before(const ExploreData::Edge& a, const ExploreData::Edge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
}

// Regions that have cells beside each other, both ways, each once.
bool list_edges(ExploreData& d) {
    d.edges.clear();
    const auto add = [&](std::uint32_t a, std::uint32_t b) {
        if (a == b) return true;
        // Along a straight border the same pair follows itself.
        if (!d.edges.empty() && d.edges.back().from == b && d.edges.back().to == a) return true;
        return d.edges.push_back({a, b, false}) && d.edges.push_back({b, a, false});
    };
    for (std::int32_t y = 0; y < d.height(); ++y) {
        for (std::int32_t x = 0; x < d.width(); ++x) {
            const std::uint32_t here = d.regions[cell_index(d, x, y)];
            if (x + 1 < d.width() && !add(here, d.regions[cell_index(d, x + 1, y)])) return false;
            if (y + 1 < d.height() && !add(here, d.regions[cell_index(d, x, y + 1)])) return false;
        }
    }
    std::sort(d.edges.begin(), d.edges.end(), before);  // total order
    std::size_t kept = 0;
    for (const ExploreData::Edge& edge : d.edges) {
        if (kept == 0 || before(d.edges[kept - 1], edge)) d.edges[kept++] = edge;
    }
    return d.edges.resize(kept);
}

// The nearest cell of a region that the unit may stand in, as far as is known.
bool door_of(const ExploreData& d, std::uint32_t region, Vec2& door) {
    double least = INFINITY;
    const GridState& known = d.known.state();
    for (std::int32_t y = 0; y < d.height(); ++y) {
        for (std::int32_t x = 0; x < d.width(); ++x) {
            if (d.regions[cell_index(d, x, y)] != region) continue;
            const Vec2 middle = cell_centre(x, y);
            const double gap = distance(d.at, middle);
            if (!(gap < least) || !known.can_stand({x, y, 0}, d.options.agent)) continue;
            least = gap;
            door = middle;
        }
    }
    return least < INFINITY;
}

// The edge out of a region that seems best, or null. `least`: what it seems.
ExploreData::Edge* best_edge(ExploreData& d, std::uint32_t from, float& least) {
    ExploreData::Edge* best = nullptr;
    least = INFINITY;
    ExploreData::Edge* at =
        std::lower_bound(d.edges.begin(), d.edges.end(), ExploreData::Edge{from, 0, false}, before);
    for (; at != d.edges.end() && at->from == from; ++at) {
        const float seems = 1.0F + d.rest[at->to];
        if (at->shut || !(seems < least)) continue;
        least = seems;
        best = at;
    }
    return best;
}

// Do edges that are not shut lead from one region to another? Fills d.queue.
bool leads_to(ExploreData& d, std::uint32_t from, std::uint32_t to) {
    d.queue.clear();
    for (std::uint8_t& met : d.met) met = 0;
    const auto meet = [&](std::uint32_t region) {
        if (d.met[region] != 0) return;
        d.met[region] = 1;
        (void)d.queue.push_back(region);  // reserved: each region once
    };
    meet(from);
    for (std::size_t i = 0; i < d.queue.size(); ++i) {
        const ExploreData::Edge first{d.queue[i], 0, false};
        ExploreData::Edge* at = std::lower_bound(d.edges.begin(), d.edges.end(), first, before);
        for (; at != d.edges.end() && at->from == first.from; ++at) {
            if (!at->shut) meet(at->to);
        }
    }
    return d.met[to] != 0;
}

// Squares of region_cells, or larger ones where there would be more than 65536.
bool make_squares(ExploreData& d) {
    const auto cells = static_cast<std::size_t>(d.width()) * static_cast<std::size_t>(d.height());
    if (!d.regions.resize(cells)) return false;
    std::int32_t side = d.options.region_cells;
    const auto count = [&](std::int32_t size) { return (size + side - 1) / side; };
    while (std::int64_t{count(d.width())} * count(d.height()) > 65536) side *= 2;
    for (std::int32_t y = 0; y < d.height(); ++y) {
        for (std::int32_t x = 0; x < d.width(); ++x)
            d.regions[cell_index(d, x, y)] =
                static_cast<std::uint16_t>(y / side * count(d.width()) + x / side);
    }
    return true;
}

}  // namespace

bool begin_regions(ExploreData& d) {
    const auto cells = static_cast<std::size_t>(d.width()) * static_cast<std::size_t>(d.height());
    if (d.regions.empty() && !make_squares(d)) return false;
    std::uint32_t count = 0;
    for (const std::uint16_t region : d.regions) count = std::max(count, region + 1U);
    d.region_count = count;
    if (!list_edges(d) || !d.rest.resize(count) || !d.met.resize(count) || !d.queue.reserve(count))
        return false;
    // How many regions away the goal is, as the crow flies: by the nearest cell of each.
    for (float& rest : d.rest) rest = INFINITY;
    const double size = std::max(1.0, std::sqrt(static_cast<double>(cells) / count));
    for (std::int32_t y = 0; y < d.height(); ++y) {
        for (std::int32_t x = 0; x < d.width(); ++x) {
            float& rest = d.rest[d.regions[cell_index(d, x, y)]];
            rest = std::min(rest, static_cast<float>(distance(cell_centre(x, y), d.goal) / size));
        }
    }
    d.wants = false;
    d.to_goal = false;
    d.vain = 0;
    d.rest_of = ExploreMode::compass;
    return true;
}

bool step_compass(ExploreData& d, const GridState& world, Scratch& scratch, bool news) {
    const std::uint32_t here = region_of(d, d.cell_of(d.at));
    const std::uint32_t last = region_of(d, d.cell_of(d.goal));
    const double side = std::sqrt(static_cast<double>(d.regions.size()) / d.region_count);
    if (d.wants && here == d.wanted) d.wants = false;
    // From the goal's region on to the goal itself, also where the way leads out of the region again.
    d.to_goal = d.to_goal || (here == last && !d.wants);
    if (d.to_goal) {
        const double most = d.options.detour_max * (distance(d.at, d.goal) + side);
        const WalkEnd end = walk_known(d, world, scratch, d.goal, most, news);
        if (end == WalkEnd::there) d.status = ExploreStatus::arrived;
        if (end == WalkEnd::no_way) d.status = ExploreStatus::unreachable;
        if (end != WalkEnd::too_long) return end != WalkEnd::no_memory;
        d.to_goal = false;
        if (++d.vain == kVainMax) {
            d.status = ExploreStatus::gave_up;
            return true;
        }
    }
    if (!d.wants) {
        float least = 0.0F;
        ExploreData::Edge* const edge = best_edge(d, here, least);
        d.rest[here] = std::max(d.rest[here], least);
        // More regions than there are lie between.
        if (edge == nullptr || !(least <= 2.0F * static_cast<float>(d.region_count))) {
            d.status = ExploreStatus::gave_up;
            return true;
        }
        d.wanted = edge->to;
        d.wants = true;
        d.has_plan = false;
    }
    const auto shut = [&] {
        for (ExploreData::Edge& edge : d.edges) {
            if (edge.from == here && edge.to == d.wanted) edge.shut = true;
        }
        d.wants = d.has_plan = false;
        if (!leads_to(d, here, last)) d.status = ExploreStatus::gave_up;
        return true;
    };
    Vec2 door{};
    if (d.has_plan && (!news || d.known.state().can_stand(d.cell_of(d.plan_to), d.options.agent))) {
        door = d.plan_to;
    } else if (!door_of(d, d.wanted, door)) {
        return shut();
    }
    const double most = d.options.detour_max * (distance(d.at, door) + side);
    const WalkEnd end = walk_known(d, world, scratch, door, most, news);
    return end == WalkEnd::no_way || end == WalkEnd::too_long ? shut() : end != WalkEnd::no_memory;
}

}  // namespace fairlead::grid
