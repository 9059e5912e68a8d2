// A van in a town with roads: it keeps to the road and to its lane. What that costs is measured.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Grid> town = Grid::make({.width = 64, .height = 48});
    Result<RoadLayer> roads = RoadLayer::make(64, 48);
    if (!town || !roads) return 1;
    const Vec2 high_street[] = {{0, 12}, {64, 12}};
    const Vec2 ring[] = {{10, 12}, {10, 40}, {54, 40}, {54, 12}};
    if (!roads->paint(high_street, 4.0, RoadLanes::keep_right)) return 1;
    if (!roads->paint(ring, 4.0, RoadLanes::keep_right)) return 1;

    const Agent van{.radius = 0.8, .turning_radius = 2.5};
    const DriveQuery query{.start = {{3, 11}, 0.0}, .goal = {{40, 41}, kPi}, .agent = van};
    Scratch scratch;
    const Result<Route> across = find_route(*town, query, scratch);
    const GridDriveSetup by_road{
        .map = {.roads = &*roads, .road_rules = {.off_road = kRoadForbidden, .against = kRoadForbidden}}};
    const Result<Route> route = find_route(*town, query, scratch, by_road);
    if (!across || !route || route->status != PathStatus::complete) return 1;

    const RoadUse cut = measure_roads(*across, *roads);
    std::printf("without rules: length %.1f, %.1f of it off the road\n", across->length, cut.off_road);
    std::printf("by road:       length %.1f, %.1f off it\n", route->length,
                measure_roads(*route, *roads).off_road);
    // The exact checkers have nothing to say: no wall is touched, no lane left.
    return verify(*route, *town, van) || verify_roads(*route, *roads) ? 1 : 0;
}
