// Swept areas against verify, which decides the same with geometry of its own.

#include "drive/body/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/grid/grid.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 48;
constexpr std::int32_t kMiddle = kSide / 2;

// A map with one wall, in the middle.
const Grid& one_wall() {
    static const Grid grid = [] {
        std::vector<std::uint8_t> tiles(kSide * kSide, 1);
        tiles[kMiddle * kSide + kMiddle] = 0;
        return *Grid::make({.width = kSide, .height = kSide}, tiles);
    }();
    return grid;
}

Route one_leg(const drive::SweptSegment& segment) {
    Route route;
    Leg leg;
    leg.start = {{segment.start.x, segment.start.y, 0.0}, math::atan2(segment.ahead.y, segment.ahead.x), 0};
    leg.length = std::abs(segment.amount);
    leg.gear = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
    leg.curvature = segment.amount < 0.0 ? -segment.curvature : segment.curvature;
    EXPECT_TRUE(route.legs.push_back(leg));
    route.status = PathStatus::complete;
    route.length = leg.length;
    route.end = place_on_leg(leg, leg.length);
    return route;
}

Agent random_body(Rng& rng) {
    Agent agent;
    agent.shape = static_cast<BodyShape>(rng.below(3));
    agent.radius = 0.1 + rng.unit() * 1.2;
    agent.length =
        agent.shape == BodyShape::capsule ? 2.0 * agent.radius + rng.unit() * 3.0 : 0.3 + rng.unit() * 4.0;
    agent.width = 0.2 + rng.unit() * 2.0;
    agent.axle_offset = (rng.unit() - 0.5) * agent.length;
    if (agent.shape == BodyShape::disc) agent.axle_offset = agent.length = agent.width = 0.0;
    return agent;
}

TEST(DriveSweep, AgreesWithVerify) {
    Rng rng(41);
    const Aabb wall{{kMiddle, kMiddle}, {kMiddle + 1.0, kMiddle + 1.0}};
    int overlaps = 0;
    const int cases = trials(20000);
    for (int i = 0; i < cases; ++i) {
        const Agent agent = random_body(rng);
        drive::SweptSegment segment;
        segment.start = {kMiddle + 0.5, kMiddle + 0.5};
        segment.start.x += (rng.unit() - 0.5) * 9.0;
        segment.start.y += (rng.unit() - 0.5) * 9.0;
        const double heading = (rng.unit() - 0.5) * kTwoPi;
        segment.ahead = math::direction(heading);
        segment.amount = (rng.unit() - 0.4) * 8.0;
        const std::uint32_t bend = rng.below(3);
        segment.curvature = bend == 0 ? 0.0 : (bend == 1 ? 1.0 : -1.0) / (1.0 + rng.unit() * 5.0);
        const bool ours = drive::sweep_overlaps_box(body_core(agent), segment, wall, 1e-7);
        const Violation theirs = verify(one_leg(segment), one_wall(), agent, {.check_revision = false});
        ASSERT_TRUE(!theirs || theirs.kind == ViolationKind::wall) << theirs.text().c_str();
        overlaps += ours ? 1 : 0;
        // Near the slack either may say either.
        if (theirs && theirs.depth < 1e-6) continue;
        if (!theirs && drive::sweep_overlaps_box(body_core(agent), segment, wall, 1e-6) != ours) continue;
        ASSERT_EQ(ours, static_cast<bool>(theirs))
            << "case " << i << " shape " << static_cast<int>(agent.shape) << " " << theirs.text().c_str();
    }
    EXPECT_GT(overlaps, cases / 10);
    EXPECT_LT(overlaps, cases * 9 / 10);
}

// Every cell of every entry: in the mask if and only if the body reaches into it.
TEST(DriveTable, MasksAreTheSweptCells) {
    const Agent disc{.radius = 0.4, .turning_radius = 3.0, .can_reverse = true};
    const Agent box{
        .shape = BodyShape::box, .length = 3.0, .width = 1.5, .axle_offset = 0.7, .turning_radius = 2.0};
    const Agent capsule{.radius = 0.45, .shape = BodyShape::capsule, .length = 2.2, .turning_radius = 1.5};
    for (const Agent& agent : {disc, box, capsule}) {
        const Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = 8, .stretch = 1.05});
        ASSERT_TRUE(table.has_value());
        const std::span<const Primitive> all = table->primitives().all();
        const std::int32_t m = table->margin() + 1;
        for (std::size_t i = 0; i < all.size(); i += trials(100) == 100 ? 1 : 7) {
            std::vector<char> masked(static_cast<std::size_t>((2 * m + 1) * (2 * m + 1)), 0);
            for (const CellRun& run : table->swept(i)) {
                for (std::int32_t k = 0; k < run.count; ++k)
                    masked[static_cast<std::size_t>((run.dy + m) * (2 * m + 1) + run.dx + k + m)] = 1;
            }
            for (std::int32_t y = -m; y <= m; ++y) {
                for (std::int32_t x = -m; x <= m; ++x) {
                    // The wall stays where it is; the unit starts (x, y) cells before it.
                    const Pose start{{kMiddle - x + 0.5, kMiddle - y + 0.5}, heading_rad(8, all[i].from)};
                    Route route;
                    Pose end;
                    ASSERT_TRUE(append_legs(all[i].word, start, agent.turning_radius, 0, route.legs, end));
                    route.status = PathStatus::complete;
                    for (const Leg& leg : route.legs) route.length += leg.length;
                    route.end = {{end.position.x, end.position.y, 0.0}, end.heading_rad, 0};
                    const Violation bad = verify(route, one_wall(), agent, {.check_revision = false});
                    const bool in_mask = masked[static_cast<std::size_t>((y + m) * (2 * m + 1) + x + m)] != 0;
                    if (bad && bad.depth < 1e-7) continue;
                    ASSERT_EQ(in_mask, static_cast<bool>(bad))
                        << "primitive " << i << " cell " << x << " " << y << " " << bad.text().c_str();
                }
            }
        }
    }
}

}  // namespace
}  // namespace fairlead::testing
