// A box meets a voxel where their shadows on the ground overlap at a moment at which their heights do. As the box rises evenly, these
// moments are one stretch of the leg for each voxel; on it the question is that of flat worlds (rigid_contact.h).
#include "verify/volume_hull.h"

#include <cmath>

#include <fairlead/math/trig.h>

#include "verify/leg_sweep.h"
#include "verify/numbers.h"
#include "verify/rigid_contact.h"

namespace fairlead::witness {

namespace {

constexpr double kPartReaches = 4.0;
constexpr double kPartsMost = 1e7;
/// As for bodies on flat worlds (verify.h).
constexpr double kRigidReaches = 4.0;
constexpr double kRigidSides = 68.0;

Vec2 flat(const Triple& p) { return {p[0], p[1]}; }

}  // namespace

VolumeHull::VolumeHull(const VolumeState& volume, const VolumeFrame& frame, const Agent& agent,
                       std::span<const VolumeBlocker> blockers, std::uint64_t bricks_max)
    : frame_(frame),
      blockers_(blockers),
      budget_{bricks_max},
      rigid_(body_of(agent, frame.shortest_side()).rigid),
      half_(0.5 * agent.height),
      near_(volume, frame, half_, budget_) {}

double VolumeHull::size() const {
    return (kRigidReaches * rigid_.reach() + kRigidSides) * frame_.shortest_side() + 2.0 * half_;
}

void VolumeHull::begin(const VolumePath& path, Vec2 facing, double size) {
    const double side = frame_.shortest_side();
    path_ = &path;
    threshold_ = frame_.threshold(size);
    hit_ = {};
    motion_ = {};
    motion_.axle = flat(path.start) * (1.0 / side);
    motion_.facing = facing;
    motion_.extent = path.ground.length / side;
    motion_.speed = motion_.extent > 0.0 ? 1.0 : 0.0;
    motion_.spin = path.ground.curvature * side;
}

VolumeHit VolumeHull::run(const VolumePath& path, Vec2 facing, double size) {
    begin(path, facing, size);
    const double side = frame_.shortest_side();
    const double step = kPartReaches * (rigid_.reach() + 1.0) * side;
    const double far = path.ground.length + std::fabs(path.rise);
    const double turn = std::fabs(path.ground.curvature) * path.ground.length;
    const double parts = larger(larger(1.0, std::ceil(far / step)), std::ceil(turn / kHalfPi));
    const VolumeHit too_far{ViolationKind::too_far, 0.0, 0.0, 0.0, {-1, -1, -1}, false, -1};
    if (!(parts <= kPartsMost) || turn > kAngleMax) return too_far;
    for (double i = 0.0; i < parts && hit_.kind == ViolationKind::none; i += 1.0) {
        const Part part{i / parts, i + 1.0 < parts ? (i + 1.0) / parts : 1.0};
        look_at_bounds(part);
        look_at_voxels(part);
        look_at_blockers(part);
        if (budget_.spent()) return too_far;
    }
    return hit_;
}

void VolumeHull::consider(const Part& part, const Solid& solid, const VolumeHit& as) {
    // The moments at which its middle is between the two heights, by more than the threshold.
    const double start = path_->start[2], rise = path_->rise;
    const double low = solid.low + threshold_ - start, high = solid.high - threshold_ - start;
    double from = part.from, to = part.to;
    if (rise == 0.0) {
        if (!(low < 0.0 && high > 0.0)) return;
    } else {
        from = larger(from, smaller(low / rise, high / rise));
        to = smaller(to, larger(low / rise, high / rise));
        if (!(from < to)) return;
    }
    const double side = frame_.shortest_side(), length = motion_.extent;
    const Obstacle obstacle{{solid.ground.low * (1.0 / side), solid.ground.high * (1.0 / side)},
                            solid.round / side};
    const double deep = threshold_ / side;
    const Motion stretch = part_of(motion_, from * length, to * length);
    if (!goes_deeper(stretch, rigid_, obstacle, deep)) return;
    double begin = from, worst = from;
    if (length > 0.0) {
        begin = contact_begin(motion_, rigid_, obstacle, deep, from * length, to * length) / length;
        const Contact contact = rigid_contact(motion_, rigid_, obstacle, deep, begin * length);
        worst = smaller(larger(contact.worst / length, begin), to);
    }
    if (hit_.kind != ViolationKind::none && hit_.begin <= begin) return;
    hit_ = as;
    hit_.begin = begin;
    hit_.worst = worst;
    const double z = start + worst * rise;
    const double across = depth_at(part_of(motion_, worst * length, worst * length), rigid_, obstacle) * side;
    hit_.depth = smaller(across, smaller(z - solid.low, solid.high - z));
}

void VolumeHull::look_at_bounds(const Part& part) {
    const VolumeHit out{ViolationKind::off_world, 0.0, 0.0, 0.0, {-1, -1, -1}, false, -1};
    const double side = frame_.shortest_side();
    const Triple a = path_->at(part.from), b = path_->at(part.to);
    // No farther from the start of the part than this, on the ground.
    const double near = rigid_.reach() * side + (part.to - part.from) * path_->ground.length + side;
    const Vec2 at = flat(a), low{at.x - 2.0 * near, at.y - 2.0 * near},
               high{at.x + 2.0 * near, at.y + 2.0 * near};
    const double floor = smaller(a[2], b[2]) - side, roof = larger(a[2], b[2]) + side;
    const Vec2 extent{frame_.extent[0], frame_.extent[1]};
    const auto wall = [&](Vec2 from, Vec2 to) { consider(part, {{from, to}, floor, roof, 0.0}, out); };
    // Somewhere out there already: nothing thinner than the body is left of a wall.
    const bool gone = at.x < -near || at.y < -near || at.x > extent.x + near || at.y > extent.y + near;
    if (gone) wall(low, high);
    if (low.x < 0.0) wall(low, {0.0, high.y});
    if (low.y < 0.0) wall(low, {high.x, 0.0});
    if (high.x > extent.x) wall({extent.x, low.y}, high);
    if (high.y > extent.y) wall({low.x, extent.y}, high);
    // Below and above there is nothing but the outside.
    const double most = smaller(floor, 0.0) - 2.0 * (half_ + side);
    if (floor < half_) consider(part, {{low, high}, most, half_, 0.0}, out);
    const double top = larger(roof, frame_.extent[2]) + 2.0 * (half_ + side);
    if (roof > frame_.extent[2] - half_)
        consider(part, {{low, high}, frame_.extent[2] - half_, top, 0.0}, out);
}

void VolumeHull::look_at_voxels(const Part& part) {
    const Chord chord = chord_between(path_->at(part.from), path_->at(part.to));
    const double reach = rigid_.reach() * frame_.shortest_side() + path_->bulge(part.from, part.to);
    static_cast<void>(near_.each(chord, reach, [&](const Lattice& voxel, const VoxelSides& box) {
        consider(part, {{flat(box.low), flat(box.high)}, box.low[2], box.high[2], 0.0},
                 {ViolationKind::wall, 0.0, 0.0, 0.0, voxel, false, -1});
        return false;
    }));
}

/// A ball is the upright cylinder around it.
void VolumeHull::look_at_blockers(const Part& part) {
    const Vec2 at = flat(path_->at(part.from));
    const double own = rigid_.reach() * frame_.shortest_side() + (part.to - part.from) * path_->ground.length;
    for (std::size_t i = 0; i < blockers_.size(); ++i) {
        const VolumeBlocker& b = blockers_[i];
        const Triple low = frame_.from_anywhere(b.is_box() ? b.low : b.centre);
        const Triple high = frame_.from_anywhere(b.is_box() ? b.high : b.centre);
        const double round = b.is_box() ? 0.0 : b.radius;
        // Of what is far larger than the body the part that is near.
        const double near = 2.0 * own + round + frame_.shortest_side();
        const Aabb ground{{larger(low[0], at.x - near), larger(low[1], at.y - near)},
                          {smaller(high[0], at.x + near), smaller(high[1], at.y + near)}};
        if (ground.empty()) continue;
        consider(part, {ground, low[2] - round - half_, high[2] + round + half_, round},
                 {ViolationKind::blocker, 0.0, 0.0, 0.0, {-1, -1, -1}, false, static_cast<std::int64_t>(i)});
    }
}

}  // namespace fairlead::witness
