// What registered discs wider than a tile keep of the half lattice (half_body.h): points, ends of scans, bridges and the index,
// after edits too; and that the search over it finds what single steps find.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>
#include <fairlead/verify/verify.h>

#include "grid/connectivity.h"
#include "grid/half_lattice.h"
#include "grid/half_ways.h"
#include "grid/state.h"
#include "support/environment.h"
#include "support/grid_compare.h"
#include "support/grids.h"
#include "support/random_worlds.h"

namespace fairlead::testing {
namespace {

using grid::Body;
using grid::HalfPoint;
using grid::StateData;

std::vector<std::uint8_t> draw(Rng& rng, std::int32_t width, std::int32_t height) {
    const auto cells = static_cast<std::size_t>(width * height);
    switch (rng.below(5)) {
        case 0: return random_tiles(rng, cells, 1 + rng.below(25));
        case 1: return random_map(rng, width, height);
        default: break;
    }
    // Rooms whose gaps are one to six tiles wide, with single tiles strewn in.
    std::vector<std::uint8_t> tiles(cells, 1);
    const auto at = [&](std::int32_t x, std::int32_t y) -> std::uint8_t& {
        return tiles[static_cast<std::size_t>(y * width + x)];
    };
    for (std::int32_t x = rng.between(5, 12); x < width; x += rng.between(5, 14)) {
        for (std::int32_t y = 0; y < height; ++y) at(x, y) = 0;
        for (std::int32_t n = 0; n < height / 15 + 1; ++n) {
            const std::int32_t gap = rng.between(0, height - 1), wide = rng.between(1, 6);
            for (std::int32_t y = gap; y < std::min(height, gap + wide); ++y) at(x, y) = 1;
        }
    }
    for (std::size_t n = 0; n < cells / (40 + rng.below(200)); ++n)
        tiles[rng.below(static_cast<std::uint32_t>(cells))] = 0;
    return tiles;
}

double draw_radius(Rng& rng) {
    if (rng.below(2) == 0) return 0.5 + 0.05 * rng.between(1, 60);
    const double more[] = {0.0, -1e-6, 1e-6};
    const std::int32_t a = rng.between(1, 6), b = rng.between(1, 6);
    return std::sqrt(static_cast<double>(a * a + b * b)) / 2.0 + more[rng.below(3)];
}

// Axes that wrap and portals, now and then.
struct Joins {
    bool wrap_x = false;
    bool wrap_y = false;
    std::vector<Portal> portals;
};
Joins draw_joins(Rng& rng, std::int32_t width, std::int32_t height) {
    Joins joins{rng.below(4) == 0, rng.below(4) == 0, {}};
    for (std::uint32_t n = rng.below(4) == 0 ? 3 : 0; n > 0; --n) {
        joins.portals.push_back({.from = {rng.between(0, width - 1), rng.between(0, height - 1)},
                                 .to = {rng.between(0, width - 1), rng.between(0, height - 1)}});
        joins.portals.back().two_way = rng.below(4) != 0;
        if (joins.portals.back().from == joins.portals.back().to) joins.portals.pop_back();
    }
    return joins;
}
GridOptions options_of(std::int32_t width, std::int32_t height, std::span<const Agent> sizes,
                       const Joins& joins) {
    GridOptions options{.width = width, .height = height};
    options.sizes = sizes;
    options.wrap_x = joins.wrap_x;
    options.wrap_y = joins.wrap_y;
    options.portals = joins.portals;
    return options;
}

// Does a straight scan from p in direction (di, dj) come to an end that is of use? The definition, point by point.
bool scan_ends(const grid::Lines& rows, const grid::Lines* stops, HalfPoint p, std::int32_t di,
               std::int32_t dj) {
    const auto fits = [&](std::int32_t i, std::int32_t j) { return i >= 0 && rows.get(i, j); };
    for (;;) {
        const HalfPoint q{p.i + di, p.j + dj};
        if (!fits(q.i, q.j)) return false;
        for (const std::int32_t side : {-1, 1}) {
            const std::int32_t si = dj * side, sj = di * side;
            if (fits(q.i + si, q.j + sj) && !fits(p.i + si, p.j + sj)) return true;
            const bool squeezed =
                !fits(q.i + di, q.j + dj) && fits(q.i + di + si, q.j + dj + sj) && !fits(q.i + si, q.j + sj);
            if (squeezed) return true;
        }
        if (stops != nullptr &&
            ((stops->line(q.j)[grid::kStopPlane * stops->plane_stride + (q.i >> 6)] >> (q.i & 63)) & 1U) != 0)
            return true;
        p = q;
    }
}

void expect_planes(const GridState& grid, double radius) {
    const StateData& state = grid.data();
    const Body* body = state.find_half(grid::HalfDisc::of(radius).square);
    ASSERT_NE(body, nullptr);
    const grid::Lines rows = state.half_row_lines(*body, 0), cols = state.half_col_lines(*body, 0);
    const bool gaps = body->planes == grid::kGapPlanes;
    ASSERT_EQ(gaps, grid::HalfDisc::of(radius).key > grid::kGapKey);
    // A radius of the same points that is not registered: found out in the query.
    grid::SightWorld world;
    world.state = &state;
    grid::HalfDisc disc = grid::HalfDisc::of(radius);
    disc.square = std::nextafter(disc.square, 0.0);
    grid::HalfPlanes plain;
    ASSERT_TRUE(plain.begin(world, disc));
    grid::HalfWays ways;
    ways.begin(plain, world);
    const auto bit = [](const grid::Lines& lines, std::int32_t plane, std::int32_t at, std::int32_t line) {
        return ((lines.line(line)[plane * lines.plane_stride + (at >> 6)] >> (at & 63)) & 1U) != 0;
    };
    for (std::int32_t j = 0; j < state.half_rows.lines; ++j) {
        for (std::int32_t i = 0; i < state.half_rows.length; ++i) {
            const bool fits = plain.fits(i, j);
            ASSERT_EQ(rows.get(i, j), fits) << i << " " << j << " r " << radius;
            ASSERT_EQ(cols.get(j, i), fits) << i << " " << j << " r " << radius;
            if (gaps) {
                for (const std::int32_t plane : {grid::kBridgePlane, grid::kStopPlane})
                    ASSERT_EQ(bit(rows, plane, i, j), bit(cols, plane, j, i)) << i << " " << j;
            }
            if (!fits) continue;
            const grid::Lines* stops = gaps ? &rows : nullptr;
            ASSERT_EQ(bit(rows, grid::kReachUpPlane, i, j), scan_ends(rows, stops, {i, j}, 1, 0))
                << i << " " << j;
            ASSERT_EQ(bit(rows, grid::kReachDownPlane, i, j), scan_ends(rows, stops, {i, j}, -1, 0))
                << i << " " << j;
            ASSERT_EQ(bit(cols, grid::kReachUpPlane, j, i), scan_ends(rows, stops, {i, j}, 0, 1))
                << i << " " << j;
            ASSERT_EQ(bit(cols, grid::kReachDownPlane, j, i), scan_ends(rows, stops, {i, j}, 0, -1))
                << i << " " << j;
            // Whoever has a way through gaps is a stop, and the index joins both ends.
            if (!gaps) continue;
            const std::span<const grid::HalfEnd> ends = ways.ends_through_gaps({i, j});
            if (!ends.empty() && !state.wrap_x && !state.wrap_y) {
                ASSERT_TRUE(bit(rows, grid::kStopPlane, i, j)) << i << " " << j << " r " << radius;
            }
            for (const grid::HalfEnd& end : ends) {
                const std::int32_t to_i =
                    state.wrap_x ? grid::wrapped(end.point.i, 2 * state.width) : end.point.i;
                const std::int32_t to_j =
                    state.wrap_y ? grid::wrapped(end.point.j, 2 * state.height) : end.point.j;
                ASSERT_EQ(grid::component_of(state, *body, i, j, 0),
                          grid::component_of(state, *body, to_i, to_j, 0));
            }
        }
    }
}

// Without gaps the index is the truth: a flood over neighbours, diagonal ones too.
void expect_index(const GridState& grid, double radius) {
    const StateData& state = grid.data();
    const Body* body = state.find_half(grid::HalfDisc::of(radius).square);
    ASSERT_NE(body, nullptr);
    if (body->planes == grid::kGapPlanes) return;
    const grid::Lines rows = state.half_row_lines(*body, 0);
    const std::int32_t width = state.half_rows.length, height = state.half_rows.lines;
    std::vector<std::int32_t> label(static_cast<std::size_t>(width * height), 0);
    std::map<std::uint64_t, std::int32_t> names;
    std::int32_t count = 0;
    std::vector<std::int32_t> open;
    for (std::int32_t n = 0; n < width * height; ++n) {
        if (label[static_cast<std::size_t>(n)] != 0 || !rows.get(n % width, n / width)) continue;
        label[static_cast<std::size_t>(n)] = ++count;
        open.push_back(n);
        const std::uint64_t name = grid::component_of(state, *body, n % width, n / width, 0);
        ASSERT_TRUE(names.emplace(name, count).second) << "joined too much, r " << radius;
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            ASSERT_EQ(grid::component_of(state, *body, at % width, at / width, 0), name)
                << "cut, r " << radius;
            const auto visit = [&](std::int32_t i, std::int32_t j) {
                if (i < 0 || j < 0 || i >= width || j >= height || !rows.get(i, j)) return;
                std::int32_t& there = label[static_cast<std::size_t>(j * width + i)];
                if (there == 0) open.push_back(j * width + i);
                there = count;
            };
            const std::int32_t x = at % width, y = at / width;
            for (std::int32_t k = 0; k < 9; ++k) visit(x + k % 3 - 1, y + k / 3 - 1);
            // Points on a seam are there twice.
            if (state.wrap_x && (x == 0 || x == width - 1)) visit(width - 1 - x, y);
            if (state.wrap_y && (y == 0 || y == height - 1)) visit(x, height - 1 - y);
            for (const Portal& portal : std::span(state.portals, state.portal_count)) {
                const auto is_at = [&](Cell c) { return x == 2 * c.x + 1 && y == 2 * c.y + 1; };
                if (is_at(portal.from)) visit(2 * portal.to.x + 1, 2 * portal.to.y + 1);
                if (is_at(portal.to)) visit(2 * portal.from.x + 1, 2 * portal.from.y + 1);
            }
        }
    }
}

TEST(HalfBody, PlanesAndIndexAreWhatTheyAreDefinedAs) {
    for (int round = 0; round < trials(120); ++round) {
        Rng rng(8100 + static_cast<std::uint64_t>(round));
        const std::int32_t width = rng.between(3, 90), height = rng.between(3, 90);
        const double radius = draw_radius(rng);
        const Agent size[] = {{.radius = radius}};
        const Joins joins = draw_joins(rng, width, height);
        Grid grid = *Grid::make(options_of(width, height, size, joins), draw(rng, width, height));
        if (2.0 * radius > std::min(width, height)) continue;  // fits nowhere: nothing is kept
        ASSERT_NO_FATAL_FAILURE(expect_planes(grid.state(), radius)) << "round " << round;
        ASSERT_NO_FATAL_FAILURE(expect_index(grid.state(), radius)) << "round " << round;
    }
}

TEST(HalfBody, EditsGiveWhatAFreshGridHas) {
    for (int round = 0; round < trials(60); ++round) {
        Rng rng(8200 + static_cast<std::uint64_t>(round));
        const std::int32_t width = rng.between(8, 120), height = rng.between(8, 120);
        // The second and third cover the same cells and differ on the half lattice.
        const std::vector<Agent> sizes = {{.radius = draw_radius(rng)}, {.radius = 1.55}, {.radius = 1.5811}};
        std::vector<std::uint8_t> tiles = draw(rng, width, height);
        const GridOptions plain = options_of(width, height, sizes, {});
        const Joins joins = draw_joins(rng, width, height);
        const GridOptions options = round % 2 == 0 ? plain : options_of(width, height, sizes, joins);
        Grid grid = *Grid::make(options, tiles);
        std::vector<GridSnapshot> held;
        for (int edit = 0; edit < 12; ++edit) {
            if (rng.below(4) == 0) held.push_back(grid.acquire());
            if (rng.below(4) == 0) held.clear();
            const std::int32_t x = rng.between(0, width - 1), y = rng.between(0, height - 1);
            const std::int32_t right = std::min(width, x + rng.between(1, 9));
            const std::int32_t up = std::min(height, y + rng.between(1, 9));
            const std::uint8_t tile = rng.below(2) == 0 ? 0 : 1;
            ASSERT_TRUE(grid.fill({{x, y}, {right, up}}, tile));
            for (std::int32_t v = y; v < up; ++v) {
                for (std::int32_t u = x; u < right; ++u)
                    tiles[static_cast<std::size_t>(v * width + u)] = tile;
            }
        }
        const Grid fresh = *Grid::make(options, tiles);
        ASSERT_EQ(grid_difference(grid.state(), fresh.state()), "") << "round " << round;
    }
}

std::vector<Vec2> fitting_places(const GridState& grid, double radius) {
    std::vector<Vec2> places;
    const StateData& state = grid.data();
    const Body* body = state.find_half(grid::HalfDisc::of(radius).square);
    for (std::int32_t j = 0; body != nullptr && j < state.half_rows.lines; ++j) {
        for (std::int32_t i = 0; i < state.half_rows.length; ++i) {
            if (state.half_row_lines(*body, 0).get(i, j)) places.push_back({0.5 * i, 0.5 * j});
        }
    }
    return places;
}

// The search over kept points against single steps over points found out in the query.
TEST(HalfBody, WaysAreAsShortAsThoseOfSingleSteps) {
    Scratch scratch;
    int found = 0, apart = 0, asked = 0;
    for (int round = 0; round < trials(250); ++round) {
        Rng rng(8300 + static_cast<std::uint64_t>(round));
        const std::int32_t width = rng.between(20, 120), height = rng.between(20, 120);
        const double radius = draw_radius(rng);
        const Agent size[] = {{.radius = radius}};
        const std::vector<std::uint8_t> tiles = draw(rng, width, height);
        Joins joins;
        if (round % 2 == 1) joins = draw_joins(rng, width, height);
        const Grid kept = *Grid::make(options_of(width, height, size, joins), tiles);
        const Grid plain = *Grid::make(options_of(width, height, {}, joins), tiles);
        const std::vector<Vec2> places = fitting_places(kept.state(), radius);
        for (int n = 0; n < 12 && places.size() > 1; ++n) {
            const auto count = static_cast<std::uint32_t>(places.size());
            GridQuery query{.start = places[rng.below(count)],
                            .goal = places[rng.below(count)],
                            .smoothing = Smoothing::none};
            query.agent.radius = radius;
            query.planner = GridPlanner::bucket_astar;  // tiles' middles first, registered or not
            const Route a = *find_route(kept.state(), query, scratch);
            const Route b = *find_route(plain.state(), query, scratch);
            ASSERT_EQ(a.status, b.status) << "round " << round << " query " << n << " r " << radius;
            apart += a.status == PathStatus::unreachable ? 1 : 0;
            if (a.status != PathStatus::complete) continue;
            ASSERT_NEAR(a.cost, b.cost, 1e-9) << "round " << round << " query " << n << " r " << radius;
            ASSERT_FALSE(verify(a, kept.state(), query.agent));
            found += std::string(a.planner) == "half_lattice" ? 1 : 0;
        }
        // GridState::connected from the index, beside a search.
        for (int n = 0; n < 20; ++n) {
            const Cell from{rng.between(0, width - 1), rng.between(0, height - 1)};
            const Cell to{rng.between(0, width - 1), rng.between(0, height - 1)};
            if (!kept.state().can_stand(from, size[0]) || !kept.state().can_stand(to, size[0])) continue;
            GridQuery query{.start = kept.state().cell_centre(from), .goal = kept.state().cell_centre(to)};
            query.agent = size[0];
            const bool way = find_route(plain.state(), query, scratch).value().status == PathStatus::complete;
            ASSERT_EQ(*kept.state().connected(from, to, size[0]), way)
                << "round " << round << " r " << radius;
            asked += 1;
        }
    }
    if (!all_trials()) return;
    EXPECT_GT(found, 100);
    EXPECT_GT(apart, 100);
    EXPECT_GT(asked, 200);
}

}  // namespace
}  // namespace fairlead::testing
