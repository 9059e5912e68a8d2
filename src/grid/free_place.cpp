// Rings around the point of the lattice that is nearest to where one looks from: ring k is at least k - 1/2 steps away.
#include "grid/free_place.h"

#include <algorithm>
#include <cmath>

#include "grid/image.h"

namespace fairlead::grid {

namespace {

/// Cells: from farther away nothing is near.
constexpr double kFarthest = 1e9;

std::int32_t on_map(std::int32_t i, std::int32_t lap) { return lap == 0 ? i : ((i % lap) + lap) % lap; }

}  // namespace

FreePlace::Span FreePlace::span_around(double at, std::int32_t cells, bool wraps) const {
    const bool half = cells_->half;
    const std::int32_t lap = half ? 2 * cells : cells;
    const std::int32_t last = half && !wraps ? lap : lap - 1;
    const double nearest = std::floor((at - offset_) / step_ + 0.5);
    const double most =
        wraps ? lap : last;  // a place just before a seam is nearest to a point just behind it
    const auto centre = static_cast<std::int32_t>(std::clamp(nearest, wraps ? -1.0 : 0.0, most));
    if (wraps) return {centre, centre - lap / 2, centre + lap / 2, lap};
    return {centre, 0, last, 0};
}

void FreePlace::begin(const CellQuery& cells, Vec2 from, std::int32_t layer, double reach, AcceptPlace accept,
                      void* user) {
    const StateData& state = *cells.state;
    *this = {};
    cells_ = &cells;
    layer_ = layer;
    square_max_ = reach * reach;
    accept_ = accept;
    user_ = user;
    const bool half = cells.half;
    step_ = half ? 0.5 : 1.0;
    offset_ = half ? 0.0 : cells.stand_offset;
    const bool far = std::fabs(from.x) > kFarthest || std::fabs(from.y) > kFarthest;
    if (far || cells.radius > kRadiusCellsMax || layer < 0 || layer >= state.layers) return;
    from_ = first_image(state, from);
    along_x_ = span_around(from_.x, state.width, state.wrap_x);
    along_y_ = span_around(from_.y, state.height, state.wrap_y);
    const auto farthest = [](const Span& s) { return std::max(s.centre - s.low, s.high - s.centre); };
    ring_last_ = std::max(farthest(along_x_), farthest(along_y_));
    const Vec2 on_map{std::clamp(from_.x, 0.0, static_cast<double>(state.width)),
                      std::clamp(from_.y, 0.0, static_cast<double>(state.height))};
    running_ = dot(from_ - on_map, from_ - on_map) <= square_max_;
}

bool FreePlace::has_room(Vec2 place) const {
    const CellQuery& cells = *cells_;
    if (!cells.half) {
        const auto x = static_cast<std::int32_t>(place.x);
        const auto y = static_cast<std::int32_t>(place.y);
        return cells.stands(x, y, layer_) && !cells.meets_blocker(place, place, layer_);
    }
    // A wall under its middle is seen without a sweep.
    const StateData& state = *cells.state;
    const std::int32_t x = std::min(static_cast<std::int32_t>(place.x), state.width - 1);
    const std::int32_t y = std::min(static_cast<std::int32_t>(place.y), state.height - 1);
    if (!state.row_lines(state.bodies[0], layer_).get(x, y)) return false;
    return can_sweep(cells.sight(layer_), place, place);
}

// Point (i, j) of the lattice, in any lap.
void FreePlace::look(std::int32_t i, std::int32_t j) {
    const Vec2 there{offset_ + step_ * i, offset_ + step_ * j};
    const double square = dot(there - from_, there - from_);
    if (square > square_max_ || (found_ && square > best_square_)) return;
    i = on_map(i, along_x_.lap);
    j = on_map(j, along_y_.lap);
    const Vec2 place{offset_ + step_ * i, offset_ + step_ * j};
    const bool later = place.y != best_.y ? place.y > best_.y : place.x >= best_.x;
    if (found_ && square == best_square_ && later) return;
    if (!has_room(place) || (accept_ != nullptr && !accept_(user_, place, layer_))) return;
    found_ = true;
    best_ = place;
    best_square_ = square;
}

void FreePlace::look_ring(std::int32_t k) {
    const Span& x = along_x_;
    const Span& y = along_y_;
    const std::int32_t left = x.centre - k;
    const std::int32_t right = x.centre + k;
    for (const std::int32_t j : {y.centre - k, y.centre + k}) {
        if (j < y.low || j > y.high) continue;
        for (std::int32_t i = std::max(left, x.low); i <= std::min(right, x.high); ++i) look(i, j);
        if (k == 0) return;
    }
    for (const std::int32_t i : {left, right}) {
        if (i < x.low || i > x.high) continue;
        for (std::int32_t j = std::max(y.centre - k + 1, y.low); j <= std::min(y.centre + k - 1, y.high); ++j)
            look(i, j);
    }
}

FreePlace::Progress FreePlace::step(std::uint64_t& budget) {
    while (running_ && budget > 0) {
        const std::int32_t k = ring_;
        const double least = k == 0 ? 0.0 : (k - 0.5) * step_;
        const double most = found_ ? best_square_ : square_max_;
        // Rounding of `least` must not end the walk too early.
        if (k > ring_last_ || least * least * (1.0 - 1e-12) > most) {
            running_ = false;
            break;
        }
        look_ring(k);
        ++ring_;
        budget -= std::min<std::uint64_t>(budget, 1U + static_cast<std::uint64_t>(k) / 2);
    }
    if (running_) return Progress::running;
    return found_ ? Progress::found : Progress::none;
}

FreePlace::Progress FreePlace::run() {
    std::uint64_t budget = UINT64_MAX;
    return step(budget);
}

}  // namespace fairlead::grid
