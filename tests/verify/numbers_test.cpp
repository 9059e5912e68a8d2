// Broken and hostile routes: each is answered with the kind that verify.h documents, quickly.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/environment.h"
#include "support/fake_world.h"
#include "support/route_images.h"
#include "support/route_maker.h"
#include "support/violation_checks.h"
#include "verify/check.h"
#include "verify/extremes.h"
#include "verify/line.h"

namespace fairlead {
namespace {

using testing::copy_of;
using testing::FakeWorld;
using testing::kHuge;
using testing::kInf;
using testing::kNan;
using testing::polyline;
using testing::RouteMaker;
using witness::verify_over;

constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// Two drive legs and a turn in an open map.
Route sample() { return RouteMaker({2.5, 2.5}).drive(2.0).turn(kHalfPi).drive(1.5, 0.25).take(); }

class Numbers : public ::testing::Test {
  protected:
    [[nodiscard]] Violation judge(const std::function<void(Route&)>& damage) const {
        Route route = sample();
        damage(route);
        return verify_over(route, world_, agent_);
    }

    FakeWorld world_{9, 9};
    Agent agent_{.radius = 0.5, .footprint = 0};
};

TEST_F(Numbers, TheSampleIsLegal) {
    EXPECT_LEGAL(judge([](Route&) {}));
    EXPECT_STREQ(judge([](Route&) {}).text().c_str(), "legal");
}

TEST_F(Numbers, NothingIsNanOrInfinite) {
    using Field = std::function<double&(Route&)>;
    const std::vector<Field> of_route{
        [](Route& r) -> double& { return r.length; },
        [](Route& r) -> double& { return r.cost; },
        [](Route& r) -> double& { return r.line_cost; },
        [](Route& r) -> double& { return r.end.position.x; },
        [](Route& r) -> double& { return r.end.position.y; },
        [](Route& r) -> double& { return r.end.position.z; },
        [](Route& r) -> double& { return r.end.heading_rad; },
    };
    for (const Field& field : of_route) {
        for (const double v : {kNan, kInf, -kInf}) {
            EXPECT_KIND(judge([&](Route& r) { field(r) = v; }), not_finite);
        }
    }
    using LegField = std::function<double&(Leg&)>;
    const std::vector<LegField> of_leg{
        [](Leg& leg) -> double& { return leg.start.position.x; },
        [](Leg& leg) -> double& { return leg.start.position.y; },
        [](Leg& leg) -> double& { return leg.start.position.z; },
        [](Leg& leg) -> double& { return leg.start.heading_rad; },
        [](Leg& leg) -> double& { return leg.length; },
        [](Leg& leg) -> double& { return leg.rise; },
        [](Leg& leg) -> double& { return leg.curvature; },
        [](Leg& leg) -> double& { return leg.turn_rad; },
        [](Leg& leg) -> double& { return leg.clearance; },
        [](Leg& leg) -> double& { return leg.speed_max; },
    };
    for (const LegField& field : of_leg) {
        for (std::size_t i = 0; i < 3; ++i) {
            for (const double v : {kNan, kInf, -kInf}) {
                const Violation bad = judge([&](Route& r) { field(r.legs[i]) = v; });
                EXPECT_KIND(bad, not_finite);
                EXPECT_EQ(bad.leg, static_cast<std::int64_t>(i));
                EXPECT_EQ(bad.depth, 0.0);
            }
        }
    }
    EXPECT_KIND(judge([](Route& r) { r.bound = kNan; }), not_finite);
    EXPECT_LEGAL(judge([](Route& r) { r.bound = kNoBound; }));
}

TEST_F(Numbers, RangesAndEnumerators) {
    EXPECT_KIND(judge([](Route& r) { r.legs[0].length = -1.0; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[1].length = 1.0; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[0].clearance = -0.5; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[0].speed_max = -2.0; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[0].start.heading_rad = 1e300; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[1].turn_rad = 1e300; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[2].kind = static_cast<LegKind>(3); }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[2].gear = static_cast<Gear>(200); }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.cost = -1.0; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.line_cost = -1.0; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.bound = 0.5; }), bad_number);
    EXPECT_KIND(judge([](Route& r) { r.legs[1].start.layer = 1; }), bad_layer);
    EXPECT_KIND(judge([](Route& r) { r.legs[0].start.layer = -1; }), bad_layer);
    EXPECT_KIND(judge([](Route& r) { r.legs[2].start.layer = 77; }), bad_layer);
    EXPECT_KIND(judge([](Route& r) { r.end.layer = 1 << 30; }), bad_layer);
}

TEST_F(Numbers, StatusAndRevision) {
    for (const PathStatus status :
         {PathStatus::unreachable, PathStatus::start_blocked, PathStatus::goal_blocked, PathStatus::off_world,
          PathStatus::budget_spent, PathStatus::count_}) {
        if (status ==
            PathStatus::
                budget_spent) {  // has legs where the best place so far was asked for; they are judged
            EXPECT_LEGAL(judge([&](Route& r) { r.status = status; }));
            EXPECT_KIND(judge([&](Route& r) {
                            r.status = status;
                            r.end.position.x += 0.1;
                        }),
                        leg_end);
        } else {
            EXPECT_KIND(judge([&](Route& r) { r.status = status; }), bad_status);
        }
        if (status == PathStatus::count_) continue;
        Route empty;
        empty.status = status;
        empty.end.position.x = 1e9;  // means nothing there
        EXPECT_LEGAL(verify_over(empty, world_, agent_));
    }
    EXPECT_LEGAL(judge([](Route& r) { r.status = PathStatus::partial; }));
    EXPECT_KIND(judge([](Route& r) { r.revision = 1; }), revision);
    Route route = sample();
    route.revision = 1;
    EXPECT_LEGAL(verify_over(route, world_, agent_, {.check_revision = false}));
    world_.revision_number = 1;
    EXPECT_LEGAL(verify_over(route, world_, agent_));
}

TEST_F(Numbers, LegsLeadToTheNextOne) {
    const auto nudged = [&](double by) {
        return judge([by](Route& r) { r.legs[1].start.position.y += by; });
    };
    EXPECT_LEGAL(nudged(8e-9));
    const Violation bad = nudged(2e-6);
    EXPECT_KIND(bad, leg_end);
    EXPECT_EQ(bad.leg, 0);
    EXPECT_NEAR(bad.depth, 2e-6, 1e-12);
    EXPECT_NEAR(bad.distance, 2.0, 1e-12);
    EXPECT_KIND(judge([](Route& r) { r.end.position.x += 1e-6; }), leg_end);
    EXPECT_KIND(judge([](Route& r) { r.legs[2].start.position.x += 1e-6; }), leg_end);
    EXPECT_KIND(judge([](Route& r) { r.legs[0].start.heading_rad += 1e-6; }), leg_end);
    EXPECT_KIND(judge([](Route& r) { r.legs[2].curvature += 1e-6; }), leg_end);
    EXPECT_KIND(judge([](Route& r) { r.legs[0].gear = Gear::reverse; }), leg_end);
    // Height.
    EXPECT_KIND(judge([](Route& r) { r.legs[0].rise = 0.5; }), leg_end);
    EXPECT_KIND(judge([](Route& r) { r.end.position.z = 0.5; }), leg_end);
    EXPECT_LEGAL(judge([](Route& r) {
        r.legs[0].rise = 0.5;
        r.legs[1].start.position.z = r.legs[2].start.position.z = r.end.position.z = 0.5;
    }));
    // Heading after a turn, whole turns apart; free elsewhere.
    EXPECT_LEGAL(judge([](Route& r) { r.legs[1].turn_rad += 2 * kTwoPi; }));
    EXPECT_KIND(judge([](Route& r) { r.legs[1].turn_rad += 1e-6; }), leg_end);
    EXPECT_LEGAL(judge([](Route& r) { r.end.heading_rad = 3.0; }));
}

TEST_F(Numbers, LengthIsTheSum) {
    EXPECT_KIND(judge([](Route& r) { r.length += 1e-9; }), length_sum);
    EXPECT_LEGAL(judge([](Route& r) { r.length = std::nextafter(r.length, kInf); }));
    EXPECT_KIND(judge([](Route& r) { r.length = 0.0; }), length_sum);
    EXPECT_NEAR(judge([](Route& r) { r.length += 0.5; }).depth, 0.5, 1e-12);
    Route empty;
    empty.status = PathStatus::unreachable;
    empty.length = 1.0;
    EXPECT_KIND(verify_over(empty, world_, agent_), length_sum);
}

TEST_F(Numbers, AgentsThatDoNotExist) {
    const Route route = sample();
    for (const double radius : {kNan, kInf, -kInf, -1.0, kHuge}) {
        EXPECT_KIND(verify_over(route, world_, {.radius = radius, .footprint = 0}), bad_argument);
    }
    for (const std::int32_t n :
         {-1, 65, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        EXPECT_KIND(verify_over(route, world_, {.radius = 0.0, .footprint = n}), bad_argument);
    }
    EXPECT_KIND(verify_over(route, world_, {.radius = 100.0, .footprint = 0}), off_world);
    EXPECT_KIND(verify_over(route, world_, {.radius = 0.0, .footprint = 64}), off_world);
    EXPECT_LEGAL(verify_over(route, world_, {.radius = kTiny, .footprint = 0}));
    EXPECT_LEGAL(verify_over(route, world_, {.radius = kNan, .footprint = 1}));  // ignored there
}

TEST_F(Numbers, HugeNumbersAreAnsweredQuickly) {
    for (const double v : {1e7, 1e18, 1e154, 1e200, 1e300, kHuge}) {
        EXPECT_TRUE(judge([&](Route& r) { r.legs[0].length = v; }));
        EXPECT_TRUE(judge([&](Route& r) { r.legs[2].length = v; }));
        EXPECT_TRUE(judge([&](Route& r) { r.legs[2].curvature = v; }));
        EXPECT_TRUE(judge([&](Route& r) { r.legs[0].clearance = v; }));
        EXPECT_KIND(judge([&](Route& r) { r.legs[0].start.position.x = v; }), off_world);
        EXPECT_KIND(judge([&](Route& r) { r.legs[0].start.position.y = -v; }), off_world);
        EXPECT_TRUE(judge([&](Route& r) { r.end.position.y = -v; }));
    }
    world_.wraps_x = world_.wraps_y = true;
    for (const double v : {1e7, 1e18, 1e154, 1e200, 1e300, kHuge}) {
        EXPECT_KIND(judge([&](Route& r) { r.legs[0].length = v; }), too_far);
        EXPECT_KIND(judge([&](Route& r) { r.legs[0].start.position.x = v; }), too_far);
        EXPECT_TRUE(judge([&](Route& r) { r.legs[2].length = v; }));
        EXPECT_TRUE(judge([&](Route& r) { r.legs[2].curvature = v; }));
        EXPECT_KIND(judge([&](Route& r) { r.legs[0].clearance = v; }), clearance);  // past what is judged
    }
    EXPECT_LEGAL(judge([](Route& r) { r.legs[0].clearance = 1000.0; }));  // there is no wall at all
}

TEST_F(Numbers, WorkIsBounded) {
    // Some cells, and no more than are near the route.
    const Route route = sample();
    EXPECT_KIND(verify_over(route, world_, agent_, {.cells_max = 3}), too_far);
    EXPECT_LEGAL(verify_over(route, world_, agent_, {.cells_max = 200}));
    const FakeWorld large(1024, 1024);
    EXPECT_LEGAL(verify_over(polyline({{10, 10}, {700, 733}}), large, agent_, {.cells_max = 5000}));
    EXPECT_LEGAL(verify_over(polyline({{10, 10}, {1000, 10}}), large, {}, {.cells_max = 2200}));
}

TEST_F(Numbers, TinyNumbersAreNothing) {
    EXPECT_LEGAL(judge([](Route& r) { r.legs[0].curvature = kTiny; }));
    EXPECT_LEGAL(judge([](Route& r) { r.legs[0].curvature = -1e-300; }));
    EXPECT_LEGAL(judge([](Route& r) { r.legs[1].length = 0.0; }));
    EXPECT_LEGAL(verify_over(RouteMaker({2.5, 2.5}).drive(kTiny).take(), world_, agent_));
    Route point = RouteMaker({2.5, 2.5}).drive(0.0).take();
    point.legs[0].curvature = 1e300;
    EXPECT_LEGAL(verify_over(point, world_, agent_));
    point.legs[0].curvature = kHuge;
    EXPECT_LEGAL(verify_over(point, world_, agent_));
    world_.set({2, 3, 0}, 0);
    EXPECT_KIND(verify_over(point, world_, {.radius = 0.6, .footprint = 0}), wall);
}

TEST_F(Numbers, RandomDamageIsSafe) {
    // Any bytes in any leg: an answer, and the same one twice.
    Rng rng(8);
    for (int i = 0; i < testing::trials(20000); ++i) {
        world_.wraps_x = rng.below(2) == 0;
        world_.wraps_y = rng.below(2) == 0;
        Route route = sample();
        const std::uint32_t hits = 1 + rng.below(3);
        for (std::uint32_t j = 0; j < hits; ++j) {
            Leg& leg = route.legs[rng.below(3)];
            unsigned char bytes[sizeof(Leg)];
            std::memcpy(bytes, &leg, sizeof leg);
            const auto at = rng.below(sizeof(Leg));
            bytes[at] = static_cast<unsigned char>(rng.below(256));
            std::memcpy(&leg, bytes, sizeof leg);
        }
        const VerifyOptions options{.cells_max = 1000000};
        const Violation first = verify_over(route, world_, agent_, options);
        const Violation second = verify_over(route, world_, agent_, options);
        ASSERT_EQ(first.kind, second.kind);
        ASSERT_STREQ(first.text().c_str(), second.text().c_str());
        ASSERT_STRNE(first.text().c_str(), "");
    }
}

TEST(Text, SaysWhereAndWhy) {
    const FakeWorld world({"....", "..#.", "...."});
    const Violation bad =
        verify_over(polyline({{0.5, 0.5}, {0.5, 1.5}, {3.5, 1.5}}), world, {.radius = 0.5, .footprint = 0});
    EXPECT_STREQ(bad.text().c_str(),
                 "leg 1 at 1: the body overlaps a wall, tile (2, 1), by 1, centre at (2.5, 1.5), layer 0");
    for (int i = 0; i <= static_cast<int>(ViolationKind::count_); ++i) {
        Violation each;
        each.kind = static_cast<ViolationKind>(i);
        const bool exists = each.kind != ViolationKind::count_;
        EXPECT_EQ(std::strcmp(violation_name(each.kind), "unknown") != 0, exists);
        EXPECT_EQ(std::strcmp(each.text().c_str(), "unknown violation") != 0, exists);
    }
    // Longest numbers fit, or are cut with a closing zero.
    Violation wide;
    wide.kind = ViolationKind::clearance;
    wide.leg = std::numeric_limits<std::int64_t>::max();
    wide.index = std::numeric_limits<std::int64_t>::max();
    wide.distance = wide.depth = 1.23456789e-300;
    wide.cell = {2147483647, -2147483647, 0};
    wide.place.position = {-1.23456789e-300, -1.23456789e300, 0};
    wide.place.layer = std::numeric_limits<std::int32_t>::min();
    EXPECT_LT(std::strlen(wide.text().c_str()), sizeof(ViolationText));
}

TEST(Text, Numbers) {
    const auto text = [](double v) {
        char buffer[40];
        witness::Line(buffer).add(v);
        return std::string(buffer);
    };
    EXPECT_EQ(text(0.0), "0");
    EXPECT_EQ(text(-0.0), "0");
    EXPECT_EQ(text(1.0), "1");
    EXPECT_EQ(text(-17.25), "-17.25");
    EXPECT_EQ(text(100.0), "100");
    EXPECT_EQ(text(123456789.0), "123456789");
    EXPECT_EQ(text(1234567890.0), "1.23456789e9");
    EXPECT_EQ(text(0.1), "0.1");
    EXPECT_EQ(text(0.00012), "0.00012");
    EXPECT_EQ(text(0.000012), "1.2e-5");
    EXPECT_EQ(text(1e-6), "1e-6");
    EXPECT_EQ(text(0.99999999999), "1");
    EXPECT_EQ(text(999999999.9), "1e9");
    EXPECT_EQ(text(1e300), "1e300");
    EXPECT_EQ(text(kTiny), "4.94065646e-324");
    EXPECT_EQ(text(kNan), "nan");
    EXPECT_EQ(text(-kInf), "-inf");
    const auto whole = [](std::int64_t v) {
        char buffer[24];
        witness::Line(buffer).add(v);
        return std::string(buffer);
    };
    EXPECT_EQ(whole(0), "0");
    EXPECT_EQ(whole(-120), "-120");
    EXPECT_EQ(whole(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    char small[5];
    witness::Line line(small);
    line.add("abcdefgh").add(std::int64_t{12});
    EXPECT_STREQ(small, "abcd");
}

}  // namespace
}  // namespace fairlead
