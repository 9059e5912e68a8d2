// Across worlds: the same tiles as a grid, a mesh and a map for turning units, asked in turn with one scratch memory for all.
// What one world knows the others must bear out: a point reaches the same places on tiles and on the mesh, no farther there;
// where a unit drives, a point can go. And where neither can, with `partial`, no unit comes nearer than a point.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify_mesh.h>

#include "simulate/grid_world.h"
#include "simulate/routes.h"

namespace fairlead::simulate {

using oracle::World;

namespace {

constexpr Agent kTruck{.radius = 0.3, .turning_radius = 1.2, .can_reverse = true};

struct Asked {
    GridQuery walk;
    MeshQuery taut;
    DriveQuery drive;
};

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    void make(const Step& step);
    std::string fill(const Step& step);
    std::string ask(const Step& step);
    bool ask_truck(const Step& step, const DriveQuery& asked, Route& route);
    std::string nearby(const Step& step, const Asked& asked, const Route& alone);
    std::string together(const Step& step);
    std::string compare(const Route& walk, const Route& taut, const Route& drive) const;

    World tiles;
    std::optional<Grid> grid;
    std::optional<NavMesh> mesh;
    GridMeshOptions options{.tile_cells = 4, .landmarks = 2};
    PolygonScratch polygon_scratch;
    Scratch scratch;
    Tally* tally;
};

void Player::make(const Step& step) {
    mesh.reset();
    grid.reset();
    tiles = world_of(step);
    tiles.cell_size = 1.0;
    tiles.origin = {};
    tiles.wrap_x = tiles.wrap_y = false;
    if (tiles.layers != 1) return;
    Result<Grid> made = Grid::make(tiles.options(), tiles.tiles);
    if (!made) return;
    grid.emplace(std::move(*made));
    Result<NavMesh> meshed = make_grid_mesh(*grid, options);
    if (meshed) mesh.emplace(std::move(*meshed));
}

std::string Player::fill(const Step& step) {
    const std::vector<double> r = step.numbers("rect");
    const CellRect rect{{to_whole(item(r, 0)), to_whole(item(r, 1))},
                        {to_whole(item(r, 2)), to_whole(item(r, 3))}};
    if (rect.empty() || !grid->fill(rect, step.has("tile") ? 1 : 0)) return "";
    const std::int32_t side = options.tile_cells;
    for (std::int32_t y = std::max(rect.low.y - 1, 0) / side;
         y <= std::min(rect.high.y, tiles.height - 1) / side; ++y) {
        for (std::int32_t x = std::max(rect.low.x - 1, 0) / side;
             x <= std::min(rect.high.x, tiles.width - 1) / side; ++x) {
            GridTile made;
            if (!grid_tile_into(*grid, options, x, y, polygon_scratch, made)) return "edit: no tile";
            if (!mesh->set_tile(made.tile())) return "edit: the tile is refused";
        }
    }
    return "";
}

Asked asked_of(const Step& step) {
    const std::vector<double> s = step.numbers("start");
    const std::vector<double> g = step.numbers("goal");
    const auto centre = [](double at) { return std::clamp(to_whole(std::floor(at)), -5, 100) + 0.5; };
    const Vec2 from{centre(item(s, 0)), centre(item(s, 1))};
    const Vec2 to{centre(item(g, 0)), centre(item(g, 1))};
    Asked asked;
    asked.walk.start = from;
    asked.walk.goal = Goal(to);
    asked.taut.start = Vec3{from.x, from.y, 0};
    asked.taut.goal = Goal(Vec3{to.x, to.y, 0});
    asked.taut.reach = {.across = 1e-6, .above = 1, .below = 1};
    asked.drive = {.start = {from, 0.0}, .goal = to, .agent = kTruck};
    asked.drive.expansions_max = 3000;
    return asked;
}

std::string Player::compare(const Route& walk, const Route& taut, const Route& drive) const {
    const auto complete = [](const Route& route) { return route.status == PathStatus::complete; };
    if (complete(walk) != complete(taut)) {
        return std::string("worlds: on tiles ") + status_name(walk.status) + ", on the mesh " +
               status_name(taut.status);
    }
    if (complete(walk) && taut.length > walk.length * (1 + 1e-9) + 1e-9) {
        return "worlds: the mesh's way is longer, " + number_text(taut.length) + " and " +
               number_text(walk.length);
    }
    if (complete(drive) && !complete(walk)) return "worlds: a way for a truck and none for a point";
    if (complete(drive) && drive.length < taut.length * (1 - 1e-6) - 1e-6) {
        return "worlds: the truck's way is shorter than the shortest";
    }
    return "";
}

/// The truck's table: the same for all scripts.
const Result<DriveTable>& truck_table() {
    static const Result<DriveTable> table = DriveTable::make({.agent = kTruck});
    return table;
}

// The one call makes a table, which takes longer than all else; so mostly the table is there.
bool Player::ask_truck(const Step& step, const DriveQuery& asked, Route& route) {
    if (step.count("n") == 0)
        return find_route_into(*grid, asked, scratch, route, {.refine = false, .off_lattice_max = 0})
            .has_value();
    if (!truck_table()) return false;
    const Result<DriveMap> map = make_drive_map(*grid, *truck_table());
    return map && find_route_into(*map, asked, scratch, route).has_value();
}

// One after the other, with one scratch.
std::string Player::ask(const Step& step) {
    const Asked asked = asked_of(step);
    Route walk;
    Route taut;
    Route drive;
    if (!find_route_into(*grid, asked.walk, scratch, walk)) return "refused: on tiles";
    if (!find_route_into(*mesh, asked.taut, scratch, taut)) return "refused: on the mesh";
    if (!ask_truck(step, asked.drive, drive)) return "refused: for the truck";
    tally->answers += 3;
    tally->judged += 3;
    for (const Route* route : {&walk, &drive}) {
        if (!has_way(*route)) continue;
        ++tally->verified;
        const Violation bad = verify(*route, *grid, route == &drive ? kTruck : Agent{});
        if (bad) return std::string("illegal: on tiles, ") + bad.text().c_str();
    }
    if (has_way(taut)) {
        ++tally->verified;
        const Violation bad = verify(taut, *mesh, {});
        if (bad) return std::string("illegal: on the mesh, ") + bad.text().c_str();
        taut.revision = grid->state().revision();
        const Violation walls = verify(taut, *grid, {});
        if (walls) return std::string("illegal: the mesh's way on tiles, ") + walls.text().c_str();
    }
    const std::string differs = compare(walk, taut, drive);
    return differs.empty() ? nearby(step, asked, drive) : differs;
}

// The same of the truck and, on the mesh, of a point, with `partial`. `alone`: the truck's without.
std::string Player::nearby(const Step& step, const Asked& asked, const Route& alone) {
    const bool none = alone.status == PathStatus::unreachable || alone.status == PathStatus::goal_blocked;
    if (!none) return "";
    MeshQuery point = asked.taut;
    DriveQuery truck = asked.drive;
    point.partial = truck.partial = true;
    truck.expansions_max = UINT64_MAX;
    Route walk;
    Route drive;
    if (!find_route_into(*mesh, point, scratch, walk)) return "refused: on the mesh, partial";
    if (!ask_truck(step, truck, drive)) return "refused: for the truck, partial";
    tally->judged += 2;
    if (drive.status != PathStatus::partial)
        return std::string("partial: the truck's is ") + status_name(drive.status);
    ++tally->verified;
    const Violation bad = verify(drive, *grid, kTruck);
    if (bad) return std::string("illegal: on tiles, partial, ") + bad.text().c_str();
    const auto rest = [&](const Route& route) {
        return distance(ground(route.end.position), truck.goal.at.ground());
    };
    if (rest(drive) > distance(truck.start.ground(), truck.goal.at.ground()))
        return "partial: the truck is led away";
    const bool ends = walk.status == PathStatus::complete || walk.status == PathStatus::partial;
    if (ends && rest(drive) < rest(walk) - 1e-6) return "worlds: the truck comes nearer than a point";
    return "";
}

// In turns, slice by slice, each with a scratch of its own: the same bytes.
std::string Player::together(const Step& step) {
    const Asked asked = asked_of(step);
    const GridSnapshot tile_snapshot = grid->acquire();
    const NavMeshSnapshot mesh_snapshot = mesh->acquire();
    Scratch of_walk;
    Scratch of_taut;
    GridSearch walk(tile_snapshot, asked.walk, of_walk);
    MeshSearch taut(mesh_snapshot, asked.taut, of_taut);
    bool walks = true;
    bool pulls = true;
    while (walks || pulls) {
        if (walks) walks = walk.step(1 + step.count("n") % 7);
        if (pulls) pulls = taut.step(1 + step.count("n") % 5);
    }
    Route one;
    Route two;
    Route alone;
    if (!walk.take(one) || !taut.take(two)) return "refused: in turns";
    tally->repeated += 2;
    if (!find_route_into(*tile_snapshot, asked.walk, scratch, alone)) return "refused: alone";
    std::string differs = route_difference(one, alone);
    if (!differs.empty()) return "differs: on tiles, " + differs;
    if (!find_route_into(*mesh_snapshot, asked.taut, scratch, alone)) return "refused: alone";
    differs = route_difference(two, alone);
    return differs.empty() ? "" : "differs: on the mesh, " + differs;
}

std::string Player::play(const Step& step) {
    if (step.verb == "make") make(step);
    if (!mesh || step.verb == "make") return "";
    if (step.verb == "fill") return fill(step);
    if (step.verb == "ask") return ask(step);
    if (step.verb == "together") return together(step);
    if (step.verb == "fresh") scratch.free_memory();
    return "";
}

DrawnMap draw_tiles(Dice& dice, Script& script) {
    DrawnMap map;
    map.width = dice.between(1, 12);
    map.height = dice.between(1, 12);
    map.rows = draw_rows(dice, map.width, map.height, 1, false);
    script.add("make").with("rows", map.rows);
    return map;
}

}  // namespace

Script draw_across_script(Dice& dice, int operations) {
    Script script{"across", {}};
    DrawnMap map = draw_tiles(dice, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty()) {
        const std::uint32_t what = dice.below(100);
        if (what < 60) {
            Step& step = script.add(what < 40 ? "ask" : "together").with("n", dice.below(100));
            step.with("start", map.draw_place(dice)).with("goal", map.draw_place(dice));
        } else if (what < 96) {
            const int x = dice.between(0, map.width - 1);
            const int y = dice.between(0, map.height - 1);
            Step& step = script.add("fill").with(
                "rect",
                std::vector<double>{static_cast<double>(x), static_cast<double>(y),
                                    static_cast<double>(std::min(map.width, x + dice.between(1, 3))),
                                    static_cast<double>(std::min(map.height, y + dice.between(1, 3)))});
            if (dice.chance(50)) step.with("tile", 1);
        } else if (what < 98) {
            script.add("fresh");
        } else {
            map = draw_tiles(dice, script);
        }
    }
    return script;
}

std::string play_across_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
