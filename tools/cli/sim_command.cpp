// fairlead sim: units that go where they are sent, tick by tick, into a file of their tracks.

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/formats/units.h>
#include <fairlead/math/trig.h>

#include "cli/commands.h"
#include "cli/extras.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/mesh_world.h"
#include "cli/progress.h"
#include "cli/sim_edits.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

constexpr double kSecondsMax = 1e6;
constexpr double kRateMax = 1000.0;

struct SimCommand {
    WorldFlags world;
    std::string units;
    std::string edits;
    std::string out;
    double seconds = 60.0;
    double rate = 60.0;
    std::uint64_t budget = 20000;
    std::uint64_t every = 1;
    int threads = 1;
    bool no_avoid = false;

    void run() const;
    void play(const FleetPort& port, const std::vector<formats::UnitRow>& rows, SimEdits& changes) const;
};

/// In quotes; bytes that are no UTF-8 are replaced.
std::string json_text(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

FleetUnit unit_of(const formats::UnitRow& row) {
    FleetUnit unit;
    unit.agent.radius = row.radius;
    if (row.length > 0.0 && row.width > 0.0) {
        unit.agent.shape = BodyShape::box;
        unit.agent.length = row.length;
        unit.agent.width = row.width;
    }
    unit.agent.turning_radius = row.turning_radius;
    unit.agent.can_reverse = row.reverse;
    unit.limits = SpeedLimits::only(row.speed);
    if (row.accel) unit.limits.accel_max = unit.limits.brake_max = *row.accel;
    if (row.brake) unit.limits.brake_max = *row.brake;
    if (row.lateral_accel) unit.limits.lateral_accel_max = *row.lateral_accel;
    if (row.turn_rate_deg) unit.limits.turn_rate_max = *row.turn_rate_deg * kRadPerDeg;
    return unit;
}

/// The largest of the units without a turning circle, which the world's own searches know by their radius.
Agent widest_walker(const std::vector<formats::UnitRow>& rows) {
    Agent widest;
    for (const formats::UnitRow& row : rows) {
        if (row.turning_radius == 0.0) widest.radius = std::max(widest.radius, row.radius);
    }
    return widest;
}

bool same_kind(const FleetUnit& a, const FleetUnit& b) { return a.agent == b.agent && a.limits == b.limits; }

Place place_of(const formats::UnitPlace& at) {
    Place place;
    place.position = {at.position.x, at.position.y, at.z.value_or(0.0)};
    place.layer = at.layer;
    if (at.heading_deg) place.heading_rad = math::wrap_pi(*at.heading_deg * kRadPerDeg);
    return place;
}

Spot goal_of(const formats::UnitPlace& at) {
    Spot spot(place_of(at));
    spot.has_heading = at.heading_deg.has_value();
    return spot;
}

/// A row's unit in the fleet.
struct Played {
    FleetId id{};
    bool sent = false;
    bool valid = true;  ///< the library took it
    std::uint64_t longest_wait = 0;
};

class SimRun {
  public:
    SimRun(Fleet& fleet, const std::vector<formats::UnitRow>& rows)
        : fleet_(fleet), rows_(rows), units_(rows.size()) {}

    void add_all(const std::string& path) {
        std::vector<FleetUnit> kinds;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const FleetUnit unit = unit_of(rows_[i]);
            std::size_t kind = 0;
            while (kind < kinds.size() && !same_kind(kinds[kind], unit)) ++kind;
            if (kind == kinds.size()) {
                const Result<FleetKind> added = fleet_.add_kind(unit);
                if (!added)
                    fail(fmt::format("{}:{}: {}", path, rows_[i].line, query_error_text(added.error())));
                kinds.push_back(unit);
            }
            const FleetKind id{static_cast<std::uint32_t>(kind)};
            const Result<FleetId> placed =
                fleet_.add(id, place_of(rows_[i].start), rows_[i].start.heading_deg.has_value());
            units_[i].valid = placed.has_value();
            if (placed) units_[i].id = *placed;
        }
    }
    void send_due(double now) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (units_[i].sent || !units_[i].valid || rows_[i].start_s > now) continue;
            units_[i].sent = true;
            units_[i].valid = fleet_.send(units_[i].id, goal_of(rows_[i].goal)).has_value();
        }
    }
    void append_tick(std::string& text, double now) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const FleetView view = fleet_.unit(units_[i].id);
            units_[i].longest_wait = std::max(units_[i].longest_wait, view.asked_frames);
            const FleetState state = !units_[i].valid ? FleetState::invalid
                                     : units_[i].sent ? view.state
                                                      : FleetState::waiting;
            text += fmt::format(
                R"({{"t":{},"id":{},"x":{},"y":{},"z":{},"layer":{},"heading":{},"speed":{},"gear":"{}","state":"{}"}})",
                text_of(now), rows_[i].id, text_of(view.place.position.x), text_of(view.place.position.y),
                text_of(view.place.position.z), view.place.layer, text_of(view.place.heading_rad),
                text_of(view.speed), gear_name(view.gear),
                fleet_state_name(state == FleetState::idle ? FleetState::arrived : state));
            text += '\n';
        }
    }
    [[nodiscard]] std::size_t count(FleetState state) const {
        std::size_t found = 0;
        for (const Played& unit : units_) {
            found += unit.valid && unit.sent && fleet_.unit(unit.id).state == state ? 1 : 0;
        }
        return found;
    }
    [[nodiscard]] std::uint64_t longest_wait() const {
        std::uint64_t longest = 0;
        for (const Played& unit : units_) longest = std::max(longest, unit.longest_wait);
        return longest;
    }

  private:
    Fleet& fleet_;
    const std::vector<formats::UnitRow>& rows_;
    std::vector<Played> units_;
};

void SimCommand::play(const FleetPort& port, const std::vector<formats::UnitRow>& rows,
                      SimEdits& changes) const {
    FleetOptions options;
    options.avoid = !no_avoid;
    options.schedule.threads = static_cast<std::uint32_t>(threads);
    Result<Fleet> fleet = Fleet::make(port, options);
    if (!fleet) fail(query_error_text(fleet.error()));
    SimRun run(*fleet, rows);
    run.add_all(units);
    const auto ticks = static_cast<std::uint64_t>(seconds * rate + 0.5);
    std::string text = fmt::format(R"({{"rate":{},"world":{},"units":{}}})", text_of(rate),
                                   json_text(world.path()), rows.size());
    text += '\n';
    Progress progress{"sim", ticks};
    run.send_due(0.0);
    run.append_tick(text, 0.0);
    for (std::uint64_t tick = 1; tick <= ticks; ++tick) {
        const double now = static_cast<double>(tick) / rate;
        if (changes.apply_until(now)) {
            if (const Result<void> told = fleet->world_changed(); !told) fail(query_error_text(told.error()));
        }
        if (const Result<void> done = fleet->update(1.0 / rate, {.units = budget}); !done) {
            fail(query_error_text(done.error()));
        }
        run.send_due(now);
        if (tick % every == 0) run.append_tick(text, now);
        progress.at(tick);
    }
    const double wait_ms = 1000.0 * static_cast<double>(run.longest_wait()) / rate;
    text +=
        fmt::format(R"({{"digest":"{:016x}","arrived":{},"stuck":{},"route_ms_max":{}}})", fleet->digest(),
                    run.count(FleetState::arrived), run.count(FleetState::stuck), text_of(wait_ms));
    text += '\n';
    write_file(out, text);
    if (out != "-") {
        fmt::print("{} units, {} arrived, {} stuck after {} s\n", rows.size(), run.count(FleetState::arrived),
                   run.count(FleetState::stuck), text_of(seconds));
    }
}

void SimCommand::run() const {
    if (!(seconds > 0.0 && seconds <= kSecondsMax)) fail("--seconds: not above 0 and at most 1e6");
    if (!(rate >= 1.0 && rate <= kRateMax)) fail("--rate: not 1 to 1000");
    if (budget == 0) fail("--budget: at least 1 unit a tick");
    if (every == 0) fail("--every: at least 1");
    if (threads < 1 || threads > 64) fail("--threads: not 1 to 64");
    const std::string text = read_file(units);
    const std::vector<formats::UnitRow> rows = expect(units, text, formats::load_units(text, file_limits()));
    switch (world_kind(world.path())) {
        case WorldKind::tiles: {
            Grid grid = load_grid(world, widest_walker(rows), CornerRule::never);
            TileEdits changes(edits, grid);
            const TileFleet tiles(grid);
            play(tiles.port(), rows, changes);
            return;
        }
        case WorldKind::mesh: {
            MeshWorld level = load_mesh_world(world, widest_walker(rows));
            MeshEdits changes(edits, level.mesh);
            const MeshFleet mesh(level.mesh);
            play(mesh.port(), rows, changes);
            return;
        }
        default: fail_at(world.path(), "sim takes tile maps and level meshes");
    }
}

}  // namespace

void add_sim(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("sim", "Let units go where they want, and write their tracks");
    const auto command = std::make_shared<SimCommand>();
    command->world.add(*sub);
    sub->add_option("UNITS", command->units,
                    "CSV whose header names its columns: id,x,y,gx,gy,radius,speed,...")
        ->required();
    sub->add_option("--seconds", command->seconds, "How long (default 60)");
    sub->add_option("--rate", command->rate, "Ticks a second (default 60)");
    sub->add_option("--budget", command->budget, "Units of search a tick (default 20000)");
    sub->add_option("--every", command->every, "Write every so many ticks (default 1)");
    sub->add_option(
        "--edits", command->edits,
        "Changes of the world: t_s,x0,y0,x1,y1,tile a line; meshes: t_s,add|remove,id,x0,y0,z0,x1,y1,z1");
    sub->add_flag("--no-avoid", command->no_avoid, "Units go through each other");
    sub->add_option("--threads", command->threads,
                    "How many threads; the tracks do not depend on it (default 1)");
    sub->add_option("-o", command->out, "Where the tracks go, one JSON object a line; - is standard output")
        ->required();
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
