#include <cmath>

#include <fairlead/debug/draw_mesh.h>
#include <fairlead/math/trig.h>

namespace fairlead::debug {

namespace {

constexpr int kBowParts = 16;
constexpr double kBow = 0.12;  ///< of its length, to the left

void draw_bow(const Sink& sink, Vec3 a, Vec3 b, bool both_ways, const Stroke& stroke) {
    const Vec2 way = ground(b) - ground(a);
    const Vec2 aside = Vec2{-way.y, way.x} * (4.0 * kBow);
    Vec3 points[kBowParts + 1];
    for (int i = 0; i <= kBowParts; ++i) {
        const double t = static_cast<double>(i) / kBowParts, bow = t * (1.0 - t);
        points[i] = a + (b - a) * t + Vec3{aside.x * bow, aside.y * bow, 0.0};
    }
    // The last parts are drawn as arrows.
    draw_polyline(sink, std::span{points + 1, kBowParts - 1}, stroke);
    draw_arrow(sink, points[kBowParts - 1], points[kBowParts], stroke);
    if (both_ways) {
        draw_arrow(sink, points[1], points[0], stroke);
    } else {
        draw_line(sink, points[0], points[1], stroke);
    }
}

}  // namespace

void draw_links(const NavMeshState& mesh, const Sink& sink, const MeshFilter& filter) {
    const Group group{sink, "links"};
    for (std::uint32_t i = 0; i < mesh.links(); ++i) {
        const MeshLinkState link = mesh.link_at(i);
        const std::uint8_t kind = link.link.kind;
        const bool open = link.awake && filter.links.open(kind);
        const Stroke stroke{.color = palette::kPortal, .width = 1.4, .dash = open ? 0.0 : 3.0};
        draw_bow(sink, link.from, link.to, !link.link.one_way, stroke);
        if (!(link.link.extent > 0.0)) continue;
        const Vec2 ahead = math::direction(link.heading_rad);
        const Vec3 across = Vec3{-ahead.y, ahead.x, 0.0} * (link.link.extent / 2.0);
        for (const Vec3& end : {link.from, link.to}) draw_line(sink, end - across, end + across, stroke);
    }
}

}  // namespace fairlead::debug
