#include <fairlead/debug/view.h>

namespace fairlead::debug {

View::View(const Sink& target, const ViewOptions& options) : target_(target), flip_(options.y_up) {
    const Vec2 world = options.world.high - options.world.low;
    const Vec2 frame = options.frame.high - options.frame.low;
    FAIRLEAD_ASSERT(world.x > 0 && world.y > 0 && frame.x > 0 && frame.y > 0);
    const double fit_x = frame.x / world.x;
    const double fit_y = frame.y / world.y;
    scale_ = fit_x < fit_y ? fit_x : fit_y;
    const Vec2 margin = (frame - world * scale_) * 0.5;
    covered_ = {options.frame.low + margin, options.frame.high - margin};
    offset_.x = covered_.low.x - options.world.low.x * scale_;
    offset_.y = flip_ ? covered_.high.y + options.world.low.y * scale_
                      : covered_.low.y - options.world.low.y * scale_;
    if (target_.begin_group != nullptr) {
        GroupStyle group{.name = "view"};
        if (options.clip) group.clip = covered_;
        target_.begin_group(group, target_.user);
    }
}

View::~View() {
    if (target_.end_group != nullptr) target_.end_group(target_.user);
}

Vec3 View::map(Vec3 p) const {
    const Vec2 at = map(ground(p));
    return {at.x, at.y, p.z * scale_};
}

Aabb View::map(const Aabb& box) const {
    const Vec2 a = map(box.low);
    const Vec2 b = map(box.high);
    return flip_ ? Aabb{{a.x, b.y}, {b.x, a.y}} : Aabb{a, b};
}

std::span<const Vec3> View::map(std::span<const Vec3> points) {
    if (!points_.resize_uninitialized(points.size())) {
        failed_ = true;
        return {};
    }
    for (std::size_t i = 0; i < points.size(); ++i) points_[i] = map(points[i]);
    return points_.span();
}

Sink View::sink() {
    Sink sink;
    sink.line = [](Vec3 a, Vec3 b, const Stroke& stroke, void* user) {
        const View& view = *static_cast<View*>(user);
        draw_line(view.target_, view.map(a), view.map(b), stroke);
    };
    sink.polyline = [](std::span<const Vec3> points, const Stroke& stroke, void* user) {
        View& view = *static_cast<View*>(user);
        draw_polyline(view.target_, view.map(points), stroke);
    };
    sink.polygon = [](std::span<const Vec3> points, const Fill& fill, void* user) {
        View& view = *static_cast<View*>(user);
        draw_polygon(view.target_, view.map(points), fill);
    };
    sink.boxes = [](std::span<const Aabb> boxes, double z, const Fill& fill, void* user) {
        const View& view = *static_cast<View*>(user);
        Aabb mapped[64];
        while (!boxes.empty()) {
            const std::size_t count = boxes.size() < 64 ? boxes.size() : 64;
            for (std::size_t i = 0; i < count; ++i) mapped[i] = view.map(boxes[i]);
            draw_boxes(view.target_, {mapped, count}, z * view.scale_, fill);
            boxes = boxes.subspan(count);
        }
    };
    sink.circle = [](Vec3 centre, double radius, const Fill& fill, const Stroke& stroke, void* user) {
        const View& view = *static_cast<View*>(user);
        draw_circle(view.target_, view.map(centre), radius * view.scale_, fill, stroke);
    };
    sink.text = [](Vec3 at, const char* text, const TextStyle& style, void* user) {
        const View& view = *static_cast<View*>(user);
        draw_text(view.target_, view.map(at), text, style);
    };
    sink.begin_group = [](const GroupStyle& group, void* user) {
        const View& view = *static_cast<View*>(user);
        if (view.target_.begin_group == nullptr) return;
        GroupStyle mapped = group;
        if (!group.clip.empty()) mapped.clip = view.map(group.clip);
        view.target_.begin_group(mapped, view.target_.user);
    };
    sink.end_group = [](void* user) {
        const View& view = *static_cast<View*>(user);
        if (view.target_.end_group != nullptr) view.target_.end_group(view.target_.user);
    };
    sink.user = this;
    sink.point = target_.point / scale_;
    return sink;
}

}  // namespace fairlead::debug
