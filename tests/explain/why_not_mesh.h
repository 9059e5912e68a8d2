// Explanations on level meshes whose every route found is judged.
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <utility>

#include <fairlead/explain/explain.h>
#include <fairlead/verify/verify_mesh.h>

namespace fairlead::testing {

/// Checks the route of every help that is found, under the filter of the query but for what it opens.
template <class Query>
Explanation why_not(const NavMeshState& mesh, const Query& query, const ExplainOptions& options = {}) {
    Scratch scratch;
    Result<Explanation> why = explain(mesh, query, scratch, options);
    FAIRLEAD_ASSERT(why.has_value());
    EXPECT_EQ(why->world, ExplainWorld::mesh);
    EXPECT_EQ(why->reason == ExplainReason::none, why->status == PathStatus::complete);
    for (std::size_t i = 0; i < std::size(why->helps); ++i) {
        const Help& help = why->helps[i];
        if (help.proof != Proof::found) continue;
        EXPECT_EQ(help.route.status, PathStatus::complete) << i;
        MeshVerifyOptions rules{
            .filter = {
                .areas = {.closed = KindSet::of_mask(query.filter.areas.closed_mask() & ~help.terrain[0])},
                .links = {.closed = KindSet::of_mask(query.filter.links.closed_mask() & ~help.links)}}};
        const Violation bad = verify(help.route, mesh, help.agent, rules);
        EXPECT_FALSE(bad) << help_name(static_cast<HelpKind>(i)) << ": " << bad.text().c_str();
    }
    return std::move(*why);
}

}  // namespace fairlead::testing
