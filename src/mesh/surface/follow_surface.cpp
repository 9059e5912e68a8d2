// Heights along a route: where the surface bends, legs are cut until the straight lines between their ends are near
// enough. David Douglas & Thomas Peucker (1973) on the profile of each leg.
#include <algorithm>
#include <cmath>

#include <fairlead/mesh/surface.h>

#include "base/no_memory.h"
#include "mesh/data/plane.h"
#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"

namespace fairlead {

namespace {

using mesh::kNone;
using mesh::StateData;
using mesh::TileView;

/// A point of a leg's profile.
struct Sample {
    double share = 0.0;  ///< of the leg's length
    double z = 0.0;
    bool kept = false;
};

class Profile {
  public:
    Profile(const StateData& state, const Allocator& allocator)
        : samples(allocator), state_(state), open_(allocator) {}

    Array<Sample> samples;

    /// Where the way from a to b crosses sides of polygons, and the triangles that give them their heights.
    [[nodiscard]] bool measure(std::uint32_t polygon, Vec3 a, Vec3 b) {
        samples.clear();
        if (!samples.push_back({0.0, a.z, true})) return false;
        mesh::Walk walk{.from = ground(a), .to = ground(b), .polygon = polygon};
        walk.end = walk.from;
        for (bool more = true; more;) {
            const std::uint32_t inside = walk.polygon;
            const Vec2 enter = walk.end;
            more = mesh::step_walk(state_, walk);
            const bool sampled = state_.heights[inside >> state_.bits] != nullptr;
            if (sampled ? !add_cells(inside, ground(a), ground(b), enter, walk.end)
                        : !add_bends(inside, ground(a), ground(b), enter, walk.end))
                return false;
            if (more && !add(inside, ground(a), ground(b), walk.end)) return false;
        }
        return samples.push_back({1.0, b.z, true});
    }

    /// Keeps samples until none of the others is further off the line between its neighbours than `error`.
    [[nodiscard]] bool choose(double error) {
        open_.clear();
        if (!open_.push_back({0, samples.size() - 1})) return false;
        while (!open_.empty()) {
            const Range range = open_.back();
            open_.pop_back();
            const Sample& p = samples[range.first];
            const Sample& q = samples[range.last];
            std::size_t worst = range.first;
            double most = error;
            for (std::size_t i = range.first + 1; i < range.last; ++i) {
                const double t = q.share > p.share ? (samples[i].share - p.share) / (q.share - p.share) : 0.0;
                const double off = std::fabs(samples[i].z - (p.z + (q.z - p.z) * t));
                if (off <= most) continue;
                most = off;
                worst = i;
            }
            if (worst == range.first) continue;
            samples[worst].kept = true;
            if (!open_.push_back({range.first, worst}) || !open_.push_back({worst, range.last})) return false;
        }
        return true;
    }

  private:
    struct Range {
        std::size_t first = 0;
        std::size_t last = 0;
    };

    [[nodiscard]] bool add(std::uint32_t polygon, Vec2 a, Vec2 b, Vec2 p) {
        const double share = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
        if (share <= samples.back().share) return true;
        return samples.push_back({share, mesh::ground_at(state_, polygon, p), false});
    }

    // With a height field: every half cell.
    [[nodiscard]] bool add_cells(std::uint32_t polygon, Vec2 a, Vec2 b, Vec2 enter, Vec2 leave) {
        constexpr double kSamplesMax = 65536.0;  // of a leg
        const double step =
            std::max(state_.heights[polygon >> state_.bits]->cell_size / 2.0, distance(a, b) / kSamplesMax);
        const double far = distance(enter, leave);
        const double count = std::floor(far / step);
        for (double i = 1.0; i <= count; i += 1.0) {
            if (!add(polygon, a, b, enter + (leave - enter) * (i * step / far))) return false;
        }
        return true;
    }

    // The diagonals from the polygon's first corner, in the order in which the way crosses them.
    [[nodiscard]] bool add_bends(std::uint32_t polygon, Vec2 a, Vec2 b, Vec2 enter, Vec2 leave) {
        const TileView& view = state_.tile_of(polygon);
        const std::uint32_t at = state_.local(polygon);
        const std::uint32_t first = view.polygons[at].first, end = view.polygons[at + 1].first;
        if (end - first < 4) return true;
        const Vec2 apex = view.edges[first].from;
        const bool turns_left = cross(enter - apex, leave - apex) > 0.0;
        for (std::uint32_t i = 0; i + 4 <= end - first; ++i) {
            const std::uint32_t e = turns_left ? first + 2 + i : end - 2 - i;
            const Vec2 c = view.edges[e].from;
            const double from = cross(c - apex, enter - apex), to = cross(c - apex, leave - apex);
            if ((from < 0.0) == (to < 0.0) || from == to) continue;
            if (!add(polygon, a, b, enter + (leave - enter) * (from / (from - to)))) return false;
        }
        return true;
    }

    const StateData& state_;
    Array<Range> open_;
};

}  // namespace

namespace {

/// The polygon at `a` in which the way to b begins: where polygons only touch, one that it does not leave through a wall.
std::uint32_t first_polygon(const StateData& state, Vec3 a, Vec3 b, const MeshReach& reach) {
    struct Way {
        const StateData& state;
        Vec2 to;
        std::uint32_t polygon;
    } way{state, ground(b), kNone};
    const auto gets_there = [](const mesh::SurfacePoint& start, void* user) {
        Way& self = *static_cast<Way*>(user);
        mesh::Walk walk{.from = start.position, .to = self.to, .polygon = start.polygon};
        mesh::finish_walk(self.state, walk);
        self.polygon = start.polygon;
        return walk.wall == kNone;
    };
    const mesh::SurfacePoint nearest = mesh::nearest_point(state, a, reach);
    if (nearest.polygon == kNone || gets_there(nearest, &way)) return nearest.polygon;
    return mesh::any_place(state, a, reach, 0, gets_there, &way) ? way.polygon : nearest.polygon;
}

}  // namespace

Result<void> follow_surface(const NavMeshState& mesh, double error, Route& route) {
    if (!(error > 0.0)) return Error{ErrorCode::out_of_range, Field::accuracy};
    const StateData& state = mesh.data();
    if (route.revision != state.revision) {
        return Error{ErrorCode::stale_revision, -1, static_cast<std::int64_t>(route.revision)};
    }
    Profile profile(state, route.legs.allocator());
    Array<Leg> legs(route.legs.allocator());
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Vec3 a = leg.start.position - state.origin, b = leg_end(route, i).position - state.origin;
        const std::uint32_t from = first_polygon(state, a, b, {1e-6, 1e-3 + error, 1e-3 + error});
        if (leg.kind != LegKind::drive || leg.curvature != 0.0 || from == kNone) {
            if (!legs.push_back(leg)) return kNoMemory;
            continue;
        }
        if (!profile.measure(from, a, b) || !profile.choose(error)) return kNoMemory;
        for (std::size_t k = 0; k + 1 < profile.samples.size();) {
            std::size_t next = k + 1;
            while (!profile.samples[next].kept) ++next;
            const Sample& p = profile.samples[k];
            const Sample& q = profile.samples[next];
            Leg piece = leg;
            piece.start.position =
                state.origin + Vec3{a.x + (b.x - a.x) * p.share, a.y + (b.y - a.y) * p.share, p.z};
            piece.length = leg.length * (q.share - p.share);
            piece.rise = q.z - p.z;
            if (!legs.push_back(piece)) return kNoMemory;
            k = next;
        }
    }
    route.legs = std::move(legs);
    return {};
}

}  // namespace fairlead
