// See blocked.h. The weights: begin with one voxel; sixteen times, give some to the voxel nearest to the worst
// corner.
#include "volume/wide/blocked.h"

#include <algorithm>

namespace fairlead::volume {

namespace {

constexpr int kRounds = 16;
constexpr double kSteps[] = {0.5, 0.333, 0.25, 0.167, 0.1, 0.05, 0.02};

double most(const double f[8]) { return *std::max_element(f, f + 8); }

}  // namespace

BlockTest::Answer BlockTest::ask(std::span<const NearVoxel> voxels, const FineBox& box,
                                 const FineUnit unit[3], double limit, std::size_t middle) {
    if (!squared_.resize_uninitialized(voxels.size() * 8)) return Answer::no_memory;
    double least[8];
    std::fill_n(least, 8, limit);
    for (std::size_t i = 0; i < voxels.size(); ++i) {
        double side[3][2];
        for (int k = 0; k < 3; ++k) {
            for (int high = 0; high < 2; ++high) {
                const double g = unit[k].gap(box.low[k] + high * box.side, voxels[i].at[k]);
                side[k][high] = g * g;
            }
        }
        double* const f = &squared_[i * 8];
        for (int c = 0; c < 8; ++c) {
            f[c] = side[0][c & 1] + side[1][c >> 1 & 1] + side[2][c >> 2];
            least[c] = std::min(least[c], f[c]);
        }
    }
    // A corner where it fits.
    if (most(least) >= limit) return Answer::no;
    double mean[8];
    std::copy_n(&squared_[middle * 8], 8, mean);
    for (int round = 0; round < kRounds; ++round) {
        const auto worst = static_cast<std::size_t>(std::max_element(mean, mean + 8) - mean);
        if (mean[worst] < limit) return Answer::blocked;
        std::size_t nearest = 0;
        for (std::size_t i = 1; i < voxels.size(); ++i) {
            if (squared_[i * 8 + worst] < squared_[nearest * 8 + worst]) nearest = i;
        }
        const double* const f = &squared_[nearest * 8];
        double best = mean[worst], step = 0.0;
        for (const double t : kSteps) {
            double worst_then = 0.0;
            for (int c = 0; c < 8; ++c) worst_then = std::max(worst_then, mean[c] + t * (f[c] - mean[c]));
            if (worst_then < best) best = worst_then, step = t;
        }
        if (step == 0.0) return Answer::no;
        for (int c = 0; c < 8; ++c) mean[c] += step * (f[c] - mean[c]);
    }
    return most(mean) < limit ? Answer::blocked : Answer::no;
}

}  // namespace fairlead::volume
