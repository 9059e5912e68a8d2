// The integral of terrain cost along a segment, by walking from border to border (Amanatides & Woo, "A fast
// voxel traversal algorithm for ray tracing", 1987). Departures: the place of each border is computed from
// its number instead of being summed up, so that the error does not grow with the length; a border that is
// met at both ends of the segment is walked along, with the cheaper side's cost; at a corner of cells the
// order of the two borders does not matter, since the piece between them has length 0 up to rounding.

#include <cmath>

#include "grid/sight.h"
#include "grid/sight_lines.h"

namespace fairlead::grid {

namespace {

using sight_detail::kSlack;
using sight_detail::larger_of;
using sight_detail::smaller_of;

/// The border that both coordinates are on.
bool on_border(double a, double b, double& border) {
    border = std::floor(a + 0.5);
    const double da = a - border;
    const double db = b - border;
    return da <= kSlack && -da <= kSlack && db <= kSlack && -db <= kSlack;
}

/// INT32_MAX marks a wall, which the centre only touches.
double cost_or_one(std::int32_t cost) { return cost == INT32_MAX ? 1.0 : static_cast<double>(cost); }

/// Integral over x from a to b, a <= b, of cost_of(cell of x).
template <class CostOf>
double integrate(double a, double b, CostOf cost_of) {
    double sum = 0.0;
    double from = a;
    auto x = static_cast<std::int32_t>(std::floor(a));
    while (from < b) {
        const double to = smaller_of(static_cast<double>(x + 1), b);
        sum += (to - from) * cost_of(x);
        from = to;
        ++x;
    }
    return sum;
}

/// Parameter at which the segment leaves cell `cell` on one axis.
struct Leaving {
    double start;
    double per_cell;  ///< 1 / difference; unused where the axis does not move
    std::int32_t step;

    Leaving(double from, double to) : start(from), per_cell(0.0), step(0) {
        if (from == to) return;
        per_cell = 1.0 / (to - from);
        step = from < to ? 1 : -1;
    }
    [[nodiscard]] double of(std::int32_t cell) const {
        if (step == 0) return 2.0;
        return (static_cast<double>(step > 0 ? cell + 1 : cell) - start) * per_cell;
    }
};

}  // namespace

bool Sight::open(std::int32_t x, std::int32_t y) const { return cell_cost(x, y) != INT32_MAX; }

std::int32_t Sight::cell_cost(std::int32_t x, std::int32_t y) const {
    const StateData& state = *world_.state;
    if (state.wrap_x) x = wrapped(x, state.width);
    if (state.wrap_y) y = wrapped(y, state.height);
    if (!state.inside(x, y) || !state.row_lines(state.bodies[0], world_.layer).get(x, y)) return INT32_MAX;
    std::int32_t cost = 1;
    if (world_.costs != nullptr) {
        const std::uint8_t* row = state.tile_row(y, world_.layer);
        cost = world_.costs[row == nullptr ? std::uint8_t{1} : row[x]];
        if (cost == 0) return INT32_MAX;
    }
    if (!world_.influence.empty()) {
        const auto index = (static_cast<std::size_t>(world_.layer) * static_cast<std::size_t>(state.height) +
                            static_cast<std::size_t>(y)) *
                               static_cast<std::size_t>(state.width) +
                           static_cast<std::size_t>(x);
        cost += static_cast<std::int32_t>(world_.influence[index]) * world_.influence_weight;
    }
    return cost;
}

double Sight::cost(Vec2 a, Vec2 b) const {
    const double length = distance(a, b);
    if (uniform_) return length * cost_min_;
    double border = 0.0;
    if (on_border(a.y, b.y, border)) {
        const auto y = static_cast<std::int32_t>(border);
        return integrate(smaller_of(a.x, b.x), larger_of(a.x, b.x), [&](std::int32_t x) {
            const std::int32_t below = cell_cost(x, y - 1);
            const std::int32_t above = cell_cost(x, y);
            return cost_or_one(below < above ? below : above);
        });
    }
    if (on_border(a.x, b.x, border)) {
        const auto x = static_cast<std::int32_t>(border);
        return integrate(smaller_of(a.y, b.y), larger_of(a.y, b.y), [&](std::int32_t y) {
            const std::int32_t left = cell_cost(x - 1, y);
            const std::int32_t right = cell_cost(x, y);
            return cost_or_one(left < right ? left : right);
        });
    }
    const Leaving along_x(a.x, b.x);
    const Leaving along_y(a.y, b.y);
    auto x = static_cast<std::int32_t>(std::floor(a.x));
    auto y = static_cast<std::int32_t>(std::floor(a.y));
    double sum = 0.0;
    double t = 0.0;
    double next_x = along_x.of(x);
    double next_y = along_y.of(y);
    while (t < 1.0) {
        const double next = smaller_of(smaller_of(next_x, next_y), 1.0);
        if (next > t) {
            sum += (next - t) * cost_or_one(cell_cost(x, y));
            t = next;
        }
        if (next_x <= next_y) {
            x += along_x.step;
            next_x = along_x.of(x);
        } else {
            y += along_y.step;
            next_y = along_y.of(y);
        }
    }
    return sum * length;
}

}  // namespace fairlead::grid
