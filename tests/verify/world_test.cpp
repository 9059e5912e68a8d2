// What is particular to tile worlds: axes that wrap, layers and links, terrain filters, blockers.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/dense_sampler.h"
#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"
#include "verify/tile_agents.h"

namespace fairlead {
namespace {

using testing::disc;
using testing::FakeWorld;
using testing::polyline;
using testing::RouteMaker;
using testing::square;
using witness::verify_over;

TEST(Wrap, RoutesRunOnBeyondTheEdge) {
    FakeWorld world({"#####", ".....", "#####"});
    const Route route = polyline({{4.0, 1.5}, {12.5, 1.5}, {-9.0, 1.5}});
    EXPECT_KIND(verify_over(route, world, disc(0.5)), off_world);
    world.wraps_x = true;
    EXPECT_LEGAL(verify_over(route, world, disc(0.5)));
    EXPECT_LEGAL(verify_over(route, world, square(1)));
    EXPECT_KIND(verify_over(route, world, disc(0.500001)), wall);
    // The walls are there in every lap.
    world.set({2, 1, 0}, 0);
    const Violation bad = verify_over(polyline({{3.5, 1.5}, {10.0, 1.5}}), world, disc(0.5));
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.cell, (Cell{2, 1, 0}));
    EXPECT_NEAR(bad.distance, 3.0, 1e-6);
    EXPECT_NEAR(bad.place.position.x, 7.5, 0.5);
    EXPECT_LEGAL(verify_over(polyline({{3.5, 1.5}, {6.5, 1.5}}), world, disc(0.5)));
    EXPECT_KIND(verify_over(polyline({{-6.5, 1.5}, {-8.5, 1.5}}), world, disc(0.4)), wall);
}

TEST(Wrap, CoordinatesAreContinuous) {
    FakeWorld world(5, 3);
    world.wraps_x = true;
    // A jump back into the map is no leg.
    Route jump = polyline({{4.0, 1.5}, {5.5, 1.5}, {6.5, 1.5}});
    jump.legs[1].start.position.x = 0.5;
    jump.end.position.x = 1.5;
    EXPECT_KIND(verify_over(jump, world, disc(0.5)), leg_end);
}

TEST(Wrap, SeamsAndCornersAcrossTheEdge) {
    FakeWorld world({"...", "#.#", "..."});
    world.wraps_x = true;
    const Agent point{};
    // Columns 2 and 0 are neighbours: their shared side is shut, here and a lap on.
    EXPECT_KIND(verify_over(polyline({{3, 0.5}, {3, 2.5}}), world, point), wall);
    EXPECT_KIND(verify_over(polyline({{0, 0.5}, {0, 2.5}}), world, point), wall);
    EXPECT_KIND(verify_over(polyline({{-3, 0.5}, {-3, 2.5}}), world, point), wall);
    EXPECT_LEGAL(verify_over(polyline({{1, 0.5}, {1, 2.5}}), world, point));
    EXPECT_LEGAL(verify_over(polyline({{4, 0.5}, {4, 2.5}}), world, point));
}

TEST(Wrap, TheBodyReachesAcrossTheEdge) {
    FakeWorld world(6, 6);
    world.wraps_x = world.wraps_y = true;
    world.set({5, 5, 0}, 0);
    // From (0, 0) the wall's corner is at the origin.
    EXPECT_LEGAL(verify_over(polyline({{0.6, 0.8}}), world, disc(1.0)));
    EXPECT_KIND(verify_over(polyline({{0.6, 0.8}}), world, disc(1.000001)), wall);
    EXPECT_LEGAL(verify_over(polyline({{4.4, 6.8 + 6 * 7}}), world, disc(1.0)));
    // A body larger than the map meets the wall from all sides.
    EXPECT_LEGAL(verify_over(polyline({{2.5, 2.5}}), world, disc(std::sqrt(12.5))));
    EXPECT_KIND(verify_over(polyline({{2.5, 2.5}}), world, disc(std::sqrt(12.5) + 1e-6)), wall);
    EXPECT_KIND(verify_over(polyline({{2.5, 2.5}}), world, disc(40.0)), wall);
    world.set({5, 5, 0}, 1);
    EXPECT_LEGAL(verify_over(polyline({{2.5, 2.5}}), world, disc(40.0)));
}

TEST(Wrap, AgreesWithDenseSampling) {
    Rng rng(31);
    int legal = 0;
    for (int i = 0; i < testing::trials(1200); ++i) {
        FakeWorld world = FakeWorld::random(6, 5, rng.between(0.0, 0.15), rng);
        world.wraps_x = true;
        world.wraps_y = rng.below(2) == 0;
        const Agent agent = rng.below(3) == 0 ? square(1) : disc(rng.between(0.0, 0.6));
        RouteMaker maker({rng.between(-20.0, 20.0), rng.between(1.0, 4.0)}, rng.between(-4.0, 4.0));
        maker.drive(rng.between(0.0, 3.0)).drive(rng.between(0.0, 3.0), rng.between(-2.0, 2.0));
        const Route route = maker.take();
        const Violation bad = verify_over(route, world, agent);
        const testing::DenseResult dense = testing::dense_sample(route, world, agent, 1e-3);
        if (dense.depth > 1e-7) {
            ASSERT_TRUE(bad);
        }
        if (dense.depth < -1e-3) {
            ASSERT_FALSE(bad) << i << ' ' << bad.text().c_str();
        }
        if (!bad) ++legal;
    }
    if (testing::all_trials()) {
        EXPECT_GT(legal, 250);
    }
    EXPECT_LT(legal, 950);
}

class Links : public ::testing::Test {
  protected:
    Links() {
        world_.portal_list.push_back({{1, 1, 0}, {6, 2, 1}, 1.0, false});
        world_.portal_list.push_back({{2, 2, 1}, {5, 3, 0}, 1.0, true});
    }
    [[nodiscard]] Violation judge(const Route& route,
                                  const Agent& agent = {.radius = 0.5, .footprint = 0}) const {
        return verify_over(route, world_, agent);
    }

    FakeWorld world_{8, 5, 2};
};

TEST_F(Links, ArePortalsInTheirDirection) {
    EXPECT_LEGAL(judge(RouteMaker({0.5, 1.5}).drive(1.0).link(0, {6.5, 2.5}, 1).drive(1.0).take()));
    EXPECT_LEGAL(judge(RouteMaker({2.5, 2.5}, 0.0, 1).link(1, {5.5, 3.5}, 0).take()));
    EXPECT_LEGAL(judge(RouteMaker({5.5, 3.5}).link(1, {2.5, 2.5}, 1).take()));
    const Violation back = judge(RouteMaker({6.5, 2.5}, 0.0, 1).link(0, {1.5, 1.5}, 0).take());
    EXPECT_KIND(back, link);
    EXPECT_EQ(back.index, 0);
    EXPECT_EQ(back.leg, 0);
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(2, {6.5, 2.5}, 1).take()), link);
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(4000000000U, {6.5, 2.5}, 1).take()), link);
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(1, {6.5, 2.5}, 1).take()), link);
}

TEST_F(Links, StartAndEndWhereAUnitStands) {
    const Violation bad = judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.75}, 1).take());
    EXPECT_KIND(bad, link);
    EXPECT_NEAR(bad.depth, 0.25, 1e-12);
    EXPECT_KIND(judge(RouteMaker({1.5, 1.4}).link(0, {6.5, 2.5}, 1).take()), link);
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.5}, 0).take()), link);
    EXPECT_LEGAL(judge(RouteMaker({1.0, 1.0}).link(0, {6.0, 2.0}, 1).take(), square(2)));
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.5}, 1).take(), square(2)), link);
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.5}, 1).take(), square(3)));
}

TEST_F(Links, TheBodyMustFitAtBothEnds) {
    world_.set({6, 2, 1}, 0);
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.5}, 1).take()), wall);
    world_.set({6, 2, 1}, 1);
    world_.set({1, 2, 0}, 0);
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.5}, 1).take()));
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}).link(0, {6.5, 2.5}, 1).take(), disc(0.6)), wall);
}

TEST_F(Links, MayComeOutInAnotherLap) {
    world_.wraps_x = true;
    EXPECT_LEGAL(judge(RouteMaker({9.5, 1.5}).link(0, {6.5 - 16, 2.5}, 1).take()));
    EXPECT_KIND(judge(RouteMaker({9.5, 1.5}).link(0, {6.5 - 15, 2.5}, 1).take()), link);
}

TEST_F(Links, OnlyTheyChangeTheLayer) {
    Route route = RouteMaker({1.5, 1.5}).drive(1.0).drive(1.0).take();
    route.legs[1].start.layer = 1;
    route.end.layer = 1;
    EXPECT_KIND(judge(route), leg_end);
    // Each leg is judged on its own floor.
    world_.set({1, 1, 0}, 0);
    EXPECT_LEGAL(judge(RouteMaker({1.5, 1.5}, 0.0, 1).drive(1.0).take()));
    EXPECT_KIND(judge(RouteMaker({1.5, 1.5}, 0.0, 0).drive(1.0).take()), wall);
}

TEST(Terrain, ForbiddenKindsAreWalls) {
    const FakeWorld world({".....", ".222.", "....."});
    const Route through = polyline({{0.5, 1.5}, {4.5, 1.5}});
    EXPECT_LEGAL(verify_over(through, world, disc(0.5)));
    std::vector<double> costs(256, 1.0);
    VerifyOptions options{.terrain = {.factors = costs}};
    EXPECT_LEGAL(verify_over(through, world, disc(0.5), options));
    costs[2] = 0;
    const Violation bad = verify_over(through, world, disc(0.5), options);
    EXPECT_KIND(bad, wall);
    EXPECT_EQ(bad.cell, (Cell{1, 1, 0}));
    costs[0] = 7;  // a wall stays one, whatever the filter says of it
    const FakeWorld walled({".....", ".###.", "....."});
    EXPECT_KIND(verify_over(through, walled, disc(0.5), options), wall);
    costs.push_back(1.0);
    options.terrain.factors = costs;
    EXPECT_KIND(verify_over(through, world, disc(0.5), options), bad_argument);
}

TEST(Blockers, DiscsAndBoxes) {
    const FakeWorld world(9, 5);
    std::vector<Blocker> blockers(2);
    blockers[0] = {.centre = {4.5, 2.5}, .radius = 0.5};
    blockers[1] = {.box = {{7.0, 1.0}, {8.0, 2.0}}};
    const VerifyOptions options{.blockers = blockers};
    const auto judge = [&](double y, const Agent& agent) {
        return verify_over(polyline({{1.5, y}, {7.5, y}}), world, agent, options);
    };
    EXPECT_LEGAL(judge(3.5, disc(0.5)));
    const Violation first = judge(3.5 - 1e-6, disc(0.5));
    EXPECT_KIND(first, blocker);
    EXPECT_EQ(first.index, 0);
    EXPECT_NEAR(first.depth, 1e-6, 1e-10);
    EXPECT_NEAR(first.place.position.x, 4.5, 1e-5);
    EXPECT_LEGAL(judge(3.5, square(1)));
    EXPECT_KIND(judge(3.49, square(1)), blocker);
    const Violation second = judge(0.6, disc(0.5));
    EXPECT_KIND(second, blocker);
    EXPECT_EQ(second.index, 1);
    EXPECT_NEAR(second.depth, 0.1, 1e-9);
    EXPECT_LEGAL(judge(0.5, disc(0.5)));
    // A point may touch, not enter.
    EXPECT_LEGAL(judge(2.0, {}));
    EXPECT_KIND(judge(2.1, {}), blocker);
    EXPECT_KIND(judge(2.5, {}), blocker);
    // A square against a disc: its corner is what touches.
    const double d = 0.5 * std::sqrt(0.5);
    const auto stand = [&](double gap) {
        return verify_over(polyline({{4.5 - 0.5 - d - gap, 2.5 + 0.5 + d + gap}}), world, square(1), options);
    };
    EXPECT_LEGAL(stand(0.0));
    EXPECT_KIND(stand(-1e-6), blocker);
}

TEST(Blockers, LayersLapsAndClaims) {
    FakeWorld world(9, 5, 2);
    std::vector<Blocker> blockers(1);
    blockers[0] = {.centre = {4.5, 2.5}, .radius = 0.5, .layer = 1};
    const VerifyOptions options{.blockers = blockers};
    EXPECT_LEGAL(verify_over(polyline({{1.5, 2.5}, {7.5, 2.5}}), world, disc(0.5), options));
    blockers[0].layer = 0;
    EXPECT_KIND(verify_over(polyline({{1.5, 2.5}, {7.5, 2.5}}), world, disc(0.5), options), blocker);
    world.wraps_x = true;
    EXPECT_KIND(verify_over(polyline({{19.5, 2.5}, {25.5, 2.5}}), world, disc(0.5), options), blocker);
    EXPECT_LEGAL(verify_over(polyline({{14.5, 2.5}, {21.5, 2.5}}), world, disc(0.5), options));
    EXPECT_KIND(verify_over(polyline({{14.499, 2.5}, {21.5, 2.5}}), world, disc(0.5), options), blocker);
    EXPECT_KIND(verify_over(polyline({{14.5, 2.5}, {21.501, 2.5}}), world, disc(0.5), options), blocker);
    Route claim = RouteMaker({1.5, 1.5}).drive(3.0).claim(1.2).take();
    EXPECT_LEGAL(verify_over(claim, world, disc(0.4)));
    const Violation bad = verify_over(claim, world, disc(0.4), options);
    EXPECT_KIND(bad, clearance);
    EXPECT_EQ(bad.index, 0);
}

TEST(Blockers, DegenerateOnesAreSafe) {
    FakeWorld world(9, 5);
    std::vector<Blocker> blockers(1);
    const VerifyOptions options{.blockers = blockers};
    const Route route = polyline({{1.5, 2.5}, {7.5, 2.5}});
    const auto judge = [&](const Blocker& blocker) {
        blockers[0] = blocker;
        return verify_over(route, world, disc(0.5), options);
    };
    EXPECT_LEGAL(judge({.centre = {4.5, 3.0}, .radius = 0.0}));
    EXPECT_KIND(judge({.centre = {4.5, 2.9}, .radius = 0.0}), blocker);
    EXPECT_KIND(judge({.box = {{-1e300, -1e300}, {1e300, 1e300}}}), blocker);
    EXPECT_LEGAL(judge({.box = {{-1e300, -1e300}, {1e300, 2.0}}}));
    EXPECT_LEGAL(judge({.centre = {1e300, 1e300}, .radius = 1.0}));
    EXPECT_KIND(judge({.centre = {4, 2}, .radius = 1e300}), bad_argument);
    EXPECT_KIND(judge({.centre = {4, 2}, .radius = -1.0}), bad_argument);
    EXPECT_KIND(judge({.centre = {4, NAN}, .radius = 1.0}), bad_argument);
    EXPECT_KIND(judge({.box = {{4, 2}, {INFINITY, 3}}}), bad_argument);
    world.wraps_x = true;
    EXPECT_KIND(judge({.box = {{-1e300, -1e300}, {1e300, 2.0}}}), bad_argument);
    EXPECT_LEGAL(judge({.box = {{-100, -1e300}, {100, 2.0}}}));
}

}  // namespace
}  // namespace fairlead
