// Two segments cross: where they are split, and why that ends.
//
// The new vertex is the crossing rounded to the lattice. It is taken only if each segment that it splits gets two
// pieces that are both strictly shorter than it (compared exactly). If not, an end of one of the two segments is as
// near to the crossing, up to rounding, and the other segment is split there instead. One of the four ends always
// serves: let a-b and c-d cross. As diagonals of a convex quadrilateral, |ab| + |cd| > |ac| + |bd| and > |ad| + |bc|.
// Say |ab| >= |cd|. If neither c nor d splits a-b, then each is at least |ab| away from a or b. Were |ad|, |bc| both
// that long, their sum would reach |ab| + |cd|; so both are long at the same end, say |ac|, |ad| >= |ab|; then
// |bc|, |bd| < |cd|, and b splits c-d.
// Lengths are distances between points of a finite set (input points and lattice points near the segments), so
// pieces cannot shrink forever.
#include <cmath>

#include "math/expansion.h"
#include "polygon/chains.h"
#include "polygon/constrain.h"
#include "polygon/delaunay.h"

namespace fairlead::polygon {
namespace {

using math::detail::Pair;

FAIRLEAD_NOINLINE double longer_exact(Vec2 p, Vec2 q, Vec2 a, Vec2 b) {
    using math::detail::two_difference;
    math::detail::Expansion<32> sum;
    const auto add_square = [&sum](Pair d, double sign) { sum.add_product(d, {sign * d.high, sign * d.low}); };
    add_square(two_difference(p.x, q.x), 1.0);
    add_square(two_difference(p.y, q.y), 1.0);
    add_square(two_difference(a.x, b.x), -1.0);
    add_square(two_difference(a.y, b.y), -1.0);
    return sum.value();
}

/// |pq| < |ab|, exactly. Each computed square is within 4 u of the true one.
bool shorter(Vec2 p, Vec2 q, Vec2 a, Vec2 b) {
    const Vec2 u = q - p, v = b - a;
    const double one = dot(u, u), two = dot(v, v);
    if (std::fabs(one - two) > 0x1p-49 * (one + two)) return one < two;
    return longer_exact(p, q, a, b) < 0.0;
}

/// May the segment a-b be split at p (or has it p as its end)?
bool serves(Vec2 p, Vec2 a, Vec2 b) { return p == a || p == b || (shorter(a, p, a, b) && shorter(p, b, a, b)); }

/// Where a-b crosses c-d; within a few units in the last place of the longest coordinate.
Vec2 crossing_of(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const double at_a = math::detail::orient2d_exact(c, d, a);
    const double at_b = math::detail::orient2d_exact(c, d, b);
    const double part = at_a / (at_a - at_b);
    return part <= 0.5 ? a + (b - a) * part : b + (a - b) * (at_b / (at_b - at_a));
}

double round_to(double x, double quantum) { return std::floor(x / quantum + 0.5) * quantum; }

/// The point to split at: the rounded crossing, or the nearest end that serves.
Vec2 choose_split(Vec2 crossing, double quantum, const Vec2 (&ends)[4]) {
    const auto serves_both = [&ends](Vec2 p) { return serves(p, ends[0], ends[1]) && serves(p, ends[2], ends[3]); };
    const Vec2 rounded{round_to(crossing.x, quantum), round_to(crossing.y, quantum)};
    if (serves_both(rounded)) return rounded;
    Vec2 best = ends[0];
    double best_distance = -1.0;
    for (const Vec2 end : ends) {
        const Vec2 away = end - crossing;
        const double distance = dot(away, away);
        if ((best_distance < 0.0 || distance < best_distance) && serves_both(end)) {
            best = end;
            best_distance = distance;
        }
    }
    return best;
}

/// A vertex at p, new or not; the search starts at h. kNone: work.failure says why.
Index vertex_at(Work& work, Vec2 p, Index h) {
    Mesh& mesh = work.mesh;
    Found found = walk_to(mesh, p, h, mesh.halves.size());
    if (found.half == kNone) {
        // Only where segments lead the walk in a circle: look at every triangle.
        for (Index first = 0; found.half == kNone && first < mesh.halves.size(); first += 4) {
            bool finite = true;
            for (Index i = 0; i < 3; ++i) finite = finite && mesh.from(first + i) != kInfinity;
            if (finite) found = walk_to(mesh, p, first, 1);
        }
        if (found.half == kNone) return kNone;
    }
    if (found.place == Place::at_vertex) return mesh.from(found.half);
    if (work.vertices_real >= work.vertices_max) {
        work.failure = ErrorCode::size_limit;
        return kNone;
    }
    const auto vertex = static_cast<Index>(mesh.points.size());
    if (!mesh.points.push_back(p) || !mesh.around.push_back(kNone) || !work.alias.push_back(vertex)) return kNone;
    ++work.vertices_real;
    return place_vertex<true>(mesh, vertex, found) ? vertex : kNone;
}

/// Puts both parts of a segment back; `bend` is how far the split lies from it.
bool put_back(Work& work, const Piece& piece, Index split, double bend) {
    if (split == piece.from || split == piece.to) return work.pieces.push_back(piece);
    Index chain = piece.chain;
    if (bend > 0.0) chain = copy_chain(work, chain, kNone, bend);
    if (chain == kNone) return false;
    return work.pieces.push_back({split, piece.to, chain}) && work.pieces.push_back({piece.from, split, chain});
}

}  // namespace

bool split_crossing(Work& work, const Piece& piece, Index h) {
    Mesh& mesh = work.mesh;
    const Piece wall{mesh.from(h), mesh.to(h), mesh.chains[h]};
    const Vec2 a = mesh.point(piece.from), b = mesh.point(piece.to);
    const Vec2 c = mesh.point(wall.from), d = mesh.point(wall.to);
    const Vec2 crossing = crossing_of(a, b, c, d);
    const Vec2 split = choose_split(crossing, work.quantum, {a, b, c, d});
    const double away = distance(split, crossing);
    const bool wall_ends = split == c || split == d;
    const bool on_wall = wall_ends || math::detail::orient2d_inline(c, d, split) == 0.0;
    const bool on_piece = math::detail::orient2d_inline(a, b, split) == 0.0;
    ++work.crossings;
    if (!on_wall) {
        mesh.clear_chain(h);
        mesh.clear_chain(mesh.twin(h));
        if (!work.dirty.push_back(h) || !legalize_dirty(work)) return false;
    }
    Index vertex = kNone;
    const Vec2 ends[] = {a, b, c, d};
    const Index vertices[] = {piece.from, piece.to, wall.from, wall.to};
    for (int i = 0; i < 4; ++i) {
        if (split == ends[i]) vertex = vertices[i];
    }
    if (vertex == kNone) vertex = vertex_at(work, split, h);
    if (vertex == kNone) return false;
    if (!on_wall && !put_back(work, wall, vertex, away)) return false;
    return put_back(work, piece, vertex, on_piece ? 0.0 : away);
}

}  // namespace fairlead::polygon
