// The k-th allocation fails, alone or with all later ones, for every k: a documented error, nothing leaks, the world is as it was,
// and the next call works.

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/repair.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"
#include "support/grid_compare.h"
#include "support/grids.h"
#include "support/planner_check.h"
#include "support/random_campaign.h"
#include "support/route_compare.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

struct Shape {
    GridOptions options;
    std::vector<std::uint8_t> tiles;
};

const Agent kSizes[] = {{.radius = 0.7}, {.radius = 1.5}, {.radius = 3.2}, {.footprint = 2}};
const Portal kPortals[] = {{{3, 3, 0}, {4, 3, 1}}, {{20, 10, 1}, {2, 18, 0}, 3.0, false}};

// Plain, over several leaves; with floors, seams and portals; with terrain.
std::vector<Shape> shapes() {
    std::vector<Shape> all(3);
    Rng rng(71);
    all[0].options = {.width = 130, .height = 70};
    all[1].options = {.width = 40, .height = 30, .layers = 2, .wrap_x = true};
    all[1].options.portals = kPortals;
    all[1].options.corner = CornerRule::always;
    all[2].options = {.width = 66, .height = 33, .wrap_y = true};
    for (Shape& shape : all) {
        const GridOptions& o = shape.options;
        shape.options.sizes = kSizes;
        shape.tiles = random_tiles(rng, static_cast<std::size_t>(o.width * o.height * o.layers), 20,
                                   &shape == &all[2] ? 3 : 1);
    }
    return all;
}

TEST(GridOutOfMemory, Make) {
    for (Shape& shape : shapes()) {
        const Result<Grid> wanted = Grid::make(shape.options, shape.tiles);
        ASSERT_TRUE(wanted);
        TestAllocator memory;
        shape.options.allocator = memory.allocator();
        for (const bool once : kOnceAndForEver) {
            std::string difference = "not made";
            const std::int64_t failures = starve(
                memory, once,
                [&]() -> Result<void> {
                    const Result<Grid> grid = Grid::make(shape.options, shape.tiles);
                    if (!grid) return grid.error();
                    difference = grid_difference(grid->state(), wanted->state());
                    return {};
                },
                [&](const Result<void>& done) {
                    ASSERT_EQ(memory.live_blocks, 0);
                    ASSERT_TRUE(!done || difference.empty());
                });
            EXPECT_EQ(difference, "");
            EXPECT_EQ(memory.live_blocks, 0);
            EXPECT_EQ(memory.live_bytes, 0);
            EXPECT_GT(failures, 30);
        }
    }
}

struct EditCase {
    CellRect rect;
    std::vector<std::uint8_t> tiles;
};

EditCase random_edit(Rng& rng, const GridOptions& o) {
    EditCase edit;
    const std::int32_t x = rng.between(0, o.width - 1);
    const std::int32_t y = rng.between(0, o.height - 1);
    edit.rect = {{x, y},
                 {std::min(x + rng.between(1, 40), o.width), std::min(y + rng.between(1, 30), o.height)},
                 rng.between(0, o.layers - 1)};
    const auto count = static_cast<std::size_t>((edit.rect.high.x - x) * (edit.rect.high.y - y));
    const std::uint32_t percents[] = {0, 20, 50, 100};
    edit.tiles = random_tiles(rng, count, percents[rng.below(4)], rng.below(3) == 0 ? 4 : 1);
    return edit;
}

std::vector<std::uint8_t> tiles_in(const GridState& grid) {
    std::vector<std::uint8_t> tiles;
    for (std::int32_t layer = 0; layer < grid.layers(); ++layer) {
        for (std::int32_t y = 0; y < grid.height(); ++y) {
            for (std::int32_t x = 0; x < grid.width(); ++x) tiles.push_back(grid.tile({x, y, layer}));
        }
    }
    return tiles;
}

void starve_edits(const Shape& shape, bool with_snapshots, int edits) {
    TestAllocator memory;
    std::int64_t failures = 0;
    {
        GridOptions options = shape.options;
        options.allocator = memory.allocator();
        Result<Grid> grid = Grid::make(options, shape.tiles);
        ASSERT_TRUE(grid);
        Rng rng(72);
        std::vector<GridSnapshot> held;
        for (int i = 0; i < edits; ++i) {
            if (with_snapshots) {
                if (held.size() > 2) held.erase(held.begin());
                held.push_back(grid->acquire());
            }
            const Result<Grid> before = Grid::make(shape.options, tiles_in(grid->state()));
            const std::uint64_t revision = grid->state().revision();
            const EditCase edit = random_edit(rng, shape.options);
            failures += starve(
                memory, i % 2 == 0, [&] { return grid->set(edit.rect, edit.tiles); },
                [&](const Result<void>& done) {
                    if (done) return;
                    ASSERT_EQ(grid->state().revision(), revision);
                    ASSERT_EQ(grid_difference(grid->state(), before->state()), "") << "edit " << i;
                    if (!held.empty()) {
                        ASSERT_EQ(grid_difference(*held.back(), before->state()), "") << "edit " << i;
                    }
                });
            const Result<Grid> after = Grid::make(shape.options, tiles_in(grid->state()));
            ASSERT_EQ(grid_difference(grid->state(), after->state()), "") << "edit " << i;
            if (!held.empty()) {
                ASSERT_EQ(grid_difference(*held.back(), before->state()), "") << "edit " << i;
            }
            ASSERT_FALSE(::testing::Test::HasFailure());
        }
        held.clear();
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
    EXPECT_GT(failures, with_snapshots ? edits * 2 : edits / 4);
}

TEST(GridOutOfMemory, Edits) {
    for (const Shape& shape : shapes()) starve_edits(shape, false, trials(20));
}

TEST(GridOutOfMemory, EditsUnderSnapshots) {
    for (const Shape& shape : shapes()) starve_edits(shape, true, trials(10));
}

TEST(GridOutOfMemory, RegisterSize) {
    for (const Shape& shape : shapes()) {
        for (const int way : {0, 1, 2, 3}) {
            const bool with_snapshot = way % 2 == 1;
            TestAllocator memory;
            {
                GridOptions options = shape.options;
                const Result<Grid> before = Grid::make(options, shape.tiles);
                options.allocator = memory.allocator();
                Result<Grid> grid = Grid::make(options, shape.tiles);
                ASSERT_TRUE(before && grid);
                const GridSnapshot held = with_snapshot ? grid->acquire() : GridSnapshot{};
                const Agent size{.radius = 2.3};
                const std::uint64_t revision = grid->state().revision();
                const std::int64_t failures = starve(
                    memory, way / 2 == 1, [&] { return grid->register_size(size); },
                    [&](const Result<void>& done) {
                        if (done) return;
                        ASSERT_EQ(grid->state().revision(), revision);
                        ASSERT_EQ(grid_difference(grid->state(), before->state()), "");
                    });
                EXPECT_GT(failures, 10);
                EXPECT_TRUE(grid->state().connected({0, 0, 0}, {0, 0, 0}, size).has_value());
                if (held.held()) {
                    EXPECT_EQ(grid_difference(*held, before->state()), "");
                }
            }
            EXPECT_EQ(memory.live_blocks, 0);
            EXPECT_EQ(memory.live_bytes, 0);
        }
    }
}

TEST(GridOutOfMemory, QueriesOfEveryPlanner) {
    std::int64_t failures = 0;
    for (std::size_t t = 0; t < static_cast<std::size_t>(Topic::count_); ++t) {
        const auto topic = static_cast<Topic>(t);
        for (int i = 0; i < trials(60); ++i) {
            Rng rng(1100 + static_cast<std::uint64_t>(i) * 16 + t);
            RandomCase drawn = random_case(rng, topic, 40);
            const Grid grid = drawn.make_grid();
            const oracle::GridOracle oracle(drawn.world, drawn.ask.bind());
            draw_ends(rng, topic, oracle, drawn);
            for (std::size_t p = 0; p < kPlanners; ++p) {
                GridQuery query = drawn.ask.bind();
                query.planner = static_cast<GridPlanner>(p);
                query.smoothing = static_cast<Smoothing>(rng.below(4));
                query.partial = rng.below(2) == 0;
                query.certify = rng.below(2) == 0;
                Scratch plenty;
                const Result<Route> wanted = find_route(grid, query, plenty);
                if (!wanted) continue;
                SCOPED_TRACE(std::string(topic_name(topic)) + " case " + std::to_string(i) + ", " +
                             describe(query));
                TestAllocator memory;
                {
                    Scratch scratch(memory.allocator());
                    Route route;
                    route.legs = Array<Leg>(memory.allocator());
                    failures += starve(
                        memory, (i + static_cast<int>(p)) % 2 == 0,
                        [&] {
                            scratch.free_memory();
                            route.legs.free_memory();
                            return find_route_into(grid, query, scratch, route);
                        },
                        [&](const Result<void>& done) {
                            if (done) {
                                ASSERT_EQ(route_difference(route, *wanted), "");
                            } else {
                                ASSERT_EQ(done.error(), Error(ErrorCode::out_of_memory));
                                ASSERT_TRUE(route.legs.empty());
                            }
                            ASSERT_TRUE(find_route_into(grid, query, scratch, route));
                            ASSERT_EQ(route_difference(route, *wanted), "");
                        });
                    ASSERT_FALSE(HasFailure());
                    ASSERT_EQ(route_difference(route, *wanted), "");
                }
                ASSERT_EQ(memory.live_blocks, 0);
                ASSERT_EQ(memory.live_bytes, 0);
            }
        }
    }
    EXPECT_GT(failures, trials(1000));
}

TEST(GridOutOfMemory, Repair) {
    Rng rng(73);
    std::int64_t failures = 0;
    for (int i = 0; i < trials(30); ++i) {
        Grid grid = *Grid::make({.width = 50, .height = 40}, random_tiles(rng, 2000, 15));
        const auto cell = [&] { return cell_centre(rng.between(0, 49), rng.between(0, 39)); };
        const Blocker blockers[] = {{.centre = cell(), .radius = 0.7}};
        const GridQuery query{.start = cell(), .goal = cell(), .blockers = blockers};
        Scratch plenty;
        const Result<Route> made = find_route(grid, query, plenty);
        ASSERT_TRUE(made);
        if (made->legs.empty()) continue;
        ASSERT_TRUE(
            grid.set(grid.state().cell_at(ground(place_on_route(*made, made->length / 2).position)), 0));
        TestAllocator memory;
        {
            Scratch scratch(memory.allocator());
            Route route;
            route.legs = Array<Leg>(memory.allocator());
            const auto fresh = [&] {
                ASSERT_TRUE(route.legs.assign(made->legs.span()));
                route.status = made->status;
                route.end = made->end;
                route.cost = made->cost;
                route.line_cost = made->line_cost;
                route.length = made->length;
            };
            fresh();
            failures += starve(
                memory, i % 2 == 0,
                [&] {
                    scratch.free_memory();
                    return repair(grid, route, query, scratch);
                },
                [&](const Result<void>& done) {
                    if (!done) {
                        // A failed repair leaves the route as it was.
                        ASSERT_EQ(route.legs.size(), made->legs.size());
                        for (std::size_t k = 0; k < route.legs.size(); ++k)
                            ASSERT_EQ(route.legs[k], made->legs[k]);
                        ASSERT_EQ(route.end, made->end);
                    }
                    ASSERT_TRUE(repair(grid, route, query, scratch));
                    const Violation bad = verify(route, grid, query.agent, {.blockers = blockers});
                    ASSERT_FALSE(bad) << bad.text().c_str();
                    fresh();
                });
            ASSERT_FALSE(HasFailure()) << "case " << i;
        }
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    }
    EXPECT_GT(failures, trials(100));
}

}  // namespace
}  // namespace fairlead::testing
