#include <fairlead/base/error.h>

#include <cctype>
#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

constexpr int kCodes = static_cast<int>(ErrorCode::count_);

TEST(Error, IsASmallPlainValue) {
    static_assert(sizeof(Error) <= 24);
    static_assert(std::is_trivially_copyable_v<Error>);
    EXPECT_EQ((Error{ErrorCode::text_value, 3, 4}), (Error{ErrorCode::text_value, 3, 4}));
    EXPECT_NE((Error{ErrorCode::text_value, 3, 4}), (Error{ErrorCode::text_value, 3, 5}));
}

TEST(Error, EveryCodeHasATextOfItsOwn) {
    std::set<std::string> texts;
    for (int i = 0; i < kCodes; ++i) {
        const std::string text = error_text(static_cast<ErrorCode>(i));
        EXPECT_NE(text, "unknown error") << "code " << i;
        EXPECT_GE(text.size(), 10U) << "code " << i;
        EXPECT_NE(text.back(), '.') << text;
        EXPECT_TRUE(texts.insert(text).second) << "twice: " << text;
    }
}

TEST(Error, EveryCodeHasASnakeCaseNameOfItsOwn) {
    std::set<std::string> names;
    for (int i = 0; i < kCodes; ++i) {
        const std::string name = error_name(static_cast<ErrorCode>(i));
        EXPECT_NE(name, "unknown") << "code " << i;
        for (const char c : name) {
            EXPECT_TRUE(std::islower(static_cast<unsigned char>(c)) != 0 || c == '_') << name;
        }
        EXPECT_TRUE(names.insert(name).second) << "twice: " << name;
    }
    EXPECT_STREQ(error_name(ErrorCode::out_of_memory), "out_of_memory");
    EXPECT_STREQ(error_name(ErrorCode::text_value), "text_value");
}

TEST(Error, NumbersThatAreNoCodeGiveUnknown) {
    for (const int i : {kCodes, kCodes + 1, 65535}) {
        EXPECT_STREQ(error_text(static_cast<ErrorCode>(i)), "unknown error");
        EXPECT_STREQ(error_name(static_cast<ErrorCode>(i)), "unknown");
    }
}

}  // namespace
}  // namespace fairlead
