// The public face: checks the options, keeps the field between calls.
#include <cmath>
#include <memory>
#include <utility>

#include <fairlead/crowd/narrow_places.h>

#include "crowd/places/build.h"

namespace fairlead {

namespace crowd {

struct FinderData {
    explicit FinderData(const Allocator& allocator) : field(allocator), build(allocator) {}

    PlaceField field;
    PlaceBuild build;
    PlacesOptions options{};
    bool ready = false;
};

}  // namespace crowd

namespace {

Result<void> check_places(const PlacesOptions& options, const WallRows& walls) {
    if (walls.row == nullptr) return Error(ErrorCode::incompatible);
    if (!is_finite(options.origin)) return Error(ErrorCode::not_finite, Field::origin);
    if (!std::isfinite(options.cell)) return Error(ErrorCode::not_finite, Field::cell_size);
    if (!std::isfinite(options.radius)) return Error(ErrorCode::not_finite, Field::agent_radius);
    if (!std::isfinite(options.margin)) return Error(ErrorCode::not_finite, Field::gap);
    if (!std::isfinite(options.pocket)) return Error(ErrorCode::not_finite, Field::range);
    if (!(options.cell >= 1e-100 && options.cell <= 1e100))
        return Error(ErrorCode::out_of_range, Field::cell_size);
    if (options.width == 0) return Error(ErrorCode::size_zero, Field::width);
    if (options.height == 0) return Error(ErrorCode::size_zero, Field::height);
    if (options.width < 0 || options.width > kPlaceSideMax) {
        return Error(ErrorCode::size_limit, Field::width, kPlaceSideMax);
    }
    if (options.height < 0 || options.height > kPlaceSideMax) {
        return Error(ErrorCode::size_limit, Field::height, kPlaceSideMax);
    }
    if (std::int64_t{options.width} * options.height > kPlaceCellsMax) {
        return Error(ErrorCode::size_limit, Field::cells, kPlaceCellsMax);
    }
    const double cells = options.radius / options.cell;
    // A radius that is meant to be a whole number of cells may be a little less.
    if (!(cells >= kPlaceCellsPerRadiusMin * (1.0 - 1e-9) &&
          cells <= kPlaceCellsPerRadiusMax * (1.0 + 1e-9))) {
        return Error(ErrorCode::out_of_range, Field::agent_radius);
    }
    if (!(options.margin >= 1.0 && options.margin <= 1.25)) return Error(ErrorCode::out_of_range, Field::gap);
    if (!(options.pocket >= 0.0 && options.pocket <= 1e12))
        return Error(ErrorCode::out_of_range, Field::range);
    return {};
}

}  // namespace

PlaceFinder::PlaceFinder(const Allocator& allocator) : allocator_(allocator) {}

PlaceFinder::PlaceFinder(PlaceFinder&& other) noexcept
    : allocator_(other.allocator_), data_(std::exchange(other.data_, nullptr)) {}

PlaceFinder& PlaceFinder::operator=(PlaceFinder&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(data_, other.data_);
    return *this;
}

PlaceFinder::~PlaceFinder() {
    if (data_ == nullptr) return;
    std::destroy_at(data_);
    allocator_.release(data_, sizeof(crowd::FinderData), alignof(crowd::FinderData), allocator_.user);
}

Result<NarrowPlaces> PlaceFinder::find(const PlacesOptions& options, const WallRows& walls) {
    if (data_ != nullptr) data_->ready = false;
    const Result<void> checked = check_places(options, walls);
    if (!checked) return checked.error();
    if (data_ == nullptr) {
        void* memory =
            allocator_.allocate(sizeof(crowd::FinderData), alignof(crowd::FinderData), allocator_.user);
        if (memory == nullptr) return Error(ErrorCode::out_of_memory);
        data_ = std::construct_at(static_cast<crowd::FinderData*>(memory), allocator_);
    }
    data_->options = options;
    const crowd::PlaceLimits limits = crowd::PlaceLimits::of(options.radius / options.cell, options.margin);
    if (!data_->field.make(options.width, options.height, limits, walls))
        return Error(ErrorCode::out_of_memory);
    NarrowPlaces places(options.allocator);
    if (!data_->build.make(data_->field, options, places)) return Error(ErrorCode::out_of_memory);
    data_->ready = true;
    return places;
}

Result<NarrowPlaces> PlaceFinder::repair(const RasterRect& changed, const WallRows& walls) {
    if (data_ == nullptr || !data_->ready) return Error(ErrorCode::nothing_to_take);
    const PlacesOptions& options = data_->options;
    if (walls.row == nullptr) return Error(ErrorCode::incompatible);
    if (changed.low.x < 0 || changed.low.y < 0 || changed.low.x > changed.high.x ||
        changed.low.y > changed.high.y || changed.high.x > options.width || changed.high.y > options.height) {
        return Error(ErrorCode::out_of_range, Field::rect);
    }
    data_->ready = false;
    if (!data_->field.change(changed, walls)) return Error(ErrorCode::out_of_memory);
    NarrowPlaces places(options.allocator);
    if (!data_->build.make(data_->field, options, places)) return Error(ErrorCode::out_of_memory);
    data_->ready = true;
    return places;
}

std::size_t PlaceFinder::memory() const {
    return data_ == nullptr ? 0 : sizeof(crowd::FinderData) + data_->field.memory() + data_->build.memory();
}

}  // namespace fairlead
