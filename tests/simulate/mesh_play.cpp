// The library's side of level meshes: plays a script on a NavMesh made from tiles, beside a model of tiles and boxes.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/mesh/save_mesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "simulate/grid_world.h"
#include "simulate/mesh_ask.h"
#include "simulate/mesh_surface.h"
#include "simulate/mesh_twin.h"
#include "simulate/routes.h"
#include "simulate/searches.h"
#include "simulate/starved.h"
#include "simulate/tile_ways.h"
#include "simulate/why.h"
#include "support/mesh_obstacles.h"

namespace fairlead::simulate {

using oracle::World;

namespace {

/// What the oracle knows of a revision.
struct Model {
    World tiles;
    std::map<std::int64_t, Box> boxes;  ///< obstacles along the axes, in cells
    bool known = true;                  ///< nothing is there that the oracle does not know
    bool links = false;
};

struct Frozen {
    NavMeshSnapshot snapshot;
    Model model;
};

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string clear();
    std::string make(const Step& step);
    std::string edit(const Step& step);
    std::string starved_edit(const Step& step, const std::function<Result<void>()>& edit, Result<void>& done);
    std::string fill(const Step& step);
    std::string query(const Step& step);
    std::string routes(const Step& step);
    std::string save(const Step& step);
    std::string revalidate_last(const Step& step);
    std::string repair_last(const Step& step);
    std::string why(const Step& step);
    std::string judge(const NavMeshState& state, const Model& as, const MeshQuery& query,
                      const Result<void>& done, const Route& route);
    std::string judge_length(const Model& as, const MeshQuery& query, const Route& route) const;
    [[nodiscard]] const Frozen* frozen_of(const Step& step) const;

    TestAllocator memory;  ///< the mesh's
    Model model;
    std::optional<Grid> grid;
    std::optional<NavMesh> mesh;
    MeshTwin twin;
    GridMeshOptions options;
    Scratch scratch;
    PolygonScratch polygon_scratch;
    Frozen frozen[kSlots];
    Flights<MeshSearch, NavMeshSnapshot, Model, MeshAsk> flights;
    Route last;
    MeshAsk last_ask;
    bool has_last = false;
    Tally* tally;
};

std::string Player::clear() {
    flights.clear();
    for (Frozen& one : frozen) one.snapshot.release();
    mesh.reset();
    grid.reset();
    has_last = false;
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a mesh";
}

std::string Player::starved_edit(const Step& step, const std::function<Result<void>()>& edit,
                                 Result<void>& done) {
    const std::vector<double> before = step.has("starve") ? testing::shape_of(*mesh) : std::vector<double>{};
    const std::uint64_t revision = mesh->state().revision();
    const std::size_t obstacles = mesh->obstacles();
    const auto same = [&] {
        return mesh->state().revision() == revision && mesh->obstacles() == obstacles &&
               testing::shape_of(*mesh) == before;
    };
    return starve_edit(step, *tally, memory, edit, same, done);
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    twin.reset();
    model = {};
    model.tiles = world_of(step);
    Result<Grid> made = Grid::make(model.tiles.options(), model.tiles.tiles);
    if (!made) return "";
    grid.emplace(std::move(*made));
    options = {.tile_cells = step.whole("tile_cells"),
               .layer_height = 10.0,
               .radius_max = step.number("radius_max"),
               .landmarks = static_cast<std::uint32_t>(std::clamp(step.whole("landmarks", 4), 0, 16)),
               .allocator = memory.allocator()};
    Result<NavMesh> meshed = make_grid_mesh(*grid, options);
    if (meshed) mesh.emplace(std::move(*meshed));
    return "";
}

const Frozen* Player::frozen_of(const Step& step) const {
    const auto slot = static_cast<std::size_t>(step.whole("on", -1));
    return slot < kSlots && frozen[slot].snapshot.held() ? &frozen[slot] : nullptr;
}

std::string Player::edit(const Step& step) {
    const std::uint64_t revision = mesh->state().revision();
    const MeshEdit change = mesh_edit_of(step);
    Result<void> done;
    const std::string starved = starved_edit(
        step,
        [&] {
            return mesh->apply({&change, 1});
        },
        done);
    if (!starved.empty()) return starved;
    if (!done) return mesh->state().revision() == revision ? "" : "edit: a refused edit made a revision";
    twin.edited(change);
    const bool links = change.kind >= MeshEdit::Kind::add_link;
    model.links = model.links || links;
    if (links) return "";
    model.boxes.erase(change.id);
    if (change.kind == MeshEdit::Kind::remove) return "";
    // Only boxes along the axes that stand on all the floor's height are the oracle's.
    const MeshObstacle& o = change.obstacle;
    const bool plain = !step.has("pillar") && step.number("heading") == 0.0 && o.low <= -0.5 && o.high >= 1.0;
    if (!plain || model.tiles.layers > 1) {
        model.known = false;
        return "";
    }
    Box box{o.points[0], o.points[0]};
    for (std::uint32_t i = 0; i < o.count; ++i) {
        box.low = {std::min(box.low.x, o.points[i].x), std::min(box.low.y, o.points[i].y)};
        box.high = {std::max(box.high.x, o.points[i].x), std::max(box.high.y, o.points[i].y)};
    }
    const double scale = 1.0 / model.tiles.cell_size;
    model.boxes[change.id] = {(box.low - model.tiles.origin) * scale,
                              (box.high - model.tiles.origin) * scale};
    return "";
}

std::string Player::fill(const Step& step) {
    const std::vector<double> r = step.numbers("rect");
    const CellRect rect{{to_whole(item(r, 0)), to_whole(item(r, 1))},
                        {to_whole(item(r, 2)), to_whole(item(r, 3))},
                        to_whole(item(r, 4))};
    const auto tile = static_cast<std::uint8_t>(std::clamp(step.whole("tile"), 0, 9));
    if (options.tile_cells == 0 || rect.empty() || !grid->fill(rect, tile)) return "";
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            model.tiles.tiles[static_cast<std::size_t>(model.tiles.index({x, y, rect.layer}))] = tile;
        }
    }
    twin.forget();
    const std::int32_t side = options.tile_cells;
    for (std::int32_t y = std::max(rect.low.y - 1, 0) / side;
         y <= std::min(rect.high.y, model.tiles.height - 1) / side; ++y) {
        for (std::int32_t x = std::max(rect.low.x - 1, 0) / side;
             x <= std::min(rect.high.x, model.tiles.width - 1) / side; ++x) {
            GridTile made;
            const Result<void> cut = grid_tile_into(*grid, options, x, y, polygon_scratch, made);
            if (!cut) return std::string("edit: no tile, ") + error_name(cut.error().code);
            Result<void> set;
            const std::string starved = starved_edit(
                step, [&] { return mesh->set_tile(made.tile()); }, set);
            if (!starved.empty()) return starved;
            // An obstacle may be past what the tile can be cut with; the mesh keeps the old tile then.
            if (!set && mesh->obstacles() == 0) {
                return std::string("edit: the tile is refused, ") + error_name(set.error().code);
            }
            if (set) continue;
            model.known = false;
            twin.give_up();
        }
    }
    return "";
}

std::string Player::judge_length(const Model& as, const MeshQuery& query, const Route& route) const {
    const World& world = as.tiles;
    if (!as.known || as.links || world.cells() > 64 || query.goal.is_list()) return "";
    if (!query.filter.areas.empty()) return "";
    if (query.agent.radius != 0.0) return "";
    const auto floor_of = [](double z) { return static_cast<std::int32_t>(std::lround(z / 10.0)); };
    const std::int32_t layer = floor_of(query.start.position.z);
    if (layer != floor_of(query.goal.at.position.z) || layer < 0 || layer >= world.layers) return "";
    if (std::abs(query.start.position.z - 10 * layer) > 0.01 ||
        std::abs(query.goal.at.position.z - 10 * layer) > 0.01)
        return "";
    if (query.reach.above > 8 || query.reach.below > 8) return "";
    const auto in_cells = [&](Vec3 p) { return (ground(p) - world.origin) * (1.0 / world.cell_size); };
    const Vec2 from = in_cells(query.start.position);
    const Vec2 to = in_cells(query.goal.at.position);
    const GridQuery plain;
    const oracle::GridOracle tiles(world, plain);
    constexpr double kRoom = 1e-6;
    const auto shortest = [&](double grow) {
        std::vector<Box> boxes;
        for (const auto& [id, box] : as.boxes)
            boxes.push_back({box.low - Vec2{grow, grow}, box.high + Vec2{grow, grow}});
        return TileWays(tiles, layer, std::move(boxes)).shortest(from, to);
    };
    std::vector<Box> boxes;
    for (const auto& [id, box] : as.boxes) boxes.push_back(box);
    const TileWays ways(tiles, layer, boxes);
    if (!ways.clear_of_all(from, 10 * kRoom) || !ways.clear_of_all(to, 10 * kRoom)) return "";
    ++tally->judged;
    const double least = shortest(-kRoom) * world.cell_size;
    const double most = (as.boxes.empty() ? least : shortest(kRoom) * world.cell_size);
    const bool reaches = route.status == PathStatus::complete;
    if (!reaches && !std::isinf(most)) {
        return std::string("wrong: ") + status_name(route.status) + " where there is a way of " +
               number_text(most);
    }
    if (reaches && std::isinf(least)) return "wrong: complete where there is no way";
    if (reaches && route.length < least * (1 - 1e-9) - 1e-5 * world.cell_size) {
        return "wrong: length " + number_text(route.length) + " is below the shortest, " + number_text(least);
    }
    if (reaches && query.planner == MeshPlanner::any_angle &&
        route.length > most * (1 + 1e-9) + 1e-5 * world.cell_size) {
        return "wrong: length " + number_text(route.length) + " is above the shortest, " + number_text(most);
    }
    return "";
}

std::string Player::judge(const NavMeshState& state, const Model& as, const MeshQuery& query,
                          const Result<void>& done, const Route& route) {
    const bool good = good_mesh_query(query, options.radius_max);
    if (!done) {
        ++tally->refused;
        // Prices of areas need a corridor, and a corridor is for points.
        const bool priced = query.agent.radius > 0 && !query.filter.areas.factors.empty();
        if (!good || (priced && done.error().code == ErrorCode::unsupported)) return "";
        return std::string("refused: ") + error_name(done.error().code) + " index " +
               std::to_string(done.error().index);
    }
    ++tally->answers;
    if (!good) return "";
    if (route.status == PathStatus::budget_spent && query.expansions_max == UINT64_MAX) {
        return "status: budget_spent without a budget";
    }
    if (!has_way(route) && !route.legs.empty()) return "status: legs without a way";
    if (route.status == PathStatus::budget_spent && !query.partial && !route.legs.empty()) {
        return "status: budget_spent with legs that nobody asked for";
    }
    if (has_way(route)) {
        ++tally->routes;
        ++tally->verified;
        const Violation bad = verify(route, state, query.agent, {.filter = query.filter});
        if (bad) return std::string("illegal: ") + bad.text().c_str();
    }
    if (route.status == PathStatus::budget_spent) return "";
    return judge_length(as, query, route);
}

std::string Player::query(const Step& step) {
    const Frozen* old = frozen_of(step);
    const NavMeshSnapshot held = old != nullptr ? old->snapshot : mesh->acquire();
    const Model& as = old != nullptr ? old->model : model;
    MeshAsk ask = mesh_ask_of(step);
    Asked asked;
    const std::string differs = ask_every_way<MeshSearch>(step, *tally, held, ask.bind(), scratch, asked);
    if (!differs.empty() || asked.cancelled) return differs;
    std::string problem = judge(*held, as, ask.query, asked.done, asked.route);
    if (!problem.empty() || !asked.done) return problem;
    if (old == nullptr && good_mesh_query(ask.query, options.radius_max)) {
        problem = twin.judge(*grid, options, *held, ask.query, asked.route);
        if (!problem.empty()) return problem;
    }
    last = std::move(asked.route);
    last_ask = std::move(ask);
    has_last = true;
    return "";
}

std::string Player::routes(const Step& step) {
    const Frozen* old = frozen_of(step);
    const NavMeshState& state = old != nullptr ? *old->snapshot : mesh->state();
    MeshAsk ask = mesh_ask_of(step);
    const MeshQuery& query = ask.bind();
    std::vector<Route> each(ask.goals.size());
    const Result<void> done = find_routes_into(state, query, scratch, each);
    const std::string starved =
        starve_routes(step, *tally, done, each, [&](Scratch& memory_of, std::vector<Route>& out) {
            return find_routes_into(state, query, memory_of, out);
        });
    if (!starved.empty()) return starved;
    if (!done || !good_mesh_query(query, options.radius_max)) return "";
    for (std::size_t i = 0; i < each.size(); ++i) {
        ++tally->answers;
        MeshQuery one = query;
        one.goal = Goal(ask.goals[i]);
        Route alone;
        Scratch fresh;
        const Result<void> then = find_route_into(state, one, fresh, alone);
        const std::string which = "routes: goal " + std::to_string(i);
        if (!then) return which + " alone is an error";
        if (has_way(each[i])) {
            ++tally->verified;
            const Violation bad = verify(each[i], state, query.agent, {.filter = query.filter});
            if (bad) return which + " is illegal, " + bad.text().c_str();
        }
        if (query.expansions_max != UINT64_MAX || query.partial) continue;
        if (each[i].status != alone.status) {
            return which + ": " + status_name(each[i].status) + ", alone " + status_name(alone.status);
        }
        const bool exact =
            query.agent.radius == 0.0 && query.filter.areas.factors.empty() && each[i].bound == 1.0;
        if (exact && std::abs(each[i].cost - alone.cost) > 1e-9 * (1 + alone.cost)) {
            return which + ": cost " + number_text(each[i].cost) + ", alone " + number_text(alone.cost);
        }
    }
    return "";
}

std::string Player::save(const Step& step) {
    Array<std::uint8_t> bytes;
    Result<void> done;
    std::string starved = starved_edit(
        step, [&] { return save_mesh(*mesh, bytes); }, done);
    if (!starved.empty()) return starved;
    if (!done) return "save: an error";
    const MeshLoadOptions loading{.allocator = memory.allocator()};
    Result<NavMesh> loaded = Error{ErrorCode::out_of_memory};
    const auto load = [&]() -> Result<void> {
        loaded = load_mesh(bytes, loading);
        return loaded ? Result<void>() : Result<void>(loaded.error());
    };
    starved = starved_edit(step, load, done);
    if (!starved.empty()) return starved;
    if (!loaded) return std::string("save: what is saved is not loaded, ") + error_name(loaded.error().code);
    Array<std::uint8_t> again;
    if (!save_mesh(*loaded, again)) return "save: the second time an error";
    const bool same = bytes.size() == again.size() && std::equal(bytes.begin(), bytes.end(), again.begin());
    if (!same) return "save: the bytes of what was loaded differ";
    flights.clear();
    for (Frozen& one : frozen) one.snapshot.release();
    *mesh = std::move(*loaded);
    has_last = false;
    return "";
}

std::string Player::revalidate_last(const Step& step) {
    if (!has_last || !has_way(last)) return "";
    const MeshQuery& query = last_ask.bind();
    const Result<Revalidation> still = revalidate(*mesh, last, query, scratch);
    const auto again = [&](Scratch& memory_of) {
        Route route = copy_route(last);
        return revalidate(*mesh, route, query, memory_of);
    };
    const std::string starved = starve_answer(step, *tally, again, [&](const Result<Revalidation>& other) {
        const bool same = other.has_value() == still.has_value() && (!still || other->legal == still->legal);
        return same ? "" : "revalidate, another answer";
    });
    if (!starved.empty()) return starved;
    if (!still) return "revalidate: an error for a query that was answered";
    MeshVerifyOptions check{.filter = query.filter, .height_slack = 0.5, .check_revision = false};
    const Violation bad = verify(last, *mesh, query.agent, check);
    ++tally->verified;
    // It does not look at claims of clearance.
    if (still->legal && bad && bad.kind != ViolationKind::clearance) {
        return std::string("revalidate: legal, but ") + bad.text().c_str();
    }
    return "";
}

std::string Player::repair_last(const Step& step) {
    if (!has_last || !has_way(last)) return "";
    const MeshQuery& query = last_ask.bind();
    if (query.expansions_max != UINT64_MAX || !good_mesh_query(query, options.radius_max)) return "";
    Route route = copy_route(last);
    const Place start = route.legs.empty() ? route.end : route.legs[0].start;
    const Result<void> done = repair(*mesh, route, query, scratch);
    if (!done) return "repair: an error for a query that was answered";
    const std::string starved = starve_repair(step, *tally, last, route, [&](Scratch& memory_of, Route& out) {
        return repair(*mesh, out, query, memory_of);
    });
    if (!starved.empty()) return starved;
    if (!has_way(route)) {
        if (!route.legs.empty()) return "repair: legs without a way";
        if (query.partial || query.goal.is_list() || last.status != PathStatus::complete) return "";
        MeshQuery whole = query;
        whole.start = start.position;  // a reach counts from the route's own start
        Route anew;
        const Result<void> asked = find_route_into(*mesh, whole, scratch, anew);
        if (!asked || anew.status == route.status) return "";
        return std::string("repair: ") + status_name(route.status) + " where find_route says " +
               status_name(anew.status);
    }
    ++tally->verified;
    const Violation bad = verify(route, *mesh, query.agent, {.filter = query.filter});
    if (bad) return std::string("repair: ") + bad.text().c_str();
    const Place begins = route.legs.empty() ? route.end : route.legs[0].start;
    // Where the start is gone, closed, or too near a wall, the unit is put near it, as by find_route.
    const MeshPoint there = mesh->state().nearest(start.position, query.reach);
    const bool stays = query.agent.radius == 0.0 && query.filter.areas.empty() && there.polygon.valid() &&
                       ground(there.position) == ground(start.position);
    if (stays && !(ground(begins.position) == ground(start.position))) return "repair: starts elsewhere";
    last = std::move(route);
    return "";
}

std::string Player::why(const Step& step) {
    MeshAsk ask = mesh_ask_of(step);
    const MeshQuery& query = ask.bind();
    const bool good = good_mesh_query(query, options.radius_max);
    return ask_why(step, *tally, mesh->state(), query, good, scratch, [&](const Help& help) {
        MeshFilter filter = query.filter;
        filter.areas.closed = KindSet::of_mask(step.count("closed_areas") & ~help.terrain[0]);
        filter.links.closed = KindSet::of_mask(step.count("closed_links") & ~help.links);
        filter.areas.factors = filter.links.factors = {};  // a factor of 0 closes too
        return verify(help.route, *mesh, help.agent, {.filter = filter});
    });
}

std::string Player::play(const Step& step) {
    const std::string& verb = step.verb;
    if (verb == "make") return make(step);
    if (!mesh) return "";
    const std::size_t slot = slot_of(step);
    if (verb == "query") return query(step);
    if (verb == "routes") return routes(step);
    if (verb == "fill") return fill(step);
    if (verb == "add" || verb == "move" || verb == "remove" || verb.find("_link") != std::string::npos)
        return edit(step);
    if (verb == "remove_tile") {
        const std::vector<double> at = step.numbers("tile");
        Result<void> done;
        const std::string starved = starved_edit(
            step, [&] { return mesh->remove_tile(to_whole(item(at, 0)), to_whole(item(at, 1))); }, done);
        if (!starved.empty()) return starved;
        if (done) {
            model.known = false;
            twin.give_up();
        }
    }
    if (verb == "measure") {
        const auto landmarks = static_cast<std::uint32_t>(step.whole("landmarks"));
        Result<void> done;
        const std::string starved = starved_edit(
            step, [&] { return mesh->measure_landmarks(landmarks); }, done);
        if (!starved.empty()) return starved;
        if (done.has_value() != (landmarks <= kLandmarksMax)) return "edit: landmarks";
    }
    if (verb == "search") flights.begin(step, *tally, mesh->acquire(), model, mesh_ask_of(step));
    if (verb == "step" || verb == "finish" || verb == "drop" || verb == "cancel") {
        return flights.play(step, *tally, [&](auto& flight, const Asked& asked) {
            return judge(*flight.held, flight.model, flight.ask.query, asked.done, asked.route);
        });
    }
    if (verb == "snapshot") frozen[slot] = {mesh->acquire(), model};
    if (verb == "release") frozen[slot].snapshot.release();
    if (verb == "revalidate") return revalidate_last(step);
    if (verb == "repair") return repair_last(step);
    if (verb == "why") return why(step);
    if (verb == "surface") return judge_surface(step, mesh->state(), scratch);
    if (verb == "save") return save(step);
    if (verb == "destroy") return clear();
    return "";
}

}  // namespace

std::string play_mesh_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
