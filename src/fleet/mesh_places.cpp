// Narrow places of level meshes for a fleet: every size on every floor, floors as the smallest size has them.
#include <algorithm>

#include "fleet/place_store.h"

namespace fairlead::fleet {

namespace {

constexpr double kMeshCellsMost = 3e7;  // of the raster of a whole mesh
constexpr MeshReach kHere{0.5, 2.0, 2.0};

/// 0: too fine a raster.
double detail_of(const NavMeshState& mesh, double radius) {
    const Aabb box = mesh.bounds();
    const double area = (box.high.x - box.low.x) * (box.high.y - box.low.y);
    for (const double detail : {5.0, 3.0, 2.0}) {
        const double cell = radius / detail;
        const double longest = std::max(box.high.x - box.low.x, box.high.y - box.low.y);
        if (area < kMeshCellsMost * cell * cell && longest < 0.9 * kPlaceSideMax * cell) return detail;
    }
    return 0.0;
}

Result<MeshWalls> walls_of(const NavMeshState& mesh, double radius, const MeshWalls* floors) {
    WallsOptions options;
    options.radius = radius;
    options.detail = detail_of(mesh, radius);
    return MeshWalls::make(mesh, options, floors);
}

}  // namespace

/// False: no places are looked for.
bool PlaceStore<NavMesh>::make_floors(double radius) {
    floors_.reset();
    if (detail_of(*now_, radius) == 0.0) return false;
    Result<MeshWalls> walls = walls_of(*now_, radius, nullptr);
    if (walls) floors_.emplace(std::move(*walls));
    return floors_.has_value();
}

Result<void> PlaceStore<NavMesh>::add_size(double radius) {
    const Result<MeshWalls> walls = walls_of(*now_, radius, &*floors_);
    if (!walls) return walls.error();
    PlaceFinder finder(allocator_);
    for (std::uint32_t floor = 0; floor < walls->floors(); ++floor) {
        if (walls->options(floor).width <= 0) continue;
        Result<NarrowPlaces> found = finder.find(walls->options(floor), walls->rows(floor));
        if (!found && found.error().code == ErrorCode::out_of_memory) return found.error();
        if (!found || found->places().empty()) continue;
        KnownPlaces* known = known_.add(radius, floor, allocator_);
        if (known == nullptr) return Error{ErrorCode::out_of_memory};
        known->places = std::move(*found);
    }
    return {};
}

Result<PlaceSheets> PlaceStore<NavMesh>::find(const NavMeshSnapshot& now, std::span<const double> radii) {
    now_ = now;
    while (known_.size() > 0) known_.drop_last();
    sheets_.clear();
    PlaceSheets sheets;
    sheets.version = ++version_;
    // sizes that are too small for a raster have no places, nor have those on a mesh without polygons
    std::size_t first = 0;
    while (first < radii.size() && detail_of(*now_, radii[first]) == 0.0) ++first;
    if (first == radii.size() || !make_floors(radii[first])) return sheets;
    for (const double radius : radii.subspan(first)) {
        if (const Result<void> added = add_size(radius); !added) return added.error();
    }
    for (std::size_t i = 0; i < known_.size(); ++i) {
        if (!sheets_.push_back({&known_[i].places, known_[i].floor})) return Error{ErrorCode::out_of_memory};
    }
    sheets.sheets = sheets_.span();
    sheets.floors.beyond = MeshWalls::beyond() * radii[first];
    sheets.floors.user = this;
    sheets.floors.floor_of = [](const Place& at, void* user) {
        const auto& store = *static_cast<const PlaceStore*>(user);
        const MeshPoint here = store.now_->nearest(at.position, kHere);
        return here.polygon.valid() ? store.floors_->floor_of(here.polygon) : kNoFloor;
    };
    sheets.floors.home_of = [](std::uint32_t floor, Vec2 at, void* user) {
        return static_cast<const PlaceStore*>(user)->floors_->home_of(floor, at);
    };
    return sheets;
}

}  // namespace fairlead::fleet
