// The any-angle search: lazy Theta* over nodes that are made as they are met, seeded by sight.
//
// A node's way passes through the point of it that is nearest to the line from its parent to the goal. The line to the parent is tested
// only when the node is opened; where it is not free, the parent becomes the node beside it from which it was met, and where even
// that is not in sight the way goes from voxel to voxel (a join). Each node opened looks at the goal: if it is in sight, there is a way;
// if not, the place just before what is in the way becomes a node, so that open space is crossed in one step.
//
// The key is g + weight x h, h the straight distance, or what the guide says.
//
// With prices a line costs what of_voxels says, and h is the straight distance at the least rate. The line from the parent may then be
// dearer than the way over the node beside it: the cheaper of the two is taken.
//
// Sources: Nash, Koenig and Tovey 2010 (Lazy Theta*); seeding and nodes of two sizes: our own.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/base/array.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/open_list.h>

#include "volume/search/coarse.h"
#include "volume/search/metric.h"
#include "volume/search/nodes.h"
#include "volume/sight/prices.h"
#include "volume/sight/walk.h"

namespace fairlead::volume {

/// An end of the way: a place, and the voxel from whose middle it can be reached.
struct WayEnd {
    Vec3 at{};
    Voxel voxel{};
    bool on_lattice = true;  ///< else no voxel's middle can be reached from it straight
};

/// What a search is about.
struct ThetaTask {
    Masks* masks = nullptr;
    const Body* body = nullptr;
    WayEnd start{};
    WayEnd goal{};
    double weight = 1.5;
    const CoarseSearch* guide = nullptr;                     ///< null: straight distance
    Prices* prices = nullptr;                                ///< null: a way costs its length
    double limit = std::numeric_limits<double>::infinity();  ///< only ways that cost less, sides
    SearchTrace trace{};
};

class LazyTheta {
  public:
    explicit LazyTheta(const Allocator& allocator) : pool_(allocator), open_(allocator), chain_(allocator) {}

    [[nodiscard]] bool begin(const ThetaTask& task);
    /// Opens at most so many nodes.
    [[nodiscard]] SearchProgress step(std::uint64_t budget);
    [[nodiscard]] bool is_guided() const { return task_.guide != nullptr; }
    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }
    [[nodiscard]] SearchStats stats() const { return {expanded_, generated_, peak_, digest_}; }
    /// Is there one already, though the search has not ended?
    [[nodiscard]] bool has_way() const { return best_node_ != kNoNode; }
    /// The way found, from start to goal. False: out of memory.
    [[nodiscard]] bool list_way(Array<Vec3>& way);
    /// That to the node opened which is nearest the goal, without its way on. False: out of memory.
    [[nodiscard]] bool list_best(Array<Vec3>& way);

  private:
    [[nodiscard]] bool open_node(std::uint32_t u);
    [[nodiscard]] bool verify(std::uint32_t u);
    [[nodiscard]] bool look_at_goal(std::uint32_t u);
    [[nodiscard]] bool seed(std::uint32_t u, const SightHit& hit, double away);
    [[nodiscard]] bool meet(std::uint32_t u, std::uint64_t key, std::uint64_t bits);
    [[nodiscard]] bool push(std::uint32_t node);
    [[nodiscard]] Vec3 point_in(const VolumeNode& node, Vec3 parent) const;
    /// Is a node's place the middle of a voxel?
    [[nodiscard]] bool on_middles() const { return task_.body->radius > 0.0 || task_.masks->has_blockers(); }
    [[nodiscard]] double heuristic(const VolumeNode& node);
    [[nodiscard]] FAIRLEAD_INLINE double away(Vec3 a, Vec3 b) const { return metric_length(metric_, b - a); }
    [[nodiscard]] FAIRLEAD_INLINE double price(Vec3 from, Vec3 to) const {
        if (FAIRLEAD_UNLIKELY(task_.prices != nullptr)) return task_.prices->of_voxels(from, to);
        return away(from, to);
    }
    /// What is left to the goal costs no less.
    [[nodiscard]] FAIRLEAD_INLINE double least_to_goal(Vec3 from) const {
        return away(from, task_.goal.at) * least_;
    }
    [[nodiscard]] Voxel voxel_in(std::uint32_t node) const;
    [[nodiscard]] bool list_chain(std::uint32_t last, Array<Vec3>& way);
    void offer(std::uint32_t node, double g, bool in_sight);
    void tell(TraceEventKind kind, std::uint32_t node) const;

    ThetaTask task_{};
    double least_ = 1.0;  ///< rate
    Vec3 metric_{1, 1, 1};
    NodePool pool_;
    HeapOpen open_;
    Array<std::uint32_t> chain_;
    std::uint64_t goal_key_ = 0;
    double best_ = 0.0;  ///< length of the best way to the goal
    std::uint32_t best_node_ = kNoNode;
    bool best_in_sight_ = false;
    std::uint32_t nearest_ = 0;  ///< opened, to the goal
    double nearest_away_ = 0.0;
    std::uint64_t expanded_ = 0;
    std::uint64_t generated_ = 0;
    std::uint64_t peak_ = 0;
    std::uint64_t digest_ = 0;
};

}  // namespace fairlead::volume
