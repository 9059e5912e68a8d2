// What a query can ask for beyond a point: regions, terrain that means something else to this unit, others in the way.

#include <fairlead/fairlead.h>

#include <array>
#include <cstdio>

namespace {

using namespace fairlead;

bool report(const char* what, const GridState& grid, const GridQuery& query, Scratch& scratch) {
    const Result<Route> route = find_route(grid, query, scratch);
    if (!route) return false;
    std::printf("%-28s %s, cost %.2f\n", what, status_name(route->status), route->cost);
    return route->status == PathStatus::complete;
}

}  // namespace

int main() {
    constexpr std::uint8_t kSwamp = 5;  // costs 5 to enter, unless a query says otherwise
    Result<Grid> land = Grid::make({.width = 60, .height = 40});
    if (!land || !land->fill({{20, 0}, {30, 40}}, kSwamp) || !land->set(Cell{50, 20}, 0))
        return 1;  // 50, 20: a chest
    Scratch scratch;
    bool good = true;

    GridQuery query{.start = cell_centre(5, 20), .goal = cell_centre(45, 20)};
    good &= report("to a point", *land, query, scratch);

    std::array<std::uint16_t, 256> frog{};
    frog.fill(1);
    query.terrain.factors = frog;
    good &= report("for a frog", *land, query, scratch);
    query.terrain = {};

    const Blocker crowd[] = {{.centre = cell_centre(12, 20), .radius = 3.0}};
    query.blockers = crowd;
    good &= report("round a crowd", *land, query, scratch);
    query.blockers = {};

    query.goal = Goal::adjacent(cell_centre(50, 20));
    good &= report("next to the chest", *land, query, scratch);
    query.goal = Goal::within(cell_centre(50, 20), 8.0);
    good &= report("within 8 of the chest", *land, query, scratch);
    query.goal = Goal::in_sight(cell_centre(50, 5), 15.0);
    good &= report("in sight, within 15", *land, query, scratch);
    const Vec2 wells[] = {cell_centre(55, 2), cell_centre(10, 38)};
    query.goal = Goal::any_of(wells);
    good &= report("the nearest well", *land, query, scratch);
    return good ? 0 : 1;
}
