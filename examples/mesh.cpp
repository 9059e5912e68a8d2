// A level of two rooms: a ramp leads up to the second one. A route, a crate in its way, the way
// round it, and the first route again; the same from a table.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    // Seen from above; heights in the third place. Polygons share corners by number: 1, 2 and 5, 6 are doorways.
    const Vec3 corners[] = {{0, 0, 0},  {8, 2, 0},  {8, 5, 0},  {8, 8, 0},  {0, 8, 0},  // hall
                            {14, 2, 2}, {14, 5, 2},                                     // top of the ramp
                            {14, 0, 2}, {22, 0, 2}, {22, 8, 2}, {14, 8, 2}, {8, 0, 0}};
    const std::uint32_t sizes[] = {6, 4, 6};
    const std::uint32_t order[] = {0, 11, 1, 2,  3, 4,   // the hall
                                   1, 5,  6, 2,          // the ramp
                                   7, 8,  9, 10, 6, 5};  // the room above
    const NavMeshTile tile{.vertices = corners, .polygon_sizes = sizes, .polygon_corners = order};
    Result<NavMesh> level = NavMesh::make({.agent_radius = 0.3, .tiles = {&tile, 1}});
    if (!level) return 1;

    Scratch scratch;
    MeshQuery query{.start = {2, 7, 0}, .goal = Vec3{20, 7, 2}};
    Result<Route> route = find_route(*level, query, scratch);
    if (!route || route->status != PathStatus::complete) return 1;
    std::printf("length %.2f, %zu legs, up to z = %.1f\n", route->length, route->legs.size(),
                route->end.position.z);
    if (route->end.position.z != 2.0) return 1;

    // A crate on the ramp leaves half of it. Who plans on the old snapshot is not disturbed.
    const NavMeshSnapshot before = level->acquire();
    const MeshEdit put[] = {MeshEdit::add(1, MeshObstacle::box({11, 4.5}, {0.5, 1.0}, 0.0, 0.0, 3.0))};
    if (!level->apply(put)) return 1;
    const Result<Route> old = find_route(*before, query, scratch);
    const Result<Route> now = find_route(*level, query, scratch);
    if (!old || !now || now->status != PathStatus::complete) return 1;
    std::printf("revision %llu: length %.2f round the crate\n",
                static_cast<unsigned long long>(now->revision), now->length);
    if (old->length != route->length || !(now->length > route->length)) return 1;
    if (verify(*now, *level, query.agent)) return 1;

    const MeshEdit gone[] = {MeshEdit::remove(1)};
    if (!level->apply(gone)) return 1;
    const Result<Route> again = find_route(*level, query, scratch);
    if (!again) return 1;
    std::printf("revision %llu: length %.2f without it\n", static_cast<unsigned long long>(again->revision),
                again->length);
    const double difference = again->length - route->length;
    if (difference > 1e-9 || difference < -1e-9) return 1;

    // Worked out once for the level as it is now. The same route, looked up.
    Result<MeshTable> table = MeshTable::make(level->acquire());
    if (!table) return 1;
    query.table = &*table;
    const Result<Route> looked_up = find_route(*level, query, scratch);
    if (!looked_up) return 1;
    std::printf("by %s: length %.2f\n", looked_up->planner, looked_up->length);
    if (looked_up->length != again->length) return 1;

    // A slide from the room down into the hall, two metres wide: one way, of kind 1, with the animation's number.
    const MeshLink slide{.id = 7,
                         .from = {14.5, 7, 2},
                         .to = {7, 7, 0},
                         .extent = 2.0,
                         .one_way = true,
                         .kind = 1,
                         .cost = 3.0,
                         .tag = 42};
    const MeshEdit link[] = {MeshEdit::add_link(slide)};
    if (!level->apply(link)) return 1;
    const MeshQuery down{.start = {20, 7, 2}, .goal = Vec3{2, 7, 0}};
    const Result<Route> fast = find_route(*level, down, scratch);
    if (!fast || fast->legs.size() != 3 || fast->legs[1].kind != LegKind::link) return 1;
    const MeshLinkState taken = *level->state().link(fast->legs[1].link_id);
    std::printf("cost %.2f over link %u, animation %u\n", fast->cost, taken.link.id, taken.link.tag);
    MeshQuery careful = down;
    careful.filter.links.closed = KindSet::of_mask(1U << 1);  // not for this unit
    const Result<Route> slow = find_route(*level, careful, scratch);
    return slow && slow->cost > fast->cost && !verify(*fast, *level, down.agent) ? 0 : 1;
}
