#include "support/radius_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include <fairlead/verify/verify.h>

#include "oracle/chain_oracle.h"
#include "oracle/flood_length.h"
#include "support/route_compare.h"

namespace fairlead::testing {

namespace {

std::vector<std::uint8_t> tiles_of(const RadiusMap& map) {
    std::vector<std::uint8_t> tiles;
    for (const bool blocked : map.blocked) tiles.push_back(blocked ? 0 : 1);
    return tiles;
}

std::string text_of(const RadiusMap& map) {
    std::string text;
    if (map.width > 100) return text;
    for (std::int32_t y = map.height - 1; y >= 0; --y) {
        for (std::int32_t x = 0; x < map.width; ++x)
            text += map.blocked[static_cast<std::size_t>(y * map.width + x)] ? '#' : '.';
        text += '\n';
    }
    return text;
}

Grid grid_for(const RadiusMap& map, double radius, const RadiusWays& ways, Rng& rng) {
    const Agent size[] = {{.radius = radius}};
    GridOptions options{.width = map.width, .height = map.height, .layers = ways.layered ? 2 : 1};
    if (ways.registered) options.sizes = size;
    std::vector<std::uint8_t> tiles = tiles_of(map);
    if (!ways.edited && !ways.layered) return *Grid::make(options, tiles);
    Grid grid = *Grid::make(options);
    const std::int32_t layer = ways.layered ? 1 : 0;
    const CellRect all{{0, 0}, {map.width, map.height}, layer};
    if (ways.edited) {
        for (int n = 0; n < 4; ++n) {
            const std::int32_t x = rng.between(0, map.width - 1), y = rng.between(0, map.height - 1);
            (void)grid.fill({{x, y}, {map.width, std::min(map.height, y + 3)}, layer}, n % 2 == 0 ? 0 : 1);
        }
    }
    (void)grid.set(all, tiles);
    return grid;
}

// More often than not one that fits; often where a lattice has its points.
Vec2 random_place(Rng& rng, const RadiusMap& map, const oracle::ChainOracle& oracle) {
    Vec2 p{};
    for (int n = 0; n < 40; ++n) {
        p = {rng.unit() * map.width, rng.unit() * map.height};
        if (rng.below(2) == 0) p = {std::floor(p.x * 2.0) / 2.0, std::floor(p.y * 2.0) / 2.0};
        if (oracle.fits(p)) break;
    }
    return p;
}

bool legal_in_slices(const Grid& grid, const GridQuery& query, Scratch& scratch, const Route& whole, Rng& rng,
                     std::string& problem) {
    GridSearch search(grid, query, scratch);
    while (search.step(1 + rng.below(9))) {
    }
    Route sliced;
    if (!search.take(sliced)) problem = "an error in slices";
    if (problem.empty()) problem = route_difference(whole, sliced);
    return problem.empty();
}

}  // namespace

RadiusMap small_radius_map(std::uint32_t bits, std::int32_t margin) {
    RadiusMap map{4 + 2 * margin, 4 + 2 * margin, {}};
    map.blocked.assign(static_cast<std::size_t>(map.width * map.height), false);
    for (std::int32_t n = 0; n < 16; ++n) {
        const std::int32_t x = margin + n % 4, y = margin + n / 4;
        map.blocked[static_cast<std::size_t>(y * map.width + x)] = ((bits >> n) & 1U) != 0;
    }
    return map;
}

bool least_image(std::uint32_t bits) {
    for (int turn = 1; turn < 8; ++turn) {
        std::uint32_t out = 0;
        for (std::uint32_t n = 0; n < 16; ++n) {
            std::uint32_t x = n % 4, y = n / 4;
            if ((turn & 1) != 0) x = 3 - x;
            if ((turn & 2) != 0) y = 3 - y;
            if ((turn & 4) != 0) std::swap(x, y);
            out |= ((bits >> n) & 1U) << (4 * y + x);
        }
        if (out < bits) return false;
    }
    return true;
}

RadiusMap random_radius_map(Rng& rng, std::int32_t least, std::int32_t most) {
    RadiusMap m{rng.between(least, most), rng.between(least, most), {}};
    m.blocked.assign(static_cast<std::size_t>(m.width * m.height), false);
    const auto set = [&](std::int32_t x, std::int32_t y, bool b) {
        if (x >= 0 && y >= 0 && x < m.width && y < m.height)
            m.blocked[static_cast<std::size_t>(y * m.width + x)] = b;
    };
    switch (rng.below(5)) {
        case 0: {
            const std::uint32_t percent = 20 + rng.below(41);
            for (auto&& b : m.blocked) b = rng.below(100) < percent;
            break;
        }
        case 1:  // rooms
            for (std::int32_t wall = 4; wall < m.width; wall += rng.between(3, 8)) {
                const std::int32_t gap = rng.between(0, m.height - 1), wide = rng.between(1, 6);
                for (std::int32_t y = 0; y < m.height; ++y) set(wall, y, y < gap || y >= gap + wide);
            }
            break;
        case 2: {  // a maze of corridors two to six wide
            const std::int32_t wide = rng.between(2, 6) + 1;
            for (std::int32_t y = 0; y < m.height; ++y) {
                for (std::int32_t x = 0; x < m.width; ++x) {
                    const bool post = x % wide == 0 && y % wide == 0;
                    const bool wall = (x % wide == 0) != (y % wide == 0);
                    std::uint64_t side = static_cast<std::uint64_t>(x / wide) * 7919 +
                                         static_cast<std::uint64_t>(y / wide) * 104729 +
                                         static_cast<std::uint64_t>(x % wide == 0 ? 1 : 0);
                    side = (side ^ (side >> 7)) * 0x9e3779b97f4a7c15ULL;
                    set(x, y, post || (wall && (side >> 60) < 8));
                }
            }
            break;
        }
        case 3:  // staircases of corners
            for (std::int32_t n = 0; n < 3; ++n) {
                const std::int32_t from = rng.between(-m.height, m.width), step = rng.between(1, 5);
                for (std::int32_t y = 0; y < m.height; y += rng.between(1, 3))
                    set(from + y * step / 2, y, true);
            }
            break;
        default:  // single tiles
            for (std::int32_t n = 0; n < m.width * m.height / 14; ++n)
                set(rng.between(0, m.width - 1), rng.between(0, m.height - 1), true);
            break;
    }
    return m;
}

std::string RadiusTally::text() const {
    char line[256];
    std::snprintf(line, sizeof line,
                  "%llu queries: %llu joined (%llu over half tiles), %llu apart, %llu blocked; %llu lengths, "
                  "%.4f of the flood's in the mean, %.3f at most",
                  static_cast<unsigned long long>(asked), static_cast<unsigned long long>(joined),
                  static_cast<unsigned long long>(half), static_cast<unsigned long long>(apart),
                  static_cast<unsigned long long>(blocked), static_cast<unsigned long long>(measured),
                  measured == 0 ? 0.0 : ratios / static_cast<double>(measured), worst);
    return line;
}

std::string check_radius(const RadiusMap& map, double radius, int queries, const RadiusWays& ways, Rng& rng,
                         Scratch& scratch, RadiusTally& tally) {
    const oracle::ChainOracle oracle(map.width, map.height, map.blocked, radius);
    const Grid grid = grid_for(map, radius, ways, rng);
    std::unique_ptr<oracle::FloodLength> flood;
    const std::int32_t layer = ways.layered ? 1 : 0;
    for (int n = 0; n < queries; ++n) {
        const Vec2 a = random_place(rng, map, oracle), b = random_place(rng, map, oracle);
        GridQuery query{.start = Spot(a).on_layer(layer), .goal = Spot(b).on_layer(layer)};
        query.agent.radius = radius;
        const Result<Route> route = find_route(grid.state(), query, scratch);
        std::string problem;
        PathStatus truth = PathStatus::complete;
        if (!oracle.fits(a)) {
            truth = PathStatus::start_blocked;
        } else if (!oracle.fits(b)) {
            truth = PathStatus::goal_blocked;
        } else if (!oracle.joined(a, b)) {
            truth = PathStatus::unreachable;
        }
        ++tally.asked;
        if (!route) {
            problem = "an error";
        } else if (route->status != truth) {
            problem = std::string("status ") + status_name(route->status) + ", not " + status_name(truth);
        } else if (truth == PathStatus::complete) {
            ++tally.joined;
            tally.half += std::string(route->planner) == "half_lattice" ? 1 : 0;
            if (const Violation bad = verify(*route, grid.state(), query.agent)) problem = bad.text().c_str();
            if (problem.empty() && ways.lengths) {
                if (flood == nullptr)
                    flood = std::make_unique<oracle::FloodLength>(map.width, map.height, map.blocked, radius);
                const double least = flood->shortest(a, b);
                if (least > 0.5) {
                    ++tally.measured;
                    tally.ratios += route->length / least;
                    tally.worst = std::max(tally.worst, route->length / least);
                }
            }
        } else {
            (truth == PathStatus::unreachable ? tally.apart : tally.blocked) += 1;
        }
        if (problem.empty() && ways.sliced) (void)legal_in_slices(grid, query, scratch, *route, rng, problem);
        if (problem.empty()) continue;
        char line[200];
        std::snprintf(line, sizeof line,
                      ": radius %.17g from %.17g %.17g to %.17g %.17g, registered %d, edited %d, floor %d\n",
                      radius, a.x, a.y, b.x, b.y, ways.registered ? 1 : 0, ways.edited ? 1 : 0, layer);
        return problem + line + text_of(map);
    }
    return "";
}

}  // namespace fairlead::testing
