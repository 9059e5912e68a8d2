// ExploreData: what a unit that explores remembers, and where its walk stands. Everything in cells, from the map's low corner.
#pragma once

#include <utility>

#include <fairlead/base/array.h>
#include <fairlead/grid/explore.h>
#include <fairlead/grid/find_route.h>

#include "grid/sight.h"

namespace fairlead::grid {

struct ExploreData {
    ExploreData(const ExploreOptions& o, Grid&& made)
        : options(o),
          known(std::move(made)),
          seen(o.allocator),
          window(o.allocator),
          regions(o.allocator),
          rest(o.allocator),
          queue(o.allocator),
          met(o.allocator),
          edges(o.allocator) {
        walked.legs = Array<Leg>(o.allocator);
        plan.legs = Array<Leg>(o.allocator);
    }

    ExploreOptions options;
    Grid known;
    Array<std::uint64_t> seen;  ///< a bit a cell, row by row
    std::size_t row_words = 0;
    Array<std::uint8_t> window;  ///< tiles of what is in sight, for one edit
    double sight = 8.0;
    double stride = 4.0;

    ExploreStatus status = ExploreStatus::arrived;
    Vec2 at{};
    Vec2 goal{};
    Vec2 plan_to{};  ///< where the plan leads
    Route walked;
    Route plan;  ///< over the known map, from `at`; its first leg is cut as it is walked
    bool has_plan = false;
    std::size_t next_leg = 0;
    ExploreStats stats;

    // compass: how far a region is from the goal, at least, and into which of the regions beside there was no way
    Array<std::uint16_t> regions;
    Array<float> rest;  ///< by region; in horizon mode by cell
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool shut = false;
    };
    Array<std::uint32_t> queue;
    Array<std::uint8_t> met;
    Array<Edge> edges;  ///< of regions beside each other, sorted
    std::uint32_t region_count = 0;
    std::uint32_t wanted = 0;  ///< the region that it is on its way to
    bool wants = false;
    bool by_map = false;     ///< horizon: there is no place left to go to at the edge of sight
    bool to_goal = false;    ///< or from the goal's region to the goal
    std::uint32_t vain = 0;  ///< times that the goal's region was not near the goal
    ExploreMode rest_of = ExploreMode::free_space;  ///< whose `rest` it is

    [[nodiscard]] const StateData& map() const { return known.state().data(); }
    [[nodiscard]] std::int32_t width() const { return map().width; }
    [[nodiscard]] std::int32_t height() const { return map().height; }
    [[nodiscard]] Cell cell_of(Vec2 p) const;
    [[nodiscard]] bool is_seen(std::int32_t x, std::int32_t y) const {
        return ((seen[static_cast<std::size_t>(y) * row_words + static_cast<std::size_t>(x >> 6)] >>
                 (x & 63)) &
                1U) != 0;
    }
    /// The body's sight on a map: its layer 0, or that of the world.
    [[nodiscard]] SightWorld sight_on(const GridState& grid, std::int32_t layer) const;
    [[nodiscard]] Vec2 to_world(Vec2 p) const { return map().origin + p * map().cell_size; }
};

/// Remembers what is in sight from where the unit is. `news`: a cell is other than it was thought. False: out of memory.
[[nodiscard]] bool look_round(ExploreData& data, const GridState& world, bool& news);

/// Walks along the straight line to p as far as the stride allows, if the world lets it; else it feels what is in the way. False: out
/// of memory.
[[nodiscard]] bool walk_to(ExploreData& data, const GridState& world, Vec2 p, bool& moved);

/// Where a walk over the known map stands.
enum class WalkEnd : std::uint8_t { walking, there, no_way, too_long, no_memory };

/// Walks a stride towards a place along the best way over the known map, which is looked for where there is none or a wall was seen in
/// it. too_long: it is longer than `length_max` cells.
[[nodiscard]] WalkEnd walk_known(ExploreData& data, const GridState& world, Scratch& scratch, Vec2 to,
                                 double length_max, bool news);

/// A step to the goal along the best way over the known map. False: out of memory.
[[nodiscard]] bool walk_by_map(ExploreData& data, const GridState& world, Scratch& scratch, bool news);

/// A step of the modes that learn how far the goal is. False: out of memory.
[[nodiscard]] bool begin_regions(ExploreData& data);
[[nodiscard]] bool step_compass(ExploreData& data, const GridState& world, Scratch& scratch, bool news);
[[nodiscard]] bool begin_horizon(ExploreData& data);
[[nodiscard]] bool step_horizon(ExploreData& data, const GridState& world, Scratch& scratch, bool news);

}  // namespace fairlead::grid
