#include <fairlead/debug/draw_mesh.h>

#include <algorithm>

#include "mesh/data/state.h"

namespace fairlead::debug {

namespace {

constexpr std::uint32_t kMeshPolygonMax = 128;
constexpr int kMeshBands = 24;
constexpr std::uint32_t kMeshTints = palette::kTints - 1;  // the last one is grey, as the ground is

/// Convex: a large one is drawn as several with the same first corner.
void draw_mesh_polygon(const NavMeshState& mesh, PolygonId polygon, const Sink& sink, const Fill& fill) {
    const std::uint32_t count = mesh.corners(polygon);
    Vec3 points[kMeshPolygonMax];
    points[0] = mesh.corner(polygon, 0);
    for (std::uint32_t from = 1; from + 1 < count;) {
        const std::uint32_t end = std::min(count, from + kMeshPolygonMax - 1);
        for (std::uint32_t i = from; i < end; ++i) points[i - from + 1] = mesh.corner(polygon, i);
        draw_polygon(sink, std::span{points, end - from + 1}, fill);
        from = end - 1;
    }
}

struct MeshDrawing {
    const NavMeshState& mesh;
    const Sink& sink;
    const MeshDraw& options;
    double low = 0.0;  ///< heights of all that is drawn
    double high = 0.0;
    std::uint32_t count = mesh.polygons();

    /// Of the polygon's box.
    [[nodiscard]] double middle(PolygonId polygon) const {
        double least = mesh.corner(polygon, 0).z, most = least;
        for (std::uint32_t i = 1; i < mesh.corners(polygon); ++i) {
            least = std::min(least, mesh.corner(polygon, i).z);
            most = std::max(most, mesh.corner(polygon, i).z);
        }
        return 0.5 * (least + most);
    }

    /// In order of their places, without counting through the tiles for each.
    template <class Each>
    void for_all(const Each& each) const {
        const mesh::StateData& state = mesh.data();
        for (const std::uint32_t slot : state.order) {
            const std::uint32_t in_tile = state.tiles[slot].tile->count.polygons;
            for (std::uint32_t i = 0; i < in_tile; ++i) {
                const PolygonId polygon{state.ref(slot, i)};
                const double z = middle(polygon);
                if (z >= options.z_low && z <= options.z_high) each(polygon, z);
            }
        }
    }

    [[nodiscard]] int band_of(double z) const {
        return high > low ? std::min(kMeshBands - 1, static_cast<int>((z - low) / (high - low) * kMeshBands))
                          : 0;
    }
    template <class Each>
    void for_band(int band, const Each& each) const {
        for_all([&](PolygonId polygon, double z) {
            if (band_of(z) == band) each(polygon, z);
        });
    }

    [[nodiscard]] bool closed(PolygonId polygon) const {
        return (options.filter.areas.closed_mask() >> mesh.area(polygon) & 1U) != 0;
    }

    [[nodiscard]] Color color_of(PolygonId polygon, double z) const {
        if (closed(polygon)) return mix(palette::kWall, palette::kPaper, 0.45);
        switch (options.tint) {
            case MeshTint::area: {
                const int area = mesh.area(polygon);
                return area == 0 ? palette::kPaper : palette::tint(area - 1);
            }
            case MeshTint::component:
                return palette::tint(static_cast<int>(mesh.component(polygon) % kMeshTints));
            case MeshTint::height:
                return palette::clearance(high > low ? 0.5 + 0.5 * (z - low) / (high - low) : 0.5);
            case MeshTint::polygon: return palette::tint(static_cast<int>(polygon.value % kMeshTints));
        }
        return palette::kPaper;
    }

    /// Calls `each` with the ends of all sides of a band that look like `wanted`.
    enum class Look : std::uint8_t { portal, border, wall };
    [[nodiscard]] Look look_of(PolygonId polygon, PolygonId next) const {
        if (!next.valid() || closed(next) != closed(polygon)) return Look::wall;
        const mesh::StateData& state = mesh.data();
        return options.borders && polygon.value >> state.bits != next.value >> state.bits ? Look::border
                                                                                          : Look::portal;
    }
    void draw_sides(int band, Look wanted, const char* name, const Stroke& stroke) const {
        const Group group{sink, name};
        for_band(band, [&](PolygonId polygon, double) {
            const std::uint32_t corners = mesh.corners(polygon);
            for (std::uint32_t i = 0; i < corners; ++i) {
                const PolygonId next = mesh.neighbour(polygon, i);
                if (look_of(polygon, next) != wanted || (wanted != Look::wall && next < polygon)) continue;
                // Both sides of a closed area are walls: once is enough.
                if (wanted == Look::wall && next.valid() && next < polygon) continue;
                if (wanted == Look::wall && !next.valid() && closed(polygon)) continue;
                draw_line(sink, mesh.corner(polygon, i), mesh.corner(polygon, i + 1 < corners ? i + 1 : 0),
                          stroke);
            }
        });
    }

    void draw_gates(int band) const {
        const Group group{sink, "gates"};
        const mesh::StateData& state = mesh.data();
        for_band(band, [&](PolygonId polygon, double) {
            const mesh::TileView& view = state.tile_of(polygon.value);
            if (view.gaps == nullptr) return;
            const std::uint32_t first = view.polygons[state.local(polygon.value)].first;
            const std::uint32_t corners = mesh.corners(polygon);
            for (std::uint32_t i = 0; i < corners; ++i) {
                const PolygonId next = mesh.neighbour(polygon, i);
                if (!(view.gaps[first + i] < std::numeric_limits<float>::infinity()) || !next.valid() ||
                    next < polygon)
                    continue;
                draw_line(sink, mesh.corner(polygon, i), mesh.corner(polygon, i + 1 < corners ? i + 1 : 0),
                          {.color = mix(palette::kOther, palette::kPaper, 0.35), .width = 1.2});
            }
        });
    }

    void draw_floor(int band) const {
        const Group group{sink, "floor"};
        for_band(band, [&](PolygonId polygon, double z) {
            draw_mesh_polygon(mesh, polygon, sink, Fill{color_of(polygon, z)});
        });
    }

    void draw_band(int band) const {
        draw_floor(band);
        const Color thin = mix(palette::kWall, palette::kPaper, 0.6);
        if (options.portals) draw_sides(band, Look::portal, "portals", {.color = thin, .width = 0.7});
        if (options.borders)
            draw_sides(band, Look::border, "borders", {.color = palette::kFaint, .width = 1.0, .dash = 4.0});
        if (options.gates) draw_gates(band);
        if (options.walls)
            draw_sides(band, Look::wall, "walls", {.color = palette::kWall, .width = options.wall_width});
    }

    void draw_all() {
        const Group group{sink, "mesh"};
        bool any = false;
        for_all([&](PolygonId, double z) {
            low = any ? std::min(low, z) : z;
            high = any ? std::max(high, z) : z;
            any = true;
        });
        if (options.ground) {
            const Group below{sink, "ground"};
            const Aabb box = world_bounds(mesh);
            draw_boxes(sink, {&box, 1}, low, Fill{mix(palette::kWall, palette::kPaper, 0.8)});
        }
        if (!any) return;
        bool used[kMeshBands] = {};
        for_all([&](PolygonId, double z) { used[band_of(z)] = true; });
        for (int band = 0; band < kMeshBands; ++band) {
            if (used[band]) draw_band(band);
        }
    }
};

}  // namespace

void draw(const NavMeshState& mesh, const Sink& sink, const MeshDraw& options) {
    MeshDrawing{mesh, sink, options}.draw_all();
}

void draw(std::span<const MeshObstacle> obstacles, const Sink& sink, const Fill& fill) {
    const Group group{sink, "obstacles"};
    for (const MeshObstacle& obstacle : obstacles) {
        Vec3 ring[kObstaclePointsMax];
        const std::uint32_t count = std::min(obstacle.count, kObstaclePointsMax);
        for (std::uint32_t i = 0; i < count; ++i) ring[i] = at_height(obstacle.points[i], obstacle.high);
        draw_polygon(sink, {ring, count}, fill);
        draw_outline(sink, {ring, count}, {.color = fill.color, .width = 1.2});
    }
}

Aabb world_bounds(const NavMeshState& mesh) {
    const Aabb box = mesh.bounds();
    if (box.empty()) return {{0, 0}, {1, 1}};
    const Vec2 size = box.high - box.low;
    const double rim = std::max(0.5, std::max(size.x, size.y) / 30.0);
    return {box.low - Vec2{rim, rim}, box.high + Vec2{rim, rim}};
}

}  // namespace fairlead::debug
