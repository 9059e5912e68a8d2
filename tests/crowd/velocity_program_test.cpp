// The velocity program beside a fine raster of velocities.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/math/trig.h>

#include "crowd/avoid/braking.h"
#include "crowd/avoid/nearest.h"
#include "crowd/avoid/velocity_program.h"
#include "support/environment.h"

namespace fairlead::testing {
namespace {

using crowd::HalfPlane;

struct Asked {
    std::vector<HalfPlane> planes;
    std::size_t hard = 0;
    Vec2 wanted{};
};

Asked draw(Rng& dice) {
    Asked asked;
    asked.hard = dice.below(5);
    const std::size_t soft = dice.below(7);
    for (std::size_t i = 0; i < asked.hard + soft; ++i) {
        const double angle = dice.between(0.0, 2.0 * kPi);
        // hard ones always allow to stand still
        const double offset = i < asked.hard ? dice.between(-0.8, 0.0) : dice.between(-0.8, 0.5);
        asked.planes.push_back({{std::cos(angle), std::sin(angle)}, offset});
    }
    const double angle = dice.between(0.0, 2.0 * kPi);
    const double size = dice.between(0.0, 1.4);
    asked.wanted = Vec2{std::cos(angle), std::sin(angle)} * size;
    return asked;
}

double worst(const Asked& asked, Vec2 u, std::size_t from, std::size_t to) {
    double most = -1e9;
    for (std::size_t i = from; i < to; ++i) most = std::max(most, asked.planes[i].violation(u));
    return most;
}

TEST(VelocityProgram, AsGoodAsAnyOfAFineRaster) {
    constexpr int kSide = 160;
    constexpr double kCell = 2.0 / kSide;
    Rng dice(11);
    int feasible = 0;
    int infeasible = 0;
    for (int trial = 0; trial < trials(300); ++trial) {
        const Asked asked = draw(dice);
        const std::size_t all = asked.planes.size();
        Vec2 u{};
        ASSERT_TRUE(crowd::solve({asked.planes, asked.hard, 1.0}, asked.wanted, u));
        EXPECT_LE(length(u), 1.0 + 1e-9);
        EXPECT_LE(worst(asked, u, 0, asked.hard), 1e-9);
        double nearest = 1e9;
        double least = 1e9;
        for (int y = 0; y <= kSide; ++y) {
            for (int x = 0; x <= kSide; ++x) {
                const Vec2 v{x * kCell - 1.0, y * kCell - 1.0};
                if (length(v) > 1.0 || worst(asked, v, 0, asked.hard) > 0.0) continue;
                const double soft = worst(asked, v, asked.hard, all);
                least = std::min(least, soft);
                if (soft <= 0.0) nearest = std::min(nearest, distance(v, asked.wanted));
            }
        }
        const double soft = worst(asked, u, asked.hard, all);
        if (nearest < 1e9) {
            ++feasible;
            EXPECT_LE(soft, 1e-9);
            EXPECT_LE(distance(u, asked.wanted), nearest + 1e-9);
        } else if (least < 1e9 && least > kCell) {
            ++infeasible;
            EXPECT_LE(soft, least + 1e-9);
        }
    }
    if (all_trials()) {
        EXPECT_GT(feasible, 100);
        EXPECT_GT(infeasible, 10);
    }
}

// Updates of any length: never farther than it says, and hardly less far in short ones.
TEST(Braking, AsFarAsInAnySteps) {
    Rng dice(12);
    for (int trial = 0; trial < trials(2000); ++trial) {
        crowd::Braking braking;
        braking.step = dice.between(0.001, 0.2);
        braking.drop = dice.between(0.001, 1.0);
        const double speed = dice.between(0.0, 5.0);
        const double brake = braking.drop / braking.step;
        const double longest = trial % 2 == 0 ? 0.5 : 1e-3 * speed / brake;
        double way = speed * braking.step;
        for (double v = speed; v > 0.0;) {
            const double seconds = dice.between(0.3, 1.0) * longest;
            if (!(seconds > 0.0)) break;
            v -= brake * seconds;
            if (v > 0.0) way += v * seconds;
        }
        EXPECT_LE(way, braking.distance(speed) + 1e-9);
        EXPECT_NEAR(braking.stopping(speed), braking.distance(speed) - speed * braking.step,
                    1e-9 * (1.0 + way));
        EXPECT_NEAR(braking.time(speed) * speed, braking.distance(speed), 1e-9 * (1.0 + way));
        if (trial % 2 != 0) {
            EXPECT_GE(way, 0.99 * braking.distance(speed));
        }
    }
}

TEST(NearestPoints, AsNearAsDenseSamples) {
    Rng dice(13);
    for (int trial = 0; trial < trials(500); ++trial) {
        double x[8];
        for (double& v : x) v = static_cast<double>(dice.between(-6, 6)) * 0.5;
        const Vec2 a{x[0], x[1]};
        const Vec2 b{x[2], x[3]};
        const Vec2 low{std::min(x[4], x[6]), std::min(x[5], x[7])};
        const Vec2 high{std::max(x[4], x[6]), std::max(x[5], x[7])};
        for (const bool box : {false, true}) {
            const Vec2 c = box ? low : Vec2{x[4], x[5]};
            const Vec2 d = box ? high : Vec2{x[6], x[7]};
            const crowd::NearestPoints pair =
                crowd::nearest_points(a, b, WallPiece{{c.x, c.y, 0.0}, {d.x, d.y, 0.0}, box});
            const double told = distance(pair.on_way, pair.on_other);
            double least = 1e9;
            for (int i = 0; i <= 40; ++i) {
                const Vec2 p = a + (b - a) * (i / 40.0);
                for (int k = 0; k <= 40; ++k) {
                    const Vec2 q = box ? Vec2{std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y)}
                                       : c + (d - c) * (k / 40.0);
                    least = std::min(least, distance(p, q));
                }
            }
            EXPECT_LE(told, least + 1e-9);
            EXPECT_GE(told, least - 0.2);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
