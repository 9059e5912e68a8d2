// Tiles behind a fleet: walkers are asked for with GridSearch, vehicles with DriveSearch over a map of their own kind.
#include <fairlead/fleet/tile_fleet.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/drive/revalidate.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>

#include "bridge/tile_blocker.h"
#include "fleet/kind_list.h"

namespace fairlead {

namespace fleet {

struct TileKind {
    explicit TileKind(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
    std::optional<DriveTable> table{};
    std::optional<DriveMap> map{};
    std::optional<WorldId<DriveMapSnapshot>> world{};
    // the same with vehicles that stand as walls
    std::optional<DriveMap> around{};
    std::optional<WorldId<DriveMapSnapshot>> around_world{};
};

struct TilePortData {
    TilePortData(const Grid& given, const Allocator& allocator)
        : grid(&given), kinds(allocator), finder(allocator) {}

    const Grid* grid;
    GridSnapshot now{};
    std::optional<WorldId<GridSnapshot>> world{};
    std::optional<TileCrowd> crowd{};
    KindList<TileKind> kinds;
    PlaceFinder finder;
    NarrowPlaces places{};
    Scheduler* scheduler = nullptr;
};

namespace {

constexpr double kLanesWidth = 8.2;  // radii: what is wider than that has no order

TilePortData& tiles(void* user) { return *static_cast<TilePortData*>(user); }

Result<void> prepare_vehicle(TilePortData& port, TileKind& kind) {
    DriveTableOptions options;
    options.agent = kind.unit.agent;
    options.cell_size = port.now->cell_size();
    options.headings = 8;
    options.stretch = 1.05;
    Result<DriveTable> table = DriveTable::make(options);
    if (!table) return table.error();
    kind.table.emplace(std::move(*table));
    Result<DriveMap> map = make_drive_map(*port.now, *kind.table);
    if (!map) return map.error();
    kind.map.emplace(std::move(*map));
    return {};
}

Result<void> tile_add_kind(const FleetUnit& unit, FleetKind, void* user) {
    TilePortData& port = tiles(user);
    TileKind* kind = port.kinds.add(unit);
    if (kind == nullptr) return Error{ErrorCode::out_of_memory};
    if (unit.agent.turning_radius == 0.0) return {};
    const Result<void> prepared = prepare_vehicle(port, *kind);
    if (!prepared) port.kinds.drop_last();
    return prepared;
}

/// The map of a kind with standing vehicles as walls, as they are now.
Result<WorldId<DriveMapSnapshot>> world_around(TilePortData& port, TileKind& kind, Scheduler& scheduler,
                                               std::span<const Blocker> around) {
    GridDriveOptions options;
    options.blockers = Borrowed<Blocker>(around.data(), around.size());
    if (!kind.around) {
        Result<DriveMap> made = make_drive_map(*port.now, *kind.table, options);
        if (!made) return made.error();
        kind.around.emplace(std::move(*made));
    } else if (const Result<void> made = update_drive_map(*kind.around, *port.now, options); !made) {
        return made.error();
    }
    if (kind.around_world) {
        const Result<void> told = scheduler.publish(*kind.around_world, kind.around->acquire());
        if (!told) return told.error();
    } else {
        const auto added = scheduler.add_world(*kind.around);
        if (!added) return added.error();
        kind.around_world = *added;
    }
    return *kind.around_world;
}

Result<RequestId> tile_ask(Scheduler& scheduler, const FleetAsk& ask, const RequestOptions& options,
                           void* user) {
    TilePortData& port = tiles(user);
    TileKind& kind = port.kinds[ask.kind.value];
    Spot start(ask.from);
    start.has_heading = ask.has_heading;
    if (!kind.map) {
        GridQuery query;
        query.start = start;
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        return scheduler.submit<GridSearch>(*port.world, query, options);
    }
    if (!kind.world) {
        const auto added = scheduler.add_world(*kind.map);
        if (!added) return added.error();
        kind.world = *added;
    }
    DriveQuery query;
    query.start = start;
    query.goal = ask.goal;
    query.reverse_penalty = ask.unit->reverse_penalty;
    query.cusp_penalty = ask.unit->cusp_penalty;
    if (ask.around.empty()) return scheduler.submit<DriveSearch>(*kind.world, query, options);
    const auto world = world_around(port, kind, scheduler, ask.around);
    if (!world) return world.error();
    return scheduler.submit<DriveSearch>(*world, query, options);
}

bool tile_legal(Route& route, const FleetAsk& ask, void* user) {
    TilePortData& port = tiles(user);
    const TileKind& kind = port.kinds[ask.kind.value];
    if (kind.map) {
        const Result<Revalidation> still = revalidate(kind.map->state(), route);
        return still && still->legal;
    }
    GridQuery query;
    query.agent = ask.unit->agent;
    const Result<Revalidation> still = revalidate(*port.now, route, query);
    return still && still->legal;
}

CrowdWorld tile_crowd(void* user) { return tiles(user).crowd->world(); }

const NarrowPlaces* tile_places(double radius, void* user) {
    TilePortData& port = tiles(user);
    // passages are one tile wide at least: four small units pass each other in the narrowest one
    if (!(kLanesWidth * radius > port.now->cell_size())) return nullptr;
    WallsOptions options;
    options.radius = radius;
    for (const double detail : {5.0, 3.0, 2.0}) {  // large maps of small tiles need too many cells
        options.detail = detail;
        const TileWalls walls(*port.now, options);
        Result<NarrowPlaces> found = port.finder.find(walls.options(), walls.rows());
        if (!found) continue;
        port.places = std::move(*found);
        return &port.places;
    }
    return nullptr;
}

Result<void> tile_publish(Scheduler& scheduler, void* user) {
    TilePortData& port = tiles(user);
    port.now = port.grid->acquire();
    port.crowd.emplace(*port.now);
    if (!port.world) {
        const auto added = scheduler.add_world(port.now);
        if (!added) return added.error();
        port.world = *added;
    } else if (const Result<void> told = scheduler.publish(*port.world, port.now); !told) {
        return told;
    }
    for (std::size_t i = 0; i < port.kinds.size(); ++i) {
        TileKind& kind = port.kinds[i];
        if (!kind.map) continue;
        if (const Result<void> made = update_drive_map(*kind.map, *port.now); !made) return made;
        if (!kind.world) continue;
        if (const Result<void> told = scheduler.publish(*kind.world, kind.map->acquire()); !told) return told;
    }
    return {};
}

const DriveTable* tile_moves(FleetKind kind, void* user) {
    const TileKind& known = tiles(user).kinds[kind.value];
    return known.table ? &*known.table : nullptr;
}

/// Whole tiles inside a window, as drive sees them.
struct TileWindow {
    const GridState* grid;
    std::span<const Blocker> walls;
    Cell low{};
    std::int32_t width = 0;
    std::int32_t height = 0;
    Vec2 origin{};

    static void read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row) {
        const TileWindow& self = *static_cast<const TileWindow*>(user);
        std::fill(row.begin(), row.end(), std::uint64_t{0});
        for (std::int32_t x = 0; x < self.width; ++x) {
            const bool free = !self.grid->blocked({self.low.x + x, self.low.y + y, self.low.layer});
            if (free) row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
        }
        for (const Blocker& wall : self.walls) {
            const bridge::TileBlocker closed(wall, self.origin, self.grid->cell_size());
            const bridge::TileBlocker::Run run = closed.run(y, self.width);
            for (std::int32_t x = run.first; x < run.end; ++x)
                row[static_cast<std::size_t>(x >> 6)] &= ~(std::uint64_t{1} << (x & 63));
        }
    }
};

std::int32_t whole_tiles(double v, std::int32_t most) {
    if (!(v > 0.0)) return 0;
    return v < most ? static_cast<std::int32_t>(v) : most;
}

Result<DriveMap> tile_window(FleetKind kind, const FleetWindow& window, void* user) {
    TilePortData& port = tiles(user);
    const GridState& grid = *port.now;
    const double size = grid.cell_size();
    const Vec2 low = (window.area.low - grid.origin()) * (1.0 / size);
    const Vec2 high = (window.area.high - grid.origin()) * (1.0 / size);
    TileWindow tile{&grid, window.walls};
    tile.low = {whole_tiles(std::ceil(low.x), grid.width()), whole_tiles(std::ceil(low.y), grid.height()),
                window.layer};
    tile.width = whole_tiles(high.x, grid.width()) - tile.low.x;
    tile.height = whole_tiles(high.y, grid.height()) - tile.low.y;
    if (tile.width <= 0 || tile.height <= 0) return Error{ErrorCode::size_zero};
    tile.origin = grid.origin() + Vec2{tile.low.x * size, tile.low.y * size};
    DriveMapOptions options;
    options.origin = tile.origin;
    options.layer = window.layer;
    options.revision = grid.revision();
    const DriveGround rows{tile.width, tile.height, TileWindow::read_free, nullptr, &tile};
    return DriveMap::make(rows, *port.kinds[kind.value].table, options);
}

}  // namespace

}  // namespace fleet

TileFleet::TileFleet(const Grid& grid, const Allocator& allocator) : allocator_(allocator) {
    void* memory =
        allocator_.allocate(sizeof(fleet::TilePortData), alignof(fleet::TilePortData), allocator_.user);
    if (memory != nullptr) data_ = ::new (memory) fleet::TilePortData(grid, allocator_);
}

TileFleet::~TileFleet() {
    if (data_ == nullptr) return;
    data_->~TilePortData();
    allocator_.release(data_, sizeof(fleet::TilePortData), alignof(fleet::TilePortData), allocator_.user);
}

FleetPort TileFleet::port() const {
    if (data_ == nullptr) return {};
    return {fleet::tile_add_kind,
            fleet::tile_ask,
            fleet::tile_legal,
            fleet::tile_crowd,
            fleet::tile_places,
            fleet::tile_publish,
            fleet::tile_moves,
            fleet::tile_window,
            1e-3 * data_->grid->state().cell_size(),
            data_};
}

}  // namespace fairlead
