// Closed-form test of a monotone piece of a line or circle against a rounded box. The proof is in verify.h;
// the names there: q a corner, v from the start of the piece to it, n the left normal, k the curvature.
#include "verify/contact.h"

#include <array>
#include <cmath>

#include "verify/scale.h"

namespace fairlead::witness {

namespace {

/// Signed distance of q from the piece's whole line or circle, positive to the right of it.
double offset(const Piece& piece, Vec2 q) {
    const Vec2 v = q - piece.a;
    const double right = v.x * piece.along_a.y - v.y * piece.along_a.x;
    if (piece.curvature == 0.0) return right;
    const double k = piece.curvature;
    const double across = 1.0 + k * right;  // 1 - k v.n
    const double ahead = k * dot(v, piece.along_a);
    return (k * dot(v, v) + 2.0 * right) / (1.0 + std::sqrt(across * across + ahead * ahead));
}

Aabb mirror_image(const Aabb& box, Vec2 flip) {
    Aabb image = box;
    if (flip.x < 0.0) image.low.x = -box.high.x, image.high.x = -box.low.x;
    if (flip.y < 0.0) image.low.y = -box.high.y, image.high.y = -box.low.y;
    return image;
}

/// True only if the piece is nowhere nearer to the box than `round`.
bool apart(const Piece& piece, const Aabb& box, double round) {
    return piece.a.x >= box.high.x + round || piece.b.x <= box.low.x - round ||
           piece.a.y >= box.high.y + round || piece.b.y <= box.low.y - round;
}

/// Does the piece meet the open box? Not apart(piece, box, 0) and box not empty.
bool crosses(const Piece& piece, const Aabb& box) {
    const bool may_pass_left = piece.a.x <= box.low.x && piece.b.y >= box.high.y;
    if (may_pass_left && offset(piece, {box.low.x, box.high.y}) >= 0.0) return false;
    const bool may_pass_right = piece.a.y <= box.low.y && piece.b.x >= box.high.x;
    return !(may_pass_right && offset(piece, {box.high.x, box.low.y}) <= 0.0);
}

bool point_within(Vec2 p, const Aabb& box, double round) {
    const double dx = larger(larger(box.low.x - p.x, p.x - box.high.x), 0.0);
    const double dy = larger(larger(box.low.y - p.y, p.y - box.high.y), 0.0);
    return dx * dx + dy * dy < round * round;
}

/// Is q beside the piece, rather than before its first or behind its last point?
bool beside(const Piece& piece, Vec2 q) {
    return dot(q - piece.a, piece.along_a) >= 0.0 && dot(q - piece.b, piece.along_b) <= 0.0;
}

/// Is the piece, which does not meet the open box, nearer to it than `round` > 0?
bool comes_within(const Piece& piece, const Aabb& box, double round) {
    if (point_within(piece.a, box, round) || point_within(piece.b, box, round)) return true;
    for (const Vec2 q : corners(box)) {
        if (beside(piece, q) && std::fabs(offset(piece, q)) < round) return true;
    }
    return false;
}

}  // namespace

bool goes_deeper(const Piece& piece, const Obstacle& obstacle, double threshold) {
    Aabb box = mirror_image(obstacle.box, piece.flip);
    const double round = obstacle.round - threshold;
    if (round > 0.0) {
        if (apart(piece, box, round)) return false;
        return (!apart(piece, box, 0.0) && crosses(piece, box)) || comes_within(piece, box, round);
    }
    box.low = box.low - Vec2{round, round};
    box.high = box.high + Vec2{round, round};
    if (box.low.x >= box.high.x || box.low.y >= box.high.y || apart(piece, box, 0.0)) return false;
    return crosses(piece, box);
}

double depth_at(Vec2 p, const Obstacle& obstacle) {
    const Aabb& box = obstacle.box;
    const double dx = larger(box.low.x - p.x, p.x - box.high.x);
    const double dy = larger(box.low.y - p.y, p.y - box.high.y);
    if (dx <= 0.0 || dy <= 0.0) return obstacle.round - larger(dx, dy);
    return obstacle.round - std::sqrt(dx * dx + dy * dy);
}

}  // namespace fairlead::witness
