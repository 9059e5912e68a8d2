// Node stores against std::map, over many queries, growth, worn-out stamps and failed allocations.

#include <gtest/gtest.h>

#include <map>

#include <fairlead/base/rng.h>
#include <fairlead/search/node_store.h>

#include "support/test_allocator.h"

namespace fairlead {
namespace {

constexpr std::uint32_t kStates = 50000;

template <class Store>
Store make_store(const Allocator& allocator = {}) {
    return Store(allocator);
}
template <>
PagedNodes make_store<PagedNodes>(const Allocator& allocator) {
    PagedNodes store(allocator);
    EXPECT_TRUE(store.resize(kStates));
    return store;
}

// One query: states are met, written and read back; what the query before wrote must not show.
template <class Store>
void one_query(Store& store, Rng& rng, std::uint32_t count) {
    store.reset();
    std::map<std::uint32_t, std::pair<std::uint32_t, Cost>> reference;
    const std::uint32_t range = 1 + rng.below(kStates);
    for (std::uint32_t i = 0; i < count; ++i) {
        // Neighbouring states, as in a search, and some far ones.
        const std::uint32_t state = rng.below(4) == 0 ? rng.below(range) : (i * 3 + rng.below(3)) % range;
        const auto known = reference.find(state);
        const std::uint32_t seen = store.find(state);
        ASSERT_EQ(seen == kNoNode, known == reference.end());
        bool added = false;
        const std::uint32_t node = store.find_or_add(state, added);
        ASSERT_NE(node, kNoNode);
        ASSERT_EQ(added, known == reference.end());
        ASSERT_EQ(store.state_of(node), state);
        if (added) {
            ASSERT_EQ(store[node].closed, 0U);
            store[node].g = rng.next();
            store[node].parent = i;
            store[node].tag = i & 0xffU;
            store[node].closed = 1;
            reference[state] = {node, store[node].g};
        } else {
            ASSERT_EQ(node, known->second.first);
            ASSERT_EQ(store[node].g, known->second.second);
            ASSERT_EQ(store[node].closed, 1U);
        }
    }
    for (const auto& [state, value] : reference) {
        ASSERT_EQ(store.find(state), value.first);
        ASSERT_EQ(store[value.first].g, value.second);
    }
}

template <class Store>
void many_queries() {
    Store store = make_store<Store>();
    Rng rng(3);
    for (int i = 0; i < 300; ++i) {
        one_query(store, rng, i % 50 == 49 ? 20000 : rng.below(800));
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(PagedNodes, AsAMap) { many_queries<PagedNodes>(); }
TEST(HashedNodes, AsAMap) { many_queries<HashedNodes>(); }

TEST(HashedNodes, AnyStateNumber) {
    HashedNodes store;
    store.reset();
    bool added = false;
    for (const std::uint32_t state : {0U, UINT32_MAX, UINT32_MAX - 1, 1U << 31, 0x9e3779b9U}) {
        EXPECT_EQ(store.find(state), kNoNode);
        const std::uint32_t node = store.find_or_add(state, added);
        EXPECT_TRUE(added);
        EXPECT_EQ(store.find(state), node);
        EXPECT_EQ(store.state_of(node), state);
    }
}

// The stamp has 23 bits: after 8,388,607 queries it starts again. A node from the first lap must not look new.
TEST(PagedNodes, WornOutStampsSlow) {
    PagedNodes store = make_store<PagedNodes>();
    bool added = false;
    store.reset();
    ASSERT_EQ(store.find_or_add(77, added), 77U);
    ASSERT_TRUE(added);
    for (std::uint32_t lap = 0; lap < 2; ++lap) {
        for (std::uint32_t i = 0; i < (1U << 23) + 5; ++i) {
            store.reset();
            ASSERT_EQ(store.find(77), kNoNode) << "lap " << lap << " reset " << i;
            if (i == 3) {
                (void)store.find_or_add(77, added);
                ASSERT_TRUE(added);
                ASSERT_EQ(store.find(77), 77U);
            }
        }
    }
}

TEST(PagedNodes, PagesAreMadeWhenMet) {
    testing::TestAllocator memory;
    {
        PagedNodes store(memory.allocator());
        ASSERT_TRUE(store.resize(std::uint64_t{1} << 28));
        const std::int64_t table = memory.live_bytes;
        store.reset();
        bool added = false;
        ASSERT_NE(store.find_or_add(200000000, added), kNoNode);
        EXPECT_EQ(memory.live_bytes, table + 4096 * 16);
        ASSERT_NE(store.find_or_add(200000001, added), kNoNode);
        EXPECT_EQ(memory.live_bytes, table + 4096 * 16);
        EXPECT_EQ(store.bytes(), static_cast<std::size_t>(memory.live_bytes));
        PagedNodes moved = std::move(store);
        EXPECT_EQ(moved.find(200000000), 200000000U);
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

template <class Store>
void under_failures() {
    for (std::int64_t allowed = 1; allowed < 24; ++allowed) {
        testing::TestAllocator memory;
        {
            Store store = make_store<Store>(memory.allocator());
            memory.fail_from_call = allowed;
            store.reset();
            std::uint32_t met = 0;
            bool added = false;
            while (met < kStates && store.find_or_add(met, added) != kNoNode) ++met;
            for (std::uint32_t i = 0; i < met; ++i) ASSERT_NE(store.find(i), kNoNode);
            ASSERT_TRUE(met == kStates || store.find(met) == kNoNode);
            memory.fail_from_call = -1;
            store.reset();
            for (std::uint32_t i = 0; i < kStates; ++i) {
                ASSERT_NE(store.find_or_add(i, added), kNoNode);
                ASSERT_TRUE(added);
            }
        }
        ASSERT_EQ(memory.live_blocks, 0);
        ASSERT_EQ(memory.live_bytes, 0);
    }
}

TEST(NodeStores, AFailedAllocationLosesNothing) {
    under_failures<PagedNodes>();
    under_failures<HashedNodes>();
}

}  // namespace
}  // namespace fairlead
