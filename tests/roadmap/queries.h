// What the tests of searches on roadmaps share.
#pragma once

#include <utility>

#include <gtest/gtest.h>

#include "support/roadmaps.h"

namespace fairlead {

inline RoadmapQuery between(std::int64_t a, std::int64_t b) {
    return {.start = WaypointId{a}, .goal = WaypointId{b}};
}

inline Route route_of(const RoadmapState& state, const RoadmapQuery& query, Scratch& scratch) {
    Result<Route> found = find_route(state, query, scratch);
    EXPECT_TRUE(found.has_value());
    return found ? std::move(*found) : Route{};
}

}  // namespace fairlead
