// The library's side of fleets: two fleets are told the same. They differ in threads and in the order of the crowd's jobs, or, with budgets
// that no request passes, in how their searches are sliced: the digests must not. Every frame of the first is judged: where bodies are by
// verify and by a map in long double, pairs, limits, states. At the end each unit has come to where it was sent last, or says why not.
//
// What is owed: as in crowd_play.cpp. Who is in the wrong by an edit, a link or the place where it was put is excused until it is free.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/fleet/roadmap_fleet.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>

#include "simulate/driver.h"
#include "simulate/fleet_pair.h"
#include "simulate/moved_map.h"
#include "simulate/moved_roads.h"
#include "support/convoy_run.h"
#include "support/test_allocator.h"

namespace fairlead::simulate {

namespace {

using testing::TestAllocator;

constexpr double kSlack = 1e-9;
constexpr double kStep = 1.0 / 30.0;
constexpr std::uint32_t kWaitFrames = 300;  // longer than that nobody waits for a route
constexpr double kKnotStop = 4.0;           // a knot brakes with a quarter of what its vehicles can

struct Known {
    FleetId id{};
    FleetUnit kind{};
    FleetView now{};
    Vec2 goal{};
    bool sent = false;
    bool group = false;
    bool free = false;          ///< of walls, as far as it needs to stop
    std::uint32_t waiting = 0;  ///< frames in a row

    [[nodiscard]] Vec2 p() const { return ground(now.place.position); }
    [[nodiscard]] bool vehicle() const { return kind.agent.turning_radius > 0.0; }
    [[nodiscard]] double radius() const { return circumscribed_radius(kind.agent); }
    [[nodiscard]] double stop() const {
        const double way = now.speed * now.speed / (2.0 * kind.limits.brake_max);
        return now.in_knot ? kKnotStop * now.speed * kind.limits.speed_max / (2.0 * kind.limits.brake_max)
                           : way;
    }
};

testing::JudgedBody body_of(const Known& unit) {
    const Agent& agent = unit.kind.agent;
    testing::JudgedBody body{unit.p(),
                             {std::cos(unit.now.place.heading_rad), std::sin(unit.now.place.heading_rad)}};
    if (agent.shape == BodyShape::box) {
        body.half_length = 0.5 * agent.length;
        body.half_width = 0.5 * agent.width;
        body.at = body.at + body.ahead * agent.axle_offset;
    } else {
        body.radius = agent.radius;
    }
    return body;
}

/// Vehicles are as large as they are; for people a vehicle is the disc around it.
double gap_between(const Known& a, const Known& b) {
    if (a.vehicle() && b.vehicle()) return -testing::overlap_of(body_of(a), body_of(b));
    return distance(a.p(), b.p()) - a.radius() - b.radius();
}

std::string told(const Known& unit) {
    return std::string(unit.vehicle() ? ", a vehicle" : ", a walker") +
           (unit.now.in_knot ? " in a knot" : "") + " at (" + number_text(unit.p().x) + ", " +
           number_text(unit.p().y) + "), speed " + number_text(unit.now.speed) + ", " +
           fleet_state_name(unit.now.state);
}

bool finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }
Vec2 point(const std::vector<double>& p, std::size_t at = 0) { return {item(p, at), item(p, at + 1)}; }

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string make(const Step& step);
    std::string clear();
    std::string add_kind(const Step& step);
    std::string add(const Step& step);
    std::string send(const Step& step);
    std::string fill(const Step& step);
    std::string update(double seconds, std::uint64_t budget);
    std::string tick(const Step& step);
    std::string settle(const Step& step);
    std::string judge(double seconds);
    std::string judge_walls(Known& unit, const FleetView& was) const;
    std::string judge_moves(const Known& unit, const FleetView& was, double seconds) const;
    std::string judge_pairs();
    std::string judge_end(const Known& unit, bool all_arrive) const;
    [[nodiscard]] bool stands_free(const Known& unit) const;
    [[nodiscard]] Violation stands(const Known& unit) const;
    void excuse();
    [[nodiscard]] Known* named(const Step& step) {
        return units.empty() ? nullptr : &units[static_cast<std::size_t>(step.count("id")) % units.size()];
    }

    TestAllocator memory;
    std::optional<Grid> grid;
    std::optional<NavMesh> mesh;
    std::optional<Roadmap> roads;
    std::vector<double> link_ends;
    std::optional<TileFleet> tiles[2];
    std::optional<MeshFleet> level[2];
    std::optional<RoadmapFleet> traffic[2];
    FleetPair both;
    MovedMap map;
    bool avoid = true;
    double link_seconds = 1.0;
    std::vector<FleetUnit> kinds;
    std::vector<Known> units;
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> clear_of;
    bool had_edits = false;
    Tally* tally;
};

std::string Player::clear() {
    units.clear();
    kinds.clear();
    clear_of.clear();
    had_edits = false;
    both.clear();
    for (int i = 0; i < 2; ++i) {
        tiles[i].reset();
        level[i].reset();
        traffic[i].reset();
    }
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a fleet";
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    map = moved_map_of(step);
    GridOptions options{.width = map.width, .height = map.height};
    const std::vector<double> ends = step.numbers("portal");
    const auto whole = [&](std::size_t i) { return to_whole(item(ends, i)); };
    const Portal portal{{whole(0), whole(1)}, {whole(2), whole(3)}, 2.0, true};
    if (ends.size() == 4) options.portals = Borrowed<Portal>(&portal, 1);
    Result<Grid> made = Grid::make(options, map.tiles);
    if (!made) return "";
    grid.emplace(std::move(*made));
    const bool on_mesh = step.has("mesh");
    if (on_mesh) {
        Result<NavMesh> surface = make_grid_mesh(grid->state(), {.radius_max = 1.0});
        if (!surface) return "";
        mesh.emplace(std::move(*surface));
    } else {
        mesh.reset();
    }
    roads.reset();
    link_ends = ends;
    if (step.has("roadmap") && !on_mesh) {
        Result<Roadmap> net = make_moved_roads(map, link_ends);
        if (!net) return std::string("refused: roads, ") + error_name(net.error().code);
        roads.emplace(std::move(*net));
    }
    avoid = step.number("avoid", 1.0) != 0.0;
    both.slices = step.has("slices");
    link_seconds = std::clamp(step.number("link_seconds", 1.0), 0.0, 100.0);
    for (int i = 0; i < 2; ++i) {
        FleetOptions asked;
        asked.avoid = avoid;
        asked.link_seconds = link_seconds;
        const Allocator from = i == 0 ? memory.allocator() : Allocator{};
        FleetPort port;
        if (roads) {
            port = traffic[i].emplace(*roads, from).port();
        } else {
            port = on_mesh ? level[i].emplace(*mesh, from).port() : tiles[i].emplace(*grid, from).port();
        }
        const std::string bad = both.make(i, port, asked, from);
        if (!bad.empty()) return bad;
    }
    return "";
}

std::string Player::add_kind(const Step& step) {
    const std::vector<double> is = step.numbers("is");
    FleetUnit unit;
    unit.agent.radius = item(is, 0, 0.4);
    unit.agent.turning_radius = item(is, 1);
    unit.agent.can_reverse = true;
    if (item(is, 2) > 0.0) {
        unit.agent.shape = BodyShape::box;
        unit.agent.length = item(is, 2);
        unit.agent.width = 2.0 * unit.agent.radius;
        unit.agent.radius = 0.0;
    }
    unit.limits = SpeedLimits::only(item(is, 3, 2.0));
    unit.limits.accel_max = unit.limits.brake_max = item(is, 4, 8.0);
    if (unit.agent.turning_radius == 0.0) unit.limits.lateral_accel_max = unit.limits.accel_max;
    const Result<FleetKind> one = both.one->add_kind(unit), other = both.other->add_kind(unit);
    if (one.has_value() != other.has_value()) return "differs: one of two kinds is refused";
    if (!one) {
        ++tally->refused;
        const bool good = good_body(unit.agent) && check_speed_limits(unit.limits) &&
                          unit.agent.radius <= 4.0 && unit.agent.turning_radius <= 10.0;
        return good && unit.agent.turning_radius == 0.0
                   ? std::string("refused: a kind, ") + error_name(one.error().code)
                   : "";
    }
    if (one->value != kinds.size() || other->value != kinds.size()) return "status: the number of a kind";
    if (unit.agent.shape == BodyShape::disc && unit.agent.radius == 0.0) unit.agent.radius = 1e-3;
    kinds.push_back(unit);
    return "";
}

std::string Player::add(const Step& step) {
    if (kinds.empty() || units.size() >= 40) return "";
    const std::size_t kind = static_cast<std::size_t>(step.count("kind")) % kinds.size();
    Place at;
    const Vec2 p = point(step.numbers("at"));
    at.position = {p.x, p.y, 0.0};
    at.heading_rad = step.number("heading");
    const FleetKind named{static_cast<std::uint32_t>(kind)};
    const Result<FleetId> one = both.one->add(named, at, step.has("heading"));
    const Result<FleetId> other = both.other->add(named, at, step.has("heading"));
    if (one.has_value() != other.has_value()) return "differs: one of two adds is refused";
    const bool good = is_finite(at.position) && std::isfinite(at.heading_rad) &&
                      circumscribed_radius(kinds[kind].agent) <= 1e6;
    if (one.has_value() != good) return good ? "refused: a unit" : "taken: a bad unit";
    if (!good) return ++tally->refused, "";
    if (!(*one == *other)) return "differs: the ids of new units";
    Known unit;
    unit.id = *one;
    unit.kind = kinds[kind];
    units.push_back(unit);
    excuse();
    const FleetView& now = units.back().now;
    return now.exists && now.state == FleetState::idle && now.speed == 0.0 && now.remaining == 0.0
               ? ""
               : "status: a new unit is not idle";
}

std::string Player::send(const Step& step) {
    Known* unit = named(step);
    if (unit == nullptr) return "";
    const Vec2 to = point(step.numbers("to"));
    CrowdGoal group;
    group.group = static_cast<std::uint32_t>(step.count("group"));
    const Result<void> one = both.one->send(unit->id, to, group),
                       other = both.other->send(unit->id, to, group);
    if (one.has_value() != other.has_value()) return "differs: one of two sends is refused";
    if (!one) {
        ++tally->refused;
        const bool good = finite(to) && std::abs(to.x) < 1e6 && std::abs(to.y) < 1e6 &&
                          std::abs(unit->p().x) < 1e6 && std::abs(unit->p().y) < 1e6 &&
                          unit->kind.agent.radius < 4.0;
        return good ? std::string("refused: a send, ") + error_name(one.error().code) + " field " +
                          field_name(one.error().field)
                    : "";
    }
    unit->goal = to;
    unit->sent = true;
    unit->group = group.group != 0;
    unit->now = both.one->unit(unit->id);
    return "";
}

/// Would it be legal to stand there?
Violation Player::stands(const Known& unit) const {
    Route route;
    route.status = PathStatus::complete;
    route.end = unit.now.place;
    if (mesh) {
        route.revision = mesh->state().revision();
        return verify(route, mesh->state(), unit.kind.agent);
    }
    route.revision = grid->state().revision();
    return verify(route, grid->state(), unit.kind.agent);
}

bool Player::stands_free(const Known& unit) const {
    if (stands(unit)) return false;
    if (roads && !on_moved_roads(map, unit.p(), unit.radius() + unit.stop())) return false;
    if (unit.vehicle()) return unit.now.speed == 0.0;
    const double reach = unit.radius() + unit.stop();
    return map.to_walls(unit.p(), unit.p(), reach) >= reach - 0.5 * kSlack;
}

void Player::excuse() {
    for (Known& unit : units) {
        unit.now = both.one->unit(unit.id);
        unit.free = stands_free(unit);
    }
    clear_of.clear();
}

std::string Player::fill(const Step& step) {
    if (mesh) return "";
    const std::vector<double> r = step.numbers("rect");
    const auto whole = [&](std::size_t i) { return std::clamp(to_whole(item(r, i)), 0, 100); };
    const CellRect rect{
        {whole(0), whole(1)},
        {std::min(whole(0) + whole(2), map.width), std::min(whole(1) + whole(3), map.height)}};
    if (rect.empty()) return "";
    const std::uint8_t tile = step.has("free") ? 1 : 0;
    if (!grid->fill(rect, tile)) return "";
    const MovedMap before = map;
    map.fill(whole(0), whole(1), whole(2), whole(3), tile);
    if (roads && !change_moved_roads(*roads, before, map, link_ends)) return "refused: an edit of roads";
    if (!both.one->world_changed() || !both.other->world_changed()) return "refused: an edit";
    had_edits = true;
    excuse();
    return "";
}

std::string Player::judge_walls(Known& unit, const FleetView& was) const {
    if (!unit.free) {
        unit.free = stands_free(unit);
        return "";
    }
    const Violation bad = stands(unit);
    if (bad) return std::string("wall: ") + bad.text().c_str();
    if (roads && !on_moved_roads(map, unit.p(), unit.radius())) return "wall: off the road";
    if (unit.vehicle() || was.state == FleetState::link) return "";
    const double reach = unit.radius();
    const double near = map.to_walls(ground(was.place.position), unit.p(), reach);
    return near < reach - 2e-9 ? "wall: by " + number_text(reach - near) : "";
}

std::string Player::judge_moves(const Known& unit, const FleetView& was, double seconds) const {
    const SpeedLimits& limits = unit.kind.limits;
    const double round = kSlack * limits.speed_max;
    const FleetView& now = unit.now;
    if (!now.exists || !finite(unit.p()) || now.state >= FleetState::count_) return "status: no such unit";
    if (now.speed > limits.speed_max + round) return "limits: speed " + number_text(now.speed);
    const bool link = was.state == FleetState::link || now.state == FleetState::link;
    if (!link && now.speed - was.speed > limits.accel_max * seconds + round)
        return "limits: speeds up too much";
    if (!link && was.speed - now.speed > limits.brake_max * seconds + round) return "limits: brakes too hard";
    if (!link && was.state != FleetState::waiting &&
        distance(unit.p(), ground(was.place.position)) >
            limits.speed_max * seconds * (1.0 + kSlack) + kSlack + 1e-15 * length(unit.p())) {
        return "limits: it jumps";
    }
    if (unit.vehicle() && !link && was.state != FleetState::waiting) {
        const double turned =
            std::remainder(now.place.heading_rad - was.place.heading_rad, 2.0 * 3.14159265358979323846);
        if (std::abs(turned) > limits.speed_max * seconds / unit.kind.agent.turning_radius + 1e-6)
            return "limits: turns on too small a circle";
    }
    if (!unit.sent && now.state != FleetState::idle && now.state != FleetState::arrived) {
        return std::string("status: not sent, yet ") + fleet_state_name(now.state);
    }
    if (unit.sent && now.state == FleetState::idle) return "status: sent, yet idle";
    const bool came = now.state == FleetState::arrived && was.state != FleetState::arrived;
    const double near = unit.vehicle() ? 1e-6 : unit.radius() + 1e-6;
    // goals on a mesh are moved to the nearest place where there is room
    const bool asked = !mesh || map.to_walls(unit.goal, unit.goal, unit.radius()) >= unit.radius();
    if (came && asked && unit.sent && !unit.group && distance(unit.p(), unit.goal) > near) {
        return "status: arrived elsewhere";
    }
    return "";
}

std::string Player::judge_pairs() {
    if (!avoid) return "";
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const Known &a = units[i], &b = units[k];
            bool& clear = clear_of[{a.id.value, b.id.value}];
            if (a.now.state == FleetState::link || b.now.state == FleetState::link) {
                clear = false;
                continue;
            }
            const double gap = gap_between(a, b);
            if (clear && gap < -2e-9) {
                return "overlap: units " + std::to_string(i) + " and " + std::to_string(k) + " by " +
                       number_text(-gap) + told(a) + told(b);
            }
            // who was added without a heading may yet turn
            const double discs = distance(a.p(), b.p()) - a.radius() - b.radius();
            clear = gap >= 0.0 && (clear || discs >= a.stop() + b.stop());
        }
    }
    return "";
}

std::string Player::judge(double seconds) {
    ++tally->judged;
    ++tally->verified;
    for (std::size_t i = 0; i < units.size(); ++i) {
        Known& unit = units[i];
        const FleetView was = unit.now;
        unit.now = both.one->unit(unit.id);
        unit.waiting = unit.now.state == FleetState::waiting ? unit.waiting + 1 : 0;
        std::string bad = judge_moves(unit, was, seconds);
        if (bad.empty()) bad = judge_walls(unit, was);
        if (bad.empty()) continue;
        return bad + ", unit " + std::to_string(i) + ", " + fleet_state_name(was.state) + " to " +
               fleet_state_name(unit.now.state) + ", at (" + number_text(unit.p().x) + ", " +
               number_text(unit.p().y) + ")";
    }
    return judge_pairs();
}

std::string Player::update(double seconds, std::uint64_t budget) {
    bool moved = false;
    const std::string bad = both.update(seconds, budget, *tally, moved);
    return moved ? judge(seconds) : bad;
}

std::string Player::tick(const Step& step) {
    const std::uint64_t count = std::min<std::uint64_t>(step.count("n", 1), 300);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string bad = update(step.number("seconds", kStep), step.count("units", 5000));
        if (!bad.empty()) return bad + ", tick " + std::to_string(i);
    }
    return "";
}

std::string Player::judge_end(const Known& unit, bool all_arrive) const {
    const FleetState state = unit.now.state;
    ++tally->routes;
    if (!unit.sent) return "";
    // for its turn at a narrow place, or for a route?
    const bool knows_way = !unit.vehicle() || unit.now.has_way;
    const bool queues = state == FleetState::waiting && knows_way && unit.now.remaining > 0.0;
    if (state == FleetState::waiting && !queues && unit.waiting > kWaitFrames)
        return "silent: it waits for a route for ever";
    const bool goes = queues || state == FleetState::moving || state == FleetState::stuck;
    if (all_arrive && unit.free && goes) {
        return "stuck: at (" + number_text(unit.p().x) + ", " + number_text(unit.p().y) + ")";
    }
    if (unit.vehicle() || (state != FleetState::unreachable && state != FleetState::invalid)) return "";
    GridQuery query{.start = unit.p(), .goal = unit.goal};
    query.agent = unit.kind.agent;
    Scratch scratch;
    const Result<Route> route = find_route(*grid, query, scratch);
    if (!route || mesh || roads) return "";
    if (route->status != PathStatus::complete) return "";
    return "status: there is a route for it from (" + number_text(unit.p().x) + ", " +
           number_text(unit.p().y) + "), " + fleet_state_name(state) + ", " + status_name(unit.now.why);
}

/// Until everybody has arrived, for a minute at most. all_arrive: who has not is a finding.
std::string Player::settle(const Step& step) {
    int quiet = 0;  // who is pushed out of a wall asks again half a second later
    for (int i = 0; i < 1800 && quiet < 60; ++i) {
        const std::string bad = update(kStep, 20000);
        if (!bad.empty()) return bad + ", tick " + std::to_string(i);
        const auto going = [](const Known& unit) {
            return unit.now.state == FleetState::waiting || unit.now.state == FleetState::moving ||
                   unit.now.state == FleetState::link || unit.now.state == FleetState::stuck;
        };
        quiet = std::none_of(units.begin(), units.end(), going) ? quiet + 1 : 0;
    }
    for (std::size_t i = 0; i < units.size(); ++i) {
        const std::string bad = judge_end(units[i], step.has("all_arrive"));
        if (!bad.empty()) return bad + ", unit " + std::to_string(i);
    }
    return "";
}

std::string Player::play(const Step& step) {
    if (step.verb == "make") return make(step);
    if (!both.one || !both.other) return "";
    if (step.verb == "kind") return add_kind(step);
    if (step.verb == "add") return add(step);
    if (step.verb == "send") return send(step);
    if (step.verb == "fill") return fill(step);
    if (step.verb == "tick") return tick(step);
    if (step.verb == "settle") return settle(step);
    Known* unit = named(step);
    if (unit == nullptr) return "";
    if (step.verb == "stop") {
        if (!both.one->stop(unit->id) || !both.other->stop(unit->id)) return "refused: stop";
        unit->sent = false;
        unit->now = both.one->unit(unit->id);
    } else if (step.verb == "remove") {
        if (!both.one->remove(unit->id) || !both.other->remove(unit->id)) return "refused: remove";
        if (both.one->remove(unit->id) || both.one->unit(unit->id).exists)
            return "status: a removed unit is still there";
        units.erase(units.begin() + (unit - units.data()));
    }
    return both.one->size() == units.size() ? "" : "status: the number of units";
}

}  // namespace

std::string play_fleet_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
