// What must hold for every loader of the formats module whatever the bytes: it returns; what it accepts is
// well formed and, where there is a writer, reads back as the same. Shared by the fuzz targets, the replay of
// the corpus and the tests with damaged files. A broken promise ends the program through FAIRLEAD_ASSERT.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/assert.h>
#include <fairlead/formats/formats.h>

namespace fairlead::testing {

/// Small enough that a hostile count shows at once.
inline constexpr formats::Limits kDriveLimits{.text_bytes = 1 << 20, .memory_bytes = 8 << 20};

/// An error is one of the loaders' own, and names a place in the text where it is about the text.
inline void check_error(const Error& error, std::string_view text) {
    const bool whole = error.code == ErrorCode::size_limit || error.code == ErrorCode::out_of_memory;
    if (!whole && error.code != ErrorCode::file_packed) {
        std::int64_t lines = 1;
        for (const char c : text) lines += c == '\n' ? 1 : 0;
        FAIRLEAD_ASSERT(error.code >= ErrorCode::text_end && error.code <= ErrorCode::text_type);
        FAIRLEAD_ASSERT(error.index >= 1 && error.index <= lines + 1);
        FAIRLEAD_ASSERT(error.detail >= 1 && error.detail <= static_cast<std::int64_t>(text.size()) + 1);
    }
    FAIRLEAD_ASSERT(!formats::error_line("f", error, text).empty());
}

inline void check_map(const formats::TileMap& map) {
    FAIRLEAD_ASSERT(map.width >= 1 && map.width <= formats::kMapSideMax);
    FAIRLEAD_ASSERT(map.height >= 1 && map.height <= formats::kMapSideMax);
    FAIRLEAD_ASSERT(map.letters.size() ==
                    static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height));
    FAIRLEAD_ASSERT(formats::make_tiles(map, formats::TileTable::movingai()).has_value());
}

inline bool drive_tile_map(std::string_view text) {
    const Result<formats::TileMap> map = formats::load_tile_map(text, kDriveLimits);
    if (!map) {
        check_error(map.error(), text);
        return false;
    }
    check_map(*map);
    const Result<formats::TileMap> again = formats::load_tile_map(formats::save_tile_map(*map));
    FAIRLEAD_ASSERT(again.has_value() && again->letters == map->letters && again->width == map->width);
    return true;
}

inline bool drive_tile_table(std::string_view text) {
    const Result<formats::TileTable> table = formats::load_tile_table(text);
    if (!table) check_error(table.error(), text);
    return table.has_value();
}

inline bool drive_patches(std::string_view text) {
    const Result<formats::PatchFile> file = formats::load_patches(text, kDriveLimits);
    if (!file) {
        check_error(file.error(), text);
        return false;
    }
    for (const formats::TileMap& patch : file->patches) check_map(patch);
    return true;
}

inline bool drive_scenario(std::string_view text) {
    using namespace formats;
    const Result<Scenario> scenario = load_scenario(text, kDriveLimits);
    if (!scenario) {
        check_error(scenario.error(), text);
        return false;
    }
    for (const ScenarioQuery& query : scenario->queries) {
        const bool one = scenario->version == 1;
        FAIRLEAD_ASSERT(!one || query.map < scenario->maps.size());
        const std::int32_t width = one ? scenario->maps[query.map].width : scenario->width;
        const std::int32_t height = one ? scenario->maps[query.map].height : scenario->height;
        FAIRLEAD_ASSERT(query.start.x >= 0 && query.start.x < width && query.goal.x >= 0 &&
                        query.goal.x < width);
        FAIRLEAD_ASSERT(query.start.y >= 0 && query.start.y < height && query.goal.y >= 0 &&
                        query.goal.y < height);
        FAIRLEAD_ASSERT(query.optimal == kNoRoute || (query.optimal >= 0.0 && query.optimal <= kNumberMax));
        FAIRLEAD_ASSERT(query.patches_before <= scenario->placements.size());
        const double published = says_no_route(query) ? kNoRoute : query.optimal;
        FAIRLEAD_ASSERT(length_agrees(*scenario, query, published));
    }
    const PatchFile none;
    FAIRLEAD_ASSERT(check_placements(*scenario, none).has_value() == scenario->placements.empty());
    if (scenario->version != 1) return true;
    const Result<Scenario> again = load_scenario(save_scenario(*scenario));
    FAIRLEAD_ASSERT(again.has_value() && again->queries.size() == scenario->queries.size());
    for (std::size_t i = 0; i < again->queries.size(); ++i) {
        FAIRLEAD_ASSERT(again->queries[i].start == scenario->queries[i].start);
        FAIRLEAD_ASSERT(again->queries[i].goal == scenario->queries[i].goal);
    }
    return true;
}

inline bool drive_queries(std::string_view text) {
    using namespace formats;
    const Result<std::vector<QueryRow>> rows = load_queries(text, kDriveLimits);
    if (!rows) {
        check_error(rows.error(), text);
        return false;
    }
    const Result<std::vector<QueryRow>> again = load_queries(save_queries(*rows));
    FAIRLEAD_ASSERT(again.has_value() && again->size() == rows->size());
    for (std::size_t i = 0; i < rows->size(); ++i) {
        FAIRLEAD_ASSERT((*again)[i].id == (*rows)[i].id);
        FAIRLEAD_ASSERT((*again)[i].start == (*rows)[i].start && (*again)[i].goal == (*rows)[i].goal);
    }
    return true;
}

inline bool drive_units(std::string_view text) {
    using namespace formats;
    const Result<std::vector<UnitRow>> rows = load_units(text, kDriveLimits);
    if (!rows) {
        check_error(rows.error(), text);
        return false;
    }
    for (std::size_t i = 0; i < rows->size(); ++i) {
        const UnitRow& row = (*rows)[i];
        FAIRLEAD_ASSERT(row.radius >= 0.0 && row.length >= 0.0 && row.width >= 0.0 && row.speed > 0.0);
        FAIRLEAD_ASSERT(row.turning_radius >= 0.0 && row.start_s >= 0.0);
        for (const std::optional<double>& rate : {row.accel, row.brake, row.lateral_accel, row.turn_rate_deg})
            FAIRLEAD_ASSERT(!rate || *rate > 0.0);
        FAIRLEAD_ASSERT(!row.climb_deg || (*row.climb_deg > 0.0 && *row.climb_deg < 90.0));
        FAIRLEAD_ASSERT(row.facings == 0 || row.facings == 8 || row.facings == 16 || row.facings == 32);
        FAIRLEAD_ASSERT(row.start.layer >= 0 && row.start.layer < 64 && row.goal.layer >= 0);
        FAIRLEAD_ASSERT(i == 0 || row.line > (*rows)[i - 1].line);
    }
    return true;
}

inline bool drive_routes(std::string_view text) {
    using namespace formats;
    const Result<std::vector<RouteRecord>> records = load_routes(text, kDriveLimits);
    if (!records) {
        check_error(records.error(), text);
        return false;
    }
    const std::string saved = save_routes(*records);
    const Result<std::vector<RouteRecord>> again = load_routes(saved);
    FAIRLEAD_ASSERT(again.has_value() && again->size() == records->size());
    FAIRLEAD_ASSERT(save_routes(*again) == saved);
    for (const RouteRecord& record : *records) {
        for (const Leg& leg : record.route.legs)
            FAIRLEAD_ASSERT(std::isfinite(leg.length) && leg.length >= 0.0);
    }
    return true;
}

inline bool drive_roadmap(std::string_view text) {
    using namespace formats;
    const Result<RoadmapFile> roadmap = load_roadmap(text, kDriveLimits);
    if (!roadmap) {
        check_error(roadmap.error(), text);
        return false;
    }
    for (const RoadmapEdge& edge : roadmap->edges) {
        FAIRLEAD_ASSERT(edge.from < roadmap->nodes.size() && edge.to < roadmap->nodes.size() &&
                        edge.from != edge.to);
        FAIRLEAD_ASSERT(edge.cost >= 0.0 || edge.cost == RoadmapEdge::kStraight);
    }
    for (const RoadmapWall& wall : roadmap->walls) {
        FAIRLEAD_ASSERT(wall.points >= 2 && wall.first_point + wall.points <= roadmap->wall_points.size());
    }
    const Result<RoadmapFile> again = load_roadmap(save_roadmap(*roadmap));
    FAIRLEAD_ASSERT(again.has_value() && *again == *roadmap);
    return true;
}

inline bool drive_links(std::string_view text) {
    using namespace formats;
    const Result<std::vector<MeshLink>> links = load_links(text, kDriveLimits);
    if (!links) {
        check_error(links.error(), text);
        return false;
    }
    const Result<std::vector<MeshLink>> again = load_links(save_links(*links));
    FAIRLEAD_ASSERT(again.has_value() && *again == *links);
    return true;
}

inline bool drive_floor_plan(std::string_view text) {
    using namespace formats;
    const Result<FloorPlan> plan = load_floor_plan(text, kDriveLimits);
    if (!plan) {
        check_error(plan.error(), text);
        return false;
    }
    const Result<FloorPlan> again = load_floor_plan(save_floor_plan(*plan));
    FAIRLEAD_ASSERT(again.has_value() && *again == *plan);
    if (const Result<MeshFile> mesh = mesh_of(*plan)) {
        const NavMeshTile tile = mesh->tile();
        FAIRLEAD_ASSERT(NavMesh::make({.tiles = {&tile, 1}, .landmarks = 0}).has_value());
    }
    return true;
}

inline bool drive_scene(std::string_view text) {
    using namespace formats;
    const Result<Scene> scene = load_scene(text, kDriveLimits);
    if (!scene) {
        check_error(scene.error(), text);
        return false;
    }
    const std::size_t cells = static_cast<std::size_t>(scene->width) *
                              static_cast<std::size_t>(scene->height) *
                              static_cast<std::size_t>(scene->layers);
    FAIRLEAD_ASSERT(cells > 0 && scene->tiles.size() == cells && scene->letters.size() == cells);
    FAIRLEAD_ASSERT(scene->terrain_costs.empty() || scene->terrain_costs.size() == 256);
    FAIRLEAD_ASSERT(scene->grid_options().width == scene->width);
    for (const SceneQuery& query : scene->queries) {
        const GridQuery whole = query.grid_query();
        FAIRLEAD_ASSERT(is_finite(whole.start.position) && is_finite(whole.goal.at.ground()));
        FAIRLEAD_ASSERT(whole.start.layer >= 0 && whole.start.layer < scene->layers);
        FAIRLEAD_ASSERT(whole.influence.cells.empty() || whole.influence.cells.size() == cells);
        for (const SceneEdit& edit : query.edits) {
            FAIRLEAD_ASSERT(!edit.rect.empty() && edit.rect.low.x >= 0 && edit.rect.high.x <= scene->width);
            FAIRLEAD_ASSERT(edit.rect.low.y >= 0 && edit.rect.high.y <= scene->height);
        }
    }
    return true;
}

inline bool drive_gzip(std::string_view text) {
    const Result<std::string> unpacked = formats::unpack_gzip(text, kDriveLimits);
    if (!unpacked) check_error(unpacked.error(), text);
    if (unpacked) FAIRLEAD_ASSERT(unpacked->size() <= kDriveLimits.text_bytes);
    return unpacked.has_value();
}

inline bool drive_kind(std::string_view text) {
    return formats::sniff_kind(text) != formats::FileKind::unknown;
}

/// Good enough to be a level: what repair_mesh leaves, NavMesh::make takes.
inline void check_mesh(const formats::MeshFile& mesh) {
    const NavMeshTile tile = mesh.tile();
    const Result<NavMesh> level = NavMesh::make({.tiles = {&tile, 1}, .landmarks = 0});
    FAIRLEAD_ASSERT(level.has_value());
    FAIRLEAD_ASSERT(level->state().polygons() == mesh.polygon_sizes.size());
}

inline bool drive_mesh(std::string_view text) {
    using namespace formats;
    Result<MeshFile> mesh = load_polyanya_mesh(text, kDriveLimits);
    if (!mesh) {
        check_error(mesh.error(), text);
        return false;
    }
    const Result<MeshFile> again = load_polyanya_mesh(save_polyanya_mesh(*mesh));
    FAIRLEAD_ASSERT(again.has_value() && *again == *mesh);
    const std::string heights = save_heights(*mesh);
    FAIRLEAD_ASSERT(load_heights(heights, *mesh).has_value() && *again == *mesh);
    const Result<void> other = load_heights(text, *mesh);
    if (!other) check_error(other.error(), text);
    MeshRepairs repairs;
    FAIRLEAD_ASSERT(repair_mesh(*mesh, repairs).has_value());
    FAIRLEAD_ASSERT(repairs.from.size() == mesh->polygon_sizes.size());
    check_mesh(*mesh);
    return true;
}

inline bool drive_detour(std::string_view bytes) {
    using namespace formats;
    const Result<DetourMesh> mesh = load_detour(bytes, kDriveLimits);
    if (!mesh) {
        const Error& error = mesh.error();
        FAIRLEAD_ASSERT(error.code == ErrorCode::size_limit || error.code == ErrorCode::incompatible);
        if (error.code == ErrorCode::incompatible)
            FAIRLEAD_ASSERT(error.detail >= 0 &&
                            error.detail < static_cast<std::int64_t>(DetourRule::count_));
        return false;
    }
    FAIRLEAD_ASSERT(mesh->flags.size() == mesh->mesh.polygon_sizes.size());
    check_mesh(mesh->mesh);
    return true;
}

inline void check_soup(const formats::TriangleFile& soup) {
    FAIRLEAD_ASSERT(soup.triangles.size() == 3 * soup.areas.size());
    for (const std::uint32_t vertex : soup.triangles) FAIRLEAD_ASSERT(vertex < soup.vertices.size());
    for (const Vec3& p : soup.vertices)
        FAIRLEAD_ASSERT(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
}

inline bool drive_obj(std::string_view text) {
    using namespace formats;
    const TriangleFileOptions options{.area_names = {"water", "road"}};
    Result<TriangleFile> soup = load_obj(text, options, kDriveLimits);
    if (!soup) {
        check_error(soup.error(), text);
        return false;
    }
    check_soup(*soup);
    const Result<TriangleFile> again = load_obj(save_obj(*soup, options), options);
    soup->degenerate = 0;
    FAIRLEAD_ASSERT(again.has_value() && *again == *soup);
    return true;
}

inline bool drive_gltf(std::string_view bytes) {
    const Result<formats::TriangleFile> soup =
        formats::load_gltf(bytes, {.area_names = {"water"}}, kDriveLimits);
    if (!soup) {
        check_error(soup.error(), bytes);
        return false;
    }
    check_soup(*soup);
    return true;
}

inline bool drive_voxel_map(std::string_view text) {
    using namespace formats;
    const Result<VoxelMap> map = load_voxel_map(text, kDriveLimits);
    if (!map) {
        check_error(map.error(), text);
        return false;
    }
    const VoxelBrick* last = nullptr;
    for (const VoxelBrick& b : map->bricks) {
        FAIRLEAD_ASSERT(b.solid != 0 && b.x >= 0 && b.y >= 0 && b.z >= 0);
        for (int i = 0; i < 64; ++i) {
            if ((b.solid >> i & 1) == 0) continue;
            FAIRLEAD_ASSERT(b.x * 4 + i % 4 < map->size.x && b.y * 4 + i / 4 % 4 < map->size.y);
            FAIRLEAD_ASSERT(b.z * 4 + i / 16 < map->size.z);
        }
        if (last != nullptr) {
            const bool later = b.z != last->z   ? b.z > last->z
                               : b.y != last->y ? b.y > last->y
                                                : b.x > last->x;
            FAIRLEAD_ASSERT(later);
        }
        last = &b;
    }
    const Result<VoxelMap> again = load_voxel_map(save_voxel_map(*map));
    FAIRLEAD_ASSERT(again.has_value() && again->size == map->size);
    FAIRLEAD_ASSERT(again->bricks.size() == map->bricks.size());
    for (std::size_t i = 0; i < map->bricks.size(); ++i) {
        const VoxelBrick &a = again->bricks[i], &b = map->bricks[i];
        FAIRLEAD_ASSERT(a.x == b.x && a.y == b.y && a.z == b.z && a.solid == b.solid);
    }
    return true;
}

inline bool drive_voxel_scenario(std::string_view text) {
    using namespace formats;
    const Result<VoxelScenario> scenario = load_voxel_scenario(text, kDriveLimits);
    if (!scenario) {
        check_error(scenario.error(), text);
        return false;
    }
    const auto placed = [](Voxel v) {
        const auto fits = [](std::int32_t p) { return p >= 0 && p < kVolumeSideMax; };
        return fits(v.x) && fits(v.y) && fits(v.z);
    };
    for (const VoxelQuery& query : scenario->queries) {
        FAIRLEAD_ASSERT(placed(query.start) && placed(query.goal));
        FAIRLEAD_ASSERT(query.optimal == kNoRoute || (query.optimal >= 0.0 && query.optimal <= kNumberMax));
        FAIRLEAD_ASSERT(query.ratio >= 0.0 && query.ratio <= kNumberMax);
        FAIRLEAD_ASSERT(printed_tolerance(query) > 0.0);
    }
    FAIRLEAD_ASSERT(check_queries(*scenario, {kVolumeSideMax, kVolumeSideMax, kVolumeSideMax}).has_value());
    const Result<VoxelScenario> again = load_voxel_scenario(save_voxel_scenario(*scenario));
    FAIRLEAD_ASSERT(again.has_value() && again->queries.size() == scenario->queries.size());
    for (std::size_t i = 0; i < again->queries.size(); ++i) {
        FAIRLEAD_ASSERT(again->queries[i].start == scenario->queries[i].start);
        FAIRLEAD_ASSERT(again->queries[i].goal == scenario->queries[i].goal);
    }
    return true;
}

/// Every format by the name of its folder in tests/fuzz/corpus.
struct Driver {
    const char* name;
    bool (*drive)(std::string_view text);
};
inline constexpr Driver kDrivers[] = {
    {"tile_map", drive_tile_map},
    {"tile_table", drive_tile_table},
    {"patches", drive_patches},
    {"scenario", drive_scenario},
    {"queries", drive_queries},
    {"units", drive_units},
    {"routes", drive_routes},
    {"roadmap", drive_roadmap},
    {"scene", drive_scene},
    {"gzip", drive_gzip},
    {"kind", drive_kind},
    {"mesh", drive_mesh},
    {"detour", drive_detour},
    {"obj", drive_obj},
    {"gltf", drive_gltf},
    {"links", drive_links},
    {"floor_plan", drive_floor_plan},
    {"voxel_map", drive_voxel_map},
    {"voxel_scenario", drive_voxel_scenario},
};

}  // namespace fairlead::testing
