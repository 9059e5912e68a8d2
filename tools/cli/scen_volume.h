// The world of a .3dscen scenario, as scen_world.h has it of tile maps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fairlead/formats/voxel_map.h>
#include <fairlead/volume/find_route.h>

namespace fairlead::cli {

class ScenVolume {
  public:
    static constexpr const char* kColumns = "bucket,sx,sy,sz,gx,gy,gz";
    static constexpr const char* kBytesName = "volume_bytes";
    static constexpr bool kHasRatios = true;

    /// Reads both files. `map` is a .3dmap or a baked volume.
    ScenVolume(const std::string& map, const std::string& scen, const VolumeQuery& plain);

    [[nodiscard]] std::size_t queries() const { return scenario_.queries.size(); }
    [[nodiscard]] std::int64_t line(std::size_t i) const { return scenario_.queries[i].line; }
    [[nodiscard]] std::string places(std::size_t i) const;
    [[nodiscard]] double optimal(std::size_t i) const { return scenario_.queries[i].optimal; }
    [[nodiscard]] std::int32_t decimals(std::size_t i) const { return scenario_.queries[i].decimals; }

    std::uint64_t restart();
    std::uint64_t advance(std::size_t) { return 0; }
    [[nodiscard]] std::uint64_t search(std::size_t i, Scratch& scratch, Route& route) const;
    /// In space.
    [[nodiscard]] double length(const Route& route) const { return route.line_cost; }
    [[nodiscard]] bool is_legal(const Route& route) const;
    /// Published are the shortest ways over voxels' middles, with 26 neighbours. Of a route that claims to be one (bound 1)
    /// the length counts, of any other whether there is one.
    [[nodiscard]] bool agrees(std::size_t i, const Route& route, double length) const;
    [[nodiscard]] std::size_t bytes() const { return volume_->state().memory().total(); }
    [[nodiscard]] std::size_t index_bytes() const { return volume_->state().memory().components; }

  private:
    formats::VoxelScenario scenario_;
    VolumeQuery plain_;
    formats::VoxelMap map_;
    std::string path_;
    std::optional<Volume> volume_;
};

}  // namespace fairlead::cli
