// See tell.h.
#include "volume/search/tell.h"

#include <algorithm>
#include <bit>

namespace fairlead::volume {

void tell(const SearchTrace& trace, const StateData& state, SearchEvent event, Vec3 at, const NodeBox& box) {
    if (trace.event == nullptr) return;
    const auto corner = [&](const std::int32_t(&p)[3]) {
        return state.in_world(
            {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])});
    };
    event.at.position = event.left = event.right = state.in_world(at);
    event.low = corner(box.low);
    event.high = corner(box.high);
    trace.event(event, trace.user);
}

NodeBox box_of_bits(std::uint64_t bits, const NodeBox& brick) {
    NodeBox box = brick;
    for (int k = 0; k < 3; ++k) {
        std::int32_t low = 3, high = 0;
        for (std::uint64_t left = bits; left != 0; left &= left - 1) {
            const auto at = static_cast<std::int32_t>(std::countr_zero(left) >> (2 * k) & 3);
            low = std::min(low, at);
            high = std::max(high, at + 1);
        }
        box.low[k] = brick.low[k] + low;
        box.high[k] = std::min(brick.low[k] + high, brick.high[k]);
    }
    return box;
}

}  // namespace fairlead::volume
