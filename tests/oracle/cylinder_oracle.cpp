#include "oracle/cylinder_oracle.h"

#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace fairlead::oracle {

std::vector<double> UnrolledSlices::costs_from(int x, int y, int slice) const {
    std::vector<double> costs(static_cast<std::size_t>(around * along * slices), -1.0);
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    if (!free(x, y, slice)) return costs;
    open.push({0.0, tile(x, y, slice)});
    while (!open.empty()) {
        const auto [so_far, at] = open.top();
        const double cost = so_far;  // clang 14 lets no lambda have a binding
        open.pop();
        if (costs[static_cast<std::size_t>(at)] >= 0.0) continue;
        costs[static_cast<std::size_t>(at)] = cost;
        const int cx = at % around, cy = at / around % along, cs = at / around / along;
        const auto go = [&](int tx, int ty, int ts, double step) {
            if (free(tx, ty, ts)) open.push({cost + step, tile((tx % around + around) % around, ty, ts)});
        };
        for (const int d : {-1, 1}) {
            go(cx + d, cy, cs, 1.0);
            go(cx, cy + d, cs, 1.0);
            go(cx, cy, cs + d, depth_cost);
            for (const int e : {-1, 1}) {
                if (free(cx + d, cy, cs) && free(cx, cy + e, cs)) go(cx + d, cy + e, cs, std::sqrt(2.0));
            }
        }
    }
    return costs;
}

}  // namespace fairlead::oracle
