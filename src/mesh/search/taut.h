// The shortest way of a disc along the way of a point: a band of its width pulled taut. Straight where nothing is in the
// way, arcs round the corners that it touches.
//
// The point's way says on which side each corner near it lies. The band starts as tangents between the circles round the
// corners where the point's way bends. Corners that push into the band are taken in, the deepest first; corners that it
// does not bend round any more are let go; until nothing changes. What lies within its width at the end and was not known
// is taken in as well. The result is the shortest way of the disc that passes all corners on the same side.
//
// Walls count where they are seen: floors may lie above each other, and within the band a way may lead round the end of a wall
// to another floor.
//
// J. Hershberger & J. Snoeyink (1994), "Computing minimum length paths of a given homotopy class"; for discs as in
// D. Demyen (2006), "Efficient triangulation-based pathfinding", with an active set instead of a funnel.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "mesh/data/state.h"
#include "mesh/surface/flood.h"

namespace fairlead::mesh {

/// A corner of a point's way, or one of its ends.
struct WayPoint {
    Vec2 at{};
    double side = 0.0;              ///< where the corner lies: 1 left, -1 right; 0: an end
    std::uint32_t polygon = kNone;  ///< one that holds the point and the way behind it
    double z = 0.0;
    std::uint32_t link = kNone;  ///< the piece through which the way goes on from here
};

/// One piece of the disc's way: an arc round a corner (there may be none) and a straight line.
struct TautPiece {
    Vec2 centre{};
    double side = 0.0;  ///< of the corner; 0: no arc
    double turn = 0.0;  ///< of the arc, >= 0
    Vec2 arc_from{};
    Vec2 from{};  ///< where the arc ends and the straight line begins
    Vec2 to{};
    std::uint32_t arc_polygon = kNone;  ///< at `arc_from`
    std::uint32_t polygon = kNone;      ///< at `from`
};

class TautBand {
  public:
    explicit TautBand(const Allocator& allocator)
        : pieces(allocator), limits_(allocator), nodes_(allocator), flood_(allocator), walls_(allocator) {}

    enum class Outcome : std::uint8_t { done, too_narrow, no_memory };

    Array<TautPiece> pieces;

    /// `way`: start, corners, goal. Walls are those of the mesh and of closed areas. too_narrow: the disc does not fit.
    [[nodiscard]] Outcome pull(const StateData& state, std::span<const WayPoint> way, double radius,
                               double slack, std::uint64_t closed_areas);

  private:
    /// How far along the point's way, as leg and share: a place if it lies beside a leg, a range if it was found beside
    /// the band.
    struct Along {
        double low = 0.0;
        double high = 0.0;
    };
    /// A corner that must stay on its side.
    struct LimitPoint {
        Vec2 at{};
        double side = 0.0;
        Along along{};
        std::uint32_t polygon = kNone;
    };
    struct Node {
        Vec2 at{};
        double side = 0.0;
        Along along{};  ///< neither end of it less than that of the node before
        std::uint32_t polygon = kNone;
        Vec2 in{};          ///< where the band touches first
        Vec2 out{};         ///< and last
        double tilt = 0.0;  ///< of the line behind it, against the line from corner to corner
    };

    [[nodiscard]] bool gather(Vec2 a, Vec2 b, std::uint32_t polygon, double band);
    [[nodiscard]] bool list_limits(std::span<const WayPoint> way);
    [[nodiscard]] bool lay_tangents();
    [[nodiscard]] bool let_go();
    /// A corner that pushes into a straight piece, the one behind a node.
    struct Push {
        std::uint32_t limit = kNone;
        std::size_t piece = 0;
    };
    [[nodiscard]] double depth(const LimitPoint& limit, std::size_t piece) const;
    [[nodiscard]] Push deepest() const;
    [[nodiscard]] bool take_in(const Push& push);
    [[nodiscard]] Outcome settle();
    [[nodiscard]] Outcome check(bool& clear);
    [[nodiscard]] bool same_place(std::uint32_t polygon, std::uint32_t wanted, Vec2 at, bool& same);
    [[nodiscard]] bool sees(Vec2 from, std::uint32_t polygon, EdgeRef wall, Vec2 at, bool& seen);
    [[nodiscard]] bool beside(Vec2 a, Vec2 b, std::uint32_t polygon, EdgeRef wall, Vec2 at, bool& seen);
    [[nodiscard]] bool leads_to(const Node& a, const Node& b, std::uint32_t polygon, bool& there);
    [[nodiscard]] bool pushes_into_arc(const Node& node, EdgeRef wall, bool& pushes);
    [[nodiscard]] Outcome check_line(std::size_t piece, bool& clear);
    [[nodiscard]] bool known_beside(std::size_t piece, Vec2 u, bool& deep) const;
    [[nodiscard]] Outcome check_arc(const Node& node);
    [[nodiscard]] std::uint32_t polygon_at(const Node& node, Vec2 p) const;
    [[nodiscard]] bool write();

    const StateData* state_ = nullptr;
    double radius_ = 0.0;
    double slack_ = 0.0;
    std::uint64_t closed_ = 0;
    Array<LimitPoint> limits_;
    std::size_t settled_ = 0;  ///< of the limits, those that the band knows
    Array<Node> nodes_;
    FloodWork flood_;
    Array<EdgeRef> walls_;
};

}  // namespace fairlead::mesh
