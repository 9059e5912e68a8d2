// The closed-form test behind every verdict, against a maximum found by search in long double: they must
// agree to within the error bound that verify.h derives, on lines and arcs, near and far, wide and tiny.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/trig.h>

#include "support/environment.h"
#include "verify/contact.h"
#include "verify/piece.h"
#include "verify/scale.h"

namespace fairlead {
namespace {

using Wide = long double;
using witness::Cuts;
using witness::Obstacle;
using witness::Piece;
using witness::Track;

Wide depth(const Track& track, const Obstacle& obstacle, Wide s) {
    Wide x = track.start.x;
    Wide y = track.start.y;
    if (track.curvature == 0.0) {
        x += s * track.along.x;
        y += s * track.along.y;
    } else {
        const Wide half = s * track.curvature / 2;
        const Wide chord = 2 * std::sin(half) / track.curvature;
        x += chord * (std::cos(half) * track.along.x - std::sin(half) * track.along.y);
        y += chord * (std::sin(half) * track.along.x + std::cos(half) * track.along.y);
    }
    const Wide out_x = std::max(obstacle.box.low.x - x, x - obstacle.box.high.x);
    const Wide out_y = std::max(obstacle.box.low.y - y, y - obstacle.box.high.y);
    if (out_x > 0 && out_y > 0) return obstacle.round - std::sqrt(out_x * out_x + out_y * out_y);
    return obstacle.round - std::max(out_x, out_y);
}

/// By sampling, then by thirds around every sample that could still hold the maximum.
Wide deepest(const Track& track, const Obstacle& obstacle) {
    constexpr int kSamples = 1500;
    const Wide step = static_cast<Wide>(track.length) / kSamples;
    std::vector<Wide> sampled;
    for (int i = 0; i <= kSamples; ++i) sampled.push_back(depth(track, obstacle, step * i));
    Wide best = *std::max_element(sampled.begin(), sampled.end());
    const Wide hopeful = best - 2 * step;
    for (int i = 0; i <= kSamples; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool peak =
            (i == 0 || sampled[at] >= sampled[at - 1]) && (i == kSamples || sampled[at] >= sampled[at + 1]);
        if (sampled[at] < hopeful || !peak) continue;
        Wide low = std::max<Wide>(0, step * (i - 1));
        Wide high = std::min<Wide>(track.length, step * (i + 1));
        for (int j = 0; j < 110; ++j) {
            const Wide a = low + (high - low) / 3;
            const Wide b = high - (high - low) / 3;
            if (depth(track, obstacle, a) < depth(track, obstacle, b)) {
                low = a;
            } else {
                high = b;
            }
        }
        best = std::max(best, depth(track, obstacle, (low + high) / 2));
    }
    return best;
}

bool goes_deeper(const Track& track, const Obstacle& obstacle, double threshold) {
    Cuts cuts(track, 1.0);
    Piece piece;
    while (cuts.next(piece)) {
        if (witness::goes_deeper(piece, obstacle, threshold)) return true;
    }
    return false;
}

struct Span {
    double low;
    double high;
};

struct Family {
    const char* name;
    Span place;  // of the start, cells
    Span length;
    Span radius;  // of the arc; low = 0: straight
    Span body;
};

class Exact : public ::testing::TestWithParam<Family> {};

TEST_P(Exact, AgreesWithinTheErrorBound) {
    const Family& family = GetParam();
    Rng rng(17);
    const auto pick = [&](Span span) { return rng.between(span.low, span.high); };
    Wide worst = 0;
    for (int i = 0; i < 400; ++i) {
        Track track;
        track.start = {pick(family.place), pick(family.place)};
        // One in four runs along an axis or a diagonal, but for rounding.
        const double heading = i % 4 == 0 ? rng.between(-8, 8) * kHalfPi / 2 : rng.between(-4.0, 4.0);
        track.along = math::direction(heading);
        track.length = pick(family.length);
        if (family.radius.low > 0) track.curvature = (rng.below(2) == 0 ? 1 : -1) / pick(family.radius);
        // A tile near a point of it.
        const Vec2 on = witness::point_at(track, rng.unit() * track.length);
        const Vec2 near{std::floor(on.x + rng.between(-1.5, 0.5)), std::floor(on.y + rng.between(-1.5, 0.5))};
        Obstacle obstacle;
        const double body = i % 5 == 0 ? 0.0 : pick(family.body);
        const double half = i % 3 == 0 ? 0.5 * rng.between(1, 4) : 0.0;
        obstacle.box = {near - Vec2{half, half}, near + Vec2{1 + half, 1 + half}};
        obstacle.round = half > 0 ? 0.0 : body;

        const Wide truth = deepest(track, obstacle);
        const double size = std::max({witness::size_of(track.start) + track.length, half + body, 1.0});
        const double bound = 128 * witness::kRound * size;
        const auto d = static_cast<double>(truth);
        ASSERT_TRUE(goes_deeper(track, obstacle, d - bound)) << family.name << ' ' << i << " depth " << d;
        ASSERT_FALSE(goes_deeper(track, obstacle, d + bound)) << family.name << ' ' << i << " depth " << d;
        // How much of the bound is used: halve it until the test fails.
        for (double e = bound; e > 1e-18; e /= 2) {
            if (goes_deeper(track, obstacle, d - e) && !goes_deeper(track, obstacle, d + e)) continue;
            worst = std::max<Wide>(worst, e / (witness::kRound * size));
            break;
        }
    }
    RecordProperty("error_in_roundings", std::to_string(static_cast<double>(worst)));
}

std::string name_of(const ::testing::TestParamInfo<Family>& tested) { return tested.param.name; }

INSTANTIATE_TEST_SUITE_P(
    All, Exact,
    ::testing::Values(Family{"short_lines", {0, 20}, {0, 10}, {0, 0}, {0, 2}},
                      Family{"long_lines", {0, 16384}, {100, 16000}, {0, 0}, {0, 2}},
                      Family{"wide_bodies", {0, 300}, {0, 200}, {0, 0}, {1, 60}},
                      Family{"arcs", {0, 20}, {0, 10}, {0.5, 12}, {0, 2}},
                      Family{"wide_bodies_on_arcs", {0, 300}, {0, 100}, {10, 100}, {1, 60}},
                      Family{"tight_arcs", {0, 20}, {0, 3}, {0.01, 0.4}, {0, 2}},
                      Family{"tiny_arcs", {0, 20}, {0, 1e-5}, {1e-6, 1e-4}, {0, 1e-4}},
                      Family{"flat_arcs", {0, 1000}, {0, 300}, {1e3, 1e6}, {0, 2}},
                      Family{"almost_straight", {0, 1000}, {0, 300}, {1e8, 1e14}, {0, 2}},
                      Family{"far_laps", {1e6, 4e6}, {0, 300}, {3, 300}, {0, 2}}),
    name_of);

TEST(Pieces, CoverTheTrackAndAreMonotone) {
    Rng rng(5);
    for (int i = 0; i < testing::trials(2000); ++i) {
        Track track;
        track.start = {rng.between(-50.0, 50.0), rng.between(-50.0, 50.0)};
        track.along = math::direction(i % 3 == 0 ? rng.between(-4, 4) * kHalfPi : rng.between(-7.0, 7.0));
        track.length = rng.between(0.0, 100.0);
        if (i % 5 != 0) track.curvature = rng.between(-1.0, 1.0) * (i % 2 == 0 ? 1.0 : 0.01);
        Cuts cuts(track, rng.between(0.0, 3.0));
        Piece piece;
        double at = 0.0;
        int count = 0;
        while (cuts.next(piece)) {
            ASSERT_EQ(piece.from, at);
            ASSERT_GE(piece.to, piece.from);
            at = piece.to;
            ++count;
            Vec2 before{piece.a.x, piece.a.y};
            for (int j = 1; j <= 8; ++j) {
                const Vec2 p = witness::point_at(track, piece.from + (piece.to - piece.from) * j / 8.0);
                const Vec2 here{p.x * piece.flip.x, p.y * piece.flip.y};
                ASSERT_GE(here.x, before.x - 1e-12);
                ASSERT_GE(here.y, before.y - 1e-12);
                before = here;
            }
        }
        ASSERT_EQ(at, track.length);
        ASSERT_LE(count, 5 + static_cast<int>(track.length / 1.0));
    }
}

}  // namespace
}  // namespace fairlead
