#include "grid/moves.h"

namespace fairlead::grid {

namespace {

struct Local {
    std::int32_t x;
    std::int32_t y;
};

bool free_at(std::uint32_t around, Local c) {
    return c.x >= -1 && c.x <= 1 && c.y >= -1 && c.y <= 1 &&
           ((around >> (3 * (c.y + 1) + c.x + 1)) & 1U) != 0;
}

// May a step be made from a to b, both within the 3 x 3, judged by what the 3 x 3 shows?
bool step_allowed(std::uint32_t around, Local a, Local b, CornerRule rule, bool eight) {
    const std::int32_t dx = b.x - a.x;
    const std::int32_t dy = b.y - a.y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0)) return false;
    if (!free_at(around, a) || !free_at(around, b)) return false;
    if (dx == 0 || dy == 0) return true;
    if (!eight) return false;
    const bool side_x = free_at(around, {b.x, a.y});
    const bool side_y = free_at(around, {a.x, b.y});
    switch (rule) {
        case CornerRule::never: return side_x && side_y;
        case CornerRule::one_free: return side_x || side_y;
        case CornerRule::always: return true;
    }
    return false;
}

// Lengths in half units that order as 1 and sqrt 2 do for sums of up to two steps: 10 and 14.
std::int32_t step_length(Local a, Local b) { return a.x != b.x && a.y != b.y ? 14 : 10; }

// Least length from p to n in one or two steps that avoid the centre; large if there is none.
std::int32_t length_without_centre(std::uint32_t around, Local p, Local n, CornerRule rule, bool eight) {
    constexpr std::int32_t kNone = 1000;
    if (p.x == n.x && p.y == n.y) return 0;
    std::int32_t best = kNone;
    if (step_allowed(around, p, n, rule, eight)) best = step_length(p, n);
    for (std::uint32_t m = 0; m < 8; ++m) {
        const Local a{kMoveDx[m], kMoveDy[m]};
        if (!step_allowed(around, p, a, rule, eight) || !step_allowed(around, a, n, rule, eight)) continue;
        const std::int32_t length = step_length(p, a) + step_length(a, n);
        if (length < best) best = length;
    }
    return best;
}

// Of paths of equal length the one remains whose moves of the first kind come first: diagonals, or with four
// neighbours the vertical moves.
bool first_kind(std::uint32_t move, bool eight) { return eight ? is_diagonal(move) : kMoveDy[move] != 0; }

}  // namespace

void MoveTables::fill(CornerRule rule, Neighbourhood neighbours) {
    const bool eight = neighbours == Neighbourhood::eight;
    constexpr Local centre{0, 0};
    for (std::uint32_t around = 0; around < kAroundSize; ++around) {
        std::uint32_t moves = 0;
        for (std::uint32_t m = 0; m < 8; ++m) {
            if (step_allowed(around, centre, {kMoveDx[m], kMoveDy[m]}, rule, eight)) moves |= 1U << m;
        }
        allowed[around] = static_cast<std::uint8_t>(moves);
        canonical[kNoMove][around] = static_cast<std::uint8_t>(moves);
        for (std::uint32_t came = 0; came < 8; ++came) {
            const Local p{-kMoveDx[came], -kMoveDy[came]};
            std::uint32_t needed = 0;
            for (std::uint32_t m = 0; m < 8; ++m) {
                if (((moves >> m) & 1U) == 0) continue;
                const Local n{kMoveDx[m], kMoveDy[m]};
                const std::int32_t through = step_length(p, centre) + step_length(centre, n);
                const std::int32_t around_it = length_without_centre(around, p, n, rule, eight);
                const bool better = first_kind(came, eight) ? around_it < through : around_it <= through;
                if (!better) needed |= 1U << m;
            }
            canonical[came][around] = static_cast<std::uint8_t>(needed);
        }
    }
}

}  // namespace fairlead::grid
