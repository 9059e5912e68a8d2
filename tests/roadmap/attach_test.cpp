// Starts and goals off the net (technique W2): what they are attached to, and that the best of all ways is found.

#include <gtest/gtest.h>

#include <cmath>

#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::distance3;
using testing::kFar;
using testing::PlainArc;
using testing::PlainGraph;
using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::well_formed;

/// Round pillars: the user's own walls.
struct Pillars {
    struct Pillar {
        Vec3 at;
        double radius;
    };
    std::vector<Pillar> pillars;
    mutable int asked = 0;

    /// Distance of the segment to the nearest pillar's surface.
    [[nodiscard]] double room(Vec3 a, Vec3 b) const {
        double least = kFar;
        for (const Pillar& p : pillars) {
            const double dx = b.x - a.x;
            const double dy = b.y - a.y;
            const double size = dx * dx + dy * dy;
            double t = size > 0 ? ((p.at.x - a.x) * dx + (p.at.y - a.y) * dy) / size : 0;
            t = std::min(1.0, std::max(0.0, t));
            least = std::min(least, std::hypot(a.x + t * dx - p.at.x, a.y + t * dy - p.at.y) - p.radius);
        }
        return least;
    }
    [[nodiscard]] SightQuery sight() const {
        return {[](Vec3 a, Vec3 b, double radius, void* user) {
                    const auto* self = static_cast<const Pillars*>(user);
                    ++self->asked;
                    return self->room(a, b) >= radius;
                },
                const_cast<Pillars*>(this)};
    }
};

Route route_of(const RoadmapState& state, const RoadmapQuery& query) {
    Scratch scratch;
    Result<Route> found = find_route(state, query, scratch);
    EXPECT_TRUE(found.has_value());
    return found ? std::move(*found) : Route{};
}

// The test of W2: half a tile off the net.
TEST(RoadmapAttach, HalfATileOffTheNet) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.edge(1, 2);
    plain.wall({{-1, -1}, {11, -1}}, false);
    plain.wall({{2, 1}, {8, 1}, {8, 2}, {2, 2}}, true);
    const Roadmap roadmap = plain.make();
    RoadmapQuery query{.start = Vec2{0.5, 0.5}, .goal = WaypointId{2}, .agent = {.radius = 0.25}};
    const Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::complete);
    ASSERT_TRUE(well_formed(route, {0.5, 0.5, 0}, {10, 0, 0}));
    EXPECT_EQ(route.legs.size(), 1U);  // the straight line to the waypoint is in sight

    // Too wide for that line: by the edge, which is the user's word.
    query.agent.radius = 0.7;
    query.direct = false;
    query.start = Vec2{1.0, 0.2};
    query.goal = Vec2{9.0, 0.2};
    const Route along = route_of(roadmap, query);
    ASSERT_EQ(along.status, PathStatus::complete);
    ASSERT_EQ(along.legs.size(), 3U);
    EXPECT_EQ(along.cost, 0.2 + 8 + 0.2);
    EXPECT_EQ(along.legs[0].start.heading_rad, -kHalfPi);

    // A start that cannot even stand where it is.
    query.start = Vec2{5.0, 0.5};
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::start_blocked);
    std::swap(query.start, query.goal.place);
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::goal_blocked);
}

TEST(RoadmapAttach, AWallBetweenSendsItToAFartherPlace) {
    PlainRoadmap plain;
    plain.node(1, 0, 2);
    plain.node(2, 4, 2);  // nearest to the start, behind a wall
    plain.node(3, 8, 2);
    plain.node(4, 8, 6);
    plain.edge(1, 2);
    plain.edge(2, 3);
    plain.edge(3, 4);
    plain.wall({{3, 1}, {5, 1}}, false);
    const Roadmap roadmap = plain.make();
    const RoadmapQuery query{.start = Vec2{4, 0}, .goal = WaypointId{4}};
    const Route route = route_of(roadmap, query);
    ASSERT_EQ(route.status, PathStatus::complete);
    for (const Leg& leg : route.legs) {
        const Place end = place_on_leg(leg, leg.length);
        EXPECT_TRUE(roadmap.state().walls_clear(ground(leg.start.position), ground(end.position), 0));
    }
    EXPECT_NEAR(route.cost, std::sqrt(16.0 + 4.0) + 4, 1e-12);
}

// The same edge, forwards and against a one-way street.
TEST(RoadmapAttach, StartAndGoalOnOneEdge) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 100, 0);
    plain.node(3, 50, 30);
    plain.edge(1, 2, 50, true);  // half price
    plain.edge(2, 3);
    plain.edge(3, 1);
    const Roadmap roadmap = plain.make();
    RoadmapQuery query{.start = Vec2{20, 1}, .goal = Vec2{70, -1}};
    const Route with = route_of(roadmap, query);  // nothing is known about walls: no straight line
    ASSERT_EQ(with.status, PathStatus::complete);
    EXPECT_NEAR(with.cost, 1 + 25 + 1, 1e-12);
    EXPECT_EQ(with.legs.size(), 3U);
    EXPECT_EQ(with.stats.expanded, 0U);
    EXPECT_TRUE(well_formed(with, {20, 1, 0}, {70, -1, 0}));
    std::swap(query.start, query.goal.place);
    const Route against = route_of(roadmap, query);
    ASSERT_EQ(against.status, PathStatus::complete);
    EXPECT_NEAR(against.cost, 1 + 15 + 2 * std::hypot(50.0, 30.0) + 10 + 1, 1e-9);
    query.backward = true;
    EXPECT_NEAR(route_of(roadmap, query).cost, against.cost, 1e-12);
}

TEST(RoadmapAttach, WithoutWallsOnlyTheNearestPlaceCounts) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 10, 10);
    plain.node(4, 2, 10);
    plain.edge(1, 2);
    plain.edge(2, 3);
    plain.edge(3, 4);
    const Roadmap roadmap = plain.make();
    const Route route = route_of(roadmap, {.start = Vec2{3, 1}, .goal = Vec2{3, 9}});
    ASSERT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.cost, 1 + 7 + 10 + 7 + 1);
    EXPECT_EQ(route.legs.size(), 5U);
}

TEST(RoadmapAttach, APointOnTheNetIsOnItWhateverTheWallsSay) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.edge(1, 2);
    plain.wall({{-1, 0.2}, {11, 0.2}}, false);
    const Roadmap roadmap = plain.make();
    RoadmapQuery query{.start = Vec2{3, 0}, .goal = Vec2{10, 0}, .agent = {.radius = 0.5}};
    const Route route = route_of(roadmap, query);
    EXPECT_EQ(route.status, PathStatus::complete);
    EXPECT_EQ(route.cost, 7.0);
    query.check_edges = true;
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::start_blocked);
    query.agent.radius = 0.2;
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::complete);
}

TEST(RoadmapAttach, LimitsAreKept) {
    PlainRoadmap plain;
    for (int i = 0; i < 40; ++i) plain.node(i, 10 * std::cos(i), 10 * std::sin(i));
    plain.node(100, 30, 0);
    for (int i = 0; i < 40; ++i) plain.edges.push_back({.from = {i}, .to = {100}, .link = true});
    const Roadmap roadmap = plain.make();
    Pillars pillars;
    RoadmapQuery query{
        .start = Vec2{0, 0}, .goal = WaypointId{100}, .sight = pillars.sight(), .direct = false};
    query.attach_max = 5;
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::complete);
    EXPECT_EQ(pillars.asked, 5);
    query.attach_range = 9.99;
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::start_blocked);
    EXPECT_EQ(pillars.asked, 5);
    query.attach_range = 10.01;
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::complete);

    // Walled in: no more than attach_tests questions are asked.
    pillars.pillars.push_back({{0, 0, 0}, 1});
    pillars.asked = 0;
    query.attach_tests = 17;
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::start_blocked);
    EXPECT_EQ(pillars.asked, 17);
}

// Both directions of an edge are one place: one question, one of attach_max.
TEST(RoadmapAttach, TwoDirectionsAreOnePlace) {
    PlainRoadmap plain;
    plain.node(1, -10, 1);
    plain.node(2, 10, 1);
    plain.node(3, 10, -30);
    plain.edge(1, 2);
    plain.edge(2, 3);
    const Roadmap roadmap = plain.make();
    Pillars pillars;
    RoadmapQuery query{.start = Vec2{0, 0}, .goal = WaypointId{1}, .sight = pillars.sight(), .direct = false};
    query.attach_max = 1;
    EXPECT_EQ(route_of(roadmap, query).cost, 11.0);
    query.goal = WaypointId{2};
    EXPECT_EQ(route_of(roadmap, query).cost, 11.0);
    EXPECT_EQ(pillars.asked, 2);
}

/// All attachments that there are, by the test's own geometry.
struct Oracle {
    const PlainRoadmap& plain;
    const PlainGraph graph;
    const Pillars& pillars;
    double radius;
    double range;
    double off_cost;
    bool check_edges;
    bool touchy = false;  ///< something was so near its limit that rounding decides

    struct Way {
        std::size_t node;
        double cost;
        const WaypointEdge* edge;
        bool turned;
        double t;
        double off;
        Vec3 spot;
    };

    bool clear(Vec3 a, Vec3 b) {
        const double room = pillars.room(a, b);
        if (std::abs(room - radius) < 1e-7) touchy = true;
        return room >= radius;
    }
    bool open(const PlainArc& arc) {
        return !check_edges || clear(plain.nodes[arc.from].position, plain.nodes[arc.to].position);
    }
    std::vector<Way> ways(Vec3 p, bool start) {
        std::vector<Way> found;
        const auto reachable = [&](Vec3 spot) {
            const double away = distance3(p, spot);
            if (std::abs(away - range) < 1e-7) touchy = true;
            if (away > range) return false;
            if (away < 1e-9 && !check_edges) return true;
            return start ? clear(p, spot) : clear(spot, p);
        };
        for (std::size_t i = 0; i < plain.nodes.size(); ++i) {
            const Vec3 spot = plain.nodes[i].position;
            const double off = off_cost * distance3(p, spot);
            if (reachable(spot)) found.push_back({i, off, nullptr, false, 0, off, spot});
        }
        for (const auto& arcs : graph.out) {
            for (const PlainArc& arc : arcs) {
                const Vec3 a = plain.nodes[arc.from].position;
                const Vec3 d = plain.nodes[arc.to].position - a;
                const double size = d.x * d.x + d.y * d.y + d.z * d.z;
                if (size == 0) continue;
                const Vec3 v = p - a;
                const double t = (v.x * d.x + v.y * d.y + v.z * d.z) / size;
                if (t <= 0 || t >= 1) continue;
                const Vec3 spot = a + d * t;
                const Vec3 end = plain.nodes[start ? arc.to : arc.from].position;
                if (!reachable(spot)) continue;
                if (check_edges && !(start ? clear(spot, end) : clear(end, spot))) continue;
                const double off = off_cost * distance3(p, spot);
                const double along = (start ? 1 - t : t) * arc.cost;
                const bool turned = arc.edge->from != plain.nodes[arc.from].id;
                found.push_back({start ? arc.to : arc.from, off + along, arc.edge, turned, t, off, spot});
            }
        }
        return found;
    }
    double best(Vec3 s, Vec3 g, bool& start_blocked, bool& goal_blocked) {
        double least = clear(s, g) ? off_cost * distance3(s, g) : kFar;
        const bool direct = least < kFar;
        const auto starts = ways(s, true);
        const auto goals = ways(g, false);
        start_blocked = starts.empty() && !direct;
        goal_blocked = goals.empty() && !direct;
        std::vector<std::pair<std::size_t, double>> sources;
        for (const Way& w : starts) sources.emplace_back(w.node, w.cost);
        const auto costs =
            graph.costs_from(sources, [&](const PlainArc& arc) { return open(arc) ? arc.cost : kFar; });
        for (const Way& w : goals) least = std::min(least, costs[w.node] + w.cost);
        for (const Way& a : starts) {
            for (const Way& b : goals) {
                if (a.edge == nullptr || a.edge != b.edge || a.turned != b.turned || b.t < a.t) continue;
                if (check_edges && !clear(a.spot, b.spot)) continue;
                least = std::min(least, a.off + (b.t - a.t) * plain.cost(*a.edge) + b.off);
            }
        }
        return least;
    }
};

TEST(RoadmapAttach, TheBestOverAllAttachments) {
    Rng rng(51);
    int complete = 0;
    int blocked = 0;
    int unreachable = 0;
    for (int world = 0; world < 400; ++world) {
        PlainRoadmap plain = random_roadmap(rng, {.nodes = 1 + rng.below(14),
                                                  .degree = 1.3,
                                                  .size = 20,
                                                  .heights = rng.below(3) == 0,
                                                  .grid_points = rng.below(2) == 0});
        while (plain.edges.size() > 18) plain.edges.pop_back();
        Pillars pillars;
        for (std::uint32_t k = 0; k < rng.below(25); ++k) {
            pillars.pillars.push_back(
                {{rng.between(0.0, 20.0), rng.between(0.0, 20.0), 0}, rng.between(0.2, 2.0)});
        }
        const Roadmap roadmap = plain.make();
        Scratch scratch;
        for (int k = 0; k < 25; ++k) {
            const auto point = [&]() -> Vec3 {
                const auto count = static_cast<std::uint32_t>(plain.nodes.size());
                if (rng.below(6) == 0) return plain.nodes[rng.below(count)].position;
                if (rng.below(6) == 0 && !plain.edges.empty()) {
                    const WaypointEdge& e =
                        plain.edges[rng.below(static_cast<std::uint32_t>(plain.edges.size()))];
                    return (plain.position(e.from) + plain.position(e.to)) * 0.5;
                }
                return {rng.between(0.0, 20.0), rng.between(0.0, 20.0), 0.0};
            };
            RoadmapQuery query;
            query.start = point();
            query.goal = rng.below(8) == 0 ? query.start.point : point();
            query.agent.radius = rng.between(0.0, 1.0);
            query.sight = pillars.sight();
            query.check_edges = rng.below(3) == 0;
            query.off_net_cost = rng.below(2) == 0 ? 1.0 : rng.between(0.3, 5.0);
            query.attach_range = rng.below(2) == 0 ? kFar : rng.between(1.0, 12.0);
            query.attach_max = 64;
            query.backward = rng.below(2) == 0;
            Oracle oracle{plain,
                          PlainGraph(plain),
                          pillars,
                          query.agent.radius,
                          query.attach_range,
                          query.off_net_cost,
                          query.check_edges};
            bool start_blocked = false;
            bool goal_blocked = false;
            const double wanted =
                oracle.best(query.start.point, query.goal.place.point, start_blocked, goal_blocked);
            if (oracle.touchy) continue;
            Result<Route> found = find_route(roadmap, query, scratch);
            ASSERT_TRUE(found);
            const Route& route = *found;
            if (wanted < kFar) {
                ++complete;
                ASSERT_EQ(route.status, PathStatus::complete);
                ASSERT_NEAR(route.cost, wanted, 1e-9 * (1 + wanted));
                ASSERT_EQ(route.bound, 1.0);
                ASSERT_TRUE(well_formed(route, query.start.point, query.goal.place.point));
            } else if (start_blocked || goal_blocked) {
                ++blocked;
                ASSERT_EQ(route.status, start_blocked ? PathStatus::start_blocked : PathStatus::goal_blocked);
            } else {
                ++unreachable;
                ASSERT_EQ(route.status, PathStatus::unreachable);
            }
        }
    }
    EXPECT_GT(complete, 1000);
    EXPECT_GT(blocked, 100);
    EXPECT_GT(unreachable, 100);
}

TEST(RoadmapAttach, SeveralGoalsOffTheNetSomeOfThemBlocked) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.node(3, 20, 0);
    plain.edge(1, 2);
    plain.edge(2, 3);
    const Roadmap roadmap = plain.make();
    Pillars pillars;
    pillars.pillars.push_back({{10, 3, 0}, 1});
    const Spot goals[] = {Vec2{20, 2}, Vec2{10, 3}, WaypointId{3}, Vec2{14, -1}};
    RoadmapQuery query{.start = Vec2{0, -4},
                       .goal = Goal::any_of(goals),
                       .agent = {.radius = 0.5},
                       .sight = pillars.sight()};
    query.direct = false;
    const Route nearest = route_of(roadmap, query);
    ASSERT_EQ(nearest.status, PathStatus::complete);
    EXPECT_EQ(nearest.end.position, (Vec3{14, -1, 0}));
    Scratch scratch;
    Route routes[4];
    ASSERT_TRUE(find_routes_into(roadmap, query, scratch, routes));
    EXPECT_EQ(routes[0].status, PathStatus::complete);
    EXPECT_EQ(routes[1].status, PathStatus::goal_blocked);
    EXPECT_EQ(routes[2].status, PathStatus::complete);
    EXPECT_EQ(routes[3].cost, nearest.cost);
    EXPECT_EQ(routes[0].end.position, (Vec3{20, 2, 0}));
    EXPECT_EQ(routes[2].end.position, (Vec3{20, 0, 0}));

    const Spot none[] = {Vec2{10, 3}, Vec2{10.1, 3}};
    query.goal = Goal::any_of(none);
    EXPECT_EQ(route_of(roadmap, query).status, PathStatus::goal_blocked);
}

// Far from the origin the feet of attachments are off their edges by rounding; the best is still found.
TEST(RoadmapAttach, FarFromTheOrigin) {
    Rng rng(52);
    for (int world = 0; world < 100; ++world) {
        PlainRoadmap plain = random_roadmap(rng, {.nodes = 40, .size = 10});
        const PlainRoadmap near = plain;
        const Vec3 away{std::ldexp(1.0, 30), -std::ldexp(1.0, 31), 0};
        for (Waypoint& n : plain.nodes) n.position = n.position + away;
        const Roadmap there = plain.make();
        const Roadmap here = near.make();
        Pillars pillars;
        RoadmapQuery query{.start = Vec3{rng.between(0.0, 10.0), rng.between(0.0, 10.0), 0},
                           .goal = Vec3{rng.between(0.0, 10.0), rng.between(0.0, 10.0), 0},
                           .sight = pillars.sight(),
                           .direct = false};
        const Route a = route_of(here, query);
        query.start.point = query.start.point + away;
        query.goal.place.point = query.goal.place.point + away;
        const Route b = route_of(there, query);
        ASSERT_EQ(a.status, b.status);
        ASSERT_NEAR(a.cost, b.cost, 1e-4);
        ASSERT_LE(b.stats.expanded, 40U);
    }
}

}  // namespace
}  // namespace fairlead
