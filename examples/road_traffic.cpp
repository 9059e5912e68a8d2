// Traffic on roads: widths and limits of speed by kind of road, a one-way street, a road that is closed while they drive.
#include <cstdio>

#include <fairlead/fairlead.h>

using namespace fairlead;

namespace {

Place at(double x, double y) {
    Place place;
    place.position = {x, y, 0.0};
    return place;
}

SpeedLimits driving() {
    SpeedLimits limits = SpeedLimits::only(6.0);
    limits.accel_max = limits.brake_max = limits.lateral_accel_max = 4.0;
    return limits;
}

Result<Roadmap> make_town() {
    const Waypoint places[] = {{WaypointId{1}, {0, 0}},
                               {WaypointId{2}, {40, 0}},
                               {WaypointId{3}, {80, 0}},
                               {WaypointId{4}, {40, 30}}};
    enum : std::uint8_t { street, lane };
    const WaypointEdge ways[] = {{.from = WaypointId{1}, .to = WaypointId{2}, .kind = street},
                                 {.from = WaypointId{2}, .to = WaypointId{3}, .kind = street},
                                 {.from = WaypointId{2}, .to = WaypointId{4}, .kind = lane},
                                 {.from = WaypointId{4}, .to = WaypointId{3}, .one_way = true, .kind = lane}};
    const RoadKind roads[] = {{.width = 8, .speed_max = 6}, {.width = 4, .speed_max = 2.5}};
    return Roadmap::make({.nodes = places, .edges = ways, .roads = roads});
}

}  // namespace

int main() {
    Result<Roadmap> town = make_town();
    if (!town) return 1;
    const RoadmapFleet roads(*town);
    Result<Fleet> fleet = Fleet::make(roads.port());
    if (!fleet) return 1;
    const Result<FleetKind> cart = fleet->add_kind({.agent = {.radius = 0.8}, .limits = driving()});
    if (!cart) return 1;
    constexpr int kCarts = 16;
    for (int i = 0; i < kCarts; ++i) {
        const double x = 2.0 + 2.0 * (i / 4);
        const double y = -2.4 + 1.7 * (i % 4);
        const bool east = i % 2 == 0;
        const Result<FleetId> id = fleet->add(*cart, east ? at(x, y) : at(80 - x, y));
        if (!id || !fleet->send(*id, east ? Vec2{80 - x, y} : Vec2{x, y})) return 1;
    }
    double fastest = 0.0;
    for (int frame = 0; frame < 60 * 120; ++frame) {
        if (frame == 120) {  // the street is closed to those who go east: round by the lane
            if (!town->remove_edge({.from = WaypointId{2}, .to = WaypointId{3}, .one_way = true})) return 1;
            if (!fleet->world_changed()) return 1;
        }
        if (!fleet->update(1.0 / 60.0, {.units = 4000})) return 1;
        for (std::uint32_t i = 0; i < kCarts; ++i) {
            const FleetView cart_now = fleet->unit(FleetId{i});
            if (cart_now.place.position.y > 6.0 && cart_now.speed > fastest) fastest = cart_now.speed;
        }
    }
    int arrived = 0;
    for (std::uint32_t i = 0; i < kCarts; ++i)
        arrived += fleet->unit(FleetId{i}).state == FleetState::arrived ? 1 : 0;
    std::printf("%d of %d have arrived; nobody went faster than %.2f in the lane\n", arrived, kCarts,
                fastest);
    return arrived == kCarts && fastest > 0.0 && fastest <= 2.5 + 1e-9 ? 0 : 1;
}
