// Sampling: points of the body at equal steps of the way, each looked up in the map.
#include <fairlead/classic/walkable.h>

#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/tile_sight.h>

namespace fairlead {

namespace classic {

namespace {

constexpr double kSamplesMax = 1e7;

// The body's points at one place, looked up.
class BodyProbe {
  public:
    BodyProbe(const GridState& grid, const WalkableOptions& options)
        : grid_(grid), options_(options), scale_(1.0 / grid.cell_size()) {}

    [[nodiscard]] bool stands(Vec2 at) const {
        const double r = options_.radius;
        if (options_.probe == WalkableProbe::diamond) {
            return free(at + Vec2{r, 0}) && free(at + Vec2{0, r}) && free(at - Vec2{r, 0}) &&
                   free(at - Vec2{0, r});
        }
        return free(at) && free(at + Vec2{r, r}) && free(at + Vec2{-r, r}) && free(at + Vec2{r, -r}) &&
               free(at - Vec2{r, r});
    }

  private:
    [[nodiscard]] bool free(Vec2 at) const {
        const Vec2 cell = (at - grid_.origin()) * scale_;
        if (!(std::abs(cell.x) < 1e9 && std::abs(cell.y) < 1e9)) return false;
        const bool truncates = options_.probe == WalkableProbe::square;
        const auto x = static_cast<std::int32_t>(truncates ? std::trunc(cell.x) : std::floor(cell.x));
        const auto y = static_cast<std::int32_t>(truncates ? std::trunc(cell.y) : std::floor(cell.y));
        return !grid_.blocked({x, y, options_.layer});
    }

    const GridState& grid_;
    const WalkableOptions& options_;
    double scale_;
};

// All samples of a way so long: 0, step, 2 step, ...; `place` says where one is.
template <class PlaceAt>
bool samples_stand(const GridState& grid, const WalkableOptions& options, double size, PlaceAt place) {
    const double step = options.step * grid.cell_size();
    if (!(step > 0.0) || !(options.radius >= 0.0) || !(size / step <= kSamplesMax)) return false;
    const BodyProbe probe(grid, options);
    for (std::int64_t k = 0; static_cast<double>(k) * step < size; ++k) {
        if (!probe.stands(place(static_cast<double>(k) * step))) return false;
    }
    return !options.end || probe.stands(place(size));
}

}  // namespace

}  // namespace classic

bool walkable(const GridState& grid, Vec2 a, Vec2 b, const WalkableOptions& options) {
    const double size = distance(a, b);
    if (!(size > 0.0)) return classic::samples_stand(grid, options, 0.0, [&](double) { return a; });
    return classic::samples_stand(grid, options, size, [&](double at) { return a + (b - a) * (at / size); });
}

bool walkable(const GridState& grid, const Pose& from, const CurveWord& word, double turning_radius,
              const WalkableOptions& options) {
    return classic::samples_stand(grid, options, word.length * turning_radius, [&](double at) {
        return pose_on_curve(from, turning_radius, word, at).position;
    });
}

void WalkableCount::add(bool exact, bool sampled) {
    ++moves;
    if (!exact) ++blocked;
    if (!exact && sampled) ++false_free;
    if (exact && !sampled) ++false_blocked;
}

WalkableCount count_walkable(const GridState& grid, const WalkableOptions& options, std::uint64_t moves,
                             std::int32_t reach, std::uint64_t seed) {
    const TileSight sight(grid, options.layer);
    const Agent agent{.radius = options.radius};
    Rng rng{seed};
    WalkableCount count;
    for (std::uint64_t draws = 0; count.moves < moves && draws < 1000 * moves; ++draws) {
        const std::int32_t x = rng.between(0, grid.width() - 1);
        const std::int32_t y = rng.between(0, grid.height() - 1);
        const std::int32_t to_x = x + rng.between(-reach, reach);
        const std::int32_t to_y = y + rng.between(-reach, reach);
        const Cell from{x, y, options.layer};
        const Cell to{to_x, to_y, options.layer};
        if (from == to || !grid.inside(to) || !grid.can_stand(from, agent) || !grid.can_stand(to, agent))
            continue;
        const Vec2 a = grid.cell_centre(from);
        const Vec2 b = grid.cell_centre(to);
        count.add(sight.clear(a, b, options.radius), walkable(grid, a, b, options));
    }
    return count;
}

}  // namespace fairlead
