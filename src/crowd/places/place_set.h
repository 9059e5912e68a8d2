// PlaceSet: the narrow places of all sizes and floors under one numbering, and which of them a unit obeys.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/crowd/place_sheets.h>

#include "crowd/unit.h"
#include "crowd/way_pool.h"

namespace fairlead::crowd {

/// A route goes through a place. Mouths are counted in all.
struct SetCrossing {
    std::uint32_t place = kNone;
    std::uint32_t in = kNone;   ///< kNone: by none
    std::uint32_t out = kNone;  ///< kNone: by none
    double from = 0.0;
    double to = 0.0;
};

class PlaceSet {
  public:
    explicit PlaceSet(const Allocator& allocator)
        : sheets_(allocator),
          radii_(allocator),
          places_(allocator),
          mouths_(allocator),
          facts_(allocator),
          stretches_(allocator),
          line_(allocator),
          found_(allocator) {}

    void clear();
    /// False: no memory; it is empty then.
    [[nodiscard]] bool make(const PlaceSheets& given);

    [[nodiscard]] bool empty() const { return places_.empty(); }
    /// `mouth` of a place: an index of mouths().
    [[nodiscard]] std::span<const NarrowPlace> places() const { return places_; }
    [[nodiscard]] std::span<const PlaceMouth> mouths() const { return mouths_; }
    /// Of the units that a place was found for.
    [[nodiscard]] double radius(std::uint32_t place) const { return sheet_of(place).places->radius(); }
    /// Is the centre of a unit of a radius in a place?
    [[nodiscard]] bool holds(std::uint32_t place, Vec2 centre, double radius) const;
    /// From one mouth of a place to another, counted from its first.
    [[nodiscard]] bool axis(std::uint32_t place, std::uint32_t from, std::uint32_t to,
                            Array<PlaceNode>& out) const;
    /// The places that a unit obeys on its way, in order. False: no memory.
    [[nodiscard]] bool crossings(const Place& from, std::span<const WayPoint> way, double radius,
                                 Array<SetCrossing>& out);

  private:
    struct Sheet {
        const NarrowPlaces* places = nullptr;
        std::uint32_t floor = 0;
        std::uint32_t size = 0;  ///< of its units: an index of radii_
        std::uint32_t place = 0;
        std::uint32_t mouth = 0;
    };
    struct Fact {
        std::uint32_t sheet = 0;
        std::uint32_t root = kNone;  ///< the place that counts in its stead
        std::uint32_t serves = 0;    ///< bits: sizes that have one of theirs in it
    };
    struct Stretch {
        std::uint32_t floor = 0;
        double from = 0.0;
        double to = 0.0;
    };

    [[nodiscard]] const Sheet& sheet_of(std::uint32_t place) const { return sheets_[facts_[place].sheet]; }
    [[nodiscard]] bool add_sheet(const PlaceSheet& sheet, std::uint32_t number);
    [[nodiscard]] bool add_radius(double radius);
    [[nodiscard]] std::uint32_t size_of(double radius) const;
    void drop_strangers();
    void join(std::uint32_t place);
    [[nodiscard]] std::uint32_t place_around(const Sheet& larger, std::uint32_t place) const;
    [[nodiscard]] bool meet_in(std::uint32_t place, std::uint32_t size) const;
    [[nodiscard]] bool obeys(std::uint32_t size, std::uint32_t place) const;
    [[nodiscard]] bool find_stretches(const Place& from, std::span<const WayPoint> way, double step);
    [[nodiscard]] bool add_stretch(std::uint32_t floor, double from, double to);
    [[nodiscard]] bool cut_line(const Place& from, std::span<const WayPoint> way, double low, double high);
    [[nodiscard]] bool look(const Sheet& sheet, std::uint32_t size, double radius, double low,
                            Array<SetCrossing>& out);

    Array<Sheet> sheets_;
    Array<double> radii_;  ///< rising
    Array<NarrowPlace> places_;
    Array<PlaceMouth> mouths_;
    Array<Fact> facts_;  ///< by place
    PlaceFloors floors_{};
    bool one_floor_ = true;
    Array<Stretch> stretches_;    ///< work
    Array<Vec2> line_;            ///< work: a part of a way
    Array<PlaceCrossing> found_;  ///< work
};

}  // namespace fairlead::crowd
