// Looking up heights: interpolation between the middles of the four cells about a place, those of one floor.

#include <fairlead/mesh/height_field.h>

#include "mesh/data/height_block.h"

namespace fairlead {

namespace {

constexpr double kSpan = 1e9;  // farther than this from the tile there is nothing

std::int32_t block_of(double cell) {
    const auto cut = static_cast<std::int32_t>(cell / kHeightBlock);
    return cut - (static_cast<double>(cut) * kHeightBlock > cell ? 1 : 0);
}

const HeightBlock* find_block(const HeightField& f, const HeightLayer& layer, std::int32_t x,
                              std::int32_t y) {
    const std::int64_t row = std::int64_t{y} - layer.y;
    if (row < 0 || row >= layer.count) return nullptr;
    const HeightRow& r = f.rows[static_cast<std::size_t>(layer.first + row)];
    const std::int64_t column = std::int64_t{x} - r.x;
    if (column < 0 || column >= r.count) return nullptr;
    const HeightBlock& block = f.blocks[static_cast<std::size_t>(r.first + column)];
    return block.fraction == kNoHeights ? nullptr : &block;
}

double clamp_to(double value, double low, double high) {
    return value < low ? low : (value > high ? high : value);
}

/// The four cells about a place, counter-clockwise from the low corner: (0, 0), (1, 0), (1, 1), (0, 1).
struct Four {
    double z[4] = {};
    bool there[4] = {};
};

/// Leaves those of the floor of cell `own`: joined to it by steps of at most `step`, round the four.
void keep_floor(Four& four, unsigned own, double step) {
    const auto joined = [&](unsigned a, unsigned b) {
        const double off = four.z[a] - four.z[b];
        return four.there[b] && off <= step && -off <= step;
    };
    const unsigned left = (own + 1) % 4, right = (own + 3) % 4, across = (own + 2) % 4;
    bool to_left = joined(own, left), to_right = joined(own, right);
    const bool over = (to_left && joined(left, across)) || (to_right && joined(right, across));
    to_left = to_left || (over && joined(across, left));
    to_right = to_right || (over && joined(across, right));
    four.there[left] = to_left;
    four.there[right] = to_right;
    four.there[across] = over;
}

/// Says what the others would be.
void complete(Four& four, unsigned own) {
    const unsigned left = (own + 1) % 4, right = (own + 3) % 4, across = (own + 2) % 4;
    const double z = four.z[own];
    if (!four.there[across]) {
        const double by_left = four.there[left] ? four.z[left] - z : 0.0;
        const double by_right = four.there[right] ? four.z[right] - z : 0.0;
        four.z[across] = z + by_left + by_right;
    }
    if (!four.there[left])
        four.z[left] = four.there[across] && four.there[right] ? z + (four.z[across] - four.z[right]) : z;
    if (!four.there[right])
        four.z[right] = four.there[across] && four.there[left] ? z + (four.z[across] - four.z[left]) : z;
}

/// `u` from left to right, `v` from below to above, 0 to 1.
double between(const Four& four, double u, double v) {
    const double below = four.z[0] + (four.z[1] - four.z[0]) * u;
    const double above = four.z[3] + (four.z[2] - four.z[3]) * u;
    return below + (above - below) * v;
}

/// A place among the middles of cells: the cell whose middle is at its left and below, and the shares of the way to the next.
struct Between {
    std::int32_t i, j;
    double u, v;

    Between(double x, double y) : i(whole(x - 0.5)), j(whole(y - 0.5)), u(x - 0.5 - i), v(y - 0.5 - j) {}
    static std::int32_t whole(double value) {
        const auto cut = static_cast<std::int32_t>(value);
        return cut - (static_cast<double>(cut) > value ? 1 : 0);
    }
    /// In Four.
    [[nodiscard]] unsigned own() const { return v < 0.5 ? (u < 0.5 ? 0U : 1U) : (u < 0.5 ? 3U : 2U); }
};

constexpr std::int32_t kCornerX[4] = {0, 1, 1, 0};
constexpr std::int32_t kCornerY[4] = {0, 0, 1, 1};

/// All four in one block, (x, y) from its corner.
double read_inside(const HeightField& f, const HeightBlock& block, double x, double y, double step) {
    if (block.bits == 0) return mesh::plane_height(block, x, y);
    const Between at(x, y);
    Four four;
    for (unsigned k = 0; k < 4; ++k) {
        four.z[k] = mesh::number_height(block, f.words, static_cast<std::uint32_t>(at.i + kCornerX[k]),
                                        static_cast<std::uint32_t>(at.j + kCornerY[k]));
        four.there[k] = true;
    }
    keep_floor(four, at.own(), step);
    complete(four, at.own());
    return between(four, at.u, at.v);
}

/// The four in several blocks.
double read_over(const HeightField& f, const HeightLayer& layer, double x, double y, double step) {
    const Between at(x, y);
    Four four;
    for (unsigned k = 0; k < 4; ++k) {
        const std::int32_t i = at.i + kCornerX[k], j = at.j + kCornerY[k];
        const std::int32_t bx = i >> 3, by = j >> 3;
        const HeightBlock* const block = find_block(f, layer, bx, by);
        if (block == nullptr) continue;
        four.there[k] = true;
        four.z[k] = mesh::cell_height(*block, f.words, static_cast<std::uint32_t>(i - bx * kHeightBlock),
                                      static_cast<std::uint32_t>(j - by * kHeightBlock));
    }
    keep_floor(four, at.own(), step);
    complete(four, at.own());
    return between(four, at.u, at.v);
}

}  // namespace

std::optional<double> HeightField::at(std::uint32_t layer, double x, double y, double step) const {
    if (layer >= layers.size() || !(x > -kSpan && x < kSpan && y > -kSpan && y < kSpan)) return std::nullopt;
    constexpr double kLast = kHeightBlock - 0.5;
    const std::int32_t bx = block_of(x);
    const std::int32_t by = block_of(y);
    const double px = x - bx * kHeightBlock, py = y - by * kHeightBlock;
    if (const HeightBlock* const block = find_block(*this, layers[layer], bx, by)) {
        if (px >= 0.5 && px < kLast && py >= 0.5 && py < kLast)
            return read_inside(*this, *block, px, py, step);
        return read_over(*this, layers[layer], x, y, step);
    }
    // Those beside it, then those over the corners: the place in one of them that is nearest.
    constexpr int kNearX[8] = {1, 0, -1, 0, 1, -1, -1, 1};
    constexpr int kNearY[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    constexpr double kInside = kHeightBlock - 0.5 - 0x1p-20;
    for (int k = 0; k < 8; ++k) {
        const HeightBlock* const block = find_block(*this, layers[layer], bx + kNearX[k], by + kNearY[k]);
        if (block == nullptr) continue;
        return read_inside(*this, *block, clamp_to(px - kNearX[k] * kHeightBlock, 0.5, kInside),
                           clamp_to(py - kNearY[k] * kHeightBlock, 0.5, kInside), step);
    }
    return std::nullopt;
}

Result<void> check_heights(const HeightField& f) {
    const auto bad = [](std::int64_t kind, std::size_t which) {
        return Error{ErrorCode::baked_value, kind, static_cast<std::int64_t>(which)};
    };
    for (std::size_t i = 0; i < f.layers.size(); ++i) {
        const HeightLayer& layer = f.layers[i];
        if (layer.first > f.rows.size() || layer.count > f.rows.size() - layer.first) return bad(0, i);
    }
    for (std::size_t i = 0; i < f.rows.size(); ++i) {
        const HeightRow& row = f.rows[i];
        if (row.first > f.blocks.size() || row.count > f.blocks.size() - row.first) return bad(1, i);
    }
    for (std::size_t i = 0; i < f.blocks.size(); ++i) {
        const HeightBlock& block = f.blocks[i];
        const std::uint32_t bits = block.bits;
        if (block.fraction > kHeightDigitsMax || bits > 32 || (bits & (bits - 1)) != 0) return bad(2, i);
        const std::size_t words = std::size_t{bits} * kHeightBlock * kHeightBlock / 32;
        if (bits != 0 && (block.first > f.words.size() || words > f.words.size() - block.first))
            return bad(2, i);
    }
    return {};
}

}  // namespace fairlead
