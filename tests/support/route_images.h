// Images of routes and worlds: mirrored, turned, moved, scaled, reversed. What is legal stays legal.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fairlead/math/pose.h>
#include <fairlead/route/route.h>

#include "support/fake_world.h"

namespace fairlead::testing {

inline Route copy_of(const Route& route) {
    Route copy;
    copy.status = route.status;
    copy.length = route.length;
    copy.cost = route.cost;
    copy.line_cost = route.line_cost;
    copy.bound = route.bound;
    copy.revision = route.revision;
    copy.end = route.end;
    FAIRLEAD_ASSERT(copy.legs.assign(route.legs.span()));
    return copy;
}

/// One of the eight images of a square map of `size` cells: first mirrored in x, then turned by quarter
/// turns.
struct Image {
    std::int32_t size = 0;
    bool mirror = false;
    int quarters = 0;

    [[nodiscard]] Vec2 point(Vec2 p) const {
        if (mirror) p.x = size - p.x;
        for (int i = 0; i < quarters; ++i) p = {size - p.y, p.x};
        return p;
    }
    [[nodiscard]] Cell cell(Cell c) const {
        if (mirror) c.x = size - 1 - c.x;
        for (int i = 0; i < quarters; ++i) c = {size - 1 - c.y, c.x, c.layer};
        return c;
    }
    [[nodiscard]] Place place(Place at) const {
        const Vec2 p = point(ground(at.position));
        at.position = {p.x, p.y, at.position.z};
        at.heading_rad = (mirror ? kPi - at.heading_rad : at.heading_rad) + quarters * kHalfPi;
        return at;
    }
    [[nodiscard]] Route route(const Route& original) const {
        Route image = copy_of(original);
        for (Leg& leg : image.legs) {
            leg.start = place(leg.start);
            if (mirror) leg.curvature = -leg.curvature, leg.turn_rad = -leg.turn_rad;
        }
        image.end = place(image.end);
        return image;
    }
    [[nodiscard]] FakeWorld world(const FakeWorld& original) const {
        FakeWorld image(size, size, original.layers());
        for (std::int32_t y = 0; y < size; ++y) {
            for (std::int32_t x = 0; x < size; ++x) image.set(cell({x, y, 0}), original.tile({x, y, 0}));
        }
        return image;
    }
};

/// The route of the original (origin 0, cells of size 1) in a world with this origin and cell size.
inline Route placed(const Route& original, Vec2 origin, double cell_size) {
    Route image = copy_of(original);
    const auto move = [&](Place& at) {
        at.position = {origin.x + at.position.x * cell_size, origin.y + at.position.y * cell_size,
                       at.position.z};
    };
    image.length = 0.0;
    for (Leg& leg : image.legs) {
        move(leg.start);
        leg.length *= cell_size;
        leg.curvature /= cell_size;
        if (leg.clearance != kUnknown) leg.clearance *= cell_size;
        image.length += leg.length;
    }
    move(image.end);
    return image;
}

/// From the end to the start; drive legs only. What was driven forwards still is.
inline Route reversed(const Route& original) {
    Route image = copy_of(original);
    image.length = 0.0;
    const std::size_t count = original.legs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Leg& leg = original.legs[count - 1 - i];
        Leg& back = image.legs[i];
        back = leg;
        back.start = leg_end(original, count - 1 - i);
        back.start.heading_rad = leg.start.heading_rad + leg.curvature * leg.length + kPi;
        back.curvature = -leg.curvature;
        image.length += back.length;
    }
    if (count > 0) image.end = original.legs[0].start;
    return image;
}

}  // namespace fairlead::testing
