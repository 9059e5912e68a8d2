// Fleets on roadmaps: jams that come undone, every frame judged by plain geometry (support/road_judge.h); edits; who cannot go says why.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/roadmap_fleet.h>

#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/road_traffic.h"

namespace fairlead::testing {
namespace {

using namespace road_traffic;

TEST(RoadmapFleet, TwentyEachWayOnATwoWayRoad) {
    for (const double width : {12.0, 8.0, 5.0, 3.0}) {
        Net net;
        net.nodes = {{0, 0}, {20, 0}, {60, 10}, {80, 10}};
        net.kinds = {{width, kNoLimit}, {12.0, kNoLimit}};
        net.ways = {{0, 1, 1}, {1, 2, 0}, {2, 3, 1}};
        const Seen seen =
            play(net, exchange(block_of({2, 0}, {1, 0}, 4, 20), block_of({78, 10}, {-1, 0}, 4, 20)),
                 road_traffic::person(), 240.0);
        EXPECT_EQ(seen.wrong, "") << width;
        EXPECT_TRUE(seen.all_arrived) << width;
    }
}

TEST(RoadmapFleet, ARoadOfOneLaneIsTakenByTurns) {
    Net net;
    net.nodes = {{0, 0}, {20, 0}, {50, 10}, {70, 10}};
    net.kinds = {{1.4, kNoLimit}, {8.0, kNoLimit}};
    net.ways = {{0, 1, 1}, {1, 2, 0}, {2, 3, 1}};
    const Seen seen = play(net, exchange(block_of({2, 0}, {1, 0}, 4, 8), block_of({68, 10}, {-1, 0}, 4, 8)),
                           road_traffic::person(), 400.0);
    EXPECT_EQ(seen.wrong, "");
    EXPECT_TRUE(seen.all_arrived);
}

TEST(RoadmapFleet, FourStreamsAtACrossroads) {
    for (const double width : {8.0, 5.0}) {
        Net net;
        net.nodes = {{0, 0}, {-40, 0}, {40, 0}, {0, -40}, {0, 40}};
        net.kinds = {{width, kNoLimit}};
        net.ways = {{1, 0}, {0, 2}, {3, 0}, {0, 4}};
        const int rows = width > 6.0 ? 4 : 3;
        std::vector<Order> orders =
            exchange(block_of({-38, 0}, {1, 0}, rows, 12), block_of({38, 0}, {-1, 0}, rows, 12));
        const std::vector<Order> more =
            exchange(block_of({0, -38}, {0, 1}, rows, 12), block_of({0, 38}, {0, -1}, rows, 12));
        orders.insert(orders.end(), more.begin(), more.end());
        const Seen seen = play(net, orders, road_traffic::person(), 240.0);
        EXPECT_EQ(seen.wrong, "") << width;
        EXPECT_TRUE(seen.all_arrived) << width;
    }
}

TEST(RoadmapFleet, LimitsOfRoadsAreKept) {
    Net net;
    net.nodes = {{0, 0}, {30, 0}, {30, 30}, {60, 30}, {60, 0}};
    net.kinds = {{6.0, 5.0}, {4.0, 1.0}, {5.0, 2.5}};
    net.ways = {{0, 1, 0}, {1, 2, 1}, {2, 3, 0}, {3, 4, 2}, {4, 1, 1}};
    for (const double accel : {2.0, 6.0, kNoLimit}) {
        const Seen seen =
            play(net, exchange(block_of({2, 0}, {1, 0}, 3, 12), block_of({60, 4}, {0, 1}, 2, 12)),
                 road_traffic::person(accel, 8.0), 240.0);
        EXPECT_EQ(seen.wrong, "") << accel;
        EXPECT_TRUE(seen.all_arrived) << accel;
        EXPECT_EQ(seen.braked, 0) << accel;
    }
}

TEST(RoadmapFleet, NobodyGoesAgainstAOneWayRoad) {
    Net net;  // a ring, and a street into it
    net.nodes = {{0, 0}, {20, 0}, {30, 20}, {15, 35}, {-10, 20}, {-20, 0}};
    net.kinds = {{4.0, kNoLimit}};
    net.ways = {{0, 1, 0, true}, {1, 2, 0, true}, {2, 3, 0, true},
                {3, 4, 0, true}, {4, 0, 0, true}, {5, 0, 0}};
    std::vector<Order> orders;
    const std::vector<Vec2> from = block_of({-18, 0}, {1, 0}, 2, 10);
    const std::vector<Vec2> to = block_of({-3, 6}, normalized(Vec2{-1, 2}), 2, 10);
    for (std::size_t i = 0; i < 10; ++i) orders.push_back({from[i], to[i]});
    // who is just beyond its goal has to go all the way round
    orders.push_back({{12, 0}, {8, 0}});
    orders.push_back({{27, 14}, {23, 6}});
    const Seen seen = play(net, orders, road_traffic::person(), 240.0);
    EXPECT_EQ(seen.wrong, "");
    EXPECT_TRUE(seen.all_arrived);
    EXPECT_LT(seen.backwards, 2.0 * kRadius);
}

TEST(RoadmapFleet, WhoComesOutOfADeadEndMeetsWhoGoesIn) {
    for (const double width : {6.0, 3.0}) {
        Net net;
        net.nodes = {{0, 0}, {30, 0}, {30, 12}, {60, 0}};
        net.kinds = {{width, kNoLimit}, {10.0, kNoLimit}};
        net.ways = {{0, 1, 1}, {1, 3, 1}, {1, 2, 0}};
        const std::vector<Vec2> inside =
            block_of({30, 11.5}, {0, -1}, width > 4.0 ? 3 : 1, width > 4.0 ? 9 : 4);
        std::vector<Order> orders =
            exchange(block_of({2, 0}, {1, 0}, 4, static_cast<int>(inside.size())), inside);
        const Seen seen = play(net, orders, road_traffic::person(), 240.0);
        EXPECT_EQ(seen.wrong, "") << width;
        EXPECT_TRUE(seen.all_arrived) << width;
    }
}

TEST(RoadmapFleet, ThreadsChangeNothing) {
    Net net;
    net.nodes = {{0, 0}, {-20, 0}, {20, 0}, {0, -20}, {0, 20}};
    net.kinds = {{5.0, 1.5}, {5.0, kNoLimit}};
    net.ways = {{1, 0, 0}, {0, 2, 1}, {3, 0, 1, true}, {0, 4, 0}};
    std::vector<Order> orders = exchange(block_of({-18, 0}, {1, 0}, 3, 8), block_of({18, 0}, {-1, 0}, 3, 8));
    const Seen alone = play(net, orders, road_traffic::person(), 60.0);
    EXPECT_EQ(alone.wrong, "");
    for (const std::uint32_t threads : {1U, 3U})
        EXPECT_EQ(play(net, orders, road_traffic::person(), 60.0, threads).digest, alone.digest);
}

/// A town of 4 x 4 crossings, roads of three kinds, some one way; a way between any two by two-way roads.
Net town(Rng& rng) {
    Net net;
    net.kinds = {{6.0, 3.0}, {4.0, kNoLimit}, {2.6, 1.0}};
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            const double dx = rng.between(-3, 3);
            const double dy = rng.between(-3, 3);
            net.nodes.push_back({16.0 * x + dx, 16.0 * y + dy});
        }
    }
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            const int i = 4 * y + x;
            const bool rim = y == 0 || y == 3;
            if (x < 3)
                net.ways.push_back(
                    {i, i + 1, rim ? 0 : static_cast<int>(rng.below(3)), !rim && rng.below(2) == 0});
            const bool side = x == 0 || x == 3;
            if (y < 3)
                net.ways.push_back(
                    {i, i + 4, side ? 0 : static_cast<int>(rng.below(3)), !side && rng.below(2) == 0});
        }
    }
    return net;
}

TEST(RoadmapFleet, ATownWithTrafficFromEverywhereToEverywhere) {
    for (int seed = 1; seed <= trials(3); ++seed) {
        Rng rng(static_cast<std::uint64_t>(seed));
        const Net net = town(rng);
        std::vector<Order> orders;
        std::vector<Vec2> taken[2];
        const auto place = [&](std::vector<Vec2>& others) {
            for (;;) {
                const Net::Way& way = net.ways[rng.below(static_cast<std::uint32_t>(net.ways.size()))];
                const double part = rng.between(0.2, 0.8);
                const double off = rng.between(-0.7, 0.7);
                const Vec2 a = net.nodes[static_cast<std::size_t>(way.from)];
                const Vec2 along = net.nodes[static_cast<std::size_t>(way.to)] - a;
                const Vec2 p = a + along * part + normalized(Vec2{-along.y, along.x}) * off;
                const auto near = [p](Vec2 other) { return distance(p, other) < 2.2; };
                if (std::any_of(others.begin(), others.end(), near)) continue;
                others.push_back(p);
                return p;
            }
        };
        for (int i = 0; i < 40; ++i) {
            const Vec2 from = place(taken[0]);
            const Vec2 to = place(taken[1]);
            orders.push_back({from, to});
        }
        const Seen seen = play(net, orders, road_traffic::person(), 300.0);
        EXPECT_EQ(seen.wrong, "") << seed;
        EXPECT_TRUE(seen.all_arrived) << seed;
        EXPECT_LT(seen.backwards, 4.0 * kRadius) << seed;
    }
}

/// Two ways from one end to the other, the lower one longer.
Net two_ways() {
    Net net;
    net.nodes = {{0, 0}, {10, 0}, {20, 0}, {30, 0}, {15, -15}};
    net.kinds = {{4.0, kNoLimit}, {0.9, kNoLimit}};
    net.ways = {{0, 1}, {1, 2}, {2, 3}, {1, 4}, {4, 2}};
    return net;
}

WaypointEdge edge(int from, int to) { return {.from = WaypointId{from}, .to = WaypointId{to}}; }

TEST(RoadmapFleet, ClosedRoadsAreGoneRound) {
    const Net net = two_ways();
    Roadmap roads = net.make();
    const RoadmapFleet port(roads);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(road_traffic::person());
    RoadJudge judge(net.judged(), 6.0);
    const FleetId id = *fleet.add(kind, road_traffic::at({1, 0}));
    ASSERT_TRUE(fleet.send(id, Vec2{29, 0}));
    judge.add(fleet, id, kRadius, 2.0);
    const auto run = [&](int frames, FleetState until) {
        for (int i = 0; i < frames && fleet.unit(id).state != until; ++i) {
            ASSERT_TRUE(fleet.update(kFrame, kWork));
            ASSERT_EQ(judge.look(fleet, kFrame), "");
        }
    };
    run(120, FleetState::arrived);
    ASSERT_EQ(fleet.unit(id).state, FleetState::moving);
    ASSERT_TRUE(roads.remove_edge(edge(1, 2)));  // it goes round
    ASSERT_TRUE(fleet.world_changed());
    judge.roads().erase(judge.roads().begin() + 1);
    double south = 0.0;
    for (int i = 0; i < 300; ++i) {
        run(1, FleetState::arrived);
        south = std::min(south, fleet.unit(id).place.position.y);
    }
    EXPECT_LT(south, -5.0);
    ASSERT_TRUE(roads.remove_edge(edge(4, 2)));  // and there is no way left
    ASSERT_TRUE(fleet.world_changed());
    judge.roads().pop_back();
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(fleet.update(kFrame, kWork));
    EXPECT_EQ(fleet.unit(id).state, FleetState::unreachable);
    EXPECT_EQ(fleet.unit(id).why, PathStatus::unreachable);
    EXPECT_EQ(fleet.unit(id).speed, 0.0);
    ASSERT_TRUE(roads.add_edge(edge(1, 2)));
    ASSERT_TRUE(fleet.world_changed());
    for (int i = 0; i < 30 * 60 && fleet.unit(id).state != FleetState::arrived; ++i)
        ASSERT_TRUE(fleet.update(kFrame, kWork));
    EXPECT_EQ(fleet.unit(id).state, FleetState::arrived);
}

TEST(RoadmapFleet, ADearerRoadChangesTheWayOfWhoAsksAfterwards) {
    Roadmap roads = two_ways().make();
    const RoadmapFleet port(roads);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(road_traffic::person());
    WaypointEdge dear = edge(1, 2);
    dear.cost = 500.0;
    ASSERT_TRUE(roads.change_edge(dear));
    ASSERT_TRUE(fleet.world_changed());
    const FleetId id = *fleet.add(kind, road_traffic::at({1, 0}));
    ASSERT_TRUE(fleet.send(id, Vec2{29, 0}));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(fleet.update(kFrame, kWork));
    ASSERT_NE(fleet.route(id), nullptr);
    EXPECT_GT(fleet.route(id)->length, 40.0);
}

TEST(RoadmapFleet, WhoCannotGoSaysWhy) {
    Net net = two_ways();
    net.nodes.push_back({60, 0});
    net.nodes.push_back({70, 0});
    net.ways.push_back({5, 6});     // an island
    net.ways.push_back({3, 5, 1});  // reached by a path too narrow
    Roadmap roads = net.make();
    const RoadmapFleet port(roads);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(road_traffic::person());
    const FleetId to_island = *fleet.add(kind, road_traffic::at({1, 0}));
    const FleetId to_grass = *fleet.add(kind, road_traffic::at({3, 0}));
    const FleetId from_grass = *fleet.add(kind, road_traffic::at({5, 12}));
    const FleetId same_grass = *fleet.add(kind, road_traffic::at({12, 12}));
    ASSERT_TRUE(fleet.send(to_island, Vec2{65, 0}));
    ASSERT_TRUE(fleet.send(to_grass, Vec2{15, 9}));
    ASSERT_TRUE(fleet.send(from_grass, Vec2{25, 0.5}));
    ASSERT_TRUE(fleet.send(same_grass, Vec2{12, 12}));
    for (int i = 0; i < 30 * 30; ++i) ASSERT_TRUE(fleet.update(kFrame, kWork));
    EXPECT_EQ(fleet.unit(to_island).state, FleetState::unreachable);
    EXPECT_EQ(fleet.unit(to_grass).state, FleetState::invalid);
    EXPECT_EQ(fleet.unit(to_grass).why, PathStatus::goal_blocked);
    EXPECT_EQ(fleet.unit(from_grass).state, FleetState::arrived);  // it walks to the nearest road
    EXPECT_EQ(fleet.unit(same_grass).state, FleetState::invalid);
    FleetUnit slim = road_traffic::person();
    slim.agent.radius = 0.4;
    const FleetId thin = *fleet.add(*fleet.add_kind(slim), road_traffic::at({1, 0}));
    ASSERT_TRUE(fleet.send(thin, Vec2{65, 0}));
    for (int i = 0; i < 30 * 60; ++i) ASSERT_TRUE(fleet.update(kFrame, kWork));
    EXPECT_EQ(fleet.unit(thin).state, FleetState::arrived);
    FleetUnit lorry = road_traffic::person();
    lorry.agent.turning_radius = 3.0;
    const Result<FleetKind> refused = fleet.add_kind(lorry);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
    EXPECT_EQ(refused.error().field, Field::agent_turning_radius);
}

TEST(RoadmapFleet, WithoutWidthsUnitsPassBesideTheEdgesAndComeBack) {
    Net net;
    net.nodes = {{0, 0}, {30, 0}, {30, 30}, {0, 30}};
    net.ways = {{0, 1}, {1, 2}, {2, 3}};
    net.kinds = {{0.0, kNoLimit}};
    const Roadmap roads = net.make();
    const RoadmapFleet port(roads);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(road_traffic::person());
    std::vector<FleetId> ids;
    const std::vector<Order> orders =
        exchange(block_of({2, 0}, {1, 0}, 1, 8), block_of({2, 30}, {1, 0}, 1, 8));
    for (const Order& order : orders) {
        ids.push_back(*fleet.add(kind, road_traffic::at(order.from)));
        ASSERT_TRUE(fleet.send(ids.back(), order.to));
    }
    std::vector<JudgedRoad> judged = net.judged();
    for (JudgedRoad& road : judged) road.width = 22.0 * kRadius;  // nobody strays farther
    RoadJudge judge(judged, 6.0);
    for (const FleetId id : ids) judge.add(fleet, id, kRadius, 2.0);
    for (int i = 0; i < 30 * 120 && !judge.all_arrived(); ++i) {
        ASSERT_TRUE(fleet.update(kFrame, kWork));
        ASSERT_EQ(judge.look(fleet, kFrame), "");
    }
    EXPECT_TRUE(judge.all_arrived());
}

TEST(RoadmapFleet, WithoutWidthsTheGoalMayLieFarBesideTheEdges) {
    Net net;
    net.nodes = {{0, 0}, {30, 0}, {30, 30}, {0, 30}};
    net.ways = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    const Roadmap roads = net.make();
    Rng rng(11);
    for (int i = 0; i < trials(40); ++i) {
        const RoadmapFleet port(roads);
        Fleet fleet = *Fleet::make(port.port());
        const FleetKind kind = *fleet.add_kind(road_traffic::person());
        const Vec2 from{rng.between(-9.0, 39.0), rng.between(-9.0, 39.0)};
        const Vec2 to{rng.between(-9.0, 39.0), rng.between(-9.0, 39.0)};
        const FleetId unit = *fleet.add(kind, road_traffic::at(from));
        ASSERT_TRUE(fleet.send(unit, Spot(Vec3{to.x, to.y, 0.0})));
        for (int frame = 0; frame < 30 * 80; ++frame) {
            ASSERT_TRUE(fleet.update(kFrame, kWork));
            if (fleet.unit(unit).state == FleetState::arrived) break;
        }
        EXPECT_EQ(fleet_state_name(fleet.unit(unit).state), std::string("arrived"))
            << from.x << "," << from.y << " to " << to.x << "," << to.y;
    }
}

TEST(RoadmapFleet, ABridgeIsNoCrossing) {
    const Waypoint places[] = {{WaypointId{1}, {0, 0, 0}},    {WaypointId{2}, {40, 0, 0}},
                               {WaypointId{3}, {20, -20, 0}}, {WaypointId{4}, {20, -10, 5}},
                               {WaypointId{5}, {20, 10, 5}},  {WaypointId{6}, {20, 20, 0}}};
    const WaypointEdge ways[] = {edge(1, 2), edge(3, 4), edge(4, 5), edge(5, 6)};
    const RoadKind kinds[] = {{3.0, kNoLimit}};
    const Roadmap roads = *Roadmap::make({.nodes = places, .edges = ways, .roads = kinds});
    const RoadmapFleet port(roads);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(road_traffic::person());
    std::vector<FleetId> ids;
    for (int i = 0; i < 6; ++i) {
        const double d = 1.2 * i;
        Place below;
        below.position = {1.0 + d, 0.0, 0.0};
        ids.push_back(*fleet.add(kind, below));
        ASSERT_TRUE(fleet.send(ids.back(), Vec3{32.0 + d, 0, 0}));
        Place above;
        above.position = {20.0, -19.0 + d, 0.5 + 0.5 * d};
        ids.push_back(*fleet.add(kind, above));
        ASSERT_TRUE(fleet.send(ids.back(), Vec3{20, 12 + d, 5 - 0.5 * (2 + d)}));
    }
    double highest = 0.0;
    double beneath = 0.0;
    std::size_t arrived = 0;
    for (int i = 0; i < 30 * 60 && arrived < ids.size(); ++i) {
        ASSERT_TRUE(fleet.update(kFrame, kWork));
        arrived = 0;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            const FleetView view = fleet.unit(ids[k]);
            arrived += view.state == FleetState::arrived ? 1 : 0;
            const Vec3 p = view.place.position;
            (k % 2 == 1 ? highest : beneath) = std::max(k % 2 == 1 ? highest : beneath, p.z);
            ASSERT_LE(k % 2 == 1 ? std::abs(p.x - 20.0) : std::abs(p.y), 1.0 + 1e-9);
        }
    }
    EXPECT_EQ(arrived, ids.size());
    EXPECT_NEAR(highest, 5.0, 1e-9);
    EXPECT_NEAR(beneath, 0.0, 1e-9);
}

TEST(RoadmapFleet, AWarmFrameAllocatesNothing) {
    Rng rng(4);
    const Net net = town(rng);
    const Roadmap roads = net.make();
    const RoadmapFleet port(roads);
    Fleet fleet = *Fleet::make(port.port());
    const FleetKind kind = *fleet.add_kind(road_traffic::person());
    std::vector<FleetId> ids;
    for (const Net::Way& way : net.ways) {
        const Vec2 a = net.nodes[static_cast<std::size_t>(way.from)];
        const Vec2 b = net.nodes[static_cast<std::size_t>(way.to)];
        ids.push_back(*fleet.add(kind, road_traffic::at(a + (b - a) * 0.5)));
    }
    for (std::size_t i = 0; i < ids.size(); ++i)
        ASSERT_TRUE(fleet.send(ids[i], fleet.unit(ids[(i * 7 + 3) % ids.size()]).place.position));
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(fleet.update(kFrame, kWork));
    const std::uint64_t before = heap_calls();
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(fleet.update(kFrame, kWork));
    EXPECT_EQ(heap_calls(), before);
}

}  // namespace
}  // namespace fairlead::testing
