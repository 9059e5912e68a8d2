// Areas that cost more and less, for turning units on level meshes: what a route says that it costs is what an independent walk
// along it finds, and it goes where that is least.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/bridge/mesh_drive.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/driven_by.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/plain_mesh.h"
#include "support/violation_checks.h"

namespace fairlead {
namespace {

using testing::PlainMesh;
using testing::trials;

constexpr double kCell = 0.5;
constexpr double kDearest = 6.0;  // of random areas

/// By sampling, and halving where the cost changes; with nothing of the library but where a leg is after a length. Of one floor.
class AreaWalk {
  public:
    AreaWalk(const PlainMesh& plain, std::span<const double> costs) : plain_(plain), costs_(costs) {}

    /// The cheapest of the polygons that hold a place.
    [[nodiscard]] double cost_at(Vec2 at) const {
        double least = 1e300;
        for (std::size_t i = 0; i < plain_.polygons.size(); ++i) {
            if (holds(plain_.polygons[i], at)) least = std::min(least, costs_[plain_.areas[i]]);
        }
        return least;
    }
    struct Sum {
        double cost = 0.0;
        double missed = 1e-6;  ///< what corners of areas between two samples may come to
        double dearest = 0.0;  ///< that it comes through
        int changes = 0;
    };
    [[nodiscard]] Sum along(const Route& route, const MeshDriveQuery& query) const {
        constexpr int kSteps = 4000;
        Sum sum;
        const Leg* moved = nullptr;
        for (const Leg& leg : route.legs) {
            if (leg.kind == LegKind::turn) {
                sum.cost += std::abs(leg.turn_rad) * query.pivot_penalty;
                continue;
            }
            if (moved != nullptr && moved->gear != leg.gear) sum.cost += query.cusp_penalty;
            moved = &leg;
            const double weight = leg.gear == Gear::reverse ? query.reverse_penalty : 1.0;
            const double step = leg.length / kSteps;
            double begun = 0.0, before = on_leg(leg, 0.5 * step);
            sum.missed += step * weight * kDearest;
            sum.dearest = std::max(sum.dearest, before);
            for (int i = 1; i < kSteps; ++i) {
                const double here = on_leg(leg, (i + 0.5) * step);
                if (here == before) continue;
                double low = (i - 0.5) * step, high = (i + 0.5) * step;
                for (int k = 0; k < 40; ++k) {
                    const double middle = 0.5 * (low + high);
                    (on_leg(leg, middle) == before ? low : high) = middle;
                }
                sum.cost += (low - begun) * before * weight;
                begun = low;
                before = here;
                ++sum.changes;
                sum.dearest = std::max(sum.dearest, here);
            }
            sum.cost += (leg.length - begun) * before * weight;
        }
        return sum;
    }

  private:
    [[nodiscard]] double on_leg(const Leg& leg, double at) const {
        return cost_at(ground(place_on_leg(leg, at).position));
    }
    [[nodiscard]] bool holds(const std::vector<std::uint32_t>& ring, Vec2 at) const {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Vec2 a = ground(plain_.vertices[ring[i]]);
            const Vec2 b = ground(plain_.vertices[ring[(i + 1) % ring.size()]]);
            if (cross(b - a, at - a) < -1e-9 * distance(a, b)) return false;
        }
        return true;
    }
    const PlainMesh& plain_;
    std::span<const double> costs_;
};

/// 24 x 12, grass (area 0) with a strip of sand (area 1) across it, 8 <= x <= 14, that leaves a way round in the north, y >= 9.
PlainMesh sand_strip() {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0},  {8, 0, 0},  {14, 0, 0}, {24, 0, 0}, {0, 9, 0},   {8, 9, 0},
                      {14, 9, 0}, {24, 9, 0}, {0, 12, 0}, {8, 12, 0}, {14, 12, 0}, {24, 12, 0}};
    plain.polygons = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {4, 5, 9, 8}, {5, 6, 10, 9}, {6, 7, 11, 10}};
    plain.areas = {0, 1, 0, 0, 0, 0};
    return plain;
}

const Agent kAreaBuggy{.radius = 0.3, .turning_radius = 1.0, .can_reverse = true};

TEST(MeshDriveAreas, RoundTheSandWhereThatIsCheaper) {
    PlainMesh plain = sand_strip();
    const NavMesh mesh = plain.make();
    Scratch scratch;
    MeshDriveQuery query{
        .start = {{4, 3, 0}, 0.0}, .goal = {{20, 3, 0}, 0.0}, .agent = kAreaBuggy, .epsilon = 1.0};
    const MeshLatticeOptions setup{.cell_size = kCell};
    std::vector<double> costs(kAreasMax, 1.0);
    const auto drive = [&](double sand) {
        costs[1] = sand;
        query.filter.areas.factors = costs;
        query.lattice = setup;
        return find_route(mesh, query, scratch);
    };
    const Result<Route> even = drive(1.0);
    ASSERT_TRUE(even);
    EXPECT_NEAR(even->length, 16.0, 1e-9);
    EXPECT_NEAR(even->cost, 16.0, 1e-9);
    // 6 of 16 through the sand, exactly.
    const Result<Route> through = drive(1.25);
    ASSERT_TRUE(through);
    EXPECT_NEAR(through->cost, 10.0 + 6.0 * 1.25, 1e-9);
    const Result<Route> round = drive(5.0);
    ASSERT_TRUE(round);
    EXPECT_LEGAL(verify(*round, mesh, kAreaBuggy));
    const AreaWalk walk(plain, costs);
    const AreaWalk::Sum sum = walk.along(*round, query);
    EXPECT_EQ(sum.dearest, 1.0);  // none of it in the sand
    EXPECT_NEAR(round->cost, sum.cost, 1e-6);
    EXPECT_NEAR(round->cost, round->length, 1e-9);
    EXPECT_LT(round->length, 24.0);
    // Smoothing does not undo it.
    query.smooth = false;
    const Result<Route> raw = drive(5.0);
    ASSERT_TRUE(raw);
    EXPECT_LE(round->cost, raw->cost + 1e-9);
    EXPECT_EQ(walk.along(*raw, query).dearest, 1.0);
}

TEST(MeshDriveAreas, TheSameCostEverywhereIsAFactor) {
    PlainMesh plain = sand_strip();
    const NavMesh mesh = plain.make();
    Scratch scratch;
    const Agent forward{.radius = 0.3, .turning_radius = 1.0};
    MeshDriveQuery query{.start = {{4, 3, 0}, 1.0}, .goal = {{20, 10, 0}, 2.0}, .agent = forward};
    const Result<Route> plain_way = find_route(mesh, query, scratch);
    const std::vector<double> threes(kAreasMax, 3.0);
    query.filter.areas.factors = threes;
    const Result<Route> thrice = find_route(mesh, query, scratch);
    ASSERT_TRUE(plain_way && thrice);
    EXPECT_NEAR(thrice->cost, 3.0 * plain_way->cost, 1e-9);
    ASSERT_EQ(thrice->legs.size(), plain_way->legs.size());
    for (std::size_t i = 0; i < thrice->legs.size(); ++i) EXPECT_EQ(thrice->legs[i], plain_way->legs[i]);
}

TEST(MeshDriveAreas, ACostOfNothingCloses) {
    PlainMesh plain = sand_strip();
    const NavMesh mesh = plain.make();
    Scratch scratch;
    std::vector<double> costs(kAreasMax, 1.0);
    costs[1] = 0.0;
    MeshDriveQuery query{.start = {{4, 3, 0}, 0.0}, .goal = {{20, 3, 0}, 0.0}, .agent = kAreaBuggy};
    query.filter.areas.factors = costs;
    const Result<Route> round = find_route(mesh, query, scratch);
    query.filter = {.areas = {.closed = KindSet::of_mask(2)}};
    const Result<Route> closed = find_route(mesh, query, scratch);
    ASSERT_TRUE(round && closed);
    EXPECT_EQ(round->status, PathStatus::complete);
    EXPECT_GT(round->length, 17.0);
    EXPECT_EQ(round->length, closed->length);
    query.filter.areas.factors = costs;
    query.goal = {{11, 3, 0}, 0.0};
    EXPECT_EQ(find_route(mesh, query, scratch).value().status, PathStatus::goal_blocked);
}

// A list may end before the kinds do: what is past its end costs 1.
TEST(MeshDriveAreas, AShortListIsOneOfOnesBehindIt) {
    PlainMesh plain = sand_strip();
    const NavMesh mesh = plain.make();
    Scratch scratch;
    MeshDriveQuery query{
        .start = {{4, 3, 0}, 0.0}, .goal = {{20, 3, 0}, 0.0}, .agent = kAreaBuggy, .epsilon = 1.0};
    for (const std::vector<double>& few : {std::vector<double>{3.0}, {1.0, 5.0}, {0.5}, {2.0, 2.0}}) {
        std::vector<double> all = few;
        all.resize(kAreasMax, 1.0);
        query.filter.areas.factors = few;
        const Result<Route> brief = find_route(mesh, query, scratch);
        query.filter.areas.factors = all;
        const Result<Route> full = find_route(mesh, query, scratch);
        ASSERT_TRUE(brief && full);
        ASSERT_EQ(brief->status, PathStatus::complete);
        EXPECT_EQ(brief->cost, full->cost) << few[0];
        EXPECT_EQ(brief->stats.digest, full->stats.digest) << few[0];
    }
    // Ten of grass, six of sand.
    const double grass[] = {3.0};
    query.filter.areas.factors = grass;
    EXPECT_NEAR(find_route(mesh, query, scratch).value().cost, 10.0 * 3.0 + 6.0, 1e-9);
}

Agent random_buggy(Rng& rng) {
    Agent agent{.radius = rng.between(0.0, 0.8)};
    agent.turning_radius = rng.between(0.8, 2.5);
    agent.can_reverse = rng.below(2) == 0;
    agent.can_pivot = rng.below(4) == 0;
    return agent;
}

TEST(MeshDriveAreas, RandomRoutesCostWhatTheySay) {
    Rng rng(29);
    Scratch scratch, other;
    int complete = 0, total = 0, mixed = 0, inexact = 0;
    double without = 0.0, with = 0.0;
    for (int i = 0; i < trials(20); ++i) {
        PlainMesh plain = testing::random_mesh(rng, {.width = 6,
                                                     .height = 6,
                                                     .cell = 2,
                                                     .blocked_percent = 12,
                                                     .slanted = rng.below(2) == 0,
                                                     .areas = 4});
        if (plain.polygons.empty()) continue;
        const NavMesh mesh = plain.make();
        const Agent agent = random_buggy(rng);
        std::vector<double> costs(kAreasMax, 1.0);
        for (int area = 0; area < 4; ++area)
            costs[static_cast<std::size_t>(area)] = rng.between(0.3, kDearest);
        const Result<DriveTable> table = make_mesh_drive_table(agent, {.cell_size = kCell});
        ASSERT_TRUE(table);
        for (int k = 0; k < 3; ++k) {
            MeshDriveQuery query;
            query.start = {random_point(mesh, rng).position, rng.between(-4.0, 4.0)};
            query.goal = {random_point(mesh, rng).position, rng.between(-4.0, 4.0)};
            query.expansions_max = 4000;
            query.cusp_penalty = kCell;
            query.pivot_penalty = 2.0 * kCell;
            query.smooth = rng.below(4) != 0;
            const Result<Route> blind = find_route(mesh, driven_by(*table, query), scratch);
            query.filter.areas.factors = costs;
            Route route, sliced;
            ASSERT_TRUE(blind && find_route_into(mesh, driven_by(*table, query), scratch, route));
            ++total;
            MeshDriveSearch search(mesh, driven_by(*table, query), other);
            while (search.step(1 + rng.below(200))) {
            }
            ASSERT_TRUE(search.take(sliced));
            EXPECT_EQ(sliced.stats.digest, route.stats.digest);
            EXPECT_EQ(sliced.cost, route.cost);
            if (route.status != PathStatus::complete) continue;
            ++complete;
            EXPECT_LEGAL(verify(route, mesh, agent));
            const AreaWalk walk(plain, costs);
            const AreaWalk::Sum sum = walk.along(route, query);
            EXPECT_NEAR(route.cost, sum.cost, sum.missed);
            MeshDriveQuery free = query;
            free.reverse_penalty = 1.0;
            free.cusp_penalty = free.pivot_penalty = 0.0;
            EXPECT_NEAR(route.line_cost, walk.along(route, free).cost, sum.missed);
            inexact += std::abs(route.cost - sum.cost) > 1e-6 ? 1 : 0;
            mixed += sum.changes > 0 ? 1 : 0;
            if (blind->status != PathStatus::complete) continue;
            with += sum.cost;
            without += walk.along(*blind, query).cost;
        }
    }
    EXPECT_LE(inexact, complete / 20 + 1);  // the rest to the last digits
    if (trials(20) < 20) return;            // too few to ask for more
    EXPECT_GT(complete, total / 4);
    EXPECT_GT(mixed, complete / 2);  // areas were changed
    EXPECT_LT(with, without);        // it pays to know the costs
}

TEST(MeshDriveAreas, Errors) {
    PlainMesh plain = sand_strip();
    const NavMesh mesh = plain.make();
    Scratch scratch;
    std::vector<double> costs(kAreasMax + 1, 1.0);
    const auto error = [&](std::size_t count) {
        MeshDriveQuery query{.start = {{4, 3, 0}, 0.0}, .goal = {{20, 3, 0}, 0.0}, .agent = kAreaBuggy};
        query.filter.areas.factors = Borrowed(costs.data(), count);
        const Result<Route> route = find_route(mesh, query, scratch);
        return route ? Error{} : route.error();
    };
    EXPECT_EQ(error(kAreasMax + 1), (Error{ErrorCode::size_limit, Field::areas, kAreasMax}));
    costs[3] = std::nan("");
    EXPECT_EQ(error(kAreasMax), (Error{ErrorCode::not_finite, Field::areas, 3, 0}));
    costs[3] = -1.0;
    EXPECT_EQ(error(kAreasMax), (Error{ErrorCode::out_of_range, Field::areas, 3, 0}));
    costs[3] = 1e-6;
    costs[4] = 2.0;
    EXPECT_EQ(error(kAreasMax), (Error{ErrorCode::out_of_range, Field::areas, 1}));  // too far apart
}

TEST(MeshDriveAreas, AWarmCallAllocatesNothing) {
    PlainMesh plain = sand_strip();
    const NavMesh mesh = plain.make();
    Scratch scratch;
    std::vector<double> costs(kAreasMax, 1.0);
    costs[1] = 4.0;
    MeshDriveQuery query{.start = {{4, 3, 0}, 1.0}, .goal = {{11, 2, 0}, 2.0}, .agent = kAreaBuggy};
    query.filter.areas.factors = costs;
    Route route;
    ASSERT_TRUE(find_route_into(mesh, query, scratch, route));
    ASSERT_EQ(route.status, PathStatus::complete);
    const std::uint64_t before = testing::heap_calls();
    ASSERT_TRUE(find_route_into(mesh, query, scratch, route));
    EXPECT_EQ(testing::heap_calls(), before);
}

}  // namespace
}  // namespace fairlead
