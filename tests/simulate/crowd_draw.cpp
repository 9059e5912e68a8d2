// The dice's side of crowds: a map, units that come, go and are sent about, walls that move, ticks.
#include <cmath>

#include "simulate/driver.h"
#include "simulate/moved_map.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

namespace {

constexpr std::uint32_t kUnits = 24;
constexpr double kInf = std::numeric_limits<double>::infinity();

double draw_radius(Dice& dice) {
    if (dice.chance(2)) return dice.absurd();
    return dice.chance(60) ? 0.4 : dice.chance(70) ? 0.1 * (1 + dice.below(9)) : dice.within(0.02, 2.5);
}

double draw_accel(Dice& dice) {
    if (dice.chance(1)) return dice.absurd();
    return dice.chance(40) ? kInf : dice.chance(60) ? 4.0 : dice.within(0.2, 20.0);
}

/// radius, speed, accelerations: forward, brake, lateral
std::vector<double> draw_body(Dice& dice) {
    const double radius = draw_radius(dice);
    const double speed = dice.chance(2) ? dice.absurd() : dice.chance(60) ? 1.5 : dice.within(0.2, 6.0);
    const double fore = draw_accel(dice), brake = draw_accel(dice), side = draw_accel(dice);
    return {radius, speed, fore, brake, side};
}

void draw_send(Dice& dice, const MovedMap& map, Script& script) {
    Step& step = script.add(dice.chance(15) ? "reroute" : "send");
    step.with("id", dice.below(kUnits));
    if (dice.chance(12)) {  // along a way of its own, through whatever there is
        std::vector<double> way;
        for (std::uint32_t i = dice.below(4); i > 0; --i) {
            const std::vector<double> at = draw_moved_place(dice, map);
            way.insert(way.end(), at.begin(), at.end());
        }
        step.with("way", way);
    }
    step.with("to", draw_moved_place(dice, map));
    if (dice.chance(15)) step.with("group", 1 + dice.below(2));
    draw_starve(dice, 5, step);
}

void draw_add(Dice& dice, const MovedMap& map, Script& script) {
    Step& step = script.add("add");
    step.with("at", draw_moved_place(dice, map)).with("body", draw_body(dice));
    if (dice.chance(6)) step.with("driven", 1);
    if (dice.chance(5)) step.with("z", dice.chance(50) ? 5.0 : dice.within(0.0, 5.0));
    draw_starve(dice, 5, step);
    if (dice.chance(70))
        script.add("send").with("id", dice.below(kUnits)).with("to", draw_moved_place(dice, map));
}

void draw_operation(Dice& dice, const MovedMap& map, Script& script) {
    const std::uint32_t what = dice.below(100);
    const auto id = [&] { return dice.below(kUnits); };
    if (what < 40) {
        Step& step = script.add("tick").with("n", dice.chance(30) ? 1 : 1 + dice.below(60));
        if (dice.chance(8)) step.with("seconds", dice.chance(15) ? dice.absurd() : dice.within(0.001, 1.0));
        draw_starve(dice, 4, step);
    } else if (what < 58) {
        draw_send(dice, map, script);
    } else if (what < 72) {
        draw_add(dice, map, script);
    } else if (what < 75) {
        Step& step = script.add("swarm").with("n", 8 + dice.below(dice.chance(20) ? 90 : 24));
        step.with("seed", dice.below(1000)).with("radius", dice.chance(50) ? 0.1 : 0.3);
        step.with("to", draw_moved_place(dice, map)).with("accel", draw_accel(dice));
        if (dice.chance(40)) step.with("group", 1);
    } else if (what < 79) {
        script.add("remove").with("id", id());
    } else if (what < 82) {
        script.add("stop").with("id", id());
    } else if (what < 85) {
        script.add("relocate").with("id", id()).with("at", draw_moved_place(dice, map));
    } else if (what < 89) {
        Step& step = script.add("drive").with("id", id()).with("at", draw_moved_place(dice, map));
        step.with("velocity", std::vector<double>{dice.within(-3, 3), dice.within(-3, 3)});
    } else if (what < 96) {
        Step& step = script.add("fill");
        const double x = dice.below(static_cast<std::uint32_t>(map.width));
        const double y = dice.below(static_cast<std::uint32_t>(map.height));
        step.with("rect", std::vector<double>{x, y, 1.0 + dice.below(3), 1.0 + dice.below(3)});
        if (dice.chance(50)) step.with("free", 1);
    } else {
        script.add("places").with("radius", dice.chance(25) ? 0.0 : 0.4);
    }
}

}  // namespace

Script draw_crowd_script(Dice& dice, int operations) {
    Script script{"crowd", {}};
    const std::int32_t width = dice.between(4, 18);
    const std::int32_t height = dice.between(4, 14);
    Step& make = script.add("make").with("rows", draw_moved_rows(dice, width, height));
    if (dice.chance(30)) make.with("mesh", 1);
    if (dice.chance(20)) make.with("keep", dice.below(3));
    if (dice.chance(3)) make.with("height", dice.absurd());
    make.with("seed", dice.below(1000));
    const MovedMap map = moved_map_of(make);
    if (dice.chance(50)) script.add("places").with("radius", 0.4);
    for (std::uint32_t i = dice.below(10); i > 0; --i) draw_add(dice, map, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty())
        draw_operation(dice, map, script);
    script.add("tick").with("n", 30);
    return script;
}

}  // namespace fairlead::simulate
