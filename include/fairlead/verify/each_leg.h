// verify, leg by leg: which legs of a route cannot be driven, where verify (verify.h) stops at the first.
//
//     Array<LegVerdict> legs;
//     if (verify_legs(route, *town, soldier, legs)) for (const LegVerdict& leg : legs) if (leg.bad) puts(leg.bad.text().c_str());
//
// For routes known to be imperfect: the articles' smoothing keeps an impossible leg as it is (technique P5; classic/find_classic.h),
// a route made for a smaller unit, a route on a map that has changed. Each leg is judged as a route of its own that leads to the stored
// start of the next one: by everything that verify asks of a leg, its clearance and the jump of heading at its end included. What
// concerns the whole (status, revision, the sum of lengths) is not asked here.
//
// `fits`: for a disc whose leg meets walls, the largest radius, below its own, that passes; to 1e-6 cells, never more than the truth;
// negative where even a point does not pass. kUnknown where it has no meaning.
// Cost: that of verify, and 30 times that for each leg that meets a wall.
// Errors: false when memory ran out; `legs` then means nothing. Any route is safe.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/verify/verify.h>

namespace fairlead {

struct LegVerdict {
    Violation bad{};  ///< kind none: it can be driven; `leg` is the index in the route
    double fits = kUnknown;
};

/// One for each leg.
[[nodiscard]] bool verify_legs(const Route& route, const GridState& grid, const Agent& agent,
                               Array<LegVerdict>& legs, const VerifyOptions& options = {});

/// The i-th leg as a route of its own, for the verify of any world. False: out of memory.
[[nodiscard]] bool take_leg(const Route& route, std::size_t i, Route& alone);

/// In any world: `judge(alone)` gives the Violation of a route of one leg.
template <class Judge>
[[nodiscard]] bool verify_legs_by(const Route& route, Judge judge, Array<LegVerdict>& legs) {
    legs.clear();
    Route alone;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        if (!take_leg(route, i, alone)) return false;
        LegVerdict verdict;
        verdict.bad = judge(static_cast<const Route&>(alone));
        if (verdict.bad) verdict.bad.leg = static_cast<std::int64_t>(i);
        if (!legs.push_back(verdict)) return false;
    }
    return true;
}

}  // namespace fairlead
