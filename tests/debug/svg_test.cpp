// The SVG writer: well-formed whatever it is given, the same bytes everywhere, one path for one shape.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <fairlead/base/digest.h>
#include <fairlead/base/rng.h>
#include <fairlead/debug/debug.h>

#include "debug/text_buffer.h"
#include "support/test_allocator.h"
#include "support/xml_check.h"

namespace fairlead::debug {
namespace {

using testing::XmlCheck;

std::string finish(SvgWriter& svg) {
    const Result<std::span<const char>> text = svg.finish();
    EXPECT_TRUE(text.has_value());
    return text ? std::string{text.value().data(), text.value().size()} : std::string{};
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

std::string number(double value, int decimals) {
    Array<char> chars;
    bool failed = false;
    TextBuffer{chars, failed}.add_number(value, decimals);
    EXPECT_FALSE(failed);
    return {chars.data(), chars.size()};
}

std::string hundredths(double value) {
    Array<char> chars;
    bool failed = false;
    TextBuffer{chars, failed}.add_hundredths(to_hundredths(value));
    return {chars.data(), chars.size()};
}

TEST(Numbers, FixedDecimals) {
    EXPECT_EQ(number(0, 4), "0");
    EXPECT_EQ(number(-0.0, 4), "0");
    EXPECT_EQ(number(1.5, 4), "1.5");
    EXPECT_EQ(number(-2.00004, 4), "-2");
    EXPECT_EQ(number(-2.03125, 4), "-2.0313");
    EXPECT_EQ(number(-0.00001, 4), "0");
    EXPECT_EQ(number(0.99999, 4), "1");
    EXPECT_EQ(number(9.99999, 4), "10");
    EXPECT_EQ(number(3.7, 0), "4");
    EXPECT_EQ(number(0.000000001, 9), "0.000000001");
    EXPECT_EQ(number(123456789.125, 3), "123456789.125");
    EXPECT_EQ(number(1e300, 3), "9000000000000000");
    EXPECT_EQ(number(-std::numeric_limits<double>::infinity(), 3), "-9000000000000000");
    EXPECT_EQ(number(std::numeric_limits<double>::quiet_NaN(), 3), "0");
}

TEST(Numbers, ReadBackWithinHalfAUnit) {
    Rng rng{5};
    for (int i = 0; i < 20000; ++i) {
        const double value = (rng.unit() - 0.5) * std::pow(10.0, rng.between(-6, 9));
        const int decimals = rng.between(0, 9);
        const double back = std::stod(number(value, decimals));
        ASSERT_LE(std::abs(back - value), 0.5 * std::pow(10.0, -decimals) + 1e-6 * 1e-9 * std::abs(value))
            << value;
        ASSERT_LE(std::abs(std::stod(hundredths(value)) - value), 0.005 + 1e-9) << value;
    }
}

TEST(Numbers, Hundredths) {
    EXPECT_EQ(hundredths(0), "0");
    EXPECT_EQ(hundredths(0.5), ".5");
    EXPECT_EQ(hundredths(-0.25), "-.25");
    EXPECT_EQ(hundredths(12.3), "12.3");
    EXPECT_EQ(hundredths(12.004), "12");
    EXPECT_EQ(hundredths(-7.05), "-7.05");
    EXPECT_EQ(hundredths(std::numeric_limits<double>::quiet_NaN()), "0");
    EXPECT_EQ(hundredths(1e300), "10000000000");
}

TEST(Svg, EmptyPicture) {
    SvgWriter svg{{.bounds = {{0, 0}, {4, 2}}, .width = 416, .margin = 8}};
    EXPECT_EQ(finish(svg),
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 416 216\" width=\"416\" "
              "height=\"216\" role=\"img\" "
              "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
              "font-family=\"Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif\">\n"
              "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n</svg>\n");
    EXPECT_EQ(finish(svg).size(), finish(svg).size());  // finishing twice changes nothing
}

TEST(Svg, PlacesPointsByBoundsMarginAndDirection) {
    for (const bool y_up : {false, true}) {
        SvgWriter svg{{.bounds = {{10, 20}, {20, 25}}, .width = 120, .margin = 10, .y_up = y_up}};
        EXPECT_EQ(svg.sink().point, 0.1);
        draw_line(svg.sink(), {10, 20, 0}, {20, 22, 0}, {});
        const std::string text = finish(svg);
        EXPECT_NE(text.find(y_up ? "d=\"M10 60l100-20\"" : "d=\"M10 10l100 20\""), std::string::npos) << text;
    }
}

TEST(Svg, OnePathForOneShape) {
    SvgWriter svg{{.bounds = {{0, 0}, {100, 100}}, .width = 100, .margin = 0, .background = kNoFill}};
    const Sink sink = svg.sink();
    const Fill gray{rgb(0x808080)};
    const Aabb boxes[] = {{{0, 0}, {1, 1}}, {{1, 0}, {2, 1}}};
    draw_boxes(sink, std::span{boxes}, 0, gray);
    draw_boxes(sink, std::span{boxes}, 0, gray);
    const std::array<Vec3, 3> left = {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}}};
    const std::array<Vec3, 3> right = {{{4, 4, 0}, {4, 0, 0}, {0, 0, 0}}};
    draw_polygon(sink, left, gray);
    draw_polygon(sink, right, gray);
    draw_line(sink, {0, 0, 0}, {1, 0, 0}, {});
    draw_line(sink, {1, 0, 0}, {1, 1, 0}, {});
    draw_line(sink, {5, 5, 0}, {6, 6, 0}, {.color = rgb(0xff0000)});
    const std::string text = finish(svg);
    EXPECT_EQ(count(text, "<path"), 3U);
    // Both triangles wind the same way, as the boxes do.
    EXPECT_NE(text.find("M0 0h4v4zM0 0h4v4z"), std::string::npos) << text;
    EXPECT_NE(text.find("M0 0h1v1h-1z"), std::string::npos);
    // A line that goes on from the last point needs no move.
    EXPECT_NE(text.find("d=\"M0 0h1v1\""), std::string::npos) << text;
    EXPECT_EQ(XmlCheck::run(text), "");
}

TEST(Svg, ShapesWindTheSameWayWithYUpToo) {
    SvgWriter svg{
        {.bounds = {{0, 0}, {10, 10}}, .width = 10, .margin = 0, .y_up = true, .background = kNoFill}};
    const std::array<Vec3, 3> counter_clockwise = {{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}}};
    draw_polygon(svg.sink(), counter_clockwise, {});
    const Aabb box{{0, 0}, {1, 1}};
    draw_boxes(svg.sink(), std::span{&box, 1}, 0, {});
    const std::string text = finish(svg);
    // Clockwise on the page, both: right, then down.
    EXPECT_NE(text.find("M4 6v4h-4z"), std::string::npos) << text;
    EXPECT_NE(text.find("M0 9h1v1h-1z"), std::string::npos) << text;
}

TEST(Svg, EscapesTextAndNames) {
    SvgWriter svg{{.title = "a < b & \"c\"", .description = "d > 'e'\x01"}};
    draw_text(svg.sink(), {0, 0, 0}, "<script>&\x02\xff caf\xc3\xa9 \xe2\x86\x92", {});
    { const Group group{svg.sink(), "a b\"<>&c"}; }
    const std::string text = finish(svg);
    EXPECT_EQ(XmlCheck::run(text), "") << text;
    EXPECT_NE(text.find("<title>a &lt; b &amp; &quot;c&quot;</title>"), std::string::npos);
    EXPECT_NE(text.find("<desc>d &gt; &#39;e&#39;?</desc>"), std::string::npos);
    EXPECT_NE(text.find("&lt;script&gt;&amp;?? caf\xc3\xa9 \xe2\x86\x92</text>"), std::string::npos);
    EXPECT_NE(text.find("<g class=\"a-b----c\">"), std::string::npos);
}

TEST(Svg, Utf8Lengths) {
    EXPECT_EQ(utf8_length(""), 0);
    EXPECT_EQ(utf8_length("a"), 1);
    EXPECT_EQ(utf8_length("\xc3\xa9"), 2);
    EXPECT_EQ(utf8_length("\xe2\x86\x92"), 3);
    EXPECT_EQ(utf8_length("\xf0\x9f\x9a\xa2"), 4);
    for (const char* bad :
         {"\x80", "\xc3", "\xc1\xa9", "\xe2\x86", "\xe0\x80\x80", "\xed\xa0\x80", "\xef\xbf\xbf",
          "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
        EXPECT_EQ(utf8_length(bad), 0);
    }
}

TEST(Svg, RandomBytesAsTextStayWellFormed) {
    Rng rng{11};
    for (int i = 0; i < 500; ++i) {
        std::string noise;
        for (int k = rng.between(0, 40); k > 0; --k) noise += static_cast<char>(1 + rng.below(255));
        SvgWriter svg{{.title = noise.c_str(), .description = noise.c_str()}};
        draw_text(svg.sink(), {0, 0, 0}, noise.c_str(), {.anchor = Anchor::end, .bold = true, .halo = true});
        { const Group group{svg.sink(), noise.c_str()}; }
        ASSERT_EQ(XmlCheck::run(finish(svg)), "");
    }
}

TEST(Svg, ClippedAndUnfinishedGroupsClose) {
    SvgWriter svg{{.bounds = {{0, 0}, {10, 10}}, .width = 10, .margin = 0}};
    const Sink sink = svg.sink();
    sink.begin_group({.name = "outer", .clip = {{1, 2}, {4, 8}}}, sink.user);
    sink.begin_group({.name = "inner"}, sink.user);
    draw_line(sink, {0, 0, 0}, {1, 1, 0}, {});
    sink.end_group(sink.user);
    const std::string text = finish(svg);
    EXPECT_EQ(XmlCheck::run(text), "") << text;
    EXPECT_NE(text.find("<svg x=\"1\" y=\"2\" width=\"3\" height=\"6\" viewBox=\"1 2 3 6\">"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("</svg></g>\n</svg>"), std::string::npos) << text;
}

TEST(Svg, EndWithoutBeginIsHarmless) {
    SvgWriter svg;
    const Sink sink = svg.sink();
    sink.end_group(sink.user);
    EXPECT_EQ(XmlCheck::run(finish(svg)), "");
}

TEST(Svg, NotANumberAndHugeCoordinatesStayWellFormed) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double huge = 1e300;
    SvgWriter svg;
    const std::array<Vec3, 3> points = {{{nan, 0, 0}, {huge, -huge, 0}, {1, nan, 0}}};
    draw_polyline(svg.sink(), points, {});
    draw_polygon(svg.sink(), points, {});
    draw_circle(svg.sink(), {nan, huge, 0}, huge, {}, {});
    draw_text(svg.sink(), {nan, nan, 0}, "x", {});
    const std::string text = finish(svg);
    EXPECT_EQ(XmlCheck::run(text), "");
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(Svg, MemoryRunningOutIsAnErrorAndLeaksNothing) {
    const auto draw_into = [](SvgWriter& svg) {
        const Sink sink = svg.sink();
        for (int i = 0; i < 40; ++i) {
            const Group group{sink, GroupStyle{.name = "group", .clip = {{0, 0}, {1, 1}}}};
            draw_line(sink, {0, 0, 0}, {1.0 * i, 1, 0}, {});
            draw_text(sink, {0, 0, 0}, "some text", {});
        }
    };
    testing::TestAllocator healthy;
    {
        SvgWriter svg{{.allocator = healthy.allocator()}};
        draw_into(svg);
        EXPECT_TRUE(svg.finish().has_value());
    }
    EXPECT_EQ(healthy.live_blocks, 0);
    for (std::int64_t fail = 0; fail < healthy.calls; ++fail) {
        testing::TestAllocator failing;
        failing.fail_from_call = fail;
        {
            SvgWriter svg{{.allocator = failing.allocator()}};
            draw_into(svg);
            const Result<std::span<const char>> text = svg.finish();
            ASSERT_FALSE(text.has_value());
            EXPECT_EQ(text.error().code, ErrorCode::out_of_memory);
        }
        EXPECT_EQ(failing.live_blocks, 0);
    }
}

}  // namespace
}  // namespace fairlead::debug
