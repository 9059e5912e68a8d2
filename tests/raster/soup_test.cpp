// Triangle soup: slopes, faults, grid coordinates.

#include <fairlead/raster/soup.h>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/test_allocator.h"

namespace fairlead {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Soup, EveryFaultIsToldByItsIndex) {
    const std::vector<Vec3> v = {{0, 0, 0},    {1, 0, 0}, {0, 1, 0},         {kNan, 0, 0},
                                 {1e12, 0, 0}, {2, 0, 0}, {0, -kInfinity, 0}};
    const std::vector<std::uint32_t> t = {
        0, 1, 2,  // good
        0, 1, 9,  // no such vertex
        0, 1, 3,  // NaN
        0, 1, 6,  // infinite
        0, 1, 4,  // too far
        0, 1, 5,  // on a line
        2, 0, 1,  // the first, turned
        0, 2, 1,  // inside out: no fault
    };
    const Result<GridSoup> soup = prepare_soup({v, t, {}}, {}, {.tell_faults = true});
    ASSERT_TRUE(soup);
    const std::vector<SoupFault> wanted = {{1, SoupFaultKind::bad_index},  {2, SoupFaultKind::not_finite},
                                           {3, SoupFaultKind::not_finite}, {4, SoupFaultKind::too_far},
                                           {5, SoupFaultKind::no_area},    {6, SoupFaultKind::duplicate}};
    EXPECT_EQ(std::vector<SoupFault>(soup->faults.begin(), soup->faults.end()), wanted);
    ASSERT_EQ(soup->triangles.size(), 4U);
    EXPECT_EQ(soup->triangles[0].area, 1U);
    EXPECT_EQ(soup->triangles[1].area, 0U);  // on a line
    EXPECT_EQ(soup->triangles[2].area, 1U);
    EXPECT_EQ(soup->triangles[3].area, 0U);  // inside out
    EXPECT_EQ(soup->triangles[3].index, 7U);

    const Result<GridSoup> refused = prepare_soup({v, t, {}}, {}, {.refuse_bad = true});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), (Error{ErrorCode::unknown_id, 1, 0}));
}

TEST(Soup, SizesAndNumbersAreChecked) {
    const std::vector<Vec3> v = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<std::uint32_t> t = {0, 1, 2};
    const std::vector<std::uint32_t> four = {0, 1, 2, 0};
    const std::vector<std::uint8_t> areas = {1, 2};
    EXPECT_EQ(prepare_soup({v, four, {}}, {}).error(),
              (Error{ErrorCode::size_mismatch, Field::triangles, 3}));
    EXPECT_EQ(prepare_soup({v, t, areas}, {}).error(), (Error{ErrorCode::size_mismatch, Field::areas, 1}));
    for (const double bad : {0.0, -1.0, kNan, kInfinity, 1e-9, 1e9}) {
        EXPECT_EQ(prepare_soup({v, t, {}}, {.cell_size = bad}).error().field, Field::cell_size);
        EXPECT_EQ(prepare_soup({v, t, {}}, {.cell_height = bad}).error().field, Field::cell_height);
    }
    for (const double bad : {-0.1, 1.6, kNan})
        EXPECT_EQ(prepare_soup({v, t, {}}, {}, {.slope_max_rad = bad}).error().field, Field::slope_max);
    EXPECT_EQ(prepare_soup({v, t, {}}, {.origin = {kNan, 0, 0}}).error().field, Field::origin);
    EXPECT_TRUE(prepare_soup({}, {}));
}

TEST(Soup, TheLimitOfTheSlopeIsWalkable) {
    const std::vector<std::uint32_t> t = {0, 1, 2};
    for (const double rise : {0.0, 0.5, 0.999, 1.0, 1.001, 5.0}) {
        const std::vector<Vec3> v = {{0, 0, 0}, {3, 0, 3 * rise}, {0, 3, 0}};
        const Result<GridSoup> soup = prepare_soup({v, t, {}}, {});
        EXPECT_EQ(soup->triangles[0].area, rise <= 1.0 ? 1U : 0U) << rise;
    }
}

TEST(Soup, EffectiveCellSizesHaveSixteenBits) {
    for (const double size : {0.3, 0.2, 0.25, 1.0, 0.1, 123.456, 1e-5, 7.0}) {
        const double effective = effective_cell_size(size);
        EXPECT_NEAR(effective / size, 1.0, 1.0 / 65536);
        for (double i : {1.0, 3.0, 65535.0, 1e6 + 1, 1e11 + 7})
            EXPECT_EQ(std::fma(i, effective, -(i * effective)), 0.0);
    }
    EXPECT_EQ(effective_cell_size(0.25), 0.25);
}

TEST(Soup, AFailingAllocatorIsAnError) {
    const std::vector<Vec3> v = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::vector<std::uint32_t> t = {0, 1, 2, 0, 1, 2, 0, 1, 9};
    for (std::int64_t fail = 0;; ++fail) {
        testing::TestAllocator memory;
        memory.fail_from_call = fail;
        bool good = false;
        {
            const Result<GridSoup> soup =
                prepare_soup({v, t, {}}, {}, {.tell_faults = true}, memory.allocator());
            good = soup.has_value();
            EXPECT_TRUE(good || soup.error().code == ErrorCode::out_of_memory);
        }
        EXPECT_EQ(memory.live_blocks, 0);
        if (good) break;
        ASSERT_LT(fail, 20);
    }
}

}  // namespace
}  // namespace fairlead
