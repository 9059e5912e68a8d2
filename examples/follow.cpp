// From a route to a moving unit: a person who walks up a flight of stairs, and a carrier that backs up. Each frame the
// cursor goes on by what the unit walks in it, and tells what happens on the way.

#include <fairlead/fairlead.h>

#include <cstdio>

namespace {

using namespace fairlead;

constexpr double kFrame = 0.1;     // seconds
constexpr double kTurnRate = 3.0;  // radians a second
constexpr double kStairs = 2.0;    // seconds that the animation of a portal takes

/// What a game keeps for each unit. The route stays where it is while the cursor is used.
struct Mover {
    RouteCursor cursor;
    double speed = 1.0;
    double busy = 0.0;     // seconds left of a turn, a change of gear or the stairs
    double heading = 0.0;  // as drawn
    bool arrived = false;

    Mover(const Route& route, double units_a_second)
        : cursor(route), speed(units_a_second), heading(cursor.place().heading_rad) {}

    void update(double seconds) {
        if (busy > 0.0) {  // the game's own animation plays
            busy -= seconds;
            return;
        }
        double left = speed * seconds;
        while (busy <= 0.0) {
            const RouteEvent e = cursor.advance(left);
            if (!e.happened()) break;
            tell(e);
        }
        smooth_heading(seconds);
    }

    void tell(const RouteEvent& e) {
        std::printf("  %-10s at %5.2f", route_event_name(e.kind), e.distance);
        switch (e.kind) {
            case RouteEventKind::pivot:
                std::printf(", by %.2f rad", e.turn_rad);
                busy = (e.turn_rad < 0.0 ? -e.turn_rad : e.turn_rad) / kTurnRate;
                break;
            case RouteEventKind::gear: std::printf(", now %s", gear_name(e.gear_to)); break;
            case RouteEventKind::link_enter:
                std::printf(", portal %u to floor %d", e.link_id, e.to.layer);
                busy = kStairs;
                break;
            case RouteEventKind::goal: arrived = true; break;
            default: break;
        }
        std::printf("\n");
    }

    // A walker's route has corners: the picture turns no faster than a person does.
    void smooth_heading(double seconds) {
        const double off = math::wrap_pi(cursor.place().heading_rad - heading);
        const double most = kTurnRate * seconds;
        heading += off > most ? most : (off < -most ? -most : off);
    }
};

bool follow(const char* name, const Route& route, double speed) {
    std::printf("%s, length %.2f\n", name, route.length);
    Mover unit(route, speed);
    int frames = 0;
    for (; !unit.arrived && frames < 10000; ++frames) unit.update(kFrame);
    const Place at = unit.cursor.place();
    std::printf("  there after %.1f s: (%.2f, %.2f), floor %d\n", frames * kFrame, at.position.x,
                at.position.y, at.layer);
    return unit.arrived && at == route.end;
}

}  // namespace

int main() {
    const Portal stairs[] = {{.from = {18, 3, 0}, .to = {18, 3, 1}}};
    Result<Grid> house = Grid::make({.width = 24, .height = 12, .layers = 2, .portals = stairs});
    if (!house || !house->fill({{8, 0}, {10, 9}}, 0)) return 1;
    Scratch scratch;
    const GridQuery walk{.start = Cell{2, 2, 0}, .goal = Cell{4, 9, 1}, .agent = {.radius = 0.4}};
    const Result<Route> upstairs = find_route(*house, walk, scratch);
    if (!upstairs || upstairs->status != PathStatus::complete) return 1;
    if (!follow("a person", *upstairs, 1.5)) return 1;

    const Agent carrier{.shape = BodyShape::box,
                        .length = 2.0,
                        .width = 1.0,
                        .axle_offset = 0.5,
                        .turning_radius = 2.0,
                        .can_reverse = true,
                        .can_pivot = true};
    const Result<Grid> yard = Grid::make({.width = 24, .height = 12});
    if (!yard) return 1;
    const DriveQuery haul{.start = {{4.5, 6.5}, 0.0}, .goal = {{4.5, 2.5}, -kHalfPi}, .agent = carrier};
    const Result<Route> back = find_route(*yard, haul, scratch);
    if (!back || back->status != PathStatus::complete) return 1;
    return follow("a carrier", *back, 2.0) ? 0 : 1;
}
