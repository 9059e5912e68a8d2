// Goal regions and temporary blockers: what a query on a tile world may have beyond two places.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/fly/query.h>
#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
#include <fairlead/mesh/query.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/volume/query.h>

#include "cli/drive_solve.h"
#include "cli/solve.h"

namespace fairlead::cli {

class BlockerFlags {
  public:
    void add(CLI::App& app);
    [[nodiscard]] std::vector<Blocker> blockers() const;

  private:
    std::vector<std::string> texts_;
};

/// The layer that a height means; `where` for messages. Fails where the world has no such floor.
[[nodiscard]] std::int32_t to_floor(const std::string& where, std::optional<double> floor,
                                    const GridState& grid);

/// A place in a volume; `where` for messages. Fails without a height.
[[nodiscard]] Vec3 to_space(const std::string& where, Vec2 position, std::optional<double> height);

class EndFlags {
  public:
    void add(CLI::App& app);
    /// Fills start and goal; the goal's points stay here. `grid` has their floors.
    void fill(GridQuery& query, const GridState& grid);
    /// Start and goal of a unit with a turning radius.
    [[nodiscard]] std::pair<DriveEnd, DriveEnd> drive_ends();
    /// The same on a roadmap, where places may have a height and goals are points.
    void fill(RoadmapQuery& query);
    /// On a level mesh. `heights`: whether all places have one.
    void fill(MeshQuery& query, bool& heights);
    /// Where places have a height and there is one goal; `where` for messages.
    [[nodiscard]] std::pair<Vec3, Vec3> in_space(const char* where);
    /// In a volume.
    void fill(VolumeQuery& query);
    void fill(FlyQuery& query);
    [[nodiscard]] Headings headings() const { return headings_; }

  private:
    [[nodiscard]] Vec3 place_in_space(const char* flag, const std::string& text,
                                      std::optional<double>& heading_rad) const;
    [[nodiscard]] Vec2 place(const char* flag, const std::string& text,
                             std::optional<double>& heading_rad) const;
    void fill_goal(GridQuery& query, Vec2 first) const;
    void refuse_regions() const;

    std::string start_;
    std::vector<std::string> goals_;
    std::string within_;
    std::string in_sight_;
    bool adjacent_ = false;
    std::vector<Vec2> points_;
    std::vector<Spot> places_;
    std::vector<Vec3> mesh_goals_;
    Headings headings_;
};

inline constexpr double kRadPerDeg = 0.017453292519943295;

}  // namespace fairlead::cli
