// See volume_model.h. Plain and slow; nothing of the library's but its structs.
#include "simulate/volume_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/volume_room.h"

namespace fairlead::simulate {

using oracle::VolumeDense;

namespace {

constexpr double kNear = 1e-6;  // voxels: rounding may decide nearer than this

bool edits(const VolumeDense& world, const VolumeEdit& edit, Voxel v) {
    switch (edit.kind) {
        case VolumeEdit::Kind::box: return edit.voxels.contains(v);
        case VolumeEdit::Kind::sphere: {
            const Vec3 d = world.centre(v) - edit.centre;
            return std::hypot(d.x, d.y, d.z) <= edit.radius;
        }
        case VolumeEdit::Kind::load:
        case VolumeEdit::Kind::unload:
            return v.x / 64 == edit.chunk.x && v.y / 64 == edit.chunk.y && v.z / 64 == edit.chunk.z;
        default: return v.x / 4 == edit.brick.x && v.y / 4 == edit.brick.y && v.z / 4 == edit.brick.z;
    }
}

// Places 1/4 apart, and the distance of each to the nearest solid voxel or bound.
struct Quarters {
    static constexpr int kParts = 4;
    int side[3];
    std::vector<double> room;

    explicit Quarters(const VolumeDense& world)
        : side{world.size.x * kParts + 1, world.size.y * kParts + 1, world.size.z * kParts + 1} {
        room.resize(static_cast<std::size_t>(side[0]) * static_cast<std::size_t>(side[1]) *
                    static_cast<std::size_t>(side[2]));
        std::vector<Voxel> solid;
        for (std::size_t i = 0; i < world.solid.size(); ++i) {
            if (world.solid[i] != 0) solid.push_back(world.at(i));
        }
        for (std::size_t i = 0; i < room.size(); ++i) {
            const Vec3 p = place(i);
            double best =
                std::min({p.x, world.size.x - p.x, p.y, world.size.y - p.y, p.z, world.size.z - p.z});
            best *= best;
            for (const Voxel v : solid) {
                const double x = std::max({v.x - p.x, p.x - v.x - 1, 0.0});
                const double y = std::max({v.y - p.y, p.y - v.y - 1, 0.0});
                const double z = std::max({v.z - p.z, p.z - v.z - 1, 0.0});
                best = std::min(best, x * x + y * y + z * z);
            }
            room[i] = std::sqrt(best);
        }
    }
    [[nodiscard]] Vec3 place(std::size_t i) const {
        const auto wide = static_cast<std::size_t>(side[0]), deep = static_cast<std::size_t>(side[1]);
        return Vec3{static_cast<double>(i % wide), static_cast<double>(i / wide % deep),
                    static_cast<double>(i / (wide * deep))} *
               (1.0 / kParts);
    }
    [[nodiscard]] std::size_t index(int x, int y, int z) const {
        return static_cast<std::size_t>((z * side[1] + y) * side[0] + x);
    }
    [[nodiscard]] std::size_t nearest(Vec3 p) const {
        const auto at = [](double v, int most) {
            return std::clamp(static_cast<int>(std::lround(v * kParts)), 0, most - 1);
        };
        return index(at(p.x, side[0]), at(p.y, side[1]), at(p.z, side[2]));
    }
    [[nodiscard]] bool joined(std::size_t from, std::size_t to, double radius, bool diagonals) const {
        if (room[from] < radius || room[to] < radius) return false;
        std::vector<std::uint8_t> seen(room.size());
        std::vector<std::size_t> open{from};
        seen[from] = 1;
        while (!open.empty()) {
            const std::size_t i = open.back();
            open.pop_back();
            if (i == to) return true;
            const auto wide = static_cast<std::size_t>(side[0]), deep = static_cast<std::size_t>(side[1]);
            const int x = static_cast<int>(i % wide), y = static_cast<int>(i / wide % deep),
                      z = static_cast<int>(i / (wide * deep));
            for (int k = 0; k < 27; ++k) {
                const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
                if (!diagonals && std::abs(dx) + std::abs(dy) + std::abs(dz) != 1) continue;
                const int a = x + dx, b = y + dy, c = z + dz;
                if (a < 0 || b < 0 || c < 0 || a >= side[0] || b >= side[1] || c >= side[2]) continue;
                const std::size_t next = index(a, b, c);
                if (seen[next] != 0 || room[next] < radius) continue;
                seen[next] = 1;
                open.push_back(next);
            }
        }
        return false;
    }
};

}  // namespace

void VolumeModel::begin(bool streamed) {
    absent.assign(world.solid.size(), streamed ? 1 : 0);
    if (streamed) std::fill(world.solid.begin(), world.solid.end(), std::uint8_t{1});
    join();
}

void VolumeModel::edit(const VolumeEdit& edit) {
    const bool loads = edit.kind == VolumeEdit::Kind::load, unloads = edit.kind == VolumeEdit::Kind::unload;
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Voxel v = world.at(i);
        if (!edits(world, edit, v)) continue;
        if (loads || unloads) absent[i] = unloads ? 1 : 0;
        if (absent[i] != 0 && !unloads) continue;
        bool solid = unloads || (!loads && edit.solid);
        if (edit.kind == VolumeEdit::Kind::brick)
            solid = (edit.brick.solid >> (v.x % 4 + 4 * (v.y % 4) + 16 * (v.z % 4)) & 1) != 0;
        for (const VoxelBrick& b : loads ? edit.bricks : Borrowed<VoxelBrick>()) {
            if (b.x == v.x / 4 && b.y == v.y / 4 && b.z == v.z / 4)
                solid = solid || (b.solid >> (v.x % 4 + 4 * (v.y % 4) + 16 * (v.z % 4)) & 1) != 0;
        }
        world.solid[i] = solid ? 1 : 0;
    }
    join();
}

double VolumeModel::side() const { return std::min({world.voxel.x, world.voxel.y, world.voxel.z}); }

bool VolumeModel::is_cubes() const { return world.voxel == Vec3{1, 1, 1}; }

std::optional<Voxel> VolumeModel::voxel_of(Vec3 at) const {
    const double p[3] = {(at.x - world.origin.x) / world.voxel.x, (at.y - world.origin.y) / world.voxel.y,
                         (at.z - world.origin.z) / world.voxel.z};
    std::int32_t v[3];
    for (int k = 0; k < 3; ++k) {
        if (!(p[k] > 0.0 && p[k] < 1e6)) return std::nullopt;
        const double low = std::floor(p[k]);
        if (p[k] - low < kNear || low + 1.0 - p[k] < kNear) return std::nullopt;
        v[k] = static_cast<std::int32_t>(low);
    }
    const Voxel out{v[0], v[1], v[2]};
    return world.holds(out) ? std::optional<Voxel>(out) : std::nullopt;
}

Answer VolumeModel::holds(Vec3 at) const {
    const Vec3 p{(at.x - world.origin.x) / world.voxel.x, (at.y - world.origin.y) / world.voxel.y,
                 (at.z - world.origin.z) / world.voxel.z};
    const double least =
        std::min({p.x, p.y, p.z, world.size.x - p.x, world.size.y - p.y, world.size.z - p.z});
    return least > kNear ? Answer::yes : least < -kNear ? Answer::no : Answer::unsure;
}

double VolumeModel::room(Vec3 at) const {
    if (holds(at) == Answer::no) return 0.0;
    return static_cast<double>(std::sqrt(oracle::squared_room(world, oracle::wide(at))));
}

double VolumeModel::room_within(Voxel middle_of, double most) const {
    const Voxel v = middle_of;
    const Vec3 side = world.voxel;
    const double bounds[] = {(v.x + 0.5) * side.x, (world.size.x - v.x - 0.5) * side.x,
                             (v.y + 0.5) * side.y, (world.size.y - v.y - 0.5) * side.y,
                             (v.z + 0.5) * side.z, (world.size.z - v.z - 0.5) * side.z};
    double best = *std::min_element(bounds, bounds + 6);
    if (best < most) return best;
    const auto reach = [&](double one) { return static_cast<std::int32_t>(most / one) + 1; };
    const auto gap = [](std::int32_t d, double one) { return d == 0 ? 0.0 : (std::abs(d) - 0.5) * one; };
    for (std::int32_t z = -reach(side.z); z <= reach(side.z); ++z) {
        for (std::int32_t y = -reach(side.y); y <= reach(side.y); ++y) {
            for (std::int32_t x = -reach(side.x); x <= reach(side.x); ++x) {
                if (world.is_free({v.x + x, v.y + y, v.z + z})) continue;
                const double a = gap(x, side.x), b = gap(y, side.y), c = gap(z, side.z);
                best = std::min(best, std::sqrt(a * a + b * b + c * c));
            }
        }
    }
    return best;
}

Answer VolumeModel::fits(Vec3 at, double radius) const {
    const Answer inside = holds(at);
    if (inside != Answer::yes) return inside;
    const std::optional<Voxel> v = voxel_of(at);
    if (radius == 0.0) return !v ? Answer::unsure : world.is_free(*v) ? Answer::yes : Answer::no;
    const double more = room(at) - radius;
    if (std::fabs(more) < kNear * side() + 1e-9 * radius) return Answer::unsure;
    return more > 0.0 ? Answer::yes : Answer::no;
}

VolumeModel::Nearest VolumeModel::nearest_place(Vec3 at, double radius, double reach,
                                                std::int32_t joined) const {
    const double unsure = kNear * side() + 1e-9 * radius;
    const auto near = [&](double away) { return 1e-9 * (away + side()); };
    Nearest best;
    best.distance = std::numeric_limits<double>::infinity();
    bool odd = false;  // of one that is, or may be, the nearest
    std::vector<double> seen;
    for (std::size_t i = 0; i < world.solid.size(); ++i) {
        const Voxel v = world.at(i);
        if (!world.is_free(v) || (joined >= 0 && components[i] != joined)) continue;
        const double away = distance(world.centre(v), at);
        if (std::isinf(away)) {  // too far to be told
            best.found = std::isinf(reach) ? Answer::unsure : Answer::no;
            return best;
        }
        if (away > best.distance + near(away) || away > reach + near(away)) continue;
        // Half a voxel touches on all sides: that fits.
        const double more = radius == 0.0 ? 1.0 : room_within(v, radius + 2.0 * unsure) - radius;
        if (more < -unsure) continue;
        if (away < best.distance - near(away)) odd = false;
        odd = odd || (std::fabs(more) < unsure && radius > 0.5 * side() * (1 + 1e-9)) ||
              std::fabs(away - reach) < near(away);
        seen.push_back(away);
        if (away < best.distance) best = {Answer::yes, v, away};
    }
    const auto as_near = std::count_if(seen.begin(), seen.end(), [&](double away) {
        return away <= best.distance + 2.0 * near(best.distance);
    });
    if (odd || as_near > 1) best.found = Answer::unsure;
    return best;
}

Answer VolumeModel::gets(Vec3 from, Vec3 to, double radius) const {
    constexpr double kHalf = 0.5 / Quarters::kParts;
    const double corner = std::sqrt(3.0) * kHalf + kNear;
    if (!is_cubes() || world.solid.size() > 700) return Answer::unsure;
    const Quarters places(world);
    const std::size_t a = places.nearest(from - world.origin), b = places.nearest(to - world.origin);
    if (!places.joined(a, b, radius - corner, true)) return Answer::no;
    if (room(from) < radius + corner || room(to) < radius + corner) return Answer::unsure;
    return places.joined(a, b, radius + kHalf + kNear, false) ? Answer::yes : Answer::unsure;
}

}  // namespace fairlead::simulate
