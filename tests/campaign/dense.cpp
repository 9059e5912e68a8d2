// Walkers on small random tile maps, many for the room there is, sent elsewhere as soon as they arrive: who is told
// `stuck`? One line a map.
//
//     dense [--kind caves] [--size 44] [--units 20] [--maps 6] [--seed 1] [--ticks 10000] [--radius 0.4] [--tell 0] [--knots 1]
//
//     dense --map FILE [--units ...] ...
//
// --kind: open, rooms, maze, caves, scattered, town (tests/support/cluster_maps.h); all: each in turn.
// --tell: of the first so many trips of each map that end stuck, where the unit and those near it are (stuck_teller.h), and the map.
// --knots 0: nobody is planned together with others.
// A map's line: sent, arrived, stuck, unreachable, the nearest two centres in radii. Status 1 if a map's nearest is below 1.99 radii.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/tile_fleet.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/grid/grid.h>

#include "campaign/flags.h"
#include "campaign/stuck_teller.h"
#include "support/cluster_maps.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr double kStep = 1.0 / 30.0;

struct Options {
    std::string kind = "caves";
    std::uint64_t size = 44;
    std::uint64_t units = 20;
    std::uint64_t maps = 6;
    std::uint64_t seed = 1;
    std::uint64_t ticks = 10000;
    double radius = 0.4;
    std::uint64_t tell = 0;
    std::string map;
    bool knots = true;
};

struct Sums {
    std::uint64_t sent = 0;
    std::uint64_t arrived = 0;
    std::uint64_t stuck = 0;
    std::uint64_t unreachable = 0;
    double nearest = 1e9;  ///< radii
};

void print_map(const std::vector<std::uint8_t>& tiles, std::int32_t side) {
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x)
            std::putchar(tiles[static_cast<std::size_t>(y * side + x)] != 0 ? '.' : '#');
        std::putchar('\n');
    }
}

FleetOptions options_of(const Options& options) {
    FleetOptions asked;
    asked.knots = options.knots;
    return asked;
}

class Dense {
  public:
    Dense(const Grid& grid, const Options& options, std::uint64_t seed)
        : grid_(grid),
          port_(grid),
          rng_(seed),
          radius_(options.radius),
          fleet_(*Fleet::make(port_.port(), options_of(options))),
          teller_(port_.port(), options.radius, options.tell) {
        FleetUnit unit;
        unit.agent.radius = radius_;
        unit.limits = SpeedLimits::only(1.5);
        unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 6.0;
        const FleetKind kind = *fleet_.add_kind(unit);
        choose_ground();
        for (std::uint64_t i = 0; i < options.units; ++i) {
            Place at;
            at.position = start();
            ids_.push_back(*fleet_.add(kind, at));
            taken_.push_back(at.position);
        }
        goals_.resize(ids_.size());
    }
    void tick() {
        teller_.note(tick_, fleet_, ids_);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const FleetState state = fleet_.unit(ids_[i]).state;
            if (state == FleetState::waiting || state == FleetState::moving || state == FleetState::link)
                continue;
            sums.arrived += state == FleetState::arrived ? 1 : 0;
            sums.unreachable += state == FleetState::unreachable ? 1 : 0;
            sums.stuck += state == FleetState::stuck ? 1 : 0;
            if (state == FleetState::stuck) teller_.tell(tick_, fleet_, ids_, goals_, i);
            goals_[i] = place();
            if (!fleet_.send(ids_[i], goals_[i])) std::abort();
            ++sums.sent;
        }
        ++tick_;
        if (!fleet_.update(kStep, {.units = 4000})) std::abort();
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const double apart =
                    length(ground(fleet_.unit(ids_[i]).place.position - fleet_.unit(ids_[k]).place.position));
                sums.nearest = std::min(sums.nearest, apart / radius_);
            }
        }
    }

    [[nodiscard]] const KnotReport& knots() const { return fleet_.knots(); }

    Sums sums{};

  private:
    [[nodiscard]] Vec3 place() {
        for (;;) {
            const GridState& state = grid_.state();
            const std::int32_t x = rng_.between(0, state.width() - 1);
            const Cell cell{x, rng_.between(0, state.height() - 1)};
            if (!state.can_stand(cell, {.radius = radius_}) || part(cell) != ground_) continue;
            const Vec2 middle = state.cell_centre(cell);
            return {middle.x, middle.y, 0.0};
        }
    }
    [[nodiscard]] std::int64_t part(Cell cell) const {
        return parts_[static_cast<std::size_t>(cell.y * grid_.state().width() + cell.x)];
    }
    /// The largest piece of ground: a flood from tile to tile, sides only.
    void choose_ground() {
        const GridState& state = grid_.state();
        parts_.assign(static_cast<std::size_t>(state.width() * state.height()), -1);
        std::int64_t parts = 0;
        std::size_t most = 0;
        for (std::int32_t y = 0; y < state.height(); ++y) {
            for (std::int32_t x = 0; x < state.width(); ++x) {
                if (part({x, y}) >= 0 || !state.can_stand({x, y}, {.radius = radius_})) continue;
                std::vector<Cell> found{{x, y}};
                mark({x, y}, parts);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    const Cell at = found[i];
                    for (const Cell to : {Cell{at.x + 1, at.y}, Cell{at.x - 1, at.y}, Cell{at.x, at.y + 1},
                                          Cell{at.x, at.y - 1}}) {
                        if (to.x < 0 || to.y < 0 || to.x >= state.width() || to.y >= state.height()) continue;
                        if (part(to) >= 0 || !state.can_stand(to, {.radius = radius_})) continue;
                        mark(to, parts);
                        found.push_back(to);
                    }
                }
                if (found.size() > most) {
                    most = found.size();
                    ground_ = parts;
                }
                ++parts;
            }
        }
    }
    void mark(Cell cell, std::int64_t number) {
        parts_[static_cast<std::size_t>(cell.y * grid_.state().width() + cell.x)] = number;
    }
    [[nodiscard]] Vec3 start() {
        for (;;) {
            const Vec3 at = place();
            const bool free = std::all_of(taken_.begin(), taken_.end(), [&](Vec3 other) {
                return length(ground(other - at)) > 2.5 * radius_;
            });
            if (free) return at;
        }
    }

    const Grid& grid_;
    TileFleet port_;
    Rng rng_;
    double radius_;
    Fleet fleet_;
    StuckTeller teller_;
    std::vector<std::int64_t> parts_{};
    std::int64_t ground_ = 0;
    std::vector<FleetId> ids_{};
    std::vector<Vec3> taken_{};
    std::vector<Vec3> goals_{};
    std::uint64_t tick_ = 0;
};

Sums run_on(const Grid& grid, const char* name, const Options& options, std::uint64_t seed) {
    Dense dense(grid, options, seed);
    for (std::uint64_t tick = 0; tick < options.ticks; ++tick) dense.tick();
    const Sums& sums = dense.sums;
    std::printf("%-9s seed %" PRIu64 ": %" PRIu64 " sent, %" PRIu64 " arrived, %" PRIu64 " stuck, %" PRIu64
                " unreachable, nearest %.3f radii; planned together %" PRIu64 ", done %" PRIu64 "\n",
                name, seed, sums.sent, sums.arrived, sums.stuck, sums.unreachable, sums.nearest,
                dense.knots().begun, dense.knots().untied);
    std::fflush(stdout);
    return sums;
}

Sums run_map(ClusterMap kind, const Options& options, std::uint64_t seed) {
    Rng rng(seed);
    const auto side = static_cast<std::int32_t>(options.size);
    const std::vector<std::uint8_t> tiles = cluster_map(rng, kind, side, side);
    const Grid grid = *Grid::make({.width = side, .height = side}, tiles);
    const Sums sums = run_on(grid, cluster_map_name(kind), options, seed);
    if (options.tell != 0 && sums.stuck != 0) print_map(tiles, side);
    return sums;
}

int run_file(const Options& options) {
    const Result<std::string> text = formats::load_file(options.map);
    if (!text) return EXIT_FAILURE;
    const Result<formats::TileMap> map = formats::load_tile_map(*text);
    if (!map) return EXIT_FAILURE;
    const auto tiles = formats::make_tiles(*map, formats::TileTable::movingai());
    if (!tiles) return EXIT_FAILURE;
    const Result<Grid> grid = Grid::make({.width = map->width, .height = map->height}, *tiles);
    if (!grid) return EXIT_FAILURE;
    const std::string name = options.map.substr(options.map.rfind('/') + 1);
    return run_on(*grid, name.c_str(), options, options.seed).nearest >= 1.99 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int count, char** words) {
    Options options;
    const bool known = read_flags(count, words, [&](const std::string& flag, const char* value) {
        if (flag == "--kind") return options.kind = value, true;
        if (flag == "--size") return options.size = std::strtoull(value, nullptr, 10), true;
        if (flag == "--units") return options.units = std::strtoull(value, nullptr, 10), true;
        if (flag == "--maps") return options.maps = std::strtoull(value, nullptr, 10), true;
        if (flag == "--seed") return options.seed = std::strtoull(value, nullptr, 10), true;
        if (flag == "--ticks") return options.ticks = std::strtoull(value, nullptr, 10), true;
        if (flag == "--radius") return options.radius = std::strtod(value, nullptr), true;
        if (flag == "--knots") return options.knots = std::strtoull(value, nullptr, 10) != 0, true;
        if (flag == "--map") return options.map = value, true;
        if (flag == "--tell") return options.tell = std::strtoull(value, nullptr, 10), true;
        return false;
    });
    if (!known) {
        std::fprintf(stderr, "dense: see the head of tests/campaign/dense.cpp\n");
        return 2;
    }
    if (!options.map.empty()) return run_file(options);
    bool good = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(ClusterMap::count_); ++k) {
        const auto kind = static_cast<ClusterMap>(k);
        if (options.kind != "all" && options.kind != cluster_map_name(kind)) continue;
        Sums all;
        for (std::uint64_t i = 0; i < options.maps; ++i) {
            const Sums sums = run_map(kind, options, options.seed + i);
            all.sent += sums.sent;
            all.arrived += sums.arrived;
            all.stuck += sums.stuck;
            good = good && sums.nearest >= 1.99;
        }
        std::printf("%-9s in all: %" PRIu64 " sent, %" PRIu64 " arrived, %" PRIu64 " stuck\n",
                    cluster_map_name(kind), all.sent, all.arrived, all.stuck);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
