// What is drawn of meshes: every polygon once, every wall and portal once; corridors are what routes cross; the intervals of
// a search lie on sides and in sight of their roots.
#include <fairlead/debug/draw_mesh.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/debug/draw.h>
#include <fairlead/debug/svg.h>
#include <fairlead/debug/trace.h>
#include <fairlead/math/predicates.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>

#include "debug/record.h"
#include "support/environment.h"
#include "support/plain_mesh.h"
#include "support/route_maker.h"
#include "support/xml_check.h"

namespace fairlead::debug {
namespace {

using testing::Drawn;
using testing::MeshRecipe;
using testing::PlainMesh;
using testing::random_mesh;
using testing::Record;
using testing::RouteMaker;
using testing::spiral_mesh;
using testing::trials;

double area_of(const std::vector<Vec3>& ring) {
    double twice = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i)
        twice += cross(ground(ring[i]), ground(ring[(i + 1) % ring.size()]));
    return 0.5 * twice;
}

double area_of(const NavMeshState& mesh) {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < mesh.polygons(); ++i) {
        std::vector<Vec3> ring;
        for (std::uint32_t k = 0; k < mesh.corners(mesh.polygon(i)); ++k)
            ring.push_back(mesh.corner(mesh.polygon(i), k));
        sum += area_of(ring);
    }
    return sum;
}

/// All items of groups of that name: meshes of several heights have one for each.
std::vector<Drawn> groups(const Record& record, const std::string& name) {
    std::vector<Drawn> found;
    bool in = false;
    for (const Drawn& item : record.items) {
        if (item.kind == "group") in = item.text == name;
        if (item.kind == "end") in = false;
        if (in && item.kind != "group") found.push_back(item);
    }
    return found;
}

NavMesh some_mesh(Rng& rng, MeshRecipe& recipe) {
    recipe.width = 3 + static_cast<std::int32_t>(rng.below(8));
    recipe.height = 3 + static_cast<std::int32_t>(rng.below(8));
    recipe.blocked_percent = rng.below(40);
    recipe.join_percent = rng.below(2) == 0 ? 0 : rng.below(101);
    recipe.areas = 3;
    for (;;) {
        PlainMesh plain = random_mesh(rng, recipe);
        if (plain.polygons.empty()) continue;
        for (Vec3& v : plain.vertices) v.z = rng.between(0.0, 3.0);
        return recipe.join_percent == 0 ? plain.make_tiled(recipe.cell) : plain.make();
    }
}

TEST(DrawMesh, EveryPolygonWallAndPortalOnce) {
    Rng rng{11};
    for (int trial = 0; trial < trials(100); ++trial) {
        MeshRecipe recipe;
        const NavMesh mesh = some_mesh(rng, recipe);
        const NavMeshState& state = mesh.state();
        std::size_t walls = 0, inner = 0, open_walls = 0, open_inner = 0;
        const std::uint64_t closed = 2;  // area 1
        for (std::uint32_t i = 0; i < state.polygons(); ++i) {
            const PolygonId polygon = state.polygon(i);
            for (std::uint32_t k = 0; k < state.corners(polygon); ++k) {
                const PolygonId next = state.neighbour(polygon, k);
                const bool shut = state.area(polygon) == 1, shut_next = next.valid() && state.area(next) == 1;
                walls += next.valid() ? 0 : 1;
                inner += next.valid() && next < polygon ? 1 : 0;
                open_walls += !shut && (!next.valid() || shut_next) ? 1 : 0;
                open_inner += next.valid() && next < polygon && shut == shut_next ? 1 : 0;
            }
        }
        Record record;
        draw(mesh, record.sink());
        EXPECT_EQ(groups(record, "floor").size(), state.polygons());
        double area = 0.0;
        for (const Drawn& item : groups(record, "floor")) area += area_of(item.points);
        EXPECT_NEAR(area, area_of(state), 1e-9 * (1.0 + area));
        EXPECT_EQ(groups(record, "walls").size(), walls);
        EXPECT_EQ(groups(record, "portals").size() + groups(record, "borders").size(), inner);
        EXPECT_TRUE(recipe.join_percent == 0 || groups(record, "borders").empty());  // one tile
        Record shut;
        draw(mesh, shut.sink(),
             {.filter = {.areas = {.closed = KindSet::of_mask(closed)}}, .ground = false, .borders = false});
        EXPECT_EQ(groups(shut, "walls").size(), open_walls);
        EXPECT_EQ(groups(shut, "portals").size(), open_inner);
        EXPECT_TRUE(groups(shut, "ground").empty());
    }
}

TEST(DrawMesh, LinksAreBowsWithHeads) {
    PlainMesh plain = spiral_mesh(8, 1, 0.5);
    NavMesh mesh = plain.make();
    Record none;
    draw_links(mesh, none.sink());
    EXPECT_TRUE(groups(none, "links").empty());
    const auto ends_at = [](const Record& record, Vec2 p) {
        int count = 0;
        for (const Drawn& item : groups(record, "links")) {
            for (const Vec3& at : item.points) count += distance(ground(at), p) < 1e-9 ? 1 : 0;
        }
        return count;
    };
    const MeshPoint a = mesh.state().nearest({5, 1, 0}), b = mesh.state().nearest({-5, 1, 2});
    MeshLink link{.id = 1, .from = a.position, .to = b.position, .one_way = true};
    const auto drawn = [&](const MeshFilter& filter = {}) {
        const MeshEdit put[] = {mesh.state().links() == 0 ? MeshEdit::add_link(link)
                                                          : MeshEdit::change_link(link)};
        EXPECT_TRUE(mesh.apply(put));
        Record record;
        draw_links(mesh, record.sink(), filter);
        return record;
    };
    const Record one_way = drawn();
    const std::size_t items = groups(one_way, "links").size();
    EXPECT_GT(ends_at(one_way, ground(b.position)), ends_at(one_way, ground(a.position)));
    link.one_way = false;
    const Record both = drawn();
    EXPECT_EQ(ends_at(both, ground(b.position)), ends_at(both, ground(a.position)));
    link.extent = 1.0;
    EXPECT_EQ(groups(drawn(), "links").size(), groups(both, "links").size() + 2);
    EXPECT_GE(groups(both, "links").size(), items);
    // The bow itself comes first; heads of arrows are never dashed.
    EXPECT_EQ(groups(both, "links")[0].stroke.dash, 0.0);
    EXPECT_GT(groups(drawn({.links = {.closed = KindSet::of_mask(1)}}), "links")[0].stroke.dash, 0.0);
}

TEST(DrawMesh, LowFloorsComeFirst) {
    PlainMesh plain = spiral_mesh(8, 3, 1.0);
    const NavMesh mesh = plain.make();
    Record record;
    draw(mesh, record.sink(), {.tint = MeshTint::height});
    double last = -1.0;
    for (const Drawn& item : groups(record, "floor")) {
        EXPECT_GE(item.points[0].z, last - 1.0);  // of one step of heights
        last = std::max(last, item.points[0].z);
    }
    Record floor;
    draw(mesh, floor.sink(), {.z_low = 8.0, .z_high = 16.0});
    EXPECT_EQ(groups(floor, "floor").size(), 8U);
    Record nothing;
    const Result<NavMesh> empty = NavMesh::make({});
    ASSERT_TRUE(empty);
    draw(*empty, nothing.sink());
    EXPECT_EQ(nothing.count("polygon"), 0U);
    EXPECT_GT(world_bounds(*empty).high.x, 0.0);
}

TEST(DrawMesh, ManyCornersMakeSeveralPieces) {
    PlainMesh plain;
    plain.polygons.emplace_back();
    constexpr std::uint32_t kCount = 1000;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const Vec2 p = math::direction(kTwoPi * i / kCount) * 100.0;
        plain.vertices.push_back({p.x, p.y, 0});
        plain.polygons[0].push_back(i);
    }
    const NavMesh mesh = plain.make();
    Record record;
    draw(mesh, record.sink());
    double area = 0.0;
    for (const Drawn& item : groups(record, "floor")) area += area_of(item.points);
    EXPECT_NEAR(area, area_of(mesh.state()), 1e-6);
    Record corridor;
    draw_corridor(mesh, RouteMaker({0, 0}).line_to({10, 0}).take(), corridor.sink());
    area = 0.0;
    for (const Drawn& item : groups(corridor, "corridor")) area += area_of(item.points);
    EXPECT_NEAR(area, area_of(mesh.state()), 1e-6);
}

bool inside(const std::vector<Vec3>& ring, Vec2 p) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ground(ring[i]), b = ground(ring[(i + 1) % ring.size()]);
        if (cross(b - a, p - a) < -1e-9 * length(b - a)) return false;
    }
    return true;
}

TEST(DrawCorridor, CoversTheRoute) {
    Rng rng{12};
    Scratch scratch;
    for (int trial = 0; trial < trials(100); ++trial) {
        MeshRecipe recipe;
        const NavMesh mesh = some_mesh(rng, recipe);
        const NavMeshState& state = mesh.state();
        const MeshPoint from = random_point(mesh, rng), to = random_point(mesh, rng);
        Result<Route> route = find_route(
            mesh, MeshQuery{.start = from.position, .goal = to.position, .partial = true}, scratch);
        ASSERT_TRUE(route);
        Record record;
        draw_corridor(mesh, *route, record.sink());
        const std::vector<Drawn> polygons = groups(record, "corridor");
        for (int i = 0; i <= 200; ++i) {
            const Place at = place_on_route(*route, route->length * i / 200);
            const bool covered =
                route->legs.empty() || std::any_of(polygons.begin(), polygons.end(), [&](const Drawn& item) {
                    return inside(item.points, ground(at.position));
                });
            ASSERT_TRUE(covered) << "trial " << trial << " at " << i;
        }
        EXPECT_LE(polygons.size(), 2 * state.polygons());
    }
    PlainMesh plain = spiral_mesh(16, 2, 0.5);
    const NavMesh ramp = plain.make();
    Route arc = RouteMaker({0, 7}, kPi).drive(7 * kPi, 1.0 / 7).take();
    arc.legs[0].start.position.z = 2;
    arc.legs[0].rise = 4;
    arc.end.position.z = 6;
    Record record;
    draw_corridor(ramp, arc, record.sink());
    EXPECT_GE(groups(record, "corridor").size(), 8U);
    EXPECT_LE(groups(record, "corridor").size(), 10U);
}

// Every side that is crossed is one between two polygons of the corridor; one fewer of them than polygons, where no leg goes over a vertex.
TEST(DrawCorridor, ShowsTheSidesCrossed) {
    PlainMesh plain{
        .vertices =
            {{0, 0, 0}, {4, 0, 0}, {8, 0, 0}, {12, 0, 0}, {12, 3, 0}, {8, 3, 0}, {4, 3, 0}, {0, 3, 0}},
        .polygons = {{0, 1, 6, 7}, {1, 2, 5, 6}, {2, 3, 4, 5}},
        .areas = {},
        .sizes = {},
        .corners = {}};
    const NavMesh mesh = plain.make();
    Scratch scratch;
    const Result<Route> route =
        find_route(mesh, MeshQuery{.start = {1, 1, 0}, .goal = Vec3{11, 2, 0}}, scratch);
    ASSERT_TRUE(route);
    Record record;
    draw_corridor(mesh, *route, record.sink(), {.portals = true});
    const std::vector<Drawn> sides = groups(record, "crossed");
    ASSERT_EQ(sides.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        for (const Vec3 end : sides[i].points) EXPECT_EQ(end.x, 4.0 + 4.0 * static_cast<double>(i));
        EXPECT_EQ(std::fabs(sides[i].points[0].y - sides[i].points[1].y), 3.0);
    }
}

TEST(DrawMesh, GatesAndObstaclesAreShown) {
    // Two rooms and a door of 1 between them.
    PlainMesh plain{
        .vertices =
            {{0, 0, 0}, {5, 0, 0}, {5, 2, 0}, {5, 3, 0}, {5, 5, 0}, {0, 5, 0}, {10, 0, 0}, {10, 5, 0}},
        .polygons = {{0, 1, 2, 3, 4, 5}, {1, 6, 7, 4, 3, 2}},
        .areas = {},
        .sizes = {},
        .corners = {}};
    const auto gates_of = [](const NavMesh& mesh) {
        Record record;
        draw(mesh, record.sink());
        return groups(record, "gates").size();
    };
    EXPECT_EQ(gates_of(plain.make()), 0U);
    NavMesh narrow = plain.make(kLandmarksMax, {}, 1.0);
    const MeshObstacle crates[] = {MeshObstacle::box({2, 2}, {0.5, 0.25}, 0.0, 0, 1),
                                   MeshObstacle::pillar({8, 1.0}, 0.4, 0, 1)};
    const MeshEdit edits[] = {MeshEdit::add(1, crates[0]), MeshEdit::add(2, crates[1])};
    ASSERT_TRUE(narrow.apply(edits));
    EXPECT_GT(gates_of(narrow), 0U);
    Record record;
    draw(crates, record.sink());
    std::size_t filled = 0;
    for (const Drawn& item : groups(record, "obstacles")) filled += item.kind == "polygon" ? 1 : 0;
    EXPECT_EQ(filled, 2U);
}

TEST(MeshTraceTest, IntervalsLieOnSidesAndLeadToTheGoal) {
    Rng rng{13};
    Scratch scratch;
    std::size_t seen = 0;
    for (int trial = 0; trial < trials(100); ++trial) {
        MeshRecipe recipe;
        const NavMesh mesh = some_mesh(rng, recipe);
        const NavMeshState& state = mesh.state();
        const MeshPoint from = random_point(mesh, rng), to = random_point(mesh, rng);
        const MeshQuery query{.start = from.position, .goal = to.position};
        const Result<Route> plain = find_route(mesh, query, scratch);
        Trace trace;
        const Result<Route> route = find_route(mesh, query, scratch, {.trace = trace.hook()});
        ASSERT_TRUE(plain && route);
        EXPECT_EQ(route->stats.digest, plain->stats.digest);  // watching changes nothing
        EXPECT_TRUE(trace.complete());
        std::set<std::pair<double, double>> roots;
        std::size_t sides = 0, opened = 0;
        EXPECT_EQ(trace.count(TraceKind::expand), route->stats.expanded);
        for (const TraceEvent& at : trace.events()) {
            if (!at.has_side()) continue;  // a goal
            ++sides;
            roots.insert({at.from.x, at.from.y});
            // Its ends are on a side of a polygon there.
            const MeshPoint under =
                state.nearest({at.position.x, at.position.y, at.z}, {.across = 0.1, .above = 9, .below = 9});
            ASSERT_TRUE(under.polygon.valid());
            bool on_side = false;
            for (std::uint32_t k = 0; k < state.corners(under.polygon); ++k) {
                const Vec2 a = ground(state.corner(under.polygon, k));
                const Vec2 b = ground(state.corner(under.polygon, (k + 1) % state.corners(under.polygon)));
                const auto near = [&](Vec2 p) {
                    return distance(a, p) + distance(p, b) <= distance(a, b) + 1e-6;
                };
                on_side = on_side || (near(at.left) && near(at.right));
            }
            ASSERT_TRUE(on_side) << "trial " << trial;
            EXPECT_GE(cross(at.right - at.from, at.left - at.from), -1e-6);
            opened += at.kind != TraceKind::generate ? 1 : 0;
        }
        for (const Leg& leg : route->legs) {
            if (route->legs.size() < 2 || trace.events().empty()) continue;
            const Vec2 p = ground(leg.start.position);
            const bool near =
                std::any_of(roots.begin(), roots.end(), [&](const std::pair<double, double>& root) {
                    return distance({root.first, root.second}, p) < 1e-9;
                });
            // The last bend may see the goal at once.
            EXPECT_TRUE(near || &leg == &route->legs[route->legs.size() - 1]);
        }
        Record record;
        draw(trace.events(), record.sink());
        EXPECT_EQ(record.count("line"), sides);
        EXPECT_EQ(record.count("polygon"), opened);
        seen += opened;
        Record half;
        draw(trace.events(), half.sink(),
             {.fans = false,
              .open = false,
              .order_end = static_cast<std::uint32_t>(trace.events().size() / 2)});
        EXPECT_EQ(half.count("polygon"), 0U);
    }
    EXPECT_GT(seen, 0U);
    Trace few(2);
    Rng again{13};
    MeshRecipe recipe;
    const NavMesh mesh = some_mesh(again, recipe);
    for (int i = 0; i < 20; ++i) {
        const MeshQuery query{.start = random_point(mesh, rng).position,
                              .goal = random_point(mesh, rng).position};
        ASSERT_TRUE(find_route(mesh, query, scratch, {.trace = few.hook()}));
    }
    EXPECT_EQ(few.events().size(), 2U);
    EXPECT_FALSE(few.complete());
}

TEST(DrawMesh, AWholePictureIsWellFormed) {
    PlainMesh plain = spiral_mesh(12, 1, 0.2);
    plain.areas.assign(plain.polygons.size(), 0);
    plain.areas[7] = 2;
    NavMesh mesh = plain.make();
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::pillar({0, 6.5}, 0.7, -1, 3))};
    ASSERT_TRUE(mesh.apply(put));
    Scratch scratch;
    Trace trace;
    const Result<Route> route = find_route(mesh, MeshQuery{.start = {6, 0.5, 0}, .goal = Vec3{-6, -0.5, 1.4}},
                                           scratch, {.trace = trace.hook()});
    ASSERT_TRUE(route);
    EXPECT_EQ(route->status, PathStatus::complete);
    SvgWriter svg({.bounds = world_bounds(mesh), .y_up = true});
    for (const MeshTint tint : {MeshTint::area, MeshTint::component, MeshTint::height, MeshTint::polygon})
        draw(mesh, svg.sink(), {.tint = tint});
    draw(trace.events(), svg.sink());
    draw_corridor(mesh, *route, svg.sink());
    draw(*route, {.radius = 0.3}, svg.sink());
    const Result<std::span<const char>> text = svg.finish();
    ASSERT_TRUE(text);
    EXPECT_EQ(testing::XmlCheck::run({text->data(), text->size()}), "");
}

}  // namespace
}  // namespace fairlead::debug
