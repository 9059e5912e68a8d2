// The peer of obstacles: DetourTileCache as in RecastDemo's sample TempObstacles, but for the compressor, which there is
// FastLZ and here copies (that is faster), and for the number of obstacles, which there is at most 128.
#pragma once

#include <memory>

#include "suites/level_worlds.h"

namespace fairlead::bench {

class TileCache {
  public:
    TileCache(const BenchLevel& level, std::uint32_t tile_cells, std::size_t obstacles_max);
    TileCache(const TileCache&) = delete;
    TileCache& operator=(const TileCache&) = delete;
    ~TileCache();

    /// Asks for a cylinder of radius 1 and height 2 at a place of the surface. False if the cache does not take it: it keeps
    /// 64 wishes at a time. Nothing has changed before update().
    [[nodiscard]] bool add(const Vec3& place);
    /// Asks for the i-th of those taken to go.
    [[nodiscard]] bool remove(std::size_t i);
    /// Rebuilds one tile. True when there is nothing more to do.
    bool update();

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace fairlead::bench
