#include "mesh/gates.h"

#include <algorithm>
#include <cmath>

#include "mesh/orient.h"
#include "mesh/walk.h"

namespace fairlead::mesh {

namespace {

Vec2 foot_on(Vec2 a, Vec2 b, Vec2 p, bool& inner) {
    const Vec2 d = b - a;
    const double t = dot(p - a, d) / dot(d, d);
    inner = t > 0.0 && t < 1.0;
    return t <= 0.0 ? a : t >= 1.0 ? b : a + d * t;
}

double height_of(const StateData& state, EdgeRef edge) {
    return state.tile_of(edge).tile->height(state.local(edge));
}

bool meets_box(Vec2 a, Vec2 b, const Aabb& box) {
    const Aabb own{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
    return overlaps(own, box);
}

}  // namespace

bool GateFinder::find(const StateData& state, std::uint32_t slot, double gap_max, Array<Gate>& out) {
    state_ = &state;
    gap_max_ = gap_max;
    out.clear();
    const Tile& tile = *state.tiles[slot].tile;
    const double size = state.tile_size;
    const Aabb square =
        size > 0.0 ? Aabb{{tile.x * size, tile.y * size}, {(tile.x + 1.0) * size, (tile.y + 1.0) * size}}
                   : tile.box;
    const Aabb wide{square.low - Vec2{gap_max, gap_max}, square.high + Vec2{gap_max, gap_max}};
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::uint32_t other = size > 0.0           ? state.find_tile(tile.x + dx, tile.y + dy)
                                        : dx == 0 && dy == 0 ? slot
                                                             : kNone;
            if (other == kNone) continue;
            const TileView& view = state.tiles[other];
            for (std::uint32_t i = 0; i < view.tile->count.corners; ++i) {
                const std::uint32_t wall = view.tile->corner_walls()[i];
                const MeshEdge& edge = view.edges[wall];
                if (edge.twin != kNone || edge.corner == kNone || !wide.contains(edge.from)) continue;
                if (!find_at(state.ref(other, wall), square, out)) return false;
            }
        }
    }
    return true;
}

// All walls within reach of the corner over the surface.
bool GateFinder::gather_walls(EdgeRef corner) {
    queue_.clear();
    walls_.clear();
    met_.reset();
    const Vec2 at = state_->edge(corner).from;
    const auto meet = [this](std::uint32_t polygon) {
        bool added = false;
        if (met_.find_or_add(polygon, added) == kNoNode) return false;
        return !added || queue_.push_back(polygon);
    };
    if (!meet(state_->polygon_ref(corner))) return false;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const TileView& view = state_->tile_of(queue_[i]);
        const std::uint32_t polygon = state_->local(queue_[i]);
        for (std::uint32_t e = view.polygons[polygon].first; e < view.polygons[polygon + 1].first; ++e) {
            const Vec2 a = view.edges[e].from, b = view.tile->to(e);
            bool inner = false;
            const Vec2 near = foot_on(a, b, at, inner);
            if (dot(near - at, near - at) > gap_max_ * gap_max_) continue;
            if (view.edges[e].twin != kNone) {
                if (!meet(state_->polygon_ref(view.edges[e].twin))) return false;
            } else if (!walls_.push_back({(queue_[i] & ~state_->mask) | e, a, b})) {
                return false;
            }
        }
    }
    return true;
}

// No wall reaches into the circle (by more than rounding).
bool GateFinder::clear_circle(Vec2 middle, double radius) const {
    const double inside = radius * (1.0 - 1e-9);
    for (const WallSide& wall : walls_) {
        bool inner = false;
        const Vec2 near = foot_on(wall.a, wall.b, middle, inner);
        if (dot(near - middle, near - middle) < inside * inside) return false;
    }
    return true;
}

// The wall that ends where this one begins, round the free space between them.
EdgeRef GateFinder::wall_into(EdgeRef wall_out) const {
    for (EdgeRef e = wall_out;;) {
        const EdgeRef before = state_->previous(e);
        e = state_->edge(before).twin;
        if (e == kNone) return before;
    }
}

// Does sliding along either wall of a corner lead no nearer to `to`?
bool GateFinder::at_least(EdgeRef wall_out, EdgeRef wall_in, Vec2 to) const {
    // Square to a wall up to rounding counts: a gate too many does no harm.
    const Vec2 at = state_->edge(wall_out).from;
    const auto nearer = [&](Vec2 along) {
        return dot(to - at, along) > 1e-9 * length(to - at) * length(along);
    };
    return !nearer(state_->to(wall_out) - at) && !nearer(state_->edge(wall_in).from - at);
}

// Can it be seen along the surface, up to the wall that it lies on?
bool GateFinder::reaches(EdgeRef corner, Vec2 to, EdgeRef wall) const {
    Walk walk{.from = state_->edge(corner).from, .to = to, .polygon = state_->polygon_ref(corner)};
    walk.end = walk.from;
    finish_walk(*state_, walk);
    if (walk.wall == kNone) return true;
    // On the wall up to rounding; a walk may also end at the vertex where it begins.
    return walk.wall == wall || distance(walk.end, to) <= 1e-9 * gap_max_;
}

bool GateFinder::find_at(EdgeRef corner, const Aabb& square, Array<Gate>& out) {
    if (!gather_walls(corner)) return false;
    const Vec2 at = state_->edge(corner).from;
    const EdgeRef before = wall_into(corner);
    for (const WallSide& wall : walls_) {
        if (wall.a == at || wall.b == at) continue;
        bool inner = false;
        const Vec2 foot = foot_on(wall.a, wall.b, at, inner);
        const double gap = distance(at, foot);
        if (!(gap > 0.0) || gap > gap_max_ || !at_least(corner, before, foot)) continue;
        if (inner && side_of(wall.a, wall.b, at) <= 0.0) continue;  // behind it
        Vec2 end = foot;
        if (!inner) {
            // A corner to a corner, or to a vertex on a straight wall: once, from the wall that leaves it; two corners from
            // the lesser one.
            const bool corner_too = state_->edge(wall.edge).corner != kNone;
            if (!(foot == wall.a) || (corner_too && (foot.x < at.x || (foot.x == at.x && foot.y < at.y))))
                continue;
            if (!at_least(wall.edge, wall_into(wall.edge), at)) continue;
        } else {
            end = foot + (foot - at) * (4.0 * state_->quantum / gap);
        }
        if (!meets_box(at, end, square)) continue;
        if (!clear_circle((at + foot) * 0.5, gap * 0.5) || !reaches(corner, foot, wall.edge)) continue;
        const double za = height_of(*state_, corner);
        const double along = distance(wall.a, foot) / distance(wall.a, wall.b);
        const double z0 = height_of(*state_, wall.edge), z1 = height_of(*state_, state_->next(wall.edge));
        if (!out.push_back({at, end, za, z0 + (z1 - z0) * along, gap})) return false;
    }
    return true;
}

}  // namespace fairlead::mesh
