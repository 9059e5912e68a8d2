// Who takes which: against all ways to give columns to rows.
#include "crowd/assignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

TEST(Assignment, TheLeastSumOfAll) {
    crowd::Assignment seats{Allocator{}};
    const int count = trials(300);
    for (int round = 0; round < count; ++round) {
        SCOPED_TRACE(round);
        Rng rng(70 + static_cast<std::uint64_t>(round));
        const auto rows = static_cast<std::size_t>(rng.between(1, 5));
        const std::size_t columns = rows + rng.below(3);
        ASSERT_TRUE(seats.begin(rows, columns));
        std::vector<std::vector<double>> costs(rows, std::vector<double>(columns));
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j)
                seats.cost(i, j) = costs[i][j] = round % 2 == 0 ? rng.below(4) : rng.between(0.0, 10.0);
        }
        seats.solve();
        double sum = 0.0;
        std::vector<bool> has(rows, false);
        for (std::size_t j = 0; j < columns; ++j) {
            const std::uint32_t row = seats.row_of(j);
            if (row == crowd::Assignment::kNoRow) continue;
            ASSERT_LT(row, rows);
            ASSERT_FALSE(has[row]);
            has[row] = true;
            sum += costs[row][j];
        }
        ASSERT_EQ(std::count(has.begin(), has.end(), true), static_cast<std::ptrdiff_t>(rows));
        std::vector<std::size_t> order(columns);
        std::iota(order.begin(), order.end(), std::size_t{0});
        double least = std::numeric_limits<double>::infinity();
        do {
            double all = 0.0;
            for (std::size_t i = 0; i < rows; ++i) all += costs[i][order[i]];
            least = std::min(least, all);
        } while (std::next_permutation(order.begin(), order.end()));
        EXPECT_NEAR(sum, least, 1e-9);
    }
}

// Along a line nobody passes anybody: that is what squares are for.
TEST(Assignment, SquaresKeepTheOrderOfALine) {
    crowd::Assignment seats{Allocator{}};
    Rng rng(9);
    for (int round = 0; round < 50; ++round) {
        std::vector<double> from(12), to(20);
        for (double& x : from) x = rng.between(0.0, 10.0);
        for (double& x : to) x = rng.between(0.0, 10.0);
        std::sort(from.begin(), from.end());
        std::sort(to.begin(), to.end());
        ASSERT_TRUE(seats.begin(from.size(), to.size()));
        for (std::size_t i = 0; i < from.size(); ++i) {
            for (std::size_t j = 0; j < to.size(); ++j)
                seats.cost(i, j) = (from[i] - to[j]) * (from[i] - to[j]);
        }
        seats.solve();
        std::uint32_t last = 0;
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::uint32_t row = seats.row_of(j);
            if (row == crowd::Assignment::kNoRow) continue;
            EXPECT_GE(row, last);
            last = row;
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
