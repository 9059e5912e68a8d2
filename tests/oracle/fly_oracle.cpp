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
    PoseFlood(const FlyFlood& flood, const Place& from, const Place& aim, bool back)
        : flood_(flood), aim_(aim), back_(back) {
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

    void add(const Pose3& pose) {
        const Vec3 p = pose.at - flood_.world->origin;
        const double cell = flood_.cell * flood_.world->voxel.x;
        const auto number = [&](double v) { return static_cast<std::uint64_t>(std::floor(v / cell)) & 0xffff; };
        const auto sector = static_cast<std::uint64_t>(
            std::lround(pose.heading / (2.0 * kPi) * flood_.headings) % flood_.headings);
        if (!known_.insert(number(p.x) | number(p.y) << 16 | number(p.z) << 32 | sector << 48).second) return;
        open_.emplace(-length(pose.at - aim_.position), poses_.size());
        poses_.push_back(pose);
    }

    /// Along one and a half cells.
    bool fly(const Pose3& from, double curvature, double slope, Pose3& end) const {
        const double way = 1.5 * flood_.cell * flood_.world->voxel.x;
        const int samples = static_cast<int>(std::ceil(way / (kSample * flood_.world->voxel.x)));
        const double sign = back_ ? -1.0 : 1.0;
        for (int i = 1; i <= samples; ++i) {
            const double s = sign * way * i / samples;
            const double turn = curvature * s;
            Vec2 d{s, 0.0};
            if (curvature != 0.0) d = {std::sin(turn) / curvature, (1.0 - std::cos(turn)) / curvature};
            const double c = std::cos(from.heading), n = std::sin(from.heading);
            end.at = from.at + Vec3{c * d.x - n * d.y, n * d.x + c * d.y, slope * s};
            end.heading = turned(from.heading + turn);
            if (!sphere_fits(*flood_.world, end.at, flood_.radius)) return false;
        }
        return true;
    }

    const FlyFlood& flood_;
    Place aim_;
    bool back_;
    std::vector<Pose3> poses_;
    std::unordered_set<std::uint64_t> known_;
    std::priority_queue<std::pair<double, std::size_t>> open_;
};

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
    PoseFlood ahead(flood, start, goal, false), behind(flood, goal, start, true);
    while (ahead.met() < flood.poses_max) {
        if (ahead.ended() || behind.ended()) return FlyAnswer::none;
        if (ahead.step()) return FlyAnswer::found;
        if (behind.met() < kBackPoses) (void)behind.step();
    }
    return FlyAnswer::gave_up;
}

}  // namespace fairlead::oracle
