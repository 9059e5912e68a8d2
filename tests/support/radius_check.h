// Queries of discs of any radius judged by closed chains of tiles (oracle/chain_oracle.h): status, legality, and on request the
// length beside a flood's (oracle/flood_length.h). For the tests and the campaign of any radius.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>

namespace fairlead::testing {

struct RadiusMap {
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<bool> blocked;  ///< y * width + x
};

/// A map of 4 x 4 tiles from 16 bits, bit 4 y + x set where a tile is blocked, with `margin` free tiles around it.
[[nodiscard]] RadiusMap small_radius_map(std::uint32_t bits, std::int32_t margin);
/// Is the map the least of those it can be turned and mirrored into? There are 8548 such maps.
[[nodiscard]] bool least_image(std::uint32_t bits);
/// Noise of 20 to 60 % walls, rooms, a maze, or staircases of corners.
[[nodiscard]] RadiusMap random_radius_map(Rng& rng, std::int32_t least, std::int32_t most);

/// How the world comes to be what is asked of.
struct RadiusWays {
    bool registered = false;
    bool edited = false;   ///< made as another map and edited
    bool layered = false;  ///< on the second of two floors
    bool sliced = false;   ///< asked in slices too
    bool lengths = false;  ///< compared with the flood's
};

struct RadiusTally {
    std::uint64_t asked = 0;
    std::uint64_t joined = 0;
    std::uint64_t apart = 0;
    std::uint64_t blocked = 0;
    std::uint64_t half = 0;  ///< routes over half tiles
    std::uint64_t measured = 0;
    double ratios = 0.0;  ///< sum of length / the flood's
    double worst = 0.0;
    [[nodiscard]] std::string text() const;
};

/// Asks `queries` queries between random places, some of which do not fit. The first thing that is wrong, or nothing.
[[nodiscard]] std::string check_radius(const RadiusMap& map, double radius, int queries,
                                       const RadiusWays& ways, Rng& rng, Scratch& scratch,
                                       RadiusTally& tally);

}  // namespace fairlead::testing
