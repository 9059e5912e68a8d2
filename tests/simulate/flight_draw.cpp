// The dice's side of fleets in volumes: a space with rocks and walls, drones and planes, orders, edits, frames with budgets.
#include <limits>

#include "simulate/driver.h"

namespace fairlead::simulate {

namespace {

constexpr std::uint32_t kFlyers = 10;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct DrawnSpace {
    std::int32_t size[3] = {1, 1, 1};

    [[nodiscard]] std::vector<double> place(Dice& dice) const {
        std::vector<double> out;
        const bool odd = dice.chance(4);
        for (const std::int32_t side : size) {
            const double middle = dice.between(odd ? -1 : 0, odd ? side : side - 1) + 0.5;
            const double off = dice.chance(50) ? 0.0 : dice.within(-0.4, 0.4);
            out.push_back(odd && dice.chance(20) ? dice.absurd() : middle + off);
        }
        return out;
    }
    [[nodiscard]] std::vector<double> box(Dice& dice) const {
        std::vector<double> out;
        for (const std::int32_t side : size) out.push_back(dice.between(0, side - 1));
        for (int k = 0; k < 3; ++k) out.push_back(1.0 + dice.below(dice.chance(15) ? 12 : 3));
        return out;
    }
};

/// radius, turning radius, speed, acceleration, climb
void draw_flyer_kind(Dice& dice, Script& script) {
    const bool plane = dice.chance(50);
    const double radius = dice.chance(3) ? dice.absurd() : 0.1 * (1 + dice.below(6));
    const double turning = !plane ? 0.0 : dice.chance(3) ? dice.absurd() : dice.within(0.8, 2.5);
    const double speed = dice.chance(3) ? dice.absurd() : dice.within(0.5, 4.0);
    const double accel = dice.chance(3)    ? dice.absurd()
                         : dice.chance(20) ? kUnlimited
                                           : dice.within(1.0, 10.0);
    const double climb = !plane ? 0.0 : dice.chance(4) ? dice.absurd() : dice.within(0.2, 1.0);
    script.add("kind").with("is", std::vector<double>{radius, turning, speed, accel, climb});
}

void draw_flyer_send(Dice& dice, const DrawnSpace& space, Script& script) {
    Step& step = script.add("send").with("id", dice.below(kFlyers)).with("to", space.place(dice));
    if (dice.chance(30)) step.with("heading", dice.chance(4) ? dice.absurd() : dice.within(-4, 4));
    if (dice.chance(5)) step.with("group", 1);
}

void draw_flyer(Dice& dice, const DrawnSpace& space, Script& script) {
    Step& step = script.add("add").with("kind", dice.below(4)).with("at", space.place(dice));
    if (dice.chance(50)) step.with("heading", dice.chance(4) ? dice.absurd() : dice.within(-4, 4));
    if (dice.chance(85)) draw_flyer_send(dice, space, script);
}

void draw_flyer_tick(Dice& dice, Script& script) {
    Step& step = script.add("tick").with("n", dice.chance(30) ? 1 : 1 + dice.below(90));
    if (dice.chance(8)) step.with("seconds", dice.chance(15) ? dice.absurd() : dice.within(0.005, 0.2));
    if (dice.chance(40)) step.with("units", dice.chance(30) ? dice.below(50) : dice.below(3000));
}

void draw_flight_operation(Dice& dice, const DrawnSpace& space, Script& script) {
    const std::uint32_t what = dice.below(100);
    if (what < 45) {
        draw_flyer_tick(dice, script);
    } else if (what < 65) {
        draw_flyer_send(dice, space, script);
    } else if (what < 77) {
        draw_flyer(dice, space, script);
    } else if (what < 80) {
        script.add("stop").with("id", dice.below(kFlyers));
    } else if (what < 84) {
        script.add("remove").with("id", dice.below(kFlyers));
    } else if (what < 96) {
        Step& step = script.add("fill").with("box", space.box(dice));
        if (dice.chance(50)) step.with("free", 1);
    } else {
        draw_flyer_kind(dice, script);
    }
}

}  // namespace

Script draw_flight_script(Dice& dice, int operations) {
    Script script{"flight", {}};
    DrawnSpace space;
    for (std::int32_t& side : space.size) side = dice.between(4, 16);
    Step& make = script.add("make").with(
        "size", std::vector<double>{static_cast<double>(space.size[0]), static_cast<double>(space.size[1]),
                                    static_cast<double>(space.size[2])});
    if (dice.chance(30)) make.with("slices", 1);
    if (dice.chance(10)) make.with("avoid", 0);
    for (std::uint32_t i = dice.below(8); i > 0; --i) script.add("fill").with("box", space.box(dice));
    script.add("kind").with("is", std::vector<double>{0.4, 0.0, 2.0, 8.0, 0.0});
    script.add("kind").with("is", std::vector<double>{0.3, 1.2, 2.0, 4.0, 0.6});
    if (dice.chance(60)) draw_flyer_kind(dice, script);
    for (std::uint32_t i = 1 + dice.below(7); i > 0; --i) draw_flyer(dice, space, script);
    const int end = static_cast<int>(script.steps.size()) + operations / 2;
    while (static_cast<int>(script.steps.size()) < end && !dice.empty())
        draw_flight_operation(dice, space, script);
    script.add("settle");
    return script;
}

}  // namespace fairlead::simulate
