// Every scene is drawn in metres around (0, 0), as solid boxes and zones. Boxes become whole numbers of a cell that is rounded
// to 38 bits; all that follows (mirror, turn, corners in the world) is exact.
#include "support/crowd_scenes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fairlead/base/assert.h>
#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_mesh.h>

namespace fairlead::testing {

namespace {

constexpr double kApart = 1.15;
constexpr double kOffWalls = 0.55;
constexpr double kFrame = 1.0;  ///< thickness of the walls around all

struct Name {
    CrowdPlace place;
    const char* name;
};
constexpr Name kNames[] = {
    {CrowdPlace::doorway, "doorway"},
    {CrowdPlace::corridor_a, "corridor_a"},
    {CrowdPlace::corridor_b, "corridor_b"},
    {CrowdPlace::crossing, "crossing"},
    {CrowdPlace::crossing_open, "crossing_open"},
    {CrowdPlace::four_way, "four_way"},
    {CrowdPlace::four_way_44, "four_way_44"},
    {CrowdPlace::vestibule, "vestibule"},
    {CrowdPlace::tunnel, "tunnel"},
    {CrowdPlace::rooms, "rooms"},
    {CrowdPlace::chain, "chain"},
    {CrowdPlace::chain_wide, "chain_wide"},
};

/// In metres.
struct Plan {
    double half_x = 0.0;  ///< of what is inside the frame
    double half_y = 0.0;
    double cell = 0.1;
    std::vector<Aabb> blocks{};
    std::vector<CrowdGroup> groups{};

    void block(double x0, double y0, double x1, double y1) { blocks.push_back({{x0, y0}, {x1, y1}}); }
    /// The same above and below the x axis: x0 to x1, from y0 on.
    void banks(double x0, double x1, double y0) {
        block(x0, y0, x1, half_y);
        block(x0, -half_y, x1, -y0);
    }
    void go(const Aabb& from, const Aabb& to, int count) { groups.push_back({{from}, {to}, count}); }
    /// West to east and the reverse, between zones x0 <= |x| <= x1, |y| <= y.
    void both_ways(double x0, double x1, double y, int count) {
        const Aabb west{{-x1, -y}, {-x0, y}};
        const Aabb east{{x0, -y}, {x1, y}};
        go(west, east, count);
        go(east, west, count);
    }
};

Plan plan_doorway() {
    Plan plan{.half_x = 30.0, .half_y = 9.0, .cell = 0.05};
    plan.banks(-0.25, 0.25, 0.6);
    plan.both_ways(17.0, 29.0, 8.0, 20);
    return plan;
}

Plan plan_corridor(double half_x, double half_length, double zone_low, double zone_high) {
    Plan plan{.half_x = half_x, .half_y = 7.0, .cell = 0.2};
    plan.banks(-half_length, half_length, 1.2);
    plan.both_ways(zone_low, zone_high, 6.0, 20);
    return plan;
}

Plan plan_streets(double half_width, bool walls) {
    constexpr double kArm = 40.0;
    Plan plan{.half_x = kArm, .half_y = kArm, .cell = 0.2};
    if (!walls) return plan;
    plan.banks(-kArm, -half_width, half_width);
    plan.banks(half_width, kArm, half_width);
    return plan;
}

Aabb west_arm(double half_width) {
    const double y = half_width - kOffWalls;
    return {{-39.0, -y}, {-15.0, y}};
}
Aabb east_arm(double half_width) {
    const Aabb west = west_arm(half_width);
    return {{-west.high.x, west.low.y}, {-west.low.x, west.high.y}};
}
Aabb swapped(const Aabb& box) { return {{box.low.y, box.low.x}, {box.high.y, box.high.x}}; }

Plan plan_crossing(bool walls) {
    Plan plan = plan_streets(3.0, walls);
    plan.go(west_arm(3.0), east_arm(3.0), 50);
    plan.go(swapped(west_arm(3.0)), swapped(east_arm(3.0)), 50);
    return plan;
}

Plan plan_four_way(double half_width) {
    Plan plan = plan_streets(half_width, true);
    const Aabb west = west_arm(half_width);
    const Aabb east = east_arm(half_width);
    plan.go(west, east, 25);
    plan.go(east, west, 25);
    plan.go(swapped(west), swapped(east), 25);
    plan.go(swapped(east), swapped(west), 25);
    return plan;
}

/// `rooms` square rooms in a row, walls 0.5 thick with a door before, between and behind them.
Plan plan_chain(int rooms, double side) {
    constexpr double kWall = 0.5;
    const double half = 0.5 * (side * rooms + kWall * (rooms + 1));
    Plan plan{.half_x = 30.0, .half_y = 9.0, .cell = 0.05};
    for (int i = 0; i <= rooms; ++i) {
        const double x = -half + (side + kWall) * i;
        plan.banks(x, x + kWall, 0.6);
        if (i < rooms) plan.banks(x + kWall, x + kWall + side, 0.5 * side);
    }
    plan.both_ways(17.0, 29.0, 8.0, 12);
    return plan;
}

Plan plan_tunnel() {
    Plan plan{.half_x = 36.0, .half_y = 9.0};
    plan.banks(-5.5, 5.5, 0.6);
    plan.both_ways(22.0, 35.0, 8.0, 20);
    return plan;
}

Plan plan_rooms() {
    constexpr double kRoom = 10.0;
    constexpr double kWall = 0.5;
    constexpr double kPitch = kRoom + kWall;
    Plan plan{.half_x = 15.5, .half_y = 15.5, .cell = 0.05};
    CrowdGroup everybody{.count = 60};
    for (int row = -1; row <= 1; ++row) {
        for (int column = -1; column <= 1; ++column) {
            const Vec2 middle{kPitch * column, kPitch * row};
            const Vec2 reach{0.5 * kRoom - kOffWalls, 0.5 * kRoom - kOffWalls};
            everybody.starts.push_back({middle - reach, middle + reach});
        }
    }
    everybody.goals = everybody.starts;
    plan.groups.push_back(everybody);
    // Two walls along each axis, three doors in each; the pieces between doors.
    constexpr double kEnds[] = {-15.5, -kPitch - 0.6, -kPitch + 0.6, -0.6,
                                0.6,   kPitch - 0.6,  kPitch + 0.6,  15.5};
    for (const double wall : {-0.5 * kPitch, 0.5 * kPitch}) {
        for (int i = 0; i < 8; i += 2) {
            plan.block(wall - 0.25, kEnds[i], wall + 0.25, kEnds[i + 1]);
            plan.block(kEnds[i], wall - 0.25, kEnds[i + 1], wall + 0.25);
        }
    }
    return plan;
}

Plan plan_of(CrowdPlace place) {
    switch (place) {
        case CrowdPlace::doorway: return plan_doorway();
        case CrowdPlace::corridor_a: return plan_corridor(26.0, 12.0, 14.0, 25.0);
        case CrowdPlace::corridor_b: return plan_corridor(44.0, 30.0, 32.0, 43.0);
        case CrowdPlace::crossing: return plan_crossing(true);
        case CrowdPlace::crossing_open: return plan_crossing(false);
        case CrowdPlace::four_way: return plan_four_way(3.0);
        case CrowdPlace::four_way_44: return plan_four_way(2.2);
        case CrowdPlace::vestibule: return plan_chain(1, 4.0);
        case CrowdPlace::tunnel: return plan_tunnel();
        case CrowdPlace::rooms: return plan_rooms();
        case CrowdPlace::chain: return plan_chain(3, 4.0);
        case CrowdPlace::chain_wide: return plan_chain(3, 6.0);
        case CrowdPlace::count_: break;
    }
    return {};
}

/// 38 bits, so that products with numbers of cells are exact (as grid_mesh_cell_size).
double rounded_cell(double cell) {
    int exponent = 0;
    const double fraction = std::frexp(cell, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 38)), exponent - 38);
}

std::int32_t in_cells(double metres, double cell) {
    const double cells = metres / cell;
    const double whole = std::nearbyint(cells);
    FAIRLEAD_ASSERT(std::fabs(cells - whole) < 1e-6 && "a scene is a whole number of its cells");
    return static_cast<std::int32_t>(whole);
}

template <class V>
V posed(V v, const CrowdPose& pose) {
    if (pose.mirrored) v.y = -v.y;
    for (int i = 0; i < (pose.quarters & 3); ++i) v = V{-v.y, v.x};
    return v;
}

CellRect posed_rect(CellRect::Corner a, CellRect::Corner b, const CrowdPose& pose) {
    a = posed(a, pose);
    b = posed(b, pose);
    return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}, 0};
}

void add_block(CrowdScene& scene, const Plan& plan, const Aabb& box) {
    const auto corner = [&](Vec2 v) {
        return CellRect::Corner{in_cells(v.x, plan.cell), in_cells(v.y, plan.cell)};
    };
    CellRect rect = posed_rect(corner(box.low), corner(box.high), scene.pose);
    const auto world = [&](CellRect::Corner c) { return Vec2{scene.cell * c.x, scene.cell * c.y}; };
    scene.walls.push_back({world(rect.low), world(rect.high)});
    for (CellRect::Corner* c : {&rect.low, &rect.high}) {
        c->x += scene.width / 2;
        c->y += scene.height / 2;
    }
    scene.blocks.push_back(rect);
}

void add_frame(CrowdScene& scene, const Plan& plan) {
    const double x = plan.half_x;
    const double y = plan.half_y;
    const double outer_x = x + kFrame;
    const double outer_y = y + kFrame;
    add_block(scene, plan, {{-outer_x, -outer_y}, {outer_x, -y}});
    add_block(scene, plan, {{-outer_x, y}, {outer_x, outer_y}});
    add_block(scene, plan, {{-outer_x, -y}, {-x, y}});
    add_block(scene, plan, {{x, -y}, {outer_x, y}});
}

Vec2 draw_in(Rng& rng, const std::vector<Aabb>& zones) {
    const Aabb& zone =
        zones.size() == 1 ? zones[0] : zones[rng.below(static_cast<std::uint32_t>(zones.size()))];
    const double x = rng.between(zone.low.x, zone.high.x);
    const double y = rng.between(zone.low.y, zone.high.y);
    return {x, y};
}

/// One more place that is `kApart` from those before.
void draw_apart(Rng& rng, const std::vector<Aabb>& zones, std::vector<Vec2>& places) {
    for (;;) {
        const Vec2 place = draw_in(rng, zones);
        bool good = true;
        for (const Vec2 other : places) good = good && distance(other, place) >= kApart;
        if (!good) continue;
        places.push_back(place);
        return;
    }
}

/// Unit i of a side of corridor B: two rows, six metres from the middle on.
Vec2 corridor_b_start(Rng& rng, bool west, int i) {
    const double x = 6.0 + 1.5 * (i / 2) + rng.between(-0.2, 0.2);
    const double y = (i % 2 == 0 ? 0.6 : -0.6) + rng.between(-0.06, 0.06);
    return {west ? -x : x, y};
}

}  // namespace

std::vector<CrowdPlace> all_crowd_places() {
    std::vector<CrowdPlace> places;
    for (const Name& name : kNames) places.push_back(name.place);
    return places;
}

const char* crowd_place_name(CrowdPlace place) {
    for (const Name& name : kNames) {
        if (name.place == place) return name.name;
    }
    return "";
}

CrowdScene make_crowd_scene(CrowdPlace place, const CrowdPose& pose) {
    const Plan plan = plan_of(place);
    CrowdScene scene;
    scene.place = place;
    scene.pose = pose;
    scene.name = std::string(crowd_place_name(place)) + (pose.scale == 1.0 ? "" : "_small") +
                 (pose.mirrored ? "_mirrored" : "") +
                 ((pose.quarters & 3) != 0 ? "_turned_" + std::to_string(90 * (pose.quarters & 3)) : "");
    scene.radius = 0.5 * pose.scale;
    scene.speed = 1.5 * pose.scale;
    scene.cell = rounded_cell(plan.cell * pose.scale);
    scene.width = 2 * in_cells(plan.half_x + kFrame, plan.cell);
    scene.height = 2 * in_cells(plan.half_y + kFrame, plan.cell);
    if (pose.quarters % 2 != 0) std::swap(scene.width, scene.height);
    scene.origin = {-scene.cell * (scene.width / 2), -scene.cell * (scene.height / 2)};
    for (const Aabb& box : plan.blocks) add_block(scene, plan, box);
    add_frame(scene, plan);
    scene.groups = plan.groups;
    return scene;
}

std::vector<CrowdUnit> crowd_units(const CrowdScene& scene, std::uint64_t seed) {
    Rng rng(seed * 64 + static_cast<std::uint64_t>(scene.place));
    std::vector<Vec2> starts;
    std::vector<Vec2> goals;
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const CrowdGroup& group = scene.groups[g];
        for (int i = 0; i < group.count; ++i) {
            if (scene.place == CrowdPlace::corridor_b) {
                starts.push_back(corridor_b_start(rng, g == 0, i));
            } else {
                draw_apart(rng, group.starts, starts);
            }
            draw_apart(rng, group.goals, goals);
        }
    }
    std::vector<CrowdUnit> units;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        units.push_back({posed(starts[i] * scene.pose.scale, scene.pose),
                         posed(goals[i] * scene.pose.scale, scene.pose)});
    }
    return units;
}

std::vector<std::uint8_t> crowd_tiles(const CrowdScene& scene) {
    const auto width = static_cast<std::size_t>(scene.width);
    std::vector<std::uint8_t> tiles(width * static_cast<std::size_t>(scene.height), 1);
    for (const CellRect& block : scene.blocks) {
        for (std::int32_t y = block.low.y; y < block.high.y; ++y) {
            for (std::int32_t x = block.low.x; x < block.high.x; ++x) {
                tiles[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = 0;
            }
        }
    }
    return tiles;
}

Grid crowd_grid(const CrowdScene& scene, const std::vector<Agent>& sizes) {
    Result<Grid> grid = Grid::make({.width = scene.width,
                                    .height = scene.height,
                                    .origin = scene.origin,
                                    .cell_size = scene.cell,
                                    .sizes = sizes},
                                   crowd_tiles(scene));
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

NavMesh crowd_mesh(const CrowdScene& scene) {
    const Grid grid = crowd_grid(scene);
    Result<NavMesh> mesh = make_grid_mesh(grid, {.radius_max = 1.5 * scene.radius});
    FAIRLEAD_ASSERT(mesh.has_value());
    return std::move(*mesh);
}

}  // namespace fairlead::testing
