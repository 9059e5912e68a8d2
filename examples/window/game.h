// The game: a map of tiles and a Fleet of walkers and trucks on it. All of fairlead that this example uses is here.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <fairlead/fairlead.h>

namespace window {

using namespace fairlead;

inline constexpr std::int32_t kWidth = 48, kHeight = 30;  // tiles
inline constexpr double kPixels = 20.0;                   // a tile
inline constexpr double kFrame = 1.0 / 60.0;
inline constexpr double kWalkerRadius = 0.35;
inline constexpr double kTruckLength = 2.4, kTruckWidth = 1.2,
                        kTruckAxle = 0.7;  // the axle, behind the middle

/// A room with a wall across it that has one way through, and two houses.
inline Result<Grid> make_map() {
    Result<Grid> map = Grid::make({.width = kWidth, .height = kHeight});
    for (const CellRect& wall : {CellRect{{0, 0}, {kWidth, 1}}, CellRect{{0, kHeight - 1}, {kWidth, kHeight}},
                                 CellRect{{0, 0}, {1, kHeight}}, CellRect{{kWidth - 1, 0}, {kWidth, kHeight}},
                                 CellRect{{15, 1}, {17, 20}}, CellRect{{15, 25}, {17, 29}},
                                 CellRect{{31, 3}, {36, 7}}, CellRect{{30, 20}, {34, 24}}}) {
        if (map && !map->fill(wall, 0)) return Error{ErrorCode::out_of_memory};
    }
    return map;
}

struct Unit {
    FleetId id{};
    bool truck = false;
};

class Game {
  public:
    explicit Game(Grid map) : map_(std::move(map)), port_(map_) {}
    bool begin();
    bool update();

    void paint(Vec2 at, bool wall);
    void spawn(Vec2 at, bool truck);
    void move_goal(Vec2 to);

    bool paused = false;
    [[nodiscard]] Vec2 goal() const { return goal_; }
    [[nodiscard]] const std::vector<Unit>& units() const { return units_; }
    [[nodiscard]] const Fleet& fleet() const { return *fleet_; }
    [[nodiscard]] bool is_wall(Cell cell) const { return map_.state().blocked(cell); }

  private:
    void send(std::size_t unit);

    Grid map_;
    TileFleet port_;
    std::optional<Fleet> fleet_{};
    FleetKind walker_{}, truck_{};
    std::vector<Unit> units_{};
    Vec2 goal_{40.5, 15.5};
    std::uint32_t order_ = 1;  // of the group: who is sent together stands together
    bool edited_ = false;
};

inline FleetUnit walker_kind() {
    FleetUnit unit;
    unit.agent.radius = kWalkerRadius;
    unit.limits = SpeedLimits::only(3.0);
    unit.limits.accel_max = unit.limits.brake_max = 12.0;
    return unit;
}

inline FleetUnit truck_kind() {
    FleetUnit unit;
    unit.agent.shape = BodyShape::box;
    unit.agent.length = kTruckLength;
    unit.agent.width = kTruckWidth;
    unit.agent.axle_offset = kTruckAxle;
    unit.agent.turning_radius = 2.5;
    unit.agent.can_reverse = true;
    unit.limits = SpeedLimits::only(4.0);
    unit.limits.accel_max = unit.limits.brake_max = 3.0;
    return unit;
}

inline bool Game::begin() {
    Result<Fleet> fleet = Fleet::make(port_.port());
    if (!fleet) return false;
    fleet_.emplace(std::move(*fleet));
    const Result<FleetKind> walker = fleet_->add_kind(walker_kind());
    const Result<FleetKind> truck = fleet_->add_kind(truck_kind());
    if (!walker || !truck) return false;
    walker_ = *walker;
    truck_ = *truck;
    for (int i = 0; i < 36; ++i) spawn({3.5 + i % 4, 10.5 + i / 4}, false);
    spawn({4.5, 24.5}, true);
    return true;
}

inline bool Game::update() {
    if (paused) return true;
    if (edited_ && !fleet_->world_changed()) return false;
    edited_ = false;
    return fleet_->update(kFrame, {.units = 4000}).has_value();
}

/// A wall does not come down on a unit or on the goal.
inline void Game::paint(Vec2 at, bool wall) {
    const Cell cell = map_.state().cell_at(at);
    const bool rim = cell.x <= 0 || cell.y <= 0 || cell.x >= kWidth - 1 || cell.y >= kHeight - 1;
    if (rim || is_wall(cell) == wall) return;
    const Vec2 middle = map_.state().cell_centre(cell);
    for (const Unit& unit : units_) {
        const double keep = unit.truck ? kTruckLength + 0.8 : kWalkerRadius + 0.8;
        if (wall && distance(ground(fleet_->unit(unit.id).place.position), middle) < keep) return;
    }
    if (wall && distance(goal_, middle) < 1.0) return;
    const CellRect tile{{cell.x, cell.y}, {cell.x + 1, cell.y + 1}};
    edited_ = map_.fill(tile, wall ? 0 : 1).has_value() || edited_;
}

inline void Game::spawn(Vec2 at, bool truck) {
    Place place;
    place.position = {at.x, at.y, 0.0};
    const Cell cell = map_.state().cell_at(at);
    if (!map_.state().inside(cell) || is_wall(cell)) return;
    const Result<FleetId> id = fleet_->add(truck ? truck_ : walker_, place);
    if (!id) return;
    units_.push_back({*id, truck});
    send(units_.size() - 1);
}

inline void Game::move_goal(Vec2 to) {
    const Cell cell = map_.state().cell_at(to);
    if (!map_.state().inside(cell) || is_wall(cell) || to == goal_) return;
    goal_ = to;
    ++order_;
    for (std::size_t i = 0; i < units_.size(); ++i) send(i);
}

/// Walkers stand around the goal. Trucks park below it.
inline void Game::send(std::size_t unit) {
    int trucks = 0;
    for (std::size_t i = 0; i < unit; ++i) trucks += units_[i].truck ? 1 : 0;
    const Vec2 parked{goal_.x + 4.0 * (trucks % 2), goal_.y + 5.0 + 2.0 * (trucks / 2)};
    const bool truck = units_[unit].truck;
    (void)fleet_->send(units_[unit].id, truck ? parked : goal_, {.group = truck ? 0 : order_});
}

}  // namespace window
