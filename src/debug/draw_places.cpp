// Narrow places: rows of points as boxes, axes as lines, mouths as bars.
#include <fairlead/debug/draw_places.h>

#include "debug/box_batch.h"

namespace fairlead::debug {

namespace {

/// Points of one kind, a box for each run of a row.
void draw_areas(const NarrowPlaces& places, PlaceKind kind, const Fill& fill, const Sink& sink, double z) {
    BoxBatch boxes(sink, z, fill);
    const double half = 0.5 * places.cell();
    for (std::int32_t y = 0; y < places.height(); ++y) {
        const auto at = [&](std::int32_t x) {
            return places.origin() + Vec2{1.0 * x, 1.0 * y} * places.cell();
        };
        const auto is_in = [&](std::int32_t x) {
            const std::uint32_t place = places.place_at(at(x));
            return place != kNoPlace && places.places()[place].kind == kind;
        };
        for (std::int32_t x = 0; x < places.width(); ++x) {
            if (!is_in(x)) continue;
            const std::int32_t first = x;
            while (x + 1 < places.width() && is_in(x + 1)) ++x;
            boxes.add({at(first) - Vec2{half, half}, at(x) + Vec2{half, half}});
        }
    }
}

void draw_axis(const NarrowPlaces& places, const NarrowPlace& place, const Stroke& stroke, const Sink& sink,
               double z) {
    for (std::uint32_t i = place.node; i < place.node + place.nodes; ++i) {
        const PlaceNode& node = places.nodes()[i];
        if (node.parent == i) continue;
        draw_line(sink, at_height(node.at, z), at_height(places.nodes()[node.parent].at, z), stroke);
    }
}

void draw_mouth(const PlaceMouth& mouth, double radius, const Stroke& stroke, const Sink& sink, double z) {
    const Vec2 across = Vec2{-mouth.outward.y, mouth.outward.x} * mouth.half_width;
    draw_line(sink, at_height(mouth.middle - across, z), at_height(mouth.middle + across, z), stroke);
    draw_arrow(sink, at_height(mouth.middle, z), at_height(mouth.middle + mouth.outward * radius, z), stroke);
}

}  // namespace

void draw_places(const NarrowPlaces& places, const Sink& sink, const PlacesDraw& options) {
    const Group group{sink, "places"};
    const auto color = [&](const NarrowPlace& place) {
        return place.kind == PlaceKind::token ? options.token : options.lanes;
    };
    if (options.areas) {
        const Group areas{sink, "areas"};
        draw_areas(places, PlaceKind::token, {options.token, 0.3}, sink, options.z);
        draw_areas(places, PlaceKind::lanes, {options.lanes, 0.25}, sink, options.z);
    }
    if (options.axes) {
        const Group axes{sink, "axes"};
        for (const NarrowPlace& place : places.places()) {
            draw_axis(places, place, {.color = color(place), .width = 1.5, .dash = 4.0}, sink, options.z);
        }
    }
    if (options.mouths) {
        const Group mouths{sink, "mouths"};
        for (std::uint32_t i = 0; i < places.places().size(); ++i) {
            const Stroke stroke{.color = color(places.places()[i]), .width = 2.0};
            for (const PlaceMouth& mouth : places.mouths(i)) {
                draw_mouth(mouth, places.radius(), stroke, sink, options.z);
            }
        }
    }
    if (!options.numbers) return;
    for (std::uint32_t i = 0; i < places.places().size(); ++i) {
        const NarrowPlace& place = places.places()[i];
        if (place.nodes == 0) continue;
        char text[12] = {};
        char* first = text + sizeof(text) - 1;
        std::uint32_t rest = i;
        do {
            *--first = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        const Vec2 at = places.nodes()[place.node].at + Vec2{4.0, 4.0} * sink.point;
        draw_text(sink, at_height(at, options.z), first, {.color = color(place), .size = 10.0, .halo = true});
    }
}

}  // namespace fairlead::debug
