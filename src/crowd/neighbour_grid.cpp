// A hashed grid: as many slots as a power of two above the number of units; two cells may share a slot, so members are told apart by their
// distance alone.
#include "crowd/neighbour_grid.h"

#include <bit>
#include <cmath>

namespace fairlead::crowd {

std::int64_t NeighbourGrid::column(double x) const {
    const double at = std::floor(x / cell_);
    constexpr double kFar = 1e15;
    return static_cast<std::int64_t>(at < -kFar ? -kFar : at > kFar ? kFar : at);
}

std::size_t NeighbourGrid::slot(std::int64_t x, std::int64_t y) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^
                                static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<std::size_t>(mixed >> 32 ^ mixed) & mask_;
}

bool NeighbourGrid::fill(std::span<const Unit> units, double cell) {
    cell_ = cell;
    radius_max_ = 0.0;
    std::size_t used = 0;
    for (const Unit& unit : units) {
        if (!unit.used) continue;
        ++used;
        if (unit.body.radius > radius_max_) radius_max_ = unit.body.radius;
    }
    mask_ = std::bit_ceil(used * 2 + 1) - 1;
    if (!starts_.resize_uninitialized(mask_ + 2) || !members_.resize_uninitialized(used)) return false;
    for (std::uint32_t& start : starts_) start = 0;
    for (const Unit& unit : units) {
        if (unit.used) ++starts_[slot(column(unit.p().x), column(unit.p().y)) + 1];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    // backward, so that the start of each slot ends where it belongs and members ascend
    for (std::size_t i = units.size(); i-- > 0;) {
        const Unit& unit = units[i];
        if (!unit.used) continue;
        const std::int64_t x = column(unit.p().x);
        const std::int64_t y = column(unit.p().y);
        members_[--starts_[slot(x, y) + 1]] = {unit.p(), unit.body.radius, x, y,
                                               static_cast<std::uint32_t>(i)};
    }
    return true;
}

namespace {

constexpr std::int64_t kRingsMin = 3;

/// The nearest so far, in order.
struct Nearest {
    std::span<std::uint32_t> ids;
    double limit;  ///< farther ones do not count
    std::uint32_t count = 0;
    double distances[kHardMax];

    void take(double apart, std::uint32_t id) {
        std::uint32_t at = count;
        if (count == ids.size()) {
            at = count - 1;
            if (apart == distances[at] && id > ids[at]) return;
        } else {
            ++count;
        }
        for (; at > 0 && (apart < distances[at - 1] || (apart == distances[at - 1] && id < ids[at - 1]));
             --at) {
            distances[at] = distances[at - 1];
            ids[at] = ids[at - 1];
        }
        distances[at] = apart;
        ids[at] = id;
        if (count == ids.size()) limit = distances[count - 1];
    }
};

}  // namespace

double NeighbourGrid::find(std::span<const Unit> units, std::uint32_t self, double reach, double height,
                           std::span<std::uint32_t> ids, std::uint32_t& count) const {
    const Unit& me = units[self];
    const Vec2 p = me.p();
    Nearest nearest{ids, reach, 0, {}};
    const auto consider = [&](const Member& member) {
        const Vec2 to = member.p - p;
        const double both = me.body.radius + member.radius;
        const double widest = nearest.limit + both;
        const double square = dot(to, to);
        if (square > widest * widest) return;
        const double apart = std::sqrt(square) - both;
        if (apart > nearest.limit || !(apart < reach)) return;
        const Unit& other = units[member.unit];
        const double rise = other.at.position.z - me.at.position.z;
        if (rise > height || rise < -height || other.at.layer != me.at.layer) return;
        nearest.take(apart, member.unit);
    };
    const auto look = [&](std::int64_t x, std::int64_t y) {
        const std::size_t s = slot(x, y) + 1;
        const std::uint32_t end =
            s + 1 < starts_.size() ? starts_[s + 1] : static_cast<std::uint32_t>(members_.size());
        for (std::uint32_t i = starts_[s]; i < end; ++i) {
            const Member& member = members_[i];
            if (member.unit != self && member.x == x && member.y == y) consider(member);
        }
    };
    // ring by ring: what lies outside the rings looked at is farther than they are wide
    const std::int64_t x = column(p.x);
    const std::int64_t y = column(p.y);
    look(x, y);
    for (std::int64_t ring = 1;; ++ring) {
        const double farther = static_cast<double>(ring - 1) * cell_ - me.body.radius - radius_max_;
        if (farther > nearest.limit) break;
        if (ring > kRingsMin && 4 * ring * ring > static_cast<std::int64_t>(members_.size())) {
            // fewer units than cells so far: each of them once, in place of the rings to come
            nearest.count = 0;
            nearest.limit = reach;
            for (const Member& member : members_) {
                if (member.unit != self) consider(member);
            }
            break;
        }
        for (std::int64_t i = -ring; i <= ring; ++i) {
            look(x + i, y - ring);
            look(x + i, y + ring);
        }
        for (std::int64_t i = 1 - ring; i < ring; ++i) {
            look(x - ring, y + i);
            look(x + ring, y + i);
        }
    }
    count = nearest.count;
    return nearest.limit;
}

}  // namespace fairlead::crowd
