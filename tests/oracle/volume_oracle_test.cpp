// The oracles on volumes, against answers worked out by hand, against each other, and against the published costs.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/math/pose.h>

#include "oracle/volume_graph.h"
#include "oracle/volume_radius.h"
#include "oracle/volume_reference.h"
#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/volumes.h"

namespace fairlead::oracle {
namespace {

using testing::random_volume;
using testing::VolumeKind;

/// A wall of 5 x 5 x 1 between two halves, with the given hole.
VolumeDense walled(std::vector<Voxel> holes) {
    VolumeDense world({5, 5, 5});
    for (std::int32_t y = 0; y < 5; ++y) {
        for (std::int32_t z = 0; z < 5; ++z) world.set({2, y, z}, true);
    }
    for (const Voxel& hole : holes) world.set(hole, false);
    return world;
}

TEST(VolumeOracle, Components) {
    const VolumeDense world = walled({});
    const std::vector<std::int32_t> label = volume_components(world);
    EXPECT_EQ(label[world.index({0, 0, 0})], 0);
    EXPECT_EQ(label[world.index({1, 4, 4})], 0);
    EXPECT_EQ(label[world.index({2, 2, 2})], -1);
    EXPECT_EQ(label[world.index({3, 0, 0})], 1);
    const VolumeDense open = walled({{2, 4, 0}});
    EXPECT_EQ(volume_components(open)[open.index({4, 4, 4})], 0);
    // Voxels that meet at an edge or at a corner are not joined.
    VolumeDense two({2, 2, 2});
    for (std::uint8_t& solid : two.solid) solid = 1;
    two.set({0, 0, 0}, false);
    two.set({1, 1, 0}, false);
    EXPECT_EQ(volume_components(two)[two.index({1, 1, 0})], 1);
}

TEST(VolumeOracle, StepsNeedTheirWholeBlock) {
    VolumeDense world({2, 2, 2});
    const VolumeGraph graph(world);
    EXPECT_EQ(graph.steps().size(), 26U);
    EXPECT_EQ(VolumeGraph(world, VolumeSteps::edges).steps().size(), 18U);
    EXPECT_EQ(VolumeGraph(world, VolumeSteps::faces).steps().size(), 6U);
    const auto cost = [&](VolumeSteps steps, Voxel to) {
        return VolumeGraph(world, steps).shortest({0, 0, 0}, to)->cost;
    };
    EXPECT_EQ(cost(VolumeSteps::corners, {1, 1, 1}), (VolumeCost{0, 0, 1}));
    EXPECT_EQ(cost(VolumeSteps::edges, {1, 1, 1}), (VolumeCost{1, 1, 0}));
    EXPECT_EQ(cost(VolumeSteps::faces, {1, 1, 1}), (VolumeCost{3, 0, 0}));
    world.set({1, 0, 0}, true);
    EXPECT_FALSE(graph.step_free({0, 0, 0}, {1, 1, 1}));
    EXPECT_FALSE(graph.step_free({0, 0, 0}, {1, 1, 0}));
    EXPECT_TRUE(graph.step_free({0, 0, 0}, {0, 1, 1}));
    EXPECT_EQ(cost(VolumeSteps::corners, {1, 1, 1}), (VolumeCost{1, 1, 0}));
    EXPECT_EQ(cost(VolumeSteps::corners, {1, 0, 1}), (VolumeCost{2, 0, 0}));
    EXPECT_FALSE(graph.shortest({0, 0, 0}, {1, 0, 0}));
    EXPECT_FALSE(VolumeGraph(walled({})).shortest({0, 0, 0}, {4, 0, 0}));
}

TEST(VolumeOracle, GuidedAndUnguidedAgree) {
    Rng rng(4);
    for (int i = 0; i < testing::trials(60); ++i) {
        const VolumeDense world = testing::any_volume(rng, 9);
        Voxel from, to;
        if (!testing::draw_free(rng, world, from) || !testing::draw_free(rng, world, to)) continue;
        const std::vector<std::int32_t> label = volume_components(world);
        for (const VolumeSteps steps : {VolumeSteps::faces, VolumeSteps::edges, VolumeSteps::corners}) {
            const VolumeGraph graph(world, steps);
            const auto way = graph.shortest(from, to);
            const long double plain = graph.costs_from(from)[world.index(to)];
            ASSERT_EQ(way.has_value(), label[world.index(from)] == label[world.index(to)]);
            ASSERT_EQ(way.has_value(), plain >= 0.0L);
            if (way) {
                ASSERT_EQ(way->cost.value(), plain);
            }
        }
    }
}

TEST(VolumeOracle, Rooms) {
    VolumeDense world({5, 5, 5});
    world.set({3, 2, 2}, true);
    EXPECT_EQ(squared_room(world, {2.5L, 2.5L, 2.5L}), 0.25L);
    EXPECT_EQ(squared_room(world, {2.0L, 1.0L, 1.5L}), 1.0L);  // the outside
    EXPECT_EQ(squared_room(world, {2.5L, 1.5L, 1.5L}), 0.75L);
    EXPECT_EQ(squared_room(world, {3.5L, 2.5L, 2.5L}), 0.0L);
    EXPECT_TRUE(clear_of_all(world, {0.5, 1.99, 0.5}, {4.5, 1.99, 4.5}));
    EXPECT_FALSE(clear_of_all(world, {0.5, 2.0, 0.5}, {4.5, 2.0, 4.5}));  // along an edge
    EXPECT_TRUE(clear_of_all(world, {2.9, 1.0, 2.5}, {2.9, 4.0, 2.5}));
    EXPECT_FALSE(clear_of_all(world, {3.0, 1.0, 2.5}, {3.0, 4.0, 2.5}));
    EXPECT_FALSE(clear_of_all(world, {0.5, 0.5, 0.5}, {-0.5, 0.5, 0.5}));
    EXPECT_EQ(depth_among_solid(world, {3.25L, 2.5L, 2.5L}, 9.0L), 0.25L);
    EXPECT_EQ(depth_among_solid(world, {3.0L, 2.5L, 2.5L}, 9.0L), 0.0L);
    Leg leg;
    leg.start.position = {0.5, 0.5, 2.5};
    leg.length = 3.0;
    EXPECT_NEAR(static_cast<double>(leg_room(world, leg, 50)), 0.5, 1e-15);
    leg.start.heading_rad = kHalfPi;
    leg.curvature = -1.0 / 2.5;  // a quarter of the circle round (3, 0.5): it ends at a corner of the voxel
    leg.length = 2.5 * kHalfPi;
    EXPECT_NEAR(static_cast<double>(leg_room(world, leg, 50)), 0.0, 1e-15);
    leg.length = 2.5 * kPi;  // half of it leads out of the volume
    EXPECT_NEAR(static_cast<double>(leg_room(world, leg, 50)), -0.5, 1e-15);
    leg.start.position = {1.0, 1.0, 1.0};
    leg.length = 0.0;
    leg.rise = 2.0;
    EXPECT_NEAR(static_cast<double>(leg_room(world, leg, 50)), 1.0, 1e-15);
}

TEST(VolumeOracle, RadiusOfAHole) {
    // A hole one voxel wide takes a radius of 0.5; one of 2 x 2 takes 1.
    std::vector<VolumeRadius::Pair> pairs{{{1.5, 2.5, 2.5}, {3.5, 2.5, 2.5}},
                                          {{0.5, 0.5, 0.5}, {1.5, 2.5, 2.5}}};
    VolumeRadius(walled({{2, 2, 2}}), 3.0).answer(pairs);
    EXPECT_EQ(pairs[0].radius, 0.5);
    EXPECT_EQ(pairs[1].radius, 0.5);
    const VolumeRadius wide(walled({{2, 2, 2}, {2, 3, 2}, {2, 2, 3}, {2, 3, 3}}), 3.0);
    pairs = {{{1.0, 3.0, 3.0}, {4.0, 3.0, 3.0}}, {{1.0, 3.0, 3.0}, {2.5, 3.0, 3.0}}};
    wide.answer(pairs);
    EXPECT_EQ(pairs[0].radius, 1.0);
    EXPECT_EQ(pairs[1].radius, 1.0);
    EXPECT_EQ(wide.room_at({1.0, 1.0, 1.0}), 1.0);
    pairs.resize(1);
    VolumeRadius(walled({}), 3.0).answer(pairs);
    EXPECT_EQ(pairs[0].radius, -1.0);
    // What is told apart ends at the largest radius.
    VolumeRadius(VolumeDense({12, 12, 12}), 2.0).answer(pairs = {{{6.0, 6.0, 6.0}, {5.0, 6.0, 6.0}}});
    EXPECT_EQ(pairs[0].radius, 2.0);
}

TEST(VolumeOracle, RadiusKnowsEveryDistance) {
    Rng rng(9);
    for (int i = 0; i < testing::trials(12); ++i) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(rng.below(8)), {5, 6, 4});
        const VolumeRadius radius(world, 2.5);
        for (int k = 0; k < 40; ++k) {
            const Vec3 p{rng.between(0, 80) / 16.0, rng.between(0, 96) / 16.0, rng.between(0, 64) / 16.0};
            const WideReal room = std::min<WideReal>(6.25L, squared_room(world, wide(p)));
            ASSERT_EQ(radius.room_at(p), std::sqrt(static_cast<double>(room)));
        }
    }
}

/// Two places are joined for small radii exactly if their voxels are joined.
TEST(VolumeOracle, RadiusAndComponents) {
    Rng rng(10);
    int apart = 0;
    for (int i = 0; i < testing::trials(20); ++i) {
        const VolumeDense world = random_volume(rng, static_cast<VolumeKind>(i % 8), {7, 6, 5});
        const std::vector<std::int32_t> label = volume_components(world);
        std::vector<VolumeRadius::Pair> pairs;
        std::vector<bool> joined;
        for (int k = 0; k < 20; ++k) {
            Voxel from, to;
            if (!testing::draw_free(rng, world, from) || !testing::draw_free(rng, world, to)) continue;
            pairs.push_back({world.centre(from), world.centre(to)});
            joined.push_back(label[world.index(from)] == label[world.index(to)]);
        }
        VolumeRadius(world, 1.0).answer(pairs);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            ASSERT_EQ(pairs[k].radius > 0.0, joined[k]);
            if (joined[k]) {
                ASSERT_GE(pairs[k].radius, 0.5);  // through every shared face
            }
            apart += joined[k] ? 0 : 1;
        }
    }
    if (testing::all_trials()) {
        EXPECT_GT(apart, 5);
    }
}

TEST(VolumeOracle, TheReferenceIsShortAndClear) {
    // Over a wall: from z = 0.5 up to its top at z = 4, over it, and down.
    VolumeDense world({9, 5, 9});
    for (std::int32_t y = 0; y < 5; ++y) {
        for (std::int32_t z = 0; z < 4; ++z) world.set({4, y, z}, true);
    }
    const VolumeWay way = reference_way(world, {0, 2, 0}, {8, 2, 0});
    const double expected = 2.0 * std::hypot(3.5, 3.5) + 1.0;
    EXPECT_GE(way.length(), expected);
    EXPECT_LE(way.length(), expected * 1.003);
    EXPECT_TRUE(reference_way(walled({}), {0, 0, 0}, {4, 0, 0}).points.empty());

    Rng rng(12);
    for (int i = 0; i < testing::trials(60); ++i) {
        const VolumeDense random = random_volume(rng, static_cast<VolumeKind>(i % 9), {11, 9, 10});
        Voxel from, to;
        if (!testing::draw_free(rng, random, from) || !testing::draw_free(rng, random, to)) continue;
        const auto graph = VolumeGraph(random).shortest(from, to);
        const VolumeWay found = reference_way(random, from, to);
        ASSERT_EQ(graph.has_value(), !found.points.empty());
        if (!graph) continue;
        ASSERT_LE(found.length(), static_cast<double>(graph->cost.value()) + 1e-9);
        ASSERT_GE(found.length(), distance(random.centre(from), random.centre(to)) - 1e-9);
        for (std::size_t k = 1; k < found.points.size(); ++k)
            ASSERT_TRUE(clear_of_all(random, found.points[k - 1], found.points[k]));
    }
}

TEST(VolumeOracle, PublishedCosts) {
    FAIRLEAD_REQUIRE_DATA(map_file, "voxels/Simple.3dmap.gz");
    FAIRLEAD_REQUIRE_DATA(task_file, "voxels/Simple.3dmap.3dscen.gz");
    const VolumeDense world = testing::read_voxel_map(*formats::load_file(map_file));
    const std::vector<testing::VolumeTask> tasks = testing::read_voxel_tasks(*formats::load_file(task_file));
    ASSERT_EQ(tasks.size(), 10000U);
    const VolumeGraph graph(world);
    const auto lines = static_cast<std::size_t>(testing::trials(50));
    for (std::size_t i = 0; i < lines; ++i) {
        const auto way = graph.shortest(tasks[i].from, tasks[i].to);
        ASSERT_TRUE(way);
        ASSERT_NEAR(static_cast<double>(way->cost.value()), tasks[i].cost, 1e-7) << "line " << i;
    }
    // The lengths that volumes are judged by: 0.900 of these costs, the mean of every 100th line.
    double share = 0.0;
    for (std::size_t i = 0; i < lines; ++i) {
        const testing::VolumeTask& task = tasks[i * 100];
        share += reference_way(world, task.from, task.to).length() / task.cost / static_cast<double>(lines);
    }
    RecordProperty("reference_of_octile", std::to_string(share));
    if (testing::all_trials()) {
        EXPECT_NEAR(share, 0.900, 0.006);
    }
}

}  // namespace
}  // namespace fairlead::oracle
