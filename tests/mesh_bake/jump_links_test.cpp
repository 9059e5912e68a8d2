// Jumps found on made levels with known answers, and every flight against a second test that follows the cylinder in small steps.
#include <fairlead/mesh_bake/jump_links.h>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/levels.h"

namespace fairlead {
namespace {

using testing::Level;
using testing::trials;

const bake::BakeOptions kBake{
    .cell_size = 0.2, .cell_height = 0.1, .agent_radius = 0.4, .climb = 0.4, .island_cells_min = 16};
constexpr bake::JumpOptions kJump{.agent_radius = 0.4, .climb = 0.4, .drop_min = 0.4};

struct Baked {
    NavMesh mesh;
    Array<MeshLink> jumps;
};

Baked bake_jumps(const TriangleSoup& soup, const bake::BakeOptions& bake, const bake::JumpOptions& options) {
    Result<NavMesh> mesh = bake::navmesh(soup, bake);
    EXPECT_TRUE(mesh);
    Baked out{std::move(*mesh), {}};
    EXPECT_TRUE(bake::find_jump_links(soup, bake, out.mesh, options, out.jumps));
    std::vector<MeshEdit> put;
    for (const MeshLink& jump : out.jumps) put.push_back(MeshEdit::add_link(jump));
    EXPECT_TRUE(out.mesh.apply(put));
    return out;
}

PathStatus ask(const NavMesh& mesh, Vec3 from, Vec3 to) {
    Scratch scratch;
    const MeshQuery query{.start = from, .goal = to, .reach = {.across = 0.5, .above = 0.5, .below = 0.5}};
    const Result<Route> route = find_route(mesh, query, scratch);
    EXPECT_TRUE(route);
    if (route->status == PathStatus::complete) {
        const Violation bad = verify(*route, mesh, {}, {.height_slack = 0.5});
        EXPECT_FALSE(bad) << bad.text().c_str();
    }
    return route->status;
}

TEST(JumpLinks, DownFromALedge) {
    Level level;
    level.floor(0, 0, 20, 10, 0.0);
    level.box({0, 0, 0.1}, {8, 10, 2.0});
    const Baked down = bake_jumps(level.soup(), kBake, kJump);
    ASSERT_FALSE(down.jumps.empty());
    for (const MeshLink& jump : down.jumps) {
        EXPECT_EQ(jump.kind, 0);
        EXPECT_TRUE(jump.one_way);
        EXPECT_NEAR(jump.from.x, 7.6, 0.25);
        EXPECT_NEAR(jump.from.z, 2.0, 0.15);
        EXPECT_NEAR(jump.to.z, 0.0, 0.15);
        EXPECT_NEAR(jump.heading_rad, 0.0, 0.2);
        EXPECT_TRUE(down.mesh.state().link(jump.id)->awake);
    }
    EXPECT_GT(down.jumps[0].extent, 5.0);
    EXPECT_EQ(ask(down.mesh, {4, 5, 2}, {15, 5, 0}), PathStatus::complete);
    EXPECT_EQ(ask(down.mesh, {15, 5, 0}, {4, 5, 2}), PathStatus::unreachable);
    // Not from that high.
    bake::JumpOptions low = kJump;
    low.drop_max = 1.5;
    EXPECT_TRUE(bake_jumps(level.soup(), kBake, low).jumps.empty());
    // Nor into a wall, or under a roof that leaves no room for the flight.
    Level walled = level;
    walled.box({8.3, 0, 0}, {8.6, 10, 4.0});
    EXPECT_EQ(ask(bake_jumps(walled.soup(), kBake, kJump).mesh, {4, 5, 2}, {15, 5, 0}),
              PathStatus::unreachable);
    Level roofed = level;
    roofed.box({7.8, 0, 4.2}, {14, 10, 4.4});
    EXPECT_EQ(ask(bake_jumps(roofed.soup(), kBake, kJump).mesh, {4, 5, 2}, {15, 5, 0}),
              PathStatus::unreachable);
    Level high_roof = level;
    high_roof.box({7.8, 0, 4.8}, {14, 10, 5.0});
    EXPECT_EQ(ask(bake_jumps(high_roof.soup(), kBake, kJump).mesh, {4, 5, 2}, {15, 5, 0}),
              PathStatus::complete);
}

TEST(JumpLinks, AcrossAGap) {
    for (const double gap : {1.0, 1.8, 2.6}) {
        Level level;
        level.box({0, 0, 0}, {8, 6, 6});
        level.box({8 + gap, 0, 0}, {16 + gap, 6, 6.2});
        const Baked over = bake_jumps(level.soup(), kBake, kJump);
        // From the edge of the mesh to that on the other side there are two radii more.
        const bool wanted = gap + 0.8 + 0.4 <= kJump.gap_max;
        EXPECT_EQ(ask(over.mesh, {4, 3, 6}, {12 + gap, 3, 6.2}),
                  wanted ? PathStatus::complete : PathStatus::unreachable)
            << gap;
        EXPECT_EQ(ask(over.mesh, {12 + gap, 3, 6.2}, {4, 3, 6}),
                  wanted ? PathStatus::complete : PathStatus::unreachable)
            << gap;
        for (const MeshLink& jump : over.jumps) EXPECT_EQ(jump.kind, 1);
    }
    // Slower units do not get over, nor those that would have to rise more.
    Level level;
    level.box({0, 0, 0}, {8, 6, 6});
    level.box({9, 0, 0}, {17, 6, 6});
    bake::JumpOptions slow = kJump;
    slow.speed_max = 2.0;
    EXPECT_TRUE(bake_jumps(level.soup(), kBake, slow).jumps.empty());
    EXPECT_FALSE(bake_jumps(level.soup(), kBake, kJump).jumps.empty());
}

TEST(JumpLinks, BadOptions) {
    Level level;
    level.floor(0, 0, 4, 4, 0.0);
    const Result<NavMesh> mesh = bake::navmesh(level.soup(), kBake);
    ASSERT_TRUE(mesh);
    Array<MeshLink> out;
    const auto refused = [&](auto&& change, Field field) {
        bake::JumpOptions options = kJump;
        change(options);
        const Result<void> done = bake::find_jump_links(level.soup(), kBake, *mesh, options, out);
        return !done && done.error().code == ErrorCode::out_of_range && done.error().field == field;
    };
    EXPECT_TRUE(refused([](bake::JumpOptions& o) { o.agent_radius = -1.0; }, Field::agent_radius));
    EXPECT_TRUE(refused([](bake::JumpOptions& o) { o.drop_max = NAN; }, Field::drop_max));
    EXPECT_TRUE(refused([](bake::JumpOptions& o) { o.rise_max = o.apex + 0.1; }, Field::rise_max));
    EXPECT_TRUE(refused([](bake::JumpOptions& o) { o.gravity = 0.0; }, Field::gravity));
    EXPECT_TRUE(refused([](bake::JumpOptions& o) { o.sample_step = 0.0; }, Field::sample_step));
    EXPECT_TRUE(refused([](bake::JumpOptions& o) { o.kind_across = 64; }, Field::kind_across));
}

/// The solid columns, for the second test.
struct Columns {
    SpanField field;
    GridFrame frame;
};

Columns columns_of(const TriangleSoup& soup, const bake::BakeOptions& bake) {
    const GridFrame frame{soup_low_corner(soup), effective_cell_size(bake.cell_size), bake.cell_height};
    const Result<GridSoup> grid = prepare_soup(soup, frame);
    EXPECT_TRUE(grid);
    const auto cell = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
    Result<SpanField> field = SpanField::make(
        {cell(grid->low[0]), cell(grid->low[1]), cell(grid->high[0]) + 1, cell(grid->high[1]) + 1});
    EXPECT_TRUE(field);
    EXPECT_TRUE(field->add(*grid));
    return {std::move(*field), frame};
}

// In steps of a hundredth of the way, each column within the radius: how deep the cylinder is in something solid, at most. What
// is a cell height above the foot is no hindrance, nor what is `climb` above an end near it.
double deepest(const Columns& columns, Vec3 from, Vec3 to, const bake::JumpOptions& o, double radius) {
    const double v = std::sqrt(2.0 * o.gravity * o.apex);
    const double time = (v + std::sqrt(std::max(0.0, v * v - 2.0 * o.gravity * (to.z - from.z)))) / o.gravity;
    const double size = columns.frame.cell_size, high = columns.frame.cell_height;
    const CellBox box = columns.field.box();
    double worst = 0.0;
    for (int i = 0; i <= 200; ++i) {
        const double t = time * i / 200.0;
        const Vec2 at = ground(from) + (ground(to) - ground(from)) * (i / 200.0);
        const double foot = from.z + v * t - 0.5 * o.gravity * t * t;
        for (std::int32_t y = box.y0; y < box.y1; ++y) {
            for (std::int32_t x = box.x0; x < box.x1; ++x) {
                const Vec2 low = ground(columns.frame.origin) + Vec2{x * size, y * size};
                const auto off = [&](Vec2 p) {
                    return distance(
                        p, {std::clamp(p.x, low.x, low.x + size), std::clamp(p.y, low.y, low.y + size)});
                };
                if (off(at) >= radius) continue;
                double ground_z = foot + high;
                for (const Vec3& end : {from, to}) {
                    if (off(ground(end)) <= o.agent_radius + size)
                        ground_z = std::max(ground_z, end.z + o.climb);
                }
                for (const Span* s = columns.field.row(y) + (x - box.x0);;) {
                    const double bottom = columns.frame.origin.z + s->low * high,
                                 top = columns.frame.origin.z + s->high * high;
                    if (s->high > s->low)
                        worst = std::max(worst, std::min(top - ground_z, foot + o.agent_height - bottom));
                    if (s->above == 0) break;
                    s = columns.field.upper() + s->above;
                }
            }
        }
    }
    return worst;
}

TEST(JumpLinks, FlightsAgainstSmallSteps) {
    Rng rng(1621);
    int clear = 0, blocked = 0;
    for (int round = 0; round < trials(150); ++round) {
        Level level;
        level.floor(0, 0, 5, 3, 0.0);
        for (int i = 0; i < 3; ++i) {
            const double x = rng.between(0.0, 4.5), y = rng.between(0.0, 2.5), z = rng.between(-0.5, 3.0);
            level.box({x, y, z},
                      {x + rng.between(0.1, 1.0), y + rng.between(0.1, 1.0), z + rng.between(0.1, 2.0)});
        }
        const Columns columns = columns_of(level.soup(), kBake);
        const bake::SolidSpace space{&columns.field, columns.frame};
        for (int i = 0; i < 10; ++i) {
            const double z = rng.between(0.0, 2.5);
            const Vec3 from{rng.between(0.5, 2.0), rng.between(0.5, 2.5), z};
            const Vec3 to{rng.between(2.5, 4.5), rng.between(0.5, 2.5),
                          std::max(0.0, z - rng.between(-0.4, 3.0))};
            const bake::JumpFlight flight = bake::make_flight(from, to, kJump);
            EXPECT_NEAR(distance(ground(flight.at(1.0)), ground(to)), 0.0, 1e-12);
            EXPECT_NEAR(flight.at(1.0).z, to.z, 1e-12);
            if (bake::is_clear(space, flight, kJump)) {
                ++clear;
                ASSERT_LE(deepest(columns, from, to, kJump, kJump.agent_radius), 1e-9) << "round " << round;
            } else {
                ++blocked;
                // Not for nothing: a somewhat larger cylinder meets something.
                bake::JumpOptions large = kJump;
                large.agent_height += 0.3;
                ASSERT_GT(deepest(columns, from, to, large, kJump.agent_radius * 1.42 + 0.05), -0.2)
                    << "round " << round;
            }
        }
    }
    EXPECT_GT(clear, trials(150));
    EXPECT_GT(blocked, trials(150));
}

TEST(JumpLinks, LevelsOfOthers) {
    for (const char* name : {"recast/nav_test.obj", "made/tower_10.obj"}) {
        FAIRLEAD_REQUIRE_DATA(path, std::string("meshes/") + name);
        const Level level = testing::read_obj(path);
        const TriangleSoup soup = level.soup();
        const bake::BakeOptions bake{.cell_size = 0.3, .cell_height = 0.2, .agent_radius = 0.4, .climb = 0.4};
        const Baked first = bake_jumps(soup, bake, kJump);
        EXPECT_FALSE(first.jumps.empty()) << name;
        const Columns columns = columns_of(soup, bake);
        std::size_t awake = 0;
        for (const MeshLink& jump : first.jumps) {
            awake += first.mesh.state().link(jump.id)->awake ? 1 : 0;
            const double drop = jump.from.z - jump.to.z;
            EXPECT_LE(drop, kJump.drop_max + 1e-9);
            EXPECT_GE(drop, -kJump.rise_max - 1e-9);
            EXPECT_LE(distance(ground(jump.from), ground(jump.to)), 3.0 + 1e-9);
            if (jump.extent == 0.0) {
                EXPECT_TRUE(bake::is_clear({&columns.field, columns.frame},
                                           bake::make_flight(jump.from, jump.to, kJump), kJump));
            }
        }
        EXPECT_GE(awake, first.jumps.size() * 99 / 100) << name;
        const Baked again = bake_jumps(soup, bake, kJump);
        ASSERT_EQ(again.jumps.size(), first.jumps.size());
        for (std::size_t i = 0; i < again.jumps.size(); ++i) EXPECT_EQ(again.jumps[i], first.jumps[i]);
        RecordProperty(std::string(name), std::to_string(first.jumps.size()));
    }
}

}  // namespace
}  // namespace fairlead
