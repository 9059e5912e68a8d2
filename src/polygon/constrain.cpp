// Walks along a segment from vertex to vertex, and lists the triangles between them, the channel. The walk looks
// around both ends at once, so that a vertex with many edges costs no more than the other end has.
#include "polygon/constrain.h"

#include "polygon/chains.h"
#include "polygon/delaunay.h"

namespace fairlead::polygon {
namespace {

/// How a segment leaves a vertex.
enum class Way : std::uint8_t { unknown, along, across };

struct Start {
    Way way = Way::unknown;
    Index half =
        kNone;  ///< along: from the vertex on the segment. across: opposite to the vertex, and crossed
};

/// A look around one end of the segment, one edge at a time.
struct Look {
    Index centre;
    Index target;
    Index half;        ///< centre -> u
    double turn_here;  ///< of u, if known
    bool known = false;
};

bool same_direction(Vec2 from, Vec2 u, Vec2 v) {
    return v.x != from.x ? (v.x > from.x) == (u.x > from.x) && u.x != from.x
                         : (v.y > from.y) == (u.y > from.y) && u.y != from.y;
}

/// The half-edge between the ends of a piece in either direction, or kNone. Numbers only: most pieces are edges
/// already, and what a piece was cut from lies nearly on its line, which predicates find hard.
Index find_edge(const Mesh& mesh, const Piece& piece) {
    const Index one = mesh.around[piece.from], two = mesh.around[piece.to];
    Index a = one, b = two;
    do {
        if (mesh.to(a) == piece.to) return a;
        if (mesh.to(b) == piece.from) return b;
        a = mesh.twin(previous_of(a));
        b = mesh.twin(previous_of(b));
    } while (a != one && b != two);
    return kNone;
}

/// Judges the edge and the triangle to its left, and turns on.
Start look_on(const Mesh& mesh, Look& look) {
    const Index half = look.half;
    const Index u = mesh.to(half), v = mesh.apex(half);
    look.half = mesh.twin(previous_of(half));
    const bool known = look.known;
    look.known = false;
    if (u == kInfinity) return {};
    const double at_u = known ? look.turn_here : turn(mesh, look.centre, look.target, u);
    if (at_u == 0.0 && same_direction(mesh.point(look.centre), mesh.point(u), mesh.point(look.target))) {
        return {Way::along, half};
    }
    if (v == kInfinity) return {};
    look.turn_here = turn(mesh, look.centre, look.target, v);
    look.known = true;
    if (at_u < 0.0 && look.turn_here > 0.0) return {Way::across, next_of(half)};
    return {};
}

/// How the piece starts; turns the piece round where its other end is the quicker one.
Start start_of(const Mesh& mesh, Piece& piece) {
    Look one{piece.from, piece.to, mesh.around[piece.from], 0.0};
    Look two{piece.to, piece.from, mesh.around[piece.to], 0.0};
    for (;;) {
        Start start = look_on(mesh, one);
        if (start.way != Way::unknown) return start;
        start = look_on(mesh, two);
        if (start.way == Way::unknown) continue;
        piece = {piece.to, piece.from, piece.chain ^ 1U, piece.whole};
        return start;
    }
}

enum class Walk : std::uint8_t { arrived, crossing, failed };

/// Gathers the channel from piece.from across `half`, to the first vertex on the segment (then piece.to), or to a
/// covered edge (then `half`).
Walk gather_channel(Work& work, Piece& piece, Index& half) {
    const Mesh& mesh = work.mesh;
    work.channel.clear();
    work.left.clear();
    work.right.clear();
    bool ok = work.channel.push_back(half >> 2) && work.right.push_back(previous_of(half)) &&
              work.left.push_back(next_of(half));
    for (;;) {
        if (mesh.chains[half] != kNone) return Walk::crossing;
        const Index g = mesh.twin(half), g1 = next_of(g), g2 = previous_of(g);
        const Index apex = mesh.from(g2);
        ok = ok && work.channel.push_back(g >> 2);
        const double side = apex == piece.to ? 0.0 : turn(mesh, piece.from, piece.to, apex);
        if (side == 0.0) {
            piece.to = apex;
            ok = ok && work.right.push_back(g1) && work.left.push_back(g2);
            return ok ? Walk::arrived : Walk::failed;
        }
        ok = ok && (side < 0.0 ? work.right : work.left).push_back(side < 0.0 ? g1 : g2);
        if (!ok) return Walk::failed;
        half = side < 0.0 ? g2 : g1;
    }
}

/// The first vertex on a piece that leaves its start across `half`, whatever covered edges it crosses.
Index next_vertex(const Mesh& mesh, const Piece& piece, Index half) {
    for (;;) {
        const Index g = mesh.twin(half), apex = mesh.apex(g);
        const double side = apex == piece.to ? 0.0 : turn(mesh, piece.from, piece.to, apex);
        if (side == 0.0) return apex;
        half = side < 0.0 ? previous_of(g) : next_of(g);
    }
}

/// Puts a piece that has never been split back in parts, from vertex to vertex on it.
bool put_back_parts(Work& work, Piece rest) {
    rest.whole = false;
    while (rest.from != rest.to) {
        const Start start = start_of(work.mesh, rest);
        const Index vertex =
            start.way == Way::along ? work.mesh.to(start.half) : next_vertex(work.mesh, rest, start.half);
        if (!work.pieces.push_back({rest.from, vertex, rest.chain})) return false;
        rest.from = vertex;
    }
    return true;
}

/// Makes edges of one piece, or of its start, putting back what remains.
bool insert_piece(Work& work, Piece piece) {
    if (piece.from == piece.to) return true;
    Mesh& mesh = work.mesh;
    const Index edge = find_edge(mesh, piece);
    if (edge != kNone)
        return cover_edge(work, edge, mesh.to(edge) == piece.to ? piece.chain : piece.chain ^ 1U);
    const Start start = start_of(mesh, piece);
    if (start.way == Way::along) {
        const Index reached = mesh.to(start.half);
        if (!cover_edge(work, start.half, piece.chain)) return false;
        return reached == piece.to || work.pieces.push_back({reached, piece.to, piece.chain, piece.whole});
    }
    Index half = start.half;
    Piece first = piece;
    switch (gather_channel(work, first, half)) {
        case Walk::failed: return false;
        case Walk::crossing:
            return piece.whole ? put_back_parts(work, piece) : split_crossing(work, piece, half);
        case Walk::arrived: break;
    }
    if (first.to != piece.to && !work.pieces.push_back({first.to, piece.to, piece.chain, piece.whole}))
        return false;
    return cut_channel(work, first) && legalize_dirty(work);
}

}  // namespace

bool insert_pieces(Work& work) {
    while (!work.pieces.empty()) {
        const Piece piece = work.pieces.back();
        work.pieces.pop_back();
        if (!insert_piece(work, piece)) return false;
    }
    return true;
}

}  // namespace fairlead::polygon
