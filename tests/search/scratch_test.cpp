// Scratch: one object a type, given back in full, no leak when memory runs out.

#include <gtest/gtest.h>

#include <utility>

#include <fairlead/search/scratch.h>

#include "support/test_allocator.h"

namespace fairlead {
namespace {

template <int kNumber>
struct Buffer {
    explicit Buffer(const Allocator& allocator) : values(allocator) {}
    Array<int> values;
};

struct alignas(128) Wide {
    explicit Wide(const Allocator&) {}
    double lanes[16] = {};
};

TEST(Scratch, OneObjectAType) {
    testing::TestAllocator memory;
    {
        Scratch scratch(memory.allocator());
        auto* one = scratch.get<Buffer<1>>();
        auto* two = scratch.get<Buffer<2>>();
        ASSERT_TRUE(one != nullptr && two != nullptr);
        EXPECT_NE(static_cast<void*>(one), static_cast<void*>(two));
        ASSERT_TRUE(one->values.push_back(4));
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(scratch.get<Buffer<1>>(), one);
            EXPECT_EQ(scratch.get<Buffer<2>>(), two);
        }
        EXPECT_EQ(one->values[0], 4);
        auto* wide = scratch.get<Wide>();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide) % alignof(Wide), 0U);
        Scratch moved = std::move(scratch);
        EXPECT_EQ(moved.get<Buffer<1>>(), one);
        moved.free_memory();
        EXPECT_EQ(memory.live_blocks, 0);
        auto* again = moved.get<Buffer<1>>();
        ASSERT_NE(again, nullptr);
        EXPECT_TRUE(again->values.empty());
        Scratch other(memory.allocator());
        (void)other.get<Buffer<3>>();
        other = std::move(moved);
        EXPECT_EQ(other.get<Buffer<1>>(), again);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

TEST(Scratch, ObjectsStayWhereTheyAreWhenMoreCome) {
    Scratch scratch;
    auto* first = scratch.get<Buffer<100>>();
    [&]<int... kNumbers>(std::integer_sequence<int, kNumbers...>) {
        EXPECT_TRUE(((scratch.get<Buffer<kNumbers>>() != nullptr) && ...));
    }
    (std::make_integer_sequence<int, 40>());
    EXPECT_EQ(scratch.get<Buffer<100>>(), first);
}

TEST(Scratch, NullWhenMemoryRunsOut) {
    for (std::int64_t allowed = 0; allowed < 8; ++allowed) {
        testing::TestAllocator memory;
        memory.fail_from_call = allowed;
        {
            Scratch scratch(memory.allocator());
            Buffer<1>* one = scratch.get<Buffer<1>>();
            Buffer<2>* two = scratch.get<Buffer<2>>();
            EXPECT_TRUE(allowed > 0 || one == nullptr);
            memory.fail_from_call = -1;
            ASSERT_NE(scratch.get<Buffer<1>>(), nullptr);
            ASSERT_NE(scratch.get<Buffer<2>>(), nullptr);
            EXPECT_TRUE(one == nullptr || scratch.get<Buffer<1>>() == one);
            EXPECT_TRUE(two == nullptr || scratch.get<Buffer<2>>() == two);
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
    }
}

}  // namespace
}  // namespace fairlead
