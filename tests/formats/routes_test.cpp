#include <fairlead/formats/routes.h>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

namespace fairlead::formats {
namespace {

Route example() {
    Route route;
    route.status = PathStatus::complete;
    route.length = 42.5;
    route.cost = 42.5;
    route.line_cost = 42.5;
    route.bound = 1.0;
    route.planner = "jump_point";
    Leg leg;
    leg.start = {{0.5, 0.5, 0.0}, 0.0, 0};
    leg.length = 3.0;
    leg.clearance = 0.8;
    EXPECT_TRUE(route.legs.push_back(leg));
    route.end = {{3.5, 0.5, 0.0}, 0.0, 0};
    route.stats = {.expanded = 12, .generated = 40, .open_peak = 0, .digest = 0x9c0f};
    return route;
}

// The example of the route file's contract, with the numbers' shortest texts.
TEST(Routes, WritesTheContract) {
    std::string out;
    append_route(out, 7, example(), 18000);
    EXPECT_EQ(
        out,
        "{\"id\":7,\"status\":\"complete\",\"length\":42.5,\"cost\":42.5,\"line_cost\":42.5,\"bound\":1,"
        "\"planner\":\"jump_"
        "point\","
        "\"revision\":0,\"legs\":[{\"kind\":\"drive\",\"x\":0.5,\"y\":0.5,\"z\":0,\"layer\":0,\"heading\":0,"
        "\"length\":3,\"rise\":0,\"curvature\":0,\"gear\":\"forward\",\"clearance\":0.8}],"
        "\"end\":{\"x\":3.5,\"y\":0.5,\"z\":0,\"heading\":0},"
        "\"stats\":{\"expanded\":12,\"generated\":40,\"digest\":\"0000000000009c0f\",\"ns\":18000},"
        "\"shape\":{\"turns\":0,\"turned\":0,\"straightness\":1}}\n");
}

TEST(Routes, WritesWhatIsUnknownAsNull) {
    Route route;
    route.status = PathStatus::unreachable;
    std::string out;
    append_route(out, 0, route, 0);
    EXPECT_NE(out.find("\"bound\":null"), std::string::npos) << out;
    EXPECT_NE(out.find("\"legs\":[]"), std::string::npos) << out;
}

Leg random_leg(Rng& rng) {
    Leg leg;
    leg.start = {{rng.between(-1e4, 1e4), rng.between(-1e4, 1e4), rng.between(-9.0, 9.0)},
                 rng.between(-4.0, 4.0),
                 rng.between(0, 3)};
    leg.kind = static_cast<LegKind>(rng.below(3));
    leg.gear = static_cast<Gear>(rng.below(2));
    leg.length = rng.between(0.0, 1e3);
    leg.rise = rng.between(-1.0, 1.0);
    leg.curvature = rng.between(-1.0, 1.0);
    if (leg.kind == LegKind::turn) leg.turn_rad = rng.between(-3.0, 3.0);
    if (leg.kind == LegKind::link) leg.link_id = static_cast<std::uint32_t>(rng.next());
    if (rng.below(2) == 0) leg.clearance = rng.between(0.0, 4.0);
    if (rng.below(2) == 0) leg.speed_max = rng.between(0.0, 30.0);
    return leg;
}

TEST(Routes, ReadsBackEveryBit) {
    Rng rng(11);
    std::vector<RouteRecord> records;
    for (int i = 0; i < 200; ++i) {
        RouteRecord record;
        record.id = static_cast<std::int64_t>(rng.next());
        record.ns = rng.next();
        Route& route = record.route;
        route.status = static_cast<PathStatus>(rng.below(static_cast<std::uint32_t>(PathStatus::count_)));
        route.length = rng.between(0.0, 1e4);
        route.cost = rng.between(0.0, 1e5);
        route.line_cost = rng.between(0.0, 1e5);
        if (rng.below(2) == 0) route.bound = rng.between(1.0, 2.0);
        route.planner = "any \"name\"\n";
        route.revision = rng.next();
        for (std::uint32_t n = rng.below(20); n > 0; --n) ASSERT_TRUE(route.legs.push_back(random_leg(rng)));
        route.end = random_leg(rng).start;
        route.stats = {.expanded = rng.next(), .generated = rng.next(), .open_peak = 0, .digest = rng.next()};
        records.push_back(std::move(record));
    }
    const auto again = load_routes(save_routes(records));
    ASSERT_TRUE(again.has_value());
    ASSERT_EQ(again->size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Route& a = records[i].route;
        const Route& b = (*again)[i].route;
        EXPECT_EQ((*again)[i].id, records[i].id);
        EXPECT_EQ((*again)[i].ns, records[i].ns);
        EXPECT_EQ((*again)[i].planner, a.planner);
        EXPECT_EQ((*again)[i].line, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(a.status, b.status);
        EXPECT_EQ(a.length, b.length);
        EXPECT_EQ(a.cost, b.cost);
        EXPECT_EQ(a.line_cost, b.line_cost);
        EXPECT_EQ(a.bound, b.bound);
        EXPECT_EQ(a.revision, b.revision);
        EXPECT_EQ(a.end, b.end);
        EXPECT_EQ(a.stats, b.stats);
        ASSERT_EQ(a.legs.size(), b.legs.size());
        for (std::size_t n = 0; n < a.legs.size(); ++n) EXPECT_EQ(a.legs[n], b.legs[n]);
    }
}

// Files from before there was a line_cost: it was what `cost` said.
TEST(Routes, OlderFilesHaveTheLineCostInCost) {
    const auto records = load_routes(
        "{\"id\":1,\"status\":\"complete\",\"length\":3,\"cost\":7,\"legs\":[],\"end\":{\"x\":4.5,\"y\":2}}\n"
        "{\"id\":2,\"status\":\"complete\",\"cost\":7,\"line_cost\":5,\"legs\":[],\"end\":{\"x\":4.5,\"y\":2}"
        "}\n");
    ASSERT_TRUE(records.has_value());
    ASSERT_EQ(records->size(), 2U);
    EXPECT_EQ((*records)[0].route.line_cost, 7.0);
    EXPECT_EQ((*records)[1].route.line_cost, 5.0);
    EXPECT_FALSE((*records)[0].line_cost_told);
    EXPECT_TRUE((*records)[1].line_cost_told);
}

TEST(Routes, FillsInWhatOthersLeaveOut) {
    const auto records = load_routes(
        "{\"id\":1,\"status\":\"complete\",\"legs\":[{\"x\":1,\"y\":2,\"heading\":0,\"length\":3},"
        "{\"x\":4,\"y\":2,\"heading\":0,\"length\":0.5}],\"end\":{\"x\":4.5,\"y\":2},\"mine\":[{}]}\n\n");
    ASSERT_TRUE(records.has_value());
    ASSERT_EQ(records->size(), 1U);
    const Route& route = (*records)[0].route;
    EXPECT_EQ(route.length, 3.5);
    EXPECT_EQ(route.cost, 3.5);
    EXPECT_EQ(route.line_cost, 3.5);
    EXPECT_EQ(route.bound, kNoBound);
    EXPECT_EQ(route.legs[0].clearance, kUnknown);
    EXPECT_EQ(route.legs[1].kind, LegKind::drive);
    EXPECT_EQ(route.end.position, (Vec3{4.5, 2.0, 0.0}));
}

}  // namespace
}  // namespace fairlead::formats
