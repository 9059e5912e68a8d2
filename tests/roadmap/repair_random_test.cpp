// Random nets, edits and queries: routes are judged by the edges that are there, mended ones are priced against a fresh query.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/roadmap/repair.h>

#include "support/roadmap_repairs.h"
#include "support/roadmaps.h"

namespace fairlead {
namespace {

using testing::judge;
using testing::PlainRoadmap;
using testing::random_roadmap;
using testing::route_of;
using testing::well_formed;

struct Campaign {
    Rng rng;
    PlainRoadmap plain;
    Roadmap roadmap;
    int legal = 0, mended = 0, whole = 0, lost = 0, dearer = 0;

    explicit Campaign(std::uint64_t seed) : rng(seed), plain(make_plain(rng)), roadmap(plain.make()) {}

    static PlainRoadmap make_plain(Rng& rng) {
        PlainRoadmap made = random_roadmap(rng, {
                                                    .nodes = 40 + rng.below(40),
                                                    .degree = 2.2,
                                                    .price_low = 0.5,
                                                    .grid_points = rng.below(3) == 0,
                                                });
        for (WaypointEdge& edge : made.edges) edge.link = rng.below(10) == 0;
        if (rng.below(2) == 0) made.wall({{30, 30}, {60, 30}, {60, 40}, {30, 40}}, true);
        return made;
    }
    Spot place() {
        const std::uint32_t pick = rng.below(static_cast<std::uint32_t>(plain.nodes.size()));
        const double x = rng.between(0.0, 100.0);
        const double y = rng.between(0.0, 100.0);
        if (rng.below(2) == 0) return plain.nodes[pick].id;
        return Vec2{x, y};
    }
    RoadmapQuery query() {
        RoadmapQuery made;
        made.start = place();
        made.goal = place();
        made.agent.radius = rng.below(2) * 0.5;
        made.check_edges = rng.below(4) == 0;
        made.off_net_cost = rng.below(2) == 0 ? 1.0 : 2.5;
        made.direct = rng.below(2) == 0;
        made.attach_max = 64;  // all places within this range
        made.attach_range = 20;
        return made;
    }
    void edit() {
        const auto pick = [&] {
            return plain.nodes[rng.below(static_cast<std::uint32_t>(plain.nodes.size()))].id;
        };
        const std::uint32_t kind = rng.below(10);
        const WaypointEdge some = plain.edges[rng.below(static_cast<std::uint32_t>(plain.edges.size()))];
        if (kind < 5) {
            (void)roadmap.remove_edge(some);
        } else if (kind < 7) {
            WaypointEdge dear = some;
            dear.cost = rng.between(1.0, 80.0);
            (void)roadmap.change_edge(dear);
        } else if (kind == 7) {
            const double x = rng.between(0.0, 100.0);
            const double y = rng.between(0.0, 100.0);
            (void)roadmap.move_node({pick(), {x, y, 0}});
        } else if (kind == 8) {
            const WaypointId a = pick();
            const WaypointId b = pick();
            if (a != b) (void)roadmap.add_edge({.from = a, .to = b});
        } else {
            (void)roadmap.remove_node(pick());
        }
    }
    bool places_differ() {
        const RoadmapState& state = roadmap.state();
        std::vector<std::array<double, 3>> at;
        for (std::uint32_t s = 0; s < state.slots(); ++s) {
            const Waypoint node = state.node({s});
            if (node.id.valid()) at.push_back({node.position.x, node.position.y, node.position.z});
        }
        std::sort(at.begin(), at.end());
        return std::adjacent_find(at.begin(), at.end()) == at.end();
    }
    /// Removes the edges under the first and the last leg, so that all of the route is to be searched anew.
    void cut_ends(const Route& route) {
        for (const std::size_t i : {std::size_t{0}, route.legs.size() - 1}) {
            if (i >= route.legs.size()) continue;
            for (const WaypointEdge& edge : plain.edges) {
                const Vec3 a = plain.position(edge.from);
                const Vec3 b = plain.position(edge.to);
                const Vec3 from = route.legs[i].start.position;
                const Vec3 to = leg_end(route, i).position;
                if ((a == from && b == to) || (a == to && b == from)) (void)roadmap.remove_edge(edge);
            }
        }
    }
    /// Is every leg of a route from waypoint to waypoint an edge or a link that is there?
    bool plainly_legal(const Route& route) {
        const RoadmapState& state = roadmap.state();
        const auto at = [&](Vec3 p) {
            for (std::uint32_t s = 0; s < state.slots(); ++s) {
                const Waypoint node = state.node({s});
                if (node.id.valid() && node.position == p) return WaypointSlot{s};
            }
            return WaypointSlot{};
        };
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const WaypointSlot a = at(route.legs[i].start.position);
            const WaypointSlot b = at(leg_end(route, i).position);
            if (!a.valid() || !b.valid()) return false;
            const bool link = route.legs[i].kind == LegKind::link;
            const auto arcs = state.arcs(a);
            if (std::none_of(arcs.begin(), arcs.end(), [&](const RoadmapArc& arc) {
                    return arc.to == b && arc.link == link && (!link || arc.label == route.legs[i].link_id);
                })) {
                return false;
            }
        }
        return true;
    }

    void round() {
        const RoadmapQuery ask = query();
        const bool ids = ask.start.waypoint.valid() && ask.goal.at.waypoint.valid();
        Scratch scratch;
        const Result<Route> made = find_route(roadmap, ask, scratch);
        if (!made || made->status != PathStatus::complete) return;  // an end of it is gone
        Route route = route_of(roadmap, ask);
        const double cost = route.cost;
        ASSERT_TRUE(judge(roadmap, ask, route).legal);
        ASSERT_EQ(route.cost, cost);
        ASSERT_EQ(route.bound, made->bound);
        for (std::uint32_t i = 0; i < 4; ++i) edit();
        if (rng.below(3) == 0) cut_ends(route);
        const Result<Route> fresh = find_route(roadmap, ask, scratch);
        const auto still = [&](const Spot& p, Vec3 end) {
            if (!p.waypoint.valid()) return true;
            const WaypointSlot slot = roadmap.state().find(p.waypoint);
            return slot.valid() && roadmap.state().node(slot).position == end;
        };
        const Vec3 start = made->legs.empty() ? made->end.position : made->legs[0].start.position;
        const bool in_place = still(ask.start, start) && still(ask.goal.at, made->end.position);
        const bool was_legal = judge(roadmap, ask, route).legal;
        if (ids && !ask.check_edges && in_place && places_differ()) {
            ASSERT_EQ(was_legal, plainly_legal(route));
        }
        ASSERT_TRUE(repair(roadmap, route, ask, scratch));
        legal += was_legal;
        if (!fresh) return;  // start or goal removed
        if (route.status != PathStatus::complete) {
            ++lost;
            if (still(ask.goal.at, made->end.position)) {
                ASSERT_EQ(route.status, fresh->status);
            }
            return;
        }
        ASSERT_TRUE(judge(roadmap, ask, route).legal);
        ASSERT_TRUE(well_formed(route, start, made->end.position, 1e-7));
        if (!in_place) return;
        // Without walls a new query attaches to the nearest place alone; the old route need not have.
        const bool comparable = ids || roadmap.state().has_walls();
        if (comparable) {
            ASSERT_EQ(fresh->status, PathStatus::complete);
            ASSERT_GE(route.cost, fresh->cost * (1 - 1e-9) - 1e-9);
        }
        if (was_legal) return;
        if (route.bound == 1.0) {
            ++whole;
            ASSERT_NEAR(route.cost, fresh->cost, 1e-9 * (1 + fresh->cost));
        } else {
            ++mended;
            ASSERT_EQ(route.bound, kNoBound);
            dearer += route.cost > fresh->cost * (1 + 1e-9);
        }
    }
};

TEST(RoadmapRepair, RandomNetsEditsAndQueries) {
    int legal = 0, mended = 0, whole = 0, lost = 0, dearer = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Campaign campaign(9000 + seed);
        for (int i = 0; i < 12; ++i) {
            campaign.round();
            if (HasFatalFailure()) FAIL() << "seed " << seed << ", round " << i;
        }
        legal += campaign.legal;
        mended += campaign.mended;
        whole += campaign.whole;
        lost += campaign.lost;
        dearer += campaign.dearer;
    }
    EXPECT_GT(legal, 500);
    EXPECT_GT(mended, 50);
    EXPECT_GT(whole, 50);
    EXPECT_GT(lost, 5);
    EXPECT_LT(dearer, mended);
    RecordProperty("mended", mended);
    RecordProperty("dearer", dearer);
}

}  // namespace
}  // namespace fairlead
