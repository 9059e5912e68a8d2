// Pixels, letters and PNG files.

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <string>

#include <fairlead/debug/debug.h>

#include "picture/raster.h"
#include "picture/stroke_font.h"

namespace fairlead::picture {
namespace {

using namespace debug;

const SvgOptions kPage{.bounds = {{0, 0}, {20, 10}}, .width = 20, .margin = 0};

int red(const Image& image, int x, int y) {
    return image.pixels[3 * static_cast<std::size_t>(y * image.width + x)];
}

TEST(Raster, EdgesAreSharedExactlyBetweenPixels) {
    RasterWriter raster{kPage, 1.0};
    const Aabb box{{2.25, 2}, {6.5, 4.5}};
    draw_boxes(raster.sink(), std::span{&box, 1}, 0, {});
    const Image& image = raster.image();
    EXPECT_EQ(image.width, 20);
    EXPECT_EQ(image.height, 10);
    EXPECT_EQ(red(image, 1, 3), 255);
    EXPECT_NEAR(red(image, 2, 3), 64, 1);
    EXPECT_EQ(red(image, 3, 3), 0);
    EXPECT_NEAR(red(image, 6, 3), 128, 1);
    EXPECT_NEAR(red(image, 4, 4), 128, 1);
    EXPECT_EQ(red(image, 4, 5), 255);
}

TEST(Raster, TouchingAndOverlappingShapesAreOne) {
    RasterWriter raster{kPage, 1.0};
    const Fill half{rgb(0x000000), 0.5};
    const Aabb boxes[] = {{{1, 1}, {3.3, 5}}, {{3.3, 1}, {6, 5}}, {{2, 2}, {5, 4}}};
    draw_boxes(raster.sink(), std::span{boxes}, 0, half);
    const std::array<Vec3, 4> backwards = {{{1, 4, 0}, {1, 5, 0}, {6, 5, 0}, {6, 4, 0}}};
    draw_polygon(raster.sink(), backwards, half);
    const Image& image = raster.image();
    for (int x = 1; x < 6; ++x) {
        for (int y = 1; y < 5; ++y) EXPECT_NEAR(red(image, x, y), 128, 1) << x << ' ' << y;
    }
}

TEST(Raster, LinesHaveTheirWidthAndRoundEnds) {
    RasterWriter raster{kPage, 1.0};
    draw_line(raster.sink(), {5, 5, 0}, {10, 5, 0}, {.width = 4});
    const Image& image = raster.image();
    EXPECT_EQ(red(image, 7, 3), 0);
    EXPECT_EQ(red(image, 7, 6), 0);
    EXPECT_EQ(red(image, 7, 2), 255);
    EXPECT_EQ(red(image, 7, 7), 255);
    EXPECT_LT(red(image, 3, 4), 100);  // the end reaches half a width further
    EXPECT_EQ(red(image, 2, 4), 255);
    EXPECT_GT(red(image, 3, 3), 130);  // and is round
}

TEST(Raster, DashesLeaveGaps) {
    RasterWriter raster{kPage, 1.0};
    const std::array<Vec3, 3> bent = {{{0, 5, 0}, {10, 5, 0}, {20, 5, 0}}};
    draw_polyline(raster.sink(), bent, {.width = 2, .dash = 3});
    const Image& image = raster.image();
    for (int x = 0; x < 20; ++x) EXPECT_EQ(red(image, x, 5), x / 3 % 2 == 0 ? 0 : 255) << x;
}

TEST(Raster, ClipsAndTurnsOver) {
    SvgOptions page = kPage;
    page.y_up = true;
    RasterWriter raster{page, 2.0};
    const Sink sink = raster.sink();
    {
        const Group group{sink, GroupStyle{.name = "clip", .clip = {{2, 2}, {4, 4}}}};
        const Aabb all{{0, 0}, {20, 10}};
        draw_boxes(sink, std::span{&all, 1}, 0, {});
    }
    const Image& image = raster.image();
    EXPECT_EQ(image.width, 40);
    int dark = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) dark += red(image, x, y) == 0 ? 1 : 0;
    }
    EXPECT_EQ(dark, 16);
    EXPECT_EQ(red(image, 4, 12), 0);  // y from 2 to 4 is row 12 to 16 from the top
    EXPECT_EQ(red(image, 4, 16), 255);
}

TEST(Raster, ShapesBeyondThePageAreCutOff) {
    RasterWriter raster{kPage, 1.0};
    draw_circle(raster.sink(), {0, 0, 0}, 1000, {}, {.width = 3});
    draw_line(raster.sink(), {-1e6, -1e6, 0}, {1e6, 1e6, 0}, {});
    EXPECT_EQ(red(raster.image(), 10, 5), 0);
    draw_circle(raster.sink(), {-50, 5, 0}, 3, {}, {});
    EXPECT_EQ(raster.image().pixels.size(), 600U);
}

TEST(Font, EveryAsciiCharacterHasItsOwnShape) {
    const TextStrokes missing = text_strokes("\xe2\x82\xac", 28);
    EXPECT_FALSE(missing.lines.empty());
    for (char c = '!'; c <= '~'; ++c) {
        const TextStrokes strokes = text_strokes(std::string(1, c), 28);
        EXPECT_FALSE(strokes.lines.empty()) << c;
        EXPECT_GT(strokes.width, 4) << c;
        double low = 1e9;
        double high = -1e9;
        for (const auto& line : strokes.lines) {
            for (const Vec2 p : line) {
                low = std::min(low, p.y);
                high = std::max(high, p.y);
                EXPECT_GE(p.x, -1.5) << c;
                EXPECT_LE(p.x, strokes.width + 0.5) << c;
            }
        }
        EXPECT_GE(low, -6.5) << c;
        EXPECT_LE(high, 22.5) << c;
        EXPECT_NE(strokes.lines, missing.lines) << c;
    }
    EXPECT_TRUE(text_strokes(" ", 28).lines.empty());
}

TEST(Font, WidthsAddUp) {
    EXPECT_DOUBLE_EQ(text_width("route", 12), text_strokes("route", 12).width);
    EXPECT_DOUBLE_EQ(text_width("ab", 10), text_width("a", 10) + text_width("b", 10));
    EXPECT_DOUBLE_EQ(text_width("route", 24), 2 * text_width("route", 12));
    EXPECT_GT(text_width("route", 12, true), text_width("route", 12));
    EXPECT_GT(text_width("\xff\xc3", 12), 0);  // malformed bytes show as boxes
}

std::uint32_t be32(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

TEST(Png, ReadsBackAsThePixels) {
    RasterWriter raster{kPage, 3.0};
    draw_circle(raster.sink(), {8, 5, 0}, 4, {rgb(0x336699)}, {.color = rgb(0xcc2200)});
    draw_text(raster.sink(), {1, 9, 0}, "png", {.size = 5});
    const Image& image = raster.image();
    const std::string file = encode_png(image);
    ASSERT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
    std::string packed;
    for (std::size_t at = 8; at < file.size();) {
        const std::uint32_t size = be32(file, at);
        const std::string body = file.substr(at + 4, size + 4);
        EXPECT_EQ(be32(file, at + 8 + size),
                  crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
        if (body.substr(0, 4) == "IHDR") {
            EXPECT_EQ(be32(body, 4), 60U);
            EXPECT_EQ(be32(body, 8), 30U);
        }
        if (body.substr(0, 4) == "IDAT") packed += body.substr(4);
        at += 12 + size;
    }
    std::string rows(static_cast<std::size_t>(30 * (60 * 3 + 1)), '\0');
    uLongf size = rows.size();
    ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    ASSERT_EQ(size, rows.size());
    std::vector<std::uint8_t> above(180);
    for (std::size_t y = 0; y < 30; ++y) {
        const char filter = rows[y * 181];
        for (std::size_t i = 0; i < 180; ++i) {
            const auto raw = static_cast<std::uint8_t>(rows[y * 181 + 1 + i]);
            const std::uint8_t base = filter == 1   ? (i >= 3 ? image.pixels[y * 180 + i - 3] : 0)
                                      : filter == 2 ? above[i]
                                                    : 0;
            ASSERT_EQ(static_cast<std::uint8_t>(raw + base), image.pixels[y * 180 + i]);
        }
        std::copy_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(y * 180), 180, above.begin());
    }
}

}  // namespace
}  // namespace fairlead::picture
