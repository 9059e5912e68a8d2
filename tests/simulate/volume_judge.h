// What the volume driver asks of each answer. Each gives the finding, "" if there is none.
#pragma once

#include <string>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/nearest_free.h>

#include "simulate/driver.h"
#include "simulate/volume_model.h"

namespace fairlead::simulate {

/// Voxels, components, counts.
[[nodiscard]] std::string compare_volume(const VolumeState& state, const VolumeModel& model);

/// verify for any revision.
[[nodiscard]] Violation verify_volume_route(const Route& route, const VolumeState& state,
                                            const VolumeQuery& query);

[[nodiscard]] std::string judge_volume_route(const VolumeState& state, const VolumeModel& as,
                                             const VolumeQuery& query, const Result<void>& done,
                                             const Route& route, Tally& tally);
[[nodiscard]] std::string judge_repair(const VolumeState& state, const VolumeModel& as,
                                       const VolumeQuery& query, const Route& before, const Route& after,
                                       Tally& tally);
[[nodiscard]] std::string judge_sight(const VolumeState& state, const VolumeModel& as, Vec3 from, Vec3 to,
                                      double radius);
[[nodiscard]] std::string judge_nearest(const VolumeState& state, const VolumeModel& as,
                                        const VolumeFreeQuery& ask, const Result<VolumeFree>& got,
                                        Tally& tally);
[[nodiscard]] std::string judge_random(const VolumeState& state, const VolumeModel& as,
                                       const RandomPlaceQuery& ask, const Result<VolumeFree>& got,
                                       Tally& tally);

}  // namespace fairlead::simulate
