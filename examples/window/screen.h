// What the game looks like: SDL2 fills shapes.
#pragma once

#include <SDL.h>

#include <cmath>
#include <vector>

#include "game.h"

namespace window {

inline constexpr SDL_Color kGround{238, 235, 226, 255}, kWall{78, 82, 92, 255}, kGoal{208, 52, 60, 255};
inline constexpr SDL_Color kWalker{42, 104, 184, 255}, kArrived{58, 148, 92, 255}, kTruck{216, 138, 28, 255};
inline constexpr SDL_Color kStands{140, 142, 150, 255}, kGlass{70, 52, 20, 255};

inline SDL_FPoint on_screen(Vec2 p) {
    return {static_cast<float>(p.x * kPixels), static_cast<float>(p.y * kPixels)};
}

inline void fill_convex(SDL_Renderer* to, const std::vector<Vec2>& corners, SDL_Color color) {
    std::vector<SDL_Vertex> all;
    for (std::size_t i = 2; i < corners.size(); ++i) {
        for (const std::size_t k : {std::size_t{0}, i - 1, i})
            all.push_back({on_screen(corners[k]), color, {}});
    }
    SDL_RenderGeometry(to, nullptr, all.data(), static_cast<int>(all.size()), nullptr, 0);
}

inline void fill_disc(SDL_Renderer* to, Vec2 middle, double radius, SDL_Color color) {
    std::vector<Vec2> corners;
    for (int i = 0; i < 20; ++i) {
        const double turn = i * kPi / 10.0;
        corners.push_back(middle + Vec2{radius * std::cos(turn), radius * std::sin(turn)});
    }
    fill_convex(to, corners, color);
}

/// In the frame of a unit: from `back` to `front` along its heading.
inline void fill_box(SDL_Renderer* to, const Place& unit, double back, double front, double width,
                     SDL_Color color) {
    const Vec2 ahead{std::cos(unit.heading_rad), std::sin(unit.heading_rad)}, left{-ahead.y, ahead.x};
    const Vec2 at = ground(unit.position);
    const double half = 0.5 * width;
    fill_convex(to,
                {at + ahead * back + left * half, at + ahead * front + left * half,
                 at + ahead * front - left * half, at + ahead * back - left * half},
                color);
}

/// What it still has before it.
inline void draw_route(SDL_Renderer* to, const Route& route, const FleetView& unit, SDL_Color color) {
    std::vector<SDL_FPoint> line{on_screen(ground(unit.place.position))};
    double passed = route.length - unit.remaining;
    for (const Leg& leg : route.legs) {
        for (int i = 1; i <= 8; ++i) {
            if (leg.length * i / 8 < passed) continue;
            line.push_back(on_screen(ground(place_on_leg(leg, leg.length * i / 8).position)));
        }
        passed -= leg.length;
    }
    SDL_SetRenderDrawColor(to, color.r, color.g, color.b, color.a);
    SDL_RenderDrawLinesF(to, line.data(), static_cast<int>(line.size()));
}

inline void draw_unit(SDL_Renderer* to, const Unit& unit, const FleetView& view) {
    const bool waits = view.state != FleetState::moving && view.state != FleetState::arrived;
    if (unit.truck) {
        const double back = kTruckAxle - 0.5 * kTruckLength, front = kTruckAxle + 0.5 * kTruckLength;
        fill_box(to, view.place, back, front, kTruckWidth, waits ? kStands : kTruck);
        fill_box(to, view.place, front - 0.55, front - 0.2, kTruckWidth - 0.25, kGlass);
    } else {
        const SDL_Color color = waits ? kStands : view.state == FleetState::arrived ? kArrived : kWalker;
        fill_disc(to, ground(view.place.position), kWalkerRadius, color);
    }
}

inline void draw(SDL_Renderer* to, const Game& game) {
    SDL_SetRenderDrawBlendMode(to, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(to, kGround.r, kGround.g, kGround.b, 255);
    SDL_RenderClear(to);
    SDL_SetRenderDrawColor(to, kWall.r, kWall.g, kWall.b, 255);
    for (std::int32_t y = 0; y < kHeight; ++y) {
        for (std::int32_t x = 0; x < kWidth; ++x) {
            const int side = static_cast<int>(kPixels);
            const SDL_Rect tile{x * side, y * side, side, side};
            if (game.is_wall({x, y})) SDL_RenderFillRect(to, &tile);
        }
    }
    for (const Unit& unit : game.units()) {
        const FleetView view = game.fleet().unit(unit.id);
        SDL_Color color = unit.truck ? kTruck : kWalker;
        color.a = unit.truck ? 200 : 60;
        if (view.state == FleetState::moving) draw_route(to, *game.fleet().route(unit.id), view, color);
    }
    fill_disc(to, game.goal(), 0.8, kGoal);
    fill_disc(to, game.goal(), 0.5, kGround);
    for (const Unit& unit : game.units()) draw_unit(to, unit, game.fleet().unit(unit.id));
    fill_disc(to, game.goal(), 0.25, kGoal);
    if (game.paused) {
        fill_convex(to, {{1.5, 1.5}, {2.0, 1.5}, {2.0, 3.0}, {1.5, 3.0}}, kGoal);
        fill_convex(to, {{2.5, 1.5}, {3.0, 1.5}, {3.0, 3.0}, {2.5, 3.0}}, kGoal);
    }
}

}  // namespace window
