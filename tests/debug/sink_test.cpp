// Partly filled sinks, tees and views.

#include <gtest/gtest.h>

#include <array>
#include <set>

#include <fairlead/debug/debug.h>

#include "debug/record.h"

namespace fairlead::debug {
namespace {

using testing::Drawn;
using testing::Record;

void draw_everything(const Sink& sink) {
    const std::array<Vec3, 3> points = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 2}}};
    const Aabb boxes[] = {{{0, 0}, {1, 1}}, {{2, 0}, {3, 1}}};
    const Group group{sink, "all"};
    draw_line(sink, {0, 0, 0}, {1, 1, 0}, {});
    draw_polyline(sink, points, {});
    draw_outline(sink, points, {});
    draw_polygon(sink, points, {});
    draw_boxes(sink, std::span{boxes}, 0, {});
    draw_circle(sink, {0, 0, 0}, 1, {}, {});
    draw_text(sink, {0, 0, 0}, "label", {});
    draw_arrow(sink, {0, 0, 0}, {4, 0, 0}, {});
}

std::set<std::string> kinds(const Record& record) {
    std::set<std::string> found;
    for (const Drawn& item : record.items) found.insert(item.kind);
    return found;
}

TEST(Sink, EmptyOneSwallowsEverything) { draw_everything(Sink{}); }

TEST(Sink, EveryCallbackMayBeMissingOrAlone) {
    for (unsigned mask = 0; mask < 256; ++mask) {
        Record record;
        Sink sink = record.sink();
        if ((mask & 1U) == 0) sink.line = nullptr;
        if ((mask & 2U) == 0) sink.polyline = nullptr;
        if ((mask & 4U) == 0) sink.polygon = nullptr;
        if ((mask & 8U) == 0) sink.boxes = nullptr;
        if ((mask & 16U) == 0) sink.circle = nullptr;
        if ((mask & 32U) == 0) sink.text = nullptr;
        if ((mask & 64U) == 0) sink.begin_group = nullptr;
        if ((mask & 128U) == 0) sink.end_group = nullptr;
        draw_everything(sink);
        std::set<std::string> expected;
        if ((mask & 1U) != 0) expected.insert("line");
        if ((mask & 2U) != 0) expected.insert("polyline");
        if ((mask & 4U) != 0) expected.insert("polygon");
        if ((mask & 8U) != 0) expected.insert("box");
        if ((mask & 16U) != 0) expected.insert("circle");
        if ((mask & 32U) != 0) expected.insert("text");
        if ((mask & 64U) != 0) expected.insert("group");
        if ((mask & 128U) != 0) expected.insert("end");
        EXPECT_EQ(kinds(record), expected) << mask;
    }
}

TEST(Sink, LineAloneShowsPolylinesAndCircles) {
    Record record;
    Sink sink = record.sink();
    sink.polyline = nullptr;
    sink.circle = nullptr;
    const std::array<Vec3, 3> points = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}};
    draw_polyline(sink, points, {});
    EXPECT_EQ(record.count("line"), 2U);
    draw_circle(sink, {0, 0, 0}, 2, kNoFill, {});
    EXPECT_EQ(record.count("line"), 2U + 48U);
    for (const Drawn& item : record.items) {
        if (item.points[0].x < 1.5) continue;
        EXPECT_NEAR(length(ground(item.points[0])), 2.0, 1e-12);
    }
}

TEST(Sink, WhatCannotBeSeenIsNotDrawn) {
    Record record;
    const Sink sink = record.sink();
    draw_line(sink, {0, 0, 0}, {1, 0, 0}, kNoStroke);
    draw_line(sink, {0, 0, 0}, {1, 0, 0}, {.opacity = 0});
    draw_polyline(sink, {}, {});
    draw_polygon(sink, {}, {});
    draw_boxes(sink, {}, 0, {});
    draw_circle(sink, {0, 0, 0}, 1, kNoFill, kNoStroke);
    draw_circle(sink, {0, 0, 0}, 0, {}, {});
    draw_circle(sink, {0, 0, 0}, -1, {}, {});
    draw_text(sink, {0, 0, 0}, "", {});
    draw_text(sink, {0, 0, 0}, nullptr, {});
    draw_arrow(sink, {1, 1, 0}, {1, 1, 0}, {});
    EXPECT_TRUE(record.items.empty());
}

TEST(Sink, ColorsMix) {
    EXPECT_EQ(rgb(0x0a0b0c), (Color{10, 11, 12}));
    EXPECT_EQ(mix(rgb(0x000000), rgb(0xffffff), 0.5), (Color{128, 128, 128}));
    EXPECT_EQ(mix(rgb(0x102030), rgb(0xffffff), -1), rgb(0x102030));
    EXPECT_EQ(mix(rgb(0x102030), rgb(0xffffff), 2), rgb(0xffffff));
}

TEST(Tee, EachSinkGetsEverything) {
    Record a;
    Record b;
    const Sink sinks[] = {a.sink(), b.sink()};
    Tee tee{std::span{sinks}};
    draw_everything(tee.sink());
    Record alone;
    draw_everything(alone.sink());
    EXPECT_EQ(a.items.size(), alone.items.size());
    EXPECT_EQ(b.items.size(), alone.items.size());
    EXPECT_EQ(tee.sink().point, a.sink().point);
}

TEST(Tee, PartlyFilledSinksKeepTheirStandIns) {
    Record a;
    Sink only_lines;
    only_lines.line = a.sink().line;
    only_lines.user = &a;
    const Sink sinks[] = {only_lines};
    Tee tee{std::span{sinks}};
    const std::array<Vec3, 3> points = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}};
    draw_polyline(tee.sink(), points, {});
    EXPECT_EQ(a.count("line"), 2U);
}

TEST(View, FitsTheWorldIntoTheMiddleOfTheFrame) {
    Record record;
    View view{record.sink(), {.world = {{10, 20}, {20, 25}}, .frame = {{100, 100}, {200, 200}}}};
    EXPECT_EQ(view.scale(), 10.0);
    EXPECT_EQ(view.covered(), (Aabb{{100, 125}, {200, 175}}));
    EXPECT_EQ(view.map(Vec2{10, 20}), (Vec2{100, 125}));
    EXPECT_EQ(view.map(Vec2{20, 25}), (Vec2{200, 175}));
    EXPECT_DOUBLE_EQ(view.sink().point, 0.1 / 10);
}

TEST(View, UpsideDown) {
    Record record;
    View view{record.sink(), {.world = {{0, 0}, {4, 4}}, .frame = {{0, 0}, {8, 8}}, .y_up = true}};
    EXPECT_EQ(view.map(Vec2{0, 0}), (Vec2{0, 8}));
    EXPECT_EQ(view.map(Vec2{1, 3}), (Vec2{2, 2}));
    const Aabb box{{1, 1}, {2, 3}};
    draw_boxes(view.sink(), std::span{&box, 1}, 0, {});
    ASSERT_EQ(record.items.back().kind, "box");
    EXPECT_EQ(record.items.back().box, (Aabb{{2, 2}, {4, 6}}));
}

TEST(View, MapsEveryKindOfShape) {
    Record record;
    {
        View view{record.sink(), {.world = {{0, 0}, {1, 1}}, .frame = {{10, 10}, {12, 12}}}};
        draw_everything(view.sink());
        EXPECT_FALSE(view.failed());
    }
    Record plain;
    draw_everything(plain.sink());
    // The view is one group around the same items; the arrow's head depends on the size of a point.
    ASSERT_EQ(record.items.size(), plain.items.size() + 2);
    for (std::size_t i = 0; i < plain.items.size(); ++i) {
        const Drawn& item = record.items[i + 1];
        EXPECT_EQ(item.kind, plain.items[i].kind);
        if (item.kind == "box") {
            EXPECT_EQ(item.box.low, plain.items[i].box.low * 2 + (Vec2{10, 10}));
        } else if (item.kind == "polygon" || item.kind == "text") {
            for (std::size_t k = 0; k < item.points.size(); ++k) {
                EXPECT_EQ(ground(item.points[k]), ground(plain.items[i].points[k]) * 2 + (Vec2{10, 10}));
                EXPECT_EQ(item.points[k].z, plain.items[i].points[k].z * 2);
            }
        }
        EXPECT_EQ(item.radius, plain.items[i].radius * 2);
    }
}

TEST(View, ManyBoxesArriveInOrder) {
    Record record;
    View view{record.sink(), {.world = {{0, 0}, {1, 1}}, .frame = {{0, 0}, {1, 1}}}};
    std::vector<Aabb> boxes;
    for (int i = 0; i < 200; ++i) boxes.push_back({{i * 1.0, 0}, {i + 1.0, 1}});
    draw_boxes(view.sink(), boxes, 0, {});
    ASSERT_EQ(record.count("box"), 200U);
    for (int i = 0; i < 200; ++i)
        EXPECT_EQ(record.items[static_cast<std::size_t>(i) + 1].box, boxes[static_cast<std::size_t>(i)]);
}

}  // namespace
}  // namespace fairlead::debug
