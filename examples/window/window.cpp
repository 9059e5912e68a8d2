// Units in a window, and a mouse that changes their world. The second example to read: game.h is how a game uses a Fleet.
//
//     left button   on the goal: drag it; elsewhere: paint walls        W, T    a walker, a truck where the mouse is
//     right button  erase walls                                         space   pause
//
//     window --headless [--frames N] [--shot FILE.bmp]    plays a script into memory and looks at what was drawn
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "screen.h"

using namespace window;

namespace {

struct Hand {
    enum class Does { nothing, drags_goal, paints, erases };
    Does does = Does::nothing;
    Vec2 at{};
};

Vec2 tiles_at(std::int32_t x, std::int32_t y) { return {x / kPixels, y / kPixels}; }

void use_hand(Game& game, const Hand& hand) {
    if (hand.does == Hand::Does::drags_goal) game.move_goal(hand.at);
    if (hand.does == Hand::Does::paints) game.paint(hand.at, true);
    if (hand.does == Hand::Does::erases) game.paint(hand.at, false);
}

/// False: the end.
bool handle(const SDL_Event& event, Game& game, Hand& hand) {
    if (event.type == SDL_QUIT) return false;
    if (event.type == SDL_MOUSEMOTION) {
        const Vec2 from = hand.at;
        const Vec2 to = tiles_at(event.motion.x, event.motion.y);
        const int steps =
            hand.does == Hand::Does::drags_goal ? 1 : 1 + static_cast<int>(2.0 * distance(from, to));
        for (int i = 1; i <= steps; ++i) {  // a quick mouse jumps over tiles
            hand.at = from + (to - from) * (static_cast<double>(i) / steps);
            use_hand(game, hand);
        }
    } else if (event.type == SDL_MOUSEBUTTONDOWN) {
        hand.at = tiles_at(event.button.x, event.button.y);
        const bool on_goal = distance(hand.at, game.goal()) < 1.0;
        hand.does = event.button.button != SDL_BUTTON_LEFT ? Hand::Does::erases
                    : on_goal                              ? Hand::Does::drags_goal
                                                           : Hand::Does::paints;
        use_hand(game, hand);
    } else if (event.type == SDL_MOUSEBUTTONUP) {
        hand.does = Hand::Does::nothing;
    } else if (event.type == SDL_KEYDOWN) {
        const SDL_Keycode key = event.key.keysym.sym;
        if (key == SDLK_ESCAPE) return false;
        if (key == SDLK_SPACE) game.paused = !game.paused;
        if (key == SDLK_w || key == SDLK_t) game.spawn(hand.at, key == SDLK_t);
    }
    return true;
}

int run_window(Game& game) {
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return 1;
    SDL_Window* window = SDL_CreateWindow(
        "fairlead - drag the goal, left paints walls, right erases, W walker, T truck, space pause",
        SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, static_cast<int>(kWidth * kPixels),
        static_cast<int>(kHeight * kPixels), 0);
    SDL_Renderer* renderer =
        window == nullptr ? nullptr : SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (renderer == nullptr) return 1;
    Hand hand;
    for (bool goes_on = true; goes_on;) {
        const Uint64 began = SDL_GetTicks64();
        for (SDL_Event event; SDL_PollEvent(&event) != 0;) goes_on = handle(event, game, hand) && goes_on;
        if (!game.update()) return 1;
        draw(renderer, game);
        SDL_RenderPresent(renderer);
        const Uint64 took = SDL_GetTicks64() - began;
        if (took < 16) SDL_Delay(static_cast<Uint32>(16 - took));
    }
    SDL_Quit();
    return 0;
}

// --- The test: a script, and what must be seen after it ------------------------------------------------------------

SDL_Event mouse(Uint32 type, Vec2 at, Uint8 button = SDL_BUTTON_LEFT) {
    SDL_Event event{};
    event.type = type;
    const auto x = static_cast<Sint32>(at.x * kPixels), y = static_cast<Sint32>(at.y * kPixels);
    if (type == SDL_MOUSEMOTION) {
        event.motion.x = x;
        event.motion.y = y;
    } else {
        event.button.x = x;
        event.button.y = y;
        event.button.button = button;
    }
    return event;
}

void press_and_drag(Game& game, Hand& hand, Vec2 from, Vec2 to, Uint8 button = SDL_BUTTON_LEFT) {
    (void)handle(mouse(SDL_MOUSEBUTTONDOWN, from, button), game, hand);
    (void)handle(mouse(SDL_MOUSEMOTION, to), game, hand);
    (void)handle(mouse(SDL_MOUSEBUTTONUP, to, button), game, hand);
}

/// Walls across the way, a door in the old wall, the goal elsewhere: one after the other, by hand.
void play_script(Game& game, Hand& hand, int frame) {
    if (frame == 20) press_and_drag(game, hand, {26.5, 8.5}, {26.5, 21.5});
    for (const double y : {3.5, 4.5, 5.5}) {
        if (frame == 40) press_and_drag(game, hand, {15.5, y}, {17.5, y}, SDL_BUTTON_RIGHT);
    }
    if (frame == 60) press_and_drag(game, hand, {40.5, 15.5}, {38.5, 8.5});
}

bool has_color(SDL_Surface* picture, Vec2 at, SDL_Color color) {
    const int x = static_cast<int>(at.x * kPixels), y = static_cast<int>(at.y * kPixels);
    Uint32 pixel = 0;
    std::memcpy(&pixel, static_cast<const Uint8*>(picture->pixels) + y * picture->pitch + 4 * x,
                sizeof pixel);
    SDL_Color seen{};
    SDL_GetRGB(pixel, picture->format, &seen.r, &seen.g, &seen.b);
    return seen.r == color.r && seen.g == color.g && seen.b == color.b;
}

/// What the script did is there, and all walkers stand around the goal where it is now.
bool looks_right(SDL_Surface* picture, const Game& game) {
    int green = 0;
    for (const Unit& unit : game.units()) {
        const Vec2 at = ground(game.fleet().unit(unit.id).place.position);
        if (!unit.truck && distance(at, game.goal()) < 5.0 && has_color(picture, at, kArrived)) ++green;
    }
    const bool wall = has_color(picture, {26.5, 15.5}, kWall), door = !has_color(picture, {15.9, 4.3}, kWall);
    std::printf("%d walkers at the goal, wall %s, door %s\n", green, wall ? "there" : "missing",
                door ? "open" : "shut");
    return wall && door && green >= 34;  // the goal's own mark hides one, and one may be late
}

int run_headless(Game& game, int frames, const char* shot) {
    SDL_Surface* picture =
        SDL_CreateRGBSurfaceWithFormat(0, static_cast<int>(kWidth * kPixels),
                                       static_cast<int>(kHeight * kPixels), 32, SDL_PIXELFORMAT_ARGB8888);
    SDL_Renderer* renderer = picture == nullptr ? nullptr : SDL_CreateSoftwareRenderer(picture);
    if (renderer == nullptr) return 1;
    Hand hand;
    for (int frame = 0; frame < frames; ++frame) {
        play_script(game, hand, frame);
        if (!game.update()) return 1;
    }
    draw(renderer, game);
    if (shot != nullptr && SDL_SaveBMP(picture, shot) != 0) return 1;
    const bool good = looks_right(picture, game);
    SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(picture);
    return good ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    bool headless = false;
    int frames = 2400;
    const char* shot = nullptr;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(words[i], "--headless") == 0) headless = true;
        if (i + 1 < count && std::strcmp(words[i], "--frames") == 0) frames = std::atoi(words[i + 1]);
        if (i + 1 < count && std::strcmp(words[i], "--shot") == 0) shot = words[i + 1];
    }
    Result<Grid> map = make_map();
    if (!map) return 1;
    Game game{std::move(*map)};
    if (!game.begin()) return 1;
    return headless ? run_headless(game, frames, shot) : run_window(game);
}
