// See mesh_sides.h.
#include "explain/mesh_sides.h"

#include <algorithm>

namespace fairlead::explaining {

using mesh::LinkPiece;
using mesh::LinkTable;
using mesh::StateData;

bool MeshSides::begin(const StateData& state, const MeshRules& rules) {
    state_ = &state;
    rules_ = rules;
    floods_.begin();
    entered_.clear();
    for (std::uint32_t i = 0; i < state.links.pieces.size(); ++i) {
        const LinkPiece& piece = state.links.pieces[i];
        if (is_open(piece) && !entered_.push_back(std::uint64_t{piece.polygon_out} << 32 | i)) return false;
    }
    std::sort(entered_.begin(), entered_.end());  // total order: pieces are numbers
    return true;
}

bool MeshSides::is_open(const LinkPiece& piece) const {
    return (rules_.against || !piece.against) && (rules_.closed_links >> piece.kind & 1U) == 0 &&
           !state_->is_closed(piece.polygon_in, rules_.closed_areas) &&
           !state_->is_closed(piece.polygon_out, rules_.closed_areas) &&
           rules_.radius <= state_->links.records[piece.record].link.radius_max;
}

// Meets what can be entered from a polygon, or from what it can be entered.
bool MeshSides::leave(int side, std::uint32_t polygon) {
    const mesh::TileView& view = state_->tile_of(polygon);
    const std::uint32_t at = state_->local(polygon);
    for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
        const mesh::MeshEdge& edge = view.edges[e];
        if (state_->is_shut(edge, rules_.closed_areas)) continue;
        if (rules_.width > 0.0F && view.gaps != nullptr && view.gaps[e] < rules_.width) continue;
        if (!floods_.meet(side, state_->polygon_ref(edge.twin))) return false;
    }
    return leave_by_links(side, polygon);
}

bool MeshSides::leave_by_links(int side, std::uint32_t polygon) {
    const LinkTable& links = state_->links;
    if (entered_.empty()) return true;
    if (side == 0) {
        for (std::uint32_t i = links.first_at(polygon); i != mesh::kNone; i = links.pieces[i].next) {
            if (is_open(links.pieces[i]) && !floods_.meet(side, links.pieces[i].polygon_out)) return false;
        }
        return true;
    }
    const std::uint64_t first = std::uint64_t{polygon} << 32;
    for (const std::uint64_t* at = std::lower_bound(entered_.begin(), entered_.end(), first);
         at != entered_.end() && *at >> 32 == polygon; ++at) {
        if (!floods_.meet(side, links.pieces[static_cast<std::uint32_t>(*at)].polygon_in)) return false;
    }
    return true;
}

Answer MeshSides::flood(std::uint64_t& budget) {
    return floods_.flood(budget, [this](int side, std::uint32_t polygon) { return leave(side, polygon); });
}

Answer MeshSides::flood_side(bool goal_side, std::uint64_t& budget) {
    return floods_.flood_side(goal_side, budget,
                              [this](int side, std::uint32_t polygon) { return leave(side, polygon); });
}

}  // namespace fairlead::explaining
