// The steps of a formation that its user calls.
#pragma once

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

/// The route is laid: the leader is set down among the units, slots are given.
void start_march(FormationData& data, Crowd& crowd, const CrowdWorld& world);
void march_on(FormationData& data, double seconds, Crowd& crowd, const CrowdWorld& world);
/// Walls have changed.
void look_anew(FormationData& data);

}  // namespace fairlead::crowd
