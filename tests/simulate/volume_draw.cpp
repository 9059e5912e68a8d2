// The dice's side of volumes: worlds of all kinds, edits, queries, places, lines of sight.
#include <algorithm>

#include "simulate/starved.h"
#include "support/volumes.h"

namespace fairlead::simulate {

namespace {

constexpr int kSlots = 3;

struct DrawnVolume {
    double size[3] = {1, 1, 1};
    double origin[3] = {0, 0, 0};
    double voxel[3] = {1, 1, 1};

    [[nodiscard]] double side() const { return std::min({voxel[0], voxel[1], voxel[2]}); }
    /// A voxel's middle, a place in it, on its sides, or nowhere.
    [[nodiscard]] std::vector<double> draw_place(Dice& dice) const {
        std::vector<double> out;
        const std::uint32_t how = dice.below(100);
        for (int k = 0; k < 3; ++k) {
            const int most = static_cast<int>(size[k]);
            double at = dice.between(how < 4 ? -2 : 0, how < 4 ? most + 1 : most - 1);
            if (how < 55)
                at += 0.5;
            else if (how < 85)
                at += dice.within(0, 1);
            else if (how < 95)
                at += 0.25 * dice.between(0, 4);
            out.push_back(how == 99 ? dice.absurd() : origin[k] + at * voxel[k]);
        }
        return out;
    }
};

DrawnVolume draw_make(Dice& dice, Script& script) {
    DrawnVolume drawn;
    const std::uint32_t shape = dice.below(100);
    const int side = shape < 60 ? 8 : shape < 82 ? 20 : shape < 85 ? 48 : 5;
    for (double& one : drawn.size) one = dice.between(1, side);
    if (shape >= 85) drawn.size[dice.below(3)] = dice.between(60, 140);  // over the borders of chunks
    std::vector<double> size(drawn.size, drawn.size + 3);
    if (dice.chance(2)) size[dice.below(3)] = dice.absurd_whole();
    Step& step = script.add("make").with("size", size);
    step.with("kind", dice.below(static_cast<std::uint32_t>(testing::VolumeKind::count_)));
    step.with("seed", dice.below(100000));
    if (dice.chance(10)) step.with("streamed", 1);
    if (dice.chance(20)) {
        for (double& one : drawn.voxel) one = 0.25 * dice.between(1, 6);
        for (double& one : drawn.origin) one = dice.between(-40, 40) * (dice.chance(20) ? 1e4 : 0.3);
        std::vector<double> voxel(drawn.voxel, drawn.voxel + 3), origin(drawn.origin, drawn.origin + 3);
        if (dice.chance(5)) voxel[dice.below(3)] = dice.absurd();
        if (dice.chance(5)) origin[dice.below(3)] = dice.absurd();
        step.with("voxel", voxel).with("origin", origin);
    }
    draw_starve(dice, 10, step);
    return drawn;
}

void draw_radius(Dice& dice, const DrawnVolume& world, Step& step) {
    constexpr double kRadii[] = {0.1, 0.3, 0.45, 0.5, 0.5, 0.6, 0.75, 1.0, 1.2, 1.5, 2.0, 2.5};
    if (dice.chance(45)) return;
    const double narrow = kRadii[dice.below(5)], any = kRadii[dice.below(12)];
    step.with("radius", dice.chance(2) ? dice.absurd() : (dice.chance(55) ? narrow : any) * world.side());
}

// Of an upright capsule what stands between its round ends, halved: in whole voxels, so that the judge has a world for it.
void draw_half(Dice& dice, const DrawnVolume& world, Step& step) {
    if (!step.has("radius") || !dice.chance(30)) return;
    step.with("half", dice.chance(2) ? dice.absurd() : dice.between(1, 3) * world.voxel[2]);
}

void draw_query(Dice& dice, const DrawnVolume& world, Step& step) {
    const std::vector<double> start = world.draw_place(dice);
    step.with("start", start).with("goal", dice.chance(3) ? start : world.draw_place(dice));
    draw_radius(dice, world, step);
    draw_half(dice, world, step);
    if (dice.chance(20)) step.with("planner", dice.below(dice.chance(3) ? 256 : 4));
    if (dice.chance(20)) step.with("neighbours", dice.below(dice.chance(3) ? 256 : 3));
    if (dice.chance(15)) step.with("heuristic", dice.below(dice.chance(3) ? 256 : 3));
    if (dice.chance(15)) step.with("rough", 1);
    if (dice.chance(20)) step.with("partial", 1);
    if (dice.chance(10)) step.with("budget", dice.below(dice.chance(50) ? 6 : 60));
    if (dice.chance(3)) step.with("cancel", 1);
    if (dice.chance(15)) {
        std::vector<double> numbers;
        for (std::uint32_t n = 1 + dice.below(6); n > 0; --n) {
            const std::vector<double> at = world.draw_place(dice);
            numbers.insert(numbers.end(), at.begin(), at.end());
            const bool ball = dice.chance(50);
            for (int k = 0; k < 3; ++k)
                numbers.push_back(k == 0 && ball ? 0.0 : 0.25 * dice.between(0, 12) * world.side());
        }
        step.with("blockers", numbers);
    }
    if (dice.chance(20))
        step.with("reach", dice.chance(10) ? dice.absurd() : dice.within(0, 4) * world.side());
}

void draw_edit(Dice& dice, const DrawnVolume& world, Step& step) {
    const std::uint32_t kind = dice.chance(1)    ? dice.below(256)
                               : dice.chance(30) ? 3 + dice.below(2)
                                                 : dice.below(3);
    if (kind != 0) step.with("kind", kind);
    if (dice.chance(40)) step.with("clear", 1);
    std::vector<double> box(6);
    for (std::size_t k = 0; k < 3; ++k) {
        const int most = static_cast<int>(world.size[k]);
        box[k] = dice.chance(1) ? dice.absurd_whole() : dice.between(-1, most);
        const int wide = dice.chance(80) ? dice.between(1, 3) : dice.between(0, most);
        box[k + 3] = dice.chance(1) ? dice.absurd_whole() : box[k] + wide;
    }
    if (kind == 0) step.with("box", box);
    if (kind == 1) step.with("centre", world.draw_place(dice));
    if (kind == 1) step.with("radius", dice.chance(3) ? dice.absurd() : dice.within(0, 3) * world.side());
    if (kind == 3 || kind == 4) {
        std::vector<double> chunk;
        for (const double size : world.size) {
            const int last = (static_cast<int>(size) - 1) / 64;
            chunk.push_back(dice.chance(2) ? dice.absurd_whole() : dice.between(0, last));
        }
        step.with("chunk", chunk).with("seed", dice.below(1000));
    }
    if (kind != 2) return;
    std::vector<double> brick;
    for (const double size : world.size) brick.push_back(dice.between(0, (static_cast<int>(size) - 1) / 4));
    if (dice.chance(2)) brick[dice.below(3)] = dice.absurd_whole();
    step.with("brick", brick);
    constexpr const char* kBits[] = {"0", "18446744073709551615", "65535", "1229782938247303441"};
    step.with("bits", dice.chance(60) ? std::string(kBits[dice.below(4)])
                                      : std::to_string(dice.below(2147483647) * 8589934597ULL));
}

void draw_flight(Dice& dice, const DrawnVolume& world, Step& step) {
    step.with("start", world.draw_place(dice)).with("goal", world.draw_place(dice));
    step.with("from_heading", dice.chance(2) ? dice.absurd() : dice.within(-4, 4));
    step.with("to_heading", dice.chance(2) ? dice.absurd() : dice.within(-4, 4));
    step.with("turning", dice.chance(2) ? dice.absurd() : dice.within(0, 4) * world.side());
    if (dice.chance(40)) step.with("climb", dice.chance(5) ? dice.absurd() : dice.within(0, 1));
    draw_radius(dice, world, step);
    draw_half(dice, world, step);
    if (dice.chance(30)) {
        for (const char* side : {"length", "width", "height"})
            step.with(side, dice.chance(2) ? dice.absurd() : dice.within(0.1, 2.5) * world.side());
        if (dice.chance(40))
            step.with("offset", dice.chance(3) ? dice.absurd() : dice.within(-0.6, 0.6) * world.side());
    }
    step.with("slice", 1 + dice.below(dice.chance(50) ? 4 : 60));
    if (dice.chance(15)) step.with("rough", 1);
    if (dice.chance(20)) step.with("partial", 1);
    step.with("budget", dice.below(dice.chance(80) ? 40 : 400));
}

void draw_question(Dice& dice, const DrawnVolume& world, Script& script, std::uint32_t what) {
    if (what < 50) {
        Step& step =
            script.add("sight").with("from", world.draw_place(dice)).with("to", world.draw_place(dice));
        draw_radius(dice, world, step);
    } else if (what < 80) {
        Step& step = script.add("nearest").with("place", world.draw_place(dice));
        draw_radius(dice, world, step);
        if (dice.chance(40)) step.with("reach", dice.chance(10) ? dice.absurd() : dice.within(0, 5));
        if (dice.chance(40)) step.with("from", world.draw_place(dice));
        draw_starve(dice, 15, step);
    } else {
        Step& step = script.add("random").with("seed", dice.below(1000));
        draw_radius(dice, world, step);
        if (dice.chance(50)) step.with("from", world.draw_place(dice));
        draw_starve(dice, 15, step);
    }
}

void draw_operation(Dice& dice, DrawnVolume& world, Script& script) {
    const std::uint32_t what = dice.below(100);
    const double slot = dice.between(0, kSlots - 1);
    if (what < 36) {
        Step& step = script.add("query").with("slice", 1 + dice.below(dice.chance(50) ? 4 : 300));
        if (dice.chance(25)) step.with("on", dice.between(0, kSlots - 1));
        draw_query(dice, world, step);
        draw_starve(dice, 15, step);
    } else if (what < 58) {
        Step& step = script.add("edit");
        draw_edit(dice, world, step);
        if (dice.chance(20)) step.with("fresh", 1);
        draw_starve(dice, 15, step);
    } else if (what < 62) {
        Step& step = script.add("search").with("slot", slot);
        draw_query(dice, world, step);
        draw_starve(dice, 15, step);
    } else if (what < 70) {
        script.add("step").with("slot", slot).with("n", dice.chance(5) ? 0 : 1 + dice.below(20));
    } else if (what < 73) {
        script.add(dice.chance(30) ? "cancel" : dice.chance(30) ? "drop" : "finish").with("slot", slot);
    } else if (what < 78) {
        script.add(dice.chance(60) ? "snapshot" : dice.chance(50) ? "look" : "release").with("slot", slot);
    } else if (what < 84) {
        draw_starve(dice, 15, script.add(dice.chance(50) ? "revalidate" : "repair"));
    } else if (what < 96) {
        draw_question(dice, world, script, dice.below(100));
    } else if (what < 97) {
        draw_starve(dice, 15, script.add("save"));
    } else if (what < 98) {
        Step& step = script.add("fly");
        draw_flight(dice, world, step);
        draw_starve(dice, 10, step);
    } else if (what < 99) {
        Step& step = script.add("why");
        draw_query(dice, world, step);
        draw_starve(dice, 10, step);
    } else {
        world = draw_make(dice, script);
    }
}

}  // namespace

Script draw_volume_script(Dice& dice, int operations) {
    Script script{"volume", {}};
    DrawnVolume world = draw_make(dice, script);
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty())
        draw_operation(dice, world, script);
    return script;
}

}  // namespace fairlead::simulate
