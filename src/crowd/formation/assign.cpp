// Which unit takes which slot: the least sum of squares of the ways, by shortest augmenting paths (Jonker and Volgenant 1987). With squares
// the ways of any two units do not cross, and units that set off and come in together do not meet where starts and slots are 2.83 radii
// apart (Turpin, Michael and Kumar 2014).
#include <limits>

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kNoSeat = std::numeric_limits<double>::infinity();

void write_costs(FormationData& data, const Crowd& crowd, const CrowdWorld& world) {
    const std::size_t n = data.members.size();
    for (std::size_t j = 0; j < n; ++j) {
        const Vec3 slot = place_of_slot(data, static_cast<std::uint32_t>(j), &world);
        for (std::size_t i = 0; i < n; ++i) {
            const double way = data.apart(slot, crowd.unit(data.members[i].id).place.position);
            data.costs[i * n + j] = way * way;
        }
    }
}

/// Gives unit i (from 1) a slot; others may have to take other ones. Slots are counted from 1; 0 is where the path begins.
void augment(FormationData& data, std::uint32_t i) {
    const std::size_t n = data.members.size();
    data.match[0] = i;
    for (std::size_t j = 0; j <= n; ++j) {
        data.least[j] = kNoSeat;
        data.closed[j] = 0;
    }
    std::uint32_t at = 0;
    do {
        data.closed[at] = 1;
        const std::uint32_t row = data.match[at];
        double delta = kNoSeat;
        std::uint32_t next = 0;
        for (std::uint32_t j = 1; j <= n; ++j) {
            if (data.closed[j] != 0) continue;
            const double price =
                data.costs[(row - 1) * n + j - 1] - data.row_price[row] - data.column_price[j];
            if (price < data.least[j]) {
                data.least[j] = price;
                data.from[j] = at;
            }
            if (data.least[j] < delta) {
                delta = data.least[j];
                next = j;
            }
        }
        for (std::size_t j = 0; j <= n; ++j) {
            if (data.closed[j] != 0) {
                data.row_price[data.match[j]] += delta;
                data.column_price[j] -= delta;
            } else {
                data.least[j] -= delta;
            }
        }
        at = next;
    } while (data.match[at] != 0);
    for (; at != 0; at = data.from[at]) data.match[at] = data.match[data.from[at]];
}

}  // namespace

void assign_slots(FormationData& data, const Crowd& crowd, const CrowdWorld& world) {
    const std::size_t n = data.members.size();
    write_costs(data, crowd, world);
    for (std::size_t i = 0; i <= n; ++i) {
        data.row_price[i] = data.column_price[i] = 0.0;
        data.match[i] = 0;
    }
    for (std::uint32_t i = 1; i <= n; ++i) augment(data, i);
    for (std::uint32_t j = 1; j <= n; ++j) {
        FormationMember& member = data.members[data.match[j] - 1];
        if (member.slot == j - 1) continue;
        member.slot = j - 1;
        member.best = kNoSeat;
        member.moved = {};
    }
}

}  // namespace fairlead::crowd
