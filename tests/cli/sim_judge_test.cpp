// fairlead sim, judged from outside: random small maps as tiles and as meshes, walkers, lorries and rectangles, walls that come and go.
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "cli/cli_test.h"
#include "support/environment.h"
#include "support/track_judge.h"

namespace fairlead::testing {
namespace {

int draw(Rng& rng, int count) { return static_cast<int>(rng.below(static_cast<std::uint32_t>(count))); }

TrackMap random_map(Rng& rng) {
    TrackMap map;
    map.width = 12 + draw(rng, 8);
    map.height = 12 + draw(rng, 8);
    map.wall.assign(static_cast<std::size_t>(map.width * map.height), 0);
    const int blocks = map.width * map.height / 24;
    for (int i = 0; i < blocks; ++i) {
        const int x0 = draw(rng, map.width);
        const int y0 = draw(rng, map.height);
        const bool flat = draw(rng, 2) == 0;
        const int along = 1 + draw(rng, 4);
        for (int k = 0; k < along; ++k) {
            const int x = x0 + (flat ? k : 0);
            const int y = y0 + (flat ? 0 : k);
            if (x < map.width && y < map.height) map.wall[static_cast<std::size_t>(y * map.width + x)] = 1;
        }
    }
    return map;
}

std::string map_text(const TrackMap& map) {
    std::ostringstream out;
    out << "type octile\nheight " << map.height << "\nwidth " << map.width << "\nmap\n";
    for (int y = 0; y < map.height; ++y) {
        for (int x = 0; x < map.width; ++x) out << (map.is_wall(x, y) ? '@' : '.');
        out << '\n';
    }
    return out.str();
}

/// A square for each free cell.
std::string mesh_text(const TrackMap& map) {
    std::vector<int> number(map.wall.size(), -1);
    int count = 0;
    for (std::size_t i = 0; i < map.wall.size(); ++i) {
        if (map.wall[i] == 0) number[i] = count++;
    }
    const auto polygon = [&](int x, int y) {
        return map.is_wall(x, y) ? -1 : number[static_cast<std::size_t>(y * map.width + x)];
    };
    std::ostringstream out;
    out << "mesh\n2\n" << (map.width + 1) * (map.height + 1) << ' ' << count << '\n';
    for (int y = 0; y <= map.height; ++y) {
        for (int x = 0; x <= map.width; ++x) {
            out << x << ' ' << y << " 4 " << polygon(x - 1, y - 1) << ' ' << polygon(x, y - 1) << ' '
                << polygon(x, y) << ' ' << polygon(x - 1, y) << '\n';
        }
    }
    const auto corner = [&](int x, int y) { return y * (map.width + 1) + x; };
    for (int y = 0; y < map.height; ++y) {
        for (int x = 0; x < map.width; ++x) {
            if (map.is_wall(x, y)) continue;
            out << "4 " << corner(x, y) << ' ' << corner(x + 1, y) << ' ' << corner(x + 1, y + 1) << ' '
                << corner(x, y + 1) << ' ' << polygon(x - 1, y) << ' ' << polygon(x, y - 1) << ' '
                << polygon(x + 1, y) << ' ' << polygon(x, y + 1) << '\n';
        }
    }
    return out.str();
}

TrackUnit random_unit(Rng& rng, int id) {
    TrackUnit unit;
    unit.id = id;
    unit.speed = rng.between(1.0, 3.0);
    if (draw(rng, 4) != 0) unit.accel = rng.between(2.0, 8.0);
    if (unit.accel > 0.0 && draw(rng, 2) == 0) unit.brake = rng.between(2.0, 8.0);
    if (draw(rng, 3) == 0) unit.lateral_accel = rng.between(2.0, 6.0);
    if (draw(rng, 3) == 0) unit.turn_rate = rng.between(90.0, 360.0);
    if (draw(rng, 3) == 0) unit.start_s = rng.between(0.0, 2.0);
    const int kind = draw(rng, 4);
    unit.radius = kind == 0 ? 0.0 : rng.between(0.1, 0.45);
    return unit;
}

/// Some show 8, 16 or 32 facings.
void give_facings(Rng& rng, TrackUnit& unit) {
    if (draw(rng, 3) != 0) unit.facings = 8 << draw(rng, 3);
}

void make_vehicle(Rng& rng, TrackUnit& unit, bool box) {
    unit.turning_radius = box ? 1.5 : 1.0;
    unit.reverse = draw(rng, 2) == 0;
    unit.radius = box ? 0.0 : 0.4;
    unit.length = box ? 1.2 : 0.0;
    unit.width = box ? 0.6 : 0.0;
    unit.has_heading = draw(rng, 3) != 0;
    unit.h = rng.between(-180.0, 180.0);
    unit.has_goal_heading = draw(rng, 3) == 0;
    unit.gh = 45.0 * draw(rng, 8) - 180.0;
}

/// Start and goal where a disc around the body is free of walls and of all others'.
bool place(Rng& rng, TrackScene& scene, TrackUnit& unit) {
    const double reach = std::max(unit.reach(), 1e-3);
    const auto find = [&](double TrackUnit::*px, double TrackUnit::*py) {
        for (int i = 0; i < 200; ++i) {
            const double x = rng.between(0.0, static_cast<double>(scene.map.width));
            const double y = rng.between(0.0, static_cast<double>(scene.map.height));
            bool good = scene.map.room(x, y, x, y, reach + 0.05) > reach + 0.01;
            for (const TrackUnit& other : scene.units)
                good = good && std::hypot(x - other.*px, y - other.*py) > reach + other.reach() + 0.05;
            if (!good) continue;
            unit.*px = x;
            unit.*py = y;
            return true;
        }
        return false;
    };
    return find(&TrackUnit::x, &TrackUnit::y) && find(&TrackUnit::gx, &TrackUnit::gy);
}

TrackScene random_scene(Rng& rng, bool vehicles, bool edits, bool facings = false) {
    TrackScene scene;
    scene.map = random_map(rng);
    scene.rate = 30.0;
    for (int id = 1; id <= 7; ++id) {
        TrackUnit unit = random_unit(rng, 10 * id);
        if (vehicles && id > 5) make_vehicle(rng, unit, id == 7);
        if (facings) give_facings(rng, unit);
        if (place(rng, scene, unit)) scene.units.push_back(unit);
    }
    for (int i = 0; edits && i < 4; ++i) {
        TrackEdit edit;
        edit.x0 = draw(rng, scene.map.width);
        edit.y0 = draw(rng, scene.map.height);
        edit.x1 = edit.x0 + 1;
        edit.y1 = edit.y0 + 1;
        bool free = !scene.map.is_wall(edit.x0, edit.y0);
        for (const TrackEdit& other : scene.edits)
            free = free && (other.x0 != edit.x0 || other.y0 != edit.y0);
        if (!free) continue;
        for (const bool wall : {true, false}) {  // it comes, and goes again
            edit.t = 1.0 + i + (wall ? 0.0 : 3.0);
            edit.wall = wall;
            scene.edits.push_back(edit);
        }
    }
    std::stable_sort(scene.edits.begin(), scene.edits.end(),
                     [](const TrackEdit& a, const TrackEdit& b) { return a.t < b.t; });
    return scene;
}

std::string edits_text(const TrackScene& scene, bool mesh) {
    std::ostringstream out;
    for (const TrackEdit& edit : scene.edits) {
        out << edit.t << ',';
        if (mesh) {
            out << (edit.wall ? "add" : "remove") << ',' << edit.y0 * scene.map.width + edit.x0 << ','
                << edit.x0 << ',' << edit.y0 << ",-1," << edit.x1 << ',' << edit.y1 << ",1\n";
        } else {
            out << edit.x0 << ',' << edit.y0 << ',' << edit.x1 << ',' << edit.y1 << ',' << (edit.wall ? 0 : 1)
                << '\n';
        }
    }
    return out.str();
}

TrackVerdict play(const TrackScene& scene, bool mesh, const std::string& name) {
    const std::string world = temp_path(name + (mesh ? ".mesh" : ".map"));
    const std::string units = temp_path(name + ".csv");
    write_text(world, mesh ? mesh_text(scene.map) : map_text(scene.map));
    write_text(units, units_csv(scene.units));
    std::vector<std::string> arguments = {"sim", world, units, "--seconds", "15", "--rate", "30", "-o", "-"};
    if (!scene.edits.empty()) {
        const std::string edits = temp_path(name + "_edits.csv");
        write_text(edits, edits_text(scene, mesh));
        arguments = with(arguments, {"--edits", edits});
    }
    const RunResult run = run_cli(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    return judge_track(scene, run.out);
}

struct Tally {
    int units = 0, arrived = 0, stuck = 0, unreachable = 0, invalid = 0, waited = 0;

    void add(const TrackScene& scene, const TrackVerdict& verdict) {
        units += static_cast<int>(scene.units.size());
        arrived += verdict.arrived;
        stuck += verdict.stuck;
        unreachable += verdict.unreachable;
        invalid += verdict.invalid;
        waited += verdict.waited;
    }
};

TEST(SimJudge, RandomScenes) {
    Tally tally;
    const int rounds = trials(40);
    for (int round = 0; round < rounds; ++round) {
        Rng rng(900 + static_cast<std::uint64_t>(round));
        const bool mesh = round % 2 == 1;
        const TrackScene scene = random_scene(rng, round % 4 > 1, round % 8 < 4);
        const TrackVerdict verdict = play(scene, mesh, "scene" + std::to_string(round));
        for (const std::string& fault : verdict.faults) ADD_FAILURE() << "round " << round << ": " << fault;
        tally.add(scene, verdict);
    }
    EXPECT_EQ(tally.stuck, 0);
    EXPECT_EQ(tally.invalid, 0);
    if (!all_trials()) return;
    EXPECT_GE(tally.arrived + tally.unreachable, tally.units * 9 / 10);
    EXPECT_GT(tally.unreachable, 0);
    EXPECT_GT(tally.waited, 0);
}

TEST(SimJudge, RandomScenesOfUnitsWithFacings) {
    Tally tally;
    const int rounds = trials(30);
    for (int round = 0; round < rounds; ++round) {
        Rng rng(5900 + static_cast<std::uint64_t>(round));
        const bool mesh = round % 2 == 1;
        const TrackScene scene = random_scene(rng, !mesh && round % 4 > 1, round % 8 < 4, true);
        const TrackVerdict verdict = play(scene, mesh, "facings" + std::to_string(round));
        for (const std::string& fault : verdict.faults) ADD_FAILURE() << "round " << round << ": " << fault;
        tally.add(scene, verdict);
    }
    EXPECT_EQ(tally.stuck, 0);
    EXPECT_EQ(tally.invalid, 0);
    if (!all_trials()) return;
    EXPECT_GE(tally.arrived + tally.unreachable, tally.units * 85 / 100);
}

}  // namespace
}  // namespace fairlead::testing
