// How one leg moves a body, and the steps in which that is looked at.
#pragma once

#include <cmath>

#include <fairlead/math/pose.h>

#include "verify/motion.h"
#include "verify/piece.h"
#include "verify/scale.h"

namespace fairlead::witness {

/// The path of the body's position, and how the body turns on it. Distances along a ride are cells; where the path has no
/// length they are radians.
struct Ride {
    Track track{};
    Motion motion{};

    [[nodiscard]] bool on_spot() const { return track.length == 0.0; }
    /// Change of heading after a distance along it.
    [[nodiscard]] double turned(double distance) const { return motion.spin * distance; }
};

/// The part of a ride between two distances, for a body that turns or for a point (whose turning is nothing).
[[nodiscard]] inline Piece piece_of(const Ride& ride, double from, double to) {
    if (!ride.on_spot()) return piece_between(ride.track, from, to);
    Piece piece = piece_between(ride.track, 0.0, 0.0);
    piece.from = from;
    piece.to = to;
    return piece;
}

/// Cuts a ride into pieces of its path; a turn on the spot into quarter turns.
class Steps {
  public:
    Steps(const Ride& ride, double reach, bool turns)
        : ride_(ride), cuts_(ride.track, reach), turns_(turns && ride.on_spot()) {}

    [[nodiscard]] bool next(Piece& piece) {
        if (!turns_) return cuts_.next(piece);
        if (done_) return false;
        const double to = smaller(at_ + kHalfPi, ride_.motion.extent);
        piece = piece_of(ride_, at_, to);
        done_ = to >= ride_.motion.extent;
        at_ = to;
        return true;
    }

  private:
    const Ride& ride_;
    Cuts cuts_;
    bool turns_;
    double at_ = 0.0;
    bool done_ = false;
};

}  // namespace fairlead::witness
