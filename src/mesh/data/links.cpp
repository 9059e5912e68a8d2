#include "mesh/data/links.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "mesh/data/plane.h"
#include "mesh/data/state.h"

namespace fairlead::mesh {

namespace {

/// What rounding may take off a straight line.
constexpr double kCheap = 1.0 - 1e-11;

bool make_hash(Array<std::uint32_t>& table, std::size_t items) {
    if (!table.resize_uninitialized(std::bit_ceil(2 * items + 2))) return false;
    for (std::uint32_t& slot : table) slot = kNone;
    return true;
}

void list_piece(LinkTable& table, std::uint32_t number) {
    LinkPiece& piece = table.pieces[number];
    const std::size_t mask = table.by_polygon.size() - 1;
    std::size_t i = LinkTable::hash(piece.polygon_in) & mask;
    while (table.by_polygon[i] != kNone && table.pieces[table.by_polygon[i]].polygon_in != piece.polygon_in) {
        i = (i + 1) & mask;
    }
    piece.next = table.by_polygon[i];
    table.by_polygon[i] = number;
}

// Grows by doubling: how many blocks there are on the ways out is not known before.
bool add_block(LinkTable& table, std::size_t& count, std::uint32_t ref, bool& added) {
    added = !table.holds_block(ref);
    if (!added) return true;
    if (2 * (count + 1) >= table.blocks.size()) {
        Array<std::uint32_t> old(table.blocks.allocator());
        if (!old.assign(table.blocks.span()) || !make_hash(table.blocks, old.size())) return false;
        const std::size_t mask = table.blocks.size() - 1;
        for (const std::uint32_t block : old) {
            if (block == kNone) continue;
            std::size_t i = LinkTable::hash(block) & mask;
            while (table.blocks[i] != kNone) i = (i + 1) & mask;
            table.blocks[i] = block;
        }
    }
    const std::size_t mask = table.blocks.size() - 1;
    std::size_t i = LinkTable::hash(ref) & mask;
    while (table.blocks[i] != kNone) i = (i + 1) & mask;
    table.blocks[i] = ref;
    ++count;
    return true;
}

bool list_blocks(StateData& draft) {
    LinkTable& table = draft.links;
    std::size_t count = 0;
    if (!make_hash(table.blocks, table.pieces.size())) return false;
    for (const LinkPiece& piece : table.pieces) {
        const std::uint32_t slot = piece.polygon_in >> draft.bits;
        const Tile& tile = *draft.tiles[slot].tile;
        std::uint32_t polygon = draft.local(piece.polygon_in);
        while (polygon != kNone && tile.top_blocks()[polygon] != kNone) {
            const std::uint32_t block = tile.top_blocks()[polygon];
            bool added = false;
            if (!add_block(table, count, draft.ref(slot, block), added)) return false;
            if (!added) break;
            polygon = tile.block_tops()[block];
        }
    }
    return true;
}

// Most edits leave them, and so the graph, as they were.
bool list_arcs(StateData& draft) {
    LinkTable& table = draft.links;
    Array<LinkArc> old(table.arcs.allocator());
    std::swap(old, table.arcs);
    for (const LinkPiece& piece : table.pieces) {
        const LinkArc arc{draft.component(piece.polygon_in), draft.component(piece.polygon_out),
                          std::uint64_t{1} << piece.kind};
        if (piece.against || arc.from == arc.to) continue;
        if (!table.arcs.push_back(arc)) return false;
    }
    const auto before = [](const LinkArc& a, const LinkArc& b) {
        return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.kinds < b.kinds;
    };
    std::sort(table.arcs.begin(), table.arcs.end(), before);  // total order: equal ones are the same
    std::size_t kept = 0;
    for (const LinkArc& arc : table.arcs) {
        if (kept > 0 && table.arcs[kept - 1].from == arc.from && table.arcs[kept - 1].to == arc.to) {
            table.arcs[kept - 1].kinds |= arc.kinds;
        } else {
            table.arcs[kept++] = arc;
        }
    }
    while (table.arcs.size() > kept) table.arcs.pop_back();
    if (std::equal(old.begin(), old.end(), table.arcs.begin(), table.arcs.end())) return true;
    return table.graph.build(table.arcs.span());
}

}  // namespace

bool LinkTable::assign(const LinkTable& other) {
    return records.assign(other.records.span()) && pieces.assign(other.pieces.span()) &&
           by_polygon.assign(other.by_polygon.span()) && blocks.assign(other.blocks.span()) &&
           arcs.assign(other.arcs.span()) && graph.assign(other.graph) && cheap.assign(other.cheap.span()) &&
           fresh.assign(other.fresh.span());
}

std::size_t LinkTable::bytes() const {
    return records.bytes() + pieces.bytes() + by_polygon.bytes() + blocks.bytes() + arcs.bytes() +
           graph.bytes() + cheap.bytes() + fresh.bytes();
}

// Where the record of that id is, or would be.
std::uint32_t LinkTable::place_of(std::uint32_t id) const {
    const auto before = [](const LinkRecord& record, std::uint32_t wanted) {
        return record.link.id < wanted;
    };
    return static_cast<std::uint32_t>(std::lower_bound(records.begin(), records.end(), id, before) -
                                      records.begin());
}

std::uint32_t LinkTable::find(std::uint32_t id) const {
    const std::uint32_t place = place_of(id);
    const auto count = static_cast<std::uint32_t>(records.size());
    return place < count && records[place].link.id == id ? place : count;
}

Vec2 entry_of(const LinkPiece& piece, Vec2 exit) {
    const Vec2 side = piece.out[1] - piece.out[0];
    const double square = dot(side, side);
    const double t = square > 0.0 ? dot(exit - piece.out[0], side) / square : 0.0;
    return t <= 0.0 ? piece.in[0] : t >= 1.0 ? piece.in[1] : piece.in[0] + (piece.in[1] - piece.in[0]) * t;
}

bool index_links(StateData& draft) {
    LinkTable& table = draft.links;
    table.cheap.clear();
    table.fresh.clear();
    if (!make_hash(table.by_polygon, table.pieces.size())) return false;
    // The last one listed is the first one met.
    for (auto i = static_cast<std::uint32_t>(table.pieces.size()); i-- > 0;) list_piece(table, i);
    for (std::uint32_t i = 0; i < table.pieces.size(); ++i) {
        const LinkPiece& piece = table.pieces[i];
        if (piece.against) continue;
        const double straight =
            std::max(distance(piece.in[0], piece.out[0]), distance(piece.in[1], piece.out[1]));
        if (piece.cost < straight * kCheap && !table.cheap.push_back(i)) return false;
        if (!table.records[piece.record].measured && !table.fresh.push_back(i)) return false;
    }
    return list_blocks(draft) && list_arcs(draft);
}

}  // namespace fairlead::mesh
