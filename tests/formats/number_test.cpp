#include <fairlead/formats/number.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

std::string text_of(double value) {
    std::string out;
    append_number(out, value);
    return out;
}

std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

double from_bits(std::uint64_t bits) {
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(Number, PrintsTheShortestText) {
    EXPECT_EQ(text_of(0.0), "0");
    EXPECT_EQ(text_of(-0.0), "-0");
    EXPECT_EQ(text_of(42.5), "42.5");
    EXPECT_EQ(text_of(0.1), "0.1");
    EXPECT_EQ(text_of(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(text_of(1.0 / 3.0), "0.3333333333333333");
    EXPECT_EQ(text_of(-17.0), "-17");
    EXPECT_EQ(text_of(1e15), "1e+15");
    EXPECT_EQ(text_of(999999999999999.0), "999999999999999");
    EXPECT_EQ(text_of(1e300), "1e+300");
    EXPECT_EQ(text_of(5e-324), "5e-324");
    EXPECT_EQ(text_of(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
    EXPECT_EQ(text_of(std::sqrt(2.0)), "1.4142135623730951");
}

TEST(Number, NotFiniteIsNull) {
    EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "null");
    EXPECT_EQ(text_of(std::nan("")), "null");
}

void expect_reads_back(double value) {
    const std::string text = text_of(value);
    const std::optional<double> again = parse_number(text);
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_EQ(bits_of(*again), bits_of(value)) << text;
    EXPECT_LE(text.size(), 24U) << text;
}

TEST(Number, EveryDoubleReadsBack) {
    Rng rng(1);
    const int count = testing::trials(50000);
    for (int i = 0; i < count; ++i) {
        const double any = from_bits(rng.next());
        if (std::isfinite(any)) expect_reads_back(any);
        expect_reads_back(rng.between(-1e4, 1e4));
        expect_reads_back(static_cast<double>(rng.between(-1000000, 1000000)) / 64.0);
    }
    for (int exponent = -1074; exponent <= 1023; ++exponent) {
        const double power = std::ldexp(1.0, exponent);
        for (const double value : {power, std::nextafter(power, 0.0), std::nextafter(power, HUGE_VAL)}) {
            if (std::isfinite(value)) expect_reads_back(value);
        }
    }
}

// No shorter text of up to 15 digits names the number.
TEST(Number, NothingShorterReadsBack) {
    Rng rng(2);
    for (int i = 0; i < testing::trials(20000); ++i) {
        const double value = rng.between(-100.0, 100.0);
        const std::string text = text_of(value);
        std::size_t digits = 0;
        for (const char c : text) digits += c >= '0' && c <= '9' ? 1 : 0;
        if (digits > 15) continue;
        for (int shorter = 1; shorter + 1 < static_cast<int>(digits); ++shorter) {
            char buffer[320];
            std::snprintf(buffer, sizeof buffer, "%.*g", shorter, value);
            EXPECT_NE(std::strtod(buffer, nullptr), value) << text;
        }
    }
}

TEST(Number, Fixed) {
    std::string out;
    append_fixed(out, 2.0, 2);
    out += ' ';
    append_fixed(out, -0.126, 2);
    out += ' ';
    append_fixed(out, 1e300, 0);
    EXPECT_EQ(out.substr(0, 11), "2.00 -0.13 ");
    EXPECT_EQ(out.size(), 11U + 301U);
}

TEST(Number, ParsesWholeTextsOnly) {
    EXPECT_EQ(parse_number("1.5"), 1.5);
    EXPECT_EQ(parse_number("+1."), 1.0);
    EXPECT_EQ(parse_number("-.5e+2"), -50.0);
    EXPECT_EQ(parse_number("1e999"), std::numeric_limits<double>::infinity());
    for (const char* text :
         {"", " 1", "1 ", "1,5", "0x10", "inf", "nan", "1e", "e5", ".", "-", "--1", "1.2.3", "1e+"}) {
        EXPECT_FALSE(parse_number(text).has_value()) << text;
    }
    EXPECT_TRUE(parse_number(std::string(128, '1')).has_value());
    EXPECT_FALSE(parse_number(std::string(129, '1')).has_value());
    EXPECT_FALSE(parse_number(std::string_view("1\0", 2)).has_value());
}

TEST(Number, Integers) {
    EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
    EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
    for (const char* text : {"", "9223372036854775808", "+1", "1.0", " 1", "1 ", "0x1"}) {
        EXPECT_FALSE(parse_integer(text).has_value()) << text;
    }
    std::string out;
    append_number(out, INT64_MIN);
    append_number(out, UINT64_MAX);
    EXPECT_EQ(out, "-922337203685477580818446744073709551615");
}

// A program that sets a locale with a decimal comma must not change our files.
TEST(Number, KeepsThePointInOtherLocales) {
    const char* found = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"}) {
        found = found != nullptr ? found : std::setlocale(LC_NUMERIC, name);
    }
    if (found == nullptr) GTEST_SKIP() << "skipped: no locale with a decimal comma is installed";
    const std::string text = text_of(0.5);
    std::string fixed;
    append_fixed(fixed, 0.5, 2);
    const std::optional<double> value = parse_number("2.25");
    std::setlocale(LC_NUMERIC, "C");
    EXPECT_EQ(text, "0.5");
    EXPECT_EQ(fixed, "0.50");
    EXPECT_EQ(value, 2.25);
}

}  // namespace
}  // namespace fairlead::formats
