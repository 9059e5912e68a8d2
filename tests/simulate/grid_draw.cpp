// The dice's side of the tile worlds: maps, queries, scripts. Nothing here looks at the library's answers.
#include <algorithm>
#include <cmath>

#include "simulate/grid_world.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

namespace {

constexpr int kSlots = 3;

double draw_radius(Dice& dice) {
    constexpr double kRadii[] = {0.0, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7071, 0.8, 1.0, 1.2, 1.5, 2.3};
    constexpr double kOff[] = {0.0, 2.5e-9, -2.5e-9, 1e-6, -1e-6};
    if (dice.chance(10)) {  // just what two corners let pass, a little more, a little less
        const double a = dice.between(1, 3), b = dice.between(0, 3);
        return 0.5 * std::sqrt(a * a + b * b) + kOff[dice.below(5)];
    }
    return dice.chance(3) ? dice.absurd() : kRadii[dice.below(12)];
}

void draw_unit(Dice& dice, double cell, Step& step) {
    if (dice.chance(50)) return;
    if (dice.chance(20))
        step.with("footprint", dice.chance(5) ? dice.absurd_whole() : dice.between(1, 4));
    else
        step.with("radius", draw_radius(dice) * cell);
}

std::vector<double> draw_rect(Dice& dice, const DrawnMap& map) {
    if (dice.chance(2)) {
        std::vector<double> rect;
        for (int i = 0; i < 5; ++i) rect.push_back(dice.absurd_whole());
        return rect;
    }
    const int x = dice.between(0, map.width - 1);
    const int y = dice.between(0, map.height - 1);
    const int size = dice.chance(60) ? 1 : 4;
    return {static_cast<double>(x), static_cast<double>(y),
            static_cast<double>(std::min(map.width, x + dice.between(1, size))),
            static_cast<double>(std::min(map.height, y + dice.between(1, size))),
            static_cast<double>(dice.between(0, map.layers - 1))};
}

std::string draw_tiles(Dice& dice, std::size_t count) {
    std::string tiles;
    const std::uint32_t walls = dice.below(100);
    for (std::size_t i = 0; i < count; ++i) tiles += dice.chance(walls) ? '@' : '.';
    return tiles;
}

void draw_edit(Dice& dice, const DrawnMap& map, Script& script) {
    const std::vector<double> rect = draw_rect(dice, map);
    const double area = (rect[2] - rect[0]) * (rect[3] - rect[1]);
    if (dice.chance(70) || area > 100 || area < 0) {
        Step& step = script.add("fill").with("rect", rect);
        if (dice.chance(40)) step.with("tile", dice.chance(80) ? 1.0 : dice.between(0, 255));
        return;
    }
    script.add("set")
        .with("rect", rect)
        .with("tiles", draw_tiles(dice, static_cast<std::size_t>(area) + dice.chance(2)));
}

void draw_question(Dice& dice, const DrawnMap& map, Step& step) {
    if (dice.chance(25)) step.with("on", dice.between(0, kSlots - 1));
    draw_grid_query(dice, map, step);
}

void draw_operation(Dice& dice, DrawnMap& map, Script& script) {
    const std::uint32_t what = dice.below(100);
    const double slot = dice.between(0, kSlots - 1);
    if (what < 38) {
        Step& step = script.add("query");
        draw_question(dice, map, step);
        step.with("slice", 1 + dice.below(dice.chance(50) ? 4 : 300));
        draw_starve(dice, 15, step);
    } else if (what < 56) {
        draw_edit(dice, map, script);
        draw_starve(dice, 10, script.steps.back());
    } else if (what < 60) {
        Step& step = script.add("search").with("slot", slot);
        draw_question(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 70) {
        script.add("step").with("slot", slot).with("n", dice.chance(5) ? 0 : 1 + dice.below(60));
    } else if (what < 73) {
        script.add(dice.chance(30) ? "cancel" : dice.chance(30) ? "drop" : "finish").with("slot", slot);
    } else if (what < 78) {
        script.add(dice.chance(60) ? "snapshot" : "release").with("slot", slot);
    } else if (what < 84) {
        Step& step = script.add(dice.chance(60) ? "repair" : "revalidate");
        if (dice.chance(30)) step.with("rect", draw_rect(dice, map));
        draw_starve(dice, 15, step);
    } else if (what < 86) {
        draw_unit(dice, map.cell, script.add("size"));
    } else if (what < 91) {
        Step& step = script.add("probe").with("at", map.draw_place(dice)).with("to", map.draw_place(dice));
        step.with("limit", dice.chance(20) ? dice.absurd() : dice.within(0, 8));
        draw_unit(dice, map.cell, step);
    } else if (what < 94) {
        Step& step = script.add("explain");
        draw_question(dice, map, step);
        draw_starve(dice, 15, step);
    } else if (what < 97) {
        script.add("rebuild");
    } else if (what < 98) {
        script.add("move");
    } else if (what < 99) {
        Step& step = script.add("bad_make");
        for (const char* key : {"width", "height", "layers"}) {
            step.with(key, dice.chance(30) ? dice.absurd_whole() : dice.between(1, 40));
        }
        step.with("cell", dice.chance(50) ? dice.absurd() : 1.0);
        step.with("origin", std::vector<double>{dice.absurd(), dice.chance(50) ? dice.absurd() : 0.0});
    } else {
        map = draw_make(dice, script);
    }
}

}  // namespace

std::string draw_rows(Dice& dice, int width, int height, int layers, bool terrain) {
    constexpr std::uint32_t kWalls[] = {0, 5, 15, 25, 35, 50};
    std::string rows;
    for (int layer = 0; layer < layers; ++layer) {
        const std::uint32_t walls = kWalls[dice.below(6)];
        if (layer > 0) rows += '|';
        for (int y = 0; y < height; ++y) {
            if (y > 0) rows += '/';
            for (int x = 0; x < width; ++x) {
                const bool rough = terrain && dice.chance(40);
                rows += dice.chance(walls) ? '@' : rough ? static_cast<char>('2' + dice.below(8)) : '.';
            }
        }
    }
    return rows;
}

char DrawnMap::at(int cx, int cy, int layer) const {
    return rows[static_cast<std::size_t>((layer * height + cy) * (width + 1) + cx)];
}

std::vector<double> DrawnMap::draw_place(Dice& dice) const {
    if (dice.chance(2)) return {dice.absurd(), dice.absurd(), static_cast<double>(dice.absurd_whole())};
    int cx = 0;
    int cy = 0;
    int layer = 0;
    for (int tries = dice.chance(90) ? 8 : 1; tries > 0; --tries) {
        cx = dice.between(0, width - 1);
        cy = dice.between(0, height - 1);
        layer = dice.between(0, layers - 1);
        if (at(cx, cy, layer) != '@') break;
    }
    double px = cx + 0.5;
    double py = cy + 0.5;
    const std::uint32_t way = dice.below(10);
    if (way < 3) {
        px = cx + dice.unit();
        py = cy + dice.unit();
    } else if (way == 3) {  // on an edge or a corner
        px = cx;
        if (dice.chance(50)) py = cy;
    } else if (way == 4 && dice.chance(20)) {  // outside
        px = dice.within(-2, width + 2);
        py = dice.within(-2, height + 2);
    }
    return {x + px * cell, y + py * cell, static_cast<double>(layer)};
}

void draw_blockers(Dice& dice, const DrawnMap& map, Step& step) {
    std::vector<double> blockers;
    for (std::uint32_t i = 1 + dice.below(3); i > 0; --i) {
        const std::vector<double> place = map.draw_place(dice);
        const double radius = dice.chance(4) ? dice.absurd() : dice.within(0, 1.5) * map.cell;
        blockers.insert(blockers.end(),
                        {place[0], place[1], radius, place[2], dice.chance(30) ? radius : -1.0});
    }
    step.with("blockers", blockers);
}

void draw_grid_query(Dice& dice, const DrawnMap& map, Step& step) {
    const auto rarely = [&](std::uint32_t percent, const char* key, double value) {
        if (dice.chance(percent)) step.with(key, value);
    };
    const std::vector<double> start = map.draw_place(dice);
    step.with("start", start).with("goal", dice.chance(3) ? start : map.draw_place(dice));
    draw_unit(dice, map.cell, step);
    rarely(70, "planner", dice.below(dice.chance(1) ? 256 : 12));
    rarely(60, "smoothing", dice.below(dice.chance(1) ? 256 : 4));
    rarely(50, "corner", dice.below(dice.chance(1) ? 256 : 3));
    rarely(15, "four", 1);
    rarely(30, "heuristic", dice.below(dice.chance(1) ? 256 : 4));
    rarely(20, "epsilon", dice.chance(5) ? dice.absurd() : 1 + dice.below(64) / 32.0);
    rarely(20, "turn", dice.chance(5) ? dice.absurd() : dice.below(8) / 4.0);
    rarely(10, "fixed", 1);
    rarely(15, "certify", 1);
    rarely(20, "partial", 1);
    rarely(8, "budget", dice.below(200));
    rarely(5, "cancel", 1);
    if (dice.chance(20)) {
        step.with("kind", 1 + dice.below(dice.chance(2) ? 200 : 4));
        step.with("range", dice.chance(5) ? dice.absurd() : dice.within(0, 6) * map.cell);
        std::vector<double> points;
        for (std::uint32_t i = dice.below(5); i > 0; --i) {
            const std::vector<double> place = map.draw_place(dice);
            points.insert(points.end(), {place[0], place[1]});
        }
        if (!points.empty()) step.with("points", points);
    }
    if (dice.chance(12)) {
        draw_blockers(dice, map, step);
    }
    if (dice.chance(12)) {
        std::vector<double> costs;
        for (int i = 0; i < 9; ++i) costs.push_back(dice.chance(2) ? dice.below(65536) : dice.below(6));
        step.with("terrain", costs);
    }
    if (dice.chance(8)) {
        std::vector<double> influence{dice.chance(5) ? dice.absurd_whole()
                                                     : static_cast<double>(dice.below(5))};
        for (int i = 0; i < 5; ++i) influence.push_back(dice.below(dice.chance(70) ? 4 : 256));
        step.with("influence", influence);
    }
}

void draw_portals(Dice& dice, const DrawnMap& map, Step& step) {
    if (!dice.chance(map.layers > 1 ? 70 : 10)) return;
    std::vector<double> portals;  // x, y, layer twice, cost, both ways
    for (std::uint32_t i = 1 + dice.below(3); i > 0; --i) {
        for (int end = 0; end < 2; ++end) {
            portals.push_back(dice.between(0, map.width - 1));
            portals.push_back(dice.between(0, map.height - 1));
            portals.push_back(dice.between(0, map.layers - 1));
        }
        portals.push_back(0.25 + dice.below(16) * 0.25);
        portals.push_back(dice.chance(70) ? 1 : 0);
    }
    step.with("portals", portals);
}

DrawnMap draw_make(Dice& dice, Script& script) {
    DrawnMap map;
    const int side = dice.chance(70) ? 8 : dice.chance(80) ? 16 : 72;
    map.width = dice.between(1, side);
    map.height = dice.between(1, side);
    map.layers = dice.chance(20) && side < 72 ? dice.between(2, 3) : 1;
    map.rows = draw_rows(dice, map.width, map.height, map.layers, dice.chance(25));
    Step& step = script.add("make").with("rows", map.rows);
    if (dice.chance(20)) {
        constexpr double kCells[] = {0.25, 2.0, 0.3, 7.0, 1e-3};
        constexpr double kOrigins[] = {0, 3.25, -10, 1e3, 1e5, 5e6};
        map.cell = kCells[dice.below(5)];
        map.x = kOrigins[dice.below(6)] * map.cell;
        map.y = kOrigins[dice.below(6)] * map.cell;
        step.with("cell", map.cell).with("origin", std::vector<double>{map.x, map.y});
    }
    if (dice.chance(20)) step.with("wrap", 1 + dice.below(3));
    if (dice.chance(50)) step.with("corner", 1 + dice.below(2));
    if (map.width % 2 == 0) step.with("hierarchy", 1);
    if (dice.chance(40)) {
        std::vector<double> sizes;
        for (std::uint32_t i = 1 + dice.below(3); i > 0; --i) {
            sizes.push_back(dice.chance(20) ? -dice.between(1, 3) : draw_radius(dice) * map.cell);
        }
        step.with("sizes", sizes);
    }
    draw_portals(dice, map, step);
    if (dice.chance(10)) {
        std::vector<double> costs;
        for (int i = 0; i < 9; ++i) costs.push_back(1 + dice.below(dice.chance(90) ? 12 : 1023));
        step.with("costs", costs);
    }
    return map;
}

Script draw_grid_script(Dice& dice, int operations) {
    Script script{"grid", {}};
    DrawnMap map = draw_make(dice, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty())
        draw_operation(dice, map, script);
    return script;
}

}  // namespace fairlead::simulate
