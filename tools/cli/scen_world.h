// The world of a scenario: a map that stays (version 1), or one that patches draw between the queries (version 2). scen_volume.h has the
// same of volumes; the command knows no other difference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fairlead/formats/scenario.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>

namespace fairlead::cli {

class ScenWorld {
  public:
    static constexpr const char* kColumns = "bucket,sx,sy,gx,gy";
    static constexpr const char* kBytesName = "grid_bytes";
    static constexpr bool kHasRatios = false;  ///< lengths are the published ones or wrong

    /// Reads both files. `map` of a version 2 scenario is its patch file, "-" for the one that it names, or a tile map
    /// that only states the size. `plain`: a query but for its ends.
    ScenWorld(const std::string& map, const std::string& scen, const GridQuery& plain);

    [[nodiscard]] const formats::Scenario& scenario() const { return scenario_; }
    [[nodiscard]] const GridState& grid() const { return grid_->state(); }

    [[nodiscard]] std::size_t queries() const { return scenario_.queries.size(); }
    [[nodiscard]] std::int64_t line(std::size_t i) const { return scenario_.queries[i].line; }
    /// What kColumns names, of query i.
    [[nodiscard]] std::string places(std::size_t i) const;
    /// The published length.
    [[nodiscard]] double optimal(std::size_t i) const { return scenario_.queries[i].optimal; }
    [[nodiscard]] std::int32_t decimals(std::size_t i) const { return scenario_.queries[i].decimals; }

    /// Makes the grid as it is before the first query. Nanoseconds.
    std::uint64_t restart();
    /// Brings it up to date for query i; queries must come in order. Nanoseconds.
    std::uint64_t advance(std::size_t i);
    /// Answers query i; fails if it cannot be asked. Nanoseconds.
    [[nodiscard]] std::uint64_t search(std::size_t i, Scratch& scratch, Route& route) const;
    [[nodiscard]] double length(const Route& route) const { return route.length; }
    [[nodiscard]] bool is_legal(const Route& route) const;
    /// Is `length` (kNoRoute: none was found) what the file says?
    [[nodiscard]] bool agrees(std::size_t i, const Route& route, double length) const;
    /// All, and what is kept beyond the tiles.
    [[nodiscard]] std::size_t bytes() const { return grid().memory().total(); }
    [[nodiscard]] std::size_t index_bytes() const;

  private:
    void load_map(const std::string& map, const std::string& scen);
    void load_patches(const std::string& map, const std::string& scen, const std::string& scen_text);

    [[nodiscard]] bool dynamic() const { return scenario_.version == 2; }

    formats::Scenario scenario_;
    GridQuery plain_;
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::vector<std::uint8_t> tiles_;
    formats::PatchFile patches_;
    std::vector<std::vector<std::uint8_t>> patch_tiles_;
    std::size_t applied_ = 0;
    std::optional<Grid> grid_;
};

}  // namespace fairlead::cli
