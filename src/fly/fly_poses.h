// The poses that a turning unit meets in space: from its start, by short arcs and lines that rise, sink or stay
// level. The same class searches from the goal, for a unit that flies backward in time: its heading is turned round,
// and what is up is down.
//
// The first pose that comes into a bucket (a cell of space, a sector of headings) stands for it; later ones are
// dropped before they are tested (Barraquand and Latombe 1993).
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/curve/airplane.h>
#include <fairlead/search/engine.h>

#include "fly/curve_probe.h"
#include "fly/wave_field.h"
#include "search/pose_space.h"
#include "volume/search/key_table.h"

namespace fairlead::fly {

/// How fine a search is.
struct FlyGrain {
    double cell = 1.0;  ///< world units
    std::int32_t sectors = 16;
    std::int32_t bends = 3;   ///< curvatures, the sharpest to either side included
    std::int32_t climbs = 3;  ///< the steepest included
};

/// What is asked, in world units.
struct FlyTask {
    const StateData* state = nullptr;
    const CurveProbe* probe = nullptr;
    double radius = 1.0;  ///< turning
    ClimbLimits climb{};
    Place start{};
    Place goal{};
};

struct FlyNode {
    std::uint64_t key = 0;
    Place at{};  ///< as the unit flies, from the goal too
    double length = 0.0;
    std::uint32_t parent = kNoNode;
    std::uint32_t move = 0;
};

/// A way from the start's poses to the goal's.
struct FlyJoin {
    double length = 0.0;  ///< of all
    std::uint32_t from = kNoNode;
    std::uint32_t to = kNoNode;
    AirplaneCurve curve{};
    [[nodiscard]] bool found() const { return from != kNoNode; }
};

class FlyPoses {
  public:
    static constexpr std::uint32_t kJoined = UINT32_MAX - 1;  ///< the state of all that lies beyond a join

    explicit FlyPoses(const Allocator& allocator) : nodes_(allocator), table_(allocator), left_(allocator) {}
    FlyPoses(const FlyPoses&) = delete;
    FlyPoses& operator=(const FlyPoses&) = delete;

    void begin(const FlyTask& task, const FlyGrain& grain, bool back, FlyPoses& other, FlyJoin& join);
    /// Once a query. `masks`: null: no field of voxels. False: out of memory.
    [[nodiscard]] bool make_field(const FlyTask& task, Masks* masks, bool back);
    /// Of the field: how far it is from its root to a place, in world units; below 0: not known.
    [[nodiscard]] double left_at(Vec3 voxels) const { return has_left_ ? left_.left(voxels) : -1.0; }

    // ---- a PoseWorld (search/pose_space.h): its goal is a join with the other search
    class Moves;
    [[nodiscard]] static constexpr std::uint32_t goal_state() { return kJoined; }
    [[nodiscard]] static constexpr std::uint32_t gear_bit() { return 0; }
    template <class Visit>
    void each_start(bool, const Visit& visit) const {
        visit(0U, Cost{0});
    }
    [[nodiscard]] Moves moves(std::uint32_t state, bool keeps_gear);
    template <class Visit>
    void each_jump(std::uint32_t, const Visit&) const {}
    [[nodiscard]] Cost least_left(std::uint32_t state) const;
    /// Only a shorter way than any before counts.
    [[nodiscard]] bool cost_to_goal(std::uint32_t state, Cost& cost);

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const Array<FlyNode>& nodes() const { return nodes_; }
    /// The leg that leads to a node that has a parent, as the unit flies it.
    [[nodiscard]] Leg leg_to(std::uint32_t node) const;

  private:
    struct Move {
        Vec2 by{};  ///< where it ends, of a unit that heads along x
        double turn = 0.0;
        double curvature = 0.0;
        double rise = 0.0;
        double length = 0.0;
        Cost cost = 0;
    };

    void make_moves();
    [[nodiscard]] std::uint64_t key_of(const Place& at) const;
    [[nodiscard]] std::uint32_t try_move(std::uint32_t state, std::uint32_t move);
    void look_for_join(std::uint32_t state);
    [[nodiscard]] bool try_join(std::uint32_t own, std::uint32_t others, int most, double detour);
    [[nodiscard]] Cost cost_of(double length) const;
    [[nodiscard]] bool is_free(const Place& from, const AirplaneCurve& curve, double to_z) const;

    FlyTask task_{};
    FlyGrain grain_{};
    bool back_ = false;
    FlyPoses* other_ = nullptr;
    FlyJoin* join_ = nullptr;
    double side_ = 1.0;  ///< world units, of a voxel's shortest side
    double step_ = 1.0;  ///< ground length of a move
    std::uint32_t move_count_ = 0;
    Move moves_[25];
    Array<FlyNode> nodes_;
    volume::KeyTable table_;
    WaveField left_;
    bool has_left_ = false;
    bool failed_ = false;
    std::uint32_t shots_ = 0;
};

/// The moves from a state that are free and come into a new bucket, in order.
class FlyPoses::Moves {
  public:
    Moves(FlyPoses& world, std::uint32_t state) : world_(&world), state_(state) {}
    [[nodiscard]] bool next(PoseMove& move) {
        while (next_ < world_->move_count_) {
            const std::uint32_t i = next_++;
            const std::uint32_t to = world_->try_move(state_, i);
            if (to == kNoNode) continue;
            move = {to, 0, world_->moves_[i].cost};
            return true;
        }
        return false;
    }

  private:
    FlyPoses* world_;
    std::uint32_t state_;
    std::uint32_t next_ = 0;
};

inline FlyPoses::Moves FlyPoses::moves(std::uint32_t state, bool) { return {*this, state}; }

using FlySpace = PoseSpace<FlyPoses, HashedNodes>;

}  // namespace fairlead::fly
