// HalfRegion: the places of a goal region that lie between the points of the half lattice.
//
// A region (within, in sight, adjacent) may hold a place where the disc fits and no point of the lattice. So beside each point that is
// expanded near the region the rooms around it are looked at, and those that its gaps pass through: the place nearest the goal (of
// `adjacent` the room's middle) is a goal of its own, joined to the point as a goal anywhere is. That is all of `within`: if any place
// of a room is in range, its nearest one is, and the corners of the room are joined to it. Of `adjacent` and `in_sight` a room may hold
// places though its nearest one is none; in_sight is looked at along the rim of its range alone.
#pragma once

#include "grid/general_space.h"
#include "grid/half_nearest.h"

namespace fairlead::grid {

class HalfRegion {
  public:
    explicit HalfRegion(const Allocator& a = {}) : rooms_(a) {}

    /// For the query's goal, which is a region. `places`: those of the query, goal_points; what is found is appended. Both must
    /// outlive the search.
    void begin(CellQuery& cells, Array<Vec2>& places);

    /// May a room around the place, on the goal's layer, or one that gaps lead to from there hold anything of the region that no
    /// point tells of?
    [[nodiscard]] bool comes_near(Vec2 place) const;
    /// The room's place that counts, if it has one that may; whether it is of the region is for the caller to see.
    [[nodiscard]] bool place_in(HalfRoom room, Vec2& place);
    /// Adds a goal; its number. UINT32_MAX: out of memory, or there are too many.
    [[nodiscard]] std::uint32_t add(Vec2 place);
    /// How many goals there may be.
    static constexpr std::size_t kPlacesMax = 1U << 16;

    /// The rooms around a point and others.
    [[nodiscard]] std::span<const HalfRoom> rooms(HalfPoint p, std::span<const HalfRoom> more);
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

  private:
    [[nodiscard]] Vec2 goal_beside(Vec2 place) const;

    CellQuery* cells_ = nullptr;
    Array<Vec2>* places_ = nullptr;
    HalfWalls walls_{};
    Sight sight_{};
    double reach_ = 0.0;  ///< from points farther away nothing of the region is looked for
    Array<HalfRoom> rooms_;
    bool out_of_memory_ = false;
};

}  // namespace fairlead::grid
