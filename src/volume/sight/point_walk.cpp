// The quick walk of a point: out of the largest box around it that is known to be empty, again and again; in a brick that holds something
// voxel by voxel, by which face of the voxel the line crosses next (Amanatides and Woo 1987).
#include <cmath>
#include <limits>

#include "volume/sight/walk.h"

namespace fairlead::volume {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// A line, axis by axis.
struct Line {
    double from[3];
    double way[3];
    double inverse[3];
    std::int32_t up[3];  ///< 1: along the axis, 0: against it or at rest
    double tie = 0.0;    ///< shares of the line that are too near to be told apart
};

FAIRLEAD_INLINE bool on_grid(double p) { return std::fabs(p - std::nearbyint(p)) < kTie; }

// False: an end is on a side of voxels, or the line all but stands still along an axis.
bool make_line(Vec3 from, Vec3 to, Line& line) {
    const double a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
    double least = kNever;
    for (int k = 0; k < 3; ++k) {
        if (on_grid(a[k]) || on_grid(b[k])) return false;
        line.from[k] = a[k];
        line.way[k] = b[k] - a[k];
        line.up[k] = line.way[k] > 0.0;
        line.inverse[k] = 1.0 / line.way[k];
        if (line.way[k] != 0.0) least = std::fmin(least, std::fabs(line.way[k]));
    }
    line.tie = kTie / least;
    return true;
}

/// An empty box around a voxel, or the brick that holds it.
struct Room {
    std::int32_t low[3];
    std::int32_t side[3];
    std::uint64_t solid = 0;
};

FAIRLEAD_INLINE void cube(Room& room, const std::int32_t at[3], std::int32_t shift, std::int32_t rings) {
    for (int k = 0; k < 3; ++k) {
        room.low[k] = ((at[k] >> shift) - rings) << shift;
        room.side[k] = (2 * rings + 1) << shift;
    }
}

FAIRLEAD_INLINE void find_room(const StateData& state, const std::int32_t at[3], Room& room) {
    const Chunk* chunk = state.chunks.data()[state.chunk_index(at[0] >> 6, at[1] >> 6, at[2] >> 6)];
    room.solid = 0;
    if (chunk == nullptr) return cube(room, at, 5, kDistanceCap - 1);
    const CellEntry cell = chunk->cells[place64(at[0] >> 4, at[1] >> 4, at[2] >> 4)];
    const std::int32_t near = cell.distance(place8(at[0] >> 3, at[1] >> 3, at[2] >> 3));
    if (near == kDistanceCap) {
        const std::int32_t far = chunk->block_distance(place8(at[0] >> 5, at[1] >> 5, at[2] >> 5));
        if (far > 0) return cube(room, at, 5, far - 1);
    }
    if (near > 0) return cube(room, at, 3, near - 1);
    cube(room, at, 2, 0);
    if (cell.node == CellEntry::kFull) {
        room.solid = kAll;
    } else {
        room.solid = node_brick(chunk->node(cell.node), place64(at[0] >> 2, at[1] >> 2, at[2] >> 2));
    }
}

/// The next crossing of the sides of a box.
struct Crossing {
    double share;
    double second;  ///< of the axis that comes next
    int axis;
};

FAIRLEAD_INLINE Crossing first_of(const double t[3]) {
    const int xy = t[0] < t[1] ? 0 : 1;
    const double low = t[xy], high = t[1 - xy];
    if (t[2] < low) return {t[2], low, 2};
    return {low, std::fmin(high, t[2]), xy};
}

}  // namespace

WalkEnd walk_point(const StateData& state, Vec3 from, Vec3 to, SightHit& hit) {
    Line line;
    if (!make_line(from, to, line)) return WalkEnd::unsure;
    std::int32_t at[3] = {static_cast<std::int32_t>(from.x), static_cast<std::int32_t>(from.y),
                          static_cast<std::int32_t>(from.z)};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    double share = 0.0;
    for (;;) {
        Room room;
        find_room(state, at, room);
        double t[3];
        if (room.solid == 0) {
            for (int k = 0; k < 3; ++k) {
                const std::int32_t side = room.low[k] + (line.up[k] != 0 ? room.side[k] : 0);
                t[k] = line.way[k] == 0.0 ? kNever : (side - line.from[k]) * line.inverse[k];
            }
            const Crossing next = first_of(t);
            if (next.share >= 1.0) return WalkEnd::free;
            if (next.second - next.share < line.tie) return WalkEnd::unsure;
            for (int k = 0; k < 3; ++k) {
                if (k == next.axis) {
                    at[k] = line.up[k] != 0 ? room.low[k] + room.side[k] : room.low[k] - 1;
                } else {
                    const double p = line.from[k] + next.share * line.way[k];
                    if (on_grid(p) && line.way[k] != 0.0) return WalkEnd::unsure;
                    at[k] = static_cast<std::int32_t>(p);
                }
                if (static_cast<std::uint32_t>(at[k]) >= static_cast<std::uint32_t>(size[k])) return WalkEnd::unsure;
            }
            share = next.share;
            continue;
        }
        for (int k = 0; k < 3; ++k)
            t[k] = line.way[k] == 0.0 ? kNever : (at[k] + line.up[k] - line.from[k]) * line.inverse[k];
        for (;;) {
            if ((room.solid >> place64(at[0], at[1], at[2]) & 1) != 0) {
                hit = {true, share, {at[0], at[1], at[2]}};
                return WalkEnd::blocked;
            }
            const Crossing next = first_of(t);
            if (next.share >= 1.0) return WalkEnd::free;
            if (next.second - next.share < line.tie) return WalkEnd::unsure;
            const int k = next.axis;
            share = next.share;
            at[k] += line.up[k] != 0 ? 1 : -1;
            t[k] = (at[k] + line.up[k] - line.from[k]) * line.inverse[k];
            if (((at[k] ^ room.low[k]) & ~3) != 0) break;
        }
        for (int k = 0; k < 3; ++k) {
            if (static_cast<std::uint32_t>(at[k]) >= static_cast<std::uint32_t>(size[k])) return WalkEnd::unsure;
        }
    }
}

}  // namespace fairlead::volume
