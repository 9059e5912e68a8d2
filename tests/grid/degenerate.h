// Queries that say little or nothing good, asked of every planner and smoothing.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <fairlead/grid/find_route.h>
#include <fairlead/verify/verify.h>

#include "support/grids.h"

namespace fairlead::testing {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kHuge = 1e300;
inline constexpr double kMax = std::numeric_limits<double>::max();
inline constexpr double kTiny = std::numeric_limits<double>::denorm_min();

// May this planner refuse the query by its documented rules? Then its row has nothing to say.
inline bool refuses(const Error& error) {
    return error.code == ErrorCode::unsupported && error.field == Field::planner;
}

template <class Check>
void for_all_planners(const GridState& grid, GridQuery query, const Check& check) {
    int answered = 0;
    for (std::uint8_t p = 0; p < static_cast<std::uint8_t>(GridPlanner::count_); ++p) {
        for (std::uint8_t s = 0; s < 4; ++s) {
            query.planner = static_cast<GridPlanner>(p);
            query.smoothing = static_cast<Smoothing>(s);
            query.certify = s % 2 == 1;
            Scratch scratch;
            Route route;
            route.status = PathStatus::complete;
            route.cost = 5.0;
            const Result<void> done = find_route_into(grid, query, scratch, route);
            if (!done) {
                ASSERT_TRUE(route.legs.empty());
                EXPECT_EQ(route.cost, 0.0);  // cleared
                EXPECT_EQ(route.status, PathStatus::unreachable);
                if (refuses(done.error())) continue;
            }
            ++answered;
            check(query, done, route);
            if (::testing::Test::HasFailure()) {
                ADD_FAILURE() << planner_name(query.planner) << ", smoothing " << int{s};
                return;
            }
        }
    }
    EXPECT_GE(answered, 4 * 7);  // most planners take part in every row
}

inline void expect_status(const GridState& grid, const GridQuery& asked, PathStatus status) {
    for_all_planners(grid, asked, [&](const GridQuery& query, const Result<void>& done, const Route& route) {
        ASSERT_TRUE(done.has_value()) << error_name(done.error().code) << " " << done.error().index;
        EXPECT_EQ(route.status, status) << status_name(route.status);
        EXPECT_EQ(route.revision, grid.revision());
        if (status == PathStatus::complete || status == PathStatus::partial) {
            const Violation bad =
                verify(route, grid, query.agent, {.terrain = query.terrain, .blockers = query.blockers});
            EXPECT_FALSE(bad) << bad.text().c_str();
        } else {
            EXPECT_TRUE(route.legs.empty());
            EXPECT_EQ(route.length, 0.0);
        }
    });
}

inline void expect_error(const GridState& grid, const GridQuery& asked, const Error& error) {
    for_all_planners(grid, asked, [&](const GridQuery&, const Result<void>& done, const Route&) {
        ASSERT_FALSE(done.has_value());
        EXPECT_EQ(done.error(), error) << error_text(done.error()).c_str() << " " << done.error().detail;
    });
}

inline Grid open_grid(std::int32_t width, std::int32_t height) {
    return *Grid::make({.width = width, .height = height});
}

inline GridQuery across(std::int32_t width, std::int32_t height) {
    return {.start = cell_centre(0, 0), .goal = cell_centre(width - 1, height - 1)};
}

}  // namespace fairlead::testing
