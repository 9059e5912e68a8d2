// The peer of the bake: Recast, with RecastDemo's steps and defaults (cell 0.3 by 0.2, agent 2.0 high, radius 0.6, climb 0.9,
// slope 45 degrees, regions 8 and 20, edges 12 and 1.3, six corners, detail mesh 6 and 1).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "suites/level_worlds.h"

namespace fairlead::bench {

/// False where Recast was not there when this was built.
[[nodiscard]] bool has_recast();
/// What a report should say then.
inline constexpr const char* kNoRecast =
    "librecast-dev was not there when this was built: no figures of Recast and Detour";

enum class RecastPartition : std::uint8_t { watershed, monotone, layers, count_ };
[[nodiscard]] const char* partition_name(RecastPartition partition);

class RecastBake {
  public:
    /// tile_cells 0: the whole level at once. Sorting the triangles by tile is done here and not timed: the demo does it when
    /// it loads a level.
    RecastBake(const BenchLevel& level, std::uint32_t tile_cells);
    RecastBake(const RecastBake&) = delete;
    RecastBake& operator=(const RecastBake&) = delete;
    ~RecastBake();

    /// Polygons and detail meshes, kept inside; false if a step fails.
    [[nodiscard]] bool bake(RecastPartition partition);
    void clear();
    /// False for the layers of large levels in one piece: two minutes on city_256.
    [[nodiscard]] bool bearable(RecastPartition partition) const;
    /// Detour's tiles of what was baked, as RecastDemo saves them. Empty if there are none.
    [[nodiscard]] std::string detour_set() const;

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

/// The most memory that Recast held at once in a bake; 0 if the bake failed.
[[nodiscard]] std::size_t recast_peak_bytes(const BenchLevel& level, std::uint32_t tile_cells);

}  // namespace fairlead::bench
