#include <fairlead/formats/mesh_repair.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include <fairlead/math/predicates.h>
#include <fairlead/polygon/merge_convex.h>
#include <fairlead/polygon/regions.h>
#include <fairlead/polygon/triangulate.h>

#include "formats/mesh_sides.h"

namespace fairlead::formats {

namespace {

using Ring = std::vector<std::uint32_t>;

constexpr std::size_t kGrownMax = 256;  // corners of a polygon that takes those of flat ones

/// Works on rings of their own, as they change their lengths.
class MeshMender {
  public:
    MeshMender(MeshFile& mesh, MeshRepairs& repairs) : mesh_(mesh), repairs_(repairs) {}

    Result<void> run() {
        if (Result<void> checked = check(); !checked) return checked;
        repairs_ = {};
        split_up();
        turn_round();
        const bool twice = drop_twice();
        const bool flat = drop_flat();
        if (!twice && !flat && all_convex()) return keep();
        return write();
    }

  private:
    [[nodiscard]] Vec2 at(std::uint32_t vertex) const { return ground(mesh_.vertices[vertex]); }

    [[nodiscard]] Result<void> check() const {
        std::uint64_t sum = 0;
        for (const std::uint32_t size : mesh_.polygon_sizes) sum += size;
        const bool areas = mesh_.areas.empty() || mesh_.areas.size() == mesh_.polygon_sizes.size();
        if (sum != mesh_.polygon_corners.size() || !areas) return Error{ErrorCode::size_mismatch, 0, 0};
        for (std::size_t i = 0; i < mesh_.vertices.size(); ++i) {
            const Vec3 v = mesh_.vertices[i];
            if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
                return Error{ErrorCode::not_finite, static_cast<std::int64_t>(i), 0};
        }
        std::size_t corner = 0;
        for (std::size_t p = 0; p < mesh_.polygon_sizes.size(); ++p) {
            for (std::uint32_t i = 0; i < mesh_.polygon_sizes[p]; ++i, ++corner) {
                if (mesh_.polygon_corners[corner] >= mesh_.vertices.size())
                    return Error{ErrorCode::unknown_id, static_cast<std::int64_t>(p),
                                 mesh_.polygon_corners[corner]};
            }
        }
        return {};
    }

    void split_up() {
        const std::uint32_t* corner = mesh_.polygon_corners.data();
        for (const std::uint32_t size : mesh_.polygon_sizes) {
            rings_.emplace_back(corner, corner + size);
            corner += size;
        }
    }

    [[nodiscard]] double area_of(const Ring& ring) const {
        double sum = 0;
        for (std::size_t i = 2; i < ring.size(); ++i)
            sum += cross(at(ring[i - 1]) - at(ring[0]), at(ring[i]) - at(ring[0]));
        return sum;
    }

    void turn_round() {
        double sum = 0;
        for (const Ring& ring : rings_) sum += area_of(ring);
        repairs_.turned_round = sum < 0;
        if (!repairs_.turned_round) return;
        for (Ring& ring : rings_) std::reverse(ring.begin(), ring.end());
    }

    void drop(std::size_t polygon) {
        rings_[polygon].clear();
        repairs_.dropped.push_back(static_cast<std::uint32_t>(polygon));
    }

    // Which rings have a side that an earlier one has.
    [[nodiscard]] static std::vector<bool> on_taken_sides(const std::vector<Ring>& rings) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> sides;
        for (std::uint32_t p = 0; p < rings.size(); ++p) {
            const Ring& ring = rings[p];
            for (std::size_t i = 0; i < ring.size(); ++i)
                sides.emplace_back(std::uint64_t{ring[i]} << 32 | ring[(i + 1) % ring.size()], p);
        }
        std::sort(sides.begin(), sides.end());  // total order
        std::vector<bool> bad(rings.size());
        std::uint64_t kept = UINT64_MAX;
        for (const auto& [key, polygon] : sides) {
            if (key == kept) bad[polygon] = true;
            kept = key;
        }
        return bad;
    }

    // Sides that an earlier polygon has, vertices twice in one polygon, and polygons of too few corners.
    bool drop_twice() {
        const auto before = repairs_.dropped.size();
        const std::vector<bool> bad = on_taken_sides(rings_);
        for (std::size_t p = 0; p < rings_.size(); ++p) {
            Ring sorted = rings_[p];
            std::sort(sorted.begin(), sorted.end());  // total order
            const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
            if (bad[p] || twice || sorted.size() < 3) drop(p);
        }
        return repairs_.dropped.size() != before;
    }

    [[nodiscard]] std::size_t longest_side(const Ring& ring) const {
        std::size_t longest = 0;
        double length = -1;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Vec2 side = at(ring[(i + 1) % ring.size()]) - at(ring[i]);
            if (dot(side, side) > length) {
                length = dot(side, side);
                longest = i;
            }
        }
        return longest;
    }

    // Polygons that no cutting makes good; their neighbours across the longest side take their corners.
    bool drop_flat() {
        bool some = false;
        for (std::size_t p = 0; p < rings_.size(); ++p) {
            if (rings_[p].empty() || is_convex(rings_[p])) continue;
            if (area_of(rings_[p]) > 0 && cut(rings_[p]).size() > 0) continue;
            some = true;
            Ring ring;
            ring.swap(rings_[p]);
            drop(p);
            hand_over(ring);
        }
        std::sort(repairs_.dropped.begin(), repairs_.dropped.end());  // total order
        return some;
    }

    void list_owners() {
        for (std::uint32_t p = 0; p < rings_.size(); ++p) {
            const Ring& ring = rings_[p];
            for (std::size_t i = 0; i < ring.size(); ++i) owners_[{ring[i], ring[(i + 1) % ring.size()]}] = p;
        }
    }

    void hand_over(Ring& ring) {
        if (owners_.empty()) list_owners();
        const std::size_t side = longest_side(ring);
        std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(side), ring.end());
        const auto found = owners_.find({ring[1], ring[0]});
        if (found == owners_.end()) return;
        const std::uint32_t owner = found->second;
        Ring grown = rings_[owner];
        if (grown.size() + ring.size() > kGrownMax || grown.empty()) return;
        const auto from = std::find(grown.begin(), grown.end(), ring[1]);
        grown.insert(from + 1, ring.begin() + 2, ring.end());
        Ring sorted = grown;
        std::sort(sorted.begin(), sorted.end());  // total order
        const bool simple = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
        if (!simple || (!is_convex(grown) && cut(grown).empty())) return;
        rings_[owner] = std::move(grown);
        owners_.erase(found);
        for (std::size_t i = 1; i < ring.size(); ++i) owners_[{ring[i], ring[(i + 1) % ring.size()]}] = owner;
    }

    // As NavMesh::make has it.
    [[nodiscard]] bool is_convex(const Ring& ring) const {
        const std::size_t size = ring.size();
        std::size_t left_turns = 0, climbs = 0;
        const auto rises = [&](std::size_t i) {
            const Vec2 a = at(ring[i % size]), b = at(ring[(i + 1) % size]);
            return b.y > a.y || (b.y == a.y && b.x > a.x);
        };
        for (std::size_t i = 0; i < size; ++i) {
            const Vec2 a = at(ring[i]), b = at(ring[(i + 1) % size]), c = at(ring[(i + 2) % size]);
            const double turn = math::orient2d(a, b, c);
            if (a == b || turn < 0 || (turn == 0 && dot(b - a, c - b) < 0)) return false;
            left_turns += turn > 0 ? 1U : 0U;
            climbs += rises(i + 1) && !rises(i) ? 1U : 0U;
        }
        return left_turns >= 3 && climbs == 1;
    }

    [[nodiscard]] bool all_convex() const {
        return std::all_of(rings_.begin(), rings_.end(),
                           [this](const Ring& ring) { return is_convex(ring); });
    }

    // Convex pieces over the same vertices, which use every side of the ring; none if there are no such pieces.
    [[nodiscard]] std::vector<Ring> cut(const Ring& ring) {
        std::vector<Vec2> points;
        std::vector<ConstraintSegment> segments;
        const auto size = static_cast<std::uint32_t>(ring.size());
        for (std::uint32_t i = 0; i < size; ++i) {
            points.push_back(at(ring[i]));
            segments.push_back({.from = i, .to = i + 1 < size ? i + 1 : 0});
        }
        std::vector<Ring> out;
        // No vertex more: a ring that crosses itself ends here, whatever it has of crossings.
        const Result<void> split =
            triangulate_into(points, segments, {.vertices_max = size}, scratch_, triangles_);
        if (!split || triangles_.vertices.size() != points.size()) return out;
        if (!find_winding_into(triangles_, segments, 1, scratch_, winding_)) return out;
        std::vector<std::uint32_t> inside;
        for (const std::int32_t winding : winding_) inside.push_back(winding > 0 ? 0 : kNoRegion);
        if (!merge_convex_into(triangles_, inside, {}, scratch_, pieces_)) return out;
        std::size_t corner = 0, sides = 0;
        for (const std::uint32_t corners : pieces_.sizes) {
            Ring& piece = out.emplace_back();
            for (std::uint32_t i = 0; i < corners; ++i) {
                const std::uint32_t from = pieces_.corners[corner + i];
                const std::uint32_t to = pieces_.corners[corner + (i + 1 < corners ? i + 1 : 0)];
                sides += to == (from + 1) % size ? 1U : 0U;
                piece.push_back(ring[from]);
            }
            corner += corners;
        }
        const bool good =
            sides == ring.size() &&
            std::all_of(out.begin(), out.end(), [this](const Ring& piece) { return is_convex(piece); });
        if (!good) out.clear();
        return out;
    }

    Result<void> keep() {
        repairs_.from.clear();
        for (std::uint32_t p = 0; p < rings_.size(); ++p) repairs_.from.push_back(p);
        if (repairs_.turned_round) refill(rings_, mesh_.areas);
        return {};
    }

    // What polygons have become: each one piece or several, in their order.
    struct Pieces {
        std::vector<Ring> rings;
        std::vector<std::uint32_t> from;

        void add(Ring ring, std::uint32_t polygon) {
            rings.push_back(std::move(ring));
            from.push_back(polygon);
        }
    };

    [[nodiscard]] Pieces cut_all() {
        Pieces out;
        for (std::uint32_t p = 0; p < rings_.size(); ++p) {
            if (rings_[p].empty()) continue;
            if (is_convex(rings_[p])) {
                out.add(std::move(rings_[p]), p);
                continue;
            }
            for (Ring& piece : cut(rings_[p])) out.add(std::move(piece), p);
        }
        return out;
    }

    // Where polygons lie over each other with two vertices in common, the diagonal of one may be the side of another.
    void drop_on_diagonals(Pieces& pieces) {
        const std::vector<bool> bad = on_taken_sides(pieces.rings);
        std::vector<bool> gone(rings_.size());
        for (std::size_t i = 0; i < bad.size(); ++i) {
            if (bad[i]) gone[pieces.from[i]] = true;
        }
        Pieces left;
        for (std::size_t i = 0; i < bad.size(); ++i) {
            if (!gone[pieces.from[i]]) left.add(std::move(pieces.rings[i]), pieces.from[i]);
        }
        for (std::size_t p = 0; p < gone.size(); ++p) {
            if (gone[p]) drop(p);
        }
        std::sort(repairs_.dropped.begin(), repairs_.dropped.end());  // total order
        pieces = std::move(left);
    }

    Result<void> write() {
        Pieces pieces = cut_all();
        drop_on_diagonals(pieces);
        std::vector<std::uint8_t> areas;
        for (std::size_t i = 0; i < pieces.from.size(); ++i) {
            const std::uint32_t p = pieces.from[i];
            if (!mesh_.areas.empty()) areas.push_back(mesh_.areas[p]);
            if (i > 0 && pieces.from[i - 1] == p && (repairs_.cut.empty() || repairs_.cut.back() != p))
                repairs_.cut.push_back(p);
        }
        refill(pieces.rings, std::move(areas));
        repairs_.from = std::move(pieces.from);
        return {};
    }

    void refill(const std::vector<Ring>& rings, std::vector<std::uint8_t> areas) {
        std::vector<std::uint32_t> sizes, corners;
        for (const Ring& ring : rings) {
            sizes.push_back(static_cast<std::uint32_t>(ring.size()));
            corners.insert(corners.end(), ring.begin(), ring.end());
        }
        mesh_.polygon_sizes = std::move(sizes);
        mesh_.polygon_corners = std::move(corners);
        mesh_.areas = std::move(areas);
    }

    MeshFile& mesh_;
    MeshRepairs& repairs_;
    std::vector<Ring> rings_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
        owners_;  // of sides, while flat ones are dropped
    PolygonScratch scratch_;
    Triangulation triangles_;
    Array<std::int32_t> winding_;
    ConvexPolygons pieces_;
};

}  // namespace

Result<void> repair_mesh(MeshFile& mesh, MeshRepairs& repairs) {
    try {
        return MeshMender(mesh, repairs).run();
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, -1, 0};
    }
}

}  // namespace fairlead::formats
