#include "mesh/edit/gates.h"

#include <algorithm>
#include <cmath>

#include <fairlead/base/digest.h>

#include "mesh/data/plane.h"
#include "mesh/edit/carve_kit.h"
#include "mesh/surface/nearest_wall.h"
#include "mesh/surface/walk.h"

namespace fairlead::mesh {

namespace {

double height_of(const StateData& state, EdgeRef edge) {
    return state.tile_of(edge).tile->height(state.local(edge));
}

}  // namespace

GateKey key_of(std::span<const Gate> gates) {
    Digest digest;
    for (const Gate& gate : gates) {
        for (const double value : {gate.a.x, gate.a.y, gate.b.x, gate.b.y, gate.za, gate.zb, gate.gap})
            digest.add(value);
    }
    return {gates.empty() ? 0 : digest.value(), gates.size()};
}

bool GateFinder::find(const StateData& state, std::uint32_t slot, double gap_max, Array<Gate>& out) {
    state_ = &state;
    gap_max_ = gap_max;
    out.clear();
    const Tile& tile = *state.tiles[slot].tile;
    const bool tiled = state.tile_size > 0.0;
    const Aabb square = tiled ? tile_square(tile.x, tile.y, state.tile_size) : tile.box;
    const Aabb wide{square.low - Vec2{gap_max, gap_max}, square.high + Vec2{gap_max, gap_max}};
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::uint32_t other = tiled                ? state.find_tile(tile.x + dx, tile.y + dy)
                                        : dx == 0 && dy == 0 ? slot
                                                             : kNone;
            if (other == kNone) continue;
            const TileView& view = state.tiles[other];
            for (std::uint32_t i = 0; i < view.tile->count.corners; ++i) {
                const std::uint32_t wall = view.tile->corner_walls()[i];
                const MeshEdge& edge = view.edges[wall];
                if (edge.twin != kNone || edge.corner == kNone || !wide.contains(edge.from)) continue;
                if (watch != nullptr && i % 64 == 0 && !watch->goes_on()) return false;
                if (!find_at(state.ref(other, wall), square, out)) return false;
            }
        }
    }
    // total order: gates that are equal in all of these are the same gate
    const auto before = [](const Gate& p, const Gate& q) {
        const double mine[] = {p.a.x, p.a.y, p.b.x, p.b.y, p.za, p.zb};
        const double theirs[] = {q.a.x, q.a.y, q.b.x, q.b.y, q.za, q.zb};
        return std::lexicographical_compare(mine, mine + 6, theirs, theirs + 6);
    };
    std::sort(out.begin(), out.end(), before);  // total order
    return true;
}

// All walls within reach of the corner over the surface.
bool GateFinder::gather_walls(EdgeRef corner) {
    walls_.clear();
    bool room = true;
    const auto wall = [&](EdgeRef edge, Vec2 a, Vec2 b) { room = room && walls_.push_back({edge, a, b}); };
    const Vec2 at = state_->edge(corner).from;
    return flood(*state_, state_->polygon_ref(corner), at, gap_max_, 0, flood_, wall) && room &&
           spend(walls_.size() + flood_.queue.size());
}

// No wall that was gathered reaches into the circle (by more than rounding).
bool GateFinder::clear_circle(Vec2 middle, double radius) const {
    const double inside = radius * (1.0 - 1e-9);
    for (const WallSide& wall : walls_) {
        const Vec2 near = nearest_on(wall.a, wall.b, middle);
        if (dot(near - middle, near - middle) < inside * inside) return false;
    }
    return true;
}

// No wall of the floor that the corner sees. False: out of memory.
bool GateFinder::clear_on_its_floor(EdgeRef corner, Vec2 middle, double radius, bool& clear) {
    Walk walk{.from = state_->edge(corner).from, .to = middle, .polygon = state_->polygon_ref(corner)};
    walk.end = walk.from;
    finish_walk(*state_, walk);
    NearestWall near;
    clear = walk.wall == kNone;
    if (!clear) return true;
    if (!find_nearest_wall(*state_, walk.polygon, middle, radius * (1.0 - 1e-9), 0, flood_, near))
        return false;
    clear = near.wall == kNone;
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
        const Vec2 foot = nearest_on(wall.a, wall.b, at);
        const bool inner = !(foot == wall.a) && !(foot == wall.b);
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
        if (!overlaps(box_of(at, end), square)) continue;
        if (!spend(2 * walls_.size())) return false;
        const Vec2 middle = (at + foot) * 0.5;
        bool clear = clear_circle(middle, gap * 0.5);
        if (!reaches(corner, foot, wall.edge)) continue;
        // What was gathered may be of another floor, round the end of a wall.
        if (!clear && !clear_on_its_floor(corner, middle, gap * 0.5, clear)) return false;
        if (!clear) continue;
        const double za = height_of(*state_, corner);
        const double along = distance(wall.a, foot) / distance(wall.a, wall.b);
        const double z0 = height_of(*state_, wall.edge), z1 = height_of(*state_, state_->next(wall.edge));
        if (!out.push_back({at, end, za, z0 + (z1 - z0) * along, gap})) return false;
    }
    return true;
}

}  // namespace fairlead::mesh
