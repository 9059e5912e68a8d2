#include <fairlead/debug/svg.h>

#include "debug/text_buffer.h"

namespace fairlead::debug {

Vec2 svg_size(const SvgOptions& options) {
    const Vec2 world = options.bounds.high - options.bounds.low;
    FAIRLEAD_ASSERT(world.x > 0 && world.y > 0 && options.width > 2 * options.margin);
    const double scale = (options.width - 2 * options.margin) / world.x;
    return {options.width, world.y * scale + 2 * options.margin};
}

// The writer keeps one <path> open for as long as the style stays the same. Points are rounded to hundredths
// first and written as steps from the last rounded point, so steps are short and errors do not add up.
struct SvgWriter::Write {
    SvgWriter& w;
    TextBuffer out{w.text_, w.failed_};

    explicit Write(SvgWriter& writer) : w(writer) {}
    explicit Write(void* user) : w(*static_cast<SvgWriter*>(user)) {}

    struct Pixel {
        std::int64_t x = 0;
        std::int64_t y = 0;
    };

    [[nodiscard]] Pixel map(Vec2 p) const {
        return {to_hundredths(w.offset_.x + p.x * w.scale_),
                to_hundredths(w.offset_.y + p.y * (w.y_up_ ? -w.scale_ : w.scale_))};
    }
    [[nodiscard]] Pixel map(Vec3 p) const { return map(ground(p)); }

    void attribute(const char* name, std::int64_t hundredths) {
        out.add(' ');
        out.add(name);
        out.add("=\"");
        out.add_hundredths(hundredths);
        out.add('"');
    }
    void attribute(const char* name, double value) { attribute(name, to_hundredths(value)); }
    void color(const char* name, Color value) {
        out.add(' ');
        out.add(name);
        out.add("=\"");
        out.add_hex(value);
        out.add('"');
    }

    void fill_attributes(const Fill& fill) {
        color("fill", fill.color);
        if (fill.opacity < 1.0) attribute("fill-opacity", fill.opacity);
    }
    void stroke_attributes(const Stroke& stroke) {
        color("stroke", stroke.color);
        if (stroke.width != 1.0) attribute("stroke-width", stroke.width);
        if (stroke.opacity < 1.0) attribute("stroke-opacity", stroke.opacity);
        if (stroke.dash > 0.0) {
            attribute("stroke-dasharray", stroke.dash);
            out.add(" stroke-linecap=\"butt\"");
        }
    }

    void end_path() {
        if (w.path_ != Path::none) out.add("\"/>\n");
        w.path_ = Path::none;
    }
    void begin_fill(const Fill& fill) {
        if (w.path_ == Path::fill && w.fill_ == fill) return;
        end_path();
        out.add("<path");
        fill_attributes(fill);
        begin_data(Path::fill);
        w.fill_ = fill;
    }
    void begin_stroke(const Stroke& stroke) {
        if (w.path_ == Path::stroke && w.stroke_ == stroke) return;
        end_path();
        out.add("<path");
        stroke_attributes(stroke);
        begin_data(Path::stroke);
        w.stroke_ = stroke;
    }
    void begin_data(Path kind) {
        out.add(" d=\"");
        w.path_ = kind;
        w.pen_x_ = w.pen_y_ = INT64_MIN;  // nowhere
    }

    void number(std::int64_t hundredths, bool first) {
        if (!first && hundredths >= 0) out.add(' ');
        out.add_hundredths(hundredths);
    }
    void move_to(Pixel p) {
        out.add('M');
        number(p.x, true);
        number(p.y, false);
        w.pen_x_ = p.x;
        w.pen_y_ = p.y;
    }
    void line_to(Pixel p) {
        const std::int64_t dx = p.x - w.pen_x_;
        const std::int64_t dy = p.y - w.pen_y_;
        w.pen_x_ = p.x;
        w.pen_y_ = p.y;
        if (dy == 0) {
            out.add('h');
            number(dx, true);
        } else if (dx == 0) {
            out.add('v');
            number(dy, true);
        } else {
            out.add('l');
            number(dx, true);
            number(dy, false);
        }
    }

    void polyline(std::span<const Vec3> points, const Stroke& stroke) {
        begin_stroke(stroke);
        const Pixel first = map(points[0]);
        if (w.pen_x_ != first.x || w.pen_y_ != first.y || stroke.dash > 0.0) move_to(first);
        for (std::size_t i = 1; i < points.size(); ++i) line_to(map(points[i]));
    }

    // All filled shapes turn the same way, so that with the non-zero rule a path is their union.
    void polygon(std::span<const Vec3> points, const Fill& fill) {
        begin_fill(fill);
        double area = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec2 a = ground(points[i]) - ground(points[0]);
            const Vec2 b = ground(points[i + 1 < points.size() ? i + 1 : 0]) - ground(points[0]);
            area += cross(a, b);
        }
        const bool reverse = (area < 0) != w.y_up_;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Pixel p = map(points[reverse ? points.size() - 1 - i : i]);
            if (i == 0) {
                move_to(p);
            } else {
                line_to(p);
            }
        }
        out.add('z');
    }

    void boxes(std::span<const Aabb> boxes, const Fill& fill) {
        begin_fill(fill);
        for (const Aabb& box : boxes) {
            const Pixel a = map(box.low);
            const Pixel b = map(box.high);
            move_to({a.x, a.y < b.y ? a.y : b.y});
            out.add('h');
            number(b.x - a.x, true);
            out.add('v');
            number(a.y < b.y ? b.y - a.y : a.y - b.y, true);
            out.add('h');
            number(a.x - b.x, true);
            out.add('z');
        }
    }

    void circle(Vec3 centre, double radius, const Fill& fill, const Stroke& stroke) {
        end_path();
        const Pixel p = map(centre);
        out.add("<circle");
        attribute("cx", p.x);
        attribute("cy", p.y);
        attribute("r", radius * w.scale_);
        if (fill.opacity > 0.0) fill_attributes(fill);
        if (stroke.width > 0.0 && stroke.opacity > 0.0) stroke_attributes(stroke);
        out.add("/>\n");
    }

    void text(Vec3 at, const char* string, const TextStyle& style) {
        end_path();
        const Pixel p = map(at);
        out.add("<text");
        attribute("x", p.x);
        attribute("y", p.y);
        attribute("font-size", style.size);
        color("fill", style.color);
        if (style.anchor == Anchor::middle) out.add(" text-anchor=\"middle\"");
        if (style.anchor == Anchor::end) out.add(" text-anchor=\"end\"");
        if (style.bold) out.add(" font-weight=\"bold\"");
        if (style.halo) {
            out.add(" paint-order=\"stroke\" stroke=\"#fff\"");
            attribute("stroke-width", style.size * 0.28);
        }
        out.add('>');
        out.add_xml(string);
        out.add("</text>\n");
    }

    // A class name: what is not a letter, digit, '-' or '_' becomes '-'.
    void begin_group(const GroupStyle& group) {
        end_path();
        out.add("<g class=\"");
        for (const char* c = group.name; c != nullptr && *c != '\0'; ++c) {
            const bool plain =
                (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
            out.add(plain || *c == '_' ? *c : '-');
        }
        out.add("\">\n");
        const bool clips = !group.clip.empty();
        if (clips) begin_clip(group.clip);
        if (!w.clipped_.push_back(clips)) w.failed_ = true;
    }
    // A nested <svg> clips to its box without an id, so files can be pasted into one page.
    void begin_clip(const Aabb& clip) {
        const Pixel a = map(clip.low);
        const Pixel b = map(clip.high);
        const Pixel low{a.x, a.y < b.y ? a.y : b.y};
        const Pixel size{b.x - a.x, a.y < b.y ? b.y - a.y : a.y - b.y};
        out.add("<svg");
        attribute("x", low.x);
        attribute("y", low.y);
        attribute("width", size.x);
        attribute("height", size.y);
        out.add(" viewBox=\"");
        number(low.x, true);
        out.add(' ');
        out.add_hundredths(low.y);
        out.add(' ');
        out.add_hundredths(size.x);
        out.add(' ');
        out.add_hundredths(size.y);
        out.add("\">\n");
    }
    void end_group() {
        end_path();
        if (w.clipped_.empty()) return;
        out.add(w.clipped_.back() ? "</svg></g>\n" : "</g>\n");
        w.clipped_.pop_back();
    }
};

SvgWriter::SvgWriter(const SvgOptions& options)
    : text_(options.allocator), clipped_(options.allocator), y_up_(options.y_up) {
    const Vec2 size = svg_size(options);
    const Aabb& bounds = options.bounds;
    scale_ = (options.width - 2 * options.margin) / (bounds.high.x - bounds.low.x);
    offset_.x = options.margin - bounds.low.x * scale_;
    offset_.y = options.margin + (y_up_ ? bounds.high.y : -bounds.low.y) * scale_;

    Write write{*this};
    TextBuffer& out = write.out;
    out.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    out.add_hundredths(to_hundredths(size.x));
    out.add(' ');
    out.add_hundredths(to_hundredths(size.y));
    out.add('"');
    write.attribute("width", size.x);
    write.attribute("height", size.y);
    out.add(" role=\"img\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    out.add(" font-family=\"Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif\">\n");
    if (options.title != nullptr && *options.title != '\0') {
        out.add("<title>");
        out.add_xml(options.title);
        out.add("</title>\n");
    }
    if (options.description != nullptr && *options.description != '\0') {
        out.add("<desc>");
        out.add_xml(options.description);
        out.add("</desc>\n");
    }
    if (options.background.opacity > 0.0) {
        out.add("<rect width=\"100%\" height=\"100%\"");
        write.fill_attributes(options.background);
        out.add("/>\n");
    }
}

Sink SvgWriter::sink() {
    Sink sink;
    sink.line = [](Vec3 a, Vec3 b, const Stroke& stroke, void* user) {
        const Vec3 points[] = {a, b};
        Write{user}.polyline(std::span{points}, stroke);
    };
    sink.polyline = [](std::span<const Vec3> points, const Stroke& stroke, void* user) {
        Write{user}.polyline(points, stroke);
    };
    sink.polygon = [](std::span<const Vec3> points, const Fill& fill, void* user) {
        Write{user}.polygon(points, fill);
    };
    sink.boxes = [](std::span<const Aabb> boxes, double, const Fill& fill, void* user) {
        Write{user}.boxes(boxes, fill);
    };
    sink.circle = [](Vec3 centre, double radius, const Fill& fill, const Stroke& stroke, void* user) {
        Write{user}.circle(centre, radius, fill, stroke);
    };
    sink.text = [](Vec3 at, const char* text, const TextStyle& style, void* user) {
        Write{user}.text(at, text, style);
    };
    sink.begin_group = [](const GroupStyle& group, void* user) { Write{user}.begin_group(group); };
    sink.end_group = [](void* user) { Write{user}.end_group(); };
    sink.user = this;
    sink.point = 1.0 / scale_;
    return sink;
}

Result<std::span<const char>> SvgWriter::finish() {
    if (!finished_) {
        Write write{*this};
        while (!clipped_.empty()) write.end_group();
        write.end_path();
        write.out.add("</svg>\n");
        finished_ = true;
    }
    if (failed_) return Error{ErrorCode::out_of_memory};
    return std::span<const char>{text_.span()};
}

}  // namespace fairlead::debug
