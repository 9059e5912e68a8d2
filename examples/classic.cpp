// The articles' own program: what its sampled test lets through, and the same way without its errors.
#include <cstdio>

#include <fairlead/classic/find_classic.h>
#include <fairlead/fairlead.h>

int main() {
    using namespace fairlead;
    // Two rooms that meet at a corner: the only way of tiles squeezes through it.
    Result<Grid> rooms = Grid::make({.width = 16, .height = 8});
    if (!rooms || !rooms->fill({{8, 0}, {9, 4}}, 0) || !rooms->fill({{0, 4}, {9, 5}}, 0) ||
        !rooms->fill({{9, 5}, {16, 6}}, 0) || !rooms->fill({{9, 6}, {10, 8}}, 0))
        return 1;
    Scratch scratch;
    ClassicQuery query{.start = {{12.5, 1.5}, 0}, .goal = {{2.5, 7.5}, 0}, .agent = {.radius = 0.45}};
    const Result<ClassicRoute> way = find_classic(*rooms, query, scratch);
    if (!way || way->route.status != PathStatus::complete) return 1;
    std::printf("%zu legs, %lld waypoints dropped, %lld impossible\n", way->route.legs.size(),
                static_cast<long long>(way->dropped), static_cast<long long>(way->impossible));
    if (way->legal || way->impossible != 1) return 1;

    // Which leg, and who could walk it.
    Array<LegVerdict> legs;
    if (!verify_legs(way->route, *rooms, query.agent, legs)) return 1;
    for (const LegVerdict& leg : legs) {
        if (leg.bad) std::printf("%s; a disc of radius %.3f passes\n", leg.bad.text().c_str(), leg.fits);
    }

    // With the body in the search there is no such way.
    query.body_in_search = true;
    query.probe = ClassicProbe::exact;
    const Result<ClassicRoute> honest = find_classic(*rooms, query, scratch);
    return honest && honest->route.status == PathStatus::unreachable ? 0 : 1;
}
