// The scenes that a crowd is judged by: halls, doors, corridors and streets with the units that want through them. One list
// for narrow places, crowds and their judges; as boxes, as tiles and as a level mesh, with the same corners to the last bit.
//
//     for (const CrowdPlace place : all_crowd_places()) {
//         const CrowdScene scene = make_crowd_scene(place, {.scale = 0.3, .quarters = 1, .mirrored = true});
//         const std::vector<CrowdUnit> units = crowd_units(scene, seed);
//         const Grid grid = crowd_grid(scene);
//     }
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/grid/grid.h>
#include <fairlead/math/aabb.h>
#include <fairlead/mesh/nav_mesh.h>

namespace fairlead::testing {

enum class CrowdPlace : std::uint8_t {
    doorway,        ///< hall 60 x 18, a wall 0.5 thick in the middle, a door 1.2 wide; 20 units each way
    corridor_a,     ///< two halls, a corridor 24 long and 2.4 wide; 20 each way
    corridor_b,     ///< a corridor 60 long and 2.4 wide; 20 from each side are inside, head on
    crossing,       ///< two streets 6 wide; 50 west to east and 50 south to north
    crossing_open,  ///< the same zones without walls
    four_way,       ///< two streets 6 wide; 25 from each arm to the opposite one
    four_way_44,    ///< the same, 4.4 wide
    vestibule,      ///< two doors 1.2 wide with 4 x 4 between; 12 each way
    tunnel,         ///< 11 long and 1.2 wide; 20 each way
    rooms,          ///< 3 x 3 rooms of 10 x 10, twelve doors 1.2 wide; 60 from anywhere to anywhere
    chain,          ///< three rooms of 4 x 4 in a row, four doors 1.2 wide; 12 each way
    chain_wide,     ///< the same with rooms of 6 x 6, which can hold units
    count_,
};

/// How a scene lies. Everything is made smaller first, then mirrored (y to -y), then turned; the units with it.
struct CrowdPose {
    double scale = 1.0;  ///< of all lengths and of the speed
    int quarters = 0;    ///< turns by 90 degrees, counter-clockwise
    bool mirrored = false;
};

/// Units that start anywhere in one box of a list and go to anywhere in one of the other list.
struct CrowdGroup {
    std::vector<Aabb> starts{};
    std::vector<Aabb> goals{};
    int count = 0;
};

struct CrowdUnit {
    Vec2 start{};
    Vec2 goal{};
};

struct CrowdScene {
    std::string name{};
    CrowdPlace place = CrowdPlace::doorway;
    CrowdPose pose{};
    double radius = 0.0;  ///< of a unit: 0.5 x scale
    double speed = 0.0;   ///< 1.5 x scale
    Vec2 origin{};        ///< of the tiles; the middle of the scene is (0, 0)
    double cell = 0.0;    ///< of the tiles, rounded so that every corner is exact in all three worlds
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<CellRect> blocks{};    ///< what is solid, in tiles; the outermost ring is
    std::vector<Aabb> walls{};         ///< the same in the world
    std::vector<CrowdGroup> groups{};  ///< unscaled and unturned: crowd_units() brings them into the pose
};

/// All of them, in order.
[[nodiscard]] std::vector<CrowdPlace> all_crowd_places();
[[nodiscard]] const char* crowd_place_name(CrowdPlace place);
[[nodiscard]] CrowdScene make_crowd_scene(CrowdPlace place, const CrowdPose& pose = {});

/// The units of a seed, 0 to 99 in the stated runs: uniform in their zones, starts and goals each at least 1.15 x scale apart (drawn
/// again where not). Of corridor_b the starts stand in two rows instead, at least 1.08 apart. One seed gives the same crowd
/// in every pose. In order of groups.
[[nodiscard]] std::vector<CrowdUnit> crowd_units(const CrowdScene& scene, std::uint64_t seed);

/// 0: solid, 1: free; row by row.
[[nodiscard]] std::vector<std::uint8_t> crowd_tiles(const CrowdScene& scene);
[[nodiscard]] Grid crowd_grid(const CrowdScene& scene, const std::vector<Agent>& sizes = {});
/// make_grid_mesh() of crowd_grid(), for units of up to 1.5 radii.
[[nodiscard]] NavMesh crowd_mesh(const CrowdScene& scene);

}  // namespace fairlead::testing
