// Turning units on layered tile maps: planned over portals as well as the best composition of plans on single floors.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_timed.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/pose_field.h>
#include <fairlead/drive/round_corners.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "drive/map/map_data.h"
#include "support/environment.h"
#include "support/heap_counter.h"

namespace fairlead::testing {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Random floors: a frame of free cells with blocks of walls, and portals between random cells.
struct House {
    std::int32_t width;
    std::int32_t height;
    std::int32_t layers;
    std::vector<std::uint8_t> tiles;
    std::vector<Portal> portals;

    [[nodiscard]] Grid grid() const {
        Result<Grid> made = Grid::make(
            {.width = width, .height = height, .layers = layers, .origin = {-2, 5}, .portals = portals},
            tiles);
        FAIRLEAD_ASSERT(made.has_value());
        return std::move(*made);
    }
};

std::int32_t draw(Rng& rng, std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
}

House random_house(Rng& rng, bool terrain) {
    House house{draw(rng, 9, 14), draw(rng, 8, 12), draw(rng, 2, 3), {}, {}};
    const auto cells = static_cast<std::size_t>(house.width * house.height * house.layers);
    for (std::size_t i = 0; i < cells; ++i)
        house.tiles.push_back(terrain && rng.below(4) == 0 ? std::uint8_t{3} : std::uint8_t{1});
    for (std::int32_t layer = 0; layer < house.layers; ++layer) {
        for (std::int32_t n = draw(rng, 2, 7); n > 0; --n) {
            const std::int32_t x = draw(rng, 0, house.width - 1);
            const std::int32_t y = draw(rng, 0, house.height - 1);
            const bool tall = rng.below(2) == 0;
            for (std::int32_t k = draw(rng, 1, 8); k >= 0; --k) {
                const std::int32_t cx = tall ? x : std::min(x + k, house.width - 1);
                const std::int32_t cy = tall ? std::min(y + k, house.height - 1) : y;
                house.tiles[static_cast<std::size_t>((layer * house.height + cy) * house.width + cx)] = 0;
            }
        }
    }
    for (std::int32_t n = draw(rng, 1, 6); n > 0; --n) {
        const auto cell = [&] {
            return Cell{draw(rng, 0, house.width - 1), draw(rng, 0, house.height - 1),
                        draw(rng, 0, house.layers - 1)};
        };
        house.portals.push_back({cell(), cell(), 0.25 * draw(rng, 1, 40), rng.below(3) != 0});
    }
    return house;
}

// The least cost over all chains of portals. Each stretch is that of a PoseField over the map of one layer, which knows no
// portals. Units without a reverse gear, poses of the lattice.
class Composition {
  public:
    Composition(const House& house, const GridState& grid, const DriveTable& table, double goal_range = 0.0)
        : house_(house), grid_(grid), table_(table), goal_range_(goal_range) {
        for (std::int32_t layer = 0; layer < house.layers; ++layer) {
            Result<DriveMap> map = make_drive_map(grid, table, {.layer = layer});
            FAIRLEAD_ASSERT(map.has_value());
            maps_.push_back(std::move(*map));
        }
    }

    [[nodiscard]] double least(const Pose& start, std::int32_t start_heading, std::int32_t start_layer,
                               const Pose& goal, std::int32_t goal_layer) const {
        std::vector<Jump> jumps = all_jumps();
        // Backward from the goal: what each jump costs from its beginning on.
        const PoseField last = field(goal, goal_layer, goal_range_);
        std::vector<double> rest(jumps.size(), kNever);
        std::vector<bool> done(jumps.size(), false);
        const auto offer = [&](const PoseField& way, std::int32_t layer, double beyond) {
            for (std::size_t i = 0; i < jumps.size(); ++i) {
                if (done[i] || jumps[i].to.layer != layer) continue;
                const double cost = way.cost_at(grid_.cell_centre(jumps[i].to), jumps[i].heading);
                rest[i] = std::min(rest[i], jumps[i].cost + cost + beyond);
            }
        };
        offer(last, goal_layer, 0.0);
        double best = start_layer == goal_layer ? last.cost_at(start.position, start_heading) : kNever;
        for (;;) {
            std::size_t next = jumps.size();
            for (std::size_t i = 0; i < jumps.size(); ++i) {
                if (!done[i] && rest[i] < (next == jumps.size() ? kNever : rest[next])) next = i;
            }
            if (next == jumps.size()) return best;
            done[next] = true;
            const Jump& jump = jumps[next];
            const Pose at{grid_.cell_centre(jump.from), heading_rad(table_.headings(), jump.heading)};
            const PoseField way = field(at, jump.from.layer, 0.0);
            offer(way, jump.from.layer, rest[next]);
            if (start_layer == jump.from.layer)
                best = std::min(best, way.cost_at(start.position, start_heading) + rest[next]);
        }
    }

  private:
    struct Jump {
        Cell from, to;
        std::int32_t heading;
        double cost;
    };
    [[nodiscard]] bool stands(const Cell& cell, std::int32_t heading) const {
        return maps_[static_cast<std::size_t>(cell.layer)].state().data().edges().stands(cell.x, cell.y,
                                                                                         heading);
    }
    [[nodiscard]] std::vector<Jump> all_jumps() const {
        std::vector<Jump> out;
        for (const Portal& portal : house_.portals) {
            for (std::int32_t h = 0; h < table_.headings(); ++h) {
                if (!stands(portal.from, h) || !stands(portal.to, h)) continue;
                out.push_back({portal.from, portal.to, h, portal.cost});
                if (portal.two_way) out.push_back({portal.to, portal.from, h, portal.cost});
            }
        }
        return out;
    }
    [[nodiscard]] PoseField field(const Pose& goal, std::int32_t layer, double range) const {
        Result<PoseField> made = PoseField::make(maps_[static_cast<std::size_t>(layer)],
                                                 {.goal = Goal::within(goal, range), .goal_curves = false});
        FAIRLEAD_ASSERT(made.has_value());
        while (made->step(UINT64_MAX)) {
        }
        return std::move(*made);
    }

    const House& house_;
    const GridState& grid_;
    const DriveTable& table_;
    double goal_range_;
    std::vector<DriveMap> maps_;
};

struct End {
    Pose pose;
    std::int32_t heading;
    std::int32_t layer;
};

End random_end(Rng& rng, const House& house, const GridState& grid, std::int32_t headings) {
    const Cell cell{draw(rng, 0, house.width - 1), draw(rng, 0, house.height - 1),
                    draw(rng, 0, house.layers - 1)};
    const std::int32_t h = draw(rng, 0, headings - 1);
    return {{grid.cell_centre(cell), heading_rad(headings, h)}, h, cell.layer};
}

// The unit comes out of a link as it went in.
void expect_headings_kept(const Route& route) {
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        if (route.legs[i].kind != LegKind::link) continue;
        EXPECT_NEAR(math::wrap_pi(leg_end(route, i).heading_rad - route.legs[i].start.heading_rad), 0.0,
                    1e-9);
    }
}

bool has_link(const Route& route) {
    return std::any_of(route.legs.begin(), route.legs.end(),
                       [](const Leg& leg) { return leg.kind == LegKind::link; });
}

TEST(Floors, AsTheBestChainOfPlansOnSingleFloors) {
    Rng rng(2101);
    int complete = 0;
    int over_links = 0;
    int unreachable = 0;
    Scratch scratch;
    for (int world = 0; world < trials(400); ++world) {
        const House house = random_house(rng, world % 3 == 0);
        const Grid grid = house.grid();
        const Agent agent{.radius = world % 2 == 0 ? 0.4 : 0.3, .turning_radius = 1.0 + 0.5 * (world % 2)};
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8});
        ASSERT_TRUE(table.has_value());
        const Result<DriveMap> map = make_drive_map(grid, *table);
        ASSERT_TRUE(map.has_value());
        const double range = world % 5 == 0 ? 1.6 : 0.0;
        const Composition oracle(house, grid, *table, range);
        for (int k = 0; k < 6; ++k) {
            const End a = random_end(rng, house, grid.state(), 8);
            const End b = random_end(rng, house, grid.state(), 8);
            DriveQuery query{.start = Spot(a.pose).on_layer(a.layer),
                             .goal = Goal::within(b.pose, range).on_layer(b.layer),
                             .planner = DrivePlanner::lattice,
                             .goal_curves = false,
                             .smooth = false};
            const Result<Route> best = find_route(*map, query, scratch);
            ASSERT_TRUE(best.has_value()) << error_text(best.error()).c_str();
            if (best->status == PathStatus::start_blocked || best->status == PathStatus::goal_blocked)
                continue;
            const double least = oracle.least(a.pose, a.heading, a.layer, b.pose, b.layer);
            ASSERT_EQ(best->status, least < kNever ? PathStatus::complete : PathStatus::unreachable)
                << "world " << world << " query " << k;
            if (best->status != PathStatus::complete) {
                ++unreachable;
                continue;
            }
            ++complete;
            over_links += has_link(*best) ? 1 : 0;
            EXPECT_NEAR(best->line_cost, best->cost, 1e-6);
            EXPECT_NEAR(best->cost, least, 1e-3 * (1.0 + least)) << "world " << world << " query " << k;
            query.planner = DrivePlanner::weighted;
            for (const bool smooth : {false, true}) {
                query.smooth = query.goal_curves = smooth;
                const Result<Route> way = find_route(*map, query, scratch);
                ASSERT_TRUE(way.has_value());
                ASSERT_EQ(way->status, PathStatus::complete);
                EXPECT_LE(way->cost, 1.4 * least + 1e-6);
                const Violation bad = verify(*way, grid, agent);
                EXPECT_FALSE(bad) << bad.text().c_str();
                expect_headings_kept(*way);
                EXPECT_EQ(way->end.layer, b.layer);
                if (!way->legs.empty()) {
                    EXPECT_EQ(way->legs[0].start.layer, a.layer);
                }
            }
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(complete, 400);
    EXPECT_GT(over_links, 150);
    EXPECT_GT(unreachable, 150);
}

// The one call, any pose, any unit, half cells and off the lattice: legal, the same in slices, the same after edits as anew.
TEST(Floors, AnyUnitAnywhereSlicedAndEdited) {
    Rng rng(77);
    Scratch scratch;
    Scratch fresh_scratch;
    int over_links = 0;
    for (int world = 0; world < trials(100); ++world) {
        House house = random_house(rng, world % 2 == 0);
        Grid grid = house.grid();
        const bool box = rng.below(2) == 0;
        const bool point = rng.below(8) == 0;
        Agent agent{.radius = point ? 0.0 : 0.1 + 0.1 * draw(rng, 0, 3),
                    .turning_radius = 0.8 + 0.4 * draw(rng, 0, 3),
                    .can_reverse = rng.below(2) == 0,
                    .can_pivot = rng.below(4) == 0};
        if (box) {
            agent.shape = BodyShape::box;
            agent.radius = 0.0;
            agent.length = 1.3;
            agent.width = 0.7;
        }
        for (int k = 0; k < 4; ++k) {
            if (k == 2) {
                const std::int32_t x = draw(rng, 0, house.width - 1);
                const std::int32_t y = draw(rng, 0, house.height - 1);
                const std::int32_t layer = draw(rng, 0, house.layers - 1);
                const auto tile = static_cast<std::uint8_t>(rng.below(2));
                ASSERT_TRUE(grid.set(Cell{x, y, layer}, tile).has_value());
            }
            const auto pose = [&] {
                return Pose{grid.state().origin() + Vec2{rng.unit() * house.width, rng.unit() * house.height},
                            rng.unit() * kTwoPi};
            };
            DriveQuery query{.start = pose(), .goal = pose(), .agent = agent};
            query.start = query.start.on_layer(draw(rng, 0, house.layers - 1));
            query.goal = query.goal.on_layer(draw(rng, 0, house.layers - 1));
            if (rng.below(2) == 0) query.goal.at = query.goal.at.any_heading();
            const Blocker blocker{.centre = pose().position, .radius = 0.5, .layer = draw(rng, 0, 1)};
            GridDriveSetup setup;
            if (rng.below(3) == 0) setup.map.blockers = {&blocker, 1};
            setup.nodes = rng.below(2) == 0 ? DriveNodes::centres : DriveNodes::fitting;
            const Result<Route> way = find_route(grid, query, scratch, setup);
            ASSERT_TRUE(way.has_value()) << error_text(way.error()).c_str();
            const Violation bad = verify(*way, grid, agent, {.blockers = setup.map.blockers});
            EXPECT_FALSE(bad) << "world " << world << " query " << k << ": " << bad.text().c_str();
            expect_headings_kept(*way);
            if (way->status == PathStatus::complete) {
                over_links += has_link(*way) ? 1 : 0;
                EXPECT_EQ(way->end.layer, query.goal.at.layer);
            }
            const Result<Route> anew = find_route(grid, query, fresh_scratch, setup);
            ASSERT_TRUE(anew.has_value());
            EXPECT_EQ(anew->status, way->status);
            EXPECT_EQ(anew->cost, way->cost);
            const Result<const DriveMap*> map = drive_map_in(scratch, grid, agent, setup);
            ASSERT_TRUE(map.has_value());
            Route whole;
            ASSERT_TRUE(find_route_into(**map, query, fresh_scratch, whole).has_value());
            DriveSearch sliced(**map, query, scratch);
            while (sliced.step(1 + rng.below(7))) {
            }
            Route parts;
            ASSERT_TRUE(sliced.take(parts).has_value());
            EXPECT_EQ(parts.status, whole.status);
            EXPECT_EQ(parts.cost, whole.cost);
            EXPECT_EQ(parts.stats.digest, whole.stats.digest);
            ASSERT_EQ(parts.legs.size(), whole.legs.size());
        }
    }
    if (all_trials()) {
        EXPECT_GT(over_links, 20);
    }
}

// Two rooms with a wall between on the ground; the upper floor is open.
House two_floors(double cost = 3.0) {
    House house{22, 14, 2, std::vector<std::uint8_t>(22 * 14 * 2, 1), {}};
    for (std::int32_t y = 0; y < 14; ++y) house.tiles[static_cast<std::size_t>(y * 22 + 10)] = 0;
    house.portals = {{{5, 11, 0}, {5, 11, 1}, cost, true}, {{16, 11, 0}, {16, 11, 1}, cost, true}};
    return house;
}

TEST(Floors, UpOneStairAndDownTheOther) {
    const House house = two_floors();
    const Grid grid = house.grid();
    const Agent tank{.radius = 0.45, .turning_radius = 1.5, .can_reverse = true};
    const auto at = [&](std::int32_t x, std::int32_t y) {
        return Pose{grid.state().cell_centre({x, y, 0}), 0.0};
    };
    Scratch scratch;
    const Result<Route> way =
        find_route(grid, DriveQuery{.start = at(3, 3), .goal = at(18, 3), .agent = tank}, scratch);
    ASSERT_TRUE(way.has_value());
    ASSERT_EQ(way->status, PathStatus::complete);
    std::vector<Leg> links;
    for (const Leg& leg : way->legs) {
        if (leg.kind == LegKind::link) links.push_back(leg);
    }
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(links[0].link_id, 0U);
    EXPECT_EQ(links[0].start.layer, 0);
    EXPECT_EQ(links[1].link_id, 1U);
    EXPECT_EQ(links[1].start.layer, 1);
    EXPECT_GE(way->cost, way->length + 6.0 - 1e-9);
    EXPECT_NEAR(way->line_cost, way->length + 6.0, 1e-9);
    EXPECT_FALSE(verify(*way, grid, tank)) << verify(*way, grid, tank).text().c_str();
    // One layer alone has no stairs.
    const Result<Route> flat =
        find_route(grid, DriveQuery{.start = at(3, 3), .goal = at(18, 3), .agent = tank}, scratch,
                   {.map = {.layer = 0}});
    EXPECT_EQ(flat->status, PathStatus::unreachable);
}

TEST(Floors, WarmQueriesAllocateNothing) {
    const House house = two_floors();
    Grid grid = house.grid();
    const Agent tank{.radius = 0.45, .turning_radius = 1.5};
    const DriveQuery query{.start = {grid.state().cell_centre({3, 3, 0}), 0.0},
                           .goal = {grid.state().cell_centre({18, 3, 0}), 0.0},
                           .agent = tank};
    Scratch scratch;
    Route route;
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
    ASSERT_EQ(route.status, PathStatus::complete);
    const std::uint64_t before = heap_calls();
    ASSERT_TRUE(find_route_into(grid, query, scratch, route).has_value());
    EXPECT_EQ(heap_calls(), before);
}

// A grid of the same size with other portals is another map.
TEST(Floors, OtherPortalsInTheSameScratch) {
    House house = two_floors();
    const Grid both = house.grid();
    house.portals.pop_back();
    const Grid one = house.grid();
    const Agent tank{.radius = 0.45, .turning_radius = 1.5};
    const DriveQuery query{.start = {both.state().cell_centre({3, 3, 0}), 0.0},
                           .goal = {both.state().cell_centre({18, 3, 0}), 0.0},
                           .agent = tank};
    Scratch scratch;
    EXPECT_EQ(find_route(both, query, scratch).value().status, PathStatus::complete);
    EXPECT_EQ(find_route(one, query, scratch).value().status, PathStatus::unreachable);
    EXPECT_EQ(find_route(both, query, scratch).value().status, PathStatus::complete);
}

// A goal region beside the upper edge of one floor is not entered from the lowest rows of the next.
TEST(Floors, AGoalRegionLiesOnItsFloor) {
    House house{12, 8, 2, std::vector<std::uint8_t>(12 * 8 * 2, 1), {}};
    const Grid grid = house.grid();
    const Agent tank{.radius = 0.4, .turning_radius = 1.0};
    Scratch scratch;
    const DriveQuery query{.start = Spot(grid.state().cell_centre({6, 1, 0}), 0.0).on_layer(1),
                           .goal = Goal::within(grid.state().cell_centre({6, 7, 0}), 3.0).on_layer(0),
                           .agent = tank};
    EXPECT_EQ(find_route(grid, query, scratch).value().status, PathStatus::unreachable);
}

TEST(Floors, LayersOffTheMapAndWhatTakesNoFloors) {
    const House house = two_floors();
    const Grid grid = house.grid();
    const Agent tank{.radius = 0.45, .turning_radius = 1.5};
    Scratch scratch;
    const Spot start(grid.state().cell_centre({3, 3, 0}), 0.0);
    DriveQuery query{
        .start = start.on_layer(2), .goal = {grid.state().cell_centre({18, 3, 0}), 0.0}, .agent = tank};
    EXPECT_EQ(find_route(grid, query, scratch).value().status, PathStatus::off_world);
    // -1 was taken for "the map's own floor"
    for (const std::int32_t below : {-2, -1, INT32_MIN + 1}) {
        query.start = start.on_layer(below);
        EXPECT_EQ(find_route(grid, query, scratch).value().status, PathStatus::off_world) << below;
        query.start = start.on_layer(0);
        const Goal goal = query.goal;
        query.goal = query.goal.on_layer(below);
        EXPECT_EQ(find_route(grid, query, scratch).value().status, PathStatus::off_world) << below;
        query.goal = goal;
    }
    query.start = start.on_layer(1);
    query.goal = query.goal.on_layer(1);
    EXPECT_EQ(find_route(grid, query, scratch).value().status, PathStatus::complete);
    EXPECT_EQ(find_route(grid, query, scratch, {.map = {.layer = 1}}).value().status, PathStatus::complete);
    EXPECT_EQ(find_route(grid, query, scratch, {.map = {.layer = 0}}).value().status, PathStatus::off_world);

    const Result<RoadLayer> roads = RoadLayer::make(22, 14);
    ASSERT_TRUE(roads.has_value());
    const Error on_roads = find_route(grid, query, scratch, {.map = {.roads = &*roads}}).error();
    EXPECT_EQ(on_roads.code, ErrorCode::unsupported);
    EXPECT_EQ(on_roads.field, Field::roads);

    const Result<DriveTable> corners = DriveTable::make({.agent = tank, .nodes = DriveNodes::corners});
    const Error no_middles = make_drive_map(grid, *corners).error();
    EXPECT_EQ(no_middles.code, ErrorCode::incompatible);
    EXPECT_EQ(no_middles.field, Field::floors);

    const Result<DriveTable> table = DriveTable::make({.agent = tank});
    const Result<DriveMap> map = make_drive_map(grid, *table);
    ASSERT_TRUE(map.has_value());
    EXPECT_EQ(PoseField::make(*map, query).error().code, ErrorCode::unsupported);
    EXPECT_EQ(
        find_hybrid(*map, {.start = query.start.pose(), .goal = query.goal.at.pose()}, scratch).error().code,
        ErrorCode::unsupported);
    const Vec2 points[] = {query.goal.at.ground()};
    EXPECT_EQ(round_corners(*map, {.start = query.start.pose(), .waypoints = points},
                            CornerMethod::ignore_walls, scratch)
                  .error()
                  .code,
              ErrorCode::unsupported);
}

}  // namespace
}  // namespace fairlead::testing
