#include "support/random_worlds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fairlead::testing {

namespace {

using oracle::GridOracle;
using oracle::World;

std::int32_t draw(Rng& rng, std::int32_t low, std::int32_t high) { return rng.between(low, high); }
bool chance(Rng& rng, std::uint32_t percent) { return rng.below(100) < percent; }

/// Mostly small, now and then up to the largest.
std::int32_t random_side(Rng& rng, std::int32_t side_max) {
    switch (rng.below(8)) {
        case 0: return draw(rng, 1, std::min(3, side_max));
        case 1:
        case 2:
        case 3: return draw(rng, 1, std::min(12, side_max));
        case 4:
        case 5:
        case 6: return draw(rng, 1, std::min(30, side_max));
        default: return draw(rng, 1, side_max);
    }
}

void make_rooms(Rng& rng, std::int32_t width, std::int32_t height, std::vector<std::uint8_t>& tiles) {
    const std::int32_t pitch = draw(rng, 3, 12);
    const auto tile = [&](std::int32_t x, std::int32_t y) -> std::uint8_t& {
        return tiles[static_cast<std::size_t>(y * width + x)];
    };
    for (std::int32_t y = 0; y < height; ++y) {
        for (std::int32_t x = 0; x < width; ++x) tile(x, y) = x % pitch == 0 || y % pitch == 0 ? 0 : 1;
    }
    for (std::int32_t y = 0; y < height; y += pitch) {
        for (std::int32_t x = 0; x < width; x += pitch) {
            const std::int32_t door = draw(rng, 1, 3);
            for (std::int32_t i = 1; i <= door; ++i) {
                if (x + i < width && chance(rng, 80)) tile(x + i, y) = 1;
                if (y + i < height && chance(rng, 80)) tile(x, y + i) = 1;
            }
        }
    }
}

/// A maze dug depth first: passages of one width, walls of another.
void make_maze(Rng& rng, std::int32_t width, std::int32_t height, std::vector<std::uint8_t>& tiles) {
    const std::int32_t passage = draw(rng, 1, 4);
    const std::int32_t wall = draw(rng, 1, 2);
    const std::int32_t pitch = passage + wall;
    const std::int32_t across = (width + wall) / pitch;
    const std::int32_t down = (height + wall) / pitch;
    std::fill(tiles.begin(), tiles.end(), std::uint8_t{0});
    const auto dig = [&](std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h) {
        for (std::int32_t j = y; j < std::min(y + h, height); ++j) {
            for (std::int32_t i = x; i < std::min(x + w, width); ++i)
                tiles[static_cast<std::size_t>(j * width + i)] = 1;
        }
    };
    std::vector<char> met(static_cast<std::size_t>(std::max(0, across * down)));
    std::vector<std::int32_t> stack;
    if (!met.empty()) stack.push_back(0);
    while (!stack.empty()) {
        const std::int32_t at = stack.back();
        const std::int32_t x = at % across;
        const std::int32_t y = at / across;
        met[static_cast<std::size_t>(at)] = 1;
        dig(x * pitch, y * pitch, passage, passage);
        bool moved = false;
        const std::uint32_t first = rng.below(4);
        for (std::uint32_t k = 0; k < 4 && !moved; ++k) {
            constexpr std::int32_t kSteps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
            const auto& step = kSteps[(first + k) % 4];
            const std::int32_t nx = x + step[0];
            const std::int32_t ny = y + step[1];
            if (nx < 0 || ny < 0 || nx >= across || ny >= down) continue;
            if (met[static_cast<std::size_t>(ny * across + nx)] != 0) continue;
            dig(std::min(x, nx) * pitch, std::min(y, ny) * pitch, step[0] == 0 ? passage : pitch + passage,
                step[1] == 0 ? passage : pitch + passage);
            stack.push_back(ny * across + nx);
            moved = true;
        }
        if (!moved) stack.pop_back();
    }
    for (std::size_t i = 0; i < tiles.size() / 20; ++i)
        tiles[rng.below(static_cast<std::uint32_t>(tiles.size()))] = 1;
}

/// Patches of terrain over what is free.
void add_terrain(Rng& rng, World& world, std::int32_t kinds) {
    if (chance(rng, 50)) {
        for (std::uint8_t& tile : world.tiles) {
            if (tile != 0) tile = static_cast<std::uint8_t>(draw(rng, 1, kinds));
        }
        return;
    }
    for (std::int32_t i = draw(rng, 1, 12); i > 0; --i) {
        const std::int32_t x = draw(rng, 0, world.width - 1);
        const std::int32_t y = draw(rng, 0, world.height - 1);
        const std::int32_t layer = draw(rng, 0, world.layers - 1);
        const auto kind = static_cast<std::uint8_t>(draw(rng, 1, kinds));
        const std::int32_t w = draw(rng, 1, 9);
        const std::int32_t h = draw(rng, 1, 9);
        for (std::int32_t j = y; j < std::min(y + h, world.height); ++j) {
            for (std::int32_t k = x; k < std::min(x + w, world.width); ++k) {
                std::uint8_t& tile = world.tiles[static_cast<std::size_t>(world.index({k, j, layer}))];
                if (tile != 0) tile = kind;
            }
        }
    }
}

Agent random_agent(Rng& rng, double cell_size) {
    Agent agent;
    switch (rng.below(10)) {
        case 0: agent.footprint = 1; break;
        case 1: agent.footprint = 2; break;
        case 2: agent.footprint = draw(rng, 3, 7); break;
        case 3: agent.radius = 0.5 * rng.below(12); break;                  // touches: 0.5, 1, 1.5, ...
        case 4: agent.radius = rng.between(4.0, 9.0); break;                // beyond the clearance cap
        case 5: agent.radius = std::sqrt(0.5) * (1 + rng.below(4)); break;  // touches on diagonals
        default: agent.radius = rng.between(0.0, 2.5); break;
    }
    agent.radius *= cell_size;
    return agent;
}

void add_blockers(Rng& rng, const World& world, Ask& ask) {
    for (std::int32_t i = draw(rng, 1, 6); i > 0; --i) {
        Blocker blocker;
        blocker.layer = draw(rng, 0, world.layers - 1);
        const bool aligned = chance(rng, 40);
        const auto coordinate = [&](std::int32_t size) {
            return aligned ? 0.5 * draw(rng, 0, 2 * size) : rng.between(0.0, static_cast<double>(size));
        };
        blocker.centre = {coordinate(world.width), coordinate(world.height)};
        blocker.radius = aligned ? 0.5 * rng.below(6) : rng.between(0.0, 2.5);
        blocker.centre = world.origin + blocker.centre * world.cell_size;
        blocker.radius *= world.cell_size;
        if (chance(rng, 40)) {
            const Vec2 size{aligned ? 0.5 * draw(rng, 1, 6) : rng.between(0.05, 3.0),
                            aligned ? 0.5 * draw(rng, 1, 6) : rng.between(0.05, 3.0)};
            blocker.box = {blocker.centre, blocker.centre + size * world.cell_size};
        }
        ask.blockers.push_back(blocker);
    }
}

void add_portals(Rng& rng, World& world) {
    for (std::int32_t i = draw(rng, 0, 8); i > 0; --i) {
        Portal portal;
        const auto any = [&] {
            return Cell{draw(rng, 0, world.width - 1), draw(rng, 0, world.height - 1),
                        draw(rng, 0, world.layers - 1)};
        };
        portal.from = any();
        portal.to = any();
        portal.cost = (1 + rng.below(chance(rng, 50) ? 20 * 1024 : 3 * 1024)) / 1024.0;
        portal.two_way = chance(rng, 60);
        world.portals.push_back(portal);
    }
}

}  // namespace

const char* topic_name(Topic topic) {
    constexpr const char* kNames[] = {"plain",   "bodies",  "terrain", "filtered", "influence", "wrapped",
                                      "layered", "blocked", "regions", "scaled",   "everything"};
    return topic < Topic::count_ ? kNames[static_cast<std::size_t>(topic)] : "";
}

const GridQuery& Ask::bind() {
    query.terrain.factors = terrain;
    query.influence.cells = influence;
    query.blockers = blockers;
    if (query.goal.is_list()) query.goal.list = SpotList(Borrowed<Vec2>(goal_points));
    return query;
}

Grid RandomCase::make_grid() const {
    GridOptions options = world.options();
    options.sizes = sizes;
    options.corner = grid_corner;
    options.hierarchy = world.width % 2 == 0;
    Result<Grid> grid = Grid::make(options, world.tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

std::vector<std::uint8_t> random_map(Rng& rng, std::int32_t width, std::int32_t height) {
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(width * height), 1);
    switch (rng.below(5)) {
        case 0: make_rooms(rng, width, height, tiles); break;
        case 1: make_maze(rng, width, height, tiles); break;
        default: {
            const std::uint32_t percent = rng.below(61);
            for (std::uint8_t& tile : tiles) tile = rng.below(100) < percent ? 0 : 1;
            break;
        }
    }
    return tiles;
}

RandomCase random_case(Rng& rng, Topic topic, std::int32_t side_max) {
    const bool all = topic == Topic::everything;
    const auto about = [&](Topic t) { return topic == t || (all && chance(rng, 40)); };
    RandomCase drawn;
    World& world = drawn.world;
    GridQuery& query = drawn.ask.query;
    world.width = random_side(rng, side_max);
    world.height = random_side(rng, side_max);
    if (about(Topic::layered)) world.layers = draw(rng, 1, 4);
    for (std::int32_t layer = 0; layer < world.layers; ++layer) {
        const std::vector<std::uint8_t> tiles = random_map(rng, world.width, world.height);
        world.tiles.insert(world.tiles.end(), tiles.begin(), tiles.end());
    }
    if (topic == Topic::layered || (all && world.layers > 1)) add_portals(rng, world);
    if (about(Topic::wrapped)) {
        world.wrap_x = chance(rng, 70);
        world.wrap_y = !world.wrap_x || chance(rng, 50);
    }
    if (about(Topic::scaled)) {
        constexpr double kSizes[] = {1.0, 0.25, 2.0, 0.3, 7.0, 1e-3, 1e4};
        world.cell_size = kSizes[rng.below(7)];
        world.origin = Vec2{rng.between(-10.0, 10.0), rng.between(-10.0, 10.0)} * world.cell_size;
    }
    if (about(Topic::terrain)) {
        add_terrain(rng, world, chance(rng, 50) ? 9 : 2);
        if (chance(rng, 40)) {
            world.terrain_costs.assign(256, 1);
            for (std::uint16_t& cost : world.terrain_costs) {
                cost = static_cast<std::uint16_t>(1 + rng.below(chance(rng, 20) ? 1023 : 12));
            }
        }
    }
    if (about(Topic::filtered)) {
        add_terrain(rng, world, 5);
        // Factors that make whole costs of the tiles' own.
        drawn.ask.terrain.assign(256, 1.0);
        for (std::size_t tile = 0; tile < 256; ++tile) {
            const std::uint32_t cost = chance(rng, 25) ? 0 : 1 + rng.below(chance(rng, 10) ? 1023 : 5);
            if (tile > 0) drawn.ask.terrain[tile] = cost / world.own_cost(static_cast<std::uint8_t>(tile));
        }
        if (chance(rng, 60)) query.agent = random_agent(rng, world.cell_size);
    }
    if (about(Topic::bodies)) query.agent = random_agent(rng, world.cell_size);
    if ((topic == Topic::wrapped || topic == Topic::blocked || topic == Topic::regions ||
         topic == Topic::scaled || topic == Topic::layered) &&
        chance(rng, 40)) {
        query.agent = random_agent(rng, world.cell_size);
    }
    if (about(Topic::influence)) {
        query.influence.weight = static_cast<std::int32_t>(chance(rng, 10) ? 1023 : rng.below(5));
        for (std::size_t i = 0; i < world.tiles.size(); ++i) {
            drawn.ask.influence.push_back(
                static_cast<std::uint8_t>(chance(rng, 70) ? rng.below(4) : rng.below(256)));
        }
    }
    if (about(Topic::blocked)) add_blockers(rng, world, drawn.ask);
    if (chance(rng, 60)) drawn.sizes.push_back(query.agent);
    if (chance(rng, 20)) drawn.sizes.push_back(random_agent(rng, world.cell_size));
    query.corner = static_cast<CornerRule>(rng.below(3));
    drawn.grid_corner = chance(rng, 60) ? query.corner : static_cast<CornerRule>(rng.below(3));
    if (chance(rng, 15)) query.neighbours = Neighbourhood::four;
    return drawn;
}

void draw_ends(Rng& rng, Topic topic, const GridOracle& oracle, RandomCase& drawn) {
    const World& world = drawn.world;
    GridQuery& query = drawn.ask.query;
    const auto any_cell = [&] {
        // Mostly one where the unit fits, if a few tries find one.
        std::int32_t cell = 0;
        const int tries = chance(rng, 93) ? 40 : 1;
        for (int i = 0; i < tries; ++i) {
            cell = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(world.cells())));
            if (oracle.fits(cell)) break;
        }
        return world.cell(cell);
    };
    const bool loose = topic == Topic::scaled || topic == Topic::everything;
    const auto point_in = [&](Cell cell) {
        Vec2 p = standing_point(world, query.agent, cell);
        if (loose && chance(rng, 60))
            p = p + Vec2{rng.between(-0.5, 0.5), rng.between(-0.5, 0.5)} * world.cell_size;
        return p;
    };
    const Cell start = any_cell();
    query.start = Spot(point_in(start)).on_layer(start.layer);
    drawn.ask.goal_points.clear();
    const Cell goal = chance(rng, 4) ? start : any_cell();
    query.goal = Spot(point_in(goal)).on_layer(goal.layer);
    if (topic != Topic::regions && !(topic == Topic::everything && chance(rng, 30))) return;
    const Vec2 centre = world.origin + Vec2{goal.x + 0.5, goal.y + 0.5} * world.cell_size;
    switch (rng.below(4)) {
        case 0: query.goal = Goal::within(centre, rng.between(0.0, 6.0) * world.cell_size); break;
        case 1: query.goal = Goal::adjacent(centre); break;
        case 2:
            query.goal = Goal::in_sight(centre, rng.between(0.0, 10.0) * world.cell_size);
            if (!world.wrap_x && !world.wrap_y && chance(rng, 20)) {
                query.goal.range = std::numeric_limits<double>::infinity();
            }
            if (world.wrap_x)
                query.goal.range = std::min(query.goal.range, 0.49 * world.width * world.cell_size);
            if (world.wrap_y)
                query.goal.range = std::min(query.goal.range, 0.49 * world.height * world.cell_size);
            break;
        default: {
            const std::int32_t count = chance(rng, 80) ? draw(rng, 1, 6) : draw(rng, 7, 40);
            for (std::int32_t i = 0; i < count; ++i) {
                Cell cell = any_cell();
                cell.layer = goal.layer;
                drawn.ask.goal_points.push_back(standing_point(world, query.agent, cell));
            }
            query.goal = {};
            query.goal.kind = Goal::Kind::any_of;
            break;
        }
    }
    query.goal = query.goal.on_layer(goal.layer);
}

}  // namespace fairlead::testing
