// Moving pictures of units that face a way: sprites with 16 facings, and the ground that a truck sweeps. Played by a Fleet when the gallery
// is made.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/fleet/tile_fleet.h>

#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

constexpr double kFrame = 1.0 / 30.0;
constexpr int kFramesPerSample = 2;
constexpr double kStandsFor = 1.0;  // seconds, in the end
constexpr std::int32_t kFacings = 16;
constexpr double kSprite = 0.45;  // radius

struct Show {
    std::vector<Mover> movers{};
    std::size_t samples = 0;
    double seconds = 0.0;  ///< until all had arrived
    int facing_changes = 0;
};

void play_show(Fleet& fleet, const std::vector<FleetId>& ids, double seconds_max, Show& show) {
    const auto sample = [&] {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            std::vector<Place>& places = show.movers[i].places;
            const Place now = fleet.unit(ids[i]).place;
            if (!places.empty() && places.back().heading_rad != now.heading_rad) ++show.facing_changes;
            places.push_back(now);
        }
        ++show.samples;
    };
    sample();
    double end = seconds_max;
    for (int frame = 1; frame * kFrame < end; ++frame) {
        need(fleet.update(kFrame, {.units = 20000}));
        if (frame % kFramesPerSample != 0) continue;
        sample();
        const bool all = std::all_of(ids.begin(), ids.end(),
                                     [&](FleetId id) { return fleet.unit(id).state == FleetState::arrived; });
        if (!all || show.seconds > 0.0) continue;
        show.seconds = frame * kFrame;
        end = std::min(end, show.seconds + kStandsFor);
    }
}

/// Where a sprite went: straight along one facing after the other.
void draw_way(const Mover& mover, const debug::Sink& sink) {
    std::vector<Vec3> way;
    for (const Place& place : mover.places) way.push_back(place.position);
    debug::draw_polyline(sink, way, debug::Stroke{.color = mover.color, .width = 1.2, .opacity = 0.6});
}

void draw_sprites(Canvas& canvas) {
    const std::int32_t width = 36, height = 18;
    Grid yard = need(Grid::make({.width = width, .height = height}));
    for (const CellRect& block :
         {CellRect{{9, 3}, {12, 9}}, CellRect{{16, 8}, {20, 14}}, CellRect{{24, 2}, {27, 7}}})
        need(yard.fill(block, 0));
    const TileFleet port{yard};
    Fleet fleet = need(Fleet::make(port.port()));
    FleetUnit unit;
    unit.agent.radius = kSprite;
    unit.limits = SpeedLimits::only(1.5);
    unit.facings = kFacings;
    const FleetKind kind = need(fleet.add_kind(unit));
    Show show;
    std::vector<FleetId> ids;
    for (int i = 0; i < 10; ++i) {
        const bool west = i < 5;
        const double row = 3.0 + 2.9 * (i % 5);
        Place from;
        from.position = {west ? 2.0 : width - 2.0, row, 0.0};
        from.heading_rad = west ? 0.0 : kPi;
        ids.push_back(need(fleet.add(kind, from, true)));
        need(fleet.send(ids.back(), Vec2{west ? width - 2.0 : 2.0, height - row}));
        show.movers.push_back(
            {.color = west ? palette::kRoute : palette::kOther, .radius = kSprite, .sprite = true});
    }
    play_show(fleet, ids, 60.0, show);
    canvas.layout(
        {.panels = {{.world = debug::world_bounds(yard.state()), .upright = true}}, .height_max = 520.0});
    canvas.panel(0, [&](const debug::Sink& sink) {
        debug::draw(yard.state(), sink, debug::GridDraw{.lines = false});
        draw_way(show.movers[1], sink);
        draw_way(show.movers[8], sink);
    });
    canvas.move(0, show.movers, kFrame * kFramesPerSample, show.samples * 2 / 5);
    const std::string text = "all arrived after " + number_text(show.seconds, 1) + " s; " +
                             std::to_string(show.facing_changes) + " changes of facing";
    canvas.note(0, text);
    canvas.row({.label = "10 sprites", .note = text});
}

void draw_sweep(Canvas& canvas) {
    const std::int32_t width = 34, height = 20;
    Grid streets = need(Grid::make({.width = width, .height = height}));
    for (const CellRect& block :
         {CellRect{{0, 0}, {13, 12}}, CellRect{{19, 6}, {width, height}}, CellRect{{0, 18}, {19, height}}})
        need(streets.fill(block, 0));
    const TileFleet port{streets};
    Fleet fleet = need(Fleet::make(port.port()));
    FleetUnit truck;
    truck.agent = {.shape = BodyShape::box,
                   .length = 6.0,
                   .width = 2.0,
                   .axle_offset = 1.8,
                   .turning_radius = 5.0,
                   .can_reverse = true};
    truck.limits = SpeedLimits::only(4.0);
    truck.limits.accel_max = truck.limits.brake_max = 2.0;
    const FleetKind kind = need(fleet.add_kind(truck));
    Place from;
    from.position = {3.0, 15.0, 0.0};
    Place to;
    to.position = {29.0, 3.0, 0.0};
    const std::vector<FleetId> ids{need(fleet.add(kind, from, true))};
    need(fleet.send(ids[0], Spot(to)));
    Show show;
    show.movers.push_back({.color = palette::kRoute, .length = 6.0, .width = 2.0, .ahead = 1.8});
    play_show(fleet, ids, 60.0, show);
    canvas.layout(
        {.panels = {{.world = debug::world_bounds(streets.state()), .upright = true}}, .height_max = 520.0});
    canvas.panel(0, [&](const debug::Sink& sink) {
        debug::draw(streets.state(), sink, debug::GridDraw{.lines = false});
        debug::draw_drive(*fleet.route(ids[0]), truck.agent, sink, {.bodies = false, .ends = false});
    });
    canvas.move(0, show.movers, kFrame * kFramesPerSample, show.samples / 2);
    const std::string text = "there after " + number_text(show.seconds, 1) + " s";
    canvas.note(0, text);
    canvas.row({.label = "a truck round two corners", .note = text});
}

constexpr Figure kSpritesFigures[] = {
    {"moving_sprites", "Sprites with 16 facings",
     "Each step goes exactly the way that the sprite faces, also where they make way for each other: the "
     "feet never slide. The two thin lines "
     "are ways that were gone.",
     "A4 X5", draw_sprites},
    {"moving_sweep", "What a truck sweeps",
     "The pale ground is all that its body passes over: the rear cuts the corner, the front swings out. It "
     "is tested as a whole, exactly.",
     "K5", draw_sweep},
};

}  // namespace

std::span<const Figure> sprite_figures() { return kSpritesFigures; }

}  // namespace fairlead::gallery
