// Narrow places: where a crowd must take turns, on a map of tiles.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/debug/draw_places.h>

#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

constexpr std::int32_t kWidth = 120;
constexpr std::int32_t kHeight = 76;
constexpr double kPlaceTile = 0.2;

/// Halls, a door, a corridor two wide, a fork one wide and three small rooms in a row.
std::vector<std::uint8_t> make_house() {
    std::vector<std::uint8_t> tiles(kWidth * kHeight, 0);
    const auto dig = [&](std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1) {
        for (std::int32_t y = y0; y < y1; ++y) {
            for (std::int32_t x = x0; x < x1; ++x) tiles[static_cast<std::size_t>(y * kWidth + x)] = 1;
        }
    };
    dig(2, 2, 34, 74);    // west hall
    dig(86, 2, 118, 74);  // east hall
    dig(34, 62, 86, 74);  // corridor two wide
    dig(34, 40, 86, 46);  // one wide, with a fork
    dig(57, 46, 63, 62);
    dig(36, 8, 50, 28);  // three small rooms
    dig(53, 8, 67, 28);
    dig(70, 8, 84, 28);
    for (const std::int32_t door : {34, 50, 67, 84}) dig(door, 15, door + 3, 21);
    return tiles;
}

void draw_narrow_places(Canvas& canvas) {
    const Grid house =
        need(Grid::make({.width = kWidth, .height = kHeight, .cell_size = kPlaceTile}, make_house()));
    const TileWalls walls(house, {.radius = 0.5});
    PlaceFinder finder;
    const NarrowPlaces places = need(finder.find(walls.options(), walls.rows()));
    const debug::GridDraw plain{.lines = false};
    Layout layout{
        .panels = {{debug::world_bounds(house.state())}},
        .legend = {
            legend::wall(),
            {.text = "one unit wide: one direction at a time", .color = palette::kWarning, .opacity = 0.4},
            {.text = "two or three wide: a lane each way", .color = palette::kRoute, .opacity = 0.4}}};
    canvas.layout(std::move(layout));
    canvas.panel(0, [&](const debug::Sink& sink) {
        debug::draw(house.state(), sink, plain);
        debug::draw_places(places, sink);
    });
    canvas.note(0, std::to_string(places.places().size()) + " places, " +
                       std::to_string(places.rooms().size()) + " rooms, units of radius 0.5");
    canvas.row({.label = "places", .note = std::to_string(places.places().size())});
}

constexpr Figure kPlacesFigures[] = {
    {"narrow_places", "Where units cannot pass each other",
     "Found from the walls alone. Small rooms between doors hold no one who waits, so they and their doors "
     "are one place.",
     "X5", draw_narrow_places},
};

}  // namespace

std::span<const Figure> place_figures() { return kPlacesFigures; }

}  // namespace fairlead::gallery
