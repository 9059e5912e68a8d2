#include <fairlead/base/assert.h>

#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>

namespace fairlead {
namespace {

int g_handler_tag = 0;

void report(const char* condition, const char* file, int line, void* user) {
    const char* name = std::strrchr(file, '/');
    std::fprintf(stderr, "caught <%s> in %s, line %s, user %s\n", condition,
                 name != nullptr ? name + 1 : file, line > 0 ? "known" : "unknown",
                 user == &g_handler_tag ? "kept" : "lost");
}

TEST(AssertDeathTest, HandlerGetsConditionPlaceAndUserThenTheProgramEnds) {
    EXPECT_DEATH(
        {
            set_assert_handler({&report, &g_handler_tag});
            FAIRLEAD_ASSERT(1 + 1 == 3);
        },
        "caught <1 \\+ 1 == 3> in assert_test.cpp, line known, user kept");
}

TEST(AssertDeathTest, EndsWithoutAHandlerToo) {
    EXPECT_EXIT(FAIRLEAD_ASSERT(false), ::testing::KilledBySignal(SIGABRT), "");
}

TEST(AssertDeathTest, ReadingTheWrongHalfOfAResult) {
    const Result<int> bad = Error{ErrorCode::size_zero};
    const Result<int> good = 3;
    EXPECT_DEATH((void)*bad, "");
    EXPECT_DEATH((void)good.error(), "");
    EXPECT_DEATH((void)Result<void>().error(), "");
}

#if !defined(NDEBUG)
TEST(AssertDeathTest, DebugBuildsCheckIndices) {
    Array<int> array;
    EXPECT_DEATH((void)array[0], "");
    EXPECT_DEATH((void)array.back(), "");
    EXPECT_DEATH(array.pop_back(), "");
}
#endif

TEST(Assert, SetReturnsTheOldHandler) {
    const AssertHandler before = set_assert_handler({&report, &g_handler_tag});
    const AssertHandler ours = set_assert_handler(before);
    EXPECT_EQ(ours.failed, &report);
    EXPECT_EQ(ours.user, &g_handler_tag);
}

TEST(Assert, TrueConditionsAreEvaluatedOnceAndSilent) {
    int evaluated = 0;
    FAIRLEAD_ASSERT(++evaluated == 1);
    EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace fairlead
