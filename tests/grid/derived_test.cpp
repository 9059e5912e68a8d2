// Everything that a grid derives from its tiles, against plain recomputation: clearance, free cells of every
// size, reach planes, connectivity; after building and after random edits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fairlead/grid/grid.h>

#include "grid/connectivity.h"
#include "grid/reach.h"
#include "grid/stand.h"
#include "grid/state.h"
#include "oracle/chain_oracle.h"
#include "support/environment.h"
#include "support/grids.h"

namespace fairlead {
namespace {

using testing::random_tiles;

constexpr std::int32_t kMargin = 9;  // no body of these tests reaches further

/// The tiles themselves, and plain answers computed from them with none of the library's code. After the tiles have
/// changed, derive() must be called.
struct Plain {
    std::int32_t width, height, layers;
    bool wrap_x, wrap_y;
    std::vector<std::uint8_t> tiles;
    std::vector<char> walls;  // all layers with a margin around each, the axes' wraps applied
    std::vector<double>
        clearances;  // from the cell's centre to the nearest wall square, in cells; 9 and more: large

    bool wall_tile(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        if (wrap_x) x = ((x % width) + width) % width;
        if (wrap_y) y = ((y % height) + height) % height;
        if (x < 0 || y < 0 || x >= width || y >= height) return true;
        return tiles[static_cast<std::size_t>((layer * height + y) * width + x)] == 0;
    }
    // x and y at most kMargin (and one step) outside the map.
    bool wall(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        return walls[padded(x, y, layer)] != 0;
    }
    double clearance(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        return clearances[static_cast<std::size_t>((layer * height + y) * width + x)];
    }
    std::size_t padded(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        const std::int32_t edge = kMargin + 1;
        return static_cast<std::size_t>((layer * (height + 2 * edge) + y + edge) * (width + 2 * edge) + x +
                                        edge);
    }
    void derive() {
        const std::int32_t edge = kMargin + 1;
        walls.clear();
        clearances.clear();
        for (std::int32_t layer = 0; layer < layers; ++layer) {
            for (std::int32_t y = -edge; y < height + edge; ++y) {
                for (std::int32_t x = -edge; x < width + edge; ++x)
                    walls.push_back(wall_tile(x, y, layer) ? 1 : 0);
            }
        }
        for (std::int32_t layer = 0; layer < layers; ++layer) {
            for (std::int32_t y = 0; y < height; ++y) {
                for (std::int32_t x = 0; x < width; ++x) clearances.push_back(measure(x, y, layer));
            }
        }
    }
    double measure(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        if (wall(x, y, layer)) return 0.0;
        double best = 1e18;  // squared
        for (std::int32_t j = -kMargin; j <= kMargin; ++j) {
            for (std::int32_t i = -kMargin; i <= kMargin; ++i) {
                if (!wall(x + i, y + j, layer)) continue;
                const double dx = std::max(std::abs(i) - 0.5, 0.0);
                const double dy = std::max(std::abs(j) - 0.5, 0.0);
                best = std::min(best, dx * dx + dy * dy);
            }
        }
        return std::sqrt(best);
    }
    bool inside(std::int32_t& x, std::int32_t& y) const {
        if (wrap_x) x = ((x % width) + width) % width;
        if (wrap_y) y = ((y % height) + height) % height;
        return x >= 0 && y >= 0 && x < width && y < height;
    }
    bool fits(const Agent& agent, double cell_size, std::int32_t x, std::int32_t y,
              std::int32_t layer) const {
        if (!inside(x, y)) return false;
        if (agent.footprint > 0) {
            const std::int32_t low = -(agent.footprint / 2);
            for (std::int32_t j = low; j < low + agent.footprint; ++j) {
                for (std::int32_t i = low; i < low + agent.footprint; ++i) {
                    if (wall(x + i, y + j, layer)) return false;
                }
            }
            return true;
        }
        return !wall(x, y, layer) && clearance(x, y, layer) >= agent.radius / cell_size - 1e-9;
    }
};

struct Setup {
    std::int32_t width, height, layers;
    bool wrap_x, wrap_y;
    CornerRule corner;
    std::vector<Portal> portals;
};

const std::vector<Agent> kSizes = {{.radius = 0.7},  {.radius = 1.5}, {.radius = 3.2},  {.radius = 6.0},
                                   {.radius = 1.55}, {.radius = 1.2}, {.footprint = 2}, {.footprint = 3}};

void expect_lines(const Plain& plain, const GridState& grid) {
    const grid::StateData& data = grid.data();
    std::vector<Agent> agents = kSizes;
    agents.insert(agents.begin(), Agent{});
    for (const Agent& agent : agents) {
        const grid::Body* body = data.find_body(grid::body_key(agent, grid.cell_size()));
        ASSERT_NE(body, nullptr);
        std::int64_t free_cells = 0;
        for (std::int32_t layer = 0; layer < plain.layers; ++layer) {
            const grid::Lines rows = data.row_lines(*body, layer);
            const grid::Lines cols = data.col_lines(*body, layer);
            for (std::int32_t y = 0; y < plain.height; ++y) {
                for (std::int32_t x = 0; x < plain.width; ++x) {
                    const bool fits = plain.fits(agent, grid.cell_size(), x, y, layer);
                    free_cells += fits ? 1 : 0;
                    ASSERT_EQ(rows.get(x, y), fits)
                        << x << " " << y << " r " << agent.radius << " n " << agent.footprint;
                    ASSERT_EQ(cols.get(y, x), fits);
                    ASSERT_EQ(grid.can_stand({x, y, layer}, agent), fits);
                }
                ASSERT_EQ(rows.line(y)[data.rows.words], 0U);
                ASSERT_EQ(rows.line(y)[-1], 0U);
            }
        }
        EXPECT_EQ(body->free_cells, free_cells);
    }
}

// The definition, cell by cell: step along the line until a wall or a jump point.
bool plain_reach(const grid::Lines& lines, std::int32_t x, std::int32_t y, std::int32_t step) {
    for (std::int32_t p = x + step;; p += step) {
        if (p < 0 || !lines.get(p, y)) return false;
        for (const std::int32_t side : {-1, 1}) {
            if (lines.get(p, y + side) && (p - step < 0 || !lines.get(p - step, y + side))) return true;
        }
    }
}

void expect_reach(const GridState& grid) {
    const grid::StateData& data = grid.data();
    for (std::int32_t b = 0; b < data.body_count; ++b) {
        for (std::int32_t layer = 0; layer < data.layers; ++layer) {
            const grid::Lines all[2] = {data.row_lines(data.bodies[b], layer),
                                        data.col_lines(data.bodies[b], layer)};
            const grid::LineShape shapes[2] = {data.rows, data.cols};
            for (int o = 0; o < 2; ++o) {
                for (std::int32_t y = 0; y < shapes[o].lines; ++y) {
                    const std::uint64_t* line = all[o].line(y);
                    for (std::int32_t x = 0; x < shapes[o].length; ++x) {
                        if (!all[o].get(x, y)) continue;
                        const std::uint64_t up = line[all[o].plane_stride * grid::kReachUpPlane + (x >> 6)];
                        const std::uint64_t down =
                            line[all[o].plane_stride * grid::kReachDownPlane + (x >> 6)];
                        ASSERT_EQ((up >> (x & 63)) & 1U, plain_reach(all[o], x, y, 1) ? 1U : 0U)
                            << x << " " << y;
                        ASSERT_EQ((down >> (x & 63)) & 1U, plain_reach(all[o], x, y, -1) ? 1U : 0U)
                            << x << " " << y;
                    }
                }
            }
        }
    }
}

void expect_clearance(const Plain& plain, const GridState& grid) {
    for (std::int32_t layer = 0; layer < plain.layers; ++layer) {
        for (std::int32_t y = 0; y < plain.height; ++y) {
            for (std::int32_t x = 0; x < plain.width; ++x) {
                const double truth = plain.clearance(x, y, layer);
                ASSERT_DOUBLE_EQ(grid.clearance({x, y, layer}, 4.0), std::min(truth, 4.0)) << x << " " << y;
                ASSERT_DOUBLE_EQ(grid.clearance({x, y, layer}, 7.5), std::min(truth, 7.5)) << x << " " << y;
            }
        }
    }
}

// The cells, relative to the one it leaves, that a disc overlaps on its way to a diagonal neighbour: distance of the
// segment to each square near, by search on the convex distance function.
const std::vector<std::pair<std::int32_t, std::int32_t>>& swept_cells(double radius, std::int32_t dx,
                                                                      std::int32_t dy) {
    using Key = std::tuple<double, std::int32_t, std::int32_t>;
    static std::map<Key, std::vector<std::pair<std::int32_t, std::int32_t>>> known;
    const auto [at, added] = known.try_emplace(Key{radius, dx, dy});
    for (std::int32_t j = -kMargin; added && j <= kMargin; ++j) {
        for (std::int32_t i = -kMargin; i <= kMargin; ++i) {
            double low = 0.0;
            double high = 1.0;
            const auto distance = [i, j, dx, dy](double t) {
                const double px = 0.5 + t * dx;
                const double py = 0.5 + t * dy;
                const double ex = std::max({i - px, 0.0, px - (i + 1)});
                const double ey = std::max({j - py, 0.0, py - (j + 1)});
                return std::sqrt(ex * ex + ey * ey);
            };
            for (int k = 0; k < 80; ++k) {
                const double m1 = low + (high - low) / 3;
                const double m2 = high - (high - low) / 3;
                (distance(m1) < distance(m2) ? high : low) = distance(m1) < distance(m2) ? m2 : m1;
            }
            if (distance((low + high) / 2) < radius - 1e-6) at->second.push_back({i, j});
        }
    }
    return at->second;
}

// May this unit step from a to b (neighbours)? The corner rule, and exact geometry for discs under `always`.
bool plain_step(const Plain& plain, const Agent& agent, CornerRule rule, std::int32_t x, std::int32_t y,
                std::int32_t dx, std::int32_t dy, std::int32_t layer) {
    if (!plain.fits(agent, 1.0, x + dx, y + dy, layer)) return false;
    if (dx == 0 || dy == 0) return true;
    const bool a = plain.fits(agent, 1.0, x + dx, y, layer);
    const bool b = plain.fits(agent, 1.0, x, y + dy, layer);
    if (rule == CornerRule::never && !(a && b)) return false;
    if (rule == CornerRule::one_free && !(a || b)) return false;
    if (agent.footprint > 0) return a && b;
    if (agent.radius == 0.0) return true;
    for (const auto& [i, j] : swept_cells(agent.radius, dx, dy)) {
        if (plain.wall(x + i, y + j, layer)) return false;
    }
    return true;
}

void expect_connectivity(const Plain& plain, const GridState& grid, const std::vector<Portal>& portals,
                         const Agent& agent, Rng& rng) {
    const std::int32_t cells = plain.width * plain.height * plain.layers;
    std::vector<std::int32_t> label(static_cast<std::size_t>(cells), -1);
    const auto index = [&](std::int32_t x, std::int32_t y, std::int32_t layer) {
        if (plain.wrap_x) x = (x + plain.width) % plain.width;
        if (plain.wrap_y) y = (y + plain.height) % plain.height;
        return (layer * plain.height + y) * plain.width + x;
    };
    for (std::int32_t seed = 0; seed < cells; ++seed) {
        const std::int32_t sx = seed % plain.width;
        const std::int32_t sy = seed / plain.width % plain.height;
        const std::int32_t sl = seed / plain.width / plain.height;
        if (label[static_cast<std::size_t>(seed)] >= 0 || !plain.fits(agent, 1.0, sx, sy, sl)) continue;
        std::queue<std::int32_t> open;
        open.push(seed);
        label[static_cast<std::size_t>(seed)] = seed;
        const auto visit = [&](std::int32_t i) {
            if (label[static_cast<std::size_t>(i)] >= 0) return;
            label[static_cast<std::size_t>(i)] = seed;
            open.push(i);
        };
        while (!open.empty()) {
            const std::int32_t at = open.front();
            open.pop();
            const std::int32_t x = at % plain.width;
            const std::int32_t y = at / plain.width % plain.height;
            const std::int32_t l = at / plain.width / plain.height;
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                for (std::int32_t dx = -1; dx <= 1; ++dx) {
                    if (dx == 0 && dy == 0) continue;
                    const std::int32_t nx = x + dx;
                    const std::int32_t ny = y + dy;
                    if (!plain.wrap_x && (nx < 0 || nx >= plain.width)) continue;
                    if (!plain.wrap_y && (ny < 0 || ny >= plain.height)) continue;
                    if (plain_step(plain, agent, grid.corner(), x, y, dx, dy, l)) visit(index(nx, ny, l));
                }
            }
            for (const Portal& p : portals) {
                const auto open_for = [&](const Cell& c) {
                    return plain.fits(agent, 1.0, c.x, c.y, c.layer);
                };
                if (!open_for(p.from) || !open_for(p.to)) continue;
                if (index(p.from.x, p.from.y, p.from.layer) == at) visit(index(p.to.x, p.to.y, p.to.layer));
                if (index(p.to.x, p.to.y, p.to.layer) == at) visit(index(p.from.x, p.from.y, p.from.layer));
            }
        }
    }
    const grid::StateData& data = grid.data();
    const grid::Body* body = data.find_body(grid::body_key(agent, 1.0));
    ASSERT_NE(body, nullptr);
    std::vector<std::uint64_t> name(static_cast<std::size_t>(cells));
    std::vector<std::int32_t> free;
    for (std::int32_t i = 0; i < cells; ++i) {
        if (label[static_cast<std::size_t>(i)] < 0) continue;
        free.push_back(i);
        name[static_cast<std::size_t>(i)] = grid::component_of(
            data, *body, i % plain.width, i / plain.width % plain.height, i / plain.width / plain.height);
    }
    // Equal labels <=> equal names: compare every cell with its label's first cell, and the first cells pairwise.
    std::set<std::uint64_t> names;
    for (const std::int32_t i : free) {
        const std::int32_t first = label[static_cast<std::size_t>(i)];
        ASSERT_EQ(name[static_cast<std::size_t>(i)], name[static_cast<std::size_t>(first)])
            << "cut that is none: " << i << " r " << agent.radius;
        if (first == i) {
            ASSERT_TRUE(names.insert(name[static_cast<std::size_t>(i)]).second)
                << "joined that are not: " << i << " r " << agent.radius << " n " << agent.footprint;
        }
    }
    for (int k = 0; k < 20 && !free.empty(); ++k) {
        const std::int32_t a = free[rng.below(static_cast<std::uint32_t>(free.size()))];
        const std::int32_t b = free[rng.below(static_cast<std::uint32_t>(free.size()))];
        const auto cell = [&](std::int32_t i) {
            return Cell{i % plain.width, i / plain.width % plain.height, i / plain.width / plain.height};
        };
        const Result<bool> joined = grid.connected(cell(a), cell(b), agent);
        ASSERT_TRUE(joined.has_value());
        const bool by_cells = label[static_cast<std::size_t>(a)] == label[static_cast<std::size_t>(b)];
        const bool wide = agent.footprint == 0 && agent.radius > 0.5;
        const bool alone = !plain.wrap_x && !plain.wrap_y && plain.layers == 1 && portals.empty();
        const bool one_way =
            std::any_of(portals.begin(), portals.end(), [](const Portal& p) { return !p.two_way; });
        if (one_way && by_cells) {
            // Perhaps only back: the simulator of use compares that with its oracle.
        } else if (by_cells || !wide) {
            EXPECT_EQ(*joined, by_cells);
        } else if (alone) {  // between tiles' middles there may be a way
            std::vector<bool> blocked;
            for (const std::uint8_t tile : plain.tiles) blocked.push_back(tile == 0);
            if (cells > 1000) continue;
            const oracle::ChainOracle truth(plain.width, plain.height, blocked, agent.radius);
            EXPECT_EQ(*joined, truth.joined(grid.cell_centre(cell(a)), grid.cell_centre(cell(b))));
        }
    }
}

void expect_all(const Plain& plain, const Grid& grid, const std::vector<Portal>& portals, Rng& rng) {
    const GridState& state = grid.state();
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(plain.tiles.size()); ++i) {
        const Cell cell{i % plain.width, i / plain.width % plain.height, i / plain.width / plain.height};
        ASSERT_EQ(state.tile(cell), plain.tiles[static_cast<std::size_t>(i)]);
    }
    expect_lines(plain, state);
    if (::testing::Test::HasFatalFailure()) return;
    if (!plain.wrap_x && !plain.wrap_y) expect_reach(state);
    if (::testing::Test::HasFatalFailure()) return;
    expect_clearance(plain, state);
    if (::testing::Test::HasFatalFailure()) return;
    for (const Agent& agent : {Agent{}, Agent{.radius = 0.7}, Agent{.radius = 1.55}, Agent{.radius = 1.2},
                               Agent{.footprint = 2}}) {
        expect_connectivity(plain, state, portals, agent, rng);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

void run_setup(const Setup& setup, std::uint64_t seed, int edits) {
    Rng rng(seed);
    Plain plain{setup.width, setup.height, setup.layers, setup.wrap_x, setup.wrap_y, {}, {}, {}};
    const std::uint32_t percents[] = {0, 3, 12, 30, 45, 100};
    plain.tiles = random_tiles(rng, static_cast<std::size_t>(setup.width * setup.height * setup.layers),
                               percents[rng.below(6)], seed % 2 == 0 ? 1 : 4);
    GridOptions options{.width = setup.width, .height = setup.height, .layers = setup.layers};
    options.wrap_x = setup.wrap_x;
    options.wrap_y = setup.wrap_y;
    options.corner = setup.corner;
    options.sizes = kSizes;
    options.portals = setup.portals;
    Result<Grid> grid = Grid::make(options, plain.tiles);
    ASSERT_TRUE(grid.has_value());
    plain.derive();
    expect_all(plain, *grid, setup.portals, rng);
    for (int i = 0; i < edits && !::testing::Test::HasFatalFailure(); ++i) {
        const std::int32_t w = 1 + static_cast<std::int32_t>(rng.below(i % 3 == 0 ? 1 : 20));
        const std::int32_t h = 1 + static_cast<std::int32_t>(rng.below(i % 3 == 0 ? 1 : 20));
        CellRect rect;
        rect.low = {static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(setup.width))),
                    static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(setup.height)))};
        rect.high = {std::min(rect.low.x + w, setup.width), std::min(rect.low.y + h, setup.height)};
        rect.layer = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(setup.layers)));
        const auto count = static_cast<std::size_t>((rect.high.x - rect.low.x) * (rect.high.y - rect.low.y));
        const std::vector<std::uint8_t> tiles = random_tiles(rng, count, percents[rng.below(6)], 3);
        ASSERT_TRUE(grid->set(rect, tiles).has_value());
        std::size_t k = 0;
        for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
            for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
                plain.tiles[static_cast<std::size_t>((rect.layer * setup.height + y) * setup.width + x)] =
                    tiles[k++];
            }
        }
        plain.derive();
        expect_all(plain, *grid, setup.portals, rng);
    }
}

TEST(Derived, SmallMaps) {
    for (std::uint64_t seed = 0; seed < 48 && !HasFatalFailure(); ++seed) {
        const auto w = static_cast<std::int32_t>(1 + seed % 12 * 3);
        run_setup({w, 17, 1, false, false, static_cast<CornerRule>(seed % 3), {}}, seed, 6);
    }
}

TEST(Derived, AcrossWordsBandsAndLeaves) {
    const std::uint64_t end = testing::all_trials() ? 103 : 101;
    for (std::uint64_t seed = 100; seed < end && !HasFatalFailure(); ++seed) {
        run_setup({130, 67, 1, false, false, CornerRule::never, {}}, seed, 8);
        run_setup({64, 128, 1, false, false, CornerRule::always, {}}, seed + 10, 6);
        run_setup({65, 129, 1, false, false, CornerRule::one_free, {}}, seed + 20, 6);
    }
}

TEST(Derived, Wrapped) {
    for (std::uint64_t seed = 200; seed < 204 && !HasFatalFailure(); ++seed) {
        run_setup({70, 40, 1, true, false, CornerRule::never, {}}, seed, 5);
        run_setup({40, 70, 1, true, true, CornerRule::always, {}}, seed + 10, 5);
        run_setup({5, 5, 1, true, true, CornerRule::never, {}}, seed + 20, 5);
        run_setup({3, 12, 1, false, true, CornerRule::one_free, {}}, seed + 30, 5);
    }
}

TEST(Derived, LayersAndPortals) {
    for (std::uint64_t seed = 300; seed < 304 && !HasFatalFailure(); ++seed) {
        run_setup(
            {30, 20, 3, false, false, CornerRule::never, {{{3, 3, 0}, {4, 3, 1}}, {{20, 10, 1}, {2, 18, 2}}}},
            seed, 6);
        run_setup({70, 20, 2, true, false, CornerRule::always, {{{3, 3, 0}, {69, 3, 1}}}}, seed + 10, 5);
    }
}

TEST(Derived, UndoGivesTheFreshGrid) {
    Rng rng(7);
    const std::vector<std::uint8_t> tiles = random_tiles(rng, 100 * 80, 25);
    Result<Grid> grid = Grid::make({.width = 100, .height = 80, .sizes = kSizes}, tiles);
    Result<Grid> fresh = Grid::make({.width = 100, .height = 80, .sizes = kSizes}, tiles);
    ASSERT_TRUE(grid && fresh);
    ASSERT_TRUE(grid->fill({{20, 20}, {60, 70}}, 0));
    for (std::int32_t y = 20; y < 70; ++y) {
        ASSERT_TRUE(grid->set({{20, y}, {60, y + 1}}, {tiles.data() + y * 100 + 20, 40}));
    }
    for (std::int32_t b = 0; b < grid->state().data().body_count; ++b) {
        const grid::Body& edited = grid->state().data().bodies[b];
        const grid::Body& made = fresh->state().data().bodies[b];
        EXPECT_EQ(edited.corners, made.corners);
        EXPECT_EQ(edited.free_cells, made.free_cells);
    }
    EXPECT_EQ(grid->state().revision(), 51U);
}

// A size thousands of cells wide, on a map that wraps around: its rows went lap after lap, for minutes.
TEST(Derived, SizesFarWiderThanAWrappedMap) {
    for (const bool wall : {false, true}) {
        std::vector<std::uint8_t> tiles(std::size_t{300} * 200, 1);
        if (wall) tiles[77 * 300 + 123] = 0;
        Grid grid = *Grid::make({.width = 300, .height = 200, .wrap_x = true, .wrap_y = true}, tiles);
        for (const double radius : {101.0, 179.0, 181.0, 3000.0}) {
            const Agent agent{.radius = radius};
            ASSERT_TRUE(grid.register_size(agent));
            const grid::StateData& data = grid.state().data();
            const grid::Body* body = data.find_body(grid::body_key(agent, 1.0));
            ASSERT_NE(body, nullptr);
            std::int64_t free_cells = 0;
            for (std::int32_t y = 0; y < 200; ++y) {
                for (std::int32_t x = 0; x < 300; ++x) {
                    const double dx =
                        std::max(0, 2 * std::min(std::abs(x - 123), 300 - std::abs(x - 123)) - 1);
                    const double dy = std::max(0, 2 * std::min(std::abs(y - 77), 200 - std::abs(y - 77)) - 1);
                    const bool fits = !wall || dx * dx + dy * dy >= 4 * radius * radius;
                    ASSERT_EQ(data.row_lines(*body, 0).get(x, y), fits) << x << " " << y << " r " << radius;
                    free_cells += fits ? 1 : 0;
                }
            }
            EXPECT_EQ(body->free_cells, free_cells);
        }
        ASSERT_TRUE(grid.set(Cell{5, 5}, 0));
        const grid::StateData& data = grid.state().data();
        EXPECT_EQ(data.find_body(grid::body_key({.radius = 3000.0}, 1.0))->free_cells, 0);
        ASSERT_TRUE(grid.set(Cell{5, 5}, 1));
    }
}

// The index joins both ends; only one of the two ways is there.
TEST(Connected, AOneWayPortalLeadsOneWay) {
    const std::vector<std::uint8_t> tiles = {1, 0, 1};
    const Portal way[] = {{.from = {0, 0, 0}, .to = {2, 0, 0}, .two_way = false}};
    const Portal both[] = {{.from = {0, 0, 0}, .to = {2, 0, 0}}};
    const Cell left{0, 0, 0}, right{2, 0, 0};
    GridOptions options{.width = 3, .height = 1};
    options.portals = way;
    const Grid one_way = *Grid::make(options, tiles);
    EXPECT_TRUE(*one_way.state().connected(left, right, {}));
    EXPECT_FALSE(*one_way.state().connected(right, left, {}));
    options.portals = both;
    const Grid two_way = *Grid::make(options, tiles);
    EXPECT_TRUE(*two_way.state().connected(right, left, {}));
}

}  // namespace
}  // namespace fairlead
