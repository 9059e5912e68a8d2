// Areas under a curve (technique W7): its length times the cost of the area that the axle is in, cut exactly where the axle
// crosses a side between areas of different cost. On such a side it is in the cheaper one.
//
// Each line or arc of at most a quarter of a circle is followed over the surface; where it crosses the line through a side is known in
// closed form. A cut too many (beyond the side's ends) does no harm: each part is in the area that its middle is in.
#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "bridge/mesh_sweep.h"
#include "bridge/quarters.h"
#include "drive/cost/cells_along.h"

namespace fairlead::bridge {

using drive::SweptSegment;

namespace {

// Where a segment crosses the line through a and b: parts of its length, from 0 to 1.
struct LineCuts {
    double part[2]{};
    int count = 0;

    LineCuts(const SweptSegment& segment, Vec2 a, Vec2 b) {
        const Vec2 along = b - a;
        const double size = length(along);
        if (size == 0.0) return;
        const Vec2 unit = along * (1.0 / size);
        if (segment.curvature == 0.0) {
            const double off = cross(unit, segment.start - a);
            const double falls = -cross(unit, segment.ahead) * segment.amount;
            if (falls != 0.0) add(off / falls);
            return;
        }
        const Vec2 to_centre = Vec2{-segment.ahead.y, segment.ahead.x} * (1.0 / segment.curvature);
        const Vec2 centre = segment.start + to_centre;
        const double off = cross(unit, centre - a);
        const double square = dot(to_centre, to_centre) - off * off;
        if (square <= 0.0) return;
        const double half = std::sqrt(square);
        const Vec2 foot = Vec2{unit.y, -unit.x} * off;  // from the centre to the line
        const double sweep = segment.amount * segment.curvature;
        for (const double side : {half, -half}) {
            const Vec2 arm = foot + unit * side;
            const double turn = math::atan2(cross(to_centre * -1.0, arm), dot(to_centre * -1.0, arm));
            add(turn / sweep);  // of at most a quarter of a circle
        }
    }
    void add(double at) {
        if (at > 0.0 && at < 1.0) part[count++] = at;
    }
};

}  // namespace

bool MeshSweep::find_cuts(const SweptSegment& part) {
    cuts_.clear();
    for (const std::uint32_t here : work_.queue) {
        const mesh::TileView& view = state_->tile_of(here);
        const mesh::MeshPolygon* p = view.polygons + state_->local(here);
        std::uint32_t e = p[1].first - 1;
        for (std::uint32_t next = p[0].first; next < p[1].first; e = next++) {
            const mesh::MeshEdge& side = view.edges[e];
            if (state_->is_shut(side, prices_.closed)) continue;
            const std::uint32_t twin = state_->polygon_ref(side.twin);
            if (twin < here || price(twin) == price(here)) continue;
            const LineCuts found(part, frame_.in_cells(side.from), frame_.in_cells(view.edges[next].from));
            for (int i = 0; i < found.count; ++i) {
                if (!cuts_.push_back(found.part[i])) return false;
            }
        }
    }
    std::sort(cuts_.begin(), cuts_.end());  // total order
    return cuts_.push_back(1.0);
}

// The least of the polygons under a place, of those that were followed.
double MeshSweep::price_under(Vec2 place, double otherwise) const {
    const Vec2 at = frame_.to_mesh(place);
    double least = prices_.ratio * 2.0;
    for (const std::uint32_t one : work_.queue) {
        if (price(one) < least && is_under(one, at)) least = price(one);
    }
    return least <= prices_.ratio ? least : otherwise;
}

double MeshSweep::priced_part(std::uint32_t& polygon, const SweptSegment& part) {
    const double before = price(polygon);
    (void)sweep(polygon, part, {}, false);
    const double size = std::abs(part.amount);
    bool mixed = false;
    for (const std::uint32_t one : work_.queue) mixed = mixed || price(one) != before;
    if (!mixed) return size * before;
    if (!find_cuts(part)) {
        failed_ = true;
        return size;
    }
    const drive::SegmentPlaces places(part);
    double sum = 0.0, from = 0.0, last = before;
    for (const double to : cuts_) {
        if (to <= from) continue;
        last = price_under(places.at(0.5 * (from + to)), last);
        sum += (to - from) * size * last;
        from = to;
    }
    return sum;
}

double MeshSweep::priced_length(const drive::SheetPose& from, double radius, const CurveWord& word,
                                double reverse_penalty) {
    const drive::SweptPieces pieces = drive::place_pieces(from, radius, word);
    std::uint32_t polygon = from.sheet;
    double sum = 0.0;
    for (int i = 0; i < pieces.count; ++i) {
        const SweptSegment& piece = pieces.piece[i];
        if (piece.amount == 0.0) continue;  // it stands, or turns on the spot
        double cost = 0.0;
        each_quarter(piece, [&](const SweptSegment& part) {
            cost += priced_part(polygon, part);
            return true;
        });
        sum += piece.amount < 0.0 ? cost * reverse_penalty : cost;
    }
    return sum;
}

}  // namespace fairlead::bridge
