// Start and goals of a query, from flags or from a line of a file, and what they mean in each world.
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

inline constexpr double kRadPerDeg = 0.017453292519943295;

/// A place of a query as it was given.
struct AskedEnd {
    std::string where_height;   ///< for messages about its height: a flag, or a line of a file and a column
    std::string where_heading;  ///< and about its heading
    Vec2 position{};
    std::optional<double> z{};
    std::optional<double> heading_rad{};

    /// Without a height: 0.
    [[nodiscard]] Vec3 in_space() const { return {position.x, position.y, z.value_or(0.0)}; }
};

/// One query's start and goals. Of the regions at most one; they are around the first goal.
struct AskedEnds {
    AskedEnd start{};
    std::vector<AskedEnd> goals{};  ///< one or more; several: whichever costs least
    std::optional<double> within{};
    std::optional<double> in_sight{};
    bool adjacent = false;

    [[nodiscard]] const AskedEnd& goal() const { return goals.front(); }
    [[nodiscard]] Headings headings() const { return {start.heading_rad, goal().heading_rad}; }
    [[nodiscard]] bool has_region() const { return within || in_sight || adjacent; }
};

/// --start, --goal and the regions around it.
class EndFlags {
  public:
    void add(CLI::App& app);
    [[nodiscard]] AskedEnds ends() const;

  private:
    std::string start_;
    std::vector<std::string> goals_;
    std::string within_;
    std::string in_sight_;
    bool adjacent_ = false;
};

/// The layer that a height means; `where` for messages. Fails where the world has no such floor.
[[nodiscard]] std::int32_t to_floor(const std::string& where, std::optional<double> floor,
                                    const GridState& grid);
/// A place in a volume; `where` for messages. Fails without a height.
[[nodiscard]] Vec3 to_space(const std::string& where, Vec2 position, std::optional<double> height);

/// Several goals are a list that a query points to: it stays here as long as the query is asked.
using GoalList = std::vector<Spot>;

/// Each fills start and goal, and fails where an end has no meaning in that world.
void fill(GridQuery& query, const AskedEnds& ends, const GridState& grid, GoalList& list);
void fill(RoadmapQuery& query, const AskedEnds& ends, GoalList& list);
/// Places without a height are looked for on all floors.
void fill(MeshQuery& query, const AskedEnds& ends, GoalList& list);
void fill(VolumeQuery& query, const AskedEnds& ends);
void fill(FlyQuery& query, const AskedEnds& ends);
/// Of a unit with a turning radius on tiles.
[[nodiscard]] std::pair<DriveEnd, DriveEnd> drive_ends(const AskedEnds& ends);
/// Where places have a height and there is one goal; `where` for messages.
[[nodiscard]] std::pair<Vec3, Vec3> ends_in_space(const AskedEnds& ends, const char* where);

}  // namespace fairlead::cli
