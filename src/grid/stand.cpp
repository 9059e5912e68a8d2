#include "grid/stand.h"

#include "grid/clearance.h"

namespace fairlead::grid {

namespace {

// Does any wall lie under row dy of the body?
bool row_blocked(const WallReader& walls, std::int32_t x, std::int32_t y, std::int32_t low,
                 std::int32_t high) {
    for (; low <= high; low += 64) {
        const std::int32_t count = high - low + 1;
        if ((walls.blocked(x + low, y) & bit_range(0, count < 64 ? count : 64)) != 0) return true;
    }
    return false;
}

bool fits_on_demand(const StateData& state, BodyKey key, std::int32_t x, std::int32_t y, std::int32_t layer) {
    const WallReader walls{state.row_lines(state.bodies[0], layer), state.rows, state.wrap_y, state.wrap_x};
    if (key < 0) {
        const auto side = static_cast<std::int32_t>(-key);
        const std::int32_t low = -(side / 2);
        for (std::int32_t dy = low; dy < low + side; ++dy) {
            if (row_blocked(walls, x, y + dy, low, low + side - 1)) return false;
        }
        return true;
    }
    // Around a wrapped axis the body meets itself: one lap is enough, and a row is widest where it is nearest.
    const std::int32_t rows = state.wrap_y ? state.height / 2 : INT32_MAX;
    const std::int32_t most = state.wrap_x ? state.width / 2 : INT32_MAX;
    for (std::int32_t dy = 0;; ++dy) {
        const std::int32_t width = disc_half_width(key, dy);
        const std::int32_t half = width < most ? width : most;
        if (half < 0 || dy > rows) return true;
        if (row_blocked(walls, x, y + dy, -half, half)) return false;
        if (dy != 0 && row_blocked(walls, x, y - dy, -half, half)) return false;
    }
}

}  // namespace

bool body_fits(const StateData& state, BodyKey key, std::int32_t x, std::int32_t y, std::int32_t layer) {
    if (const Body* body = lines_body(state, key)) return state.row_lines(*body, layer).get(x, y);
    const std::int32_t least = key > 0 ? clearance_class_for(key) : 0;
    if (least != 0) return clearance_class(state.clearance_lines(layer), x, y) >= least;
    return fits_on_demand(state, key, x, y, layer);
}

const Body* lines_body(const StateData& state, BodyKey key) {
    const Body* body = state.find_body(key);
    return body == nullptr && key == kCellBody ? &state.bodies[0] : body;
}

const Body* connectivity_body(const StateData& state, BodyKey key) {
    const Body* body = state.find_body(key);
    // A body of one cell moves as a point does, but for corners between two walls.
    return body == nullptr && key == kCellBody && state.corner != CornerRule::always ? &state.bodies[0]
                                                                                     : body;
}

const Body* contained_body(const StateData& state, BodyKey key) {
    const Body* exact = connectivity_body(state, key);
    if (exact != nullptr) return exact;
    // Of discs with one centre the smaller one is inside; a footprint covers at least the cell that it stands at.
    const Body* best = &state.bodies[0];
    for (std::int32_t i = 1; i < state.body_count && key > 0; ++i) {
        const Body& body = state.bodies[i];
        if (body.key > best->key && body.key < key) best = &body;
    }
    return best;
}

}  // namespace fairlead::grid
