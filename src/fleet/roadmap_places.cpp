// Narrow places of roads for a fleet, for every size of its walkers.
#include <utility>

#include "fleet/place_store.h"

namespace fairlead::fleet {

Result<void> PlaceStore<Roadmap>::add_size(const RoadmapState& roads, double radius) {
    PlaceFinder finder(allocator_);
    WallsOptions options;
    options.radius = radius;
    for (const double detail : {5.0, 3.0, 2.0}) {  // large maps of narrow roads need too many cells
        options.detail = detail;
        const Result<RoadmapWalls> walls = RoadmapWalls::make(roads, options);
        if (!walls) continue;
        Result<NarrowPlaces> found = finder.find(walls->options(), walls->rows());
        if (!found && found.error().code == ErrorCode::out_of_memory) return found.error();
        if (!found) continue;
        KnownPlaces* known = known_.add(radius, 0U, allocator_);
        if (known == nullptr) return Error{ErrorCode::out_of_memory};
        known->places = std::move(*found);
        return {};
    }
    return {};
}

Result<PlaceSheets> PlaceStore<Roadmap>::find(const RoadmapSnapshot& now, std::span<const double> radii) {
    while (known_.size() > 0) known_.drop_last();
    sheets_.clear();
    PlaceSheets sheets;
    sheets.version = ++version_;
    if (!now->has_widths()) return sheets;
    for (const double radius : radii) {
        if (const Result<void> added = add_size(*now, radius); !added) return added.error();
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
        if (!sheets_.push_back({&known_[i].places, 0})) return Error{ErrorCode::out_of_memory};
    }
    sheets.sheets = sheets_.span();
    return sheets;
}

}  // namespace fairlead::fleet
