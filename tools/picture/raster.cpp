#include "picture/raster.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "picture/stroke_font.h"

namespace fairlead::picture {

using debug::Anchor;
using debug::Color;
using debug::Fill;
using debug::GroupStyle;
using debug::Sink;
using debug::Stroke;
using debug::TextStyle;

namespace {

constexpr int kScans = 8;  // a pixel row

struct Crossing {
    double x;
    int winding;
};

/// Adds the span [x0, x1) of one scan to a row of coverage.
void add_span(std::vector<float>& row, double x0, double x1, int low, int high) {
    x0 = std::max(x0, static_cast<double>(low));
    x1 = std::min(x1, static_cast<double>(high));
    if (x0 >= x1) return;
    constexpr float kShare = 1.0F / kScans;
    const int first = static_cast<int>(x0);
    const int last = static_cast<int>(x1);
    const auto at = [&](int x) -> float& { return row[static_cast<std::size_t>(x - low)]; };
    if (first == last) {
        at(first) += static_cast<float>(x1 - x0) * kShare;
        return;
    }
    at(first) += static_cast<float>(first + 1 - x0) * kShare;
    for (int x = first + 1; x < last; ++x) at(x) += kShare;
    if (last < high) at(last) += static_cast<float>(x1 - last) * kShare;
}

[[nodiscard]] std::uint8_t blend(std::uint8_t under, std::uint8_t over, float share) {
    const float value =
        static_cast<float>(under) + (static_cast<float>(over) - static_cast<float>(under)) * share;
    return static_cast<std::uint8_t>(value + 0.5F);
}

}  // namespace

struct RasterWriter::Paint {
    RasterWriter& w;

    explicit Paint(RasterWriter& writer) : w(writer) {}
    explicit Paint(void* user) : w(*static_cast<RasterWriter*>(user)) {}

    [[nodiscard]] Vec2 map(Vec3 p) const {
        return {w.offset_.x + p.x * w.scale_, w.offset_.y + p.y * (w.y_up_ ? -w.scale_ : w.scale_)};
    }

    // ------------------------------------------------------------------ collecting a shape

    void begin(const Fill& fill) {
        if (w.is_stroke_ || !(w.fill_ == fill)) flush();
        w.is_stroke_ = false;
        w.fill_ = fill;
    }
    void begin(const Stroke& stroke) {
        if (!w.is_stroke_ || !(w.stroke_ == stroke)) flush();
        w.is_stroke_ = true;
        w.stroke_ = stroke;
    }

    void add_edge(Vec2 a, Vec2 b) {
        if (a.y == b.y) return;
        if (a.y < b.y) {
            w.edges_.push_back({a.x, a.y, b.x, b.y, 1});
        } else {
            w.edges_.push_back({b.x, b.y, a.x, a.y, -1});
        }
    }
    /// Turned so that all outlines wind the same way: the non-zero rule then fills the union.
    void add_outline(std::span<const Vec2> points) {
        double area = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            area += cross(points[i] - points[0], points[(i + 1) % points.size()] - points[0]);
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec2 a = points[i];
            const Vec2 b = points[(i + 1) % points.size()];
            if (area >= 0) {
                add_edge(a, b);
            } else {
                add_edge(b, a);
            }
        }
    }
    void add_disc(Vec2 centre, double radius) {
        const int sides = std::clamp(static_cast<int>(4 * std::sqrt(radius) + 6), 8, 256);
        std::vector<Vec2> points(static_cast<std::size_t>(sides));
        for (int i = 0; i < sides; ++i) {
            points[static_cast<std::size_t>(i)] = centre + math::direction(kTwoPi * i / sides) * radius;
        }
        add_outline(points);
    }
    void add_segment(Vec2 a, Vec2 b, double half) {
        const double size = length(b - a);
        if (!(size > 0)) return;
        const Vec2 side = Vec2{-(b - a).y, (b - a).x} * (half / size);
        const Vec2 corners[] = {a + side, b + side, b - side, a - side};
        add_outline(corners);
    }
    void add_line(std::span<const Vec2> points, double half) {
        for (const Vec2 p : points) add_disc(p, half);
        for (std::size_t i = 1; i < points.size(); ++i) add_segment(points[i - 1], points[i], half);
    }
    void add_dashes(std::span<const Vec2> points, double half, double dash) {
        double done = 0;  // length behind the current segment
        for (std::size_t i = 1; i < points.size(); ++i) {
            const Vec2 a = points[i - 1];
            const double size = length(points[i] - a);
            if (!(size > 0)) continue;
            const Vec2 unit = (points[i] - a) * (1 / size);
            const auto first = static_cast<std::int64_t>(done / (2 * dash));
            for (std::int64_t k = first; 2 * dash * static_cast<double>(k) < done + size; ++k) {
                const double from = std::max(2 * dash * static_cast<double>(k) - done, 0.0);
                const double to = std::min(2 * dash * static_cast<double>(k) + dash - done, size);
                if (from < to) add_segment(a + unit * from, a + unit * to, half);
            }
            done += size;
        }
    }

    // ------------------------------------------------------------------ painting it

    void flush() {
        if (w.edges_.empty()) return;
        const Color color = w.is_stroke_ ? w.stroke_.color : w.fill_.color;
        const double opacity = w.is_stroke_ ? w.stroke_.opacity : w.fill_.opacity;
        paint(color, static_cast<float>(std::clamp(opacity, 0.0, 1.0)));
        w.edges_.clear();
    }

    // Scan by scan from the top: the edges that cross it, from left to right; between the crossings where the
    // winding number is not zero lies the shape.
    void paint(Color color, float opacity) {
        std::vector<Edge>& edges = w.edges_;
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.y0 < b.y0; });
        double bottom = edges.front().y1;
        for (const Edge& edge : edges) bottom = std::max(bottom, edge.y1);
        const Clip clip = w.clips_.back();
        const int y_begin = std::max(static_cast<int>(std::floor(std::max(edges.front().y0, -1.0))), clip.y0);
        const int y_end = static_cast<int>(std::min(std::ceil(bottom), static_cast<double>(clip.y1)));

        std::vector<std::size_t> active;
        std::vector<Crossing> crossings;
        std::size_t next = 0;
        w.cover_.assign(static_cast<std::size_t>(std::max(clip.x1 - clip.x0, 0)), 0.0F);
        for (int y = y_begin; y < y_end; ++y) {
            for (int scan = 0; scan < kScans; ++scan) {
                const double at = y + (scan + 0.5) / kScans;
                while (next < edges.size() && edges[next].y0 <= at) active.push_back(next++);
                std::erase_if(active, [&](std::size_t i) { return edges[i].y1 <= at; });
                if (active.empty()) continue;
                crossings.clear();
                for (const std::size_t i : active) {
                    const Edge& e = edges[i];
                    crossings.push_back({e.x0 + (e.x1 - e.x0) * ((at - e.y0) / (e.y1 - e.y0)), e.winding});
                }
                std::sort(crossings.begin(), crossings.end(),
                          [](const Crossing& a, const Crossing& b) { return a.x < b.x; });
                int winding = 0;
                double from = 0;
                for (const Crossing& crossing : crossings) {
                    if (winding == 0) from = crossing.x;
                    winding += crossing.winding;
                    if (winding == 0) add_span(w.cover_, from, crossing.x, clip.x0, clip.x1);
                }
            }
            blend_row(y, clip, color, opacity);
        }
    }

    void blend_row(int y, const Clip& clip, Color color, float opacity) {
        std::uint8_t* pixel = w.image_.pixels.data() +
                              3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(w.image_.width) +
                                   static_cast<std::size_t>(clip.x0));
        for (float& cover : w.cover_) {
            if (cover > 0) {
                const float share = std::min(cover, 1.0F) * opacity;
                pixel[0] = blend(pixel[0], color.r, share);
                pixel[1] = blend(pixel[1], color.g, share);
                pixel[2] = blend(pixel[2], color.b, share);
                cover = 0;
            }
            pixel += 3;
        }
    }

    // ------------------------------------------------------------------ the callbacks

    void polyline(std::span<const Vec3> points, const Stroke& stroke) {
        begin(stroke);
        std::vector<Vec2> mapped;
        for (const Vec3 p : points) mapped.push_back(map(p));
        const double half = 0.5 * stroke.width * w.pixels_;
        if (stroke.dash > 0) {
            add_dashes(mapped, half, stroke.dash * w.pixels_);
        } else {
            add_line(mapped, half);
        }
    }

    void polygon(std::span<const Vec3> points, const Fill& fill) {
        begin(fill);
        std::vector<Vec2> mapped;
        for (const Vec3 p : points) mapped.push_back(map(p));
        add_outline(mapped);
    }

    void circle(Vec3 centre, double radius, const Fill& fill, const Stroke& stroke) {
        const Vec2 at = map(centre);
        const double size = radius * w.scale_;
        if (fill.opacity > 0) {
            flush();
            begin(fill);
            add_disc(at, size);
        }
        if (!(stroke.width > 0 && stroke.opacity > 0)) return;
        flush();
        begin(stroke);
        const int sides = std::clamp(static_cast<int>(4 * std::sqrt(size) + 12), 16, 256);
        std::vector<Vec2> points;
        for (int i = 0; i <= sides; ++i) points.push_back(at + math::direction(kTwoPi * i / sides) * size);
        const double half = 0.5 * stroke.width * w.pixels_;
        if (stroke.dash > 0) {
            add_dashes(points, half, stroke.dash * w.pixels_);
        } else {
            add_line(points, half);
        }
    }

    void text(Vec3 at, const char* utf8, const TextStyle& style) {
        flush();
        const double size = style.size * w.pixels_;
        const TextStrokes strokes = text_strokes(utf8, size, style.bold);
        Vec2 origin = map(at);
        if (style.anchor == Anchor::middle) origin.x -= strokes.width / 2;
        if (style.anchor == Anchor::end) origin.x -= strokes.width;
        const double pen = style.size * pen_width(style.bold);
        if (style.halo) write(strokes, origin, Stroke{debug::rgb(0xffffff), pen + style.size * 0.28});
        write(strokes, origin, Stroke{style.color, pen});
    }
    void write(const TextStrokes& strokes, Vec2 origin, const Stroke& stroke) {
        begin(stroke);
        std::vector<Vec2> placed;
        for (const auto& line : strokes.lines) {
            placed.clear();
            for (const Vec2 p : line) placed.push_back({origin.x + p.x, origin.y - p.y});
            const bool dot = line.size() == 1;
            add_line(placed, (dot ? 0.78 : 0.5) * stroke.width * w.pixels_);
        }
        flush();
    }

    void begin_group(const GroupStyle& group) {
        flush();
        Clip clip = w.clips_.back();
        if (!group.clip.empty()) {
            const Vec2 a = map({group.clip.low.x, group.clip.low.y, 0});
            const Vec2 b = map({group.clip.high.x, group.clip.high.y, 0});
            clip.x0 = std::max(clip.x0, static_cast<int>(std::lround(a.x)));
            clip.x1 = std::min(clip.x1, static_cast<int>(std::lround(b.x)));
            clip.y0 = std::max(clip.y0, static_cast<int>(std::lround(std::min(a.y, b.y))));
            clip.y1 = std::min(clip.y1, static_cast<int>(std::lround(std::max(a.y, b.y))));
            clip.x1 = std::max(clip.x0, clip.x1);
            clip.y1 = std::max(clip.y0, clip.y1);
        }
        w.clips_.push_back(clip);
    }
    void end_group() {
        flush();
        if (w.clips_.size() > 1) w.clips_.pop_back();
    }
};

RasterWriter::RasterWriter(const debug::SvgOptions& page, double pixels_per_point)
    : pixels_(pixels_per_point), y_up_(page.y_up) {
    const Vec2 size = debug::svg_size(page) * pixels_;
    image_.width = static_cast<int>(std::ceil(size.x));
    image_.height = static_cast<int>(std::ceil(size.y));
    const Color paper = page.background.color;
    image_.pixels.reserve(3 * static_cast<std::size_t>(image_.width) *
                          static_cast<std::size_t>(image_.height));
    for (std::size_t i = static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height);
         i > 0; --i) {
        image_.pixels.insert(image_.pixels.end(), {paper.r, paper.g, paper.b});
    }
    scale_ = (page.width - 2 * page.margin) / (page.bounds.high.x - page.bounds.low.x) * pixels_;
    offset_.x = page.margin * pixels_ - page.bounds.low.x * scale_;
    offset_.y = page.margin * pixels_ + (y_up_ ? page.bounds.high.y : -page.bounds.low.y) * scale_;
    clips_.push_back({0, 0, image_.width, image_.height});
}

Sink RasterWriter::sink() {
    Sink sink;
    sink.polyline = [](std::span<const Vec3> points, const Stroke& stroke, void* user) {
        Paint{user}.polyline(points, stroke);
    };
    sink.polygon = [](std::span<const Vec3> points, const Fill& fill, void* user) {
        Paint{user}.polygon(points, fill);
    };
    sink.circle = [](Vec3 centre, double radius, const Fill& fill, const Stroke& stroke, void* user) {
        Paint{user}.circle(centre, radius, fill, stroke);
    };
    sink.text = [](Vec3 at, const char* text, const TextStyle& style, void* user) {
        Paint{user}.text(at, text, style);
    };
    sink.begin_group = [](const GroupStyle& group, void* user) { Paint{user}.begin_group(group); };
    sink.end_group = [](void* user) { Paint{user}.end_group(); };
    sink.user = this;
    sink.point = pixels_ / scale_;
    return sink;
}

const Image& RasterWriter::image() {
    Paint{*this}.flush();
    return image_;
}

}  // namespace fairlead::picture
