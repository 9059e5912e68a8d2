// A leaf of the connectivity looks from outside as before when an edit changed only what lies inside it.

#include "grid/leaf.h"

#include <gtest/gtest.h>

#include "grid/editor.h"

namespace fairlead::testing {
namespace {

using grid::Leaf;

TEST(Leaf, AnEditInsideLeavesTheNumbersAtTheBorder) {
    grid::LeafInput input;
    input.rows[3] = 1ULL << 20;
    input.rows[4] = 1ULL << 20 | 1ULL << 63;  // on the high side: number 0
    input.rows[5] = (2ULL << 20) - 1;         // on the low side: number 1, though it goes up to row 3
    grid::EditScratch scratch{Allocator{}};
    Array<std::uint64_t> before, after;
    ASSERT_TRUE(grid::build_leaf(input, scratch, before));
    input.rows[3] = 0;  // the way up is walled in
    input.rows[4] = 1ULL << 63;
    ASSERT_TRUE(grid::build_leaf(input, scratch, after));
    EXPECT_TRUE(same_border(Leaf::at(before.data()), Leaf::at(after.data()), grid::kLeafSide));
}

}  // namespace
}  // namespace fairlead::testing
