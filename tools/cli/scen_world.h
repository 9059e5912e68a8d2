// The world of a scenario: a map that stays (version 1), or one that patches draw between the queries (version 2).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fairlead/formats/scenario.h>
#include <fairlead/grid/grid.h>

namespace fairlead::cli {

class ScenWorld {
  public:
    /// Reads both files. `map` of a version 2 scenario is its patch file, "-" for the one that it names, or a tile map
    /// that only states the size.
    ScenWorld(const std::string& map, const std::string& scen, CornerRule corner);

    [[nodiscard]] const formats::Scenario& scenario() const { return scenario_; }
    [[nodiscard]] bool dynamic() const { return scenario_.version == 2; }

    /// Makes the grid as it is before the first query. Nanoseconds.
    std::uint64_t restart();
    /// Brings it up to date for query i; queries must come in order. Nanoseconds.
    std::uint64_t advance(std::size_t i);
    [[nodiscard]] const GridState& grid() const { return grid_->state(); }

  private:
    void load_map(const std::string& map, const std::string& scen);
    void load_patches(const std::string& map, const std::string& scen, const std::string& scen_text);

    formats::Scenario scenario_;
    CornerRule corner_;
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::vector<std::uint8_t> tiles_;
    formats::PatchFile patches_;
    std::vector<std::vector<std::uint8_t>> patch_tiles_;
    std::size_t applied_ = 0;
    std::optional<Grid> grid_;
};

}  // namespace fairlead::cli
