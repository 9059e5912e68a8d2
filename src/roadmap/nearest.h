// NearestWalk: the places of a roadmap around a point, nearest first: waypoints, and points in the middle of
// edges.
//
// A best-first walk down the tree of boxes (Hjaltason & Samet 1999): a box comes up when no known place is
// nearer than the box could hold, and is then opened. Places that are equally far come in an order of their
// ids, so that what is found never depends on how the roadmap is stored. An edge that goes both ways is two
// places at one spot, one per direction, which come one after the other.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "base/least_heap.h"
#include "roadmap/state.h"

namespace fairlead::roadmap {

/// A waypoint, or the point of an arc that is nearest and is not one of its ends.
struct NearPlace {
    std::uint32_t slot = kNoSlot;  ///< the waypoint, or the one that the arc comes from
    std::uint32_t arc = kNoSlot;   ///< index among the arcs of that waypoint; kNoSlot: the waypoint itself
    double t = 0.0;                ///< how far along the arc, in (0, 1)
    Vec3 position{};
    double distance_squared = 0.0;

    [[nodiscard]] bool on_arc() const { return arc != kNoSlot; }
};

/// The point of an arc nearest to p, strictly between its ends; false if that is an end. Both directions of
/// an edge give the same position, bit for bit.
[[nodiscard]] bool foot_on_arc(const StateData& state, std::uint32_t slot, const RoadmapArc& arc, Vec3 p,
                               Vec3& foot, double& t);

class NearestWalk {
  public:
    explicit NearestWalk(const Allocator& allocator) : heap_(allocator) {}

    struct Limits {
        double range = kInfinity;  ///< nothing further away
        bool arcs = true;          ///< edges too (links never)
    };

    /// False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, Vec3 from, const Limits& limits);

    enum class Step : std::uint8_t { opened, place, end, no_memory };
    /// One box opened or one place found.
    [[nodiscard]] Step step(NearPlace& place);
    /// Opens boxes until there is a place.
    [[nodiscard]] Step next(NearPlace& place);

  private:
    struct Entry {
        double distance_squared = 0.0;
        std::int64_t low_id = 0;   ///< boxes: -1, so that they come before places as far as themselves
        std::int64_t high_id = 0;  ///< -1 for waypoints
        std::uint32_t slot = 0;    ///< boxes: the level
        std::uint32_t arc = 0;     ///< boxes: the index
        std::uint32_t turned = 0;  ///< 1: the direction from the higher id to the lower
        std::uint32_t spare = 0;
    };
    [[nodiscard]] static bool before(const Entry& a, const Entry& b);
    [[nodiscard]] bool open_box(std::uint32_t level, std::uint32_t index);
    [[nodiscard]] bool open_chunk(std::uint32_t place);

    const StateData* state_ = nullptr;
    Vec3 from_{};
    Limits limits_{};
    double range_squared_ = kInfinity;
    LeastHeap<Entry, before> heap_;
};

}  // namespace fairlead::roadmap
