// The library's side of crowds: two crowds are told the same; one runs its jobs the other way round and is never short of memory. Both
// must have the same digest after every tick, and every tick of the first is judged: walls by a map in long double, all pairs, limits.
//
// What is owed. A unit that stands free of walls with its way to a stop (v^2 / 2b straight on: whatever the steps to come) never enters
// one; two that keep clear of each other so never touch. Edits, relocations and new units may break that: who is in the wrong by them is
// excused until it is free again. A unit that somebody else drives owes nothing and is owed nothing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/crowd/crowd.h>
#include <fairlead/grid/find_route.h>

#include "simulate/driver.h"
#include "simulate/moved_map.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1e-9;
constexpr std::size_t kUnitsMax = 160;

struct Known {
    UnitId id{};
    CrowdUnit body{};
    UnitView now{};
    Vec2 goal{};
    bool sent = false;
    bool group = false;
    bool free = false;  ///< of walls, as far as it needs to stop
};

Vec2 at_of(const UnitView& view) { return ground(view.place.position); }

/// Where it would stand, whatever the steps of time to come.
Vec2 stop_of(const Known& unit) {
    const Vec2 v = ground(unit.now.velocity);
    const double brake = unit.body.limits.brake_max;
    if (!(brake < kInf)) return at_of(unit.now);
    return at_of(unit.now) + v * (length(v) / (2.0 * brake));
}

bool in_range(double value, double low, double high) { return value >= low && value <= high; }

bool good_body(const CrowdUnit& body) {
    const SpeedLimits& l = body.limits;
    const auto accel = [](double a) { return a == kInf || in_range(a, 1e-9, 1e12); };
    return body.radius > 0.0 && body.radius <= 1e6 && in_range(l.speed_max, 1e-6, 1e9) &&
           accel(l.accel_max) && accel(l.brake_max) && accel(l.lateral_accel_max);
}

bool finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string make(const Step& step);
    std::string clear();
    void build_world();
    std::string find_places(double radius);
    std::string add(const CrowdUnit& body, const Place& at, const Step& step);
    std::string swarm(const Step& step);
    std::string send(const Step& step);
    std::string send_one(Known& unit, Vec2 to, std::uint32_t group, bool again, const Step& step);
    std::string along(Known& unit, const Route& route, const CrowdGoal& goal, bool again, const Step& step);
    std::string tick(const Step& step);
    std::string update(double seconds, const Step& step, bool first);
    std::string judge(double seconds);
    std::string judge_moves(const Known& unit, const UnitView& was, double seconds) const;
    std::string judge_pairs();
    void excuse();
    [[nodiscard]] bool is_free(const Known& unit) const {
        const double reach = unit.body.radius;
        return map.to_walls(at_of(unit.now), stop_of(unit), reach) >= reach - 0.5 * kSlack;
    }
    [[nodiscard]] bool meet(const Known& a, const Known& b) const {
        return a.now.place.layer == b.now.place.layer &&
               std::abs(a.now.place.position.z - b.now.place.position.z) <= height;
    }
    [[nodiscard]] Known* named(const Step& step) {
        if (units.empty()) return nullptr;
        return &units[static_cast<std::size_t>(step.count("id")) % units.size()];
    }

    TestAllocator memory;
    std::optional<Grid> grid;
    std::optional<NavMesh> mesh;
    std::optional<TileCrowd> tiles;
    std::optional<MeshCrowd> level;
    bool on_mesh = false;
    CrowdWorld world{};
    NarrowPlaces places;
    PlaceFinder finder;
    std::optional<Crowd> crowd;
    std::optional<Crowd> twin;
    MovedMap map;
    double height = 2.0;
    double places_radius = 0.0;
    int calm = 0;  ///< updates since a unit was last sent with a group, whose seats are then looked for
    std::vector<Known> units;
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> clear_of;  ///< pairs that never touch again
    Scratch scratch;
    Tally* tally;
};

std::string Player::clear() {
    units.clear();
    clear_of.clear();
    crowd.reset();
    twin.reset();
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a crowd";
}

void Player::build_world() {
    if (!on_mesh) {
        tiles.emplace(grid->state());
        world = tiles->world();
        return;
    }
    GridMeshOptions options;
    options.radius_max = 2.5;
    Result<NavMesh> made = make_grid_mesh(grid->state(), options);
    mesh.reset();
    world = {};
    if (!made) return;
    mesh.emplace(std::move(*made));
    level.emplace(mesh->state());
    world = level->world();
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    map = moved_map_of(step);
    on_mesh = step.has("mesh");
    grid.emplace(*Grid::make({.width = map.width, .height = map.height}, map.tiles));
    build_world();
    CrowdOptions options;
    options.keep = static_cast<KeepSide>(std::clamp(step.whole("keep"), 0, 2));
    options.seed = step.count("seed");
    options.height = height = step.number("height", 2.0);
    Result<Crowd> other = Crowd::make(options);
    options.allocator = memory.allocator();
    Result<Crowd> made = Crowd::make(options);
    if (made.has_value() != (height > 0.0 && std::isfinite(height))) return "refused: options of a crowd";
    if (!made) return "";
    crowd.emplace(std::move(*made));
    twin.emplace(std::move(*other));
    return "";
}

std::string Player::find_places(double radius) {
    places_radius = radius;
    if (!(radius > 0.0)) {
        return crowd->set_places(nullptr) && twin->set_places(nullptr) ? "" : "refused: no narrow places";
    }
    const TileWalls walls(grid->state(), {.radius = radius});
    Result<NarrowPlaces> found = finder.find(walls.options(), walls.rows());
    if (!found) return "refused: narrow places";
    places = std::move(*found);
    return crowd->set_places(&places) && twin->set_places(&places) ? "" : "refused: narrow places";
}

/// What is in the way of its stop by no fault of its own is excused.
void Player::excuse() {
    for (Known& unit : units) {
        unit.now = crowd->unit(unit.id);
        unit.free = is_free(unit);
    }
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const Known &a = units[i], &b = units[k];
            const double both = a.body.radius + b.body.radius;
            clear_of[{a.id.value, b.id.value}] = !a.body.driven && !b.body.driven && meet(a, b) &&
                                                 lines_apart(at_of(a.now), stop_of(a), at_of(b.now),
                                                             stop_of(b)) >= both * (1.0 - 0.5 * kSlack);
        }
    }
}

std::string Player::add(const CrowdUnit& body, const Place& at, const Step& step) {
    if (units.size() >= kUnitsMax) return "";
    const std::uint64_t before = crowd->digest();
    if (step.has("starve")) memory.fail_after(static_cast<std::int64_t>(step.count("starve")) % 6, true);
    Result<UnitId> id = crowd->add(body, at);
    if (memory.feed()) {
        ++tally->starved;
        if (id || id.error().code != ErrorCode::out_of_memory) return "starved: an add";
        if (crowd->digest() != before) return "starved: a failed add has changed something";
        id = crowd->add(body, at);
    }
    const Result<UnitId> other = twin->add(body, at);
    const bool good = good_body(body) && finite(ground(at.position)) && std::isfinite(at.position.z);
    if (id.has_value() != good || other.has_value() != good) {
        return good ? std::string("refused: a unit, ") + error_name(id.error().code) : "taken: a bad unit";
    }
    if (!good) {
        ++tally->refused;
        return crowd->digest() == before ? "" : "refused: a bad unit has changed something";
    }
    if (*id != *other) return "differs: the ids of new units";
    units.push_back({*id, body, {}, {}, false, false, false});
    excuse();
    return "";
}

CrowdUnit body_of(const Step& step) {
    const std::vector<double> b = step.numbers("body");
    CrowdUnit body;
    body.radius = item(b, 0, 0.4);
    body.limits = SpeedLimits::only(item(b, 1, 1.5));
    body.limits.accel_max = item(b, 2, kInf);
    body.limits.brake_max = item(b, 3, kInf);
    body.limits.lateral_accel_max = item(b, 4, kInf);
    body.driven = step.has("driven");
    return body;
}

Vec2 point(const std::vector<double>& p, std::size_t at = 0) { return {item(p, at), item(p, at + 1)}; }

Place place_at(Vec2 p, double z = 0.0) {
    Place place;
    place.position = {p.x, p.y, z};
    return place;
}

/// Many small ones wherever there is room.
std::string Player::swarm(const Step& step) {
    Rng rng(step.count("seed"));
    CrowdUnit body;
    body.radius = std::clamp(step.number("radius", 0.1), 0.01, 1.0);
    body.limits.accel_max = body.limits.brake_max = body.limits.lateral_accel_max =
        step.number("accel", kInf);
    body.limits.speed_max = 1.5;
    if (!good_body(body)) return "";
    const std::vector<double> to = step.numbers("to");
    for (std::uint64_t i = std::min<std::uint64_t>(step.count("n"), 100); i > 0; --i) {
        Vec2 p{};
        p.x = rng.unit() * map.width;
        p.y = rng.unit() * map.height;
        bool room = map.to_walls(p, p, body.radius) >= body.radius;
        for (const Known& unit : units)
            room = room && distance(p, at_of(unit.now)) > unit.body.radius + body.radius;
        if (!room || units.size() >= kUnitsMax) continue;
        std::string bad = add(body, place_at(p), Step{});
        if (bad.empty()) {
            bad = send_one(units.back(), point(to), static_cast<std::uint32_t>(step.count("group")), false,
                           Step{});
        }
        if (!bad.empty()) return bad;
    }
    return "";
}

std::string Player::along(Known& unit, const Route& route, const CrowdGoal& goal, bool again,
                          const Step& step) {
    if (goal.group != 0) calm = 0;
    const std::uint64_t before = crowd->digest();
    const auto tell = [&](Crowd& to) {
        return again ? to.reroute(unit.id, route) : to.send(unit.id, route, goal);
    };
    if (step.has("starve")) memory.fail_after(static_cast<std::int64_t>(step.count("starve")) % 6, true);
    Result<void> sent = tell(*crowd);
    if (memory.feed()) {
        ++tally->starved;
        if (sent || sent.error().code != ErrorCode::out_of_memory) return "starved: a send";
        if (crowd->digest() != before) return "starved: a failed send has changed something";
        sent = tell(*crowd);
    }
    const Result<void> other = tell(*twin);
    if (sent.has_value() != other.has_value()) return "differs: one of two sends is refused";
    bool good = !unit.body.driven && is_finite(route.end.position);
    for (const Leg& leg : route.legs)
        good = good && is_finite(leg.start.position) && std::isfinite(leg.length);
    if (sent.has_value() != good) return good ? "refused: a send" : "taken: a bad route";
    if (!good) {
        ++tally->refused;
        return "";
    }
    ++tally->routes;
    unit.goal = ground(route.end.position);
    unit.group = again ? unit.group : goal.group != 0;
    unit.sent = true;
    unit.now = crowd->unit(unit.id);
    return unit.now.state == UnitState::moving ? "" : "status: a unit that was sent is not on its way";
}

std::string Player::send_one(Known& unit, Vec2 to, std::uint32_t group, bool again, const Step& step) {
    Route route;
    const std::vector<double> way = step.numbers("way");
    if (!step.has("way") && finite(to)) {
        GridQuery query{.start = at_of(unit.now), .goal = to, .partial = true};
        query.agent.radius = std::min(unit.body.radius, 4.0);
        const Result<void> found = find_route_into(grid->state(), query, scratch, route);
        if (!found || !has_way(route)) return "";
    } else {
        for (std::size_t i = 0; i < way.size() + 2; i += 2) {
            Leg leg;
            leg.start = place_at(i == 0 ? at_of(unit.now) : point(way, i - 2));
            const Vec2 next = i < way.size() ? point(way, i) : to;
            leg.length = finite(next) ? distance(ground(leg.start.position), next) : 0.0;
            if (!route.legs.push_back(leg)) return "";
        }
        route.end = place_at(to);
    }
    return along(unit, route, {group}, again, step);
}

std::string Player::send(const Step& step) {
    Known* unit = named(step);
    if (unit == nullptr) return "";
    return send_one(*unit, point(step.numbers("to")), static_cast<std::uint32_t>(step.count("group")),
                    step.verb == "reroute", step);
}

std::string Player::update(double seconds, const Step& step, bool first) {
    const std::uint64_t before = crowd->digest();
    const std::int64_t calls = memory.calls;
    if (first && step.has("starve")) {
        memory.fail_after(static_cast<std::int64_t>(step.count("starve")) % 6, step.has("once"));
    }
    Result<void> done = crowd->update(seconds, world);
    if (memory.feed()) {
        ++tally->starved;
        if (done || done.error().code != ErrorCode::out_of_memory) return "starved: an update";
        if (crowd->digest() != before) return "starved: a failed update has changed something";
        done = crowd->update(seconds, world);
    }
    const bool good = seconds >= kSecondsMin && seconds <= 1.0;
    if (done.has_value() != good) return good ? "refused: an update" : "taken: bad seconds";
    const Result<void> other = twin->update(seconds, world, {&run_backwards, nullptr});
    if (other.has_value() != good) return "differs: one of two updates is refused";
    if (!good) {
        ++tally->refused;
        return crowd->digest() == before ? "" : "refused: a bad update has changed something";
    }
    constexpr int kUntilSeated = 120;
    if (!first && ++calm > kUntilSeated && memory.calls != calls) return "memory: a warm update allocates";
    ++tally->repeated;
    if (crowd->digest() != twin->digest()) return "differs: the digests of two crowds";
    return judge(seconds);
}

std::string Player::tick(const Step& step) {
    const std::uint64_t count = std::min<std::uint64_t>(step.count("n", 1), 200);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string bad = update(step.number("seconds", 1.0 / 30.0), step, i == 0);
        if (!bad.empty()) return bad + ", tick " + std::to_string(i);
    }
    return "";
}

std::string name_of(const Known& unit, std::size_t i) {
    const auto pair = [](Vec2 v) { return "(" + number_text(v.x) + ", " + number_text(v.y) + ")"; };
    return "unit " + std::to_string(i) + " of radius " + number_text(unit.body.radius) + " at " +
           pair(at_of(unit.now)) + " with " + pair(ground(unit.now.velocity));
}

std::string Player::judge_moves(const Known& unit, const UnitView& was, double seconds) const {
    const SpeedLimits& limits = unit.body.limits;
    const Vec2 v = ground(unit.now.velocity), u = ground(was.velocity);
    const double speed = length(v), before = length(u);
    const double round = kSlack * limits.speed_max;
    if (!finite(at_of(unit.now)) || !finite(v)) return "limits: not finite";
    if (speed > limits.speed_max + round) return "limits: speed " + number_text(speed);
    if (speed - before > limits.accel_max * seconds + round) return "limits: speeds up too much";
    if (before - speed > limits.brake_max * seconds + round) return "limits: brakes too hard";
    if (before > 0.0 && std::abs(cross(u, v)) / before > limits.lateral_accel_max * seconds + round) {
        return "limits: turns too hard";
    }
    const double size = std::max({1.0, std::abs(at_of(was).x), std::abs(at_of(was).y)});
    if (distance(at_of(unit.now), at_of(was) + v * seconds) > kSlack * size) return "limits: it jumps";
    if (!unit.sent && unit.now.state != UnitState::idle) return "status: a unit that was not sent";
    const bool came = unit.now.state == UnitState::arrived && was.state != UnitState::arrived;
    if (came && !unit.group && distance(at_of(unit.now), unit.goal) > unit.body.radius + kSlack * size) {
        return "status: arrived elsewhere";
    }
    return "";
}

std::string Player::judge_pairs() {
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const Known &a = units[i], &b = units[k];
            bool& clear = clear_of[{a.id.value, b.id.value}];
            if (a.body.driven || b.body.driven || !meet(a, b)) {
                clear = false;
                continue;
            }
            const double both = a.body.radius + b.body.radius;
            const double gap = distance(at_of(a.now), at_of(b.now)) - both;
            if (clear && gap < -kSlack * std::max(both, 1.0)) {
                return "overlap: " + name_of(a, i) + " and " + name_of(b, k) + " by " + number_text(-gap);
            }
            if (gap < 0.0) continue;
            clear = clear || lines_apart(at_of(a.now), stop_of(a), at_of(b.now), stop_of(b)) >= both;
        }
    }
    return "";
}

std::string Player::judge(double seconds) {
    ++tally->judged;
    ++tally->verified;
    for (std::size_t i = 0; i < units.size(); ++i) {
        Known& unit = units[i];
        const UnitView was = unit.now;
        unit.now = crowd->unit(unit.id);
        if (unit.body.driven) continue;
        const std::string bad = judge_moves(unit, was, seconds);
        if (!bad.empty()) return bad + ", " + name_of(unit, i);
        const double reach = unit.body.radius;
        if (unit.free) {
            const double near = map.to_walls(at_of(was), at_of(unit.now), reach);
            if (near < reach - kSlack * std::max(reach, 1.0)) {
                return "wall: " + name_of(unit, i) + " by " + number_text(reach - near);
            }
        } else {
            unit.free = is_free(unit);
        }
    }
    return judge_pairs();
}

std::string Player::play(const Step& step) {
    if (step.verb == "make") return make(step);
    if (!crowd) return "";
    if (step.verb == "tick") return tick(step);
    if (step.verb == "add") {
        const double z = on_mesh ? 0.0 : step.number("z");  // above a mesh there is nothing
        return add(body_of(step), place_at(point(step.numbers("at")), z), step);
    }
    if (step.verb == "swarm") return swarm(step);
    if (step.verb == "send" || step.verb == "reroute") return send(step);
    if (step.verb == "places") return find_places(step.number("radius"));
    if (step.verb == "fill") {
        const std::vector<double> r = step.numbers("rect");
        const auto whole = [&](std::size_t i) { return std::clamp(to_whole(item(r, i)), -100, 100); };
        const std::uint8_t tile = step.has("free") ? 1 : 0;
        map.fill(whole(0), whole(1), whole(2), whole(3), tile);
        grid.reset();
        grid.emplace(*Grid::make({.width = map.width, .height = map.height}, map.tiles));
        build_world();
        const std::string bad = find_places(places_radius);
        excuse();
        return bad;
    }
    Known* unit = named(step);
    if (unit == nullptr) return "";
    const UnitId id = unit->id;
    bool one = false, other = false, expected = true;
    if (step.verb == "remove") {
        one = crowd->remove(id);
        other = twin->remove(id);
        if (crowd->contains(id) || crowd->remove(id)) return "status: a removed unit is still there";
        units.erase(units.begin() + (unit - units.data()));
    } else if (step.verb == "stop") {
        one = crowd->stop(id);
        other = twin->stop(id);
        unit->sent = false;
    } else if (step.verb == "relocate") {
        const Place to = place_at(point(step.numbers("at")));
        one = crowd->relocate(id, to);
        other = twin->relocate(id, to);
        expected = is_finite(to.position);
    } else if (step.verb == "drive") {
        const Place to = place_at(point(step.numbers("at")));
        const Vec2 v = point(step.numbers("velocity"));
        one = crowd->drive(id, to, {v.x, v.y, 0.0});
        other = twin->drive(id, to, {v.x, v.y, 0.0});
        expected = unit->body.driven && is_finite(to.position) && finite(v);
    }
    if (one != expected || other != expected) return "refused: " + step.verb;
    excuse();
    return crowd->size() == units.size() ? "" : "status: the number of units";
}

}  // namespace

std::string play_crowd_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
