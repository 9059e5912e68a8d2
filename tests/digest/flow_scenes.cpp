// Flow fields: filled over random maps with terrain, for points and discs up to wider than two tiles; sampled and followed.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/grid/flow_field.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

void follow(Digest& digest, const FlowField& field, Vec2 at) {
    FlowHold hold;
    for (int tick = 0; tick < 60; ++tick) {
        const FlowStep next = field.sample(at, hold);
        if (next.status != PathStatus::complete) break;
        const double way = distance(at, next.to);
        at = way <= 0.7 ? next.to : at + (next.to - at) * (0.7 / way);
        digest.add(at.x);
        digest.add(at.y);
        digest.add(next.remaining);
    }
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(flow_fields) {
    Rng rng(2024);
    Array<std::uint8_t> tiles;
    FlowFill fill;
    Route route;
    for (std::uint32_t map = 0; map < 60; ++map) {
        const std::int32_t width = rng.between(4, 50);
        const std::int32_t height = rng.between(4, 50);
        const std::uint32_t percent = rng.below(35);
        const std::uint32_t terrains = map % 3 == 0 ? 5 : 1;
        tiles.clear();
        for (std::int32_t i = 0; i < width * height; ++i) {
            const bool wall = rng.below(100) < percent;
            const auto kind = static_cast<std::uint8_t>(1 + rng.below(terrains));
            if (!tiles.push_back(wall ? std::uint8_t{0} : kind)) return digest.add(std::uint64_t{1});
        }
        const double radii[] = {0.0, 0.4, 0.5, 0.8, 1.3, 2.2};
        FlowQuery query;
        query.agent.radius = radii[map % 6];
        const double x = rng.unit() * width;
        const double y = rng.unit() * height;
        query.goal = Vec2{x, y};
        const Result<Grid> grid = Grid::make({.width = width, .height = height}, tiles);
        FlowField field;  // lets go of the grid before it ends
        if (!grid || !fill.begin(*grid, query)) return digest.add(std::uint64_t{2});
        while (fill.running()) fill.step(100);
        if (!fill.take(field)) return digest.add(std::uint64_t{3});
        digest.add(field.digest());
        for (int k = 0; k < 8; ++k) {
            const double from_x = rng.unit() * width;
            const double from_y = rng.unit() * height;
            if (!field.route({from_x, from_y}, route)) return digest.add(std::uint64_t{4});
            add_route(digest, route);
            follow(digest, field, {from_x, from_y});
        }
    }
}
