// Numbers that a query on a mesh may not hold: each is refused with its documented code and index, or changes nothing.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>

#include "support/plain_mesh.h"
#include "support/saved_meshes.h"

namespace fairlead::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kMax = std::numeric_limits<double>::max();

// Places of the fields in MeshQuery.

PlainMesh room() {
    PlainMesh plain;
    plain.vertices = {{0, 0, 0}, {5, 0, 0}, {5, 10, 0}, {0, 10, 0}, {10, 0, 0}, {10, 10, 0}};
    plain.polygons = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    return plain;
}

class MeshBadQuery : public ::testing::Test {
  protected:
    NavMesh mesh = room().make(4, {}, 2.0);
    Scratch scratch;
    const MeshQuery good{.start = {1, 1, 0}, .goal = Vec3{9, 9, 0}};

    void refused(const MeshQuery& query, const Error& wanted) {
        Route route;
        ASSERT_TRUE(find_route_into(mesh, good, scratch, route));
        ASSERT_EQ(route.status, PathStatus::complete);
        const Result<void> done = find_route_into(mesh, query, scratch, route);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error(), wanted) << error_text(done.error()).c_str();
        EXPECT_TRUE(route.legs.empty());
        EXPECT_EQ(route.length, 0.0);
        Route routes[1];
        MeshQuery several = query;
        const Spot only[] = {query.goal.at};
        if (several.goal.kind == Goal::Kind::point) several.goal = Goal::any_of(only);
        if (several.goal.is_list() && several.goal.list.size() == 1) {
            EXPECT_FALSE(find_routes_into(mesh, several, scratch, routes));
        }
        MeshSearch search(mesh, query, scratch);
        while (search.step(1)) {
        }
        const Result<void> sliced = search.take(route);
        ASSERT_FALSE(sliced);
        EXPECT_EQ(sliced.error(), done.error());
    }
};

TEST_F(MeshBadQuery, Places) {
    const auto poke = [](Vec3& p, int which) -> double& { return which == 0 ? p.x : which == 1 ? p.y : p.z; };
    for (int which = 0; which < 3; ++which) {
        for (const double value : {kNan, kInf, -kInf, kMax, -kMax, 2.1e9, -2.1e9}) {
            const ErrorCode code = std::isfinite(value) ? ErrorCode::out_of_range : ErrorCode::not_finite;
            MeshQuery query = good;
            poke(query.start.position, which) = value;
            refused(query, {code, Field::start});
            query = good;
            poke(query.goal.at.position, which) = value;
            refused(query, {code, Field::goal});
            std::vector<Vec3> goals(3, Vec3{9, 9, 0});
            poke(goals[2], which) = value;
            query = good;
            query.goal = Goal::any_of(goals);
            refused(query, {code, Field::goal_list, 2, 0});
        }
    }
    const std::vector<Vec3> many(65537, Vec3{9, 9, 0});
    MeshQuery query = good;
    query.goal = Goal::any_of(many);
    refused(query, {ErrorCode::size_limit, Field::goal_list, 65536});
}

TEST_F(MeshBadQuery, Units) {
    const auto with = [&](const Agent& agent) {
        MeshQuery query = good;
        query.agent = agent;
        return query;
    };
    refused(with({.radius = kNan}), {ErrorCode::not_finite, Field::agent_radius});
    refused(with({.radius = kInf}), {ErrorCode::not_finite, Field::agent_radius});
    refused(with({.radius = 0.5, .turning_radius = kNan}),
            {ErrorCode::not_finite, Field::agent_turning_radius});
    refused(with({.radius = -1.0}), {ErrorCode::out_of_range, Field::agent_radius});
    refused(with({.radius = 2.1}), {ErrorCode::out_of_range, Field::agent_radius});
    refused(with({.radius = 1e300}), {ErrorCode::out_of_range, Field::agent_radius});
    refused(with({.radius = 0.5, .turning_radius = 2.0}),
            {ErrorCode::unsupported, Field::agent_turning_radius});
    Agent tiles{.radius = 0.5};
    tiles.footprint = 2;
    refused(with(tiles), {ErrorCode::incompatible, Field::agent_footprint});
    MeshQuery corridor = with({.radius = 0.5});
    corridor.planner = MeshPlanner::corridor;
    refused(corridor,
            {ErrorCode::unsupported, Field::planner, static_cast<std::int64_t>(Field::agent_radius)});
    // Prices of areas are for corridors too.
    std::vector<double> prices(kAreasMax, 1.0);
    prices[1] = 2.0;
    MeshQuery priced = with({.radius = 0.5});
    priced.filter.areas.factors = prices;
    refused(priced, {ErrorCode::unsupported, Field::areas, static_cast<std::int64_t>(Field::agent_radius)});
}

TEST_F(MeshBadQuery, ReachPlannerAndFilter) {
    for (double MeshReach::*which : {&MeshReach::across, &MeshReach::above, &MeshReach::below}) {
        for (const double value : {kNan, kInf, -1.0, -5e-324, 4.1e9, kMax}) {
            MeshQuery query = good;
            query.reach.*which = value;
            refused(query,
                    {std::isnan(value) ? ErrorCode::not_finite : ErrorCode::out_of_range, Field::reach});
        }
    }
    for (const int value : {3, 4, 255}) {
        MeshQuery query = good;
        query.planner = static_cast<MeshPlanner>(value);
        refused(query, {ErrorCode::out_of_range, Field::planner});
    }
    for (KindFilter MeshFilter::*which : {&MeshFilter::areas, &MeshFilter::links}) {
        const bool areas = which == &MeshFilter::areas;
        const std::size_t size = areas ? kAreasMax : kLinkKindsMax;
        const Field field = areas ? Field::areas : Field::links;
        const std::vector<double> many(size + 1, 1.0);
        MeshQuery query = good;
        (query.filter.*which).factors = many;
        refused(query, {ErrorCode::size_limit, field, static_cast<std::int64_t>(size)});
        for (const double value : {kNan, kInf, -kInf, -1.0, 9e-7, 1.1e6, 5e-324}) {
            std::vector<double> factors(size, 1.0);
            factors[size - 1] = value;
            (query.filter.*which).factors = factors;
            refused(query, {std::isfinite(value) ? ErrorCode::out_of_range : ErrorCode::not_finite, field,
                            static_cast<std::int64_t>(size - 1), 0});
        }
    }
    // Kinds past the list's end have factor 1.
    const double few[] = {1.0};
    MeshQuery query = good;
    query.filter.areas.factors = few;
    Route route;
    ASSERT_TRUE(find_route_into(mesh, query, scratch, route));
    EXPECT_EQ(route.status, PathStatus::complete);
    // SEAM-6 and what no mesh serves: by name.
    query = good;
    query.goal = Goal::within({9, 9, 0}, 1.0);
    refused(query, {ErrorCode::unsupported, Field::goal});
    query = good;
    query.start = Spot::cell(1, 1, 0);
    refused(query, {ErrorCode::unsupported, Field::start});
    query = good;
    query.goal = WaypointId{3};
    refused(query, {ErrorCode::unsupported, Field::goal});
}

TEST_F(MeshBadQuery, SeveralRoutes) {
    const Vec3 goals[] = {{9, 9, 0}, {9, 1, 0}};
    MeshQuery query = good;
    query.goal = Goal::any_of(goals);
    std::vector<Route> routes(2);
    ASSERT_TRUE(find_routes_into(mesh, query, scratch, routes));
    ASSERT_FALSE(routes[1].legs.empty());
    for (const std::size_t count : {0U, 1U}) {
        const Result<void> done = find_routes_into(mesh, query, scratch, std::span(routes).first(count));
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().code, ErrorCode::size_mismatch);
        EXPECT_EQ(done.error().field, Field::goal_list);
    }
    query.planner = MeshPlanner::corridor;
    EXPECT_EQ(find_routes_into(mesh, query, scratch, routes).error().code, ErrorCode::unsupported);
    for (const Route& route : routes) EXPECT_TRUE(route.legs.empty());
}

// What a mesh is asked besides routes, on plain polygons and on ground with heights.
TEST(MeshBadNumbers, QueriesOfTheSurface) {
    for (const NavMesh& mesh :
         {room().make(0), room().make_tiled(10.0, 0), small_baked(0), small_baked(24)}) {
        const NavMeshState& state = mesh.state();
        Scratch scratch;
        Array<MeshDistance> within;
        Rng rng(1);
        const MeshPoint from = random_point(state, rng);
        ASSERT_TRUE(from.polygon.valid());
        for (const double bad : {kNan, kInf, -kInf}) {
            for (const Vec2 to : {Vec2{bad, 1.0}, Vec2{1.0, bad}, Vec2{bad, bad}}) {
                const MeshHit hit = cast_ray(state, from, to);
                EXPECT_TRUE(hit.hit);
                EXPECT_EQ(hit.length, 0.0);
                EXPECT_EQ(hit.end.polygon, from.polygon);
                EXPECT_EQ(ground(hit.end.position), ground(from.position));
                EXPECT_EQ(hit.wall_a, hit.wall_b);
                const Result<MeshPoint> moved = move_along(state, from, to, scratch);
                ASSERT_FALSE(moved);
                EXPECT_EQ(moved.error(), (Error{ErrorCode::not_finite, Field::to}));
                const Vec3 place{to.x, to.y, 0.0};
                EXPECT_FALSE(state.nearest(place).polygon.valid());
                EXPECT_FALSE(state.nearest(place, {kInf, kInf, kInf}).polygon.valid() && std::isnan(bad));
                state.each_polygon(
                    {to, to}, [](PolygonId, void*) { ADD_FAILURE(); }, nullptr);
                (void)state.ground_height(from.polygon, to);
            }
            EXPECT_FALSE(state.nearest({from.position.x, from.position.y, bad}).polygon.valid());
            EXPECT_FALSE(state.nearest(from.position, {2.0, bad, 1.0}).polygon.valid() && std::isnan(bad));
        }
        for (const double reach : {kNan, -kInf, -1.0, -5e-324}) {
            const Error wanted{std::isnan(reach) ? ErrorCode::not_finite : ErrorCode::out_of_range,
                               Field::reach};
            EXPECT_EQ(find_wall(state, from, reach, scratch).error(), wanted);
            EXPECT_EQ(find_within_into(state, from, reach, scratch, within).error(), wanted);
        }
        for (const double error : {kNan, 0.0, -1.0}) {
            Route route;
            route.revision = state.revision();
            EXPECT_EQ(follow_surface(state, error, route).error(),
                      (Error{ErrorCode::out_of_range, Field::accuracy}));
        }
    }
}

// However far, a ray ends at the same wall, a step at the wall nearest to it, and a reach holds everything.
TEST(MeshBadNumbers, HugeLengths) {
    const NavMesh mesh = room().make(0);
    Scratch scratch;
    const MeshPoint from = mesh.state().nearest({1, 5, 0});
    for (const double far : {20.0, 1e9, 1e12, 1e100, 1e300, kMax}) {
        SCOPED_TRACE(far);
        const MeshHit east = cast_ray(mesh, from, {far, 5.0});
        EXPECT_TRUE(east.hit);
        EXPECT_EQ(ground(east.end.position), (Vec2{10, 5}));
        EXPECT_EQ(east.length, 9.0);
        const MeshHit askew = cast_ray(mesh, from, {-far, -far});
        EXPECT_TRUE(askew.hit);
        EXPECT_NEAR(askew.end.position.x, 0.0, 1e-12);
        const Result<MeshPoint> moved = move_along(mesh, from, {far, 5.0}, scratch);
        ASSERT_TRUE(moved);
        EXPECT_EQ(moved->position.x,
                  10.0);  // from so far away every point of the wall is as near, but for rounding
        const Result<MeshWall> wall = find_wall(mesh, from, far, scratch);
        ASSERT_TRUE(wall);
        EXPECT_TRUE(wall->found);
        EXPECT_EQ(wall->distance, 1.0);
        Array<MeshDistance> within;
        ASSERT_TRUE(find_within_into(mesh, from, far, scratch, within));
        EXPECT_EQ(within.size(), 2U);
        const MeshPoint near = mesh.state().nearest({far, 5.0, 0.0}, {kInf, kInf, kInf});
        if (far <= 1e9) {
            EXPECT_EQ(near.position.x, 10.0);
        }
    }
    EXPECT_EQ(find_wall(mesh, from, kInf, scratch).value().distance, 1.0);
}

}  // namespace
}  // namespace fairlead::testing
