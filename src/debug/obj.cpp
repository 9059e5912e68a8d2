#include <fairlead/debug/obj.h>

#include "debug/text_buffer.h"

namespace fairlead::debug {

struct ObjWriter::Write {
    ObjWriter& w;
    TextBuffer out{w.text_, w.failed_};

    explicit Write(ObjWriter& writer) : w(writer) {}
    explicit Write(void* user) : w(*static_cast<ObjWriter*>(user)) {}

    void number(double value) {
        out.add(' ');
        out.add_number(value, w.options_.decimals);
    }
    void place(Vec3 p) {
        const double z = p.z + w.options_.height;
        const bool up = w.options_.y_up;
        number(p.x);
        number(up ? z : p.y);
        number(up ? 0.0 - p.y : z);
    }
    void vertex(Vec3 p, Color color) {
        out.add('v');
        place(p);
        for (const std::uint8_t part : {color.r, color.g, color.b}) {
            out.add(' ');
            out.add_number(part / 255.0, 3);
        }
        out.add('\n');
    }
    /// Vertices of their own and one element ('l' or 'f') over them.
    void element(char kind, std::span<const Vec3> points, Color color) {
        for (const Vec3 p : points) vertex(p, color);
        out.add(kind);
        for (std::size_t i = 0; i < points.size(); ++i) {
            out.add(' ');
            out.add_integer(++w.vertices_);
        }
        out.add('\n');
    }
    /// One line of text: what would end it becomes a blank.
    void words(const char* text) {
        for (const char* c = text; c != nullptr && *c != '\0'; ++c) {
            out.add(static_cast<unsigned char>(*c) < 0x20 ? ' ' : *c);
        }
        out.add('\n');
    }
};

ObjWriter::ObjWriter(const ObjOptions& options) : text_(options.allocator), options_(options) {
    Write{*this}.out.add(options.y_up ? "# fairlead drawing, y up\n" : "# fairlead drawing, z up\n");
}

Sink ObjWriter::sink() {
    Sink sink;
    sink.polyline = [](std::span<const Vec3> points, const Stroke& stroke, void* user) {
        Write{user}.element('l', points, stroke.color);
    };
    sink.polygon = [](std::span<const Vec3> points, const Fill& fill, void* user) {
        Write{user}.element('f', points, fill.color);
    };
    sink.text = [](Vec3 at, const char* text, const TextStyle&, void* user) {
        Write write{user};
        write.out.add("# text");
        write.place(at);
        write.out.add(' ');
        write.words(text);
    };
    sink.begin_group = [](const GroupStyle& group, void* user) {
        Write write{user};
        write.out.add("g ");
        write.words(group.name == nullptr || *group.name == '\0' ? "group" : group.name);
    };
    sink.user = this;
    sink.point = options_.point;
    return sink;
}

Result<std::span<const char>> ObjWriter::finish() {
    if (failed_) return Error{ErrorCode::out_of_memory};
    return std::span<const char>{text_.span()};
}

}  // namespace fairlead::debug
