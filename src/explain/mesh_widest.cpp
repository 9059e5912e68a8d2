// See mesh_widest.h.
#include "explain/mesh_widest.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "mesh/surface/nearest_wall.h"
#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"

namespace fairlead::explaining {

using mesh::StateData;

namespace {

constexpr double kAnyRadius = std::numeric_limits<double>::infinity();

// The bits of numbers that are not negative are ordered as they are; wide ones come first.
Cost key_of_radius(double radius) {
    std::uint64_t bits = 0, most = 0;
    std::memcpy(&bits, &radius, sizeof bits);
    std::memcpy(&most, &kAnyRadius, sizeof most);
    return most - bits;
}

}  // namespace

bool MeshWidest::offer(std::uint32_t polygon, const Narrow& by) {
    if (!flood_.meet(polygon)) return false;
    const std::uint32_t node = flood_.met.find(polygon);
    if (node == best_.size()) {
        if (!best_.push_back(by)) return false;
    } else if (by.radius > best_[node].radius) {
        best_[node] = by;
    } else {
        return true;
    }
    return open_.push(key_of_radius(by.radius), 0, node);
}

bool MeshWidest::leave(std::uint32_t node) {
    const Narrow now = best_[node];
    const std::uint32_t polygon = flood_.queue[node];
    const mesh::TileView& view = state_->tile_of(polygon);
    const std::uint32_t slot = polygon >> state_->bits, at = state_->local(polygon);
    for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
        if (state_->is_shut(view.edges[e], rules_.closed_areas)) continue;
        const double gap = view.gaps != nullptr ? double{view.gaps[e]} : kAnyRadius;
        const double radius = 0.5 * gap + state_->agent_radius;
        const Narrow next = radius < now.radius ? Narrow{radius, state_->ref(slot, e), mesh::kNone} : now;
        if (!offer(state_->polygon_ref(view.edges[e].twin), next)) return false;
    }
    const mesh::LinkTable& links = state_->links;
    if (links.empty()) return true;
    for (std::uint32_t i = links.first_at(polygon); i != mesh::kNone; i = links.pieces[i].next) {
        const mesh::LinkPiece& piece = links.pieces[i];
        if (piece.against || (rules_.closed_links >> piece.kind & 1U) != 0 ||
            state_->is_closed(piece.polygon_out, rules_.closed_areas))
            continue;
        const double radius = links.records[piece.record].link.radius_max;
        if (!offer(piece.polygon_out, radius < now.radius ? Narrow{radius, mesh::kNone, i} : now))
            return false;
    }
    return true;
}

Answer MeshWidest::find(const StateData& state, const MeshRules& rules, std::uint32_t from,
                        std::span<const std::uint32_t> goals, std::uint64_t& budget, Narrow& out) {
    state_ = &state;
    rules_ = rules;
    flood_.begin();
    open_.reset();
    best_.clear();
    if (!offer(from, {.radius = kAnyRadius})) return Answer::no_memory;
    for (std::uint32_t node = 0; open_.size() != 0;) {
        const Cost key = open_.floor();
        (void)open_.pop(node);
        if (key != key_of_radius(best_[node].radius)) continue;
        if (std::find(goals.begin(), goals.end(), flood_.queue[node]) != goals.end()) {
            out = best_[node];
            return Answer::yes;
        }
        if (budget == 0) return Answer::unknown;
        --budget;
        if (!leave(node)) return Answer::no_memory;
    }
    return Answer::no;
}

// Of a place on a gate the nearest wall is the nearer end of the gate: in the circle over it there is no other.
bool find_gate_middle(const StateData& state, mesh::EdgeRef side, double gap, mesh::FloodWork& work,
                      Vec3& out) {
    const std::uint32_t polygon = state.polygon_ref(side);
    const Vec2 on = (state.edge(side).from + state.to(side)) * 0.5;
    mesh::NearestWall near;
    if (!mesh::find_nearest_wall(state, polygon, on, gap, 0, work, near)) return false;
    mesh::Walk walk{.from = on, .to = on, .polygon = polygon};
    const double off = distance(on, near.point);
    if (near.wall != mesh::kNone && off > 0.0) walk.to = near.point + (on - near.point) * (0.5 * gap / off);
    walk.end = on;
    mesh::finish_walk(state, walk);
    out = {walk.end.x, walk.end.y, mesh::ground_near(state, walk.polygon, walk.end)};
    return true;
}

}  // namespace fairlead::explaining
