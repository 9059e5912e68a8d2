// See voxel_path.h.
#include "volume/search/voxel_path.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace fairlead::volume {

namespace {

std::int32_t axis_of(std::uint32_t place, int k) { return static_cast<std::int32_t>(place >> (2 * k) & 3); }

std::int32_t squared(std::uint32_t a, std::uint32_t b) {
    std::int32_t sum = 0;
    for (int k = 0; k < 3; ++k) {
        const std::int32_t d = axis_of(a, k) - axis_of(b, k);
        sum += d * d;
    }
    return sum;
}

Vec3 middle(Voxel corner, std::uint32_t place) {
    return middle_of(
        {corner.x + axis_of(place, 0), corner.y + axis_of(place, 1), corner.z + axis_of(place, 2)});
}

std::uint64_t grown(std::uint64_t b) {
    return b | (b << 1 & ~kLowX) | (b >> 1 & ~(kLowX << 3)) | (b << 4 & ~kLowY) | (b >> 4 & ~(kLowY << 12)) |
           b << 16 | b >> 16;
}

/// The voxels of a node at the face that it shares with another, and the step over it.
struct Doorway {
    NodeBox box{};
    Voxel step{};
};

Doorway doorway(const NodeBox& a, const NodeBox& b) {
    Doorway door;
    std::int32_t* const step[3] = {&door.step.x, &door.step.y, &door.step.z};
    for (int k = 0; k < 3; ++k) {
        const bool up = a.high[k] == b.low[k], down = b.high[k] == a.low[k];
        *step[k] = up ? 1 : down ? -1 : 0;
        door.box.low[k] = up ? a.high[k] - 1 : down ? a.low[k] : std::max(a.low[k], b.low[k]);
        door.box.high[k] = up ? a.high[k] : down ? a.low[k] + 1 : std::min(a.high[k], b.high[k]);
    }
    return door;
}

Voxel corner_of(const NodeBox& box) { return {box.low[0], box.low[1], box.low[2]}; }

}  // namespace

std::uint32_t nearest_voxel(std::uint64_t bits, std::uint32_t to) {
    if ((bits >> to & 1) != 0) return to;
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    std::uint32_t nearest = 0;
    for (std::uint64_t left = bits; left != 0; left &= left - 1) {
        const auto place = static_cast<std::uint32_t>(std::countr_zero(left));
        const std::int32_t away = squared(place, to);
        if (away < least) least = away, nearest = place;
    }
    return nearest;
}

bool walk_brick(std::uint64_t bits, Voxel corner, std::uint32_t from, std::uint32_t to, Array<Vec3>& way) {
    // Rings around the end, until the start is in one.
    std::uint64_t rings[64];
    int count = 0;
    rings[0] = std::uint64_t{1} << to;
    while ((rings[count] >> from & 1) == 0 && count < 63) {
        rings[count + 1] = grown(rings[count]) & bits;
        ++count;
    }
    std::uint32_t at = from;
    if (!way.push_back(middle(corner, at))) return false;
    while (count > 0) {
        const std::uint64_t next = grown(std::uint64_t{1} << at) & rings[--count];
        if (next == 0) continue;
        const auto place = static_cast<std::uint32_t>(std::countr_zero(next & ~(std::uint64_t{1} << at)));
        if ((next & ~(std::uint64_t{1} << at)) == 0) continue;
        at = place;
        if (!way.push_back(middle(corner, at))) return false;
    }
    return true;
}

bool walk_inside(const NodePool& pool, const VolumeNode& node, Voxel from, Voxel to, Array<Vec3>& way) {
    if (node.is_part()) return way.push_back(middle_of(from)) && way.push_back(middle_of(to));
    return walk_brick(node.bits, corner_of(pool.box(node)), place64(from.x, from.y, from.z),
                      place64(to.x, to.y, to.z), way);
}

bool walk_across(const NodePool& pool, const VolumeNode& a, Voxel from, const VolumeNode& b, Voxel to,
                 Array<Vec3>& way) {
    const Doorway door = doorway(pool.box(a), pool.box(b));
    const auto has = [](const VolumeNode& n, Voxel v) {
        return n.is_part() || (n.bits >> place64(v.x, v.y, v.z) & 1) != 0;
    };
    double least = std::numeric_limits<double>::infinity();
    Voxel leave{}, enter{};
    for (std::int32_t z = door.box.low[2]; z < door.box.high[2]; ++z) {
        for (std::int32_t y = door.box.low[1]; y < door.box.high[1]; ++y) {
            for (std::int32_t x = door.box.low[0]; x < door.box.high[0]; ++x) {
                const Voxel u{x, y, z}, v{x + door.step.x, y + door.step.y, z + door.step.z};
                if (!has(a, u) || !has(b, v)) continue;
                const double sum =
                    distance(middle_of(from), middle_of(u)) + distance(middle_of(v), middle_of(to));
                if (sum < least) least = sum, leave = u, enter = v;
            }
        }
    }
    return walk_inside(pool, a, from, leave, way) && walk_inside(pool, b, enter, to, way);
}

}  // namespace fairlead::volume
