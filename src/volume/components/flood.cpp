// See flood.h.
#include "volume/components/flood.h"

#include <bit>

namespace fairlead::volume {

namespace {

struct Union {
    std::uint16_t parent[2048];

    std::uint16_t find(std::uint16_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    }
    void join(std::uint16_t a, std::uint16_t b) {
        a = find(a), b = find(b);
        if (a == b) return;
        if (a < b)
            parent[b] = a;
        else
            parent[a] = b;
    }
};

// Joins parts of brick b with those of brick c, a step up along an axis: `low` is the face of a brick that is lowest along it,
// `shift` leads from the lowest to the highest.
void join_bricks(const CellFlood& flood, Union& sets, std::int32_t b, std::int32_t c, std::uint64_t low,
                 std::uint32_t shift) {
    for (std::uint16_t i = flood.first[b]; i < flood.first[b + 1]; ++i) {
        const std::uint64_t face = flood.parts[i].bits >> shift & low;
        if (face == 0) continue;
        for (std::uint16_t j = flood.first[c]; j < flood.first[c + 1]; ++j) {
            if ((face & flood.parts[j].bits) != 0) sets.join(i, j);
        }
    }
}

}  // namespace

void flood_cell(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z, CellFlood& flood) {
    std::uint16_t count = 0;
    Union sets;
    for (std::int32_t b = 0; b < 64; ++b) {
        flood.first[b] = count;
        std::uint64_t free = state.free_bits(x * 4 + (b & 3), y * 4 + (b >> 2 & 3), z * 4 + (b >> 4));
        while (free != 0) {
            const std::uint64_t part = free == kAll ? kAll : flood_brick(free & (~free + 1), free);
            flood.parts[count].bits = part;
            sets.parent[count] = count;
            ++count;
            free &= ~part;
        }
    }
    flood.first[64] = count;
    for (std::int32_t b = 0; b < 64; ++b) {
        if ((b & 3) != 3) join_bricks(flood, sets, b, b + 1, kLowX, 3);
        if ((b >> 2 & 3) != 3) join_bricks(flood, sets, b, b + 4, kLowY, 12);
        if (b >> 4 != 3) join_bricks(flood, sets, b, b + 16, kLowZ, 48);
    }
    flood.components = 0;
    for (std::uint16_t i = 0; i < count; ++i) {
        const std::uint16_t root = sets.find(i);
        flood.parts[i].component = root == i ? flood.components++ : flood.parts[root].component;
    }
}

}  // namespace fairlead::volume
