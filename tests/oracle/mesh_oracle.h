// Shortest paths on a mesh by a visibility graph: every corner of every polygon against every other, Dijkstra over all.
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

    /// Length of the shortest path; infinite if there is none.
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
    std::vector<std::vector<double>> lengths_;  ///< between nodes that see each other; infinite if not
};

}  // namespace fairlead::testing
