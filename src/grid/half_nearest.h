// The place of a room (half_gap.h) nearest to a target where the disc fits: what a goal region or a partial route has between the
// points of the half lattice.
//
// Places that fit are what rounded tiles leave of the room. The nearest of them is the room's own nearest place, or lies on a side of
// the room, on the arc round a corner of a tile, on a level along a tile's side, or where two of these meet. All of them are looked at,
// nearest first counts, each tested exactly; blockers are tested too, but what lies on their rims is not looked for. Of radius 0 the
// room's own nearest place is the only one.
#pragma once

#include "grid/half_gap.h"
#include "grid/sight.h"

namespace fairlead::grid {

class HalfNearest {
  public:
    /// The walls, the disc's radius in cells (0: a point) and the sight must be those of one layer and outlive what follows.
    HalfNearest(const HalfWalls& walls, double radius, const Sight& sight)
        : walls_(&walls), sight_(&sight), radius_(radius) {}

    /// False: nothing of the room fits, or nothing at most `most` away. Cost: O(radius), and the square of the few tiles that reach
    /// into the room.
    [[nodiscard]] bool find(HalfRoom room, Vec2 target, double most, Vec2& place);

  private:
    /// What keeps the disc away: a circle round a tile's corner, or a line along one axis.
    struct Rim {
        enum class Kind : std::uint8_t { circle, along_x, along_y } kind = Kind::circle;
        Vec2 at{};
    };
    static constexpr std::int32_t kRimsMax = 24;

    void add(Rim::Kind kind, Vec2 at);
    [[nodiscard]] bool find_rims(HalfRoom room);
    void look(Vec2 p);
    void look_along(const Rim& rim);
    void look_where_meet(const Rim& a, const Rim& b);

    const HalfWalls* walls_;
    const Sight* sight_;
    double radius_;
    Vec2 low_{};
    Vec2 high_{};
    Vec2 target_{};
    bool found_ = false;
    double square_ = 0.0;
    Vec2 best_{};
    std::int32_t count_ = 0;
    Rim rims_[kRimsMax];
};

}  // namespace fairlead::grid
