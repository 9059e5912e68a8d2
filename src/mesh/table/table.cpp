#include "mesh/table/table.h"

#include <algorithm>
#include <utility>

#include <fairlead/base/digest.h>

namespace fairlead::mesh {

std::size_t TableData::bytes() const {
    return sizeof(TableData) + corner_at.bytes() + corner_wall.bytes() + corner_of.bytes() +
           polygon_first.bytes() + side_first.bytes() + points.bytes() + sight_first.bytes() +
           sights.bytes() + labels.first.bytes() + labels.entries.bytes();
}

bool TableData::number(const StateData& state) {
    if (!polygon_first.resize(state.tiles.size()) || !side_first.resize(state.tiles.size()) ||
        !corner_of.resize(state.corners))
        return false;
    std::fill(corner_of.begin(), corner_of.end(), kNone);
    for (const LinkPiece& piece : state.links.pieces) link_kinds |= std::uint64_t{1} << piece.kind;
    std::uint32_t polygons = 0;
    for (const std::uint32_t slot : state.order) {
        const TileView& view = state.tiles[slot];
        const Tile& tile = *view.tile;
        polygon_first[slot] = polygons;
        side_first[slot] = static_cast<std::uint32_t>(points.size());
        polygons += tile.count.polygons;
        if (!points.reserve(points.size() + tile.count.edges)) return false;
        for (std::uint32_t e = 0; e < tile.count.edges; ++e) {
            if (!points.push_back(view.edges[e].from)) return false;
        }
        for (std::uint32_t i = 0; i < tile.count.polygons; ++i)
            areas |= std::uint64_t{1} << view.polygons[i].area();
        for (std::uint32_t i = 0; i < tile.count.corners; ++i) {
            const EdgeRef wall = state.ref(slot, tile.corner_walls()[i]);
            const MeshEdge& side = state.edge(wall);
            if (side.twin != kNone || side.corner != state.ref(slot, i)) continue;  // on a border, and none
            corner_of[view.corner_first + i] = corners();
            if (!corner_at.push_back(side.from) || !corner_wall.push_back(wall)) return false;
        }
    }
    return true;
}

std::uint64_t TableData::digest() const {
    Digest out;
    for (const Vec2 at : corner_at) {
        out.add(at.x);
        out.add(at.y);
    }
    for (const std::uint32_t first : sight_first) out.add(first);
    for (const Sight& sight : sights) {
        out.add(sight.corner);
        out.add(std::uint64_t{sight.left} << 32 | sight.right);
    }
    for (const std::uint32_t first : labels.first) out.add(first);
    for (const HubEntry& entry : labels.entries) {
        out.add(entry.far);
        out.add(std::uint64_t{entry.hub} << 32 | entry.next);
    }
    return out.value();
}

void TableData::take_numbers(TableData& other) {
    areas = other.areas;
    link_kinds = other.link_kinds;
    corner_at = std::move(other.corner_at);
    corner_wall = std::move(other.corner_wall);
    corner_of = std::move(other.corner_of);
    polygon_first = std::move(other.polygon_first);
    side_first = std::move(other.side_first);
    points = std::move(other.points);
}

std::uint64_t surface_digest(const StateData& state) {
    Digest out;
    out.add(state.corners);
    for (const std::uint32_t slot : state.order) {
        const TileView& view = state.tiles[slot];
        for (std::uint32_t i = 0; i <= view.tile->count.polygons; ++i)
            out.add(std::uint64_t{view.polygons[i].first} << 32 | view.polygons[i].tag);
        for (std::uint32_t e = 0; e < view.tile->count.edges; ++e) {
            const MeshEdge& side = view.edges[e];
            out.add(side.from.x);
            out.add(side.from.y);
            if (side.twin != kNone) {
                const Tile& there = *state.tile_of(side.twin).tile;
                out.add(there.x);
                out.add(there.y);
            }
            out.add(side.twin != kNone ? state.local(side.twin) : kNone);
            out.add(side.corner != kNone ? state.tile_of(side.corner).corner_first + state.local(side.corner)
                                         : kNone);
        }
    }
    return out.value();
}

}  // namespace fairlead::mesh
