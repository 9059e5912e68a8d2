// nearest_free and random_place: where in a volume can the unit be?
//
//     Result<VolumeFree> spot = nearest_free(*space, VolumeFreeQuery{.place = click, .agent = drone, .reach = 8}, scratch);
//     if (spot && spot->found) order(unit, spot->position);
//
//     Rng dice(seed);
//     Result<VolumeFree> nest = random_place(*space, {.agent = fish, .connected = true, .from = shoal}, dice, scratch);
//
// To spawn a unit, to set one down beside a station, to send one to a rock that the player clicked on, to give a fish somewhere to go. A
// query may snap its own ends: VolumeQuery::reach.
//
// Places are the middles of voxels where the sphere touches nothing (volume/sight.h: fits), of any radius.
// nearest_free: where the unit fits at `place` itself, that is the answer; else the nearest of those, of equals the one of the lowest z,
// then y, then x. random_place: each of them is as likely as any other, but for 2^-26.
//
// Connected. With `connected` only places count from which there is a way to `from`; where the unit does not fit there, none does. For
// a point and spheres of at most half a voxel that is known by the components, exactly. Wider ones are searched for, as find_route does
// (volume/find_route.h: unreachable), once for each set of places that are joined over faces, and the answers are kept for this query.
//
// Cost. nearest_free: grows with the bricks nearer than the answer, 10 ns each, for wide spheres 1 us. random_place: 0.5 us a draw; up to
// 64 are made until one fits, then all places are counted, which is linear in the volume. Wide spheres that are to be
// connected: as long as find_route takes where there is no way, for each set that is asked. A warm scratch allocates nothing.
// Deterministic: the same place for the same dice on every machine.
#pragma once

#include <limits>

#include <fairlead/base/result.h>
#include <fairlead/base/rng.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/goal.h>
#include <fairlead/search/scratch.h>
#include <fairlead/volume/volume.h>

namespace fairlead {

struct VolumeFreeQuery {
    Spot place{};   ///< a position; may lie outside the bounds
    Agent agent{};  ///< a sphere of Agent::radius, or an upright capsule
    double reach =
        std::numeric_limits<double>::infinity();  ///< world units, >= 0: no place farther away counts

    bool connected = false;  ///< only places with a way to `from`
    Spot from{};
};

struct VolumeFree {
    bool found = false;
    Vec3 position{};        ///< world; `place` itself where the unit fits there
    double distance = 0.0;  ///< from `place`, world units
};

/// Errors: not_finite, out_of_range, unsupported, incompatible (agent, places, reach, from: as find_route has them); out_of_range
/// (places: a number above 1e150); scratch_in_use; out_of_memory.
[[nodiscard]] Result<VolumeFree> nearest_free(const VolumeState& volume, const VolumeFreeQuery& query,
                                              Scratch& scratch);

struct RandomPlaceQuery {
    Agent agent{};  ///< a sphere of Agent::radius, or an upright capsule
    bool connected = false;
    Spot from{};
};

/// `distance` is that from `from` where it is asked for. Not found: there is no such place. Errors: the same.
[[nodiscard]] Result<VolumeFree> random_place(const VolumeState& volume, const RandomPlaceQuery& query,
                                              Rng& dice, Scratch& scratch);

}  // namespace fairlead
