#include <fairlead/debug/draw_explain.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_drive.h>

namespace fairlead::debug {

namespace {

void draw_way(const Help& help, const Sink& sink, double cell_size) {
    if (help.agent.turning_radius > 0.0) {
        draw_drive(help.route, help.agent, sink, {.bodies = false});
    } else {
        draw(help.route, help.agent, sink, {.cell_size = cell_size});
    }
}

void draw_square(const Sink& sink, Vec3 at, double side, const Stroke& stroke) {
    const double h = 0.5 * side;
    const Vec3 corners[] = {{at.x - h, at.y - h, at.z},
                            {at.x + h, at.y - h, at.z},
                            {at.x + h, at.y + h, at.z},
                            {at.x - h, at.y + h, at.z}};
    draw_outline(sink, corners, stroke);
}

}  // namespace

const Help* first_help(const Explanation& why) {
    for (const Help& help : why.helps) {
        if (help.proof == Proof::found) return &help;
    }
    return nullptr;
}

void draw(const Explanation& why, const Sink& sink, const ExplainDraw& options) {
    const Group group(sink, "explanation");
    const Help* help = first_help(why);
    if (options.route && help != nullptr) draw_way(*help, sink, options.cell_size);
    if (!why.has_place) return;
    const Vec3 at = why.place.position;
    const Stroke line{.color = options.color, .width = 1.8};
    const Stroke dashed{.color = options.color, .width = 1.4, .dash = 4.0};
    if (why.width > 0.0)
        draw_circle(sink, at, 0.5 * why.width, {.color = options.color, .opacity = 0.25}, line);
    const Agent& agent = why.agent;
    if (agent.footprint > 0) {
        draw_square(sink, at, agent.footprint * options.cell_size, dashed);
    } else if (agent.shape == BodyShape::disc) {
        if (agent.radius > 0.0) draw_circle(sink, at, agent.radius, kNoFill, dashed);
    } else if (why.reason != ExplainReason::too_wide) {  // how it would face there is not known
        draw_body(why.place, agent, sink, kNoFill, dashed);
    }
    draw_circle(sink, at, 2.5 * sink.point, {.color = options.color}, kNoStroke);
}

}  // namespace fairlead::debug
