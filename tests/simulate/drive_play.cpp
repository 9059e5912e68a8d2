// The library's side of turning units: plays a script on a DriveMap over tiles, the one call, and a mesh of the same tiles.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/drive/repair.h>
#include <fairlead/math/contact.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify_mesh.h>

#include "simulate/drive_near.h"
#include "simulate/grid_world.h"
#include "simulate/routes.h"
#include "simulate/searches.h"
#include "simulate/starved.h"
#include "support/driven_by.h"

namespace fairlead::simulate {

using oracle::World;

namespace {

const Agent kUnits[] = {
    {.radius = 0.3, .turning_radius = 1.2, .can_reverse = true},
    {.radius = 0.4, .turning_radius = 1.0},
    {.shape = BodyShape::box,
     .length = 1.4,
     .width = 0.8,
     .axle_offset = 0.3,
     .turning_radius = 1.5,
     .can_reverse = true},
    {.radius = 0.3, .turning_radius = 1.0, .can_pivot = true},
    {.radius = 0.2,
     .shape = BodyShape::capsule,
     .length = 1.0,
     .turning_radius = 1.3,
     .can_reverse = true,
     .can_pivot = true},
    {.radius = 0.8, .turning_radius = 2.0, .can_reverse = true},
};

/// Made once for all scripts: a table is the same whenever it is made.
const DriveTable* table_of(const Step& step) {
    static std::map<std::tuple<int, int, int>, Result<DriveTable>> made;
    const int unit = static_cast<int>(static_cast<std::uint32_t>(step.whole("unit")) % std::size(kUnits));
    const int headings = step.whole("headings", 8);
    const int nodes = std::clamp(step.whole("nodes"), 0, 3);
    const auto key = std::make_tuple(unit, headings, nodes);
    if (made.count(key) == 0) {
        made.emplace(key, DriveTable::make({.agent = kUnits[unit],
                                            .headings = headings,
                                            .stretch = 1.05,
                                            .nodes = static_cast<DriveNodes>(nodes)}));
    }
    const Result<DriveTable>& table = made.at(key);
    return table ? &*table : nullptr;
}

DriveQuery query_of(const Step& step) {
    const auto pose = [&](const char* key) {
        const std::vector<double> p = step.numbers(key);
        return Pose{{item(p, 0), item(p, 1)}, item(p, 2)};
    };
    // 0: the heading exactly, from 128 on any, else so many parts of half a turn to either side.
    const auto spot = [&](const char* key, const char* spread) {
        const Spot exact = pose(key);
        const auto parts = static_cast<std::uint32_t>(step.whole(spread));
        if (parts == 0) return exact;
        return parts >= 128 ? exact.any_heading() : exact.facing(exact.heading_rad, parts * kPi / 128.0);
    };
    DriveQuery query{.start = spot("start", "start_headings"), .goal = spot("goal", "goal_headings")};
    const double range = step.number("goal_range");
    if (range != 0.0) query.goal = Goal::within(query.goal.at, range);
    query.epsilon = step.number("epsilon", 1.4);
    query.reverse_penalty = step.number("reverse_penalty", 1.5);
    query.cusp_penalty = step.number("cusp_penalty", 1.0);
    query.pivot_penalty = step.number("pivot_penalty", 2.0);
    query.expansions_max = step.count("budget", 3000);
    query.planner = static_cast<DrivePlanner>(static_cast<std::uint32_t>(step.whole("planner")) % 3);
    if (step.has("article")) query.heuristic = DriveHeuristic::article;
    query.goal_curves = !step.has("no_goal_curves");
    query.smooth = !step.has("no_smooth");
    query.off_lattice_max = step.count("off_lattice");
    query.partial = step.has("partial");
    const std::vector<double> start = step.numbers("start"), goal = step.numbers("goal");
    if (start.size() > 3) query.start = query.start.on_layer(to_whole(start[3]));
    if (goal.size() > 3) query.goal = query.goal.on_layer(to_whole(goal[3]));
    return query;
}

bool good_blocker(const World& world, const Blocker& blocker) {
    if (!blocker.box.empty() || !is_finite(blocker.box.low) || !is_finite(blocker.box.high))
        return is_finite(blocker.box.low) && is_finite(blocker.box.high);
    const double slack = tile_contact_slack(world.origin, world.cell_size, world.width, world.height);
    return is_finite(blocker.centre) && blocker.radius >= 0 &&
           blocker.radius <= contact_reach(slack) * world.cell_size;
}

bool good_query(const World& world, const DriveQuery& query) {
    for (const Blocker& blocker : query.blockers) {
        if (!good_blocker(world, blocker)) return false;
    }

    const auto finite = [](const Spot& p) {
        return std::isfinite(p.position.x) && std::isfinite(p.position.y) && std::isfinite(p.heading_rad);
    };
    const auto in = [](double value, double low, double high) { return value >= low && value <= high; };
    return finite(query.start) && finite(query.goal.at) && query.goal.range >= 0 &&
           std::isfinite(query.goal.range) && in(query.epsilon, 1, 100) &&
           in(query.reverse_penalty, 1, 1000) && query.cusp_penalty >= 0 &&
           std::isfinite(query.cusp_penalty) && query.pivot_penalty >= 0 &&
           std::isfinite(query.pivot_penalty);
}

/// A route that only stands there: what verify says of it is whether the body fits.
Route standing(const Pose& pose, std::int32_t layer, std::uint64_t revision) {
    Route route;
    route.status = PathStatus::complete;
    route.revision = revision;
    route.end.position = {pose.position.x, pose.position.y, 0.0};
    route.end.heading_rad = math::wrap_pi(pose.heading_rad);
    route.end.layer = layer;
    return route;
}

struct DriveAsk {
    DriveQuery query{};
    std::vector<Blocker> blockers{};
    [[nodiscard]] DriveQuery bind() const {
        DriveQuery out = query;
        out.blockers = blockers;
        return out;
    }
};

DriveAsk ask_of_drive(const Step& step) { return {query_of(step), blockers_of(step)}; }

/// Edits end all searches: no other revision is in flight.
struct NoModel {};

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    ~Player() { clear(); }
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string clear();
    std::string make(const Step& step);
    bool ask_across(Route& route);
    std::string fill(const Step& step);
    std::string query(const Step& step);
    std::string one_call(const Step& step);
    [[nodiscard]] std::string revalidate_and_repair(const DriveQuery& query, const Route& found);
    std::string over_mesh(const Step& step);
    std::string rebuild(const Step& step);
    std::string save();
    std::string judge(const DriveQuery& query, const Result<void>& done, const Route& route);
    [[nodiscard]] std::string judge_ends(const DriveQuery& query, const Route& route) const;

    TestAllocator memory;  ///< the map's
    World tiles;
    std::optional<Grid> grid;
    const DriveTable* table = nullptr;
    std::optional<DriveMap> map;
    Scratch scratch;
    Flights<DriveSearch, DriveMapSnapshot, NoModel, DriveAsk> flights;
    Tally* tally;
};

std::string Player::clear() {
    flights.clear();
    map.reset();
    grid.reset();
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a map";
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    tiles = world_of(step);
    tiles.cell_size = 1.0;
    tiles.origin = {};
    tiles.wrap_x = tiles.wrap_y = false;
    table = table_of(step);
    Result<Grid> made = Grid::make(tiles.options(), tiles.tiles);
    if (!made || table == nullptr) return "";
    grid.emplace(std::move(*made));
    Result<DriveMap> mapped = make_drive_map(*grid, *table, {.allocator = memory.allocator()});
    if (mapped) map.emplace(std::move(*mapped));
    return "";
}

// From corner to corner, whatever is there.
bool Player::ask_across(Route& route) {
    const DriveQuery asked{.start = {{0.5, 0.5}, 0.0},
                           .goal = {{tiles.width - 0.5, tiles.height - 0.5}, 0.0},
                           .expansions_max = 500};
    return find_route_into(*map, asked, scratch, route).has_value();
}

std::string Player::fill(const Step& step) {
    const std::vector<double> r = step.numbers("rect");
    const CellRect rect{{to_whole(item(r, 0)), to_whole(item(r, 1))},
                        {to_whole(item(r, 2)), to_whole(item(r, 3))}};
    flights.clear();  // no search may be under way
    if (!grid->fill(rect, static_cast<std::uint8_t>(std::clamp(step.whole("tile"), 0, 9)))) return "";
    Result<void> done;
    Route before;
    if (step.has("starve") && !ask_across(before)) return "edit: no answer";
    const auto same = [&] {
        Route after;
        return ask_across(after) && route_difference(before, after).empty();
    };
    const std::string starved = starve_edit(
        step, *tally, memory, [&] { return update_drive_map(*map, *grid); }, same, done);
    if (!starved.empty()) return starved;
    // The index of what is joined may have found no memory; the next update makes it.
    if (step.has("starve")) done = update_drive_map(*map, *grid);
    return done ? "" : "edit: the map is not updated";
}

std::string Player::judge_ends(const DriveQuery& query, const Route& route) const {
    const Agent& unit = table->options().agent;
    const std::uint64_t revision = grid->state().revision();
    const auto fits = [&](const Pose& pose, std::int32_t layer) {
        return !verify(standing(pose, layer, revision), *grid, unit,
                       {.blockers = query.blockers, .check_revision = false});
    };
    const Spot& goal = query.goal.at;
    const std::int32_t from = query.start.layer, to = goal.layer;
    const auto exact = [](const Spot& spot) { return spot.has_heading && spot.heading_tolerance_rad == 0.0; };
    const auto is_there = [&](std::int32_t layer) { return layer >= 0 && layer < tiles.layers; };
    if (!is_there(from) || !is_there(to)) {
        // The start is looked at first.
        const bool blocked = is_there(from) && route.status == PathStatus::start_blocked;
        return blocked || route.status == PathStatus::off_world ? "" : "status: no such floor";
    }
    const auto inside = [&](Vec2 p) {
        return p.x >= 0 && p.y >= 0 && p.x < tiles.width && p.y < tiles.height;
    };
    if (exact(query.start) && inside(query.start.ground())) {
        const bool blocked = route.status == PathStatus::start_blocked;
        if (blocked && fits(query.start.pose(), from)) return "status: start_blocked where the body fits";
        if (has_way(route) && !fits(query.start.pose(), from))
            return "status: a way from where the body does not fit";
    }
    if (exact(goal) && query.goal.kind == Goal::Kind::point && inside(goal.ground())) {
        const bool blocked = route.status == PathStatus::goal_blocked;
        if (blocked && fits(goal.pose(), to)) return "status: goal_blocked where the body fits";
        if (route.status != PathStatus::complete) return "";
        const Vec2 end = ground(route.end.position);
        if (route.end.layer != to) return "wrong: it does not end on the goal's floor";
        if (distance(end, goal.ground()) > 1e-7) return "wrong: it does not end at the goal";
        const double off = math::wrap_pi(route.end.heading_rad - math::wrap_pi(goal.heading_rad));
        if (std::abs(off) > 1e-7) return "wrong: it does not end in the goal's heading";
    }
    return "";
}

std::string Player::judge(const DriveQuery& query, const Result<void>& done, const Route& route) {
    const bool good = good_query(tiles, query);
    if (!done) {
        ++tally->refused;
        return good ? std::string("refused: ") + error_name(done.error().code) + " index " +
                          std::to_string(done.error().index)
                    : "";
    }
    ++tally->answers;
    if (!good) return "accepted: a query out of its documented ranges";
    if (!has_way(route) && !route.legs.empty()) return "status: legs without a way";
    if (has_way(route)) {
        ++tally->routes;
        ++tally->verified;
        const Violation bad = verify(route, *grid, table->options().agent, {.blockers = query.blockers});
        if (bad) return std::string("illegal: ") + bad.text().c_str();
    }
    ++tally->judged;
    if (!query.partial && (route.status == PathStatus::partial ||
                           (route.status == PathStatus::budget_spent && !route.legs.empty())))
        return "status: legs of a way that does not arrive, unasked";
    return judge_ends(query, route);
}

std::string Player::query(const Step& step) {
    const DriveAsk ask = ask_of_drive(step);
    const DriveQuery query = ask.bind();
    Asked asked;
    const std::string differs =
        ask_every_way<DriveSearch>(step, *tally, map->acquire(), query, scratch, asked);
    if (!differs.empty()) return differs;
    const std::string wrong = judge(query, asked.done, asked.route);
    if (!wrong.empty() || !asked.done) return wrong;
    const std::string revised = revalidate_and_repair(query, asked.route);
    if (!revised.empty() || asked.route.status != PathStatus::partial) return revised;
    return judge_nearest(*map, query, asked.route, scratch);
}

// As it is found, it is legal; of what was found without the blockers, repair makes what is legal beside them.
std::string Player::revalidate_and_repair(const DriveQuery& query, const Route& found) {
    if (!has_way(found)) return "";
    Route route = copy_route(found);
    const Result<Revalidation> still = revalidate(*map, route, query, scratch);
    if (!still) return "revalidate: an error";
    if (!still->legal) return "revalidate: illegal as found";
    if (query.blockers.empty()) return "";
    DriveQuery plain = query;
    plain.blockers = {};
    if (!find_route_into(*map, plain, scratch, route) || !has_way(route)) return "";
    if (!repair(*map, route, query, scratch)) return "repair: an error";
    if (!has_way(route)) return route.legs.empty() ? "" : "repair: legs without a way";
    ++tally->verified;
    const Violation bad = verify(route, *grid, table->options().agent, {.blockers = query.blockers});
    return bad ? std::string("repair: illegal, ") + bad.text().c_str() : "";
}

std::string Player::one_call(const Step& step) {
    const DriveAsk ask = ask_of_drive(step);
    DriveQuery asked = ask.bind();
    asked.agent = table->options().agent;
    Route route;
    const Result<void> done = find_route_into(*grid, asked, scratch, route, {.refine = step.has("refine")});
    Scratch fresh;
    Route again;
    const Result<void> then = find_route_into(*grid, asked, fresh, again, {.refine = step.has("refine")});
    ++tally->repeated;
    if (done.has_value() != then.has_value()) return "differs: only one of warm and fresh is an error";
    const std::string differs = done ? route_difference(route, again) : "";
    if (!differs.empty()) return "differs: warm and fresh, " + differs;
    const std::string starved =
        starve_route(step, *tally, done, route, [&](bool, Scratch& memory_of, Route& out) {
            return find_route_into(*grid, asked, memory_of, out, {.refine = step.has("refine")});
        });
    if (!starved.empty()) return starved;
    return judge(asked, done, route);
}

// On a mesh: nothing but what must be.
std::string judge_partial(const MeshDriveQuery& query, const Route& route) {
    if (route.status != PathStatus::partial) return "";
    const Vec2 goal = query.goal.at.ground();
    const double rest = distance(ground(route.end.position), goal);
    if (rest > distance(query.start.ground(), goal)) return "partial: on the mesh it leads away";
    const bool stays = ground(route.end.position) == query.start.ground();
    return route.legs.empty() && !stays ? "partial: on the mesh, no legs, and it ends elsewhere" : "";
}

// A way on a mesh begins and ends in headings that were asked for, at the goal or within its range.
std::string judge_mesh_ends(const MeshDriveQuery& query, const Route& route) {
    if (route.status != PathStatus::complete) return "";
    const auto faces = [](const Spot& asked, double heading) {
        const double off = math::wrap_pi(heading - math::wrap_pi(asked.heading_rad));
        return !asked.has_heading || std::abs(off) <= asked.heading_tolerance_rad + 1e-7;
    };
    const Place first = route.legs.empty() ? route.end : route.legs[0].start;
    if (distance(ground(first.position), query.start.ground()) > 1e-7) return "wrong: it starts elsewhere";
    if (!faces(query.start, first.heading_rad)) return "wrong: it starts in another heading";
    const double off = distance(ground(route.end.position), query.goal.at.ground());
    if (query.goal.kind == Goal::Kind::within && query.goal.range > 0.0)
        return off > query.goal.range + 1e-6 ? "wrong: it ends out of the goal's range" : "";
    if (off > 1e-7) return "wrong: it does not end at the goal";
    return faces(query.goal.at, route.end.heading_rad) ? "" : "wrong: it ends in another heading";
}

std::string Player::over_mesh(const Step& step) {
    if (tiles.layers > 1) return "";  // portals are links there, which drives on meshes do not take
    const DriveQuery asked = query_of(step);
    const Agent& unit = table->options().agent;
    Result<NavMesh> mesh = make_grid_mesh(*grid, {.radius_max = 0.0, .landmarks = 2});
    if (!mesh) return "";
    MeshDriveQuery query{.agent = unit};
    query.start = asked.start;
    query.goal = asked.goal;
    query.start.has_layer = query.goal.at.has_layer = false;
    query.planner = asked.planner;
    query.epsilon = asked.epsilon;
    query.reverse_penalty = asked.reverse_penalty;
    query.cusp_penalty = asked.cusp_penalty;
    query.pivot_penalty = asked.pivot_penalty;
    query.expansions_max = asked.expansions_max;
    query.smooth = asked.smooth;
    query.partial = asked.partial;
    Asked on_mesh;
    const std::string differs = ask_every_way<MeshDriveSearch>(step, *tally, mesh->acquire(),
                                                               driven_by(*table, query), scratch, on_mesh);
    if (!differs.empty()) return differs + ", on the mesh";
    const Route& route = on_mesh.route;
    if (!on_mesh.done) return "";
    ++tally->answers;
    if (!has_way(route)) return route.legs.empty() ? "" : "status: mesh, legs without a way";
    ++tally->routes;
    ++tally->verified;
    const Violation bad = verify(route, *mesh, unit);
    if (bad) return std::string("illegal: on the mesh, ") + bad.text().c_str();
    const std::string wrong = judge_mesh_ends(query, route);
    return wrong.empty() && query.partial ? judge_partial(query, route) : wrong;
}

// A map brought up to date by edits is one made anew.
std::string Player::rebuild(const Step& step) {
    Result<DriveMap> fresh = make_drive_map(*grid, *table);
    if (!fresh) return "rebuilt: no map";
    const DriveQuery asked{.start = {{0.5, 0.5}, 0.0},
                           .goal = {{tiles.width - 0.5, tiles.height - 0.5}, 0.0},
                           .expansions_max = step.count("budget", 3000)};
    Route one;
    Route two;
    Scratch other;
    const Result<void> done = find_route_into(*map, asked, scratch, one);
    const Result<void> then = find_route_into(*fresh, asked, other, two);
    if (!done || !then) return "rebuilt: an error";
    ++tally->repeated;
    const std::string differs = route_difference(one, two);
    return differs.empty() ? "" : "rebuilt: " + differs;
}

std::string Player::save() {
    Array<std::uint8_t> bytes;
    if (!table->save(bytes)) return "save: an error";
    const Result<DriveTable> loaded = DriveTable::load(bytes);
    if (!loaded) return "save: what is saved is not loaded";
    Array<std::uint8_t> again;
    if (!loaded->save(again)) return "save: the second time an error";
    const bool same = bytes.size() == again.size() && std::equal(bytes.begin(), bytes.end(), again.begin());
    return same ? "" : "save: the bytes of what was loaded differ";
}

std::string Player::play(const Step& step) {
    const std::string& verb = step.verb;
    if (verb == "make") return make(step);
    if (!map) return "";
    if (verb == "query") return query(step);
    if (verb == "one_call") return one_call(step);
    if (verb == "mesh") return over_mesh(step);
    if (verb == "fill") return fill(step);
    if (verb == "search") flights.begin(step, *tally, map->acquire(), {}, ask_of_drive(step));
    if (verb == "step" || verb == "finish" || verb == "drop") {
        return flights.play(step, *tally, [&](auto& flight, const Asked& asked) {
            return judge(flight.ask.bind(), asked.done, asked.route);
        });
    }
    if (verb == "rebuild") return rebuild(step);
    if (verb == "save") return save();
    if (verb == "destroy") return clear();
    return "";
}

}  // namespace

std::string play_drive_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
