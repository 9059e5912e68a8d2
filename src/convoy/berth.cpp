// All poses of the lattice around an exact one, the cheapest shortest curves first, as many as are free.
#include "convoy/berth.h"

#include <algorithm>
#include <cmath>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/reeds_shepp.h>

#include "drive/body/curve_check.h"
#include "drive/curves/free_curve.h"
#include "drive/lattice/prepare_ends.h"
#include "drive/map/map_frame.h"

namespace fairlead::convoy {

namespace {

constexpr std::size_t kLooked = 96;  // candidates, of which the free ones are taken
constexpr double kReverseFactor = 1.1;
constexpr double kCuspRadii = 0.3;

struct Candidates {
    Ramp list[kLooked];
    std::size_t count = 0;

    // Sorted by cost; of equal ones the first stays first.
    void add(const Ramp& ramp) {
        if (count == kLooked && ramp.cost >= list[count - 1].cost) return;
        std::size_t i = count < kLooked ? count++ : kLooked - 1;
        for (; i > 0 && list[i - 1].cost > ramp.cost; --i) list[i] = list[i - 1];
        list[i] = ramp;
    }
};

Ramp ramp_between(const Pose& from, const Pose& to, double radius, bool reverse) {
    Ramp ramp;
    ramp.word = reverse ? shortest_reeds_shepp(from, to, radius, {kReverseFactor, kCuspRadii})
                        : shortest_dubins(from, to, radius);
    ramp.cost = ramp.word.cost;
    bool first = true;
    for (const CurveSegment& segment : ramp.word.used()) {
        if (segment.amount == 0.0) continue;
        ramp.last = segment.amount < 0.0 ? Gear::reverse : Gear::forward;
        if (first) ramp.first = ramp.last;
        first = false;
    }
    return ramp;
}

}  // namespace

bool on_lattice(const drive::MapData& map, const Pose& exact, drive::LatticePose& at) {
    at = drive::nearest_pose(exact, map.table());
    return drive::is_lattice_pose(exact, at, map.table()) && map.edges().stands(at.x, at.y, at.heading);
}

bool is_free(const drive::MapData& map, const ConvoyGround& ground, const Pose& from, const CurveWord& word) {
    const double radius = map.table().turning_radius();
    if (ground.is_free == nullptr)
        return drive::curve_is_free(map.free_cells(), map.table().body(), from, radius, word);
    const drive::MapFrame frame(map);
    return ground.is_free(frame.to_world(from), radius * frame.size, word, ground.user);
}

void find_ramps(const drive::MapData& map, const ConvoyGround& ground, const Pose& exact, bool leaving,
                const drive::LatticePose* partner, Ramps& out) {
    const DriveTable& table = map.table();
    const double radius = table.turning_radius();
    const double range = std::max(3.0, 1.5 * radius);
    Candidates found;
    (void)drive::any_node_near(
        map.free_cells(), exact.position, range, table.node_offset(), [&](std::int32_t x, std::int32_t y) {
            for (std::int32_t h = 0; h < table.headings(); ++h) {
                if (!map.edges().stands(x, y, h)) continue;
                const Pose node = table.node(x, y, h);
                Ramp ramp = leaving ? ramp_between(exact, node, radius, table.options().agent.can_reverse)
                                    : ramp_between(node, exact, radius, table.options().agent.can_reverse);
                ramp.at = {x, y, h, leaving ? ramp.last : ramp.first};
                found.add(ramp);
            }
            return false;
        });
    out.count = 0;
    for (std::size_t i = 0; i < found.count && out.count < kRampsMax; ++i) {
        const Ramp& ramp = found.list[i];
        if (partner != nullptr) {
            const auto joined = leaving ? map.joined(ramp.at, *partner) : map.joined(*partner, ramp.at);
            if (joined == drive::MapData::Joined::no) continue;
        }
        const Pose from = leaving ? exact : table.node(ramp.at.x, ramp.at.y, ramp.at.heading);
        if (is_free(map, ground, from, ramp.word)) out.list[out.count++] = ramp;
    }
}

}  // namespace fairlead::convoy
