#include <fairlead/debug/json.h>

#include "debug/text_buffer.h"

namespace fairlead::debug {

struct JsonWriter::Write {
    JsonWriter& w;
    TextBuffer out{w.text_, w.failed_};

    explicit Write(JsonWriter& writer) : w(writer) {}
    explicit Write(void* user) : w(*static_cast<JsonWriter*>(user)) {}

    void begin_item(const char* key) {
        out.add(w.first_ ? "\n{\"" : ",\n{\"");
        w.first_ = false;
        out.add(key);
        out.add("\":");
    }
    void end_item() { out.add('}'); }
    void key(const char* name) {
        out.add(",\"");
        out.add(name);
        out.add("\":");
    }
    void number(double value) { out.add_number(value, w.options_.decimals); }
    void number(const char* name, double value) {
        key(name);
        number(value);
    }
    void color(const char* name, Color value) {
        key(name);
        out.add('"');
        out.add_hex(value);
        out.add('"');
    }

    void point(Vec3 p) {
        out.add('[');
        number(p.x);
        out.add(',');
        number(p.y);
        if (p.z != 0.0) {
            out.add(',');
            number(p.z);
        }
        out.add(']');
    }
    void points(std::span<const Vec3> list) {
        out.add('[');
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i != 0) out.add(',');
            point(list[i]);
        }
        out.add(']');
    }
    void box(const Aabb& box) {
        const double parts[] = {box.low.x, box.low.y, box.high.x, box.high.y};
        for (std::size_t i = 0; i < 4; ++i) {
            out.add(i == 0 ? '[' : ',');
            number(parts[i]);
        }
        out.add(']');
    }

    void style(const Fill& fill) {
        if (!(fill.opacity > 0.0)) return;
        color("fill", fill.color);
        if (fill.opacity < 1.0) number("fill_opacity", fill.opacity);
    }
    void style(const Stroke& stroke) {
        if (!(stroke.width > 0.0 && stroke.opacity > 0.0)) return;
        color("stroke", stroke.color);
        if (stroke.width != 1.0) number("width", stroke.width);
        if (stroke.dash > 0.0) number("dash", stroke.dash);
        if (stroke.opacity < 1.0) number("stroke_opacity", stroke.opacity);
    }

    void boxes(std::span<const Aabb> list, double z, const Fill& fill) {
        begin_item("boxes");
        out.add('[');
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i != 0) out.add(',');
            box(list[i]);
        }
        out.add(']');
        if (z != 0.0) number("z", z);
        style(fill);
        end_item();
    }

    void text(Vec3 at, const char* string, const TextStyle& look) {
        begin_item("text");
        out.add_json(string);
        key("at");
        point(at);
        color("fill", look.color);
        number("size", look.size);
        if (look.anchor == Anchor::middle) out.add(",\"anchor\":\"middle\"");
        if (look.anchor == Anchor::end) out.add(",\"anchor\":\"end\"");
        if (look.bold) out.add(",\"bold\":true");
        if (look.halo) out.add(",\"halo\":true");
        end_item();
    }

    void begin_group(const GroupStyle& group) {
        begin_item("group");
        out.add_json(group.name == nullptr ? "" : group.name);
        if (!group.clip.empty()) {
            key("clip");
            box(group.clip);
        }
        end_item();
    }
};

JsonWriter::JsonWriter(const JsonOptions& options) : text_(options.allocator), options_(options) {
    Write{*this}.out.add("{\"fairlead_drawing\":1,\"items\":[");
}

Sink JsonWriter::sink() {
    Sink sink;
    sink.line = [](Vec3 a, Vec3 b, const Stroke& stroke, void* user) {
        Write write{user};
        const Vec3 points[] = {a, b};
        write.begin_item("line");
        write.points(std::span{points});
        write.style(stroke);
        write.end_item();
    };
    sink.polyline = [](std::span<const Vec3> points, const Stroke& stroke, void* user) {
        Write write{user};
        write.begin_item("polyline");
        write.points(points);
        write.style(stroke);
        write.end_item();
    };
    sink.polygon = [](std::span<const Vec3> points, const Fill& fill, void* user) {
        Write write{user};
        write.begin_item("polygon");
        write.points(points);
        write.style(fill);
        write.end_item();
    };
    sink.boxes = [](std::span<const Aabb> boxes, double z, const Fill& fill, void* user) {
        Write{user}.boxes(boxes, z, fill);
    };
    sink.circle = [](Vec3 centre, double radius, const Fill& fill, const Stroke& stroke, void* user) {
        Write write{user};
        write.begin_item("circle");
        write.point(centre);
        write.number("radius", radius);
        write.style(fill);
        write.style(stroke);
        write.end_item();
    };
    sink.text = [](Vec3 at, const char* text, const TextStyle& style, void* user) {
        Write{user}.text(at, text, style);
    };
    sink.begin_group = [](const GroupStyle& group, void* user) { Write{user}.begin_group(group); };
    sink.end_group = [](void* user) {
        Write write{user};
        write.begin_item("end");
        write.out.add("\"group\"");
        write.end_item();
    };
    sink.user = this;
    sink.point = options_.point;
    return sink;
}

Result<std::span<const char>> JsonWriter::finish() {
    if (!finished_) Write{*this}.out.add("]}\n");
    finished_ = true;
    if (failed_) return Error{ErrorCode::out_of_memory};
    return std::span<const char>{text_.span()};
}

}  // namespace fairlead::debug
