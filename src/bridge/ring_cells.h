// The cells around one, ring by ring.
#pragma once

#include <cstdint>

namespace fairlead::bridge {

/// Calls visit(x, y) for the cells around one, ring by ring from the middle, until it returns false.
template <class Visit>
bool each_ring_cell(std::int32_t x, std::int32_t y, std::int32_t rings, const Visit& visit) {
    for (std::int32_t r = 0; r <= rings; ++r) {
        for (std::int32_t dy = -r; dy <= r; ++dy) {
            const std::int32_t step = dy == -r || dy == r || r == 0 ? 1 : 2 * r;
            for (std::int32_t dx = -r; dx <= r; dx += step) {
                if (!visit(x + dx, y + dy)) return false;
            }
        }
    }
    return true;
}

}  // namespace fairlead::bridge
