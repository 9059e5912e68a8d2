// The colors of all pictures. Quiet ground, strong routes. Chosen so that no two meanings differ by red
// against green alone: ramps rise in darkness, terrain is yellow-brown and searches are violet (the axis that
// colour-blind eyes keep), routes take the hues of Okabe and Ito (2008), darkened to be read as thin lines on
// white.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug::palette {

inline constexpr Color kPaper = rgb(0xffffff);
inline constexpr Color kInk = rgb(0x1f2733);    ///< text, start and goal
inline constexpr Color kFaint = rgb(0x6b7685);  ///< lesser text
inline constexpr Color kGridLine = rgb(0xe8ebef);
inline constexpr Color kWall = rgb(0x505b6b);
inline constexpr Color kStone = rgb(0xc9d0d8);  ///< walls seen in space
inline constexpr Color kFrame = rgb(0x505b6b);

inline constexpr Color kRoute = rgb(0x0b62b3);    ///< the route
inline constexpr Color kOther = rgb(0xc4570a);    ///< a second one to compare with; reverse gear
inline constexpr Color kWarning = rgb(0xc02a50);  ///< illegal, blocked, violated
inline constexpr Color kPortal = rgb(0x7a3e9d);   ///< stairs, links

inline constexpr int kRoutes = 6;
/// Colors for several routes or classes side by side; `index` wraps around.
[[nodiscard]] constexpr Color route(int index) {
    constexpr Color kList[kRoutes] = {kRoute,        kOther,        rgb(0x0a7d5c),
                                      rgb(0x9a3f86), rgb(0x8a6d00), rgb(0x3b4252)};
    return kList[((index % kRoutes) + kRoutes) % kRoutes];
}

/// Pale fills for classes of cells (components, regions); `index` wraps around.
inline constexpr int kTints = 6;
[[nodiscard]] constexpr Color tint(int index) {
    constexpr Color kList[kTints] = {rgb(0xcfe3f5), rgb(0xfadfc4), rgb(0xcdeade),
                                     rgb(0xecd5e8), rgb(0xf5edb8), rgb(0xdcdfe4)};
    return kList[((index % kTints) + kTints) % kTints];
}

/// Order of expansion, t from 0 (first) to 1 (last).
[[nodiscard]] FAIRLEAD_INLINE constexpr Color heat(double t) {
    return t < 0.5 ? mix(rgb(0xf3ecfa), rgb(0xcdb4e3), t * 2) : mix(rgb(0xcdb4e3), rgb(0xa07cc6), t * 2 - 1);
}
/// Put on the open list but never expanded.
inline constexpr Color kOpen = rgb(0xb9a3cf);

/// Distance to the nearest wall, t from 0 (touching) to 1 (far).
[[nodiscard]] FAIRLEAD_INLINE constexpr Color clearance(double t) {
    return t < 0.5 ? mix(rgb(0xf9e3cf), rgb(0xf4f5ee), t * 2) : mix(rgb(0xf4f5ee), rgb(0xbcdcec), t * 2 - 1);
}

inline constexpr int kTerrainClasses = 5;
/// The class of a cost of entering: 0 for 1, then 2, 3 to 4, 5 to 8, 9 to 16, and 5 for more.
[[nodiscard]] constexpr int terrain_class(std::int32_t cost) {
    return cost <= 1 ? 0 : cost <= 2 ? 1 : cost <= 4 ? 2 : cost <= 8 ? 3 : cost <= 16 ? 4 : 5;
}
/// By class, 0 to 5: paper, then sand growing darker.
[[nodiscard]] constexpr Color terrain(int index) {
    constexpr Color kList[kTerrainClasses + 1] = {kPaper,        rgb(0xf8f2df), rgb(0xf2e6c4),
                                                  rgb(0xe9d6a1), rgb(0xd9bd79), rgb(0xbf9c55)};
    return kList[index < 0 ? 0 : index > kTerrainClasses ? kTerrainClasses : index];
}

/// A cost laid over the map (threat), t from 0 (none) to 1 (most).
[[nodiscard]] FAIRLEAD_INLINE constexpr Color influence(double t) {
    return mix(rgb(0xffffff), rgb(0xe0708a), t);
}

}  // namespace fairlead::debug::palette
