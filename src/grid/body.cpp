#include "grid/body.h"

#include <algorithm>
#include <cmath>

namespace fairlead::grid {

namespace {

// Smallest sum of two odd squares (or 0 and one) that is >= target.
std::int64_t smallest_sum_from(double target) {
    std::int64_t best = INT64_MAX;
    for (std::int64_t i = 0; static_cast<double>(odd_square(i)) < target || i <= 1; ++i) {
        const double rest = target - static_cast<double>(odd_square(i));
        std::int64_t j = 0;
        if (rest > 0) {
            // (2j - 1)^2 >= rest
            j = static_cast<std::int64_t>((std::sqrt(rest) + 1.0) / 2.0);
            while (static_cast<double>(odd_square(j)) < rest) ++j;
            while (j > 0 && static_cast<double>(odd_square(j - 1)) >= rest) --j;
        }
        const std::int64_t sum = odd_square(i) + odd_square(j);
        if (sum > 0 && sum < best) best = sum;
    }
    return best;
}

// Smallest 8 m^2 >= target, m >= 1: radii up to m sqrt 2 pass the corner of a diagonal step.
std::int64_t corner_sum_from(double target) {
    auto m = static_cast<std::int64_t>(std::sqrt(target / 8.0));
    if (m < 1) m = 1;
    while (static_cast<double>(8 * m * m) < target) ++m;
    return 8 * m * m;
}

}  // namespace

std::int64_t truncated(double value) {
    return static_cast<std::int64_t>(value < -9e18 ? -9e18 : (value > 9e18 ? 9e18 : value));
}

Result<void> check_agent(const Agent& agent) {
    if (!std::isfinite(agent.radius)) return Error{ErrorCode::not_finite, Field::agent_radius};
    if (agent.radius < 0.0)
        return Error{ErrorCode::out_of_range, Field::agent_radius, truncated(agent.radius)};
    if (agent.footprint < 0 || agent.footprint > kFootprintMax) {
        return Error{ErrorCode::out_of_range, Field::agent_footprint, agent.footprint};
    }
    return {};
}

bool too_large(const Agent& agent, double cell_size) {
    return agent.footprint == 0 && agent.radius / cell_size > kRadiusCellsMax;
}

double touching_radius(double radius) {
    if (!(radius <= kRadiusCellsMax)) return radius;
    const double tight = 0.5 * std::sqrt(std::floor(4.0 * radius * radius));
    return tight > 0.0 && radius > tight && radius - tight <= kTouchSlack ? tight : radius;
}

BodyKey body_key(const Agent& agent, double cell_size) {
    if (agent.footprint == 1) return kCellBody;
    if (agent.footprint > 1) return -agent.footprint;
    if (agent.radius == 0.0) return kPointBody;
    double radius = touching_radius(agent.radius / cell_size);
    if (radius > kRadiusCellsMax) radius = kRadiusCellsMax;
    // A radius that is meant to touch (0.5 in a corridor of 1) must not fail by a rounding of the division.
    const double four_squared = 4.0 * radius * radius * (1.0 - 1e-12);
    if (four_squared <= 1.0) return kCellBody;
    const std::int64_t sum = smallest_sum_from(four_squared);
    const std::int64_t corner = corner_sum_from(four_squared);
    return corner < sum ? corner : sum;
}

std::int32_t disc_half_width(BodyKey key, std::int32_t dy) {
    if (key == kPointBody) return dy == 0 ? 0 : -1;
    const std::int64_t left = key - odd_square(dy);
    if (left <= 0) return -1;
    // Largest i with (2i - 1)+^2 < left.
    auto i = static_cast<std::int64_t>((std::sqrt(static_cast<double>(left)) + 1.0) / 2.0) + 1;
    while (i > 0 && odd_square(i) >= left) --i;
    return static_cast<std::int32_t>(i);
}

std::int32_t body_reach(BodyKey key) {
    return key < 0 ? static_cast<std::int32_t>(-key / 2) : disc_half_width(key, 0);
}

bool body_rows(BodyKey key, Array<BodyRow>& rows) { return body_rows_on(key, INT32_MAX / 2, rows); }

bool body_rows_on(BodyKey key, std::int32_t longest, Array<BodyRow>& rows) {
    rows.clear();
    if (key < 0) {
        const auto side = static_cast<std::int32_t>(-key);
        const std::int32_t low = -(side / 2);
        for (std::int32_t dy = low; dy < low + side; ++dy) {
            if (!rows.push_back({dy, low, low + side - 1})) return false;
        }
        return true;
    }
    const std::int32_t most = longest + 1;
    const std::int32_t reach = std::min(disc_half_width(key, 0), most);
    for (std::int32_t dy = -reach; dy <= reach; ++dy) {
        const std::int32_t half = std::min(disc_half_width(key, dy), most);
        if (half >= 0 && !rows.push_back({dy, -half, half})) return false;
    }
    return true;
}

std::int32_t diagonal_corner(BodyKey key) {
    if (key <= 8) return 0;
    for (std::int64_t i = 2; 8 * (i - 1) * (i - 1) < key; ++i) {
        if (key <= 8 * (i - 1) * (i - 1) + 2) return static_cast<std::int32_t>(i);
    }
    return 0;
}

}  // namespace fairlead::grid
