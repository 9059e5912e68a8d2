// Draws the events of a search on tiles, roadmaps and lattices as squares and strokes, and the path.
#include <fairlead/debug/draw.h>
#include <fairlead/math/trig.h>

#include "debug/box_batch.h"
#include "debug/draw_sides.h"

namespace fairlead::debug {
namespace {

constexpr int kHeatSteps = 16;

struct TracePass {
    std::span<const TraceEvent> events;
    const Sink& sink;
    const TraceDraw& options;

    template <class Each>
    void for_each(TraceKind kind, const Each& each) const {
        for (const TraceEvent& event : events) {
            if (event.kind != kind || event.order >= options.order_end) continue;
            if (options.layer < 0 || event.layer == options.layer) each(event);
        }
    }

    [[nodiscard]] Aabb square(Vec2 centre, double share) const {
        const Vec2 half{0.5 * share * options.cell_size, 0.5 * share * options.cell_size};
        return {centre - half, centre + half};
    }

    // A pose: from its place to where it faces. A third of a cell, so that the poses of one place make a star.
    void draw_pose(const TraceEvent& event, double share, const Stroke& stroke) const {
        const Vec2 tip = event.position + math::direction(event.heading_rad) * (share * options.cell_size);
        draw_line(sink, at_height(event.position, options.z), at_height(tip, options.z), stroke);
    }

    void draw_open() const {
        const Group group{sink, "open"};
        BoxBatch batch{sink, options.z, Fill{palette::kOpen}};
        for_each(TraceKind::generate, [&](const TraceEvent& event) {
            if (!event.has_heading) batch.add(square(event.position, 0.3));
        });
        const Stroke stroke{.color = palette::kOpen, .width = 0.8};
        for_each(TraceKind::generate, [&](const TraceEvent& event) {
            if (event.has_heading) draw_pose(event, 0.2, stroke);
        });
    }

    // Squares leave a rim where the cells are large enough to show it, so that terrain shines through.
    void draw_expanded() const {
        const double share = options.cell_size >= 9.0 * sink.point ? 0.84 : 1.0;
        std::uint64_t count = 0;
        for_each(TraceKind::expand, [&](const TraceEvent&) { ++count; });
        if (count == 0) return;
        const Group group{sink, "expanded"};
        for (std::uint64_t step = 0; step < kHeatSteps; ++step) {
            const Color color = palette::heat(static_cast<double>(step) / (kHeatSteps - 1));
            BoxBatch batch{sink, options.z, Fill{color}};
            const Stroke stroke{.color = color, .width = 1.3};
            std::uint64_t index = 0;
            for_each(TraceKind::expand, [&](const TraceEvent& event) {
                if (index++ * kHeatSteps / count != step) return;
                if (event.has_heading) {
                    draw_pose(event, 0.34, stroke);
                } else {
                    batch.add(square(event.position, share));
                }
            });
        }
    }

    void draw_links() const {
        const Group group{sink, "links"};
        const Stroke stroke{.color = palette::kOpen, .width = 1.0};
        for_each(TraceKind::expand, [&](const TraceEvent& event) {
            if (event.from == event.position) return;
            draw_line(sink, at_height(event.from, options.z), at_height(event.position, options.z), stroke);
        });
    }

    void draw_path() const {
        const Group group{sink, "path"};
        const Stroke stroke{.color = palette::kRoute, .width = 2.5};
        bool first = true;
        Vec2 last{};
        for_each(TraceKind::path, [&](const TraceEvent& event) {
            if (!first)
                draw_line(sink, at_height(last, options.z), at_height(event.position, options.z), stroke);
            last = event.position;
            first = false;
        });
    }
};

}  // namespace

void draw(std::span<const TraceEvent> events, const Sink& sink, const TraceDraw& options) {
    const Group group{sink, "trace"};
    const TracePass pass{events, sink, options};
    bool sides = false;
    for (const TraceEvent& event : events) sides = sides || event.has_side();
    if (options.search && sides) {
        draw_sides(events, sink, options);
    } else if (options.search) {
        pass.draw_open();
        pass.draw_expanded();
        if (options.links) pass.draw_links();
    }
    pass.draw_path();
}

}  // namespace fairlead::debug
