#include "mesh/search/link_reach.h"

#include <algorithm>

namespace fairlead::mesh {

bool LinkReach::find(const StateData& state, std::uint32_t from, std::uint64_t closed_kinds) {
    if (known_) return true;
    known_ = true;
    if (++stamp_ == 0) {
        stamps_.clear();
        stamp_ = 1;
    }
    if (stamps_.size() < state.components.size() && !stamps_.resize(state.components.size())) return false;
    queue_.clear();
    const auto meet = [&](std::uint32_t component) {
        if (stamps_[component] == stamp_) return true;
        stamps_[component] = stamp_;
        return queue_.push_back(component);
    };
    if (!meet(from)) return false;
    const Array<LinkArc>& arcs = state.links.arcs;
    const auto before = [](const LinkArc& arc, std::uint32_t wanted) { return arc.from < wanted; };
    for (std::size_t i = 0; i < queue_.size() && !arcs.empty(); ++i) {
        const std::uint32_t at = queue_[i];
        for (const LinkArc* arc = std::lower_bound(arcs.begin(), arcs.end(), at, before);
             arc != arcs.end() && arc->from == at; ++arc) {
            if ((arc->kinds & ~closed_kinds) != 0 && !meet(arc->to)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::mesh
