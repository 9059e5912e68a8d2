// The goals of a query that the unit can be at and that no wall cuts off for a point, the nearest in a straight line first.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/volume/query.h>

#include "volume/search/range_groups.h"
#include "volume/search/settle.h"

namespace fairlead::volume {

struct SettledGoal {
    WayEnd end{};
    Vec3 exact{};             ///< voxels: where the way ends
    Vec3 asked{};             ///< world: what was asked for
    double away = 0.0;        ///< from where the unit is, sides
    std::uint32_t index = 0;  ///< in the query's list
};

class GoalList {
  public:
    explicit GoalList(const Allocator& allocator) : groups_(allocator), goals_(allocator) {}

    /// For a unit that is at `begins`. All of it outlives the list.
    void begin(Masks& masks, const Settler& settler, const VolumeQuery& query, const WayEnd& start,
               Vec3 begins);
    /// Are there places that were not looked at yet?
    [[nodiscard]] bool more() const { return at_ < count_; }
    /// Looks at the next one. False: out of memory.
    [[nodiscard]] bool look();
    /// After all of them. False: out of memory.
    [[nodiscard]] bool close();
    /// Where no goal so far can be reached: for bodies wider than half a voxel the other places within the range. False: out of memory.
    [[nodiscard]] bool widen();
    [[nodiscard]] std::size_t size() const { return goals_.size(); }
    [[nodiscard]] const SettledGoal& operator[](std::size_t i) const { return goals_[i]; }
    /// Of a list without goals: why.
    [[nodiscard]] PathStatus status() const { return status_; }
    /// None can be reached: this is the place nearest to them that can.
    [[nodiscard]] bool is_partial() const { return partial_; }
    /// How far it is from a place to the nearest of what was asked for, by air.
    [[nodiscard]] double left_from(Vec3 at) const;

  private:
    [[nodiscard]] Spot spot(std::size_t i) const;
    [[nodiscard]] bool add(std::uint32_t index, const WayEnd& end, Vec3 exact);
    [[nodiscard]] bool add_nearest();

    Masks* masks_ = nullptr;
    const StateData* state_ = nullptr;
    const Settler* settler_ = nullptr;
    const VolumeQuery* query_ = nullptr;
    RangeGroups groups_;
    bool widened_ = false;
    std::uint32_t at_ = 0;
    std::uint32_t count_ = 0;
    Array<SettledGoal> goals_;
    Vec3 begins_{};
    std::uint32_t label_ = 0;
    bool on_map_ = false;
    bool settled_ = false;
    bool partial_ = false;
    PathStatus status_ = PathStatus::complete;
};

}  // namespace fairlead::volume
