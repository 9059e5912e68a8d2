// Explanations on tiles: an allocation fails, alone or with all later ones: out_of_memory, nothing leaks, and the next call says what
// it always says. Volumes, level meshes and roadmaps have theirs beside their other tests.

#include <gtest/gtest.h>

#include <iterator>
#include <string>

#include <fairlead/explain/explain.h>
#include <fairlead/math/trig.h>

#include "support/grids.h"
#include "support/route_compare.h"
#include "support/starve.h"

namespace fairlead::testing {
namespace {

// The first thing in which two explanations differ, empty if none.
std::string explanations_differ(const Explanation& a, const Explanation& b) {
    if (a.reason != b.reason || a.status != b.status) return "reason";
    if (std::string(a.text().c_str()) != b.text().c_str()) return a.text().c_str();
    if (a.expanded != b.expanded || a.trials != b.trials) return "what was spent";
    if (a.area != b.area || a.width != b.width || a.cell != b.cell || !(a.place == b.place)) return "place";
    for (std::size_t i = 0; i < std::size(a.helps); ++i) {
        const Help& x = a.helps[i];
        const Help& y = b.helps[i];
        const std::string name = help_name(static_cast<HelpKind>(i));
        if (x.proof != y.proof || x.value != y.value || x.failed != y.failed) return name;
        const std::string routes = route_difference(x.route, y.route);
        if (!routes.empty()) return name + ": " + routes;
    }
    return "";
}

// explain_in(scratch) with failing allocations: each, or the first six and ever fewer. Returns how many calls were starved.
template <class ExplainIn>
std::int64_t starve_explanation(bool each, const ExplainIn& explain_in) {
    Scratch plenty;
    const Result<Explanation> wanted = explain_in(plenty);
    if (!wanted) {
        ADD_FAILURE() << error_name(wanted.error().code);
        return 0;
    }
    std::int64_t failures = 0;
    for (const bool once : kOnceAndForEver) {
        for (std::int64_t n = 0;; n += each || n < 6 ? 1 : n) {
            SCOPED_TRACE("allocation " + std::to_string(n) + (once ? " alone" : " and all later ones"));
            TestAllocator memory;
            {
                Scratch scratch(memory.allocator());
                memory.fail_after(n, once);
                const Result<Explanation> why = explain_in(scratch);
                const bool starved = memory.feed();
                if (why) {
                    EXPECT_EQ(explanations_differ(*why, *wanted), "");
                } else {
                    EXPECT_EQ(why.error().code, ErrorCode::out_of_memory) << error_name(why.error().code);
                    EXPECT_TRUE(starved);
                }
                if (!starved) break;
                ++failures;
                const Result<Explanation> again = explain_in(scratch);
                EXPECT_TRUE(again);
                if (again) {
                    EXPECT_EQ(explanations_differ(*again, *wanted), "");
                }
            }
            EXPECT_EQ(memory.live_blocks, 0);
            EXPECT_EQ(memory.live_bytes, 0);
            if (::testing::Test::HasFailure()) return failures;
        }
    }
    return failures;
}

// Two rooms, a door of two tiles of terrain 2 between them, and a closet without a door.
Grid rooms_to_explain() {
    return grid_of({
        "......#......####",
        "......#......#..#",
        "......2......#..#",
        "......2......####",
        "......#..........",
        "......#..........",
    });
}

TEST(ExplainOutOfMemory, Walkers) {
    const Grid grid = rooms_to_explain();
    const Blocker crates[] = {{{3.5, 5.5}, 0.3}, {{6.5, 3.0}, 0.6}};
    const GridQuery wide{.start = {1.5, 3.0}, .goal = Vec2{11.5, 3.0}, .agent = {.radius = 1.3}};
    GridQuery large = wide;
    large.agent = {.footprint = 3};
    GridQuery closed = wide;
    closed.agent = {.radius = 0.4};
    closed.terrain.closed = {2};
    GridQuery past = wide;
    past.agent = {.radius = 0.6};
    past.blockers = crates;
    GridQuery inside = wide;
    inside.goal = Vec2{6.5, 0.5};
    const GridQuery closet{.start = {1.5, 3.5}, .goal = Vec2{14.5, 1.5}};
    struct Asked {
        GridQuery query;
        ExplainReason reason;
    };
    for (const Asked& asked :
         {Asked{wide, ExplainReason::too_wide}, Asked{large, ExplainReason::too_wide},
          Asked{closed, ExplainReason::sealed}, Asked{past, ExplainReason::sealed},
          Asked{inside, ExplainReason::goal_blocked}, Asked{closet, ExplainReason::sealed}}) {
        const auto explain_in = [&](Scratch& scratch) { return explain(grid.state(), asked.query, scratch); };
        Scratch scratch;
        const Result<Explanation> why = explain_in(scratch);
        ASSERT_TRUE(why);
        SCOPED_TRACE(why->text().c_str());
        EXPECT_EQ(why->reason, asked.reason) << reason_name(why->reason);
        EXPECT_GT(starve_explanation(true, explain_in), 10);
    }
}

TEST(ExplainOutOfMemory, TurningUnits) {
    const Grid grid = rooms_to_explain();
    const Blocker crates[] = {{{6.5, 3.0}, 0.6}};
    const DriveQuery turning{.start = {{5.5, 5.5}, kHalfPi},
                             .goal = {{7.5, 0.5}, -kHalfPi},
                             .agent = {.radius = 0.4, .turning_radius = 2.0}};
    DriveQuery wide = turning;
    wide.agent.radius = 1.2;
    wide.start = {{1.5, 3.0}, 0.0};
    wide.goal = {{11.0, 3.0}, 0.0};
    DriveQuery past = wide;
    past.agent.radius = 0.4;
    DriveQuery inside = past;
    inside.goal = {{6.5, 0.5}, 0.0};
    struct Asked {
        DriveQuery query;
        ExplainReason reason;
        bool crate = false;
    };
    for (const Asked& asked :
         {Asked{turning, ExplainReason::turning}, Asked{wide, ExplainReason::too_wide},
          Asked{past, ExplainReason::sealed, true}, Asked{inside, ExplainReason::goal_blocked}}) {
        GridDriveSetup setup;
        if (asked.crate) setup.map.blockers = crates;
        const auto explain_in = [&](Scratch& scratch) {
            return explain(grid.state(), asked.query, scratch, {.trials_max = 2, .accuracy = 0.5}, setup);
        };
        Scratch scratch;
        const Result<Explanation> why = explain_in(scratch);
        ASSERT_TRUE(why);
        SCOPED_TRACE(why->text().c_str());
        EXPECT_EQ(why->reason, asked.reason) << reason_name(why->reason);
        EXPECT_GT(starve_explanation(false, explain_in), 10);
    }
}

}  // namespace
}  // namespace fairlead::testing
