// Two segments cross: where they are split, why that ends, and why it does not wander off.
//
// Candidates are the crossing rounded to the lattice, and the four ends. One is taken only if each segment that it
// splits gets two pieces that are both strictly shorter than it (compared exactly). One of the four ends always
// serves: let a-b and c-d cross. As diagonals of a convex quadrilateral, |ab| + |cd| > |ac| + |bd| and > |ad| + |bc|.
// Say |ab| >= |cd|. If neither c nor d splits a-b, then each is at least |ab| away from a or b. Were |ad|, |bc| both
// that long, their sum would reach |ab| + |cd|; so both are long at the same end, say |ac|, |ad| >= |ab|; then
// |bc|, |bd| < |cd|, and b splits c-d.
// Lengths are distances between points of a finite set (input points and lattice points near the segments), so
// pieces cannot shrink forever.
//
// An end within three quarters of a quantum of the other segment goes before a new vertex, as in snap rounding (John
// D. Hobby 1999, "Practical segment intersection with finite precision output"). Without this, two bent pieces whose
// crossing moved along by a step get a new vertex there, bend again, and open like a zip: two copies of one segment
// made 600,000 vertices that way. With it, a vertex that bends a segment draws those segments to itself that the bend
// runs over: rounding moves by less than three quarters.
#include <cmath>

#include "math/expansion.h"
#include "math/segment.h"
#include "polygon/constrain.h"
#include "polygon/delaunay.h"

namespace fairlead::polygon {
namespace {

using math::detail::Pair;

FAIRLEAD_NOINLINE double longer_exact(Vec2 p, Vec2 q, Vec2 a, Vec2 b) {
    using math::detail::two_difference;
    math::detail::Expansion<32> sum;
    const auto add_square = [&sum](Pair d, double sign) {
        sum.add_product(d, {sign * d.high, sign * d.low});
    };
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
bool serves(Vec2 p, Vec2 a, Vec2 b) {
    return p == a || p == b || (shorter(a, p, a, b) && shorter(p, b, a, b));
}

/// Where a-b crosses c-d; within a few units in the last place of the longest coordinate.
Vec2 crossing_of(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const double at_a = math::detail::orient2d_exact(c, d, a);
    const double at_b = math::detail::orient2d_exact(c, d, b);
    const double part = at_a / (at_a - at_b);
    return part <= 0.5 ? a + (b - a) * part : b + (a - b) * (at_b / (at_b - at_a));
}

double round_to(double x, double quantum) { return std::floor(x / quantum + 0.5) * quantum; }

/// Two segments a-b and c-d that cross.
struct Cross {
    Vec2 ends[4];

    [[nodiscard]] bool serves_both(Vec2 p) const {
        return serves(p, ends[0], ends[1]) && serves(p, ends[2], ends[3]);
    }
    [[nodiscard]] bool on_both(Vec2 p) const {
        return math::detail::orient2d_inline(ends[0], ends[1], p) == 0.0 &&
               math::detail::orient2d_inline(ends[2], ends[3], p) == 0.0;
    }
    /// The end that serves and is nearest to the other segment.
    struct Nearest {
        int end = -1;
        double distance = 0.0;
    };
    [[nodiscard]] Nearest nearest_end() const {
        Nearest best;
        for (int i = 0; i < 4; ++i) {
            const int other = i < 2 ? 2 : 0;
            const double away = math::segment_distance(ends[other], ends[other + 1], ends[i]);
            if (best.end >= 0 && away >= best.distance) continue;
            if (serves_both(ends[i])) best = {i, away};
        }
        return best;
    }
};

/// The point to split at.
Vec2 choose_split(const Cross& cross, double quantum) {
    const Vec2 at = crossing_of(cross.ends[0], cross.ends[1], cross.ends[2], cross.ends[3]);
    const Vec2 rounded{round_to(at.x, quantum), round_to(at.y, quantum)};
    const bool rounded_serves = cross.serves_both(rounded);
    if (rounded_serves && cross.on_both(rounded)) return rounded;
    const Cross::Nearest nearest = cross.nearest_end();
    if (nearest.end >= 0 && nearest.distance <= 0.75 * quantum) return cross.ends[nearest.end];
    return rounded_serves || nearest.end < 0 ? rounded : cross.ends[nearest.end];
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
    if (!mesh.points.push_back(p) || !mesh.around.push_back(kNone) || !work.alias.push_back(vertex))
        return kNone;
    ++work.vertices_real;
    return place_vertex<true>(mesh, vertex, found) ? vertex : kNone;
}

/// Puts both parts of a segment back.
bool put_back(Work& work, const Piece& piece, Index split) {
    if (split == piece.from || split == piece.to) return work.pieces.push_back(piece);
    return work.pieces.push_back({split, piece.to, piece.chain}) &&
           work.pieces.push_back({piece.from, split, piece.chain});
}

}  // namespace

bool split_crossing(Work& work, const Piece& piece, Index h) {
    Mesh& mesh = work.mesh;
    const Piece wall{mesh.from(h), mesh.to(h), mesh.chains[h]};
    const Index vertices[] = {piece.from, piece.to, wall.from, wall.to};
    Cross cross{};
    for (int i = 0; i < 4; ++i) cross.ends[i] = mesh.point(vertices[i]);
    const Vec2 split = choose_split(cross, work.quantum);
    ++work.crossings;
    // A vertex on the wall splits it where it stands; beside it, the wall has to be made anew.
    const bool on_wall = math::detail::orient2d_inline(cross.ends[2], cross.ends[3], split) == 0.0;
    if (!on_wall) {
        mesh.clear_chain(h);
        mesh.clear_chain(mesh.twin(h));
        if (!work.dirty.push_back(h) || !legalize_dirty(work)) return false;
    }
    Index vertex = kNone;
    for (int i = 0; i < 4; ++i) {
        if (split == cross.ends[i]) vertex = vertices[i];
    }
    if (vertex == kNone) vertex = vertex_at(work, split, h);
    if (vertex == kNone) return false;
    return (on_wall || put_back(work, wall, vertex)) && put_back(work, piece, vertex);
}

}  // namespace fairlead::polygon
