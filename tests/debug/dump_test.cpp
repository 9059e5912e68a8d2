// The JSON and OBJ writers, and the trace's own JSON.

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <fairlead/debug/debug.h>

#include "support/test_allocator.h"

namespace fairlead::debug {
namespace {

template <class Writer>
std::string finish(Writer& writer) {
    const Result<std::span<const char>> text = writer.finish();
    EXPECT_TRUE(text.has_value());
    return text ? std::string{text.value().data(), text.value().size()} : std::string{};
}

void draw_everything(const Sink& sink) {
    const std::array<Vec3, 3> points = {{{0, 0, 0}, {1.5, 0, 0}, {1, 1, 2}}};
    const Aabb boxes[] = {{{0, 0}, {1, 1}}, {{2, 0}, {3, 1}}};
    const Group group{sink, GroupStyle{.name = "all \"of\" it\n", .clip = {{0, 0}, {4, 4}}}};
    draw_line(sink, {0, 0, 0}, {1, 1, 0}, {});
    draw_polyline(sink, points, {.color = rgb(0x123456), .width = 2.5, .dash = 3, .opacity = 0.5});
    draw_polygon(sink, points, {.color = rgb(0xff8800), .opacity = 0.25});
    draw_boxes(sink, std::span{boxes}, 1, {});
    draw_circle(sink, {0, 0, 0}, 1, {}, {});
    draw_text(sink, {0, 0, 0}, "a \\ \"b\" \xff", {.anchor = Anchor::middle, .bold = true});
}

/// A value by the grammar of RFC 8259; returns the position behind it, npos if it is not one.
class JsonCheck {
  public:
    static bool run(const std::string& text) {
        JsonCheck check{text};
        if (!check.value()) return false;
        check.blanks();
        return check.at_ == text.size();
    }

  private:
    explicit JsonCheck(const std::string& text) : text_(text) {}
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool take(char c) {
        blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool value() {
        blanks();
        if (at_ >= text_.size()) return false;
        switch (text_[at_]) {
            case '{': return list('{', '}', true);
            case '[': return list('[', ']', false);
            case '"': return string();
            case 't': return word("true");
            default: return number();
        }
    }
    bool list(char open, char close, bool keys) {
        if (!take(open)) return false;
        if (take(close)) return true;
        do {
            if (keys && (!string() || !take(':'))) return false;
            if (!value()) return false;
        } while (take(','));
        return take(close);
    }
    bool string() {
        if (!take('"')) return false;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            const auto c = static_cast<unsigned char>(text_[at_]);
            if (c < 0x20 || c == 0xff) return false;
            if (c == '\\' && std::string{"\"\\/bfnrtu"}.find(text_[++at_]) == std::string::npos) return false;
        }
        return take('"');
    }
    bool word(const std::string& expected) {
        if (text_.compare(at_, expected.size(), expected) != 0) return false;
        at_ += expected.size();
        return true;
    }
    bool number() {
        const std::size_t from = at_;
        if (at_ < text_.size() && text_[at_] == '-') ++at_;
        while (at_ < text_.size() &&
               (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
            ++at_;
        return at_ > from && text_[at_ - 1] != '.' && text_[from] != '.';
    }
    const std::string& text_;
    std::size_t at_ = 0;
};

TEST(Json, HoldsEverythingInOrder) {
    JsonWriter json;
    draw_everything(json.sink());
    const std::string text = finish(json);
    EXPECT_TRUE(JsonCheck::run(text)) << text;
    EXPECT_EQ(text,
              "{\"fairlead_drawing\":1,\"items\":[\n"
              "{\"group\":\"all \\\"of\\\" it\\u000a\",\"clip\":[0,0,4,4]},\n"
              "{\"line\":[[0,0],[1,1]],\"stroke\":\"#000\"},\n"
              "{\"polyline\":[[0,0],[1.5,0],[1,1,2]],\"stroke\":\"#123456\",\"width\":2.5,\"dash\":3,"
              "\"stroke_opacity\":0.5},\n"
              "{\"polygon\":[[0,0],[1.5,0],[1,1,2]],\"fill\":\"#f80\",\"fill_opacity\":0.25},\n"
              "{\"boxes\":[[0,0,1,1],[2,0,3,1]],\"z\":1,\"fill\":\"#000\"},\n"
              "{\"circle\":[0,0],\"radius\":1,\"fill\":\"#000\",\"stroke\":\"#000\"},\n"
              "{\"text\":\"a \\\\ \\\"b\\\" "
              "?\",\"at\":[0,0],\"fill\":\"#000\",\"size\":12,\"anchor\":\"middle\",\"bold\":true},\n"
              "{\"end\":\"group\"}]}\n");
}

TEST(Json, EmptyDrawing) {
    JsonWriter json;
    EXPECT_EQ(finish(json), "{\"fairlead_drawing\":1,\"items\":[]}\n");
}

TEST(Obj, EveryElementNamesItsOwnVertices) {
    ObjWriter obj{{.height = 0.5}};
    draw_everything(obj.sink());
    const std::string text = finish(obj);
    std::int64_t vertices = 0;
    std::int64_t used = 0;
    std::size_t lines = 0;
    std::size_t faces = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        if (line.rfind("v ", 0) == 0) ++vertices;
        if (line.rfind("l ", 0) != 0 && line.rfind("f ", 0) != 0) continue;
        ++(line[0] == 'l' ? lines : faces);
        for (std::size_t k = line.find(' '); k != std::string::npos; k = line.find(' ', k + 1)) {
            EXPECT_EQ(std::stoll(line.substr(k)), ++used);
        }
    }
    EXPECT_EQ(used, vertices);
    EXPECT_EQ(faces, 4U);  // polygon, two boxes, circle
    EXPECT_EQ(lines, 4U);  // line, polyline, circle and its last side
    EXPECT_NE(text.find("g all \"of\" it \n"), std::string::npos);
    EXPECT_NE(text.find("v 1 1 2.5 0.071 0.204 0.337\n"), std::string::npos);
    EXPECT_NE(text.find("# text 0 0 0.5 a \\ \"b\""), std::string::npos);
}

TEST(Dumps, MemoryRunningOutIsAnError) {
    testing::TestAllocator failing;
    failing.fail_from_call = 1;
    {
        JsonWriter json{{.allocator = failing.allocator()}};
        for (int i = 0; i < 20; ++i) draw_everything(json.sink());
        ASSERT_FALSE(json.finish().has_value());
        EXPECT_EQ(json.finish().error().code, ErrorCode::out_of_memory);
        failing.calls = 0;
        ObjWriter obj{{.allocator = failing.allocator()}};
        for (int i = 0; i < 20; ++i) draw_everything(obj.sink());
        ASSERT_FALSE(obj.finish().has_value());
    }
    EXPECT_EQ(failing.live_blocks, 0);
}

TEST(Obj, AxesAsModellingProgramsHaveThem) {
    ObjWriter obj{{.height = 0.5, .y_up = true}};
    draw_line(obj.sink(), {1, 2, 3}, {4, -5, 6}, {});
    draw_text(obj.sink(), {1, 2, 3}, "here", {});
    const std::string text = finish(obj);
    EXPECT_NE(text.find("y up"), std::string::npos) << text;
    EXPECT_NE(text.find("v 1 3.5 -2 "), std::string::npos) << text;
    EXPECT_NE(text.find("v 4 6.5 5 "), std::string::npos) << text;
    EXPECT_NE(text.find("# text 1 3.5 -2 here"), std::string::npos) << text;
}

TEST(Trace, CountsAndOrders) {
    Trace trace;
    trace.add(TraceKind::expand, {0.5, 0.5});
    trace.add(TraceKind::generate, {1.5, 0.5}, {0.5, 0.5}, 1);
    trace.add(TraceKind::expand, {1.5, 0.5}, {0.5, 0.5}, 1);
    EXPECT_EQ(trace.count(TraceKind::expand), 2U);
    EXPECT_EQ(trace.count(TraceKind::generate), 1U);
    EXPECT_EQ(trace.count(TraceKind::path), 0U);
    ASSERT_EQ(trace.events().size(), 3U);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(trace.events()[i].order, i);
    EXPECT_EQ(trace.events()[0].from, trace.events()[0].position);
    EXPECT_EQ(trace.events()[2].layer, 1);
    EXPECT_TRUE(trace.complete());
    trace.clear();
    EXPECT_TRUE(trace.events().empty());
    EXPECT_EQ(trace.count(TraceKind::expand), 0U);
}

TEST(Trace, KeepsToItsLimitAndCountsOn) {
    Trace trace{2};
    for (int i = 0; i < 5; ++i) trace.add(TraceKind::expand, {1.0 * i, 0});
    EXPECT_EQ(trace.events().size(), 2U);
    EXPECT_EQ(trace.count(TraceKind::expand), 5U);
    EXPECT_FALSE(trace.complete());
    trace.clear();
    EXPECT_TRUE(trace.complete());

    testing::TestAllocator failing;
    failing.fail_from_call = 0;
    Trace starved{10, failing.allocator()};
    starved.add(TraceKind::close, {0, 0});
    EXPECT_FALSE(starved.complete());
    EXPECT_EQ(starved.count(TraceKind::close), 1U);
}

TEST(Trace, Json) {
    Trace trace;
    trace.add(TraceKind::expand, {0.5, 1.25}, {0.25, 0.5}, 2);
    trace.add(TraceKind::path, {3, 4});
    Array<char> text;
    ASSERT_TRUE(write_trace_json(trace.events(), text).has_value());
    const std::string json{text.data(), text.size()};
    EXPECT_TRUE(JsonCheck::run(json));
    EXPECT_EQ(json,
              "{\"fairlead_trace\":1,\"counts\":{\"generate\":0,\"expand\":1,\"close\":0,\"path\":1,\"pass\":"
              "0},\"events\":[\n"
              "[1,0.5,1.25,0.25,0.5,2],\n[3,3,4,3,4,0]]}\n");
    for (int i = 0; i <= static_cast<int>(TraceKind::count_); ++i) {
        EXPECT_STRNE(trace_kind_name(static_cast<TraceKind>(i)), nullptr);
    }
}

}  // namespace
}  // namespace fairlead::debug
