// Run around cover: what the guards see is dear, so the way leads behind the walls; and it ends where the player is in sight.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <fairlead/fairlead.h>

using namespace fairlead;

namespace {

// A byte a cell: how many guards see it, dearer near them.
std::vector<std::uint8_t> threat_of(const Grid& yard, const std::vector<Vec2>& guards) {
    const TileSight over_yard(yard);
    std::vector<std::uint8_t> threat;
    for (std::int32_t y = 0; y < yard.state().height(); ++y) {
        for (std::int32_t x = 0; x < yard.state().width(); ++x) {
            const Vec2 at = cell_centre(x, y);
            double seen = 0.0;
            for (const Vec2 guard : guards) {
                if (over_yard.clear(guard, at, 0.0)) seen += 40.0 / (4.0 + distance(guard, at));
            }
            threat.push_back(static_cast<std::uint8_t>(std::min(seen, 255.0)));
        }
    }
    return threat;
}

// How far a route leads under the eyes of a guard.
double length_seen(const Route& route, const Grid& yard, const std::vector<Vec2>& guards) {
    const TileSight over_yard(yard);
    double seen = 0.0;
    for (double at = 0.0; at < route.length; at += 0.1) {
        const Vec2 here = ground(place_on_route(route, at).position);
        const auto sees = [&](Vec2 guard) { return over_yard.clear(guard, here, 0.0); };
        if (std::any_of(guards.begin(), guards.end(), sees)) seen += 0.1;
    }
    return seen;
}

}  // namespace

int main() {
    Result<Grid> yard = Grid::make({.width = 60, .height = 30});
    if (!yard) return 1;
    for (const CellRect& wall : {CellRect{{14, 4}, {16, 13}}, CellRect{{22, 12}, {31, 14}},
                                 CellRect{{36, 5}, {38, 14}}, CellRect{{44, 12}, {50, 14}}}) {
        if (!yard->fill(wall, 0)) return 1;
    }
    const std::vector<Vec2> guards = {cell_centre(26, 20), cell_centre(42, 22)};
    const std::vector<std::uint8_t> threat = threat_of(*yard, guards);

    Scratch scratch;
    GridQuery query{.start = cell_centre(4, 16), .goal = cell_centre(55, 12), .agent = {.radius = 0.4}};
    const Result<Route> open = find_route(*yard, query, scratch);
    query.influence = {.cells = threat, .weight = 2};  // of this unit, in this query only
    const Result<Route> covered = find_route(*yard, query, scratch);
    if (!open || !covered || covered->status != PathStatus::complete) return 1;
    const double seen_open = length_seen(*open, *yard, guards);
    const double seen_covered = length_seen(*covered, *yard, guards);
    std::printf("straight on: %.1f long, %.1f of it seen\n", open->length, seen_open);
    std::printf("around cover: %.1f long, %.1f of it seen\n", covered->length, seen_covered);

    // To where it sees the player, no farther than 20, and no step more.
    query.goal = Goal::in_sight(cell_centre(55, 12), 20.0);
    const Result<Route> aim = find_route(*yard, query, scratch);
    if (!aim || aim->status != PathStatus::complete) return 1;
    const TileSight over_yard(*yard);
    const bool sees = over_yard.clear(ground(aim->end.position), cell_centre(55, 12), 0.0);
    std::printf("to where it sees the player: %.1f long\n", aim->length);
    return sees && seen_covered < 0.6 * seen_open && aim->length < covered->length ? 0 : 1;
}
