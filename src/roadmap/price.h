// What edges cost one query, and what its walls let through.
#pragma once

#include <fairlead/roadmap/query.h>

#include "roadmap/state.h"
#include "roadmap/walls.h"

namespace fairlead::roadmap {

/// The costs of edges under a filter.
struct Prices {
    const RoadmapState* state = nullptr;
    EdgeFilter filter{};
    double width = 0.0;  ///< of the body: narrower roads are closed to it

    [[nodiscard]] bool too_narrow(const RoadmapArc& arc) const {
        const RoadSet* roads = state->data().roads;
        return roads != nullptr && roads->widths && !arc.link && roads->kinds[arc.kind].width < width;
    }

    /// Infinite where the edge is closed.
    [[nodiscard]] double of(std::uint32_t slot, const RoadmapArc& arc) const {
        if ((arc.flags & filter.blocked_flags) != 0 || too_narrow(arc)) return kInfinity;
        double cost = arc.cost;
        if (!filter.kinds.empty()) {
            const double factor = filter.kinds.factor(arc.kind);
            if (!(factor > 0.0)) return kInfinity;
            cost *= factor;
        }
        if (filter.factor != nullptr) {
            const double factor = filter.factor(*state, {slot}, arc, filter.user);
            if (!(factor >= filter.factor_min && factor <= EdgeFilter::kFactorMax)) return kInfinity;
            cost *= factor;
        }
        return cost;
    }

    /// The least and the largest factor that an edge of this state can have; 1 and 1 where all kinds are
    /// closed.
    struct Range {
        double low = 1.0;
        double high = 1.0;
    };
    [[nodiscard]] Range range() const;
};

/// The walls of the roadmap and those of the user together, for one body.
struct Sight {
    const WallSet* walls = nullptr;
    SightQuery user{};
    double radius = 0.0;

    [[nodiscard]] bool known() const { return walls != nullptr || user.clear != nullptr; }
    [[nodiscard]] bool clear(Vec3 a, Vec3 b) const {
        if (walls != nullptr && !walls_clear(*walls, ground(a), ground(b), radius)) return false;
        return user.clear == nullptr || user.clear(a, b, radius, user.user);
    }
};

}  // namespace fairlead::roadmap
