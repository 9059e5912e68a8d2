// The place itself, or a walk in rings around it (free_place.h); where places must be connected, the index of the unit's size says which
// ones are, or else a search.
#include <fairlead/grid/nearest_free.h>

#include <algorithm>
#include <cmath>

#include <fairlead/grid/find_route.h>

#include "base/no_memory.h"
#include "grid/check_query.h"
#include "grid/connectivity.h"
#include "grid/half_search.h"
#include "grid/image.h"
#include "grid/settle.h"
#include "grid/stand.h"
#include "grid/work.h"
#include "search/run_search.h"

namespace fairlead {

namespace {

using grid::Attached;
using grid::CellQuery;
using grid::FreePlace;
using grid::HalfCode;
using grid::HalfPoint;
using grid::StateData;

struct NearestFreeWork {
    explicit NearestFreeWork(const Allocator& a) : grid(a), names(a) { route.legs = Array<Leg>(a); }

    grid::GridWork grid;
    Array<std::uint64_t> names;  ///< of the components that hold the place to be connected to
    Route route;
};

GridQuery grid_query(const NearestFreeQuery& query) {
    GridQuery out{.start = query.connected ? query.from : query.place,
                  .agent = query.agent,
                  .smoothing = Smoothing::none,
                  .corner = query.corner,
                  .terrain = query.terrain,
                  .blockers = query.blockers};
    out.goal = query.connected ? Goal(query.place) : Goal::within(query.place, 0.0);
    return out;
}

class Look {
  public:
    Look(const GridState& world, const NearestFreeQuery& query, NearestFreeWork& work)
        : world_(world), ask_(query), work_(work), cells_(work.grid.query.cells), query_(grid_query(query)) {}

    [[nodiscard]] Result<NearestFree> run(Scratch& scratch) {
        if (std::isnan(ask_.reach)) return Error{ErrorCode::not_finite, Field::reach};
        if (ask_.reach < 0.0)
            return Error{ErrorCode::out_of_range, Field::reach, grid::truncated(ask_.reach)};
        if (const Result<void> done = grid::prepare_query(world_, query_, work_.grid.query); !done)
            return done.error();
        near_ = in_cells(ask_.place, data());
        cells_.goal.layer = ask_.place.layer;
        if (!ask_.connected) return free_place(nullptr);
        if (index_knows()) return connected_cell();
        if (half_index_may_know()) {
            query_ = grid_query(ask_);
            work_.grid.query.goal_moved = false;
            if (!prepare_half(work_.grid, query_)) return kNoMemory;
            return connected_half();
        }
        return search(scratch);
    }

  private:
    [[nodiscard]] const StateData& data() const { return world_.data(); }

    // May the unit be at a place, by cells or by half tiles?
    [[nodiscard]] bool may_be_at(Vec2 place, Attached& at) const {
        at = grid::attach(cells_, place, ask_.place.layer, PathStatus::goal_blocked);
        if (at.status == PathStatus::complete) return true;
        const bool half = at.status != PathStatus::off_world && cells_.half;
        return half && can_sweep(cells_.sight(ask_.place.layer), place, place);
    }

    [[nodiscard]] NearestFree itself() const {
        const bool cell = ask_.place.kind == Spot::Kind::cell;
        const Vec2 at = cell ? data().origin + near_ * data().cell_size : ground(ask_.place.position);
        return {true, at, ask_.place.layer, 0.0};
    }

    [[nodiscard]] NearestFree walk(grid::AcceptPlace accept) {
        FreePlace walk;
        walk.begin(cells_, near_, ask_.place.layer, ask_.reach / data().cell_size, accept, this);
        if (walk.run() != FreePlace::Progress::found) return {};
        const Vec2 world = data().origin + walk.place() * data().cell_size;
        return {true, world, ask_.place.layer, std::sqrt(walk.square()) * data().cell_size};
    }

    [[nodiscard]] NearestFree free_place(grid::AcceptPlace accept) {
        Attached at;
        return may_be_at(near_, at) ? itself() : walk(accept);
    }

    // ---- connected, by the index of cells ----------------------------------------------------------------------

    // As the search reaches it, so the index joins it; and cells are all there is for this unit.
    [[nodiscard]] bool index_knows() const {
        return !cells_.half && grid::reaches_as_index(cells_) &&
               grid::connectivity_body(data(), cells_.key) != nullptr;
    }

    [[nodiscard]] std::uint64_t name(const Cell& c) const {
        return component_of(data(), *grid::connectivity_body(data(), cells_.key), c.x, c.y, c.layer);
    }

    [[nodiscard]] bool joined(std::uint64_t name) const {
        return std::find(work_.names.begin(), work_.names.end(), name) != work_.names.end();
    }

    [[nodiscard]] static bool accept_cell(void* user, Vec2 place, std::int32_t layer) {
        const Look& look = *static_cast<const Look*>(user);
        const Cell cell{static_cast<std::int32_t>(place.x), static_cast<std::int32_t>(place.y), layer};
        return look.joined(look.name(cell));
    }

    [[nodiscard]] Result<NearestFree> connected_cell() {
        const PathStatus status = work_.grid.query.status;
        if (status == PathStatus::start_blocked || !starts_on_map()) return NearestFree{};
        work_.names.clear();
        for (const std::uint32_t start : cells_.starts()) {
            if (!work_.names.push_back(name(cells_.code.cell(start)))) return kNoMemory;
        }
        Attached at;
        if (may_be_at(near_, at) && (joined(name(at.cell)) || (at.two && joined(name(at.other)))))
            return itself();
        return walk(accept_cell);
    }

    // off_world is said of a start and of a goal.
    [[nodiscard]] bool starts_on_map() const {
        const Attached at =
            grid::attach(cells_, cells_.start_point, ask_.from.layer, PathStatus::start_blocked);
        return at.status != PathStatus::off_world;
    }

    // ---- by the index of half tiles ----------------------------------------------------------------------------

    [[nodiscard]] const grid::Body* half_body() const {
        return data().find_half(grid::HalfDisc::of(cells_.radius).square);
    }

    [[nodiscard]] bool half_index_may_know() const {
        const bool two_way = data().portal_count == 0 || data().portal_tables->two_way;
        return cells_.half && half_body() != nullptr && ask_.blockers.empty() && !cells_.filtered &&
               two_way && starts_on_map() && ask_.place.layer >= 0 && ask_.place.layer < world_.layers();
    }

    [[nodiscard]] std::uint64_t half_name(HalfPoint p, std::int32_t layer) const {
        return component_of(data(), *half_body(), p.i, p.j, layer);
    }

    [[nodiscard]] static bool accept_half(void* user, Vec2 place, std::int32_t layer) {
        const Look& look = *static_cast<const Look*>(user);
        const HalfPoint p{static_cast<std::int32_t>(2.0 * place.x), static_cast<std::int32_t>(2.0 * place.y)};
        const bool fits = look.data().half_row_lines(*look.half_body(), layer).get(p.i, p.j);
        return fits && look.joined(look.half_name(p, layer));
    }

    [[nodiscard]] Result<NearestFree> connected_half() {
        grid::GridWork& work = work_.grid;
        if (work.status == PathStatus::start_blocked) return NearestFree{};
        if (work.status == PathStatus::complete)
            return itself();  // the index joins it, or a way leads straight there
        if (!begin_half_starts()) return kNoMemory;
        const HalfCode code = HalfCode::of(data());
        work_.names.clear();
        for (const grid::HalfStart& start : work.half_starts) {
            if (start.state >= work.half.places_at()) continue;
            const std::uint64_t name = half_name(code.point(start.state), code.layer(start.state));
            if (!joined(name) && !work_.names.push_back(name)) return kNoMemory;
        }
        return walk(accept_half);
    }

    // All points that the place to be connected to is joined to: those of a way from it to itself.
    [[nodiscard]] bool begin_half_starts() {
        query_.goal = Goal(ask_.from);
        return prepare_half(work_.grid, query_);
    }

    // ---- by a search -------------------------------------------------------------------------------------------

    [[nodiscard]] Result<NearestFree> search(Scratch& scratch) {
        query_ = grid_query(ask_);
        query_.partial = true;
        if (const Result<void> done = find_route_into(world_, query_, scratch, work_.route); !done)
            return done.error();
        if (work_.route.status == PathStatus::complete) return itself();
        if (work_.route.status != PathStatus::partial) return NearestFree{};
        // A route over a seam ends in the lap that it came to.
        const Vec2 end = (ground(work_.route.end.position) - data().origin) * (1.0 / data().cell_size);
        const Vec2 place = first_image(data(), end);
        const Vec2 gap = nearest_image(data(), near_, place) - near_;
        const double distance = length(gap) * data().cell_size;
        if (distance > ask_.reach || work_.route.end.layer != ask_.place.layer) return NearestFree{};
        const Vec2 on_map =
            place == end ? ground(work_.route.end.position) : data().origin + place * data().cell_size;
        return NearestFree{true, on_map, ask_.place.layer, distance};
    }

    const GridState& world_;
    const NearestFreeQuery& ask_;
    NearestFreeWork& work_;
    CellQuery& cells_;
    GridQuery query_;
    Vec2 near_{};
};

}  // namespace

Result<NearestFree> nearest_free(const GridState& grid, const NearestFreeQuery& query, Scratch& scratch) {
    if (scratch.in_use()) return kScratchInUse;
    auto* work = scratch.get<NearestFreeWork>();
    if (work == nullptr) return kNoMemory;
    return Look(grid, query, *work).run(scratch);
}

}  // namespace fairlead
