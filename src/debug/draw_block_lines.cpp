// Lines and routes through blocks, seen and hidden parts told apart.
#include <fairlead/debug/block_view.h>

#include <cmath>

#include "debug/lattice_walk.h"

namespace fairlead::debug {

/// The pieces of a line between which nothing changes: whether it is hidden.
struct BlockView::Walk {
    const BlockView& view;
    Vec3 a, b;  // turned

    [[nodiscard]] Vec3 at(double t) const { return a + (b - a) * t; }

    template <class Visit>
    void run(const Visit& visit) const {
        const double from[3] = {a.x - a.z, a.y - a.z, a.x - a.y}, to[3] = {b.x - b.z, b.y - b.z, b.x - b.y};
        walk_lattice(from, to, [&](double t0, double t1) {
            const Vec3 middle = at(0.5 * (t0 + t1));
            const double x = middle.x - middle.z, y = middle.y - middle.z;
            const double i = std::floor(x), j = std::floor(y);
            const Face& face =
                view.face(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), x - i > y - j ? 0 : 1);
            const double cut = crossing(face, t0, t1);
            for (const auto& [from_t, to_t] : {std::pair{t0, cut}, std::pair{cut, t1}}) {
                if (from_t < to_t) visit(from_t, to_t, view.hides(face, at(0.5 * (from_t + to_t))));
            }
        });
    }

    // Where the line passes through the face's plane; t1 where it does not.
    [[nodiscard]] double crossing(const Face& face, double t0, double t1) const {
        if (face.axis < 0) return t1;
        const double p[3] = {a.x, a.y, a.z}, d[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
        if (d[face.axis] == 0.0) return t1;
        const double t = (face.plane - p[face.axis]) / d[face.axis];
        return t > t0 && t < t1 ? t : t1;
    }
};

// Neighbouring pieces of one kind are one line.
void BlockView::draw_pieces(Vec3 a, Vec3 b, bool hidden, const Stroke& stroke, const Sink& sink) const {
    const Walk walk{*this, a, b};
    double begin = 0.0, end = -1.0;
    const auto flush = [&] {
        if (end > begin)
            debug::draw_line(sink, at_height(flat(walk.at(begin))), at_height(flat(walk.at(end))), stroke);
    };
    walk.run([&](double t0, double t1, bool is_hidden_there) {
        if (is_hidden_there != hidden) return;
        if (t0 != end) flush(), begin = t0;
        end = t1;
    });
    flush();
}

// On the top of what lies below, or on the floor; only where that is seen.
void BlockView::draw_shadow(Vec3 a, Vec3 b, const Sink& sink) const {
    const Stroke stroke{.color = palette::kInk, .width = 1.6, .opacity = 0.28};
    const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
    walk_lattice(from, to, [&](double t0, double t1) {
        const Vec3 middle = a + (b - a) * (0.5 * (t0 + t1));
        const auto x = static_cast<std::int32_t>(std::floor(middle.x)),
                   y = static_cast<std::int32_t>(std::floor(middle.y));
        auto z = static_cast<std::int32_t>(std::floor(middle.z));
        if (z > size_.z) z = size_.z;
        while (z > 0 && blocks_->paint_at(unturned({x, y, z - 1})) != BlockPaint::kSolid) --z;
        Vec3 p = a + (b - a) * t0, q = a + (b - a) * t1;
        p.z = q.z = z;
        draw_pieces(p, q, false, stroke, sink);
    });
}

// Each stroke goes over all pieces, so that the rim of one does not cover another.
template <class Each>
void BlockView::draw_strokes(const Each& each, const BlockLine& line, const Sink& sink) const {
    const auto walk = [&](const auto& draw) {
        each([&](Vec3 a, Vec3 b) {
            const Vec3 from = turned(blocks_->in_blocks(a)), to = turned(blocks_->in_blocks(b));
            if (is_walkable(from) && is_walkable(to)) draw(from, to);
        });
    };
    const auto pieces = [&](bool hidden, const Stroke& stroke) {
        walk([&](Vec3 a, Vec3 b) { draw_pieces(a, b, hidden, stroke, sink); });
    };
    if (line.shadow) walk([&](Vec3 a, Vec3 b) { draw_shadow(a, b, sink); });
    if (line.hidden.width > 0.0) pieces(true, line.hidden);
    if (line.casing)
        pieces(false, {.color = palette::kPaper, .width = line.seen.width + 2.0, .opacity = 0.85});
    pieces(false, line.seen);
}

void BlockView::draw_line(std::span<const Vec3> points, const Sink& sink, const BlockLine& line) const {
    const Group group{sink, "line"};
    draw_strokes(
        [&](const auto& draw) {
            for (std::size_t i = 1; i < points.size(); ++i) draw(points[i - 1], points[i]);
        },
        line, sink);
}

void BlockView::draw_dot(Vec3 world, double radius, Color color, const Sink& sink) const {
    const bool hidden = is_hidden(world);
    draw_circle(sink, at_height(map(world)), radius * sink.point,
                {hidden ? mix(color, palette::kPaper, 0.55) : color},
                {.color = palette::kPaper, .width = 1.0});
}

void BlockView::draw(const Route& route, const Sink& sink, const BlockLine& line) const {
    const Group group{sink, "route"};
    draw_strokes([&](const auto& draw) { each_straight(route, draw); }, line, sink);
    if (route.legs.empty()) return;
    for (std::size_t i = 1; i < route.legs.size(); ++i)
        draw_dot(route.legs[i].start.position, 3.0, line.seen.color, sink);
    draw_circle(sink, at_height(map(route.legs[0].start.position)), 5.0 * sink.point, {palette::kInk},
                {.color = palette::kPaper, .width = 1.0});
    const Vec3 end = at_height(map(route.end.position));
    draw_circle(sink, end, 6.5 * sink.point, {palette::kPaper}, {.color = palette::kInk, .width = 2.0});
    draw_circle(sink, end, 3.0 * sink.point, {palette::kInk}, kNoStroke);
}

}  // namespace fairlead::debug
