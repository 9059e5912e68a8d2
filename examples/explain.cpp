// Queries without a route: why, and what would help.

#include <fairlead/fairlead.h>

#include <cstdio>

namespace {

using namespace fairlead;

// Two rooms of 10 x 10 on a level mesh, and a door between them, 1 deep and 2 wide.
Result<NavMesh> two_rooms() {
    const Vec3 corners[] = {{0, 0, 0},  {10, 0, 0}, {10, 4, 0},  {10, 6, 0},  {10, 10, 0}, {0, 10, 0},
                            {11, 0, 0}, {21, 0, 0}, {21, 10, 0}, {11, 10, 0}, {11, 6, 0},  {11, 4, 0}};
    const std::uint32_t sizes[] = {6, 4, 6};
    const std::uint32_t order[] = {0, 1, 2, 3, 4, 5, 2, 11, 10, 3, 6, 7, 8, 9, 10, 11};
    const NavMeshTile tile{.vertices = corners, .polygon_sizes = sizes, .polygon_corners = order};
    return NavMesh::make({.radius_max = 2.0, .tiles = {&tile, 1}});
}

}  // namespace

int main() {
    Result<Grid> town = Grid::make({.width = 28, .height = 12});
    if (!town || !town->fill({{10, 0}, {11, 12}}, 0)) return 1;  // a wall,
    if (!town->fill({{10, 4}, {11, 7}}, 1)) return 1;            // a door of three tiles in it

    Scratch scratch;
    const GridQuery query{.start = cell_centre(5, 5), .goal = cell_centre(20, 5), .agent = {.radius = 2.4}};
    const Result<Explanation> why = explain(*town, query, scratch);
    if (!why) return 1;
    std::printf("%s\n", why->text().c_str());
    const Help& smaller = why->help(HelpKind::smaller_body);
    if (smaller.proof != Proof::found || smaller.value != 1.5) return 1;
    if (verify(smaller.route, *town, smaller.agent)) return 1;  // the proof is a legal route

    // The same on a level mesh.
    const Result<NavMesh> level = two_rooms();
    if (!level) return 1;
    const MeshQuery wide{.start = {2, 5, 0}, .goal = Vec3{18, 5, 0}, .agent = {.radius = 1.4}};
    const Result<Explanation> tight = explain(*level, wide, scratch);
    if (!tight) return 1;
    std::printf("%s\n", tight->text().c_str());
    if (tight->help(HelpKind::smaller_body).value != 1.0) return 1;

    // A car right in front of the door, that looks along the wall.
    const DriveQuery drive{.start = {{8.5, 5.5}, kHalfPi},
                           .goal = {{13.5, 5.5}, 0.0},
                           .agent = {.radius = 0.8, .turning_radius = 4.0}};
    const Result<Explanation> stuck = explain(*town, drive, scratch);
    if (!stuck) return 1;
    const Help& circle = stuck->help(HelpKind::smaller_circle);
    std::printf("%s\n", stuck->text().c_str());
    if (circle.proof != Proof::found) return stuck->reason == ExplainReason::turning ? 0 : 1;
    std::printf("a turning radius of %.2f has a way of length %.2f\n", circle.value, circle.route.length);
    return verify(circle.route, *town, circle.agent) ? 1 : 0;
}
