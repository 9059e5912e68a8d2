// The search from the goal, step by step.
#include "bridge/mesh_goal_side.h"

namespace fairlead::bridge {

MeshGoalSide::Progress MeshGoalSide::step(std::uint64_t budget) {
    if (stage_ == Stage::fresh) {
        if (!back_.begin(*task_.lattice, task_.start, task_.start_pose, task_.cusp))
            return Progress::no_memory;
        stage_ = Stage::seeds;
    }
    for (; budget > 0 && stage_ == Stage::seeds; --budget) {
        switch (back_.add_seeds()) {
            case MeshBackward::Seeds::more: break;
            case MeshBackward::Seeds::no_memory: return Progress::no_memory;
            case MeshBackward::Seeds::all: stage_ = Stage::search; engine_.begin();
        }
    }
    if (stage_ != Stage::search) return Progress::running;
    const SearchProgress progress = engine_.step(budget);
    if (back_.failed()) return Progress::no_memory;
    switch (progress) {
        case SearchProgress::running: return Progress::running;
        case SearchProgress::found: return Progress::found;
        case SearchProgress::exhausted: return Progress::ended;
        case SearchProgress::no_memory: break;
    }
    return Progress::no_memory;
}

bool MeshGoalSide::list_path(Array<std::uint32_t>& path) const {
    path.clear();
    std::uint32_t node = nodes_[engine_.goal_node()].parent;
    for (; node != kNoNode; node = nodes_[node].parent) {
        if (!path.push_back(nodes_.state_of(node))) return false;
    }
    return path.push_back(MeshLattice::kGoalState);
}

}  // namespace fairlead::bridge
