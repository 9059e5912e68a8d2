// The sides that a search on a level mesh has looked through, and from where: opened ones with the triangles that they are seen in,
// light to dark in order, and below them what was put on the open list.
#include "debug/draw_sides.h"

#include <fairlead/debug/palette.h>

namespace fairlead::debug {

namespace {

constexpr std::size_t kIntervalSteps = 16;

struct IntervalPass {
    std::span<const TraceEvent> events;
    const Sink& sink;
    const TraceDraw& options;

    template <class Each>
    void for_each(bool opened, const Each& each) const {
        for (const TraceEvent& event : events) {
            if (!event.has_side() || event.order >= options.order_end) continue;
            const bool is_open = event.kind == TraceKind::expand || event.kind == TraceKind::pass;
            if (opened ? is_open : event.kind == TraceKind::generate) each(event);
        }
    }

    [[nodiscard]] Vec3 lifted(Vec2 p, const TraceEvent& at) const { return at_height(p, at.z + options.z); }

    void draw_side(const TraceEvent& at, const Stroke& stroke) const {
        draw_line(sink, lifted(at.left, at), lifted(at.right, at), stroke);
    }

    void draw_open() const {
        const Group group{sink, "open"};
        const Stroke stroke{.color = palette::kOpen, .width = 1.4};
        for_each(false, [&](const TraceEvent& at) { draw_side(at, stroke); });
    }

    /// One color after the other, so that each is one shape.
    template <class Each>
    void in_colors(const Each& each) const {
        std::size_t count = 0;
        for_each(true, [&](const TraceEvent&) { ++count; });
        for (std::size_t step = 0; step < kIntervalSteps; ++step) {
            const Color color = palette::heat(static_cast<double>(step) / (kIntervalSteps - 1));
            std::size_t index = 0;
            for_each(true, [&](const TraceEvent& at) {
                if (index++ * kIntervalSteps / count == step) each(at, color);
            });
        }
    }

    void draw_fans() const {
        const Group group{sink, "fans"};
        in_colors([&](const TraceEvent& at, Color color) {
            const Vec3 fan[] = {lifted(at.from, at), lifted(at.right, at), lifted(at.left, at)};
            draw_polygon(sink, fan, Fill{.color = color, .opacity = 0.3});
        });
    }

    void draw_expanded() const {
        const Group group{sink, "expanded"};
        in_colors([&](const TraceEvent& at, Color color) {
            draw_side(at, {.color = mix(color, palette::kInk, 0.35), .width = 2.0});
        });
    }

    void draw_roots() const {
        const Group group{sink, "roots"};
        const Fill fill{palette::kPortal};
        Vec2 last{};
        bool first = true;
        for_each(true, [&](const TraceEvent& at) {
            if (!first && at.from == last) return;
            draw_circle(sink, lifted(at.from, at), 2.2 * sink.point, fill, kNoStroke);
            last = at.from;
            first = false;
        });
    }
};

}  // namespace

void draw_sides(std::span<const TraceEvent> events, const Sink& sink, const TraceDraw& options) {
    const Group group{sink, "intervals"};
    const IntervalPass pass{events, sink, options};
    if (options.fans) pass.draw_fans();
    if (options.open) pass.draw_open();
    pass.draw_expanded();
    pass.draw_roots();
}

}  // namespace fairlead::debug
