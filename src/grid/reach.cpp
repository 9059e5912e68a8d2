#include "grid/reach.h"

namespace fairlead::grid {

namespace {

// Reach toward larger positions: from the changed cells down to the first word that stays as it was.
void update_up(std::uint64_t* line, const std::uint64_t* above, const std::uint64_t* below,
               const LineShape& shape, std::int32_t plane_stride, std::int32_t low, std::int32_t high) {
    std::uint64_t* reach = line + kReachUpPlane * plane_stride;
    std::int32_t word = high >> 6;
    if (word > shape.words - 1) word = shape.words - 1;
    std::uint64_t next = reach[word] >> 63;  // of a cell beyond the change: still true
    for (; word >= 0; --word) {
        const std::uint64_t free = line[word];
        const std::uint64_t jumps = jump_word_up(line, above, below, word);
        const std::uint64_t hit = fill_down(free, jumps | (free & (next << 63)));
        const std::uint64_t value = (hit >> 1) | (next << 63);
        if (value == reach[word] && word * 64 + 63 < low) return;
        reach[word] = value;
        next = hit & 1U;
    }
}

void update_down(std::uint64_t* line, const std::uint64_t* above, const std::uint64_t* below,
                 const LineShape& shape, std::int32_t plane_stride, std::int32_t low, std::int32_t high) {
    std::uint64_t* reach = line + kReachDownPlane * plane_stride;
    std::int32_t word = low > 0 ? (low - 1) >> 6 : 0;
    std::uint64_t next = reach[word] & 1U;
    for (; word < shape.words; ++word) {
        const std::uint64_t free = line[word];
        const std::uint64_t jumps = jump_word_down(line, above, below, word);
        const std::uint64_t hit = fill_up(free, jumps | (free & next));
        const std::uint64_t value = (hit << 1) | next;
        if (value == reach[word] && word * 64 >= high) return;
        reach[word] = value;
        next = hit >> 63;
    }
}

}  // namespace

void update_reach(const MutableLines& lines, const LineShape& shape, const LineRect& changed) {
    const std::int32_t first = changed.line_low > 0 ? changed.line_low - 1 : 0;
    const std::int32_t last = changed.line_high < shape.lines ? changed.line_high : shape.lines - 1;
    for (std::int32_t y = first; y <= last; ++y) {
        std::uint64_t* line = lines.line(y);
        const std::uint64_t* above = lines.line(y + 1);
        const std::uint64_t* below = lines.line(y - 1);
        update_up(line, above, below, shape, lines.plane_stride, changed.low, changed.high);
        update_down(line, above, below, shape, lines.plane_stride, changed.low, changed.high);
    }
}

std::int64_t count_jump_points(const Lines& lines, const LineShape& shape, const LineRect& rect) {
    const LineRect r = rect.clipped(shape);
    std::int64_t count = 0;
    if (r.empty()) return 0;
    for (std::int32_t y = r.line_low; y < r.line_high; ++y) {
        const std::uint64_t* line = lines.line(y);
        const std::uint64_t* above = lines.line(y + 1);
        const std::uint64_t* below = lines.line(y - 1);
        for (std::int32_t word = r.low >> 6; word <= (r.high - 1) >> 6; ++word) {
            count += std::popcount(jump_word_up(line, above, below, word));
            count += std::popcount(jump_word_down(line, above, below, word));
        }
    }
    return count;
}

}  // namespace fairlead::grid
