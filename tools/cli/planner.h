// The flags that choose and tune the planner.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/grid/query.h>

#include "cli/unit.h"
#include "cli/world.h"

namespace fairlead::cli {

class PlannerFlags {
  public:
    /// `routes`: for commands that write routes; with --smooth and --no-smooth. Else flags of turning units are refused.
    void add(CLI::App& app, bool routes);
    /// A query with these flags; start, goal and agent are left open. Valid while this object lives.
    [[nodiscard]] GridQuery query() const;
    /// Fails if a flag was given that only means something for tile routes; with `smooths` --smooth does as well.
    void refuse_tile_flags(bool smooths) const;
    /// --smooth, if it was given.
    [[nodiscard]] std::optional<Smoothing> smoothing() const;
    [[nodiscard]] std::optional<double> epsilon() const;
    [[nodiscard]] std::uint64_t budget() const { return budget_; }
    [[nodiscard]] bool partial() const { return partial_; }
    /// --reach, if it was given: how far a blocked start or goal may be moved, world units.
    [[nodiscard]] std::optional<double> reach() const;
    /// Fails if it was given; `where` for the message.
    void refuse_reach(const char* where) const;
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    /// Fails if a flag was given that only means something on tiles and roadmaps; `where` for the message, `but` means something there too.
    void refuse_off_tiles(const char* where, std::initializer_list<std::string_view> but = {}) const;
    /// --neighbours and --heuristic, if they were given.
    [[nodiscard]] std::optional<int> neighbours() const;
    [[nodiscard]] std::optional<std::string> heuristic() const;
    /// As given; "auto" otherwise.
    [[nodiscard]] const std::string& name() const { return planner_; }
    [[nodiscard]] CornerRule corner() const;
    [[nodiscard]] bool smooths() const { return !no_smooth_; }
    /// Of tile maps: asked for by --planner hierarchy, or out of the file of --hierarchy.
    [[nodiscard]] HierarchyChoice hierarchy() const;
    /// Fails if --hierarchy was given: for worlds that are no tile maps.
    void refuse_hierarchy_file() const;

  private:
    std::string planner_ = "auto";
    std::string epsilon_;
    std::string turn_penalty_;
    std::string turn_penalty_each_;
    std::string corner_ = "never";
    std::string heuristic_ = "octile";
    std::string smooth_ = "best";
    std::string hierarchy_file_;
    std::string reach_;
    int neighbours_ = 8;
    std::uint64_t budget_ = UINT64_MAX;
    std::uint64_t seed_ = 0;
    bool no_smooth_ = false;
    bool no_grow_ = false;
    bool partial_ = false;
    CLI::Option* smooth_option_ = nullptr;
    CLI::App* app_ = nullptr;
    LaterFlags later_;
};

/// The flags say what turns cost in cells.
void turns_in_units(GridQuery& query, const GridState& grid);

/// "auto, jump_point, ...".
[[nodiscard]] std::string planner_words();

}  // namespace fairlead::cli
