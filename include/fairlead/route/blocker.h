// Blocker: something in the way for one query on flat ground, of a walker or of a turning unit: another unit that stands, a reservation.
//
//     const Blocker others[] = {{.centre = {12, 7}, .radius = 0.5}, {.box = {{20, 4}, {22, 6}}}};
//     find_route(*town, GridQuery{.start = a, .goal = b, .blockers = others}, scratch);
//     find_route(*map, DriveQuery{.start = a, .goal = b, .blockers = others}, scratch);
//
// In volumes: volume/blocker.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>

namespace fairlead {

/// A disc, or a box if `box` is set. The unit's body must not overlap it; touching is legal. A radius (on axes that wrap a coordinate,
/// too) of more than contact_reach (math/contact.h: about 4000 times the map's larger side) is out_of_range, here as in verify.
struct Blocker {
    Vec2 centre{};
    double radius = 0.0;
    Aabb box{{0, 0}, {-1, -1}};  ///< empty: the disc counts
    std::int32_t layer = 0;
};

inline constexpr std::size_t kBlockersMax = 65536;  ///< of one query

}  // namespace fairlead
