// Gaps between two corners, and discs that are a little too wide for them: the planners take what is short by less than their slack
// for touching, and nothing that is short by twice as much. Verify's slack is wider and cannot tell: here the gap is known. Tiles, a
// mesh of the same tiles, turning units.
#include <algorithm>
#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/contact.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/verify/verify.h>

#include "oracle/grid_oracle.h"
#include "simulate/driver.h"
#include "simulate/routes.h"
#include "simulate/script.h"

namespace fairlead::simulate {

namespace {

using oracle::World;

constexpr double kTileSlack = 0.5e-9;      // cells, grid/sight.h
constexpr double kDriveSlack = 1e-9;       // cells, drive/body/sweep.h
constexpr double kMeshShare = 0.25;        // of the contact slack, mesh/query
constexpr double kPasses = 0.3;            // slacks that a gap may be short by
constexpr double kRefused = 2.0;           // and may not
constexpr double kSinglePrecision = -1e5;  // slacks, more than single precision rounds

/// Two walls on from the map's sides, one higher than the other by `rise`, `across` apart.
struct Gap {
    World world;
    double width = 0.0;
    Vec2 below{};
    Vec2 above{};
};

Gap gap_of(const Step& step) {
    const std::int32_t across = std::clamp(step.whole("across", 1), 1, 3);
    const std::int32_t rise = std::clamp(step.whole("rise"), 0, 3);
    const std::int32_t side = std::clamp(step.whole("side"), 0, 2);
    Gap gap;
    gap.width = std::sqrt(static_cast<double>(across * across + rise * rise));
    const auto room = static_cast<std::int32_t>(std::ceil(gap.width)) + 1;
    World& world = gap.world;
    world.width = 2 * room + side;
    const std::int32_t first = room - across / 2;
    const std::int32_t high = rise > 0 ? room + 1 + rise : room;
    world.height = high + 1 + room;
    world.tiles.assign(static_cast<std::size_t>(world.width * world.height), 1);
    for (std::int32_t x = 0; x < world.width; ++x) {
        if (x < first) world.tiles[static_cast<std::size_t>(room * world.width + x)] = 0;
        if (x >= first + across) world.tiles[static_cast<std::size_t>(high * world.width + x)] = 0;
    }
    gap.below = {first + 0.5 * across, 0.5 * room};
    gap.above = {first + 0.5 * across, world.height - 0.5 * (world.height - high - 1)};
    if (step.has("turned")) {
        World turned = world;
        std::swap(turned.width, turned.height);
        for (std::int32_t y = 0; y < world.height; ++y) {
            for (std::int32_t x = 0; x < world.width; ++x)
                turned.tiles[static_cast<std::size_t>(x * turned.width + y)] =
                    world.tiles[static_cast<std::size_t>(y * world.width + x)];
        }
        world = turned;
        std::swap(gap.below.x, gap.below.y);
        std::swap(gap.above.x, gap.above.y);
    }
    return gap;
}

/// May a planner refuse this one? What is known of gaps beforehand is exact, or rounded to the safe side: of meshes in single precision.
bool may_refuse(const Step& step) {
    const double short_by = step.number("short");
    const bool straight = step.whole("rise") <= 0;
    if (straight && short_by == 0.0) return false;
    if (step.verb == "mesh" && !straight) return short_by > kSinglePrecision;
    return short_by > (step.verb == "drive" ? kPasses : -kPasses);
}

std::string judge(const Step& step, const Route& route) {
    const bool passes = route.status == PathStatus::complete;
    const double short_by = step.number("short");
    if (!passes && !may_refuse(step))
        return std::string("gap: ") + status_name(route.status) + " through one wide enough";
    if (short_by >= kRefused && passes) return "gap: through one too narrow";
    return "";
}

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}

    // False: it was refused.
    [[nodiscard]] bool ask(const Step& step, const Gap& gap, const Grid& grid, Scratch& with,
                           Route& route) const {
        const double short_by = step.number("short");
        const double radius = 0.5 * gap.width;
        if (step.verb == "tiles") {
            GridQuery query{.start = gap.below, .goal = gap.above};
            query.agent.radius = radius + short_by * kTileSlack;
            query.corner = static_cast<CornerRule>(static_cast<std::uint32_t>(step.whole("corner")) % 3);
            return find_route_into(grid, query, with, route).has_value();
        }
        if (step.verb == "mesh") {
            const Result<NavMesh> mesh = make_grid_mesh(grid, {.radius_max = 4.0, .landmarks = 2});
            const double size = std::max(gap.world.width, gap.world.height);
            MeshQuery query;
            query.start = Vec3{gap.below.x, gap.below.y, 0};
            query.goal = Goal(Vec3{gap.above.x, gap.above.y, 0});
            query.agent.radius = radius + short_by * kMeshShare * contact_slack(size, size);
            return mesh && find_route_into(*mesh, query, with, route).has_value();
        }
        const double heading = step.has("turned") ? 0.0 : kHalfPi;
        DriveQuery query{.start = {gap.below, heading}, .goal = {gap.above, heading}};
        query.agent.radius = radius + short_by * kDriveSlack;
        query.agent.turning_radius = 1.0;
        query.agent.can_reverse = true;
        const GridDriveSetup setup{.headings = 8, .refine = false, .off_lattice_max = 0};
        return find_route_into(grid, query, with, route, setup).has_value();
    }

    // Past a wall: a line that would touch it a little too deep has to bend, one that is hardly too deep is kept. How deep a route goes
    // is computed here, from its legs alone.
    [[nodiscard]] std::string graze(const Step& step) {
        World world;
        world.width = 9;
        world.height = 6;
        world.tiles.assign(54, 1);
        const bool turned = step.has("turned");
        if (turned) std::swap(world.width, world.height);
        world.tiles[static_cast<std::size_t>(turned ? 4 * 6 + 2 : 2 * 9 + 4)] = 0;
        const Result<Grid> grid = Grid::make(world.options(), world.tiles);
        if (!grid) return "refused: the grid";
        const double short_by = step.number("short");
        GridQuery query;
        query.agent.radius = 0.1 * std::clamp(step.whole("radius", 3), 1, 4);
        const double line = 3.0 + query.agent.radius - short_by * kTileSlack;
        query.start = turned ? Vec2{line, 1.5} : Vec2{1.5, line};
        query.goal = turned ? Vec2{line, 7.5} : Vec2{7.5, line};
        Route route;
        if (!find_route_into(*grid, query, scratch, route)) return "refused: a query";
        ++tally->answers;
        ++tally->judged;
        if (route.status != PathStatus::complete) return "graze: no way";
        if (short_by <= kPasses && route.legs.size() != 1) return "graze: a line that is free is not taken";
        const Vec2 corners[] = {turned ? Vec2{3, 4} : Vec2{4, 3}, turned ? Vec2{3, 5} : Vec2{5, 3}};
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const Vec2 a = ground(route.legs[i].start.position);
            const Vec2 d = ground(leg_end(route, i).position) - a;
            for (const Vec2& corner : corners) {
                const double part = std::clamp(dot(corner - a, d) / dot(d, d), 0.0, 1.0);
                const double deep = query.agent.radius - distance(a + d * part, corner);
                if (deep > kRefused * 0.75 * kTileSlack) return "graze: too deep, " + number_text(deep);
            }
        }
        return "";
    }

    [[nodiscard]] std::string play(const Step& step) {
        if (step.verb == "graze") return graze(step);
        const Gap gap = gap_of(step);
        const Result<Grid> grid = Grid::make(gap.world.options(), gap.world.tiles);
        if (!grid) return "refused: the grid";
        Route route;
        Route again;
        Scratch fresh;
        if (!ask(step, gap, *grid, scratch, route) || !ask(step, gap, *grid, fresh, again))
            return "refused: a query";
        ++tally->answers;
        ++tally->repeated;
        const std::string differs = route_difference(route, again);
        if (!differs.empty()) return "differs: warm and fresh, " + differs;
        if (has_way(route)) ++tally->routes;
        if (has_way(route) && step.verb == "tiles") {
            ++tally->verified;
            Agent disc;
            disc.radius = 0.5 * gap.width + step.number("short") * kTileSlack;
            const Violation bad = verify(route, *grid, disc);
            if (bad) return std::string("illegal: ") + bad.text().c_str();
        }
        ++tally->judged;
        return judge(step, route);
    }

    Scratch scratch;
    Tally* tally;
};

}  // namespace

Script draw_gaps_script(Dice& dice, int operations) {
    constexpr double kShort[] = {-1e6, -6, -1, -0.3, 0, 0.3, 2, 2.5, 3, 4, 5, 6, 7, 1e6};
    Script script{"gaps", {}};
    while (static_cast<int>(script.steps.size()) < operations && !dice.empty()) {
        if (dice.chance(30)) {
            Step& past = script.add("graze").with("radius", dice.between(1, 4));
            past.with("short", kShort[1 + dice.below(12)]);
            if (dice.chance(50)) past.with("turned", 1);
            continue;
        }
        const std::uint32_t what = dice.below(100);
        Step& step = script.add(what < 70 ? "tiles" : what < 97 ? "mesh" : "drive");
        step.with("across", dice.between(1, 3)).with("side", dice.between(0, 2));
        step.with("short", kShort[dice.below(14)]);
        // A turning unit goes straight through.
        if (what < 97 && dice.chance(60)) step.with("rise", dice.between(1, 3));
        if (dice.chance(50)) step.with("turned", 1);
        if (dice.chance(50)) step.with("corner", dice.below(3));
    }
    return script;
}

std::string play_gaps_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
