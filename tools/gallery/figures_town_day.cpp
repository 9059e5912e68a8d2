// A day in a town with doors that close: people go to work, to the park and home again while doors are shut under way. Played by a Fleet
// when the gallery is made; a door is an edit of the map.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fairlead/fleet/tile_fleet.h>

#include "gallery/figures.h"
#include "gallery/need.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;

constexpr double kStep = 1.0 / 30.0;
constexpr int kFramesASample = 9;
constexpr double kTile = 0.2;
constexpr double kRadius = 0.4;
constexpr double kWall = 0.4;
constexpr double kDay = 150.0;  // seconds
constexpr Aabb kTown{{0, 0}, {50, 32}};
constexpr double kSky = 3.0;  // above it, for the sun

struct Door {
    Aabb gap{};    ///< in a wall
    Vec2 aside{};  ///< how far its leaf slides to be open
    double shut_at = 0.0;
    double open_at = kDay;  ///< again
    bool open = true;
    std::int64_t since = 0;  ///< frame of its last change
    int changes = 0;
};

constexpr Aabb kHouses[] = {
    {{3, 3}, {12, 10}}, {{3, 22}, {12, 29}}, {{15, 3}, {24, 10}}, {{15, 22}, {24, 29}}};
constexpr Aabb kWorks{{33, 17}, {47, 29}};
constexpr Aabb kSchool{{33, 3}, {47, 11}};
constexpr Aabb kPark{{5, 13.5}, {27, 18.5}};
constexpr int kPeople = 6;  // of a house

/// House doors first, then the works' two and the school's two.
std::vector<Door> make_doors() {
    std::vector<Door> doors;
    for (const Aabb& house : kHouses) {
        const double x = 0.5 * (house.low.x + house.high.x) - 0.8;
        const bool south = house.high.y < 16;  // its door is on the north side then: to the street
        const double y = south ? house.high.y - kWall : house.low.y;
        doors.push_back({.gap = {{x, y}, {x + 1.6, y + kWall}}, .aside = {1.6, 0}, .shut_at = 144.0});
    }
    doors.push_back({.gap = {{kWorks.low.x, 22}, {kWorks.low.x + kWall, 23.6}},
                     .aside = {0, 1.6},
                     .shut_at = 13.0,
                     .open_at = 70.0});
    doors.push_back(
        {.gap = {{39, kWorks.low.y}, {40.6, kWorks.low.y + kWall}}, .aside = {1.6, 0}, .shut_at = 100.0});
    doors.push_back({.gap = {{kSchool.low.x, 6}, {kSchool.low.x + kWall, 7.6}},
                     .aside = {0, 1.6},
                     .shut_at = 50.0,
                     .open_at = 92.0});
    doors.push_back({.gap = {{41, kSchool.high.y - kWall}, {42.6, kSchool.high.y}},
                     .aside = {1.6, 0},
                     .shut_at = 15.5,
                     .open_at = 45.0});
    return doors;
}

[[nodiscard]] CellRect cells_of(const Aabb& box) {
    const auto cell = [](double metres) { return static_cast<std::int32_t>(std::lround(metres / kTile)); };
    return {.low = {cell(box.low.x), cell(box.low.y)}, .high = {cell(box.high.x), cell(box.high.y)}};
}

[[nodiscard]] Grid make_town(const std::vector<Door>& doors) {
    const CellRect all = cells_of(kTown);
    const Agent size{.radius = kRadius};
    Grid town = need(
        Grid::make({.width = all.high.x, .height = all.high.y, .cell_size = kTile, .sizes = {&size, 1}}));
    const auto build = [&](const Aabb& house) {
        need(town.fill(cells_of(house), 0));
        need(town.fill(cells_of({house.low + Vec2{kWall, kWall}, house.high - Vec2{kWall, kWall}}), 1));
    };
    for (const Aabb& house : kHouses) build(house);
    build(kWorks);
    build(kSchool);
    for (const Door& door : doors) need(town.fill(cells_of(door.gap), 1));
    return town;
}

/// Place `k` of a row-by-row order in a box, a good step apart.
[[nodiscard]] Vec2 place_in(const Aabb& box, int k) {
    constexpr double kApart = 1.5;
    const Vec2 low = box.low + Vec2{1.2, 1.2};
    const int columns = std::max(1, static_cast<int>((box.high.x - box.low.x - 2.4) / kApart) + 1);
    return low + Vec2{(k % columns) * kApart, (k / columns) * kApart};
}

struct Day {
    Grid town;
    std::vector<Door> doors;
    std::vector<FleetId> people{};
    std::vector<Mover> movers{};  ///< the doors' leaves, the sun, the people
    std::vector<char> counted{};  ///< has its trip ended?
    std::size_t samples = 0;
    int trips = 0;
    int arrived = 0;
    int doors_moved = 0;
    double nearest = INFINITY;  ///< two centres, in radii
};

void send_house(Fleet& fleet, Day& day, int house, const Aabb& to, int first) {
    for (int k = 0; k < kPeople; ++k) {
        const auto i = static_cast<std::size_t>(house * kPeople + k);
        need(fleet.send(day.people[i], place_in(to, first + k)));
        day.counted[i] = 0;
        ++day.trips;
    }
}

/// What is to happen at a time.
struct Event {
    double at = 0.0;
    int house = 0;
    Aabb to{};
    int first = 0;  ///< place in it
};

std::vector<Event> timetable() {
    std::vector<Event> events;
    const Aabb day_places[] = {kWorks, kWorks, kSchool, kSchool};
    for (int house = 0; house < 4; ++house) {
        events.push_back({2.0 + 0.5 * house, house, day_places[house], (house % 2) * kPeople});
        if (house < 2) events.push_back({58.0 + 0.5 * house, house, kPark, house * 14});
        if (house == 2) events.push_back({62.0, house, kPark, 28});
        events.push_back({106.0 + 0.5 * house, house, kHouses[house], 0});
    }
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.house < b.house; });
    return events;
}

[[nodiscard]] bool someone_in(const Fleet& fleet, const Day& day, const Aabb& gap) {
    return std::any_of(day.people.begin(), day.people.end(), [&](FleetId id) {
        const Vec2 p = ground(fleet.unit(id).place.position);
        const double m = kRadius + 2 * kTile;
        return p.x > gap.low.x - m && p.x < gap.high.x + m && p.y > gap.low.y - m && p.y < gap.high.y + m;
    });
}

/// Doors that are due; one waits while somebody stands in it.
void move_doors(Fleet& fleet, Day& day, double now) {
    bool changed = false;
    for (Door& door : day.doors) {
        const bool wanted = now < door.shut_at || now >= door.open_at;
        if (wanted == door.open || (!wanted && someone_in(fleet, day, door.gap))) continue;
        need(day.town.fill(cells_of(door.gap), wanted ? 1 : 0));
        door.open = wanted;
        ++day.doors_moved;
        changed = true;
    }
    if (changed) need(fleet.world_changed());
}

void sample(const Fleet& fleet, Day& day, double now) {
    std::size_t m = 0;
    const auto put = [&](const Vec2& at, double heading) {
        day.movers[m++].places.push_back({{at.x, at.y, 0.0}, heading, 0});
    };
    for (const Door& door : day.doors) {
        const Vec2 shut = (door.gap.low + door.gap.high) * 0.5;
        put(door.open ? shut + door.aside : shut, door.aside.y > 0 ? kHalfPi : 0.0);
    }
    const double noon = now / kDay;
    put({kTown.high.x * (0.05 + 0.9 * noon), kTown.high.y + 0.9 + 1.3 * (1.0 - std::abs(2.0 * noon - 1.0))},
        0.0);
    const std::size_t first = m;
    for (const FleetId id : day.people) put(ground(fleet.unit(id).place.position), 0.0);
    for (std::size_t i = first; i < m; ++i) {
        for (std::size_t k = first; k < i; ++k)
            day.nearest = std::min(day.nearest, distance(day.movers[i].places.back().position,
                                                         day.movers[k].places.back().position) /
                                                    kRadius);
    }
    ++day.samples;
}

void count_arrivals(const Fleet& fleet, Day& day) {
    for (std::size_t i = 0; i < day.people.size(); ++i) {
        if (day.counted[i] != 0 || fleet.unit(day.people[i]).state != FleetState::arrived) continue;
        day.counted[i] = 1;
        ++day.arrived;
    }
}

void make_movers(Day& day) {
    for (const Door& door : day.doors) {
        (void)door;
        day.movers.push_back({.color = palette::kWarning, .length = 1.6, .width = 0.5});
    }
    day.movers.push_back({.color = debug::rgb(0xe0a400), .radius = 0.8});
    for (int house = 0; house < 4; ++house) {
        for (int k = 0; k < kPeople; ++k)
            day.movers.push_back({.color = palette::route(house), .radius = kRadius});
    }
}

void play_day(Day& day) {
    const TileFleet port{day.town};
    Fleet fleet = need(Fleet::make(port.port()));
    FleetUnit walker;
    walker.agent.radius = kRadius;
    walker.limits = SpeedLimits::only(1.6);
    walker.limits.accel_max = walker.limits.brake_max = 6.0;
    const FleetKind kind = need(fleet.add_kind(walker));
    for (int house = 0; house < 4; ++house) {
        for (int k = 0; k < kPeople; ++k) {
            const Vec2 at = place_in(kHouses[house], k);
            Place from;
            from.position = {at.x, at.y, 0.0};
            day.people.push_back(need(fleet.add(kind, from)));
            day.counted.push_back(1);
        }
    }
    make_movers(day);
    sample(fleet, day, 0.0);
    const std::vector<Event> events = timetable();
    std::size_t next = 0;
    for (int frame = 1; frame * kStep < kDay; ++frame) {
        const double now = frame * kStep;
        for (; next < events.size() && events[next].at <= now; ++next)
            send_house(fleet, day, events[next].house, events[next].to, events[next].first);
        move_doors(fleet, day, now);
        need(fleet.update(kStep, {.units = 20000}));
        count_arrivals(fleet, day);
        if (frame % kFramesASample == 0) sample(fleet, day, now);
    }
}

void draw_day(Canvas& canvas) {
    std::vector<Door> doors = make_doors();
    Grid town = make_town(doors);
    const Grid drawn = make_town(doors);
    Day day{.town = std::move(town), .doors = std::move(doors)};
    play_day(day);
    const Aabb frame{kTown.low, kTown.high + Vec2{0, kSky}};
    canvas.layout(
        {.panels = {{.world = frame, .upright = true}},
         .legend = {legend::wall(),
                    {.text = "a door's leaf: in the gap when it is shut", .color = palette::kWarning},
                    {.text = "park", .color = palette::tint(2)},
                    {.text = "the sun", .color = debug::rgb(0xe0a400), .mark = Mark::dot}},
         .height_max = 560.0});
    canvas.panel(0, [&](const debug::Sink& sink) {
        debug::draw(drawn.state(), sink, debug::GridDraw{.lines = false});
        debug::draw_boxes(sink, {&kPark, 1}, 0.0, {palette::tint(2)});
        const auto name = [&](const Aabb& box, const char* text) {
            debug::draw_text(sink, {0.5 * (box.low.x + box.high.x), box.high.y - 1.5, 0}, text,
                             {.color = palette::kFaint, .size = 12, .anchor = debug::Anchor::middle});
        };
        for (const Aabb& house : kHouses) name(house, "home");
        name(kWorks, "works");
        name(kSchool, "school");
        name(kPark, "park");
    });
    canvas.move(0, day.movers, kStep * kFramesASample, day.samples / 10);
    const std::string text = std::to_string(day.arrived) + " of " + std::to_string(day.trips) +
                             " ways ended where they were to; doors shut or opened " +
                             std::to_string(day.doors_moved) + " times; nearest centres " +
                             number_text(day.nearest, 2) + " radii";
    canvas.note(0, text);
    canvas.row({.label = "24 people", .note = text});
}

constexpr Figure kTownDayFigures[] = {
    {"moving_town_day", "A day in the town, with doors that close",
     "To work and to school, to the park, home again. Doors shut while people are on their way to them: "
     "those go round "
     "to the other one. At night the houses are shut.",
     "C16 X5", draw_day},
};

}  // namespace

std::span<const Figure> town_day_figures() { return kTownDayFigures; }

}  // namespace fairlead::gallery
