// Why a turning unit has no route.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include <fairlead/drive/drive_table.h>

#include "bridge/tile_blocker.h"
#include "drive/body/curve_check.h"
#include "drive/lattice/lattice_query.h"
#include "drive/lattice/prepare_ends.h"
#include "drive/map/blocker_sweep.h"
#include "explain/tile_inquiry.h"
#include "explain/touched_tile.h"
#include "explain/turning_helps.h"

namespace fairlead {

namespace {

using namespace explaining;

constexpr double kLeastRadius = 0.25;  // cells: the least that a table takes

class DriveExplainer {
  public:
    DriveExplainer(TileInquiry& inquiry, const DriveQuery& query, const GridDriveSetup& setup,
                   const ExplainOptions& options)
        : in_(inquiry),
          grid_(inquiry.world),
          query_(query),
          setup_(setup),
          options_(options),
          out_(inquiry.out) {}

    // All further queries stay on the lattice; whether there is a way off it is asked once. False: an error, in the inquiry.
    [[nodiscard]] bool look(Scratch& scratch) {
        const GridDriveSetup off_lattice = setup_;
        query_.partial = false;
        const DriveQuery asked = query_;
        setup_.off_lattice_max = 0;
        query_.off_lattice_max = 0;
        Route route;
        Outcome first = ask(query_, scratch, route, setup_);
        out_.status = route.status;
        if (first == Outcome::failed && route.status == PathStatus::unreachable && !in_.spending.empty()) {
            first = ask(asked, scratch, route, off_lattice);
            if (first == Outcome::found) out_.status = route.status;
            route.status = first == Outcome::found ? PathStatus::complete : PathStatus::unreachable;
        }
        if (first == Outcome::error) return false;
        if (first == Outcome::found) return true;
        query_.expansions_max = UINT64_MAX;
        query_.smooth = false;
        return look_for(route.status, scratch);
    }

  private:
    [[nodiscard]] bool look_for(PathStatus status, Scratch& scratch) {
        switch (status) {
            case PathStatus::off_world: return tell_off_world();
            case PathStatus::start_blocked: return look_at_end(scratch, true);
            case PathStatus::goal_blocked: return look_at_end(scratch, false);
            case PathStatus::unreachable: return look_at_ground();
            default: out_.reason = ExplainReason::budget_spent; return true;
        }
    }

    [[nodiscard]] Outcome ask(DriveQuery query, Scratch& scratch, Route& route, const GridDriveSetup& setup) {
        query.expansions_max = std::min(query.expansions_max, in_.spending.expansions);
        return in_.spending.judge(find_route_into(grid_, query, scratch, route, setup), route);
    }
    [[nodiscard]] Outcome ask_more(const DriveQuery& query, Route& route, const GridDriveSetup& setup) {
        --in_.spending.trials;
        return ask(query, in_.work.inner, route, setup);
    }
    void put_place(const Pose& at, std::int32_t layer) {
        in_.put_place({at.position.x, at.position.y, 0.0}, at.heading_rad, layer);
    }
    [[nodiscard]] auto ask_on() {
        return [this](const DriveQuery& query, Route& route) { return ask_more(query, route, setup_); };
    }
    [[nodiscard]] auto helps() { return TurningHelps(in_, query_, options_.accuracy, ask_on()); }
    [[nodiscard]] bool shrink_body(double guess, double high) { return helps().shrink_body(guess, high); }
    [[nodiscard]] bool try_change(HelpKind kind, const DriveQuery& query) {
        return try_help(in_, kind, query, ask_on());
    }
    [[nodiscard]] const Spot& spot(bool start) const { return start ? query_.start : query_.goal.at; }
    // Of an end.
    [[nodiscard]] std::int32_t layer(bool start) const {
        const Spot& asked = spot(start);
        return asked.has_layer ? asked.layer : std::max(setup_.map.layer, 0);
    }
    [[nodiscard]] bool is_on_world(bool start) const {
        const std::int32_t at = layer(start);
        const bool one = setup_.map.layer != kAllLayers;
        const Vec2 p = in_cells(grid_, spot(start).ground());
        return (one ? at == setup_.map.layer : at >= 0 && at < grid_.layers()) && p.x >= 0 && p.y >= 0 &&
               p.x < grid_.width() && p.y < grid_.height();
    }

    [[nodiscard]] bool tell_off_world() {
        out_.reason = ExplainReason::off_world;
        const bool start = !is_on_world(true);
        put_place(spot(start).pose(), layer(start));
        return true;
    }

    // ---- a blocked end ---------------------------------------------------------------------------------------------

    // Does the body stand at the place in the heading asked for, or in one of those?
    [[nodiscard]] static bool stands(const drive::GroundBits& free, const drive::BlockerSweep& others,
                                     const BodyCore& body, const Pose& pose, std::uint32_t headings,
                                     std::int32_t count) {
        return drive::any_heading_asked(pose.heading_rad, headings, count, [&](double heading) {
            const Pose at{pose.position, heading};
            return drive::stands_free(free, body, at) && others.stands(body, at);
        });
    }

    // Of a region the middle is looked at.
    [[nodiscard]] bool look_at_end(Scratch& scratch, bool start) {
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        const Pose pose = spot(start).pose();
        put_place(pose, layer(start));
        const Result<const DriveMap*> map = drive_map_in(scratch, grid_, query_.agent, setup_);
        if (!map) return in_.fail(map.error());
        const drive::MapData& data = (*map)->state().data();
        const DriveTable& table = data.table();
        drive::LatticeQuery lattice;
        drive::read_ends(table, query_.start, query_.goal, lattice);
        const std::uint32_t headings = start ? lattice.start_headings : lattice.goal_headings;
        const drive::GroundBits free = data.free_cells();
        const drive::MapFrame frame(data);
        const Pose at = frame.in_cells(pose, layer(start));
        out_.cell = touched_tile(data, at);
        drive::BlockerSweep others(in_.work.inner.allocator());
        if (!others.make(data, query_.blockers)) return in_.no_memory();
        const auto fits = [&](const BodyCore& body, Vec2 p) {
            return stands(free, others, body, {p, at.heading_rad}, headings, table.headings());
        };
        if (!shrink_to_stand(fits, table, at.position)) return false;
        return move_end(
            start, at.position,
            [&](Vec2 p) {
                const bool here = frame.layer_at(p.y) == layer(start);
                return here && fits(table.body(), p);
            },
            frame);
    }

    // The nearest place where the body stands, and whether it has a way from or to there.
    template <class Stands>
    [[nodiscard]] bool move_end(bool start, Vec2 from, const Stands& stands, const drive::MapFrame& frame) {
        const HelpKind kind = start ? HelpKind::move_start : HelpKind::move_goal;
        Help& out = in_.help(kind);
        out.proof = Proof::not_looked;
        Vec2 place{};
        const auto pitch = static_cast<std::int32_t>(std::lround(grid_.cell_size() / frame.size));
        if (!nearest_place(from, 2 / pitch, 0.0, 2 * std::max(grid_.width(), grid_.height()),
                           in_.spending.expansions, place, stands)) {
            if (in_.spending.expansions > 0) out.proof = Proof::none;
            return true;
        }
        const Vec2 world = frame.to_world({place, 0.0}).position;
        out.has_place = true;
        out.place = {{world.x, world.y, 0.0}, spot(start).heading_rad, layer(start)};
        out.value = distance(world, spot(start).ground());
        DriveQuery query = query_;
        (start ? query.start : query.goal.at).position = {world.x, world.y, 0.0};
        if (!start) query.goal.kind = Goal::Kind::point;
        return try_change(kind, query);
    }

    // The largest body that stands there, and whether it has a way. A body around the axle stands where a larger one does.
    template <class Fits>
    [[nodiscard]] bool shrink_to_stand(const Fits& fits, const DriveTable& table, Vec2 p) {
        Help& out = in_.help(HelpKind::smaller_body);
        if (!fits(scaled_body(table.body(), kLeastScale), p)) {
            out.proof = Proof::none;
            return true;
        }
        double low = kLeastScale;
        double high = 1.0;
        for (int i = 0; i < 40; ++i) {
            const double middle = 0.5 * (low + high);
            (fits(scaled_body(table.body(), middle), p) ? low : high) = middle;
        }
        if (query_.agent.shape == BodyShape::disc) out_.width = 2.0 * low * query_.agent.radius;
        return shrink_body(low, std::min(1.0, high * (1.0 + 1e-9)));
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    // The axle of a body around it as a point over the same ground.
    [[nodiscard]] bool prepare_ground() {
        Array<Blocker>& closed = in_.work.closed;
        if (!bridge::list_closed_tiles(setup_.map.blockers, grid_, closed)) return in_.no_memory();
        for (const Blocker& blocker : query_.blockers) {
            if (!closed.push_back(blocker)) return in_.no_memory();
        }
        GridQuery query{.start = query_.start.on_layer(layer(true)),
                        .goal = query_.goal.on_layer(layer(false))};
        query.terrain = setup_.map.terrain;
        query.blockers = closed.span();
        if (inscribed_radius(query_.agent) == 0.0) query.corner = CornerRule::always;
        const Result<void> done = grid::prepare_query(grid_, query, in_.work.query);
        return done.has_value() || in_.fail(done.error());
    }

    [[nodiscard]] bool look_at_ground() {
        out_.reason = ExplainReason::turning;
        const double inside = inscribed_radius(query_.agent) / grid_.cell_size();
        const bool around_axle = inside > 0.0 || query_.agent.shape == BodyShape::disc;
        if (!around_axle) return look_at_turning();
        if (!prepare_ground()) return false;
        Ground& ground = in_.work.ground;
        const bool floors = setup_.map.layer == kAllLayers;
        if (!ground.begin(in_.work.query, 1, floors)) return in_.no_memory();
        Answer answer = Answer::unknown;
        if (!flood_ground(in_, answer)) {
            if (answer == Answer::no_memory) return in_.no_memory();
            return answer == Answer::unknown || open_ways();
        }
        if (inside == 0.0) return look_at_turning();
        if (!ground.begin(in_.work.query, 2, floors)) return in_.no_memory();
        answer = ground.widest(inside, in_.spending.expansions);
        if (answer == Answer::no_memory) return in_.no_memory();
        if (answer != Answer::yes || ground.room() >= inside) return look_at_turning();
        out_.reason = ExplainReason::too_wide;
        out_.width = 2.0 * ground.room() * grid_.cell_size();
        put_place({in_world(grid_, ground.tightest()), 0.0}, ground.tightest_layer());
        return shrink_body(ground.room() / inside, 1.0) && open_ways();
    }

    [[nodiscard]] bool look_at_turning() {
        const double cell = grid_.cell_size();
        auto change = helps();
        return change.try_gears() && change.try_headings() &&
               change.shrink_circle(kLeastRadius * cell * (1.0 + 1e-12), cell) &&
               change.shrink_body(0.0, 1.0) && open_ways();
    }

    // Terrain that the filter closes, and blockers: those of the query; of the map where it has none.
    [[nodiscard]] bool open_ways() {
        const auto fits = [&](Route& route) {
            GridDriveSetup setup = setup_;
            setup.map.terrain = in_.work.terrain;
            return ask_more(query_, route, setup);
        };
        const bool of_query = !query_.blockers.empty();
        const auto without = [&](std::span<const Blocker> blockers, Route& route) {
            GridDriveSetup setup = setup_;
            DriveQuery query = query_;
            (of_query ? query.blockers : setup.map.blockers) = blockers;
            return ask_more(query, route, setup);
        };
        return open_terrain(in_, setup_.map.terrain, query_.agent, fits) &&
               drop_blockers(in_, of_query ? query_.blockers : setup_.map.blockers, query_.agent, without);
    }

    TileInquiry& in_;
    const GridState& grid_;
    DriveQuery query_;
    GridDriveSetup setup_;
    const ExplainOptions& options_;
    Explanation& out_;
};

}  // namespace

Result<Explanation> explain(const GridState& grid, const DriveQuery& query, Scratch& scratch,
                            const ExplainOptions& options, const GridDriveSetup& setup) {
    return explain_by<TileInquiry>(grid, query.agent, scratch, options, [&](TileInquiry& inquiry) {
        return DriveExplainer(inquiry, query, setup, options).look(scratch);
    });
}

}  // namespace fairlead
