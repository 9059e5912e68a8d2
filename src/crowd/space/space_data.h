// What a crowd in space keeps beside what every crowd keeps (crowd_data.h): velocities with three numbers, and tunnels.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include <fairlead/crowd/crowd.h>

#include "crowd/space/space_grid.h"
#include "crowd/space/tunnel_map.h"
#include "crowd/unit.h"

namespace fairlead::crowd {

/// A place on a way: so far behind the point before `point`.
struct WayMark {
    std::uint32_t point = 0;
    double on = 0.0;
};

/// How far the way was looked at for a place where two units cannot pass.
enum class Look : std::uint8_t { open, narrow, found, done };

/// The next tunnel on a unit's way, and where the unit stands with it.
struct TunnelAhead {
    Vec3 start{};             ///< of the way that is looked at,
    std::uint32_t first = 0;  ///< and the point that it leads to
    WayMark looked{};
    Look look = Look::open;
    bool begun = false;  ///< something was looked at
    bool starts_inside = false;
    std::uint32_t wide = 0;  ///< samples since it was narrow
    Vec3 last_wide{};
    WayMark last_mark{};
    Vec3 in_at{};
    WayMark in{};
    Vec3 out_at{};
    WayMark out{};
    std::uint32_t tunnel = kNone;  ///< of the map
    Turn turn = Turn::free;
    std::uint64_t ticket = 0;
    double at = 0.0;  ///< along the tunnel; 0: before it
    double length = 0.0;
    double best_at = 0.0;         ///< the farthest it came since it was let in,
    std::uint64_t best_when = 0;  ///< and the update
};

struct SpaceUnit {
    Vec3 velocity{};
    Vec3 seen_from{};             ///< where it last saw the point that it goes to
    Vec3 way[kDrivenWayMax]{};    ///< of one that is driven: its way to a stop, within `off` of these lines;
    std::uint32_t way_count = 0;  ///< 0: as its velocity says
    double off = 0.0;
    TunnelAhead ahead{};
};

/// What a unit wants in this update, before and after others were heard.
struct SpaceWish {
    Vec3 velocity{};
    double priority = 0.0;
};

struct SpaceData {
    explicit SpaceData(const Allocator& allocator)
        : units(allocator),
          own(allocator),
          wish(allocator),
          heard(allocator),
          next(allocator),
          grid(allocator),
          tunnels(allocator) {}

    Array<SpaceUnit> units;  ///< as many as the crowd has
    Array<SpaceWish> own;
    Array<SpaceWish> wish;
    Array<SpaceWish> heard;
    Array<Vec3> next;
    SpaceGrid grid;
    double longest = 0.0;  ///< of all plans to stop
    TunnelMap tunnels;
};

}  // namespace fairlead::crowd
