// Routes over tiles after edits: legs are looked at by leg_test.h, those that are illegal are found anew (route/mend.h). What is this
// world's own: seams of the map, corners between two walls, claims of clearance.
#include <fairlead/grid/repair.h>

#include <cmath>

#include <fairlead/grid/find_route.h>

#include "grid/body.h"
#include "grid/leg_test.h"
#include "grid/stand.h"
#include "route/check_filter.h"
#include "route/mend.h"

namespace fairlead {

namespace {

using grid::LegTest;

Result<void> check_unit(const GridQuery& query) {
    if (const Result<void> good = grid::check_agent(query.agent); !good) return good.error();
    return check_filter(query.terrain, KindSet::kKindsMax, Field::terrain);
}

Revalidation test_legs(const GridState& grid, const Route& route, const GridQuery& query,
                       const CellRect* changed) {
    const LegTest test(grid, query);
    Revalidation result;
    if (route.legs.empty()) {
        const bool asked = !leads_nowhere(route) && (changed == nullptr || test.near(route.end, *changed));
        result.legal = !asked || test.stands(route.end);
        return result;
    }
    bool looked = false;  // at the leg before this one
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Place& end = leg_end(route, i);
        const Vec2 a = test.cells(leg.start.position);
        const Vec2 b = test.cells(end.position);
        const bool before = looked;
        looked = changed == nullptr || test.near(leg, a, b, *changed);
        if (i > 0 && (before || looked) && test.squeezes(route.legs.span(), route.end, i))
            note_bad(result, i - 1, i);
        if (looked && !test.legal(leg, a, b, end)) note_bad(result, i, i);
    }
    return result;
}

// Claims of clearance that an edit may have made too large are made anew; only straight legs have them.
void renew_claims(const GridState& grid, const GridQuery& query, const CellRect* changed, Route& route) {
    const LegTest test(grid, query);
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        Leg& leg = route.legs[i];
        if (leg.clearance == kUnknown) continue;
        const Vec2 a = test.cells(leg.start.position);
        const Vec2 b = test.cells(leg_end(route, i).position);
        if (changed != nullptr && !test.near(leg, a, b, *changed, grid::kClaimReach)) continue;
        const bool straight = leg.kind == LegKind::drive && leg.curvature == 0.0;
        leg.clearance = straight ? test.clearance(a, b, leg.start.layer) : kUnknown;
    }
}

// Brings a place on wrapped axes back onto the map.
Place on_map(const GridState& grid, Place place) {
    const double w = grid.width() * grid.cell_size();
    const double h = grid.height() * grid.cell_size();
    if (grid.wrap_x()) place.position.x -= w * std::floor((place.position.x - grid.origin().x) / w);
    if (grid.wrap_y()) place.position.y -= h * std::floor((place.position.y - grid.origin().y) / h);
    return place;
}

// The whole laps between two images of one place; zero without seams.
Vec2 laps(const GridState& grid, Vec2 from, Vec2 to) {
    const double w = grid.width() * grid.cell_size();
    const double h = grid.height() * grid.cell_size();
    return {grid.wrap_x() ? w * std::floor((to.x - from.x) / w + 0.5) : 0.0,
            grid.wrap_y() ? h * std::floor((to.y - from.y) / h + 0.5) : 0.0};
}

bool append_shifted(Array<Leg>& legs, std::span<const Leg> more, Vec2 shift) {
    for (Leg leg : more) {
        leg.start.position.x += shift.x;
        leg.start.position.y += shift.y;
        if (!legs.push_back(leg)) return false;
    }
    return true;
}

class GridMender {
  public:
    GridMender(const GridState& grid, const GridQuery& query, Scratch& scratch)
        : grid_(grid), query_(query), scratch_(scratch), test_(grid, query) {}

    void fit(MendGap&) const {}
    [[nodiscard]] bool ends_anywhere(const MendGap&, const Route&) const { return false; }
    [[nodiscard]] std::uint64_t revision() const { return grid_.revision(); }

    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        GridQuery between = query_;
        between.start = on_map(grid_, gap.start_in(route));
        between.goal = on_map(grid_, gap.end_in(route));
        between.partial = false;
        between.reach = 0.0;  // the legs around it begin and end where they do
        return find_route_into(grid_, between, scratch_, piece);
    }

    // The piece starts on the map; the route around it may be laps away.
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work,
                                      Place& end) const {
        const Place& from = gap.start_in(route);
        const Vec2 ahead = laps(grid_, ground(on_map(grid_, from).position), ground(from.position));
        const Vec2 behind =
            ahead + laps(grid_, ground(gap.end_in(route).position), ground(work.piece.end.position));
        work.legs.clear();
        if (!append_shifted(work.legs, gap.before(route), {}) ||
            !append_shifted(work.legs, work.piece.legs.span(), ahead) ||
            !append_shifted(work.legs, gap.after(route), behind)) {
            return kNoMemory;
        }
        end = gap.to_end() ? work.piece.end : route.end;
        const Vec2 shift = gap.to_end() ? ahead : behind;
        end.position.x += shift.x;
        end.position.y += shift.y;
        return seam_holds(gap.first, work, end) && seam_holds(gap.first + work.piece.legs.size(), work, end);
    }

    [[nodiscard]] bool has_other_ends() const { return query_.partial || query_.reach > 0.0; }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        GridQuery anew = query_;
        anew.start = on_map(grid_, route.legs.empty() ? route.end : route.legs[0].start);
        return find_route_into(grid_, anew, scratch_, piece);
    }

    // The integral of the terrain's cost.
    [[nodiscard]] double measure(const Route& route, const Route*) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const Leg& leg = route.legs[i];
            if (leg.kind == LegKind::link) {
                sum += grid_.portals()[leg.link_id].cost * grid_.cell_size();
                continue;
            }
            grid::SightWorld world = test_.world(leg.start.layer);
            if (world.costs == nullptr && !grid_.uniform()) world.costs = test_.state().costs;
            world.influence = query_.influence.cells;
            world.influence_weight = query_.influence.weight;
            const Vec2 a = test_.cells(leg.start.position);
            const Vec2 b = test_.cells(leg_end(route, i).position);
            sum += grid::Sight(world).cost(a, b) * grid_.cell_size();
        }
        return sum;
    }

  private:
    // Does a point get from the route to the piece and back without squeezing between two walls?
    [[nodiscard]] bool seam_holds(std::size_t i, const MendWork& work, const Place& end) const {
        return i == 0 || i >= work.legs.size() || !test_.squeezes(work.legs.span(), end, i);
    }

    const GridState& grid_;
    const GridQuery& query_;
    Scratch& scratch_;
    LegTest test_;
};

void settle(const GridState& grid, const GridQuery& query, const CellRect* changed, Route& route) {
    renew_claims(grid, query, changed, route);
    route.revision = grid.revision();
}

}  // namespace

Result<Revalidation> revalidate(const GridState& grid, Route& route, const GridQuery& query, Scratch&,
                                const CellRect* changed) {
    if (const Result<void> good = check_unit(query); !good) return good.error();
    const Revalidation result = test_legs(grid, route, query, changed);
    if (result.legal) settle(grid, query, changed, route);
    return result;
}

Result<void> repair(const GridState& grid, Route& route, const GridQuery& query, Scratch& scratch) {
    if (const Result<void> good = check_unit(query); !good) return good.error();
    auto* work = scratch.get<MendWork>();
    if (work == nullptr) return kNoMemory;
    const Revalidation found = test_legs(grid, route, query, nullptr);
    if (!found.legal) {
        GridMender mender(grid, query, scratch);
        if (const Result<void> done = mend(mender, found, *work, route); !done) return done;
    }
    settle(grid, query, nullptr, route);
    return {};
}

}  // namespace fairlead
