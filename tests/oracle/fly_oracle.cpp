// Nearest first from the start. From the goal backward a while as well: where that ends, nothing leads there.
#include "oracle/fly_oracle.h"

#include <cmath>
#include <queue>
#include <vector>

namespace fairlead::oracle {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSample = 0.125;  // voxels
constexpr std::int64_t kBackPoses = 20000;

struct Pose3 {
    Vec3 at{};
    double heading = 0.0;
};

double turned(double angle) { return angle - 2.0 * kPi * std::floor(angle / (2.0 * kPi)); }

/// Numbers met, in a table that doubles.
class KeySet {
  public:
    KeySet() : slots_(1024, kFree) {}
    [[nodiscard]] bool holds(std::uint64_t key) const { return slots_[find(key)] == key; }
    bool insert(std::uint64_t key) {
        const std::size_t at = find(key);
        if (slots_[at] == key) return false;
        slots_[at] = key;
        if (2 * ++count_ < slots_.size()) return true;
        std::vector<std::uint64_t> old(2 * slots_.size(), kFree);
        std::swap(old, slots_);
        for (const std::uint64_t k : old) {
            if (k != kFree) slots_[find(k)] = k;
        }
        return true;
    }

  private:
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};
    [[nodiscard]] std::size_t find(std::uint64_t key) const {
        std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 24) & (slots_.size() - 1);
        while (slots_[at] != kFree && slots_[at] != key) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    std::vector<std::uint64_t> slots_;
    std::size_t count_ = 0;
};

class PoseFlood {
  public:
    PoseFlood(const FlyFlood& flood, const std::vector<std::uint8_t>& open_room, const Place& from,
              const Place& aim, bool back)
        : flood_(flood), open_room_(open_room), aim_(aim), back_(back) {
        const double side = flood.world->voxel.x;
        const double way = 1.5 * flood.cell * side * (back ? -1.0 : 1.0);
        const int samples = static_cast<int>(std::ceil(std::fabs(way) / (kSample * side)));
        for (int bend = -1; bend <= 1; ++bend) {
            for (int climb = -1; climb <= 1; ++climb)
                moves_.push_back(
                    make_move(bend / flood.turning_radius, climb * std::tan(flood.climb_rad), way, samples));
        }
        add({from.position, turned(from.heading_rad)});
    }

    [[nodiscard]] bool ended() const { return open_.empty(); }
    [[nodiscard]] std::int64_t met() const { return static_cast<std::int64_t>(poses_.size()); }

    /// Opens one pose. True: it is the aim.
    bool step() {
        const Pose3 pose = poses_[open_.top().second];
        open_.pop();
        if ((flood_.near_will_do && is_aim(pose)) || (!back_ && can_finish(pose))) return true;
        const Vec2 ahead{std::cos(pose.heading), std::sin(pose.heading)};
        for (const Move& move : moves_) {
            const Pose3 next{moved(pose.at, ahead, move.by.back()), turned(pose.heading + move.turn)};
            if (!known_.holds(key(next)) && is_free(pose.at, ahead, move)) add(next);
        }
        return false;
    }

  private:
    struct Move {
        std::vector<Vec3> by{};  ///< where its samples are, of a unit that heads along x
        double turn = 0.0;
    };

    static Move make_move(double curvature, double slope, double way, int samples) {
        Move move;
        for (int i = 1; i <= samples; ++i) {
            const double s = way * i / samples, turn = curvature * s;
            Vec3 d{s, 0.0, slope * s};
            if (curvature != 0.0)
                d = {std::sin(turn) / curvature, (1.0 - std::cos(turn)) / curvature, slope * s};
            move.by.push_back(d);
        }
        move.turn = curvature * way;
        return move;
    }
    static Vec3 moved(Vec3 at, Vec2 ahead, Vec3 by) {
        return at + Vec3{ahead.x * by.x - ahead.y * by.y, ahead.y * by.x + ahead.x * by.y, by.z};
    }
    [[nodiscard]] bool is_free(Vec3 from, Vec2 ahead, const Move& move) const {
        for (const Vec3& by : move.by) {
            const Vec3 at = moved(from, ahead, by);
            if (!is_open(at) && !sphere_fits(*flood_.world, at, flood_.radius)) return false;
        }
        return true;
    }

    /// An arc, a line and an arc straight to the aim, rising evenly; sampled.
    [[nodiscard]] bool can_finish(const Pose3& pose) const {
        const double r = flood_.turning_radius;
        const double goal = aim_.heading_rad;
        for (const double a : {1.0, -1.0}) {
            for (const double b : {1.0, -1.0}) {
                const double x =
                    aim_.position.x - b * r * std::sin(goal) - pose.at.x + a * r * std::sin(pose.heading);
                const double y =
                    aim_.position.y + b * r * std::cos(goal) - pose.at.y - a * r * std::cos(pose.heading);
                const double apart = std::hypot(x, y), across = a == b ? 0.0 : 2.0 * r;
                if (apart < across || apart < 1e-9) continue;
                const double along = std::atan2(y, x) + (a == b ? 0.0 : a * std::asin(across / apart));
                const double first = turned(a * (along - pose.heading)), last = turned(b * (goal - along));
                const double line = std::sqrt(apart * apart - across * across);
                if (flies(pose, a / r, first * r, line, b / r, last * r)) return true;
            }
        }
        return false;
    }
    [[nodiscard]] bool flies(const Pose3& pose, double k1, double s1, double line, double k2,
                             double s2) const {
        const double all = s1 + line + s2, rise = aim_.position.z - pose.at.z;
        if (std::fabs(rise) > all * std::tan(flood_.climb_rad)) return false;
        const double lengths[3] = {s1, line, s2}, curvatures[3] = {k1, 0.0, k2};
        Pose3 from = pose;
        double done = 0.0;
        for (int i = 0; i < 3; ++i) {
            const int samples = 1 + static_cast<int>(lengths[i] / (kSample * flood_.world->voxel.x));
            const Pose3 begin = from;
            for (int n = 1; n <= samples; ++n) {
                const double s = lengths[i] * n / samples;
                from = on_ground(begin, curvatures[i], s);
                from.at.z = pose.at.z + rise * (done + s) / all;
                if (!is_open(from.at) && !sphere_fits(*flood_.world, from.at, flood_.radius)) return false;
            }
            done += lengths[i];
        }
        return is_near(from, 1e-6, 1e-6);
    }
    static Pose3 on_ground(const Pose3& from, double curvature, double s) {
        const double turn = curvature * s, h = from.heading;
        Vec3 d{s * std::cos(h), s * std::sin(h), 0.0};
        if (curvature != 0.0)
            d = {(std::sin(h + turn) - std::sin(h)) / curvature,
                 (std::cos(h) - std::cos(h + turn)) / curvature, 0.0};
        return {from.at + d, h + turn};
    }
    [[nodiscard]] bool is_near(const Pose3& pose, double near, double turn_most) const {
        const Vec3 d = pose.at - aim_.position;
        const double turn = std::remainder(pose.heading - aim_.heading_rad, 2.0 * kPi);
        return std::fabs(d.x) <= near && std::fabs(d.y) <= near && std::fabs(d.z) <= near &&
               std::fabs(turn) <= turn_most;
    }

    [[nodiscard]] bool is_aim(const Pose3& pose) const {
        return is_near(pose, flood_.cell * flood_.world->voxel.x, kPi / flood_.headings);
    }

    [[nodiscard]] std::uint64_t key(const Pose3& pose) const {
        const Vec3 p = pose.at - flood_.world->origin;
        const double cell = flood_.cell * flood_.world->voxel.x;
        const auto number = [&](double v) {
            return static_cast<std::uint64_t>(std::floor(v / cell)) & 0xffff;
        };
        const auto sector = static_cast<std::uint64_t>(pose.heading / (2.0 * kPi) * flood_.headings + 0.5) %
                            static_cast<std::uint64_t>(flood_.headings);
        return number(p.x) | number(p.y) << 16 | number(p.z) << 32 | sector << 48;
    }

    void add(const Pose3& pose) {
        if (!known_.insert(key(pose))) return;
        open_.emplace(-length(pose.at - aim_.position), poses_.size());
        poses_.push_back(pose);
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
    std::vector<Move> moves_;
    std::vector<Pose3> poses_;
    KeySet known_;
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
