// Cuts a segment into the triangulation: the triangles that it runs through are replaced by two fans of new ones, one
// on each side. A side is a polygon of which every corner is seen from the segment, so one pass with a stack that
// cuts off every convex corner as it comes triangulates it (Graham's scan; Godfried Toussaint and David Avis 1982,
// "On a convex hull algorithm for polygons and its application to triangulation problems"). Linear in the edges
// crossed; flips then make it Delaunay.
#include "polygon/chains.h"
#include "polygon/constrain.h"
#include "polygon/delaunay.h"

namespace fairlead::polygon {
namespace {

/// Bank::beyond: the other side of this edge is in the channel too (an edge that hangs into it).
constexpr Index kPending = 0x80000000U;

/// Joins half-edge h with what lies beyond an edge of the bank.
void join(Work& work, Index h, Index beyond) {
    if ((beyond & kPending) == 0) {
        work.mesh.link(h, beyond);
        return;
    }
    Index& first = work.pending[beyond & ~kPending];
    if (first == kNone) {
        first = h;
    } else {
        work.mesh.link(h, first);
    }
}

/// Replaces the half-edges of the banks (first the right one, in the direction of the segment, then the left one,
/// against it) by what must be known when their triangles are gone.
bool make_banks(Work& work) {
    Mesh& mesh = work.mesh;
    const std::size_t right = work.right.size(), left = work.left.size();
    if (!work.banks.resize_uninitialized(right + left) || !work.pending.resize_uninitialized(right + left)) {
        return false;
    }
    for (std::size_t i = 0; i < right + left; ++i) {
        const Index h = i < right ? work.right[i] : work.left[right + left - 1 - i];
        work.banks[i] = {mesh.to(h), h, mesh.chains[h]};
        work.pending[i] = mesh.twin(h);
    }
    // Each outer half-edge now names its place; one that is itself in the banks is found by that.
    for (std::size_t i = 0; i < right + left; ++i) {
        mesh.halves[work.pending[i]].twin = kPending | static_cast<Index>(i);
    }
    for (std::size_t i = 0; i < right + left; ++i) {
        Bank& bank = work.banks[i];
        const Index partner = mesh.twin(bank.beyond);
        if ((partner & kPending) == 0) {
            bank.beyond = work.pending[i];
        } else {
            const Index place = partner & ~kPending;
            bank.beyond = kPending | (place < i ? place : static_cast<Index>(i));
        }
    }
    for (std::size_t i = 0; i < right + left; ++i) work.pending[i] = kNone;
    return true;
}

/// Triangulates one side, from `start` along banks[begin, end), with triangles of the channel. Returns the half-edge
/// that closes it, from its end back to its start. The banks serve as the stack.
Index fill_side(Work& work, Index start, std::size_t begin, std::size_t end, std::size_t& used) {
    Mesh& mesh = work.mesh;
    std::size_t top = begin;  // one past the last edge of the stack
    Index closing = kNone;
    for (std::size_t i = begin; i < end; ++i) {
        work.banks[top++] = work.banks[i];
        while (top - begin >= 2) {
            const Bank one = work.banks[top - 2], two = work.banks[top - 1];
            const Index from = top - begin == 2 ? start : work.banks[top - 3].vertex;
            if (!(turn(mesh, from, one.vertex, two.vertex) > 0.0)) break;
            const Index h = work.channel[used++] << 2;
            mesh.set_triangle(h, from, one.vertex, two.vertex);
            mesh.chains[h] = one.chain;
            mesh.chains[h + 1] = two.chain;
            mesh.chains[h + 2] = kNone;
            join(work, h, one.beyond);
            join(work, h + 1, two.beyond);
            closing = h + 2;
            --top;
            work.banks[top - 1] = {two.vertex, closing, kNone};
        }
    }
    FAIRLEAD_DEBUG_ASSERT(top - begin == 1);
    return closing;
}

}  // namespace

bool cut_channel(Work& work, const Piece& piece) {
    if (!make_banks(work)) return false;
    const std::size_t right = work.right.size(), all = right + work.left.size();
    std::size_t used = 0;
    const Index back = fill_side(work, piece.from, 0, right, used);
    const Index forth = fill_side(work, piece.to, right, all, used);
    FAIRLEAD_DEBUG_ASSERT(used == work.channel.size());
    work.mesh.link(forth, back);
    for (const Index triangle : work.channel) {
        for (Index i = 0; i < 3; ++i) {
            if (!work.dirty.push_back(4 * triangle + i)) return false;
        }
    }
    return cover_edge(work, forth, piece.chain);
}

bool legalize_dirty(Work& work) {
    Mesh& mesh = work.mesh;
    while (!work.dirty.empty()) {
        const Index h = work.dirty.back();
        work.dirty.pop_back();
        if (mesh.chains[h] != kNone) continue;
        const Index g = mesh.twin(h);
        const Index a = mesh.from(h), b = mesh.from(g), c = mesh.apex(h), d = mesh.apex(g);
        if (a == kInfinity || b == kInfinity || c == kInfinity || d == kInfinity) continue;
        if (!other_diagonal(mesh.point(a), mesh.point(b), mesh.point(c), mesh.point(d))) continue;
        flip<true>(mesh, h);
        const Index outer[] = {h, previous_of(h), g, previous_of(g)};
        for (const Index edge : outer) {
            if (!work.dirty.push_back(edge)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::polygon
