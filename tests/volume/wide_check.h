// Queries for spheres wider than half a voxel, and what is asked of the answers: the oracle of volume_radius.h says
// how wide a sphere can get from one place to the other, to 0.06; every way is looked at voxel by voxel.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "oracle/volume_radius.h"
#include "support/volumes.h"
#include "volume/wide/wide_way.h"

namespace fairlead::testing {

/// The search with masks of its own: what stands before it in a query.
class WideAlone : public volume::WideWay {
  public:
    explicit WideAlone(const Allocator& allocator) : WideWay(allocator), masks_(allocator) {}
    void begin(const volume::StateData& state, const volume::Body& body, Vec3 start, Vec3 goal) {
        body_ = body;
        ready_ = masks_.begin(state, body_);
        if (ready_) WideWay::begin(masks_, start, goal);
    }
    [[nodiscard]] SearchProgress step(std::uint64_t budget) {
        return ready_ ? WideWay::step(budget) : SearchProgress::no_memory;
    }

  private:
    volume::Body body_;
    volume::Masks masks_;
    bool ready_ = false;
};

/// The least distance of a segment to a solid voxel or to the outside, in long double: along a segment the distance
/// to a box has one valley. World units; places too.
inline long double wide_room(const oracle::VolumeDense& world, Vec3 from, Vec3 to, double radius) {
    const long double a[3] = {from.x - world.origin.x, from.y - world.origin.y, from.z - world.origin.z};
    const long double b[3] = {to.x - world.origin.x, to.y - world.origin.y, to.z - world.origin.z};
    const long double side[3] = {world.voxel.x, world.voxel.y, world.voxel.z};
    const std::int32_t size[3] = {world.size.x, world.size.y, world.size.z};
    long double least = 1e9L;
    std::int32_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        least = std::min({least, a[k], b[k], side[k] * size[k] - a[k], side[k] * size[k] - b[k]});
        const auto voxel = [&](long double p) { return static_cast<std::int32_t>(std::floor(p / side[k])); };
        low[k] = std::max(voxel(std::min(a[k], b[k]) - radius) - 1, 0);
        high[k] = std::min(voxel(std::max(a[k], b[k]) + radius) + 1, size[k] - 1);
    }
    const auto distance = [&](Voxel v, long double t) {
        const std::int32_t at[3] = {v.x, v.y, v.z};
        long double sum = 0.0L;
        for (int k = 0; k < 3; ++k) {
            const long double p = a[k] + t * (b[k] - a[k]);
            const long double gap = std::max({0.0L, side[k] * at[k] - p, p - side[k] * (at[k] + 1)});
            sum += gap * gap;
        }
        return std::sqrt(sum);
    };
    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
        for (std::int32_t y = low[1]; y <= high[1]; ++y) {
            for (std::int32_t x = low[0]; x <= high[0]; ++x) {
                if (world.is_free({x, y, z})) continue;
                long double from_t = 0.0L, to_t = 1.0L;
                for (int i = 0; i < 80; ++i) {
                    const long double one = from_t + (to_t - from_t) / 3, other = to_t - (to_t - from_t) / 3;
                    (distance({x, y, z}, one) > distance({x, y, z}, other) ? from_t : to_t) =
                        distance({x, y, z}, one) > distance({x, y, z}, other) ? one : other;
                }
                least = std::min(least, distance({x, y, z}, 0.5L * (from_t + to_t)));
            }
        }
    }
    return least;
}

inline constexpr double kWideCritical[] = {
    0.70710678118654757, 0.8660254037844386, 1.0, 1.1180339887498949, 1.25, 1.5, 2.0};

/// 0.55 to 2.5, to 1.25 in noise; one in six a radius at which something just fits.
inline double draw_wide_radius(Rng& rng, VolumeKind kind) {
    const double most = kind == VolumeKind::noise ? 1.25 : 2.5;
    if (rng.below(6) == 0) return kWideCritical[rng.below(kind == VolumeKind::noise ? 5 : 7)];
    return rng.between(0.55, most);
}

/// What the answers came to.
struct WideTally {
    int queries = 0, found = 0, exhausted = 0, unproven = 0;
    int by[3] = {};  ///< found, by the least means that was enough
    int must = 0, missed = 0, wrong = 0, illegal = 0;
    int must_beyond_lattice = 0;
    std::uint64_t cells_most = 0, cells_all = 0;
    std::uint32_t rounds_most = 0;
    std::uint64_t rounds_all = 0;
    int cut = 0;  ///< queries that cut cells
};

/// One query, looked at in all ways. `widest`: of the oracle.
inline void check_wide(const oracle::VolumeDense& world, const VolumeState& state, WideAlone& way,
                       const oracle::VolumeRadius::Pair& pair, double radius, WideTally& tally,
                       const std::string& trace) {
    const volume::StateData& data = state.data();
    const volume::Body body(data, radius);
    const Vec3 from = data.in_voxels(pair.from), to = data.in_voxels(pair.to);
    if (!volume::stands(data, body, from) || !volume::stands(data, body, to)) return;
    ++tally.queries;
    way.begin(data, body, from, to);
    const SearchProgress end = way.step(UINT64_MAX);
    const auto counts = way.counts();
    tally.cells_most = std::max(tally.cells_most, counts.cells);
    tally.cells_all += counts.cells;
    tally.rounds_most = std::max(tally.rounds_most, counts.rounds);
    tally.rounds_all += counts.rounds;
    tally.cut += counts.cells > 0 ? 1 : 0;
    const bool must = pair.radius >= radius + 0.05;
    tally.must += must ? 1 : 0;
    if (end == SearchProgress::exhausted) {
        ++tally.exhausted;
        tally.unproven += way.proven() ? 0 : 1;
        tally.missed += must ? 1 : 0;
        EXPECT_FALSE(must) << trace << ": not found, the oracle gets through with " << pair.radius;
        // Proven is proven: the oracle is off by kRadiusTooWide at most.
        EXPECT_FALSE(way.proven() && pair.radius >= radius + oracle::kRadiusTooWide) << trace << pair.radius;
        return;
    }
    ASSERT_EQ(end, SearchProgress::found) << trace;
    ++tally.found;
    ++tally.by[static_cast<int>(counts.means)];
    tally.must_beyond_lattice += must && counts.means != volume::WideWay::Means::lattice ? 1 : 0;
    const bool good = pair.radius >= radius - oracle::kRadiusTooNarrow;
    tally.wrong += good ? 0 : 1;
    EXPECT_TRUE(good) << trace << ": found, the oracle says " << pair.radius;
    Array<Vec3> places;
    ASSERT_TRUE(way.list_way(places));
    ASSERT_FALSE(places.empty());
    EXPECT_TRUE(places[0] == from) << trace;
    EXPECT_TRUE(places.back() == to) << trace;
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
        const long double room =
            wide_room(world, data.in_world(places[i]), data.in_world(places[i + 1]), radius);
        const bool legal = room >= radius - 1e-9L;
        tally.illegal += legal ? 0 : 1;
        EXPECT_TRUE(legal) << trace << ": leg " << i << " of " << places.size() << " has "
                           << static_cast<double>(room);
    }
}

/// Pairs of places with room for a small sphere, answered by the oracle.
inline std::vector<oracle::VolumeRadius::Pair> draw_wide_pairs(Rng& rng, const oracle::VolumeDense& world,
                                                               int count) {
    const oracle::VolumeRadius widest(world, 3.0);
    std::vector<oracle::VolumeRadius::Pair> pairs;
    std::vector<Vec3> places;
    const double least = rng.between(0.55, 1.3);
    for (int tries = 0; tries < 4000 && static_cast<int>(places.size()) < count; ++tries) {
        Voxel v;
        if (!draw_free(rng, world, v)) break;
        const Vec3 p = world.centre(v) + Vec3{(static_cast<double>(rng.below(17)) - 8.0) / 16.0,
                                              (static_cast<double>(rng.below(17)) - 8.0) / 16.0,
                                              (static_cast<double>(rng.below(17)) - 8.0) / 16.0};
        const Vec3 at = rng.below(3) == 0 ? world.centre(v) : p;
        if (widest.room_at(at) >= (places.size() % 2 == 0 ? least : 0.55)) places.push_back(at);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = i + 1; j < places.size(); ++j) pairs.push_back({places[i], places[j], -1.0});
    }
    for (std::size_t i = pairs.size(); i > 1; --i)
        std::swap(pairs[i - 1], pairs[rng.below(static_cast<std::uint32_t>(i))]);
    if (pairs.size() > 60) pairs.resize(60);
    widest.answer(pairs);
    return pairs;
}

}  // namespace fairlead::testing
