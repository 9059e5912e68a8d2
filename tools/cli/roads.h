// Roads of a tile map: their file and their flags.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify_roads.h>

namespace fairlead::cli {

/// A layer as --roads reads it. Fails with file, line and column.
[[nodiscard]] RoadLayer load_roads(const std::string& path, std::int32_t width, std::int32_t height);

class RoadFlags {
  public:
    /// `cones`: with --cones.
    void add(CLI::App& app, bool cones);
    /// Some flag was given.
    [[nodiscard]] bool given() const;
    [[nodiscard]] RoadRules rules() const;
    /// The roads and the cones that the flags ask for; null: none.
    [[nodiscard]] std::unique_ptr<RoadLayer> roads(const GridState& grid) const;
    /// A map for tile routes: what is off the roads is a wall, or costs more. Fails on the flags of what tile routes know nothing of.
    [[nodiscard]] Grid tiles(const GridState& grid, const RoadLayer& roads) const;
    [[nodiscard]] std::unique_ptr<RoadCones> cones(const RoadLayer* roads) const;
    /// For verify: what is forbidden.
    [[nodiscard]] RoadVerifyOptions judged(const GridState& grid) const;

  private:
    std::string path_, off_road_, against_, cones_;
};

}  // namespace fairlead::cli
