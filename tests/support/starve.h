// Sweeps over failing allocations: the first, the second, ... fails, alone or with all later ones.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>

#include <fairlead/base/error.h>

#include "support/test_allocator.h"

namespace fairlead::testing {

/// One allocation fails, or that and all later ones.
inline constexpr bool kOnceAndForEver[] = {true, false};

/// Calls work() with allocation 0, 1, ... failing until none fails any more. A call that fails gives out_of_memory; one that can
/// do without what it did not get succeeds. after(done) sees what each starved call gave, with memory there again. Returns how
/// many there were.
template <class Work, class After>
std::int64_t starve(TestAllocator& memory, bool once, Work work, After after) {
    for (std::int64_t n = 0;; ++n) {
        memory.fail_after(n, once);
        const auto done = work();
        const bool starved = memory.feed();
        if (done.has_value() && !starved) return n;
        EXPECT_TRUE(starved) << "an error with memory: " << error_name(done.error().code);
        if (!starved) return n;
        if (!done.has_value()) {
            EXPECT_EQ(done.error().code, ErrorCode::out_of_memory) << error_name(done.error().code);
        }
        after(done);
        if (::testing::Test::HasFailure()) {
            ADD_FAILURE() << "allocation " << n << (once ? " alone" : " and all later ones");
            return n;
        }
    }
}

}  // namespace fairlead::testing
