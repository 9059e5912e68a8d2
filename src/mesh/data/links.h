// The links of one revision: the user's records, and the directed pieces that searches read.
//
// A side of a link may lie over several polygons. A *piece* leads from one polygon to another: the part of the link's width that
// has the first under its entry side and the second under its exit side. Its entry and exit lie in their polygons exactly, and
// are the same segment at two places (to within rounding). Each way through a link has its own pieces; those against a one-way
// link are there for the landmarks alone, whose distances hold in both directions.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/mesh/link.h>

#include "mesh/data/link_graph.h"
#include "mesh/data/tile.h"

namespace fairlead::mesh {

struct LinkRecord {
    MeshLink link{};
    Vec2 at[2] = {};  ///< its ends on the surface as it is without obstacles, relative to the mesh's origin
    double z[2] = {};
    bool placed[2] = {};    ///< there is surface for it
    bool stale = true;      ///< its ends must be placed anew
    bool measured = false;  ///< the landmarks know it
    double heading = 0.0;
    double cost = 0.0;        ///< through its middle
    Vec2 across{};            ///< from the middle of a side to its left end
    std::uint32_t first = 0;  ///< its pieces
    std::uint32_t count = 0;
};

/// 104 bytes.
struct LinkPiece {
    Vec2 in[2] = {};   ///< right and left end of the entry, for who goes straight on; the same for a point
    Vec2 out[2] = {};  ///< where one comes out
    double cost = 0.0;
    std::uint32_t polygon_in = kNone;
    std::uint32_t polygon_out = kNone;
    std::uint32_t record = 0;
    std::uint32_t next = kNone;  ///< another piece that is entered in the same polygon
    std::uint8_t kind = 0;
    bool point = true;
    bool against = false;  ///< back through a one-way link
    bool back = false;     ///< from `to` to `from`
};

struct LinkTable {
    explicit LinkTable(const Allocator& a)
        : records(a), pieces(a), by_polygon(a), blocks(a), arcs(a), graph(a), cheap(a), fresh(a) {}

    Array<LinkRecord> records;        ///< by id
    Array<LinkPiece> pieces;          ///< by record
    Array<std::uint32_t> by_polygon;  ///< a hash table: the first piece that is entered there
    Array<std::uint32_t>
        blocks;  ///< a hash table: blocks between a link's end and the way out of the tile (blocks.h)
    Array<LinkArc> arcs;         ///< by from, to
    LinkGraph graph;             ///< of the arcs
    Array<std::uint32_t> cheap;  ///< pieces that cost less than the straight line
    Array<std::uint32_t> fresh;  ///< pieces that the landmarks do not know

    [[nodiscard]] bool empty() const { return pieces.empty(); }
    [[nodiscard]] bool assign(const LinkTable& other);
    [[nodiscard]] std::size_t bytes() const;
    /// The place of a record; the number of records if there is none.
    [[nodiscard]] std::uint32_t find(std::uint32_t id) const;
    [[nodiscard]] std::uint32_t place_of(std::uint32_t id) const;

    /// Its low bits depend on all of a reference, slot and place.
    [[nodiscard]] static std::uint32_t hash(std::uint32_t ref) {
        const std::uint32_t mixed = ref * 0x9e3779b1U;
        return mixed ^ mixed >> 16;
    }
    /// The first piece that is entered in a polygon; kNone: there is none.
    [[nodiscard]] std::uint32_t first_at(std::uint32_t polygon) const {
        const std::size_t mask = by_polygon.size() - 1;
        for (std::size_t i = hash(polygon) & mask;; i = (i + 1) & mask) {
            const std::uint32_t piece = by_polygon[i];
            if (piece == kNone || pieces[piece].polygon_in == polygon) return piece;
        }
    }
    [[nodiscard]] bool holds_block(std::uint32_t ref) const {
        const std::size_t mask = blocks.size() - 1;
        for (std::size_t i = hash(ref) & mask;; i = (i + 1) & mask) {
            if (blocks[i] == ref) return true;
            if (blocks[i] == kNone) return false;
        }
    }
};

/// Where a place of an exit is entered.
[[nodiscard]] Vec2 entry_of(const LinkPiece& piece, Vec2 exit);

struct StateData;

/// The lists of a table whose records and pieces are complete. The draft's components must be numbered. False: out of memory.
[[nodiscard]] bool index_links(StateData& draft);

}  // namespace fairlead::mesh
