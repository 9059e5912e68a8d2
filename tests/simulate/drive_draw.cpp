// The dice's side of turning units: small tile maps, units from a list, poses anywhere.
#include <algorithm>

#include "simulate/grid_world.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

namespace {

constexpr int kSlots = 2;

std::vector<double> draw_pose(Dice& dice, const DrawnMap& map) {
    std::vector<double> place = map.draw_place(dice);
    const double layer = place[2];
    const double quarter = 1.5707963267948966;
    place[2] = dice.chance(60)  ? quarter * dice.between(-2, 2)
               : dice.chance(2) ? dice.absurd()
                                : dice.within(-4, 4);
    if (map.layers > 1) place.push_back(layer);
    return place;
}

void draw_query(Dice& dice, const DrawnMap& map, Step& step) {
    const auto rarely = [&](std::uint32_t percent, const char* key, double value) {
        if (dice.chance(percent)) step.with(key, value);
    };
    const std::vector<double> start = draw_pose(dice, map);
    step.with("start", start).with("goal", dice.chance(4) ? start : draw_pose(dice, map));
    rarely(10, "start_headings", dice.below(256));
    rarely(15, "goal_headings", dice.below(256));
    rarely(10, "goal_range", dice.chance(10) ? dice.absurd() : dice.within(0, 3));
    rarely(20, "epsilon", dice.chance(10) ? dice.absurd() : dice.within(1, 3));
    rarely(10, "reverse_penalty", dice.chance(10) ? dice.absurd() : dice.within(1, 4));
    rarely(10, "cusp_penalty", dice.chance(10) ? dice.absurd() : dice.within(0, 4));
    rarely(10, "pivot_penalty", dice.chance(10) ? dice.absurd() : dice.within(0.05, 4));
    rarely(50, "planner", dice.below(3));
    rarely(10, "article", 1);
    rarely(20, "no_goal_curves", 1);
    rarely(30, "no_smooth", 1);
    rarely(10, "off_lattice", dice.below(500));
    rarely(25, "partial", 1);
    if (dice.chance(20)) draw_blockers(dice, map, step);
    step.with("budget", 1 + dice.below(dice.chance(30) ? 50 : 3000));
}

DrawnMap draw_yard(Dice& dice, Script& script) {
    DrawnMap map;
    map.width = dice.between(1, 12);
    map.height = dice.between(1, 12);
    map.layers = dice.chance(25) ? dice.between(2, 3) : 1;
    map.rows = draw_rows(dice, map.width, map.height, map.layers, dice.chance(20));
    Step& step = script.add("make").with("rows", map.rows).with("unit", dice.below(6));
    if (map.layers > 1) draw_portals(dice, map, step);
    if (dice.chance(30)) step.with("headings", 16);
    if (dice.chance(30)) step.with("nodes", dice.below(3));
    return map;
}

void draw_operation(Dice& dice, DrawnMap& map, Script& script) {
    const std::uint32_t what = dice.below(100);
    const double slot = dice.between(0, kSlots - 1);
    if (what < 49 || (what == 49 && dice.chance(75))) {
        Step& step = script.add("query").with("slice", 1 + dice.below(dice.chance(50) ? 4 : 300));
        draw_query(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 50) {  // rarely: each makes tables, which takes longer than all other steps
        Step& step = script.add("one_call");
        draw_query(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 62) {
        Step& step = script.add("mesh").with("slice", 1 + dice.below(dice.chance(50) ? 4 : 300));
        draw_query(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 80) {
        const int x = dice.between(0, map.width - 1);
        const int y = dice.between(0, map.height - 1);
        Step& step = script.add("fill");
        step.with("rect",
                  std::vector<double>{static_cast<double>(x), static_cast<double>(y),
                                      static_cast<double>(std::min(map.width, x + dice.between(1, 3))),
                                      static_cast<double>(std::min(map.height, y + dice.between(1, 3))),
                                      static_cast<double>(dice.between(0, map.layers - 1))});
        if (dice.chance(60)) step.with("tile", dice.chance(80) ? 1.0 : dice.below(9));
        draw_starve(dice, 15, step);
    } else if (what < 85) {
        Step& step = script.add("search").with("slot", slot);
        draw_query(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 93) {
        script.add("step").with("slot", slot).with("n", dice.chance(5) ? 0 : 1 + dice.below(60));
    } else if (what < 96) {
        script.add(dice.chance(40) ? "drop" : "finish").with("slot", slot);
    } else if (what < 98) {
        script.add("rebuild");
    } else if (what < 99) {
        script.add("save");
    } else {
        map = draw_yard(dice, script);
    }
}

}  // namespace

Script draw_drive_script(Dice& dice, int operations) {
    Script script{"drive", {}};
    DrawnMap map = draw_yard(dice, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty())
        draw_operation(dice, map, script);
    return script;
}

}  // namespace fairlead::simulate
