// Where to drive to when there is no way to the goal: the place of the lattice nearest to it, as the crow flies, of those that the
// unit reaches; on the goal's floor. In slices.
//
// What the starts reach is grown 64 cells at a time (pose_set.h), but for what the map's cores know. Then places are looked at in
// square rings round the goal until none farther out can be nearer. Of places equally near that of the lowest row, then column.
#pragma once

#include <cstdint>

#include <fairlead/math/vec.h>

#include "drive/lattice/lattice_query.h"
#include "drive/lattice/list_starts.h"

namespace fairlead::drive {

struct DriveWork;

class NearestPose {
  public:
    /// Uses DriveWork::starts and ::ahead. All three must outlive it.
    void begin(const MapData& map, const LatticeQuery& query, DriveWork& work);
    /// A unit is a few us. True: there is more to do.
    [[nodiscard]] bool step();
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

    /// complete: the query leads to the place, in any heading that the unit reaches it in. partial: none is nearer than that where it
    /// is, and there the query's start stays, in a heading that the body stands in. Else `no_way`: it comes nowhere on the goal's floor.
    [[nodiscard]] PathStatus lead(LatticeQuery& query, PathStatus no_way) const;

  private:
    enum class Stage : std::uint8_t { starts, grow, look, done };

    void aim(LatticeQuery& query) const;
    void begin_growing();
    void grow();
    void begin_looking();
    void look();
    void look_at(std::int32_t x, std::int32_t y);
    [[nodiscard]] bool reaches(std::int32_t x, std::int32_t y, std::int32_t heading) const;

    const MapData* map_ = nullptr;
    const LatticeQuery* query_ = nullptr;
    DriveWork* work_ = nullptr;
    Stage stage_ = Stage::done;
    bool failed_ = false;
    StartList starts_{};
    std::uint32_t cores_ = 0;  // whose poses are not grown to: all that these reach is reached
    Vec2 goal_{};              // cells
    std::int32_t low_ = 0;     // the goal's floor: rows from here
    std::int32_t top_ = 0;
    double start_square_ = 0.0;  // of the distance to the goal
    double square_ = 0.0;
    std::int32_t ring_ = 0;   // the next one
    std::int32_t along_ = 0;  // of its places
    std::int32_t x_ = -1;     // the place; -1: none
    std::int32_t y_ = -1;
};

}  // namespace fairlead::drive
