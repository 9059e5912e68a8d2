// Nearest first from the start. From the goal backward a while as well: where that ends, nothing leads there.
#include "oracle/fly_oracle.h"

#include <cmath>
#include <queue>
#include <unordered_set>
#include <vector>

namespace fairlead::oracle {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSample = 0.125;  // voxels
constexpr std::int64_t kBackPoses = 30000;

struct Pose3 {
    Vec3 at{};
    double heading = 0.0;
};

double turned(double angle) { return angle - 2.0 * kPi * std::floor(angle / (2.0 * kPi)); }

class PoseFlood {
  public:
    PoseFlood(const FlyFlood& flood, const std::vector<std::uint8_t>& open_room, const Place& from,
              const Place& aim, bool back)
        : flood_(flood), open_room_(open_room), aim_(aim), back_(back) {
        add({from.position, turned(from.heading_rad)});
    }

    [[nodiscard]] bool ended() const { return open_.empty(); }
    [[nodiscard]] std::int64_t met() const { return static_cast<std::int64_t>(poses_.size()); }

    /// Opens one pose. True: it is the aim.
    bool step() {
        const Pose3 pose = poses_[open_.top().second];
        open_.pop();
        if (is_aim(pose)) return true;
        for (int bend = -1; bend <= 1; ++bend) {
            for (int climb = -1; climb <= 1; ++climb) {
                Pose3 next;
                if (fly(pose, bend / flood_.turning_radius, climb * std::tan(flood_.climb_rad), next)) add(next);
            }
        }
        return false;
    }

  private:
    [[nodiscard]] bool is_aim(const Pose3& pose) const {
        const double near = flood_.cell * flood_.world->voxel.x;
        const Vec3 d = pose.at - aim_.position;
        const double turn = std::remainder(pose.heading - aim_.heading_rad, 2.0 * kPi);
        return std::fabs(d.x) <= near && std::fabs(d.y) <= near && std::fabs(d.z) <= near &&
               std::fabs(turn) <= kPi / flood_.headings;
    }

    [[nodiscard]] std::uint64_t key(const Pose3& pose) const {
        const Vec3 p = pose.at - flood_.world->origin;
        const double cell = flood_.cell * flood_.world->voxel.x;
        const auto number = [&](double v) { return static_cast<std::uint64_t>(std::floor(v / cell)) & 0xffff; };
        const auto sector = static_cast<std::uint64_t>(
            std::lround(pose.heading / (2.0 * kPi) * flood_.headings) % flood_.headings);
        return number(p.x) | number(p.y) << 16 | number(p.z) << 32 | sector << 48;
    }

    void add(const Pose3& pose) {
        if (!known_.insert(key(pose)).second) return;
        open_.emplace(-length(pose.at - aim_.position), poses_.size());
        poses_.push_back(pose);
    }

    [[nodiscard]] Pose3 after(const Pose3& from, double curvature, double slope, double s) const {
        const double turn = curvature * s;
        Vec2 d{s, 0.0};
        if (curvature != 0.0) d = {std::sin(turn) / curvature, (1.0 - std::cos(turn)) / curvature};
        const double c = std::cos(from.heading), n = std::sin(from.heading);
        return {from.at + Vec3{c * d.x - n * d.y, n * d.x + c * d.y, slope * s}, turned(from.heading + turn)};
    }

    /// Along one and a half cells, to where none has been.
    bool fly(const Pose3& from, double curvature, double slope, Pose3& end) const {
        const double way = 1.5 * flood_.cell * flood_.world->voxel.x * (back_ ? -1.0 : 1.0);
        const int samples = static_cast<int>(std::ceil(std::fabs(way) / (kSample * flood_.world->voxel.x)));
        end = after(from, curvature, slope, way);
        if (known_.count(key(end)) != 0) return false;
        for (int i = samples; i >= 1; --i) {
            const Vec3 at = after(from, curvature, slope, way * i / samples).at;
            if (!is_open(at) && !sphere_fits(*flood_.world, at, flood_.radius)) return false;
        }
        return true;
    }

    [[nodiscard]] bool is_open(Vec3 at) const {
        const Vec3 p = (at - flood_.world->origin) * (1.0 / flood_.world->voxel.x);
        const Voxel v{static_cast<std::int32_t>(std::floor(p.x)), static_cast<std::int32_t>(std::floor(p.y)),
                      static_cast<std::int32_t>(std::floor(p.z))};
        return flood_.world->holds(v) && open_room_[flood_.world->index(v)] != 0;
    }

    const FlyFlood& flood_;
    const std::vector<std::uint8_t>& open_room_;
    Place aim_;
    bool back_;
    std::vector<Pose3> poses_;
    std::unordered_set<std::uint64_t> known_;
    std::priority_queue<std::pair<double, std::size_t>> open_;
};

/// Voxels round which all is free as far as the body reaches.
std::vector<std::uint8_t> find_open_room(const FlyFlood& flood) {
    const VolumeDense& world = *flood.world;
    const auto reach = static_cast<std::int32_t>(std::ceil(flood.radius / world.voxel.x + 1e-9));
    std::vector<std::uint8_t> open(world.solid.size(), 1);
    for (std::size_t i = 0; i < open.size(); ++i) {
        const Voxel v = world.at(i);
        for (std::int32_t z = v.z - reach; z <= v.z + reach && open[i] != 0; ++z) {
            for (std::int32_t y = v.y - reach; y <= v.y + reach && open[i] != 0; ++y) {
                for (std::int32_t x = v.x - reach; x <= v.x + reach; ++x) {
                    if (!world.is_free({x, y, z})) open[i] = 0;
                }
            }
        }
    }
    return open;
}

}  // namespace

bool sphere_fits(const VolumeDense& world, Vec3 at, double radius) {
    const Vec3 p = at - world.origin;
    const double side = world.voxel.x, reach = std::fmax(radius, 1e-9);
    const auto low = [&](double v) { return static_cast<std::int32_t>(std::floor((v - reach) / side)); };
    const auto high = [&](double v) { return static_cast<std::int32_t>(std::floor((v + reach) / side)); };
    const auto gap = [&](double v, std::int32_t i) {
        return std::fmax(std::fmax(i * side - v, v - (i + 1) * side), 0.0);
    };
    for (std::int32_t z = low(p.z); z <= high(p.z); ++z) {
        for (std::int32_t y = low(p.y); y <= high(p.y); ++y) {
            for (std::int32_t x = low(p.x); x <= high(p.x); ++x) {
                if (world.is_free({x, y, z})) continue;
                const double dx = gap(p.x, x), dy = gap(p.y, y), dz = gap(p.z, z);
                if (dx * dx + dy * dy + dz * dz < reach * reach) return false;
            }
        }
    }
    return true;
}

FlyAnswer flood_poses(const FlyFlood& flood, const Place& start, const Place& goal) {
    const std::vector<std::uint8_t> open = find_open_room(flood);
    PoseFlood ahead(flood, open, start, goal, false), behind(flood, open, goal, start, true);
    while (ahead.met() < flood.poses_max) {
        if (ahead.ended() || behind.ended()) return FlyAnswer::none;
        if (ahead.step()) return FlyAnswer::found;
        if (behind.met() < kBackPoses) (void)behind.step();
    }
    return FlyAnswer::gave_up;
}

}  // namespace fairlead::oracle
