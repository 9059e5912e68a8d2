#include "polygon/chains.h"

namespace fairlead::polygon {
namespace {

Index add_link(Work& work, const ConstraintLink& link) {
    if (work.links.size() >= (kNone >> 1) || !work.links.push_back(link)) return kNone;
    return static_cast<Index>(work.links.size() - 1) << 1;
}

/// A copy of `chain` followed by `rest`. kNone without memory.
Index join_chains(Work& work, Index chain, Index rest) {
    Index flips = 0;
    Index out = rest;
    for (Index at = chain; at != kNone;) {
        flips ^= at & 1U;
        const ConstraintLink link = work.links[at >> 1];
        out = add_link(work, {link.source ^ flips, out});
        if (out == kNone) return kNone;
        at = link.next;
    }
    return out;
}

}  // namespace

Index make_chain(Work& work, std::uint32_t segment) { return add_link(work, {segment << 1, kNone}); }

bool cover_edge(Work& work, Index h, Index chain) {
    Mesh& mesh = work.mesh;
    if (mesh.chains[h] != kNone) {
        chain = join_chains(work, chain, mesh.chains[h]);
        if (chain == kNone) return false;
    }
    mesh.chains[h] = chain;
    mesh.chains[mesh.twin(h)] = chain ^ 1U;
    return true;
}

}  // namespace fairlead::polygon
