// The least time along a line of pieces, each with its own limit of speed, by a unit that accelerates and brakes no
// harder than it can.
//
// All in squared speeds, which change by no more than 2 x acceleration x length: one pass forward for what can be reached,
// one pass backward for what can be braked from. What is left is at every point the greatest speed that any way of driving
// the line has there, so it takes the least time, whatever each piece is slowed down by. (Kant and Zucker 1986; the two
// passes: Slotine and Yang 1989, for limits that do not depend on the speed.)
//
// Within a piece: speed up, hold, brake. Closed form; square roots only. Of SpeedLimits only accel_max and brake_max are read.
#pragma once

#include <limits>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/route/speed_limits.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead::route {

inline constexpr double kFreeSpeed = -1.0;  // as the squared speed at the end: any
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Fills `squared`, one more than there are pieces: the greatest squared speeds where pieces begin and end. False: the line
/// cannot be driven from `from` to `to`, which are squared speeds.
[[nodiscard]] bool fill_speeds(std::span<const SpeedPiece> pieces, double from, double to,
                               const SpeedLimits& limits, std::span<double> squared);

/// Seconds that it takes, waits included.
[[nodiscard]] double sum_seconds(std::span<const SpeedPiece> pieces, std::span<const double> squared,
                                 const SpeedLimits& limits);

/// Of a line of few pieces, at most 15: the least time or kNever.
[[nodiscard]] double least_seconds(std::span<const SpeedPiece> pieces, double from, double to,
                                   const SpeedLimits& limits);

/// Appends the knots of the line, from distance 0 and time 0. False: out of memory.
[[nodiscard]] bool append_knots(std::span<const SpeedPiece> pieces, std::span<const double> squared,
                                const SpeedLimits& limits, Array<SpeedKnot>& knots);

/// At least so long it takes from a speed to another one (below 0: any) over at least this length, with nothing but the top
/// speed in the way. All are speeds, not squared.
[[nodiscard]] double least_seconds_beyond(double length, double from, double to, double speed_max,
                                          const SpeedLimits& limits);

/// What is left of a piece, driven for a while: from squared speed `from` to `to` at its end, as fill_speeds found them.
struct PieceStep {
    double length = 0.0;   ///< driven
    double speed = 0.0;    ///< then
    double peak = 0.0;     ///< the greatest speed meanwhile
    double seconds = 0.0;  ///< used; what was given unless the piece is driven out
    bool done = false;     ///< to its end
};
[[nodiscard]] PieceStep drive_piece(const SpeedPiece& piece, double from, double to,
                                    const SpeedLimits& limits, double seconds);

}  // namespace fairlead::route
