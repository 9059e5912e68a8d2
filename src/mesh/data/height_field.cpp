// Looking up heights.

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
    return block.empty != 0 ? nullptr : &block;
}

double clamp_to(double value, double low, double high) {
    return value < low ? low : (value > high ? high : value);
}

double read(const HeightField& f, const HeightBlock& block, double x, double y) {
    if (block.bits == 0) {
        return block.base + (block.offset + block.slope_x * x + block.slope_y * y) * (1.0 / 256.0);
    }
    constexpr double kLast = kHeightBlock - 1;
    const auto i = static_cast<std::uint32_t>(clamp_to(x, 0.0, kLast));
    const auto j = static_cast<std::uint32_t>(clamp_to(y, 0.0, kLast));
    return mesh::cell_height(block, f.words, i, j);
}

}  // namespace

std::optional<double> HeightField::at(std::uint32_t layer, double x, double y) const {
    if (layer >= layers.size() || !(x > -kSpan && x < kSpan && y > -kSpan && y < kSpan)) return std::nullopt;
    const std::int32_t bx = block_of(x);
    const std::int32_t by = block_of(y);
    // The block itself, then those beside it, then those over the corners.
    constexpr int kNearX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    constexpr int kNearY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    for (int k = 0; k < 9; ++k) {
        const HeightBlock* block = find_block(*this, layers[layer], bx + kNearX[k], by + kNearY[k]);
        if (block == nullptr) continue;
        return read(*this, *block, x - (bx + kNearX[k]) * kHeightBlock, y - (by + kNearY[k]) * kHeightBlock);
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
        if (block.empty > 1 || bits > 32 || (bits & (bits - 1)) != 0) return bad(2, i);
        const std::size_t words = std::size_t{bits} * kHeightBlock * kHeightBlock / 32;
        if (bits != 0 && (block.first > f.words.size() || words > f.words.size() - block.first))
            return bad(2, i);
    }
    return {};
}

}  // namespace fairlead
