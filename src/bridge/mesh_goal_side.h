// The same search from the goal: over the poses from which there is a way, backward, toward the start. Where it ends without
// coming there, there is no way; a goal in a corner that a unit can leave and not enter is known like that after few poses, however
// large the level is. And a goal that can only be faced after a detour is left by that detour at once, where the search from the start
// opens everything around it. A way that it finds is within the same bound.
#pragma once

#include <fairlead/search/engine.h>
#include <fairlead/search/open_list.h>

#include "bridge/mesh_backward.h"
#include "bridge/mesh_drive_trace.h"
#include "drive/lattice/drive_work.h"

namespace fairlead::bridge {

class MeshGoalSide {
  public:
    explicit MeshGoalSide(const Allocator& allocator)
        : back_(allocator), nodes_(allocator), open_(allocator) {}
    MeshGoalSide(const MeshGoalSide&) = delete;
    MeshGoalSide& operator=(const MeshGoalSide&) = delete;

    enum class Progress : std::uint8_t { running, found, ended, no_memory };
    /// What the search is about, as MeshBackward::begin().
    struct Task {
        MeshLattice* lattice = nullptr;
        mesh::PathEnd start{};
        const Pose* start_pose = nullptr;
        Cost cusp = 0;
    };

    /// It is begun when it is first asked. What the task points to must outlive it.
    void begin(const Task& task, const drive::WeightedOnceKey& key, const MeshDriveTrace& trace) {
        task_ = task;
        stage_ = Stage::fresh;
        engine_ = Engine(space_, open_, nodes_, key, trace);
    }
    /// A unit is a pose opened, or a place near the goal.
    [[nodiscard]] Progress step(std::uint64_t budget);
    [[nodiscard]] std::uint64_t expanded() const { return is_searching() ? engine_.expanded() : 0; }
    [[nodiscard]] std::uint64_t generated() const { return is_searching() ? engine_.generated() : 0; }
    /// The places near the goal are done.
    [[nodiscard]] bool is_searching() const { return stage_ == Stage::search; }
    /// The states of the way found, from the start on, the goal last. False: out of memory.
    [[nodiscard]] bool list_path(Array<std::uint32_t>& path) const;

  private:
    using Space = PoseSpace<MeshBackward, HashedNodes>;
    using Engine = BestFirst<Space, drive::WeightedOnceKey, HeapOpen, HashedNodes, MeshDriveTrace>;
    enum class Stage : std::uint8_t { fresh, seeds, search };

    Task task_{};
    Stage stage_ = Stage::fresh;
    MeshBackward back_;
    HashedNodes nodes_;
    HeapOpen open_;
    Space space_{back_, nodes_};
    Engine engine_{space_, open_, nodes_};
};

}  // namespace fairlead::bridge
