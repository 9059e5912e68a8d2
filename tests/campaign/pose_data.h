// The pose queries of data/poses and the maps that they are on.
#pragma once

#include <string>
#include <vector>

#include <fairlead/formats/file.h>
#include <fairlead/formats/queries.h>
#include <fairlead/formats/tile_map.h>

#include "oracle/pose_map.h"

namespace fairlead::testing {

struct PosePair {
    Pose start{};
    Pose goal{};
};

/// The maps that have pose queries, and where they lie in data/maps.
struct PoseMapName {
    const char* name;
    const char* folder;
};
inline constexpr PoseMapName kPoseMaps[] = {
    {"arena2", "dao"}, {"den520d", "dao"}, {"Berlin_0_256", "cities"}};

/// Of a file of movingai.com. No tiles: it could not be read.
inline oracle::PoseMap load_pose_map(const std::string& path) {
    oracle::PoseMap out;
    const Result<std::string> text = formats::load_file(path);
    if (!text) return out;
    const Result<formats::TileMap> map = formats::load_tile_map(*text);
    if (!map) return out;
    const Result<std::vector<std::uint8_t>> tiles = formats::make_tiles(*map, formats::TileTable::movingai());
    if (!tiles) return out;
    return {map->width, map->height, *tiles};
}

/// Empty: it could not be read.
inline std::vector<PosePair> load_pose_pairs(const std::string& path) {
    std::vector<PosePair> pairs;
    const Result<std::string> text = formats::load_file(path);
    if (!text) return pairs;
    const Result<std::vector<formats::QueryRow>> rows = formats::load_queries(*text);
    if (!rows) return pairs;
    const auto pose = [](const formats::QueryPlace& place) {
        return Pose{place.position, place.heading_deg.value_or(0.0) * kPi / 180.0};
    };
    for (const formats::QueryRow& row : *rows) pairs.push_back({pose(row.start), pose(row.goal)});
    return pairs;
}

}  // namespace fairlead::testing
