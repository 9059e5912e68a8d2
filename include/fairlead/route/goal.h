// Where a query begins and where it wants to be: one way to say it, in every world and for every unit.
//
//     .start = Vec2{3.5, 3.5}               a position; two or three bare numbers are one, too: .start = {3.5, 3.5}
//     .start = Vec3{3.5, 3.5, 12.0}         with its height, which tells the floors of a level apart
//     .start = Pose{{3.5, 3.5}, kHalfPi}    and the heading of a unit that turns: {{3.5, 3.5}, kHalfPi} in short
//     .start = Cell{3, 3, 1}                the middle of a tile, on a floor
//     .start = WaypointId{7}                of a roadmap
//     .goal = Vec2{40, 8}                   exactly there
//     .goal = Goal::within(chest, 1.5)      or in reach of it; adjacent, in sight
//     .goal = Goal::any_of(exits)           at any of several, whichever costs least
//
// Each world says which of these it serves (docs/worlds.md has the table). What it does not serve is refused: unsupported, with
// the field's name. A heading means nothing to units that turn on the spot.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include <fairlead/base/borrowed.h>
#include <fairlead/base/id.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct WaypointTag;
/// The user's name for a waypoint of a roadmap (roadmap/roadmap.h).
using WaypointId = Id<WaypointTag, std::int64_t>;

/// Three numbers in braces, and no fewer.
struct Position3 {
    double x, y, z;
    constexpr Position3(double ax, double ay, double az) : x(ax), y(ay), z(az) {}
    constexpr Position3(const Vec3& at) : x(at.x), y(at.y), z(at.z) {}
};

/// A place as a query says it. Made from what the caller has.
struct Spot {
    enum class Kind : std::uint8_t {
        position,  ///< world units
        cell,      ///< of a tile map: `position` holds its whole numbers
        waypoint,  ///< of a roadmap: `waypoint`
    };

    Kind kind = Kind::position;
    bool has_heading = false;  ///< else any heading will do
    bool has_layer = false;    ///< else layer 0, or the one that the map is of
    std::int32_t layer = 0;    ///< floor of a layered tile map; 0 elsewhere
    Vec3 position{};           ///< z is 0 where it was not given
    double heading_rad = 0.0;  ///< of a unit that turns: where it faces, counter-clockwise from +x
    /// Of a unit that turns: so much to either side of heading_rad will do as well; 0: exactly.
    double heading_tolerance_rad = 0.0;
    WaypointId waypoint{};

    constexpr Spot() = default;
    constexpr Spot(double x, double y) : position{x, y, 0.0} {}
    constexpr Spot(double x, double y, double z) : position{x, y, z} {}
    constexpr Spot(const Vec2& at) : position{at.x, at.y, 0.0} {}
    constexpr Spot(const Vec3& at) : position(at) {}
    constexpr Spot(const Vec2& at, double heading)
        : has_heading(true), position{at.x, at.y, 0.0}, heading_rad(heading) {}
    constexpr Spot(const Position3& at, double heading)
        : has_heading(true), position{at.x, at.y, at.z}, heading_rad(heading) {}
    constexpr Spot(const Pose& pose) : Spot(pose.position, pose.heading_rad) {}
    constexpr Spot(const Place& place)
        : has_heading(true),
          has_layer(true),
          layer(place.layer),
          position(place.position),
          heading_rad(place.heading_rad) {}
    constexpr Spot(WaypointId id) : kind(Kind::waypoint), waypoint(id) {}

    /// The middle of a tile.
    [[nodiscard]] static constexpr Spot cell(std::int32_t x, std::int32_t y, std::int32_t layer) {
        Spot spot(x, y);
        spot.kind = Kind::cell;
        return spot.on_layer(layer);
    }

    /// The same place on a floor.
    [[nodiscard]] constexpr Spot on_layer(std::int32_t floor) const {
        Spot spot = *this;
        spot.has_layer = true;
        spot.layer = floor;
        return spot;
    }
    /// Facing a heading, give or take; in any heading.
    [[nodiscard]] constexpr Spot facing(double heading, double tolerance = 0.0) const {
        Spot spot = *this;
        spot.has_heading = true;
        spot.heading_rad = heading;
        spot.heading_tolerance_rad = tolerance;
        return spot;
    }
    [[nodiscard]] constexpr Spot any_heading() const {
        Spot spot = *this;
        spot.has_heading = false;
        spot.heading_rad = spot.heading_tolerance_rad = 0.0;
        return spot;
    }

    [[nodiscard]] constexpr Vec2 ground() const { return {position.x, position.y}; }
    [[nodiscard]] constexpr Pose pose() const { return {ground(), heading_rad}; }

    friend constexpr bool operator==(const Spot&, const Spot&) = default;
};

template <class T>
concept ConvertsToSpot = std::convertible_to<const T&, Spot>;

/// A list of places of the caller's, of any one type that converts to Spot; nothing is copied, it must outlive the search.
class SpotList {
  public:
    constexpr SpotList() = default;
    template <ConvertsToSpot T>
    constexpr SpotList(Borrowed<T> list)
        : data_(list.data()),
          size_(list.size()),
          at_([](const void* data, std::size_t i) -> Spot { return static_cast<const T*>(data)[i]; }) {}

    [[nodiscard]] constexpr std::size_t size() const { return size_; }
    [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] Spot operator[](std::size_t i) const { return at_(data_, i); }

    struct Iterator {
        const SpotList* list = nullptr;
        std::size_t i = 0;
        [[nodiscard]] Spot operator*() const { return (*list)[i]; }
        Iterator& operator++() {
            ++i;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;
    };
    [[nodiscard]] Iterator begin() const { return {this, 0}; }
    [[nodiscard]] Iterator end() const { return {this, size_}; }

  private:
    const void* data_ = nullptr;
    std::size_t size_ = 0;
    Spot (*at_)(const void* data, std::size_t i) = nullptr;
};

/// Where the unit wants to be. A place converts by itself: `.goal = Vec2{490, 500}`.
struct Goal {
    enum class Kind : std::uint8_t {
        point,     ///< exactly there
        within,    ///< anywhere no further than `range` from the place
        adjacent,  ///< tiles: in a cell next to the place's cell (which may be a wall: a chest, a tree, a foe)
        in_sight,  ///< anywhere no further than `range` from the place and with a clear straight line to it
        any_of,  ///< exactly at one of `list`, whichever costs least (on tiles: whose tile does; Route::bound counts the rest)
    };

    Kind kind = Kind::point;
    Spot at{};           ///< any_of: its layer alone counts, for all of the list
    double range = 0.0;  ///< world units; infinite is allowed for in_sight
    SpotList list{};     ///< 1 to 65536 of them

    constexpr Goal() = default;
    template <ConvertsToSpot T>
    constexpr Goal(const T& place) : at(place) {}
    constexpr Goal(double x, double y) : at(x, y) {}
    constexpr Goal(double x, double y, double z) : at(x, y, z) {}
    constexpr Goal(const Vec2& place, double heading) : at(place, heading) {}
    constexpr Goal(const Position3& place, double heading) : at(place, heading) {}

    [[nodiscard]] static constexpr Goal within(const Spot& place, double range) {
        return make(Kind::within, place, range);
    }
    [[nodiscard]] static constexpr Goal adjacent(const Spot& place) {
        return make(Kind::adjacent, place, 0.0);
    }
    [[nodiscard]] static constexpr Goal in_sight(const Spot& place, double range) {
        return make(Kind::in_sight, place, range);
    }
    /// `list`: an array, a vector or a span of anything that converts to Spot; it must outlive the search.
    template <class List>
    [[nodiscard]] static constexpr Goal any_of(List&& list) {
        Goal goal;
        goal.kind = Kind::any_of;
        using Item = std::remove_cvref_t<decltype(*std::data(list))>;
        goal.list = SpotList(Borrowed<Item>(std::forward<List>(list)));
        return goal;
    }

    [[nodiscard]] constexpr Goal on_layer(std::int32_t floor) const {
        Goal goal = *this;
        goal.at = at.on_layer(floor);
        return goal;
    }

    /// A list, or a region: more than one place will do.
    [[nodiscard]] constexpr bool is_list() const { return kind == Kind::any_of; }

  private:
    static constexpr Goal make(Kind kind, const Spot& place, double range) {
        Goal goal;
        goal.kind = kind;
        goal.at = place;
        goal.range = range;
        return goal;
    }
};

}  // namespace fairlead
