// Points, lines, angles and letters: what the geometry of turning units is drawn with. Flat, in world units; sizes in points.
#pragma once

#include <string>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/word.h>
#include <fairlead/route/route.h>

#include "gallery/figure.h"

namespace fairlead::gallery::sketch {

inline constexpr debug::Stroke kHelp{debug::palette::kFaint, 1.2, 4.0};
inline constexpr debug::Stroke kCircle{debug::palette::kFaint, 1.0};

/// Bold, with a white rim; shifted by points to the right and up.
void label(const debug::Sink& sink, Vec2 at, const std::string& text, Vec2 shift = {});
void dot(const debug::Sink& sink, Vec2 at);
void line(const debug::Sink& sink, Vec2 a, Vec2 b, const debug::Stroke& stroke);
/// Part of a circle, counter-clockwise for a positive turn.
void arc(const debug::Sink& sink, Vec2 centre, double radius, double from_rad, double turn_rad,
         const debug::Stroke& stroke);
/// An arc between two directions at a corner, with its letter.
void angle(const debug::Sink& sink, Vec2 corner, double radius, double from_rad, double turn_rad,
           const std::string& letter);
/// The small square of a right angle at `corner`, between the ways to a and b.
void right_angle(const debug::Sink& sink, Vec2 corner, Vec2 a, Vec2 b);

/// The centre of the circle on the left (side 1) or right (side -1) of a pose.
[[nodiscard]] Vec2 centre_of(const Pose& pose, double side, double radius);
/// Direction of a vector.
[[nodiscard]] double direction_of(Vec2 v);

/// The word as a route. Throws DemoError when memory ran out.
[[nodiscard]] Route route_of(const CurveWord& word, const Pose& from, double radius);
/// "LSR".
[[nodiscard]] std::string letters_of(const CurveWord& word);
/// The Dubins word with those letters. Throws DemoError where it does not exist.
[[nodiscard]] CurveWord word_of(const std::string& letters, const Pose& from, const Pose& to, double radius);

}  // namespace fairlead::gallery::sketch
