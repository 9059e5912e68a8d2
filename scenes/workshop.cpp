#include "scenes/level.h"

namespace fairlead::scenes {

Level workshop() {
    Level level;
    level.floor(0, 0, 24, 16, 0);
    for (const Vec2 at : {Vec2{5, 4}, {5, 8}, {9, 4}, {9, 8}})
        level.box({at.x, at.y, 0}, {at.x + 0.8, at.y + 0.8, 4});
    level.box({1.5, 10.5, 0}, {4.2, 12, 1.2});  // crates
    level.box({2.6, 12, 0}, {4.2, 13.4, 0.8});
    level.box({0, 14.2, 0}, {7, 16, 0.25});  // a low step
    // A ramp up to a gallery, with room to walk below.
    level.quad({12, 12.2, 0}, {17, 12.2, 2.8}, {17, 15, 2.8}, {12, 15, 0});
    level.box({17, 2, 2.5}, {20, 15, 2.8});
    level.box({17, 2, 0}, {17.4, 2.4, 2.5});  // its posts
    level.box({19.6, 2, 0}, {20, 2.4, 2.5});
    level.box({17, 9, 0}, {17.4, 9.4, 2.5});
    // A mound: gentle towards -x and +x, too steep along y.
    level.quad({12, 6, 0}, {14, 6.5, 0.9}, {14, 8.5, 0.9}, {12, 9, 0});
    level.quad({14, 6.5, 0.9}, {16, 6, 0}, {16, 9, 0}, {14, 8.5, 0.9});
    level.quad({12, 6, 0}, {16, 6, 0}, {14, 6.5, 0.9}, {14, 6.5, 0.9});
    level.quad({12, 9, 0}, {14, 8.5, 0.9}, {14, 8.5, 0.9}, {16, 9, 0});
    // An inner wall with a slanting end.
    level.box({21.5, 4, 0}, {21.8, 12, 3});
    level.quad({21.5, 12, 3}, {21.8, 12, 3}, {23.1, 14, 3}, {22.8, 14, 3});
    level.quad({22.8, 14, 0}, {21.5, 12, 0}, {21.5, 12, 3}, {22.8, 14, 3});
    level.quad({21.8, 12, 0}, {23.1, 14, 0}, {23.1, 14, 3}, {21.8, 12, 3});
    return level;
}

}  // namespace fairlead::scenes
