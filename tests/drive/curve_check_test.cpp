// Curves among walls against the sweep of each cell by itself, inside the map and over its border.

#include "drive/body/curve_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/curve/reeds_shepp.h>

#include "drive/bit_ground.h"
#include "drive/body/pieces.h"
#include "drive/body/swept_cells.h"
#include "support/environment.h"

namespace fairlead::drive {
namespace {

constexpr std::int32_t kWidth = 150;
constexpr std::int32_t kHeight = 90;
constexpr std::int32_t kAround = 4;  // what leaves the map meets these first

// Every cell of the map that is blocked, and all that lie around it.
bool free_by_cells(const GroundBits& free, const BodyCore& body, const SweptPieces& pieces) {
    for (std::int32_t y = -kAround; y < kHeight + kAround; ++y) {
        for (std::int32_t x = -kAround; x < kWidth + kAround; ++x) {
            const bool inside = x >= 0 && y >= 0 && x < kWidth && y < kHeight;
            if (inside && free.free(x, y)) continue;
            const Aabb cell{{1.0 * x, 1.0 * y}, {x + 1.0, y + 1.0}};
            for (int i = 0; i < pieces.count; ++i) {
                if (sweep_overlaps_box(body, pieces.piece[i], cell, kSweepSlack)) return false;
            }
        }
    }
    return true;
}

TEST(CurveCheck, AsCellByCell) {
    Rng rng(8);
    int free_ones = 0;
    int blocked = 0;
    for (int n = 0; n < testing::trials(40); ++n) {
        fairlead::testing::BitGround land(kWidth, kHeight);
        const std::uint32_t rare = n % 2 == 0 ? 400 : 60;
        for (std::int32_t y = 0; y < kHeight; ++y) {
            for (std::int32_t x = 0; x < kWidth; ++x) {
                if (rng.below(rare) != 0) land.free(x, y);
            }
        }
        BodyCore body{{}, rng.between(0.2, 1.6)};
        if (n % 3 == 0) body = {{{-0.7, -0.4}, {1.9, 0.4}}, rng.below(2) == 0 ? 0.0 : 0.2};
        const double radius = rng.between(1.0, 9.0);
        for (int k = 0; k < 12; ++k) {
            const bool whole = rng.below(3) == 0;  // cells' middles, along the axes: walls are just touched
            const auto place = [&](double side) {
                const double at = rng.between(0.0, side);
                return whole ? std::floor(at) + 0.5 : at;
            };
            const auto heading = [&] {
                return whole ? rng.between(-2, 2) * kHalfPi : rng.between(-3.1, 3.1);
            };
            const Pose start{{place(kWidth), place(kHeight)}, heading()};
            const Pose end{{place(kWidth), place(kHeight)}, heading()};
            const CurveWord word = shortest_reeds_shepp(start, end, radius, {});
            const bool expected = free_by_cells(land.bits(), body, place_pieces(start, radius, word));
            ASSERT_EQ(curve_is_free(land.bits(), body, start, radius, word), expected) << n << ' ' << k;
            ++(expected ? free_ones : blocked);
        }
    }
    EXPECT_GT(blocked, 10);
    EXPECT_TRUE(!testing::all_trials() || free_ones > 25) << free_ones;
}

}  // namespace
}  // namespace fairlead::drive
