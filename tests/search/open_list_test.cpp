// The order laws of the open lists against sorted references.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/search/open_list.h>

#include "support/test_allocator.h"

namespace fairlead {
namespace {

TEST(HeapOpen, EmptyGivesNothing) {
    HeapOpen heap;
    std::uint32_t node = 7;
    EXPECT_FALSE(heap.pop(node));
    EXPECT_EQ(heap.floor(), kCostMax);
    EXPECT_EQ(heap.size(), 0U);
}

// f, then h in steps of 2^20, then the node: a total order, so pops are those of a sorted set.
TEST(HeapOpen, PopsInItsOrder) {
    HeapOpen heap;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng rng(seed);
        heap.reset();
        std::multiset<std::tuple<Cost, Cost, std::uint32_t>> reference;
        const std::uint32_t spread = 1 + rng.below(1000);
        for (int i = 0; i < 2000; ++i) {
            if (rng.below(100) < 60) {
                const Cost f = rng.below(spread);
                const Cost h = seed % 3 == 0 ? rng.next() : rng.below(1U << 22);
                const auto n = rng.below(500);
                ASSERT_TRUE(heap.push(f, h, n));
                reference.insert({f, std::min<Cost>(h >> 20, UINT32_MAX), n});
            } else {
                std::uint32_t node = 0;
                ASSERT_EQ(heap.floor(), reference.empty() ? kCostMax : std::get<0>(*reference.begin()));
                ASSERT_EQ(heap.pop(node), !reference.empty());
                if (reference.empty()) continue;
                ASSERT_EQ(node, std::get<2>(*reference.begin()));
                reference.erase(reference.begin());
            }
            ASSERT_EQ(heap.size(), reference.size());
        }
        while (!reference.empty()) {
            std::uint32_t node = 0;
            ASSERT_TRUE(heap.pop(node));
            ASSERT_EQ(node, std::get<2>(*reference.begin()));
            reference.erase(reference.begin());
        }
    }
}

TEST(HeapOpen, LargestCosts) {
    HeapOpen heap;
    ASSERT_TRUE(heap.push(kCostMax, kCostMax, UINT32_MAX));
    ASSERT_TRUE(heap.push(kCostMax - 1, kCostMax, 3));
    std::uint32_t node = 0;
    ASSERT_TRUE(heap.pop(node));
    EXPECT_EQ(node, 3U);
    ASSERT_TRUE(heap.pop(node));
    EXPECT_EQ(node, UINT32_MAX);
}

/// What BucketOpen promises, with a map of stacks.
class BucketReference {
  public:
    explicit BucketReference(std::int32_t bits) : bits_(bits) {}
    void push(Cost f, std::uint32_t node) {
        stacks_[f >> bits_].push_back(node);
        ++count_;
    }
    bool pop(std::uint32_t& node) {
        if (count_ == 0) return false;
        const auto first = stacks_.begin();
        node = first->second.back();
        first->second.pop_back();
        if (first->second.empty()) stacks_.erase(first);
        --count_;
        return true;
    }
    [[nodiscard]] Cost floor() const { return count_ == 0 ? kCostMax : stacks_.begin()->first << bits_; }
    [[nodiscard]] std::size_t size() const { return count_; }

  private:
    std::int32_t bits_;
    std::map<Cost, std::vector<std::uint32_t>> stacks_;
    std::size_t count_ = 0;
};

struct Mix {
    Cost forward;   ///< largest step of f above the floor
    Cost backward;  ///< largest step below it
    std::int32_t bits;
};

void compare_buckets(BucketOpen& open, const Mix& mix, std::uint64_t seed) {
    Rng rng(seed);
    open.set_width(mix.bits);
    open.reset();
    BucketReference reference(mix.bits);
    Cost now = rng.next() >> (1 + rng.below(62));
    for (int i = 0; i < 3000; ++i) {
        if (rng.below(100) < 55) {
            Cost f = now + (mix.forward == 0 ? 0 : rng.next() % mix.forward);
            if (mix.backward != 0 && rng.below(4) == 0) f = now - std::min(now, rng.next() % mix.backward);
            const auto node = static_cast<std::uint32_t>(i);
            ASSERT_TRUE(open.push(f, 0, node));
            reference.push(f, node);
        } else {
            ASSERT_EQ(open.floor(), reference.floor());
            std::uint32_t got = 0;
            std::uint32_t expected = 0;
            const bool some = reference.pop(expected);
            ASSERT_EQ(open.pop(got), some);
            ASSERT_EQ(got, some ? expected : 0) << "seed " << seed << " step " << i;
            if (some && reference.size() > 0) now = std::max(now, reference.floor());
        }
        ASSERT_EQ(open.size(), reference.size());
    }
    std::uint32_t got = 0;
    std::uint32_t expected = 0;
    while (reference.pop(expected)) {
        ASSERT_TRUE(open.pop(got));
        ASSERT_EQ(got, expected);
    }
    ASSERT_FALSE(open.pop(got));
}

TEST(BucketOpen, LastInFirstOutOfTheLowestBucket) {
    BucketOpen open;
    const Mix mixes[] = {{0, 0, 0}, {3, 0, 0}, {1000, 0, 4}, {Cost{1} << 36, 0, 31}, {Cost{1} << 40, 0, 31}};
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        for (const Mix& mix : mixes) {
            compare_buckets(open, mix, seed);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(BucketOpen, FallingCosts) {
    BucketOpen open;
    const Mix mixes[] = {{10, 10, 0}, {1000, 5000, 2}, {0, 1 << 20, 10}, {Cost{1} << 36, Cost{1} << 33, 31}};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        for (const Mix& mix : mixes) {
            compare_buckets(open, mix, seed);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(BucketOpen, TheRingGrowsAroundWhatItHolds) {
    // Entries in the middle of the ring, then one further and further ahead.
    for (std::uint64_t first = 0; first < 130; ++first) {
        BucketOpen open;
        open.set_width(0);
        open.reset();
        BucketReference reference(0);
        std::uint32_t node = 0;
        const auto push = [&](Cost f) {
            ASSERT_TRUE(open.push(f, 0, node));
            reference.push(f, node);
            ++node;
        };
        for (Cost f = first; f < first + 63; f += 3) push(f);
        for (Cost ahead = 64; ahead <= 1 << 16; ahead *= 2) {
            push(first + ahead);
            push(first + ahead - 1);
        }
        std::uint32_t got = 0;
        std::uint32_t expected = 0;
        while (reference.pop(expected)) {
            ASSERT_TRUE(open.pop(got));
            ASSERT_EQ(got, expected) << "first " << first;
        }
    }
}

TEST(BucketOpen, ASpanPastTheLimitIsRefusedAndNothingIsLost) {
    BucketOpen open;
    open.set_width(0);
    open.reset();
    ASSERT_TRUE(open.push(5, 0, 1));
    EXPECT_FALSE(open.push(Cost{1} << 40, 0, 2));
    std::uint32_t node = 0;
    ASSERT_TRUE(open.pop(node));
    EXPECT_EQ(node, 1U);
    EXPECT_FALSE(open.pop(node));
    EXPECT_TRUE(open.push(Cost{1} << 40, 0, 2));  // alone it is fine: the ring starts there
}

template <class Open>
void fill_under_failures() {
    for (std::int64_t allowed = 0; allowed < 40; ++allowed) {
        testing::TestAllocator memory;
        memory.fail_from_call = allowed;
        {
            Open open{memory.allocator()};
            open.reset();
            std::uint32_t pushed = 0;
            while (pushed < 5000 && open.push(Cost{pushed} << 31, 0, pushed)) ++pushed;
            ASSERT_EQ(open.size(), pushed);
            for (std::uint32_t i = 0; i < pushed; ++i) {
                std::uint32_t node = 0;
                ASSERT_TRUE(open.pop(node));
                ASSERT_EQ(node, i);
            }
            memory.fail_from_call = -1;
            open.reset();
            ASSERT_TRUE(open.push(1, 1, 9));
            std::uint32_t node = 0;
            ASSERT_TRUE(open.pop(node));
            ASSERT_EQ(node, 9U);
        }
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    }
}

TEST(OpenLists, AFailedPushLosesNothing) {
    fill_under_failures<HeapOpen>();
    fill_under_failures<BucketOpen>();
}

TEST(OpenLists, WarmOnesDoNotAllocate) {
    testing::TestAllocator memory;
    HeapOpen heap{memory.allocator()};
    BucketOpen buckets{memory.allocator()};
    std::int64_t warm = 0;
    for (int round = 0; round < 3; ++round) {
        heap.reset();
        buckets.reset();
        for (std::uint32_t i = 0; i < 1000; ++i) {
            ASSERT_TRUE(heap.push(i * 77 % 1000, i, i));
            ASSERT_TRUE(buckets.push(Cost{i} << 30, i, i));
        }
        if (round == 0) warm = memory.calls;
    }
    EXPECT_EQ(memory.calls, warm);
}

// Once a larger ring let its first entry stand farther up, and then had to grow for the same pushes.
TEST(OpenLists, AWarmRingNeverGrowsWhereANewOneDidNot) {
    testing::TestAllocator memory;
    BucketOpen open{memory.allocator()};
    open.set_width(0);
    const auto search = [&] {
        open.reset();
        for (Cost f = 100; f <= 220; f += 5) ASSERT_TRUE(open.push(f, 0, 1));
    };
    search();
    const auto warm = memory.calls;
    search();
    EXPECT_EQ(memory.calls, warm);
}

}  // namespace
}  // namespace fairlead
