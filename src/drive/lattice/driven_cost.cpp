#include "drive/lattice/driven_cost.h"

#include <cmath>

#include "drive/cost/line_cost.h"
#include "drive/lattice/lattice_query.h"

namespace fairlead::drive {

double driven_cost(const MapData& map, const DriveQuery& query, std::span<const Leg> legs) {
    const double cell = map.table().options().cell_size;
    const double cusp = cusp_in_cells(query.cusp_penalty, cell) * cell;
    const double pivot = pivot_in_cells(query.pivot_penalty, cell) * cell;
    double sum = 0.0;
    const Leg* before = nullptr;  // the last one that drives
    for (std::size_t i = 0; i < legs.size(); ++i) {
        const Leg& leg = legs[i];
        if (leg.kind == LegKind::turn) sum += std::abs(leg.turn_rad) * pivot;
        const bool drives = leg.kind == LegKind::drive;
        const double penalty = drives && leg.gear == Gear::reverse ? query.reverse_penalty : 1.0;
        sum += line_cost(map, legs.subspan(i, 1)) * penalty;
        if (!drives) continue;
        if (before != nullptr && before->gear != leg.gear) sum += cusp;
        before = &leg;
    }
    return sum;
}

}  // namespace fairlead::drive
