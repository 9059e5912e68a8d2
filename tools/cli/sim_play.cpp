// A simulation, tick by tick: edits, the fleet's update, orders that are due, a line a unit.

#include "cli/sim_play.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/roadmap_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/fleet/volume_fleet.h>

#include "cli/bake_work.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/mesh_world.h"
#include "cli/progress.h"
#include "cli/road_edits.h"
#include "cli/roadmap_world.h"
#include "cli/sim_edits.h"
#include "cli/sim_units.h"
#include "cli/text.h"
#include "cli/volume_edits.h"
#include "cli/volume_world.h"

namespace fairlead::cli {

namespace {

/// In quotes; bytes that are no UTF-8 are replaced.
std::string json_text(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool same_kind(const FleetUnit& a, const FleetUnit& b) {
    return a.agent == b.agent && a.limits == b.limits && a.climb == b.climb && a.facings == b.facings;
}

/// A row's unit in the fleet.
struct Played {
    FleetId id{};
    bool sent = false;
    bool valid = true;  ///< it is in the fleet
    std::uint64_t longest_wait = 0;
};

class SimUnits {
  public:
    SimUnits(Fleet& fleet, const std::vector<formats::UnitRow>& rows)
        : fleet_(fleet), rows_(rows), units_(rows.size()) {}

    /// `avoid`: two cannot begin in one place.
    void add_all(const std::vector<FleetUnit>& bodies, const std::string& path, bool avoid, bool space) {
        const std::vector<bool> taken =
            avoid ? begin_on_others(rows_, space) : std::vector<bool>(rows_.size());
        std::vector<FleetUnit> kinds;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const FleetUnit& kind) {
                return same_kind(kind, bodies[i]);
            });
            const FleetKind kind{static_cast<std::uint32_t>(known - kinds.begin())};
            if (known == kinds.end()) {
                const Result<FleetKind> added = fleet_.add_kind(bodies[i]);
                if (!added)
                    fail_at(fmt::format("{}:{}", path, rows_[i].line), unit_error_text(added.error()));
                kinds.push_back(bodies[i]);
            }
            units_[i].valid = !taken[i];
            if (taken[i]) continue;
            const Result<FleetId> placed =
                fleet_.add(kind, start_of(rows_[i]), rows_[i].start.heading_deg.has_value());
            units_[i].valid = placed.has_value();
            if (placed) units_[i].id = *placed;
        }
    }
    void send_due(double now) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (units_[i].sent || !units_[i].valid || rows_[i].start_s > now) continue;
            units_[i].sent = true;
            units_[i].valid = fleet_.send(units_[i].id, goal_of(rows_[i])).has_value();
        }
    }
    void watch() {
        for (Played& unit : units_) {
            if (unit.valid)
                unit.longest_wait = std::max(unit.longest_wait, fleet_.unit(unit.id).asked_frames);
        }
    }
    void write_tick(FileOut& track, double now) const {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const FleetView view = view_of(i);
            track.write(fmt::format(
                R"({{"t":{},"id":{},"x":{},"y":{},"z":{},"layer":{},"heading":{},"speed":{},"gear":"{}","state":"{}"}})"
                "\n",
                text_of(now), rows_[i].id, text_of(view.place.position.x), text_of(view.place.position.y),
                text_of(view.place.position.z), view.place.layer, text_of(view.place.heading_rad),
                text_of(view.speed), gear_name(view.gear), fleet_state_name(view.state)));
        }
    }
    [[nodiscard]] SimEnd end(double rate) const {
        SimEnd out;
        out.digest = fleet_.digest();
        out.units = rows_.size();
        std::uint64_t longest = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const FleetState state = view_of(i).state;
            out.arrived += state == FleetState::arrived ? 1 : 0;
            out.stuck += state == FleetState::stuck ? 1 : 0;
            out.unreachable += state == FleetState::unreachable ? 1 : 0;
            out.invalid += state == FleetState::invalid ? 1 : 0;
            longest = std::max(longest, units_[i].longest_wait);
        }
        out.route_ms_max = 1000.0 * static_cast<double>(longest) / rate;
        return out;
    }

  private:
    [[nodiscard]] FleetView view_of(std::size_t i) const {
        FleetView view;
        if (!units_[i].valid) {
            view.place = start_of(rows_[i]);
            view.state = FleetState::invalid;
            return view;
        }
        view = fleet_.unit(units_[i].id);
        if (!units_[i].sent) view.state = FleetState::waiting;
        if (view.state == FleetState::idle) view.state = FleetState::arrived;
        return view;
    }

    Fleet& fleet_;
    const std::vector<formats::UnitRow>& rows_;
    std::vector<Played> units_;
};

/// Everything but the world.
struct Cast {
    const SimPlan& plan;
    const SimWatch& watch;
    std::vector<formats::UnitRow> rows;
    std::vector<FleetUnit> bodies;
};

SimEnd play_on(const FleetPort& port, const Cast& cast, SimEdits& changes) {
    const SimPlan& plan = cast.plan;
    FleetOptions options;
    options.avoid = !plan.no_avoid;
    options.schedule.threads = static_cast<std::uint32_t>(cast.watch.threads);
    Result<Fleet> fleet = Fleet::make(port, options);
    if (!fleet) fail(query_error_text(fleet.error()));
    SimUnits units(*fleet, cast.rows);
    units.add_all(cast.bodies, plan.units, !plan.no_avoid, port.space);
    FileOut* track = cast.watch.track;
    if (track != nullptr) {
        track->write(fmt::format("{{\"rate\":{},\"world\":{},\"units\":{}}}\n", text_of(plan.rate),
                                 json_text(plan.world.path()), cast.rows.size()));
    }
    units.send_due(0.0);
    if (track != nullptr) units.write_tick(*track, 0.0);
    const std::uint64_t ticks = plan.ticks();
    Progress progress{"sim", ticks};
    const StopOnInterrupt stop;
    std::uint64_t tick = 0;
    for (bool goes_on = true; goes_on && tick < ticks;) {
        if (changes.apply_until(static_cast<double>(tick) / plan.rate)) {
            if (const Result<void> told = fleet->world_changed(); !told) fail(query_error_text(told.error()));
        }
        if (const Result<void> done = fleet->update(1.0 / plan.rate, {.units = plan.budget}); !done) {
            fail(query_error_text(done.error()));
        }
        ++tick;
        const double now = static_cast<double>(tick) / plan.rate;
        units.send_due(now);
        units.watch();
        if (track != nullptr && tick % cast.watch.every == 0) units.write_tick(*track, now);
        if (cast.watch.ticked) goes_on = cast.watch.ticked(tick, fleet->digest());
        progress.at(tick);
        if (StopOnInterrupt::asked()) fail_at(plan.units, "stopped; nothing was written");
    }
    SimEnd end = units.end(plan.rate);
    end.ticks = tick;
    return end;
}

}  // namespace

void SimPlan::check() const {
    if (!(seconds > 0.0 && seconds <= kSecondsMax)) fail("--seconds: not above 0 and at most 1e6");
    if (!(rate >= 1.0 && rate <= kRateMax)) fail("--rate: not 1 to 1000");
    if (budget == 0) fail("--budget: at least 1 unit a tick");
    if (world.closed_areas() != 0) fail("--closed-areas: units that move know none");
    if (world.closed_links() != 0) fail("--closed-links: units that move know none");
}

std::uint64_t SimPlan::ticks() const { return static_cast<std::uint64_t>(seconds * rate + 0.5); }

SimEnd play_sim(const SimPlan& plan, const SimWatch& watch) {
    const std::string text = read_file(plan.units);
    const WorldKind kind = world_kind(plan.world.path());
    if (kind == WorldKind::cylinder)
        fail_at(plan.world.path(), "sim takes tile maps, level meshes, roadmaps and volumes");
    Cast cast{plan, watch, expect(plan.units, text, formats::load_units(text, file_limits())), {}};
    for (const formats::UnitRow& row : cast.rows) cast.bodies.push_back(fleet_unit(plan.units, row, kind));
    if (kind == WorldKind::tiles) {
        Grid grid = load_grid(plan.world, widest_walker(cast.rows), CornerRule::never);
        TileEdits changes(plan.edits, grid);
        const TileFleet tiles(grid);
        return play_on(tiles.port(), cast, changes);
    }
    if (kind == WorldKind::roadmap) {
        RoadmapWorld roads = load_roadmap_world(plan.world, CornerRule::never);
        if (roads.tiles) fail_at(plan.world.path(), "sim does not see the tile map of a roadmap");
        RoadEdits changes(plan.edits, roads.roadmap);
        const RoadmapFleet traffic(roads.roadmap);
        return play_on(traffic.port(), cast, changes);
    }
    if (kind == WorldKind::volume) {
        Volume volume = load_volume_world(plan.world);
        VolumeEdits changes(plan.edits, volume);
        const VolumeFleet flyers(volume);
        return play_on(flyers.port(), cast, changes);
    }
    MeshWorld level = load_mesh_world(plan.world, widest_walker(cast.rows));
    MeshEdits changes(plan.edits, level.mesh);
    const MeshFleet mesh(level.mesh);
    return play_on(mesh.port(), cast, changes);
}

std::string end_json(const SimEnd& end) {
    return fmt::format(
        R"({{"digest":"{:016x}","arrived":{},"stuck":{},"unreachable":{},"invalid":{},"route_ms_max":{}}})",
        end.digest, end.arrived, end.stuck, end.unreachable, end.invalid, text_of(end.route_ms_max));
}

}  // namespace fairlead::cli
