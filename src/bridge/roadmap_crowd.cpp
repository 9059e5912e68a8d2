// What a crowd asks about roads. A wall is seen from its free side alone: who stands beside the roads may come in, and what lies behind the
// wall of another road is hidden by this one's.
#include <fairlead/bridge/roadmap_crowd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "bridge/nearest_pieces.h"
#include "bridge/road_ground.h"
#include "crowd/avoid/nearest.h"
#include "roadmap/state.h"
#include "roadmap/walls.h"

namespace fairlead {

namespace {

using bridge::Road;
using bridge::RoadGround;

constexpr double kRoundOff = 1e-9;

const RoadGround& ground_of(void* user) { return *static_cast<const RoadGround*>(user); }

double to_line(Vec2 p, Vec2 a, Vec2 b) { return distance(math::nearest_along(a, b - a, p), p); }

bool on_free_side(const WallPiece& side, Vec2 p) {
    return cross(ground(side.b) - ground(side.a), p - ground(side.a)) >= 0.0;
}

bool same_floor(const RoadGround& roads, const WallPiece& side, Vec2 at, double z) {
    if (roads.flat) return true;
    return roads.one_floor(bridge::foot_on(side.a, side.b, at).z - z);
}

/// item(a, b) for the sides of the roadmap's own walls in boxes that are wanted; false: no more.
template <class Want, class Item>
void each_own_wall(const RoadGround& roads, Want want, Item item) {
    const roadmap::WallSet* walls = roads.state->data().walls;
    if (walls == nullptr) return;
    walls->tree.visit(walls->boxes(), want, [&](std::uint32_t group) {
        const std::uint32_t from = group * roadmap::kSidesPerItem;
        const std::uint32_t more = from + roadmap::kSidesPerItem;
        const std::uint32_t to = more < walls->side_count ? more : walls->side_count;
        for (std::uint32_t i = from; i < to; ++i) {
            if (!item(walls->sides()[i].a, walls->sides()[i].b)) return false;
        }
        return true;
    });
}

double road_walls(const Place& at, double reach, std::span<WallPiece> out, std::size_t& count, void* user) {
    const RoadGround& roads = ground_of(user);
    const Vec2 p = ground(at.position);
    bridge::NearestPieces found(out, reach);
    const auto near = [&](const Aabb& box) {
        return roadmap::distance_squared(box, p) <= found.known() * found.known();
    };
    roads.side_boxes.visit(near, [&](std::uint32_t i) {
        const WallPiece& side = roads.sides[i];
        if (on_free_side(side, p) && same_floor(roads, side, p, at.position.z))
            found.add(side, to_line(p, ground(side.a), ground(side.b)));
        return true;
    });
    each_own_wall(roads, near, [&](Vec2 a, Vec2 b) {
        WallPiece piece;  // thin: the side that faces the unit
        const bool left = cross(b - a, p - a) >= 0.0;
        const Vec2 from = left ? a : b;
        const Vec2 to = left ? b : a;
        piece.a = {from.x, from.y, at.position.z};
        piece.b = {to.x, to.y, at.position.z};
        found.add(piece, to_line(p, a, b));
        return true;
    });
    count = found.count();
    return found.known();
}

/// Does a disc on the way from a to b come nearer to a side than it may, from its free side?
bool stopped_by(const WallPiece& side, Vec2 a, Vec2 b, double radius) {
    const Vec2 from = ground(side.a);
    const Vec2 to = ground(side.b);
    const crowd::NearestPoints pair = crowd::nearest_points(a, b, from, to);
    const double apart = distance(pair.on_way, pair.on_other);
    const double now = to_line(a, from, to);
    const double least = now < radius ? now : radius;  // who is too near may go away
    if (!(apart < least * (1.0 - kRoundOff))) return false;
    const Vec2 wall = to - from;
    if (apart == 0.0) return cross(wall, b - a) < 0.0;
    return cross(wall, pair.on_way - from) >= 0.0;
}

bool on_a_road(const RoadGround& roads, Vec3 p) {
    const Vec2 at = ground(p);
    return !roads.road_boxes.visit(
        [&](const Aabb& box) { return box.contains(at); },
        [&](std::uint32_t i) {
            const Road& road = roads.roads[i];
            const Vec3 foot = bridge::foot_on(road.a, road.b, at);
            return !(distance(ground(foot), at) <= road.half && roads.one_floor(foot.z - p.z));
        });
}

bool clear_of_sides(const RoadGround& roads, Vec3 from, Vec3 to, double radius) {
    const Vec2 a = ground(from);
    const Vec2 b = ground(to);
    if (a == b && !on_a_road(roads, from)) return false;
    const Aabb box = bridge::box_around(a, b, radius);
    return roads.side_boxes.visit([&](const Aabb& other) { return overlaps(box, other); },
                                  [&](std::uint32_t i) {
                                      const WallPiece& side = roads.sides[i];
                                      if (!stopped_by(side, a, b, radius)) return true;
                                      const Vec2 middle = (ground(side.a) + ground(side.b)) * 0.5;
                                      return !same_floor(roads, side, middle,
                                                         bridge::foot_on(from, to, middle).z);
                                  });
}

/// How far it is to the nearest edge of a floor; infinite if there is none.
double to_edges(const RoadGround& roads, Vec3 p) {
    const Vec2 at = ground(p);
    double best = roadmap::kInfinity;
    roads.road_boxes.visit([&](const Aabb& box) { return roadmap::distance_squared(box, at) < best; },
                           [&](std::uint32_t i) {
                               const Road& road = roads.roads[i];
                               const Vec3 foot = bridge::foot_on(road.a, road.b, at);
                               const Vec2 off = ground(foot) - at;
                               const bool here = roads.one_floor(foot.z - p.z);
                               if (here && dot(off, off) < best) best = dot(off, off);
                               return true;
                           });
    return std::sqrt(best);
}

/// Without widths: is the whole way so near to edges? Who is farther off sees the nearest edge and no more, and a place farther off is seen
/// from the nearest edge.
bool along_edges(const RoadGround& roads, Vec3 from, Vec3 to) {
    const double half = roads.beside;
    const Vec2 p = ground(from);
    const Vec2 d = ground(to) - p;
    const double off = std::max(to_edges(roads, from), to_edges(roads, to));
    if (off > half) return length(d) <= off + half;
    double reached = 0.0;
    for (;;) {
        const Vec2 at = p + d * reached;
        const double z = from.z + (to.z - from.z) * reached;
        double next = reached;
        const Aabb box = bridge::box_around(at, at, half);
        roads.road_boxes.visit(
            [&](const Aabb& other) { return overlaps(box, other); },
            [&](std::uint32_t i) {
                const Road& road = roads.roads[i];
                const Vec2 a = ground(road.a);
                const Vec2 b = ground(road.b);
                const Vec3 foot = bridge::foot_on(road.a, road.b, at);
                if (distance(ground(foot), at) > half * (1.0 + kRoundOff)) return true;
                if (!roads.one_floor(foot.z - z)) return true;
                const bridge::Stretch in = bridge::near_line(p, d, a, b, half, {reached, 1.0});
                if (!in.empty() && in.to > next) next = in.to;
                return true;
            });
        if (next >= 1.0) return true;
        if (!(next - reached > 1e-9)) return false;
        reached = next;
    }
}

bool road_clear(const Place& from, Vec3 to, double radius, void* user) {
    const RoadGround& roads = ground_of(user);
    const Vec2 a = ground(from.position);
    if (!roads.state->walls_clear(a, ground(to), radius)) return false;
    return roads.widths ? clear_of_sides(roads, from.position, to, radius)
                        : along_edges(roads, from.position, to);
}

bool sight_clear(Vec3 a, Vec3 b, double radius, void* user) {
    const RoadGround& roads = ground_of(user);
    return !roads.widths || clear_of_sides(roads, a, b, radius);
}

double road_ray(const Place& from, Vec3 direction, double reach, void* user) {
    const RoadGround& roads = ground_of(user);
    const Vec2 p = ground(from.position);
    const Vec2 d{direction.x, direction.y};
    double best = reach;
    const auto meets = [&](const Aabb& box) {
        return overlaps(box, bridge::box_around(p, p + d * best, 0.0));
    };
    const auto hit = [&](Vec2 a, Vec2 b, double& at) {
        const Vec2 wall = b - a;
        const double turn = cross(d, wall);
        if (turn == 0.0) return false;
        at = cross(a - p, wall) / turn;
        const double along = cross(a - p, d) / turn;
        return at >= 0.0 && at < best && along >= 0.0 && along <= 1.0;
    };
    roads.side_boxes.visit(meets, [&](std::uint32_t i) {
        const WallPiece& side = roads.sides[i];
        const Vec2 a = ground(side.a);
        const Vec2 b = ground(side.b);
        double at = 0.0;
        if (cross(b - a, d) < 0.0 && hit(a, b, at) && same_floor(roads, side, p + d * at, from.position.z))
            best = at;
        return true;
    });
    each_own_wall(roads, meets, [&](Vec2 a, Vec2 b) {
        double at = 0.0;
        if (hit(a, b, at)) best = at;
        return true;
    });
    return best;
}

double road_speed(const Place& at, void* user) {
    const RoadGround& roads = ground_of(user);
    const Vec2 p = ground(at.position);
    double most = 0.0;
    roads.road_boxes.visit([&](const Aabb& box) { return box.contains(p); },
                           [&](std::uint32_t i) {
                               const Road& road = roads.roads[i];
                               const Vec3 foot = bridge::foot_on(road.a, road.b, p);
                               const bool here = distance(ground(foot), p) <= road.half &&
                                                 roads.one_floor(foot.z - at.position.z);
                               if (here && road.speed_max > most) most = road.speed_max;
                               return true;
                           });
    return most > 0.0 ? most : kNoLimit;
}

double road_half_width(Vec3 from, Vec3 to, void* user) {
    const RoadGround& roads = ground_of(user);
    const Vec3 middle = (from + to) * 0.5;
    const Vec2 p = ground(middle);
    double best = roadmap::kInfinity;
    double half = kUnknown;
    roads.road_boxes.visit([&](const Aabb& box) { return box.contains(p); },
                           [&](std::uint32_t i) {
                               const Road& road = roads.roads[i];
                               const Vec3 foot = bridge::foot_on(road.a, road.b, p);
                               const Vec2 off = ground(foot) - p;
                               const double dz = foot.z - middle.z;
                               const double away = dot(off, off) + dz * dz;
                               if (away < best) {
                                   best = away;
                                   half = road.half;
                               }
                               return true;
                           });
    return half;
}

/// Onto the nearest edge of this floor, or where there is none, the nearest in space.
Place road_settle(const Place& from, Vec3 to, void* user) {
    const RoadGround& roads = ground_of(user);
    const Vec2 p = ground(to);
    Place place = from;
    place.position = to;
    for (const bool here : {true, false}) {
        double best = roadmap::kInfinity;
        roads.road_boxes.visit([&](const Aabb& box) { return roadmap::distance_squared(box, p) < best; },
                               [&](std::uint32_t i) {
                                   const Road& road = roads.roads[i];
                                   const Vec3 foot = bridge::foot_on(road.a, road.b, p);
                                   const Vec2 off = ground(foot) - p;
                                   const double dz = foot.z - from.position.z;
                                   if (here && !roads.one_floor(dz)) return true;
                                   const double away = dot(off, off) + (here ? 0.0 : dz * dz);
                                   if (away < best) {
                                       best = away;
                                       place.position.z = foot.z;
                                   }
                                   return true;
                               });
        if (best < roadmap::kInfinity) break;
    }
    return place;
}

}  // namespace

Result<RoadmapCrowd> RoadmapCrowd::make(const RoadmapState& roadmap, const RoadmapCrowdOptions& options) {
    if (!std::isfinite(options.height)) return Error{ErrorCode::not_finite, Field::height};
    if (!(options.height > 0.0)) return Error{ErrorCode::out_of_range, Field::height};
    if (!std::isfinite(options.beside)) return Error{ErrorCode::not_finite, Field::distance};
    if (!(options.beside > 0.0)) return Error{ErrorCode::out_of_range, Field::distance};
    const Allocator& from = options.allocator;
    void* memory = from.allocate(sizeof(RoadGround), alignof(RoadGround), from.user);
    if (memory == nullptr) return Error{ErrorCode::out_of_memory};
    RoadmapCrowd made(::new (memory) RoadGround(roadmap, options.height, from));
    made.ground_->beside = options.beside;
    if (!made.ground_->build()) return Error{ErrorCode::out_of_memory};
    return made;
}

RoadmapCrowd::RoadmapCrowd(RoadmapCrowd&& other) noexcept : ground_(std::exchange(other.ground_, nullptr)) {}

RoadmapCrowd& RoadmapCrowd::operator=(RoadmapCrowd&& other) noexcept {
    std::swap(ground_, other.ground_);
    return *this;
}

RoadmapCrowd::~RoadmapCrowd() {
    if (ground_ == nullptr) return;
    const Allocator from = ground_->allocator;
    ground_->~RoadGround();
    from.release(ground_, sizeof(RoadGround), alignof(RoadGround), from.user);
}

void RoadmapCrowd::set_beside(double beside) { ground_->beside = beside; }

CrowdWorld RoadmapCrowd::world() const {
    CrowdWorld world;
    const bool walls = ground_->widths || ground_->state->has_walls();
    world.walls = walls ? road_walls : nullptr;
    world.clear = road_clear;
    world.ray = walls ? road_ray : nullptr;
    world.settle = ground_->flat ? nullptr : road_settle;
    world.speed_max = ground_->widths && ground_->state->has_speed_limits() ? road_speed : nullptr;
    world.half_width = ground_->widths && ground_->state->has_speed_limits() ? road_half_width : nullptr;
    world.user = ground_;
    return world;
}

SightQuery RoadmapCrowd::sight() const { return {sight_clear, ground_}; }

}  // namespace fairlead
