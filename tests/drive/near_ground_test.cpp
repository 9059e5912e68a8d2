// Distances around a place against relaxation of all cells in turn; and numbers in blocks against a plain map of them.

#include "drive/ground/near_ground.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fairlead/base/rng.h>

#include "drive/bit_ground.h"
#include "drive/ground/cell_blocks.h"
#include "support/environment.h"
#include "support/test_allocator.h"

namespace fairlead::drive {
namespace {

using testing::BitGround;

constexpr std::int32_t kSide = 40;

struct Land {
    BitGround bits{kSide, kSide};
    bool free[kSide][kSide] = {};

    explicit Land(Rng& rng) {
        for (std::int32_t y = 0; y < kSide; ++y) {
            for (std::int32_t x = 0; x < kSide; ++x) {
                if (rng.below(3) == 0) continue;
                free[y][x] = true;
                bits.free(x, y);
            }
        }
    }
    [[nodiscard]] bool is_free(std::int32_t x, std::int32_t y) const {
        return x >= 0 && y >= 0 && x < kSide && y < kSide && free[y][x];
    }
};

// 5 straight, 7 aslant past one free cell; until nothing changes.
void relax(const Land& land, std::int32_t left, std::int32_t low, std::int32_t side,
           std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t>& units) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::int32_t y = low; y < low + side; ++y) {
            for (std::int32_t x = left; x < left + side; ++x) {
                if (!land.is_free(x, y)) continue;
                for (std::int32_t k = 0; k < 9; ++k) {
                    const std::int32_t fx = x + k % 3 - 1;
                    const std::int32_t fy = y + k / 3 - 1;
                    const bool aslant = fx != x && fy != y;
                    if (aslant && !land.is_free(fx, y) && !land.is_free(x, fy)) continue;
                    const auto from = units.find({fx, fy});
                    if (k == 4 || from == units.end()) continue;
                    const std::uint32_t sum = from->second + (aslant ? 7U : 5U);
                    const auto at = units.find({x, y});
                    if (at != units.end() && at->second <= sum) continue;
                    units[{x, y}] = sum;
                    changed = true;
                }
            }
        }
    }
}

TEST(NearGround, AsByRelaxation) {
    Rng rng(3);
    for (int n = 0; n < testing::trials(200); ++n) {
        const Land land(rng);
        const auto half = static_cast<std::int32_t>(2 + rng.below(12));
        const std::int32_t x = rng.between(0, kSide - 1);
        const std::int32_t y = rng.between(0, kSide - 1);
        const auto near = std::make_unique<NearGround>(x, y, half);
        std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> units;
        for (int k = 0; k < 6; ++k) {
            const std::int32_t sx = x + rng.between(-half, half);
            const std::int32_t sy = y + rng.between(-half, half);
            if (!land.is_free(sx, sy)) continue;
            const auto far = static_cast<std::uint32_t>(rng.below(60));
            near->add(sx, sy, far);
            const auto [at, fresh] = units.insert({{sx, sy}, far});
            if (!fresh) at->second = std::min(at->second, far);
        }
        near->grow(land.bits.bits(), GroundCorner::closed);
        relax(land, x - half, y - half, 2 * half + 1, units);
        for (std::int32_t cy = y - half; cy <= y + half; ++cy) {
            for (std::int32_t cx = x - half; cx <= x + half; ++cx) {
                const auto at = units.find({cx, cy});
                ASSERT_TRUE(near->has(cx, cy));
                ASSERT_EQ(near->at(cx, cy), at == units.end() ? NearGround::kNone : at->second);
            }
        }
        EXPECT_FALSE(near->has(x - half - 1, y));
        EXPECT_FALSE(near->has(x, y + half + 1));
    }
}

TEST(CellBlocks, HoldWhatIsWritten) {
    Rng rng(4);
    testing::TestAllocator memory;
    {
        CellBlocks blocks(memory.allocator());
        for (int round = 0; round < 40; ++round) {
            const std::int32_t width = round % 3 == 0 ? 100 : 301;
            const std::int32_t height = round % 3 == 0 ? 77 : 200;
            ASSERT_TRUE(blocks.begin(width, height));
            std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> written;
            for (int k = 0; k < 300; ++k) {
                const std::int32_t x = rng.between(0, width - 1);
                const std::int32_t y = rng.between(0, height - 1);
                std::uint32_t* const cell = blocks.find(x, y);
                ASSERT_NE(cell, nullptr);
                const auto before = written.find({x, y});
                ASSERT_EQ(*cell, before == written.end() ? CellBlocks::kUnset : before->second);
                written[{x, y}] = *cell = static_cast<std::uint32_t>(rng.below(1000));
            }
            for (int k = 0; k < 300; ++k) {
                const std::int32_t x = rng.between(0, width - 1);
                const std::int32_t y = rng.between(0, height - 1);
                const auto at = written.find({x, y});
                ASSERT_EQ(blocks.at(x, y), at == written.end() ? CellBlocks::kUnset : at->second);
            }
        }
        // What was taken once is enough for the next time; and it may be moved.
        const std::int64_t calls = memory.calls;
        ASSERT_TRUE(blocks.begin(301, 200));
        for (std::int32_t i = 0; i < 200; ++i) ASSERT_NE(blocks.find(i, i), nullptr);
        EXPECT_EQ(memory.calls, calls);
        CellBlocks moved(std::move(blocks));
        *moved.find(7, 7) = 5;
        CellBlocks other(memory.allocator());
        ASSERT_TRUE(other.begin(10, 10));
        ASSERT_NE(other.find(3, 3), nullptr);
        other = std::move(moved);
        EXPECT_EQ(other.at(7, 7), 5U);
        EXPECT_EQ(other.at(250, 7), CellBlocks::kUnset);
    }
    EXPECT_EQ(memory.live_bytes, 0);
}

TEST(CellBlocks, OutOfMemory) {
    for (int fail = 0; fail < 12; ++fail) {
        testing::TestAllocator memory;
        CellBlocks blocks(memory.allocator());
        memory.fail_after(fail, true);
        bool good = blocks.begin(400, 400);
        for (std::int32_t i = 0; good && i < 400; ++i) good = blocks.find(i, 399 - i) != nullptr;
        EXPECT_TRUE(good || memory.failed > 0);
        memory.feed();
        ASSERT_TRUE(blocks.begin(400, 400));
        for (std::int32_t i = 0; i < 400; ++i) ASSERT_NE(blocks.find(i, 399 - i), nullptr);
    }
}

}  // namespace
}  // namespace fairlead::drive
