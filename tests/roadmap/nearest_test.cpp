// The walk over places nearest first, against sorting all of them.

#include "roadmap/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "support/roadmaps.h"

namespace fairlead {
namespace {

using roadmap::NearestWalk;
using roadmap::NearPlace;
using testing::PlainRoadmap;
using testing::random_roadmap;

using Key = std::tuple<double, std::int64_t, std::int64_t>;  // distance, from, to (-1: a waypoint)

std::vector<Key> all_places(const PlainRoadmap& plain, Vec3 p, double range, bool arcs) {
    std::vector<Key> keys;
    for (const Waypoint& n : plain.nodes)
        keys.emplace_back(testing::distance3(n.position, p), n.id.value, -1);
    for (const WaypointEdge& e : plain.edges) {
        if (!arcs || e.link) continue;
        const Vec3 a = plain.position(e.from);
        const Vec3 along = plain.position(e.to) - a;
        const double size = along.x * along.x + along.y * along.y + along.z * along.z;
        if (size == 0) continue;
        const Vec3 off = p - a;
        const double t = (off.x * along.x + off.y * along.y + off.z * along.z) / size;
        if (t <= 1e-12 || t >= 1 - 1e-12) continue;
        const double away = testing::distance3(a + along * t, p);
        keys.emplace_back(away, e.from.value, e.to.value);
        if (!e.one_way) keys.emplace_back(away, e.to.value, e.from.value);
    }
    std::erase_if(keys, [range](const Key& key) { return std::get<0>(key) > range; });
    return keys;
}

TEST(RoadmapNearest, FindsAllPlacesInOrder) {
    Rng rng(41);
    for (int world = 0; world < 200; ++world) {
        PlainRoadmap plain = random_roadmap(rng, {.nodes = 1 + rng.below(400), .heights = rng.below(2) == 0});
        for (WaypointEdge& e : plain.edges) e.link = rng.below(6) == 0;
        const Roadmap roadmap = plain.make();
        NearestWalk walk{Allocator{}};
        const Vec3 p{rng.between(-50.0, 150.0), rng.between(-50.0, 150.0), rng.between(0.0, 20.0)};
        const NearestWalk::Limits limits{rng.below(2) == 0 ? 1e300 : rng.between(0.0, 60.0),
                                         rng.below(3) > 0};
        std::vector<Key> wanted = all_places(plain, p, limits.range, limits.arcs);
        std::vector<Key> found;
        ASSERT_TRUE(walk.begin(roadmap.state().data(), p, limits));
        NearPlace place;
        double last = 0;
        while (walk.next(place) == NearestWalk::Step::place) {
            const Waypoint node = roadmap.state().node({place.slot});
            std::int64_t to = -1;
            if (place.on_arc()) {
                const RoadmapArc& arc = roadmap.state().arcs({place.slot})[place.arc];
                to = roadmap.state().node(arc.to).id.value;
                const Vec3 end = roadmap.state().node(arc.to).position;
                const Vec3 spot = node.position + (end - node.position) * place.t;
                ASSERT_LT(testing::distance3(spot, place.position), 1e-9);
            } else {
                ASSERT_EQ(place.position, node.position);
            }
            const double away = testing::distance3(place.position, p);
            ASSERT_NEAR(away * away, place.distance_squared, 1e-9 * (1 + away * away));
            ASSERT_GE(place.distance_squared, last);
            last = place.distance_squared;
            found.emplace_back(away, node.id.value, to);
        }
        ASSERT_EQ(found.size(), wanted.size());
        const auto by_ids = [](const Key& a, const Key& b) {
            return std::tie(std::get<1>(a), std::get<2>(a)) < std::tie(std::get<1>(b), std::get<2>(b));
        };
        std::sort(found.begin(), found.end(), by_ids);
        std::sort(wanted.begin(), wanted.end(), by_ids);
        for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_EQ(std::get<1>(found[i]), std::get<1>(wanted[i]));
            ASSERT_EQ(std::get<2>(found[i]), std::get<2>(wanted[i]));
            ASSERT_NEAR(std::get<0>(found[i]), std::get<0>(wanted[i]), 1e-9);
        }
    }
}

// Equal distances come in the order of the ids, both directions of an edge one after the other at one spot.
TEST(RoadmapNearest, TiesAreInTheOrderOfIds) {
    PlainRoadmap plain;
    for (std::int64_t i = 0; i < 200; ++i)
        plain.node((i * 37) % 200, i % 2 == 0 ? 3 : -3, i % 4 < 2 ? 4 : -4);
    plain.node(300, -10, 5);
    plain.node(250, 10, 5);
    plain.edge(300, 250);
    const Roadmap roadmap = plain.make();
    NearestWalk walk{Allocator{}};
    ASSERT_TRUE(walk.begin(roadmap.state().data(), {0, 0, 0}, {}));
    NearPlace place;
    for (std::int64_t i = 0; i < 200; ++i) {
        ASSERT_EQ(walk.next(place), NearestWalk::Step::place);
        ASSERT_EQ(roadmap.state().node({place.slot}).id.value, i);
    }
    ASSERT_EQ(walk.next(place), NearestWalk::Step::place);
    EXPECT_TRUE(place.on_arc());
    EXPECT_EQ(roadmap.state().node({place.slot}).id.value, 250);
    const Vec3 spot = place.position;
    ASSERT_EQ(walk.next(place), NearestWalk::Step::place);
    EXPECT_TRUE(place.on_arc());
    EXPECT_EQ(roadmap.state().node({place.slot}).id.value, 300);
    EXPECT_EQ(place.position, spot);
}

// Far from the origin, where a foot is off its edge by rounding, the order still holds.
TEST(RoadmapNearest, FarFromTheOrigin) {
    Rng rng(42);
    for (int world = 0; world < 200; ++world) {
        PlainRoadmap plain = random_roadmap(rng, {.nodes = 300, .size = 0.01});
        for (Waypoint& n : plain.nodes) n.position = n.position + Vec3{1e9, -7e8, 0};
        for (WaypointEdge& e : plain.edges) e.cost = 1;
        const Roadmap roadmap = plain.make();
        NearestWalk walk{Allocator{}};
        ASSERT_TRUE(walk.begin(roadmap.state().data(), plain.nodes[0].position + Vec3{1e-3, 2e-3, 0}, {}));
        NearPlace place;
        double last = 0;
        std::size_t count = 0;
        for (; walk.next(place) == NearestWalk::Step::place; ++count) {
            ASSERT_GE(place.distance_squared, last);
            last = place.distance_squared;
        }
        EXPECT_GE(count, 300U);
    }
}

}  // namespace
}  // namespace fairlead
