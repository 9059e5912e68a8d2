#include <fairlead/base/rng.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/curve/relaxed.h>

#include "digest/digest_scene.h"

using namespace fairlead;
using fairlead::Digest;

namespace {

constexpr int kCurves = 5000;

/// Near, far and on a lattice, where words meet and vanish.
Pose any_pose(Rng& rng) {
    const std::uint32_t kind = rng.below(3);
    if (kind == 2) {
        const double x = rng.between(-4, 4);
        const double y = rng.between(-4, 4);
        return {{x, y}, rng.between(-4, 4) * (kPi / 4)};
    }
    const double size = kind == 0 ? 2.0 : 50.0;
    const double x = rng.between(-size, size);
    const double y = rng.between(-size, size);
    return {{x, y}, rng.between(-7.0, 7.0)};
}

void add(Digest& digest, const CurveWord& word) {
    for (const CurveSegment& segment : word.used()) {
        digest.add(segment.amount);
        digest.add(static_cast<int>(segment.steer));
    }
    digest.add(word.length);
    digest.add(word.cost);
}

void add(Digest& digest, const Pose& pose) {
    digest.add(pose.position.x);
    digest.add(pose.position.y);
    digest.add(pose.heading_rad);
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(curve_dubins) {
    Rng rng(31);
    CurveWord words[kDubinsWords];
    for (int i = 0; i < kCurves; ++i) {
        const Pose from = any_pose(rng);
        const Pose to = any_pose(rng);
        const double radius = rng.between(0.5, 2.0);
        digest.add(dubins_distance(from, to, radius));
        add(digest, shortest_dubins(from, to, radius));
        const int count = dubins_words(from, to, radius, words);
        for (int k = 0; k < count; ++k) add(digest, words[k]);
    }
}

FAIRLEAD_DIGEST_SCENE(curve_dubins_batch) {
    Rng rng(32);
    constexpr int kCount = 999;
    static Pose from[kCount];
    static Pose to[kCount];
    static double lengths[kCount];
    for (int i = 0; i < kCount; ++i) {
        from[i] = any_pose(rng);
        to[i] = any_pose(rng);
    }
    dubins_distances(from, to, 1.25, lengths);
    for (const double length : lengths) digest.add(length);
}

FAIRLEAD_DIGEST_SCENE(curve_reeds_shepp) {
    Rng rng(33);
    constexpr ReedsSheppCost kDear{.reverse_factor = 2.0, .cusp_cost = 1.5};
    CurveWord words[kReedsSheppWords];
    for (int i = 0; i < kCurves; ++i) {
        const Pose from = any_pose(rng);
        const Pose to = any_pose(rng);
        const double radius = rng.between(0.5, 2.0);
        digest.add(reeds_shepp_distance(from, to, radius));
        add(digest, shortest_reeds_shepp(from, to, radius));
        const int count = reeds_shepp_words(from, to, radius, kDear, words);
        for (int k = 0; k < count; ++k) add(digest, words[k]);
    }
}

FAIRLEAD_DIGEST_SCENE(curve_poses) {
    Rng rng(34);
    for (int i = 0; i < kCurves; ++i) {
        const Pose from = any_pose(rng);
        const Pose to = any_pose(rng);
        const CurveWord word = shortest_reeds_shepp(from, to, 1.0);
        add(digest, pose_on_curve(from, 1.0, word, rng.between(0.0, 1.0) * word.length));
        add(digest, end_of_curve(from, 1.0, word));
        const Aabb box = bounds_of_curve(from, 1.0, word);
        add(digest, Pose{box.low, box.high.x});
        digest.add(box.high.y);
        add(digest, shortest_to_point(from, to.position, 1.0));
    }
}
