// Is a short way free for a body? Poses are looked at one after the other, as far apart as the gap around them allows.
#pragma once

#include <span>
#include <vector>

#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>

#include "oracle/pose_map.h"

namespace fairlead::oracle {

/// An arc or a line: a length in cells, negative in reverse, and a curvature, positive to the unit's left.
struct FineMove {
    double amount = 0.0;
    double curvature = 0.0;
};

[[nodiscard]] Pose after(const Pose& from, const FineMove& move);

class FineGround {
  public:
    /// Near walls the body is looked at whenever it has moved by `step`.
    FineGround(const PoseMap& map, const PoseBody& body, double step);

    [[nodiscard]] bool stands(const Pose& pose) const { return gap(pose) >= 0.0; }
    [[nodiscard]] bool free(const Pose& from, const FineMove& move) const;
    [[nodiscard]] bool free(const Pose& from, const CurveWord& word, double radius) const;

    /// At most this far is it from the point to the goal of `flood` for any way of the body; infinite: sealed off.
    [[nodiscard]] double at_least(Vec2 p) const;
    void flood(Vec2 goal);

  private:
    /// How far the body may move before it comes to a wall; negative: it is too near to one.
    [[nodiscard]] double gap(const Pose& pose) const;
    [[nodiscard]] std::size_t node(Vec2 p) const;

    const PoseMap& map_;
    PoseBody body_;
    double step_;
    std::int32_t wide_ = 0;  // nodes of a row, four a cell
    std::int32_t high_ = 0;
    std::vector<double> clear_;  // of each node: the distance to the nearest wall
    std::vector<double> flood_;
};

}  // namespace fairlead::oracle
