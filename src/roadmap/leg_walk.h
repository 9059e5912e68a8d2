// LegWalk: walks a route over a roadmap again, leg by leg, to see whether it can still be walked and what it costs.
//
// Legs do not say which edge they run along, and several waypoints may lie in one place. So the walk keeps, for the
// place between two legs, every spot of the net that lies there, and the least cost of having arrived on it. A leg
// leads from the spots of its start to those of its end, along edges and links; a leg that leads nowhere is bad. Legs
// shorter than rounding are not written into routes: edges between waypoints in one place are passed without a leg.
#pragma once

#include <fairlead/roadmap/leg_names.h>
#include <fairlead/roadmap/query.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>

#include "roadmap/nearest.h"
#include "roadmap/price.h"

namespace fairlead::roadmap {

class LegWalk {
  public:
    explicit LegWalk(const Allocator& allocator)
        : near_(allocator),
          here_(allocator),
          there_(allocator),
          reached_(allocator),
          seen_(allocator),
          seen_first_(allocator) {}

    /// A route, as legs and end. `partial`: it ends on the net.
    struct Way {
        std::span<const Leg> legs{};
        Place end{};
        bool partial = false;
        std::uint64_t revision = 0;  ///< on which it was legal, where not all is looked at

        [[nodiscard]] Vec3 joint(std::size_t i) const {
            return i < legs.size() ? legs[i].start.position : end.position;
        }
    };
    /// False: out of memory. The query has been checked but for its places. `changed`: as revalidate has it.
    [[nodiscard]] bool run(const RoadmapState& state, const RoadmapQuery& query, const Way& way,
                           const Aabb* changed);

    /// The same, and what each leg runs along (leg_names.h), for as many legs as there are. False: out of memory.
    [[nodiscard]] bool run_naming(const RoadmapState& state, const RoadmapQuery& query, const Way& way,
                                  std::span<RoadmapLeg> names);

    [[nodiscard]] const Revalidation& found() const { return found_; }
    /// Of a legal route; infinite where it has no legs and leads along no edges.
    [[nodiscard]] double cost() const { return cost_; }
    /// A waypoint at the place before leg i (i = their number: at the end) that the walk arrived at; kNoSlot: none. Of a route with legs.
    [[nodiscard]] std::uint32_t waypoint_before(std::size_t i) const { return reached_[i]; }

  private:
    struct NetSpot {
        std::uint32_t slot = kNoSlot;  ///< the waypoint, or the one that the arc comes from
        std::uint32_t arc = kNoSlot;
        double t = 0.0;
        double cost = kInfinity;  ///< of having arrived; infinite: not arrived
        std::uint32_t before =
            kNoSlot;  ///< from which spot, of those before the leg or of the same place; kNoSlot: from none
        bool here = false;  ///< of the same place

        [[nodiscard]] bool on_arc() const { return arc != kNoSlot; }
    };

    [[nodiscard]] bool find_spots(Vec3 at, Array<NetSpot>& out);
    [[nodiscard]] std::uint32_t bound_waypoint(const Spot& place, Vec3 at) const;
    [[nodiscard]] std::uint32_t bound_end() const;
    /// May a route end on this spot of its last place? `bound`: bound_end().
    [[nodiscard]] bool may_end_on(const NetSpot& spot, std::uint32_t bound) const;
    [[nodiscard]] bool start();
    [[nodiscard]] bool stand();
    [[nodiscard]] bool pass(std::size_t i);
    void bad(std::size_t i);

    [[nodiscard]] bool relax(std::span<const NetSpot> from, std::span<NetSpot> to, const Leg& leg,
                             bool clear) const;
    [[nodiscard]] double step(const NetSpot& from, const NetSpot& to, const Leg& leg) const;
    void close(Array<NetSpot>& spots) const;
    [[nodiscard]] bool clear(Vec3 a, Vec3 b) const;
    [[nodiscard]] bool clear_off_net(Vec3 a, Vec3 b) const;
    [[nodiscard]] double off_net(Vec3 a, Vec3 b) const;
    [[nodiscard]] double leave(std::size_t i, std::span<const NetSpot> from) const;
    [[nodiscard]] bool keep(std::span<const NetSpot> spots);
    [[nodiscard]] std::span<const NetSpot> kept(std::size_t joint) const;
    [[nodiscard]] RoadmapLeg name(const NetSpot& from, const NetSpot& to, const Leg& leg) const;

    RoadmapState state_{};
    RoadmapQuery query_{};
    Prices prices_{};
    Sight sight_{};
    Way way_{};
    const Aabb* changed_ = nullptr;
    double slack_ = 0.0;
    NearestWalk near_;
    Array<NetSpot> here_;
    Array<NetSpot> there_;
    Array<std::uint32_t> reached_;
    std::uint32_t start_slot_ = kNoSlot;  ///< the query's start is this waypoint
    Revalidation found_{};
    double cost_ = 0.0;
    bool keeps_ = false;                ///< the spots of all joints, one joint behind the other
    std::uint32_t end_slot_ = kNoSlot;  ///< the query's goal is this waypoint
    bool ends_off_ = false;             ///< the last leg leaves the net
    Array<NetSpot> seen_;
    Array<std::size_t> seen_first_;
};

}  // namespace fairlead::roadmap
