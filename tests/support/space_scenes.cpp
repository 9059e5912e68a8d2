// Starts, and goals, of one scene lie at least 2.3 radii apart, else they are drawn again.
#include "support/space_scenes.h"

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

namespace fairlead::testing {

namespace {

constexpr double kApart = 2.3;

struct Box {
    Vec3 low{};
    Vec3 high{};
};

Vec3 draw(Rng& rng, const Box& box) {
    const double x = rng.between(box.low.x, box.high.x);
    const double y = rng.between(box.low.y, box.high.y);
    const double z = rng.between(box.low.z, box.high.z);
    return {x, y, z};
}

template <class Fits>
Vec3 draw_where(Rng& rng, const Box& box, Fits&& fits) {
    for (;;) {
        const Vec3 place = draw(rng, box);
        if (fits(place)) return place;
    }
}

void add_swarm(SpaceTrial& trial, Rng& rng, const Box& from, const Box& to, int count, double radius) {
    const std::size_t first = trial.trips.size();
    for (int i = 0; i < count; ++i) {
        SpaceTrip trip;
        trip.radius = radius;
        trip.from = draw_where(rng, from, [&](Vec3 p) {
            for (const SpaceTrip& other : trial.trips) {
                if (distance(other.from, p) < kApart * radius) return false;
            }
            return true;
        });
        trip.to = draw_where(rng, to, [&](Vec3 p) {
            for (std::size_t k = first; k < trial.trips.size(); ++k) {
                if (distance(trial.trips[k].to, p) < kApart * radius) return false;
            }
            return true;
        });
        trial.trips.push_back(trip);
    }
}

SpaceTrial from_ball(std::uint64_t seed, int count, double least, double most) {
    SpaceTrial trial;
    trial.seed = seed;
    Rng rng(seed);
    for (int i = 0; i < count; ++i) {
        SpaceTrip trip;
        trip.from = draw_where(rng, {{-most, -most, -most}, {most, most, most}}, [&](Vec3 p) {
            if (length(p) < least || length(p) > most) return false;
            for (const SpaceTrip& other : trial.trips) {
                if (distance(other.from, p) < kApart * trip.radius) return false;
            }
            return true;
        });
        trial.trips.push_back(trip);
    }
    return trial;
}

}  // namespace

SpaceTrial crossing_swarms(std::uint64_t seed, int each) {
    SpaceTrial trial;
    trial.seed = seed;
    Rng rng(seed);
    const Box west{{0, -5, -5}, {10, 5, 5}};
    const Box east{{30, -5, -5}, {40, 5, 5}};
    add_swarm(trial, rng, west, east, each, 0.5);
    add_swarm(trial, rng, east, west, each, 0.5);
    add_swarm(trial, rng, {{15, 10, -5}, {25, 20, 5}}, {{15, -20, -5}, {25, -10, 5}}, each, 0.5);
    return trial;
}

SpaceTrial through_the_middle(std::uint64_t seed, int count) {
    SpaceTrial trial = from_ball(seed, count, 9.5, 10.0);
    for (SpaceTrip& trip : trial.trips) trip.to = -trip.from;
    return trial;
}

SpaceTrial converging(std::uint64_t seed, int count) {
    SpaceTrial trial = from_ball(seed, count, 12.0, 20.0);
    for (SpaceTrip& trip : trial.trips) trip.group = 1;
    return trial;
}

Volume two_halls(std::int32_t thickness) {
    VolumeOptions options;
    options.size = {60, 14, 14};
    Volume halls = *Volume::make(options);
    EXPECT_TRUE(halls.apply(VolumeEdit::fill({{30, 0, 0}, {30 + thickness, 14, 14}})));
    EXPECT_TRUE(halls.apply(VolumeEdit::clear({{30, 7, 7}, {30 + thickness, 8, 8}})));
    return halls;
}

SpaceTrial through_the_hole(const Volume& halls, std::int32_t thickness, std::uint64_t seed, int each) {
    SpaceTrial trial;
    trial.volume = &halls;
    trial.seed = seed;
    trial.seconds_max = 400.0;
    Rng rng(seed);
    const Box west{{2, 2, 2}, {18, 12, 12}};
    const Box east{{42.0 + thickness, 2, 2}, {58, 12, 12}};
    add_swarm(trial, rng, west, east, each, 0.45);
    add_swarm(trial, rng, east, west, each, 0.45);
    return trial;
}

}  // namespace fairlead::testing
