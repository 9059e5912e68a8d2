// A curve is cut into pieces, and these again, until what a piece bulges from its chord decides nothing: the chord is
// judged with that much more to keep. So a straight leg is one piece, and a curve is cut fine only where it almost
// touches.
#include "verify/volume_sweep.h"

#include <cmath>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

#include "verify/numbers.h"

namespace fairlead::witness {

namespace {

constexpr double kPieceTurn = 0.5 * kHalfPi;  // radians
constexpr double kBulgeShare = 0.125;         // of the threshold: pieces are cut no finer
constexpr int kSamples = 64;
constexpr int kSweepThirds = 40;
constexpr double kPieces = 1e9;

}  // namespace

Triple VolumePath::at(double share) const {
    const Vec2 along = point_at(ground, share * ground.length);
    return {start[0] + along.x, start[1] + along.y, start[2] + share * rise};
}

VolumePath path_of(const Leg& leg, const VolumeFrame& frame) {
    VolumePath path;
    path.start = frame.from_world(leg.start.position);
    if (leg.kind != LegKind::drive) return path;
    path.rise = leg.rise;
    path.ground.along = math::direction(leg.start.heading_rad);
    if (leg.gear == Gear::reverse) path.ground.along = -path.ground.along;
    path.ground.length = leg.length;
    // A bend that is smaller than rounding is none.
    const double side = 0.5 * std::fabs(leg.curvature) * leg.length * leg.length;
    if (side > kRound * larger(frame.size(), leg.length)) path.ground.curvature = leg.curvature;
    return path;
}

VolumeSweep::Task VolumeSweep::task_of(const VolumePath& path, double radius, double threshold) {
    Task task{&path, radius, threshold, -1.0, -1.0, true};
    if (radius <= 0.75 * threshold) {
        task.room = threshold - radius;
    } else if (radius <= 4.0 * threshold) {
        task.keep = radius - 0.75 * threshold;
        task.room = 0.25 * threshold;
    } else {
        task.keep = radius - threshold;
    }
    return task;
}

VolumeHit VolumeSweep::run(const VolumePath& path, double radius, double size) {
    const Task task = task_of(path, radius, frame_.threshold(size));
    VolumeHit hit;
    if (task.room > 0.0 && has_last_) {
        // The gap between the legs, which is within the slack, is part of the way.
        const Chord gap = chord_between(last_, path.start);
        if (!walk_.pass(gap, task.room)) {
            hit = first_outside(task, gap, 0.0);
            if (hit.kind == ViolationKind::none) {
                hit.kind = budget_.spent() ? ViolationKind::too_far : ViolationKind::wall;
                blame_stop(task, gap, hit);
            }
            hit.begin = hit.worst = 0.0;
            return hit;
        }
    }
    hit = follow(task);
    last_ = path.at(1.0);
    has_last_ = true;
    return hit;
}

VolumeHit VolumeSweep::claim(const VolumePath& path, double radius, double size) {
    Task task{&path, radius, frame_.threshold(size), -1.0, -1.0, false};
    task.keep = radius - task.threshold;
    return task.keep > 0.0 ? follow(task) : VolumeHit{};
}

VolumeHit VolumeSweep::follow(const Task& task) {
    const Track& ground = task.path->ground;
    if (ground.curvature == 0.0) return settle(task, 0.0, 1.0);
    const double bend = std::fabs(ground.curvature);
    const double bulge = 0.25 * larger(frame_.shortest_side(), task.radius);
    // What goes round and round in a circle that is as small as that is cut only where it must be.
    const double step =
        2.0 / bend <= bulge ? ground.length : smaller(kPieceTurn / bend, std::sqrt(8.0 * bulge / bend));
    const double pieces = larger(1.0, std::ceil(ground.length / step));
    if (!(pieces <= kPieces) || bend * ground.length > kAngleMax)
        return {ViolationKind::too_far, 0.0, 0.0, 0.0, {-1, -1, -1}, false, -1};
    for (double i = 0.0; i < pieces; i += 1.0) {
        const VolumeHit hit = settle(task, i / pieces, i + 1.0 < pieces ? (i + 1.0) / pieces : 1.0);
        if (hit.kind != ViolationKind::none) return hit;
    }
    return {};
}

/// Depth of the recursion: each cut leaves a quarter of the bulge.
VolumeHit VolumeSweep::settle(const Task& task, double from, double to) {
    const double bulge = task.path->bulge(from, to);
    const Chord chord = chord_between(task.path->at(from), task.path->at(to));
    const bool fine = bulge <= kBulgeShare * task.threshold;
    if (!fine) {
        if (clear(task, chord, bulge)) return {};
        if (budget_.spent()) return {ViolationKind::too_far, from, from, 0.0, {-1, -1, -1}, false, -1};
        const double middle = 0.5 * (from + to);
        const VolumeHit hit = settle(task, from, middle);
        return hit.kind != ViolationKind::none ? hit : settle(task, middle, to);
    }
    VolumeHit hit = first_hit(task, chord, bulge);
    if (hit.kind == ViolationKind::none) return hit;
    hit.begin = from + hit.begin * (to - from);
    hit.worst = from + hit.worst * (to - from);
    if (!hit.stopped && hit.kind != ViolationKind::too_far) {
        const double fast = task.path->ground.length + std::fabs(task.path->rise);
        const double wide = 2.0 * task.radius + frame_.voxel[0] + frame_.voxel[1] + frame_.voxel[2];
        blame(task, hit, fast > wide ? wide / fast : 1.0);
    }
    return hit;
}

bool VolumeSweep::clear(const Task& task, const Chord& chord, double bulge) {
    if (first_outside(task, chord, bulge).kind != ViolationKind::none) return false;
    if (task.blockers && !blockers_.clear(chord, task.radius - task.threshold + bulge)) return false;
    if (task.keep > 0.0) {
        const double keep = task.keep + bulge;
        const double enough = keep * keep;
        const bool met = near_.each(chord, keep, [&](const Lattice&, const VoxelSides& box) {
            return gap_squared(chord, box) < enough;
        });
        if (met || budget_.spent()) return false;
    }
    return task.room < 0.0 || walk_.pass_freely(chord, task.room + bulge);
}

VolumeHit VolumeSweep::first_hit(const Task& task, const Chord& chord, double bulge) {
    VolumeHit hit = first_outside(task, chord, bulge);
    if (task.keep > 0.0) {
        const double keep = task.keep + bulge;
        const double enough = keep * keep;
        static_cast<void>(near_.each(chord, keep, [&](const Lattice& voxel, const VoxelSides& box) {
            if (!(gap_squared(chord, box) < enough)) return false;
            const double begin = first_within(chord, box, keep);
            if (hit.kind == ViolationKind::none || begin < hit.begin) {
                hit = {ViolationKind::wall, begin, begin, 0.0, voxel, false, -1};
            }
            return false;
        }));
    }
    if (task.room > 0.0 && !walk_.pass(chord, task.room - bulge)) {
        // At the edge of the volume both end, to rounding.
        const double begin = walk_.reached();
        const double before = (hit.begin - begin) * distance_of(chord.a, chord.at(1.0));
        if (hit.kind == ViolationKind::none || before > 2.0 * frame_.slack) {
            hit = {ViolationKind::wall, begin, begin, 0.0, {-1, -1, -1}, false, -1};
            blame_stop(task, chord, hit);
        }
    }
    if (task.blockers) {
        double begin = hit.kind == ViolationKind::none ? 2.0 : hit.begin;
        const std::int64_t which = blockers_.find_first(chord, task.radius - task.threshold + bulge, begin);
        if (which >= 0) hit = {ViolationKind::blocker, begin, begin, 0.0, {-1, -1, -1}, false, which};
    }
    if (budget_.spent()) hit.kind = ViolationKind::too_far;
    return hit;
}

/// The outside of the bounds: the box that the middle must keep in, grown by the threshold, is convex.
VolumeHit VolumeSweep::first_outside(const Task& task, const Chord& chord, double bulge) const {
    const double keep = task.radius - task.threshold + bulge;
    double begin = 2.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = chord.a[k];
        const double low = k == 2 ? keep + half_ : keep;
        const double high = frame_.extent[k] - low;
        const double b = a + chord.d[k];
        if (a < low || a > high) {
            begin = 0.0;
        } else if (b < low || b > high) {
            begin = smaller(begin, ((b < low ? low : high) - a) / chord.d[k]);
        }
    }
    if (begin > 1.0) return {};
    return {ViolationKind::off_world, begin, begin, 0.0, {-1, -1, -1}, false, -1};
}

double VolumeSweep::outside_by(const Task& task, const Triple& p) const {
    double out = -p[0];
    for (std::size_t k = 0; k < 3; ++k) {
        const double half = k == 2 ? half_ : 0.0;
        out = larger(out, larger(-p[k], p[k] - frame_.extent[k]) + half);
    }
    return out + task.radius;
}

/// Where an overlap is deepest, in a window behind its begin: for people, no verdict rests on it.
void VolumeSweep::blame(const Task& task, VolumeHit& hit, double window) const {
    const bool wall = hit.kind == ViolationKind::wall;
    const VoxelSides box = wall ? taller(sides_of(frame_, hit.voxel), half_) : VoxelSides{};
    const auto depth = [&](double share) {
        const Triple p = task.path->at(share);
        if (hit.blocker >= 0) return task.radius - blockers_.gap(p, hit.blocker);
        return wall ? task.radius - signed_gap(p, box) : outside_by(task, p);
    };
    const double end = smaller(1.0, hit.begin + window);
    const double step = (end - hit.begin) / kSamples;
    double best = hit.begin;
    hit.depth = depth(best);
    for (int i = 1; i <= kSamples; ++i) {
        const double share = i < kSamples ? hit.begin + step * i : end;
        if (depth(share) <= hit.depth) continue;
        hit.depth = depth(share);
        best = share;
    }
    double low = larger(hit.begin, best - step);
    double high = smaller(end, best + step);
    for (int i = 0; i < kSweepThirds; ++i) {
        const double one = low + (high - low) / 3.0;
        const double other = high - (high - low) / 3.0;
        (depth(one) < depth(other) ? low : high) = depth(one) < depth(other) ? one : other;
    }
    const double middle = 0.5 * (low + high);
    hit.worst = depth(middle) > hit.depth ? middle : best;
    hit.depth = depth(hit.worst);
}

/// What stops a walk: of the solid voxels at that place the one that the piece comes to next.
void VolumeSweep::blame_stop(const Task& task, const Chord& chord, VolumeHit& hit) {
    hit.stopped = true;
    const double room = larger(task.room, frame_.slack);
    double next = 3.0;
    double middle = hit.begin;
    static_cast<void>(near_.each(chord, 2.0 * room, [&](const Lattice& voxel, const VoxelSides& box) {
        const Shares near = shares_within(chord, box, room);
        if (near.none() || near.high < hit.begin) return false;
        const Shares in = shares_within(chord, box, 0.0);
        const double when =
            in.none() || in.high < hit.begin ? 2.0 + larger(near.low, hit.begin) : larger(in.low, hit.begin);
        if (when >= next) return false;
        next = when;
        middle = in.none() ? hit.begin : 0.5 * (in.low + in.high);
        hit.voxel = voxel;
        return false;
    }));
    hit.worst = middle;
    hit.depth = task.radius + room_around(chord.at(middle));
}

/// How far the nearest free voxel is, up to two voxels.
double VolumeSweep::room_around(const Triple& p) const {
    constexpr std::int32_t kLook = 2;
    double best = static_cast<double>(kLook) * frame_.shortest_side();
    Lattice at{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double layer = std::floor(p[k] / frame_.voxel[k]);
        at[k] = static_cast<std::int32_t>(larger(-1.0, smaller(layer, static_cast<double>(frame_.count[k]))));
    }
    for (std::int32_t z = -kLook; z <= kLook; ++z) {
        for (std::int32_t y = -kLook; y <= kLook; ++y) {
            for (std::int32_t x = -kLook; x <= kLook; ++x) {
                const Lattice v{at[0] + x, at[1] + y, at[2] + z};
                if (!frame_.in_bounds(v) || !volume_.is_free({v[0], v[1], v[2]})) continue;
                best = smaller(best, larger(0.0, signed_gap(p, sides_of(frame_, v))));
            }
        }
    }
    return best;
}

}  // namespace fairlead::witness
