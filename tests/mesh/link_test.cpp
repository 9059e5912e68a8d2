// Routes over off-mesh links against a visibility graph that knows them: points and wide ones, one way and both, dear and
// cheap, closed kinds, added and taken out, in tiles and without, with landmarks that know them and that do not.
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/repair.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::ambiguous;
using testing::MeshOracle;
using testing::MeshRecipe;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::trials;

constexpr std::uint32_t kKinds = 4;

/// A world, its links, and where they are for the oracle.
struct LinkWorld {
    PlainMesh plain;
    OracleMesh shape;
    std::vector<MeshLink> links;
    std::vector<MeshOracle::Point> ends;  ///< from, to, from, to
};

MeshRecipe link_recipe(Rng& rng) {
    MeshRecipe recipe;
    recipe.width = 3 + static_cast<std::int32_t>(rng.below(7));
    recipe.height = 3 + static_cast<std::int32_t>(rng.below(7));
    recipe.blocked_percent = 5 + rng.below(50);
    recipe.split_percent = rng.below(101);
    recipe.join_percent = 0;
    return recipe;
}

MeshLink random_link(Rng& rng, std::uint32_t id, LinkWorld& world, const MeshOracle& oracle) {
    MeshOracle::Point at[2];
    for (MeshOracle::Point& end : at) {
        do {
            end = random_mesh_point(rng, world.shape);
        } while (ambiguous(world.shape, oracle, end));
        world.ends.push_back(end);
    }
    MeshLink link{.id = id, .from = on_floor(at[0].at), .to = on_floor(at[1].at)};
    link.one_way = rng.below(2) == 0;
    link.kind = static_cast<std::uint8_t>(rng.below(kKinds));
    switch (rng.below(4)) {
        case 0: break;
        case 1: link.cost = rng.below(4); break;
        case 2: link.cost = distance(at[0].at, at[1].at) * rng.between(0.2, 3.0); break;
        default: link.cost = 0.0; break;
    }
    return link;
}

// What the oracle is told under a filter.
std::vector<MeshOracle::Jump> open_jumps(const LinkWorld& world, const MeshFilter& filter) {
    std::vector<MeshOracle::Jump> jumps;
    for (std::size_t i = 0; i < world.links.size(); ++i) {
        const MeshLink& link = world.links[i];
        if ((filter.links.closed.mask() >> link.kind & 1U) != 0) continue;
        const MeshOracle::Point a = world.ends[2 * i], b = world.ends[2 * i + 1];
        double cost = link.cost == kLinkCostStraight ? distance(a.at, b.at) : link.cost;
        if (!filter.links.factors.empty()) {
            if (filter.links.factors[link.kind] == 0.0) continue;
            cost *= filter.links.factors[link.kind];
        }
        jumps.push_back({a, b, cost});
        if (!link.one_way) jumps.push_back({b, a, cost});
    }
    return jumps;
}

TEST(MeshLinks, EqualTheVisibilityGraph) {
    Rng rng(1601);
    Scratch scratch;
    int with_links = 0, apart = 0;
    for (int round = 0; round < trials(500); ++round) {
        const MeshRecipe recipe = link_recipe(rng);
        LinkWorld world;
        world.plain = random_mesh(rng, recipe);
        if (world.plain.polygons.empty()) continue;
        world.shape = oracle_mesh(world.plain);
        MeshOracle oracle(world.shape);
        const std::uint32_t landmarks = rng.below(2) == 0 ? 0 : rng.below(kLandmarksMax + 1);
        NavMesh mesh = rng.below(2) == 0
                           ? world.plain.make(landmarks)
                           : world.plain.make_tiled(recipe.cell * (1.0 + rng.below(4)), landmarks);
        const std::uint32_t count = 1 + rng.below(rng.below(4) == 0 ? 16 : 5);
        for (std::uint32_t id = 0; id < count; ++id) {
            world.links.push_back(random_link(rng, 100 + id * 3, world, oracle));
            const MeshEdit put[] = {MeshEdit::add_link(world.links.back())};
            ASSERT_TRUE(mesh.apply(put));
            if (rng.below(4) == 0) {
                ASSERT_TRUE(mesh.measure_landmarks(landmarks));
            }
        }
        // Some go again.
        while (world.links.size() > 1 && rng.below(3) == 0) {
            const std::size_t gone = rng.below(static_cast<std::uint32_t>(world.links.size()));
            const MeshEdit take[] = {MeshEdit::remove_link(world.links[gone].id)};
            ASSERT_TRUE(mesh.apply(take));
            world.links.erase(world.links.begin() + static_cast<std::ptrdiff_t>(gone));
            world.ends.erase(world.ends.begin() + static_cast<std::ptrdiff_t>(2 * gone),
                             world.ends.begin() + static_cast<std::ptrdiff_t>(2 * gone + 2));
        }
        for (int group = 0; group < 4; ++group) {
            std::vector<double> factors;
            MeshFilter filter;
            if (rng.below(2) == 0) filter.links.closed = KindSet::of_mask(rng.below(1U << kKinds));
            if (rng.below(3) == 0) {
                factors.assign(kLinkKindsMax, 1.0);
                for (std::uint32_t i = 0; i < kKinds; ++i) factors[i] = 0.5 * rng.below(5);
                filter.links.factors = factors;
            }
            oracle.set_links(open_jumps(world, filter));
            for (int i = 0; i < 12; ++i) {
                const MeshOracle::Point from = random_mesh_point(rng, world.shape),
                                        to = random_mesh_point(rng, world.shape);
                if (ambiguous(world.shape, oracle, from) || ambiguous(world.shape, oracle, to)) continue;
                const double wanted = oracle.shortest(from, to);
                const MeshQuery query{.start = on_floor(from.at), .goal = on_floor(to.at), .filter = filter};
                Result<Route> route = find_route(mesh, query, scratch);
                ASSERT_TRUE(route);
                if (std::isinf(wanted)) {
                    ASSERT_EQ(route->status, PathStatus::unreachable) << "round " << round << " query " << i;
                    ++apart;
                    continue;
                }
                ASSERT_EQ(route->status, PathStatus::complete) << "round " << round << " query " << i;
                ASSERT_NEAR(route->cost, wanted, 1e-9 * (1.0 + wanted))
                    << "round " << round << " query " << i;
                EXPECT_EQ(route->bound, 1.0);
                const Violation bad = verify(*route, mesh, query.agent, {.filter = filter});
                ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " query " << i;
                ASSERT_TRUE(revalidate(mesh, *route, MeshQuery{.filter = filter}, scratch).value().legal)
                    << "round " << round << " query " << i;
                for (const Leg& leg : route->legs) with_links += leg.kind == LegKind::link ? 1 : 0;
            }
        }
    }
    EXPECT_GT(with_links, trials(500) * 5);
    EXPECT_GT(apart, trials(500));
}

/// Two rooms apart, 10 x 10 each, and a third one behind them.
PlainMesh three_rooms() {
    PlainMesh plain;
    for (int room = 0; room < 3; ++room) {
        const double x = 20.0 * room;
        const auto first = static_cast<std::uint32_t>(plain.vertices.size());
        for (const Vec3 corner : {Vec3{x, 0, 0}, Vec3{x + 10, 0, 0}, Vec3{x + 10, 10, 0}, Vec3{x, 10, 0}})
            plain.vertices.push_back(corner);
        plain.polygons.push_back({first, first + 1, first + 2, first + 3});
    }
    return plain;
}

PathStatus status_of(const NavMesh& mesh, const MeshQuery& query, Scratch& scratch) {
    Result<Route> route = find_route(mesh, query, scratch);
    EXPECT_TRUE(route);
    return route ? route->status : PathStatus::count_;
}

TEST(MeshLinks, DirectionsKindsAndSizes) {
    NavMesh mesh = three_rooms().make();
    Scratch scratch;
    const MeshEdit put[] = {
        MeshEdit::add_link({.id = 1, .from = {9, 5, 0}, .to = {21, 5, 0}, .one_way = true, .kind = 3}),
        MeshEdit::add_link({.id = 2, .from = {41, 5, 0}, .to = {29, 5, 0}, .kind = 63, .radius_max = 0.5})};
    ASSERT_TRUE(mesh.apply(put));
    const auto ask = [&](double from, double to, const MeshFilter& filter = {}, double radius = 0.0) {
        return status_of(
            mesh,
            {.start = {from, 1, 0}, .goal = Vec3{to, 1, 0}, .agent = {.radius = radius}, .filter = filter},
            scratch);
    };
    EXPECT_EQ(ask(5, 25), PathStatus::complete);
    EXPECT_EQ(ask(25, 5), PathStatus::unreachable);
    EXPECT_EQ(ask(5, 45), PathStatus::complete);
    EXPECT_EQ(ask(45, 25), PathStatus::complete);
    EXPECT_EQ(ask(45, 5), PathStatus::unreachable);
    EXPECT_EQ(ask(5, 25, {.links = {.closed = KindSet::of_mask(1U << 3)}}), PathStatus::unreachable);
    EXPECT_EQ(ask(5, 45, {.links = {.closed = {63}}}), PathStatus::unreachable);
    EXPECT_EQ(ask(5, 25, {.links = {.closed = {63}}}), PathStatus::complete);
    // What cannot be reached over links is known without a search.
    Result<Route> none = find_route(mesh, MeshQuery{.start = {45, 1, 0}, .goal = Vec3{5, 1, 0}}, scratch);
    EXPECT_EQ(none->stats.expanded, 0U);
    // Partial: as near as the links lead.
    Result<Route> part =
        find_route(mesh, MeshQuery{.start = {45, 1, 0}, .goal = Vec3{5, 1, 0}, .partial = true}, scratch);
    EXPECT_EQ(part->status, PathStatus::partial);
    EXPECT_EQ(ground(part->end.position), (Vec2{20, 1}));
    EXPECT_FALSE(verify(*part, mesh, {}));
    // The route tells where the link is.
    Result<Route> over = find_route(mesh, MeshQuery{.start = {5, 5, 0}, .goal = Vec3{25, 5, 0}}, scratch);
    ASSERT_EQ(over->legs.size(), 3U);
    EXPECT_EQ(over->legs[1].kind, LegKind::link);
    EXPECT_EQ(over->legs[1].link_id, 1U);
    EXPECT_EQ(over->legs[1].start.position, (Vec3{9, 5, 0}));
    EXPECT_EQ(over->legs[2].start.position, (Vec3{21, 5, 0}));
    EXPECT_EQ(over->length, 8.0);
    EXPECT_EQ(over->cost, 20.0);
}

TEST(MeshLinks, SleepWhereAnObstacleStands) {
    NavMesh mesh = three_rooms().make();
    Scratch scratch;
    const MeshQuery query{.start = {5, 1, 0}, .goal = Vec3{25, 1, 0}};
    const MeshLink narrow{.id = 1, .from = {9, 5, 0}, .to = {21, 5, 0}};
    const MeshEdit put[] = {MeshEdit::add_link(narrow)};
    ASSERT_TRUE(mesh.apply(put));
    const NavMeshSnapshot before = mesh.acquire();
    Result<Route> route = find_route(mesh, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    const MeshEdit crate[] = {MeshEdit::add(7, MeshObstacle::box({9, 5}, {0.5, 0.5}, 0.0, -1, 2))};
    ASSERT_TRUE(mesh.apply(crate));
    EXPECT_FALSE(mesh.state().link(1)->awake);
    EXPECT_EQ(status_of(mesh, query, scratch), PathStatus::unreachable);
    const Revalidation still = revalidate(mesh, *route, MeshQuery{}, scratch).value();
    EXPECT_FALSE(still.legal);
    EXPECT_TRUE(verify(*route, mesh, {}, {.check_revision = false}));
    EXPECT_EQ(find_route(*before, query, scratch).value().status, PathStatus::complete);
    const MeshEdit gone[] = {MeshEdit::remove(7)};
    ASSERT_TRUE(mesh.apply(gone));
    EXPECT_TRUE(mesh.state().link(1)->awake);
    EXPECT_EQ(status_of(mesh, query, scratch), PathStatus::complete);
    EXPECT_TRUE(revalidate(mesh, *route, MeshQuery{}, scratch).value().legal);
    // Beside a crate a wide link stays open.
    MeshLink wide = narrow;
    wide.extent = 6.0;
    const MeshEdit widen[] = {MeshEdit::change_link(wide), crate[0]};
    ASSERT_TRUE(mesh.apply(widen));
    EXPECT_TRUE(mesh.state().link(1)->awake);
    const Result<Route> beside = find_route(mesh, query, scratch);
    ASSERT_EQ(beside->status, PathStatus::complete);
    EXPECT_FALSE(verify(*beside, mesh, {}));
    EXPECT_LE(beside->legs[1].start.position.y, 4.5 + 1e-9);
}

TEST(MeshLinks, ComeAndGoWithTheirTiles) {
    NavMesh mesh = three_rooms().make_tiled(20.0);
    Scratch scratch;
    const MeshEdit put[] = {MeshEdit::add_link({.id = 1, .from = {9, 5, 0}, .to = {21, 5, 0}})};
    ASSERT_TRUE(mesh.apply(put));
    const MeshQuery query{.start = {5, 1, 0}, .goal = Vec3{25, 1, 0}};
    EXPECT_EQ(status_of(mesh, query, scratch), PathStatus::complete);
    ASSERT_TRUE(mesh.remove_tile(1, 0));
    EXPECT_FALSE(mesh.state().link(1)->awake);
    EXPECT_EQ(mesh.state().links(), 1U);
    const Vec3 corners[] = {{20, 0, 1}, {30, 0, 1}, {30, 10, 1}, {20, 10, 1}};
    const std::uint32_t sizes[] = {4}, order[] = {0, 1, 2, 3};
    ASSERT_TRUE(mesh.set_tile(
        {.x = 1, .y = 0, .vertices = corners, .polygon_sizes = sizes, .polygon_corners = order}));
    EXPECT_TRUE(mesh.state().link(1)->awake);
    EXPECT_EQ(mesh.state().link(1)->to.z, 1.0);
    EXPECT_EQ(status_of(mesh, query, scratch), PathStatus::complete);
}

TEST(MeshLinks, BadOnesChangeNothing) {
    NavMesh mesh = three_rooms().make();
    const MeshLink good{.id = 1, .from = {9, 5, 0}, .to = {21, 5, 0}};
    const MeshEdit put[] = {MeshEdit::add_link(good)};
    ASSERT_TRUE(mesh.apply(put));
    const std::uint64_t revision = mesh.state().revision();
    const auto refused = [&](const MeshEdit& edit, ErrorCode code) {
        MeshLink other = good;
        other.id = 2;
        const MeshEdit edits[] = {MeshEdit::add_link(other), edit};
        const Result<void> done = mesh.apply(edits);
        return !done && done.error().code == code && done.error().index == 1 && mesh.state().links() == 1 &&
               mesh.state().revision() == revision;
    };
    EXPECT_TRUE(refused(MeshEdit::add_link(good), ErrorCode::duplicate_id));
    EXPECT_TRUE(refused(MeshEdit::remove_link(9), ErrorCode::unknown_id));
    MeshLink bad = good;
    bad.id = 9;
    EXPECT_TRUE(refused(MeshEdit::change_link(bad), ErrorCode::unknown_id));
    const auto with = [&](auto&& change) {
        MeshLink link = bad;
        change(link);
        return MeshEdit::add_link(link);
    };
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.from.x = NAN; }), ErrorCode::not_finite));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.cost = INFINITY; }), ErrorCode::not_finite));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.cost = -2.0; }), ErrorCode::out_of_range));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.cost = 1e7; }), ErrorCode::out_of_range));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.kind = 64; }), ErrorCode::out_of_range));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.extent = -1.0; }), ErrorCode::out_of_range));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.heading_rad = 2e4; }), ErrorCode::out_of_range));
    EXPECT_TRUE(refused(with([](MeshLink& l) { l.to.z = 1e10; }), ErrorCode::out_of_range));
    PlainMesh plain = three_rooms();
    plain.flatten();
    const NavMeshTile tile = plain.tile();
    const MeshLink twice[] = {good, good};
    const Result<NavMesh> made = NavMesh::make({.tiles = {&tile, 1}, .links = twice});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error(), (Error{ErrorCode::duplicate_id, 1, 1}));
}

TEST(MeshLinks, DamagedLegsAreRefused) {
    NavMesh mesh = three_rooms().make();
    Scratch scratch;
    const MeshEdit put[] = {
        MeshEdit::add_link({.id = 1, .from = {9, 5, 0}, .to = {21, 5, 0}, .extent = 4.0, .one_way = true}),
        MeshEdit::add_link({.id = 2, .from = {29, 5, 0}, .to = {41, 5, 0}, .kind = 5, .radius_max = 1.0})};
    ASSERT_TRUE(mesh.apply(put));
    const MeshQuery query{.start = {5, 1, 0}, .goal = Vec3{45, 9, 0}};
    Result<Route> route = find_route(mesh, query, scratch);
    ASSERT_EQ(route->status, PathStatus::complete);
    ASSERT_EQ(route->legs.size(), 5U);
    const auto judged = [&](auto&& change, const MeshVerifyOptions& options = {}, double radius = 0.0) {
        Route other;
        other.status = route->status;
        other.length = route->length;
        other.cost = route->cost;
        other.bound = route->bound;
        other.revision = route->revision;
        other.end = route->end;
        EXPECT_TRUE(other.legs.assign(route->legs.span()));
        change(other);
        return verify(other, mesh, {.radius = radius}, options).kind;
    };
    const auto nothing = [](Route&) {};
    EXPECT_EQ(judged(nothing), ViolationKind::none);
    EXPECT_EQ(judged(nothing, {.filter = {.links = {.closed = KindSet::of_mask(1)}}}), ViolationKind::link);
    EXPECT_EQ(judged(nothing, {.filter = {.links = {.closed = KindSet::of_mask(32)}}}), ViolationKind::link);
    EXPECT_NE(judged(nothing, {}, 1.5), ViolationKind::none);
    EXPECT_EQ(judged([](Route& r) { r.legs[1].link_id = 2; }), ViolationKind::link);
    EXPECT_EQ(judged([](Route& r) { r.legs[1].link_id = 3; }), ViolationKind::link);
    EXPECT_EQ(judged([](Route& r) { r.legs[1].start.heading_rad += 1e-3; }), ViolationKind::link);
    EXPECT_EQ(judged([](Route& r) { r.legs[1].rise = 0.1; }), ViolationKind::link);
    EXPECT_EQ(judged([](Route& r) { r.legs[1].length = 0.1; }), ViolationKind::link);
    EXPECT_EQ(judged([](Route& r) { r.legs[2].start.position.y += 1e-6; }), ViolationKind::link);
    EXPECT_EQ(judged([](Route& r) { r.legs[2].start.position.x += 1e-6; }), ViolationKind::link);
    EXPECT_NE(judged([](Route& r) { r.legs[1].start.position.y += 1e-6; }), ViolationKind::none);
    EXPECT_NE(judged([](Route& r) { r.legs[2].start.position.z += 1.0; }), ViolationKind::none);
}

// With obstacles, in tiles, with landmarks measured at any time: as on one tile without landmarks, made anew.
TEST(MeshLinks, ObstaclesTilesAndLandmarksChangeNothing) {
    Rng rng(1603);
    Scratch scratch;
    int with_links = 0, asleep = 0;
    for (int round = 0; round < trials(60); ++round) {
        PlainMesh plain = random_mesh(rng, {.width = 9,
                                            .height = 9,
                                            .blocked_percent = 10 + rng.below(40),
                                            .split_percent = rng.below(60),
                                            .join_percent = 0});
        if (plain.polygons.size() < 3) continue;
        NavMesh tiled = plain.make_tiled(12.0, rng.below(2) == 0 ? 0 : kLandmarksMax);
        const auto place = [&] { return Vec3{rng.between(0.0, 36.0), rng.between(0.0, 36.0), 0.0}; };
        std::vector<MeshEdit> all;
        for (std::uint32_t step = 0; step < 5; ++step) {
            MeshLink link{.id = step, .from = place(), .to = place()};
            link.extent = rng.below(2) == 0 ? 0.0 : rng.between(0.5, 12.0);
            link.heading_rad = rng.between(-3.0, 3.0);
            link.one_way = rng.below(3) == 0;
            link.cost = rng.below(2) == 0 ? kLinkCostStraight : rng.between(0.0, 10.0);
            link.reach = 5.0;
            const Vec3 at = rng.below(2) == 0 ? link.from : place();
            const std::vector<MeshEdit> now = {
                MeshEdit::add_link(link),
                MeshEdit::add(step,
                              MeshObstacle::box(ground(at), {rng.between(0.3, 2.0), rng.between(0.3, 2.0)},
                                                rng.between(0.0, 3.0), -1, 1))};
            ASSERT_TRUE(tiled.apply(now));
            all.insert(all.end(), now.begin(), now.end());
            if (rng.below(3) == 0) {
                ASSERT_TRUE(tiled.measure_landmarks());
            }
            NavMesh fresh = plain.make(0);
            ASSERT_TRUE(fresh.apply(all));
            for (std::uint32_t i = 0; i <= step; ++i) {
                ASSERT_EQ(fresh.state().link(i)->awake, tiled.state().link(i)->awake) << "round " << round;
                asleep += fresh.state().link(i)->awake ? 0 : 1;
            }
            for (int i = 0; i < 10; ++i) {
                const MeshQuery query{.start = place(), .goal = place()};
                Result<Route> a = find_route(tiled, query, scratch), b = find_route(fresh, query, scratch);
                ASSERT_TRUE(a && b);
                ASSERT_EQ(a->status, b->status) << "round " << round << " step " << step << " query " << i;
                ASSERT_NEAR(a->cost, b->cost, 1e-8 * (1.0 + b->cost)) << "round " << round << " query " << i;
                if (a->status != PathStatus::complete) continue;
                const Violation bad = verify(*a, tiled, {});
                ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " query " << i;
                ASSERT_TRUE(revalidate(tiled, *a, MeshQuery{}, scratch).value().legal)
                    << "round " << round << " query " << i;
                for (const Leg& leg : a->legs) with_links += leg.kind == LegKind::link ? 1 : 0;
            }
        }
    }
    EXPECT_GT(with_links, trials(60) * 3);
    EXPECT_GT(asleep, trials(60) / 2);
}

TEST(MeshLinks, SlicesAndManyGoalsChangeNothing) {
    Rng rng(1602);
    Scratch scratch;
    for (int round = 0; round < trials(60); ++round) {
        LinkWorld world;
        world.plain = random_mesh(rng, link_recipe(rng));
        if (world.plain.polygons.empty()) continue;
        world.shape = oracle_mesh(world.plain);
        const MeshOracle oracle(world.shape);
        NavMesh mesh = world.plain.make();
        std::vector<MeshEdit> put;
        for (std::uint32_t id = 0; id < 6; ++id) {
            world.links.push_back(random_link(rng, id, world, oracle));
            if (rng.below(2) == 0) {
                world.links.back().extent = rng.below(20);
                world.links.back().heading_rad = rng.between(-3.0, 3.0);
            }
            put.push_back(MeshEdit::add_link(world.links.back()));
        }
        ASSERT_TRUE(mesh.apply(put));
        std::vector<Vec3> goals(1 + rng.below(12));
        for (Vec3& goal : goals) goal = on_floor(random_mesh_point(rng, world.shape).at);
        const Vec3 start = on_floor(random_mesh_point(rng, world.shape).at);
        std::vector<Route> routes(goals.size());
        ASSERT_TRUE(find_routes_into(mesh, {.start = start, .goal = Goal::any_of(goals)}, scratch, routes));
        double least = INFINITY;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const MeshQuery query{.start = start, .goal = goals[i]};
            const Result<Route> whole = find_route(mesh, query, scratch);
            ASSERT_TRUE(whole);
            ASSERT_EQ(routes[i].status, whole->status) << "round " << round << " goal " << i;
            ASSERT_NEAR(routes[i].cost, whole->cost, 1e-9 * (1.0 + whole->cost)) << "round " << round;
            if (whole->status == PathStatus::complete) least = std::fmin(least, whole->cost);
            MeshSearch search(mesh, query, scratch);
            while (search.step(1 + rng.below(5))) {
            }
            Route sliced;
            ASSERT_TRUE(search.take(sliced));
            EXPECT_EQ(sliced.stats, whole->stats);
            EXPECT_EQ(sliced.cost, whole->cost);
            for (const MeshPlanner planner : {MeshPlanner::corridor, MeshPlanner::portal_midpoints}) {
                MeshQuery other = query;
                other.planner = planner;
                const Result<Route> corridor = find_route(mesh, other, scratch);
                ASSERT_TRUE(corridor);
                ASSERT_EQ(corridor->status, whole->status) << "round " << round << " goal " << i;
                if (whole->status != PathStatus::complete) continue;
                EXPECT_GE(corridor->cost, whole->cost * (1.0 - 1e-9));
                EXPECT_LE(corridor->cost / corridor->bound, whole->cost * (1.0 + 1e-9));
                const Violation bad = verify(*corridor, mesh, {});
                ASSERT_FALSE(bad) << bad.text().c_str() << " round " << round << " goal " << i << " "
                                  << planner_name(planner);
            }
        }
        Result<Route> any = find_route(mesh, MeshQuery{.start = start, .goal = Goal::any_of(goals)}, scratch);
        if (!std::isinf(least)) {
            EXPECT_NEAR(any->cost, least, 1e-9 * (1.0 + least));
        }
    }
}

}  // namespace
}  // namespace fairlead
