// What a game asks when the player builds: may it stand here, whom does it touch, where does a unit go that was sent to a wall; and points
// of an engine with y up.

#include <fairlead/fairlead.h>

#include <cstdio>

namespace {

using namespace fairlead;

struct Vector3 {  // as the engine has it: floats, y up, left-handed
    float x = 0, y = 0, z = 0;
};
using Engine = AxesView<Axes::y_up_left>;

struct Unit {
    Agent agent{};
    Route route{};
    GridQuery query{};
};

int run() {
    Result<Grid> town = Grid::make({.width = 64, .height = 32});
    if (!town || !town->fill({{30, 0}, {32, 32}}, 0) || !town->fill({{30, 10}, {32, 20}}, 1)) return 1;
    Scratch scratch;

    // Three units on their way, in the index of routes.
    Result<RouteIndex> routes = RouteIndex::make({.bucket = 4.0});
    if (!routes) return 1;
    Unit units[3];
    for (int i = 0; i < 3; ++i) {
        Unit& unit = units[i];
        unit.agent.radius = 0.4;
        unit.query = {.start = cell_centre(2, 4 + 9 * i), .goal = cell_centre(i == 2 ? 20 : 60, 4 + 9 * i)};
        unit.query.agent = unit.agent;
        unit.query.reach = 6.0;  // a goal under the new building moves to its edge
        Result<Route> found = find_route(*town, unit.query, scratch);
        if (!found) return 1;
        unit.route = std::move(*found);
        if (!routes->insert(unit.route, static_cast<std::uint64_t>(i), unit.agent.radius)) return 1;
    }

    // The gate is ten cells wide. A wall of ten would cut the town in two, one of eight would not.
    const Cell home{2, 16};
    const Cell mine{60, 16};
    const CellRect wide{{31, 10}, {32, 20}};
    const CellRect narrow{{31, 10}, {32, 18}};
    const Result<bool> cut = would_cut(*town, wide, home, mine, units[0].agent, scratch);
    const Result<bool> kept = would_cut(*town, narrow, home, mine, units[0].agent, scratch);
    if (!cut.has_value() || !kept.has_value()) return 1;
    std::printf("ten cells would cut the town: %s, eight: %s\n", *cut ? "yes" : "no", *kept ? "yes" : "no");

    if (!town->fill(narrow, 0)) return 1;
    Array<std::uint64_t> touched;
    const Aabb box{{31, 10}, {32, 18}};
    if (!routes->touched({.box = box}, touched)) return 1;
    for (const std::uint64_t id : touched) {
        Unit& unit = units[id];
        const double before = unit.route.length;
        if (!repair(*town, unit.route, unit.query, scratch)) return 1;
        if (!routes->insert(unit.route, id, unit.agent.radius)) return 1;
        std::printf("unit %d: %.2f, now %.2f\n", static_cast<int>(id), before, unit.route.length);
        if (verify(unit.route, *town, unit.agent)) return 1;
    }

    // A click on the wall, in the engine's coordinates.
    const Vector3 click{31.3F, 0.0F, 12.0F};
    const Vec2 there = ground(Engine::to_world(click));
    const NearestFreeQuery ask{
        .place = there, .agent = units[0].agent, .connected = true, .from = units[0].query.start};
    const Result<NearestFree> spot = nearest_free(*town, ask, scratch);
    if (!spot || !spot->found) return 1;
    const Vector3 stand = Engine::from_world<Vector3>({spot->position.x, spot->position.y, 0.0});
    std::printf("beside the wall: x %.1f, y %.1f, z %.1f\n", static_cast<double>(stand.x),
                static_cast<double>(stand.y), static_cast<double>(stand.z));
    return 0;
}

}  // namespace

int main() { return run(); }
