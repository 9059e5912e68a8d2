// Storms over fleets with threads: orders, edits, units that come and go, the crowd's jobs on threads of their own, destruction in
// the middle of it. Run under ThreadSanitizer by `./run test all` (stage tsan).
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/tile_fleet.h>

#include "support/environment.h"
#include "support/threads.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 30;
constexpr std::size_t kUnits = 150;  // three jobs of the crowd

struct Storm {
    explicit Storm(std::uint64_t seed, std::uint32_t searchers, Threads* movers) : rng(seed), port(town) {
        FleetOptions options;
        options.schedule.threads = searchers;
        if (movers != nullptr) options.jobs = {&Threads::run, movers};
        fleet.emplace(*Fleet::make(port.port(), options));
        FleetUnit unit;
        unit.agent.radius = 0.3;
        unit.limits = SpeedLimits::only(2.0);
        kind = *fleet->add_kind(unit);
    }
    Vec2 place() {
        const std::int32_t x = rng.between(0, kSide - 1);
        return {x + 0.5, rng.between(0, kSide - 1) + 0.5};
    }
    void act() {
        while (ids.size() < kUnits) {
            Place at;
            const Vec2 p = place();
            at.position = {p.x, p.y, 0.0};
            ids.push_back(*fleet->add(kind, at));
        }
        for (int i = 0; i < 10; ++i) {
            const FleetId id = ids[rng.below(static_cast<std::uint32_t>(ids.size()))];
            EXPECT_TRUE(fleet->send(id, place()));
        }
        if (rng.below(4) == 0) {
            EXPECT_TRUE(fleet->remove(ids.back()));
            ids.pop_back();
        }
        if (rng.below(6) == 0) fleet->stop(ids[rng.below(static_cast<std::uint32_t>(ids.size()))]);
        if (rng.below(5) == 0) {
            const std::int32_t x = rng.between(0, kSide - 4), y = rng.between(0, kSide - 4);
            EXPECT_TRUE(town.fill({{x, y}, {x + 2, y + 2}}, static_cast<std::uint8_t>(rng.below(2))));
            EXPECT_TRUE(fleet->world_changed());
        }
        EXPECT_TRUE(fleet->update(1.0 / 30.0, {.units = 1 + rng.below(3000)}));
    }

    Rng rng;
    Grid town = *Grid::make({.width = kSide, .height = kSide});
    TileFleet port;
    std::optional<Fleet> fleet;
    FleetKind kind{};
    std::vector<FleetId> ids;
};

TEST(FleetStorm, OrdersEditsAndDestruction) {
    Threads movers{3};
    for (int n = 0; n < trials(10); ++n) {
        Storm storm(static_cast<std::uint64_t>(n), 3, &movers);
        for (int frame = 0; frame < 20 + n % 7; ++frame) storm.act();
    }
}

TEST(FleetStorm, ThreadsChangeNothing) {
    Threads movers{3};
    Storm alone(7, 0, nullptr);
    Storm threaded(7, 3, &movers);
    for (int frame = 0; frame < trials(100); ++frame) {
        alone.act();
        threaded.act();
        ASSERT_EQ(alone.fleet->digest(), threaded.fleet->digest()) << frame;
    }
}

}  // namespace
}  // namespace fairlead::testing
