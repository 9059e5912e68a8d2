#include "support/convoy_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fairlead/base/rng.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/grid/grid.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead::testing {

namespace {

constexpr double kTurningRadius = 3.0;

SpeedLimits tank_limits() {
    return {
        .speed_max = 2.0, .accel_max = 2.0, .brake_max = 3.0, .lateral_accel_max = 2.0, .cusp_seconds = 0.2};
}

// --- The judge: plain geometry -----------------------------------------------------------------------------------

using Corners = std::array<Vec2, 4>;

Corners corners_of(const JudgedBody& body) {
    const Vec2 side{-body.ahead.y, body.ahead.x};
    const Vec2 l = body.ahead * body.half_length;
    const Vec2 w = side * body.half_width;
    return {body.at + l + w, body.at - l + w, body.at - l - w, body.at + l - w};
}

double gap_on_axis(const Corners& a, const Corners& b, Vec2 axis) {
    double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
    for (const Vec2 p : a) {
        a_low = std::min(a_low, dot(p, axis));
        a_high = std::max(a_high, dot(p, axis));
    }
    for (const Vec2 p : b) {
        b_low = std::min(b_low, dot(p, axis));
        b_high = std::max(b_high, dot(p, axis));
    }
    return std::max(b_low - a_high, a_low - b_high);
}

double distance_to_rectangle(Vec2 p, const JudgedBody& body) {
    const Vec2 side{-body.ahead.y, body.ahead.x};
    const Vec2 d = p - body.at;
    const double x = std::abs(dot(d, body.ahead)) - body.half_length;
    const double y = std::abs(dot(d, side)) - body.half_width;
    if (x <= 0.0 && y <= 0.0) return std::max(x, y);
    return std::sqrt(std::max(x, 0.0) * std::max(x, 0.0) + std::max(y, 0.0) * std::max(y, 0.0));
}

bool is_disc(const JudgedBody& body) { return body.half_length == 0.0 && body.half_width == 0.0; }

}  // namespace

// Two rectangles: the widest gap between them along one of their four axes, which is 0 or less where and only where they meet.
double overlap_of(const JudgedBody& a, const JudgedBody& b) {
    if (is_disc(a)) return a.radius + b.radius - distance_to_rectangle(a.at, b);
    if (is_disc(b)) return overlap_of(b, a);
    const Corners p = corners_of(a);
    const Corners q = corners_of(b);
    double gap = -1e300;
    for (const JudgedBody* body : {&a, &b}) {
        gap = std::max(gap, gap_on_axis(p, q, body->ahead));
        gap = std::max(gap, gap_on_axis(p, q, Vec2{-body->ahead.y, body->ahead.x}));
    }
    return -gap;
}

namespace {

// --- The yard ----------------------------------------------------------------------------------------------------

struct Yard {
    std::optional<Result<Grid>> grid;
    std::vector<JudgedBody> walls;
    std::vector<Pose> places;
};

Vec2 turned(Vec2 p, int quarters) {
    for (int i = 0; i < quarters; ++i) p = {-p.y, p.x};
    return p;
}

void add_block(Yard& yard, double half, Vec2 middle, Vec2 size, int quarters) {
    const Vec2 at = turned(middle, quarters);
    const Vec2 s = quarters % 2 == 0 ? size : Vec2{size.y, size.x};
    yard.walls.push_back({at, {1.0, 0.0}, 0.5 * s.x, 0.5 * s.y, 0.0});
    const auto cell = [&](double v) { return static_cast<std::int32_t>(std::floor(v + half + 0.5)); };
    (void)(*yard.grid)
        ->fill({{cell(at.x - 0.5 * s.x), cell(at.y - 0.5 * s.y)},
                {cell(at.x + 0.5 * s.x), cell(at.y + 0.5 * s.y)}},
               0);
}

// Blocks of 3 x 4 at x = +-5.5; three places a side, 4 from the wall, heading inward.
Yard make_yard(const YardTrial& trial) {
    Yard yard;
    const auto cells = static_cast<std::int32_t>(trial.side + 0.5);
    const double half = 0.5 * trial.side;
    yard.grid.emplace(Grid::make({.width = cells, .height = cells, .origin = {-half, -half}}));
    for (const double x : {-5.5, 5.5}) add_block(yard, half, {x, 0.0}, {3.0, 4.0}, trial.turns);
    for (int quarter = 0; quarter < 4; ++quarter) {  // the outside
        const Vec2 out = turned({1.0, 0.0}, quarter);
        yard.walls.push_back({out * (half + 5.0), out, 5.0, half + 10.0, 0.0});
    }
    for (int quarter = 0; quarter < 4; ++quarter) {
        for (const double along : {-0.45, 0.0, 0.45}) {
            const Vec2 at = turned({half - 4.0, along * half}, quarter + trial.turns);
            const Vec2 in = turned({-1.0, 0.0}, quarter + trial.turns);
            yard.places.push_back({at, std::atan2(in.y, in.x)});
        }
    }
    return yard;
}

std::vector<std::size_t> exchange(std::size_t count, std::uint64_t seed) {
    Rng rng(seed * 7919 + 17);
    for (;;) {
        std::vector<std::size_t> to(count);
        for (std::size_t i = 0; i < count; ++i) to[i] = i;
        for (std::size_t i = count - 1; i > 0; --i) {
            const auto j = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(i + 1)));
            std::swap(to[i], to[j]);
        }
        bool fixed = false;
        for (std::size_t i = 0; i < count; ++i) fixed = fixed || to[i] == i;
        if (!fixed) return to;
    }
}

struct Driven {
    ConvoyId id{};
    Pose goal{};
    double alone = 0.0;
    double arrived = -1.0;
    ConvoyView before{};
};

JudgedBody body_at(const Agent& agent, const Pose& pose) {
    JudgedBody body{pose.position, {std::cos(pose.heading_rad), std::sin(pose.heading_rad)}};
    if (agent.shape == BodyShape::box) {
        body.half_length = 0.5 * agent.length;
        body.half_width = 0.5 * agent.width;
        body.at = body.at + body.ahead * agent.axle_offset;
    } else {
        body.radius = agent.radius;
    }
    return body;
}

void judge_motion(const ConvoyView& a, const ConvoyView& b, double dt, YardVerdict& out) {
    out.speed = std::max(out.speed, b.speed);
    const double before = a.gear == Gear::reverse ? -a.speed : a.speed;
    const double after = b.gear == Gear::reverse ? -b.speed : b.speed;
    const double gained = (std::abs(after) - std::abs(before)) / dt;
    const SpeedLimits limits = tank_limits();
    // Of a limit: 1 is all of it.
    out.accel = std::max(out.accel, gained > 0.0 ? gained / limits.accel_max : -gained / limits.brake_max);
    const double way = length(b.pose.position - a.pose.position);
    const double turn = std::abs(std::remainder(b.pose.heading_rad - a.pose.heading_rad, kTwoPi));
    // The way along the curve is at most that; its chord is shorter.
    const double most = std::max(std::abs(before), std::abs(after)) * dt +
                        0.5 * std::max(limits.accel_max, limits.brake_max) * dt * dt;
    out.jump = std::max(out.jump, way - most);
    if (way > 1e-4) out.curvature = std::max(out.curvature, 2.0 * std::sin(0.5 * turn) / way);
}

// The route of a search that knows no others, driven as fast as the limits allow.
double seconds_alone(const DriveMap& map, const Pose& from, const Pose& to, Scratch& scratch) {
    const Result<Route> route = find_route(map, DriveQuery{.start = from, .goal = to}, scratch);
    SpeedProfile profile;
    if (!route || !make_speed_profile(*route, tank_limits(), {}, profile)) return 1e-9;
    return profile.seconds();
}

}  // namespace

YardVerdict play_yard(const YardTrial& trial) {
    YardVerdict out;
    Yard yard = make_yard(trial);
    Agent agent{.radius = 1.0, .turning_radius = kTurningRadius, .can_reverse = trial.can_reverse};
    if (trial.boxes) {
        agent = {.shape = BodyShape::box,
                 .length = 3.0,
                 .width = 1.6,
                 .axle_offset = 0.5,
                 .turning_radius = kTurningRadius,
                 .can_reverse = trial.can_reverse};
    }
    const Result<DriveTable> moves = DriveTable::make({.agent = agent, .cell_size = 1.0, .stretch = 1.05});
    const Result<SpeedTable> times = SpeedTable::make(*moves, tank_limits(), 3);
    const Result<DriveMap> map = make_drive_map(**yard.grid, *moves);
    Result<Convoy> convoy = Convoy::make();
    const Result<ConvoyKind> kind = convoy->add_kind(*map, *times);
    const std::vector<std::size_t> to = exchange(yard.places.size(), trial.seed);
    std::vector<Driven> units;
    Scratch scratch;
    double longest = 0.0;
    out.units = static_cast<int>(yard.places.size());
    for (std::size_t i = 0; i < yard.places.size(); ++i) {
        Driven unit;
        const Result<ConvoyId> id = convoy->add(*kind, yard.places[i]);
        unit.goal = yard.places[to[i]];
        if (!id || !convoy->send(*id, unit.goal)) {
            out.missing = out.units;
            return out;
        }
        unit.id = *id;
        unit.alone = seconds_alone(*map, yard.places[i], unit.goal, scratch);
        longest = std::max(longest, unit.alone);
        unit.before = convoy->unit(unit.id);
        units.push_back(unit);
    }
    const double most = trial.seconds_max > 0.0 ? trial.seconds_max : 3.15 * longest;
    int coming = out.units;
    for (; out.seconds < most && coming > 0; out.seconds += trial.dt) {
        if (!convoy->update(trial.dt, trial.slice)) break;
        std::vector<JudgedBody> bodies;
        for (Driven& unit : units) {
            const ConvoyView now = convoy->unit(unit.id);
            judge_motion(unit.before, now, trial.dt, out);
            unit.before = now;
            bodies.push_back(body_at(agent, now.pose));
            if (unit.arrived < 0.0 && now.state == ConvoyState::arrived) {
                unit.arrived = out.seconds + trial.dt;
                --coming;
                const double off =
                    length(now.pose.position - unit.goal.position) +
                    std::abs(std::remainder(now.pose.heading_rad - unit.goal.heading_rad, kTwoPi));
                out.off_goal = std::max(out.off_goal, off);
            }
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                out.overlap = std::max(out.overlap, overlap_of(bodies[i], bodies[j]));
                out.nearest = std::min(out.nearest, length(bodies[i].at - bodies[j].at));
            }
            for (const JudgedBody& wall : yard.walls)
                out.overlap = std::max(out.overlap, overlap_of(bodies[i], wall));
        }
    }
    for (const Driven& unit : units) {
        if (unit.arrived < 0.0) {
            ++out.missing;
            continue;
        }
        out.worst = std::max(out.worst, unit.arrived / unit.alone);
        out.mean += unit.arrived / unit.alone / out.units;
    }
    out.digest = convoy->digest();
    out.report = convoy->report();
    return out;
}

}  // namespace fairlead::testing
