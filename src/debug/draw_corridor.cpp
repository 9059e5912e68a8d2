// The polygons that a route crosses. Drawn as they are met; one that is met again on the next leg is drawn once.
#include <fairlead/debug/draw_mesh.h>

#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"

namespace fairlead::debug {

namespace {

constexpr int kCorridorSteps = 64;
constexpr double kCorridorReach = 1e-6;  // across, of the size of the mesh
constexpr double kCorridorHeight = 1.0;  // to the surface under a leg

struct CorridorDrawing {
    const NavMeshState& mesh;
    const Sink& sink;
    const CorridorDraw& options;
    bool crossed = false;  ///< the sides, not the polygons
    std::uint32_t last = mesh::kNone;

    void add(std::uint32_t polygon) {
        if (polygon == last || polygon == mesh::kNone) return;
        last = polygon;
        if (crossed) return;
        const PolygonId id{polygon};
        const std::uint32_t count = mesh.corners(id);
        // Convex: as a fan of pieces.
        constexpr std::uint32_t kMost = 64;
        Vec3 points[kMost];
        points[0] = mesh.corner(id, 0);
        for (std::uint32_t from = 1; from + 1 < count;) {
            const std::uint32_t end = count < from + kMost - 1 ? count : from + kMost - 1;
            for (std::uint32_t i = from; i < end; ++i) points[i - from + 1] = mesh.corner(id, i);
            draw_polygon(sink, std::span{points, end - from + 1}, options.fill);
            from = end - 1;
        }
    }

    void add_side(mesh::EdgeRef side) const {
        if (!crossed || side == mesh::kNone) return;
        const mesh::TileView& view = mesh.data().tile_of(side);
        const std::uint32_t place = mesh.data().local(side);
        const std::uint32_t polygon = view.edges[place].polygon;
        const PolygonId id{mesh.data().polygon_ref(side)};
        const std::uint32_t i = place - view.polygons[polygon].first;
        draw_line(sink, mesh.corner(id, i), mesh.corner(id, (i + 1) % mesh.corners(id)), options.portal);
    }

    [[nodiscard]] mesh::SurfacePoint under(Vec3 position) const {
        const Vec2 size = mesh.bounds().high - mesh.bounds().low;
        const double across = kCorridorReach * (size.x + size.y);
        return mesh::nearest_point(mesh.data(), position - mesh.data().origin,
                                   {across, kCorridorHeight, kCorridorHeight});
    }

    void add_leg(const Leg& leg, Vec3 end) {
        if (leg.kind != LegKind::drive) return;
        const mesh::SurfacePoint start = under(leg.start.position);
        add(start.polygon);
        if (leg.curvature != 0.0) {
            for (int i = 1; i <= kCorridorSteps; ++i) {
                add(under(place_on_leg(leg, leg.length * i / kCorridorSteps).position).polygon);
            }
            return;
        }
        if (start.polygon == mesh::kNone) return;
        mesh::Walk walk{
            .from = start.position, .to = ground(end - mesh.data().origin), .polygon = start.polygon};
        while (mesh::step_walk(mesh.data(), walk)) {
            add(walk.polygon);
            add_side(walk.entry);
        }
    }
};

}  // namespace

void draw_corridor(const NavMeshState& mesh, const Route& route, const Sink& sink,
                   const CorridorDraw& options) {
    const Group group{sink, "corridor"};
    CorridorDrawing polygons{mesh, sink, options};
    for (std::size_t i = 0; i < route.legs.size(); ++i)
        polygons.add_leg(route.legs[i], leg_end(route, i).position);
    if (!options.portals) return;
    const Group inner{sink, "crossed"};
    CorridorDrawing sides{.mesh = mesh, .sink = sink, .options = options, .crossed = true};
    for (std::size_t i = 0; i < route.legs.size(); ++i)
        sides.add_leg(route.legs[i], leg_end(route, i).position);
}

}  // namespace fairlead::debug
