// Walls near a place of a level mesh: sides of polygons with nothing behind them, found by walking over the surface from the polygon
// under the place, so that other floors do not count.
#include <algorithm>
#include <cmath>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/mesh/surface.h>

#include "bridge/nearest_pieces.h"
#include "crowd/avoid/nearest.h"

namespace fairlead {

namespace {

constexpr std::uint32_t kPolygonsMax = 96;
constexpr MeshReach kHere{0.5, 2.0, 2.0};
constexpr double kTouched =
    1e-6;  // a wall that a sight comes no further behind is touched: routes end on borders and follow them
constexpr int kTouchedMost = 8;
constexpr double kSameFloor = 0.5;  // between heights of one surface at one place

/// Polygons around a line, each once; those within `reach` of it by way of the surface.
struct MeshAround {
    const NavMeshState* mesh = nullptr;
    Vec2 a{};
    Vec2 b{};
    double reach = 0.0;
    PolygonId list[kPolygonsMax];
    std::uint32_t count = 0;
    bool all = true;

    void add(PolygonId polygon) {
        for (std::uint32_t i = count; i-- > 0;) {
            if (list[i] == polygon) return;
        }
        if (count == kPolygonsMax) {
            all = false;
            return;
        }
        list[count++] = polygon;
    }

    /// wall(a, b, distance) for every side within reach that is one. False: it wants no more.
    template <class Wall>
    void each_wall(PolygonId first, Wall wall) {
        add(first);
        for (std::uint32_t i = 0; i < count; ++i) {
            const PolygonId polygon = list[i];
            const std::uint32_t corners = mesh->corners(polygon);
            Vec3 from = mesh->corner(polygon, corners - 1);
            std::uint32_t side = corners - 1;
            for (std::uint32_t k = 0; k < corners; ++k) {
                const Vec3 to = mesh->corner(polygon, k);
                const crowd::NearestPoints pair = crowd::nearest_points(a, b, ground(from), ground(to));
                const double apart = distance(pair.on_way, pair.on_other);
                if (apart <= reach) {
                    const PolygonId behind = mesh->neighbour(polygon, side);
                    if (behind.valid()) {
                        add(behind);
                    } else if (!wall(from, to, apart)) {
                        return;
                    }
                }
                from = to;
                side = k;
            }
        }
    }
};

double mesh_walls(const Place& at, double reach, std::span<WallPiece> out, std::size_t& count, void* user) {
    const NavMeshState& mesh = *static_cast<const NavMeshState*>(user);
    bridge::NearestPieces found(out, reach);
    count = 0;
    const MeshPoint here = mesh.nearest(at.position, kHere);
    if (!here.polygon.valid()) return 0.0;
    MeshAround around;
    around.mesh = &mesh;
    around.a = around.b = ground(at.position);
    around.reach = reach;
    around.each_wall(here.polygon, [&](Vec3 a, Vec3 b, double apart) {
        found.add({a, b, false}, apart);
        return true;
    });
    count = found.count();
    // too many polygons: how far the rest is nobody knows
    return around.all ? found.known() : 0.5 * found.known();
}

/// `to` may be off the surface, above a slope.
bool is_floor_of(const NavMeshState& mesh, Vec3 end, Vec3 to) {
    if (std::abs(end.z - to.z) <= kSameFloor) return true;
    const MeshPoint there = mesh.nearest(to, kHere);
    return !there.polygon.valid() || std::abs(end.z - there.position.z) <= kSameFloor;
}

/// A sight that a wall stops goes on behind it where it only touches it: its goal is not behind it, or it passes one of its ends. From
/// there; without a polygon: it ends.
MeshPoint behind_touched(const NavMeshState& mesh, Vec2 from, const MeshHit& hit, Vec2 to) {
    const Vec2 sight = normalized(to - from);
    const Vec2 wall = normalized(hit.wall_b - hit.wall_a);
    const Vec2 inwards{-wall.y, wall.x};
    const double off_a = std::abs(cross(sight, hit.wall_a - from));
    const double off_b = std::abs(cross(sight, hit.wall_b - from));
    Vec2 on = ground(hit.end.position) + inwards * kTouched;
    if (dot(inwards, to - hit.wall_a) < -kTouched) {
        if (std::min(off_a, off_b) > 2.0 * kTouched) return {};
        on = off_a <= off_b ? hit.wall_a + (inwards - wall) * kTouched
                            : hit.wall_b + (inwards + wall) * kTouched;
    }
    return mesh.nearest({on.x, on.y, hit.end.position.z}, kHere);
}

/// Is the straight way over the surface free, and does it end there, not on another floor? Rays are exact, but who goes along a border or
/// round a corner is rounded to one side of it or the other.
bool leads_to(const NavMeshState& mesh, MeshPoint here, Vec3 to) {
    for (int i = 0; i < kTouchedMost && here.polygon.valid(); ++i) {
        const MeshHit hit = cast_ray(mesh, here, ground(to));
        if (!hit.hit || distance(ground(hit.end.position), ground(to)) <= kTouched) {
            return is_floor_of(mesh, hit.end.position, to);
        }
        here = behind_touched(mesh, ground(here.position), hit, ground(to));
    }
    return false;
}

bool mesh_clear(const Place& from, Vec3 to, double radius, void* user) {
    const NavMeshState& mesh = *static_cast<const NavMeshState*>(user);
    const MeshPoint here = mesh.nearest(from.position, kHere);
    if (!here.polygon.valid() || !leads_to(mesh, here, to)) return false;
    const double wide = radius - mesh.agent_radius();
    if (!(wide > 0.0)) return true;
    MeshAround around;
    around.mesh = &mesh;
    around.a = ground(from.position);
    around.b = ground(to);
    around.reach = wide;
    bool clear = true;
    around.each_wall(here.polygon,
                     [&](Vec3, Vec3, double apart) { return clear = apart >= wide * (1.0 - 1e-9); });
    return clear && around.all;
}

double mesh_ray(const Place& from, Vec3 direction, double reach, void* user) {
    const NavMeshState& mesh = *static_cast<const NavMeshState*>(user);
    const MeshPoint here = mesh.nearest(from.position, kHere);
    if (!here.polygon.valid()) return 0.0;
    const Vec2 to = ground(from.position) + Vec2{direction.x, direction.y} * reach;
    const MeshHit hit = cast_ray(mesh, here, to);
    return hit.hit ? hit.length : reach;
}

Place mesh_settle(const Place& from, Vec3 to, void* user) {
    const NavMeshState& mesh = *static_cast<const NavMeshState*>(user);
    Place place = from;
    place.position = to;
    const MeshPoint here = mesh.nearest({to.x, to.y, from.position.z}, kHere);
    if (here.polygon.valid()) place.position.z = here.position.z;
    return place;
}

}  // namespace

CrowdWorld MeshCrowd::world() const {
    CrowdWorld world;
    world.walls = mesh_walls;
    world.clear = mesh_clear;
    world.ray = mesh_ray;
    world.settle = mesh_settle;
    world.margin = mesh_->agent_radius();
    world.user = const_cast<NavMeshState*>(mesh_);  // only ever read
    return world;
}

}  // namespace fairlead
