// The parts of the ground against a flood, on every 4 x 4 map and on random ones wider than a word.

#include "drive/ground/ground_parts.h"

#include <gtest/gtest.h>

#include <vector>

#include <fairlead/base/rng.h>

#include "drive/bit_ground.h"
#include "support/environment.h"

namespace fairlead::drive {
namespace {

using fairlead::testing::BitGround;

// Cell by cell: the number of its part, -1 in walls.
std::vector<int> flood(const GroundBits& free, GroundCorner corner) {
    std::vector<int> part(static_cast<std::size_t>(free.width * free.height), -1);
    int count = 0;
    for (std::size_t seed = 0; seed < part.size(); ++seed) {
        const auto at = static_cast<std::int32_t>(seed);
        if (part[seed] >= 0 || !free.free(at % free.width, at / free.width)) continue;
        std::vector<std::int32_t> open{at};
        part[seed] = count;
        while (!open.empty()) {
            const std::int32_t x = open.back() % free.width;
            const std::int32_t y = open.back() / free.width;
            open.pop_back();
            for (int d = 0; d < 9; ++d) {
                const std::int32_t dx = d % 3 - 1;
                const std::int32_t dy = d / 3 - 1;
                if (dx != 0 && dy != 0 && corner == GroundCorner::closed) continue;
                if (!free.free(x + dx, y + dy)) continue;
                int& there = part[static_cast<std::size_t>((y + dy) * free.width + x + dx)];
                if (there >= 0) continue;
                there = count;
                open.push_back((y + dy) * free.width + x + dx);
            }
        }
        ++count;
    }
    return part;
}

void compare(const GroundBits& free, GroundCorner corner) {
    Array<GroundRun> runs;
    Array<std::uint32_t> first;
    ASSERT_TRUE(find_ground_parts(free, corner, runs, first));
    const std::vector<int> expected = flood(free, corner);
    std::vector<std::uint32_t> name(expected.size(), kNoPart);  // of a flood's part
    for (std::int32_t y = 0; y < free.height; ++y) {
        for (std::int32_t x = 0; x < free.width; ++x) {
            const int part = expected[static_cast<std::size_t>(y * free.width + x)];
            const std::uint32_t found = ground_part(runs, first, x, y);
            ASSERT_EQ(found == kNoPart, part < 0) << x << ' ' << y;
            if (part < 0) continue;
            std::uint32_t& known = name[static_cast<std::size_t>(part)];
            if (known == kNoPart) known = found;
            ASSERT_EQ(found, known) << x << ' ' << y;
        }
    }
    // No two parts have one name.
    for (std::size_t i = 0; i < name.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) ASSERT_TRUE(name[i] == kNoPart || name[i] != name[k]);
    }
}

TEST(GroundParts, EverySmallMap) {
    for (std::uint32_t map = 0; map < 1U << 16; map += 3) {
        BitGround ground(4, 4);
        for (std::int32_t cell = 0; cell < 16; ++cell) {
            if (((map >> cell) & 1U) != 0) ground.free(cell % 4, cell / 4);
        }
        compare(ground.bits(), GroundCorner::closed);
        compare(ground.bits(), GroundCorner::open);
    }
}

TEST(GroundParts, RandomMaps) {
    Rng rng(41);
    const int count = testing::trials(300);
    for (int i = 0; i < count; ++i) {
        BitGround ground(rng.between(1, 200), rng.between(1, 12));
        const std::uint32_t walls = rng.below(8);
        for (std::int32_t y = 0; y < ground.height; ++y) {
            for (std::int32_t x = 0; x < ground.width; ++x) {
                if (rng.below(8) >= walls) ground.free(x, y);
            }
        }
        compare(ground.bits(), GroundCorner::closed);
        compare(ground.bits(), GroundCorner::open);
    }
}

}  // namespace
}  // namespace fairlead::drive
