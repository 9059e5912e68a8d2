// Explanations whose every route found is judged.
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <utility>

#include <fairlead/explain/explain.h>
#include <fairlead/verify/verify.h>

namespace fairlead::testing {

/// Checks the route of every help that is found: with the terrain and the blockers of the setup, but for those that it does
/// without.
inline Explanation why_not(const GridState& grid, const DriveQuery& query, const ExplainOptions& options = {},
                           const GridDriveSetup& setup = {}) {
    Scratch scratch;
    Result<Explanation> why = explain(grid, query, scratch, options, setup);
    FAIRLEAD_ASSERT(why.has_value());
    for (std::size_t i = 0; i < std::size(why->helps); ++i) {
        const Help& help = why->helps[i];
        if (help.proof != Proof::found) continue;
        EXPECT_EQ(help.route.status, PathStatus::complete) << i;
        const Borrowed<Blocker> blockers = query.blockers.empty() ? setup.map.blockers : query.blockers;
        VerifyOptions rules{.terrain = setup.map.terrain, .blockers = blockers};
        if (static_cast<HelpKind>(i) == HelpKind::open_terrain) rules.terrain = {};
        if (static_cast<HelpKind>(i) == HelpKind::no_blockers) rules.blockers = {};
        const Violation bad = verify(help.route, grid, help.agent, rules);
        EXPECT_FALSE(bad) << i << ": " << bad.text().c_str();
    }
    return std::move(*why);
}

}  // namespace fairlead::testing
