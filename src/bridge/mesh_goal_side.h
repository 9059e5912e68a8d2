// The same search from the goal: over the poses from which there is a way, backward, toward the start. Where it ends without
// coming there, there is no way; a goal in a corner that a unit can leave and not enter is known like that after few poses, however
// large the level is. And a goal that can only be faced after a detour is left by that detour at once, where the search from the start
// opens everything around it.
//
// First the poses near the goal from which a curve leads to it, the same that the other search would try; then the primitives that
// end in a pose, driven back (they sweep what they sweep). Lower bounds as from the start. A way that it finds is within the
// same bound.
#pragma once

#include <fairlead/base/array.h>

#include "bridge/mesh_drive_trace.h"
#include "bridge/mesh_lattice.h"
#include "drive/lattice/drive_work.h"

namespace fairlead::bridge {

class MeshGoalSide {
  public:
    explicit MeshGoalSide(const Allocator& allocator)
        : flood_(allocator),
          ground_(allocator),
          into_(allocator),
          found_(allocator),
          seeds_(allocator),
          nodes_(allocator),
          open_(allocator) {}
    MeshGoalSide(const MeshGoalSide&) = delete;
    MeshGoalSide& operator=(const MeshGoalSide&) = delete;

    enum class Progress : std::uint8_t { running, found, ended, no_memory };

    /// What the search is about; it is begun when it is first asked. All must outlive it.
    void begin(MeshLattice& lattice, const DriveTable& table, const mesh::PathEnd& start,
               const Pose& start_pose, const drive::WeightedOnceKey& key, const MeshDriveTrace& trace);
    /// A unit is a pose opened, or a place near the goal.
    [[nodiscard]] Progress step(std::uint64_t budget);
    [[nodiscard]] std::uint64_t expanded() const { return stage_ == Stage::search ? engine_.expanded() : 0; }
    [[nodiscard]] std::uint64_t generated() const {
        return stage_ == Stage::search ? engine_.generated() : 0;
    }
    /// The places near the goal are done.
    [[nodiscard]] bool is_searching() const { return stage_ == Stage::search; }
    /// The states of the way found, from the start on, the goal last. False: out of memory.
    [[nodiscard]] bool list_path(Array<std::uint32_t>& path) const;

    // ---- for the engine
    template <class Sink>
    void start(Sink& sink) {
        for (const Seed& seed : seeds_) sink.add(seed.state, seed.cost, 0);
    }
    [[nodiscard]] static bool is_goal(std::uint32_t state) { return state == kStartState; }
    [[nodiscard]] Cost heuristic(std::uint32_t state);
    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const drive::LatticePose at = lattice_->pose_of(state);
        for (std::uint32_t i = first_[at.heading]; i < first_[at.heading + 1]; ++i) {
            const Primitive& move = table_->primitives().all()[into_[i]];
            if (move.gear != at.gear) continue;
            const std::uint32_t place = place_before(state, into_[i]);
            if (place == kNoNode) continue;
            const drive::LatticePose from{at.x - move.dx, at.y - move.dy, move.from, at.gear};
            const Cost cost = lattice_->move_cost(place, from, into_[i]);
            for (const Gear gear : gears()) {
                const std::uint32_t before = lattice_->keep_state(place, move.from, gear);
                if (before == kNoNode) return;
                sink.add(before, cost + (gear == at.gear ? 0 : lattice_->cusp()), 0);
            }
        }
        for (const MeshStart& start : lattice_->starts) {
            if (start.state == state) sink.add(kStartState, start.cost, 0);
        }
    }

  private:
    static constexpr std::uint32_t kStartState =
        MeshLattice::kGoalState;  ///< the exact one: that no place of the lattice is
    using Engine = BestFirst<MeshGoalSide, drive::WeightedOnceKey, HeapOpen, HashedNodes, MeshDriveTrace>;
    struct Seed {
        std::uint32_t state = 0;
        Cost cost = 0;
    };
    enum class Stage : std::uint8_t { fresh, seeds, search };

    [[nodiscard]] bool prepare();
    [[nodiscard]] bool list_moves();
    [[nodiscard]] bool add_seeds();
    [[nodiscard]] bool add_seeds_of(std::uint32_t place);
    [[nodiscard]] std::uint32_t place_before(std::uint32_t state, std::uint32_t step);
    [[nodiscard]] Cost ground_from_start(std::uint32_t place);
    [[nodiscard]] std::span<const Gear> gears() const;

    MeshLattice* lattice_ = nullptr;
    const DriveTable* table_ = nullptr;
    Stage stage_ = Stage::fresh;
    mesh::PathEnd start_{};
    Pose start_pose_{};
    mesh::DistanceFlood flood_;  ///< from the start
    Array<Cost> ground_;         ///< by place: what it says; kCostMax: not asked
    std::int32_t rings_ = 0;
    std::int32_t seed_x_ = 0;  ///< cells from the goal's, in rows
    std::int32_t seed_y_ = 0;
    Array<std::uint32_t> into_;  ///< primitives ordered by the heading that they end in
    std::uint32_t first_[kHeadingsMax + 1] = {};
    Array<std::uint32_t> found_;  ///< polygons
    Array<Seed> seeds_;
    HashedNodes nodes_;
    HeapOpen open_;
    Engine engine_{*this, open_, nodes_};
};

}  // namespace fairlead::bridge
