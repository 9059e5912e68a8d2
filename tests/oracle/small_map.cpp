#include "oracle/small_map.h"

#include <bit>

namespace fairlead::oracle {

namespace {

// Lengths as integers: their order is exact, because two different ones of at most 15 steps each differ by more than
// 0.029 (17 - 12 sqrt 2) and 14142 / 10000 is off by less than 0.0003 in 15 diagonals.
constexpr std::int32_t kStraight = 10000;
constexpr std::int32_t kDiagonal = 14142;

constexpr std::uint32_t bit(std::int32_t cell) { return 1U << cell; }

}  // namespace

SmallMap::SmallMap(std::uint32_t free, CornerRule rule, Neighbourhood neighbours) : free_(free) {
    find_moves(rule, neighbours);
    for (std::int32_t from = 0; from < kSmallCells; ++from) {
        if (this->free(from)) find_shortest(from);
    }
}

void SmallMap::find_moves(CornerRule rule, Neighbourhood neighbours) {
    const auto is_free = [this](std::int32_t x, std::int32_t y) {
        return x >= 0 && y >= 0 && x < kSmallSide && y < kSmallSide && free(y * kSmallSide + x);
    };
    for (std::int32_t cell = 0; cell < kSmallCells; ++cell) {
        if (!free(cell)) continue;
        const std::int32_t x = cell % kSmallSide;
        const std::int32_t y = cell / kSmallSide;
        for (const std::int32_t way : {-1, 1}) {
            if (is_free(x + way, y)) straight_[cell] |= bit(cell + way);
            if (is_free(x, y + way)) straight_[cell] |= bit(cell + way * kSmallSide);
        }
        if (neighbours == Neighbourhood::four) continue;
        for (const std::int32_t dx : {-1, 1}) {
            for (const std::int32_t dy : {-1, 1}) {
                const int beside = (is_free(x + dx, y) ? 1 : 0) + (is_free(x, y + dy) ? 1 : 0);
                const int needed = rule == CornerRule::never ? 2 : (rule == CornerRule::one_free ? 1 : 0);
                if (!is_free(x + dx, y + dy) || beside < needed) continue;
                diagonal_[cell] |= bit(cell + dy * kSmallSide + dx);
            }
        }
    }
}

void SmallMap::find_shortest(std::int32_t from) {
    std::int32_t best[kSmallCells];
    for (std::int32_t& length : best) length = INT32_MAX;
    Steps* steps = shortest_[from];
    best[from] = 0;
    steps[from] = {0, 0};
    std::uint32_t open = bit(from);
    while (open != 0) {
        std::int32_t at = std::countr_zero(open);
        for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
            const std::int32_t cell = std::countr_zero(rest);
            if (best[cell] < best[at]) at = cell;
        }
        open &= ~bit(at);
        const auto reach = [&](std::uint32_t cells, std::int32_t length, Steps way) {
            for (; cells != 0; cells &= cells - 1) {
                const std::int32_t to = std::countr_zero(cells);
                if (best[at] + length >= best[to]) continue;
                best[to] = best[at] + length;
                steps[to] = {steps[at].straight + way.straight, steps[at].diagonal + way.diagonal};
                open |= bit(to);
            }
        };
        reach(straight_[at], kStraight, {1, 0});
        reach(diagonal_[at], kDiagonal, {0, 1});
    }
}

std::uint32_t SmallMap::flood(std::int32_t from) const {
    std::uint32_t met = bit(from);
    for (std::uint32_t fresh = met; fresh != 0;) {
        std::uint32_t next = 0;
        for (; fresh != 0; fresh &= fresh - 1) {
            const std::int32_t cell = std::countr_zero(fresh);
            next |= straight_[cell] | diagonal_[cell];
        }
        fresh = next & ~met;
        met |= fresh;
    }
    return met;
}

}  // namespace fairlead::oracle
