// Routes in tubes: against Dijkstra on the unrolled slices, in tiles and in space.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/cylinder/lift.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "oracle/cylinder_oracle.h"
#include "support/environment.h"
#include "support/tubes.h"

namespace fairlead::testing {
namespace {

CylinderWorld bake_tube(const Tube& tube, const bake::CylinderBakeOptions& options) {
    bake::CylinderReport report;
    Result<CylinderWorld> world = bake::cylinder(tube.triangles(options.axis).soup(), options, &report);
    EXPECT_TRUE(world) << error_text(world.error()).c_str() << " at " << report.floating_cell.x << ' '
                       << report.floating_cell.y << ' ' << report.floating_cell.layer;
    return std::move(*world);
}

oracle::UnrolledSlices oracle_of(const CylinderWorld& world) {
    const Cylinder& s = world.shape;
    const double tile = 2.0 * std::numbers::pi * s.radius / s.around;
    return {s.around, s.along, s.slices, {world.solid.begin(), world.solid.end()}, s.thickness / tile};
}

/// Every chord, sampled, lies in free tiles, or within `slack` of them (world units).
void expect_clear(const CylinderWorld& world, const Route& in_space, double slack) {
    const oracle::UnrolledSlices tiles = oracle_of(world);
    const Cylinder& s = world.shape;
    const double tile = 2.0 * std::numbers::pi * s.radius / s.around;
    for (std::size_t i = 0; i < in_space.legs.size(); ++i) {
        const Vec3 a = in_space.legs[i].start.position, b = leg_end(in_space, i).position;
        for (int k = 0; k <= 8; ++k) {
            const Vec3 p = a + (b - a) * (k / 8.0);
            const double r = std::hypot(p.x, p.y), angle = std::atan2(p.y, p.x);
            const double x = angle * s.radius / tile, y = p.z / tile, deep = (s.radius - r) / s.thickness;
            bool clear = false;
            for (const double dx : {0.0, -slack, slack}) {
                for (const double dy : {0.0, -slack, slack}) {
                    const auto cx = static_cast<int>(std::floor(x + dx / tile));
                    const auto cy = static_cast<int>(std::floor(y + dy / tile));
                    const int slice = std::min(static_cast<int>(std::floor(deep)), s.slices - 1);
                    clear = clear || tiles.free(cx, cy, slice);
                }
            }
            ASSERT_TRUE(clear) << "leg " << i << " at " << p.x << ' ' << p.y << ' ' << p.z;
        }
    }
}

double length_of(const Route& route) {
    double sum = 0.0;
    for (std::size_t i = 0; i < route.legs.size(); ++i)
        sum += length(leg_end(route, i).position - route.legs[i].start.position);
    return sum;
}

struct Asked {
    int complete = 0, unreachable = 0, over_seam = 0, changes_depth = 0, mid_route = 0;
};

// One start, many goals.
void ask_from(const CylinderWorld& world, const Grid& grid, const oracle::UnrolledSlices& tiles, Rng& rng,
              int goals, Asked& asked, Scratch& scratch) {
    const Cylinder& shape = world.shape;
    const auto random_cell = [&] {
        for (;;) {
            const Cell c{static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(shape.around))),
                         static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(shape.along))),
                         static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(shape.slices)))};
            if (tiles.free(c.x, c.y, c.layer)) return c;
        }
    };
    const double size = shape.cell_size();
    const auto place_of = [&](Cell c) {
        const CylinderPlace at{(c.x + 0.5) * size, (c.y + 0.5) * size, shape.slice_radius(c.layer)};
        return in_space(shape, at);
    };
    const Cell start = random_cell();
    const std::vector<double> costs = tiles.costs_from(start.x, start.y, start.layer);
    Route way, lifted;
    for (int i = 0; i < goals; ++i) {
        const Cell goal = random_cell();
        GridQuery query;
        query.start = unroll(shape, place_of(start));
        query.goal = unroll(shape, place_of(goal));
        ASSERT_EQ(grid.state().cell_at(query.start.ground(), query.start.layer), start);
        ASSERT_EQ(grid.state().cell_at(query.goal.at.ground(), query.goal.at.layer), goal);
        ASSERT_TRUE(find_route_into(grid.state(), query, scratch, way));
        const double cost = costs[static_cast<std::size_t>(tiles.tile(goal.x, goal.y, goal.layer))];
        ASSERT_EQ(way.status, cost < 0.0 ? PathStatus::unreachable : PathStatus::complete);
        if (cost < 0.0) {
            ++asked.unreachable;
            continue;
        }
        ++asked.complete;
        ASSERT_NEAR(way.cost, cost * size, 1e-6 * (1.0 + cost * size));
        ASSERT_EQ(way.bound, 1.0);
        ASSERT_FALSE(verify(way, grid.state(), query.agent));
        for (std::size_t k = 0; k < way.legs.size(); ++k) {
            const bool link = way.legs[k].kind == LegKind::link;
            asked.changes_depth += link ? 1 : 0;
            asked.mid_route += link && k > 0 && k + 1 < way.legs.size() ? 1 : 0;
            const double x = leg_end(way, k).position.x;
            asked.over_seam += x < 0.0 || x > shape.lap() ? 1 : 0;
        }
        ASSERT_TRUE(lift_route(shape, way, {}, lifted));
        ASSERT_NEAR(length_of(lifted), lifted.line_cost, 1e-9 * (1.0 + lifted.line_cost));
        ASSERT_LE(lifted.line_cost, way.cost * (1.0 + 1e-9) + 1e-9);
        if (!lifted.legs.empty()) {
            ASSERT_LT(length(lifted.legs[0].start.position - place_of(start)), 1e-9);
        }
        ASSERT_LT(length(lifted.end.position - place_of(goal)), 1e-9);
        expect_clear(world, lifted, 0.02 * size);
    }
}

// Item 8 of the issue: 1e4 queries on three worlds.
TEST(CylinderRoutes, EqualDijkstraOnTheUnrolledSlices) {
    Asked asked;
    Scratch scratch;
    const int starts = trials(167);
    for (int world_number = 0; world_number < 3; ++world_number) {
        Rng rng(static_cast<std::uint64_t>(100 + world_number));
        const Tube tube = random_tube(rng, 20 + 40 * world_number);
        const CylinderWorld world =
            bake_tube(tube, {.cell_size = 1.2 + 0.6 * world_number, .slices = 4 + world_number});
        const Result<Grid> grid = make_cylinder_grid(world);
        ASSERT_TRUE(grid);
        const oracle::UnrolledSlices tiles = oracle_of(world);
        for (int i = 0; i < starts; ++i) ask_from(world, *grid, tiles, rng, 20, asked, scratch);
    }
    if (!all_trials()) return;
    EXPECT_GE(asked.complete + asked.unreachable, 10000);
    EXPECT_GT(asked.complete, 9000);
    EXPECT_GT(asked.over_seam, 1000);
    EXPECT_GT(asked.changes_depth, 5000);
    EXPECT_GT(asked.mid_route, 1000);
}

}  // namespace
}  // namespace fairlead::testing
