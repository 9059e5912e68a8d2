// A body that is no disc against the sides of a level mesh: where along a leg it touches one, where it first goes through one.
//
// The body is a rectangle with a rounding; what is compared is how far the rectangle is from the side: their distance, or, where they
// overlap, less than 0 by the smallest move that parts them. When no point of the rectangle moves by more than m, that number
// changes by at most m. So an interval of which the middle is further off than its half is long needs no closer look; the
// others are halved. On a straight leg the rectangle only becomes longer, and one look says it all.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/math/aabb.h>

#include "verify/mesh_track.h"

namespace fairlead::witness {

/// How a body moves along one piece of a leg: on a line, along an arc, or about its axle.
class BodyMove {
  public:
    BodyMove() = default;
    /// `heading`: where the unit faces at the start of the track, a unit vector; `core` in its own frame.
    [[nodiscard]] static BodyMove drive(const MeshTrack& track, Vec2 heading, const Aabb& core);
    /// On the spot by an angle of any size.
    [[nodiscard]] static BodyMove turn(const MeshTrack& track, Vec2 heading, double turn_rad,
                                       const Aabb& core);

    /// Moments are from 0 to this: lengths, or radians of a turn.
    [[nodiscard]] double end() const { return end_; }
    /// How far the rectangle is from the side at a moment (above).
    [[nodiscard]] double gap(double at, Vec2 a, Vec2 b) const;
    /// Adds the moments between two at which it is within `reach` of the side: all of them, and no others but some that are
    /// apart from these by less than `step`. False: out of memory.
    [[nodiscard]] bool add_near(Vec2 a, Vec2 b, double reach, double step, Interval between,
                                Array<Interval>& out) const;
    /// The first moment between two at which it is nearer than `reach`, or within `fine` of that; kNever: it never is nearer.
    [[nodiscard]] double first_nearer(Vec2 a, Vec2 b, double reach, double fine, Interval between) const;

  private:
    [[nodiscard]] double least_gap(Interval between, Vec2 a, Vec2 b) const;
    [[nodiscard]] double gap_from(double at, double longer, Vec2 a, Vec2 b) const;
    [[nodiscard]] bool add_halves(Vec2 a, Vec2 b, double reach, double step, Interval part,
                                  Array<Interval>& out) const;
    [[nodiscard]] double first_half(Vec2 a, Vec2 b, double reach, double fine, Interval part) const;
    [[nodiscard]] bool straight() const { return !turns_ && track_.straight(); }

    MeshTrack track_{};
    Vec2 heading_{1.0, 0.0};
    Aabb core_{};
    double end_ = 0.0;
    double sense_ = 1.0;  ///< of a turn on the spot
    double speed_ = 0.0;  ///< no point of the rectangle moves faster
    double far_ = 0.0;    ///< of its points from the axle
    bool turns_ = false;
    bool back_ = false;  ///< it drives backward
};

}  // namespace fairlead::witness
