// Units that turn in volumes, and why a sphere has no way: asked as other queries are, judged by verify and by what must hold of both.
#pragma once

#include <string>

#include <fairlead/search/scratch.h>

#include "simulate/driver.h"
#include "simulate/volume_model.h"

namespace fairlead::simulate {

[[nodiscard]] std::string play_fly(const Step& step, const VolumeSnapshot& held, const VolumeModel& as,
                                   Scratch& scratch, Tally& tally);
[[nodiscard]] std::string play_why(const Step& step, const VolumeSnapshot& held, Scratch& scratch,
                                   Tally& tally);

}  // namespace fairlead::simulate
