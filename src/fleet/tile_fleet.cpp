// Tiles behind a fleet: walkers are asked for with GridSearch, vehicles with DriveSearch over a map of their own kind.
#include <fairlead/fleet/tile_fleet.h>

#include <optional>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/repair.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/flow_field.h>
#include <fairlead/grid/repair.h>

#include "fleet/port_data.h"
#include "fleet/tile_window.h"

namespace fairlead {

namespace fleet {

struct TileKind {
    explicit TileKind(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
    std::optional<DriveTable> table{};
    std::optional<DriveMap> map{};
    std::optional<WorldId<DriveMapSnapshot>> world{};
    FixedAngles drawn{};
};

/// A flow field (grid/flow_field.h), and what fills it.
class TileField {
  public:
    explicit TileField(const Allocator& allocator) : allocator_(allocator), fill_(allocator) {}

    [[nodiscard]] Result<void> begin(PortData<Grid>& port, const FleetAsk& ask);
    std::uint64_t step(std::uint64_t units) {
        const std::uint64_t used = fill_.step(units);
        if (!fill_.running()) taken_ = fill_.take(field_).has_value();
        return used;
    }
    [[nodiscard]] bool running() const { return fill_.running(); }
    [[nodiscard]] Result<void> route(const Place& from, Route& out) const {
        out.clear();
        if (!taken_) return Error{ErrorCode::out_of_memory};
        return field_.route(ground(from.position), out);
    }
    void drop() {
        fill_ = FlowFill(allocator_);
        field_ = FlowField();
        taken_ = false;
    }

  private:
    Allocator allocator_;
    FlowFill fill_;
    FlowField field_;
    bool taken_ = false;
};

template <>
struct Own<Grid> : OnGround, NoBegin {
    using SharedField = TileField;
    static constexpr bool kHasFields = true;
    using Snapshot = GridSnapshot;
    using View = TileCrowd;
    using Kind = TileKind;
    static constexpr bool kHasPlaces = true;
    static constexpr bool kHasPlans = true;
    static constexpr bool kHasLattice = true;
    static constexpr bool kHasDraw = true;
    static constexpr bool kExactEnds = false;
    using Window = TileWindow;

    static double point_radius(const GridState& grid) { return 1e-3 * grid.cell_size(); }
    /// The middles of tiles.
    static WalkLattice lattice(const PortData<Grid>& port, const TileKind& kind) {
        const GridState& grid = *port.now;
        const Agent& agent = kind.unit.agent;
        const bool plain = agent.shape == BodyShape::disc && agent.footprint == 0;
        if (!plain || grid.wrap_x() || grid.wrap_y()) return {};
        return {grid.cell_centre({0, 0}), grid.cell_size()};
    }
    static Result<void> prepare(PortData<Grid>& port, TileKind& kind);
    static Result<RequestId> ask(PortData<Grid>& port, TileKind& kind, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options);
    static bool legal(PortData<Grid>& port, const TileKind& kind, Route& route, const FleetAsk& ask);
    /// In a knot a vehicle turns as it drives: not with facings.
    static const DriveTable* moves(const TileKind& kind) {
        return kind.table && kind.unit.facings == 0 ? &*kind.table : nullptr;
    }
    static Result<bool> draw(TileKind& kind, Route& route);
    static Result<DriveMap> map(PortData<Grid>& port, const TileKind& kind, const TileWindow& window,
                                std::span<const Blocker> walls) {
        return window.map(*port.now, *kind.table, walls);
    }
    static Result<void> published(PortData<Grid>& port, Scheduler& scheduler);
    static std::uint32_t field_pays_from(const PortData<Grid>& port, const FleetAsk& ask);
};

namespace {

// Measured (docs/performance.md, suites flow and crowd): filling a field costs as much as so many searches of automatic planners. It hardly
// depends on the map: both grow with it.
constexpr std::uint32_t kFieldFrom = 600;
constexpr std::uint32_t kFieldFromWide = 1200;  // wider than a tile: half tiles

}  // namespace

Result<void> TileField::begin(PortData<Grid>& port, const FleetAsk& ask) {
    FlowQuery query;
    query.goal = ask.goal.any_heading();
    query.agent = ask.unit->agent;
    const Result<void> begun = fill_.begin(port.now, query);
    // a goal that nothing leads to is known at once
    if (begun && !fill_.running()) taken_ = fill_.take(field_).has_value();
    return begun;
}

std::uint32_t Own<Grid>::field_pays_from(const PortData<Grid>& port, const FleetAsk& ask) {
    const GridState& grid = *port.now;
    const Agent& agent = ask.unit->agent;
    const bool plain = agent.turning_radius == 0.0 && agent.shape == BodyShape::disc && agent.footprint == 0;
    if (!plain || ask.goal.kind != Spot::Kind::position || ask.goal.layer != ask.from.layer) return 0;
    if (!grid.portals().empty() || grid.wrap_x() || grid.wrap_y()) return 0;
    return agent.radius <= 0.5 * grid.cell_size() ? kFieldFrom : kFieldFromWide;
}

Result<void> Own<Grid>::prepare(PortData<Grid>& port, TileKind& kind) {
    if (kind.unit.agent.turning_radius == 0.0) return {};
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

Result<RequestId> Own<Grid>::ask(PortData<Grid>& port, TileKind& kind, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options) {
    Spot start(ask.from);
    start.has_heading = ask.has_heading;
    if (!kind.map) {
        GridQuery query;
        query.start = start;
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        query.blockers = Borrowed<Blocker>(ask.around.data(), ask.around.size());
        return scheduler.submit<GridSearch>(*port.id, query, options);
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
    query.blockers = Borrowed<Blocker>(ask.around.data(), ask.around.size());
    return scheduler.submit<DriveSearch>(*kind.world, query, options);
}

Result<bool> Own<Grid>::draw(TileKind& kind, Route& route) {
    const FixedAnglesOptions options{.facings = kind.unit.facings};
    const Result<void> made = make_fixed_angles_into(route, kind.map->state(), options, kind.drawn);
    if (!made) return made.error();
    if (kind.drawn.status != FixedAnglesStatus::styled) return false;
    std::swap(route, kind.drawn.route);
    return true;
}

bool Own<Grid>::legal(PortData<Grid>& port, const TileKind& kind, Route& route, const FleetAsk& ask) {
    if (kind.map) {
        const Result<Revalidation> still = revalidate(kind.map->state(), route, DriveQuery{}, port.scratch);
        return still && still->legal;
    }
    GridQuery query;
    query.agent = ask.unit->agent;
    const Result<Revalidation> still = revalidate(*port.now, route, query, port.scratch);
    return still && still->legal;
}

Result<void> Own<Grid>::published(PortData<Grid>& port, Scheduler& scheduler) {
    for (std::size_t i = 0; i < port.kinds.size(); ++i) {
        TileKind& kind = port.kinds[i];
        if (!kind.map) continue;
        if (const Result<void> made = update_drive_map(*kind.map, *port.now); !made) return made;
        if (!kind.world) continue;
        if (const Result<void> told = scheduler.publish(*kind.world, kind.map->acquire()); !told) return told;
    }
    return {};
}

}  // namespace fleet

template class WorldFleet<Grid>;

}  // namespace fairlead
