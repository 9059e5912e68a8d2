// The cells that a body covers, row by row.

#include "grid/body.h"

#include <gtest/gtest.h>

namespace fairlead::testing {
namespace {

TEST(BodyRows, APointCoversItsOwnCellAlone) {
    Array<grid::BodyRow> rows;
    ASSERT_TRUE(grid::body_rows_on(grid::kPointBody, 100, rows));
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].dy, 0);
    EXPECT_EQ(rows[0].low, 0);
    EXPECT_EQ(rows[0].high, 0);
}

}  // namespace
}  // namespace fairlead::testing
