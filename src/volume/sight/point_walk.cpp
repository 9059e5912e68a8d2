// The quick walk of a point: out of the largest box around it that is known to be empty, again and again; in a brick that holds something
// voxel by voxel, by which face of the voxel the line crosses next (Amanatides and Woo 1987).
//
// Crossings that are nearer together than `tie` are one: all voxels that meet there are asked (segment_space_box.h), and all those axes
// step at once. So it does not matter in which order rounding has them, and the way back gives the same answer.
#include <cmath>
#include <limits>

#include "volume/sight/walk.h"

namespace fairlead::volume {

namespace {

constexpr double kNotCrossed = std::numeric_limits<double>::infinity();
constexpr double kBlurMax = 0.25;  ///< voxels; a line with more is not for this walk

/// A line, axis by axis.
struct Line {
    double from[3];
    double way[3];
    double inverse[3];
    double blur[3];      ///< sides of voxels that are nearer than this are crossed here
    std::int32_t up[3];  ///< 1: along the axis, 0: against it or at rest
    std::int32_t step[3];
    double tie = 0.0;  ///< shares of the line that are too near to be told apart
};

// False: it runs along a side, or all but stands still along an axis.
bool make_line(Vec3 from, Vec3 to, Line& line) {
    const double a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
    double least = kNotCrossed;
    for (int k = 0; k < 3; ++k) {
        line.from[k] = a[k];
        line.way[k] = b[k] - a[k];
        line.up[k] = line.way[k] > 0.0;
        line.step[k] = line.up[k] != 0 ? 1 : -1;
        line.inverse[k] = 1.0 / line.way[k];
        if (line.way[k] != 0.0)
            least = std::fmin(least, std::fabs(line.way[k]));
        else if (std::fabs(a[k] - std::floor(a[k] + 0.5)) < kTie)
            return false;
    }
    if (least == kNotCrossed) return false;
    line.tie = kTie / least;
    for (int k = 0; k < 3; ++k) {
        line.blur[k] = line.tie * std::fabs(line.way[k]);
        if (line.blur[k] > kBlurMax) return false;
    }
    return true;
}

/// An empty box around a voxel, or the brick that holds it.
struct Room {
    std::int32_t low[3];
    std::int32_t side;
    std::uint64_t solid = 0;
};

FAIRLEAD_INLINE void cube(Room& room, const std::int32_t at[3], std::int32_t shift, std::int32_t rings) {
    for (int k = 0; k < 3; ++k) room.low[k] = ((at[k] >> shift) - rings) << shift;
    room.side = (2 * rings + 1) << shift;
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
    room.solid = cell.node == CellEntry::kFull
                     ? kAll
                     : node_brick(chunk->node(cell.node), place64(at[0] >> 2, at[1] >> 2, at[2] >> 2));
}

/// The next crossing of the sides of a box, and how long after it the next one comes.
struct Crossing {
    double share;
    double second;
    int axis;
};

FAIRLEAD_INLINE Crossing first_of(const double t[3]) {
    const int xy = t[0] < t[1] ? 0 : 1;
    const double low = t[xy], high = t[1 - xy];
    if (t[2] < low) return {t[2], low, 2};
    return {low, high < t[2] ? high : t[2], xy};
}

class PointWalk {
  public:
    PointWalk(const StateData& state, const Body& body, Vec3 from, Vec3 to, SightHit& hit)
        : state_(state), body_(body), from_(from), to_(to), hit_(hit) {}

    WalkEnd run() {
        if (!make_line(from_, to_, line_)) return WalkEnd::unsure;
        const double a[3] = {from_.x, from_.y, from_.z};
        unsigned tied = 0;
        for (int k = 0; k < 3; ++k) at_[k] = behind(k, a[k], tied);
        if (tied != 0 && !pass(tied)) return WalkEnd::blocked;
        if (ends_) return arrive();
        if (outside()) return WalkEnd::unsure;
        for (;;) {
            Room room;
            find_room(state_, at_, room);
            const WalkEnd end = room.solid == 0 ? leave(room) : cross(room);
            if (!(end == WalkEnd::unsure && goes_on_)) return end;
            if (outside()) return WalkEnd::unsure;
        }
    }

  private:
    // The voxel along an axis; where a side is too near to be told from the place, the one before it, and the axis is tied.
    [[nodiscard]] std::int32_t behind(int k, double p, unsigned& tied) const {
        const double side = std::floor(p + 0.5);
        if (line_.way[k] != 0.0 && std::fabs(p - side) < line_.blur[k]) {
            tied |= 1U << k;
            return static_cast<std::int32_t>(side) - line_.up[k];
        }
        return static_cast<std::int32_t>(std::floor(p));
    }

    [[nodiscard]] bool outside() const { return !state_.in_bounds({at_[0], at_[1], at_[2]}); }

    // Is the voxel touched? Then that is the hit, if there was none before it.
    [[nodiscard]] bool touches(Voxel v) {
        const Vec3 s = state_.scale;
        const Box box{{v.x * s.x, v.y * s.y, v.z * s.z}, {(v.x + 1) * s.x, (v.y + 1) * s.y, (v.z + 1) * s.z}};
        const Vec3 a{from_.x * s.x, from_.y * s.y, from_.z * s.z}, b{to_.x * s.x, to_.y * s.y, to_.z * s.z};
        if (!(nearest_on_segment(a, b, box).squared < body_.limit)) return false;
        const double entry = first_within(a, b, box, body_.limit);
        if (!hit_.blocked || entry < hit_.share) hit_ = {true, entry, v};
        return true;
    }

    // All voxels that meet where the tied axes are crossed, the one at hand among them; then steps over all of these axes. False: blocked.
    // Where what lies ahead is solid and not touched, the line ends before it.
    [[nodiscard]] bool pass(unsigned tied) {
        bool touched = false;
        for (unsigned some = tied;; some = (some - 1) & tied) {
            const Voxel v{at_[0] + ((some & 1) != 0 ? line_.step[0] : 0),
                          at_[1] + ((some & 2) != 0 ? line_.step[1] : 0),
                          at_[2] + ((some & 4) != 0 ? line_.step[2] : 0)};
            const bool solid = state_.in_bounds(v) && !state_.is_free(v);
            touched = (solid && touches(v)) || touched;
            if (some == tied) ends_ = solid;
            if (some == 0) break;
        }
        if (touched) return false;
        for (int k = 0; k < 3; ++k) {
            if ((tied >> k & 1) != 0) at_[k] += line_.step[k];
        }
        return true;
    }

    [[nodiscard]] WalkEnd step_over(unsigned tied) {
        if (!pass(tied)) return WalkEnd::blocked;
        return ends_ ? arrive() : WalkEnd::unsure;
    }

    // Nothing more on the way; is there something at its end?
    [[nodiscard]] WalkEnd arrive() {
        const double b[3] = {to_.x, to_.y, to_.z};
        unsigned tied = 0;
        goes_on_ = false;
        for (int k = 0; k < 3; ++k) at_[k] = behind(k, b[k], tied);
        return tied == 0 || pass(tied) ? WalkEnd::free : WalkEnd::blocked;
    }

    // Out of an empty box.
    [[nodiscard]] WalkEnd leave(const Room& room) {
        double t[3];
        for (int k = 0; k < 3; ++k)
            t[k] = line_.way[k] == 0.0 ? kNotCrossed
                                       : (room.low[k] + (line_.up[k] != 0 ? room.side : 0) - line_.from[k]) *
                                             line_.inverse[k];
        const Crossing next = first_of(t);
        if (next.share >= 1.0) return arrive();
        unsigned tied = 0;
        for (int k = 0; k < 3; ++k) {
            if (k == next.axis) {
                at_[k] = line_.up[k] != 0 ? room.low[k] + room.side - 1 : room.low[k];
            } else {
                at_[k] = behind(k, line_.from[k] + next.share * line_.way[k], tied);
            }
        }
        share_ = next.share;
        goes_on_ = true;
        if (tied == 0) {
            at_[next.axis] += line_.step[next.axis];
            return WalkEnd::unsure;
        }
        return step_over(tied | 1U << next.axis);
    }

    // Through a brick that holds something, voxel by voxel.
    [[nodiscard]] WalkEnd cross(const Room& room) {
        double t[3];
        for (int k = 0; k < 3; ++k)
            t[k] =
                line_.way[k] == 0.0 ? kNotCrossed : (at_[k] + line_.up[k] - line_.from[k]) * line_.inverse[k];
        for (;;) {
            if ((room.solid >> place64(at_[0], at_[1], at_[2]) & 1) != 0) {
                hit_ = {true, share_, {at_[0], at_[1], at_[2]}};
                return WalkEnd::blocked;
            }
            const Crossing next = first_of(t);
            if (next.share >= 1.0) return arrive();
            share_ = next.share;
            goes_on_ = true;
            if (next.second - next.share < line_.tie) {
                unsigned tied = 0;
                for (int k = 0; k < 3; ++k) {
                    if (t[k] - next.share < line_.tie) tied |= 1U << k;
                }
                return step_over(tied);
            }
            const int k = next.axis;
            at_[k] += line_.step[k];
            t[k] = (at_[k] + line_.up[k] - line_.from[k]) * line_.inverse[k];
            if (((at_[k] ^ room.low[k]) & ~3) != 0) return WalkEnd::unsure;
        }
    }

    const StateData& state_;
    const Body& body_;
    Vec3 from_;
    Vec3 to_;
    SightHit& hit_;
    Line line_;
    std::int32_t at_[3] = {};
    double share_ = 0.0;
    bool goes_on_ = false;  ///< `unsure` means: on to the next room
    bool ends_ = false;
};

}  // namespace

WalkEnd walk_point(const StateData& state, const Body& body, Vec3 from, Vec3 to, SightHit& hit) {
    return PointWalk(state, body, from, to, hit).run();
}

}  // namespace fairlead::volume
