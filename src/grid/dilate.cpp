#include "grid/dilate.h"

namespace fairlead::grid {

namespace {

// OR of the 64-bit windows that start at 0 .. count - 1 of a 128-bit string; 1 <= count <= 65.
std::uint64_t or_windows(std::uint64_t low, std::uint64_t high, std::int32_t count) {
    std::int32_t done = 1;
    while (done < count) {
        const std::int32_t step = done < count - done ? done : count - done;
        const auto s = static_cast<std::uint32_t>(step);
        const std::uint64_t carried = s == 64 ? high : (low >> s) | ((high << 1) << (63U - s));
        low |= carried;
        high |= s == 64 ? 0 : high >> s;
        done += step;
    }
    return low;
}

}  // namespace

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
    constexpr std::int32_t kWindows = 65;
    std::uint64_t blocked = 0;
    for (const BodyRow& row : body) {
        for (std::int32_t low = row.low; low <= row.high; low += kWindows) {
            const std::int32_t left = row.high - low + 1;
            const std::int32_t count = left < kWindows ? left : kWindows;
            const std::int32_t at = word * 64 + low;
            const std::uint64_t near = walls.blocked(at, line + row.dy);
            const std::uint64_t far = count > 1 ? walls.blocked(at + 64, line + row.dy) : 0;
            blocked |= or_windows(near, far, count);
        }
        if (blocked == ~0ULL) break;
    }
    return blocked;
}

}  // namespace fairlead::grid
