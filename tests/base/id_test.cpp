#include <fairlead/base/id.h>

#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

struct PolyTag;
struct NodeTag;
using PolyId = Id<PolyTag>;
using NodeId = Id<NodeTag, std::uint64_t>;

TEST(Id, DefaultNamesNothing) {
    EXPECT_FALSE(PolyId{}.valid());
    EXPECT_EQ(PolyId{}.value, 0xffffffffU);
    EXPECT_EQ(NodeId{}.value, 0xffffffffffffffffU);
}

TEST(Id, OrdersAndComparesByValue) {
    EXPECT_TRUE(PolyId{3}.valid());
    EXPECT_EQ(PolyId{3}, PolyId{3});
    EXPECT_NE(PolyId{3}, PolyId{4});
    EXPECT_LT(PolyId{3}, PolyId{4});
    EXPECT_GT(PolyId{}, PolyId{4});
}

TEST(Id, IsAsLargeAsItsNumberAndMixesWithNoOther) {
    static_assert(sizeof(PolyId) == 4 && sizeof(NodeId) == 8);
    static_assert(std::is_trivially_copyable_v<PolyId>);
    static_assert(!std::is_convertible_v<PolyId, NodeId>);
    static_assert(!std::is_convertible_v<PolyId, std::uint32_t>);
    static_assert(PolyId{1} < PolyId{2});
}

}  // namespace
}  // namespace fairlead
