// Closed-form test of a moving rounded rectangle against a rounded box. The proof is in verify.h, "Bodies that turn".
#include "verify/rigid_contact.h"

#include <array>
#include <cmath>

#include "verify/scale.h"

namespace fairlead::witness {

namespace {

/// Parts of the threshold (verify.h): the least distance that is kept, and what a sharp corner costs.
constexpr double kRoundShare = 0.125;
constexpr double kHalfRootTwo = 0.70710678118654752;
/// More than any piece of a body's point is long: pieces are cut where they turn, nowhere else.
constexpr double kUncut = 0x1p28;
/// Far more than the error of a distance, for what only saves work.
constexpr double kPad = 1e-6;

Aabb box_of(const std::array<Vec2, 4>& points) {
    Aabb box{points[0], points[0]};
    for (const Vec2 p : points) {
        box.low = {smaller(box.low.x, p.x), smaller(box.low.y, p.y)};
        box.high = {larger(box.high.x, p.x), larger(box.high.y, p.y)};
    }
    return box;
}

Aabb core_in_world(const Motion& motion, const Aabb& core) {
    std::array<Vec2, 4> points = corners(core);
    for (Vec2& p : points) p = motion.to_world(p);
    return box_of(points);
}

Aabb tile_in_body(const Motion& motion, const Aabb& tile) {
    std::array<Vec2, 4> points = corners(tile);
    for (Vec2& p : points) p = motion.to_body(p);
    return box_of(points);
}

/// By how much two boxes overlap on the axis where they do so least; negative: how far they are apart on an axis.
double least_overlap(const Aabb& a, const Aabb& b) {
    const double x = smaller(a.high.x - b.low.x, b.high.x - a.low.x);
    const double y = smaller(a.high.y - b.low.y, b.high.y - a.low.y);
    return smaller(x, y);
}

/// Two rectangles: each on the axes of both.
double least_overlap(const Motion& motion, const Aabb& core, const Aabb& tile) {
    return smaller(least_overlap(core_in_world(motion, core), tile),
                   least_overlap(tile_in_body(motion, tile), core));
}

double distance(Vec2 p, const Aabb& box) {
    const Vec2 out{larger(larger(box.low.x - p.x, p.x - box.high.x), 0.0),
                   larger(larger(box.low.y - p.y, p.y - box.high.y), 0.0)};
    return length(out);
}

/// Between rectangles that do not overlap: reached at a corner of one of them.
double distance(const Motion& motion, const Aabb& core, const Aabb& tile) {
    double least = kUncut;
    for (const Vec2 c : corners(core)) least = smaller(least, distance(motion.to_world(c), tile));
    for (const Vec2 q : corners(tile)) least = smaller(least, distance(motion.to_body(q), core));
    return least;
}

bool can_lose(const Aabb& box, double margin) {
    return box.high.x - box.low.x >= 2.0 * margin && box.high.y - box.low.y >= 2.0 * margin;
}

double lost(double low, double high, double margin) {
    return high - low >= 2.0 * margin ? margin : 0.5 * (high - low);
}

void shrink(Aabb& box, double margin) {
    const Vec2 by{lost(box.low.x, box.high.x, margin), lost(box.low.y, box.high.y, margin)};
    box = {box.low + by, box.high - by};
}

/// What must stay `round` apart: a rectangle that moves and one that rests.
struct Cores {
    Aabb moving{};
    Aabb resting{};
    double round = 0.0;
};

Cores cores_of(const RigidBody& body, const Obstacle& obstacle, double threshold) {
    const double round = body.radius + obstacle.round - threshold;
    Cores cores{body.core, obstacle.box, larger(round, kRoundShare * threshold)};
    if (round >= 0.0) return cores;
    const double margin = -round * kHalfRootTwo;
    shrink(can_lose(cores.resting, margin) ? cores.resting : cores.moving, margin);
    return cores;
}

/// Coordinates relative to a corner of cells near the start: numbers get small, and nothing is lost.
void move_near(Motion& motion, Aabb& box) {
    const Vec2 base{std::floor(motion.axle.x), std::floor(motion.axle.y)};
    motion.axle = motion.axle - base;
    box = {box.low - base, box.high - base};
}

/// The part of a box within `reach` of a place on each axis; empty if there is none.
Aabb clipped(const Aabb& box, Vec2 at, double reach) {
    return {{larger(box.low.x, at.x - reach), larger(box.low.y, at.y - reach)},
            {smaller(box.high.x, at.x + reach), smaller(box.high.y, at.y + reach)}};
}

/// Does the path somewhere come nearer to the box than `round`?
bool comes_near(const Track& track, const Aabb& box, double round) {
    Cuts cuts(track, kUncut);
    Piece piece;
    while (cuts.next(piece)) {
        if (goes_deeper(piece, Obstacle{box, round}, 0.0)) return true;
    }
    return false;
}

/// On a straight motion, only true if the body passes the box at a distance.
bool passes_by(const Motion& motion, const Cores& cores) {
    if (motion.spin != 0.0) return false;
    const Aabb seen = tile_in_body(motion, cores.resting);
    const double run = motion.speed * motion.extent;
    const Aabb swept{{cores.moving.low.x + smaller(run, 0.0), cores.moving.low.y},
                     {cores.moving.high.x + larger(run, 0.0), cores.moving.high.y}};
    return least_overlap(swept, seen) < -(cores.round + kPad);
}

}  // namespace

bool goes_deeper(const Motion& whole, const RigidBody& body, const Obstacle& obstacle, double threshold) {
    Motion motion = whole;
    Cores cores = cores_of(body, obstacle, threshold);
    move_near(motion, cores.resting);
    const double near = body.reach() + cores.round + std::fabs(motion.speed) * motion.extent + 1.0;
    cores.resting = clipped(cores.resting, motion.axle, near);
    const Aabb& tile = cores.resting;
    if (tile.low.x > tile.high.x || tile.low.y > tile.high.y || passes_by(motion, cores)) return false;
    if (least_overlap(motion, cores.moving, tile) > 0.0) return true;
    for (const Vec2 c : corners(cores.moving)) {
        if (comes_near(track_of(motion, c), tile, cores.round)) return true;
    }
    for (const Vec2 q : corners(tile)) {
        if (comes_near(track_seen(motion, q), cores.moving, cores.round)) return true;
    }
    return false;
}

double depth_at(const Motion& whole, const RigidBody& body, const Obstacle& obstacle) {
    Motion motion = whole;
    Aabb tile = obstacle.box;
    move_near(motion, tile);
    const double round = body.radius + obstacle.round;
    const double overlap = least_overlap(motion, body.core, tile);
    return overlap > 0.0 ? round + overlap : round - distance(motion, body.core, tile);
}

}  // namespace fairlead::witness
