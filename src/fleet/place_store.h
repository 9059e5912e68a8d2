// PlaceStore: the narrow places of a world for all sizes of walkers of a fleet, on the newest revision; what was found before stays if no
// wall has changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/crowd/place_sheets.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/roadmap/roadmap.h>

#include "fleet/kind_list.h"

namespace fairlead::fleet {

/// Of worlds whose narrow places are not looked for beforehand.
template <class World>
struct PlaceStore {
    explicit PlaceStore(const Allocator&) {}
};

/// One size of units on one layer or floor.
struct KnownPlaces {
    KnownPlaces(double of_radius, std::uint32_t on_floor, const Allocator& allocator)
        : radius(of_radius), floor(on_floor), finder(allocator), places(allocator) {}

    double radius;
    std::uint32_t floor;
    double detail = 0.0;  ///< 0: none were found
    bool keeps = false;   ///< the finder has what a repair needs
    std::uint64_t revision = 0;
    PlaceFinder finder;
    NarrowPlaces places;
};

/// Distances and places are repaired after an edit; for large maps, where that would need much memory, they are found anew.
template <>
class PlaceStore<Grid> {
  public:
    explicit PlaceStore(const Allocator& allocator)
        : allocator_(allocator), known_(allocator), sheets_(allocator) {}

    [[nodiscard]] Result<PlaceSheets> find(const GridSnapshot& now, std::span<const double> radii);

  private:
    [[nodiscard]] Result<KnownPlaces*> entry(double radius, std::uint32_t layer);
    [[nodiscard]] Result<void> refresh(KnownPlaces& known, const GridState& grid, const CellRect& changed);
    [[nodiscard]] Result<void> find_anew(KnownPlaces& known, const GridState& grid);

    Allocator allocator_;
    GridSnapshot seen_{};
    KindList<KnownPlaces> known_;
    Array<PlaceSheet> sheets_;
    std::uint64_t version_ = 0;
};

/// Found anew after each edit.
template <>
class PlaceStore<NavMesh> {
  public:
    explicit PlaceStore(const Allocator& allocator)
        : allocator_(allocator), known_(allocator), sheets_(allocator) {}

    [[nodiscard]] Result<PlaceSheets> find(const NavMeshSnapshot& now, std::span<const double> radii);

  private:
    [[nodiscard]] bool make_floors(double radius);
    [[nodiscard]] Result<void> add_size(double radius);

    Allocator allocator_;
    NavMeshSnapshot now_{};
    std::optional<MeshWalls> floors_{};  ///< of the smallest size: says which floor a place is on
    KindList<KnownPlaces> known_;
    Array<PlaceSheet> sheets_;
    std::uint64_t version_ = 0;
};

/// Found anew after each edit, on the one floor that roads have.
template <>
class PlaceStore<Roadmap> {
  public:
    explicit PlaceStore(const Allocator& allocator)
        : allocator_(allocator), known_(allocator), sheets_(allocator) {}

    [[nodiscard]] Result<PlaceSheets> find(const RoadmapSnapshot& now, std::span<const double> radii);

  private:
    [[nodiscard]] Result<void> add_size(const RoadmapState& roads, double radius);

    Allocator allocator_;
    KindList<KnownPlaces> known_;
    Array<PlaceSheet> sheets_;
    std::uint64_t version_ = 0;
};

}  // namespace fairlead::fleet
