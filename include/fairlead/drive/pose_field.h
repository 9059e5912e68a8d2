// PoseField: what it costs to drive to one goal, from every pose of a map. For a squad that shares a goal: one sweep, then
// every unit follows it from wherever it stands, for next to nothing.
//
//     Result<PoseField> field = PoseField::make(*map, {.goal = {{80.5, 42.5}, kHalfPi}});
//     while (field->step(2000)) { /* next frame */ }
//     for (Tank& tank : squad) find_route_into(*field, tank.pose, scratch, tank.route);
//     if (field->cost_at({12.5, 7.5}, 0) > 200) ...          // too far
//
// The costs are exact on the lattice: those of the lattice planner, from every pose and in either gear, to
// 2^-12 of a cell a move or better on maps of up to 2^20 cells. A start off the lattice is joined to it by short curves as
// in find_drive.h.
//
// A field holds a snapshot of the map: routes are legal on that revision (map()->revision()); after edits make it anew.
//
// Cost: the sweep 100 to 200 ns a pose that reaches the goal: 50 to 100 ms for 256 x 256 in 8 headings; 8 bytes a
// pose, twice that with a reverse gear. Following: 1 to 2 us a move, and the smoothing, if it is asked for.
// Deterministic. No allocation in step and in warm queries.
//
// Errors of make: those of find_drive.h for the goal's part of the query; out_of_memory; size_limit: more than 2^32 poses;
// unsupported: a map with several floors or links (drive_map.h).
// A goal that nothing can stand at or reach is no error: all costs are infinite then.
//
// Source: Dijkstra 1959, backward over the lattice of technique D1.
#pragma once

#include <fairlead/drive/find_drive.h>

namespace fairlead {

namespace drive {
struct FieldData;
}

class PoseField {
  public:
    /// Reads the goal, its headings and range, the penalties and goal_curves of the query.
    [[nodiscard]] static Result<PoseField> make(DriveMapSnapshot map, const DriveQuery& query,
                                                const Allocator& allocator = {});
    PoseField(PoseField&& other) noexcept;
    PoseField& operator=(PoseField&& other) noexcept;
    PoseField(const PoseField&) = delete;
    PoseField& operator=(const PoseField&) = delete;
    ~PoseField();

    /// Settles about so many poses, the nearest first. True while there are more; false also where memory runs out.
    bool step(std::uint64_t poses);
    [[nodiscard]] bool done() const;

    /// From the pose of the lattice nearest to a point, in a heading of the lattice, world units. Infinite if the goal cannot
    /// be reached, or (before done()) if the sweep has not come there. `gear`: the one that it comes in, for the cost of
    /// a change.
    [[nodiscard]] double cost_at(Vec2 point, std::int32_t heading, Gear gear = Gear::forward) const;
    [[nodiscard]] const DriveMapSnapshot& map() const;
    [[nodiscard]] std::size_t bytes() const;

  private:
    friend Result<void> find_route_into(const PoseField& field, const Pose& start, Scratch& scratch,
                                        Route& route, bool smooth);
    explicit PoseField(drive::FieldData* data) : data_(data) {}
    drive::FieldData* data_ = nullptr;
};

/// The way from a pose along a field that is done. Statuses as find_drive.h. Errors: not_finite (start);
/// unsupported: the sweep is not done; out_of_memory, from every start if the sweep ended for want of it: make
/// the field anew.
[[nodiscard]] Result<void> find_route_into(const PoseField& field, const Pose& start, Scratch& scratch,
                                           Route& route, bool smooth = true);

}  // namespace fairlead
