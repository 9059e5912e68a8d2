// Attaching a point to the net (technique W2): by straight segments, clear of walls, to the nearest waypoints
// and points of edges.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "roadmap/nearest.h"
#include "roadmap/price.h"

namespace fairlead::roadmap {

/// One way between a point and a waypoint of the net. For a start: straight to `position`, then along the arc
/// to `slot`. For a goal: from `slot` along the arc to `position`, then straight.
struct Attachment {
    std::uint32_t slot = kNoSlot;   ///< where the net is entered or left
    std::uint32_t owner = kNoSlot;  ///< the arc's first waypoint; `slot` itself where there is no arc
    std::uint32_t arc = kNoSlot;    ///< its index there; kNoSlot: straight to the waypoint
    std::uint32_t point = 0;        ///< which of the goals
    double t = 0.0;                 ///< where on the arc
    double off = 0.0;               ///< price of the part off the net
    double cost = 0.0;              ///< with the part along the arc
    Vec3 position{};

    [[nodiscard]] bool on_arc() const { return arc != kNoSlot; }
};

/// What of a query concerns attaching.
struct AttachRules {
    Prices prices{};
    Sight sight{};
    bool check_edges = false;
    double off_net_cost = 1.0;
    double range = kInfinity;
    std::uint32_t places = 8;
    std::uint32_t tests = 1024;
};

/// Attaches one point at a time, in slices.
class Attacher {
  public:
    explicit Attacher(const Allocator& allocator) : walk_(allocator) {}

    enum class Side : std::uint8_t { start, goal };
    /// False: out of memory.
    [[nodiscard]] bool begin(const AttachRules& rules, Vec3 at, std::uint32_t point, Side side);

    enum class Progress : std::uint8_t { running, done, no_memory };
    /// Opens a box or tests a place for each unit of `budget`; takes what it uses off. What is found is added
    /// to `out`.
    [[nodiscard]] Progress step(std::uint64_t& budget, Array<Attachment>& out);

  private:
    [[nodiscard]] bool stop_before(const NearPlace& place) const;
    [[nodiscard]] bool in_sight(const NearPlace& place);
    [[nodiscard]] Attachment make(const NearPlace& place) const;

    NearestWalk walk_;
    AttachRules rules_{};
    Vec3 at_{};
    Side side_ = Side::start;
    std::uint32_t point_ = 0;
    double slack_squared_ = 0.0;  ///< what is no further than this is on the net
    double nearest_ = kInfinity;  ///< distance squared of the first place
    std::uint32_t tested_ = 0;
    std::uint32_t places_ = 0;  ///< different positions attached to
    bool last_clear_ = false;
    bool any_tested_ = false;
    bool any_attached_ = false;
    Vec3 last_tested_{};
    Vec3 last_attached_{};
};

}  // namespace fairlead::roadmap
