#include "oracle/grid_oracle.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "oracle/plain_geometry.h"

namespace fairlead::oracle {

namespace {

constexpr std::int32_t kHeadingSteps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                              {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
constexpr std::int32_t kNoHeading = 8;

std::int32_t modulo(std::int32_t a, std::int32_t n) { return ((a % n) + n) % n; }

bool even_footprint(const Agent& agent) { return agent.footprint > 0 && agent.footprint % 2 == 0; }

/// Dijkstra over numbered states. `expand(state, out)` appends (state, length of the step) pairs; `stop(state)` ends the
/// search when the state is taken from the queue. Returns the lengths of the states met.
struct Step {
    std::int32_t to;
    Length length;
};

struct Entry {
    double about;
    Length length;
    std::int32_t state;
};

/// Exact; the numbers in floating point decide where they are far enough apart.
struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
        const double gap = a.about - b.about;
        const double blur = 1e-12 * (a.about + b.about) + 1e-12;
        if (gap > blur) return true;
        if (gap < -blur) return false;
        const int order = compare(a.length, b.length);
        return order != 0 ? order > 0 : a.state > b.state;
    }
};

template <class Expand, class Stop>
std::optional<std::int32_t> dijkstra(std::int32_t start, std::vector<std::optional<Length>>& best,
                                     Expand expand, Stop stop) {
    std::priority_queue<Entry, std::vector<Entry>, Later> open;
    std::vector<char> closed(best.size());
    std::vector<Step> steps;
    best[static_cast<std::size_t>(start)] = Length{};
    open.push({0.0, {}, start});
    while (!open.empty()) {
        const Entry top = open.top();
        open.pop();
        if (closed[static_cast<std::size_t>(top.state)] != 0) continue;
        closed[static_cast<std::size_t>(top.state)] = 1;
        if (stop(top.state)) return top.state;
        steps.clear();
        expand(top.state, steps);
        for (const Step& step : steps) {
            if (closed[static_cast<std::size_t>(step.to)] != 0) continue;
            const Length length = top.length + step.length;
            std::optional<Length>& known = best[static_cast<std::size_t>(step.to)];
            if (known && !(length < *known)) continue;
            known = length;
            open.push({length.cells(), length, step.to});
        }
    }
    return std::nullopt;
}

}  // namespace

bool World::wrap(Cell& c) const {
    if (wrap_x) c.x = modulo(c.x, width);
    if (wrap_y) c.y = modulo(c.y, height);
    return c.x >= 0 && c.y >= 0 && c.x < width && c.y < height && c.layer >= 0 && c.layer < layers;
}

GridOptions World::options() const {
    GridOptions options;
    options.width = width;
    options.height = height;
    options.layers = layers;
    options.origin = origin;
    options.cell_size = cell_size;
    options.wrap_x = wrap_x;
    options.wrap_y = wrap_y;
    options.portals = portals;
    options.terrain_costs = terrain_costs;
    return options;
}

Vec2 standing_point(const World& world, const Agent& agent, Cell cell) {
    const double middle = even_footprint(agent) ? 0.0 : 0.5;
    return world.origin + Vec2{cell.x + middle, cell.y + middle} * world.cell_size;
}

GridOracle::GridOracle(const World& world, const GridQuery& query)
    : world_(&world), query_(query), radius_(query.agent.radius / world.cell_size) {
    const auto count = static_cast<std::size_t>(world.cells());
    walls_.resize(count);
    entering_.resize(count);
    fits_.resize(count);
    wall_fits_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t tile = world.tiles[i];
        const bool forbidden = tile != 0 && world.cost_for(query, tile) == 0.0;
        walls_[i] = tile == 0 || forbidden ? 1 : 0;
        entering_[i] = walls_[i] != 0 ? 0 : entering(static_cast<std::int32_t>(i));
    }
    const std::vector<Offset> at_rest = swept_offsets({0, 0});
    for (std::size_t i = 0; i < count; ++i) {
        const Cell cell = world.cell(static_cast<std::int32_t>(i));
        fits_[i] = sweep_is_free(cell, {0, 0}, at_rest) ? 1 : 0;
        wall_fits_[i] = fits_[i] != 0 || offsets_are_free(cell, at_rest) ? 1 : 0;
    }
    for (std::size_t h = 0; h < 8; ++h)
        offsets_[h] = swept_offsets({kHeadingSteps[h][0], kHeadingSteps[h][1]});
    first_.reserve(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        first_.push_back(moves_.size());
        if (fits_[i] == 0) continue;
        add_steps(world.cell(static_cast<std::int32_t>(i)));
        if (!world.portals.empty()) add_portals(static_cast<std::int32_t>(i));
    }
    first_.push_back(moves_.size());
}

std::int64_t GridOracle::entering(std::int32_t cell) const {
    const std::uint8_t tile = world_->tiles[at(cell)];
    auto cost = static_cast<std::int64_t>(world_->cost_for(query_, tile));
    if (!query_.influence.cells.empty()) {
        cost += std::int64_t{query_.influence.cells[at(cell)]} * query_.influence.weight;
    }
    return cost;
}

bool GridOracle::wall(Cell cell) const { return !world_->wrap(cell) || walls_[at(world_->index(cell))] != 0; }
bool GridOracle::solid_wall(Cell cell) const {
    return !world_->wrap(cell) || world_->tiles[at(world_->index(cell))] == 0;
}

// The cells, relative to the one that the unit leaves, that its body sweeps when it makes a step.
std::vector<GridOracle::Offset> GridOracle::swept_offsets(Offset step) const {
    const Agent& agent = query_.agent;
    const double middle = even_footprint(agent) ? 0.0 : 0.5;
    const Body body{agent.footprint > 0 ? 0.0 : radius_, agent.footprint / 2.0};
    const Vec2 a{middle, middle};
    const Vec2 b = a + Vec2{static_cast<double>(step.x), static_cast<double>(step.y)};
    // Beyond the map all is wall, so a body need not be looked at further out than that.
    const double largest = std::max(world_->width, world_->height) + 2.0;
    const auto reach = static_cast<std::int32_t>(std::min(std::max(radius_, body.half), largest)) + 2;
    std::vector<Offset> offsets;
    for (std::int32_t y = -reach; y <= reach; ++y) {
        for (std::int32_t x = -reach; x <= reach; ++x) {
            const Vec2 low{static_cast<double>(x), static_cast<double>(y)};
            if (body_meets_box(body, a, b, {low, low + Vec2{1, 1}})) offsets.push_back({x, y});
        }
    }
    return offsets;
}

bool GridOracle::offsets_are_free(Cell from, const std::vector<Offset>& offsets) const {
    for (const Offset o : offsets) {
        if (wall({from.x + o.x, from.y + o.y, from.layer})) return false;
    }
    return true;
}

bool GridOracle::sweep_is_free(Cell from, Offset step, const std::vector<Offset>& offsets) const {
    if (!offsets_are_free(from, offsets)) return false;
    if (query_.blockers.empty()) return true;
    const double middle = even_footprint(query_.agent) ? 0.0 : 0.5;
    const Vec2 a{from.x + middle, from.y + middle};
    return !blocker_in_way(a, a + Vec2{static_cast<double>(step.x), static_cast<double>(step.y)}, from.layer);
}

bool GridOracle::blocker_in_way(Vec2 a, Vec2 b, std::int32_t layer) const {
    const Body body{query_.agent.footprint > 0 ? 0.0 : radius_, query_.agent.footprint / 2.0};
    for (const Blocker& blocker : query_.blockers) {
        if (blocker.layer != layer) continue;
        const auto cells = [&](Vec2 p) { return (p - world_->origin) * (1.0 / world_->cell_size); };
        const bool is_box = !blocker.box.empty();
        const Vec2 low = cells(is_box ? blocker.box.low : blocker.centre);
        const Vec2 high = cells(is_box ? blocker.box.high : blocker.centre);
        const double round = is_box ? 0.0 : blocker.radius / world_->cell_size;
        const double reach = std::max(radius_, body.half) + round + 3.0;
        // All laps of a wrapped axis in which the blocker could be near.
        const auto laps = [&](bool wraps, double size, double extent) {
            return wraps ? static_cast<std::int32_t>((reach + extent) / size) + 2 : 0;
        };
        const std::int32_t laps_x = laps(world_->wrap_x, world_->width, high.x - low.x);
        const std::int32_t laps_y = laps(world_->wrap_y, world_->height, high.y - low.y);
        // It may itself be given laps away.
        const auto between = [](bool wraps, double size, double way) {
            return wraps ? static_cast<std::int32_t>(std::floor(way / size)) : 0;
        };
        const std::int32_t away_x = between(world_->wrap_x, world_->width, a.x - low.x);
        const std::int32_t away_y = between(world_->wrap_y, world_->height, a.y - low.y);
        for (std::int32_t ly = away_y - laps_y; ly <= away_y + laps_y; ++ly) {
            for (std::int32_t lx = away_x - laps_x; lx <= away_x + laps_x; ++lx) {
                const Vec2 lap{static_cast<double>(lx * world_->width),
                               static_cast<double>(ly * world_->height)};
                if (a.x < low.x + lap.x - reach || a.x > high.x + lap.x + reach) continue;
                if (a.y < low.y + lap.y - reach || a.y > high.y + lap.y + reach) continue;
                if (is_box ? body_meets_box(body, a, b, {low + lap, high + lap})
                           : body_meets_disc(body, a, b, low + lap, round)) {
                    return true;
                }
            }
        }
    }
    return false;
}

void GridOracle::add_steps(Cell from) {
    const auto fits_at = [&](Cell c) { return world_->wrap(c) && fits_[at(world_->index(c))] != 0; };
    const auto beside = [&](Cell c) { return world_->wrap(c) && wall_fits_[at(world_->index(c))] != 0; };
    for (std::int32_t h = 0; h < 8; ++h) {
        const Offset step{kHeadingSteps[h][0], kHeadingSteps[h][1]};
        const bool diagonal = step.x != 0 && step.y != 0;
        if (diagonal && query_.neighbours == Neighbourhood::four) continue;
        Cell to{from.x + step.x, from.y + step.y, from.layer};
        if (!fits_at(to)) continue;
        if (diagonal) {
            const bool one = beside({from.x + step.x, from.y, from.layer});
            const bool other = beside({from.x, from.y + step.y, from.layer});
            if (query_.corner == CornerRule::never && !(one && other)) continue;
            if (query_.corner == CornerRule::one_free && !(one || other)) continue;
        }
        if (!sweep_is_free(from, step, offsets_[h])) continue;
        (void)world_->wrap(to);
        const std::int32_t index = world_->index(to);
        const std::int64_t cost = entering_[at(index)];
        moves_.push_back({index, h, diagonal ? Length{0, cost, 0} : Length{cost, 0, 0}});
    }
}

void GridOracle::add_portals(std::int32_t from) {
    for (const Portal& portal : world_->portals) {
        const std::int32_t a = world_->index(portal.from);
        const std::int32_t b = world_->index(portal.to);
        const Length length{0, 0, std::llround(portal.cost * 1024.0)};
        if (a == from && fits(b)) moves_.push_back({b, kNoHeading, length});
        if (b == from && portal.two_way && fits(a)) moves_.push_back({a, kNoHeading, length});
    }
}

std::vector<std::optional<Length>> GridOracle::lengths_from(std::int32_t start) const {
    std::vector<std::optional<Length>> best(fits_.size());
    if (!fits(start)) return best;
    const auto expand = [&](std::int32_t cell, std::vector<Step>& steps) {
        for (const Move* m = begin(cell); m != end(cell); ++m) steps.push_back({m->to, m->length});
    };
    dijkstra(start, best, expand, [](std::int32_t) { return false; });
    return best;
}

std::optional<Length> GridOracle::shortest(std::int32_t start, const std::vector<std::int32_t>& goals) const {
    if (!fits(start)) return std::nullopt;
    std::vector<char> is_goal(fits_.size());
    for (const std::int32_t goal : goals) is_goal[at(goal)] = 1;
    std::vector<std::optional<Length>> best(fits_.size());
    const auto expand = [&](std::int32_t cell, std::vector<Step>& steps) {
        for (const Move* m = begin(cell); m != end(cell); ++m) steps.push_back({m->to, m->length});
    };
    const auto found =
        dijkstra(start, best, expand, [&](std::int32_t cell) { return is_goal[at(cell)] != 0; });
    return found ? best[at(*found)] : std::nullopt;
}

std::optional<Length> GridOracle::shortest_with_turns(std::int32_t start,
                                                      const std::vector<std::int32_t>& goals,
                                                      std::int64_t penalty, std::int64_t each) const {
    if (!fits(start)) return std::nullopt;
    std::vector<char> is_goal(fits_.size());
    for (const std::int32_t goal : goals) is_goal[at(goal)] = 1;
    std::vector<std::optional<Length>> best(fits_.size() * 9);
    const auto expand = [&](std::int32_t state, std::vector<Step>& steps) {
        const std::int32_t cell = state / 9;
        const std::int32_t heading = state % 9;
        for (const Move* m = begin(cell); m != end(cell); ++m) {
            Length length = m->length;
            if (heading != kNoHeading && m->heading != kNoHeading) {
                const std::int32_t turn = modulo(m->heading - heading, 8);
                length.extra += penalty * std::min(turn, 8 - turn) + (turn == 0 ? 0 : each);
            }
            steps.push_back({m->to * 9 + (m->heading == kNoHeading ? heading : m->heading), length});
        }
    };
    const auto found = dijkstra(start * 9 + kNoHeading, best, expand,
                                [&](std::int32_t state) { return is_goal[at(state / 9)] != 0; });
    return found ? best[at(*found)] : std::nullopt;
}

std::vector<char> GridOracle::reachable(std::int32_t start) const {
    std::vector<char> met(fits_.size());
    if (!fits(start)) return met;
    std::vector<std::int32_t> open{start};
    met[at(start)] = 1;
    while (!open.empty()) {
        const std::int32_t cell = open.back();
        open.pop_back();
        for (const Move* m = begin(cell); m != end(cell); ++m) {
            if (met[at(m->to)] != 0) continue;
            met[at(m->to)] = 1;
            open.push_back(m->to);
        }
    }
    return met;
}

double GridOracle::distance(Vec2 a, Vec2 b) const {
    const auto across = [](double d, bool wraps, double size) {
        d = std::abs(d);
        return wraps ? std::min(std::fmod(d, size), size - std::fmod(d, size)) : d;
    };
    return fairlead::length(Vec2{across(a.x - b.x, world_->wrap_x, world_->width),
                                 across(a.y - b.y, world_->wrap_y, world_->height)});
}

bool GridOracle::clear_line(Vec2 a, Vec2 b, std::int32_t layer) const {
    const auto low_x = static_cast<std::int32_t>(std::floor(std::min(a.x, b.x))) - 1;
    const auto high_x = static_cast<std::int32_t>(std::floor(std::max(a.x, b.x))) + 1;
    const auto low_y = static_cast<std::int32_t>(std::floor(std::min(a.y, b.y))) - 1;
    const auto high_y = static_cast<std::int32_t>(std::floor(std::max(a.y, b.y))) + 1;
    const auto strictly_between = [](double value, double p, double q) {
        return p != q && (value - p) * (value - q) < 0;
    };
    for (std::int32_t y = low_y; y <= high_y; ++y) {
        for (std::int32_t x = low_x; x <= high_x; ++x) {
            const bool here = solid_wall({x, y, layer});
            const bool right = solid_wall({x + 1, y, layer});
            const bool above = solid_wall({x, y + 1, layer});
            const bool across = solid_wall({x + 1, y + 1, layer});
            const Aabb box{{static_cast<double>(x), static_cast<double>(y)}, {x + 1.0, y + 1.0}};
            if (here && segment_enters_box(a, b, box)) return false;
            // The seam between two walls belongs to them.
            if (here && right && segment_enters_box(a, b, {box.low, box.high + Vec2{1, 0}})) return false;
            if (here && above && segment_enters_box(a, b, {box.low, box.high + Vec2{0, 1}})) return false;
            // So does the corner where two of them meet.
            const bool meet = (here && across && !right && !above) || (right && above && !here && !across);
            const bool inside =
                strictly_between(box.high.x, a.x, b.x) && strictly_between(box.high.y, a.y, b.y);
            if (meet && inside && point_to_segment(box.high, a, b) < kTouch) return false;
        }
    }
    return true;
}

bool GridOracle::can_sweep(Vec2 a, Vec2 b, std::int32_t layer) const {
    const Body body{query_.agent.footprint > 0 ? 0.0 : radius_, query_.agent.footprint / 2.0};
    const double largest = std::max(world_->width, world_->height) + 2.0;
    const double reach = std::min(std::max(body.radius, body.half), largest) + 1.0;
    const auto low_x = static_cast<std::int32_t>(std::floor(std::min(a.x, b.x) - reach));
    const auto high_x = static_cast<std::int32_t>(std::floor(std::max(a.x, b.x) + reach));
    const auto low_y = static_cast<std::int32_t>(std::floor(std::min(a.y, b.y) - reach));
    const auto high_y = static_cast<std::int32_t>(std::floor(std::max(a.y, b.y) + reach));
    for (std::int32_t y = low_y; y <= high_y; ++y) {
        for (std::int32_t x = low_x; x <= high_x; ++x) {
            if (!wall({x, y, layer})) continue;
            const Vec2 low{static_cast<double>(x), static_cast<double>(y)};
            if (body_meets_box(body, a, b, {low, low + Vec2{1, 1}})) return false;
        }
    }
    return !blocker_in_way(a, b, layer);
}

std::optional<GridOracle::Attached> GridOracle::attach_to(Vec2 point, std::int32_t layer) const {
    if (!can_sweep(point, point, layer)) return std::nullopt;
    const double middle = even_footprint(query_.agent) ? 0.0 : 0.5;
    const auto at_x = static_cast<std::int32_t>(std::floor(point.x + 0.5 - middle));
    const auto at_y = static_cast<std::int32_t>(std::floor(point.y + 0.5 - middle));
    std::optional<Attached> best;
    for (std::int32_t y = at_y - 1; y <= at_y + 1; ++y) {
        for (std::int32_t x = at_x - 1; x <= at_x + 1; ++x) {
            const Vec2 stand{x + middle, y + middle};
            const double gap = fairlead::length(stand - point);
            Cell cell{x, y, layer};
            if (best && gap >= best->gap) continue;
            if (!world_->wrap(cell) || !fits(world_->index(cell)) || !can_sweep(point, stand, layer))
                continue;
            best = Attached{world_->index(cell), gap};
        }
    }
    return best;
}

std::optional<std::int32_t> GridOracle::other_side(Vec2 point, std::int32_t layer, std::int32_t first) const {
    const Vec2 corner{std::round(point.x), std::round(point.y)};
    if (fairlead::length(point - corner) > kTouch || query_.corner == CornerRule::always) return std::nullopt;
    const auto x = static_cast<std::int32_t>(corner.x);
    const auto y = static_cast<std::int32_t>(corner.y);
    const bool falling = wall({x - 1, y - 1, layer}) && wall({x, y, layer});
    const bool rising = wall({x, y - 1, layer}) && wall({x - 1, y, layer});
    if (falling == rising) return std::nullopt;
    for (const std::int32_t side : {0, 1}) {
        Cell cell{x - side, y - (falling ? 1 - side : side), layer};
        const Vec2 stand{cell.x + 0.5, cell.y + 0.5};
        if (!world_->wrap(cell) || !fits(world_->index(cell)) || !can_sweep(point, stand, layer)) continue;
        if (world_->index(cell) != first) return world_->index(cell);
    }
    return std::nullopt;
}

std::vector<std::int32_t> GridOracle::goal_cells(const Goal& goal) const {
    const bool even = even_footprint(query_.agent);
    const auto cells = [&](Vec2 p) { return (p - world_->origin) * (1.0 / world_->cell_size); };
    const auto cell_of = [&](Vec2 p) {
        const Vec2 c = cells(p) + (even ? Vec2{0.5, 0.5} : Vec2{0, 0});
        return Cell{static_cast<std::int32_t>(std::floor(c.x)), static_cast<std::int32_t>(std::floor(c.y)),
                    goal.at.layer};
    };
    std::vector<char> in(fits_.size());
    const auto add = [&](Cell c) {
        if (world_->wrap(c) && fits(world_->index(c))) in[at(world_->index(c))] = 1;
    };
    switch (goal.kind) {
        case Goal::Kind::point: add(cell_of(goal.at.ground())); break;
        case Goal::Kind::any_of:
            for (const Spot p : goal.list) add(cell_of(p.ground()));
            break;
        case Goal::Kind::adjacent: {
            const Vec2 p = cells(goal.at.ground());
            const Cell c{static_cast<std::int32_t>(std::floor(p.x)),
                         static_cast<std::int32_t>(std::floor(p.y)), goal.at.layer};
            for (std::int32_t y = -1; y <= 1; ++y) {
                for (std::int32_t x = -1; x <= 1; ++x) {
                    Cell beside{c.x + x, c.y + y, c.layer};
                    if (world_->wrap(beside) && !(beside == c)) add(beside);
                }
            }
            break;
        }
        case Goal::Kind::within:
        case Goal::Kind::in_sight: {
            const auto nearest_image = [&](Vec2 p, Vec2 from) {
                if (world_->wrap_x) p.x -= world_->width * std::round((p.x - from.x) / world_->width);
                if (world_->wrap_y) p.y -= world_->height * std::round((p.y - from.y) / world_->height);
                return p;
            };
            const Vec2 target = cells(goal.at.ground());
            const double range = goal.range / world_->cell_size + kTouch;
            for (std::int32_t y = 0; y < world_->height; ++y) {
                for (std::int32_t x = 0; x < world_->width; ++x) {
                    const Vec2 here{x + (even ? 0.0 : 0.5), y + (even ? 0.0 : 0.5)};
                    if (distance(here, target) > range) continue;
                    if (goal.kind == Goal::Kind::in_sight &&
                        !clear_line(here, nearest_image(target, here), goal.at.layer)) {
                        continue;
                    }
                    add({x, y, goal.at.layer});
                }
            }
            break;
        }
    }
    std::vector<std::int32_t> result;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i] != 0) result.push_back(static_cast<std::int32_t>(i));
    }
    return result;
}

}  // namespace fairlead::oracle
