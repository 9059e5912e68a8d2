// Coverage and the audit of edges (technique W2) against brute force: every waypoint, every edge, one by one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fairlead/roadmap/coverage.h>

#include "support/roadmaps.h"
#include "support/starve.h"

namespace fairlead {
namespace {

using testing::distance3;
using testing::kFar;
using testing::PlainArc;
using testing::PlainGraph;
using testing::PlainRoadmap;
using testing::random_roadmap;

/// A post on every whole position of a coarse lattice: the user's own walls.
bool between_posts(Vec3 a, Vec3 b, double radius, void*) {
    for (double x = 5; x < 100; x += 13) {
        for (double y = 5; y < 100; y += 17) {
            const double dx = b.x - a.x;
            const double dy = b.y - a.y;
            const double size = dx * dx + dy * dy;
            double t = size > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / size : 0;
            t = std::clamp(t, 0.0, 1.0);
            if (std::hypot(a.x + t * dx - x, a.y + t * dy - y) < radius + 0.5) return false;
        }
    }
    return true;
}

PlainRoadmap walled(Rng& rng) {
    PlainRoadmap plain =
        random_roadmap(rng, {.nodes = 4 + rng.below(60), .degree = 1.5, .heights = rng.below(4) == 0});
    const std::uint32_t walls = rng.below(12);
    for (std::uint32_t i = 0; i < walls; ++i) {
        const double x = rng.between(0.0, 90.0);
        const double y = rng.between(0.0, 90.0);
        const double w = rng.between(1.0, 30.0);
        const double h = rng.between(1.0, 30.0);
        const bool closed = rng.below(2) == 0;
        plain.wall({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, closed);
    }
    return plain;
}

/// The nearest point of an arc's inside; nothing if that is one of its ends.
std::optional<Vec3> foot(Vec3 a, Vec3 b, Vec3 p) {
    const Vec3 d = b - a;
    const double size = d.x * d.x + d.y * d.y + d.z * d.z;
    const double t = ((p.x - a.x) * d.x + (p.y - a.y) * d.y + (p.z - a.z) * d.z) / size;
    if (!(t > 0 && t < 1)) return std::nullopt;
    return a + d * t;
}

/// What the coverage of one place is, by trying everything. `touchy`: rounding decides.
Cover brute(const PlainRoadmap& plain, const RoadmapState& state, const CoverageQuery& query, Vec3 p,
            bool& touchy) {
    touchy = false;
    const bool known = state.has_walls() || query.sight.clear != nullptr;
    const auto clear = [&](Vec3 a, Vec3 b, double radius) {
        return state.walls_clear(ground(a), ground(b), radius) &&
               (query.sight.clear == nullptr || query.sight.clear(a, b, radius, nullptr));
    };
    if (known && !clear(p, p, query.agent.radius)) return Cover::blocked;
    std::vector<Vec3> spots;
    for (const Waypoint& node : plain.nodes) spots.push_back(node.position);
    const std::size_t nodes = spots.size();
    for (const WaypointEdge& edge : plain.edges) {
        if (!query.edges || edge.link) continue;
        if (const auto at = foot(plain.position(edge.from), plain.position(edge.to), p)) spots.push_back(*at);
    }
    bool seen = false;
    for (std::size_t i = 0; i < spots.size(); ++i) {
        const double away = distance3(p, spots[i]);
        if (std::abs(away - query.range) < 1e-9) touchy = true;
        if (away > query.range) continue;
        seen = seen || !known || clear(p, spots[i], query.agent.radius);
        // The test computes the feet of edges by itself, so their sight may differ by a rounding.
        if (i >= nodes && clear(p, spots[i], query.agent.radius * (1 - 1e-9)) !=
                              clear(p, spots[i], query.agent.radius * (1 + 1e-9))) {
            touchy = true;
        }
    }
    return seen ? Cover::covered : Cover::uncovered;
}

TEST(Coverage, EqualsBruteForce) {
    Rng rng(811);
    std::uint64_t counts[3] = {};
    std::uint64_t judged = 0;
    for (int round = 0; round < 60; ++round) {
        const PlainRoadmap plain = walled(rng);
        const Roadmap roadmap = plain.make();
        CoverageQuery query;
        const double radii[] = {0.0, 0.3, 2.0};
        query.agent.radius = radii[rng.below(3)];
        if (rng.below(3) == 0) query.sight = {between_posts, nullptr};
        if (rng.below(2) == 0) query.range = rng.between(3.0, 40.0);
        query.edges = rng.below(2) == 0;
        const CoverageArea area{
            .origin = {-10, -10}, .cell_size = 4, .width = 30, .height = 28, .z = rng.below(2) * 3.0};
        std::vector<Cover> cover(30 * 28);
        Scratch scratch;
        const Result<CoverageCount> count = find_coverage(roadmap, query, area, scratch, cover);
        ASSERT_TRUE(count);
        CoverageCount sum;
        for (std::int32_t y = 0; y < 28; ++y) {
            for (std::int32_t x = 0; x < 30; ++x) {
                const Cover found = cover[static_cast<std::size_t>(y * 30 + x)];
                sum.covered += found == Cover::covered;
                sum.uncovered += found == Cover::uncovered;
                sum.blocked += found == Cover::blocked;
                bool touchy = false;
                const Cover wanted = brute(plain, roadmap, query, area.centre(x, y), touchy);
                if (touchy) continue;
                ASSERT_EQ(found, wanted) << round << ": " << x << ", " << y;
                ++counts[static_cast<int>(found)];
                ++judged;
            }
        }
        sum.tests = count->tests;
        EXPECT_EQ(*count, sum);
    }
    EXPECT_GT(judged, 49000U);
    for (const std::uint64_t count : counts) EXPECT_GT(count, 2000U);
}

// Covered with edges: find_route attaches there; uncovered: it does not.
TEST(Coverage, MeansWhatAttachingMeans) {
    Rng rng(812);
    int attached = 0;
    int apart = 0;
    for (int round = 0; round < 60; ++round) {
        PlainRoadmap plain = walled(rng);
        if (plain.walls.empty()) plain.wall({{0, 0}, {1, 1}}, false);
        const Roadmap roadmap = plain.make();
        CoverageQuery query{.agent = {.radius = 0.4}, .range = 25, .edges = true};
        Scratch scratch;
        std::vector<Vec3> places;
        for (int i = 0; i < 60; ++i) {
            const double x = rng.between(0.0, 100.0);
            const double y = rng.between(0.0, 100.0);
            places.push_back({x, y, 0});
        }
        std::vector<Cover> cover(places.size());
        ASSERT_TRUE(find_coverage(roadmap, query, places, scratch, cover));
        for (std::size_t i = 0; i < places.size(); ++i) {
            RoadmapQuery ask{.start = places[i], .goal = plain.nodes[0].id, .agent = query.agent};
            ask.attach_range = query.range;
            ask.attach_tests = 1U << 20;
            ask.direct = false;
            const Result<Route> route = find_route(roadmap, ask, scratch);
            ASSERT_TRUE(route);
            const bool on_net = route->status != PathStatus::start_blocked;
            EXPECT_EQ(on_net, cover[i] == Cover::covered) << round << ", " << i;
            (on_net ? attached : apart) += 1;
        }
    }
    EXPECT_GT(attached, 500);
    EXPECT_GT(apart, 300);
}

TEST(Coverage, AShedThatSeesNoWaypoint) {
    PlainRoadmap plain;
    plain.node(1, 0, 0);
    plain.node(2, 10, 0);
    plain.edge(1, 2);
    plain.wall({{4, 2}, {6, 2}, {6, 4}, {4, 4}, {4, 2}}, false);  // a shed without a door
    const Roadmap roadmap = plain.make();
    Scratch scratch;
    const Vec3 places[] = {{5, 3, 0}, {5, 1, 0}, {4, 2.2, 0}, {0, 0, 0}};
    Cover cover[4];
    const Result<CoverageCount> count =
        find_coverage(roadmap, {.agent = {.radius = 0.25}}, places, scratch, cover);
    ASSERT_TRUE(count);
    EXPECT_EQ(cover[0], Cover::uncovered);
    EXPECT_EQ(cover[1], Cover::covered);
    EXPECT_EQ(cover[2], Cover::blocked);
    EXPECT_EQ(cover[3], Cover::covered);
}

TEST(Coverage, AnySlicingAndAnyHistoryGiveTheSame) {
    Rng rng(813);
    for (int round = 0; round < 10; ++round) {
        const PlainRoadmap plain = walled(rng);
        const Roadmap roadmap = plain.make();
        PlainRoadmap turned = plain;
        std::reverse(turned.nodes.begin(), turned.nodes.end());
        std::reverse(turned.edges.begin(), turned.edges.end());
        const Roadmap other = turned.make();
        const CoverageQuery query{.agent = {.radius = 0.5}, .edges = round % 2 == 0};
        const CoverageArea area{.cell_size = 5, .width = 20, .height = 20};
        Scratch scratch;
        std::vector<Cover> whole(400);
        std::vector<Cover> sliced(400);
        std::vector<Cover> elsewhere(400);
        const Result<CoverageCount> count = find_coverage(roadmap, query, area, scratch, whole);
        CoverageSearch search(roadmap, query, area, scratch, sliced);
        std::uint64_t steps = 0;
        while (search.step(1 + steps % 3)) ++steps;
        const Result<CoverageCount> again = search.take();
        ASSERT_TRUE(find_coverage(other, query, area, scratch, elsewhere));
        ASSERT_TRUE(count && again);
        EXPECT_EQ(*count, *again);
        EXPECT_EQ(whole, sliced);
        EXPECT_EQ(whole, elsewhere);
        EXPECT_GT(steps, 400U);
    }
}

TEST(Coverage, SpecialWorlds) {
    Scratch scratch;
    const Vec3 places[] = {{0, 0, 0}, {3, 4, 0}};
    Cover cover[2];
    const Roadmap empty = PlainRoadmap{}.make();
    ASSERT_TRUE(find_coverage(empty, {}, places, scratch, cover));
    EXPECT_EQ(cover[0], Cover::uncovered);

    PlainRoadmap plain;
    plain.node(1, 0, 0);
    const Roadmap one = plain.make();
    ASSERT_TRUE(find_coverage(one, {}, places, scratch, cover));  // no walls: all of it
    EXPECT_EQ(cover[1], Cover::covered);
    ASSERT_TRUE(find_coverage(one, {.range = 5}, places, scratch, cover));
    EXPECT_EQ(cover[1], Cover::covered);
    ASSERT_TRUE(find_coverage(one, {.range = 4.999}, places, scratch, cover));
    EXPECT_EQ(cover[0], Cover::covered);
    EXPECT_EQ(cover[1], Cover::uncovered);

    const Result<CoverageCount> none =
        find_coverage(one, {}, std::span<const Vec3>{}, scratch, std::span<Cover>{});
    ASSERT_TRUE(none);
    EXPECT_EQ(*none, CoverageCount{});
    EXPECT_TRUE(find_coverage(one, {}, CoverageArea{}, scratch, std::span<Cover>{}));
}

TEST(Coverage, Errors) {
    const Roadmap roadmap = PlainRoadmap{}.make();
    Scratch scratch;
    Cover cover[2];
    std::vector<Vec3> places = {{0, 0, 0}, {1, 1, 0}};
    const auto refused = [&](const CoverageQuery& query, const Error& wanted) {
        const Result<CoverageCount> count = find_coverage(roadmap, query, places, scratch, cover);
        ASSERT_FALSE(count);
        EXPECT_EQ(count.error(), wanted) << error_text(count.error()).c_str();
    };
    refused({.agent = {.radius = NAN}}, {ErrorCode::not_finite, Field::agent_radius});
    refused({.agent = {.radius = -1}}, {ErrorCode::out_of_range, Field::agent_radius});
    refused({.agent = {.footprint = 1}}, {ErrorCode::incompatible, Field::agent_footprint,
                                          static_cast<std::int64_t>(RoadmapRule::footprint)});
    refused({.range = NAN}, {ErrorCode::not_finite, Field::range});
    refused({.range = -1}, {ErrorCode::out_of_range, Field::range});
    places[1].z = INFINITY;
    refused({}, {ErrorCode::not_finite, Field::places, 1, 0});
    places[1].z = 2 * kRoadmapSpan;
    refused({}, {ErrorCode::out_of_range, Field::places, 1, 0});
    places.push_back({});
    places[1] = {};
    refused({}, {ErrorCode::size_mismatch, Field::places, 3});
    for (const CoverageArea& area :
         {CoverageArea{.cell_size = 0, .width = 2, .height = 1}, CoverageArea{.width = -2, .height = -1},
          CoverageArea{.cell_size = 1e12, .width = 2, .height = 1}}) {
        const Result<CoverageCount> count = find_coverage(roadmap, {}, area, scratch, cover);
        ASSERT_FALSE(count);
        EXPECT_EQ(count.error().code, ErrorCode::out_of_range);
        EXPECT_EQ(count.error().field, Field::places);
    }
    const Result<AuditCount> audit = audit_edges(roadmap, {.agent = {.radius = -1}}, {});
    ASSERT_FALSE(audit);
    EXPECT_EQ(audit.error().code, ErrorCode::out_of_range);
}

TEST(Coverage, AWarmCallAllocatesNothingAndAFailureIsAnError) {
    Rng rng(814);
    const PlainRoadmap plain = walled(rng);
    const Roadmap roadmap = plain.make();
    testing::TestAllocator memory;
    const CoverageQuery query{.agent = {.radius = 0.5}, .edges = true};
    const CoverageArea area{.cell_size = 5, .width = 20, .height = 20};
    std::vector<Cover> cover(400);
    {
        Scratch scratch(memory.allocator());
        ASSERT_TRUE(find_coverage(roadmap, query, area, scratch, cover));
        const std::int64_t calls = memory.calls;
        ASSERT_TRUE(find_coverage(roadmap, query, area, scratch, cover));
        EXPECT_EQ(memory.calls, calls);
        for (const bool once : testing::kOnceAndForEver) {
            const std::int64_t failures = testing::starve(
                memory, once,
                [&] {
                    scratch.free_memory();
                    return find_coverage(roadmap, query, area, scratch, cover);
                },
                [&](const Result<CoverageCount>& starved) { ASSERT_FALSE(starved); });
            EXPECT_GT(failures, 2);
        }
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

TEST(AuditEdges, EqualsBruteForce) {
    Rng rng(815);
    std::uint64_t bad = 0;
    for (int round = 0; round < 60; ++round) {
        PlainRoadmap plain = walled(rng);
        for (WaypointEdge& edge : plain.edges) edge.link = rng.below(5) == 0;
        const Roadmap roadmap = plain.make();
        AuditQuery query;
        const double radii[] = {0.0, 0.3, 2.0};
        query.agent.radius = radii[rng.below(3)];
        if (rng.below(3) == 0) query.sight = {between_posts, nullptr};
        std::vector<std::array<std::int64_t, 3>> wanted;
        std::uint64_t walked = 0;
        for (const auto& arcs : PlainGraph(plain).out) {
            for (const PlainArc& arc : arcs) {
                if (arc.edge->link) continue;
                ++walked;
                const Vec3 a = plain.nodes[arc.from].position;
                const Vec3 b = plain.nodes[arc.to].position;
                const bool clear =
                    roadmap.state().walls_clear(ground(a), ground(b), query.agent.radius) &&
                    (query.sight.clear == nullptr || between_posts(a, b, query.agent.radius, {}));
                if (!clear) {
                    wanted.push_back({plain.nodes[arc.from].id.value, plain.nodes[arc.to].id.value,
                                      static_cast<std::int64_t>(arc.edge->label)});
                }
            }
        }
        std::sort(wanted.begin(), wanted.end());
        std::vector<EdgeFault> faults(wanted.size());
        const Result<AuditCount> count = audit_edges(roadmap, query, faults);
        ASSERT_TRUE(count);
        EXPECT_EQ(count->tested, walked);
        ASSERT_EQ(count->faults, wanted.size());
        std::vector<std::array<std::int64_t, 3>> found;
        for (std::size_t i = 0; i < faults.size(); ++i) {
            const EdgeFault& f = faults[i];
            found.push_back({f.from.value, f.to.value, static_cast<std::int64_t>(f.label)});
            if (i > 0) {
                EXPECT_TRUE(faults[i - 1].from.value < f.from.value ||
                            (faults[i - 1].from == f.from && faults[i - 1].to.value <= f.to.value));
            }
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, wanted);
        bad += wanted.size();

        // In slices; and into too small a span: the first ones, all counted.
        std::vector<EdgeFault> few(wanted.size() / 2);
        EdgeAudit audit(roadmap, query, few);
        while (audit.step(1)) {
        }
        const Result<AuditCount> again = audit.take();
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, *count);
        EXPECT_TRUE(std::equal(few.begin(), few.end(), faults.begin()));
    }
    EXPECT_GT(bad, 500U);
}

}  // namespace
}  // namespace fairlead
