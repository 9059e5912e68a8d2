// A lorry that gathers speed slowly: the quickest way, and where it is at any time.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Grid> town = Grid::make({.width = 64, .height = 48});
    if (!town || !town->fill({{12, 8}, {28, 30}}, 0)) return 1;  // a building

    const Agent lorry{.radius = 0.8, .turning_radius = 3.0, .can_reverse = true};
    const Result<DriveTable> moves = DriveTable::make({.agent = lorry, .headings = 8, .stretch = 1.05});
    if (!moves) return 1;
    const Result<DriveMap> map = make_drive_map(*town, *moves);
    if (!map) return 1;

    Scratch scratch;
    const Result<SpeedTable> times = SpeedTable::make(*moves, {.speed_max = 12, .accel_max = 1.5});
    if (!times) return 1;
    const TimedQuery query{.start = {{5.5, 20.5}, 0.0}, .goal = {{40.5, 20.5}, kPi}};
    Result<Route> way = find_timed(*map, *times, query, scratch);
    if (!way || way->status != PathStatus::complete) return 1;
    const Place soon = place_at(way->route, way->speeds.span(), 1.25);  // a pure function of time
    std::printf("%s: %.2f s for %.2f; after 1.25 s at (%.2f, %.2f)\n", way->planner, way->cost,
                way->length, soon.position.x, soon.position.y);
    for (double t = 0.0; t < way->cost; t += 2.0)
        std::printf("%5.1f s  %6.2f  speed %5.2f\n", t, distance_at(way->speeds.span(), t),
                    speed_at(way->speeds.span(), t));

    const SpeedRules rules{.speed_max = 12, .accel_max = 1.5, .cusp_seconds = 0.5};
    return verify(way->route, *town, lorry) || verify_speed(way->route, way->speeds.span(), rules) ? 1 : 0;
}
