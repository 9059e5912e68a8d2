// Random level meshes: what explain says is compared with a flood of the test's own over polygons and links, with find_route at many
// radii, and with discs among walls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fairlead/explain/explain.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>

#include "explain/why_not_mesh.h"
#include "oracle/disc_oracle.h"
#include "support/environment.h"
#include "support/plain_mesh.h"

namespace fairlead::testing {
namespace {

// The test's own picture of a mesh: polygons by number, and the ways between them.
struct PolygonGraph {
    struct Way {
        std::size_t from = 0, to = 0;
    };
    std::vector<PolygonId> ids;
    std::vector<Way> ways;

    [[nodiscard]] std::size_t number(PolygonId id) const {
        return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
    }
    PolygonGraph(const NavMeshState& mesh, const MeshFilter& filter, bool against) {
        for (std::uint32_t i = 0; i < mesh.polygons(); ++i) ids.push_back(mesh.polygon(i));
        for (std::size_t i = 0; i < ids.size(); ++i) {
            for (std::uint32_t k = 0; k < mesh.corners(ids[i]); ++k) {
                const PolygonId next = mesh.neighbour(ids[i], k);
                if (next.valid() && filter.areas.open(mesh.area(ids[i])) &&
                    filter.areas.open(mesh.area(next)))
                    ways.push_back({i, number(next)});
            }
        }
        for (std::uint32_t i = 0; i < mesh.links(); ++i) {
            const MeshLinkState link = mesh.link_at(i);
            if (!link.awake || !filter.links.open(link.link.kind)) continue;
            const std::size_t from = number(mesh.nearest(link.from).polygon);
            const std::size_t to = number(mesh.nearest(link.to).polygon);
            if (!filter.areas.open(mesh.area(ids[from])) || !filter.areas.open(mesh.area(ids[to]))) continue;
            ways.push_back({from, to});
            if (against || !link.link.one_way) ways.push_back({to, from});
        }
    }
    [[nodiscard]] std::vector<bool> flood(std::size_t from, bool back) const {
        std::vector<bool> seen(ids.size());
        seen[from] = true;
        for (bool more = true; more;) {
            more = false;
            for (const Way& way : ways) {
                const std::size_t a = back ? way.to : way.from, b = back ? way.from : way.to;
                if (!seen[a] || seen[b]) continue;
                seen[b] = true;
                more = true;
            }
        }
        return seen;
    }
};

double area_of(const NavMeshState& mesh, PolygonId id) {
    double sum = 0.0;
    for (std::uint32_t k = 0; k < mesh.corners(id); ++k)
        sum += 0.5 * cross(ground(mesh.corner(id, k)), ground(mesh.corner(id, (k + 1) % mesh.corners(id))));
    return sum;
}

// Closed areas are walls.
std::vector<Segment> walls_of(const NavMeshState& mesh, const MeshFilter& filter = {}) {
    std::vector<Segment> walls;
    for (std::uint32_t i = 0; i < mesh.polygons(); ++i) {
        const PolygonId id = mesh.polygon(i);
        for (std::uint32_t k = 0; k < mesh.corners(id); ++k) {
            const PolygonId next = mesh.neighbour(id, k);
            if (next.valid() && filter.areas.open(mesh.area(next)) == filter.areas.open(mesh.area(id)))
                continue;
            walls.push_back(
                {ground(mesh.corner(id, k)), ground(mesh.corner(id, (k + 1) % mesh.corners(id)))});
        }
    }
    return walls;
}

struct MeshTally {
    int none = 0, too_wide = 0, sealed = 0, blocked = 0, exact = 0, one_way = 0, opened = 0, at_links = 0;
    int at_gates = 0, moved = 0, oracle_odd = 0, discs = 0;
};

class RandomMeshes {
  public:
    RandomMeshes(Rng& rng, MeshTally& tally) : rng_(rng), tally_(tally) {
        const auto size = [&] { return static_cast<std::int32_t>(3 + rng.below(5)); };
        plain_ = random_mesh(rng, {.width = size(),
                                   .height = size(),
                                   .blocked_percent = 10 + rng.below(35),
                                   .split_percent = rng.below(60),
                                   .join_percent = 0,
                                   .areas = 1 + 3 * rng.below(2)});
        make_narrow();
        if (plain_.polygons.size() < 2) return;
        plain_.flatten();
        const NavMeshTile tile = plain_.tile();
        Result<NavMesh> bare = NavMesh::make({.tiles = {&tile, 1}});
        FAIRLEAD_ASSERT(bare.has_value());
        walls_ = walls_of(*bare);
        const std::uint32_t links = rng.below(2) * (1 + rng.below(4));
        for (std::uint32_t id = 0; id < links; ++id) {
            MeshLink link{
                .id = id, .one_way = rng.below(2) == 0, .kind = static_cast<std::uint8_t>(rng.below(3))};
            link.from = random_point(*bare, rng, {}).position;
            link.to = random_point(*bare, rng, {}).position;
            if (rng.below(2) == 0) link.radius_max = rng.between(0.1, 2.0);
            links_.push_back(link);
        }
        Result<NavMesh> made = NavMesh::make({.radius_max = 6.0, .tiles = {&tile, 1}, .links = links_});
        FAIRLEAD_ASSERT(made.has_value());
        mesh_.emplace(std::move(*made));
    }

    void look(const std::string& trace) {
        if (!mesh_.has_value()) return;
        trace_ = trace;
        const NavMeshState& mesh = *mesh_;
        const Vec3 from = random_point(mesh, rng_, {}).position, to = random_point(mesh, rng_, {}).position;
        const double room = std::min(room_at(ground(from)), room_at(ground(to)));
        MeshQuery query{.start = from, .goal = to};
        // Half of the units stand at their ends as asked.
        if (rng_.below(5) != 0)
            query.agent.radius = rng_.below(2) == 0 ? rng_.between(0.1, 2.5) : rng_.between(0.6, 1.0) * room;
        if (rng_.below(2) == 0) {
            query.filter.areas.closed = KindSet::of_mask(rng_.below(8) << 1);
            query.filter.links.closed = KindSet::of_mask(rng_.below(8));
        }
        const Explanation why = why_not(mesh, query);
        Scratch scratch;
        const Result<Route> way = find_route(mesh, query, scratch);
        ASSERT_TRUE(way) << trace;
        EXPECT_EQ(why.reason == ExplainReason::none, way->status == PathStatus::complete) << trace;
        EXPECT_EQ(why.status, way->status) << trace;
        judge_helps(query, why);
        switch (why.reason) {
            case ExplainReason::none: ++tally_.none; break;
            case ExplainReason::start_blocked:
            case ExplainReason::goal_blocked: ++tally_.blocked; break;
            default: check_joined(query, why); break;
        }
        if (why.reason == ExplainReason::too_wide) check_width(query, why);
    }

  private:
    // Columns and rows of cells of other widths, in eighths, so that gaps are of many; then perhaps slanted.
    void make_narrow() {
        double x[16] = {}, y[16] = {};
        for (int i = 1; i < 16; ++i) {
            x[i] = x[i - 1] + (4 + rng_.below(36)) / 8.0;
            y[i] = y[i - 1] + (4 + rng_.below(36)) / 8.0;
        }
        const double slant = rng_.below(3) * 0.25;
        for (Vec3& vertex : plain_.vertices) {
            const double row = y[static_cast<std::size_t>(vertex.y) / 4];
            vertex = {x[static_cast<std::size_t>(vertex.x) / 4] + slant * row, row, 0.0};
        }
    }
    [[nodiscard]] double room_at(Vec2 at) const { return DiscOracle(walls_).distance_to({at, at}); }

    // Each change that is said to help, or not, is asked for.
    void judge_helps(const MeshQuery& query, const Explanation& why) {
        const Help& open = why.help(HelpKind::open_terrain);
        if (open.proof == Proof::found) {
            ++tally_.opened;
            EXPECT_EQ(open.terrain[0] & ~query.filter.areas.closed_mask(), 0U) << trace_;
            EXPECT_EQ(open.links & ~query.filter.links.closed_mask(), 0U) << trace_;
            EXPECT_TRUE(opens(query, open.terrain[0], open.links)) << trace_;
            for (std::uint32_t k = 0; k < 64; ++k) {
                const std::uint64_t bit = std::uint64_t{1} << k;
                if ((open.terrain[0] & bit) != 0) {
                    EXPECT_FALSE(opens(query, open.terrain[0] & ~bit, open.links)) << trace_;
                }
                if ((open.links & bit) != 0) {
                    EXPECT_FALSE(opens(query, open.terrain[0], open.links & ~bit)) << trace_;
                }
            }
        } else if (open.proof == Proof::none) {
            EXPECT_FALSE(opens(query, ~std::uint64_t{0}, ~std::uint64_t{0})) << trace_;
        }
        for (const HelpKind kind : {HelpKind::move_start, HelpKind::move_goal}) {
            const Help& moved = why.help(kind);
            if (moved.proof == Proof::found) ++tally_.moved;
            const Vec3 asked = (kind == HelpKind::move_start ? query.start : query.goal.at).position;
            if (!moved.has_place) continue;
            EXPECT_NEAR(moved.value, distance(ground(asked), ground(moved.place.position)), 1e-9) << trace_;
        }
    }
    [[nodiscard]] bool opens(MeshQuery query, std::uint64_t areas, std::uint64_t links) const {
        query.filter.areas.closed = KindSet::of_mask(query.filter.areas.closed_mask() & ~areas);
        query.filter.links.closed = KindSet::of_mask(query.filter.links.closed_mask() & ~links);
        return has_route(query);
    }
    [[nodiscard]] bool has_route(const MeshQuery& query) const {
        Scratch scratch;
        const Result<Route> way = find_route(*mesh_, query, scratch);
        return way && way->status == PathStatus::complete;
    }

    void check_joined(const MeshQuery& query, const Explanation& why) {
        const NavMeshState& mesh = *mesh_;
        const PolygonGraph graph(mesh, query.filter, false), both(mesh, query.filter, true);
        const std::size_t from = graph.number(mesh.nearest(query.start.position).polygon);
        const std::size_t to = graph.number(mesh.nearest(query.goal.at.position).polygon);
        // Beside a closed area the end is put elsewhere.
        if (!query.filter.areas.open(mesh.area(graph.ids[from])) ||
            !query.filter.areas.open(mesh.area(graph.ids[to])))
            return;
        const std::vector<bool> reached = graph.flood(from, false);
        EXPECT_EQ(why.reason == ExplainReason::too_wide, bool{reached[to]}) << trace_;
        if (why.reason != ExplainReason::sealed) return;
        ++tally_.sealed;
        const std::vector<bool> side = why.goal_side ? graph.flood(to, true) : reached;
        double ground_area = 0.0;
        std::int64_t count = 0;
        for (std::size_t i = 0; i < side.size(); ++i) {
            if (!side[i]) continue;
            ++count;
            ground_area += area_of(mesh, graph.ids[i]);
        }
        EXPECT_EQ(why.area, count) << trace_;
        EXPECT_NEAR(why.ground_area, ground_area, 1e-9 * ground_area) << trace_;
        EXPECT_EQ(why.one_way, bool{both.flood(from, false)[to]}) << trace_;
        tally_.one_way += why.one_way ? 1 : 0;
    }

    void check_width(const MeshQuery& query, const Explanation& why) {
        ++tally_.too_wide;
        const Help& help = why.help(HelpKind::smaller_body);
        ASSERT_EQ(help.proof, Proof::found) << trace_;
        const double radius = query.agent.radius;
        EXPECT_LT(help.value, radius) << trace_;
        EXPECT_LE(help.failed - help.value, 0.05 * radius * 1.0001) << trace_;
        tally_.exact += help.failed - help.value < 1e-4 ? 1 : 0;
        // Who has no room at an end is put elsewhere, a smaller unit perhaps to where it is shut in.
        const Vec2 from = ground(query.start.position), to = ground(query.goal.at.position);
        const DiscOracle shut(walls_of(*mesh_, query.filter));
        const bool moved = std::min(shut.distance_to({from, from}), shut.distance_to({to, to})) < radius;
        for (int i = 0; i <= 24 && !moved; ++i) {
            MeshQuery other = query;
            other.agent.radius = radius * i / 24.0;
            const bool found = has_route(other);
            const bool below = other.agent.radius <= help.value, above = other.agent.radius >= help.failed;
            EXPECT_TRUE(found ? !above : !below) << trace_ << ", " << other.agent.radius;
        }
        const bool plain = links_.empty() && query.filter.areas.closed.empty();
        if (why.has_place && why.link < 0) {
            ++tally_.at_gates;
            EXPECT_GE(0.5 * why.width, help.value - 1e-9) << trace_;
            EXPECT_LE(0.5 * why.width, help.failed + 1e-9) << trace_;
            EXPECT_NEAR(room_at(ground(why.place.position)), 0.5 * why.width, 1e-4) << trace_;
        }
        if (why.link >= 0) ++tally_.at_links;
        if (!plain) return;
        if (moved) return;
        ++tally_.discs;
        const DiscOracle oracle(walls_);
        EXPECT_EQ(oracle.shortest(from, to, help.failed * 1.0001), INFINITY) << trace_;
        if (oracle.shortest(from, to, help.value * 0.98, 64) == INFINITY) ++tally_.oracle_odd;
    }

    Rng& rng_;
    MeshTally& tally_;
    PlainMesh plain_;
    std::vector<MeshLink> links_;
    std::vector<Segment> walls_;
    std::optional<NavMesh> mesh_;
    std::string trace_;
};

TEST(ExplainMeshRandom, AgainstFloodsAndOtherRadii) {
    MeshTally tally;
    for (int w = 0; w < trials(400); ++w) {
        Rng rng(88100 + static_cast<std::uint64_t>(w));
        RandomMeshes world(rng, tally);
        for (int i = 0; i < 8; ++i) world.look("world " + std::to_string(w) + ", query " + std::to_string(i));
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.too_wide, 80);
    EXPECT_GT(tally.exact, 50);
    EXPECT_GT(tally.at_gates, 50);
    EXPECT_GT(tally.at_links, 10);
    EXPECT_GT(tally.discs, 5);
    EXPECT_GT(tally.sealed, 200);
    EXPECT_GT(tally.one_way, 5);
    EXPECT_GT(tally.blocked, 200);
    EXPECT_GT(tally.opened, 150);
    EXPECT_GT(tally.moved, 500);
    EXPECT_EQ(tally.oracle_odd, 0);
}

}  // namespace
}  // namespace fairlead::testing
