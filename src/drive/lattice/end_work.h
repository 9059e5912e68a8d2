// The first stages of a search, in slices: its ends looked up, the curves around the start, the curve all the way, whether the ends
// are joined, and the ground grown from the goal to the start. On large maps a way on the ground comes first: the search, and with it
// the ground that is grown, then keeps to a corridor along it (corridor_work.cpp).
#pragma once

#include <cstdint>

#include "drive/ground/ground_way.h"
#include "drive/ground/way_joined.h"
#include "drive/lattice/list_starts.h"
#include "drive/lattice/node_walk.h"

namespace fairlead::drive {

class EndWork {
  public:
    /// Fills starts, goal, direct, ground and status of `work`, at DriveWork::scale. The status is
    /// complete in the end if there is something to search. Map and work must outlive it.
    /// `corridor`: the search may keep to one, DriveWork::in_corridor; then DriveWork::least is known.
    void begin(const MapData& map, const LatticeQuery& query, DriveWork& work, bool corridor = false);
    /// After a search in a corridor: the ground again, all of it.
    void begin_everywhere();
    /// A unit is a few us. True: there is more to do.
    [[nodiscard]] bool step();
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    enum class Stage : std::uint8_t {
        blockers,
        look,
        divided,
        starts,
        direct,
        joined,
        ground,
        way,
        mark,
        least,
        near,
        grow,
        done
    };

    void look_up();
    void begin_divided();
    void look_for_part();
    void end_divided(bool divided);
    void find_direct();
    void end_joined();
    void begin_ground();
    void grow_on(const GroundBits& cells);
    // corridor_work.cpp
    [[nodiscard]] GroundCell start_cell() const;
    [[nodiscard]] bool begin_way();
    [[nodiscard]] bool choose_plane();
    void find_way();
    void mark_way();
    void begin_least();
    void find_least();
    void begin_near();
    void grow_near();
    [[nodiscard]] double least_before_lattice() const;
    void begin_corridor();
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
    bool corridor_ = false;
    std::int32_t plane_ = 0;  // of the map's cores: that of the way
    bool exact_ = false;      // both ends are in that core: their own cells are on its plane
    GroundCell near_start_{};
    GroundCell near_goal_{};
    std::size_t marked_ = 0;  // turns of the way
};

}  // namespace fairlead::drive
