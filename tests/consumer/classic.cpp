// Links fairlead::classic alone.
#include <fairlead/classic/find_classic.h>
#include <fairlead/fairlead.h>

#include "town.h"

int main() {
    using namespace fairlead;
    Result<Grid> grid = Grid::make({.width = 32, .height = 32});
    if (!grid) return 1;
    Scratch scratch;
    const Result<ClassicRoute> way =
        find_classic(*grid, {.start = {{2.5, 2.5}, 0}, .goal = {{20.5, 9.5}, 0}}, scratch);
    return way && way->legal ? 0 : 1;
}
