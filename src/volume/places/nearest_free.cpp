// The place itself, or the nearest voxel's middle where the unit fits.
#include <cmath>

#include "base/no_memory.h"
#include "search/run_search.h"
#include "volume/places/free_places.h"
#include "volume/sight/check_unit.h"
#include "volume/sight/nearest_middle.h"

namespace fairlead {

namespace {

constexpr double kPlaceMost = 1e150;  ///< its square is a number

bool too_far(const Spot& spot) {
    const Vec3 p = spot.position;
    return std::fabs(p.x) > kPlaceMost || std::fabs(p.y) > kPlaceMost || std::fabs(p.z) > kPlaceMost;
}

}  // namespace

Result<VolumeFree> nearest_free(const VolumeState& volume, const VolumeFreeQuery& query, Scratch& scratch) {
    if (scratch.in_use()) return kScratchInUse;
    if (const Result<void> good = volume::check_place(query.place, Field::places); !good) return good.error();
    if (too_far(query.place)) return Error{ErrorCode::out_of_range, Field::places};
    if (std::isnan(query.reach)) return Error{ErrorCode::not_finite, Field::reach};
    if (query.reach < 0.0) return Error{ErrorCode::out_of_range, Field::reach};
    auto* kept = scratch.get<volume::FreePlaces>();
    if (kept == nullptr) return kNoMemory;
    volume::FreePlaces& places = *kept;
    const Spot* from = query.connected ? &query.from : nullptr;
    if (const Result<void> good = places.begin(volume, query.agent, from); !good) return good.error();
    if (!places.any()) return VolumeFree{};
    const Vec3 at = volume.data().in_voxels(query.place.position);
    if (places.fits(at)) return VolumeFree{true, query.place.position, 0.0};
    const auto bits = [&](std::int32_t x, std::int32_t y, std::int32_t z) { return places.bits(x, y, z); };
    volume::NearestMiddle nearest(volume.data(), at, query.reach, bits,
                                  [&](Voxel v) { return places.accepts(v); });
    const bool found = nearest.run();
    if (places.failed()) return kNoMemory;
    if (!found) return VolumeFree{};
    return VolumeFree{true, volume.centre(nearest.voxel()), nearest.distance()};
}

}  // namespace fairlead
