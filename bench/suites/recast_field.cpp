#ifdef FAIRLEAD_HAVE_RECAST

#include "suites/recast_field.h"

#include <algorithm>
#include <cmath>

namespace fairlead::bench::recast {

namespace {

void add_vertices(const BenchLevel& level, Input& input) {
    for (const Vec3& p : level.file.vertices) {
        for (const double value : {p.x, p.z, -p.y}) input.vertices.push_back(static_cast<float>(value));
    }
    rcCalcBounds(input.vertices.data(), input.vertex_count(), input.low, input.high);
}

Piece piece_at(const Input& input, int x, int y, int tile_cells) {
    Piece piece{x, y, 0, 0, {}, {}, {}};
    rcVcopy(piece.low, input.low);
    rcVcopy(piece.high, input.high);
    if (tile_cells == 0) {
        rcCalcGridSize(piece.low, piece.high, kCell, &piece.width, &piece.height);
        return piece;
    }
    const float rim = static_cast<float>(input.border) * kCell;
    piece.low[0] += static_cast<float>(x) * input.tile_size - rim;
    piece.low[2] += static_cast<float>(y) * input.tile_size - rim;
    piece.high[0] = piece.low[0] + input.tile_size + 2 * rim;
    piece.high[2] = piece.low[2] + input.tile_size + 2 * rim;
    piece.width = piece.height = tile_cells + 2 * input.border;
    return piece;
}

/// Hands each triangle to the pieces whose box its own box meets.
void share_out(const BenchLevel& level, Input& input) {
    for (std::size_t i = 0; i < level.file.triangles.size(); i += 3) {
        const std::uint32_t* corners = &level.file.triangles[i];
        float low[3], high[3];
        rcVcopy(low, &input.vertices[3 * corners[0]]);
        rcVcopy(high, low);
        for (int k = 1; k < 3; ++k) {
            rcVmin(low, &input.vertices[3 * corners[k]]);
            rcVmax(high, &input.vertices[3 * corners[k]]);
        }
        const float rim = static_cast<float>(input.border + 1) * kCell;
        const auto tile = [&](float at, int axis, int most) {
            if (input.tile_size <= 0.0F) return 0;
            return std::clamp(static_cast<int>(std::floor((at - input.low[axis]) / input.tile_size)), 0,
                              most - 1);
        };
        for (int y = tile(low[2] - rim, 2, input.down); y <= tile(high[2] + rim, 2, input.down); ++y) {
            for (int x = tile(low[0] - rim, 0, input.across); x <= tile(high[0] + rim, 0, input.across);
                 ++x) {
                std::vector<int>& list =
                    input.pieces[static_cast<std::size_t>(y * input.across + x)].triangles;
                for (int k = 0; k < 3; ++k) list.push_back(static_cast<int>(corners[k]));
            }
        }
    }
}

}  // namespace

Input::Input(const BenchLevel& level, int tile_cells, int border_cells)
    : border(tile_cells == 0 ? 0 : border_cells), tile_size(static_cast<float>(tile_cells) * kCell) {
    add_vertices(level, *this);
    if (tile_cells > 0) {
        int width = 0, height = 0;
        rcCalcGridSize(low, high, kCell, &width, &height);
        across = (width + tile_cells - 1) / tile_cells;
        down = (height + tile_cells - 1) / tile_cells;
    }
    for (int y = 0; y < down; ++y) {
        for (int x = 0; x < across; ++x) pieces.push_back(piece_at(*this, x, y, tile_cells));
    }
    share_out(level, *this);
}

Compact walkable_field(Input& input, const Piece& piece) {
    const int count = static_cast<int>(piece.triangles.size() / 3);
    if (count == 0) return nullptr;
    Heightfield solid{rcAllocHeightfield()};
    if (!rcCreateHeightfield(&input.context, *solid, piece.width, piece.height, piece.low, piece.high, kCell,
                             kCellHeight))
        return nullptr;
    std::vector<unsigned char> areas(static_cast<std::size_t>(count), 0);
    rcMarkWalkableTriangles(&input.context, kSlope, input.vertices.data(), input.vertex_count(),
                            piece.triangles.data(), count, areas.data());
    if (!rcRasterizeTriangles(&input.context, input.vertices.data(), input.vertex_count(),
                              piece.triangles.data(), areas.data(), count, *solid, kClimbCells))
        return nullptr;
    rcFilterLowHangingWalkableObstacles(&input.context, kClimbCells, *solid);
    rcFilterLedgeSpans(&input.context, kHeightCells, kClimbCells, *solid);
    rcFilterWalkableLowHeightSpans(&input.context, kHeightCells, *solid);
    Compact open{rcAllocCompactHeightfield()};
    if (!rcBuildCompactHeightfield(&input.context, kHeightCells, kClimbCells, *solid, *open) ||
        !rcErodeWalkableArea(&input.context, kRadiusCells, *open))
        return nullptr;
    return open;
}

}  // namespace fairlead::bench::recast

#endif
