// Horizon: look, and go to the place at the edge of sight from which the goal seems nearest (technique H5).
//
// How far each cell is from the goal, at least, is learned. A way from here to the goal, if that is not in sight, leads over a cell at the
// edge of what the unit can walk to straight: so it is at least as long as the least of the way to such a cell and what is known from
// there, and from any cell in sight as long less the way to it. This is real-time adaptive A* (Koenig & Likhachev 2006; LRTA*, Korf
// 1990) with all that is in sight as the local search. What is learned never exceeds the truth, so if it exceeds any possible way, there
// is none over the middles of cells in sight. Wide bodies stand between the middles, too, and who sees less than a cell sees no edge: so
// the map as it is known has the last word, and leads on where it knows a way.
#include "grid/explore/explore_data.h"

#include <algorithm>
#include <cmath>

namespace fairlead::grid {

namespace {

constexpr std::int32_t kReachMax = 24;  // cells: what is farther away is no choice
constexpr std::int32_t kWindow = 2 * kReachMax + 1;

std::size_t rest_index(const ExploreData& d, std::int32_t x, std::int32_t y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(d.width()) + static_cast<std::size_t>(x);
}

// The cells around the unit whose middles it can walk to straight, as far as is known.
struct InSight {
    Cell here{};
    std::int32_t reach = 0;
    bool cells[kWindow * kWindow] = {};

    [[nodiscard]] bool at(std::int32_t x, std::int32_t y) const {
        const std::int32_t dx = x - here.x, dy = y - here.y;
        if (dx < -reach || dy < -reach || dx > reach || dy > reach) return false;
        return cells[(dy + kReachMax) * kWindow + dx + kReachMax];
    }
    void look(const ExploreData& d) {
        here = d.cell_of(d.at);
        reach = std::min(static_cast<std::int32_t>(d.sight), kReachMax);
        const SightWorld known = d.sight_on(d.known.state(), 0);
        visit(d, [&](std::int32_t x, std::int32_t y) {
            const Vec2 middle = cell_centre(x, y);
            const Vec2 gap = middle - d.at;
            const bool near = (x == here.x && y == here.y) || dot(gap, gap) <= d.sight * d.sight;
            cells[(y - here.y + kReachMax) * kWindow + x - here.x + kReachMax] =
                near && d.is_seen(x, y) && can_sweep(known, d.at, middle);
        });
    }
    template <class Visit>
    void visit(const ExploreData& d, Visit visit_cell) const {
        for (std::int32_t y = std::max(0, here.y - reach); y <= std::min(d.height() - 1, here.y + reach);
             ++y) {
            for (std::int32_t x = std::max(0, here.x - reach); x <= std::min(d.width() - 1, here.x + reach);
                 ++x)
                visit_cell(x, y);
        }
    }
    // Is there a cell beside it that is not in sight, and may be stood in for all that is known?
    [[nodiscard]] bool is_edge(const ExploreData& d, std::int32_t x, std::int32_t y) const {
        const GridState& known = d.known.state();
        for (std::int32_t dy = -1; dy <= 1; ++dy) {
            for (std::int32_t dx = -1; dx <= 1; ++dx) {
                if (!at(x + dx, y + dy) && known.can_stand({x + dx, y + dy, 0}, d.options.agent)) return true;
            }
        }
        return false;
    }
};

}  // namespace

bool begin_horizon(ExploreData& d) {
    const auto cells = static_cast<std::size_t>(d.width()) * static_cast<std::size_t>(d.height());
    if (!d.rest.resize(cells)) return false;
    for (std::int32_t y = 0; y < d.height(); ++y) {
        for (std::int32_t x = 0; x < d.width(); ++x)
            d.rest[rest_index(d, x, y)] = static_cast<float>(distance(cell_centre(x, y), d.goal));
    }
    d.wants = d.by_map = false;
    d.rest_of = ExploreMode::horizon;
    return true;
}

bool step_horizon(ExploreData& d, const GridState& world, Scratch& scratch, bool news) {
    if (d.by_map) return walk_by_map(d, world, scratch, news);
    const SightWorld known = d.sight_on(d.known.state(), 0);
    bool moved = false;
    if (distance(d.at, d.goal) <= d.sight && can_sweep(known, d.at, d.goal)) {
        if (!walk_to(d, world, d.goal, moved)) return false;
        if (d.at == d.goal) d.status = ExploreStatus::arrived;
        return true;
    }
    // On to the place picked, unless a wall was seen in between.
    if (d.wants && d.at != d.plan_to && can_sweep(known, d.at, d.plan_to))
        return walk_to(d, world, d.plan_to, moved);
    InSight sight;
    sight.look(d);
    // In the goal's cell a way may end that leads over no edge.
    const Cell goal = d.cell_of(d.goal);
    float least = INFINITY;
    sight.visit(d, [&](std::int32_t x, std::int32_t y) {
        const Vec2 middle = cell_centre(x, y);
        if (middle == d.at || !sight.at(x, y)) return;
        const float sum = static_cast<float>(distance(d.at, middle)) + d.rest[rest_index(d, x, y)];
        const bool at_goal = x == goal.x && y == goal.y;
        if (!(sum < least) || !(at_goal || sight.is_edge(d, x, y))) return;
        least = sum;
        d.plan_to = middle;
    });
    // No way is longer than three times over every cell.
    if (!(least < 3.0F * static_cast<float>(d.known.state().free_cells()))) {
        d.by_map = true;
        return walk_by_map(d, world, scratch, news);
    }
    sight.visit(d, [&](std::int32_t x, std::int32_t y) {
        if (!sight.at(x, y)) return;
        float& rest = d.rest[rest_index(d, x, y)];
        rest = std::max(rest, least - static_cast<float>(distance(d.at, cell_centre(x, y))));
    });
    d.wants = true;
    return walk_to(d, world, d.plan_to, moved);
}

}  // namespace fairlead::grid
