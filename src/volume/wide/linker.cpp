// See linker.h. A segment within one cell is asked of that cell's solid voxels alone: no other one is near enough.
#include "volume/wide/linker.h"

#include <algorithm>

namespace fairlead::volume {

namespace {

constexpr std::size_t kPortsMost = 48;

}  // namespace

// The middle of the patch that two leaves share.
Vec3 Linker::between(std::uint32_t a, std::uint32_t b) const {
    double p[3];
    for (int k = 0; k < 3; ++k) {
        const WideCell &c = cells_[a], &d = cells_[b];
        p[k] = (std::max(c.low[k], d.low[k]) + std::min(c.low[k] + c.side(), d.low[k] + d.side())) / 128.0;
    }
    return {p[0], p[1], p[2]};
}

bool Linker::add_port_beside(std::uint32_t cell, std::uint32_t other) {
    const WideCell& o = cells_[other];
    if (ports_.size() >= kPortsMost) return true;
    if (o.state == CellState::free) {
        const Vec3 at = between(cell, other);
        return ports_.push_back({kNone, o.node, at, at});
    }
    if (o.state != CellState::mixed || !o.fits) return true;
    // Already joined to the first known place: nothing to gain.
    if (o.node != kNone && !ports_.empty() && ports_[0].node != kNone && sets_.same(o.node, ports_[0].node))
        return true;
    const Vec3 at = between(cell, other), own = cells_.middle(o);
    if (!cells_.sees_inside(o, own, at)) return true;
    return ports_.push_back({other, o.node, own, at});
}

bool Linker::list_ports(std::uint32_t cell) {
    ports_.clear();
    if (cells_[cell].fits) {
        const Vec3 middle = cells_.middle(cells_[cell]);
        if (!ports_.push_back({cell, cells_[cell].node, middle, middle})) return false;
    }
    const auto add = [&](std::uint32_t node, Vec3 at) { return ports_.push_back({kNone, node, at, at}); };
    if (!cells_.each_corner(cell, add)) return false;
    for (const WideEndPlace& e : ends_) {
        if (e.leaf == cell && !add(e.node, e.at)) return false;
    }
    for (int face = 0; face < 6; ++face) {
        if (!cells_.each_beside(cell, face, [&](std::uint32_t o) { return add_port_beside(cell, o); }))
            return false;
    }
    return true;
}

bool Linker::join(Port& a, Port& b) {
    if (a.node == kNone) a.node = cells_.node_of(a.cell);
    if (b.node == kNone) b.node = cells_.node_of(b.cell);
    if (a.node == kNone || b.node == kNone) return false;
    const Vec3 way[4] = {a.own, a.at, b.at, b.own};
    return sets_.unite(a.node, b.node, way);
}

bool Linker::link(std::uint32_t cell) {
    if (!list_ports(cell)) return false;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        for (std::size_t j = i + 1; j < ports_.size(); ++j) {
            Port &a = ports_[i], &b = ports_[j];
            // Two ports of one middle, made since.
            if (a.node == kNone && a.cell != kNone) a.node = cells_[a.cell].node;
            if (b.node == kNone && b.cell != kNone) b.node = cells_[b.cell].node;
            if (a.node != kNone && b.node != kNone && sets_.same(a.node, b.node)) continue;
            if (a.node == kNone && b.node == kNone && a.cell == b.cell) continue;
            if (cells_.sees_inside(cells_[cell], a.at, b.at) && !join(a, b)) return false;
        }
    }
    return true;
}

bool Linker::join_free(std::uint32_t cell) {
    const std::uint32_t node = cells_[cell].node;
    if (!cells_.each_corner(cell, [&](std::uint32_t other, Vec3 at) { return unite(node, other, at, at); }))
        return false;
    for (const WideEndPlace& e : ends_) {
        if (e.leaf == cell && !unite(node, e.node, e.at, e.at)) return false;
    }
    const auto join_beside = [&](std::uint32_t other) {
        const WideCell& o = cells_[other];
        if (o.state != CellState::free && !(o.state == CellState::mixed && o.fits)) return true;
        if (o.node != kNone && sets_.same(node, o.node)) return true;
        const Vec3 at = between(cell, other);
        if (o.state == CellState::free) return unite(node, o.node, at, at);
        const Vec3 own = cells_.middle(o);
        if (!cells_.sees_inside(o, own, at)) return true;
        const std::uint32_t theirs = cells_.node_of(other);
        return theirs != kNone && unite(node, theirs, at, own);
    };
    for (int face = 0; face < 6; ++face) {
        if (!cells_.each_beside(cell, face, join_beside)) return false;
    }
    return true;
}

bool Linker::cut(std::uint32_t cell) {
    if (!cells_.cut(cell)) return false;
    for (WideEndPlace& e : ends_) {
        if (e.leaf == cell) e.leaf = cells_.leaf_around(cell, e.at);
    }
    const std::uint32_t child = cells_[cell].child;
    for (std::uint32_t i = child; i < child + 8; ++i) {
        const WideCell& c = cells_[i];
        if (c.state == CellState::free && !join_free(i)) return false;
    }
    // What cannot be cut is joined now or not at all.
    for (std::uint32_t i = child; i < child + 8; ++i) {
        const WideCell& c = cells_[i];
        if (c.state == CellState::mixed && c.finest() && c.fits && !link(i)) return false;
    }
    return true;
}

}  // namespace fairlead::volume
