// What a query brings along: blockers and goal regions.
#include <algorithm>
#include <array>
#include <cmath>

#include <fairlead/debug/draw.h>

namespace fairlead::debug {
namespace {

void draw_target(Vec2 at, const Sink& sink) {
    draw_circle(sink, at_height(at), 3.0 * sink.point, Fill{palette::kInk}, kNoStroke);
    draw_circle(sink, at_height(at), 6.5 * sink.point, kNoFill, Stroke{.color = palette::kInk, .width = 1.8});
}

void draw_square(Vec2 centre, double half, const Fill& fill, const Stroke& stroke, const Sink& sink) {
    const std::array<Vec3, 4> corners = {{{centre.x - half, centre.y - half, 0},
                                          {centre.x + half, centre.y - half, 0},
                                          {centre.x + half, centre.y + half, 0},
                                          {centre.x - half, centre.y + half, 0}}};
    draw_polygon(sink, corners, fill);
    draw_outline(sink, corners, stroke);
}

}  // namespace

void draw(std::span<const Blocker> blockers, const Sink& sink, std::int32_t layer) {
    const Group group{sink, "blockers"};
    const Fill fill{palette::kWarning, 0.25};
    const Stroke stroke{.color = palette::kWarning, .width = 1.5};
    for (const Blocker& blocker : blockers) {
        if (layer >= 0 && blocker.layer != layer) continue;
        if (blocker.box.empty()) {
            draw_circle(sink, at_height(blocker.centre), blocker.radius, fill, stroke);
            continue;
        }
        const Aabb& box = blocker.box;
        const std::array<Vec3, 4> corners = {{{box.low.x, box.low.y, 0},
                                              {box.high.x, box.low.y, 0},
                                              {box.high.x, box.high.y, 0},
                                              {box.low.x, box.high.y, 0}}};
        draw_polygon(sink, corners, fill);
        draw_outline(sink, corners, stroke);
    }
}

namespace {

// Cells are drawn on a map whose corner is the origin.
Vec2 ground_of(const Spot& spot, double cell_size) {
    if (spot.kind != Spot::Kind::cell) return spot.ground();
    return (spot.ground() + Vec2{0.5, 0.5}) * cell_size;
}

}  // namespace

void draw(const Goal& goal, const Sink& sink, double cell_size) {
    const Group group{sink, "goal"};
    const Fill fill{palette::route(2), 0.14};
    const Stroke stroke{.color = palette::route(2), .width = 1.5, .dash = 4.0};
    const Vec2 at = ground_of(goal.at, cell_size);
    switch (goal.kind) {
        case Goal::Kind::point: break;
        case Goal::Kind::within:
        case Goal::Kind::in_sight:
            if (std::isfinite(goal.range)) draw_circle(sink, at_height(at), goal.range, fill, stroke);
            break;
        case Goal::Kind::adjacent: {
            const Vec2 cell{std::floor(at.x / cell_size), std::floor(at.y / cell_size)};
            draw_square((cell + Vec2{0.5, 0.5}) * cell_size, 1.5 * cell_size, fill, stroke, sink);
            break;
        }
        case Goal::Kind::any_of:
            for (std::size_t i = 0; i < goal.list.size(); ++i)
                draw_target(ground_of(goal.list[i], cell_size), sink);
            return;
    }
    if (goal.kind == Goal::Kind::point) {
        draw_target(at, sink);
    } else {
        draw_circle(sink, at_height(at), 3.0 * sink.point, Fill{palette::route(2)}, kNoStroke);
    }
}

}  // namespace fairlead::debug
