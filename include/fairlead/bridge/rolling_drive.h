// RollingDrive: a turning unit's route over kilometres of tiles, found piece by piece while the unit drives.
//
//     RollingDrive drive;
//     Result<PathStatus> can = drive.begin(*town, *map, {.start = truck_pose, .goal = depot}, scratch);
//     while (can && *can == PathStatus::partial) {
//         can = drive.next(*town, *map, scratch, route);             // some 50 cells more; legs that join the last ones
//         follow(route);                                             // and call next() before they are used up
//     }
//
// How. begin() asks the map's cores whether there is a way at all, and finds a *coarse* route: that of a disc that fits into the unit,
// which on a grid with a hierarchy takes microseconds.
// Each next() drives on from the very pose at which the last stretch ended: the turning
// search goes to a place of the coarse route `window` ahead, in any heading, and the first part of what it finds is given. The rest is
// dropped and searched anew from there, so that no stretch ends where the unit would have to brake or turn back for want of knowing more.
// The last window goes to the goal itself.
//
// Legal at every join: a stretch starts exactly at the pose where the one before ends, and its legs are those of find_route. Never lost:
// the pose at which a stretch ends is kept only if the map's cores do not deny the goal from there; where a window has no way (the coarse
// disc fits where the unit does not), the window grows, up to the search for the whole rest. So what begin() and find_route can
// reach is reached.
//
// Edits. Give each call the grid and the map of now. What lies behind is not looked at again; stretches not yet driven are for
// revalidate(). Where the coarse route is blocked, it is found anew from the last pose.
//
// Statuses. begin(): partial (go on), complete (start is the goal: nothing to drive), or why not. next(): partial (go on), complete (the
// route ends at the goal), else the route is empty and nothing has changed, so that it can be asked again: unreachable, goal_blocked
// or start_blocked after an edit; budget_spent (query.expansions_max counts for each call).
//
// No bound: the stretches are as good as the coarse route lets them be.
// Cost of a call: a search in a window of `window` cells, 0.2 to 1 ms. Serves maps of one floor without links (unsupported otherwise).
// A stretch's cost and line_cost are its own, not those of what was dropped.
// Errors: those of find_route for the query and of the tile search; out_of_range (`window`: 8 cells to 1e6); unsupported (`floors`).
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/drive/find_drive.h>

namespace fairlead {

struct RollingDriveOptions {
    double window =
        64.0;  ///< cells of the coarse route that a search looks ahead; at least 8 turning radii are taken
};

class RollingDrive {
  public:
    explicit RollingDrive(const Allocator& allocator = {}) : coarse_(allocator) {
        stretch_.legs = Array<Leg>(allocator);
    }

    /// `query` is kept: its lists must outlive this.
    [[nodiscard]] Result<PathStatus> begin(const GridState& grid, const DriveMapState& map,
                                           const DriveQuery& query, Scratch& scratch,
                                           const RollingDriveOptions& options = {});
    /// The next stretch, from pose() on. Only after partial.
    [[nodiscard]] Result<PathStatus> next(const GridState& grid, const DriveMapState& map, Scratch& scratch,
                                          Route& route);

    /// Where the last stretch ended.
    [[nodiscard]] const Spot& pose() const { return query_.start; }
    /// Of the coarse route that is left, world units: about how far it still is.
    [[nodiscard]] double left() const;

  private:
    [[nodiscard]] Result<PathStatus> find_coarse(const GridState& grid, Scratch& scratch);
    [[nodiscard]] Result<PathStatus> find_stretch(const DriveMapState& map, double ahead, bool& to_goal,
                                                  Scratch& scratch, Route& route);
    [[nodiscard]] Result<bool> keep_first_part(const DriveMapState& map, Scratch& scratch, Route& route);
    [[nodiscard]] Result<bool> may_arrive(const DriveMapState& map, const Place& from, Scratch& scratch);
    [[nodiscard]] Vec2 coarse_at(double along) const;
    void note_progress();

    DriveQuery query_;    // start: the last pose
    Array<Vec2> coarse_;  // from the start to the goal
    Route stretch_;
    double window_ = 0.0;  // world units
    double along_ = 0.0;   // of the coarse route, behind the unit
    double behind_ = 0.0;  // of it, before its place passed_ - 1
    std::size_t passed_ = 1;
    double length_ = 0.0;
    std::int32_t stalled_ = 0;  // stretches that came no farther along it
};

}  // namespace fairlead
