// See plane_search.h.
#include "fleet/plane_search.h"

#include <algorithm>

#include <fairlead/math/trig.h>

namespace fairlead::fleet {

namespace {

constexpr std::uint32_t kTurnCount = 4;
constexpr double kTurns[kTurnCount] = {0.0, kHalfPi, -kHalfPi, kPi};
constexpr std::uint64_t kTryExpansions = 3000;  // where there are several tries

/// Of headings that are free at both ends: first all pairs along one line, then those a quarter apart.
std::uint32_t count_tries(const FlyQuery& query) {
    const bool from = !query.start.has_heading;
    const bool to = !query.goal.at.has_heading;
    return from && to ? 2 * kTurnCount : from || to ? kTurnCount : 1;
}

FlyQuery with_headings(const FlyQuery& query, std::uint32_t number) {
    FlyQuery out = query;
    const Vec2 way = ground(query.goal.at.position - query.start.position);
    double along = query.start.has_heading ? query.start.heading_rad : 0.0;
    if (way != Vec2{}) along = math::atan2(way.y, way.x);
    if (!out.start.has_heading) {
        out.start.heading_rad = math::wrap_pi(along + kTurns[number % kTurnCount]);
        out.start.has_heading = true;
    }
    if (!out.goal.at.has_heading) {
        const std::uint32_t turn = (number + number / kTurnCount) % kTurnCount;
        out.goal.at.heading_rad = math::wrap_pi(along + kTurns[turn]);
        out.goal.at.has_heading = true;
    }
    return out;
}

FlyQuery limited(const FlyQuery& query) {
    FlyQuery out = query;
    if (count_tries(query) > 1) out.expansions_max = std::min(out.expansions_max, kTryExpansions);
    return out;
}

}  // namespace

PlaneSearch::PlaneSearch(const World& world, const Query& query, Scratch& scratch, const SearchHooks& hooks)
    : query_(limited(query.fly)),
      tries_(count_tries(query.fly)),
      search_(world, with_headings(query_, 0), scratch, hooks) {}

std::uint64_t PlaneSearch::step(std::uint64_t units) {
    const std::uint64_t used = search_.step(units);
    if (!search_.running() && !search_.has_route() && try_ + 1 < tries_) {
        ++try_;
        search_.restart(with_headings(query_, try_));
    }
    return used;
}

void PlaneSearch::stop() {
    try_ = tries_;
    search_.stop();
}

void PlaneSearch::restart(const Query& query) {
    query_ = limited(query.fly);
    try_ = 0;
    tries_ = count_tries(query.fly);
    search_.restart(with_headings(query_, 0));
}

}  // namespace fairlead::fleet
