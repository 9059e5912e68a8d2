#include <fairlead/base/result.h>

#include <memory>
#include <utility>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

/// Counts its living copies, to see that each is destroyed once.
struct Counted {
    explicit Counted(int* alive) : alive_(alive) { ++*alive_; }
    Counted(Counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    Counted& operator=(Counted&&) = delete;
    ~Counted() { --*alive_; }
    int* alive_;
};

TEST(Result, HoldsAValue) {
    Result<int> result = 7;
    ASSERT_TRUE(result);
    EXPECT_TRUE(result.has_value());
    EXPECT_EQ(*result, 7);
    EXPECT_EQ(result.value(), 7);
    *result = 8;
    EXPECT_EQ(std::as_const(result).value(), 8);
}

TEST(Result, HoldsAnError) {
    const Result<int> result = Error{ErrorCode::size_limit, 2, 99};
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error(), (Error{ErrorCode::size_limit, 2, 99}));
}

TEST(Result, MovesAMoveOnlyValueInAndOut) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
    ASSERT_TRUE(result);
    EXPECT_EQ(**result, 5);
    const std::unique_ptr<int> taken = *std::move(result);
    EXPECT_EQ(*taken, 5);
}

TEST(Result, ArrowReachesMembers) {
    const Result<std::pair<int, int>> result = std::pair{1, 2};
    EXPECT_EQ(result->first, 1);
    EXPECT_EQ(result->second, 2);
}

TEST(Result, DestroysItsValueOnceOnEveryWay) {
    int alive = 0;
    {
        Result<Counted> a = Counted(&alive);
        EXPECT_EQ(alive, 1);
        Result<Counted> b = std::move(a);
        EXPECT_EQ(alive, 2);  // the moved-from value lives on in a
        Result<Counted> c = Error{ErrorCode::not_finite};
        c = std::move(b);  // error -> value
        EXPECT_TRUE(c);
        c = Result<Counted>(Error{ErrorCode::not_finite});  // value -> error
        EXPECT_FALSE(c);
        EXPECT_EQ(alive, 2);
        c = Result<Counted>(Counted(&alive));
        Result<Counted>& same = c;
        c = std::move(same);
        EXPECT_EQ(alive, 3);
    }
    EXPECT_EQ(alive, 0);
}

TEST(ResultOfVoid, IsSuccessOrError) {
    const Result<void> good;
    EXPECT_TRUE(good);
    const Result<void> bad = Error{ErrorCode::unknown_id, 0, 12};
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::unknown_id);
    EXPECT_EQ(bad.error().detail, 12);
}

}  // namespace
}  // namespace fairlead
