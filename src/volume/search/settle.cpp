// See settle.h.
#include "volume/search/settle.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "volume/search/metric.h"

namespace fairlead::volume {

namespace {

constexpr double kEase = 1.0 / 64;  ///< voxels: a point that touches something begins so far off it

double squared_gap(double p, double low, double high) {
    const double gap = p < low ? low - p : p > high ? p - high : 0.0;
    return gap * gap;
}

}  // namespace

// Off the sides behind which it is solid: from there on it can be seen.
Vec3 Settler::eased(Vec3 at, Voxel voxel) const {
    double p[3] = {at.x, at.y, at.z};
    const std::int32_t v[3] = {voxel.x, voxel.y, voxel.z};
    for (int k = 0; k < 3; ++k) {
        for (const std::int32_t step : {-1, 1}) {
            const double side = step < 0 ? v[k] : v[k] + 1.0;
            if (std::fabs(p[k] - side) < kEase) p[k] = side - step * kEase;
        }
    }
    return {p[0], p[1], p[2]};
}

// A place that touches a blocker begins a little off it, too: in the first direction in which that is free; itself where there is none.
void Settler::move_off_blockers(Vec3 at, WayEnd& end) const {
    if (body_.blockers == nullptr || (sees(state_, body_, end.at, end.at) && slides(at, end.at))) return;
    for (std::int32_t i = 0; i < 27; ++i) {
        const Vec3 off = at + Vec3{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0} * kEase;
        if (!inside(state_, body_, off) || !sees(state_, body_, off, off) || !slides(at, off)) continue;
        end.at = off;
        end.voxel = voxel_of(state_, off);
        return;
    }
    end.at = at;
}

// May a point move along blockers that it touches?
bool Settler::slides(Vec3 from, Vec3 to) const {
    if (body_.blockers == nullptr) return true;
    const Vec3 s = state_.scale, a{from.x * s.x, from.y * s.y, from.z * s.z},
               b{to.x * s.x, to.y * s.y, to.z * s.z};
    return !body_.blockers->along(a, b, body_.margin, [&](const Obstacle& o, std::uint32_t) {
        return goes_inside(o, a, b, body_.give);
    });
}

bool Settler::settle(Vec3 world, WayEnd& end, Vec3& exact, bool& on_map) const {
    const Vec3 at = state_.in_voxels(world);
    on_map = state_.holds(at) && state_.is_loaded_at(voxel_of(state_, at));
    if (state_.holds(at) && free_voxel_at(state_, at, end.voxel) && stands(state_, body_, at)) {
        exact = at;
        end.at = body_.radius == 0.0 ? eased(at, end.voxel) : at;
        if (body_.radius == 0.0) move_off_blockers(at, end);
        end.on_lattice = masks_.is_narrow() || find_middle(end.at, end.voxel);
        return true;
    }
    if (!(reach_ > 0.0) || !nearest(at, reach_, nullptr, end)) return false;
    exact = end.at;
    return true;
}

// The nearest voxel's middle that a wide body can slide to.
bool Settler::find_middle(Vec3 at, Voxel& voxel) const {
    const Voxel own = voxel_of(state_, at);
    const Vec3 metric = metric_of(state_);
    double best = std::numeric_limits<double>::infinity();
    for (std::int32_t i = 0; i < 27; ++i) {
        const Voxel v{own.x + i % 3 - 1, own.y + i / 3 % 3 - 1, own.z + i / 9 - 1};
        if (!masks_.is_free(v)) continue;
        const double away = metric_length(metric, middle_of(v) - at);
        if (away >= best || !sees(state_, body_, at, middle_of(v))) continue;
        best = away;
        voxel = v;
    }
    return best < std::numeric_limits<double>::infinity();
}

// Bricks in cubes of bricks that grow, until none farther out can be nearer.
bool Settler::nearest(Vec3 at, double range, const std::uint32_t* label, WayEnd& end) const {
    const Vec3 metric = metric_of(state_);
    const double side = side_of(state_);
    const double limit = range / side;
    const std::int32_t count[3] = {(state_.size.x + 3) >> 2, (state_.size.y + 3) >> 2,
                                   (state_.size.z + 3) >> 2};
    const double p[3] = {at.x, at.y, at.z}, m[3] = {metric.x, metric.y, metric.z};
    std::int32_t c[3];
    for (int k = 0; k < 3; ++k)
        c[k] = static_cast<std::int32_t>(std::clamp(std::floor(p[k] / 4.0), 0.0, count[k] - 1.0));
    double best = std::isinf(limit) ? limit : limit * limit * (1.0 + 1e-12);
    bool found = false;
    const std::int32_t most = std::max({count[0], count[1], count[2]});
    const auto try_brick = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
        const double low[3] = {x * 4.0 + 0.5, y * 4.0 + 0.5, z * 4.0 + 0.5};
        double least = 0.0;
        for (int k = 0; k < 3; ++k) least += squared_gap(p[k], low[k], low[k] + 3.0) * m[k] * m[k];
        if (least >= best) return;
        for (std::uint64_t left = masks_.free(x, y, z); left != 0; left &= left - 1) {
            const std::int32_t b = std::countr_zero(left);
            const Voxel v{x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4)};
            const double length = metric_length(metric, middle_of(v) - at);
            if (!(length * length < best) || (label != nullptr && label_of(state_, v) != *label)) continue;
            best = length * length;
            end = {middle_of(v), v, true};
            found = true;
        }
    };
    for (std::int32_t ring = 0; ring <= most; ++ring) {
        // Nothing in this ring is nearer than its inner side.
        double inner = std::numeric_limits<double>::infinity();
        for (int k = 0; k < 3; ++k) {
            const double low = (c[k] - ring + 1) * 4.0, high = (c[k] + ring) * 4.0;
            if (c[k] - ring >= 0) inner = std::min(inner, std::max(p[k] - low, 0.0) * m[k]);
            if (c[k] + ring < count[k]) inner = std::min(inner, std::max(high - p[k], 0.0) * m[k]);
        }
        if (ring > 0 && inner * inner >= best) break;
        for (std::int32_t z = std::max(c[2] - ring, 0); z <= std::min(c[2] + ring, count[2] - 1); ++z) {
            for (std::int32_t y = std::max(c[1] - ring, 0); y <= std::min(c[1] + ring, count[1] - 1); ++y) {
                const bool side_on = std::abs(z - c[2]) == ring || std::abs(y - c[1]) == ring;
                const std::int32_t step = side_on || ring == 0 ? 1 : 2 * ring;
                for (std::int32_t x = c[0] - ring; x <= c[0] + ring; x += step) {
                    if (x >= 0 && x < count[0]) try_brick(x, y, z);
                }
            }
        }
    }
    return found;
}

double open_way(Vec3 metric, Voxel from, Voxel to) {
    double d[3] = {std::fabs(static_cast<double>(from.x) - to.x),
                   std::fabs(static_cast<double>(from.y) - to.y),
                   std::fabs(static_cast<double>(from.z) - to.z)};
    const double m[3] = {metric.x, metric.y, metric.z};
    double sum = 0.0;
    // Diagonal steps over all axes that are left, then fewer.
    for (;;) {
        double steps = 0.0, squared = 0.0;
        for (int k = 0; k < 3; ++k) {
            if (d[k] <= 0.0) continue;
            steps = steps == 0.0 ? d[k] : std::min(steps, d[k]);
            squared += m[k] * m[k];
        }
        if (steps == 0.0) return sum;
        sum += steps * std::sqrt(squared);
        for (double& axis : d) axis = std::max(axis - steps, 0.0);
    }
}

}  // namespace fairlead::volume
