// The work of one update of a crowd in space, as crowd_data.h has it for the ground.
#pragma once

#include "crowd/crowd_data.h"

namespace fairlead::crowd {

/// Phase 0, for all units in order: who may go into tunnels. False: no memory.
[[nodiscard]] bool keep_tunnels(CrowdData& crowd);
/// What a unit does that waits before a tunnel, or was let in. False: it does neither.
[[nodiscard]] bool want_at_tunnel(const CrowdData& crowd, std::uint32_t i, Vec3& velocity);
/// Its way is another one from now on, or the world is: tunnels ahead are looked for anew, from where it is.
void forget_tunnel(CrowdData& crowd, std::uint32_t i);
/// A few samples further along the way.
void look_for_tunnel(CrowdData& crowd, std::uint32_t i);

/// Phases 1 to 4.
void want_in_space(CrowdData& crowd, std::uint32_t i);
void make_way_in_space(CrowdData& crowd, std::uint32_t i);
void choose_in_space(CrowdData& crowd, std::uint32_t i);
void move_in_space(CrowdData& crowd, std::uint32_t i);

}  // namespace fairlead::crowd
