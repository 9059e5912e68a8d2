#include "drive/corners/chain.h"

#include <fairlead/base/assert.h>
#include <cstdlib>

#include "drive/ground/ground_distance.h"

namespace fairlead::drive {

namespace {

constexpr std::int32_t kCellsMax = 256;

struct Chain {
    struct Cell {
        std::int32_t x;
        std::int32_t y;
        std::uint32_t steps;
    };
    Cell cell[kCellsMax];
    std::int32_t count = 0;
};

}  // namespace

double chain_length(std::span<const CellRun> runs, std::int32_t dx, std::int32_t dy) {
    Chain chain;
    for (const CellRun& run : runs) {
        for (std::int32_t i = 0; i < run.count; ++i) {
            FAIRLEAD_ASSERT(chain.count < kCellsMax);
            const std::int32_t x = run.dx + i;
            chain.cell[chain.count++] = {x, run.dy, x == 0 && run.dy == 0 ? 0 : kGroundFar};
        }
    }
    // Bellman and Ford: a dozen cells.
    for (bool better = true; better;) {
        better = false;
        for (std::int32_t i = 0; i < chain.count; ++i) {
            Chain::Cell& a = chain.cell[i];
            for (std::int32_t k = 0; k < chain.count; ++k) {
                const Chain::Cell& b = chain.cell[k];
                const std::int32_t x = std::abs(a.x - b.x);
                const std::int32_t y = std::abs(a.y - b.y);
                if (b.steps == kGroundFar || x > 1 || y > 1) continue;
                const std::uint32_t steps = b.steps + (x + y == 2 ? kGroundDiagonal : kGroundStraight);
                if (x + y == 0 || steps >= a.steps) continue;
                a.steps = steps;
                better = true;
            }
        }
    }
    for (std::int32_t i = 0; i < chain.count; ++i) {
        const Chain::Cell& at = chain.cell[i];
        if (at.x == dx && at.y == dy) return static_cast<double>(at.steps) / kGroundStraight;
    }
    FAIRLEAD_ASSERT(false);
    return 0.0;
}

}  // namespace fairlead::drive
