// How the route of a turning unit is made: by the search, or by one of the article's other ways, and redrawn for a sprite.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fairlead/drive/fixed_angles.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/round_corners.h>

#include "cli/drive.h"

namespace fairlead::cli {

/// What the flags ask for: in the query all but the places, its penalties in tiles.
struct DriveJob {
    DriveQuery query{};
    bool hybrid = false;
    std::optional<std::uint64_t> join_expansions{};  ///< hybrid: --budget
    std::optional<CornerMethod> corners{};
    Smoothing corner_smoothing = Smoothing::greedy_shortcut;  ///< of the tile route that they are on
    std::int32_t facings = 0;                                 ///< 0: any
    /// By a search over poses, which can be watched.
    [[nodiscard]] bool searches_poses() const { return !hybrid && !corners.has_value(); }
    /// The article's ways are made of poses in the middles of tiles.
    [[nodiscard]] bool on_centres() const { return hybrid || corners.has_value(); }
};

/// A place and perhaps a heading. `where` is a flag or a line of a file, for messages.
struct DriveEnd {
    std::string where;
    Vec2 position{};
    std::optional<double> heading_rad{};
    std::optional<double> floor{};
};

/// Fails where the way of planning does not know blockers.
void check_blockers(const DriveJob& job, std::span<const Blocker> blockers);
/// Fails where the way of planning knows no floors and portals.
void check_floors(const DriveJob& job, const DriveMap& map);
/// Fails where there is no search of poses to watch.
void check_trace(const DriveJob& job);
/// Fails where the way of planning needs a heading that is left open.
void check_ends(const DriveJob& job, const DriveEnd& start, const DriveEnd& goal);
/// The job's query between two places, in the grid's units. A heading left open is free. Fails where the world has no such floor.
[[nodiscard]] DriveQuery query_between(const DriveJob& job, const DriveEnd& start, const DriveEnd& goal,
                                       const GridState& grid);

/// Headings that will do at an end, in radians; empty: as the query says.
struct HeadingSets {
    std::vector<double> start{};
    std::vector<double> goal{};
};
/// The query once for each start and goal heading of the sets.
[[nodiscard]] std::vector<DriveQuery> each_heading(const DriveQuery& query, const HeadingSets& sets);

/// What is to be said beside the route.
struct DriveNotes {
    std::int64_t unstyled_leg = -1;  ///< --facings: this leg of the route cannot be drawn on them
    double error_rad = 0.0;          ///< then: the largest angle between motion and picture
    std::int64_t clipped = 0;        ///< --corners ignore_walls: tiles that the body hits
};
/// Empty: nothing to say.
[[nodiscard]] std::string notes_text(const DriveNotes& notes, std::int32_t facings);

/// `query` is the job's between two places. Processor time in nanoseconds, styling not included. `trace`: gets the events of the
/// search whose statistics the route has, and the route's path.
[[nodiscard]] Result<std::uint64_t> solve_drive(const DriveWorld& world, const DriveJob& job,
                                                const DriveQuery& query, Scratch& scratch, Route& route,
                                                DriveNotes& notes, debug::Trace* trace = nullptr);
/// The cheapest of several queries' routes, the first of equals; statistics and time of all. `which`: the query whose route it is.
[[nodiscard]] Result<std::uint64_t> solve_cheapest(const DriveWorld& world, const DriveJob& job,
                                                   std::span<const DriveQuery> queries, Scratch& scratch,
                                                   Route& route, DriveNotes& notes, std::size_t& which);

}  // namespace fairlead::cli
