// nearest_free and random_place against plain arrays: every voxel's middle is looked at, by its distance to every solid voxel.
#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include <fairlead/volume/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/sight.h>

#include "oracle/volume_room.h"
#include "support/environment.h"
#include "support/test_allocator.h"
#include "support/volumes.h"

namespace fairlead::testing {
namespace {

using oracle::VolumeDense;

// Room about the middle of each voxel, 0 in solid ones.
std::vector<long double> rooms_of(const VolumeDense& world) {
    std::vector<long double> out(world.solid.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Voxel v = world.at(i);
        if (world.is_free(v)) out[i] = std::sqrt(oracle::squared_room(world, oracle::wide(world.centre(v))));
    }
    return out;
}

// The voxel nearest to a place, of those that count; of equals the lowest by z, y, x: their order in the array.
template <class Counts>
std::size_t nearest(const VolumeDense& world, Vec3 at, long double& away, Counts counts) {
    std::size_t best = world.solid.size();
    away = std::numeric_limits<long double>::infinity();
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Vec3 middle = world.centre(world.at(i));
        const long double x = static_cast<long double>(middle.x) - at.x,
                          y = static_cast<long double>(middle.y) - at.y,
                          z = static_cast<long double>(middle.z) - at.z;
        const long double length = std::sqrt(x * x + y * y + z * z);
        if (length < away && counts(i)) away = length, best = i;
    }
    return best;
}

TEST(VolumeFree, NearestIsTheNearest) {
    Rng rng(41);
    Scratch scratch;
    int moved = 0, none = 0, wide = 0, joined_ones = 0;
    for (int i = 0; i < trials(150); ++i) {
        const VolumeDense world = any_volume(rng, 14);
        const Volume made = make_volume(world);
        const std::vector<long double> rooms = rooms_of(world);
        const std::vector<std::int32_t> components = oracle::volume_components(world);
        const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
        for (int k = 0; k < 6; ++k) {
            const Vec3 size{world.size.x * world.voxel.x, world.size.y * world.voxel.y,
                            world.size.z * world.voxel.z};
            VolumeFreeQuery ask;
            const double x = rng.between(-0.2, 1.2), y = rng.between(-0.2, 1.2), z = rng.between(-0.2, 1.2);
            ask.place = world.origin + Vec3{x * size.x, y * size.y, z * size.z};
            if (rng.below(2) == 0) ask.agent.radius = rng.between(0.01, rng.below(2) == 0 ? 0.5 : 3.0) * side;
            if (rng.below(3) == 0) ask.reach = rng.between(0.0, 6.0) * side;
            const double radius = ask.agent.radius;
            Voxel from;
            ask.connected = radius <= 0.5 * side && rng.below(2) == 0 && draw_free(rng, world, from);
            if (ask.connected) ask.from = world.centre(from);

            const Result<VolumeFree> got = nearest_free(made, ask, scratch);
            ASSERT_TRUE(got) << error_text(got.error()).c_str();
            const auto joined = [&](std::size_t at) {
                return !ask.connected || components[at] == components[world.index(from)];
            };
            const Voxel own = made.state().voxel_at(ask.place.position);
            if (fits(made, ask.place.position, radius) && joined(world.index(own))) {
                ASSERT_TRUE(got->found);
                ASSERT_EQ(got->position, ask.place.position);
                ASSERT_EQ(got->distance, 0.0);
                continue;
            }
            long double away = 0.0L;
            const std::size_t best = nearest(world, ask.place.position, away, [&](std::size_t at) {
                return world.is_free(world.at(at)) && rooms[at] >= radius - 1e-9L && joined(at);
            });
            if (best == world.solid.size() || away > ask.reach) {
                ASSERT_FALSE(got->found) << "world " << i << ", place " << k;
                ++none;
                continue;
            }
            ASSERT_TRUE(got->found) << "world " << i << ", place " << k;
            ASSERT_NEAR(static_cast<double>(away), got->distance, 1e-9 * side);
            const Voxel v = made.state().voxel_at(got->position);
            ASSERT_EQ(got->position, made.state().centre(v));
            // Distances that differ by rounding alone may change places.
            if (world.index(v) != best) {
                ASSERT_TRUE(joined(world.index(v)) && rooms[world.index(v)] >= radius - 1e-9L);
                ASSERT_NEAR(distance(ask.place.position, got->position), static_cast<double>(away),
                            1e-12 * (1.0 + static_cast<double>(away)));
            }
            ++moved;
            wide += radius > 0.5 * side ? 1 : 0;
            joined_ones += ask.connected ? 1 : 0;
        }
    }
    if (all_trials()) {
        EXPECT_GT(moved, 250);
        EXPECT_GT(none, 20);
        EXPECT_GT(wide, 10);
        EXPECT_GT(joined_ones, 50);
    }
}

// Of equals the lowest by z, then y, then x.
TEST(VolumeFree, EqualsHaveAnOrder) {
    VolumeDense world({5, 5, 5});
    for (std::size_t i = 0; i < world.solid.size(); ++i) world.solid[i] = 1;
    for (const Voxel v : {Voxel{4, 2, 2}, Voxel{0, 2, 2}, Voxel{2, 0, 2}, Voxel{2, 2, 4}, Voxel{2, 2, 0}})
        world.set(v, false);
    Volume made = make_volume(world);
    Scratch scratch;
    const VolumeFreeQuery ask{.place = Vec3{2.5, 2.5, 2.5}};
    const auto answer = [&] {
        const Result<VolumeFree> got = nearest_free(made, ask, scratch);
        EXPECT_TRUE(got && got->found);
        return got ? got->position : Vec3{};
    };
    EXPECT_EQ(answer(), (Vec3{2.5, 2.5, 0.5}));
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{2, 2, 0}, {3, 3, 1}})));
    EXPECT_EQ(answer(), (Vec3{2.5, 0.5, 2.5}));
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{2, 0, 2}, {3, 1, 3}})));
    EXPECT_EQ(answer(), (Vec3{0.5, 2.5, 2.5}));
    ASSERT_TRUE(made.apply(VolumeEdit::fill({{0, 0, 0}, {5, 5, 5}})));
    const Result<VolumeFree> none = nearest_free(made, ask, scratch);
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->found);
    Rng dice(1);
    const Result<VolumeFree> nowhere = random_place(made, {}, dice, scratch);
    ASSERT_TRUE(nowhere);
    EXPECT_FALSE(nowhere->found);
}

// Every place comes up, none other, each about as often: also where few of many do, which are counted.
TEST(VolumeFree, RandomPlacesAreUniform) {
    Rng rng(42);
    Scratch scratch;
    int counted = 0, wide = 0;
    for (int i = 0; i < trials(60); ++i) {
        const VolumeDense world = any_volume(rng, i % 5 == 0 ? 40 : 9);
        const Volume made = make_volume(world);
        const std::vector<std::int32_t> components = oracle::volume_components(world);
        const double side = std::min({world.voxel.x, world.voxel.y, world.voxel.z});
        RandomPlaceQuery ask;
        Voxel from;
        if (rng.below(2) == 0) ask.agent.radius = rng.between(0.01, 2.5) * side;
        ask.connected = ask.agent.radius <= 0.5 * side && rng.below(2) == 0 && draw_free(rng, world, from);
        if (ask.connected) ask.from = world.centre(from);
        const std::vector<long double> rooms = i % 5 == 0 ? std::vector<long double>{} : rooms_of(world);
        std::vector<std::size_t> places;
        for (std::size_t at = 0; at < world.solid.size(); ++at) {
            const Voxel v = world.at(at);
            if (!world.is_free(v) || (ask.connected && components[at] != components[world.index(from)]))
                continue;
            const bool room = rooms.empty() ? fits(made, world.centre(v), ask.agent.radius)
                                            : rooms[at] >= ask.agent.radius - 1e-9L;
            if (room) places.push_back(at);
        }
        const int draws = places.size() > 150 ? 200 : 40 * static_cast<int>(places.size()) + 1;
        std::map<std::size_t, int> seen;
        Rng dice(static_cast<std::uint64_t>(i)), same(static_cast<std::uint64_t>(i));
        for (int n = 0; n < draws; ++n) {
            const Result<VolumeFree> got = random_place(made, ask, dice, scratch);
            ASSERT_TRUE(got);
            ASSERT_EQ(got->found, !places.empty());
            const Result<VolumeFree> again = random_place(made, ask, same, scratch);
            ASSERT_EQ(again->position, got->position);
            if (!got->found) break;
            const Voxel v = made.state().voxel_at(got->position);
            ASSERT_EQ(got->position, made.state().centre(v));
            ++seen[world.index(v)];
        }
        if (places.empty()) continue;
        for (const auto& [at, times] : seen)
            ASSERT_TRUE(std::find(places.begin(), places.end(), at) != places.end());
        if (places.size() > 150) continue;
        // 40 of each are expected: none is missing, none comes up 100 times.
        ASSERT_EQ(seen.size(), places.size()) << "world " << i;
        double squares = 0.0;
        for (const auto& [at, times] : seen) {
            ASSERT_LT(times, 100);
            squares += (times - 40.0) * (times - 40.0) / 40.0;
        }
        const auto degrees = static_cast<double>(places.size());
        ASSERT_LT(squares, degrees + 6.0 * std::sqrt(2.0 * degrees) + 6.0) << "world " << i;
        counted += places.size() * 64 < world.solid.size() ? 1 : 0;
        wide += ask.agent.radius > 0.5 * side ? 1 : 0;
    }
    if (all_trials()) {
        EXPECT_GT(counted, 0);
        EXPECT_GT(wide, 0);
    }
}

TEST(VolumeFree, BadQuestions) {
    const Volume made = make_volume(VolumeDense({6, 6, 6}));
    Scratch scratch;
    Rng dice(1);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [&](auto change, const Error& wanted) {
        VolumeFreeQuery ask{.place = Vec3{1, 1, 1}};
        change(ask);
        const Result<VolumeFree> got = nearest_free(made, ask, scratch);
        ASSERT_FALSE(got);
        EXPECT_EQ(got.error(), wanted) << error_text(got.error()).c_str();
    };
    refused([&](VolumeFreeQuery& q) { q.place = Vec3{nan, 1, 1}; }, {ErrorCode::not_finite, Field::places});
    refused(
        [&](VolumeFreeQuery& q) {
            q.place = Vec3{1e200, 1, 1};
        },
        {ErrorCode::out_of_range, Field::places});
    refused([&](VolumeFreeQuery& q) { q.place = WaypointId{2}; }, {ErrorCode::unsupported, Field::places});
    refused([&](VolumeFreeQuery& q) { q.reach = nan; }, {ErrorCode::not_finite, Field::reach});
    refused([&](VolumeFreeQuery& q) { q.reach = -1.0; }, {ErrorCode::out_of_range, Field::reach});
    refused([&](VolumeFreeQuery& q) { q.agent.radius = -1.0; },
            {ErrorCode::out_of_range, Field::agent_radius});
    refused([&](VolumeFreeQuery& q) { q.agent.footprint = 2; },
            {ErrorCode::incompatible, Field::agent_footprint});
    refused([&](VolumeFreeQuery& q) { q.agent.turning_radius = 2.0; },
            {ErrorCode::unsupported, Field::agent_turning_radius});
    refused(
        [&](VolumeFreeQuery& q) {
            q.connected = true;
            q.from = Vec3{1, nan, 1};
        },
        {ErrorCode::not_finite, Field::from});
    const Result<VolumeFree> wide = random_place(made, {.agent = {.radius = nan}}, dice, scratch);
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error(), Error(ErrorCode::not_finite, Field::agent_radius));
    VolumeSearch search(made, VolumeQuery{.start = {1, 1, 1}, .goal = Vec3{5, 5, 5}}, scratch);
    EXPECT_EQ(nearest_free(made, {}, scratch).error().code, ErrorCode::scratch_in_use);
    EXPECT_EQ(random_place(made, {}, dice, scratch).error().code, ErrorCode::scratch_in_use);
}

TEST(VolumeFree, WarmCallsAllocateNothing) {
    Rng rng(43);
    const VolumeDense world = random_volume(rng, VolumeKind::tunnels, {30, 30, 30});
    const Volume made = make_volume(world);
    TestAllocator memory;
    Scratch scratch(memory.allocator());
    std::int64_t before = 0;
    for (int round = 0; round < 2; ++round) {
        before = memory.calls;
        Rng dice(7);
        for (int i = 0; i < 30; ++i) {
            const Agent agent{.radius = i % 2 == 0 ? 0.0 : 1.2};
            ASSERT_TRUE(nearest_free(made, {.place = Vec3{i * 1.0, 15, 15}, .agent = agent}, scratch));
            ASSERT_TRUE(random_place(made, {.agent = agent}, dice, scratch));
        }
    }
    EXPECT_EQ(memory.calls, before);
}

}  // namespace
}  // namespace fairlead::testing
