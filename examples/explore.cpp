// A unit that does not know the map: it sees eight tiles far, remembers the walls, and finds its way or proves that there is none.
#include <cstdio>

#include <fairlead/fairlead.h>

using namespace fairlead;

int main() {
    Result<Grid> caves = Grid::make({.width = 60, .height = 30});
    if (!caves) return 1;
    // A pocket that opens towards the start.
    if (!caves->fill({{20, 6}, {41, 7}}, 0) || !caves->fill({{20, 23}, {41, 24}}, 0)) return 1;
    if (!caves->fill({{40, 6}, {41, 24}}, 0)) return 1;

    Scratch scratch;
    Result<Explorer> scout = Explorer::make(*caves, {.agent = {.radius = 0.4}, .sight = 8.0});
    if (!scout || !scout->begin(cell_centre(3, 15), cell_centre(56, 15))) return 1;
    while (scout->status() == ExploreStatus::going) {
        if (!scout->step(*caves, scratch)) return 1;  // look, think, walk a little; a game does one at a time
    }
    std::printf("%s after %u steps, walked %.1f, %u plans\n", explore_status_name(scout->status()),
                scout->stats().steps, scout->walked().length, scout->stats().plans);
    if (scout->status() != ExploreStatus::arrived) return 1;

    // Back again: what it has seen it knows, and does not walk into the pocket a second time.
    const double there = scout->walked().length;
    if (!scout->begin(cell_centre(56, 15), cell_centre(3, 15))) return 1;
    while (scout->status() == ExploreStatus::going) {
        if (!scout->step(*caves, scratch)) return 1;
    }
    std::printf("and back: walked %.1f\n", scout->walked().length);
    if (!(scout->walked().length < there)) return 1;

    // Somebody walls it in: it looks, and proves that there is no way.
    if (!caves->fill({{50, 0}, {51, 30}}, 0)) return 1;
    if (!scout->begin(cell_centre(3, 15), cell_centre(56, 15))) return 1;
    while (scout->status() == ExploreStatus::going) {
        if (!scout->step(*caves, scratch)) return 1;
    }
    std::printf("%s\n", explore_status_name(scout->status()));
    return scout->status() == ExploreStatus::unreachable ? 0 : 1;
}
