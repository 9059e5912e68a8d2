// What a search tells of a node: where it is and the box that it lies in.
#pragma once

#include <fairlead/search/hooks.h>

#include "volume/data/state.h"
#include "volume/search/nodes.h"

namespace fairlead::volume {

/// Voxels from and to, as NodeBox; only where somebody listens. `event` has kind, state and g.
void tell(const SearchTrace& trace, const StateData& state, SearchEvent event, Vec3 at, const NodeBox& box);

/// The box of the bits of a brick that lies at `brick`.
[[nodiscard]] NodeBox box_of_bits(std::uint64_t bits, const NodeBox& brick);

}  // namespace fairlead::volume
