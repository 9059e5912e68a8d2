#include "drive/ground/ground_parts.h"

#include <algorithm>
#include <bit>

namespace fairlead::drive {

namespace {

std::uint32_t root_of(Array<GroundRun>& runs, std::uint32_t run) {
    while (runs[run].part != run) {
        runs[run].part = runs[runs[run].part].part;
        run = runs[run].part;
    }
    return run;
}

// The first run of a part stands for it.
void join(Array<GroundRun>& runs, std::uint32_t a, std::uint32_t b) {
    a = root_of(runs, a);
    b = root_of(runs, b);
    runs[std::max(a, b)].part = std::min(a, b);
}

// From bit x on, the next column whose bit is `wanted`, or the width.
std::int32_t next_bit(const std::uint64_t* row, std::int32_t x, std::int32_t width, bool wanted) {
    while (x < width) {
        const std::uint64_t word = wanted ? row[x >> 6] : ~row[x >> 6];
        const std::uint64_t rest = word >> (x & 63);
        if (rest != 0) return std::min(width, x + std::countr_zero(rest));
        x = (x | 63) + 1;
    }
    return width;
}

[[nodiscard]] bool add_row(const GroundBits& free, std::int32_t y, Array<GroundRun>& runs) {
    const std::uint64_t* row = free.words + static_cast<std::size_t>(y) * free.stride;
    for (std::int32_t x = next_bit(row, 0, free.width, true); x < free.width;) {
        const std::int32_t end = next_bit(row, x, free.width, false);
        const auto part = static_cast<std::uint32_t>(runs.size());
        if (!runs.push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(end), part}))
            return false;
        x = next_bit(row, end, free.width, true);
    }
    return true;
}

}  // namespace

bool find_ground_parts(const GroundBits& free, GroundCorner corner, Array<GroundRun>& runs,
                       Array<std::uint32_t>& first) {
    // Through an open corner runs touch that only meet at their ends.
    const std::int32_t beyond = corner == GroundCorner::open ? 1 : 0;
    runs.clear();
    first.clear();
    std::uint32_t below = 0;
    for (std::int32_t y = 0; y < free.height; ++y) {
        const auto here = static_cast<std::uint32_t>(runs.size());
        if (!first.push_back(here) || !add_row(free, y, runs)) return false;
        for (std::uint32_t run = here, under = below; run < runs.size() && under < here;) {
            if (runs[run].left < runs[under].right + beyond && runs[under].left < runs[run].right + beyond)
                join(runs, run, under);
            ++(runs[run].right < runs[under].right ? run : under);
        }
        below = here;
    }
    if (!first.push_back(static_cast<std::uint32_t>(runs.size()))) return false;
    for (std::uint32_t run = 0; run < runs.size(); ++run) runs[run].part = root_of(runs, run);
    return true;
}

std::uint32_t ground_part(const Array<GroundRun>& runs, const Array<std::uint32_t>& first, std::int32_t x,
                          std::int32_t y) {
    const auto row = static_cast<std::size_t>(y);
    const GroundRun* begin = runs.data() + first[row];
    const GroundRun* end = runs.data() + first[row + 1];
    const GroundRun* run =
        std::upper_bound(begin, end, x, [](std::int32_t at, const GroundRun& r) { return at < r.left; });
    if (run == begin || x >= run[-1].right) return kNoPart;
    return run[-1].part;
}

}  // namespace fairlead::drive
