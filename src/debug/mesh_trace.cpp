#include <fairlead/debug/mesh_trace.h>

#include <fairlead/debug/palette.h>

namespace fairlead::debug {

namespace {

constexpr std::size_t kIntervalSteps = 16;

struct IntervalPass {
    std::span<const MeshTraceEvent> events;
    const Sink& sink;
    const MeshTraceDraw& options;

    template <class Each>
    void for_each(TraceEventKind kind, const Each& each) const {
        for (const MeshTraceEvent& event : events) {
            if (event.kind == kind) each(event.interval);
        }
    }

    [[nodiscard]] Vec3 lifted(Vec2 p, const MeshInterval& at) const { return at_height(p, at.z + options.z); }

    void draw_side(const MeshInterval& at, const Stroke& stroke) const {
        draw_line(sink, lifted(at.left, at), lifted(at.right, at), stroke);
    }

    void draw_open() const {
        const Group group{sink, "open"};
        const Stroke stroke{.color = palette::kOpen, .width = 1.4};
        for_each(TraceEventKind::generated, [&](const MeshInterval& at) { draw_side(at, stroke); });
    }

    /// One color after the other, so that each is one shape.
    template <class Each>
    void in_colors(const Each& each) const {
        std::size_t count = 0;
        for_each(TraceEventKind::expanded, [&](const MeshInterval&) { ++count; });
        for (std::size_t step = 0; step < kIntervalSteps; ++step) {
            const Color color = palette::heat(static_cast<double>(step) / (kIntervalSteps - 1));
            std::size_t index = 0;
            for_each(TraceEventKind::expanded, [&](const MeshInterval& at) {
                if (index++ * kIntervalSteps / count == step) each(at, color);
            });
        }
    }

    void draw_fans() const {
        const Group group{sink, "fans"};
        in_colors([&](const MeshInterval& at, Color color) {
            const Vec3 fan[] = {lifted(at.root, at), lifted(at.right, at), lifted(at.left, at)};
            draw_polygon(sink, fan, Fill{.color = color, .opacity = 0.3});
        });
    }

    void draw_expanded() const {
        const Group group{sink, "expanded"};
        in_colors([&](const MeshInterval& at, Color color) {
            draw_side(at, {.color = mix(color, palette::kInk, 0.35), .width = 2.0});
        });
    }

    void draw_roots() const {
        const Group group{sink, "roots"};
        const Fill fill{palette::kPortal};
        Vec2 last{};
        bool first = true;
        for_each(TraceEventKind::expanded, [&](const MeshInterval& at) {
            if (!first && at.root == last) return;
            draw_circle(sink, lifted(at.root, at), 2.2 * sink.point, fill, kNoStroke);
            last = at.root;
            first = false;
        });
    }
};

}  // namespace

MeshIntervalHook MeshTrace::hook() {
    return {[](TraceEventKind kind, const MeshInterval& interval, void* user) {
                MeshTrace& self = *static_cast<MeshTrace*>(user);
                if (self.events_.size() >= self.events_max_ || !self.events_.push_back({interval, kind})) {
                    self.complete_ = false;
                }
            },
            this};
}

void draw(std::span<const MeshTraceEvent> events, const Sink& sink, const MeshTraceDraw& options) {
    const Group group{sink, "intervals"};
    if (options.events_end < events.size()) events = events.first(options.events_end);
    const IntervalPass pass{events, sink, options};
    if (options.fans) pass.draw_fans();
    if (options.open) pass.draw_open();
    pass.draw_expanded();
    pass.draw_roots();
}

}  // namespace fairlead::debug
