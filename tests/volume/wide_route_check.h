// Routes for spheres of any radius in small random worlds, against the oracle of volume_radius.h: found where it gets through with a little
// more, unreachable where it does not with a little less, legal by verify.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/sight.h>

#include "measure/clock.h"
#include "oracle/volume_radius.h"
#include "support/volumes.h"

namespace fairlead::testing {

struct WideRouteTally {
    int queries = 0;
    int complete = 0;
    int unreachable = 0;
    int must = 0;    ///< the oracle gets through with a little more
    int narrow = 0;  ///< of at most half a voxel
    double sum_ms = 0.0;
    double most_ms = 0.0;
};

/// What is wrong with the answer to one query; empty: nothing.
[[nodiscard]] inline std::string check_wide_route(const Volume& space, const oracle::VolumeRadius::Pair& pair,
                                                  double radius, Scratch& scratch, Route& route,
                                                  WideRouteTally& tally) {
    if (!fits(space, pair.from, radius) || !fits(space, pair.to, radius)) return {};
    const VolumeQuery query{.start = pair.from, .goal = pair.to, .agent = {.radius = radius}};
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_route_into(space, query, scratch, route);
    const double ms = static_cast<double>(measure::thread_ns() - before) / 1e6;
    if (!done) return error_text(done.error()).c_str();
    ++tally.queries;
    tally.narrow += radius <= 0.5 ? 1 : 0;
    tally.sum_ms += ms;
    tally.most_ms = std::max(tally.most_ms, ms);
    const bool must = pair.radius >= radius + 0.05;
    tally.must += must ? 1 : 0;
    if (route.status == PathStatus::unreachable) {
        ++tally.unreachable;
        return must ? "unreachable, the oracle gets through with " + std::to_string(pair.radius)
                    : std::string();
    }
    if (route.status != PathStatus::complete) return std::string("status ") + status_name(route.status);
    ++tally.complete;
    if (pair.radius < radius - oracle::kRadiusTooNarrow)
        return "found, the oracle gets through with " + std::to_string(pair.radius);
    if (const Violation bad = verify(route, space, query.agent)) return bad.text().c_str();
    if (!(route.end.position == pair.to)) return "ends elsewhere";
    if (!route.legs.empty() && !(route.legs[0].start.position == pair.from)) return "begins elsewhere";
    return {};
}

/// A radius for a pair: one in three as wide as just gets through, or just not.
[[nodiscard]] inline double draw_route_radius(Rng& rng, double widest, double most) {
    const bool close = rng.below(3) == 0;
    const double near = widest + rng.between(-0.12, 0.12), any = rng.between(0.05, most);
    return close ? std::clamp(near, 0.05, most) : any;
}

}  // namespace fairlead::testing
