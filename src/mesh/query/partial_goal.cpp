#include "mesh/query/partial_goal.h"

#include <cmath>

namespace fairlead::mesh {

bool PartialGoal::begin(const StateData& state, const PartialTask& task) {
    state_ = &state;
    task_ = task;
    next_ = 0;
    place = {};
    goal = kNone;
    flood_.begin();
    return flood_.meet(task.from.polygon);
}

PartialGoal::Outcome PartialGoal::step(std::span<const SurfacePoint> goals, std::uint64_t& budget) {
    for (; next_ < flood_.queue.size(); ++next_, --budget) {
        if (budget == 0) return Outcome::running;
        const std::uint32_t polygon = flood_.queue[next_];
        if (!leave(polygon) || !look_at(polygon, goals)) return Outcome::no_memory;
    }
    return Outcome::done;
}

// Meets what can be entered from a polygon.
bool PartialGoal::leave(std::uint32_t polygon) {
    const TileView& view = state_->tile_of(polygon);
    const std::uint32_t at = state_->local(polygon);
    for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
        const MeshEdge& side = view.edges[e];
        if (state_->is_shut(side, task_.spot.closed_areas)) continue;
        if (task_.width > 0.0F && view.gaps != nullptr && view.gaps[e] < task_.width) continue;
        if (!flood_.meet(state_->polygon_ref(side.twin))) return false;
    }
    const LinkTable& links = state_->links;
    if (links.empty()) return true;
    for (std::uint32_t i = links.first_at(polygon); i != kNone; i = links.pieces[i].next) {
        const LinkPiece& piece = links.pieces[i];
        const bool open =
            task_.links.open(links, piece) && !state_->is_closed(piece.polygon_out, task_.spot.closed_areas);
        if (open && !flood_.meet(piece.polygon_out)) return false;
    }
    return true;
}

bool PartialGoal::is_better(const SurfacePoint& at, const SurfacePoint& wanted) const {
    const double square = dot(at.position - wanted.position, at.position - wanted.position);
    return goal == kNone || square < square_ || (square == square_ && std::fabs(at.z - wanted.z) < off_);
}

void PartialGoal::take(const SurfacePoint& at, std::span<const SurfacePoint> goals, std::uint32_t number) {
    const SurfacePoint& wanted = goals[number];
    if (!is_better(at, wanted)) return;
    place = at;
    goal = number;
    square_ = dot(at.position - wanted.position, at.position - wanted.position);
    off_ = std::fabs(at.z - wanted.z);
}

bool PartialGoal::look_at(std::uint32_t polygon, std::span<const SurfacePoint> goals) {
    for (std::uint32_t i = 0; i < goals.size(); ++i) {
        if (goal == kNone) take(task_.from, goals, i);
        SurfacePoint near = nearest_in_polygon(*state_, polygon, goals[i].position);
        if (task_.spot.radius > 0.0 && is_better(near, goals[i])) {
            const SurfacePoint wanted = near;
            if (!find_clear_spot(*state_, wanted, task_.spot, spot_work_, near)) return false;
            if (near.polygon == kNone) continue;
        }
        take(near, goals, i);
    }
    return true;
}

}  // namespace fairlead::mesh
