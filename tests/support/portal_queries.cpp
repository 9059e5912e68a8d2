#include "support/portal_queries.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/save_hierarchy.h>
#include <fairlead/verify/verify.h>

#include "grid/body.h"
#include "support/cluster_check.h"
#include "support/cluster_queries.h"
#include "support/planner_check.h"
#include "support/route_compare.h"

namespace fairlead::testing {

namespace {

bool chance(Rng& rng, std::uint32_t percent) { return rng.below(100) < percent; }

// A map, its portals, and the same without a hierarchy. Not copied: options point into it.
struct PortalWorld {
    GridOptions options;
    std::vector<std::uint8_t> tiles;
    std::vector<Portal> portals;
    std::vector<Agent> sizes;
    Agent agent;

    explicit PortalWorld(Rng& rng) {
        draw_size(rng);
        const auto kind = static_cast<ClusterMap>(rng.below(static_cast<std::uint32_t>(ClusterMap::count_)));
        const bool alike = chance(rng, 50);  // floors with the same walls
        std::vector<std::uint8_t> floor;
        for (std::int32_t layer = 0; layer < options.layers; ++layer) {
            if (layer == 0 || !alike) floor = cluster_map(rng, kind, options.width, options.height);
            tiles.insert(tiles.end(), floor.begin(), floor.end());
        }
        draw_portals_of_all_kinds(rng);
        agent = draw_agent(rng);
        if (chance(rng, 75)) sizes.push_back(agent);
        if (chance(rng, 20)) sizes.push_back(draw_agent(rng));
        options.sizes = sizes;
        options.portals = portals;
    }
    PortalWorld(const PortalWorld&) = delete;
    PortalWorld& operator=(const PortalWorld&) = delete;

    [[nodiscard]] Grid make(bool hierarchy) const {
        GridOptions with = options;
        with.hierarchy = hierarchy;
        return *Grid::make(with, tiles);
    }

    /// The point is, and whatever covers the same cells as one of the sizes.
    [[nodiscard]] bool registered() const {
        const auto key = [&](const Agent& a) { return grid::body_key(a, options.cell_size); };
        const auto same = [&](const Agent& size) { return key(size) == key(agent); };
        return agent == Agent{} || std::any_of(sizes.begin(), sizes.end(), same);
    }

  private:
    [[nodiscard]] Agent draw_agent(Rng& rng) const {
        Agent drawn = kClusterAgents[chance(rng, 30) ? 0 : rng.below(10)];
        drawn.radius *= options.cell_size;
        return drawn;
    }
    void draw_size(Rng& rng) {
        const std::uint32_t levels = rng.below(24);
        options.width = levels == 0   ? rng.between(2049, 2200)
                        : levels < 5  ? rng.between(513, 800)
                        : levels < 10 ? rng.between(5, 64)
                                      : rng.between(65, 420);
        options.height = chance(rng, 20) ? rng.between(5, 64) : rng.between(65, 30000 / options.width + 66);
        options.layers = rng.between(1, 4);
        options.wrap_x = chance(rng, 15);
        options.wrap_y = chance(rng, 15);
        options.corner = chance(rng, 80) ? CornerRule::never : static_cast<CornerRule>(rng.below(3));
        if (chance(rng, 30)) {
            options.cell_size = 0.25;
            options.origin = {-31.5, 17.25};
        }
    }
    // Mostly free; at times beside the border of two clusters.
    Cell draw_cell(Rng& rng) const {
        Cell cell;
        for (int i = 0; i < 20; ++i) {
            const auto place = [&](std::int32_t side) {
                const std::int32_t at = rng.between(0, side - 1);
                const std::int32_t border = at / 64 * 64 - rng.between(0, 1);
                return chance(rng, 20) ? std::max(border, 0) : at;
            };
            const std::int32_t x = place(options.width);
            cell = {x, place(options.height), rng.between(0, options.layers - 1)};
            const std::int32_t row = cell.layer * options.height + cell.y;
            if (tiles[static_cast<std::size_t>(row * options.width + cell.x)] != 0) break;
        }
        return cell;
    }
    Cell draw_end(Rng& rng, std::uint32_t kind, Cell from) const {
        if (options.layers > 1 && (kind == 0 || chance(rng, 30))) {  // stairs
            const bool up = from.layer == 0 || (from.layer + 1 < options.layers && chance(rng, 50));
            return {from.x, from.y, from.layer + (up ? 1 : -1)};
        }
        if (kind == 1 || chance(rng, 20)) {  // a short hop
            return {std::clamp(from.x + rng.between(-4, 4), 0, options.width - 1),
                    std::clamp(from.y + rng.between(-4, 4), 0, options.height - 1),
                    rng.between(0, options.layers - 1)};
        }
        return draw_cell(rng);
    }
    void draw_portals_of_all_kinds(Rng& rng) {
        constexpr std::int32_t kMost[] = {3, 12, 40, 150};
        const std::int32_t count = rng.between(0, kMost[rng.below(4)]);
        const std::uint32_t kind = rng.below(4), price = rng.below(4);
        for (std::int32_t i = 0; i < count; ++i) {
            Portal portal;
            portal.from = !portals.empty() && chance(rng, 15) ? portals.back().to : draw_cell(rng);
            portal.to = portal.from;
            if (!portals.empty() && chance(rng, 8)) {
                portal = portals[rng.below(static_cast<std::uint32_t>(portals.size()))];  // beside another
            }
            for (int k = 0; k < 40 && portal.to == portal.from; ++k)
                portal.to = draw_end(rng, kind, portal.from);
            if (portal.to == portal.from) continue;
            portal.cost = price_of(rng, price == 3 ? rng.below(3) : price, portal);
            portal.two_way = chance(rng, 65);
            portals.push_back(portal);
        }
    }
    static double price_of(Rng& rng, std::uint32_t price, const Portal& portal) {
        const double dx = portal.from.x - portal.to.x, dy = portal.from.y - portal.to.y;
        const double walk = std::sqrt(dx * dx + dy * dy);
        if (price == 0) return 0.01 + rng.below(64) / 16.0;
        return 0.01 + walk * (price == 1 ? 0.3 : 1.2) + rng.below(32) / 16.0;
    }
};

// What the legs cost: lengths, and what portals say, in world units.
double cost_of_legs(const GridState& grid, const Route& route) {
    double sum = 0.0;
    for (const Leg& leg : route.legs) {
        const bool link = leg.kind == LegKind::link;
        sum += link ? grid.portals()[leg.link_id].cost * grid.cell_size() : leg.length;
    }
    return sum;
}

class PortalAsker {
  public:
    PortalAsker(const PortalWorld& world, PortalQueryTally& tally)
        : world_(world), tally_(tally), grid_(world.make(true)), bare_(world.make(false)) {
        clusters_ = world.registered() && cluster_levels(grid_.state(), world.agent) > 0;
    }

    std::string ask(Rng& rng) {
        GridQuery query = draw_cluster_query(rng, grid_.state(), world_.agent);
        if (chance(rng, 25)) move_off_centre(rng, query);
        query.smoothing = chance(rng, 40) ? Smoothing::best : static_cast<Smoothing>(rng.below(4));
        query.certify = chance(rng, 10);
        if (chance(rng, 10)) query.reach = 6.0 * grid_.state().cell_size();
        query.partial = chance(rng, 35);
        ++tally_.queries;
        std::string problem = by_name(query);
        if (problem.empty()) problem = ask_otherwise(rng, query);
        return problem.empty() ? "" : describe(query) + ": " + problem;
    }

    /// Both grids; what is stored is as in a grid made anew.
    std::string edit(Rng& rng) {
        const CellRect rect = draw_rect(rng, grid_.state(), chance(rng, 50) ? 8 : 60);
        const auto count = static_cast<std::size_t>((rect.high.x - rect.low.x) * (rect.high.y - rect.low.y));
        const std::uint32_t percent = rng.below(101);
        std::vector<std::uint8_t> tiles(count);
        for (std::uint8_t& tile : tiles) tile = chance(rng, percent) ? 0 : 1;
        ++tally_.edits;
        return grid_.set(rect, tiles) && bare_.set(rect, tiles) ? "" : "an edit failed";
    }
    /// A portal's own tiles blocked, or free again.
    std::string edit_portal(Rng& rng) {
        const Portal& portal = world_.portals[rng.below(static_cast<std::uint32_t>(world_.portals.size()))];
        const Cell cell = chance(rng, 50) ? portal.from : portal.to;
        const auto tile = static_cast<std::uint8_t>(grid_.state().blocked(cell) ? 1 : 0);
        ++tally_.edits;
        return grid_.set(cell, tile) && bare_.set(cell, tile) ? "" : "an edit failed";
    }
    /// The hierarchy goes into a file and into another grid of the same tiles, which takes this one's place.
    std::string save_and_load() {
        Array<std::uint8_t> bytes;
        if (!save_hierarchy(grid_, bytes)) return "not saved";
        std::vector<std::uint8_t> tiles;
        const GridState& grid = grid_.state();
        for (std::int32_t layer = 0; layer < grid.layers(); ++layer) {
            for (std::int32_t y = 0; y < grid.height(); ++y) {
                for (std::int32_t x = 0; x < grid.width(); ++x) tiles.push_back(grid.tile({x, y, layer}));
            }
        }
        Result<Grid> other = Grid::make(world_.options, tiles);
        if (!other || !other->load_hierarchy(bytes.span())) return "not loaded";
        grid_ = std::move(*other);
        return "";
    }

  private:
    // Where the unit still stands free, if a few tries find it.
    void move_off_centre(Rng& rng, GridQuery& query) const {
        const double half = 0.5 * grid_.state().cell_size();
        const auto moved = [&](Vec2 p) {
            return p + Vec2{rng.between(-half, half), rng.between(-half, half)};
        };
        const std::int32_t from = query.start.layer, to = query.goal.at.layer;
        if (chance(rng, 60)) query.start = Spot(moved(query.start.ground())).on_layer(from);
        if (chance(rng, 60)) query.goal = Goal(Spot(moved(query.goal.at.ground())).on_layer(to));
    }

    std::string judge(const GridQuery& query, const Route& route) {
        ++tally_.judged;
        const Violation bad =
            verify(route, grid_.state(), query.agent, {.terrain = query.terrain, .blockers = query.blockers});
        if (bad) return std::string("illegal: ") + bad.text().c_str();
        if (route.legs.empty()) return "";
        if (route.legs[0].start.layer != query.start.layer) return "starts on the wrong floor";
        if (query.reach == 0.0 && distance(ground(route.legs[0].start.position), query.start.ground()) > 1e-9)
            return "does not start at the start";
        const double cost = cost_of_legs(grid_.state(), route);
        const bool plain = query.influence.cells.empty();
        if (plain && std::abs(route.line_cost - cost) > 1e-9 * (1.0 + cost)) return "a wrong line_cost";
        return "";
    }
    // Does it end where the query asks? On wrapped axes in any lap.
    bool ends_at(const Route& route, Vec2 point) const {
        const GridState& grid = grid_.state();
        Vec2 gap = ground(route.end.position) - point;
        const Vec2 lap =
            Vec2{static_cast<double>(grid.width()), static_cast<double>(grid.height())} * grid.cell_size();
        if (grid.wrap_x()) gap.x -= lap.x * std::floor(gap.x / lap.x + 0.5);
        if (grid.wrap_y()) gap.y -= lap.y * std::floor(gap.y / lap.y + 0.5);
        return length(gap) < 1e-9 * (1.0 + length(lap));
    }
    double gap_to_goal(const GridQuery& query, const Route& route) const {
        const GridState& grid = grid_.state();
        Vec2 gap = ground(route.end.position) - query.goal.at.ground();
        const Vec2 lap =
            Vec2{static_cast<double>(grid.width()), static_cast<double>(grid.height())} * grid.cell_size();
        if (grid.wrap_x()) gap.x -= lap.x * std::floor(gap.x / lap.x + 0.5);
        if (grid.wrap_y()) gap.y -= lap.y * std::floor(gap.y / lap.y + 0.5);
        return length(gap);
    }

    // By name, beside the flat search on the grid without a hierarchy.
    std::string by_name(GridQuery query) {
        query.planner = GridPlanner::bucket_astar;
        if (!find_route_into(bare_, query, flat_scratch_, flat_)) return "the flat search refuses";
        query.planner = GridPlanner::hierarchy;
        const Result<void> done = find_route_into(grid_, query, scratch_, route_);
        if (!done) {
            ++tally_.refused;
            return clusters_ ? "refused" : "";
        }
        if (!clusters_) return "served without clusters of this size";
        return beside_flat(query);
    }
    std::string beside_flat(const GridQuery& query) {
        if (route_.status != flat_.status)
            return std::string("status ") + status_name(route_.status) + ", not " + status_name(flat_.status);
        if (std::string problem = judge(query, route_); !problem.empty()) return problem;
        if (route_.status == PathStatus::partial) {
            ++tally_.partial;
            const double gap = gap_to_goal(query, route_), flat_gap = gap_to_goal(query, flat_);
            const bool same = std::abs(gap - flat_gap) < 1e-6 && route_.end.layer == flat_.end.layer;
            return same ? "" : "a nearest place farther or nearer than the flat one's";
        }
        if (route_.status != PathStatus::complete) return route_.legs.empty() ? "" : "legs without a route";
        ++tally_.complete;
        if (!ends_at(route_, ground(flat_.end.position))) return "ends elsewhere";
        if (route_.end.layer != flat_.end.layer) return "ends on another floor";
        if (std::isfinite(route_.bound)) return "";
        if (query.smoothing == Smoothing::best) count();
        return "";
    }
    void count() {
        ++tally_.over_clusters;
        for (const Leg& leg : route_.legs) tally_.links += leg.kind == LegKind::link ? 1 : 0;
        // What portals save must not make a ratio of small numbers.
        const double some = 10.0 * grid_.state().cell_size();
        const double ratio = (route_.line_cost + some) / (flat_.line_cost + some);
        tally_.ratio += ratio;
        tally_.most = std::max(tally_.most, ratio);
    }

    std::string ask_otherwise(Rng& rng, GridQuery query) {
        switch (rng.below(8)) {
            case 0: return automatically(query);
            case 1: return in_slices(rng, query);
            case 2: return cut_short(rng, query);
            case 3: return cancelled(rng, query);
            case 4: return to_many_goals(rng, query);
            case 5: return past_blockers(rng, query);
            case 6: return over_influence(rng, query);
            default: return "";
        }
    }

    // What it cannot serve has the very route of a grid without one.
    std::string as_without(const GridQuery& asked) {
        GridQuery query = asked;
        query.planner = GridPlanner::hierarchy;
        if (find_route_into(grid_, query, scratch_, route_)) return "by name not refused";
        ++tally_.refused;
        query.planner = GridPlanner::automatic;
        if (!find_route_into(grid_, query, scratch_, route_) ||
            !find_route_into(bare_, query, flat_scratch_, flat_))
            return "automatic refuses";
        if (std::string problem = judge(query, route_); !problem.empty()) return problem;
        return route_difference(route_, flat_, false);
    }
    std::string automatically(GridQuery query) {
        query.planner = GridPlanner::automatic;
        if (!find_route_into(grid_, query, scratch_, route_) ||
            !find_route_into(bare_, query, flat_scratch_, flat_))
            return "automatic refuses";
        return beside_flat(query);
    }
    std::string to_many_goals(Rng& rng, GridQuery query) {
        std::vector<Vec2> goals{query.goal.at.ground()};
        const std::int32_t layer = query.goal.at.layer;
        for (std::uint32_t i = rng.below(4); i > 0; --i)
            goals.push_back(draw_cluster_query(rng, grid_.state(), world_.agent).goal.at.ground());
        query.goal = Goal::any_of(goals);
        if (chance(rng, 40)) query.goal = Goal::within(goals[0], 3.0 * grid_.state().cell_size());
        query.goal = query.goal.on_layer(layer);
        return as_without(query);
    }
    std::string past_blockers(Rng& rng, GridQuery query) {
        std::vector<Blocker> blockers;
        const double cell = grid_.state().cell_size();
        for (std::uint32_t i = 1 + rng.below(4); i > 0; --i) {
            const GridQuery place = draw_cluster_query(rng, grid_.state(), world_.agent);
            Blocker blocker{.centre = place.goal.at.ground(), .radius = rng.between(0.3, 5.0) * cell};
            blocker.layer = place.goal.at.layer;
            blockers.push_back(blocker);
        }
        query.blockers = blockers;
        return as_without(query);
    }
    std::string over_influence(Rng& rng, GridQuery query) {
        std::vector<std::uint8_t> threat(world_.tiles.size());
        for (std::uint8_t& byte : threat) byte = static_cast<std::uint8_t>(rng.below(3));
        query.influence = {.cells = threat, .weight = 1};
        return as_without(query);
    }

    // Whatever is shown on the way is legal, and the end is that of one call.
    std::string in_slices(Rng& rng, GridQuery query) {
        query.planner = clusters_ ? GridPlanner::hierarchy : GridPlanner::automatic;
        if (!find_route_into(grid_, query, flat_scratch_, flat_)) return "refused whole";
        GridSearch search(grid_, query, scratch_);
        const std::uint64_t slice = chance(rng, 50) ? 1 : 1 + rng.below(60);
        for (std::uint64_t k = 0; search.running(); ++k) {
            search.step(slice);
            if (!search.running() || !search.has_route() || k % 3 != 0) continue;
            if (!search.take(route_)) return "nothing to show";
            ++tally_.shown;
            if (std::string problem = judge(query, route_); !problem.empty()) return "shown, " + problem;
        }
        if (!search.take(route_)) return "nothing taken";
        return route_difference(route_, flat_);
    }
    std::string cut_short(Rng& rng, GridQuery query) {
        query.planner = clusters_ ? GridPlanner::hierarchy : GridPlanner::automatic;
        if (!find_route_into(grid_, query, flat_scratch_, flat_)) return "refused whole";
        query.expansions_max = rng.below(40);
        if (!find_route_into(grid_, query, scratch_, route_)) return "refused";
        if (route_.stats.expanded > query.expansions_max) return "expanded more than it may";
        if (route_.status != flat_.status && route_.status != PathStatus::budget_spent)
            return std::string("cut short it says ") + status_name(route_.status) + ", not " +
                   status_name(flat_.status);
        tally_.cut += route_.status == PathStatus::budget_spent ? 1 : 0;
        if (!query.partial && route_.status == PathStatus::budget_spent && !route_.legs.empty())
            return "legs that were not asked for";
        return judge(query, route_);
    }
    std::string cancelled(Rng& rng, GridQuery query) {
        query.planner = clusters_ ? GridPlanner::hierarchy : GridPlanner::automatic;
        std::atomic<bool> cancel{false};
        GridSearch search(grid_, query, scratch_, {.cancel = &cancel});
        search.step(rng.below(50));
        cancel = true;
        while (search.running()) search.step(1);
        if (!search.take(route_)) return "nothing taken";
        tally_.cut += route_.status == PathStatus::budget_spent ? 1 : 0;
        return judge(query, route_);
    }

    const PortalWorld& world_;
    PortalQueryTally& tally_;
    Grid grid_;
    Grid bare_;
    bool clusters_ = false;
    Scratch scratch_, flat_scratch_;
    Route route_, flat_;
};

}  // namespace

void PortalQueryTally::add(const PortalQueryTally& other) {
    maps += other.maps;
    queries += other.queries;
    complete += other.complete;
    over_clusters += other.over_clusters;
    links += other.links;
    judged += other.judged;
    refused += other.refused;
    partial += other.partial;
    cut += other.cut;
    shown += other.shown;
    edits += other.edits;
    ratio += other.ratio;
    most = std::max(most, other.most);
}

std::string check_portal_queries(std::uint64_t seed, int queries, PortalQueryTally& tally) {
    Rng rng(seed);
    const PortalWorld world(rng);
    PortalAsker asker(world, tally);
    ++tally.maps;
    for (int i = 0; i < queries; ++i) {
        std::string problem;
        const std::uint32_t what = rng.below(24);
        if (what == 0) problem = asker.edit(rng);
        if (what == 1 && !world.portals.empty()) problem = asker.edit_portal(rng);
        if (what == 2) problem = asker.save_and_load();
        if (problem.empty()) problem = asker.ask(rng);
        if (!problem.empty()) return "query " + std::to_string(i) + ": " + problem;
    }
    return "";
}

}  // namespace fairlead::testing
