// The careful walk: piece by piece, every solid voxel in the box around a piece, grown by the body, is asked how near the whole segment
// comes to it. Where the body is well inside a box that is known to be empty, the piece is all of the way through.
#include <algorithm>
#include <cmath>

#include "volume/sight/each_solid.h"
#include "volume/sight/walk.h"

namespace fairlead::volume {

namespace {

constexpr double kPiece = 6.0;  ///< voxels

class BodyWalk {
  public:
    BodyWalk(const StateData& state, const Body& body, Vec3 from, Vec3 to, bool first)
        : state_(state), body_(body), first_(first) {
        const double a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
        const double s[3] = {state.scale.x, state.scale.y, state.scale.z};
        const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
        for (int k = 0; k < 3; ++k) {
            from_[k] = a[k];
            way_[k] = b[k] - a[k];
            scale_[k] = s[k];
            size_[k] = size[k];
        }
        start_ = {a[0] * s[0], a[1] * s[1], a[2] * s[2]};
        end_ = {b[0] * s[0], b[1] * s[1], b[2] * s[2]};
        along_ = end_ - start_;
        const double squared = dot(along_, along_);
        per_squared_ = squared > 0.0 ? 1.0 / squared : 0.0;
        longest_ = std::max({std::fabs(way_[0]), std::fabs(way_[1]), std::fabs(way_[2])});
    }

    bool run(SightHit& hit) {
        hit = {false, 2.0, {}};
        double t = 0.0;
        do {
            double end = leap(t);
            if (!(end > t)) {
                end = longest_ > 0.0 ? std::min(t + kPiece / longest_, 1.0) : 1.0;
                if (look_at(t, end, hit)) return true;
            }
            t = end;
        } while (t < 1.0);
        return hit.blocked;
    }

  private:
    [[nodiscard]] double at(int k, double t) const { return from_[k] + t * way_[k]; }

    // How far the body stays in a box that is empty; `t` itself where it is not in one.
    [[nodiscard]] double leap(double t) const {
        std::int32_t v[3];
        for (int k = 0; k < 3; ++k) v[k] = std::clamp(static_cast<std::int32_t>(at(k, t)), 0, size_[k] - 1);
        const Chunk& chunk = state_.chunk_of({v[0], v[1], v[2]});
        const std::int32_t near = chunk.cells[place64(v[0] >> 4, v[1] >> 4, v[2] >> 4)].distance(
            place8(v[0] >> 3, v[1] >> 3, v[2] >> 3));
        if (near == 0) return t;
        const std::int32_t far =
            near < kDistanceCap ? 0 : chunk.block_distance(place8(v[0] >> 5, v[1] >> 5, v[2] >> 5));
        const std::int32_t shift = far > 0 ? 5 : 3, rings = (far > 0 ? far : near) - 1;
        double end = 1.0;
        for (int k = 0; k < 3; ++k) {
            const double low = (((v[k] >> shift) - rings) << shift) + body_.grow[k];
            const double high = (((v[k] >> shift) + rings + 1) << shift) - body_.grow[k];
            const double p = at(k, t);
            if (!(p >= low && p <= high)) return t;
            if (way_[k] > 0.0) end = std::min(end, (high - from_[k]) / way_[k]);
            if (way_[k] < 0.0) end = std::min(end, (low - from_[k]) / way_[k]);
        }
        return end;
    }

    // Is a voxel near the piece touched? In `hit` the first along the line, or any. False: nothing is, or only behind the piece.
    [[nodiscard]] bool look_at(double from, double to, SightHit& hit) {
        VoxelRange range;
        for (int k = 0; k < 3; ++k) {
            const double p = at(k, from), q = at(k, to);
            range.cover(k, std::min(p, q) - body_.grow[k], std::max(p, q) + body_.grow[k], size_[k]);
        }
        return each_solid(
                   state_, range,
                   [&](std::int32_t x, std::int32_t y, std::int32_t z) { return is_near(x, y, z); },
                   [&](Voxel v) { return look_at_voxel(v, hit); }) ||
               hit.share <= to;
    }

    // Can a voxel of a brick be touched? By the ball around it.
    [[nodiscard]] bool is_near(std::int32_t x, std::int32_t y, std::int32_t z) const {
        const Vec3 to = Vec3{(x + 2.0) * scale_[0], (y + 2.0) * scale_[1], (z + 2.0) * scale_[2]} - start_;
        const double share = std::clamp(dot(to, along_) * per_squared_, 0.0, 1.0);
        const Vec3 off = to - along_ * share;
        return dot(off, off) < body_.miss_brick;
    }

    // True: a hit that ends the walk.
    [[nodiscard]] bool look_at_voxel(Voxel v, SightHit& hit) {
        const Vec3 middle{(v.x + 0.5) * scale_[0], (v.y + 0.5) * scale_[1], (v.z + 0.5) * scale_[2]};
        const Vec3 to = middle - start_;
        const double share = std::clamp(dot(to, along_) * per_squared_, 0.0, 1.0);
        const Vec3 off = to - along_ * share;
        const double away = dot(off, off);
        if (away >= body_.miss) return false;
        const Box box = taller_box(state_.scale, v, body_.half);
        if (away >= body_.hit && !touches(box, share, off, away)) return false;
        if (!first_) {
            hit = {true, share, v};
            return true;
        }
        if (hit.blocked && !is_within_before(start_, end_, box, body_.limit, hit.share)) return false;
        const double entry = first_within(start_, end_, box, body_.limit);
        if (!hit.blocked || entry < hit.share) hit = {true, entry, v};
        return false;
    }

    // Where the place nearest to the middle touches, so does the line; where a plane across the way from there to the middle keeps
    // the voxel off, it does not. What is left is asked exactly.
    [[nodiscard]] bool touches(const Box& box, double share, Vec3 off, double away) const {
        const double half = 0.5 * (std::fabs(off.x) * scale_[0] + std::fabs(off.y) * scale_[1] +
                                   std::fabs(off.z) * (scale_[2] + 2.0 * body_.half));
        const double gap = away - half;
        if (gap > 0.0 && gap * gap >= body_.clear * away) return false;
        return squared_at(start_, end_, box, share) < body_.touch ||
               nearest_on_segment(start_, end_, box).squared < body_.limit;
    }

    const StateData& state_;
    const Body& body_;
    bool first_;
    double from_[3];
    double way_[3];
    double scale_[3];
    std::int32_t size_[3];
    double longest_ = 0.0;  ///< voxels along the axis on which it is most
    Vec3 start_{};          ///< world units from the low corner
    Vec3 end_{};
    Vec3 along_{};
    double per_squared_ = 0.0;  ///< 1 / its length squared
};

}  // namespace

bool walk_body(const StateData& state, const Body& body, Vec3 from, Vec3 to, bool first, SightHit& hit) {
    const bool blocked = BodyWalk(state, body, from, to, first).run(hit);
    if (!blocked) hit = {};
    return blocked;
}

}  // namespace fairlead::volume
