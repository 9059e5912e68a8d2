#include "polygon/chains.h"

namespace fairlead::polygon {
namespace {

Index add_link(Work& work, const ConstraintLink& link) {
    if (work.links.size() >= (kNone >> 1) || !work.links.push_back(link)) return kNone;
    return static_cast<Index>(work.links.size() - 1) << 1;
}

}  // namespace

Index make_chain(Work& work, std::uint32_t segment) { return add_link(work, {segment << 1, kNone, 0.0}); }

Index copy_chain(Work& work, Index chain, Index rest, double more) {
    Index flips = 0;
    Index out = rest;
    for (Index at = chain; at != kNone;) {
        flips ^= at & 1U;
        const ConstraintLink link = work.links[at >> 1];
        out = add_link(work, {link.source ^ flips, out, link.deviation + more});
        if (out == kNone) return kNone;
        at = link.next;
    }
    return out;
}

bool cover_edge(Work& work, Index h, Index chain) {
    Mesh& mesh = work.mesh;
    if (mesh.chains[h] != kNone) {
        chain = copy_chain(work, chain, mesh.chains[h], 0.0);
        if (chain == kNone) return false;
    }
    mesh.chains[h] = chain;
    mesh.chains[mesh.twin(h)] = chain ^ 1U;
    return true;
}

}  // namespace fairlead::polygon
