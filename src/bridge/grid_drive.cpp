#include <fairlead/bridge/grid_drive.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include <fairlead/grid/find_route.h>

#include "bridge/tile_blocker.h"
#include "drive/lattice/drive_run.h"
#include "grid/check_query.h"
#include "grid/state.h"
#include "grid/terrain.h"
#include "route/check_filter.h"
#include "search/run_search.h"

namespace fairlead {

namespace {

constexpr std::int32_t kBetween = 1;  // rows between two floors (drive_map.h)

// All layers and their portals? Else one layer.
bool takes_floors(const GridDriveOptions& options) { return options.layer == kAllLayers; }

std::int32_t floors_of(const GridState& grid, const GridDriveOptions& options) {
    return takes_floors(options) ? grid.layers() : 1;
}

// The portals as links of a DriveMap. False: out of memory.
bool list_links(const GridState& grid, const GridDriveOptions& options, Array<DriveLink>& out) {
    out.clear();
    if (!takes_floors(options)) return true;
    const std::span<const Portal> portals = grid.portals();
    for (std::uint32_t i = 0; i < portals.size(); ++i) {
        const Portal& p = portals[i];
        const DriveLink link{
            {p.from.x, p.from.y, p.from.layer}, {p.to.x, p.to.y, p.to.layer}, p.cost, i, p.two_way};
        if (!out.push_back(link)) return false;
    }
    return true;
}

// A layer of a grid, or all of them above each other, as drive sees it.
class Ground {
  public:
    Ground(const GridState& grid, const GridDriveOptions& options)
        : state_(&grid.data()),
          layer_(takes_floors(options) ? 0 : options.layer),
          floors_(floors_of(grid, options)),
          costs_(state_->costs),
          roads_(options.roads),
          cones_(options.cones),
          blockers_(options.blockers),
          origin_(grid.origin()),
          cell_size_(grid.cell_size()) {
        if (options.terrain.empty()) return;
        for (std::uint32_t kind = 1; kind < 256; ++kind)
            own_costs_[kind] = grid::terrain_cost(*state_, options.terrain, kind);
        costs_ = own_costs_;
        closes_ = true;
    }

    [[nodiscard]] DriveGround rows() const {
        const std::int32_t height = floors_ * (state_->height + kBetween) - kBetween;
        DriveGround out{.width = state_->width, .height = height, .read_free = read_free, .user = this};
        if (state_->rough_cells > 0 || costs_[1] > 1) out.read_costs = read_costs;
        if (roads_ != nullptr) out.read_roads = read_roads;
        return out;
    }

  private:
    // A row of a layer; that below the map: a row between floors.
    struct Row {
        std::int32_t layer;
        std::int32_t y;
    };
    [[nodiscard]] Row row_of(std::int32_t y) const {
        const std::int32_t rows = state_->height + kBetween;
        return {layer_ + y / rows, y % rows};
    }
    [[nodiscard]] bool is_between(const Row& at) const { return at.y == state_->height; }

    static void read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row) {
        const Ground& self = *static_cast<const Ground*>(user);
        const Row at = self.row_of(y);
        if (self.is_between(at)) return std::fill(row.begin(), row.end(), std::uint64_t{0});
        const grid::StateData& state = *self.state_;
        const std::uint64_t* line = state.row_lines(state.bodies[0], at.layer).line(at.y);
        std::memcpy(row.data(), line, row.size_bytes());
        if (self.closes_) self.close(at, row);
        self.close_blocked(at, row);
        if (self.cones_ == nullptr) return;
        const std::span<const std::uint64_t> cones = self.cones_->row(y);
        for (std::size_t w = 0; w < row.size(); ++w) row[w] &= ~cones[w];
    }

    static void read_roads(const void* user, std::int32_t y, std::span<std::uint8_t> row) {
        const std::span<const std::uint8_t> cells = static_cast<const Ground*>(user)->roads_->row(y);
        std::memcpy(row.data(), cells.data(), cells.size());
    }

    // Takes out the cells whose terrain the filter closes.
    void close(const Row& at, std::span<std::uint64_t> row) const {
        for (std::int32_t x = 0; x < state_->width; ++x) {
            if (costs_[terrain(x, at)] == 0)
                row[static_cast<std::size_t>(x >> 6)] &= ~(std::uint64_t{1} << (x & 63));
        }
    }

    // Takes out the cells of a row that the blockers reach into.
    void close_blocked(const Row& at, std::span<std::uint64_t> row) const {
        for (const Blocker& blocker : blockers_) {
            if (blocker.layer != at.layer) continue;
            bridge::TileBlocker(blocker, origin_, cell_size_).close(at.y, state_->width, row);
        }
    }

    static void read_costs(const void* user, std::int32_t y, std::span<std::uint16_t> row) {
        const Ground& self = *static_cast<const Ground*>(user);
        const Row at = self.row_of(y);
        if (self.is_between(at)) return std::fill(row.begin(), row.end(), std::uint16_t{1});
        for (std::int32_t x = 0; x < self.state_->width; ++x) {
            row[static_cast<std::size_t>(x)] = self.costs_[self.terrain(x, at)];
        }
    }

    [[nodiscard]] std::uint8_t terrain(std::int32_t x, const Row& at) const {
        const std::uint8_t* tiles = state_->tile_row(at.y, at.layer);
        return tiles == nullptr ? std::uint8_t{1} : tiles[x];
    }

    const grid::StateData* state_;
    std::int32_t layer_;  // the first
    std::int32_t floors_;
    const std::uint16_t* costs_;
    std::uint16_t own_costs_[256] = {};
    bool closes_ = false;
    const RoadLayer* roads_;
    const RoadCones* cones_;
    std::span<const Blocker> blockers_;
    Vec2 origin_;
    double cell_size_;
};

template <class Cells>
bool same_size(const Cells* cells, const GridState& grid) {
    return cells == nullptr || (cells->width() == grid.width() && cells->height() == grid.height());
}

Result<void> check(const GridState& grid, const GridDriveOptions& options) {
    if (const Result<void> good = grid::check_blockers(grid, options.blockers, Field::blockers); !good)
        return good;
    if (options.layer != kAllLayers && (options.layer < 0 || options.layer >= grid.layers())) {
        return Error{ErrorCode::out_of_range, Field::layer, options.layer};
    }
    if (grid.wrap_x() || grid.wrap_y()) return Error{ErrorCode::unsupported, -1, 0};
    const bool several = floors_of(grid, options) > 1;
    if (several && options.roads != nullptr) return Error{ErrorCode::unsupported, Field::roads};
    if (several && options.cones != nullptr) return Error{ErrorCode::unsupported, Field::cones};
    if (!same_size(options.roads, grid)) return Error{ErrorCode::size_mismatch, Field::roads, grid.width()};
    if (!same_size(options.cones, grid)) return Error{ErrorCode::size_mismatch, Field::cones, grid.width()};
    for (const double factor : {options.road_rules.off_road, options.road_rules.against}) {
        const bool good = factor == kRoadForbidden || (factor >= 1.0 && factor <= 1000.0);
        if (!good) return Error{ErrorCode::out_of_range, Field::road_rules};
    }
    return check_filter(options.terrain, KindSet::kKindsMax, Field::terrain);
}

}  // namespace

Result<DriveMap> make_drive_map(const GridState& grid, const DriveTable& table,
                                const GridDriveOptions& options) {
    if (const Result<void> good = check(grid, options); !good) return good.error();
    if (table.options().cell_size != grid.cell_size())
        return Error{ErrorCode::incompatible, Field::cell_size};
    const Ground ground(grid, options);
    Array<DriveLink> links(options.allocator);
    if (!list_links(grid, options, links)) return Error{ErrorCode::out_of_memory, -1, 0};
    return DriveMap::make(ground.rows(), table,
                          {.origin = grid.origin(),
                           .layer = takes_floors(options) ? 0 : options.layer,
                           .floors = {floors_of(grid, options), links.span()},
                           .revision = grid.revision(),
                           .roads = options.road_rules,
                           .allocator = options.allocator});
}

Result<void> update_drive_map(DriveMap& map, const GridState& grid, const GridDriveOptions& options) {
    if (const Result<void> good = check(grid, options); !good) return good;
    const Ground ground(grid, options);
    return map.update(ground.rows(), grid.revision());
}

namespace {

// A table and a map for it.
class PreparedMap {
  public:
    explicit PreparedMap(const Allocator& allocator)
        : allocator_(allocator), links_(allocator), fresh_links_(allocator) {}

    [[nodiscard]] Result<const DriveMap*> bring(const GridState& grid, const Agent& agent,
                                                const GridDriveSetup& setup, DriveNodes nodes) {
        const DriveTableOptions wanted{.agent = agent,
                                       .cell_size = grid.cell_size(),
                                       .headings = setup.headings,
                                       .rings = setup.rings,
                                       .stretch = setup.stretch,
                                       .nodes = nodes,
                                       .every_word = setup.every_word,
                                       .allocator = allocator_};
        if (const Result<void> good = check(grid, setup.map); !good) return good.error();
        if (!table_ || !same(table_->options(), wanted)) {
            map_.reset();
            Result<DriveTable> table = DriveTable::make(wanted);
            if (!table) return table.error();
            table_.emplace(std::move(*table));
        }
        if (!list_links(grid, setup.map, fresh_links_)) return Error{ErrorCode::out_of_memory, -1, 0};
        if (map_ && fits(grid, setup.map)) {
            const Ground ground(grid, setup.map);
            if (const Result<void> done = map_->update(ground.rows(), grid.revision()); !done)
                return done.error();
            return &*map_;
        }
        Result<DriveMap> map = make_drive_map(grid, *table_, setup.map);
        if (!map) return map.error();
        map_.emplace(std::move(*map));
        std::swap(links_, fresh_links_);
        return &*map_;
    }

  private:
    static bool same(const DriveTableOptions& a, const DriveTableOptions& b) {
        return a.agent == b.agent && a.cell_size == b.cell_size && a.headings == b.headings &&
               a.rings == b.rings && a.every_word == b.every_word && a.stretch == b.stretch &&
               a.nodes == b.nodes;
    }
    [[nodiscard]] bool fits(const GridState& grid, const GridDriveOptions& options) const {
        const Ground ground(grid, options);
        return map_->state().width() == grid.width() && map_->state().height() == ground.rows().height &&
               map_->state().options().origin == grid.origin() &&
               map_->state().floors() == floors_of(grid, options) &&
               map_->state().options().layer == (takes_floors(options) ? 0 : options.layer) &&
               std::equal(links_.begin(), links_.end(), fresh_links_.begin(), fresh_links_.end()) &&
               map_->state().has_roads() == (options.roads != nullptr) &&
               (!map_->state().has_roads() || map_->state().options().roads == options.road_rules);
    }

    Allocator allocator_;
    std::optional<DriveTable> table_;
    std::optional<DriveMap> map_;  // refers to the table
    Array<DriveLink> links_;       // the map's
    Array<DriveLink> fresh_links_;
};

// Those of the last query over a grid, kept in the Scratch.
struct PreparedMaps {
    explicit PreparedMaps(const Allocator& allocator) : first(allocator), fine(allocator) {}
    PreparedMap first;
    PreparedMap fine;
};

constexpr std::int64_t kSmallMap = 64 * 64;  // cells

constexpr double kRefinedRadiusMax =
    16.0;  // cells: a lattice's cells are half as large then, and 32 is the most

}  // namespace

bool may_refine(const GridState& grid, const Agent& agent, DriveNodes nodes) {
    return nodes != DriveNodes::halves && agent.turning_radius <= kRefinedRadiusMax * grid.cell_size();
}

DriveNodes drive_nodes_for(const GridState& grid, const Agent& agent, const GridDriveSetup& setup) {
    const std::int64_t cells = std::int64_t{grid.width()} * grid.height();
    const bool fine = setup.rings == 0 && setup.nodes == DriveNodes::fitting && cells <= kSmallMap &&
                      may_refine(grid, agent, setup.nodes);
    if (fine) return DriveNodes::halves;
    // Links lead from and to the middles of tiles.
    const bool links = takes_floors(setup.map) && !grid.portals().empty();
    return links && setup.nodes == DriveNodes::fitting ? DriveNodes::centres : setup.nodes;
}

Result<PathStatus> find_waypoints(const GridState& grid, Vec2 start, Vec2 goal, const Agent& agent,
                                  Scratch& scratch, Array<Vec2>& waypoints, Smoothing smoothing) {
    waypoints.clear();
    const GridQuery query{
        .start = start, .goal = goal, .agent = {.radius = inscribed_radius(agent)}, .smoothing = smoothing};
    const Result<Route> walk = find_route(grid, query, scratch);
    if (!walk) return walk.error();
    if (walk->status != PathStatus::complete) return walk->status;
    bool good = true;
    for (std::size_t i = 1; i < walk->legs.size(); ++i)
        good = good && waypoints.push_back(ground(walk->legs[i].start.position));
    if (!good || !waypoints.push_back(goal)) return Error{ErrorCode::out_of_memory, -1, 0};
    return walk->status;
}

Result<const DriveMap*> drive_map_in(Scratch& scratch, const GridState& grid, const Agent& agent,
                                     const GridDriveSetup& setup) {
    auto* prepared = scratch.get<PreparedMaps>();
    if (prepared == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    return prepared->first.bring(grid, agent, setup, drive_nodes_for(grid, agent, setup));
}

namespace {

// Of the route that the scratch's last search gave, with `partial` perhaps to the nearest place.
bool lattice_has_no_way(const Route& route, Scratch& scratch) {
    if (route.status != PathStatus::partial) return route.status == PathStatus::unreachable;
    const auto* run = scratch.get<drive::DriveRun>();
    return run != nullptr && run->is_cut_off();
}

}  // namespace

template <std::same_as<DriveQuery> Query>
Result<void> find_route_into(const GridState& grid, const Query& query, Scratch& scratch, Route& route,
                             const GridDriveSetup& setup, const SearchHooks& hooks) {
    route.clear();
    if (scratch.in_use()) return kScratchInUse;
    Result<const DriveMap*> map = drive_map_in(scratch, grid, query.agent, setup);
    if (!map) return map.error();
    DriveQuery last = query;
    const bool chosen = setup.rings == 0;
    if (last.off_lattice_max == 0 && chosen) last.off_lattice_max = setup.off_lattice_max;
    const bool again =
        setup.refine && chosen && may_refine(grid, query.agent, (*map)->state().table().nodes());
    const Result<void> done = find_route_into(**map, again ? query : last, scratch, route, hooks);
    if (!done || !again || !lattice_has_no_way(route, scratch)) return done;
    map = scratch.get<PreparedMaps>()->fine.bring(grid, query.agent, setup, DriveNodes::halves);
    if (!map) {
        route.clear();
        return map.error();
    }
    return find_route_into(**map, last, scratch, route, hooks);
}

template <std::same_as<DriveQuery> Query>
Result<Route> find_route(const GridState& grid, const Query& query, Scratch& scratch,
                         const GridDriveSetup& setup, const SearchHooks& hooks) {
    return new_route(
        scratch, [&](Route& route) { return find_route_into(grid, query, scratch, route, setup, hooks); });
}

template Result<Route> find_route(const GridState&, const DriveQuery&, Scratch&, const GridDriveSetup&,
                                  const SearchHooks&);
template Result<void> find_route_into(const GridState&, const DriveQuery&, Scratch&, Route&,
                                      const GridDriveSetup&, const SearchHooks&);

}  // namespace fairlead
