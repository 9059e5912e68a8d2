// The roadmap driver's model: waypoints and one-way arcs as lists, and plain answers about them. No code of the library's.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include <fairlead/roadmap/query.h>

namespace fairlead::simulate {

struct NetModel {
    struct Arc {
        std::int64_t from = 0;
        std::int64_t to = 0;
        WaypointEdge edge{};
    };
    std::map<std::int64_t, Vec3> nodes;
    std::vector<Arc> arcs;

    void add(const WaypointEdge& edge) {
        arcs.push_back({edge.from.value, edge.to.value, edge});
        if (!edge.one_way) arcs.push_back({edge.to.value, edge.from.value, edge});
    }
    [[nodiscard]] static bool named(const Arc& arc, const WaypointEdge& edge) {
        const std::int64_t a = edge.from.value;
        const std::int64_t b = edge.to.value;
        const bool there = arc.from == a && arc.to == b;
        const bool back = arc.from == b && arc.to == a && !edge.one_way;
        return (there || back) && arc.edge.label == edge.label;
    }
    void change(const WaypointEdge& edge) {
        for (Arc& arc : arcs) {
            if (named(arc, edge)) arc.edge = edge;
        }
    }
    void remove(const WaypointEdge& edge) {
        std::erase_if(arcs, [&](const Arc& arc) { return named(arc, edge); });
    }
    void remove_node(std::int64_t id) {
        nodes.erase(id);
        std::erase_if(arcs, [&](const Arc& arc) { return arc.from == id || arc.to == id; });
    }

    /// Least cost from a waypoint to all others, by going over all arcs until nothing changes (Bellman & Ford).
    [[nodiscard]] std::map<std::int64_t, double> costs_from(std::int64_t start,
                                                            const EdgeFilter& filter) const {
        std::map<std::int64_t, double> best{{start, 0.0}};
        for (bool more = true; more;) {
            more = false;
            for (const Arc& arc : arcs) {
                const auto at = best.find(arc.from);
                const double factor =
                    filter.kinds.factors.empty() ? 1.0 : filter.kinds.factors[arc.edge.kind];
                if (at == best.end() || (arc.edge.flags & filter.blocked_flags) != 0 || factor == 0.0)
                    continue;
                const double cost = at->second + factor * cost_of(arc);
                const auto [known, added] = best.try_emplace(arc.to, cost);
                more = more || added || cost < known->second;
                known->second = std::min(known->second, cost);
            }
        }
        return best;
    }

  private:
    [[nodiscard]] double cost_of(const Arc& arc) const {
        if (arc.edge.cost != kStraightCost) return arc.edge.cost;
        const Vec3 d = nodes.at(arc.to) - nodes.at(arc.from);
        return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    }
};

}  // namespace fairlead::simulate
