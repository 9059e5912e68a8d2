#include "grid/clearance.h"

#include <iterator>

namespace fairlead::grid {

namespace {

struct Offset {
    std::int8_t dx;
    std::int8_t dy;
};

constexpr std::int32_t kRings = static_cast<std::int32_t>(std::size(kClearanceSums));

constexpr std::int32_t count_offsets() {
    std::int32_t count = 0;
    for (std::int64_t y = -kClearanceReach; y <= kClearanceReach; ++y) {
        for (std::int64_t x = -kClearanceReach; x <= kClearanceReach; ++x) {
            const std::int64_t sum = odd_square(x) + odd_square(y);
            if (sum > 0 && sum <= kClearanceSums[kRings - 1]) ++count;
        }
    }
    return count;
}

// Offsets of the walls at each distance, nearest ring first.
struct Rings {
    Offset offsets[count_offsets()] = {};
    std::int32_t end[kRings] = {};
};

constexpr Rings make_rings() {
    Rings rings;
    std::int32_t n = 0;
    for (std::int32_t ring = 0; ring < kRings; ++ring) {
        for (std::int32_t y = -kClearanceReach; y <= kClearanceReach; ++y) {
            for (std::int32_t x = -kClearanceReach; x <= kClearanceReach; ++x) {
                if (odd_square(x) + odd_square(y) == kClearanceSums[ring]) {
                    rings.offsets[n++] = {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y)};
                }
            }
        }
        rings.end[ring] = n;
    }
    return rings;
}

constexpr Rings kAllRings = make_rings();

// Adds one to the bit-sliced counters of the cells set in `cells`.
void count(std::uint64_t planes[kClearancePlanes], std::uint64_t cells) {
    for (std::int32_t p = 0; p < kClearancePlanes && cells != 0; ++p) {
        const std::uint64_t carry = planes[p] & cells;
        planes[p] ^= cells;
        cells = carry;
    }
}

// Distance in cells from position x to the nearest wall on a line, at most `limit` + 1.
std::int32_t nearest_on_line(const WallReader& walls, std::int32_t x, std::int32_t y, std::int32_t limit) {
    for (std::int32_t done = 0; done <= limit; done += 64) {
        const std::uint64_t right = walls.blocked(x + done, y);
        const std::uint64_t left = walls.blocked(x - done - 63, y);
        const std::int32_t a = right == 0 ? 64 : std::countr_zero(right);
        const std::int32_t b = left == 0 ? 64 : std::countl_zero(left);
        const std::int32_t nearest = done + (a < b ? a : b);
        if (nearest < done + 64) return nearest <= limit ? nearest : limit + 1;
    }
    return limit + 1;
}

}  // namespace

std::int32_t clearance_class_for(BodyKey key) {
    for (std::int32_t i = 0; i < kRings; ++i) {
        if (kClearanceSums[i] >= key) return i + 1;
    }
    return key <= kClearanceBeyondSum ? kRings + 1 : 0;
}

void clearance_word(const WallReader& walls, std::int32_t line, std::int32_t word,
                    std::uint64_t planes[kClearancePlanes]) {
    constexpr std::int32_t kSide = 2 * kClearanceReach + 1;
    // Blocked bits of the lines around, from 4 cells before the word to 4 after it.
    std::uint64_t low[kSide];
    std::uint64_t high[kSide];
    std::uint64_t any = 0;
    for (std::int32_t dy = -kClearanceReach; dy <= kClearanceReach; ++dy) {
        low[dy + kClearanceReach] = walls.blocked(word * 64 - kClearanceReach, line + dy);
        high[dy + kClearanceReach] =
            walls.blocked(word * 64 - kClearanceReach + 64, line + dy) & bit_range(0, 8);
        any |= low[dy + kClearanceReach] | high[dy + kClearanceReach];
    }
    for (std::int32_t p = 0; p < kClearancePlanes; ++p) planes[p] = 0;
    const std::uint64_t self = (low[kClearanceReach] >> 4) | (high[kClearanceReach] << 60);
    if (any == 0) {  // class 12 everywhere
        planes[2] = planes[3] = ~0ULL;
        return;
    }
    std::uint64_t covered = self;
    count(planes, ~covered);
    std::int32_t i = 0;
    for (std::int32_t ring = 0; ring < kRings; ++ring) {
        for (; i < kAllRings.end[ring]; ++i) {
            const Offset o = kAllRings.offsets[i];
            const std::int32_t row = o.dy + kClearanceReach;
            const auto shift = static_cast<std::uint32_t>(o.dx + kClearanceReach);
            covered |= (low[row] >> shift) | ((high[row] << 1) << (63U - shift));
        }
        count(planes, ~covered);
    }
}

std::int64_t clearance_sum_on_demand(const WallReader& walls, std::int32_t x, std::int32_t y,
                                     std::int64_t limit_sum) {
    // On an axis that wraps half a lap to both sides is all there is; on others the edge of the map is a wall.
    const std::int32_t rows = walls.wrap_line ? walls.shape.lines / 2 : walls.shape.lines;
    std::int32_t reach = walls.wrap_length ? walls.shape.length / 2 : walls.shape.length;
    std::int64_t best = limit_sum;
    for (std::int32_t dy = 0; dy <= rows && odd_square(dy) < best; ++dy) {
        for (std::int32_t side = 0; side < (dy == 0 ? 1 : 2); ++side) {
            const std::int64_t left = best - odd_square(dy);
            while (reach > 0 && odd_square(reach) >= left)
                --reach;  // the largest dx that could still improve
            const std::int32_t dx = nearest_on_line(walls, x, side == 0 ? y + dy : y - dy, reach);
            if (dx > reach) continue;
            if (dx == 0 && dy == 0) return 0;
            const std::int64_t sum = odd_square(dx) + odd_square(dy);
            if (sum < best) best = sum;
        }
    }
    return best;
}

}  // namespace fairlead::grid
