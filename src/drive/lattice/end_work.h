// The first stages of a search, in slices: its ends looked up, the curves around the start, the curve all the way, whether the ends
// are joined, and the ground grown from the goal to the start.
#pragma once

#include <cstdint>

#include "drive/ground/way_joined.h"
#include "drive/lattice/list_starts.h"
#include "drive/lattice/node_walk.h"

namespace fairlead::drive {

class EndWork {
  public:
    /// Fills starts, goal, direct, ground and status of `work`, at DriveWork::scale. The status is
    /// complete in the end if there is something to search. Map and work must outlive it.
    void begin(const MapData& map, const LatticeQuery& query, DriveWork& work);
    /// A unit is a few us. True: there is more to do.
    [[nodiscard]] bool step();
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    enum class Stage : std::uint8_t { look, divided, starts, direct, joined, ground, grow, done };

    void look_up();
    void begin_divided();
    void look_for_part();
    void end_divided(bool divided);
    void find_direct();
    void end_joined();
    void begin_ground();
    void grow();

    const MapData* map_ = nullptr;
    LatticeQuery query_{};  // its own: searches may be moved
    DriveWork* work_ = nullptr;
    Stage stage_ = Stage::done;
    bool failed_ = false;
    NodeWalk places_{};  // of the goal
    StartList starts_{};
    StartPoses poses_{};
    Pose from_{};
    std::int32_t target_ = 0;  // the next one that a direct curve is tried to; 0: from the next start pose
    double least_ = 0.0;       // cost of the direct curves found
    WayJoined joined_{};
    std::size_t start_ = 0;  // the next one that the ground is grown to
};

}  // namespace fairlead::drive
