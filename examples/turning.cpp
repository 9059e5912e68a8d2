// A car in a town: its table and the map once, then routes, until the town is rebuilt.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Grid> town = Grid::make({.width = 64, .height = 48});
    if (!town || !town->fill({{12, 8}, {28, 30}}, 0)) return 1;  // a building

    const Agent car{.shape = BodyShape::box,
                    .length = 3.0,
                    .width = 1.5,
                    .axle_offset = 0.9,
                    .turning_radius = 3.0,
                    .can_reverse = true};
    const Result<DriveTable> moves = DriveTable::make({.agent = car});
    if (!moves) return 1;
    Result<DriveMap> map = make_drive_map(*town, *moves);
    if (!map) return 1;

    Scratch scratch;  // one per thread, used again and again
    DriveQuery query{.start = {{5.5, 20.5}, 0.0}, .goal = {{40.5, 20.5}, kPi}};
    Result<Route> route = find_route(*map, query, scratch);
    if (!route || route->status != PathStatus::complete) return 1;
    std::printf("%s: length %.2f, at most %.1f times the best\n", route->planner, route->length,
                route->bound);
    for (const Leg& leg : route->legs) {
        std::printf("%6.2f %6.2f  %5.2f long, curvature %5.2f, %s\n", leg.start.position.x,
                    leg.start.position.y, leg.length, leg.curvature,
                    leg.gear == Gear::reverse ? "reverse" : "forward");
    }
    if (verify(*route, *town, car)) return 1;  // the exact checker has nothing to say

    query.goal = Vec2{40.5, 20.5};  // it need not face back
    const Result<Route> easier = find_route(*map, query, scratch);
    if (!easier || easier->status != PathStatus::complete) return 1;
    std::printf("in any heading: length %.2f\n", easier->length);

    const Blocker others[] = {{.centre = {34.0, 20.5}, .radius = 1.5}};  // another car has stopped there
    query.blockers = others;  // of this query alone: the map stays as it is
    const Result<Route> past = find_route(*map, query, scratch);
    if (!past || verify(*past, *town, car, {.blockers = others})) return 1;
    std::printf("past another car: length %.2f\n", past->length);
    query.blockers = {};

    if (!town->fill({{12, 30}, {28, 48}}, 0) || !update_drive_map(*map, *town)) return 1;  // one way is shut
    route = find_route(*map, query, scratch);
    if (!route || route->status != PathStatus::complete) return 1;
    std::printf("round the other side: length %.2f\n", route->length);
    return verify(*route, *town, car) ? 1 : 0;
}
