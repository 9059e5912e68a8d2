// Straight pieces for the chains of the label map: David Douglas and Thomas Peucker (1973), with every piece checked against the
// rest of the map (as in Mark de Berg, Marc van Kreveld, Stefan Schirra 1998).
//
// A piece may replace a part of a chain if no vertex of another part, on the same layer, lies in the closed region between the two. Then no
// two pieces s and t cross, although each is checked against the cells' borders alone: if they did, one end of the
// crossing leads s into the region between t and what t replaces; s has no end there, so it leaves through the replaced chain,
// which thus runs through the region between s and its chain, has no vertex there, and would have to cross s or that chain twice.
// So chains are straightened one by one, in any order, and the corridors between them stay.

#include <algorithm>
#include <cstdlib>

#include "base/no_memory.h"
#include "mesh_bake/borders.h"

namespace fairlead::bake {

namespace {

struct Cell2 {
    std::int64_t x = 0;
    std::int64_t y = 0;
};

constexpr std::int64_t cross(Cell2 a, Cell2 b, Cell2 p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

constexpr bool on_segment(Cell2 a, Cell2 b, Cell2 p) {
    return cross(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
           std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}

// The square of the distance.
double distance_squared(Cell2 a, Cell2 b, Cell2 p) {
    const auto dx = static_cast<double>(b.x - a.x);
    const auto dy = static_cast<double>(b.y - a.y);
    const auto px = static_cast<double>(p.x - a.x);
    const auto py = static_cast<double>(p.y - a.y);
    const double along = px * dx + py * dy;
    const double all = dx * dx + dy * dy;
    if (along <= 0.0 || all == 0.0) return px * px + py * py;
    if (along >= all) return (px - dx) * (px - dx) + (py - dy) * (py - dy);
    const double off = dx * py - dy * px;
    return off * off / all;
}

struct Piece {
    Segment segment{};
    std::uint32_t chain = 0;
    std::uint32_t i = 0;  ///< of the chain's points
    std::uint32_t j = 0;
};

struct Simplifier {
    const Borders& b;
    double error;
    Array<Piece> pieces;
    Array<Piece> again;

    struct Range {
        std::uint32_t i = 0;
        std::uint32_t j = 0;
    };
    Array<Range> stack;

    [[nodiscard]] std::uint32_t vertex(const Chain& c, std::uint32_t i) const {
        return b.points[c.first + i];
    }
    [[nodiscard]] Cell2 point(const Chain& c, std::uint32_t i) const {
        const BorderVertex& v = b.vertices[vertex(c, i)];
        return {v.x, v.y};
    }

    struct Farthest {
        std::uint32_t i = 0;
        double squared = -1.0;
    };

    [[nodiscard]] Farthest farthest(const Chain& c, std::uint32_t i, std::uint32_t j) const {
        Farthest best;
        const Cell2 from = point(c, i);
        const Cell2 to = point(c, j);
        for (std::uint32_t k = i + 1; k < j; ++k) {
            const double squared = distance_squared(from, to, point(c, k));
            if (squared > best.squared) best = {k, squared};
        }
        return best;
    }

    // Whether p, which is no point of the part, is in the closed region between the part i..j and its chord.
    [[nodiscard]] bool between(const Chain& c, std::uint32_t i, std::uint32_t j, Cell2 p) const {
        int winding = 0;
        Cell2 a = point(c, j);
        for (std::uint32_t k = i; k <= j; ++k) {
            const Cell2 e = point(c, k);
            if (on_segment(a, e, p)) return true;
            if (a.y <= p.y) {
                if (e.y > p.y && cross(a, e, p) > 0) ++winding;
            } else if (e.y <= p.y && cross(a, e, p) < 0) {
                --winding;
            }
            a = e;
        }
        return winding != 0;
    }

    // A vertex at corner (x, y) that the chord of i..j would pass on the wrong side.
    [[nodiscard]] bool blocks(const Chain& c, std::uint32_t id, std::uint32_t i, std::uint32_t j,
                              std::int64_t x, std::int64_t y) const {
        const std::size_t corner = b.corner(x, y);
        for (std::uint32_t v = b.vertex_of_corner[corner]; v < b.vertex_of_corner[corner + 1]; ++v) {
            const BorderVertex& other = b.vertices[v];
            if (!other.turn) continue;
            if (other.chain == id && other.place >= i && other.place <= j) continue;
            if (v == vertex(c, i) || v == vertex(c, j)) continue;
            if (!b.touches(other, layer_of(c.left)) &&
                !(is_label(c.right) && b.touches(other, layer_of(c.right))))
                continue;
            if (between(c, i, j, {x, y})) return true;
        }
        return false;
    }

    // All corners in the part's box and near its chord are looked at.
    [[nodiscard]] bool clear(const Chain& c, std::uint32_t id, std::uint32_t i, std::uint32_t j) const {
        Cell2 low = point(c, i);
        Cell2 high = low;
        for (std::uint32_t k = i + 1; k <= j; ++k) {
            const Cell2 p = point(c, k);
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const Cell2 a = point(c, i);
        const Cell2 e = point(c, j);
        const bool flat = std::abs(e.x - a.x) >= std::abs(e.y - a.y);
        const double slope =
            flat ? (e.x == a.x ? 0.0 : static_cast<double>(e.y - a.y) / static_cast<double>(e.x - a.x))
                 : static_cast<double>(e.x - a.x) / static_cast<double>(e.y - a.y);
        const auto reach = static_cast<std::int64_t>(1.5 * error) + 2;
        const std::int64_t u0 = flat ? low.x : low.y;
        const std::int64_t u1 = flat ? high.x : high.y;
        const std::int64_t v0 = flat ? low.y : low.x;
        const std::int64_t v1 = flat ? high.y : high.x;
        for (std::int64_t u = u0; u <= u1; ++u) {
            const double middle =
                static_cast<double>(flat ? a.y : a.x) + static_cast<double>(u - (flat ? a.x : a.y)) * slope;
            const auto near = static_cast<std::int64_t>(middle + 1.0) - 1;
            const std::int64_t from = std::max(v0, near - reach);
            const std::int64_t to = std::min(v1, near + 1 + reach);
            for (std::int64_t v = from; v <= to; ++v) {
                if (flat ? blocks(c, id, i, j, u, v) : blocks(c, id, i, j, v, u)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool emit(const Chain& c, std::uint32_t id, std::uint32_t i, std::uint32_t j,
                            Array<Piece>& out) const {
        return out.push_back({{vertex(c, i), vertex(c, j), c.left, c.right, id, c.open}, id, i, j});
    }

    [[nodiscard]] bool simplify(std::uint32_t id, std::uint32_t i, std::uint32_t j, Array<Piece>& out) {
        const Chain& c = b.chains[id];
        stack.clear();
        if (!stack.push_back({i, j})) return false;
        while (!stack.empty()) {
            const Range range = stack.back();
            stack.pop_back();
            if (range.j == range.i + 1) {
                if (!emit(c, id, range.i, range.j, out)) return false;
                continue;
            }
            const Farthest far = farthest(c, range.i, range.j);
            if (far.squared <= error * error && clear(c, id, range.i, range.j)) {
                if (!emit(c, id, range.i, range.j, out)) return false;
                continue;
            }
            if (!stack.push_back({far.i, range.j}) || !stack.push_back({range.i, far.i})) return false;
        }
        return true;
    }

    // A loop keeps three points that are not in line.
    [[nodiscard]] bool simplify_loop(std::uint32_t id) {
        const Chain& c = b.chains[id];
        const std::uint32_t last = c.count - 1;
        std::uint32_t marks[4] = {0, farthest(c, 0, last).i, 0, last};
        const Cell2 from = point(c, 0);
        const Cell2 to = point(c, marks[1]);
        std::int64_t widest = -1;
        for (std::uint32_t k = 1; k < last; ++k) {
            const std::int64_t off = std::abs(cross(from, to, point(c, k)));
            if (off > widest) {
                widest = off;
                marks[2] = k;
            }
        }
        if (marks[2] < marks[1]) std::swap(marks[1], marks[2]);
        for (int k = 0; k < 3; ++k) {
            if (marks[k] != marks[k + 1] && !simplify(id, marks[k], marks[k + 1], pieces)) return false;
        }
        return true;
    }

    [[nodiscard]] static bool same_ends(const Segment& a, const Segment& c) {
        return std::min(a.from, a.to) == std::min(c.from, c.to) &&
               std::max(a.from, a.to) == std::max(c.from, c.to);
    }

    // Two chains between the same nodes must not become the same piece: what lies between them would be gone.
    Result<void> part_twins() {
        const auto before = [](const Piece& a, const Piece& c) {
            const std::uint32_t a_low = std::min(a.segment.from, a.segment.to);
            const std::uint32_t c_low = std::min(c.segment.from, c.segment.to);
            if (a_low != c_low) return a_low < c_low;
            const std::uint32_t a_high = std::max(a.segment.from, a.segment.to);
            const std::uint32_t c_high = std::max(c.segment.from, c.segment.to);
            if (a_high != c_high) return a_high < c_high;
            return a.chain != c.chain ? a.chain < c.chain : a.i < c.i;
        };
        for (bool changed = true; changed;) {
            changed = false;
            std::sort(pieces.begin(), pieces.end(), before);  // total order: by chain and place at last
            again.clear();
            std::size_t kept = 0;
            for (std::size_t k = 0; k < pieces.size();) {
                std::size_t end = k + 1;
                while (end < pieces.size() && same_ends(pieces[k].segment, pieces[end].segment)) ++end;
                const bool twins = end - k > 1;
                for (; k < end; ++k) {
                    const Piece piece = pieces[k];
                    if (!twins || piece.j == piece.i + 1) {
                        pieces[kept++] = piece;
                        continue;
                    }
                    changed = true;
                    const std::uint32_t middle = farthest(b.chains[piece.chain], piece.i, piece.j).i;
                    if (!simplify(piece.chain, piece.i, middle, again)) return kNoMemory;
                    if (!simplify(piece.chain, middle, piece.j, again)) return kNoMemory;
                }
            }
            if (!pieces.resize_uninitialized(kept)) return kNoMemory;
            for (const Piece& piece : again) {
                if (!pieces.push_back(piece)) return kNoMemory;
            }
        }
        return {};
    }

    Result<void> run(Array<Segment>& out) {
        for (std::uint32_t id = 0; id < b.chains.size(); ++id) {
            const Chain& c = b.chains[id];
            const bool closed = vertex(c, 0) == vertex(c, c.count - 1);
            if (!(closed ? simplify_loop(id) : simplify(id, 0, c.count - 1, pieces))) return kNoMemory;
        }
        const Result<void> parted = part_twins();
        if (!parted) return parted;
        if (!out.resize_uninitialized(pieces.size())) return kNoMemory;
        for (std::size_t k = 0; k < pieces.size(); ++k) out[k] = pieces[k].segment;
        return {};
    }
};

}  // namespace

Result<void> simplify_chains(const Settings& settings, const Borders& borders, Array<Segment>& out) {
    const Allocator& a = settings.allocator;
    Simplifier simplifier{borders, settings.edge_error, Array<Piece>(a), Array<Piece>(a),
                          Array<Simplifier::Range>(a)};
    return simplifier.run(out);
}

}  // namespace fairlead::bake
