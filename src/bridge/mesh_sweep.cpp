#include "bridge/mesh_sweep.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "bridge/quarters.h"
#include "drive/body/swept_cells.h"
#include "mesh/surface/walk.h"

namespace fairlead::bridge {

using drive::kSweepSlack;
using drive::SweptSegment;

namespace {

constexpr double kThinBody = 1e-8;  // cells
constexpr double kOnSide = 1e-9;    // cells: so near to a side a place is on it

// A side in cells, and directions as seen from it: it runs along +x from the origin, the surface above it.
struct SweptSide {
    Vec2 a;
    Vec2 along;
    double length;

    [[nodiscard]] Vec2 turned(Vec2 d) const { return {dot(d, along), cross(along, d)}; }
    [[nodiscard]] SweptSegment seen(const SweptSegment& piece) const {
        SweptSegment out = piece;
        out.start = turned(piece.start - a);
        out.ahead = turned(piece.ahead);
        return out;
    }
};

SweptSide swept_side(Vec2 a, Vec2 b) {
    const double size = distance(a, b);
    return {a, size > 0.0 ? (b - a) * (1.0 / size) : Vec2{1.0, 0.0}, size};
}

// Does the body touch the side, or nearly?
bool touches_side(const BodyCore& body, const SweptSegment& piece, Vec2 a, Vec2 b) {
    const SweptSide side = swept_side(a, b);
    return drive::sweep_overlaps_box(body, side.seen(piece), {{0.0, 0.0}, {side.length, 0.0}}, -kOnSide);
}

// Does it reach into what is behind the side? Its box ends where nothing deeper than the slack is behind it; it is longer by
// the slack, for a point between two walls on one line.
bool passes_wall(const BodyCore& body, const SweptSegment& piece, Vec2 a, Vec2 b) {
    const SweptSide side = swept_side(a, b);
    const Aabb behind{{-kSweepSlack, -4.0 * kSweepSlack}, {side.length + kSweepSlack, 0.0}};
    return drive::sweep_overlaps_box(body, side.seen(piece), behind, kSweepSlack);
}

// The line or arc of an axle: where it ends, a box around it, how far it is off its chord.
struct PieceSpan {
    Vec2 start;
    Vec2 end;
    Aabb box;
    double swing = 0.0;
};

PieceSpan span_of(const SweptSegment& piece) {
    PieceSpan out{piece.start, piece.start, {piece.start, piece.start}};
    const auto add = [&](Vec2 p) {
        out.box.low = {std::min(out.box.low.x, p.x), std::min(out.box.low.y, p.y)};
        out.box.high = {std::max(out.box.high.x, p.x), std::max(out.box.high.y, p.y)};
    };
    if (piece.curvature == 0.0) {
        out.end = piece.start + piece.ahead * piece.amount;
    } else {
        // Within the triangle of its ends and where its tangents meet.
        const double radius = 1.0 / piece.curvature;
        const Vec2 centre = piece.start + Vec2{-piece.ahead.y, piece.ahead.x} * radius;
        const Vec2 first = piece.start - centre;
        const Vec2 last = turned_by(first, math::sin_cos(piece.amount * piece.curvature));
        out.end = centre + last;
        out.swing = std::abs(radius) - 0.5 * length(first + last);
        add(centre + (first + last) * (radius * radius / (radius * radius + dot(first, last))));
    }
    add(out.end);
    return out;
}

// What may lie in the body's reach from a piece; the rest need not be looked at exactly.
struct NearPiece {
    Vec2 start;
    Vec2 end;
    Aabb box;
    double reach;

    NearPiece(const PieceSpan& span, double body)
        : start(span.start), end(span.end), box(span.box), reach(body + span.swing + 1e-6) {
        const Vec2 margin{body + 1e-6, body + 1e-6};
        box = {box.low - margin, box.high + margin};
    }
    // Two lines that do not cross are nearest at an end of one of them.
    [[nodiscard]] bool is_far(Vec2 a, Vec2 b) const {
        const Vec2 d = end - start, e = b - a;
        const double p = cross(d, a - start), q = cross(d, b - start);
        const double u = cross(e, start - a), v = cross(e, end - a);
        if (p * q <= 0.0 && u * v <= 0.0) return false;
        const auto off = [](Vec2 one, Vec2 other, Vec2 at) {
            const Vec2 gap = mesh::nearest_on(one, other, at) - at;
            return dot(gap, gap);
        };
        const double square = reach * reach;
        return off(a, b, start) > square && off(a, b, end) > square && off(start, end, a) > square &&
               off(start, end, b) > square;
    }
};

}  // namespace

void MeshSweep::begin(const mesh::StateData& state, const MeshFrame& frame, const BodyCore& body,
                      const MeshPrices& prices) {
    state_ = &state;
    frame_ = frame;
    body_ = body;
    // A line has no inside that a corner could be found in: it gets a little width.
    const Vec2 size = body.core.high - body.core.low;
    const bool thin = std::min(size.x, size.y) < kThinBody && std::max(size.x, size.y) > 0.0;
    if (thin) body_.radius = std::max(body.radius, kThinBody);
    reach_ = drive::farthest_point(body_);
    prices_ = prices;
    failed_ = false;
}

bool MeshSweep::is_free(std::uint32_t& polygon, const Pose& from, double radius, const CurveWord& word) {
    return sweep_curve(polygon, from, radius, word, body_, true);
}

bool MeshSweep::follow(std::uint32_t& polygon, const Pose& from, double radius, const CurveWord& word) {
    return sweep_curve(polygon, from, radius, word, {}, false);
}

bool MeshSweep::sweep_curve(std::uint32_t& polygon, const Pose& from, double radius, const CurveWord& word,
                            const BodyCore& body, bool to_walls) {
    const drive::SweptPieces pieces = drive::place_pieces(from, radius, word);
    for (int i = 0; i < pieces.count; ++i) {
        const auto part_is_free = [&](const SweptSegment& part) {
            return sweep(polygon, part, body, to_walls);
        };
        if (!each_quarter(pieces.piece[i], part_is_free)) return false;
    }
    return true;
}

// One piece: the breadth first search of mesh/flood.h, which ends at the first wall.
bool MeshSweep::sweep(std::uint32_t& polygon, const SweptSegment& piece, const BodyCore& body,
                      bool to_walls) {
    const NearPiece near(span_of(piece), to_walls ? reach_ : 0.0);
    const Aabb box{frame_.to_mesh(near.box.low), frame_.to_mesh(near.box.high)};
    work_.begin();
    failed_ = failed_ || !work_.meet(polygon);
    for (std::size_t i = 0; i < work_.queue.size() && !failed_; ++i) {
        const std::uint32_t here = work_.queue[i];
        const mesh::TileView& view = state_->tile_of(here);
        const mesh::MeshPolygon* p = view.polygons + state_->local(here);
        std::uint32_t e = p[1].first - 1;
        for (std::uint32_t next = p[0].first; next < p[1].first; e = next++) {
            const Vec2 from = view.edges[e].from, to = view.edges[next].from;
            if (std::max(from.x, to.x) < box.low.x || std::min(from.x, to.x) > box.high.x ||
                std::max(from.y, to.y) < box.low.y || std::min(from.y, to.y) > box.high.y)
                continue;
            const Vec2 a = frame_.in_cells(from), b = frame_.in_cells(to);
            if (near.is_far(a, b)) continue;
            const mesh::MeshEdge& side = view.edges[e];
            if (state_->is_shut(side, prices_.closed)) {
                if (to_walls && passes_wall(body, piece, a, b)) return false;
            } else if (touches_side(body, piece, a, b) && !work_.meet(state_->polygon_ref(side.twin))) {
                failed_ = true;
            }
        }
    }
    return !failed_ && name_place(polygon, near.end);
}

bool MeshSweep::is_under(std::uint32_t polygon, Vec2 place) const {
    const mesh::TileView& view = state_->tile_of(polygon);
    const mesh::MeshPolygon* p = view.polygons + state_->local(polygon);
    Vec2 a = view.edges[p[1].first - 1].from;
    for (std::uint32_t e = p[0].first; e < p[1].first; ++e) {
        const Vec2 b = view.edges[e].from;
        const double off = cross(b - a, place - a);
        if (off < 0.0 && off * off > dot(b - a, b - a) * (kOnSide * kOnSide * frame_.size * frame_.size))
            return false;
        a = b;
    }
    return true;
}

// Of the polygons that were followed.
bool MeshSweep::name_place(std::uint32_t& polygon, Vec2 place) const {
    const Vec2 at = frame_.to_mesh(place);
    std::uint32_t least = mesh::kNone;
    for (const std::uint32_t one : work_.queue) {
        if (one < least && is_under(one, at)) least = one;
    }
    if (least != mesh::kNone) polygon = least;
    return least != mesh::kNone;
}

void MeshSweep::walk(std::uint32_t& polygon, Vec2 at, Vec2 to) {
    mesh::Walk walk;
    walk.from = frame_.to_mesh(at);
    walk.to = frame_.to_mesh(to);
    walk.polygon = polygon;
    walk.closed_areas = prices_.closed;
    mesh::finish_walk(*state_, walk);
    polygon = walk.polygon;
    const double near = 2.0 * kOnSide * frame_.size;
    if (!mesh::flood(*state_, polygon, walk.to, near, prices_.closed, work_,
                     [](mesh::EdgeRef, Vec2, Vec2) {}))
        failed_ = true;
    if (!failed_) (void)name_place(polygon, to);
}

// To the nearest side where the flood stops and that counts.
template <class Stops, class Counts>
double MeshSweep::room_until(std::uint32_t polygon, Vec2 at, double most, Stops stops, Counts counts) {
    const Vec2 middle = frame_.to_mesh(at);
    double least = most * frame_.size;
    const auto in_reach = [&](Vec2 a, Vec2 b) {
        const Vec2 off = mesh::nearest_on(a, b, middle) - middle;
        return dot(off, off) < least * least;
    };
    const auto wall = [&](mesh::EdgeRef side, Vec2 a, Vec2 b) {
        if (counts(state_->edge(side))) least = distance(mesh::nearest_on(a, b, middle), middle);
    };
    if (!mesh::flood_until(*state_, polygon, work_, in_reach, stops, wall)) failed_ = true;
    return failed_ ? 0.0 : least * frame_.scale;
}

double MeshSweep::room(std::uint32_t polygon, Vec2 at, double most) {
    const auto is_wall = [this](std::uint32_t, const mesh::MeshEdge& side) {
        return state_->is_shut(side, prices_.closed);
    };
    return room_until(polygon, at, most, is_wall, [](const mesh::MeshEdge&) { return true; });
}

double MeshSweep::even_room(std::uint32_t polygon, Vec2 at, double most) {
    const auto is_open = [this](const mesh::MeshEdge& side) {
        return !state_->is_shut(side, prices_.closed);
    };
    const auto stops = [&](std::uint32_t here, const mesh::MeshEdge& side) {
        return !is_open(side) || price(state_->polygon_ref(side.twin)) != price(here);
    };
    return room_until(polygon, at, most, stops, is_open);
}

}  // namespace fairlead::bridge
