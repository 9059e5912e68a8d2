// Any plane that has a piece of a wall behind it, and the way before it, will do. The one across their nearest points leaves most room.
// But to a point that touches a corner of a line of walls, or is held a hair beside one, it is a wall in its way: it would stand there for
// good, though it may well go along either side of the corner. So where the line itself is a plane that takes nothing of what it wants,
// that is taken, before all others; and a piece that lies behind the plane of another has none.
#include "crowd/avoid/wall_sides.h"

#include <cmath>

#include "crowd/avoid/nearest.h"

namespace fairlead::crowd {

namespace {

constexpr double kBehindSlack = 1e-9;  // of the unit's size,
constexpr double kRounding = 1e-15;    // and of its place
constexpr double kTouches = 0.02;      // of the size: only of what is nearer than that the line is taken
constexpr double kSame = 1e-7;         // of the size: as far off

/// A piece of a wall as a unit sees it.
struct WallSeen {
    Vec2 normal{};  ///< away from it
    Vec2 on{};      ///< a point of the plane
    Vec2 left{};    ///< of a line: where free ground is
    double apart = 0.0;
    double far = 0.0;     ///< the same, to what rounding leaves of it
    double takes = 0.0;   ///< of the way that it wants: how much lies behind the plane
    bool behind = false;  ///< the unit is on the line or behind it
    bool free = false;    ///< of a line that it touches: it takes nothing
};

/// Is the foot of a place on a line between its ends?
bool beside_line(Vec2 p, const WallPiece& piece) {
    const Vec2 a = ground(piece.a);
    const Vec2 along = ground(piece.b) - a;
    const double at = dot(p - a, along);
    return at >= 0.0 && at <= dot(along, along);
}

double slack_of(const WallAsk& ask) {
    return kBehindSlack * ask.size + kRounding * (std::fabs(ask.from.x) + std::fabs(ask.from.y));
}

/// Does the plane across the nearest points leave some of the line before it? So near that places are rounded to much of how far it is,
/// it may.
bool cuts(const WallSeen& seen, const WallPiece& piece) {
    return dot(seen.normal, ground(piece.a) - seen.on) > 0.0 ||
           dot(seen.normal, ground(piece.b) - seen.on) > 0.0;
}

WallSeen look_at_piece(const WallAsk& ask, const WallPiece& piece) {
    const NearestPoints pair = nearest_points(ask.from, ask.to, piece);
    const Vec2 between = pair.on_way - pair.on_other;
    WallSeen seen;
    seen.apart = length(between);
    seen.on = pair.on_other;
    if (seen.apart > 0.0) seen.normal = between / seen.apart;
    if (piece.box) return seen;
    const Vec2 along = ground(piece.b) - ground(piece.a);
    seen.left = normalized(Vec2{-along.y, along.x});
    // so near to it no normal can be told from two places
    seen.behind = !(seen.apart > slack_of(ask)) ||
                  (!(dot(seen.normal, seen.left) > 0.0) &&
                   !(dot(pair.on_way - ground(piece.a), seen.left) > 0.0) && beside_line(pair.on_way, piece));
    return seen;
}

double taken_by(const WallAsk& ask, Vec2 normal, double gap) {
    const double over = -dot(normal, ask.wanted) - gap;
    return over > 0.0 ? over : 0.0;
}

/// Of a line that it is before: the line itself in place of the plane across the nearest points, if that takes nothing.
void take_line(const WallAsk& ask, const WallPiece& piece, WallSeen& seen) {
    const Vec2 a = ground(piece.a);
    const double before = std::fmin(dot(seen.left, ask.from - a), dot(seen.left, ask.to - a)) - ask.radius;
    if (!(before >= -slack_of(ask))) return;
    const double gap = before > 0.0 ? before : 0.0;
    const double takes = taken_by(ask, seen.left, gap);
    if (takes > slack_of(ask) && !cuts(seen, piece)) return;
    seen.normal = seen.left;
    seen.on = a;
    seen.apart = ask.radius + gap;
    seen.takes = takes;
}

/// Of a line that the unit touches.
void look_at_line(const WallAsk& ask, const WallPiece& piece, WallSeen& seen) {
    const double same = kSame * ask.size;
    seen.far = std::floor(seen.apart / same) * same;
    seen.takes = taken_by(ask, seen.normal, seen.apart - ask.radius);
    if (!seen.behind) take_line(ask, piece, seen);
    seen.free = !(seen.takes > slack_of(ask));
}

/// Does all of a piece lie behind the border of a plane that is kept already? Then it is out of reach, and its own plane would only hold
/// the unit up: along a wall of several pieces, which it touches, each next one seems to lie in its way until it has passed the corner.
bool lies_behind(const WallPiece& piece, const WallSeen& plane, double slack) {
    const Vec2 n = plane.normal;
    const Vec2 a = ground(piece.a);
    const Vec2 b = ground(piece.b);
    const double limit = dot(n, plane.on) + slack;
    if (!piece.box) return dot(n, a) <= limit && dot(n, b) <= limit;
    return n.x * (n.x > 0.0 ? b.x : a.x) + n.y * (n.y > 0.0 ? b.y : a.y) <= limit;
}

}  // namespace

std::size_t find_wall_sides(const WallAsk& ask, std::span<const WallPiece> pieces, std::span<WallSide> out) {
    WallSeen seen[kWallPiecesMax];
    double nearest = ask.reach;  // of those that it is before
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        seen[i] = look_at_piece(ask, pieces[i]);
        if (!seen[i].behind && seen[i].apart < nearest) nearest = seen[i].apart;
    }
    const double touches = ask.radius + kTouches * ask.size;
    // of lines that it touches those first that take nothing; then the nearest
    const auto comes_before = [&](const WallSeen& a, const WallSeen& b) {
        if (a.free != b.free) return a.free;
        return a.far != b.far ? a.far < b.far : a.takes < b.takes;
    };
    std::uint8_t order[kWallPiecesMax];
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        WallSeen& wall = seen[i];
        // farther than what it is before it may see the back of a thin wall; else it is on the line, or by rounding behind it
        if (wall.behind && !(wall.apart > nearest)) {
            wall.normal = wall.left;
            wall.apart = 0.0;
        }
        wall.far = wall.apart;
        if (!pieces[i].box && wall.apart < touches) look_at_line(ask, pieces[i], wall);
        std::size_t at = i;
        for (; at > 0 && comes_before(wall, seen[order[at - 1]]); --at) order[at] = order[at - 1];
        order[at] = static_cast<std::uint8_t>(i);
    }
    std::uint8_t kept[kWallPiecesMax];
    std::size_t planes = 0;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        const WallSeen& wall = seen[order[k]];
        if (wall.normal == Vec2{}) continue;
        bool hidden = false;
        for (std::size_t j = 0; j < planes && !hidden; ++j)
            hidden = lies_behind(pieces[order[k]], seen[kept[j]], slack_of(ask));
        if (hidden) continue;
        out[planes] = {wall.normal, wall.apart - ask.radius};
        kept[planes++] = order[k];
    }
    return planes;
}

}  // namespace fairlead::crowd
