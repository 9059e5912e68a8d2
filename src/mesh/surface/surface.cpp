#include "mesh/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "mesh/data/plane.h"

namespace fairlead::mesh {

namespace {

struct Ring {
    const MeshEdge* first = nullptr;
    const MeshEdge* end = nullptr;
};

Ring ring_of(const TileView& view, std::uint32_t polygon) {
    return {view.edges + view.polygons[polygon].first, view.edges + view.polygons[polygon + 1].first};
}

FAIRLEAD_INLINE bool ring_contains(const Ring& ring, Vec2 p) {
    Vec2 from = ring.end[-1].from;
    for (const MeshEdge* e = ring.first; e != ring.end; ++e) {
        if (side_of(from, e->from, p) < 0.0) return false;
        from = e->from;
    }
    return true;
}

Vec2 nearest_on_ring(const Ring& ring, Vec2 p) {
    Vec2 best = ring.first->from;
    double least = kMeshSpan * kMeshSpan * 16.0;
    Vec2 from = ring.end[-1].from;
    for (const MeshEdge* e = ring.first; e != ring.end; ++e) {
        const Vec2 q = nearest_on(from, e->from, p);
        const double square = dot(q - p, q - p);
        if (square < least) {
            least = square;
            best = q;
        }
        from = e->from;
    }
    return best;
}

// A point on the boundary is only known to rounding: it moves towards the middle until it is inside, exactly.
Vec2 settle(const Ring& ring, Vec2 p) {
    if (ring_contains(ring, p)) return p;
    Vec2 middle{};
    for (const MeshEdge* e = ring.first; e != ring.end; ++e) middle = middle + e->from;
    middle = middle * (1.0 / static_cast<double>(ring.end - ring.first));
    for (double share = 0x1p-48; share < 1.0; share *= 2.0) {
        const Vec2 q = p + (middle - p) * share;
        if (ring_contains(ring, q)) return q;
    }
    return ring.first->from;
}

/// Slots of tiles with polygons that may meet a box, in the order of their places.
template <class Visit>
void tiles_meeting(const StateData& state, const Aabb& box, Visit visit) {
    // Without polygons the box of a tile, or of the mesh, has its corners the wrong way round: large ones would overlap it.
    if (state.polygons == 0 || box.empty() || !overlaps(box, state.box)) return;
    (void)state.each_slot(box, [&](std::uint32_t slot) {
        if (state.tiles[slot].tile->count.polygons != 0) visit(slot);
        return true;
    });
}

class Finder {
  public:
    Finder(const StateData& state, Vec3 position, const MeshReach& reach, std::uint64_t closed_areas,
           const ComponentSet& among)
        : state_(state),
          at_(ground(position)),
          z_(position.z),
          reach_(reach),
          closed_areas_(closed_areas),
          among_(among) {}

    [[nodiscard]] SurfacePoint find() {
        for_tiles({at_, at_}, [&](std::uint32_t slot) { look_above(slot); });
        if (best_.polygon != kNone || !(reach_.across > 0.0)) return best_;
        // In growing squares: what is found within one is the nearest, and far reaches cost no more than near ones.
        const double size = state_.box.high.x - state_.box.low.x + (state_.box.high.y - state_.box.low.y);
        const double off = off_the_mesh();
        for (double part = kFirstSquare;; part *= kGrowth) {
            const double across = off + part * size;
            const bool last = part > 1.0 || !(across < reach_.across);
            look_within(last ? reach_.across : across);
            if (last || best_.polygon != kNone) return best_;
        }
    }

  private:
    static constexpr double kFirstSquare = 0x1p-9;  ///< of the mesh
    static constexpr double kGrowth = 4.0;

    /// How far the position is from the box around all polygons, along the axis where it is further.
    [[nodiscard]] double off_the_mesh() const {
        const Aabb& box = state_.box;
        return std::max({box.low.x - at_.x, at_.x - box.high.x, box.low.y - at_.y, at_.y - box.high.y, 0.0});
    }

    void look_within(double across) {
        least_ = across * across;
        const Aabb box{at_ - Vec2{across, across}, at_ + Vec2{across, across}};
        for_tiles(box, [&](std::uint32_t slot) { look_around(slot, box); });
    }

    [[nodiscard]] bool counts(std::uint32_t slot, std::uint32_t polygon) const {
        if ((closed_areas_ >> state_.tiles[slot].polygons[polygon].area() & 1U) != 0) return false;
        return among_.stamps == nullptr ||
               among_.stamps[state_.component(state_.ref(slot, polygon))] == among_.now;
    }
    [[nodiscard]] bool in_reach(double z) const { return z - z_ <= reach_.above && z_ - z <= reach_.below; }

    template <class Visit>
    void for_tiles(const Aabb& box, Visit visit) {
        tiles_meeting(state_, box, visit);
    }

    void look_above(std::uint32_t slot) {
        const TileView& view = state_.tiles[slot];
        const Tile& tile = *view.tile;
        if (!tile.box.contains(at_)) return;
        const BucketRange range = buckets_of({at_, at_}, tile.box.low, tile.bucket_size);
        const std::size_t bucket = std::size_t{range.low_y} * tile.count.buckets_x + range.low_x;
        const std::uint32_t* items = tile.bucket_items();
        for (std::uint32_t i = tile.bucket_firsts()[bucket]; i < tile.bucket_firsts()[bucket + 1]; ++i) {
            if (!ring_contains(ring_of(view, items[i]), at_) || !counts(slot, items[i])) continue;
            const double z = ground_in(state_, slot, items[i], at_);
            const double off = std::fabs(z - z_);
            if (!in_reach(z) || (best_.polygon != kNone && off >= off_)) continue;
            best_ = {state_.ref(slot, items[i]), at_, z};
            off_ = off;
        }
    }

    void look_around(std::uint32_t slot, const Aabb& box) {
        const TileView& view = state_.tiles[slot];
        const Tile& tile = *view.tile;
        if (!overlaps(box, tile.box)) return;
        const Aabb part{{std::max(box.low.x, tile.box.low.x), std::max(box.low.y, tile.box.low.y)},
                        {std::min(box.high.x, tile.box.high.x), std::min(box.high.y, tile.box.high.y)}};
        const BucketRange range = buckets_of(part, tile.box.low, tile.bucket_size);
        for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
            for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) look_in(slot, x, y);
        }
    }

    void look_in(std::uint32_t slot, std::uint32_t x, std::uint32_t y) {
        const TileView& view = state_.tiles[slot];
        const Tile& tile = *view.tile;
        const Vec2 low = tile.box.low + Vec2{x * tile.bucket_size, y * tile.bucket_size};
        const double dx = std::max({low.x - at_.x, at_.x - (low.x + tile.bucket_size), 0.0});
        const double dy = std::max({low.y - at_.y, at_.y - (low.y + tile.bucket_size), 0.0});
        // Buckets are a little larger than computed.
        if ((dx * dx + dy * dy) * (1.0 - 1e-9) > least_) return;
        const std::size_t bucket = std::size_t{y} * tile.count.buckets_x + x;
        for (std::uint32_t i = tile.bucket_firsts()[bucket]; i < tile.bucket_firsts()[bucket + 1]; ++i) {
            look_at(slot, tile.bucket_items()[i]);
        }
    }

    void look_at(std::uint32_t slot, std::uint32_t polygon) {
        const TileView& view = state_.tiles[slot];
        if (!counts(slot, polygon)) return;
        const Ring ring = ring_of(view, polygon);
        const Vec2 edge = ring_contains(ring, at_) ? at_ : nearest_on_ring(ring, at_);
        const double square = dot(edge - at_, edge - at_);
        if (square > least_) return;
        const Vec2 p = settle(ring, edge);
        const double z = ground_in(state_, slot, polygon, p);
        const double off = std::fabs(z - z_);
        const std::uint32_t ref = state_.ref(slot, polygon);
        if (!in_reach(z)) return;
        if (best_.polygon != kNone && square == least_ &&
            (off > off_ || (off == off_ && ref >= best_.polygon)))
            return;
        best_ = {ref, p, z};
        least_ = square;
        off_ = off;
    }

    const StateData& state_;
    Vec2 at_;
    double z_;
    MeshReach reach_;
    std::uint64_t closed_areas_;
    ComponentSet among_;  ///< no stamps: any
    SurfacePoint best_{};
    double off_ = 0.0;
    double least_ = 0.0;
};

}  // namespace

namespace {

/// The height on the side that is nearest to p.
double height_on_side(const TileView& view, std::uint32_t polygon, Vec2 p) {
    const std::uint32_t first = view.polygons[polygon].first, end = view.polygons[polygon + 1].first;
    double height = view.tile->height(first), least = kMeshSpan * kMeshSpan * 16.0;
    for (std::uint32_t e = first; e < end; ++e) {
        const std::uint32_t next = e + 1 < end ? e + 1 : first;
        const Vec2 a = view.edges[e].from, b = view.edges[next].from;
        const Vec2 q = nearest_on(a, b, p);
        const double square = dot(q - p, q - p);
        if (square >= least) continue;
        least = square;
        height = view.tile->height(e) +
                 (view.tile->height(next) - view.tile->height(e)) * (distance(a, q) / distance(a, b));
    }
    return height;
}

}  // namespace

double height_in_polygon(const TileView& view, std::uint32_t polygon, Vec2 p) {
    const std::uint32_t first = view.polygons[polygon].first;
    const std::uint32_t end = view.polygons[polygon + 1].first;
    const Tile& tile = *view.tile;
    const Vec2 a = view.edges[first].from;
    std::uint32_t k = first + 1;
    // The last triangle is the one for what rounding puts beyond it.
    while (k + 2 < end && cross(view.edges[k + 1].from - a, p - a) > 0.0) ++k;
    const Vec2 u = view.edges[k].from - a, v = view.edges[k + 1].from - a, w = p - a;
    const double area = cross(u, v);
    const double base = tile.height(first);
    // In line with the first corner there may be others; there the heights are those along the sides.
    const bool in_line =
        !(area > 0.0) || (k + 2 < end && cross(v, w) == 0.0 && !(cross(v, view.edges[k + 2].from - a) > 0.0));
    if (in_line) return height_on_side(view, polygon, p);
    return base + (cross(w, v) * (tile.height(k) - base) + cross(u, w) * (tile.height(k + 1) - base)) / area;
}

double height_at(const StateData& state, std::uint32_t polygon, Vec2 p) {
    return height_in_polygon(state.tile_of(polygon), state.local(polygon), p);
}

namespace {

/// Of the height field of a tile; none: it does not know.
std::optional<double> field_at(const StateData& state, const TileHeights& heights, std::uint32_t layer,
                               Vec2 p) {
    const std::optional<double> z =
        heights.field().at(layer, p.x / heights.cell_size - heights.low_x,
                           p.y / heights.cell_size - heights.low_y, state.step_height / heights.cell_height);
    if (!z.has_value()) return std::nullopt;
    return *z * heights.cell_height;
}

/// A point of a polygon, as much as `by` nearer to its middle.
Vec2 inwards(const Ring& ring, Vec2 p, double by) {
    Vec2 middle{};
    for (const MeshEdge* e = ring.first; e != ring.end; ++e) middle = middle + e->from;
    const Vec2 way = middle * (1.0 / static_cast<double>(ring.end - ring.first)) - p;
    const double far = length(way);
    return far > by ? p + way * (by / far) : p + way;
}

// A bake straightens borders over cells beyond them. There the layer may have another part of the surface, on another storey: that shows as
// a height far from the polygon's and, by more than a step, from that a little further inside.
constexpr double kCellsInside = 2.0;

/// From the tile's height field; none: it does not know.
std::optional<double> told_ground(const StateData& state, std::uint32_t slot, std::uint32_t polygon, Vec2 p) {
    const TileHeights* const heights = state.heights[slot];
    if (heights == nullptr) return std::nullopt;
    const TileView& view = state.tiles[slot];
    const std::uint32_t layer = view.tile->layers()[polygon];
    const std::optional<double> z = field_at(state, *heights, layer, p);
    if (!z.has_value() || std::fabs(*z - height_in_polygon(view, polygon, p)) <= state.step_height) return z;
    const Vec2 q = inwards(ring_of(view, polygon), p, kCellsInside * heights->cell_size);
    const std::optional<double> inside = field_at(state, *heights, layer, q);
    return inside.has_value() && std::fabs(*inside - *z) > state.step_height ? inside : z;
}

}  // namespace

double ground_in(const StateData& state, std::uint32_t slot, std::uint32_t polygon, Vec2 p) {
    const std::optional<double> told = told_ground(state, slot, polygon, p);
    return told.has_value() ? *told : height_in_polygon(state.tiles[slot], polygon, p);
}

double ground_at(const StateData& state, std::uint32_t polygon, Vec2 p) {
    return ground_in(state, polygon >> state.bits, state.local(polygon), p);
}

double ground_near(const StateData& state, std::uint32_t polygon, Vec2 p) {
    const double z = ground_at(state, polygon, p);
    if (state.heights[polygon >> state.bits] == nullptr || contains(state, polygon, p)) return z;
    // The ground of another layer or tile may begin here: the floor that is nearest in height.
    const SurfacePoint at =
        nearest_point(state, {p.x, p.y, z}, {.across = 1e-6, .above = kMeshSpan, .below = kMeshSpan});
    return at.polygon != kNone ? at.z : z;
}

double ground_at_corner(const StateData& state, EdgeRef edge) {
    const MeshEdge& side = state.edge(edge);
    const std::optional<double> told = told_ground(state, edge >> state.bits, side.polygon, side.from);
    return told.has_value() ? *told : state.tile_of(edge).tile->height(state.local(edge));
}

bool contains(const StateData& state, std::uint32_t polygon, Vec2 p) {
    return ring_contains(ring_of(state.tile_of(polygon), state.local(polygon)), p);
}

SurfacePoint settle_in(const StateData& state, std::uint32_t polygon, Vec3 position) {
    const Vec2 at = settle(ring_of(state.tile_of(polygon), state.local(polygon)), ground(position));
    return {polygon, at, ground_at(state, polygon, at)};
}

SurfacePoint nearest_in_polygon(const StateData& state, std::uint32_t polygon, Vec2 position) {
    const Ring ring = ring_of(state.tile_of(polygon), state.local(polygon));
    const Vec2 at = ring_contains(ring, position) ? position : settle(ring, nearest_on_ring(ring, position));
    return {polygon, at, ground_at(state, polygon, at)};
}

SurfacePoint nearest_point(const StateData& state, Vec3 position, const MeshReach& reach,
                           std::uint64_t closed_areas) {
    return Finder(state, position, reach, closed_areas, {}).find();
}

void each_polygon(const StateData& state, const Aabb& box, void (*visit)(PolygonId polygon, void* user),
                  void* user) {
    tiles_meeting(state, box, [&](std::uint32_t slot) {
        const TileView& view = state.tiles[slot];
        const Tile& tile = *view.tile;
        if (!overlaps(box, tile.box)) return;
        const Aabb part{{std::max(box.low.x, tile.box.low.x), std::max(box.low.y, tile.box.low.y)},
                        {std::min(box.high.x, tile.box.high.x), std::min(box.high.y, tile.box.high.y)}};
        const BucketRange range = buckets_of(part, tile.box.low, tile.bucket_size);
        const auto look = [&](std::uint32_t polygon, std::uint32_t x, std::uint32_t y) {
            const Ring ring = ring_of(view, polygon);
            Aabb own{ring.first->from, ring.first->from};
            for (const MeshEdge* e = ring.first; e != ring.end; ++e) {
                own.low = {std::min(own.low.x, e->from.x), std::min(own.low.y, e->from.y)};
                own.high = {std::max(own.high.x, e->from.x), std::max(own.high.y, e->from.y)};
            }
            if (!overlaps(own, box)) return;
            // It lies in several buckets: the first of them that is looked at counts.
            const BucketRange all = buckets_of(own, tile.box.low, tile.bucket_size);
            if (x != std::max(range.low_x, all.low_x) || y != std::max(range.low_y, all.low_y)) return;
            visit(PolygonId{state.ref(slot, polygon)}, user);
        };
        for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
            for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
                const std::size_t bucket = std::size_t{y} * tile.count.buckets_x + x;
                for (std::uint32_t i = tile.bucket_firsts()[bucket]; i < tile.bucket_firsts()[bucket + 1];
                     ++i) {
                    look(tile.bucket_items()[i], x, y);
                }
            }
        }
    });
}

bool any_place(const StateData& state, Vec3 position, const MeshReach& reach, std::uint64_t closed_areas,
               bool (*accept)(const SurfacePoint& at, void* user), void* user) {
    struct Search {
        const StateData& state;
        Vec3 position;
        const MeshReach& reach;
        std::uint64_t closed_areas;
        bool (*accept)(const SurfacePoint& at, void* user);
        void* user;
        bool found = false;
    } search{state, position, reach, closed_areas, accept, user};
    const auto visit = [](PolygonId polygon, void* mine) {
        Search& self = *static_cast<Search*>(mine);
        const TileView& view = self.state.tile_of(polygon.value);
        if (self.found ||
            (self.closed_areas >> view.polygons[self.state.local(polygon.value)].area() & 1U) != 0)
            return;
        const SurfacePoint at = settle_in(self.state, polygon.value, self.position);
        if (distance(at.position, ground(self.position)) > self.reach.across) return;
        if (at.z - self.position.z > self.reach.above || self.position.z - at.z > self.reach.below) return;
        self.found = self.accept(at, self.user);
    };
    const Vec2 across{reach.across, reach.across};
    each_polygon(state, {ground(position) - across, ground(position) + across}, visit, &search);
    return search.found;
}

SurfacePoint nearest_in_component(const StateData& state, Vec3 position, const ComponentSet& among,
                                  std::uint64_t closed_areas) {
    const MeshReach reach{8.0 * kMeshSpan, 4.0 * kMeshSpan, 4.0 * kMeshSpan};
    return Finder(state, position, reach, closed_areas, among).find();
}

}  // namespace fairlead::mesh
