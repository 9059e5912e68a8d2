#include <fairlead/formats/roadmap_world.h>

namespace fairlead::formats {

Result<Roadmap> make_roadmap(const RoadmapFile& file) {
    std::vector<Waypoint> nodes;
    for (const RoadmapNode& node : file.nodes) nodes.push_back({{node.id}, node.position});
    std::vector<WaypointEdge> edges;
    for (const RoadmapEdge& edge : file.edges) {
        WaypointEdge made{.from = {file.nodes[edge.from].id}, .to = {file.nodes[edge.to].id}};
        made.cost = edge.cost == RoadmapEdge::kStraight ? kStraightCost : edge.cost;
        made.one_way = edge.one_way;
        made.link = edge.link;
        made.kind = edge.kind;
        made.flags = edge.flags;
        made.label = edge.label;
        edges.push_back(made);
    }
    return Roadmap::make({.nodes = nodes,
                          .edges = edges,
                          .walls = file.walls,
                          .wall_points = file.wall_points,
                          .roads = file.roads});
}

}  // namespace fairlead::formats
