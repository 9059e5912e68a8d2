// Moving pictures in space: a submarine under way, with the place that it steers for. Played by a Fleet over the volume, as `sim` plays it.
#include <algorithm>
#include <string>
#include <vector>

#include <fairlead/fleet/volume_fleet.h>
#include <fairlead/volume/sight.h>

#include "gallery/figures.h"
#include "gallery/space_shot.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

constexpr double kTick = 1.0 / 30.0;
constexpr int kTicksASample = 9;
constexpr double kBoat = 0.5;   // radius
constexpr double kLook = 0.25;  // from one place of the route that is looked at to the next
constexpr double kSecondsMost = 120.0;

/// A place of the route by its length in space: legs that climb upright have no length on the ground.
Vec3 place_along(const Route& route, double way) {
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Vec3 from = route.legs[i].start.position, to = leg_end(route, i).position;
        const double size = distance(from, to);
        if (way < size) return from + (to - from) * (way / size);
        way -= size;
    }
    return route.end.position;
}

/// The last place of its route that a boat sees, from the one that it saw last on.
class Lookout {
  public:
    Lookout(const VolumeState& volume, const Route& route) : volume_(volume), route_(route) {}

    [[nodiscard]] Vec3 see(Vec3 from) {
        while (way_ < route_.line_cost) {
            const double next = std::min(way_ + kLook, route_.line_cost);
            if (!in_sight(volume_, from, place_along(route_, next), 0.75 * kBoat)) break;
            way_ = next;
        }
        return place_along(route_, way_);
    }

  private:
    const VolumeState& volume_;
    const Route& route_;
    double way_ = 0.0;
};

struct Voyage {
    std::vector<Vec3> boat{};
    std::vector<Vec3> ahead{};
    Route route{};
    double seconds = 0.0;  ///< 0: it has not arrived
    double fastest = 0.0;
};

Voyage sail(const Volume& sea, const scenes::Space& space) {
    const VolumeFleet port{sea};
    Fleet fleet = need(Fleet::make(port.port()));
    FleetUnit submarine;
    submarine.agent.radius = kBoat;
    submarine.limits = {.speed_max = 4.0, .accel_max = 1.5, .brake_max = 1.5, .lateral_accel_max = 1.5};
    Place at;
    at.position = space.start;
    const FleetId id = need(fleet.add(need(fleet.add_kind(submarine)), at));
    need(fleet.send(id, space.goal));
    Voyage out;
    while (fleet.unit(id).state == FleetState::waiting || fleet.unit(id).state == FleetState::idle)
        need(fleet.update(kTick, {.units = 20000}));
    const Route& way = *fleet.route(id);
    if (!out.route.legs.assign(way.legs.span())) throw DemoError{"out of memory in a picture"};
    out.route.status = way.status;
    out.route.end = way.end;
    out.route.length = way.length;
    out.route.line_cost = way.line_cost;
    Lookout lookout(sea.state(), out.route);
    for (int tick = 0; tick * kTick < kSecondsMost; ++tick) {
        const FleetView now = fleet.unit(id);
        out.fastest = std::max(out.fastest, now.speed);
        if (now.state == FleetState::arrived && out.seconds == 0.0) out.seconds = tick * kTick;
        if (tick % kTicksASample == 0) {
            out.boat.push_back(now.place.position);
            out.ahead.push_back(lookout.see(now.place.position));
        }
        if (out.seconds > 0.0 && tick * kTick > out.seconds + 1.0) break;
        need(fleet.update(kTick, {.units = 20000}));
    }
    return out;
}

Mover mover_of(const debug::BlockView& view, const std::vector<Vec3>& places, double radius,
               debug::Color color) {
    Mover out{.color = color, .radius = radius};
    for (const Vec3 place : places) {
        const Vec2 at = view.map(place);
        Place on_page;
        on_page.position = {at.x, at.y, 0.0};
        out.places.push_back(on_page);
    }
    return out;
}

void draw_submarine(Canvas& canvas) {
    const scenes::Space space = scenes::sea();
    const Volume sea = need(space.make());
    const Voyage voyage = sail(sea, space);
    const Shot shot(sea, {.quarter = 0},
                    [&](debug::Blocks& blocks) { debug::paint_solid(blocks, sea, space.shown); });
    canvas.layout({.panels = {shot.panel("Up into the station")},
                   .legend = {legend::stone(),
                              legend::section(),
                              legend::route(),
                              legend::hidden(),
                              {.text = "the boat", .color = palette::kOther, .mark = Mark::dot},
                              {.text = "the last place of its route that it sees",
                               .color = palette::route(2),
                               .mark = Mark::dot}},
                   .height_max = 560.0});
    canvas.panel(0, [&](const debug::Sink& sink) {
        shot.view().draw(sink);
        shot.view().draw(voyage.route, sink, {.shadow = true});
    });
    const Mover movers[] = {mover_of(shot.view(), voyage.ahead, 0.6, palette::route(2)),
                            mover_of(shot.view(), voyage.boat, 1.1, palette::kOther)};
    canvas.move(0, movers, kTick * kTicksASample, voyage.boat.size() * 2 / 5);
    const std::string text = voyage.seconds > 0.0
                                 ? "there after " + number_text(voyage.seconds, 1) + " s, at most " +
                                       number_text(voyage.fastest, 1) + " a second"
                                 : "not there yet";
    canvas.note(0, text);
    canvas.row({.label = "a submarine, radius 0.5", .length = voyage.route.line_cost, .note = text});
}

constexpr Figure kFlightFigures[] = {
    {"moving_submarine", "A submarine follows its sight",
     "It does not run along its route but steers for the last place of it that it sees, over the ridge, up "
     "through the pool and "
     "up the shaft; speed and acceleration are limited. The station is cut open.",
     "M1 M2 W9", draw_submarine},
};

}  // namespace

std::span<const Figure> flight_figures() { return kFlightFigures; }

}  // namespace fairlead::gallery
