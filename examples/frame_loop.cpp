// A search in slices: a little work each frame, while the map is edited. The result is that of one blocking call.

#include <fairlead/fairlead.h>

#include <cstdio>

int main() {
    using namespace fairlead;
    Result<Grid> town = Grid::make({.width = 300, .height = 300});
    if (!town) return 1;
    for (std::int32_t x = 20; x < 280; x += 20) {  // walls with a gap above or below in turn
        const std::int32_t y = x % 40 == 0 ? 0 : 10;
        if (!town->fill({{x, y}, {x + 2, y + 290}}, 0)) return 1;
    }
    const GridQuery query{
        .start = cell_centre(5, 150), .goal = cell_centre(295, 150), .planner = GridPlanner::bucket_astar};

    const GridSnapshot frozen = town->acquire();  // the search does not see later edits
    Scratch scratch;
    GridSearch search(frozen, query, scratch);
    int frames = 1;
    while (search.running()) {
        search.step(2000);
        ++frames;
        if (!town->set(Cell{frames % 20, 1}, 0)) return 1;  // the game goes on
    }
    Route route;
    if (!search.take(route)) return 1;
    std::printf("%s after %d frames: length %.2f on revision %llu\n", status_name(route.status), frames,
                route.length, static_cast<unsigned long long>(route.revision));

    Scratch other;
    const Result<Route> at_once = find_route(*frozen, query, other);
    return at_once && at_once->stats.digest == route.stats.digest && frames > 1 ? 0 : 1;
}
