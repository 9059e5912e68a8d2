#include <fairlead/base/array.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/test_allocator.h"

namespace fairlead {
namespace {

using testing::TestAllocator;

std::vector<int> contents(const Array<int>& array) { return {array.begin(), array.end()}; }

TEST(Array, StartsEmptyWithoutMemory) {
    TestAllocator memory;
    Array<int> array(memory.allocator());
    EXPECT_TRUE(array.empty());
    EXPECT_EQ(array.size(), 0U);
    EXPECT_EQ(array.bytes(), 0U);
    EXPECT_EQ(memory.calls, 0);
}

TEST(Array, PushBackKeepsOrderOverManyGrowths) {
    Array<int> array;
    for (int i = 0; i < 10000; ++i) ASSERT_TRUE(array.push_back(i));
    ASSERT_EQ(array.size(), 10000U);
    for (int i = 0; i < 10000; ++i) ASSERT_EQ(array[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(array.back(), 9999);
}

TEST(Array, GrowsGeometrically) {
    TestAllocator memory;
    Array<int> array(memory.allocator());
    for (int i = 0; i < 100000; ++i) ASSERT_TRUE(array.push_back(i));
    EXPECT_LE(memory.calls, 20);
}

TEST(Array, PushBackOfOwnElementWhileGrowing) {
    Array<int> array;
    ASSERT_TRUE(array.reserve(1));
    ASSERT_TRUE(array.push_back(41));
    ASSERT_EQ(array.size(), array.capacity());
    ASSERT_TRUE(array.push_back(array[0]));
    EXPECT_EQ(contents(array), (std::vector<int>{41, 41}));
}

TEST(Array, ResizeGivesZeroBytesAlsoWhereOldElementsLay) {
    Array<int> array;
    ASSERT_TRUE(array.assign(std::vector<int>{1, 2, 3, 4}));
    ASSERT_TRUE(array.resize(1));
    ASSERT_TRUE(array.resize(3));
    EXPECT_EQ(contents(array), (std::vector<int>{1, 0, 0}));
}

TEST(Array, ResizeUninitializedKeepsTheFront) {
    Array<int> array;
    ASSERT_TRUE(array.assign(std::vector<int>{1, 2}));
    ASSERT_TRUE(array.resize_uninitialized(100));
    EXPECT_EQ(array[0], 1);
    EXPECT_EQ(array[1], 2);
}

TEST(Array, ReserveLeavesRoomForPointersToStay) {
    Array<int> array;
    ASSERT_TRUE(array.reserve(50));
    const int* before = array.data();
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(array.push_back(i));
    EXPECT_EQ(array.data(), before);
}

TEST(Array, AssignOfNothingEmpties) {
    Array<int> array;
    ASSERT_TRUE(array.push_back(1));
    ASSERT_TRUE(array.assign({}));
    EXPECT_TRUE(array.empty());
}

TEST(Array, MoveTakesTheMemoryAndLeavesNothing) {
    TestAllocator memory;
    {
        Array<int> from(memory.allocator());
        ASSERT_TRUE(from.assign(std::vector<int>{1, 2, 3}));
        const int* data = from.data();
        Array<int> to(std::move(from));
        EXPECT_EQ(to.data(), data);
        EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move): a moved-from array is empty

        Array<int> third(memory.allocator());
        ASSERT_TRUE(third.push_back(9));
        third = std::move(to);
        EXPECT_EQ(contents(third), (std::vector<int>{1, 2, 3}));
        EXPECT_EQ(memory.live_blocks, 1);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

TEST(Array, MoveToItselfKeepsTheContents) {
    Array<int> array;
    ASSERT_TRUE(array.push_back(5));
    Array<int>& same = array;
    array = std::move(same);
    EXPECT_EQ(contents(array), (std::vector<int>{5}));
}

TEST(Array, SpanSeesTheElements) {
    Array<int> array;
    ASSERT_TRUE(array.resize(4));
    std::span<int> span = array.span();
    std::iota(span.begin(), span.end(), 3);
    EXPECT_EQ(contents(array), (std::vector<int>{3, 4, 5, 6}));
    const std::span<const int> converted = array;
    EXPECT_EQ(converted.data(), array.data());
}

TEST(Array, FreeMemoryGivesItBack) {
    TestAllocator memory;
    Array<int> array(memory.allocator());
    ASSERT_TRUE(array.resize(1000));
    EXPECT_GE(memory.live_bytes, 4000);
    array.free_memory();
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(array.capacity(), 0U);
    ASSERT_TRUE(array.push_back(1));
}

TEST(Array, EveryOperationSurvivesAFailingAllocator) {
    TestAllocator memory;
    Array<int> array(memory.allocator());
    ASSERT_TRUE(array.assign(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
    ASSERT_EQ(array.size(), array.capacity());
    memory.fail_from_call = memory.calls;
    EXPECT_FALSE(array.push_back(9));
    EXPECT_FALSE(array.reserve(100));
    EXPECT_FALSE(array.resize(100));
    EXPECT_FALSE(array.resize_uninitialized(100));
    EXPECT_FALSE(array.assign(std::vector<int>(100, 7)));
    EXPECT_EQ(contents(array), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));

    memory.fail_from_call = -1;
    EXPECT_TRUE(array.push_back(9));
    EXPECT_EQ(array.size(), 9U);
}

TEST(Array, AbsurdSizesFailWithoutAskingTheAllocator) {
    TestAllocator memory;
    Array<std::uint64_t> array(memory.allocator());
    for (const std::size_t count :
         {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 8 + 1, SIZE_MAX / 16 + 1}) {
        EXPECT_FALSE(array.reserve(count)) << count;
        EXPECT_FALSE(array.resize(count)) << count;
    }
    EXPECT_EQ(memory.calls, 0);
}

TEST(Array, RespectsAlignment) {
    struct alignas(64) Line {
        std::uint64_t words[8];
    };
    Array<Line> array;
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(array.push_back(Line{}));
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
    }
}

TEST(Allocator, SystemAllocatorGivesAlignedMemoryAndRefusesWhatWraps) {
    const Allocator allocator;
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        void* memory = allocator.allocate(100, alignment, allocator.user);
        ASSERT_NE(memory, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0U);
        allocator.release(memory, 100, alignment, allocator.user);
    }
    EXPECT_EQ(allocator.allocate(SIZE_MAX - 8, 64, allocator.user), nullptr);
}

}  // namespace
}  // namespace fairlead
