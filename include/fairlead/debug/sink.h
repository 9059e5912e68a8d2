// Sink: where drawings go. A struct of function pointers, so that the same draw functions (draw.h) fill an
// SVG file (svg.h), a JSON or OBJ dump (json.h, obj.h), or the debug lines of a game engine.
//
//     void my_line(Vec3 a, Vec3 b, const debug::Stroke& stroke, void* user) { engine_line(a, b, ...); }
//     const debug::Sink sink{.line = my_line, .user = &engine};
//     debug::draw(route, agent, sink);                        // all that `line` alone can show
//
// A sink may be partly filled. The draw_* functions below stand in for what is missing by what is there:
//     boxes -> polygon;   circle -> polygon and polyline;   polyline <-> line;   polygon, text, group -> left
//     out.
// So `line` alone gives a wire picture and an empty sink swallows everything.
//
// Geometry is in world units; heights pass through and a flat sink drops them. Widths, dashes and sizes of
// text are in points: one pixel of a picture shown at its own size. `point` is the length of a point in the
// world; the draw functions size markers by it.
//
// One shape. Consecutive calls of one kind with the same Fill (or the same Stroke) are one shape: their
// union. A sink that blends must not darken where they overlap or leave hairlines where they meet. Those of
// this library do so by writing one path, which also keeps the files small.
//
// Callbacks must not keep the pointers that they are given. Nothing here allocates.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/platform.h>
#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

namespace fairlead::debug {

struct Color {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;

    friend constexpr bool operator==(Color, Color) = default;
};

/// The color of 0xRRGGBB.
[[nodiscard]] constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
            static_cast<std::uint8_t>(hex)};
}

/// Between a (t = 0) and b (t = 1), rounded to the nearest; t is clamped.
[[nodiscard]] FAIRLEAD_INLINE constexpr Color mix(Color a, Color b, double t) {
    const double u = t > 0 ? (t < 1 ? t : 1.0) : 0.0;
    const auto blend = [u](std::uint8_t p, std::uint8_t q) {
        return static_cast<std::uint8_t>(static_cast<double>(p) * (1 - u) + static_cast<double>(q) * u + 0.5);
    };
    return {blend(a.r, b.r), blend(a.g, b.g), blend(a.b, b.b)};
}

/// The inside of a shape. Opacity 0: not filled.
struct Fill {
    Color color{};
    double opacity = 1.0;

    friend constexpr bool operator==(const Fill&, const Fill&) = default;
};

/// A line, with round ends and joins. Width 0: not drawn.
struct Stroke {
    Color color{};
    double width = 1.0;  ///< points
    double dash = 0.0;   ///< points; length of the dashes and of the gaps between them, 0 for a solid line
    double opacity = 1.0;

    friend constexpr bool operator==(const Stroke&, const Stroke&) = default;
};

inline constexpr Fill kNoFill{.opacity = 0.0};
inline constexpr Stroke kNoStroke{.width = 0.0};

enum class Anchor : std::uint8_t { start, middle, end };

/// Text stands upright; its place is the left end, middle or right end of the baseline.
struct TextStyle {
    Color color{};
    double size = 12.0;  ///< points, of the em
    Anchor anchor = Anchor::start;
    bool bold = false;
    bool halo = false;  ///< a white rim, to be read on top of a map

    friend constexpr bool operator==(const TextStyle&, const TextStyle&) = default;
};

/// A named part of a drawing: a layer in a vector editor, an object in a mesh file.
struct GroupStyle {
    const char* name = "";  ///< UTF-8
    Aabb clip{{0, 0},
              {-1, -1}};  ///< nothing outside is drawn; empty: no clipping. Groups nest, clips intersect
};

struct Sink {
    void (*line)(Vec3 a, Vec3 b, const Stroke& stroke, void* user) = nullptr;
    /// At least two points.
    void (*polyline)(std::span<const Vec3> points, const Stroke& stroke, void* user) = nullptr;
    /// Filled, at least three points, the last joined to the first. Either sense of turning.
    void (*polygon)(std::span<const Vec3> points, const Fill& fill, void* user) = nullptr;
    /// Filled, none of them empty, all at one height.
    void (*boxes)(std::span<const Aabb> boxes, double z, const Fill& fill, void* user) = nullptr;
    /// Level with the ground; radius > 0.
    void (*circle)(Vec3 centre, double radius, const Fill& fill, const Stroke& stroke, void* user) = nullptr;
    /// UTF-8, not empty.
    void (*text)(Vec3 at, const char* text, const TextStyle& style, void* user) = nullptr;
    void (*begin_group)(const GroupStyle& group, void* user) = nullptr;
    void (*end_group)(void* user) = nullptr;
    void* user = nullptr;
    double point = 0.05;  ///< world units per point; > 0
};

// What the draw functions call. Each checks for the missing callback and leaves out what would not be seen.

void draw_line(const Sink& sink, Vec3 a, Vec3 b, const Stroke& stroke);
void draw_polyline(const Sink& sink, std::span<const Vec3> points, const Stroke& stroke);
/// The last point is joined to the first.
void draw_outline(const Sink& sink, std::span<const Vec3> points, const Stroke& stroke);
void draw_polygon(const Sink& sink, std::span<const Vec3> points, const Fill& fill);
void draw_boxes(const Sink& sink, std::span<const Aabb> boxes, double z, const Fill& fill);
void draw_circle(const Sink& sink, Vec3 centre, double radius, const Fill& fill, const Stroke& stroke);
void draw_text(const Sink& sink, Vec3 at, const char* text, const TextStyle& style);
/// A line from a to b with a head of two strokes at b.
void draw_arrow(const Sink& sink, Vec3 a, Vec3 b, const Stroke& stroke);

/// The height of a flat drawing.
[[nodiscard]] constexpr Vec3 at_height(Vec2 p, double z = 0.0) { return {p.x, p.y, z}; }

/// Everything between its beginning and its end belongs to the group.
class Group {
  public:
    Group(const Sink& sink, const GroupStyle& style) : end_(sink.end_group), user_(sink.user) {
        if (sink.begin_group != nullptr) sink.begin_group(style, sink.user);
    }
    Group(const Sink& sink, const char* name) : Group(sink, GroupStyle{.name = name}) {}
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    ~Group() {
        if (end_ != nullptr) end_(user_);
    }

  private:
    void (*end_)(void* user);
    void* user_;
};

/// Sends one drawing to several sinks: a picture for people and a dump for programs.
///
///     const debug::Sink both[] = {svg.sink(), json.sink()};
///     debug::Tee tee{both};
///     debug::draw(*town, tee.sink());
struct Tee {
    std::span<const Sink> sinks{};  ///< outlive the drawing

    /// Valid while this object stays where it is. `point` is that of the first sink.
    [[nodiscard]] Sink sink();
};

}  // namespace fairlead::debug
