// Walls near a unit in a volume: planes that keep all that is solid apart from the line that it needs for its stop.
//
// The nearest solid voxel comes first; the plane at its nearest point, across the shortest way, hides all that lies behind it; the nearest
// of what is left comes next, and so on. A unit before a flat wall gets one plane, one in a rugged cave some ten.
//
// Source: Liu et al. 2017 (safe flight corridors).
#include <bit>
#include <cmath>

#include <fairlead/bridge/crowd_worlds.h>
#include <fairlead/volume/sight.h>

#include "math/segment_space_box.h"

namespace fairlead {

namespace {

constexpr std::int32_t kWindowMax = 56;  // voxels on an axis; with bricks cut at both ends a row is 64
constexpr std::size_t kSolidsMax = 400;  // rows of solid voxels in it
constexpr double kHidden = 1e-10;        // of a voxel
constexpr double kFarAway = 1e12;        // times the reach: as far as bounds go on

struct Solid {
    math::SpaceBox box{};
    double squared = 0.0;  ///< distance to the line
    double share = 0.0;    ///< on the line, where it is nearest
};

/// A question about planes, and the rows of solid voxels that are near.
struct Around {
    const VolumeState* volume = nullptr;
    Vec3 from{};
    Vec3 to{};
    double reach = 0.0;
    Solid solids[kSolidsMax];
    std::size_t count = 0;
    bool full = false;
};

double at_axis(Vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

void add_solid(Around& around, const math::SpaceBox& box) {
    const math::NearestOnSegment nearest = math::nearest_on_segment(around.from, around.to, box);
    if (!(nearest.squared < around.reach * around.reach)) return;
    if (around.count == kSolidsMax) {
        around.full = true;
        return;
    }
    around.solids[around.count++] = {box, nearest.squared, nearest.share};
}

void add_bounds(Around& around) {
    const VolumeState& volume = *around.volume;
    const Voxel size = volume.size();
    const Vec3 low = volume.origin();
    const Vec3 voxel = volume.voxel_size();
    const Vec3 high{low.x + voxel.x * size.x, low.y + voxel.y * size.y, low.z + voxel.z * size.z};
    const double far = kFarAway * around.reach;
    for (int axis = 0; axis < 3; ++axis) {
        for (int end = 0; end < 2; ++end) {
            math::SpaceBox box{};
            for (int k = 0; k < 3; ++k) {
                const double middle = at_axis(around.from, k);
                box.low[k] = middle - far;
                box.high[k] = middle + far;
            }
            if (end == 0) box.high[axis] = at_axis(low, axis);
            if (end == 1) box.low[axis] = at_axis(high, axis);
            add_solid(around, box);
        }
    }
}

/// The voxels that may be near, in bounds, both ends included. False: too many.
bool window_of(const Around& around, std::int32_t (&low)[3], std::int32_t (&high)[3]) {
    const Voxel count = around.volume->size();
    const std::int32_t most[3] = {count.x, count.y, count.z};
    for (int k = 0; k < 3; ++k) {
        const double origin = at_axis(around.volume->origin(), k);
        const double side = at_axis(around.volume->voxel_size(), k);
        const double a = at_axis(around.from, k);
        const double b = at_axis(around.to, k);
        const double last = static_cast<double>(most[k] - 1);
        const double first = std::floor(((a < b ? a : b) - around.reach - origin) / side);
        const double end = std::floor(((a < b ? b : a) + around.reach - origin) / side);
        if (end - first >= static_cast<double>(kWindowMax)) return false;
        low[k] = static_cast<std::int32_t>(first < 0.0 ? 0.0 : first > last ? last + 1.0 : first);
        high[k] = static_cast<std::int32_t>(end < 0.0 ? -1.0 : end > last ? last : end);
    }
    return true;
}

/// A row of bits from voxel x on, in runs.
void add_row(Around& around, std::uint64_t bits, std::int32_t x, std::int32_t y, std::int32_t z) {
    const Vec3 origin = around.volume->origin();
    const Vec3 side = around.volume->voxel_size();
    while (bits != 0) {
        const int from = std::countr_zero(bits);
        const int to = from + std::countr_one(bits >> from);
        bits = to < 64 ? bits >> to << to : 0;
        math::SpaceBox box{};
        box.low[0] = origin.x + side.x * (x + from);
        box.high[0] = origin.x + side.x * (x + to);
        box.low[1] = origin.y + side.y * y;
        box.high[1] = origin.y + side.y * (y + 1);
        box.low[2] = origin.z + side.z * z;
        box.high[2] = origin.z + side.z * (z + 1);
        add_solid(around, box);
    }
}

void add_voxels(Around& around, const std::int32_t (&low)[3], const std::int32_t (&high)[3]) {
    for (int k = 0; k < 3; ++k) {
        if (low[k] > high[k]) return;
    }
    const std::int32_t first = low[0] >> 2;
    const int cut = low[0] - 4 * first;
    const std::uint64_t wanted = ~std::uint64_t{0} >> (63 - (high[0] - low[0])) << cut;
    for (std::int32_t bz = low[2] >> 2; bz <= high[2] >> 2; ++bz) {
        for (std::int32_t by = low[1] >> 2; by <= high[1] >> 2; ++by) {
            std::uint64_t rows[16] = {};
            std::uint64_t any = 0;
            for (std::int32_t bx = first; bx <= high[0] >> 2; ++bx) {
                const std::uint64_t bits = around.volume->solid_bits(bx, by, bz);
                any |= bits;
                if (bits == 0) continue;
                for (int row = 0; row < 16; ++row) {
                    rows[row] |= (bits >> (4 * row) & 15U) << (4 * (bx - first));
                }
            }
            if (any == 0) continue;
            for (int row = 0; row < 16; ++row) {
                const std::int32_t y = 4 * by + row % 4;
                const std::int32_t z = 4 * bz + row / 4;
                if (y < low[1] || y > high[1] || z < low[2] || z > high[2]) continue;
                add_row(around, rows[row] & wanted, 4 * first, y, z);
            }
        }
    }
}

/// All of it, in less of the reach where there is too much.
void look_around(Around& around) {
    for (;;) {
        around.count = 0;
        around.full = false;
        std::int32_t low[3];
        std::int32_t high[3];
        if (window_of(around, low, high)) {
            add_bounds(around);
            add_voxels(around, low, high);
            if (!around.full) return;
        }
        around.reach *= 0.75;
    }
}

/// How far a box reaches over a plane.
double over(const math::SpaceBox& box, const WallPlane& plane) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double normal = at_axis(plane.normal, k);
        sum += normal * ((normal > 0.0 ? box.high[k] : box.low[k]) - at_axis(plane.at, k));
    }
    return sum;
}

double volume_planes(Vec3 from, Vec3 to, double reach, std::span<WallPlane> out, std::size_t& count,
                     void* user) {
    count = 0;
    const VolumeState& volume = *static_cast<const VolumeState*>(user);
    const double all = reach + distance(from, to);
    if (!(clearance_at(volume, from, all) < all)) return reach;
    Around around;
    around.volume = &volume;
    around.from = from;
    around.to = to;
    around.reach = reach;
    look_around(around);
    const Vec3 side = volume.voxel_size();
    const double hidden = kHidden * (side.x < side.y ? (side.x < side.z ? side.x : side.z)
                                                     : (side.y < side.z ? side.y : side.z));
    while (around.count > 0) {
        std::size_t nearest = 0;
        for (std::size_t i = 1; i < around.count; ++i) {
            if (around.solids[i].squared < around.solids[nearest].squared) nearest = i;
        }
        const Solid solid = around.solids[nearest];
        if (count == out.size()) return std::sqrt(solid.squared);
        const Vec3 p = from + (to - from) * solid.share;
        const double on[3] = {p.x, p.y, p.z};
        double foot[3];
        for (int k = 0; k < 3; ++k) {
            const double low = solid.box.low[k];
            const double high = solid.box.high[k];
            foot[k] = on[k] < low ? low : on[k] > high ? high : on[k];
        }
        WallPlane plane;
        plane.at = {foot[0], foot[1], foot[2]};
        const double apart = distance(plane.at, p);
        // one that is in a wall was put there: it may leave
        plane.normal = apart > 0.0 ? (p - plane.at) / apart : Vec3{};
        if (apart > 0.0) out[count++] = plane;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < around.count; ++i) {
            const bool behind = apart > 0.0 && over(around.solids[i].box, plane) <= hidden;
            if (i != nearest && !behind) around.solids[kept++] = around.solids[i];
        }
        around.count = kept;
    }
    return around.reach;
}

bool volume_clear(const Place& from, Vec3 to, double radius, void* user) {
    return in_sight(*static_cast<const VolumeState*>(user), from.position, to, radius);
}

double volume_ray(const Place& from, Vec3 direction, double reach, void* user) {
    const VolumeState& volume = *static_cast<const VolumeState*>(user);
    const VolumeHit hit = cast_ray(volume, from.position, from.position + direction * reach);
    return hit.blocked ? hit.share * reach : reach;
}

}  // namespace

CrowdWorld VolumeCrowd::world() const {
    CrowdWorld world;
    world.planes = volume_planes;
    world.clear = volume_clear;
    world.ray = volume_ray;
    world.user = const_cast<VolumeState*>(volume_);  // only ever read
    return world;
}

}  // namespace fairlead
