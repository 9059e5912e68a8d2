// Spheres of any radius through find_route in random worlds of voxels, against an oracle of places 1/16 voxel apart (600 MB for
// 24^3, half a minute a world).
//
//     volume_wide [--worlds 500] [--side 24] [--from 0] [--most 2.5]
//
// --most: radii are from 0.05 up to so many voxels.

#include <cstdio>
#include <cstdlib>

#include "campaign/flags.h"
#include "volume/wide_check.h"
#include "volume/wide_route_check.h"

using namespace fairlead;
using namespace fairlead::testing;

int main(int count, char** words) {
    int worlds = 500, side = 24, from = 0;
    double most = 2.5;
    const bool good = read_flags(count, words, [&](const std::string& flag, const char* value) {
        if (flag == "--worlds")
            worlds = std::atoi(value);
        else if (flag == "--side")
            side = std::atoi(value);
        else if (flag == "--from")
            from = std::atoi(value);
        else if (flag == "--most")
            most = std::atof(value);
        else
            return false;
        return true;
    });
    if (!good) {
        std::printf("volume_wide [--worlds 500] [--side 24] [--from 0] [--most 2.5]\n");
        return 2;
    }
    WideRouteTally tally;
    Scratch scratch;
    Route route;
    int wrong = 0;
    for (int w = from; w < from + worlds; ++w) {
        Rng rng(31000 + static_cast<std::uint64_t>(w));
        const auto kind = static_cast<VolumeKind>(w % 9);
        const oracle::VolumeDense world = random_volume(rng, kind, {side, side, side});
        const Volume space = make_volume(world);
        for (const oracle::VolumeRadius::Pair& pair : draw_wide_pairs(rng, world, 12)) {
            const double radius = draw_route_radius(rng, pair.radius, most);
            const std::string bad = check_wide_route(space, pair, radius, scratch, route, tally);
            if (bad.empty()) continue;
            ++wrong;
            std::printf(
                "WRONG: world %d (%s), (%.17g %.17g %.17g) to (%.17g %.17g %.17g), radius %.17g: %s\n", w,
                volume_kind_name(kind), pair.from.x, pair.from.y, pair.from.z, pair.to.x, pair.to.y,
                pair.to.z, radius, bad.c_str());
        }
        if ((w + 1) % 10 != 0 && w + 1 != from + worlds) continue;
        std::printf(
            "%d worlds: %d queries (%d of them narrow), %d complete, %d unreachable, %d must be found; mean "
            "%.3f "
            "ms, max %.2f ms; %d wrong\n",
            w + 1 - from, tally.queries, tally.narrow, tally.complete, tally.unreachable, tally.must,
            tally.sum_ms / std::max(tally.queries, 1), tally.most_ms, wrong);
        std::fflush(stdout);
    }
    return wrong == 0 ? 0 : 1;
}
