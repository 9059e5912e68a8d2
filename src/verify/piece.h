// The path of a body's centre along one leg, and the pieces that it is cut into.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>

namespace fairlead::witness {

/// A straight line or an arc, in cells. A place is a track of length 0.
struct Track {
    Vec2 start{};
    Vec2 along{1.0, 0.0};    ///< unit vector of travel at the start
    double curvature = 0.0;  ///< 1 / cells, positive to the left
    double length = 0.0;
};

[[nodiscard]] Vec2 point_at(const Track& track, double distance);

/// The image of a vector for factors of 1 or -1; its own inverse.
[[nodiscard]] constexpr Vec2 mirrored(Vec2 v, Vec2 flip) { return {v.x * flip.x, v.y * flip.y}; }

/// Part of a track that turns by at most 90 degrees and is monotone on both axes. It is kept mirrored, so
/// that it runs towards +x and +y: the mirror image of a cell coordinate x is flip.x * x.
struct Piece {
    Vec2 a{};  ///< first point, mirrored; a <= b on both axes
    Vec2 b{};  ///< last point
    Vec2 along_a{};
    Vec2 along_b{};
    double curvature = 0.0;
    Vec2 flip{1.0, 1.0};
    double from = 0.0;   ///< distance along the track of a
    double to = 0.0;     ///< and of b
    double bulge = 0.0;  ///< at least the distance between the piece and its chord
};

/// The part of a track between two distances; what a Piece promises must hold for it.
[[nodiscard]] Piece piece_between(const Track& track, double from, double to);

/// Cuts a track into pieces: at multiples of 90 degrees, every `step` cells, and where an arc would bulge
/// far.
class Cuts {
  public:
    /// `reach` is that of the body, in cells: pieces are made no shorter than pays off for it.
    Cuts(const Track& track, double reach);

    /// The next piece; false when there is none left. A track of length 0 has one.
    [[nodiscard]] bool next(Piece& piece);

  private:
    [[nodiscard]] double next_turn();

    Track track_;
    double step_ = 0.0;
    double at_ = 0.0;
    double heading_quarters_ =
        0.0;                ///< heading at the start in quarter turns, measured in the sense of turning
    double quarter_ = 0.0;  ///< the next multiple of 90 degrees
    bool done_ = false;
};

}  // namespace fairlead::witness
