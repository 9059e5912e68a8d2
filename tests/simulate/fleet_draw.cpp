// The dice's side of fleets: a town, kinds of units, orders, edits, frames with budgets.
#include <limits>

#include "simulate/driver.h"
#include "simulate/moved_map.h"

namespace fairlead::simulate {

namespace {

constexpr std::uint32_t kUnits = 10;
constexpr double kInf = std::numeric_limits<double>::infinity();

/// radius, turning radius, length (0: a disc), speed, acceleration
void draw_kind(Dice& dice, Script& script) {
    const bool vehicle = dice.chance(35);
    const double radius = dice.chance(3) ? dice.absurd() : dice.chance(60) ? 0.4 : 0.1 * (1 + dice.below(5));
    const double turning = !vehicle ? 0.0 : dice.chance(3) ? dice.absurd() : 1.5;
    const double length = vehicle && dice.chance(30) ? 1.5 : 0.0;
    const double speed = dice.chance(3) ? dice.absurd() : dice.within(0.5, 4.0);
    const double accel = dice.chance(3) ? dice.absurd() : dice.chance(40) ? kInf : dice.within(1.0, 10.0);
    script.add("kind").with("is", std::vector<double>{radius, turning, length, speed, accel});
}

void draw_send(Dice& dice, const MovedMap& map, Script& script) {
    Step& step = script.add("send").with("id", dice.below(kUnits)).with("to", draw_moved_place(dice, map));
    if (dice.chance(10)) step.with("group", 1 + dice.below(2));
}

void draw_add(Dice& dice, const MovedMap& map, Script& script) {
    Step& step = script.add("add").with("kind", dice.below(4)).with("at", draw_moved_place(dice, map));
    if (dice.chance(20)) step.with("heading", dice.chance(5) ? dice.absurd() : dice.within(-4, 4));
    if (dice.chance(80)) draw_send(dice, map, script);
}

void draw_tick(Dice& dice, Script& script) {
    Step& step = script.add("tick").with("n", dice.chance(30) ? 1 : 1 + dice.below(90));
    if (dice.chance(8)) step.with("seconds", dice.chance(15) ? dice.absurd() : dice.within(0.005, 0.2));
    if (dice.chance(40)) step.with("units", dice.chance(30) ? dice.below(50) : dice.below(3000));
}

void draw_operation(Dice& dice, const MovedMap& map, Script& script) {
    const std::uint32_t what = dice.below(100);
    if (what < 45) {
        draw_tick(dice, script);
    } else if (what < 65) {
        draw_send(dice, map, script);
    } else if (what < 77) {
        draw_add(dice, map, script);
    } else if (what < 80) {
        script.add("stop").with("id", dice.below(kUnits));
    } else if (what < 84) {
        script.add("remove").with("id", dice.below(kUnits));
    } else if (what < 95) {
        Step& step = script.add("fill");
        const double x = dice.below(static_cast<std::uint32_t>(map.width));
        const double y = dice.below(static_cast<std::uint32_t>(map.height));
        step.with("rect", std::vector<double>{x, y, 1.0 + dice.below(3), 1.0 + dice.below(3)});
        if (dice.chance(50)) step.with("free", 1);
    } else if (what < 98) {
        draw_kind(dice, script);
    } else {
        script.add("settle");
    }
}

}  // namespace

Script draw_fleet_script(Dice& dice, int operations) {
    Script script{"fleet", {}};
    const std::int32_t width = dice.between(5, 18);
    const std::int32_t height = dice.between(5, 14);
    Step& make = script.add("make").with("rows", draw_moved_rows(dice, width, height));
    if (dice.chance(30)) {
        make.with("mesh", 1);
    } else if (dice.chance(30)) {
        make.with("roadmap", 1);
    }
    if (dice.chance(30)) make.with("slices", 1);
    if (dice.chance(10)) make.with("avoid", 0);
    if (dice.chance(40)) {
        const std::int32_t x = dice.between(0, width - 1), y = dice.between(0, height - 1);
        const std::int32_t u = dice.between(0, width - 1), v = dice.between(0, height - 1);
        make.with("portal", std::vector<double>{static_cast<double>(x), static_cast<double>(y),
                                                static_cast<double>(u), static_cast<double>(v)});
        if (dice.chance(30)) make.with("link_seconds", dice.within(0.0, 3.0));
    }
    const MovedMap map = moved_map_of(make);
    script.add("kind").with("is", std::vector<double>{0.4, 0.0, 0.0, 2.0, 8.0});
    if (dice.chance(50)) draw_kind(dice, script);
    const bool alone = dice.chance(30);
    for (std::uint32_t i = alone ? 1 : 1 + dice.below(8); i > 0; --i) draw_add(dice, map, script);
    while (!alone && static_cast<int>(script.steps.size()) < operations && !dice.empty())
        draw_operation(dice, map, script);
    if (alone) {
        for (std::uint32_t i = dice.below(4); i > 0; --i) {
            draw_tick(dice, script);
            draw_send(dice, map, script);
        }
    }
    script.add("settle");
    return script;
}

}  // namespace fairlead::simulate
