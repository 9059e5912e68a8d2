// Shortest paths on a mesh by a visibility graph: every corner of every polygon against every other, Dijkstra over all.
// Links are more nodes: an entry and an exit, and what it costs between them. A wide link is many narrow ones side by side.
// Slow and plain; shares nothing with the library but Vec2. Vertices and points must be whole numbers up to 1000, so
// that everything is exact in 64-bit integers.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::testing {

struct OracleMesh {
    std::vector<Vec2> vertices;
    std::vector<std::vector<std::uint32_t>> polygons;  ///< counter-clockwise, convex
};

class MeshOracle {
  public:
    explicit MeshOracle(OracleMesh mesh);

    struct Point {
        Vec2 at{};
        std::uint32_t polygon = 0;
    };

    /// A way from one point to another, one way only.
    struct Jump {
        Point from{};
        Point to{};
        double cost = 0.0;
    };
    /// The links that count from now on.
    void set_links(std::vector<Jump> jumps);

    /// Length of the shortest path, costs of links included; infinite if there is none.
    [[nodiscard]] double shortest(const Point& from, const Point& to) const;

    /// Can it be seen along the surface? Walks polygon by polygon over shared sides.
    [[nodiscard]] bool sees(const Point& from, const Point& to) const;

  private:
    struct Node {
        Vec2 at{};
        std::vector<std::uint32_t> fan;  ///< polygons around the vertex that hang together there
    };
    [[nodiscard]] bool sees(Vec2 a, const std::vector<std::uint32_t>& around_a, Vec2 b,
                            const std::vector<std::uint32_t>& around_b) const;
    [[nodiscard]] std::vector<std::uint32_t> around(const Point& point) const;
    void find_fans();

    OracleMesh mesh_;
    std::vector<std::vector<std::int64_t>> across_;  ///< by polygon and side: the polygon beyond it, or -1
    std::vector<Node> nodes_;
    std::vector<Jump> jumps_;
    std::vector<Point> ends_;                         ///< of the jumps: entry, exit, entry, exit
    std::vector<std::vector<std::uint32_t>> around_;  ///< ends_
    std::vector<std::vector<double>> to_ends_;        ///< by node and end; then by end and end
    std::vector<std::vector<double>> lengths_;        ///< between nodes that see each other; infinite if not
};

}  // namespace fairlead::testing
