// Random halls in a volume, and a judge of what flies in them that knows no planner: spheres against the voxels' boxes, pairs, and what a
// unit with a turning circle may do from one frame to the next.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/fleet/volume_fleet.h>

namespace fairlead::testing {

inline std::int32_t whole(Rng& rng, int low, int high) {
    return low + static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(high - low + 1)));
}

/// Two halls side by side, joined by one to three gates; pillars and beams in them.
inline Volume random_halls(Rng& rng) {
    const Voxel size{whole(rng, 28, 44), whole(rng, 20, 30), whole(rng, 10, 18)};
    Volume volume = *Volume::make({.size = size});
    const std::int32_t wall = size.x / 2;
    (void)volume.apply(VolumeEdit::fill({{wall, 0, 0}, {wall + 1, size.y, size.z}}));
    for (int i = whole(rng, 1, 3); i > 0; --i) {
        const std::int32_t wide = whole(rng, 3, 6);
        const Voxel low{wall, whole(rng, 0, size.y - wide), whole(rng, 0, size.z - wide)};
        (void)volume.apply(VolumeEdit::clear({low, {wall + 1, low.y + wide, low.z + wide}}));
    }
    for (int i = whole(rng, 2, 6); i > 0; --i) {
        const Voxel low{whole(rng, 0, size.x - 2), whole(rng, 0, size.y - 2), whole(rng, 0, size.z - 2)};
        Voxel high{low.x + 1, low.y + 1, low.z + 1};
        switch (rng.below(3)) {
            case 0: high.z = size.z; break;
            case 1: high.y = low.y + size.y / 2; break;
            default: high.x = low.x + size.x / 3; break;
        }
        (void)volume.apply(VolumeEdit::fill({low, high}));
    }
    return volume;
}

/// How far a sphere's middle is from the nearest solid voxel or the bounds, up to `most`.
inline double room_at(const VolumeState& volume, Vec3 p, double most) {
    const double at[3] = {p.x, p.y, p.z};
    std::int32_t low[3];
    std::int32_t high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = static_cast<std::int32_t>(std::floor(at[k] - most));
        high[k] = static_cast<std::int32_t>(std::floor(at[k] + most));
    }
    double least = most;
    for (std::int32_t z = low[2]; z <= high[2]; ++z) {
        for (std::int32_t y = low[1]; y <= high[1]; ++y) {
            for (std::int32_t x = low[0]; x <= high[0]; ++x) {
                if (volume.is_free({x, y, z})) continue;
                const double corner[3] = {1.0 * x, 1.0 * y, 1.0 * z};
                double squared = 0.0;
                for (int k = 0; k < 3; ++k) {
                    const double gap = std::max({corner[k] - at[k], at[k] - corner[k] - 1.0, 0.0});
                    squared += gap * gap;
                }
                least = std::min(least, std::sqrt(squared));
            }
        }
    }
    return least;
}

struct JudgedUnit {
    FleetId id{};
    FleetUnit what{};
    Vec3 goal{};
    FleetView before{};
    bool headed = true;  ///< else it takes the heading that its first route begins with
};

/// Called after each frame; what is wrong is said once a unit and kind.
class HallJudge {
  public:
    explicit HallJudge(const Volume& volume) : volume_(volume) {}

    void add(FleetId id, const FleetUnit& what, Vec3 goal, const Fleet& fleet, bool headed = true) {
        units_.push_back({id, what, goal, fleet.unit(id), headed});
    }
    void look(const Fleet& fleet, double seconds) {
        for (JudgedUnit& unit : units_) {
            const FleetView now = fleet.unit(unit.id);
            const double radius = unit.what.agent.radius;
            if (room_at(volume_.state(), now.place.position, radius + 0.5) < radius - 1e-6)
                say("in a wall", unit);
            if (unit.what.agent.turning_radius > 0.0) look_at_flight(unit, now, seconds);
            if (now.speed > unit.what.limits.speed_max * (1.0 + 1e-9)) say("too fast", unit);
            const bool came = now.state == FleetState::arrived && unit.before.state != FleetState::arrived;
            const double near = unit.what.agent.turning_radius > 0.0 ? 1e-6 : radius + 1e-6;
            if (came && distance(now.place.position, unit.goal) > near) say("arrived elsewhere", unit);
            unit.headed = unit.headed || now.place.position != unit.before.place.position;
            unit.before = now;
        }
        for (std::size_t i = 0; i < units_.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const double both = units_[i].what.agent.radius + units_[k].what.agent.radius;
                const double apart =
                    distance(units_[i].before.place.position, units_[k].before.place.position);
                if (apart < both - 1e-6)
                    say("overlaps unit " + std::to_string(units_[k].id.value) + " by " +
                            std::to_string(both - apart),
                        units_[i]);
                closest_ = std::min(closest_, apart / both);
            }
        }
    }
    [[nodiscard]] const std::vector<JudgedUnit>& units() const { return units_; }
    [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
    /// Over the sum of the radii.
    [[nodiscard]] double closest() const { return closest_; }

  private:
    void look_at_flight(const JudgedUnit& unit, const FleetView& now, double seconds) {
        const Vec3 moved = now.place.position - unit.before.place.position;
        const double flat = std::hypot(moved.x, moved.y);
        const FleetUnit& what = unit.what;
        if (std::abs(moved.z) >
            1e-9 + flat * std::tan(moved.z > 0.0 ? what.climb.up_rad : what.climb.down_rad) * 1.02)
            say("too steep", unit);  // an arc is longer than its chord
        const double turned = std::remainder(now.place.heading_rad - unit.before.place.heading_rad, kTwoPi);
        if (unit.headed && std::abs(turned) > flat / what.agent.turning_radius * 1.02 + 1e-6)
            say("turns too sharply", unit);
        const double most =
            what.limits.accel_max > what.limits.brake_max ? what.limits.accel_max : what.limits.brake_max;
        if (std::abs(now.speed - unit.before.speed) > most * seconds * (1.0 + 1e-6) + 1e-9)
            say("speeds up too fast", unit);
    }
    void say(const std::string& what, const JudgedUnit& unit) {
        const std::string text = "unit " + std::to_string(unit.id.value) + ": " + what;
        if (faults_.size() < 20) faults_.push_back(text);
    }

    const Volume& volume_;
    std::vector<JudgedUnit> units_;
    std::vector<std::string> faults_;
    double closest_ = 1e9;
};

}  // namespace fairlead::testing
