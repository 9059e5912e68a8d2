#include "mesh/data/stitch.h"

#include <algorithm>
#include <cmath>

#include "mesh/data/corner.h"

namespace fairlead::mesh {

namespace {

struct BorderSpan {
    const std::uint32_t* edges = nullptr;
    std::uint32_t count = 0;
};

BorderSpan border_of(const Tile& tile, Side side) {
    const auto which = static_cast<std::uint32_t>(side);
    const std::uint32_t* first = tile.borders();
    for (std::uint32_t i = 0; i < which; ++i) first += tile.count.border[i];
    return {first, tile.count.border[which]};
}

// Where a side on the border begins, measured along the border.
double along(const Tile& tile, std::uint32_t edge, bool vertical) {
    const Vec2 a = tile.edges()[edge].from, b = tile.to(edge);
    return vertical ? std::min(a.y, b.y) : std::min(a.x, b.x);
}

// How far apart in height two sides are that run the same way in opposite directions; infinite if they do not.
double height_gap(const Tile& a, std::uint32_t e, const Tile& b, std::uint32_t f) {
    if (!(a.edges()[e].from == b.to(f)) || !(a.to(e) == b.edges()[f].from)) return kMeshSpan * 4.0;
    const double first = std::fabs(a.height(e) - b.height(b.next(f)));
    const double second = std::fabs(a.height(a.next(e)) - b.height(f));
    return std::max(first, second);
}

void clear_side(Tile& tile, const BorderSpan& border) {
    for (std::uint32_t i = 0; i < border.count; ++i) tile.edges()[border.edges[i]].twin = kNone;
}

// Joins the sides of `tile` on one side to those of its neighbour. Both lists are ordered along the border.
void join_side(StateData& draft, std::uint32_t slot, Side side, std::uint32_t other_slot, Side other_side) {
    Tile& a = *draft.tiles[slot].tile;
    Tile& b = *draft.tiles[other_slot].tile;
    const BorderSpan mine = border_of(a, side), theirs = border_of(b, other_side);
    clear_side(a, mine);
    clear_side(b, theirs);
    const bool vertical = side == Side::low_x || side == Side::high_x;
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < mine.count; ++i) {
        const std::uint32_t e = mine.edges[i];
        const double at = along(a, e, vertical);
        while (first < theirs.count && along(b, theirs.edges[first], vertical) < at) ++first;
        std::uint32_t best = kNone;
        double least = draft.step_height;
        for (std::uint32_t k = first; k < theirs.count && along(b, theirs.edges[k], vertical) == at; ++k) {
            const std::uint32_t f = theirs.edges[k];
            if (b.edges()[f].twin != kNone) continue;
            const double gap = height_gap(a, e, b, f);
            if (gap <= least && (best == kNone || gap < least)) {
                best = f;
                least = gap;
            }
        }
        if (best == kNone) continue;
        a.edges()[e].twin = draft.ref(other_slot, best);
        b.edges()[best].twin = draft.ref(slot, e);
    }
}

/// A square of the raster.
struct Square {
    Aabb box{};
    [[nodiscard]] bool has_on_border(Vec2 p) const {
        return box.contains(p) &&
               (p.x == box.low.x || p.x == box.high.x || p.y == box.low.y || p.y == box.high.y);
    }
};

Square square_at(const StateData& draft, TilePlace at) { return {tile_square(at.x, at.y, draft.tile_size)}; }

// The corners of one tile that lie on the border of a square.
void find_border_corners(StateData& draft, std::uint32_t slot, const Square& square) {
    Tile& tile = *draft.tiles[slot].tile;
    for (std::uint32_t i = 0; i < tile.count.corners; ++i) {
        const std::uint32_t wall = tile.corner_walls()[i];
        const MeshEdge& edge = tile.edges()[wall];
        if (edge.twin != kNone || !square.has_on_border(edge.from)) continue;
        const EdgeRef first = draft.ref(slot, wall);
        if (!bends_from(draft, first, 0)) continue;
        for (EdgeRef e = first; e != kNone; e = draft.edge(draft.previous(e)).twin) {
            draft.tile_of(e).tile->edges()[draft.local(e)].corner = draft.ref(slot, i);
        }
    }
}

}  // namespace

void stitch_all(StateData& draft) {
    if (draft.tile_size <= 0.0) return;
    for (const std::uint32_t slot : draft.order) {
        const Tile& tile = *draft.tiles[slot].tile;
        const std::uint32_t right = draft.find_tile(tile.x + 1, tile.y);
        const std::uint32_t above = draft.find_tile(tile.x, tile.y + 1);
        if (right != kNone) join_side(draft, slot, Side::high_x, right, Side::low_x);
        if (above != kNone) join_side(draft, slot, Side::high_y, above, Side::low_y);
    }
    for (const std::uint32_t slot : draft.order) {
        const Tile& tile = *draft.tiles[slot].tile;
        find_border_corners(draft, slot, square_at(draft, {tile.x, tile.y}));
    }
}

void stitch_around(StateData& draft, TilePlace place) {
    struct Step {
        std::int32_t x, y;
        Side side, other;
    };
    constexpr Step kSteps[] = {{-1, 0, Side::low_x, Side::high_x},
                               {1, 0, Side::high_x, Side::low_x},
                               {0, -1, Side::low_y, Side::high_y},
                               {0, 1, Side::high_y, Side::low_y}};
    const std::uint32_t slot = draft.find_tile(place.x, place.y);
    for (const Step& step : kSteps) {
        const std::uint32_t other = draft.find_tile(place.x + step.x, place.y + step.y);
        if (slot != kNone && other != kNone) {
            join_side(draft, slot, step.side, other, step.other);
        } else if (other != kNone) {
            clear_side(*draft.tiles[other].tile, border_of(*draft.tiles[other].tile, step.other));
        } else if (slot != kNone) {
            clear_side(*draft.tiles[slot].tile, border_of(*draft.tiles[slot].tile, step.side));
        }
    }
}

void find_corners_around(StateData& draft, TilePlace place) {
    const Square square = square_at(draft, place);
    std::uint32_t slots[9];
    std::size_t count = 0;
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::uint32_t slot = draft.find_tile(place.x + dx, place.y + dy);
            if (slot != kNone) slots[count++] = slot;
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        Tile& tile = *draft.tiles[slots[i]].tile;
        for (std::uint32_t e = 0; e < tile.count.edges; ++e) {
            if (square.has_on_border(tile.edges()[e].from)) tile.edges()[e].corner = kNone;
        }
    }
    for (std::size_t i = 0; i < count; ++i) find_border_corners(draft, slots[i], square);
}

void number_tiles(StateData& draft) {
    draft.parts = draft.corners = draft.polygons = 0;
    for (const std::uint32_t slot : draft.order) {
        const TileSummary& tile = draft.summaries[slot];
        draft.tiles[slot].part_first = draft.parts;
        draft.tiles[slot].corner_first = draft.corners;
        draft.parts += tile.parts;
        draft.corners += tile.corners;
        draft.polygons += tile.polygons;
    }
}

void bound_tiles(StateData& draft) {
    draft.box = {{kMeshSpan, kMeshSpan}, {-kMeshSpan, -kMeshSpan}};
    for (const std::uint32_t slot : draft.order) include(draft.box, draft.tiles[slot].tile->box);
}

}  // namespace fairlead::mesh
