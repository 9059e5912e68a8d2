// Turning units: tables, 800 queries over 40 maps, pose fields, roads; and the article's methods. Every number of every route.
#include <vector>

#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/headings.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/drive/round_corners.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"
#include "support/random_ground.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

struct Ground {
    std::int32_t width = 0;
    std::int32_t height = 0;
    bool rough = false;
    Array<std::uint16_t> cost;  // 0: blocked

    [[nodiscard]] std::uint16_t at(std::int32_t x, std::int32_t y) const {
        return cost[static_cast<std::size_t>(y * width + x)];
    }
};

void read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row) {
    const auto& ground = *static_cast<const Ground*>(user);
    for (std::uint64_t& word : row) word = 0;
    for (std::int32_t x = 0; x < ground.width; ++x) {
        if (ground.at(x, y) != 0) row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
    }
}

void read_costs(const void* user, std::int32_t y, std::span<std::uint16_t> row) {
    const auto& ground = *static_cast<const Ground*>(user);
    for (std::int32_t x = 0; x < ground.width; ++x) row[static_cast<std::size_t>(x)] = ground.at(x, y);
}

DriveGround rows_of(const Ground& ground) {
    return {ground.width, ground.height, read_free, ground.rough ? read_costs : nullptr, &ground};
}

/// One draw a statement: their order is part of the scene.
bool random_ground(Rng& rng, Ground& ground) {
    ground.width = rng.between(20, 80);
    ground.height = rng.between(20, 50);
    ground.rough = rng.below(3) == 0;
    ground.cost.clear();
    if (!ground.cost.resize(static_cast<std::size_t>(ground.width * ground.height))) return false;
    for (std::uint16_t& cost : ground.cost) cost = 1;
    const auto block = [&](std::int32_t left, std::int32_t low, std::int32_t wide, std::int32_t high) {
        const std::int32_t kind = ground.rough ? rng.between(0, 3) : 0;
        for (std::int32_t y = low; y < low + high && y < ground.height; ++y) {
            for (std::int32_t x = left; x < left + wide && x < ground.width; ++x)
                ground.cost[static_cast<std::size_t>(y * ground.width + x)] =
                    static_cast<std::uint16_t>(kind);
        }
    };
    const std::int32_t blocks = rng.between(2, 30);
    fairlead::testing::random_blocks(rng, blocks, ground.width, ground.height, 7, block);
    return true;
}

Agent random_unit(Rng& rng) {
    Agent agent;
    agent.turning_radius = 1.0;
    agent.turning_radius += rng.between(0, 4) * 0.5;
    agent.can_reverse = rng.below(2) == 0;
    agent.radius = 0.4;
    const std::uint32_t shape = rng.below(3);
    if (shape == 1) {
        agent.shape = BodyShape::box;
        agent.length = 2.4;
        agent.width = 1.1;
        agent.axle_offset = 0.6;
    } else if (shape == 2) {
        agent.shape = BodyShape::capsule;
        agent.length = 1.8;
    }
    return agent;
}

Pose random_pose(Rng& rng, const Ground& ground) {
    Pose pose = fairlead::testing::random_lattice_pose(rng, ground.width, ground.height);
    if (rng.below(2) != 0) fairlead::testing::move_off_lattice(rng, pose);
    return pose;
}

DriveQuery random_query(Rng& rng, const Ground& ground, int number) {
    DriveQuery query;
    query.start = random_pose(rng, ground);
    query.goal = random_pose(rng, ground);
    query.planner = static_cast<DrivePlanner>(number % 3);
    query.smooth = rng.below(3) != 0;
    query.goal_curves = rng.below(4) != 0;
    // Any heading will do; who must have one takes that of the pose.
    if (rng.below(6) == 0) query.start.has_heading = false;
    if (rng.below(6) == 0) query.goal.at.has_heading = false;
    if (rng.below(8) == 0) query.goal = Goal::within(query.goal.at, 3.0);
    return query;
}

void add_table(Digest& digest, const DriveTable& table) {
    for (std::size_t i = 0; i < table.primitives().all().size(); ++i) {
        digest.add(table.primitives().all()[i].length);
        for (const CellRun& run : table.swept(i)) {
            digest.add(static_cast<std::int32_t>(run.dx));
            digest.add(static_cast<std::int32_t>(run.dy));
            digest.add(static_cast<std::int32_t>(run.count));
        }
        for (const TerrainVisit& visit : table.visits(i)) digest.add(visit.length);
    }
    for (const std::uint16_t bound : table.curve_bounds()) digest.add(static_cast<std::uint32_t>(bound));
    digest.add(table.ground_factor());
}

/// A map of its own for each call of `work`.
template <class Work>
void on_maps(Digest& digest, std::uint64_t seed, int maps, const Work& work, bool pivots = false) {
    Rng rng(seed);
    Ground ground;
    for (int i = 0; i < maps; ++i) {
        if (!random_ground(rng, ground)) return digest.add(std::uint64_t{1});
        DriveTableOptions options{.headings = i % 4 == 3 ? 16 : 8, .stretch = 1.05};
        options.agent = random_unit(rng);
        options.agent.can_pivot = pivots;
        const Result<DriveTable> table = DriveTable::make(options);
        if (!table) return digest.add(std::uint64_t{2});
        const Result<DriveMap> map = DriveMap::make(rows_of(ground), *table);
        if (!map) return digest.add(std::uint64_t{3});
        work(rng, ground, *map);
    }
}

std::vector<std::uint8_t> tiles_of(const Ground& ground) {
    std::vector<std::uint8_t> tiles;
    for (const std::uint16_t cost : ground.cost) tiles.push_back(cost == 0 ? 0 : 1);
    return tiles;
}

/// Three to six roads of one to three bends.
Result<RoadLayer> random_roads(Rng& rng, const Ground& ground) {
    Result<RoadLayer> roads = RoadLayer::make(ground.width, ground.height);
    const std::int32_t count = rng.between(3, 6);
    for (std::int32_t i = 0; roads && i < count; ++i) {
        Vec2 line[5];
        const std::int32_t points = rng.between(3, 5);
        line[0].x = rng.between(0, ground.width);
        line[0].y = rng.between(0, ground.height);
        for (std::int32_t k = 1; k < points; ++k) {
            const double step = rng.between(6, 35);
            line[k] = line[k - 1] + heading_direction(8, rng.between(0, 7)) * step;
        }
        const double width = rng.between(2, 5);
        const auto lanes = static_cast<RoadLanes>(rng.between(0, 3));
        const Result<void> painted =
            roads->paint(std::span<const Vec2>(line).first(static_cast<std::size_t>(points)), width, lanes);
        // A line may begin and end where it began.
        if (!painted && painted.error().code != ErrorCode::size_zero) return painted.error();
    }
    return roads;
}

void add_roads(Digest& digest, const RoadLayer& roads) {
    for (std::int32_t y = 0; y < roads.height(); ++y) {
        for (const std::uint8_t directions : roads.row(y)) digest.add(static_cast<std::uint32_t>(directions));
    }
}

RoadRules random_rules(Rng& rng) {
    constexpr double kOff[] = {1.0, 3.5, 20.0, kRoadForbidden};
    constexpr double kAgainst[] = {1.0, 2.25, 50.0, kRoadForbidden};
    RoadRules rules;
    rules.off_road = kOff[rng.between(0, 3)];
    rules.against = kAgainst[rng.between(0, 3)];
    return rules;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(drive_tables) {
    Rng rng(61);
    for (int i = 0; i < 6; ++i) {
        DriveTableOptions options{.headings = 8 << (i % 3), .rings = i % 3 == 2 ? 0 : i % 4};
        options.agent = random_unit(rng);
        const Result<DriveTable> table = DriveTable::make(options);
        digest.add(static_cast<std::uint32_t>(table.has_value()));
        if (table) add_table(digest, *table);
    }
}

FAIRLEAD_DIGEST_SCENE(drive_queries) {
    Scratch scratch;
    Route route;
    int number = 0;
    on_maps(digest, 62, 40, [&](Rng& rng, const Ground& ground, const DriveMap& map) {
        for (int k = 0; k < 20; ++k) {
            const DriveQuery query = random_query(rng, ground, number++);
            const Result<void> done = find_route_into(map, query, scratch, route);
            digest.add(static_cast<std::uint32_t>(done.has_value()));
            if (done) add_route(digest, route);
        }
    });
}

FAIRLEAD_DIGEST_SCENE(drive_pivots) {
    Scratch scratch;
    Route route;
    int number = 0;
    on_maps(
        digest, 66, 30,
        [&](Rng& rng, const Ground& ground, const DriveMap& map) {
            add_table(digest, map.state().table());
            for (int k = 0; k < 10; ++k) {
                DriveQuery query = random_query(rng, ground, number++);
                query.pivot_penalty = 0.05 + 0.25 * rng.between(0, 12);
                const Result<void> done = find_route_into(map, query, scratch, route);
                digest.add(static_cast<std::uint32_t>(done.has_value()));
                if (done) add_route(digest, route);
            }
        },
        true);
}

FAIRLEAD_DIGEST_SCENE(drive_roads) {
    Scratch scratch;
    Route route;
    Rng rng(67);
    Ground ground;
    for (int i = 0; i < 10; ++i) {
        if (!random_ground(rng, ground)) return digest.add(std::uint64_t{1});
        DriveTableOptions options{.headings = i % 4 == 3 ? 16 : 8, .stretch = 1.05};
        options.agent = random_unit(rng);
        const Result<RoadLayer> roads = random_roads(rng, ground);
        if (!roads) return digest.add(std::uint64_t{2});
        add_roads(digest, *roads);
        const Result<Grid> grid =
            Grid::make({.width = ground.width, .height = ground.height}, tiles_of(ground));
        const Result<DriveTable> table = DriveTable::make(options);
        if (!grid || !table) return digest.add(std::uint64_t{3});
        const RoadRules rules = random_rules(rng);
        const Result<DriveMap> map =
            make_drive_map(grid->state(), *table, {.roads = &*roads, .road_rules = rules});
        if (!map) return digest.add(std::uint64_t{4});
        for (int k = 0; k < 12; ++k) {
            const DriveQuery query = random_query(rng, ground, k);
            const Result<void> done = find_route_into(*map, query, scratch, route);
            digest.add(static_cast<std::uint32_t>(done.has_value()));
            if (done) add_route(digest, route);
        }
    }
}

FAIRLEAD_DIGEST_SCENE(drive_fields) {
    Scratch scratch;
    Route route;
    on_maps(digest, 63, 8, [&](Rng& rng, const Ground& ground, const DriveMap& map) {
        Result<PoseField> field = PoseField::make(map, {.goal = random_pose(rng, ground)});
        if (!field) return digest.add(std::uint64_t{4});
        while (field->step(1000)) {
        }
        for (int k = 0; k < 20; ++k) {
            const Pose start = random_pose(rng, ground);
            digest.add(field->cost_at(start.position, k % 8));
            if (find_route_into(*field, start, scratch, route, k % 2 == 0)) add_route(digest, route);
        }
    });
}

FAIRLEAD_DIGEST_SCENE(drive_article) {
    Scratch scratch;
    on_maps(digest, 64, 30, [&](Rng& rng, const Ground& ground, const DriveMap& map) {
        const DriveQuery query = random_query(rng, ground, 0);
        const Result<Route> way = find_route(map, query, scratch);
        if (way) {
            const Result<FixedAngles> angles = make_fixed_angles(*way, map);
            digest.add(static_cast<std::uint32_t>(angles.has_value()));
            if (angles) add_route(digest, angles->route);
        }
        const Result<HybridDrive> hybrid =
            find_hybrid(map, {.start = query.start.pose(), .goal = query.goal.at.pose()}, scratch);
        digest.add(static_cast<std::uint32_t>(hybrid.has_value()));
        if (hybrid) add_route(digest, hybrid->route);
        Vec2 points[3];
        for (Vec2& point : points) point = random_pose(rng, ground).position;
        for (const CornerMethod method : {CornerMethod::ignore_walls, CornerMethod::search_again,
                                          CornerMethod::tighter, CornerMethod::back_up}) {
            const Result<RoundedCorners> round =
                round_corners(map, {.start = query.start.pose(), .waypoints = points}, method, scratch);
            digest.add(static_cast<std::uint32_t>(round.has_value()));
            if (round) add_route(digest, round->route);
        }
    });
}

FAIRLEAD_DIGEST_SCENE(drive_timed) {
    Scratch scratch;
    Route way;
    on_maps(digest, 65, 20, [&](Rng& rng, const Ground& ground, const DriveMap& map) {
        SpeedLimits speed;
        speed.accel_max = 0.25 + rng.between(0, 12) * 0.5;
        speed.lateral_accel_max = 0.5 + rng.between(0, 8);
        const std::int32_t levels = rng.between(3, 8);
        const Result<SpeedTable> times = SpeedTable::make(map.state().table(), speed, levels);
        if (!times) return digest.add(std::uint64_t{5});
        for (int k = 0; k < 6; ++k) {
            const DriveQuery ends = random_query(rng, ground, 0);
            TimedQuery query{.start = ends.start, .goal = ends.goal, .smooth = ends.smooth, .times = &*times};
            if (k % 3 == 1) query.start_speed = speed.speed_max * rng.unit();
            if (k % 3 == 2) query.goal_speed = kAnySpeed;
            const Result<void> done = find_route_into(map, query, scratch, way);
            digest.add(static_cast<std::uint32_t>(done.has_value()));
            if (!done) continue;
            add_route(digest, way);
            digest.add(static_cast<std::uint32_t>(way.too_fast));
            digest.add(way.level_cost);
            for (const SpeedKnot& knot : way.speeds) {
                digest.add(knot.distance);
                digest.add(knot.time);
                digest.add(knot.speed);
                digest.add(knot.slowdown);
            }
        }
    });
}
