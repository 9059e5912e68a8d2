// The dice's side of level meshes: tile maps as meshes, obstacles, links, queries.
#include <algorithm>

#include "simulate/grid_world.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

namespace {

constexpr int kSlots = 3;

std::vector<double> draw_point(Dice& dice, const DrawnMap& map) {
    std::vector<double> place = map.draw_place(dice);
    if (dice.chance(70)) {  // anywhere in the cell
        place[0] += dice.within(-0.45, 0.45) * map.cell;
        place[1] += dice.within(-0.45, 0.45) * map.cell;
    }
    place[2] *= 10.0;
    if (dice.chance(5)) place[2] += dice.within(-3, 3);
    return place;
}

void draw_filter(Dice& dice, Step& step) {
    if (dice.chance(15)) step.with("closed_areas", dice.below(16));
    if (dice.chance(15)) step.with("closed_links", dice.below(8));
    if (dice.chance(10)) {
        std::vector<double> costs;
        for (int i = 0; i < 9; ++i) costs.push_back(dice.chance(2) ? dice.absurd() : 0.5 * dice.below(6));
        step.with(dice.chance(60) ? "area_costs" : "link_costs", costs);
    }
}

void draw_mesh_query(Dice& dice, const DrawnMap& map, Step& step) {
    const std::vector<double> start = draw_point(dice, map);
    step.with("start", start).with("goal", dice.chance(3) ? start : draw_point(dice, map));
    if (dice.chance(40)) {
        constexpr double kRadii[] = {0.05, 0.2, 0.3, 0.45, 0.5, 0.6, 0.8};
        step.with("radius", dice.chance(3) ? dice.absurd() : kRadii[dice.below(7)] * map.cell);
    }
    if (dice.chance(20)) step.with("planner", dice.below(dice.chance(3) ? 256 : 3));
    if (dice.chance(20)) step.with("partial", 1);
    if (dice.chance(8)) step.with("budget", dice.below(60));
    if (dice.chance(3)) step.with("cancel", 1);
    if (dice.chance(20)) {
        std::vector<double> reach;
        for (int i = 0; i < 3; ++i) reach.push_back(dice.chance(25) ? dice.absurd() : dice.within(0, 5));
        step.with("reach", reach);
    }
    draw_filter(dice, step);
}

void draw_goals(Dice& dice, const DrawnMap& map, Step& step) {
    std::vector<double> goals;
    for (std::uint32_t i = 1 + dice.below(4); i > 0; --i) {
        const std::vector<double> place = draw_point(dice, map);
        goals.insert(goals.end(), place.begin(), place.end());
    }
    step.with("goals", goals);
}

void draw_obstacle(Dice& dice, const DrawnMap& map, Step& step) {
    std::vector<double> at = draw_point(dice, map);
    const double width =
        dice.chance(3) ? dice.absurd() : dice.within(0.05, dice.chance(70) ? 1 : 4) * map.cell;
    step.with("at", std::vector<double>{at[0], at[1], width, dice.within(0.05, 1.5) * map.cell});
    if (dice.chance(30)) step.with("heading", dice.chance(5) ? dice.absurd() : dice.within(-3, 3));
    if (dice.chance(30)) step.with("pillar", 1);
    step.with("heights", std::vector<double>{at[2] - 1, at[2] + (dice.chance(5) ? dice.absurd() : 2)});
}

void draw_link(Dice& dice, const DrawnMap& map, Step& step) {
    step.with("from", draw_point(dice, map)).with("to", draw_point(dice, map));
    if (dice.chance(30)) step.with("extent", dice.chance(5) ? dice.absurd() : dice.within(0, 2) * map.cell);
    if (dice.chance(30)) step.with("one_way", 1);
    if (dice.chance(30)) step.with("kind", dice.below(dice.chance(5) ? 256 : 3));
    if (dice.chance(40)) step.with("cost", dice.chance(5) ? dice.absurd() : dice.within(0, 6));
    if (dice.chance(10)) step.with("radius_max", dice.within(0, 1));
}

void draw_edit(Dice& dice, const DrawnMap& map, Script& script) {
    const std::uint32_t what = dice.below(100);
    const double id = dice.below(4);
    if (what < 40)
        draw_obstacle(dice, map, script.add("add").with("id", id));
    else if (what < 50)
        draw_obstacle(dice, map, script.add("move").with("id", id));
    else if (what < 65)
        script.add("remove").with("id", id);
    else if (what < 75)
        draw_link(dice, map, script.add("add_link").with("id", id));
    else if (what < 80)
        draw_link(dice, map, script.add("change_link").with("id", id));
    else if (what < 84)
        script.add("remove_link").with("id", id);
    else if (what < 94) {
        Step& step = script.add("fill");
        const int x = dice.between(0, map.width - 1);
        const int y = dice.between(0, map.height - 1);
        step.with("rect",
                  std::vector<double>{static_cast<double>(x), static_cast<double>(y),
                                      static_cast<double>(std::min(map.width, x + dice.between(1, 3))),
                                      static_cast<double>(std::min(map.height, y + dice.between(1, 3))),
                                      static_cast<double>(dice.between(0, map.layers - 1))});
        if (dice.chance(40)) step.with("tile", dice.chance(80) ? 1.0 : dice.between(0, 9));
    } else if (what < 97) {
        script.add("remove_tile")
            .with("tile", std::vector<double>{static_cast<double>(dice.between(-1, 3)),
                                              static_cast<double>(dice.below(3))});
    } else {
        script.add("measure").with("landmarks", dice.chance(10) ? dice.absurd_whole() : dice.below(17));
    }
}

DrawnMap draw_mesh_make(Dice& dice, Script& script) {
    DrawnMap map;
    const int side = dice.chance(80) ? 7 : 14;
    map.width = dice.between(1, side);
    map.height = dice.between(1, side);
    map.layers = dice.chance(15) ? 2 : 1;
    map.rows = draw_rows(dice, map.width, map.height, map.layers, dice.chance(30));
    Step& step = script.add("make").with("rows", map.rows);
    if (dice.chance(20)) {
        constexpr double kCells[] = {0.25, 2.0, 0.3, 7.0};
        map.cell = kCells[dice.below(4)];
        map.x = dice.between(-20, 20) * map.cell;
        step.with("cell", map.cell).with("origin", std::vector<double>{map.x, 0});
    }
    if (dice.chance(60)) step.with("tile_cells", dice.between(1, 6));
    if (dice.chance(50)) step.with("radius_max", dice.within(0.1, 1) * map.cell);
    if (dice.chance(30)) step.with("landmarks", dice.below(4));
    return map;
}

void draw_operation(Dice& dice, DrawnMap& map, Script& script) {
    const std::uint32_t what = dice.below(100);
    const double slot = dice.between(0, kSlots - 1);
    const auto old = [&](Step& step) {
        if (dice.chance(25)) step.with("on", dice.between(0, kSlots - 1));
    };
    if (what < 34) {
        Step& step = script.add("query").with("slice", 1 + dice.below(dice.chance(50) ? 4 : 300));
        old(step);
        draw_mesh_query(dice, map, step);
        if (dice.chance(15)) draw_goals(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 42) {
        Step& step = script.add("routes");
        old(step);
        draw_mesh_query(dice, map, step);
        draw_goals(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 62) {
        draw_edit(dice, map, script);
        draw_starve(dice, 10, script.steps.back());
    } else if (what < 66) {
        Step& step = script.add("search").with("slot", slot);
        draw_mesh_query(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 74) {
        script.add("step").with("slot", slot).with("n", dice.chance(5) ? 0 : 1 + dice.below(20));
    } else if (what < 77) {
        script.add(dice.chance(30) ? "cancel" : dice.chance(30) ? "drop" : "finish").with("slot", slot);
    } else if (what < 82) {
        script.add(dice.chance(60) ? "snapshot" : "release").with("slot", slot);
    } else if (what < 86) {
        draw_starve(dice, 15, script.add(dice.chance(50) ? "repair" : "revalidate"));
    } else if (what < 89) {
        Step& step = script.add("why");
        draw_mesh_query(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 96) {
        Step& step =
            script.add("surface").with("at", draw_point(dice, map)).with("to", draw_point(dice, map));
        step.with("reach", dice.chance(30) ? dice.absurd() : dice.within(0, 8));
        draw_filter(dice, step);
    } else if (what < 99) {
        draw_starve(dice, 15, script.add("save"));
    } else {
        map = draw_mesh_make(dice, script);
    }
}

}  // namespace

Script draw_mesh_script(Dice& dice, int operations) {
    Script script{"mesh", {}};
    DrawnMap map = draw_mesh_make(dice, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty())
        draw_operation(dice, map, script);
    return script;
}

}  // namespace fairlead::simulate
