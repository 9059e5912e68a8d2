// The borders of the label map as a planar graph: unit edges between columns, vertices at corners of columns, chains between
// nodes.
#pragma once

#include "mesh_bake/layers.h"

namespace fairlead::bake {

/// What lies to the right of an edge, if not a label: nothing, or the tile in direction 0 .. 3.
inline constexpr std::uint32_t kWall = 0xffffffffU;
inline constexpr std::uint32_t kBorder = 0xfffffff0U;
inline constexpr bool is_border(std::uint32_t label) { return label >= kBorder && label < kBorder + 4; }

/// A side of a column, directed so that `left` is on its left.
struct UnitEdge {
    std::uint32_t from = 0;  ///< corner, later vertex
    std::uint32_t to = 0;
    std::uint32_t left = 0;       ///< label
    std::uint32_t right = 0;      ///< label, kWall or kBorder + direction
    std::uint32_t floor = 0;      ///< on its left
    std::uint32_t other = kNone;  ///< on its right, where `right` is a label
    std::uint32_t chain = kNone;  ///< that it is part of
    std::uint8_t side = 0;  ///< of the column that it was found from: the direction that one looks over it
    bool open = false;      ///< one can step over it
};

struct BorderVertex {
    std::int32_t x = 0;  ///< cells from the interior's low corner
    std::int32_t y = 0;
    std::uint32_t first = 0;  ///< its ends of edges: ends[first .. first + count)
    std::uint32_t count = 0;
    std::uint32_t chain = kNone;  ///< that it is inside of
    std::uint32_t place = 0;      ///< of the chain's points
    double z = 0.0;               ///< cell heights; of those with `turn`
    bool node = false;            ///< chains end here
    bool turn = false;            ///< the border bends here, or it is a node
    bool split =
        false;  ///< floors of different heights meet here, and one cannot go round from one to the other
};

/// The floors around a corner that one can go round on.
struct CornerFloors {
    std::uint32_t floors[16];
    std::uint32_t count = 0;

    /// Those around the vertex that are linked to `floor`.
    CornerFloors(const Floors& f, const CellBox& interior, const BorderVertex& v, std::uint32_t floor);
    [[nodiscard]] bool holds(std::uint32_t floor) const;
    /// The mean of their heights.
    [[nodiscard]] double height(const Floors& f) const;
};

/// Points of a chain: nodes and bends, first and last included; those of a loop are the same.
struct Chain {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    bool open = false;
    bool loop = false;
};

struct Borders {
    explicit Borders(const Allocator& a)
        : edges(a), ends(a), vertices(a), vertex_of_corner(a), chains(a), points(a) {}

    std::int32_t width = 0;  ///< of the interior, in columns
    std::int32_t height = 0;
    Array<UnitEdge> edges;
    Array<std::uint32_t> ends;  ///< 2 x edge, + 1 where it arrives
    Array<BorderVertex> vertices;
    Array<std::uint32_t> vertex_of_corner;  ///< vertices at corner i: [i] .. [i + 1]
    Array<Chain> chains;
    Array<std::uint32_t> points;

    [[nodiscard]] std::size_t corner(std::int64_t x, std::int64_t y) const {
        return static_cast<std::size_t>(y * (width + 1) + x);
    }
    /// Whether the vertex is on the border of this layer.
    [[nodiscard]] bool touches(const BorderVertex& v, std::uint32_t layer) const {
        for (std::uint32_t i = v.first; i < v.first + v.count; ++i) {
            const UnitEdge& e = edges[ends[i] >> 1];
            if (layer_of(e.left) == layer || (is_label(e.right) && layer_of(e.right) == layer)) return true;
        }
        return false;
    }
};

[[nodiscard]] Result<void> find_edges(const CellBox& interior, const Floors& floors, const Layers& layers,
                                      Borders& out);
[[nodiscard]] Result<void> join_edges(const Settings& settings, const CellBox& interior, const Floors& floors,
                                      Borders& out);
[[nodiscard]] Result<void> trace_chains(Borders& out);

/// A piece of a simplified chain.
struct Segment {
    std::uint32_t from = 0;  ///< vertex
    std::uint32_t to = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t chain = 0;
    bool open = false;
};

/// Straightens every chain within the edge error. No two pieces cross or touch but at common ends, and none passes a
/// vertex of the label map on the other side than the cells do.
[[nodiscard]] Result<void> simplify_chains(const Settings& settings, const Borders& borders,
                                           Array<Segment>& out);

}  // namespace fairlead::bake
