// What is asked of sight, from inside the library and by its users.
#include <fairlead/volume/sight.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "volume/sight/check_unit.h"
#include "volume/sight/each_solid.h"
#include "volume/sight/walk.h"

namespace fairlead {

namespace volume {

Body::Body(const StateData& state, double world_radius, double world_half, double slacks, double gap)
    : radius(world_radius), half(world_half) {
    const double s[3] = {state.scale.x, state.scale.y, state.scale.z};
    const double least = std::min({s[0], s[1], s[2]});
    const double point = gap * least;
    const double diagonal = 0.5 * std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    // Sight allows half the contact slack (math/contact.h).
    give = slacks * state.slack * least;
    const double firm = std::max(radius - give, 0.0);
    limit = std::max(firm * firm, point * point);
    const double reach = std::max(radius, point);
    const double inner = reach + 0.5 * least, outer = reach + diagonal + half;
    hit = inner * inner * (1.0 - 1e-6);
    miss = outer * outer * (1.0 + 1e-6);
    const double outer_brick = reach + 4.0 * diagonal + half;
    miss_brick = outer_brick * outer_brick * (1.0 + 1e-6);
    const bool quick = radius >= 0.01 * least;
    touch = quick ? limit * (1.0 - 1e-6) : 0.0;
    clear = quick ? limit * (1.0 + 1e-6) : std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
        grow[k] = reach / s[k] * (1.0 + 1e-9) + 0x1p-22;
        keep[k] = firm / s[k];
    }
    if (half > 0.0) {
        grow[2] += half / s[2] * (1.0 + 1e-9);
        keep[2] += half / s[2];
    }
    margin = std::max(firm, point);
}

Body Body::cylinder(const StateData& state, double world_radius, double world_half) {
    Body body(state, world_radius);
    body.half = std::max(world_half - body.give, 0.0);
    body.is_cylinder = true;
    return body;
}

bool Body::is_narrow(const StateData& state) const {
    const double room = 0.5 * std::min({state.scale.x, state.scale.y, state.scale.z}) * (1.0 + 1e-12);
    return radius <= room && (half == 0.0 || radius + half <= 0.5 * state.scale.z * (1.0 + 1e-12));
}

namespace {

Vec3 from_low(const StateData& state, Vec3 at) {
    return {at.x * state.scale.x, at.y * state.scale.y, at.z * state.scale.z};
}

bool sees_past_all(const StateData& state, const Body& body, Vec3 from, Vec3 to) {
    if (body.blockers == nullptr) return true;
    return !body.blockers->along(
        from_low(state, from), from_low(state, to), body.margin,
        [&](const Obstacle& o, std::uint32_t) { return !sees_past(state, body, o, from, to); });
}

}  // namespace

bool sees_past(const StateData& state, const Body& body, const Obstacle& o, Vec3 from, Vec3 to) {
    return !comes_near(o, from_low(state, from), from_low(state, to), body.margin);
}

bool stands_beside(const StateData& state, const Body& body, const Obstacle& o, Vec3 at) {
    if (body.radius > 0.0) return sees_past(state, body, o, at, at);
    const Vec3 p = from_low(state, at);
    return !goes_inside(o, p, p, body.give);
}

void look_past(const StateData& state, const Body& body, const Obstacle& o, std::int64_t number, Vec3 from,
               Vec3 to, SightHit& hit) {
    if (sees_past(state, body, o, from, to)) return;
    const double share = first_near(o, from_low(state, from), from_low(state, to), body.margin);
    if (hit.blocked && hit.share <= share) return;
    hit = {true, share, voxel_of(state, from + (to - from) * share), number};
}

bool inside(const StateData& state, const Body& body, Vec3 at) {
    if (body.radius == 0.0) return state.holds(at);
    const auto in = [](double p, double keep, std::int32_t size) { return p >= keep && p <= size - keep; };
    return in(at.x, body.keep[0], state.size.x) && in(at.y, body.keep[1], state.size.y) &&
           in(at.z, body.keep[2], state.size.z);
}

bool sees(const StateData& state, const Body& body, Vec3 from, Vec3 to) {
    SightHit hit;
    if (body.radius == 0.0) {
        const WalkEnd end = walk_point(state, body, from, to, hit);
        if (end != WalkEnd::unsure) return end == WalkEnd::free && sees_past_all(state, body, from, to);
    }
    return !walk_body(state, body, from, to, false, hit) && sees_past_all(state, body, from, to);
}

SightHit look(const StateData& state, const Body& body, Vec3 from, Vec3 to) {
    SightHit hit;
    const bool sure = body.radius == 0.0 && walk_point(state, body, from, to, hit) != WalkEnd::unsure;
    if (!sure) (void)walk_body(state, body, from, to, true, hit);
    if (body.blockers == nullptr) return hit;
    (void)body.blockers->along(from_low(state, from), from_low(state, to), body.margin,
                               [&](const Obstacle& o, std::uint32_t number) {
                                   look_past(state, body, o, number, from, to, hit);
                                   return false;
                               });
    return hit;
}

bool free_voxel_at(const StateData& state, Vec3 at, Voxel& voxel) {
    if (!state.holds(at)) return false;
    const Voxel own = voxel_of(state, at);
    // Along each axis its own, and the one behind a side that it is on.
    const auto beside = [&](double p, std::int32_t v) {
        return p - v <= state.slack ? -1 : v + 1 - p <= state.slack ? 1 : 0;
    };
    const Voxel step{beside(at.x, own.x), beside(at.y, own.y), beside(at.z, own.z)};
    for (std::int32_t i = 0; i < 8; ++i) {
        if (((i & 1) != 0 && step.x == 0) || ((i & 2) != 0 && step.y == 0) || ((i & 4) != 0 && step.z == 0))
            continue;
        voxel = {own.x + (i & 1) * step.x, own.y + (i >> 1 & 1) * step.y, own.z + (i >> 2) * step.z};
        if (state.is_free(voxel)) return true;
    }
    return false;
}

bool stands(const StateData& state, const Body& body, Vec3 at) {
    if (!inside(state, body, at)) return false;
    Voxel voxel;
    if (!free_voxel_at(state, at, voxel)) return false;
    SightHit hit;
    if (body.radius != 0.0 && walk_body(state, body, at, at, false, hit)) return false;
    if (body.blockers == nullptr) return true;
    const Vec3 p = from_low(state, at);
    return !body.blockers->along(p, p, body.margin, [&](const Obstacle& o, std::uint32_t) {
        return !stands_beside(state, body, o, at);
    });
}

}  // namespace volume

using volume::Body;
using volume::StateData;

namespace {

Agent sphere(double radius) { return {.radius = radius}; }

bool good(const StateData& state, Vec3 at, const Agent& agent) {
    return is_finite(at) && volume::check_upright(state, agent) && state.holds(state.in_voxels(at));
}

// Calls visit(obstacle, number) of those that are none the worse; did it say true?
template <class Visit>
bool each_blocker(const StateData& state, const Body& body, std::span<const VolumeBlocker> blockers,
                  const Visit& visit) {
    for (std::size_t i = 0; i < blockers.size(); ++i) {
        if (volume::check_blocker(state, blockers[i]) &&
            visit(volume::obstacle_of(state, blockers[i], body.half), static_cast<std::int64_t>(i)))
            return true;
    }
    return false;
}

}  // namespace

bool fits(const VolumeState& volume, Vec3 at, double radius, std::span<const VolumeBlocker> blockers) {
    return fits(volume, at, sphere(radius), blockers);
}

bool in_sight(const VolumeState& volume, Vec3 from, Vec3 to, double radius,
              std::span<const VolumeBlocker> blockers) {
    return in_sight(volume, from, to, sphere(radius), blockers);
}

VolumeHit cast_ray(const VolumeState& volume, Vec3 from, Vec3 to, double radius,
                   std::span<const VolumeBlocker> blockers) {
    return cast_ray(volume, from, to, sphere(radius), blockers);
}

bool fits(const VolumeState& volume, Vec3 at, const Agent& agent, std::span<const VolumeBlocker> blockers) {
    const StateData& state = volume.data();
    if (!good(state, at, agent)) return false;
    const Body body(state, agent);
    const Vec3 place = state.in_voxels(at);
    return volume::stands(state, body, place) &&
           !each_blocker(state, body, blockers, [&](const volume::Obstacle& o, std::int64_t) {
               return !volume::stands_beside(state, body, o, place);
           });
}

bool in_sight(const VolumeState& volume, Vec3 from, Vec3 to, const Agent& agent,
              std::span<const VolumeBlocker> blockers) {
    const StateData& state = volume.data();
    if (!good(state, from, agent) || !good(state, to, agent)) return false;
    const Body body(state, agent);
    const Vec3 a = state.in_voxels(from), b = state.in_voxels(to);
    return volume::inside(state, body, a) && volume::inside(state, body, b) &&
           volume::sees(state, body, a, b) &&
           !each_blocker(state, body, blockers, [&](const volume::Obstacle& o, std::int64_t) {
               return !volume::sees_past(state, body, o, a, b);
           });
}

VolumeHit cast_ray(const VolumeState& volume, Vec3 from, Vec3 to, const Agent& agent,
                   std::span<const VolumeBlocker> blockers) {
    const StateData& state = volume.data();
    VolumeHit none{true, 0.0, volume.voxel_at(from), from};
    if (!good(state, from, agent) || !is_finite(to)) return none;
    const Body body(state, agent);
    const Vec3 a = state.in_voxels(from);
    Vec3 b = state.in_voxels(to);
    if (!is_finite(b) || !volume::inside(state, body, a)) return none;
    // Cut at the bounds.
    double share = 1.0;
    int cut = -1;
    const double start[3] = {a.x, a.y, a.z}, end[3] = {b.x, b.y, b.z};
    const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
    const bool ends_in = volume::inside(state, body, b);         // give or take what rounding may be
    const double give = body.radius == 0.0 ? state.slack : 0.0;  // as inside() has it
    for (int k = 0; k < 3 && !ends_in; ++k) {
        const double low = body.keep[k], high = size[k] - body.keep[k];
        if (!(end[k] > high + give) && !(end[k] < low - give)) continue;
        const double at = ((end[k] > high ? high : low) - start[k]) / (end[k] - start[k]);
        if (at < share) share = std::max(at, 0.0), cut = k;
    }
    if (cut >= 0) {
        b = a + (b - a) * share;
        b = {std::clamp(b.x, body.keep[0], size[0] - body.keep[0]),
             std::clamp(b.y, body.keep[1], size[1] - body.keep[1]),
             std::clamp(b.z, body.keep[2], size[2] - body.keep[2])};
    }
    volume::SightHit hit = volume::look(state, body, a, b);
    (void)each_blocker(state, body, blockers, [&](const volume::Obstacle& o, std::int64_t number) {
        volume::look_past(state, body, o, number, a, b, hit);
        return false;
    });
    VolumeHit out;
    out.blocked = hit.blocked || cut >= 0;
    out.share = hit.blocked ? hit.share * share : share;
    out.position = from + (to - from) * out.share;
    if (hit.blocked) {
        out.voxel = hit.voxel;
        out.blocker = hit.blocker;
    } else if (cut >= 0) {
        out.voxel = volume::voxel_of(state, b);
        std::int32_t* const axis[3] = {&out.voxel.x, &out.voxel.y, &out.voxel.z};
        *axis[cut] = end[cut] > start[cut] ? size[cut] : -1;
    }
    return out;
}

double clearance_at(const VolumeState& volume, Vec3 at, double limit) {
    return volume::room_at(volume.data(), at, 0.0, limit);
}

double volume::room_at(const StateData& state, Vec3 at, double half, double limit) {
    if (!is_finite(at) || !(limit > 0.0) || !state.holds(state.in_voxels(at))) return 0.0;
    const Vec3 p = state.in_voxels(at), s = state.scale;
    const double sides[] = {p.x * s.x,        (state.size.x - p.x) * s.x,
                            p.y * s.y,        (state.size.y - p.y) * s.y,
                            p.z * s.z - half, (state.size.z - p.z) * s.z - half};
    double most = std::max(std::min(limit, *std::min_element(sides, sides + 6)), 0.0);
    const Vec3 here{p.x * s.x, p.y * s.y, p.z * s.z};
    double squared = most * most;
    // In boxes that grow: what is nearer than a box's half side is in it.
    for (double reach = std::min(most, 2.0 * std::max({s.x, s.y, s.z}));; reach *= 2.0) {
        volume::VoxelRange range;
        const double at_k[3] = {p.x, p.y, p.z}, s_k[3] = {s.x, s.y, s.z};
        const std::int32_t size[3] = {state.size.x, state.size.y, state.size.z};
        for (int k = 0; k < 3; ++k) {
            const double grow = (k == 2 ? reach + half : reach) / s_k[k] + 1e-6;
            range.cover(k, at_k[k] - grow, at_k[k] + grow, size[k]);
        }
        (void)volume::each_solid(state, range, volume::EveryBrick{}, [&](Voxel v) {
            squared = std::min(squared, nearest_on_segment(here, here, taller_box(s, v, half)).squared);
            return squared == 0.0;
        });
        if (squared <= reach * reach || reach >= most) return std::sqrt(squared);
    }
}

double voxel_distance(const VolumeState& volume, Voxel a, Voxel b) {
    const Vec3 d{static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y,
                 static_cast<double>(a.z) - b.z};
    return volume.data().length_of(d);
}

}  // namespace fairlead
