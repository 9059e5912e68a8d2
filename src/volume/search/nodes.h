// The nodes of the adaptive search, made as they are met: an open part of 8^3 voxels, or a component of a brick's free voxels.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>
#include <fairlead/search/node_store.h>

#include "volume/components/flood.h"
#include "volume/search/key_table.h"
#include "volume/search/masks.h"

namespace fairlead::volume {

struct VolumeNode {
    static constexpr std::uint64_t kPart = std::uint64_t{1} << 63;

    std::uint64_t key = 0;   ///< kPart and the part's number, or the brick's number x 64 + its lowest voxel
    std::uint64_t bits = 0;  ///< of a brick; kAll of a part
    Vec3 point{};            ///< voxels: where the way passes through it
    double g = 0.0;          ///< length of the way so far, sides
    std::uint32_t parent = kNoNode;
    std::uint32_t via = kNoNode;  ///< the one beside it from which it was met
    bool closed = false;
    bool verified = false;  ///< the parent is in sight
    bool joined = false;    ///< it is not, nor is `via`: the way goes from voxel to voxel

    [[nodiscard]] bool is_part() const { return (key & kPart) != 0; }
};

/// Voxels from low up to high, in bounds.
struct NodeBox {
    std::int32_t low[3];
    std::int32_t high[3];
};

class NodePool {
  public:
    explicit NodePool(const Allocator& allocator) : nodes_(allocator), table_(allocator) {}

    void reset(Masks& masks);
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] VolumeNode& operator[](std::uint32_t i) { return nodes_[i]; }
    [[nodiscard]] const VolumeNode& operator[](std::uint32_t i) const { return nodes_[i]; }
    /// kNoNode: out of memory. `added`: it was not met before; its bits are set then.
    [[nodiscard]] std::uint32_t find_or_add(std::uint64_t key, std::uint64_t bits, bool& added);
    [[nodiscard]] NodeBox box(const VolumeNode& node) const;

    /// The node that holds a voxel on which the body's middle may be.
    struct Found {
        std::uint64_t key = 0;
        std::uint64_t bits = 0;
    };
    [[nodiscard]] Found node_at(Voxel v) const;
    /// Calls visit(key, bits) of every node beside one, in a fixed order.
    template <class Visit>
    void each_neighbour(const VolumeNode& node, Visit visit) const;

  private:
    [[nodiscard]] std::uint64_t part_key(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return VolumeNode::kPart | number(x, y, z, 1);
    }
    [[nodiscard]] std::uint64_t brick_key(std::int32_t x, std::int32_t y, std::int32_t z,
                                          std::uint64_t bits) const {
        return number(x, y, z, 0) * 64 + static_cast<std::uint64_t>(std::countr_zero(bits));
    }
    [[nodiscard]] std::uint64_t number(std::int32_t x, std::int32_t y, std::int32_t z, int kind) const {
        return (static_cast<std::uint64_t>(z) * count_[kind][1] + static_cast<std::uint64_t>(y)) *
                   count_[kind][0] +
               static_cast<std::uint64_t>(x);
    }
    template <class Visit>
    void visit_brick(std::int32_t x, std::int32_t y, std::int32_t z, std::uint64_t from, Visit& visit) const;

    Masks* masks_ = nullptr;
    std::uint64_t count_[2][2] = {};  ///< bricks and parts along x and y
    Array<VolumeNode> nodes_;
    KeyTable table_;
};

/// A step through a face, and how the faces of bricks lie on one another.
struct FaceStep {
    int axis;
    std::int32_t step;
    std::uint64_t layer;  ///< of a brick's voxels at this face
    std::int32_t shift;   ///< of those to the layer opposite, to the left; below 0 to the right
};
inline constexpr FaceStep kFaceSteps[6] = {
    {0, -1, kLowX, 3},        {0, 1, kLowX << 3, -3}, {1, -1, kLowY, 12},
    {1, 1, kLowY << 12, -12}, {2, -1, kLowZ, 48},     {2, 1, kLowZ << 48, -48},
};
[[nodiscard]] FAIRLEAD_INLINE std::uint64_t shifted(std::uint64_t bits, std::int32_t shift) {
    return shift < 0 ? bits >> -shift : bits << shift;
}

template <class Visit>
void NodePool::visit_brick(std::int32_t x, std::int32_t y, std::int32_t z, std::uint64_t from,
                           Visit& visit) const {
    const std::uint64_t free = masks_->free(x, y, z);
    if (free == kAll) return visit(number(x, y, z, 0) * 64, kAll);
    for (std::uint64_t left = free & from; left != 0;) {
        const std::uint64_t bits = flood_brick(left & (~left + 1), free);
        visit(brick_key(x, y, z, bits), bits);
        left &= ~bits;
    }
}

template <class Visit>
void NodePool::each_neighbour(const VolumeNode& node, Visit visit) const {
    const NodeBox b = box(node);
    for (const FaceStep& face : kFaceSteps) {
        if (node.is_part()) {
            std::int32_t p[3] = {b.low[0] >> 3, b.low[1] >> 3, b.low[2] >> 3};
            p[face.axis] += face.step;
            if (!masks_->part_in_bounds(p[0], p[1], p[2])) continue;
            if (masks_->is_open(p[0], p[1], p[2])) {
                visit(part_key(p[0], p[1], p[2]), kAll);
                continue;
            }
            const int u = face.axis == 0 ? 1 : 0, v = face.axis == 2 ? 1 : 2;
            const std::uint64_t opposite = shifted(face.layer, face.shift);
            for (std::int32_t i = 0; i < 4; ++i) {
                std::int32_t q[3];
                q[face.axis] = p[face.axis] * 2 + (face.step < 0 ? 1 : 0);
                q[u] = p[u] * 2 + (i & 1);
                q[v] = p[v] * 2 + (i >> 1);
                visit_brick(q[0], q[1], q[2], opposite, visit);
            }
            continue;
        }
        const std::uint64_t layer = node.bits & face.layer;
        if (layer == 0) continue;
        std::int32_t q[3] = {b.low[0] >> 2, b.low[1] >> 2, b.low[2] >> 2};
        q[face.axis] += face.step;
        const std::int32_t p[3] = {q[0] >> 1, q[1] >> 1, q[2] >> 1};
        if (!masks_->part_in_bounds(p[0], p[1], p[2])) continue;
        if (masks_->is_open(p[0], p[1], p[2])) {
            if (masks_->state().brick_in_bounds(q[0], q[1], q[2])) visit(part_key(p[0], p[1], p[2]), kAll);
        } else {
            visit_brick(q[0], q[1], q[2], shifted(layer, face.shift), visit);
        }
    }
}

}  // namespace fairlead::volume
