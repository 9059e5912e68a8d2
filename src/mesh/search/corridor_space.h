// Corridors: which polygons to go through, as most games search for them. A state is a side of a polygon about to be
// entered, at a point of it: where the straight line from the point before to the goal crosses the side, or its end next to
// that. Each polygon's area has a price. For the engine of search/engine.h.
//
// A state may also be a link that has been taken (its piece, from kLinkStates on), at a place of its exit side.
//
// That point is kept as a tag, in 255 steps along the side. The heuristic is the distance from the side to the goal times
// the lowest price, so it is consistent; but a side is known by one point only, so the corridor found need not be the best
// (technique P12).
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/search/engine.h>

#include "mesh/data/state.h"
#include "mesh/search/aims.h"
#include "mesh/search/any_angle.h"
#include "mesh/search/link_use.h"
#include "mesh/surface/flood.h"

namespace fairlead::mesh {

/// What the areas cost, and which are closed.
struct AreaPrices {
    std::uint64_t closed = 0;
    std::span<const double> factors{};  ///< past its end: 1
    double least = 1.0;

    /// Where all open areas cost the same: that.
    [[nodiscard]] double of_open() const { return factors.empty() ? 1.0 : least; }
    [[nodiscard]] double of(std::uint8_t area) const { return area < factors.size() ? factors[area] : 1.0; }
};

class CorridorSpace {
  public:
    static constexpr std::uint32_t kSteps = 255;
    static constexpr EdgeRef kGoalState = kNone - 1;
    static constexpr std::uint32_t kLinkStates = 1U << 31;  ///< no side has such a number

    // What the search is about; set before use.
    const StateData* state = nullptr;
    PathEnd begin{};
    PathEnd goal{};
    AreaPrices prices{};
    bool midpoints = false;  ///< the middle of each side, whatever the goal
    float width = 0.0F;      ///< gates narrower than this are shut
    double units = 1.0;
    LinkUse links{};
    const Aims* aims = nullptr;  ///< what is opened is noted where it comes nearer to them; null: it is not
    double near_square = 0.0;    ///< of the distance
    Vec2 near_place{};
    EdgeRef near_side = kNone;
    double cap =
        0.0;  ///< what is left costs no more than the least of this and the straight line, as far as is known

    [[nodiscard]] static bool is_link(std::uint32_t at) { return at >= kLinkStates && at < kGoalState; }
    [[nodiscard]] const LinkPiece& piece_of(std::uint32_t at) const {
        return state->links.pieces[at - kLinkStates];
    }
    [[nodiscard]] std::uint32_t polygon_of(std::uint32_t at) const {
        return is_link(at) ? piece_of(at).polygon_out : state->polygon_ref(at);
    }
    [[nodiscard]] Vec2 point_at(EdgeRef edge, std::uint32_t tag) const {
        if (is_link(edge)) {
            const LinkPiece& piece = piece_of(edge);
            return piece.out[0] + (piece.out[1] - piece.out[0]) * (static_cast<double>(tag) / kSteps);
        }
        const Vec2 a = state->edge(edge).from, b = state->to(edge);
        return a + (b - a) * (static_cast<double>(tag) / kSteps);
    }
    [[nodiscard]] double price_in(std::uint32_t polygon) const {
        return prices.of(state->tile_of(polygon).polygons[state->local(polygon)].area());
    }

    template <class Sink>
    void start(Sink& sink) {
        leave(begin.polygon, kNone, begin.at, 0, sink);
    }
    template <class Sink>
    void expand(std::uint32_t edge, Cost g, std::uint32_t tag, Sink& sink) {
        if (aims != nullptr && !is_link(edge)) note_near(edge);
        leave(polygon_of(edge), edge, point_at(edge, tag), g, sink);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t edge) const {
        if (edge == kGoalState) return 0;
        const bool link = is_link(edge);
        const Vec2 near = link ? nearest_on(piece_of(edge).out[0], piece_of(edge).out[1], goal.at)
                               : nearest_on(state->edge(edge).from, state->to(edge), goal.at);
        const double far = distance(near, goal.at) * prices.least;
        return static_cast<Cost>((far < cap ? far : cap) * units);
    }
    [[nodiscard]] bool is_goal(std::uint32_t edge) const { return edge == kGoalState; }

  private:
    void note_near(EdgeRef edge) {
        const Vec2 place = aims->nearest(state->edge(edge).from, state->to(edge));
        const double square = aims->square_from(place);
        if (!(square < near_square)) return;
        near_square = square;
        near_place = place;
        near_side = edge;
    }
    template <class Sink>
    void leave(std::uint32_t polygon, EdgeRef entry, Vec2 from, Cost, Sink& sink) {
        const double price = price_in(polygon);
        const auto cost = [&](Vec2 to) { return static_cast<Cost>(distance(from, to) * price * units); };
        if (polygon == goal.polygon) sink.add(kGoalState, cost(goal.at), 0);
        if (!state->links.empty()) take_links(polygon, from, cost, sink);
        const TileView& view = state->tile_of(polygon);
        const std::uint32_t slot = polygon >> state->bits, at = state->local(polygon);
        for (std::uint32_t e = view.polygons[at].first; e < view.polygons[at + 1].first; ++e) {
            const MeshEdge& side = view.edges[e];
            if (state->ref(slot, e) == entry || state->is_shut(side, prices.closed)) continue;
            if (width > 0.0F && view.gaps != nullptr && view.gaps[e] < width) continue;
            // As the side of the polygon beyond knows it: the other way round.
            const Vec2 a = view.tile->to(e), b = side.from;
            const std::uint32_t tag = midpoints ? (kSteps + 1) / 2 : towards_goal(from, a, b);
            sink.add(side.twin, cost(a + (b - a) * (static_cast<double>(tag) / kSteps)), tag);
        }
    }
    template <class Price, class Sink>
    void take_links(std::uint32_t polygon, Vec2 from, const Price& price_to, Sink& sink) {
        const LinkTable& table = state->links;
        for (std::uint32_t i = table.first_at(polygon); i != kNone; i = table.pieces[i].next) {
            const LinkPiece& piece = table.pieces[i];
            const TileView& there = state->tile_of(piece.polygon_out);
            const std::uint8_t area = there.polygons[state->local(piece.polygon_out)].area();
            if (!links.open(table, piece) || (prices.closed >> area & 1U) != 0) continue;
            std::uint32_t tag = 0;
            if (!piece.point)
                tag = midpoints ? (kSteps + 1) / 2 : towards_goal(from, piece.in[0], piece.in[1]);
            const Vec2 entry =
                piece.in[0] + (piece.in[1] - piece.in[0]) * (static_cast<double>(tag) / kSteps);
            sink.add(kLinkStates + i, price_to(entry) + static_cast<Cost>(links.cost(piece) * units), tag);
        }
    }
    [[nodiscard]] std::uint32_t towards_goal(Vec2 from, Vec2 a, Vec2 b) const {
        const Vec2 d = goal.at - from;
        const double at_a = cross(d, a - from), at_b = cross(d, b - from);
        double t = 0.5;
        if (at_a != at_b) t = at_a / (at_a - at_b);
        t = t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t;
        return static_cast<std::uint32_t>(t * kSteps + 0.5);
    }
};

}  // namespace fairlead::mesh
