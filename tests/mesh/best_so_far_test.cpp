// Best so far (technique T3): a query that says `partial` and whose budget is spent leads to the place nearest a goal that the search
// has come to, for every planner, radius and price; more budget never ends farther away.
#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/mesh_tables.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"
#include "support/route_compare.h"

namespace fairlead {
namespace {

using testing::make_table;
using testing::on_floor;
using testing::PlainMesh;
using testing::random_mesh;
using testing::route_difference;
using testing::trials;

struct Tally {
    int spent = 0;
    int legs = 0;
    int wide = 0;
    int done = 0;
};

class Asked {
  public:
    Asked(const NavMesh& mesh, const MeshQuery& query, Rng& rng, Tally& tally)
        : mesh_(mesh), query_(query), rng_(rng), tally_(tally) {}

    // With budgets from 0 to what is enough; empty: all is well.
    std::string run() {
        const Result<Route> whole = find_route(mesh_, query_, scratch_);
        if (!whole) return "an error";
        goals_.clear();
        if (query_.agent.radius > 0.0) {
            // Goals near walls are moved: where to is told by a way that comes there.
            if (whole->status != PathStatus::complete || !query_.goal.any_of.empty()) return "";
            goals_.push_back(ground(whole->end.position));
        } else if (query_.goal.any_of.empty()) {
            goals_.push_back(ground(query_.goal.point));
        } else {
            for (const Vec3 goal : query_.goal.any_of) goals_.push_back(ground(goal));
        }
        double before = 1e300;
        for (std::uint64_t budget = 0; budget <= whole->stats.expanded + 1; budget += 1 + rng_.below(2)) {
            const std::string problem = ask(budget, before);
            if (!problem.empty()) return "budget " + std::to_string(budget) + ": " + problem;
        }
        return cancelled();
    }

  private:
    double gap(const Route& route) const {
        double least = 1e300;
        for (const Vec2 goal : goals_) least = std::min(least, distance(ground(route.end.position), goal));
        return least;
    }

    std::string judge(const Route& route) {
        const Violation bad = verify(route, mesh_, query_.agent, {.filter = query_.filter});
        if (bad) return bad.text().c_str();
        if (route.status != PathStatus::budget_spent) return "";
        if (route.bound != kNoBound) return "claims a bound";
        if (route.cost != route.line_cost) return "line_cost";
        if (!route.legs.empty() && route.length == 0.0 && route.cost == 0.0) return "legs without length";
        return "";
    }

    std::string ask(std::uint64_t budget, double& before) {
        MeshQuery query = query_;
        query.expansions_max = budget;
        const Result<Route> route = find_route(mesh_, query, scratch_);
        if (!route) return "an error";
        std::string problem = judge(*route);
        if (!problem.empty()) return problem;
        MeshSearch slices(mesh_, query, other_);
        while (slices.step(1 + rng_.below(7))) {
        }
        Route sliced;
        if (!slices.take(sliced)) return "an error in slices";
        problem = route_difference(sliced, *route);
        if (!problem.empty()) return "sliced, " + problem;
        const bool spent = route->status == PathStatus::budget_spent;
        (spent ? tally_.spent : tally_.done) += 1;
        if (spent) {
            tally_.legs += route->legs.empty() ? 0 : 1;
            tally_.wide += !route->legs.empty() && query_.agent.radius > 0.0 ? 1 : 0;
            query.partial = false;
            const Result<Route> plain = find_route(mesh_, query, scratch_);
            if (!plain || !plain->legs.empty()) return "legs that nobody asked for";
        }
        // Of several goals a partial route has a place for each, and the shortest way to one of them.
        if (spent || (route->status == PathStatus::partial && goals_.size() == 1)) {
            const double here = gap(*route);
            if (here > before + 1e-9)
                return std::to_string(here) + " from the goal, with less budget " + std::to_string(before);
            before = here;
        }
        return "";
    }

    std::string cancelled() {
        std::atomic<bool> flag{false};
        MeshSearch search(mesh_, query_, scratch_, {.cancel = &flag});
        search.step(1 + rng_.below(30));
        if (!search.running()) return "";
        flag = true;
        while (search.step(1)) {
        }
        Route route;
        if (!search.take(route)) return "an error when cancelled";
        return route.status == PathStatus::budget_spent ? judge(route) : "cancelled, and yet done";
    }

    const NavMesh& mesh_;
    MeshQuery query_;
    Rng& rng_;
    Tally& tally_;
    Scratch scratch_;
    Scratch other_;
    std::vector<Vec2> goals_;
};

Vec3 middle_of(const PlainMesh& plain, std::uint32_t polygon) {
    Vec2 sum{};
    for (const std::uint32_t v : plain.polygons[polygon]) sum = sum + ground(plain.vertices[v]);
    return on_floor(sum * (1.0 / static_cast<double>(plain.polygons[polygon].size())));
}

TEST(MeshBestSoFar, LeadsNearerTheMoreBudgetThereIs) {
    Rng rng(977);
    Scratch scratch;
    Tally tally;
    for (int world = 0; world < trials(250); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 4 + static_cast<std::int32_t>(rng.below(9)),
                                            .height = 4 + static_cast<std::int32_t>(rng.below(9)),
                                            .blocked_percent = rng.below(35),
                                            .slanted = rng.below(2) == 0,
                                            .areas = 3});
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make(kLandmarksMax, {}, 2.0);
        std::uint32_t last = 0;
        const auto any = [&] {
            last = rng.below(static_cast<std::uint32_t>(plain.polygons.size()));
            return middle_of(plain, last);
        };
        for (int kind = 0; kind < 7; ++kind) {
            MeshQuery query{.start = any(), .partial = true};
            query.goal = any();
            const std::uint8_t area = plain.areas[last];
            std::vector<double> costs(kAreasMax, 1.0);
            for (std::size_t k = 0; k < 3; ++k) costs[k] = rng.between(0.5, 4.0);
            const std::vector<Vec3> goals{any(), any(), any()};
            // Not the goal's: it would be moved to open ground.
            if (kind == 1) query.filter.areas.closed = KindSet::of_mask(rng.below(7) & ~(1U << area));
            if (kind == 2) query.planner = MeshPlanner::corridor;
            if (kind == 3) query.planner = MeshPlanner::portal_midpoints;
            if (kind == 4) query.filter.areas.factors = costs;
            if (kind == 5) query.goal = Goal::any_of(goals);
            if (kind == 6) query.agent.radius = rng.between(0.2, 1.9);
            const Result<Route> stands = find_route(mesh, query, scratch);
            if (!stands || stands->status == PathStatus::start_blocked) continue;
            const std::string problem = Asked(mesh, query, rng, tally).run();
            ASSERT_TRUE(problem.empty()) << "world " << world << " kind " << kind << ": " << problem;
        }
    }
    EXPECT_GT(tally.legs, tally.spent / 3);
    EXPECT_GT(tally.done, 100);
    EXPECT_GT(tally.wide, 20);
}

// A search that was cancelled before it began tells nothing of the one before.
TEST(MeshBestSoFar, CancelledAtOnceItKnowsNoPlace) {
    Rng rng(3);
    PlainMesh plain = random_mesh(rng, {.width = 6, .height = 6, .blocked_percent = 0});
    const NavMesh mesh = plain.make();
    Scratch scratch;
    MeshQuery query{.start = {1, 1, 0}, .goal = Vec3{20, 20, 0}, .partial = true};
    query.expansions_max = 2;
    ASSERT_TRUE(find_route(mesh, query, scratch));
    const std::atomic<bool> cancel{true};
    const Result<Route> used = find_route(mesh, query, scratch, {.cancel = &cancel});
    Scratch fresh;
    const Result<Route> first = find_route(mesh, query, fresh, {.cancel = &cancel});
    ASSERT_TRUE(used && first);
    EXPECT_EQ(route_difference(*used, *first), "");
    EXPECT_TRUE(used->legs.empty());
}

// By a table each goal that is looked up is a unit: what was found by then is the way.
TEST(MeshBestSoFar, OfATableTheGoalsLookedUp) {
    Rng rng(12);
    Scratch scratch;
    int legs = 0;
    for (int world = 0; world < trials(30); ++world) {
        PlainMesh plain = random_mesh(rng, {.width = 6, .height = 6, .blocked_percent = 20});
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make();
        const MeshTable table = make_table(mesh);
        std::vector<Vec3> goals;
        for (int i = 0; i < 4; ++i)
            goals.push_back(middle_of(plain, rng.below(static_cast<std::uint32_t>(plain.polygons.size()))));
        MeshQuery query{.start = goals[3], .goal = Goal::any_of({goals.data(), 3}), .partial = true};
        for (std::uint64_t budget = 0; budget < 4; ++budget) {
            query.expansions_max = budget;
            const Result<Route> route = find_route(mesh, looked_up_in(table, query), scratch);
            ASSERT_TRUE(route);
            const Violation bad = verify(*route, mesh, {});
            ASSERT_FALSE(bad) << bad.text().c_str();
            query.expansions_max = UINT64_MAX;
            const Result<Route> whole = find_route(mesh, looked_up_in(table, query), scratch);
            if (!whole || whole->status != PathStatus::complete) continue;  // leads beside the goals
            if (route->status != PathStatus::budget_spent || route->legs.empty()) continue;
            ++legs;
            EXPECT_EQ(route->bound, kNoBound);
            EXPECT_TRUE(std::any_of(goals.begin(), goals.end(), [&](Vec3 goal) {
                return distance(ground(goal), ground(route->end.position)) < 1e-9;
            }));
        }
    }
    EXPECT_GT(legs, trials(30) / 3);
}

}  // namespace
}  // namespace fairlead
