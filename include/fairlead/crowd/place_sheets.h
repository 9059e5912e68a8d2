// PlaceSheets: narrow places for units of several sizes and for several floors, as a crowd takes them.
//
//     const PlaceSheet sheets[] = {{&for_small}, {&for_large}};             // each found for a radius of its own
//     crowd->set_places(PlaceSheets{.sheets = sheets});
//
// Which of them a unit obeys. Its own size is the least radius of a sheet that is not below its own; with a radius above all of them it
// obeys none. A unit obeys
// - the places of its own size, and
// - those of larger units in which it cannot pass one of them: half the width is less than both radii x 1.02.
// A place of its own size that lies within one of a larger size which it obeys is left out: the two are one place with one order.
//
// In a place that units of different sizes obey two ways are open at a time as long as all those who are near it and come from different
// sides can pass each other; else one direction goes at a time. So small units use a lane of their own each way in a passage that is one
// large unit wide, and queue as soon as a large one comes.
//
// Floors. A unit obeys the sheets of the floor that it is on, along each stretch of its route.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/crowd/narrow_places.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/route.h>

namespace fairlead {

/// It must outlive the crowd, or be replaced.
struct PlaceSheet {
    const NarrowPlaces* places = nullptr;
    std::uint32_t floor = 0;
};

/// Asked while places are set and units are sent, not in updates.
struct PlaceFloors {
    /// The floor of a place on the ground. Null: its layer.
    std::uint32_t (*floor_of)(const Place& at, void* user) = nullptr;
    /// Sheets may tell of what lies beyond the rim of their floor. Which floor does a place on such a sheet belong to? Of a narrow place
    /// that both floors tell of only that of its own counts. Null: to the sheet's.
    std::uint32_t (*home_of)(std::uint32_t floor, Vec2 at, void* user) = nullptr;
    double beyond = 0.0;  ///< how far beyond
    void* user = nullptr;
};

struct PlaceSheets {
    std::span<const PlaceSheet> sheets{};
    PlaceFloors floors{};
    std::uint64_t version = 0;  ///< of who found them: another one after each change; 0: it does not say
};

}  // namespace fairlead
