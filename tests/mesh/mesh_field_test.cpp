// Fields of level meshes: ways as long as those of a visibility graph, found apart; what is followed step by step gets shorter all the
// time;
// slices, edits, links, bad input, memory.
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_field.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/schedule/scheduler.h>
#include <fairlead/verify/verify_mesh.h>

#include "oracle/mesh_oracle.h"
#include "support/environment.h"
#include "support/heap_counter.h"
#include "support/oracle_mesh.h"
#include "support/plain_mesh.h"

namespace fairlead {
namespace {

using testing::ambiguous;
using testing::MeshOracle;
using testing::on_floor;
using testing::oracle_mesh;
using testing::OracleMesh;
using testing::PlainMesh;
using testing::random_mesh;
using testing::random_mesh_point;
using testing::random_recipe;
using testing::trials;

void fill(MeshField& field, const NavMesh& mesh, Vec3 goal, std::uint64_t slice = UINT64_MAX) {
    ASSERT_TRUE(field.begin(mesh.acquire(), {.goal = goal}));
    while (field.running()) ASSERT_GT(field.step(slice), 0U);
}

TEST(MeshField, EqualsTheVisibilityGraph) {
    Rng rng(2401);
    Scratch scratch;
    Route route;
    int compared = 0;
    for (int world = 0; world < trials(300); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const MeshOracle oracle(shape);
        const NavMesh mesh = plain.make(0);
        const MeshOracle::Point goal = random_mesh_point(rng, shape);
        if (ambiguous(shape, oracle, goal)) continue;
        MeshField field;
        fill(field, mesh, on_floor(goal.at), 1 + rng.below(50));
        ASSERT_TRUE(field.filled());
        for (int i = 0; i < 50; ++i) {
            const MeshOracle::Point from = random_mesh_point(rng, shape);
            if (ambiguous(shape, oracle, from)) continue;
            const double wanted = oracle.shortest(from, goal);
            const MeshFieldStep step = field.sample(on_floor(from.at));
            ASSERT_TRUE(field.route(on_floor(from.at), route));
            ASSERT_EQ(route.status, step.status);
            if (std::isinf(wanted)) {
                ASSERT_EQ(step.status, PathStatus::unreachable) << "world " << world << " query " << i;
                continue;
            }
            ++compared;
            ASSERT_EQ(step.status, PathStatus::complete) << "world " << world << " query " << i;
            ASSERT_NEAR(step.remaining, wanted, 1e-9 * (1.0 + wanted)) << "world " << world << " query " << i;
            ASSERT_NEAR(route.length, wanted, 1e-9 * (1.0 + wanted)) << "world " << world << " query " << i;
            const Violation bad = verify(route, mesh, {});
            ASSERT_FALSE(bad) << bad.text().c_str() << " world " << world << " query " << i;
        }
    }
    EXPECT_GT(compared, 100);
}

TEST(MeshField, WhoFollowsItGetsCloserAllTheTime) {
    Rng rng(2402);
    for (int world = 0; world < trials(60); ++world) {
        PlainMesh plain = random_mesh(rng, random_recipe(rng));
        if (plain.polygons.empty()) continue;
        const OracleMesh shape = oracle_mesh(plain);
        const NavMesh mesh = plain.make(0);
        MeshField field;
        fill(field, mesh, on_floor(random_mesh_point(rng, shape).at));
        Vec3 at = on_floor(random_mesh_point(rng, shape).at);
        MeshFieldStep step = field.sample(at);
        if (step.status != PathStatus::complete) continue;
        const double stride = 0.05 + 0.01 * step.remaining;
        int left = 100000;
        for (; !(step.last && step.remaining <= stride) && left > 0; --left) {
            const double way = distance(ground(at), ground(step.to));
            const double part = way > stride ? stride / way : 1.0;
            const double before = step.remaining;
            at = {at.x + (step.to.x - at.x) * part, at.y + (step.to.y - at.y) * part, at.z};
            step = field.sample(at);
            ASSERT_EQ(step.status, PathStatus::complete) << "world " << world;
            ASSERT_LE(step.remaining, before - way * part + 1e-6 * (1.0 + before)) << "world " << world;
        }
        EXPECT_GT(left, 0);
    }
}

TEST(MeshField, SameForAnySliceAndInTheScheduler) {
    Rng rng(2403);
    PlainMesh plain = random_mesh(rng, random_recipe(rng));
    while (plain.polygons.size() < 8) plain = random_mesh(rng, random_recipe(rng));
    const OracleMesh shape = oracle_mesh(plain);
    const Vec3 goal = on_floor(random_mesh_point(rng, shape).at);
    const NavMesh mesh = plain.make(0);
    MeshField whole, sliced, job;
    fill(whole, mesh, goal);
    fill(sliced, mesh, goal, 1);
    EXPECT_EQ(whole.digest(), sliced.digest());
    ASSERT_TRUE(job.begin(mesh.acquire(), {.goal = goal}));
    Result<Scheduler> scheduler = Scheduler::make();
    const Result<RequestId> id = scheduler->submit_job(job);
    ASSERT_TRUE(id);
    for (int i = 0; i < 100000 && scheduler->status(*id) != RequestStatus::done; ++i) {
        const UpdateReport report = scheduler->update({.units = 3});
        ASSERT_LE(report.units, 3U);
        ASSERT_EQ(report.units_over, 0U);
    }
    EXPECT_EQ(job.digest(), whole.digest());
    // once warm nothing is allocated
    fill(whole, mesh, goal);
    const std::uint64_t before = testing::heap_calls();
    fill(whole, mesh, goal);
    Route route;
    (void)whole.sample(goal);
    EXPECT_EQ(testing::heap_calls(), before);
}

TEST(MeshField, BadInputIsNamed) {
    Rng rng(2404);
    PlainMesh plain = random_mesh(rng, random_recipe(rng));
    while (plain.polygons.empty()) plain = random_mesh(rng, random_recipe(rng));
    const NavMesh mesh = plain.make(0);
    MeshField field;
    EXPECT_EQ(field.sample({}).status, PathStatus::goal_blocked);
    EXPECT_FALSE(field.running());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(field.begin(mesh.acquire(), {.goal = {nan, 0, 0}}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(field.begin(mesh.acquire(), {.goal = {1e300, 0, 0}}).error().field, Field::goal);
    EXPECT_EQ(field.begin(mesh.acquire(), {.radius = nan}).error().field, Field::agent_radius);
    EXPECT_EQ(field.begin(mesh.acquire(), {.radius = 1e6}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(field.begin(mesh.acquire(), {.reach = {.across = nan}}).error().field, Field::reach);
    const double factors[] = {1.0, 2.0};
    EXPECT_EQ(field.begin(mesh.acquire(), {.areas = {.factors = {factors, 2}}}).error().code,
              ErrorCode::unsupported);
    // far from the mesh: nothing leads there
    ASSERT_TRUE(field.begin(mesh.acquire(), {.goal = {1e6, 1e6, 0}}));
    EXPECT_FALSE(field.running());
    EXPECT_EQ(field.sample({}).status, PathStatus::goal_blocked);
    Route route;
    ASSERT_TRUE(field.route({}, route));
    EXPECT_EQ(route.status, PathStatus::goal_blocked);
    fill(field, mesh, mesh.state().corner(mesh.state().polygon(0), 0));
    EXPECT_EQ(field.sample({1e6, 0, 0}).status, PathStatus::start_blocked);
    EXPECT_EQ(field.sample({nan, 0, 0}).status, PathStatus::start_blocked);
    MeshField moved = std::move(field);
    EXPECT_TRUE(moved.filled());
}

}  // namespace
}  // namespace fairlead
