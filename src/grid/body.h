// Body: the cells that a unit covers when its centre stands on a cell, as offsets from that cell.
//
// A disc of radius r at the centre of cell (0, 0) overlaps the open square (i, j) iff
//     (2|i| - 1)+^2 + (2|j| - 1)+^2  <  4 r^2            (all lengths in cells, a+ = max(a, 0))
// The left side is a sum of two squares from {0, 1, 9, 25, ...}, so only finitely many radii differ: two radii
// between the same neighbouring sums cover the same cells and share one *body key*, the smallest sum that is
// not below 4 r^2. Key 1 (0 < r <= 1/2) covers only its own cell. A diagonal step adds 8, 32, 72, ... (8 m^2) to the
// sums: radii up to m sqrt 2 pass the corner that diagonal_corner tells of.
//
// An n x n footprint covers n x n cells; for even n its centre is the low corner of the cell. Its key is -n.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/route/agent.h>

namespace fairlead::grid {

/// 0 for a point; a disc's sum of squares or 8 m^2 (> 0); minus a footprint's side (< 0). Footprint 1 has key 1: both cover
/// just their own cell, as a point does, but may not pass through the corner between two walls.
using BodyKey = std::int64_t;

inline constexpr BodyKey kPointBody = 0;
inline constexpr BodyKey kCellBody = 1;

/// (2|i| - 1)+^2: four times the square of the least distance, along one axis, from a cell to the cell i further on.
[[nodiscard]] constexpr std::int64_t odd_square(std::int64_t i) {
    const std::int64_t a = i < 0 ? -i : i;
    return a == 0 ? 0 : (2 * a - 1) * (2 * a - 1);
}

/// The cells low..high (inclusive) of row dy that the body covers.
struct BodyRow {
    std::int32_t dy = 0;
    std::int32_t low = 0;
    std::int32_t high = 0;
};

/// Largest body: a disc of radius 4096 cells. Larger ones fit no map worth the name; see check_agent.
inline constexpr double kRadiusCellsMax = 4096.0;
inline constexpr std::int32_t kFootprintMax = 64;

/// For Error::detail: the value, truncated. Not for NaN.
[[nodiscard]] std::int64_t truncated(double value);

/// not_finite or out_of_range (index 0 radius, 1 footprint; detail the value) for a bad agent; a radius above kRadiusCellsMax
/// cells is not an error, it just fits nowhere (body_key then gives the key of the largest radius).
[[nodiscard]] Result<void> check_agent(const Agent& agent);

/// Is the disc above kRadiusCellsMax? It fits nowhere, not even on a map without walls and edges.
[[nodiscard]] bool too_large(const Agent& agent, double cell_size);

/// By how much, in cells, the planners' discs and points may overlap what they touch: half of the contact slack (math/contact.h) of the
/// smallest map, on maps of every size.
inline constexpr double kTouchSlack = 0.5e-9;

/// The radius, in cells, that planners count with. What just fits between two tiles has a radius of half the root of a whole number;
/// one that is wider than that by no more than kTouchSlack touches, and counts as that. So steps, the half lattice and sight
/// all say the same of it.
[[nodiscard]] double touching_radius(double radius);

/// The agent must have passed check_agent. cell_size > 0.
[[nodiscard]] BodyKey body_key(const Agent& agent, double cell_size);

/// Half-width of a disc body in row dy: the largest |i| covered, or -1 if none is.
[[nodiscard]] std::int32_t disc_half_width(BodyKey key, std::int32_t dy);

/// Largest |offset| of any covered cell, on either side.
[[nodiscard]] std::int32_t body_reach(BodyKey key);

/// All rows of the body, from the lowest dy up. Works for both orientations: bodies are symmetric in x and y.
[[nodiscard]] bool body_rows(BodyKey key, Array<BodyRow>& rows);

/// The rows of the body on a map whose longer side is `longest`: around a wrapped axis a body meets itself, and past the edge
/// all is blocked, so that nothing more than a lap to either side matters.
[[nodiscard]] bool body_rows_on(BodyKey key, std::int32_t longest, Array<BodyRow>& rows);

/// Does a diagonal step of this disc have to keep the cells (i, 1-i) and (1-i, i) of its corner free beyond
/// what standing at both ends asks? That is so when 8 (i-1)^2 < key <= 8 (i-1)^2 + 2; returns that i >= 2, or 0.
/// (i = 1 are the two cells that the step squeezes between; the corner rule covers them.)
[[nodiscard]] std::int32_t diagonal_corner(BodyKey key);

}  // namespace fairlead::grid
