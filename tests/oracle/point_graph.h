// Dijkstra's algorithm over points that see each other, for oracles of a few hundred points.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::testing {

/// The node to look at next: the nearest that is not closed; the number of nodes if there is none that is known.
[[nodiscard]] inline std::size_t nearest_open(const std::vector<double>& known,
                                              const std::vector<bool>& closed) {
    std::size_t best = known.size();
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (!closed[i] && !std::isinf(known[i]) && (best == known.size() || known[i] < known[best])) best = i;
    }
    return best;
}

/// From the first to the second of the points, from point to point where clear(a, b), given their numbers. Infinite: there is no way.
template <class Clear>
[[nodiscard]] double shortest_between(const std::vector<Vec2>& nodes, Clear clear) {
    std::vector<double> known(nodes.size(), INFINITY);
    std::vector<bool> closed(nodes.size());
    known[0] = 0.0;
    for (;;) {
        const std::size_t best = nearest_open(known, closed);
        if (best == nodes.size() || best == 1) return known[1];
        closed[best] = true;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const double there = known[best] + distance(nodes[best], nodes[i]);
            if (!closed[i] && there < known[i] && clear(best, i)) known[i] = there;
        }
    }
}

/// The same with clear(a, b) given the points.
template <class Clear>
[[nodiscard]] double shortest_in_sight(const std::vector<Vec2>& nodes, Clear clear) {
    return shortest_between(nodes, [&](std::size_t a, std::size_t b) { return clear(nodes[a], nodes[b]); });
}

}  // namespace fairlead::testing
