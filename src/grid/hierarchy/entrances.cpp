#include "grid/hierarchy/entrances.h"

#include <bit>

#include "grid/block.h"

namespace fairlead::grid {

namespace {

constexpr std::int32_t kBorderRunsMax = 4;  // more are thinned
constexpr std::int32_t kHalfBorder = kClusterSide / 2;

// The two columns or rows of cells on either side of a border.
struct BorderLines {
    std::int32_t line_a = 0;
    std::int32_t line_b = 0;
    std::int32_t word = 0;
    bool columns = false;

    [[nodiscard]] Cell cell(std::int32_t line, std::int32_t at, std::int32_t layer) const {
        const std::int32_t along = word * kClusterSide + at;
        return columns ? Cell{line, along, layer} : Cell{along, line, layer};
    }
};

// What a run joins.
struct Joins {
    std::uint32_t label_a = 0;
    std::uint32_t label_b = 0;
    std::int32_t half = 0;
    std::int32_t off = 0;  // from the middle of its half, in half cells
    std::uint8_t at = 0;

    [[nodiscard]] bool same(const Joins& o) const {
        return label_a == o.label_a && label_b == o.label_b && half == o.half;
    }
};

Joins joins_of(const BlockTree& tree, const BorderLines& border, std::int32_t layer, std::uint8_t at) {
    const Cell a = border.cell(border.line_a, at, layer);
    const Cell b = border.cell(border.line_b, at, layer);
    Joins j;
    j.label_a = tree.leaf_label(a.x, a.y, layer);
    j.label_b = tree.leaf_label(b.x, b.y, layer);
    j.half = at / kHalfBorder;
    const std::int32_t off = 2 * (at - j.half * kHalfBorder) + 1 - kHalfBorder;
    j.off = off < 0 ? -off : off;
    j.at = at;
    return j;
}

void thin(const BlockTree& tree, const BorderLines& border, std::int32_t layer, BorderNodes& nodes) {
    Joins kept[kBorderNodesMax];
    std::int32_t count = 0;
    for (std::int32_t i = 0; i < nodes.count; ++i) {
        const Joins joins = joins_of(tree, border, layer, nodes.at[i]);
        std::int32_t k = 0;
        while (k < count && !kept[k].same(joins)) ++k;
        if (k == count) {
            kept[count++] = joins;
        } else if (joins.off < kept[k].off) {
            kept[k] = joins;
        }
    }
    std::uint64_t chosen = 0;
    for (std::int32_t k = 0; k < count; ++k) chosen |= std::uint64_t{1} << kept[k].at;
    nodes.count = 0;
    for (; chosen != 0; chosen &= chosen - 1)
        nodes.at[nodes.count++] = static_cast<std::uint8_t>(std::countr_zero(chosen));
}

}  // namespace

bool cluster_beyond(const StateData& state, const ClusterGrid& grid, std::int32_t side, std::int32_t& x,
                    std::int32_t& y) {
    x += side_dx(side);
    y += side_dy(side);
    if (state.wrap_x) x = wrapped(x, grid.across);
    if (state.wrap_y) y = wrapped(y, grid.down);
    return grid.inside(x, y);
}

BorderNodes border_nodes(const StateData& state, const Body& body, std::int32_t layer, std::int32_t x,
                         std::int32_t y, std::int32_t side) {
    const ClusterGrid grid = ClusterGrid::of(state, body, 0, layer);
    std::int32_t to_x = x, to_y = y;
    if (!grid.inside(x, y) || !cluster_beyond(state, grid, side, to_x, to_y)) return {};
    BorderLines border;
    border.columns = side == kEastSide;
    const std::int32_t from = border.columns ? x : y;
    const std::int32_t to = border.columns ? to_x : to_y;
    const std::int32_t size = border.columns ? state.width : state.height;
    border.word = border.columns ? y : x;
    border.line_a = (from + 1) * kClusterSide < size ? (from + 1) * kClusterSide - 1 : size - 1;
    border.line_b = to * kClusterSide;
    const Lines lines = border.columns ? state.col_lines(body, layer) : state.row_lines(body, layer);
    std::uint64_t open = lines.line(border.line_a)[border.word] & lines.line(border.line_b)[border.word];
    BorderNodes nodes;
    while (open != 0) {
        const std::int32_t low = std::countr_zero(open);
        const std::int32_t size_of_run = std::countr_one(open >> low);
        nodes.at[nodes.count++] = static_cast<std::uint8_t>(low + size_of_run / 2);
        open = low + size_of_run < kClusterSide ? open >> (low + size_of_run) << (low + size_of_run) : 0;
    }
    if (nodes.count > kBorderRunsMax) thin(BlockTree::of(state, body), border, layer, nodes);
    return nodes;
}

}  // namespace fairlead::grid
