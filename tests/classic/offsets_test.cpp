// The table of neighbours: every tile within three once, rings first, and the way back.
#include <fairlead/classic/offsets.h>

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace fairlead::testing {
namespace {

TEST(Offsets, AreABijectionOfTheSevenBySeven) {
    std::set<std::pair<int, int>> seen;
    for (std::int32_t i = 0; i < kTileOffsetCount; ++i) {
        const TileOffset off = kTileOffsets[i];
        EXPECT_TRUE(seen.insert({off.dx, off.dy}).second) << i;
        EXPECT_EQ(offset_index(off.dx, off.dy), i);
    }
    EXPECT_EQ(seen.size(), 48U);
    EXPECT_EQ(offset_index(0, 0), kNoOffset);
    EXPECT_EQ(offset_index(4, 0), kNoOffset);
    EXPECT_EQ(offset_index(-2, -4), kNoOffset);
}

TEST(Offsets, TablesOf8And24AreThePrefix) {
    EXPECT_EQ(offset_count(1), 8);
    EXPECT_EQ(offset_count(2), 24);
    EXPECT_EQ(offset_count(3), 48);
    for (std::int32_t i = 0; i < kTileOffsetCount; ++i) {
        const int x = kTileOffsets[i].dx < 0 ? -kTileOffsets[i].dx : kTileOffsets[i].dx;
        const int y = kTileOffsets[i].dy < 0 ? -kTileOffsets[i].dy : kTileOffsets[i].dy;
        const int ring = x > y ? x : y;
        EXPECT_GE(i, offset_count(ring - 1));
        EXPECT_LT(i, offset_count(ring));
    }
}

TEST(Offsets, TurnCounterClockwiseAndTheFirstRingAlternates) {
    EXPECT_EQ(kTileOffsets[0], (TileOffset{1, 0}));
    EXPECT_EQ(kTileOffsets[1], (TileOffset{1, 1}));
    EXPECT_EQ(kTileOffsets[2], (TileOffset{0, 1}));
    EXPECT_EQ(kTileOffsets[6], (TileOffset{0, -1}));
    EXPECT_EQ(kTileOffsets[8], (TileOffset{2, 0}));
    // The entry that the article prints as a sample.
    const std::int32_t sample = offset_index(-3, 3);
    ASSERT_NE(sample, kNoOffset);
    EXPECT_EQ(kTileOffsets[sample], (TileOffset{-3, 3}));
    for (std::int32_t ring = 1; ring <= kTileRings; ++ring) {
        const std::int32_t first = offset_count(ring - 1);
        const std::int32_t count = offset_count(ring) - first;
        for (std::int32_t i = 0; i < count; ++i) {
            const TileOffset a = kTileOffsets[first + i];
            const TileOffset b = kTileOffsets[first + (i + 1) % count];
            EXPECT_GT(a.dx * b.dy - a.dy * b.dx, 0);
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
