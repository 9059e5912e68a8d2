// Exact poses off the lattice: the curves that lead from one to the lattice, and from the lattice to one.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/convoy/convoy.h>

#include "convoy/moves.h"
#include "drive/lattice/grid_lattice.h"
#include "drive/map/map_data.h"

namespace fairlead::convoy {

/// A free curve between an exact pose and one of the lattice.
struct Ramp {
    drive::LatticePose at{};
    CurveWord word{};  ///< in the direction of travel
    Gear first = Gear::forward;
    Gear last = Gear::forward;
    double cost = 0.0;  ///< radii, with penalties
};

inline constexpr std::size_t kRampsMax = 8;

struct Ramps {
    Ramp list[kRampsMax];
    std::size_t count = 0;
};

/// Is a curve free for a kind? In cells of the lattice.
[[nodiscard]] bool is_free(const drive::MapData& map, const ConvoyGround& ground, const Pose& from,
                           const CurveWord& word);

/// The cheapest ones, `exact` in cells of the lattice; `leaving`: from it to the lattice. Poses of the lattice that are known not to be
/// joined with `partner` (of the other end, if `has_partner`) are left out.
void find_ramps(const drive::MapData& map, const ConvoyGround& ground, const Pose& exact, bool leaving,
                const drive::LatticePose* partner, Ramps& out);

/// Is it a pose of the lattice that a unit stands in, to 1e-9 cells and radians?
[[nodiscard]] bool on_lattice(const drive::MapData& map, const Pose& exact, drive::LatticePose& at);

}  // namespace fairlead::convoy
