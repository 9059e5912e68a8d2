// Routes on roadmaps asked for and judged by the library, where an error is a failure of the test.
#pragma once

#include <gtest/gtest.h>

#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/repair.h>

namespace fairlead::testing {

inline Route route_of(const RoadmapState& state, const RoadmapQuery& query) {
    Scratch scratch;
    Result<Route> found = find_route(state, query, scratch);
    EXPECT_TRUE(found.has_value());
    return found ? std::move(*found) : Route{};
}

inline Revalidation judge(const RoadmapState& state, const RoadmapQuery& query, Route& route) {
    Scratch scratch;
    const Result<Revalidation> found = revalidate(state, route, query, scratch);
    EXPECT_TRUE(found.has_value());
    return found ? *found : Revalidation{};
}

}  // namespace fairlead::testing
