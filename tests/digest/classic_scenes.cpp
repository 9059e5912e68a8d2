// The articles' program with random switches, and several ways by seed: every number of every route.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/bridge/alternatives.h>
#include <fairlead/classic/find_classic.h>
#include <fairlead/route/shape.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

Result<Grid> random_ground(Rng& rng, std::int32_t side, std::uint32_t percent) {
    Array<std::uint8_t> tiles;
    for (std::int32_t i = 0; i < side * side; ++i) {
        const bool wall = rng.below(100) < percent;
        if (!tiles.push_back(wall ? std::uint8_t{0} : std::uint8_t{1})) break;
    }
    return Grid::make({.width = side, .height = side}, tiles.span());
}

Pose random_end(Rng& rng, std::int32_t side) {
    Pose pose;
    pose.position.x = rng.between(0, side - 1) + 0.5;
    pose.position.y = rng.between(0, side - 1) + 0.5;
    if (rng.below(3) == 0) pose.position.x += 0.4 * rng.unit() - 0.2;
    pose.heading_rad = rng.between(-kPi, kPi);
    return pose;
}

ClassicQuery random_classic(Rng& rng, std::int32_t side) {
    ClassicQuery query;
    query.start = random_end(rng, side);
    query.goal = random_end(rng, side);
    query.agent.radius = rng.between(0.05, 0.6);
    constexpr std::int32_t kNeighbours[] = {4, 8, 24, 48};
    query.neighbours = kNeighbours[rng.below(4)];
    query.open = static_cast<ClassicOpen>(rng.below(3));
    query.heuristic = static_cast<ClassicHeuristic>(rng.below(2));
    query.smoothing = static_cast<ClassicSmoothing>(rng.below(2));
    query.probe = static_cast<ClassicProbe>(rng.below(3));
    query.body_in_search = rng.below(3) == 0;
    query.window_grows = rng.below(2) == 0;
    return query;
}

void add_way(Digest& digest, const Result<ClassicRoute>& way) {
    digest.add(static_cast<std::uint32_t>(way.has_value()));
    if (!way) return;
    add_route(digest, way->route);
    for (const std::uint8_t free : way->free) digest.add(std::uint32_t{free});
    digest.add(way->sampled.false_free);
    const RouteShape shape = route_shape(way->route);
    digest.add(shape.turns);
    digest.add(shape.turned_rad);
    digest.add(shape.straightness);
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(classic_walkers) {
    Rng rng(2001);
    Scratch scratch;
    for (int m = 0; m < 40; ++m) {
        const std::int32_t side = rng.between(10, 70);
        const std::uint32_t percent = rng.below(35);
        const Result<Grid> grid = random_ground(rng, side, percent);
        if (!grid) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 20; ++q) add_way(digest, find_classic(*grid, random_classic(rng, side), scratch));
    }
}

FAIRLEAD_DIGEST_SCENE(classic_drivers) {
    Rng rng(2002);
    Scratch scratch;
    const Result<Grid> grid = random_ground(rng, 40, 5);
    if (!grid) return digest.add(std::uint64_t{1});
    for (int q = 0; q < 16; ++q) {
        ClassicQuery query{.start = random_end(rng, 40), .goal = random_end(rng, 40)};
        query.agent = {.radius = 0.35, .turning_radius = 1.0};
        query.probe = ClassicProbe::exact;
        const std::uint32_t way = rng.below(4);
        if (way == 0) query.curves = true;
        if (way == 1) query.smoothing = ClassicSmoothing::ahead;
        if (way == 2) query.search = ClassicSearch::directional;
        if (way == 3) query.search = ClassicSearch::hybrid;
        if (way == 2) query.neighbours = 24;
        if (rng.below(4) == 0) query.facings = 16;
        add_way(digest, find_classic(*grid, query, scratch));
    }
}

FAIRLEAD_DIGEST_SCENE(alternatives_on_tiles) {
    Rng rng(2003);
    Scratch scratch;
    Route ways[4];
    for (int m = 0; m < 30; ++m) {
        const std::uint32_t percent = rng.below(25);
        const Result<Grid> grid = random_ground(rng, 60, percent);
        if (!grid) return digest.add(std::uint64_t{1});
        GridQuery query;
        query.start = random_end(rng, 60).position;
        query.goal = random_end(rng, 60).position;
        query.agent.radius = rng.below(2) == 0 ? 0.0 : 0.4;
        const Result<std::size_t> found = find_alternatives(
            *grid, query, {.stretch = 1.3, .seed = static_cast<std::uint64_t>(m)}, scratch, ways);
        digest.add(static_cast<std::uint64_t>(found ? *found : 99));
        for (std::size_t i = 0; found && i < *found; ++i) add_route(digest, ways[i]);
    }
}
