#include "grid/dilate.h"

namespace fairlead::grid {

std::uint64_t WallReader::blocked(std::int32_t x, std::int32_t y) const {
    if (wrap_line) y = wrapped(y, shape.lines);
    if (y < 0 || y >= shape.lines) return ~0ULL;
    const std::uint64_t* line = lines.line(y);
    if (!wrap_length) {
        if (x <= -64 || x >= shape.length) return ~0ULL;
        if (x >= 0 || x >= -63) return ~window(line, x);
    }
    std::uint64_t bits = 0;
    std::int32_t filled = 0;
    while (filled < 64) {
        const std::int32_t at = wrapped(x + filled, shape.length);
        std::int32_t take = shape.length - at;
        if (take > 64 - filled) take = 64 - filled;
        bits |= (~window(line, at) & bit_range(0, take)) << filled;
        filled += take;
    }
    return bits;
}

std::uint64_t dilated_word(const WallReader& walls, std::span<const BodyRow> body, std::int32_t line,
                           std::int32_t word) {
    return dilate([&](std::int32_t x, std::int32_t y) { return walls.blocked(x, y); }, body, line, word * 64);
}

}  // namespace fairlead::grid
