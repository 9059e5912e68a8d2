#include "grid/reach.h"

namespace fairlead::grid {

namespace {

// Where scans end: over cells.
struct CellJumps {
    static std::uint64_t up(const std::uint64_t* line, const std::uint64_t* above, const std::uint64_t* below,
                            std::int32_t word) {
        return jump_word_up(line, above, below, word);
    }
    static std::uint64_t down(const std::uint64_t* line, const std::uint64_t* above,
                              const std::uint64_t* below, std::int32_t word) {
        return jump_word_down(line, above, below, word);
    }
};

// Over the half lattice: also where the next point does not fit, but one beside it does that the one beside this one does not.
struct HalfJumps {
    std::ptrdiff_t stops = 0;  // from a line to its stops; 0: there are none

    static std::uint64_t later(const std::uint64_t* line, std::int32_t word) {
        return (line[word] >> 1) | (line[word + 1] << 63);
    }
    static std::uint64_t sooner(const std::uint64_t* line, std::int32_t word) {
        return (line[word] << 1) | (line[word - 1] >> 63);
    }
    [[nodiscard]] std::uint64_t more(const std::uint64_t* line, std::int32_t word) const {
        return stops == 0 ? 0 : line[stops + word];
    }
    [[nodiscard]] std::uint64_t up(const std::uint64_t* line, const std::uint64_t* above,
                                   const std::uint64_t* below, std::int32_t word) const {
        const std::uint64_t beside =
            (later(above, word) & ~above[word]) | (later(below, word) & ~below[word]);
        return jump_word_up(line, above, below, word) | (line[word] & ~later(line, word) & beside) |
               more(line, word);
    }
    [[nodiscard]] std::uint64_t down(const std::uint64_t* line, const std::uint64_t* above,
                                     const std::uint64_t* below, std::int32_t word) const {
        const std::uint64_t beside =
            (sooner(above, word) & ~above[word]) | (sooner(below, word) & ~below[word]);
        return jump_word_down(line, above, below, word) | (line[word] & ~sooner(line, word) & beside) |
               more(line, word);
    }
};

// Reach toward larger positions: from the changed cells down to the first word that stays as it was.
template <class Jumps>
void update_up(const Jumps& ends, std::uint64_t* line, const std::uint64_t* above, const std::uint64_t* below,
               const LineShape& shape, std::int32_t plane_stride, std::int32_t low, std::int32_t high) {
    std::uint64_t* reach = line + kReachUpPlane * plane_stride;
    std::int32_t word = high >> 6;
    if (word > shape.words - 1) word = shape.words - 1;
    std::uint64_t next = reach[word] >> 63;  // of a cell beyond the change: still true
    for (; word >= 0; --word) {
        const std::uint64_t free = line[word];
        const std::uint64_t jumps = ends.up(line, above, below, word);
        const std::uint64_t hit = fill_down(free, jumps | (free & (next << 63)));
        const std::uint64_t value = (hit >> 1) | (next << 63);
        if (value == reach[word] && word * 64 + 63 < low) return;
        reach[word] = value;
        next = hit & 1U;
    }
}

template <class Jumps>
void update_down(const Jumps& ends, std::uint64_t* line, const std::uint64_t* above,
                 const std::uint64_t* below, const LineShape& shape, std::int32_t plane_stride,
                 std::int32_t low, std::int32_t high) {
    std::uint64_t* reach = line + kReachDownPlane * plane_stride;
    std::int32_t word = low > 0 ? (low - 1) >> 6 : 0;
    std::uint64_t next = reach[word] & 1U;
    for (; word < shape.words; ++word) {
        const std::uint64_t free = line[word];
        const std::uint64_t jumps = ends.down(line, above, below, word);
        const std::uint64_t hit = fill_up(free, jumps | (free & next));
        const std::uint64_t value = (hit << 1) | next;
        if (value == reach[word] && word * 64 >= high) return;
        reach[word] = value;
        next = hit >> 63;
    }
}

template <class Jumps>
void update_lines(const Jumps& ends, const MutableLines& lines, const LineShape& shape,
                  const LineRect& changed) {
    const std::int32_t first = changed.line_low > 0 ? changed.line_low - 1 : 0;
    const std::int32_t last = changed.line_high < shape.lines ? changed.line_high : shape.lines - 1;
    for (std::int32_t y = first; y <= last; ++y) {
        std::uint64_t* line = lines.line(y);
        const std::uint64_t* above = lines.line(y + 1);
        const std::uint64_t* below = lines.line(y - 1);
        update_up(ends, line, above, below, shape, lines.plane_stride, changed.low, changed.high);
        update_down(ends, line, above, below, shape, lines.plane_stride, changed.low, changed.high);
    }
}

}  // namespace

void update_reach(const MutableLines& lines, const LineShape& shape, const LineRect& changed) {
    update_lines(CellJumps{}, lines, shape, changed);
}

void update_half_reach(const MutableLines& lines, const LineShape& shape, const LineRect& changed,
                       bool gaps) {
    update_lines(HalfJumps{gaps ? kStopPlane * std::ptrdiff_t{lines.plane_stride} : 0}, lines, shape,
                 changed);
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
