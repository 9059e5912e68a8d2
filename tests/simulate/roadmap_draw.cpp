// The dice's side of roadmaps: waypoints, edges, walls, queries.
#include "simulate/driver.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

namespace {

constexpr int kSlots = 3;
constexpr int kIds = 9;

double draw_coordinate(Dice& dice) {
    if (dice.chance(1)) return dice.absurd();
    return dice.chance(60) ? dice.between(0, 10) : dice.within(0, 10);
}

double draw_id(Dice& dice) { return dice.chance(2) ? dice.absurd_whole() : dice.below(kIds); }

// from, to, cost, one way, link, kind, flags, label
std::vector<double> draw_edge(Dice& dice) {
    const double cost = dice.chance(60) ? -1.0 : dice.chance(3) ? dice.absurd() : dice.within(0.1, 12);
    const auto rarely = [&](std::uint32_t bound) {
        return dice.chance(25) ? static_cast<double>(dice.below(bound)) : 0.0;
    };
    return {draw_id(dice), draw_id(dice), cost, rarely(2), rarely(2), rarely(4), rarely(4), rarely(3)};
}

std::vector<double> draw_point(Dice& dice) {
    return {draw_coordinate(dice), draw_coordinate(dice), dice.chance(10) ? draw_coordinate(dice) : 0.0};
}

void draw_place(Dice& dice, const char* waypoint, const char* point, Step& step) {
    if (dice.chance(60))
        step.with(waypoint, draw_id(dice));
    else
        step.with(point, draw_point(dice));
}

void draw_query(Dice& dice, Step& step) {
    const auto rarely = [&](std::uint32_t percent, const char* key, double value) {
        if (dice.chance(percent)) step.with(key, value);
    };
    draw_place(dice, "from", "start", step);
    draw_place(dice, "to", "goal", step);
    rarely(30, "radius", dice.chance(3) ? dice.absurd() : 0.2 * dice.below(6));
    rarely(40, "planner", dice.below(dice.chance(2) ? 256 : 3));
    rarely(30, "backward", 1);
    rarely(20, "blocked_flags", dice.below(4));
    rarely(10, "check_edges", 1);
    rarely(20, "no_direct", 1);
    rarely(10, "off_net_cost", dice.chance(10) ? dice.absurd() : dice.within(0.5, 3));
    rarely(10, "attach_range", dice.chance(10) ? dice.absurd() : dice.within(0, 5));
    rarely(10, "attach_max", dice.chance(10) ? dice.absurd_whole() : 1 + dice.below(8));
    rarely(10, "attach_tests", dice.chance(10) ? dice.absurd_whole() : 1 + dice.below(8));
    rarely(20, "partial", 1);
    rarely(8, "budget", dice.below(20));
    rarely(3, "cancel", 1);
    if (dice.chance(15)) {
        std::vector<double> factors;
        for (int i = 0; i < 4; ++i) factors.push_back(dice.chance(3) ? dice.absurd() : 0.5 * dice.below(5));
        step.with("factors", factors);
    }
}

void draw_goals(Dice& dice, Step& step) {
    std::vector<double> goals;
    for (std::uint32_t i = 1 + dice.below(4); i > 0; --i) goals.push_back(draw_id(dice));
    step.with("goals", goals);
}

void draw_make(Dice& dice, Script& script) {
    Step& step = script.add("make");
    std::vector<double> nodes;
    const std::uint32_t count = dice.below(kIds + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::vector<double> at = draw_point(dice);
        nodes.insert(nodes.end(), at.begin(), at.end());
    }
    step.with("nodes", nodes);
    std::vector<double> edges;
    for (std::uint32_t i = count < 2 ? 0 : dice.below(14); i > 0; --i) {
        std::vector<double> edge = draw_edge(dice);
        edge[0] = dice.below(count);
        edge[1] = dice.below(count);
        if (edge[0] == edge[1]) edge[1] = edge[0] == 0 ? 1 : 0;
        edges.insert(edges.end(), edge.begin(), edge.end());
    }
    if (!edges.empty()) step.with("edges", edges);
    std::vector<double> walls;  // x, y, half sides; as a polygon, or its diagonal alone
    for (std::uint32_t i = dice.chance(50) ? dice.below(4) : 0; i > 0; --i) {
        walls.insert(walls.end(), {draw_coordinate(dice), draw_coordinate(dice), dice.within(0.1, 3),
                                   dice.within(0.1, 3), static_cast<double>(dice.below(2))});
    }
    if (!walls.empty()) step.with("walls", walls);
}

void draw_operation(Dice& dice, Script& script) {
    const std::uint32_t what = dice.below(100);
    const double slot = dice.between(0, kSlots - 1);
    const auto old = [&](Step& step) {
        if (dice.chance(25)) step.with("on", dice.between(0, kSlots - 1));
    };
    if (what < 38) {
        Step& step = script.add("query").with("slice", 1 + dice.below(dice.chance(50) ? 4 : 300));
        old(step);
        draw_query(dice, step);
        if (dice.chance(15)) draw_goals(dice, step);
        draw_starve(dice, 15, step);
    } else if (what < 44) {
        Step& step = script.add("routes");
        old(step);
        draw_query(dice, step);
        draw_goals(dice, step);
        draw_starve(dice, 15, step);
    } else if (what < 54) {
        constexpr const char* kEdits[] = {"add_node", "move_node", "remove_node"};
        Step& step = script.add(kEdits[dice.below(3)]);
        step.with("id", draw_id(dice)).with("at", draw_point(dice));
        draw_starve(dice, 15, step);
    } else if (what < 66) {
        constexpr const char* kEdits[] = {"add_edge", "add_edge", "change_edge", "remove_edge"};
        Step& step = script.add(kEdits[dice.below(4)]);
        step.with("edge", draw_edge(dice));
        draw_starve(dice, 15, step);
    } else if (what < 70) {
        Step& step = script.add("search").with("slot", slot);
        draw_query(dice, step);
        draw_starve(dice, 15, step);
    } else if (what < 78) {
        script.add("step").with("slot", slot).with("n", dice.chance(5) ? 0 : 1 + dice.below(8));
    } else if (what < 81) {
        script.add(dice.chance(30) ? "cancel" : dice.chance(30) ? "drop" : "finish").with("slot", slot);
    } else if (what < 86) {
        script.add(dice.chance(60) ? "snapshot" : "release").with("slot", slot);
    } else if (what < 94) {
        draw_starve(dice, 15, script.add(dice.chance(60) ? "repair" : "revalidate"));
    } else if (what < 96) {
        Step& step = script.add("why");
        draw_query(dice, step);
        draw_starve(dice, 15, step);
    } else if (what < 99) {
        script.add("connected").with("from", draw_id(dice)).with("to", draw_id(dice));
    } else {
        draw_make(dice, script);
    }
}

}  // namespace

Script draw_roadmap_script(Dice& dice, int operations) {
    Script script{"roadmap", {}};
    draw_make(dice, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty()) draw_operation(dice, script);
    return script;
}

}  // namespace fairlead::simulate
