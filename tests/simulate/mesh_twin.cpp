#include "simulate/mesh_twin.h"

#include <cmath>
#include <utility>

#include "simulate/routes.h"
#include "simulate/script.h"

namespace fairlead::simulate {

void MeshTwin::reset() {
    obstacles_.clear();
    links_.clear();
    fresh_.reset();
    known_ = true;
}

void MeshTwin::edited(const MeshEdit& edit) {
    fresh_.reset();
    using Kind = MeshEdit::Kind;
    if (edit.kind == Kind::remove) obstacles_.erase(edit.id);
    if (edit.kind == Kind::add || edit.kind == Kind::move) obstacles_[edit.id] = edit.obstacle;
    if (edit.kind == Kind::remove_link) links_.erase(static_cast<std::uint32_t>(edit.id));
    if (edit.kind == Kind::add_link || edit.kind == Kind::change_link) links_[edit.link.id] = edit.link;
}

bool MeshTwin::make(const Grid& grid, const GridMeshOptions& options) {
    GridMeshOptions plain = options;
    plain.allocator = Allocator{};
    Result<NavMesh> made = make_grid_mesh(grid, plain);
    if (!made) return false;
    fresh_.emplace(std::move(*made));
    for (const auto& [id, obstacle] : obstacles_) {
        const MeshEdit edit = MeshEdit::add(id, obstacle);
        if (!fresh_->apply({&edit, 1})) return false;
    }
    for (const auto& [id, link] : links_) {
        const MeshEdit edit = MeshEdit::add_link(link);
        if (!fresh_->apply({&edit, 1})) return false;
    }
    return true;
}

std::string MeshTwin::judge(const Grid& grid, const GridMeshOptions& options, const NavMeshState& state,
                            const MeshQuery& query, const Route& route) {
    if (!known_ || (links_.empty() && obstacles_.empty()) || query.agent.radius != 0.0) return "";
    if (query.goal.is_list() || query.expansions_max != UINT64_MAX || query.partial) return "";
    if (!fresh_ && !make(grid, options)) {
        known_ = false;  // more than a tile can be cut with: the order of edits counts
        return "";
    }
    // Of two places equally near, each may be taken.
    for (const Vec3 end : {query.start.position, query.goal.at.position}) {
        for (const NavMeshState* one : {&state, &fresh_->state()}) {
            const MeshPoint at = one->nearest(end, query.reach);
            if (!at.polygon.valid() || !(at.position == end)) return "";
        }
    }
    Route other;
    const Result<void> done = find_route_into(*fresh_, query, scratch_, other);
    if (!done) return "twin: an error where the mesh has an answer";
    if (other.status != route.status) {
        return std::string("twin: ") + status_name(route.status) + ", made anew " + status_name(other.status);
    }
    const bool exact = route.bound == 1.0 && other.bound == 1.0 && has_way(route);
    if (exact && std::abs(route.cost - other.cost) > 1e-9 * other.cost + 1e-5 * grid.state().cell_size()) {
        return "twin: cost " + number_text(route.cost) + ", made anew " + number_text(other.cost);
    }
    return "";
}

}  // namespace fairlead::simulate
