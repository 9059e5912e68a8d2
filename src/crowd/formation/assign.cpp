// Which unit takes which slot: the least sum of squares of the ways (crowd/assignment.h). Units that set off and come in together do
// not meet where starts and slots are 2.83 radii apart (Turpin, Michael and Kumar 2014).
#include <limits>

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

void assign_slots(FormationData& data, const Crowd& crowd, const CrowdWorld& world) {
    const std::size_t n = data.members.size();
    if (!data.seats.begin(n, n)) return;  // make_room has made room
    for (std::size_t j = 0; j < n; ++j) {
        const Vec3 slot = place_of_slot(data, static_cast<std::uint32_t>(j), &world);
        for (std::size_t i = 0; i < n; ++i) {
            const double way = data.apart(slot, crowd.unit(data.members[i].id).place.position);
            data.seats.cost(i, j) = way * way;
        }
    }
    data.seats.solve();
    for (std::uint32_t j = 0; j < n; ++j) {
        FormationMember& member = data.members[data.seats.row_of(j)];
        if (member.slot == j) continue;
        member.slot = j;
        member.best = std::numeric_limits<double>::infinity();
        member.moved = {};
    }
}

}  // namespace fairlead::crowd
