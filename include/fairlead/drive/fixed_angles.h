// Fixed-angle art: a turning unit's route redrawn for a sprite with 8, 16 or 32 facings, so that it always moves the way
// it is drawn, and checked again against the walls (techniques A1 to A4).
//
//     Result<FixedAngles> drawn = make_fixed_angles(*route, *map, {.facings = 16});
//     if (drawn->status == FixedAnglesStatus::styled) follow(drawn->route);
//     else follow(*route);                 // round the picture to the nearest facing: wrong by up to drawn->error_rad
//
// Each leg of the route becomes a group of straight legs along the facings, between the same two ends (curve/facings.h):
//   * a line: one leg if it runs along a facing; else two, in either order; else the line in 2, 4, 8 or 16 parts, each in
//     the order that is free (side offset / parts);
//   * an arc: the polygon around it; else the one within it; else the arc in 2, 4, 8 or 16 parts, each by
//     one of the two (arcs of more than half a turn begin with two parts, of more than a whole one with more).
// The first that the unit's body can drive is taken: every leg is tested with the exact swept test, for the body as it
// stands with that facing. A group takes what is free as seen from the groups before it; there is no going back.
//
// The result is a route of a unit that snaps from facing to facing: verify it as the map's agent with turning_radius 0,
// and with VerifyOptions::facings. For a disc a snap is no movement. A box or capsule sweeps its corners about the axle
// in a snap; so the result then holds turn legs (the shorter way round), swept and legal as well, and begins and
// ends with one to and from the exact heading of the route. A disc's first leg starts with a facing, and the
// route's end keeps the exact heading.
//
// Status: styled, with all legs legal; or rounded: no such styling is free at source leg `blocked_leg`. Then `route` is a
// copy of the source, to be drawn with the nearest facing (A1), which slides by up to error_rad.
//
// Of the result's route: status, layer, speed limits are the source's; length and line_cost are new; cost is the source's and bound
// infinity (styling does not weigh terrain); revision is the map's. The groups tell which legs a source leg became, and how.
//
// Errors: out_of_range: facings, parts_max; unsupported (index = leg): detail 0 a turn or link leg,
// 1 a leg with a rise; unsupported (index -1, detail 2): a map of several floors; not_finite, out_of_range (index = leg): its
// numbers; out_of_memory.
// Cost: some 1 us a leg of the source for a disc. Reusing `out` allocates nothing once it is as large as needed. Deterministic.
//
// Source: M. Pinter, Toward More Realistic Pathfinding, 2001, fixed-angle art. There: one order, no exact ends, no second test.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/curve/facings.h>
#include <fairlead/drive/drive_map.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct FixedAnglesOptions {
    std::int32_t facings = 16;  ///< 8, 16 or 32
    std::int32_t parts_max =
        16;  ///< 1 to 64: lines and half circles are cut into 1, 2, 4, ... up to so many parts
};

enum class FacingStyle : std::uint8_t {
    single,       ///< a line along a facing (or of no length)
    right_first,  ///< a line, each part on its right side
    left_first,   ///< a line, each part on its left side
    outside,      ///< an arc, by the polygon around it
    inside,       ///< an arc, by the polygon within it
    mixed,        ///< parts of both kinds
};

/// What became of one leg of the source.
struct FacingGroup {
    std::int64_t source_leg = 0;
    std::uint32_t first =
        0;  ///< legs first to first + count - 1 of the result, turn legs before them included
    std::uint32_t count = 0;
    std::int32_t parts = 1;  ///< it was cut into so many
    FacingStyle style = FacingStyle::single;

    friend bool operator==(const FacingGroup&, const FacingGroup&) = default;
};

enum class FixedAnglesStatus : std::uint8_t { styled, rounded };

struct FixedAngles {
    FixedAnglesStatus status = FixedAnglesStatus::rounded;
    Route route;
    Array<FacingGroup> groups;      ///< one for each source leg; rounded: those before blocked_leg
    std::int64_t blocked_leg = -1;  ///< rounded: the source leg that cannot be styled
    double error_rad = 0.0;  ///< between motion and picture: 0 if styled, else drawn_error_rad of the source
};

[[nodiscard]] Result<FixedAngles> make_fixed_angles(const Route& source, const DriveMapState& map,
                                                    const FixedAnglesOptions& options = {});
/// `out` keeps its memory; on an error it is empty. `source` must not be out.route.
[[nodiscard]] Result<void> make_fixed_angles_into(const Route& source, const DriveMapState& map,
                                                  const FixedAnglesOptions& options, FixedAngles& out);

}  // namespace fairlead
