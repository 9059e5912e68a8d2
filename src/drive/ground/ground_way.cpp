// Jumps over the ground. On a straight line a way may turn past the end of a wall beside it: where the cell beside is blocked and the
// next ones, beside and ahead, are free (a diagonal step needs one of the two cells beside it free).
#include "drive/ground/ground_way.h"

#include <algorithm>
#include <cstdlib>

namespace fairlead::drive {

namespace {

constexpr std::int32_t kNoJump = -1;

// Three lines of a plane: the one that is scanned and those on both sides.
struct Lines {
    const std::uint64_t* here;
    const std::uint64_t* low;
    const std::uint64_t* high;

    Lines(const GroundBits& bits, std::int32_t line) {
        const auto stride = static_cast<std::ptrdiff_t>(bits.stride);
        here = bits.words + line * stride;
        low = here - stride;
        high = here + stride;
    }
};

// Bits i: bit i + 1 of the line.
std::uint64_t next_bits(const std::uint64_t* line, std::int32_t w) {
    return (line[w] >> 1) | (line[w + 1] << 63);
}
// Bits i: bit i - 1.
std::uint64_t last_bits(const std::uint64_t* line, std::int32_t w) {
    return (line[w] << 1) | (line[w - 1] >> 63);
}

// The first place beyond `from` where a way along a line may turn, or `goal` if it comes first.
std::int32_t scan_up(const GroundBits& bits, std::int32_t line, std::int32_t from, std::int32_t goal) {
    const Lines at(bits, line);
    std::int32_t w = (from + 1) >> 6;
    std::uint64_t mask = ~std::uint64_t{0} << ((from + 1) & 63);
    for (;; ++w, mask = ~std::uint64_t{0}) {
        std::uint64_t turns = 0;
        if (at.here[w] != 0) {  // not the border: nothing is beyond it
            turns = next_bits(at.here, w) &
                    ((~at.low[w] & next_bits(at.low, w)) | (~at.high[w] & next_bits(at.high, w)));
        }
        const std::uint64_t stops = (turns | ~at.here[w]) & mask;
        if (stops == 0) continue;
        const std::int32_t bit = std::countr_zero(stops);
        const std::int32_t stop = w * 64 + bit;
        const bool blocked = ((at.here[w] >> bit) & 1U) == 0;
        if (goal > from && goal < stop + (blocked ? 0 : 1)) return goal;
        return blocked ? kNoJump : stop;
    }
}

std::int32_t scan_down(const GroundBits& bits, std::int32_t line, std::int32_t from, std::int32_t goal) {
    const Lines at(bits, line);
    std::int32_t w = (from - 1) >> 6;
    std::uint64_t mask = ~std::uint64_t{0} >> (63 - ((from - 1) & 63));
    for (;; --w, mask = ~std::uint64_t{0}) {
        const std::uint64_t here = at.here[w];
        std::uint64_t turns = 0;
        if (here != 0) {
            turns = last_bits(at.here, w) &
                    ((~at.low[w] & last_bits(at.low, w)) | (~at.high[w] & last_bits(at.high, w)));
        }
        const std::uint64_t stops = (turns | ~here) & mask;
        if (stops == 0) continue;
        const std::int32_t bit = 63 - std::countl_zero(stops);
        const std::int32_t stop = w * 64 + bit;
        const bool blocked = ((here >> bit) & 1U) == 0;
        if (goal >= 0 && goal < from && goal > stop - (blocked ? 0 : 1)) return goal;
        return blocked ? kNoJump : stop;
    }
}

}  // namespace

Cost JumpSpace::heuristic(std::uint32_t at) const {
    const GroundCell from = cell(at);
    const auto a = static_cast<std::uint32_t>(std::abs(from.x - to_.x));
    const auto b = static_cast<std::uint32_t>(std::abs(from.y - to_.y));
    const std::uint32_t low = std::min(a, b);
    return ((std::max(a, b) - low) * kGroundStraight + low * kGroundDiagonal) * kUnit;
}

std::int32_t JumpSpace::jump_straight(GroundCell& at, std::uint32_t d) const {
    const bool level = (d & 2U) == 0;
    const GroundBits& bits = level ? plane_.rows : plane_.columns;
    const std::int32_t line = level ? at.y : at.x;
    const std::int32_t from = level ? at.x : at.y;
    const bool in_line = line == (level ? to_.y : to_.x);
    const std::int32_t goal = in_line ? (level ? to_.x : to_.y) : kNoJump;
    const std::int32_t to = d < 4 ? scan_up(bits, line, from, goal) : scan_down(bits, line, from, goal);
    if (to == kNoJump) return 0;
    (level ? at.x : at.y) = to;
    return std::abs(to - from);
}

std::int32_t JumpSpace::jump_aslant(GroundCell& at, std::uint32_t d) const {
    const std::uint32_t left = (d + 1) & 7U;
    const std::uint32_t right = d - 1;
    const std::uint32_t plain = (1U << d) | (1U << left) | (1U << right);
    for (std::int32_t count = 1;; ++count) {
        at.x += kGroundX[d];
        at.y += kGroundY[d];
        if (at == to_) return count;
        const std::uint32_t turns = ground_turns(d, plane_.rows.ring(at.x, at.y), GroundCorner::closed);
        if ((turns & ~plain) != 0) return count;
        for (const std::uint32_t side : {left, right}) {
            GroundCell there = at;
            if (((turns >> side) & 1U) != 0 && jump_straight(there, side) > 0) return count;
        }
        if (((turns >> d) & 1U) == 0) return 0;
    }
}

bool nearest_on_plane(const GroundBits& plane, const GroundBits& free, GroundCell from, std::int32_t reach,
                      GroundCell& out) {
    constexpr std::int32_t kSide = 33;
    bool seen[kSide * kSide] = {};
    GroundCell queue[kSide * kSide];
    std::int32_t last = 0;
    const auto add = [&](GroundCell at) {
        const std::int32_t dx = at.x - from.x;
        const std::int32_t dy = at.y - from.y;
        if (std::abs(dx) > reach || std::abs(dy) > reach) return;
        bool& met = seen[(dy + kSide / 2) * kSide + dx + kSide / 2];
        if (!met) queue[last++] = at;
        met = true;
    };
    add(from);
    for (std::int32_t first = 0; first < last; ++first) {
        const GroundCell at = queue[first];
        if (plane.free(at.x, at.y)) {
            out = at;
            return true;
        }
        std::uint32_t steps = ground_steps(free.ring(at.x, at.y), GroundCorner::closed);
        for (; steps != 0; steps &= steps - 1) {
            const int d = std::countr_zero(steps);
            add({at.x + kGroundX[d], at.y + kGroundY[d]});
        }
    }
    return false;
}

void GroundWay::begin(const GroundPlane& plane, GroundCell to) {
    space_ = JumpSpace(plane, sources_.span(), to);
    found_ = failed_ = false;
    turns_.clear();
    engine_ = Engine(space_, open_, nodes_);
    engine_.begin();
}

bool GroundWay::step() {
    constexpr std::uint64_t kJumps = 8;
    switch (engine_.step(kJumps)) {
        case SearchProgress::running: return true;
        case SearchProgress::exhausted: return false;
        case SearchProgress::no_memory: failed_ = true; return false;
        case SearchProgress::found: break;
    }
    found_ = true;
    distance_ = static_cast<std::uint32_t>(engine_.goal_cost() / JumpSpace::kUnit);
    failed_ = !list_turns();
    return false;
}

bool GroundWay::list_turns() {
    for (std::uint32_t node = engine_.goal_node(); node != kNoNode; node = nodes_[node].parent) {
        if (!turns_.push_back(JumpSpace::cell(nodes_.state_of(node)))) return false;
    }
    std::reverse(turns_.begin(), turns_.end());
    return true;
}

}  // namespace fairlead::drive
