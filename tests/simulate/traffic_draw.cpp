// The dice's side of vehicles that meet: yards and streets with more of them than can pass freely, people between them, new goals, edits.
#include "simulate/driver.h"
#include "simulate/moved_map.h"

namespace fairlead::simulate {

namespace {

constexpr std::uint32_t kKinds = 4;  // the last one walks

void draw_truck(Dice& dice, Script& script) {
    const double radius = 0.4 + 0.1 * dice.below(7);
    const double turning = 1.2 + 0.4 * dice.below(4);
    const double length = dice.chance(35) ? 2.0 * radius * dice.within(1.0, 2.0) : 0.0;
    const double accel = dice.chance(10) ? dice.within(20.0, 200.0) : dice.within(1.0, 6.0);
    script.add("kind").with("is", std::vector<double>{radius, turning, length, dice.within(1.0, 4.0), accel});
}

std::vector<double> draw_place(Dice& dice, std::int32_t width, std::int32_t height) {
    const double x = dice.between(1, width - 2), y = dice.between(1, height - 2);
    return {x + 0.5, y + 0.5};
}

std::string draw_streets(Dice& dice, std::int32_t width, std::int32_t height) {
    std::vector<std::string> rows(static_cast<std::size_t>(height),
                                  std::string(static_cast<std::size_t>(width), '.'));
    for (std::uint32_t i = dice.below(10); i > 0; --i) {
        const std::int32_t x = dice.between(0, width - 1), y = dice.between(0, height - 1);
        const std::int32_t w = dice.between(1, 6), h = dice.between(1, 6);
        for (std::int32_t v = y; v < y + h && v < height; ++v) {
            for (std::int32_t u = x; u < x + w && u < width; ++u)
                rows[static_cast<std::size_t>(v)][static_cast<std::size_t>(u)] = '@';
        }
    }
    std::string all;
    for (const std::string& row : rows) all += (all.empty() ? "" : "/") + row;
    return all;
}

struct Town {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::uint32_t units = 0;
};

void draw_operation(Dice& dice, Town& town, Script& script) {
    const std::uint32_t what = dice.below(100);
    const auto place = [&] { return draw_place(dice, town.width, town.height); };
    if (what < 50) {
        Step& step = script.add("tick").with("n", 1 + dice.below(200));
        if (dice.chance(10)) step.with("seconds", dice.within(0.01, 0.2));
        if (dice.chance(40)) step.with("units", 50 + dice.below(6000));
    } else if (what < 72) {
        script.add("send").with("id", dice.below(town.units)).with("to", place());
    } else if (what < 79) {
        script.add("add").with("kind", dice.below(kKinds)).with("at", place());
        script.add("send").with("id", town.units).with("to", place());
        ++town.units;
    } else if (what < 84) {
        script.add("stop").with("id", dice.below(town.units));
    } else if (what < 89) {
        script.add("remove").with("id", dice.below(town.units));
    } else {
        const std::vector<double> at = place();
        Step& step = script.add("fill").with(
            "rect", std::vector<double>{at[0] - 0.5, at[1] - 0.5, 1.0 + dice.below(3), 1.0 + dice.below(3)});
        if (dice.chance(60)) step.with("free", 1);
    }
}

}  // namespace

Script draw_traffic_script(Dice& dice, int operations) {
    Script script{"traffic", {}};
    Town town{dice.between(12, 36), dice.between(8, 30), 2 + dice.below(9)};
    Step& make = script.add("make").with("rows", draw_streets(dice, town.width, town.height));
    if (dice.chance(25)) make.with("mesh", 1);
    for (std::uint32_t i = 1; i < kKinds; ++i) draw_truck(dice, script);
    script.add("kind").with("is", std::vector<double>{0.4, 0.0, 0.0, 1.5, 8.0});
    for (std::uint32_t i = 0; i < town.units; ++i) {
        script.add("add")
            .with("kind", dice.below(kKinds))
            .with("at", draw_place(dice, town.width, town.height));
        if (dice.chance(85))
            script.add("send").with("id", i).with("to", draw_place(dice, town.width, town.height));
    }
    const int end = static_cast<int>(script.steps.size()) + operations / 2;
    while (static_cast<int>(script.steps.size()) < end && !dice.empty()) draw_operation(dice, town, script);
    script.add("settle");
    return script;
}

}  // namespace fairlead::simulate
