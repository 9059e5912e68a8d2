// One random world, many random edits, each compared with a grid built anew: the step that the test and the campaign
// repeat.
#pragma once

#include <cstdint>
#include <string>

namespace fairlead::testing {

struct EditTally {
    std::uint64_t edits = 0;
    std::uint64_t worlds = 0;
    std::uint64_t snapshots = 0;  ///< held over some edits, then compared with what the world was
};

/// World number `seed`: seams, floors, portals, terrain, corner rule and registered sizes by chance. After every edit all
/// that is derived from the tiles must be as in a fresh build (grid_compare.h). Empty: it always was.
[[nodiscard]] std::string check_random_edits(std::uint64_t seed, std::int32_t side_max, int edits,
                                             EditTally& tally);

}  // namespace fairlead::testing
