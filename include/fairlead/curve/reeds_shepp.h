// Reeds-Shepp paths: the ways of a unit that cannot turn tighter than a radius and may reverse, from one pose to another.
//
//     const CurveWord way = shortest_reeds_shepp(from, to, 1.0);
//     const ReedsSheppCost dear{.reverse_factor = 2, .cusp_cost = 1.5};    // rather forward, few changes of gear
//     const CurveWord calm = shortest_reeds_shepp(from, to, 1.0, dear);
//     CurveWord words[kReedsSheppWords];
//     const int found = reeds_shepp_words(from, to, 1.0, dear, words);    // all, the cheapest first
//
// There are 48 words of up to five segments and two changes of gear; the shortest path is one of them (Reeds and Shepp
// 1990). They leave out what cannot be shortest, arcs of more than half a turn for one. With penalties such words may be the
// cheapest, so the words of a single gear are then looked at as well, which are Dubins' six, forward and in reverse: a unit
// that hates to reverse gets its Dubins path. The cheapest of all these is returned; with penalties that is not proven to be
// the cheapest path of all.
//
// Promises: each word ends at the goal within 1e-10 radii, plus 1e-14 of the distance, plus the rounding of the coordinates.
// The length is symmetric up to rounding: there and back are the same. Same result on every compiler and processor.
//
// Cost, nanoseconds: reeds_shepp_distance 140 to 190, shortest_reeds_shepp 200 to 260, all words some 650, with penalties 1200;
// docs/curves.md. Nothing is allocated.
//
// Errors: none. What check_curve (word.h) refuses, a reverse_factor < 1 and a cusp_cost < 0 are a caller's bug: an assert.
//
// Source: J. A. Reeds, L. A. Shepp, Optimal paths for a car that goes both forwards and backwards, 1990.
#pragma once

#include <fairlead/curve/word.h>

namespace fairlead {

struct ReedsSheppCost {
    double reverse_factor = 1.0;  ///< a length in reverse counts so many times; >= 1
    double cusp_cost = 0.0;       ///< each change of gear, in radii; >= 0
};

/// Room for all words: the 48, and twice Dubins' six.
inline constexpr int kReedsSheppWords = 60;

[[nodiscard]] CurveWord shortest_reeds_shepp(const Pose& from, const Pose& to, double radius,
                                             const ReedsSheppCost& cost = {});

/// In world units, without penalties.
[[nodiscard]] double reeds_shepp_distance(const Pose& from, const Pose& to, double radius);

/// All words that exist, in order of cost. A word whose first or last arc is nothing may be there twice, under two names.
[[nodiscard]] int reeds_shepp_words(const Pose& from, const Pose& to, double radius,
                                    const ReedsSheppCost& cost, std::span<CurveWord, kReedsSheppWords> words);

}  // namespace fairlead
