// A roadmap: places joined by ways, one of them one way only. The start lies off the net; a way is closed and the
// route mended; and the net is asked what it leaves out.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    const Waypoint places[] = {{WaypointId{1}, {2, 2}},
                               {WaypointId{2}, {18, 2}},
                               {WaypointId{3}, {18, 12}},
                               {WaypointId{4}, {2, 12}}};
    const WaypointEdge ways[] = {{.from = WaypointId{1}, .to = WaypointId{2}},
                                 {.from = WaypointId{2}, .to = WaypointId{3}, .one_way = true},
                                 {.from = WaypointId{3}, .to = WaypointId{4}},
                                 {.from = WaypointId{4}, .to = WaypointId{1}}};
    const Vec2 corners[] = {{5, 4}, {15, 4}, {15, 10}, {5, 10}, {5, 4}};  // a yard with walls all around
    const RoadmapWall walls[] = {{.first_point = 0, .points = 5}};
    Result<Roadmap> roads =
        Roadmap::make({.nodes = places, .edges = ways, .walls = walls, .wall_points = corners});
    if (!roads) return 1;

    Scratch scratch;
    const RoadmapQuery query{.start = Vec2{1, 1}, .goal = WaypointId{3}, .agent = {.radius = 0.5}};
    Result<Route> route = find_route(*roads, query, scratch);
    if (!route || route->status != PathStatus::complete) return 1;
    std::printf("there: length %.2f, %zu legs\n", route->length, route->legs.size());

    if (!roads->remove_edge(ways[1])) return 1;
    const Result<Revalidation> still = revalidate(*roads, *route, query, scratch);
    if (!still || still->legal) return 1;
    if (!repair(*roads, *route, query, scratch) || route->status != PathStatus::complete) return 1;
    std::printf("leg %lld is closed; mended: length %.2f\n", static_cast<long long>(still->first_bad),
                route->length);

    Cover cover[20 * 14];
    const Result<CoverageCount> count = find_coverage(
        *roads, {.agent = query.agent}, CoverageArea{.width = 20, .height = 14}, scratch, cover);
    if (!count) return 1;
    std::printf("%llu cells see a waypoint, %llu do not\n", static_cast<unsigned long long>(count->covered),
                static_cast<unsigned long long>(count->uncovered));
    return cover[7 * 20 + 10] == Cover::uncovered ? 0 : 1;  // in the yard
}
