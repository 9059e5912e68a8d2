// VoxelMap and VoxelScenario: the voxel benchmarks' `.3dmap` and `.3dscen` files.
//
//     Result<std::string> text = formats::load_file("BA1.3dmap.gz");      // packed or not
//     Result<VoxelMap> map = formats::load_voxel_map(*text);
//     Result<Volume> space = Volume::make(map->volume_options());
//
// The files (D. Brewer and N. Sturtevant, Benchmarks for Pathfinding in 3D Voxel Space, SoCS 2018):
//
//     voxel 896 390 255      voxels along x, y and z: 1 to kVolumeSideMax, at most kVolumeVoxelsMax in all
//     74 80 63               then the solid voxels, x y z from 0, a line each, in any order; a voxel may be
//     74 81 63               named twice (published files name none twice)
//
//     version 1
//     A1.3dmap               the map's name, which ends so
//     101 109 191 577 273 142 562.04094761 1.005     start, goal, length, length / length in an empty map
//
// `length` is that of a shortest way over the middles of voxels, in steps of 1, sqrt 2 and sqrt 3 to the 26 around,
// without cutting corners: of the box that a step lies in all voxels are free. (The files do not say so; it was worked
// out from them.) A unit that flies straight as it likes has shorter ways.
//
// Words are parted by blanks or tabs. Blanks and NULs at the end of a line, lines without text, a missing last newline
// and CR LF are accepted, as in a `.map`.
//
// Errors of the loaders: text_keyword (the first word, the version, a name that does not end in `.3dmap`), text_number,
// text_value (a size out of its range, or too many voxels in all: at the last size; a voxel outside of the map; a
// length below 0 that is not -1; a ratio below 0), text_end (a line, or the file, is too short), text_extra,
// size_limit, out_of_memory.
//
// Cost: linear, but for the sorting of bricks. The largest published map, 344,486 voxels in 4.1 MB of text, takes 13
// ms. Memory: at most 144 bytes a brick that holds a solid voxel, and 72 KiB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/volume/volume.h>

namespace fairlead::formats {

struct VoxelMap {
    Voxel size{};
    Array<VoxelBrick> bricks;  ///< those with a solid voxel, each once, by z, then y, then x

    /// Of voxels of 1 x 1 x 1 from (0, 0, 0) on. Borrows the bricks.
    [[nodiscard]] VolumeOptions volume_options() const { return {.size = size, .bricks = bricks}; }
    [[nodiscard]] std::int64_t solid_voxels() const;
};

[[nodiscard]] Result<VoxelMap> load_voxel_map(std::string_view text, const Limits& limits = {});

/// The solid voxels of a volume; where it lies and how long a voxel is have no place in a map. Errors: out_of_memory.
[[nodiscard]] Result<VoxelMap> make_voxel_map(const VolumeState& volume);

/// The text of a file, a line a voxel, brick by brick; load_voxel_map of it gives the same map.
[[nodiscard]] std::string save_voxel_map(const VoxelMap& map);

struct VoxelQuery {
    Voxel start{};
    Voxel goal{};
    double optimal = 0.0;       ///< -1 (kNoRoute of scenario.h): there is no way
    double ratio = 1.0;         ///< of it to the length in an empty map
    std::int32_t decimals = 0;  ///< digits behind the point of `optimal` as printed
    std::int32_t ratio_decimals = 0;
    std::int64_t line = 0;

    friend bool operator==(const VoxelQuery&, const VoxelQuery&) = default;
};

struct VoxelScenario {
    std::string map;  ///< as written; not always what the file is called today
    std::vector<VoxelQuery> queries;

    friend bool operator==(const VoxelScenario&, const VoxelScenario&) = default;
};

/// A file does not say how large its map is: voxels from 0 to kVolumeSideMax - 1 are taken, and check_queries looks.
[[nodiscard]] Result<VoxelScenario> load_voxel_scenario(std::string_view text, const Limits& limits = {});

/// Loads as the same queries (their line numbers aside).
[[nodiscard]] std::string save_voxel_scenario(const VoxelScenario& scenario);

/// Do all starts and goals lie inside of a map of this size? text_value with the line in the scenario's file. That they
/// are free is for the search to say.
Result<void> check_queries(const VoxelScenario& scenario, Voxel size);

/// Half a unit of the last place that the published length was printed with, plus 2^-21 of it, or 2^-28 if it has 8
/// decimals or more: some authors summed many steps in single precision, others steps of 9 digits.
[[nodiscard]] double printed_tolerance(const VoxelQuery& query);

}  // namespace fairlead::formats
