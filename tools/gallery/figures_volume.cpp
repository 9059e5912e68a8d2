// Volumes: what a search opened, the way alone, counts: among rocks, in tunnels, into a sealed object, through the sea.
#include <list>

#include <fairlead/fly/find_fly.h>
#include <fairlead/math/trig.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/sight.h>

#include "gallery/figures.h"
#include "gallery/space_shot.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::BlockPaint;
using debug::Blocks;
using debug::rgb;
using debug::Sink;

const std::vector<LegendItem> kLegend = {legend::stone(),  legend::expanded(), legend::route(),
                                         legend::hidden(), legend::start(),    legend::goal()};

/// What four panels of one world show.
struct Panels {
    std::list<Shot> shots;
    std::vector<std::string> titles;
    std::vector<const Flight*> flights;
    std::vector<std::string> notes;
    bool shadows = false;

    void show(Canvas& canvas, std::vector<LegendItem> items) const {
        Layout layout{.columns = 2, .legend = std::move(items)};
        std::size_t i = 0;
        for (const Shot& shot : shots) layout.panels.push_back(shot.panel(titles[i++]));
        canvas.layout(std::move(layout));
        i = 0;
        for (const Shot& shot : shots) {
            canvas.panel(i, [&](const Sink& sink) {
                shot.view().draw(sink);
                shot.view().draw(flights[i]->route, sink, {.shadow = shadows});
            });
            canvas.note(i, notes[i]);
            ++i;
        }
    }
    template <class Paint>
    void add(const Volume& volume, int quarter, const Flight& flight, std::string title, std::string note,
             const Paint& paint) {
        shots.emplace_back(volume, debug::BlockViewOptions{.quarter = quarter}, paint);
        titles.push_back(std::move(title));
        flights.push_back(&flight);
        notes.push_back(std::move(note));
    }
};

/// G1, G2, G3 of the default, and G1 of A*.
void show_search(Canvas& canvas, const scenes::Space& space, debug::Color section) {
    constexpr int quarter = 0;
    const Volume volume = need(space.make());
    const VolumeQuery query{.start = space.start, .goal = space.goal};
    VolumeQuery by_voxels = query;
    by_voxels.planner = VolumePlanner::astar;
    const Flight flight(volume, query), reference(volume, by_voxels);
    const auto solid = [&](Blocks& blocks) {
        debug::paint_solid(blocks, volume, space.shown);
        blocks.set_color(BlockPaint::kSection, section);
    };
    Panels panels;
    panels.add(volume, quarter, flight, "What the any-angle search opened", opened_text(flight),
               [&](Blocks& blocks) {
                   solid(blocks);
                   debug::paint_searched(blocks, flight.trace.events(), {.shown = space.shown});
               });
    panels.add(volume, quarter, reference, "A*, 26 neighbours", opened_text(reference), [&](Blocks& blocks) {
        solid(blocks);
        debug::paint_searched(blocks, reference.trace.events(), {.shown = space.shown});
    });
    panels.add(volume, quarter, flight, "The way alone",
               std::to_string(flight.route.legs.size()) + " straight legs", [&](Blocks& blocks) {
                   solid(blocks);
                   debug::paint_path(blocks, flight.route);
               });
    std::uint64_t most = 0;
    panels.add(volume, quarter, reference, "A*: how many nodes where, in cubes of 8", "",
               [&](Blocks& blocks) {
                   solid(blocks);
                   most = debug::paint_counts(blocks, reference.trace.events(), 8, {.shown = space.shown});
               });
    panels.notes.back() = "at most " + count_text(most) + " of 512";
    std::vector<LegendItem> items = kLegend;
    items.insert(items.begin() + 1, legend::section(section));
    panels.show(canvas, std::move(items));
    canvas.row(flight_row("any angle", flight, volume));
    canvas.row(flight_row("A*, 26 neighbours", reference, volume));
}

void draw_asteroids(Canvas& canvas) { show_search(canvas, scenes::asteroid_field(), rgb(0x8e98a6)); }
void draw_sealed(Canvas& canvas) { show_search(canvas, scenes::sealed_object(), palette::kWall); }

/// Free voxels as stone: the ways instead of the rock.
void paint_free(Blocks& blocks, const Volume& volume) {
    const Voxel size = blocks.size();
    for (std::int32_t z = 0; z < size.z; ++z) {
        for (std::int32_t y = 0; y < size.y; ++y) {
            for (std::int32_t x = 0; x < size.x; ++x) {
                if (volume.state().is_free({x, y, z})) blocks.set({x, y, z}, BlockPaint::kSolid);
            }
        }
    }
}

void draw_tunnels(Canvas& canvas) {
    const scenes::Space space = scenes::tunnels();
    const Volume volume = need(space.make());
    const VolumeQuery query{.start = space.start, .goal = space.goal};
    VolumeQuery by_voxels = query;
    by_voxels.planner = VolumePlanner::astar;
    const Flight flight(volume, query), reference(volume, by_voxels);
    Panels panels;
    const Voxel size = space.size;
    const std::int64_t free = std::int64_t{size.x} * size.y * size.z - volume.state().solid_voxels();
    panels.add(volume, 0, flight, "The ways through the rock, without the rock",
               count_text(static_cast<std::uint64_t>(free)) + " free voxels",
               [&](Blocks& blocks) { paint_free(blocks, volume); });
    panels.add(volume, 0, flight, "What the any-angle search opened", opened_text(flight),
               [&](Blocks& blocks) { debug::paint_searched(blocks, flight.trace.events()); });
    panels.add(volume, 0, reference, "A*, 26 neighbours", opened_text(reference),
               [&](Blocks& blocks) { debug::paint_searched(blocks, reference.trace.events()); });
    std::uint64_t most = 0;
    panels.add(volume, 0, reference, "A*: how many nodes where, in cubes of 4", "",
               [&](Blocks& blocks) { most = debug::paint_counts(blocks, reference.trace.events(), 4); });
    panels.notes.back() = "at most " + count_text(most) + " of 64";
    std::vector<LegendItem> items = kLegend;
    items[0] = legend::stone("free space");
    panels.show(canvas, std::move(items));
    canvas.row(flight_row("any angle", flight, volume));
    canvas.row(flight_row("A*, 26 neighbours", reference, volume));
}

/// A share of a route by its length in space.
Vec3 place_at(const Route& route, double share) {
    double left = share * route.line_cost;
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Vec3 from = route.legs[i].start.position, to = leg_end(route, i).position;
        const double size = distance(from, to);
        if (left < size) return from + (to - from) * (left / size);
        left -= size;
    }
    return route.end.position;
}

void draw_sea(Canvas& canvas) {
    const scenes::Space space = scenes::sea();
    const Volume volume = need(space.make());
    const Flight flight(volume, {.start = space.start, .goal = space.goal, .agent = {.radius = 0.5}});
    const double shares[] = {0.14, 0.32, 0.69, 0.94};
    const char* titles[] = {"Out of the trench", "Over the ridge", "Up through the pool, into the station",
                            "Up the shaft, to the upper deck"};
    const Shot shot(volume, {.quarter = 0},
                    [&](Blocks& blocks) { debug::paint_solid(blocks, volume, space.shown); });
    Layout layout{.columns = 2,
                  .legend = {legend::stone(),
                             legend::section(),
                             legend::route(),
                             legend::hidden(),
                             {.text = "its shadow on the ground",
                              .color = mix(palette::kInk, palette::kPaper, 0.65),
                              .mark = Mark::line},
                             legend::start(),
                             legend::goal(),
                             {.text = "the boat", .color = palette::kOther, .mark = Mark::dot}}};
    for (const char* title : titles) layout.panels.push_back(shot.panel(title));
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < std::size(shares); ++i) {
        const Vec3 at = place_at(flight.route, shares[i]);
        canvas.panel(i, [&](const Sink& sink) {
            shot.view().draw(sink);
            shot.view().draw(flight.route, sink, {.shadow = true});
            shot.view().draw_dot(at, 6.0, palette::kOther, sink);
        });
        canvas.note(i, "depth " + number_text(space.size.z - at.z, 1));
    }
    double climbed = 0.0;
    for (const Leg& leg : flight.route.legs) climbed += std::max(leg.rise, 0.0);
    Row row = flight_row("boat, radius 0.5", flight, volume, {.radius = 0.5});
    row.note = "climbs " + number_text(climbed, 1);
    canvas.row(row);
}

// ---- bodies

constexpr Voxel kWallSize{34, 26, 14};

/// A wall with a square hole, a tall slit and a flat slot.
Volume wall_with_openings() {
    VolumeEdit edits[] = {
        VolumeEdit::fill({{15, 0, 0}, {18, 26, 14}}), VolumeEdit::clear({{15, 3, 2}, {18, 6, 5}}),
        VolumeEdit::clear({{15, 10, 2}, {18, 12, 12}}), VolumeEdit::clear({{15, 16, 6}, {18, 24, 8}})};
    Volume volume = need(Volume::make({.size = kWallSize}));
    need(volume.apply(edits));
    return volume;
}

/// A line in space, closed.
void draw_ring(const debug::BlockView& view, std::vector<Vec3> points, const Sink& sink) {
    points.push_back(points.front());
    view.draw_line(points, sink,
                   {.seen = {.color = palette::kOther, .width = 1.6},
                    .hidden = {.color = palette::kOther, .width = 0.9, .opacity = 0.5},
                    .casing = false});
}

std::vector<Vec3> circle(Vec3 middle, double radius, Vec3 across, Vec3 up) {
    std::vector<Vec3> points;
    for (int i = 0; i < 32; ++i) {
        const Vec2 at = math::direction(kTwoPi * i / 32) * radius;
        points.push_back(middle + across * at.x + up * at.y);
    }
    return points;
}

void draw_round_body(const debug::BlockView& view, const Agent& agent, Vec3 at, const Sink& sink) {
    const double half = core_half_height(agent);
    const Vec3 x{1, 0, 0}, y{0, 1, 0}, up{0, 0, 1};
    for (const double end : {-half, half}) draw_ring(view, circle(at + up * end, agent.radius, x, y), sink);
    for (const Vec3 side : {x, y}) {
        std::vector<Vec3> outline = circle(at, agent.radius, side, up);
        for (Vec3& p : outline) p.z += p.z >= at.z ? half : -half;
        draw_ring(view, std::move(outline), sink);
    }
}

void draw_box_body(const debug::BlockView& view, const Agent& agent, const Place& at, const Sink& sink) {
    const Vec2 ahead = math::direction(at.heading_rad), left{-ahead.y, ahead.x};
    const auto corner = [&](double x, double y, double z) {
        const Vec2 p = ground(at.position) + ahead * (agent.axle_offset + x * agent.length * 0.5) +
                       left * (y * agent.width * 0.5);
        return Vec3{p.x, p.y, at.position.z + z * agent.height * 0.5};
    };
    for (const double z : {-1.0, 1.0})
        draw_ring(view, {corner(-1, -1, z), corner(1, -1, z), corner(1, 1, z), corner(-1, 1, z)}, sink);
    for (const double x : {-1.0, 1.0}) {
        for (const double y : {-1.0, 1.0}) draw_ring(view, {corner(x, y, -1), corner(x, y, 1)}, sink);
    }
}

void draw_bodies(Canvas& canvas) {
    const Volume volume = wall_with_openings();
    const Agent bodies[] = {
        {.radius = 1.4},
        {.radius = 0.9, .height = 9.0},
        {.shape = BodyShape::box, .length = 3.0, .width = 7.0, .turning_radius = 3.0, .height = 1.6}};
    const char* titles[] = {"A sphere", "An upright capsule", "A level box with a turning circle"};
    const Shot shot(volume, {.quarter = 0}, [&](Blocks& blocks) { debug::paint_solid(blocks, volume); });
    Layout layout{.columns = 3,
                  .legend = {legend::stone(),
                             legend::route(),
                             legend::hidden(),
                             legend::start(),
                             legend::goal(),
                             {.text = "the body on its way", .color = palette::kOther, .mark = Mark::line}}};
    for (const char* title : titles) layout.panels.push_back(shot.panel(title));
    canvas.layout(std::move(layout));
    Scratch scratch;
    for (std::size_t i = 0; i < std::size(bodies); ++i) {
        const Agent& body = bodies[i];
        const Spot start(Position3(5, 13, 7), 0.0), goal(Position3(29, 13, 7), 0.0);
        const bool turns = body.turning_radius > 0.0;
        const Route route =
            turns ? need(find_route(volume, FlyQuery{.start = start, .goal = goal, .agent = body}, scratch))
                  : need(find_route(
                        volume, VolumeQuery{.start = start.position, .goal = goal.position, .agent = body},
                        scratch));
        canvas.panel(i, [&](const Sink& sink) {
            shot.view().draw(sink);
            shot.view().draw(route, sink, {.shadow = true});
            for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
                const Place at = place_on_route(route, share * route.length);
                if (turns)
                    draw_box_body(shot.view(), body, at, sink);
                else
                    draw_round_body(shot.view(), body, at.position, sink);
            }
        });
        canvas.note(i, "length " + number_text(route.line_cost, 1));
        Row row = row_of(titles[i], route);
        row.legal = !verify(route, volume, body);
        canvas.row(row);
    }
}

constexpr Figure kVolumeFigures[] = {
    {"volume_asteroids", "Among asteroids",
     "What two searches opened on the way through a field of rocks, the way alone, and how many nodes were "
     "opened where. "
     "Every box is a node: a voxel for A*, up to 8 voxels wide for the any-angle search.",
     "G1 G2 G3 W9 V7", draw_asteroids},
    {"volume_tunnels", "Tunnels", "Ways through solid rock with forks and dead ends, drawn without the rock.",
     "G1 G3 W9", draw_tunnels},
    {"volume_sealed", "A goal in an object with one entrance",
     "The article's worst case: one small opening, on the far side and behind a plate, and two rooms inside. "
     "The front is cut away.",
     "G1 G2 G3 V11", draw_sealed},
    {"volume_sea", "A submarine's climb",
     "From a trench over the pass of a ridge, below a station, up through its moon pool, over a wall, up a "
     "shaft and back to the "
     "goal on the upper deck, at four moments. The station is cut open.",
     "W9 G2", draw_sea},
    {"volume_bodies", "Sphere, capsule, box",
     "Three bodies from the same place to the same place. Each takes the opening that it fits through: the "
     "square hole, the tall slit, "
     "the flat slot.",
     "W9", draw_bodies},
};

}  // namespace

std::span<const Figure> volume_figures() { return kVolumeFigures; }

}  // namespace fairlead::gallery
