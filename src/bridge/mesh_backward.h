// The lattice of poses on a mesh driven backward, as a world to search (search/pose_space.h): from the goal to the start.
//
// It begins in the poses near the goal from which a curve leads to it, the same that the search from the start would try; its moves are the
// primitives that end in a pose, driven back (they sweep what they sweep), from either gear before them. Lower bounds as from the start.
#pragma once

#include <span>

#include <fairlead/base/array.h>

#include "bridge/mesh_lattice.h"

namespace fairlead::bridge {

class MeshBackward {
  public:
    explicit MeshBackward(const Allocator& allocator)
        : flood_(allocator), ground_(allocator), into_(allocator), found_(allocator), seeds_(allocator) {}

    /// What the search is about. All must outlive it. `start_pose` null: there are several, and no curve from them is a bound. `cusp`: a
    /// change of gear. False: out of memory.
    [[nodiscard]] bool begin(MeshLattice& lattice, const mesh::PathEnd& start, const Pose* start_pose,
                             Cost cusp);
    enum class Seeds : std::uint8_t { more, all, no_memory };
    /// Looks at the places of one cell near the goal, on all floors.
    [[nodiscard]] Seeds add_seeds();
    [[nodiscard]] bool failed() const { return lattice_->failed() || flood_.failed(); }

    // ---- a PoseWorld: its goal is the start. Changes of gear are part of its moves.
    static constexpr std::uint32_t kStartState = MeshLattice::kGoalState;  ///< no place of the lattice
    class Moves;
    [[nodiscard]] static constexpr std::uint32_t goal_state() { return kStartState; }
    [[nodiscard]] static constexpr std::uint32_t gear_bit() { return 0; }
    template <class Visit>
    void each_start(bool, const Visit& visit) const {
        for (const Seed& seed : seeds_) visit(seed.state, seed.cost);
    }
    [[nodiscard]] Moves moves(std::uint32_t state, bool keeps_gear);
    template <class Visit>
    void each_jump(std::uint32_t, const Visit&) const {}
    [[nodiscard]] Cost least_left(std::uint32_t state);
    [[nodiscard]] bool cost_to_goal(std::uint32_t state, Cost& cost) const;

  private:
    struct Seed {
        std::uint32_t state = 0;
        Cost cost = 0;
    };

    [[nodiscard]] bool list_moves();
    [[nodiscard]] bool add_cell();
    [[nodiscard]] bool add_place(std::uint32_t place);
    [[nodiscard]] std::uint32_t place_before(std::uint32_t state, std::uint32_t step);
    [[nodiscard]] Cost ground_from_start(std::uint32_t place);
    [[nodiscard]] std::span<const Gear> gears() const;

    MeshLattice* lattice_ = nullptr;
    Cost cusp_ = 0;
    const Pose* start_pose_ = nullptr;
    mesh::DistanceFlood flood_;  ///< from the start
    Array<Cost> ground_;         ///< by place: what it says; kCostMax: not asked
    std::int32_t rings_ = 0;
    std::int32_t seed_x_ = 0;  ///< cells from the goal's, in rows
    std::int32_t seed_y_ = 0;
    Array<std::uint32_t> into_;  ///< primitives ordered by the heading that they end in
    std::uint32_t first_[kHeadingsMax + 1] = {};
    Array<std::uint32_t> found_;  ///< polygons
    Array<Seed> seeds_;
};

class MeshBackward::Moves {
  public:
    Moves(MeshBackward& world, std::uint32_t state);
    [[nodiscard]] bool next(PoseMove& move);

  private:
    [[nodiscard]] bool next_primitive();

    MeshBackward* world_;
    drive::LatticePose at_;
    std::uint32_t state_;
    std::uint32_t next_ = 0;
    std::uint32_t end_ = 0;
    // The primitive that is looked at: the gears before it that are left, the place and heading, its cost.
    std::span<const Gear> gears_{};
    std::uint32_t place_ = kNoNode;
    std::int32_t heading_ = 0;
    Cost cost_ = 0;
};

}  // namespace fairlead::bridge
