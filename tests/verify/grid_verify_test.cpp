// verify over a real grid. The grid's own answers, can_stand and clearance, and the checker were written
// apart: they must agree on every cell.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>
#include <fairlead/verify/verify.h>

#include "support/route_maker.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::polyline;
using testing::RouteMaker;

std::vector<std::uint8_t> random_tiles(std::size_t count, double density, Rng& rng) {
    std::vector<std::uint8_t> tiles(count);
    for (std::uint8_t& tile : tiles) tile = rng.unit() < density ? 0 : 1;
    return tiles;
}

/// A route of no legs where the agent stands in a cell.
Route standing(const GridState& grid, Cell cell, const Agent& agent) {
    Vec2 at = grid.cell_centre(cell);
    if (agent.footprint > 0 && agent.footprint % 2 == 0) {
        at = at - Vec2{0.5 * grid.cell_size(), 0.5 * grid.cell_size()};
    }
    Route route = RouteMaker(at, 0.0, cell.layer).take();
    route.revision = grid.revision();
    return route;
}

TEST(GridVerify, JudgesARouteOnAGrid) {
    Result<Grid> town = Grid::make({.width = 20, .height = 10});
    ASSERT_TRUE(town);
    ASSERT_TRUE(town->fill({{8, 0}, {9, 6}}, 0));
    Route route = polyline({{2.5, 2.5}, {7.5, 6.5}, {9.5, 6.5}, {15.5, 2.5}});
    EXPECT_KIND(verify(route, *town, {}), revision);
    route.revision = town->state().revision();
    EXPECT_LEGAL(verify(route, *town, {.radius = 0.5, .footprint = 0}));
    const Violation bad = verify(route, *town, {.radius = 0.6, .footprint = 0});
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.leg, 1);
    EXPECT_EQ(bad.cell, (Cell{8, 5, 0}));
    // A snapshot is judged as it was.
    const GridSnapshot before = town->acquire();
    ASSERT_TRUE(town->set({8, 6, 0}, std::uint8_t{0}));
    EXPECT_LEGAL(verify(route, *before, {}));
    EXPECT_KIND(verify(route, *town, {}), revision);
    EXPECT_KIND(verify(route, *town, {}, {.check_revision = false}), wall);
}

// A contact that goes on through several pieces of a leg: depth and place are those of one moment.
TEST(GridVerify, TheDeepestPlaceMayLieFarIntoAContact) {
    const Result<Grid> town = Grid::make({.width = 64, .height = 64});
    ASSERT_TRUE(town);
    // Into it at 74 degrees of the arc, deepest at 109.
    const Blocker big[] = {{.box = {{40.0, 20.0}, {90.0, 90.0}}}};
    const Route route = RouteMaker({32.0, 2.0}).drive(25.0 * kPi, 0.04).take();
    const Violation bad = verify(route, *town, {}, {.blockers = big, .check_revision = false});
    EXPECT_KIND(bad, blocker);
    const Vec2 place = ground(bad.place.position);
    EXPECT_NEAR(bad.depth, std::min(place.x - 40.0, place.y - 20.0), 1e-9);
    EXPECT_GT(bad.depth, 15.0);
}

TEST(GridVerify, AgreesWithCanStand) {
    Rng rng(5);
    for (int i = 0; i < 60; ++i) {
        GridOptions options;
        options.width = rng.between(1, 14);
        options.height = rng.between(1, 14);
        options.layers = rng.between(1, 2);
        options.wrap_x = rng.below(3) == 0;
        options.wrap_y = rng.below(3) == 0;
        options.origin = {rng.between(-1e4, 1e4), rng.between(-1e4, 1e4)};
        options.cell_size = i % 2 == 0 ? 1.0 : rng.between(0.01, 50.0);
        const auto count = static_cast<std::size_t>(options.width) *
                           static_cast<std::size_t>(options.height) *
                           static_cast<std::size_t>(options.layers);
        const Result<Grid> made = Grid::make(options, random_tiles(count, rng.between(0.0, 0.2), rng));
        ASSERT_TRUE(made);
        const GridState& grid = made->state();
        for (const double radius : {0.0, 0.3, 0.5, 0.7, 1.0, 1.5, 2.2, 5.0, rng.between(0.0, 6.0)}) {
            for (std::int32_t n = 0; n <= (radius == 0.0 ? 5 : 0); ++n) {
                // Just inside the exact contact, so that rounding of the odd cell sizes decides nothing.
                const Agent agent{.radius = radius * grid.cell_size() * (1.0 - 1e-12), .footprint = n};
                for (Cell cell{0, 0, 0}; cell.y < grid.height();
                     cell.x + 1 < grid.width() ? ++cell.x : (cell.x = 0, ++cell.y)) {
                    cell.layer = rng.between(0, grid.layers() - 1);
                    const Violation bad = verify(standing(grid, cell, agent), grid, agent);
                    ASSERT_EQ(grid.can_stand(cell, agent), !bad)
                        << bad.text().c_str() << " radius " << radius << " footprint " << n;
                }
            }
        }
    }
}

TEST(GridVerify, AgreesWithClearance) {
    Rng rng(6);
    for (int i = 0; i < 60; ++i) {
        GridOptions options;
        options.width = rng.between(1, 20);
        options.height = rng.between(1, 20);
        options.wrap_x = rng.below(3) == 0;
        options.wrap_y = rng.below(3) == 0;
        options.cell_size = i % 2 == 0 ? 1.0 : rng.between(0.01, 50.0);
        const auto count = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
        const Result<Grid> made = Grid::make(options, random_tiles(count, rng.between(0.0, 0.1), rng));
        ASSERT_TRUE(made);
        const GridState& grid = made->state();
        const double limit = 7.0 * grid.cell_size();
        for (Cell cell{0, 0, 0}; cell.y < grid.height();
             cell.x + 1 < grid.width() ? ++cell.x : (cell.x = 0, ++cell.y)) {
            if (grid.blocked(cell)) continue;
            const Vec2 at = grid.cell_centre(cell);
            const double clearance = grid.clearance(cell, limit);
            const auto claim = [&](double value) {
                Route route = RouteMaker(at).turn(1.0).claim(value).take();
                route.revision = grid.revision();
                return verify(route, grid, {});
            };
            EXPECT_LEGAL(claim(clearance));
            if (clearance < limit) {
                EXPECT_KIND(claim(clearance + 1e-6 * grid.cell_size()), clearance);
            }
        }
    }
}

TEST(GridVerify, LinksAreTheGridsPortals) {
    const Portal stairs{{1, 1, 0}, {4, 2, 1}, 2.0, false};
    const Result<Grid> made = Grid::make({.width = 6, .height = 4, .layers = 2, .portals = {&stairs, 1}});
    ASSERT_TRUE(made);
    Route up = RouteMaker({0.5, 1.5}).drive(1.0).link(0, {4.5, 2.5}, 1).drive(1.0).take();
    up.revision = made->state().revision();
    EXPECT_LEGAL(verify(up, *made, {.radius = 0.5, .footprint = 0}));
    up.legs[1].link_id = 1;
    EXPECT_KIND(verify(up, *made, {.radius = 0.5, .footprint = 0}), link);
}

}  // namespace
}  // namespace fairlead
