// Places known to be joined by a legal way: sets of nodes, and the links that joined them, a forest that ways are
// read from.
//
// A node is a component of fitting middles in one brick (any two of them joined by steps over faces), a free cell
// (any two places in it joined straight), the middle of a cell, or an end of the query.
#pragma once

#include <cstdint>
#include <utility>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "volume/wide/key_map.h"

namespace fairlead::volume {

enum class NodeKind : std::uint8_t { lattice, cell, end };

struct SetNode {
    std::uint32_t parent;
    std::uint32_t next;   ///< a ring of all that are in the set
    std::uint32_t ref;    ///< part, cell, or 0 and 1
    std::uint32_t stamp;  ///< the search that reached it last
    std::uint32_t entry;  ///< and how: an entry of that search
    NodeKind kind;
    bool queued;    ///< in the flood of an end
    bool explored;  ///< lattice: its neighbours are joined to it
};

/// Straight legs from a place of node a to one of node b. lattice: over a face, `points` is the voxel's place in
/// the brick of a and the face, and count is 0.
struct SetLink {
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t points;
    std::uint32_t count;
};

class Sets {
  public:
    explicit Sets(const Allocator& allocator) : nodes_(allocator), links_(allocator), points_(allocator) {}

    void begin() {
        nodes_.clear();
        links_.clear();
        points_.clear();
    }
    /// kNone: out of memory.
    [[nodiscard]] std::uint32_t add(NodeKind kind, std::uint32_t ref) {
        const auto id = static_cast<std::uint32_t>(nodes_.size());
        return nodes_.push_back({id, id, ref, 0, kNone, kind, false, false}) ? id : kNone;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t i) {
        while (nodes_[i].parent != i) i = nodes_[i].parent = nodes_[nodes_[i].parent].parent;
        return i;
    }
    [[nodiscard]] bool same(std::uint32_t a, std::uint32_t b) { return find(a) == find(b); }
    [[nodiscard]] SetNode& operator[](std::uint32_t i) { return nodes_[i]; }
    [[nodiscard]] const SetNode& operator[](std::uint32_t i) const { return nodes_[i]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const Array<SetLink>& links() const { return links_; }
    [[nodiscard]] const Array<Vec3>& points() const { return points_; }

    /// Of different sets, by a way through the points. False: out of memory.
    [[nodiscard]] bool unite(std::uint32_t a, std::uint32_t b, std::span<const Vec3> way) {
        const auto first = static_cast<std::uint32_t>(points_.size());
        for (const Vec3 p : way) {
            if (!points_.push_back(p)) return false;
        }
        return join({a, b, first, static_cast<std::uint32_t>(way.size())});
    }
    [[nodiscard]] bool unite_over_face(std::uint32_t a, std::uint32_t b, std::uint32_t place,
                                       std::uint32_t face) {
        return join({a, b, place | face << 6, 0});
    }

  private:
    [[nodiscard]] bool join(const SetLink& link) {
        if (!links_.push_back(link)) return false;
        const std::uint32_t a = find(link.a), b = find(link.b);
        nodes_[a > b ? a : b].parent = a > b ? b : a;
        std::swap(nodes_[a].next, nodes_[b].next);
        return true;
    }

    Array<SetNode> nodes_;
    Array<SetLink> links_;
    Array<Vec3> points_;
};

}  // namespace fairlead::volume
